"""Computes a report again: the same, or where it first differs.

Each score is reckoned from the terms that the report records, through the functions that write a
report. Traces that are given are scored again in the recorded order; where they were compared with
other traces too, the recorded novelty is kept. No path that the report names is ever opened.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Final

from kpinspector.errors import ModelError
from kpinspector.runs.provenance import TraceField, ValueOrigin
from kpinspector.runs.read import MIDDLE_CONFIDENCE, MIDDLE_SUCCESS, RunRecord, restated
from kpinspector.runs.rules import RunOutcome, SuccessScore
from kpinspector.runs.stated import Stated
from kpinspector.scoring.findings import Basis, Finding, Neighbour
from kpinspector.scoring.formula.measurement import (
    Facts,
    Measurement,
    Novelty,
    Reach,
    facts_of,
    novelty_from,
)
from kpinspector.scoring.formula.profiles import PROFILE_NAMED, Profile, Values, profile_for
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.sequence import Flag, measure_batch
from kpinspector.scoring.report.report import make_entry, provenance_entry, scenario_entry
from kpinspector.scoring.report.written import FoundReport, Members, json_values
from kpinspector.scoring.whatif.scenario import Changed
from kpinspector.settings import Mode
from kpinspector.trace.javascript import JsonPath, JsonValue
from kpinspector.trace.printable import stands_for
from kpinspector.trace.records import TraceRecord
from kpinspector.trace.schema import Severity, passes

_SAME: Final = 1e-5  # similarities by two builds of the runtime may differ by this much
_NAMING: Final = ("id", "key", "source", "objective", "recorded_quality_score", "issues")
_TAKEN: Final = (*_NAMING, "provenance", "what_if")


@dataclass(frozen=True, slots=True)
class Difference:
    """A recorded value that differs from the recomputed one; None for null or a missing value."""

    path: JsonPath
    recorded: JsonValue
    recomputed: JsonValue

    @property
    def trace(self) -> int:
        """The index of the trace that holds the value."""
        return int(self.path[1])


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of computing a report again, with the first difference of each trace.

    ``scored``: how many traces were scored again, ``held`` of them with the recorded novelty, as
    they had been compared with other traces. ``missing``: indices of traces that were not given.
    """

    traces: int
    scored: int
    held: int
    missing: tuple[int, ...]
    differences: tuple[Difference, ...]

    @property
    def identical(self) -> bool:
        """Whether everything computed again equals what is recorded."""
        return not self.differences


def replay(
    found: FoundReport,
    records: Sequence[TraceRecord] | None = None,
    embedder: Embedder | None = None,
    check: Callable[[], None] = lambda: None,
) -> Replay:
    """Compute a report again from its own terms, or score ``records`` that it should be about.

    No embedder, or one of another model, leaves novelty as recorded. ``check``: called before each
    trace; may raise to stop.
    """
    from kpinspector.scoring.memory.memory import Memory  # noqa: PLC0415 - with numpy

    entries: Sequence[Members] = found.values["traces"]
    threshold = found.values["settings"]["threshold"]
    at_hand = {} if records is None else _at_hand(entries, records)
    fresh: dict[int, Novelty] = {}
    with suppress(ModelError):  # the given traces, in the recorded order, with an empty memory
        if embedder and at_hand and embedder.model == found.values["embedder"]["sha256"]:
            with Memory(Mode.FRESH, None) as memory:
                measured = [*measure_batch([*at_hand.values()], embedder, memory)]
            fresh = {at: one.measurement.novelty for at, one in zip(at_hand, measured, strict=True)}
    differences, held = [], 0
    for index, entry in enumerate(entries):
        check()
        novelty = _recorded_novelty(entry)
        if index in at_hand:
            again = _novelty_again(novelty, fresh.get(index))
            held += again is None
            novelty = again or novelty
        made = _entry_again(entry, novelty, threshold, at_hand.get(index))
        difference = _first_difference(entry, made, ("traces", index))
        if difference is not None:
            differences.append(difference)
    missing = [] if records is None else [one for one in range(len(entries)) if one not in at_hand]
    return Replay(len(entries), len(at_hand), held, tuple(missing), tuple(differences))


def _at_hand(entries: Sequence[Members], records: Sequence[TraceRecord]) -> dict[int, TraceRecord]:
    """The given trace of each entry, by index: the one with its id, and its place or objective."""

    def place(path: str, record: int | None) -> tuple[str, int | None]:
        return PurePath(path).name, record  # reports may give relative paths

    left, found = list(records), {}
    for index, entry in enumerate(entries):
        shown, source = entry["id"], place(entry["source"]["path"], entry["source"]["record"])
        with_id = [one for one in left if (one.trace.id is None) is (shown is None)]
        alike = [one for one in with_id if stands_for(shown or "", one.trace.id or "")]
        in_place = [one for one in alike if place(one.source.path, one.source.record) == source]
        same = [one for one in alike if stands_for(entry["objective"], one.trace.objective)]
        record = next(iter(in_place or same or (alike if shown is not None else [])), None)
        if record is not None:
            found[index] = record
            left = [one for one in left if one is not record]
    return found


def _novelty_again(recorded: Novelty, fresh: Novelty | None) -> Novelty | None:
    """The new novelty, with recorded paths; None if other traces were compared than recorded."""
    if fresh is None or (recorded.basis is not fresh.basis and recorded.assumed):
        return None
    pairs = [*zip_longest(recorded.neighbours, fresh.neighbours)]
    if recorded.compared_with != fresh.compared_with or not all(
        None not in pair and stands_for(pair[0].key, pair[1].key) for pair in pairs
    ):
        return None
    near = []
    for one, other in pairs:
        same = abs(one.similarity - other.similarity) <= _SAME
        similarity = one.similarity if same else other.similarity
        near.append(replace(one, objective=other.objective, similarity=similarity))
    most = near[0].similarity if near else fresh.max_similarity
    finding = Finding(fresh.basis, most, tuple(near), fresh.compared_with, found_at=0)
    return novelty_from(finding, fresh.reach, remembered=recorded.remembered)


def _entry_again(
    entry: Members, novelty: Novelty, threshold: float, record: TraceRecord | None
) -> Members:
    profile = PROFILE_NAMED.get(entry["profile"]) or profile_for(entry["task_domain"])
    facts, taken = _recorded_facts(entry), {name: entry[name] for name in _TAKEN}
    if record is not None:
        record = _as_stated(record, entry)
        trace = record.trace
        facts = facts_of(trace, schema_valid=passes(record.issues))
        taken |= {
            "id": trace.id,
            "objective": trace.objective,
            "recorded_quality_score": trace.metadata.quality_score,
            "issues": json_values(record.issues, mask=str),
            "provenance": json_values(provenance_entry(record, profile, novelty), mask=str),
        }
    if taken["what_if"] is not None:
        taken["what_if"] = _what_if_again(taken["what_if"], novelty)
    made: Members = json_values(
        make_entry(Measurement(facts, novelty), profile, threshold), mask=str
    )
    flags = [*(flag for flag in Flag if flag in entry["flags"]), *made["flags"]]
    return made | taken | {"flags": flags}


def _recorded_facts(entry: Members) -> Facts:
    dimensions = entry["dimensions"]
    outcome = dimensions["outcome_confidence"]["factors"]
    confidence, success = outcome["confidence"], outcome["success"]
    return Facts(
        **dimensions["complexity"]["factors"] | dimensions["tool_diversity"]["factors"],
        confidence=MIDDLE_CONFIDENCE if confidence is None else float(confidence),
        success=MIDDLE_SUCCESS if success is None else success,
        task_domain=entry["task_domain"],
        schema_valid=all(one["severity"] != Severity.ERROR for one in entry["issues"]),
        confidence_known=confidence is not None,
        success_known=success is not None,
    )


def _recorded_novelty(entry: Members) -> Novelty:
    found = entry["dimensions"]["novelty"]
    members = itemgetter("key", "id", "objective", "path", "similarity", "record")
    near = tuple(Neighbour(*members(one)) for one in found["neighbours"])
    most = near[0].similarity if near else found["max_similarity"]
    basis = Basis(found["basis"])
    finding = Finding(basis, most, near, found["compared_with"], found_at=0)  # not recorded
    reach = None
    if found["tokens"] is not None:
        digest = found["text_sha256"] or ""
        reach = Reach(found["tokens"], found["truncated"], found["window_ends_at_step"], digest)
    return novelty_from(finding, reach, remembered=found["remembered"])


def _what_if_again(entry: Members, novelty: Novelty) -> Any:
    values, facts, changes = entry["dimensions"], entry["facts"], entry["changes"]
    confidences = {"outcome_confidence": float(values["outcome_confidence"])}
    own = (changes["measured_novelty"] or {"unclamped": novelty.unclamped})["unclamped"]
    case = Changed(
        facts=Facts(**facts | {"confidence": float(facts["confidence"])}),
        values=Values(**values | confidences),
        unclamped=own if changes["novelty"] is None else None,
        novelty_held=entry["novelty_held"],
    )
    profile = Profile(entry["profile"], Values(**entry["weights"]))
    made = scenario_entry(changes, case, profile, entry["threshold"], entry["assumed"])
    return json_values(made, mask=str)


def _as_stated(record: TraceRecord, entry: Members) -> TraceRecord:
    found = entry["provenance"]
    if not isinstance(record, RunRecord) or found is None:
        return record
    factors = entry["dimensions"]["outcome_confidence"]["factors"]

    def said(field: TraceField, value: Any, origin: ValueOrigin = ValueOrigin.STATED) -> Any:
        return value if found["fields"].get(field) == origin else None

    outcome = RunOutcome(
        said(TraceField.CONFIDENCE, factors["confidence"]),
        said(TraceField.SUCCESS, factors["success"]),
    )
    domain = said(TraceField.TASK_DOMAIN, entry["task_domain"], ValueOrigin.CHOSEN)
    score = None
    if found["success_score"] is not None:
        (name, value), scores = found["success_score"], record.imported.run.scores.items()
        score = SuccessScore(  # as the run has them
            next((one for one, _ in scores if stands_for(name, one)), name),
            next((one for _, one in scores if stands_for(value, one)), value),
        )
    return restated(record, Stated(outcome, domain, score))


def _first_difference(
    recorded: JsonValue, recomputed: JsonValue, path: JsonPath
) -> Difference | None:
    """The first difference of two values, in the recorded order; masked parts equal any text."""
    if recorded == recomputed:
        return None
    match recorded, recomputed:
        case dict(), dict():
            again = recomputed
            if recorded.keys() != recomputed.keys():  # names may be masked
                again = {
                    next((one for one in recorded if stands_for(one, name)), name): value
                    for name, value in recomputed.items()
                }
            keys = {**recorded, **again}
            pairs: Iterator[Any] = ((key, recorded.get(key), again.get(key)) for key in keys)
        case list(), list():
            both = zip_longest(recorded, recomputed)
            pairs = ((index, one, other) for index, (one, other) in enumerate(both))
        case str(), str() if stands_for(recorded, recomputed):
            return None
        case _:
            return Difference(path, recorded, recomputed)
    found = (_first_difference(one, other, (*path, key)) for key, one, other in pairs)
    return next((one for one in found if one is not None), None)
