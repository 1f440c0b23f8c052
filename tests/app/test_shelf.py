"""What is kept on a shelf, and for how long."""

import gc

from kpinspector.app.whatif import Shelf
from kpinspector.trace.model import trace_from_json
from tests.trace.samples import trace as raw_trace


def made(shelf, held, rest=None):
    """Whether something had to be made."""
    calls = []
    shelf.get(held, lambda one: calls.append(one) or len(calls), rest)
    return bool(calls)


def traces(count):
    return [trace_from_json(raw_trace()) for _ in range(count)]


def test_it_is_made_once_for_an_object_and_what_it_hangs_on():
    shelf, (one, other) = Shelf(), traces(2)
    assert made(shelf, one) and not made(shelf, one)
    assert made(shelf, other)  # equal, and another one
    assert made(shelf, one, "rest") and not made(shelf, one, "rest")
    assert shelf.find(one) is None and shelf.find(one, "rest") == 1


def test_the_one_that_was_wanted_longest_ago_goes_first():
    shelf, held = Shelf(most=3), traces(4)
    for one in held[:3]:
        made(shelf, one)
    assert not made(shelf, held[0])
    made(shelf, held[3])
    assert len(shelf) == 3
    assert [shelf.find(one) is not None for one in held] == [True, False, True, True]


def test_nothing_is_kept_of_what_nobody_holds():
    shelf, held = Shelf(), traces(3)
    for one in held:
        made(shelf, one)
    del one, held[0]
    gc.collect()
    assert len(shelf) == 2
    held.clear()
    gc.collect()
    assert len(shelf) == 0
