"""The words for steps: what kind one is of, and what it brings."""

from kpinspector.scoring.formula.evidence import MARK_DIMENSIONS
from kpinspector.trace.model import StepType
from kpinspector.trace.tree import Mark
from kpinspector.words.sentences import DIMENSION_NAMES

MARK_WORDS = {
    Mark.NEW_TYPE: "new type",
    Mark.FIRST_TOOL: "first use",
    Mark.RECOVERY: "recovery",
}

_KIND_WORDS = {
    StepType.THOUGHT: "Thought",
    StepType.TOOL_CALL: "Tool call",
    StepType.OBSERVATION: "Observation",
    StepType.ERROR_RECOVERY: "Recovery",
}


def kind_word(kind: StepType | None) -> str:
    """The word for a kind of step."""
    return "Unknown type" if kind is None else _KIND_WORDS[kind]


def mark_phrase(mark: Mark) -> str:
    """What a mark says, for those who do not see the badge."""
    return f"{DIMENSION_NAMES[MARK_DIMENSIONS[mark]].lower()}: {MARK_WORDS[mark]}"
