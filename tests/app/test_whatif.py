"""What would change a score, and what is kept of it: at once, or from the worker."""

import gc

from kpinspector.app import answers
from kpinspector.app.answers import Shelf, explanation_of, is_looked_for, kept_changes
from kpinspector.app.document import Rules
from kpinspector.trace.model import trace_from_json
from tests.known import present
from tests.trace.samples import trace as raw_trace
from tests.ui.documents import STEPS, pending, scored


def long_trace(number=0, **parts):
    return scored(number, steps=STEPS * (answers.LONG // len(STEPS) + 1), confidence=0.2, **parts)


def changes_of(document):
    return explanation_of(document, find=kept_changes).changes


def test_a_short_trace_needs_no_worker():
    document = scored(0, confidence=0.2)
    assert not is_looked_for(document)
    assert present(changes_of(document)).changes
    assert changes_of(document) is changes_of(document)


def test_what_is_not_below_or_not_known_has_none():
    accepted = scored(0, rules=Rules(threshold=0.1))
    for document in (accepted, pending(1)):
        assert not is_looked_for(document) and changes_of(document) is None


def test_a_long_trace_is_looked_through_by_the_worker(harness):
    one, other, heard = long_trace(0), long_trace(1), []
    session = harness()
    assert is_looked_for(one)
    for document in (one, other):  # only the last wish is answered
        session.session.questions.find_changes(document, heard.append)
    session.settle()
    assert heard == [other] and not is_looked_for(other)
    assert present(changes_of(other)).changes
    assert is_looked_for(other.with_rules(Rules(threshold=0.9)))  # other changes


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
