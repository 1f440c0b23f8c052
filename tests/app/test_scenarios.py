"""Novelty measured of a text that is only tried."""

from dataclasses import replace

import pytest

from kpinspector.app.questions import Question
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from tests.app.harness import Slow, write
from tests.fakes import NoEmbedder

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


def test_measured_of_what_is_left_and_remembered_of_nothing(one):
    before = one.session.memory.state.remembered
    document = one.session.documents[0]
    heard, ended = measure(one, document)
    assert is_measuring(one)
    one.settle()
    (novelty,) = heard
    assert ended == [False]
    assert novelty.compared_with == 1 and novelty.max_similarity is not None
    assert one.session.memory.state.remembered == before
    assert one.session.documents[0].measured is document.measured


def test_without_a_model_it_is_assumed(harness, tmp_path):
    one = harness(NoEmbedder())
    one.open(write(tmp_path / "a.json", "1"))
    heard, _ = measure(one, one.session.documents[0])
    one.settle()
    assert heard[0].assumed


def test_a_stopped_measuring_says_nothing_more(harness, tmp_path):
    slow = Slow()
    one = harness(slow)
    slow.gate.set()
    one.open(write(tmp_path / "a.json", "1"))
    slow.gate.clear()
    slow.waiting.clear()
    heard, ended = measure(one, one.session.documents[0])
    assert slow.waiting.wait(10)
    one.session.questions.stop(Question.NOVELTY)
    slow.gate.set()
    one.settle()
    assert heard == [] and ended == [False]


def test_a_pending_trace_has_nothing_to_compare(harness, tmp_path):
    one = harness()
    one.open(write(tmp_path / "a.json", "1"))
    assert measure(one, replace(one.session.documents[0], measured=None)) == ([], [])
    assert not is_measuring(one)
