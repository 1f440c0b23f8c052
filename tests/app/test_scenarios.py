"""What-ifs that are saved beside rows, and novelty measured of a text that is only tried."""

from dataclasses import replace

import pytest

from kpinspector.scoring.whatif.scenario import NamedScenario, Scenario, StepEdit
from tests.answers import novelty
from tests.app.harness import Slow, write
from tests.fakes import NoEmbedder, make_raw

WITHOUT_FIRST = Scenario(edits=(StepEdit(0, left_out=True),))
LOWER = Scenario(threshold=0.5)


@pytest.fixture
def one(harness, tmp_path):
    made = harness()
    made.open(write(tmp_path / "a.jsonl", "1", "2"))
    return made


def saved(harness, number=0):
    row = harness.session.documents[number]
    assert harness.rows[row.number].scenarios == row.scenarios
    return [(named.name, named.scenario) for named in row.scenarios]


def test_saving_renaming_and_deleting_is_news_of_one_row(one):
    scenarios, number = one.session.scenarios, one.session.documents[0].number
    scenarios.save(number, NamedScenario("a", LOWER))
    scenarios.save(number, NamedScenario("b", WITHOUT_FIRST))
    assert saved(one) == [("a", LOWER), ("b", WITHOUT_FIRST)]
    scenarios.save(number, NamedScenario("a", WITHOUT_FIRST))
    assert saved(one) == [("a", WITHOUT_FIRST), ("b", WITHOUT_FIRST)]
    scenarios.rename(number, "a", "c")
    scenarios.delete(number, "b")
    assert saved(one) == [("c", WITHOUT_FIRST)] and saved(one, 1) == []
    assert one.session.documents[0].assessment is not None
    scenarios.save(99, NamedScenario("a", LOWER))
    scenarios.delete(99, "a")


def test_what_is_saved_outlasts_scoring_again_and_an_edit_of_the_file(one, tmp_path):
    number = one.session.documents[0].number
    one.session.scenarios.save(number, NamedScenario("a", LOWER))
    one.session.score_again(number)
    one.settle()
    assert saved(one) == [("a", LOWER)]
    one.session.store.judge(replace(one.session.store.rules, threshold=0.2))
    assert saved(one) == [("a", LOWER)]
    write(tmp_path / "a.jsonl", "1", "2", outcome={"result_summary": "", "confidence": 0.1})
    one.session.reload()
    one.settle()
    assert saved(one) == [("a", LOWER)]
    assert one.session.documents[0].measured.measurement.facts.confidence == 0.1


def test_novelty_of_another_text_is_dropped_from_what_is_saved(one, tmp_path):
    measured = replace(WITHOUT_FIRST, measured_novelty=novelty(0.4))
    one.session.scenarios.save(one.session.documents[0].number, NamedScenario("a", measured))

    def after(*contents, **changes):
        steps = [{"step_id": n, "type": "thought", "content": one} for n, one in contents]
        write(tmp_path / "a.jsonl", "1", "2", steps=steps, **changes)
        one.session.reload()
        one.settle()
        ((_, scenario),) = saved(one)
        return scenario

    original = make_raw()["steps"]
    kept = [(n, step["content"]) for n, step in enumerate(original)]
    assert after(*kept, outcome={"result_summary": "", "confidence": 0.1}) == measured
    assert after((0, "left out, whatever it says"), *kept[1:]) == measured
    assert after(*kept, (3, "another end")) == WITHOUT_FIRST


def test_what_is_saved_outlasts_a_file_that_is_no_trace_for_a_while(one, tmp_path):
    measured = replace(WITHOUT_FIRST, measured_novelty=novelty(0.4))
    one.session.scenarios.save(one.session.documents[0].number, NamedScenario("a", measured))
    for steps in ("no list", make_raw()["steps"]):
        write(tmp_path / "a.jsonl", "1", "2", steps=steps)
        one.session.reload()
        one.settle()
    assert saved(one) == [("a", measured)]


def test_what_is_saved_while_the_trace_is_scored_again_stays(harness, tmp_path):
    slow = Slow()
    one = harness(slow)
    slow.gate.set()
    one.open(write(tmp_path / "a.json", "1"))
    slow.gate.clear()
    slow.waiting.clear()
    number = one.session.documents[0].number
    one.session.score_again(number)
    assert slow.waiting.wait(10)
    one.session.scenarios.save(number, NamedScenario("a", LOWER))
    slow.gate.set()
    one.settle()
    assert saved(one) == [("a", LOWER)]


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
