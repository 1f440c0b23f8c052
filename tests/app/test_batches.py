"""All open traces together: found while somebody looks, in small jobs and a real process."""

import os

import pytest

from kpinspector.app import batches
from kpinspector.app.batches import KEY, Stage
from kpinspector.app.values import Rules
from kpinspector.batch import groups
from kpinspector.batch.child import Child
from kpinspector.batch.plan import Obstacle
from kpinspector.batch.summary import summarise
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.settings import Mode, Settings
from tests.fakes import FakeEmbedder, Gated, NoEmbedder, make_raw, passing, save
from tests.sessions import write_sessions

pytestmark = pytest.mark.slow

TOPICS = ("bread in the warm kitchen", "a variable star", "the old boat", "tax forms of May")


def texts(*topics):
    """Traces that pass, each about its topic."""
    return [passing(f"kp:trace:{number}", topic) for number, topic in enumerate(topics)]


@pytest.fixture
def looked_at(harness, tmp_path):
    """A session of some traces whose picture is wanted, and that picture once it is whole."""

    def open_(*raws, mode=Mode.FRESH, embedder=None):
        made = harness(embedder, mode)
        made.open(save(tmp_path / "some.jsonl", *raws))
        made.session.batches.set_wanted(wanted=True)
        return made, whole(made)

    return open_


def whole(made):
    found = made.session.batches
    made.qtbot.waitUntil(
        lambda: made.session.runner.idle and found.progress is None, timeout=60_000
    )
    return found.picture


def test_summary_groups_map_and_plan_of_all_scored_traces(looked_at):
    made, picture = looked_at(*texts(*TOPICS, TOPICS[0]), make_raw(id="kp:trace:low"))
    assert [one.number for one in picture.documents] == [*made.rows]
    assert picture.names == tuple(made.names)
    rules = made.session.store.rules
    measured = [one.measured for one in picture.documents]
    assert picture.summary == summarise(measured, Terms(rules.threshold))
    assert sorted(picture.order) == [*range(6)]
    assert max(picture.grouped.groups, key=lambda one: len(one.members)).members == (0, 4)
    left = {one.candidate: one.why for one in picture.plan.left_out}
    assert len(picture.plan.chosen) + len(left) == 6
    assert left[4] in (Obstacle.SIMILAR, Obstacle.SAME)
    assert picture.at_best is None


def test_what_is_open_does_not_meet_itself_and_nothing_is_stored(looked_at):
    made, picture = looked_at(*texts(*TOPICS), mode=Mode.REMEMBER)
    assert made.session.memory.state.remembered == len(picture.grouped.batch.candidates) == 4
    assert picture.grouped.batch.remembered == ()


def test_another_threshold_judges_anew_and_compares_nothing_again(looked_at):
    embedder = FakeEmbedder()
    made, before = looked_at(*texts(*TOPICS), embedder=embedder)
    store, calls = made.session.store, embedder.embedded
    plans = []
    made.session.batches.changed.connect(lambda: plans.append(made.session.batches.picture.plan))
    store.judge(Rules(threshold=1.0))
    after = whole(made)
    assert None in plans  # the old one is not shown beside the new summary
    assert after.summary.verdicts[Verdict.ACCEPTED] < before.summary.verdicts[Verdict.ACCEPTED]
    assert after.grouped.batch is before.grouped.batch
    assert not after.plan.chosen
    assert embedder.embedded == calls


def test_a_wish_takes_the_place_of_another_and_goes_with_its_row(looked_at):
    made, picture = looked_at(*texts(*TOPICS))
    wishes, numbers = made.session.batches, [one.number for one in picture.documents]
    wishes.wish(numbers[0], kept=True)
    wishes.wish(numbers[1], kept=True)
    wishes.wish(numbers[1], kept=False)
    assert wishes.wished == {numbers[0]: True, numbers[1]: False}
    wishes.wish(numbers[0], kept=False)
    wishes.wish(numbers[0], kept=True)
    assert wishes.wished == {numbers[0]: True, numbers[1]: False}
    whole(made)
    made.session.remove(numbers[:2])
    whole(made)
    assert wishes.wished == {}


def test_nothing_is_found_while_a_trace_is_being_scored(looked_at, tmp_path):
    slow = Gated(is_open=True)
    made, picture = looked_at(*texts(*TOPICS), embedder=slow)
    slow.shut()
    made.begin(save(tmp_path / "more.json", make_raw(id="kp:trace:more")))
    made.session.batches.wish(picture.documents[0].number, kept=False)
    assert made.session.batches.picture is None
    made.go_on()
    assert len(whole(made).documents) == 5


def test_who_looks_away_too_early_and_looks_again_finds_all(harness, tmp_path):
    made = harness(mode=Mode.FRESH)
    made.open(save(tmp_path / "some.jsonl", *texts(*TOPICS)))
    for wanted in (True, False, True):
        made.session.batches.set_wanted(wanted=wanted)
    assert whole(made).plan is not None


def test_a_wish_that_another_threshold_makes_impossible_is_said_and_forgotten(looked_at):
    made, picture = looked_at(*texts(*TOPICS))
    made.session.batches.wish(picture.documents[0].number, kept=True)
    whole(made)
    made.session.store.judge(Rules(threshold=1.0))
    assert whole(made).plan is not None
    assert [one.key for one in made.said] == [KEY]
    assert made.session.batches.wished == {}


def test_what_is_left_out_is_so_at_the_best_outcomes_too(harness, tmp_path):
    made = harness(mode=Mode.FRESH)
    made.open(write_sessions(tmp_path / "runs", 2))
    found = made.session.batches
    found.set_wanted(wanted=True)
    found.wish(whole(made).documents[0].number, kept=False)
    assert {one.candidate: one.why for one in whole(made).at_best.left_out}[0] is Obstacle.ASKED


def test_without_a_model_there_is_a_summary_and_the_reason(looked_at):
    made, picture = looked_at(*texts(*TOPICS), embedder=NoEmbedder())
    assert picture.summary.total == 4
    assert picture.grouped is None
    assert made.session.batches.failure is NoEmbedder.failure


def begun(monkeypatch):
    """The ids of the processes that are begun."""
    found, begin = [], Child.__init__

    def note(child, *arguments, **options):
        begin(child, *arguments, **options)
        found.append(child)

    monkeypatch.setattr(Child, "__init__", note)
    return found


@pytest.mark.parametrize("end", ["stop", "close", "look away", "score more"])
def test_a_process_is_killed_once_nobody_wants_its_result(looked_at, monkeypatch, tmp_path, end):
    made, _ = looked_at(*texts(*TOPICS))
    children, found = begun(monkeypatch), made.session.batches
    made.open(save(tmp_path / "more.json", make_raw(id="kp:trace:more")))
    made.qtbot.waitUntil(lambda: bool(children) and made.session.runner.idle)
    assert found.progress.stage is Stage.GROUPING
    {
        "stop": found.stop,
        "close": made.session.close,
        "look away": lambda: found.set_wanted(wanted=False),
        "score more": lambda: made.session.opener.open([str(tmp_path / "more.json")]),
    }[end]()
    made.qtbot.waitUntil(lambda: all(child.result() is None for child in children[:1]))
    assert found.stopped is (end == "stop")
    if end == "stop":
        found.resume()
        assert whole(made).plan is not None


@pytest.mark.parametrize("wanted", [True, False])
def test_nothing_of_closed_traces_is_known_any_more(looked_at, tmp_path, wanted):
    slow = Gated(is_open=True)
    made, _ = looked_at(*texts(*TOPICS), embedder=slow)
    found = made.session.batches
    assert found.summarised and found.planned
    found.set_wanted(wanted=wanted)
    slow.shut()
    made.session.close_all()
    assert found.picture is None and not (found.summarised or found.planned)
    made.begin(save(tmp_path / "more.json", make_raw(id="kp:trace:more")))
    found.set_wanted(wanted=True)
    assert found.picture is None
    made.go_on()
    assert [one.number for one in whole(made).documents] == [*made.rows]


def test_every_stage_is_told_when_it_begins(harness, tmp_path):
    made, told = harness(mode=Mode.FRESH), []
    made.open(save(tmp_path / "some.jsonl", *texts(*TOPICS)))
    found = made.session.batches
    found.changed.connect(lambda: told.append(found.progress and found.progress.stage))
    found.set_wanted(wanted=True)
    whole(made)
    assert [*dict.fromkeys(told)] == [*Stage, None]


def test_settings_of_the_memory_count(looked_at):
    made, before = looked_at(*texts(*TOPICS))
    made.session.apply_settings(Settings(max_elements=2, threshold=0.5))
    after = whole(made)
    assert not before.plan.conservative
    assert after.plan.conservative


def dying(_similarities):
    os._exit(7)


def test_linking_that_is_killed_is_not_said_to_have_taken_too_long(looked_at, monkeypatch):
    monkeypatch.setattr(groups, "link", dying)
    made, picture = looked_at(*texts(*TOPICS))
    assert picture.plan is not None and picture.grouped is None
    said = made.session.batches.failure.message
    assert "could not be grouped" in said and "in time" not in said


def test_where_linking_takes_too_long_there_is_a_plan_and_it_can_go_on(looked_at, monkeypatch):
    monkeypatch.setattr(batches, "_LINKING_S", 0.0)
    made, picture = looked_at(*texts(*TOPICS))
    assert picture.plan is not None and picture.batch is not None
    assert picture.grouped is None
    assert made.session.batches.stopped
    assert "grouped in time" in made.session.batches.failure.message
    monkeypatch.undo()
    made.session.batches.resume()
    assert whole(made).grouped is not None
    assert not made.session.batches.stopped
