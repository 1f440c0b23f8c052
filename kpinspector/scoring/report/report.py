"""The report: all inputs and terms of every score, as JSON with a stable format."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from kpinspector import __version__
from kpinspector.runs.provenance import ValueOrigin
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import Values, Verdict
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.gates import Cause
from kpinspector.scoring.formula.numbers import Number
from kpinspector.scoring.formula.overrides import Override
from kpinspector.scoring.formula.profiles import Weights
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.model.bundled_model import MODEL_NAME, WINDOW_TOKENS
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.trace.read import Problem, Skipped, Source
from kpinspector.trace.schema import Issue

SCHEMA_FILE = "report.schema.json"

# controls beyond C0, which JSON escapes anyway; marks of text direction; zero-width characters
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]"
)


class Part(BaseModel):
    """A report or a part of one, written as JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Generator(Part):
    """The program that wrote the report."""

    name: str = "kpinspector"
    version: str = __version__


class EmbedderState(Part):
    """The embedding model; ``sha256`` of its weights, null when it is missing."""

    state: Literal["ready", "missing"]
    model: str = MODEL_NAME
    sha256: str | None
    window: int = WINDOW_TOKENS


class UsedSettings(Part):
    """The settings that were used: the saved ones, or the options given in their place."""

    threshold: float
    max_elements: int
    ttl_ms: int | None
    mode: Mode


class ComplexityFactors(Part):
    """Counts behind the complexity; ``single_thought``: the only step is a thought."""

    unique_types: int
    error_recoveries: int
    steps: int
    single_thought: bool


class ComplexityEntry(Part):
    """``contribution`` is value times weight, here and below."""

    value: float
    contribution: float
    factors: ComplexityFactors


class NeighbourEntry(Part):
    """A remembered trace and how similar it is (cosine, -1..1); ``record`` as in ``Source``."""

    key: str
    id: str | None
    objective: str
    path: str
    similarity: float
    record: int | None = None


class NoveltyEntry(Part):
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
    neighbours: tuple[NeighbourEntry, ...]
    compared_with: int
    clamped: bool
    tokens: int | None
    truncated: bool
    window_ends_at_step: int | None
    text_sha256: str | None


class DiversityFactors(Part):
    """Counts behind the tool diversity; ``tool_steps`` have a tool, whatever their type."""

    unique_tools: int
    steps: int
    tool_steps: int


class DiversityEntry(Part):
    """Tool diversity."""

    value: float
    contribution: float
    factors: DiversityFactors


class OutcomeFactors(Part):
    """``factor`` is 1 for a success, 0.3 for a failure; null for what is not recorded."""

    confidence: Number | None
    success: bool | None
    factor: float | None


class OutcomeEntry(Part):
    """Outcome confidence; null where confidence or success is null."""

    value: Number | None
    contribution: Number | None
    factors: OutcomeFactors


class DimensionsEntry(Part):
    """The four dimensions."""

    complexity: ComplexityEntry
    novelty: NoveltyEntry
    tool_diversity: DiversityEntry
    outcome_confidence: OutcomeEntry


class GatesEntry(Part):
    """True where the gate passes; null where that depends on an outcome that is not recorded."""

    schema_: bool | None = Field(alias="schema")
    score: bool | None


class ProfileEntry(Part):
    """The score under another profile, novelty held; null where there is a range."""

    score: Number | None
    verdict: Verdict
    score_range: tuple[Number, Number] | None = None


class ScenarioEntry(Part):
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
    composite: Number
    overrides: tuple[Override, ...]
    score: Number
    sdk_score: Number | None
    threshold: float
    margin: Number
    gates: GatesEntry
    verdict: Verdict
    assumed: tuple[str, ...] = ()
    score_range: tuple[Number, Number] | None = None


class RangeEnd(Part):
    """The score with one of the possible outcomes."""

    confidence: Number
    success: bool
    composite: Number
    overrides: tuple[Override, ...]
    score: Number
    margin: Number


class RangeEntry(Part):
    """The range of possible scores, from the worst outcome to the best."""

    low: RangeEnd
    high: RangeEnd


class ProvenanceEntry(Part):
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
    parts: dict[str, int] = {}
    fields: dict[str, ValueOrigin]
    derived_steps: tuple[int, ...] = ()
    without_derived: tuple[Number, Number] | None = None
    success_score: tuple[str, str] | None = None


class ReachEnd(Part):
    """What a trace can reach, as ``TraceReach`` has it."""

    kind: ReachKind
    if_new: Number
    at_best: Number
    similarity: float | None
    confidence: Number | None


class ReachEntry(Part):
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
    low: ReachEnd
    high: ReachEnd | None


class TraceEntry(Part):
    """One scored trace; all numbers unrounded.

    ``cause``: what a rejection is put down to first, a gate, a rule or the dimension that loses
    most; null for a trace that passes, or may. Where the outcome is not known it is the cause with
    the best. ``reach`` is null in reports of earlier builds, and so is ``cause``.

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
    composite: Number | None
    overrides: tuple[Override, ...]
    score: Number | None
    sdk_score: Number | None
    threshold: float
    margin: Number | None
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


class Report(Part):
    """The whole report; pending traces are left out, and counted.

    ``more_problems`` counts those beyond the first 1,000 of a file, which are listed.

    ``checksum`` is what ``checksum_of`` gives. It reveals accidental edits, not deliberate
    forgeries.
    """

    format: Literal["kpinspector-report"] = "kpinspector-report"
    version: Literal[1, 2] = 2
    generated_at: str
    generator: Generator = Generator()
    embedder: EmbedderState
    settings: UsedSettings
    pending: int = 0
    more_problems: int = 0
    traces: tuple[TraceEntry, ...]
    problems: tuple[Problem, ...]
    skipped: tuple[Skipped, ...]
    checksum: str


def checksum_of(values: Mapping[str, Any], check: Callable[[], None] = lambda: None) -> str:
    """The sha256 (hex) of a report without its time and the checksum itself.

    It is computed over JSON with sorted keys, no white space, and all numbers as doubles in their
    shortest form, so that it does not depend on layout: first the report without its traces, then
    each trace, each followed by a line feed.

    Args:
        values: The report as JSON values.
        check: Called before each of its traces; may raise to stop.
    """
    beside = {"generated_at", "checksum", "traces"}
    digest = hashlib.sha256()
    for part in ({key: values[key] for key in values if key not in beside}, *values["traces"]):
        check()
        doubles = json.loads(json.dumps(part), parse_int=float)
        digest.update(json.dumps(doubles, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def json_values(part: BaseModel) -> dict[str, Any]:
    """A part of a report as JSON values."""
    return part.model_dump(mode="json", by_alias=True)


def report_json(report: Part) -> bytes:
    """A report as UTF-8 with a stable key order, indented by two spaces, ending in a line feed.

    Control characters and invisible ones are escaped.
    """
    text = report.model_dump_json(indent=2, by_alias=True)
    return _UNSEEN.sub(_escaped, text).encode() + b"\n"


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def report_schema() -> dict[str, object]:
    """The JSON Schema of the report, generated from its models."""
    schema = Report.model_json_schema(mode="serialization", by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
