"""Loads libraries where they are first used, safely for Ctrl-C and without garbage collection."""

import gc
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from kpinspector.errors import ExitStatus


@contextmanager
def loading() -> Iterator[None]:
    """Imports inside this context: Ctrl-C ends the process at once, and no garbage is collected.

    Some libraries take Ctrl-C for a failure of their own; and what is loaded stays, so looking
    through it, then or later, costs a tenth of the loading and finds nothing.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        with _ended_by_interrupt():
            yield
    finally:
        if collects:
            gc.freeze()
            gc.enable()


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process, on the main thread and unless another handler is set."""
    before = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(ExitStatus.INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
