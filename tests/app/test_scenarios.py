"""Novelty measured of a text that is only tried."""

from dataclasses import replace

import pytest

from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from tests.app.harness import Slow, write
from tests.fakes import NoEmbedder

WITHOUT_FIRST = Scenario(edits=(StepEdit(0, left_out=True),))


@pytest.fixture
def one(harness, tmp_path):
    made = harness()
    made.open(write(tmp_path / "a.jsonl", "1", "2"))
    return made


def test_measured_of_what_is_left_and_remembered_of_nothing(one, qtbot):
    before = one.session.memory.state.remembered
    document = one.session.documents[0]
    with qtbot.waitSignal(one.session.scenarios.measured) as heard:
        one.session.scenarios.measure(document, WITHOUT_FIRST)
        assert one.session.scenarios.measuring
    asked, novelty = heard.args
    assert asked == WITHOUT_FIRST and not one.session.scenarios.measuring
    assert novelty.compared_with == 1 and novelty.max_similarity is not None
    one.settle()
    assert one.session.memory.state.remembered == before
    assert one.session.documents[0].measured is document.measured


def test_without_a_model_it_is_assumed(harness, tmp_path, qtbot):
    one = harness(NoEmbedder())
    one.open(write(tmp_path / "a.json", "1"))
    with qtbot.waitSignal(one.session.scenarios.measured) as heard:
        one.session.scenarios.measure(one.session.documents[0], WITHOUT_FIRST)
    assert heard.args[1].assumed


def test_a_stopped_measuring_says_nothing_more(harness, tmp_path, qtbot):
    slow = Slow()
    one = harness(slow)
    slow.gate.set()
    one.open(write(tmp_path / "a.json", "1"))
    slow.gate.clear()
    slow.waiting.clear()
    scenarios, ended = one.session.scenarios, []
    scenarios.ended.connect(lambda: ended.append(scenarios.measuring))
    scenarios.measure(one.session.documents[0], WITHOUT_FIRST)
    assert slow.waiting.wait(10)
    with qtbot.assertNotEmitted(scenarios.measured):
        scenarios.stop()
        slow.gate.set()
        one.settle()
    assert ended == [False]
    scenarios.stop()
    assert ended == [False]


def test_a_pending_trace_has_nothing_to_compare(harness, tmp_path, qtbot):
    one = harness()
    one.open(write(tmp_path / "a.json", "1"))
    pending = replace(one.session.documents[0], measured=None)
    with qtbot.assertNotEmitted(one.session.scenarios.measured):
        one.session.scenarios.measure(pending, WITHOUT_FIRST)
    assert not one.session.scenarios.measuring
