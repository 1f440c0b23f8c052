"""Computes a report again from what it records: identical, or where it first differs and why.

Novelty comes from the recorded similarity and everything else from the recorded counts, through
the functions that write a report; the remaining values must not contradict each other. No path that
the report names is ever opened. With the traces at hand, their counts are made again as well, and
with the model, the similarities between them. Values that could not be checked are named.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest
from math import isclose
from typing import Any

from kpinspector.errors import ModelError
from kpinspector.runs.provenance import TraceField, ValueOrigin
from kpinspector.runs.read import MIDDLE_CONFIDENCE, MIDDLE_SUCCESS, RunRecord, restated
from kpinspector.runs.rules import RunOutcome, SuccessScore
from kpinspector.runs.stated import Stated
from kpinspector.scoring.findings import Finding, Neighbour
from kpinspector.scoring.formula.facts import Facts, facts_of
from kpinspector.scoring.formula.measurement import Measurement, Novelty, Reach, novelty_from
from kpinspector.scoring.formula.profiles import Profile, profile_for, profile_named
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import reach_of
from kpinspector.scoring.novelty.sequence import Flag
from kpinspector.scoring.report.compose import (
    Identity,
    make_entry,
    provenance_entry,
    scenario_again,
    scenario_entry,
)
from kpinspector.scoring.report.read import FoundReport
from kpinspector.scoring.report.recorded import Written
from kpinspector.scoring.report.replay_checks import (
    Contradiction,
    Fit,
    Similarities,
    contradiction_about,
    contradiction_in,
)
from kpinspector.scoring.report.replay_trust import Checked, Trusted, trusted_values
from kpinspector.scoring.report.report import (
    EmbedderState,
    Generator,
    NeighbourEntry,
    NoveltyEntry,
    Report,
    TraceEntry,
    json_values,
)
from kpinspector.scoring.report.same_trace import TraceFinder, is_of_its_files
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.trace.clear import MASK
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue, ReasoningTrace
from kpinspector.trace.printable import stands_for
from kpinspector.trace.read import Source, TraceRecord
from kpinspector.trace.records import PASTED
from kpinspector.trace.schema import passes

_NOISE = 1e-9  # relative: the rounding of a sum


class Why(StrEnum):
    """Why a report differs from its replay, as far as can be told."""

    EDITED = "edited"
    ROUNDED = "rounded"
    OTHER_VERSION = "other_version"
    CONTRADICTION = "contradiction"
    TRACE_CHANGED = "trace_changed"
    NEIGHBOUR_CHANGED = "neighbour_changed"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Difference:
    """A recorded value that is not what it should be; None for null, and for a missing value.

    Attributes:
        path: The JSON path from the root of the report.
        fit: How the recorded value should relate to the recomputed one.
    """

    path: JsonPath
    recorded: JsonValue
    recomputed: JsonValue
    why: Why
    fit: Fit = Fit.EQUAL

    @property
    def trace(self) -> int | None:
        """The index of the trace that holds it; None for a value of the report itself."""
        match self.path:
            case ("traces", int(index), *_):
                return index
        return None


@dataclass(frozen=True, slots=True)
class Replay:
    """The result of computing a report again.

    Attributes:
        traces: The number of traces in the report.
        recounted: How many of them are among the given traces, and were counted again.
        missing: The indices of those that are not; empty where no traces were given.
        unreported: The given traces that the report lacks.
        pending: The number of traces that the report itself says were pending.
        doubled: The indices of traces that occur earlier in the report, with that of the first.
        similarities: The number of similarities in the report.
        measured: How many of them were measured again.
        trusted: The values that could not be checked.
        differences: By trace, then those of the report itself. For a trace: the first difference
            from its entry computed again, the first from its trace, and those of all similarities.
    """

    traces: int
    recounted: int
    missing: tuple[int, ...]
    similarities: int
    measured: int
    trusted: tuple[Trusted, ...]
    differences: tuple[Difference, ...]
    unreported: tuple[TraceRecord, ...] = ()
    pending: int = 0
    doubled: tuple[tuple[int, int], ...] = ()

    @property
    def identical(self) -> bool:
        """Everything computed again equals what is recorded; no trace is doubled or left out."""
        complete = len(self.unreported) <= self.pending
        return complete and not self.doubled and not self.differences

    @property
    def first(self) -> Difference | None:
        """The first difference."""
        return self.differences[0] if self.differences else None


def replay(
    found: FoundReport,
    traces: Sequence[TraceRecord] | None = None,
    embedder: Embedder | None = None,
    check: Callable[[], None] = lambda: None,
) -> Replay:
    """Compute a report again.

    Args:
        found: The report as it was read.
        traces: The traces that it should be about; None to trust the counts that it records.
        embedder: Measures their texts again; None leaves the recorded similarities unchecked.
        check: Called before each trace; may raise to stop.
    """
    for done in replay_in_parts(found, traces, embedder):
        if done is not None:
            return done
        check()
    raise AssertionError("the last part is the replay")


def replay_in_parts(
    found: FoundReport,
    traces: Sequence[TraceRecord] | None = None,
    embedder: Embedder | None = None,
    *,
    at_hand: bool = False,
) -> Iterator[Replay | None]:
    """The same in parts: yields None before each trace, and the replay at the end.

    With ``at_hand`` the traces are those that happen to be open: the report may lack traces of
    other files.
    """
    yield from (replayer := _Replayer(found, traces, embedder)).run()
    yield replayer.result(at_hand=at_hand)


class _Replayer:
    """The replay of one report."""

    def __init__(
        self, found: FoundReport, traces: Sequence[TraceRecord] | None, embedder: Embedder | None
    ) -> None:
        self._report = found.report
        self._checksum = found.checksum
        self._embedder = embedder if _is_the_same(embedder, found.report) else None
        self._finder = None if traces is None else TraceFinder(traces, self._embedder)
        self._similar = Similarities(traces or (), self._embedder)
        self._missing: list[int] = []
        self._known: dict[tuple[Source, str], tuple[int, TraceRecord | None]] = {}
        self._doubled: dict[int, int] = {}
        self._checked: list[Checked] = []
        self._differences: list[Difference] = []

    def run(self) -> Iterator[None]:
        """Check one trace after each None that is yielded."""
        for index, entry in enumerate(self._report.traces):
            yield None
            self._checked.append(Checked())
            self._differences += self._of_the_trace(index, entry)

    def result(self, *, at_hand: bool) -> Replay:
        """The replay, once all traces have been checked."""
        left = () if self._finder is None else self._finder.left
        if at_hand:
            left = tuple(one for one in left if is_of_its_files(one, self._report))
        return Replay(
            traces=len(self._report.traces),
            recounted=sum(one.counted for one in self._checked),
            missing=tuple(self._missing),
            unreported=left,
            pending=self._report.pending,
            doubled=tuple(self._doubled.items()),
            similarities=sum(len(_nearest(entry)) for entry in self._report.traces),
            measured=sum(len(one.measured) for one in self._checked),
            trusted=trusted_values(
                self._report, self._checked, same_model=self._embedder is not None
            ),
            differences=(*self._differences, *self._of_the_report()),
        )

    def _of_the_trace(self, index: int, entry: TraceEntry) -> Iterator[Difference]:
        own = self._from_itself(index, entry)
        if own is not None:
            yield own
        record = self._record(index, entry)
        for one in () if record is None else self._from_trace(index, entry, record):
            if own is None:
                yield one
            elif one.path != own.path:
                yield replace(one, why=self._why(one.recorded, one.recomputed))

    def _record(self, index: int, entry: TraceEntry) -> TraceRecord | None:
        """The trace of an entry, if it is at hand; notes an entry that occurs again."""
        place = entry.source, entry.key
        if place in self._known and entry.source.path != PASTED:
            first, record = self._known[place]
            self._doubled[index] = first
            return record
        record = None if self._finder is None else self._finder.find(entry)
        self._known[place] = index, record
        if record is None and self._finder is not None:
            self._missing.append(index)
        return record

    def _of_the_report(self) -> Iterator[Difference]:
        """What is wrong outside the traces, and whether anything was changed at all."""
        embedder, expected = self._report.embedder, EmbedderState(state="ready", sha256="")
        if self._embedder is not None:
            for name in ("model", "window"):
                recorded, wanted = getattr(embedder, name), getattr(expected, name)
                if recorded != wanted:
                    why = self._why(recorded, wanted)
                    yield Difference(("embedder", name), recorded, wanted, why)
        ruled_out = contradiction_about(self._report)
        if ruled_out is not None:
            yield self._contradicted((), ruled_out)
        if self._checksum != self._report.checksum:
            found = ("checksum",), self._report.checksum, self._checksum
            yield Difference(*found, Why.EDITED)

    def _from_itself(self, index: int, entry: TraceEntry) -> Difference | None:
        """The first difference between an entry and the one that its own counts give."""
        again = self._make(identity_of(entry), measurement_of(entry), entry)
        found = first_difference(json_values(entry), json_values(again), ("traces", index))
        if found is not None:
            return Difference(*found, self._why(*found[1:]))
        ruled_out = contradiction_in(entry, self._report.embedder.window)
        return None if ruled_out is None else self._contradicted(("traces", index), ruled_out)

    def _contradicted(self, path: JsonPath, found: Contradiction) -> Difference:
        edited = self._checksum != self._report.checksum
        return Difference(
            path=(*path, *found.path),
            recorded=found.recorded,
            recomputed=found.wanted,
            why=Why.EDITED if edited else Why.CONTRADICTION,
            fit=found.fit,
        )

    def _from_trace(
        self, index: int, entry: TraceEntry, record: TraceRecord
    ) -> Iterator[Difference]:
        """The first difference between an entry and its trace, then those of its similarities."""
        reach = self._reach(record)
        self._checked[index] = Checked(counted=True, read=reach is not None)
        again = self._recount(entry, record, reach)
        found = first_difference(json_values(entry), json_values(again), ("traces", index))
        if found is not None:
            yield Difference(*found, Why.TRACE_CHANGED)
        yield from self._measure(index, entry, record)

    def _reach(self, record: TraceRecord) -> Reach | None:
        """How far the model's window reaches; None without the tokenizer, loaded on first use."""
        if self._embedder is None:
            return None
        with suppress(ModelError):
            return reach_of(record.trace, self._embedder.window(record.trace.text))
        return None

    def _measure(self, index: int, entry: TraceEntry, record: TraceRecord) -> Iterator[Difference]:
        """The similarities to neighbours at hand that differ from the recorded ones."""
        path, measured = ("traces", index, "dimensions", "novelty", "neighbours"), set()
        for rank, near in enumerate(_nearest(entry)):
            found = self._similar.measure(record, near)
            if found is None:
                continue
            measured.add(rank)
            for name, recomputed in found.items():
                recorded = getattr(near, name)
                if first_difference(recorded, recomputed, ()) is not None:
                    place = (*path, rank, name)
                    yield Difference(place, recorded, recomputed, Why.NEIGHBOUR_CHANGED)
        self._checked[index] = replace(self._checked[index], measured=frozenset(measured))

    def _recount(self, entry: TraceEntry, record: TraceRecord, reach: Reach | None) -> TraceEntry:
        """The entry made anew from its trace, with the recorded similarity."""
        record = _as_stated(record, entry)
        trace, novelty = record.trace, measurement_of(entry).novelty
        identity = replace(
            identity_of(entry),
            id=trace.id,
            objective=trace.objective,
            quality_score=trace.metadata.quality_score,
            issues=record.issues,
            provenance=provenance_entry(record, profile_of(entry), novelty),
        )
        if reach is not None:
            novelty = replace(novelty, reach=reach)
        facts = facts_of(trace, schema_valid=passes(record.issues))
        return self._make(identity, Measurement(facts, novelty), entry, trace)

    def _make(
        self,
        identity: Identity,
        measurement: Measurement,
        entry: TraceEntry,
        trace: ReasoningTrace | None = None,
    ) -> TraceEntry:
        """The entry made anew; its scenarios come from the trace, or else from their own facts."""
        profile, threshold = profile_of(entry), self._report.settings.threshold
        rules = measurement, profile, threshold
        one = entry.what_if
        if one is not None:
            if trace is None or _is_masked(one.changes):
                one = scenario_again(one, *rules)
            else:
                one = scenario_entry(one.changes, trace, *rules)
        again = make_entry(identity, *rules, one)
        # written by an earlier version, which had none, or none of runs
        if entry.reach is None:
            return again.model_copy(update={"cause": entry.cause, "reach": None})
        if entry.score_range is not None and entry.cause is None:
            return again.model_copy(update={"cause": None})
        return again

    def _why(self, recorded: JsonValue, recomputed: JsonValue) -> Why:
        if self._checksum != self._report.checksum:
            return Why.ROUNDED if _is_rounded(recorded, recomputed) else Why.EDITED
        return Why.UNEXPLAINED if self._report.generator == Generator() else Why.OTHER_VERSION


def measurement_of(entry: TraceEntry) -> Measurement:
    """The measurement of an entry, from its counts and its similarity."""
    dimensions = entry.dimensions
    complexity, diversity = dimensions.complexity.factors, dimensions.tool_diversity.factors
    outcome = dimensions.outcome_confidence.factors
    facts = Facts(
        steps=complexity.steps,
        unique_types=complexity.unique_types,
        error_recoveries=complexity.error_recoveries,
        tool_steps=diversity.tool_steps,
        unique_tools=diversity.unique_tools,
        single_thought=complexity.single_thought,
        confidence=MIDDLE_CONFIDENCE if outcome.confidence is None else outcome.confidence,
        success=MIDDLE_SUCCESS if outcome.success is None else outcome.success,
        task_domain=entry.task_domain,
        schema_valid=passes(entry.issues),
        confidence_known=outcome.confidence is not None,
        success_known=outcome.success is not None,
    )
    return Measurement(facts, _novelty(dimensions.novelty))


def identity_of(entry: TraceEntry) -> Identity:
    """The parts of an entry that name its trace."""
    return Identity(
        id=entry.id,
        key=entry.key,
        source=entry.source,
        objective=entry.objective,
        quality_score=entry.recorded_quality_score,
        issues=entry.issues,
        flags=tuple(flag for flag in Flag if flag in entry.flags),
        provenance=entry.provenance,
    )


def _as_stated(record: TraceRecord, entry: TraceEntry) -> TraceRecord:
    """A run with the outcome that, by its entry, the user stated or chose."""
    if not isinstance(record, RunRecord) or entry.provenance is None:
        return record
    factors, said = entry.dimensions.outcome_confidence.factors, entry.provenance.fields
    outcome = RunOutcome(
        factors.confidence if said.get(TraceField.CONFIDENCE) is ValueOrigin.STATED else None,
        factors.success if said.get(TraceField.SUCCESS) is ValueOrigin.STATED else None,
    )
    chosen = said.get(TraceField.TASK_DOMAIN) is ValueOrigin.CHOSEN
    mapped = entry.provenance.success_score
    score = None if mapped is None else _score_meant(mapped, record.imported.scores)
    return restated(record, Stated(outcome, entry.task_domain if chosen else None, score))


def _score_meant(mapped: tuple[str, str], scores: Sequence[tuple[str, str]]) -> SuccessScore:
    """The score that decides success, its name and value as the run has them."""
    name, value = mapped
    return SuccessScore(
        next((one for one, _ in scores if stands_for(name, one)), name),
        next((one for _, one in scores if stands_for(value, one)), value),
    )


def profile_of(entry: TraceEntry) -> Profile:
    """The profile of an entry: the one it names, or that of its domain where there is none."""
    return profile_named(entry.profile) or profile_for(entry.task_domain)


def first_difference(
    recorded: JsonValue, recomputed: JsonValue, path: JsonPath
) -> tuple[JsonPath, JsonValue, JsonValue] | None:
    """Where two values of the same shape first differ, in the order of the recorded one.

    What is masked in the recorded one is the same as anything.
    """
    if recorded == recomputed:
        return None
    pairs: list[tuple[str | int, Any, Any]]
    match recorded, recomputed:
        case dict(), dict():
            again = _named_alike(recorded, recomputed)
            keys = {**recorded, **again}
            pairs = [(key, recorded.get(key), again.get(key)) for key in keys]
        case list(), list():
            both = zip_longest(recorded, recomputed)
            pairs = [(index, one, other) for index, (one, other) in enumerate(both)]
        case str(), str() if stands_for(recorded, recomputed):
            return None
        case _:
            return path, recorded, recomputed
    found = (first_difference(one, other, (*path, key)) for key, one, other in pairs)
    return next((one for one in found if one is not None), None)


def _named_alike(recorded: JsonObject, recomputed: JsonObject) -> JsonObject:
    """The recomputed members by the names, maybe masked, that the recorded ones have."""
    if recorded.keys() == recomputed.keys():
        return recomputed
    shown = {
        name: next((one for one in recorded if stands_for(one, name)), name) for name in recomputed
    }
    return {shown[name]: value for name, value in recomputed.items()}


def _is_masked(scenario: Scenario) -> bool:
    """Whether a tool is tried whose name is masked: which one of the trace it is, nobody knows."""
    tools = [*(one.tool for one in scenario.edits), *(one.tool for one in scenario.added)]
    return any(tool and MASK in tool for tool in tools)


def _nearest(entry: TraceEntry) -> tuple[NeighbourEntry, ...]:
    return entry.dimensions.novelty.neighbours


def _novelty(entry: NoveltyEntry) -> Novelty:
    finding = Finding(
        basis=entry.basis,
        max_similarity=entry.max_similarity,
        neighbours=tuple(
            Neighbour(one.key, one.id, one.objective, one.path, one.similarity, one.record)
            for one in entry.neighbours
        ),
        compared_with=entry.compared_with,
        found_at=0,  # not recorded
    )
    reach = None
    if entry.tokens is not None:
        reach = Reach(
            tokens=entry.tokens,
            truncated=entry.truncated,
            ends_at_step=entry.window_ends_at_step,
            digest=entry.text_sha256 or "",
        )
    return novelty_from(finding, reach, remembered=entry.remembered)


def _is_the_same(embedder: Embedder | None, report: Report) -> bool:
    """Whether the embedder works and has the model of the report."""
    try:
        return embedder is not None and embedder.model == report.embedder.sha256
    except ModelError:
        return False


def _is_rounded(recorded: JsonValue, recomputed: JsonValue) -> bool:
    if not (isinstance(recorded, float) and isinstance(recomputed, float)):
        return False
    near = isclose(recorded, recomputed, rel_tol=_NOISE)
    return near or Written(recorded).stands_for(recomputed)
