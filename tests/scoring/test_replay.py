"""A report computed again: identical when untouched, or where each trace first differs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.replay import replay
from kpinspector.scoring.report.written import report_json
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.settings import Mode
from kpinspector.trace.records import Problem
from tests import undecided
from tests.cases import novelty
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.scoring.memory_samples import subject
from tests.scoring.replays import TWO, changed_at, read_back, records_of, reread
from tests.scoring.test_report import USED, report_of, report_on
from tests.scoring.test_whatif import scenarios
from tests.strategies import set_at, traces

DATA = Path(__file__).parents[1] / "data"
SLOW = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))


def odd_traces():
    """Traces whose confidence may be any number, and that may record any score."""
    numbers = st.floats(-1e308, 1e308) | st.sampled_from((-0.0, 5e-324, 2**60))
    return st.builds(
        lambda raw, confidence, score: set_at(
            set_at(raw, "outcome.confidence", confidence), "metadata.quality_score", score
        ),
        traces(),
        numbers,
        numbers,
    )


def first(found):
    """The path of the first difference."""
    return ".".join(map(str, found.differences[0].path)) if found.differences else None


@SLOW
@given(
    st.lists(traces() | odd_traces(), max_size=4),
    st.sampled_from((None, *PROFILES)),
    st.floats(0, 1),
    st.sampled_from((FakeEmbedder, NoEmbedder)),
)
def test_an_untouched_report_is_identical(raws, profile, threshold, embedder):
    used = replace(USED, threshold=threshold)
    report = reread(report_of(*raws, embedder=embedder(), profile=profile, used=used))
    assert replay(report).identical
    records = records_of(*raws)
    again = replay(report, records, embedder())
    assert again.identical and again.scored == again.traces == len(records)
    assert again.held == (len(records) if embedder is NoEmbedder else 0)


@SLOW
@given(traces(), scenarios)
def test_what_was_tried_is_judged_again(raw, scenario):
    report, records = report_with(scenario, raw)
    assert replay(reread(report)).identical
    assert replay(reread(report), records, FakeEmbedder()).identical


@pytest.mark.parametrize(
    ("name", "value"), [("sdk_score", 0.9), ("gates.score", None), ("score_range", [0.1, 0.2])]
)
def test_what_is_written_of_a_what_if_by_hand_is_found(name, value):
    report, _ = report_with(Scenario(threshold=0.2), *TWO)
    path = f"traces.1.what_if.{name}"
    found = replay(changed_at(report, path, value))
    assert first(found) == path and len(found.differences) == 1


def report_with(scenario, *raws):
    """A report on traces of each of which the same is tried, and their records."""
    records = records_of(*raws)
    with Memory(Mode.FRESH, None) as memory:
        measured = [*measure_batch(records, FakeEmbedder(), memory)]
    return report_on(measured, FakeEmbedder.model, tried=scenario), records


def test_whose_a_measured_novelty_is_stands_nowhere_in_a_report(validator):
    again = replace(novelty(0.4), own=subject("kp:trace:own"))
    assert again == novelty(0.4)
    report, _ = report_with(Scenario(measured_novelty=again), make_raw())
    values = reread(report).values
    validator.validate(values)
    tried = values["traces"][0]["what_if"]["changes"]["measured_novelty"]
    assert "basis" in tried and "own" not in tried


def numbers_in(value, path=()):
    """The paths of all numbers."""
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for key, member in members:
            yield from numbers_in(member, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


@SLOW
@given(st.lists(traces() | odd_traces(), min_size=1, max_size=3), st.data())
def test_any_single_changed_number_of_a_score_is_found(raws, data):
    values = json.loads(report_json(report_of(*raws)))
    every = [
        one
        for one in numbers_in(values["traces"], ("traces",))
        if one[-1]
        not in ("record", "line", "compared_with", "tokens", "tool_steps", "window_ends_at_step")
        and one[2] != "recorded_quality_score"
        and one[-3:-1] != ("neighbours", 1)
        and one[-3:-1] != ("neighbours", 2)
    ]
    *way, last = path = data.draw(st.sampled_from(sorted(every, key=str)))
    place = values
    for part in way:
        place = place[part]
    number = place[last]
    moved = number + data.draw(st.sampled_from((1, -1, 0.5, 1e-9)))
    place[last] = data.draw(st.sampled_from((moved, -number, 0, 2 * number)))
    assume(place[last] != number and abs(place[last]) < 1e308)
    found = read_back(json.dumps(values).encode())
    if isinstance(found, Problem):
        assert found.json_path == ".".join(map(str, path))
    else:
        assert not replay(found).identical


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("traces.1.gates.score", True, "traces.1.gates.score"),
        ("traces.1.profile", "finances", "traces.1.profile"),
        ("traces.1.dimensions.novelty.neighbours.0.similarity", 0.3,
         "traces.1.dimensions.novelty.value"),
        ("traces.1.flags", ["assumed"], "traces.1.flags.0"),
        ("traces.1.cause", "complexity", "traces.1.cause"),
        ("settings.threshold", 0.5, "traces.0.threshold"),
        ("traces.1.objective", "Another", None),
    ],
)  # fmt: skip
def test_what_was_changed_by_hand_is_found_where_it_first_shows(path, value, found):
    assert first(replay(changed_at(report_of(*TWO), path, value))) == found


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("task.objective", "Another", "objective"),
        ("metadata.task_domain", "code", "task_domain"),
        ("metadata.success", False, "dimensions.outcome_confidence.value"),
        ("steps.0.type", "observation", "dimensions.complexity.value"),
        ("steps.0.tool", {"name": "x"}, "dimensions.tool_diversity.factors.unique_tools"),
        ("steps.0.content", "Look at the dog", "dimensions.novelty.text_sha256"),
        ("@context", "https://knowledgepulse.dev/schema/v1", "issues.0"),
    ],
)
def test_a_trace_that_was_changed_since_is_found(path, value, found):
    report = reread(report_of(*TWO))
    changed = replay(report, records_of(set_at(TWO[0], path, value), TWO[1]), FakeEmbedder())
    assert first(changed) == f"traces.0.{found}" and changed.scored == 2
    # what the other trace was compared with may be another text now
    assert all(".novelty." in ".".join(map(str, one.path)) for one in changed.differences[1:])


def test_without_its_model_novelty_stays_as_recorded():
    report = reread(report_of(*TWO))
    other = records_of(set_at(TWO[0], "steps.0.content", "Other words"), TWO[1])
    strange = FakeEmbedder()
    strange.model = "0" * 64
    for embedder in (None, NoEmbedder(), strange):
        found = replay(report, other, embedder)
        assert found.identical and found.held == found.scored == 2


def test_a_trace_that_is_not_given_is_missed_and_what_was_near_it_is_taken_from_the_report():
    report = reread(report_of(*TWO))
    found = replay(report, records_of(TWO[1]), FakeEmbedder())
    assert found.identical and (found.scored, found.held, found.missing) == (1, 1, (0,))
    assert replay(report, ()).missing == (0, 1)
    assert replay(report).missing == ()


def test_traces_are_found_by_id_and_place_or_by_their_objectives():
    report = reread(report_of(*TWO))
    assert replay(report, records_of(*TWO[::-1], path="else.json"), FakeEmbedder()).identical
    assert replay(report, records_of(make_raw(id="new"), TWO[1])).missing == (0,)
    for trace_id in ("one", None):
        raws = [make_raw(id=trace_id, task={"objective": text}) for text in ("a", "b", "c")]
        report = reread(report_of(*raws))
        for records in (records_of(*raws), records_of(*raws[::-1], path="x.json")):
            found = replay(report, records, FakeEmbedder())
            assert found.identical and not found.missing


# runs whose recording does not say how they ended

NEITHER = {"confidence": None, "success": None}


def run_report(what_if=None, **known):
    record = undecided.record(failures=3, calls=4, stated=RunOutcome(**known))
    with Memory(Mode.FRESH, None) as memory:
        measured = list(measure_batch([record], FakeEmbedder(), memory))
    return report_on(measured, FakeEmbedder.model, tried=what_if), record


@pytest.mark.parametrize(
    "known", [NEITHER, {"confidence": 0.9, "success": None}, {"confidence": None, "success": True}]
)
def test_a_report_on_a_run_replays(known):
    report, record = run_report(**known)
    assert replay(reread(report)).identical
    assert replay(reread(report), [record], FakeEmbedder()).identical


@pytest.mark.parametrize(
    ("tried", "assumed"),
    [
        (Scenario(threshold=0.2), ("confidence", "success")),
        (Scenario(confidence=0.9), ("success",)),
        (Scenario(success=False), ("confidence",)),
        (Scenario(outcome_confidence=0.4, success=True), ()),
    ],
)
def test_what_is_tried_of_a_run_says_what_the_middle_stands_in_for(tried, assumed):
    report, _ = run_report(tried, **NEITHER)
    found = report.traces[0]["what_if"]
    assert found["assumed"] == assumed and (found["score_range"] is None) == (len(assumed) < 2)
    assert replay(reread(report)).identical
