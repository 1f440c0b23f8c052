"""The parts of a report on one trace, by the names of its members: the schema is made of these."""

from typing import TypedDict

from kpinspector.runs.provenance import ValueOrigin
from kpinspector.scoring.findings import Basis, Neighbour
from kpinspector.scoring.formula.assess import Cause, Verdict
from kpinspector.scoring.formula.measurement import Facts
from kpinspector.scoring.formula.overrides import Override
from kpinspector.scoring.formula.profiles import Values, Weights
from kpinspector.scoring.whatif.reach import ReachKind, TraceReach
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.trace.records import Source
from kpinspector.trace.schema import Issue


class ComplexityFactors(TypedDict):
    """Counts behind the complexity; ``single_thought``: the only step is a thought."""

    unique_types: int
    error_recoveries: int
    steps: int
    single_thought: bool


class ComplexityEntry(TypedDict):
    """``contribution`` is value times weight, here and below."""

    value: float
    contribution: float
    factors: ComplexityFactors


class NoveltyEntry(TypedDict):
    """``basis`` is that of the first scoring; ``remembered``: a finding answered.

    ``window_ends_at_step`` is null when the window holds the whole text or ends inside the
    objective; ``tokens`` and ``text_sha256``, that of the token ids, are null when there is no
    tokenizer.
    """

    value: float
    contribution: float
    basis: Basis
    remembered: bool
    max_similarity: float | None
    neighbours: tuple[Neighbour, ...]
    compared_with: int
    clamped: bool
    tokens: int | None
    truncated: bool
    window_ends_at_step: int | None
    text_sha256: str | None


class DiversityFactors(TypedDict):
    """Counts behind the tool diversity; ``tool_steps`` have a tool, whatever their type."""

    unique_tools: int
    steps: int
    tool_steps: int


class DiversityEntry(TypedDict):
    """Tool diversity."""

    value: float
    contribution: float
    factors: DiversityFactors


class OutcomeFactors(TypedDict):
    """``factor`` is 1 for a success, 0.3 for a failure; null for what is not recorded."""

    confidence: float | None
    success: bool | None
    factor: float | None


class OutcomeEntry(TypedDict):
    """Outcome confidence; null where confidence or success is null."""

    value: float | None
    contribution: float | None
    factors: OutcomeFactors


class DimensionsEntry(TypedDict):
    """The four dimensions."""

    complexity: ComplexityEntry
    novelty: NoveltyEntry
    tool_diversity: DiversityEntry
    outcome_confidence: OutcomeEntry


class GatesEntry(TypedDict):
    """True where the gate passes; null where that depends on an outcome that is not recorded."""

    schema: bool | None
    score: bool | None


class ProfileEntry(TypedDict):
    """The score under another profile, novelty held; null where there is a range."""

    score: float | None
    verdict: Verdict
    score_range: tuple[float, float] | None


class ScenarioEntry(TypedDict):
    """The what-if in force: the changes, and what they make of the trace under the report's rules.

    ``changes`` leave out what stays: from them and the trace, or from ``facts``, ``dimensions``,
    ``weights`` and ``threshold`` alone, the score can be computed again. ``novelty_held``: the
    changed text was not measured. ``assumed``: what of the outcome is neither recorded nor tried,
    so that ``score`` and ``verdict`` are those of the middle, confidence 0.5 and success;
    ``score_range``: the lowest and the highest score where nothing of the outcome is tried.
    """

    changes: Scenario
    facts: Facts
    dimensions: Values
    novelty_held: bool
    profile: str
    weights: Weights
    composite: float
    overrides: tuple[Override, ...]
    score: float
    sdk_score: float | None
    threshold: float
    margin: float
    gates: GatesEntry
    verdict: Verdict
    assumed: tuple[str, ...]
    score_range: tuple[float, float] | None


class RangeEnd(TypedDict):
    """The score with one of the possible outcomes."""

    confidence: float
    success: bool
    composite: float
    overrides: tuple[Override, ...]
    score: float
    margin: float


class RangeEntry(TypedDict):
    """The range of possible scores, from the worst outcome to the best."""

    low: RangeEnd
    high: RangeEnd


class ProvenanceEntry(TypedDict):
    """Where each value of a run of another agent comes from.

    ``fields``: recorded, derived, stated by the user, chosen by the user, or absent.
    ``success_score``: the recorded score that the user takes for the success of the run, with the
    value that means success. ``derived_steps``: the indices of steps that were found to be
    recoveries; ``without_derived``: the lowest and the highest score, were they none. ``dropped``:
    how many of the ``total`` lines (or what ``unit`` says) of the recording made no step of this
    run, by what they are; ``parts``: how many parts of the others made none.
    """

    format: str
    version: str
    unit: str
    total: int
    dropped: dict[str, int]
    parts: dict[str, int]
    fields: dict[str, ValueOrigin]
    derived_steps: tuple[int, ...]
    without_derived: tuple[float, float] | None
    success_score: tuple[str, str] | None


class ReachEntry(TypedDict):
    """What it takes for a trace to pass; ``kind`` is the first that holds.

    ``accepted``: nothing. ``schema``: the score passes, the registry refuses the file. ``novelty``:
    nothing may be more than ``similarity`` similar. ``outcome``: success, and ``confidence`` at
    least; success alone where its own is no less. ``both``: both together. ``structure``: it fails
    even with novelty 1 and the best outcome, ``at_best``. ``undecided``: it is accepted with the
    best outcome that is possible, and not with the worst.

    ``low`` and ``high`` are those of the worst and of the best outcome that is possible; ``high``
    is null where the outcome is known. A run that is rejected with both has the kind of ``high``.
    """

    kind: ReachKind
    low: TraceReach
    high: TraceReach | None


class TraceEntry(TypedDict):
    """One scored trace; all numbers unrounded.

    ``cause``: what a rejection is put down to first, a gate, a rule or the dimension that loses
    most; null for a trace that passes, or may. Where the outcome is not known it is the cause with
    the best.

    Of a run whose recording does not say how it ended, ``score_range`` has what is possible;
    ``composite``, ``score`` and ``margin`` are null and ``overrides`` stand in the range.
    """

    id: str | None
    key: str
    source: Source
    objective: str
    task_domain: str | None
    profile: str
    weights: Weights
    steps: int
    dimensions: DimensionsEntry
    composite: float | None
    overrides: tuple[Override, ...]
    score: float | None
    sdk_score: float | None
    threshold: float
    margin: float | None
    gates: GatesEntry
    verdict: Verdict
    flags: tuple[str, ...]
    recorded_quality_score: float | None
    profiles: dict[str, ProfileEntry]
    issues: tuple[Issue, ...]
    what_if: ScenarioEntry | None
    score_range: RangeEntry | None
    provenance: ProvenanceEntry | None
    cause: Cause | None
    reach: ReachEntry
