import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kpinspector.batch.child import Child, ChildError

ROOT = Path(__file__).parents[2]


def twice(number):
    return 2 * number


def failing():
    raise ValueError("no such number")


def ending():
    os._exit(7)


def never():
    """A hard problem."""
    threading.Event().wait()


def test_the_result_of_a_call():
    with Child(twice, 21, limit=100.0) as child:
        assert child.result() == 42
        assert child.done
        assert child.result() == 42
    assert not multiprocessing.active_children()


def test_a_call_that_takes_too_long_is_killed():
    with Child(never, limit=0.0) as child:
        assert child.done
        assert child.result() is None
    assert not multiprocessing.active_children()


class _Endless:
    """Keeps whoever unpickles it for ever."""

    def __reduce__(self):
        return never, ()


def test_a_process_that_does_not_take_its_arguments_is_not_waited_for():
    with Child(max, _Endless(), bytes(2**22), limit=2.0) as child:
        assert child.result() is None
    assert not multiprocessing.active_children()


def test_leaving_it_kills_it():
    with Child(never) as child:
        assert not child.done
    assert child.result() is None
    assert not multiprocessing.active_children()


def test_another_thread_can_cancel_while_one_waits():
    with Child(never, limit=100.0) as child:
        canceller = threading.Thread(target=child.cancel)
        canceller.start()
        assert child.result() is None
        canceller.join()
    child.cancel()
    assert not multiprocessing.active_children()


def test_a_failure_is_a_bug_here():
    with Child(failing, limit=100.0) as child, pytest.raises(ChildError, match="no such number"):
        child.result()


def killing():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("work", [ending, killing])
def test_one_that_ends_without_a_word_ended_early(work):
    with Child(work, limit=100.0) as child:
        assert child.result() is None and child.ended_early


def test_one_that_is_stopped_here_did_not_end_early():
    with Child(never, limit=100.0) as cancelled, Child(never, limit=0.0) as late:
        cancelled.cancel()
        for child in (cancelled, late):
            assert child.result() is None and not child.ended_early


INTERRUPTED = """
import os, signal, sys, threading
from kpinspector.batch.child import Child
from tests.batch.test_child import never
if __name__ == "__main__":
    try:
        with Child(never) as child:
            threading.Timer(float(sys.argv[1]), os.killpg, (0, signal.SIGINT)).start()
            child.result()
    except KeyboardInterrupt:
        print("interrupted")
"""


@pytest.mark.skipif(os.name != "posix", reason="process groups of POSIX")
@pytest.mark.usefixtures("signals_heard")
@pytest.mark.parametrize("after", ["0", "0.3"])  # while it starts, and while it works
def test_ctrl_c_ends_it_without_a_word_of_its_own(after):
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, after],
        cwd=ROOT,
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=120,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")
