"""Runs a function in a process of its own, as a solver can be stopped in no other way."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Final, Generic, Self, TypeAlias, TypeVar

from kpinspector.files import PACKAGE

Result = TypeVar("Result")
_Call: TypeAlias = tuple[Callable[..., object], tuple[object, ...]]

_PARTS_SHOWN: Final = 3
_MOST_CAUSES: Final = 20
_MOST_FRAMES: Final = 100

LIMIT_S: Final = 8.0  # for the work; about ten with the process's start and end
_SIGNALS: Final = frozenset({signal.SIGINT})


class Child(Generic[Result]):
    """A call in a process of its own, started at once, which returns or is killed.

    One thread uses it, but any thread may call ``cancel``. The function, its arguments and its
    result are pickled, so the function has to stand at the top level of a module.

    ``ended_early``: the process ended without a result and was not stopped here: the system may
    have killed it.
    """

    def __init__(
        self, work: Callable[..., Result], *arguments: object, limit: float = LIMIT_S
    ) -> None:
        context = get_context("spawn")  # a fork would copy locks that other threads hold
        self._answers, answers = context.Pipe(duplex=False)
        asked, self._asks = context.Pipe(duplex=False)
        self._deadline = monotonic() + limit
        self._process = context.Process(target=_run, args=(asked, answers, limit), daemon=True)
        with _interrupts_held():
            self._process.start()
        asked.close()
        answers.close()
        # a matrix does not fit into the pipe, and the process may be slow to begin reading
        call = work, arguments
        self._asking = Thread(target=_send, args=(self._asks, call), daemon=True)
        self._asking.start()
        self._result: Result | None = None
        self._ended = self._cancelled = self.ended_early = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.cancel()
        self._end()

    @property
    def done(self) -> bool:
        """Whether ``result`` returns at once."""
        return self._ended or self._answers.poll() or monotonic() >= self._deadline

    def result(self) -> Result | None:
        """Wait for the result; None where the call was cancelled, took too long or ended early.

        Raises:
            ChildError: the call failed.
        """
        if self._ended:
            return self._result
        failure = None
        try:
            if self._answers.poll(max(0.0, self._deadline - monotonic())):
                self._result, failure = self._answers.recv()
        except (EOFError, OSError):  # the process ended without an answer, or within one
            self.ended_early = not self._cancelled and monotonic() < self._deadline
        finally:
            self._end()
        if failure is not None:
            raise ChildError(*failure)
        return self._result

    def cancel(self) -> None:
        """Kill the process; ``result`` returns None, also where it is waiting."""
        self._cancelled = True
        if not self._ended:
            self._process.kill()

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._process.kill()
            self._process.join()
            self._asking.join()
            self._process.close()
            self._answers.close()
            self._asks.close()


class ChildError(RuntimeError):
    """A bug in the other process, with its traceback; ``lines``: the traceback without values."""

    def __init__(self, trace: str, lines: tuple[str, ...]) -> None:
        super().__init__(trace)
        self.lines = lines


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Within this context a new process ignores Ctrl-C; the parent gets a Ctrl-C afterwards."""
    hold = getattr(signal, "pthread_sigmask", None)  # not on Windows
    if hold is None:
        yield
        return
    resource_tracker.ensure_running()  # started first, as it unblocks the signal
    before = hold(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        hold(signal.SIG_SETMASK, before)


def _send(asks: "Connection[_Call, object]", call: _Call) -> None:
    with suppress(BrokenPipeError):  # the process was killed meanwhile
        asks.send(call)


def _run(
    asked: "Connection[object, _Call]", answers: "Connection[object, object]", limit: float
) -> None:
    """Runs in the other process, which ends by itself if its parent is gone."""
    import traceback  # noqa: PLC0415 - in the other process only

    if hasattr(signal, "alarm"):
        signal.alarm(ceil(limit) + 1)
    work, arguments = asked.recv()
    try:
        answer = work(*arguments), None
    except Exception as error:
        answers.send((None, (traceback.format_exc(), tuple(without_values(error)))))
        raise
    answers.send(answer)


def without_values(error: BaseException) -> Iterator[str]:
    """Frames and types of an exception, line by line, and of what led to it, here or in a process.

    Messages and values are left out: they may hold text of a trace.
    """
    chain: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and found not in chain and len(chain) < _MOST_CAUSES:
        chain.append(found)
        hidden = found.__suppress_context__
        found = found.__cause__ or (None if hidden else found.__context__)
    for cause in reversed(chain):  # the first cause first, as Python prints them
        yield from cause.lines if isinstance(cause, ChildError) else ()
        yield from ("", *_frames(cause), type(cause).__qualname__)


def _frames(error: BaseException) -> Iterator[str]:
    import traceback  # noqa: PLC0415 - for a bug only

    for frame in traceback.extract_tb(error.__traceback__, -_MOST_FRAMES):
        path = Path(frame.filename)  # shown without the user's folders
        is_own = path.is_relative_to(PACKAGE)
        short = path.relative_to(PACKAGE.parent) if is_own else Path(*path.parts[-_PARTS_SHOWN:])
        yield f"  {short.as_posix()}, line {frame.lineno}, in {frame.name}"
        if frame.line:
            yield f"    {frame.line}"
