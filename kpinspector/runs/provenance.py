"""The origin of each value of a run's trace, and the text of each step in the recording."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from kpinspector.errors import KpError
from kpinspector.runs.archive import DamagedError, recorded
from kpinspector.runs.database import loaded
from kpinspector.runs.read import Imported, RunRecord
from kpinspector.runs.run import BlockPlace
from kpinspector.runs.texts import closed
from kpinspector.trace.bytes import decode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.javascript import DECODER, JsonObject, JsonPath, set_key
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.trace.place import offset_of
from kpinspector.trace.step_source import StepSource


class ValueOrigin(StrEnum):
    """Where a value of a run's trace comes from."""

    RECORDED = "recorded"
    DERIVED = "derived"
    STATED = "stated"
    CHOSEN = "chosen"
    ABSENT = "absent"


class TraceField(StrEnum):
    """The values of a trace that a recording may lack."""

    OBJECTIVE = "objective"
    STEPS = "steps"
    RECOVERIES = "recoveries"
    CREATED_AT = "created_at"
    RESULT_SUMMARY = "result_summary"
    CONFIDENCE = "confidence"
    SUCCESS = "success"
    TASK_DOMAIN = "task_domain"
    QUALITY_SCORE = "quality_score"
    VISIBILITY = "visibility"
    PRIVACY_LEVEL = "privacy_level"


def origins(imported: Imported) -> Mapping[TraceField, ValueOrigin]:
    """The origin of each value of a run's trace."""
    made, recorded, stated = imported.mapped, imported.verified, imported.stated.outcome
    domain = _recorded(imported.domain) if imported.stated.domain is None else ValueOrigin.CHOSEN
    return {
        TraceField.OBJECTIVE: _recorded(made.objective),
        TraceField.STEPS: ValueOrigin.RECORDED,
        TraceField.RECOVERIES: ValueOrigin.DERIVED if made.derived else ValueOrigin.ABSENT,
        TraceField.CREATED_AT: _recorded(made.created_at),
        TraceField.RESULT_SUMMARY: _recorded(made.result_summary),
        TraceField.CONFIDENCE: _outcome(recorded.confidence, stated.confidence),
        TraceField.SUCCESS: _outcome(recorded.success, stated.success),
        TraceField.TASK_DOMAIN: domain,
        TraceField.QUALITY_SCORE: ValueOrigin.ABSENT,
        TraceField.VISIBILITY: ValueOrigin.ABSENT,
        TraceField.PRIVACY_LEVEL: ValueOrigin.ABSENT,
    }


def _recorded(value: object) -> ValueOrigin:
    return ValueOrigin.ABSENT if value is None else ValueOrigin.RECORDED


def _outcome(recorded: object, stated: object) -> ValueOrigin:
    if recorded is not None:
        return ValueOrigin.RECORDED
    return ValueOrigin.ABSENT if stated is None else ValueOrigin.STATED


def without_derived(record: RunRecord, index: int | None = None) -> ReasoningTrace:
    """The trace of a run without derived recoveries, or without the one at an index."""
    trace = record.trace
    derived = record.imported.mapped.derived if index is None else {index}
    steps: list[Step] = []
    for step in trace.steps:
        kind = StepType.THOUGHT if step.tool_key is None else StepType.TOOL_CALL
        value = {**step.raw, "type": str(kind)}
        plain = replace(step, kind=kind, type_key=set_key(str(kind)), value=value)
        steps.append(plain if step.index in derived else step)
    return replace(trace, steps=tuple(steps))


@dataclass(frozen=True, slots=True)
class RunPlace:
    """The place of a step in a recording.

    ``raw``: the trace that was made of the run; a new object each time the file is read.
    """

    path: str
    place: BlockPlace
    raw: JsonObject = field(repr=False, compare=False)


def run_place(record: RunRecord, step: int | None) -> RunPlace | None:
    """The place of a step, or of the objective; None if no objective is recorded."""
    mapped = record.imported.mapped
    place = mapped.prompt if step is None else mapped.places[step]
    return None if place is None else RunPlace(record.source.path, place, record.trace.raw)


def read_source(place: RunPlace) -> StepSource:
    """The text of a step; no lines if the file can no longer be read, or lacks that place."""
    chunk = place.place.chunk
    try:
        found = loaded(FoundFile(Path(place.path), place.path, named=True))
        text = closed(recorded(decode(found).data, chunk)).decode()
        if not _has(text, place.place.path):
            return StepSource()
        begin = offset_of(text, place.place.path)
        end = DECODER.raw_decode(text, begin)[1]
        first = chunk.line + text.count("\n", 0, begin)
    except (OSError, ValueError, KpError, DamagedError):
        return StepSource()
    return StepSource(tuple(line.rstrip("\r") for line in text[begin:end].split("\n")), first)


def _has(text: str, path: JsonPath) -> bool:
    """Whether a text is one JSON value that has a value at the path."""
    value, end = DECODER.raw_decode(text)
    for part in path:
        inside = isinstance(value, dict if isinstance(part, str) else list)
        if not inside or (part not in value if isinstance(part, str) else part >= len(value)):
            return False
        value = value[part]
    return not text[end:].strip()
