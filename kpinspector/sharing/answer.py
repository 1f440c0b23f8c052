"""What would be posted of one trace, what leaves in clear, and the score of the cleaned text."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from kpinspector.errors import NotScorableError
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import Assessment, assess, assess_values, values_of
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.sequence import Measured, measure_edited
from kpinspector.sharing.parts import LeavingSteps, Redacted
from kpinspector.sharing.posting import NotPosted, Posting, Way, captured, contributed
from kpinspector.trace import clear
from kpinspector.trace.cleaning import PiiKind
from kpinspector.trace.further import FurtherKind
from kpinspector.trace.javascript import JsonObject, JsonPath, JsonValue, parse
from kpinspector.trace.model import ReasoningTrace, StepType, id_of, trace_from_json
from kpinspector.trace.records import Problem, TextRecord, UnreadRecord, dotted
from kpinspector.trace.schema import Issue, find_issues

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory

_SHAPE_STEPS: Final = 2
_ARGUMENTS: Final = "Executing with args: "
_DONE: Final = "Execution completed successfully"
_ERROR: Final = "Error: "


@dataclass(frozen=True)
class Sharing:
    """What one way makes of a trace.

    ``score``: the SDK's own number, perhaps NaN; None where the SDK throws or does not score.
    ``score_of_cleaned``: the score of the cleaned text, compared with what the trace itself was
    compared with; None where nothing is redacted, or nothing can be measured.
    """

    posting: Posting
    score: float | None
    threshold: float
    score_of_cleaned: float | None = None

    @property
    def is_posted(self) -> bool:
        """Whether a body is posted."""
        return self.posting.body is not None

    @property
    def body_bytes(self) -> int | None:
        """The size of the request's body in bytes, with half a character as an escape."""
        return None if self.posting.body is None else len(self.posting.body.encode())

    @cached_property
    def body(self) -> JsonObject | None:
        """The body as the registry would read it; None where nothing is posted."""
        if self.posting.body is None:
            return None
        body = parse(self.posting.body)
        return body if isinstance(body, dict) else None

    @cached_property
    def issues(self) -> tuple[Issue, ...]:
        """The issues for which the registry refuses the body; an older ``@context`` is one."""
        return () if self.body is None else find_issues(self.body)

    @cached_property
    def in_clear(self) -> tuple[clear.InClear, ...]:
        """The secrets and identifiers that the body holds in clear."""
        return () if self.body is None else tuple(clear.in_clear(dict(self.body)))

    @cached_property
    def redacted(self) -> tuple[Redacted, ...]:
        """The redacted parts of the body, field by field."""
        found: list[Redacted] = []
        for field in self.posting.fields if self.is_posted else ():
            parts = () if field.kept else field.cleaned.redactions
            masks = clear.masked_parts(field.before, parts)
            found += [Redacted(field, *pair) for pair in zip(parts, masks, strict=True)]
        return tuple(found)

    @cached_property
    def masked_body(self) -> JsonValue:
        """The body with all that it holds in clear masked."""
        return clear.masked_body(dict(self.body or {}), self.in_clear)

    @cached_property
    def leaving(self) -> LeavingSteps:
        """What leaves of each step."""
        return LeavingSteps(self.body or {}, self.in_clear, self.redacted)

    @cached_property
    def kept(self) -> frozenset[tuple[str | int, ...]]:
        """The paths of fields that stay as they are, since their cleaned text is no JSON."""
        return frozenset(
            ("steps", field.step, field.name) for field in self.posting.fields if field.kept
        )


def place_of(path: JsonPath) -> str:
    """A path in a body, or a part of one, as a text; names in it are masked before they are cut."""
    return dotted(tuple(clear.masked_in(one) if isinstance(one, str) else one for one in path))


@dataclass(frozen=True)
class Ways:
    """The result of each way for a trace, and the best score if ``KPCapture.wrap()`` made it."""

    contributed: Sharing
    captured: Sharing
    best_of_wrap: Assessment | None = None

    def by(self, way: Way) -> Sharing:
        """The result of one of the two ways."""
        return self.captured if way is Way.CAPTURE else self.contributed


@dataclass(frozen=True, slots=True)
class LeakingTraces:
    """Counts of traces by one way; ``kinds``: how many traces hold each kind in clear.

    ``posted``: how many would be posted; ``leaking``: how many of these with something in clear.
    """

    way: Way
    posted: int
    leaking: int
    kinds: Counter[PiiKind | FurtherKind]


def leaking_traces(all_ways: Iterable[Ways]) -> tuple[LeakingTraces, ...]:
    """The counts of a batch, one for each way in; no body is kept."""
    kinds: dict[Way, list[tuple[PiiKind | FurtherKind, ...]]] = {way: [] for way in Way}
    for ways in all_ways:
        for way, found in kinds.items():
            sharing = ways.by(way)
            if sharing.is_posted:
                found.append(tuple(dict.fromkeys(one.kind for one in sharing.in_clear)))
    return tuple(
        LeakingTraces(way, len(found), sum(map(bool, found)), Counter(chain(*found)))
        for way, found in kinds.items()
    )


def ways_of(
    record: TextRecord | UnreadRecord, score: float | None, threshold: float, level: str | None
) -> Ways:
    """The result of both ways for a record.

    ``score``: the SDK's own number; None where it throws or is not known. ``level``: a privacy
    level to use in place of the trace's own.
    """
    reason = None  # why a run cannot be posted yet
    if isinstance(record, RunRecord) and not record.imported.run.content_recorded:
        reason = NotPosted.NO_CONTENT
    elif isinstance(record, RunRecord) and not record.imported.outcome.is_known:
        reason = NotPosted.NO_OUTCOME
    if reason is not None:
        nothing = Sharing(Posting(Way.CONTRIBUTE, None, reason), None, threshold)
        return Ways(nothing, nothing)
    raw = raw_of(record)
    metadata = raw.get("metadata")
    if level is not None and isinstance(metadata, dict):
        raw = {**raw, "metadata": {**metadata, "privacy_level": level}}
    return Ways(
        Sharing(contributed(raw), score, threshold),
        Sharing(captured(raw, score, threshold), score, threshold),
    )


def raw_of(record: TextRecord | UnreadRecord) -> JsonObject:
    """The trace as in its file; for a run, the trace that ``convert`` would write."""
    match record:
        case UnreadRecord():
            return record.raw
        case RunRecord():
            return record.imported.converted()
    return record.trace.raw


def sharing_values(
    answers: Iterable[tuple[TextRecord | UnreadRecord, Sharing]],
    way: Way,
    threshold: float,
    problems: Iterable[Problem],
) -> dict[str, Any]:
    """All answers as values for JSON, by ``sharing.schema.json``, which other programs rely on."""
    return {
        "format": "kpinspector-sharing",
        "version": 1,
        "as": way,
        "threshold": threshold,
        "looked_for": clear.LOOKED_FOR,
        "traces": [_values(record, sharing) for record, sharing in answers],
        "problems": problems,
    }


def _values(record: TextRecord | UnreadRecord, sharing: Sharing) -> dict[str, Any]:
    posting = sharing.posting
    trace_id = id_of(record.raw) if isinstance(record, UnreadRecord) else record.trace.id
    return {
        "id": trace_id,
        "source": record.source,
        "posted": sharing.is_posted,
        "reason": posting.reason,
        "score": sharing.score,
        "score_of_cleaned": sharing.score_of_cleaned,
        "redactions": [
            {"path": path, "kind": kind, "count": count}
            for path, kind, count in posting.redactions
            if sharing.is_posted
        ],
        "in_clear": [
            {"path": place_of(one.path), "kind": one.kind, "by": one.by, "masked": one.masked}
            for one in sharing.in_clear
        ],
        "body_bytes": sharing.body_bytes,
    }


def ways_of_measured(measured: Measured, judged: Assessment, level: str | None) -> Ways:
    """The result of both ways for a measured trace, without the score of the cleaned text."""
    trace = measured.record.trace
    score = judged.score if judged.sdk_score is None else judged.sdk_score
    ways = ways_of(measured.record, score, judged.threshold, level)
    if not has_wrap_shape(trace) or isnan(score):
        return ways
    facts = measured.measurement.facts
    # with novelty 1, as if nothing were similar
    best = assess_values(values_of(facts, 1.0), facts, judged.profile, judged.threshold)
    return replace(ways, best_of_wrap=best)


def has_wrap_shape(trace: ReasoningTrace) -> bool:
    """Whether a trace looks like one that ``KPCapture.wrap()`` recorded."""
    steps = trace.steps
    if len(steps) != _SHAPE_STEPS or any(step.tool_key is not None for step in steps):
        return False
    thought, end = steps
    if thought.kind is not StepType.THOUGHT or not thought.content.startswith(_ARGUMENTS):
        return False
    match end.kind:
        case StepType.OBSERVATION:
            return end.content == _DONE
        case StepType.ERROR_RECOVERY:
            return end.content.startswith(_ERROR)
    return False


def posts_cleaned(ways: Ways) -> bool:
    """Whether the text that is posted differs from the text that was scored."""
    return ways.captured.is_posted and any(ways.captured.posting.redactions)


def cleaned_novelty(
    ways: Ways, measured: Measured, embedder: Embedder, memory: "Memory"
) -> Novelty | None:
    """The novelty of the cleaned text that others get; nothing is remembered.

    None where it would be assumed, or where the posted trace has no score.
    """
    if not posts_cleaned(ways):
        return None
    try:
        cleaned = trace_from_json(ways.captured.body or {})
    except NotScorableError:
        return None
    novelty = measure_edited(measured.record, cleaned, measured.place, embedder, memory)
    return None if novelty.assumed else novelty


def with_cleaned_novelty(
    ways: Ways, measured: Measured, judged: Assessment, novelty: Novelty
) -> Ways:
    """The same ways with the score of the cleaned text that others get."""
    measurement = replace(measured.measurement, novelty=novelty)
    score = assess(measurement, judged.profile, judged.threshold).score
    changed = replace(ways.captured, score_of_cleaned=score)
    changed.__dict__.update({**vars(ways.captured), **vars(changed)})  # keep cached properties
    return replace(ways, captured=changed)
