"""The words for steps: what kind one is of, and what it brings."""

from kpinspector.scoring.formula.evidence import MARK_DIMENSIONS
from kpinspector.trace.model import StepType
from kpinspector.trace.tree import Mark
from kpinspector.words.say import say
from kpinspector.words.sentences import DIMENSION_NAMES

MARK_WORDS = {
    Mark.NEW_TYPE: say("new type"),
    Mark.FIRST_TOOL: say("first use"),
    Mark.RECOVERY: say("recovery"),
}

_KIND_WORDS = {
    StepType.THOUGHT: say("Thought"),
    StepType.TOOL_CALL: say("Tool call"),
    StepType.OBSERVATION: say("Observation"),
    StepType.ERROR_RECOVERY: say("Recovery"),
}


def kind_word(kind: StepType | None) -> str:
    """The word for a kind of step."""
    return say("Unknown type") if kind is None else _KIND_WORDS[kind]


def mark_phrase(mark: Mark) -> str:
    """What a mark says, for those who do not see the badge."""
    dimension = DIMENSION_NAMES[MARK_DIMENSIONS[mark]].lower()
    return say("{dimension}: {note}", dimension=dimension, note=MARK_WORDS[mark])
