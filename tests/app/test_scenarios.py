"""Novelty measured of a text that is only tried."""

from dataclasses import replace

import pytest

from kpinspector.app.questions import Question
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from tests.app.harness import write
from tests.fakes import Gated

WITHOUT_FIRST = Scenario(edits=(StepEdit(0, left_out=True),))


@pytest.fixture
def one(harness, tmp_path):
    made = harness()
    made.open(write(tmp_path / "a.jsonl", "1", "2"))
    return made


def measure(one, document):
    """Ask for the novelty of what is left of it, and keep what is said."""
    heard, ended = [], []
    questions = one.session.questions
    questions.set_document(document)
    questions.measure(WITHOUT_FIRST, heard.append, lambda: ended.append(is_measuring(one)))
    return heard, ended


def is_measuring(one):
    return one.session.questions.is_asked(Question.NOVELTY)


def test_a_stopped_measuring_says_nothing_more(harness, tmp_path):
    slow = Gated(is_open=True)
    one = harness(slow)
    one.open(write(tmp_path / "a.json", "1"))
    slow.shut()
    heard, ended = measure(one, one.session.documents[0])
    assert slow.waiting.wait(10)
    one.session.questions.stop(Question.NOVELTY)
    one.go_on()
    assert heard == [] and ended == [False]


def test_a_pending_trace_has_nothing_to_compare(harness, tmp_path):
    one = harness(opened=[write(tmp_path / "a.json", "1")])
    assert measure(one, replace(one.session.documents[0], measured=None)) == ([], [])
    assert not is_measuring(one)
