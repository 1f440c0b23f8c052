"""The report: all inputs and terms of every score, as values; ``written`` makes JSON of them."""

from dataclasses import dataclass
from typing import Literal

from kpinspector import __version__
from kpinspector.runs.provenance import ValueOrigin
from kpinspector.scoring.findings import Basis, Neighbour
from kpinspector.scoring.formula.assess import Values, Verdict
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.gates import Cause
from kpinspector.scoring.formula.overrides import Override
from kpinspector.scoring.formula.profiles import Weights
from kpinspector.scoring.model.embedder import MODEL_NAME, WINDOW_TOKENS
from kpinspector.scoring.whatif.reach import ReachKind, TraceReach
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.settings import Mode
from kpinspector.trace.read import Problem, Skipped, Source
from kpinspector.trace.schema import Issue


@dataclass(frozen=True, slots=True)
class Generator:
    """The program that wrote the report."""

    name: str = "kpinspector"
    version: str = __version__


GENERATOR = Generator()


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderState:
    """The embedding model; ``sha256`` of its weights, null when it is missing."""

    state: Literal["ready", "missing"]
    model: str = MODEL_NAME
    sha256: str | None
    window: int = WINDOW_TOKENS


@dataclass(frozen=True, slots=True)
class UsedSettings:
    """The settings that were used: the saved ones, or the options given in their place."""

    threshold: float
    max_elements: int
    ttl_ms: int | None
    mode: Mode


@dataclass(frozen=True, slots=True)
class ComplexityFactors:
    """Counts behind the complexity; ``single_thought``: the only step is a thought."""

    unique_types: int
    error_recoveries: int
    steps: int
    single_thought: bool


@dataclass(frozen=True, slots=True)
class ComplexityEntry:
    """``contribution`` is value times weight, here and below."""

    value: float
    contribution: float
    factors: ComplexityFactors


@dataclass(frozen=True, slots=True)
class NoveltyEntry:
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


@dataclass(frozen=True, slots=True)
class DiversityFactors:
    """Counts behind the tool diversity; ``tool_steps`` have a tool, whatever their type."""

    unique_tools: int
    steps: int
    tool_steps: int


@dataclass(frozen=True, slots=True)
class DiversityEntry:
    """Tool diversity."""

    value: float
    contribution: float
    factors: DiversityFactors


@dataclass(frozen=True, slots=True)
class OutcomeFactors:
    """``factor`` is 1 for a success, 0.3 for a failure; null for what is not recorded."""

    confidence: float | None
    success: bool | None
    factor: float | None


@dataclass(frozen=True, slots=True)
class OutcomeEntry:
    """Outcome confidence; null where confidence or success is null."""

    value: float | None
    contribution: float | None
    factors: OutcomeFactors


@dataclass(frozen=True, slots=True)
class DimensionsEntry:
    """The four dimensions."""

    complexity: ComplexityEntry
    novelty: NoveltyEntry
    tool_diversity: DiversityEntry
    outcome_confidence: OutcomeEntry


@dataclass(frozen=True, slots=True)
class GatesEntry:
    """True where the gate passes; null where that depends on an outcome that is not recorded."""

    schema: bool | None
    score: bool | None


@dataclass(frozen=True, slots=True)
class ProfileEntry:
    """The score under another profile, novelty held; null where there is a range."""

    score: float | None
    verdict: Verdict
    score_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class ScenarioEntry:
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
    assumed: tuple[str, ...] = ()
    score_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class RangeEnd:
    """The score with one of the possible outcomes."""

    confidence: float
    success: bool
    composite: float
    overrides: tuple[Override, ...]
    score: float
    margin: float


@dataclass(frozen=True, slots=True)
class RangeEntry:
    """The range of possible scores, from the worst outcome to the best."""

    low: RangeEnd
    high: RangeEnd


@dataclass(frozen=True, slots=True)
class ProvenanceEntry:
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
    derived_steps: tuple[int, ...] = ()
    without_derived: tuple[float, float] | None = None
    success_score: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ReachEntry:
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


@dataclass(frozen=True, slots=True)
class TraceEntry:
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
    what_if: ScenarioEntry | None = None
    score_range: RangeEntry | None = None
    provenance: ProvenanceEntry | None = None
    cause: Cause | None = None
    reach: ReachEntry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The whole report; pending traces are left out, and counted.

    ``more_problems`` counts those beyond the first 1,000 of a file, which are listed.
    """

    format: Literal["kpinspector-report"] = "kpinspector-report"
    version: Literal[3] = 3
    generated_at: str
    generator: Generator = GENERATOR
    embedder: EmbedderState
    settings: UsedSettings
    pending: int = 0
    more_problems: int = 0
    traces: tuple[TraceEntry, ...]
    problems: tuple[Problem, ...]
    skipped: tuple[Skipped, ...]
