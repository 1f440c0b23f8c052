"""Every edit of a report is found, or what it is taken on trust for is named."""

import copy
import json
from collections import Counter

import pytest

from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.report.compose import Results, make_entry, make_report
from kpinspector.scoring.report.replay import (
    Why,
    identity_of,
    measurement_of,
    profile_of,
    replay,
)
from kpinspector.scoring.report.report import checksum_of, report_json
from kpinspector.scoring.whatif.scenario import NamedScenario, Scenario, StepEdit
from kpinspector.trace.read import Problem, read_bytes
from tests.fakes import FakeEmbedder, make_raw
from tests.known import present
from tests.scoring.replays import NEAR, at, read_back, records_of, reread, resealed
from tests.scoring.test_report import USED, report_of

ODD = [
    make_raw(id=None),
    make_raw(id="kp:trace:0", task={"objective": "Another with this id"}),
    make_raw(id="kp:trace:long", task={"objective": "word " * 600},
             outcome={"result_summary": "", "confidence": 1.5}),
    make_raw(id="kp:trace:lone", steps=[{"step_id": 0, "type": "thought"}]),
    make_raw(id="kp:trace:3", task={"objective": "Find test 3"}),
    make_raw(id="kp:trace:bad", steps=[{"step_id": 0, "type": "error_recovery"}] * 4),
]  # fmt: skip


def leaves(value, path=()):
    """The paths of all values that are no lists or objects."""
    if isinstance(value, dict | list):
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for key, member in members:
            yield from leaves(member, (*path, key))
    elif value is not None:
        yield path


def edited(value):
    """Other values of the same kind, near and far."""
    match value:
        case bool():
            return (not value,)
        case int():
            return value + 1, 0
        case float():
            return value + 1e-3, 0.0
        case str():
            return f"{value}x", ""


def is_trusted(path, trusted):
    """Whether a value is, or lies below, one that was taken on trust."""
    index = path[1] if path[:1] == ("traces",) else None
    inside = path[2:] if index is not None else path
    names = ["*" if isinstance(part, int) else part for part in inside]
    return any(
        names[: len(one.name.split("."))] == one.name.split(".")
        and (index in one.traces or (index is None and not one.traces))
        for one in trusted
    )


@pytest.fixture(scope="module")
def everything():
    """A report with all kinds of traces, saved scenarios, a problem and a skipped unit."""
    raws = [*NEAR, *ODD, {"@type": "ExpertSOP", "id": "kp:sop:1"}, 7]
    contents = read_bytes(json.dumps(raws).encode(), "runs.json")
    saved = NamedScenario("what if", Scenario(success=False, edits=(StepEdit(0, tool="x"),)))
    with Memory.fresh() as memory:
        measured = [*measure_batch(contents.traces, FakeEmbedder(), memory)]
    scenarios = [(saved,) if number == 1 else () for number in range(len(measured))]
    results = Results(measured, contents.problems, contents.skipped, pending=2, scenarios=scenarios)
    return make_report(results, USED, FakeEmbedder.model), contents.traces


@pytest.mark.parametrize("given", ["alone", "traces", "model"])
def test_every_edit_is_found_or_named_as_taken_on_trust(everything, given):
    report, records = everything
    values = json.loads(report_json(report))
    beside = {"alone": (), "traces": (records,), "model": (records, FakeEmbedder())}[given]
    assert replay(reread(report), *beside).identical
    kept = {0, 1, 12, *range(13, len(records))}  # each kind of trace once
    found, trusted, missed = Counter(), Counter(), []
    for path in leaves(values):
        if path == ("format",):
            continue  # another one is no report
        if path[0] == "traces" and (path[1] not in kept or path[-2] in set(range(1, 9))):
            continue
        for value in edited(at(values, path)):
            if value == at(values, path):
                continue
            name = ".".join("*" if isinstance(part, int) else part for part in path)
            outcome = replay_of_edited(values, path, value, beside)
            if outcome is None or outcome.differences or outcome.missing:
                found[name] += 1
            elif is_trusted(("traces", 0, *path[2:]) if path[0] == "traces" else path,
                            outcome.trusted):  # fmt: skip
                trusted[name] += 1
            else:
                missed.append((path, value))
    assert not missed
    assert found["traces.*.score"] and found["traces.*.profiles.code.score"]
    assert trusted["generated_at"] and trusted["traces.*.source.path"]
    similarity = "traces.*.dimensions.novelty.neighbours.*.similarity"
    assert bool(trusted[similarity]) is (given != "model")
    assert bool(trusted["traces.*.objective"]) is (given == "alone")


def without_similarity(report):
    """A report that says that nothing is like anything, and fits itself."""
    entries = []
    for entry in report.traces:
        novelty = entry.dimensions.novelty
        near = tuple(one.model_copy(update={"similarity": 0.0}) for one in novelty.neighbours)
        most = 0.0 if near else novelty.max_similarity
        changed = novelty.model_copy(update={"neighbours": near, "max_similarity": most})
        dimensions = entry.dimensions.model_copy(update={"novelty": changed})
        lying = entry.model_copy(update={"dimensions": dimensions})
        entries.append(make_entry(
            identity_of(lying), measurement_of(lying), profile_of(lying), report.settings.threshold,
            (),
        ))  # fmt: skip
    return resealed(report, traces=tuple(entries))


def test_similarities_that_are_all_made_up_are_found_where_the_model_is():
    raws = [make_raw(id=f"kp:trace:{n}", task={"objective": f"Find {n}"}) for n in range(4)]
    report, records = without_similarity(report_of(*raws)), records_of(*raws)
    measured = replay(report, records, FakeEmbedder())
    assert [one.trace for one in measured.differences] == [1, 2, 2, 3, 3, 3]
    assert (measured.measured, measured.similarities) == (6, 6)
    assert present(measured.first).path == (
        "traces", 1, "dimensions", "novelty", "neighbours", 0, "similarity",
    )  # fmt: skip
    assert present(measured.first).why is Why.NEIGHBOUR_CHANGED
    for taken in (replay(report), replay(report, records)):
        assert taken.identical and taken.measured == 0
        assert "dimensions.novelty.max_similarity" in {one.name for one in taken.trusted}


def test_a_neighbour_that_is_not_at_hand_is_taken_on_trust():
    report, records = reread(report_of(*NEAR[:3])), records_of(*NEAR[1:3])
    found = replay(report, records, FakeEmbedder())
    assert (found.measured, found.similarities, found.missing) == (1, 3, (0,))
    trusted = {one.name: one.traces for one in found.trusted}
    assert trusted["dimensions.novelty.neighbours.*.similarity"] == (1, 2)


def replay_of_edited(values, path, value, beside):
    """The replay of a report with one other value and a checksum that fits; None for no report.

    One with a value of a trace holds that trace alone.
    """
    *way, last = path
    changed = dict(values)
    if path[0] == "traces":
        entry = copy.deepcopy(values["traces"][path[1]])
        at(entry, way[2:])[last] = value
        changed["traces"] = [entry]
    else:
        changed = copy.deepcopy(values) | {"traces": values["traces"]}
        at(changed, way)[last] = value
    if path != ("checksum",):
        changed["checksum"] = checksum_of(changed)
    found = read_back(json.dumps(changed).encode())
    return None if isinstance(found, Problem) else replay(found, *beside)
