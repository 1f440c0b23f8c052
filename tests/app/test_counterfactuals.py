"""What would change a score: at once, or from the worker where that takes long."""

from kpinspector.app import whatif
from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Rules
from kpinspector.app.whatif import is_looked_for, kept_changes
from tests.known import present
from tests.ui.documents import STEPS, pending, scored


def long_trace(number=0, **parts):
    return scored(number, steps=STEPS * (whatif.LONG // len(STEPS) + 1), confidence=0.2, **parts)


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
