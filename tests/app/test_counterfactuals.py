"""What would change a score: at once, or from the worker where that takes long."""

import pytest

from kpinspector.app import whatif
from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Rules
from kpinspector.app.jobs import Token
from kpinspector.app.whatif import CounterfactualSearch, is_looked_for, kept_changes
from tests.known import present
from tests.ui.documents import STEPS, pending, scored


@pytest.fixture
def jobs():
    return []


@pytest.fixture
def finder(qapp, jobs):
    def submit(work, done):
        token = Token()
        jobs.append((token, work, done))
        return token

    return CounterfactualSearch(submit)


def run(job):
    token, work, done = job
    result = work(token)
    if not token.cancelled:
        done(result)


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


def test_a_long_trace_is_looked_through_by_the_worker(finder, jobs):
    document, heard = long_trace(), []
    finder.found.connect(heard.append)
    assert is_looked_for(document)
    finder.find(document)
    run(jobs.pop())
    assert heard == [document] and not is_looked_for(document)
    assert present(changes_of(document)).changes
    other = document.with_rules(Rules(threshold=0.9))
    assert is_looked_for(other)  # another threshold, other changes


def test_only_the_last_wish_is_answered(finder, jobs):
    one, other, heard = long_trace(0), long_trace(1), []
    finder.found.connect(heard.append)
    finder.find(one)
    finder.find(other)
    for job in jobs:
        run(job)
    assert heard == [other]
