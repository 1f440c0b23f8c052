"""A report computed again: identical when untouched, and whatever was changed is found."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.compose import Results, make_report
from kpinspector.scoring.report.replay import (
    Why,
    replay,
    replay_in_parts,
)
from kpinspector.scoring.report.report import Generator, checksum_of, report_json
from kpinspector.scoring.whatif.scenario import NamedScenario, Scenario, StepEdit
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import Problem, read_file
from kpinspector.trace.records import PASTED
from tests.fakes import FakeEmbedder, NoEmbedder, make_raw
from tests.known import present
from tests.scoring.replays import NEAR, TWO, changed_at, read_back, records_of, reread, resealed
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


@SLOW
@given(
    st.lists(traces() | odd_traces(), max_size=4),
    st.sampled_from((None, *PROFILES)),
    st.floats(0, 1),
    st.sampled_from((FakeEmbedder, NoEmbedder)),
)
def test_an_untouched_report_is_identical(raws, profile, threshold, embedder):
    used = USED.model_copy(update={"threshold": threshold})
    report = reread(report_of(*raws, embedder=embedder(), profile=profile, used=used))
    assert replay(report).identical
    records = records_of(*raws)
    again = replay(report, records, embedder())
    assert again.identical
    assert again.recounted == again.traces == len(records)


def report_with(saved, *raws):
    """A report on traces of which each has the same saved scenarios, and their records."""
    records = records_of(*raws)
    named = tuple(NamedScenario(f"what if {number}", one) for number, one in enumerate(saved))
    with Memory.fresh() as memory:
        measured = [*measure_batch(records, FakeEmbedder(), memory)]
    results = Results(measured, (), (), scenarios=[named] * len(measured))
    return make_report(results, USED, FakeEmbedder.model), records


@SLOW
@given(traces(), st.lists(scenarios, max_size=3))
def test_saved_scenarios_are_judged_again(raw, saved):
    report, records = report_with(saved, raw)
    report = reread(report)
    assert replay(report).identical
    assert replay(report, records, FakeEmbedder()).identical


def test_what_is_wrong_in_a_scenario_is_found():
    report, records = report_with([Scenario(success=False, edits=(StepEdit(0, left_out=True),))],
                                  TWO[0])  # fmt: skip
    changed = changed_at(report, "traces.0.scenarios.0.score", 0.9)
    assert present(replay(changed).first).path == ("traces", 0, "scenarios", 0, "score")
    other = records_of(set_at(TWO[0], "steps.0.tool", {"name": "x"}))
    calm = present(replay(reread(report), other).first)
    assert calm.why is Why.TRACE_CHANGED
    facts = replace(report.traces[0].scenarios[0].facts, tool_steps=7)
    entry = report.traces[0].scenarios[0].model_copy(update={"facts": facts})
    trace = report.traces[0].model_copy(update={"scenarios": (entry,)})
    lying = resealed(report, traces=(trace,))
    assert present(replay(lying).first).path[:4] == ("traces", 0, "scenarios", 0)
    assert present(replay(lying).first).path[4] == "overrides"
    assert replay(lying, records).first is not None


def test_a_scenario_may_name_a_step_that_no_trace_has():
    report, records = report_with([Scenario(edits=(StepEdit(0, tool="x"),))], TWO[0])
    for index in (-99, 99):
        other = changed_at(report, "traces.0.scenarios.0.changes.edits.0.index", index)
        assert present(replay(other, records).first).why is Why.TRACE_CHANGED


@pytest.mark.parametrize("name", ["high_traces", "sequence_traces", "schema_cases"])
def test_the_goldens_are_identical(name):
    path = DATA / f"{name}.jsonl"
    contents = read_file(FoundFile(path, path.name, named=True))
    with Memory.fresh() as memory:
        measured = list(measure_batch(contents.traces, FakeEmbedder(), memory))
    results = Results(measured, contents.problems, contents.skipped)
    report = reread(make_report(results, USED, FakeEmbedder.model))
    found = replay(report, contents.traces, FakeEmbedder())
    assert found.identical
    assert found.recounted == found.traces == len(contents.traces) > 50


def numbers_in(value, path=()):
    """The paths of all numbers."""
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for key, member in members:
            yield from numbers_in(member, (*path, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


@SLOW
@given(
    st.lists(traces() | odd_traces(), min_size=1, max_size=3),
    st.lists(scenarios, max_size=1),
    st.data(),
)
def test_any_single_changed_number_is_found(raws, saved, data):
    report, _ = report_with(saved, *raws)
    values = json.loads(report_json(report))
    *way, last = path = data.draw(st.sampled_from(sorted(numbers_in(values), key=str)))
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

    report = reread(report_of(*NEAR[:3]))
    found = replay(report, records_of(*NEAR[:3]), Another())
    assert found.identical and found.measured == 3


def test_parts_come_one_by_one_and_nothing_is_embedded_twice():
    embedder = FakeEmbedder()
    report = reread(report_of(*NEAR))
    parts = list(replay_in_parts(report, records_of(*NEAR), embedder))
    assert parts[:-1] == [None] * len(NEAR) and present(parts[-1]).identical
    assert embedder.embedded == len(NEAR)


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
        (
            "traces.1.dimensions.tool_diversity.factors.tool_steps",
            2,
            "traces.1.overrides.2.reason",
        ),
        (
            "traces.1.dimensions.complexity.factors.single_thought",
            True,
            "traces.1.overrides.0.applied",
        ),
        ("traces.1.dimensions.novelty.max_similarity", 0.3, "traces.1.dimensions.novelty.value"),
        (
            "traces.1.dimensions.novelty.neighbours.0.similarity",
            0.3,
            "traces.1.dimensions.novelty.max_similarity",
        ),
        ("traces.1.profiles.code.score", 0.3, "traces.1.profiles.code.score"),
        ("traces.1.flags", ["assumed"], "traces.1.flags.0"),
        ("traces.1.profiles.code", None, "traces.1.profiles.code"),
        ("settings.threshold", 0.5, "traces.0.threshold"),
        ("settings.max_elements", 5, "checksum"),
        ("traces.1.objective", "Another", "checksum"),
        ("checksum", "", "checksum"),
    ],
)
def test_what_was_changed_by_hand_is_found_where_it_first_shows(path, value, found):
    report = report_of(*TWO)
    if value is None:
        values = json.loads(report_json(report))
        del values["traces"][1]["profiles"]["code"]
        changed = read_back(json.dumps(values).encode())
    else:
        changed = changed_at(report, path, value)
    first = present(replay(changed).first)
    assert ".".join(map(str, first.path)) == found
    assert first.why is Why.EDITED
    assert first.trace == (int(found.split(".")[1]) if found != "checksum" else None)


def test_the_first_difference_of_every_trace_is_told():
    values = json.loads(report_json(report_of(*TWO)))
    for trace in values["traces"]:
        trace["score"] = trace["margin"] = 0.9
    found = replay(read_back(json.dumps(values).encode()))
    assert [one.path for one in found.differences] == [
        ("traces", 0, "score"), ("traces", 1, "score"), ("checksum",),
    ]  # fmt: skip
    assert found.differences[0].recorded == 0.9
    assert found.differences[0].recomputed == report_of(*TWO).traces[0].score


def test_rounded_numbers_are_told_from_edited_ones():
    report = report_of(*TWO)
    score = report.traces[1].score
    for other, why in ((round(score, 3), Why.ROUNDED), (score + 0.02, Why.EDITED)):
        changed = changed_at(report, "traces.1.score", other)
        assert present(replay(changed).first).why is why
    for noise, why in ((4e-10, Why.ROUNDED), (1.2e-9, Why.EDITED)):
        changed = changed_at(report, "traces.1.score", score * (1 + noise))
        assert present(replay(changed).first).why is why


def test_a_report_that_fits_its_checksum_was_made_by_other_rules():
    report = report_of(*TWO)
    entries = (report.traces[0], report.traces[1].model_copy(update={"composite": 0.3}))
    assert present(replay(resealed(report, traces=entries)).first).why is Why.UNEXPLAINED
    older = resealed(report, traces=entries, generator=Generator(version="0.0.9"))
    assert present(replay(older).first).why is Why.OTHER_VERSION
    assert replay(resealed(report, generator=Generator(name="another"))).identical


@pytest.mark.parametrize(
    ("path", "value", "found"),
    [
        ("task.objective", "Another", "traces.0.objective"),
        ("metadata.task_domain", "code", "traces.0.task_domain"),
        ("metadata.quality_score", 0.5, "traces.0.recorded_quality_score"),
        ("metadata.success", False, "traces.0.dimensions.outcome_confidence.value"),
        ("outcome.confidence", 0.1, "traces.0.dimensions.outcome_confidence.value"),
        ("steps.0.type", "observation", "traces.0.dimensions.complexity.value"),
        ("steps.0.tool", {"name": "x"}, "traces.0.dimensions.tool_diversity.factors.unique_tools"),
        ("steps.0.content", "Look at the dog", "traces.0.dimensions.novelty.text_sha256"),
        ("metadata.visibility", "public", "traces.0.gates.schema"),
        ("@context", "https://knowledgepulse.dev/schema/v1", "traces.0.issues.0"),
    ],
)
def test_a_trace_that_was_changed_since_is_found(path, value, found):
    report = reread(report_of(*TWO))
    changed = replay(report, records_of(set_at(TWO[0], path, value), TWO[1]), FakeEmbedder())
    assert ".".join(map(str, present(changed.first).path)) == found
    assert present(changed.first).why is Why.TRACE_CHANGED
    # what the other trace was compared with is another text now
    others = {(one.trace, one.why) for one in changed.differences[1:]}
    assert others <= {(1, Why.NEIGHBOUR_CHANGED)} and changed.recounted == 2


def test_without_its_embedder_the_text_is_left_open():
    report = reread(report_of(*TWO))
    other = records_of(set_at(TWO[0], "steps.0.content", "Other words"), TWO[1])
    assert replay(report, other).identical
    assert replay(report, other, NoEmbedder()).identical
    strange = FakeEmbedder()
    strange.model = "0" * 64
    assert replay(report, other, strange).identical


def test_a_trace_that_is_not_given_is_missed():
    report = reread(report_of(*TWO))
    found = replay(report, records_of(TWO[1]), FakeEmbedder())
    assert found.identical and (found.recounted, found.missing) == (1, (0,))
    assert replay(report, ()).missing == (0, 1)
    assert replay(report).missing == ()


def test_a_given_trace_that_the_report_lacks_is_named():
    """An entry was taken out, or a trace came to the file since."""
    report, records = report_of(*NEAR[:3]), records_of(*NEAR[:3])
    for kept in ((0, 2), ()):
        found = replay(resealed(report, traces=tuple(report.traces[n] for n in kept)), records)
        lacking = [record for n, record in enumerate(records) if n not in kept]
        assert not found.identical and found.unreported == tuple(lacking)
        assert not (found.differences or found.missing or found.doubled)
    assert replay(resealed(report, traces=report.traces[:2])).identical
    said = resealed(report, traces=report.traces[:2], pending=1)
    assert replay(said, records).identical and replay(said, records).unreported == records[2:]
    assert not replay(said, (*records, *records_of(make_raw(id="new")))).identical


def test_of_traces_that_are_only_at_hand_those_of_its_files_are_lacking():
    report = resealed(report_of(*NEAR[:3]), traces=report_of(*NEAR[:2]).traces)
    for path, lacks in (("runs.json", 1), ("/x/runs.json", 1), ("others.json", 0)):
        at_hand = (*records_of(*NEAR[:2]), *records_of(NEAR[2], path=path))
        *_, found = replay_in_parts(report, at_hand, at_hand=True)
        assert len(present(found).unreported) == lacks
        assert len(replay(report, at_hand).unreported) == 1


@pytest.mark.parametrize("given", [None, FakeEmbedder()])
def test_an_entry_that_stands_twice_is_named(given):
    report, records = report_of(*NEAR[:3]), records_of(*NEAR[:3])
    doubled = resealed(report, traces=(*report.traces, report.traces[1]))
    for beside in ((), (records, given)):
        found = replay(doubled, *beside)
        assert not found.identical and found.doubled == ((3, 1),)
        assert not (found.missing or found.unreported or found.differences)
    moved = report.traces[1].model_copy(
        update={"source": replace(report.traces[1].source, record=9)}
    )
    hidden = replay(resealed(report, traces=(*report.traces, moved)), records)
    assert hidden.missing == (3,)  # its trace was given once
    replaced = resealed(report, traces=(report.traces[0], report.traces[0], report.traces[2]))
    found = replay(replaced, records)
    assert found.doubled == ((1, 0),) and found.unreported == records[1:2]


def test_equal_traces_in_two_places_are_no_double():
    raws = [NEAR[0], NEAR[0], make_raw(id=None), make_raw(id=None)]
    report = reread(report_of(*raws))
    for beside in ((), (records_of(*raws),), (records_of(*raws, path="x.json"), FakeEmbedder())):
        found = replay(report, *beside)
        assert found.identical and not found.missing


def test_what_was_pasted_twice_is_no_double():
    raws = [NEAR[0]]
    (entry,) = report_of(*raws).traces
    pasted = entry.model_copy(update={"source": replace(entry.source, path=PASTED)})
    assert replay(resealed(report_of(*raws), traces=(pasted, pasted))).identical


def test_an_entry_that_contradicts_itself_is_measured_all_the_same():
    """The score is wrong by itself, the objective by the trace, a similarity by the neighbour."""
    report, records = report_of(*NEAR[:4]), records_of(*NEAR[:4])
    values = json.loads(report_json(report))
    entry, place = values["traces"][3], ("traces", 3)
    entry["score"] = 0.9
    entry["objective"] = "Something else"
    near = entry["dimensions"]["novelty"]["neighbours"]
    near[2]["similarity"] -= 0.01
    near[1]["objective"] = "Another"
    novelty = (*place, "dimensions", "novelty", "neighbours")
    told = {
        (*place, "score"), (*place, "objective"), (*novelty, 2, "similarity"),
        (*novelty, 1, "objective"),
    }  # fmt: skip
    edited = read_back(json.dumps(values).encode())
    values["checksum"] = checksum_of(values)
    for found, why in (
        (edited, Why.EDITED), (read_back(json.dumps(values).encode()), Why.UNEXPLAINED),
    ):  # fmt: skip
        again = replay(found, records, FakeEmbedder())
        of_trace = [one for one in again.differences if one.trace == 3]
        assert {one.path for one in of_trace} == told and len(of_trace) == 4
        assert {one.why for one in of_trace} == {why}
        assert (again.recounted, again.measured) == (4, 6)
        alone = [one.path for one in replay(found).differences if one.trace == 3]
        assert alone == [(*place, "score")]


def test_a_trace_without_a_model_has_no_similarity():
    report = report_of(*TWO, embedder=NoEmbedder())
    assert replay(reread(report)).identical
    edited = changed_at(report, "traces.0.dimensions.novelty.max_similarity", 0.2)
    assert present(replay(edited).first).path == ("traces", 0, "dimensions", "novelty", "value")


def test_a_report_of_an_older_program_lacks_what_came_later():
    values = json.loads(report_json(report_of(*TWO)))
    for trace in values["traces"]:
        del trace["scenarios"]
    values["checksum"] = checksum_of(values)
    assert replay(read_back(json.dumps(values).encode())).identical


def test_a_report_without_what_a_trace_can_reach_is_identical_all_the_same():
    report, records = report_with([], *TWO)
    values = json.loads(report_json(report))
    for trace in values["traces"]:
        assert trace.pop("reach") and trace.pop("cause")
    earlier = read_back(json.dumps(values | {"checksum": checksum_of(values)}).encode())
    assert replay(earlier).identical
    assert replay(earlier, records, FakeEmbedder()).identical


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("cause", "complexity"),
        ("reach.kind", "structure"),
        ("reach.low.similarity", 0.9),
        ("reach.low.at_best", 0.99),
        ("reach.low.confidence", 0.5),
    ],
)
def test_what_a_trace_can_reach_is_computed_again(path, value):
    report, _ = report_with([], *TWO)
    changed = changed_at(report, f"traces.1.{path}", value)
    found = present(replay(changed).first)
    assert found.path == ("traces", 1, *path.split(".")) and found.why is Why.EDITED


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
