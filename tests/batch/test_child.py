import multiprocessing
import os
import threading

import pytest

from kpinspector.batch.child import Child, ChildError


def twice(number):
    return 2 * number


def failing():
    raise ValueError("no such number")


def ending():
    os._exit(7)


def never():
    """A hard problem."""
    threading.Event().wait()


def told(file):
    """Says that it runs, then never ends."""
    with open(file, "w") as out:  # noqa: PTH123
        out.write("running")
    threading.Event().wait()


def test_the_result_of_a_call():
    with Child(twice, 21) as child:
        assert child.result() == 42
        assert child.done
        assert child.result() == 42
    assert not multiprocessing.active_children()


def test_a_call_that_takes_too_long_is_killed():
    with Child(never, limit=0.0) as child:
        assert child.done
        assert child.result() is None
    assert not multiprocessing.active_children()


def test_leaving_it_kills_it():
    with Child(never) as child:
        assert not child.done
    assert child.result() is None
    assert not multiprocessing.active_children()


def test_another_thread_can_cancel_while_one_waits():
    with Child(never) as child:
        canceller = threading.Thread(target=child.cancel)
        canceller.start()
        assert child.result() is None
        canceller.join()
    child.cancel()
    assert not multiprocessing.active_children()


def test_a_failure_is_a_bug_here():
    with Child(failing) as child, pytest.raises(ChildError, match="no such number"):
        child.result()


def test_one_that_ends_without_a_word_has_no_result():
    with Child(ending) as child:
        assert child.result() is None
