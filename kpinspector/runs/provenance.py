"""The origin of each value of a run's trace, and the trace without its derived recoveries."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from kpinspector.runs.read import Imported, RunRecord
from kpinspector.trace.javascript import set_key
from kpinspector.trace.model import ReasoningTrace, Step, StepType


class ValueOrigin(StrEnum):
    """The origin of a value."""

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
    made, recorded, stated = imported.mapped, imported.verified, imported.stated
    domain = _recorded(imported.domain) if imported.chosen_domain is None else ValueOrigin.CHOSEN
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
    steps = (_plain(step) if step.index in derived else step for step in trace.steps)
    return replace(trace, steps=tuple(steps))


def _plain(step: Step) -> Step:
    kind = StepType.THOUGHT if step.tool_key is None else StepType.TOOL_CALL
    return replace(
        step, kind=kind, type_key=set_key(str(kind)), value={**step.raw, "type": str(kind)}
    )
