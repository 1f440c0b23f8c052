"""A report computed again: identical when untouched, or where each trace first differs."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kpinspector.runs.read import read_file
from kpinspector.runs.rules import RunOutcome
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.compose import Results, make_report
from kpinspector.scoring.report.replay import replay
from kpinspector.scoring.report.written import report_json
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.trace.find import FoundFile
from kpinspector.trace.records import Problem
from tests import undecided
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.scoring.replays import NEAR, TWO, changed_at, read_back, records_of, reread
from tests.scoring.test_report import USED, report_of
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


def report_with(scenario, *raws):
    """A report on traces of each of which the same is tried, and their records."""
    records = records_of(*raws)
    with Memory.fresh() as memory:
        measured = [*measure_batch(records, FakeEmbedder(), memory)]
    results = Results(measured, (), (), what_ifs=[scenario] * len(measured))
    return make_report(results, USED, FakeEmbedder.model), records


@pytest.mark.parametrize("name", ["score", "verdict", "margin", "composite"])
def test_what_is_wrong_in_a_what_if_is_found(name):
    tried = Scenario(success=False, edits=(StepEdit(0, left_out=True),))
    report, _ = report_with(tried, TWO[0])
    value = "accepted" if name == "verdict" else 0.9
    changed = changed_at(report, f"traces.0.what_if.{name}", value)
    assert first(replay(changed)) == f"traces.0.what_if.{name}"


@pytest.mark.parametrize("name", ["high_traces", "sequence_traces", "schema_cases"])
def test_the_goldens_are_identical(name):
    path = DATA / f"{name}.jsonl"
    contents = read_file(FoundFile(path, path.name, named=True))
    with Memory.fresh() as memory:
        measured = list(measure_batch(contents.traces, FakeEmbedder(), memory))
    results = Results(measured, contents.problems, contents.skipped)
    report = reread(make_report(results, USED, FakeEmbedder.model))
    found = replay(report, contents.traces, FakeEmbedder())
    assert found.identical and not found.held
    assert found.scored == found.traces == len(contents.traces) > 50


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
        if one[-1] not in ("record", "line", "compared_with", "tokens", "window_ends_at_step")
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


def test_noise_of_another_build_is_no_difference():
    class Another(FakeEmbedder):
        def embed(self, window):
            return super().embed(window) + np.float32(1e-7)

    found = replay(reread(report_of(*NEAR[:3])), records_of(*NEAR[:3]), Another())
    assert found.identical and not found.held


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("traces.1.score", 0.9, "traces.1.score"),
        ("traces.1.gates.score", True, "traces.1.gates.score"),
        ("traces.1.gates.schema", False, "traces.1.gates.schema"),
        ("traces.1.verdict", "accepted", "traces.1.verdict"),
        ("traces.1.weights.novelty", 0.4, "traces.1.weights.novelty"),
        ("traces.1.profile", "finances", "traces.1.profile"),
        ("traces.1.steps", 4, "traces.1.steps"),
        ("traces.1.dimensions.novelty.max_similarity", 0.3,
         "traces.1.dimensions.novelty.max_similarity"),
        ("traces.1.dimensions.novelty.neighbours.0.similarity", 0.3,
         "traces.1.dimensions.novelty.value"),
        ("traces.1.profiles.code.score", 0.3, "traces.1.profiles.code.score"),
        ("traces.1.flags", ["assumed"], "traces.1.flags.0"),
        ("traces.1.cause", "complexity", "traces.1.cause"),
        ("traces.1.reach.low.similarity", 0.9, "traces.1.reach.low.similarity"),
        ("settings.threshold", 0.5, "traces.0.threshold"),
        ("traces.1.objective", "Another", None),
    ],
)  # fmt: skip
def test_what_was_changed_by_hand_is_found_where_it_first_shows(path, value, found):
    assert first(replay(changed_at(report_of(*TWO), path, value))) == found


def test_the_first_difference_of_every_trace_is_told():
    report = report_of(*TWO)
    values = json.loads(report_json(report))
    for trace in values["traces"]:
        trace["score"] = trace["margin"] = 0.9
    found = replay(read_back(json.dumps(values).encode()))
    assert [one.path for one in found.differences] == [("traces", n, "score") for n in (0, 1)]
    told = found.differences[0]
    assert (told.trace, told.recorded, told.recomputed) == (0, 0.9, report.traces[0].score)


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("task.objective", "Another", "objective"),
        ("metadata.task_domain", "code", "task_domain"),
        ("metadata.quality_score", 0.5, "recorded_quality_score"),
        ("metadata.success", False, "dimensions.outcome_confidence.value"),
        ("outcome.confidence", 0.1, "dimensions.outcome_confidence.value"),
        ("steps.0.type", "observation", "dimensions.complexity.value"),
        ("steps.0.tool", {"name": "x"}, "dimensions.tool_diversity.factors.unique_tools"),
        ("steps.0.content", "Look at the dog", "dimensions.novelty.text_sha256"),
        ("metadata.visibility", "public", "gates.schema"),
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


def test_ids_that_are_masked_alike_replay_from_report_and_traces():
    phones = ("555-010-4477", "555-010-9999", "plain")
    raws = [make_raw(id=one, task={"objective": f"ask {one}"}) for one in phones]
    report = reread(report_of(*raws))
    assert [one["id"] for one in report.values["traces"]] == ["555••••", "555••••", "plain"]
    again = replay(report, records_of(*raws), FakeEmbedder())
    assert replay(report).identical and again.identical and (again.scored, again.held) == (3, 0)
    other = records_of(*raws[:2], raws[2] | {"task": {"objective": "another"}})
    assert first(replay(report, other, FakeEmbedder())) == "traces.2.objective"


def test_another_layout_of_the_same_numbers_is_identical():
    values = json.loads(report_json(report_of(*TWO)), parse_float=lambda text: (
        int(float(text)) if float(text).is_integer() else float(text)
    ))  # fmt: skip
    data = json.dumps(dict(reversed(values.items())), separators=(",", ":")).encode()
    assert b":1.0" not in data
    assert replay(read_back(data)).identical


def test_it_can_be_stopped_between_traces():
    calls = []

    def check():
        calls.append(1)
        if len(calls) > 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay(reread(report_of(*TWO)), check=check)
    assert len(calls) == 2


# runs whose recording does not say how they ended

NEITHER = {"confidence": None, "success": None}


def run_report(what_if=None, **known):
    record = undecided.record(failures=3, calls=4, stated=RunOutcome(**known))
    with Memory.fresh() as memory:
        measured = list(measure_batch([record], FakeEmbedder(), memory))
    results = Results(measured, (), (), what_ifs=[what_if])
    return make_report(results, USED, FakeEmbedder.model), record


@pytest.mark.parametrize(
    "known", [NEITHER, {"confidence": 0.9, "success": None}, {"confidence": None, "success": True}]
)
def test_a_report_on_a_run_replays(known):
    report, record = run_report(**known)
    assert replay(reread(report)).identical
    assert replay(reread(report), [record], FakeEmbedder()).identical


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("score_range.low.score", 0.1),
        ("score_range.low.confidence", 0.1),
        ("score_range.high.margin", 0.1),
        ("score_range.high.overrides.1.after", 0.1),
        ("score_range.low.success", True),
        ("profiles.code.score_range.1", 0.1),
        ("profiles.code.verdict", "rejected"),
        ("verdict", "accepted"),
        ("gates.score", True),
        ("score", 0.5),
        ("score_range", None),
    ],
)
def test_an_edit_of_what_is_possible_is_found(path, value):
    found = changed_at(run_report(**NEITHER)[0], f"traces.0.{path}", value)
    assert isinstance(found, Problem) or not replay(found).identical


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
    found = report.traces[0].what_if
    assert found.assumed == assumed and (found.score_range is None) == (len(assumed) < 2)
    assert replay(reread(report)).identical
