"""The words for steps: their kinds, and what they bring."""

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.gates import MARK_DIMENSIONS
from kpinspector.trace.model import StepType
from kpinspector.trace.tree import Mark
from kpinspector.words.say import Names, say
from kpinspector.words.sentences import DIMENSION_WORDS

MARK_WORDS = Names(
    {
        Mark.NEW_TYPE: Phrase("new type"),
        Mark.FIRST_TOOL: Phrase("first use"),
        Mark.RECOVERY: Phrase("recovery"),
    }
)

_KIND_WORDS = Names(
    {
        StepType.THOUGHT: Phrase("Thought"),
        StepType.TOOL_CALL: Phrase("Tool call"),
        StepType.OBSERVATION: Phrase("Observation"),
        StepType.ERROR_RECOVERY: Phrase("Recovery"),
    }
)


def kind_word(kind: StepType | None) -> str:
    """The word for a kind of step."""
    return say("Unknown type") if kind is None else _KIND_WORDS[kind]


def mark_phrase(mark: Mark) -> str:
    """The words for a mark, for readers who do not see its badge."""
    dimension = DIMENSION_WORDS[MARK_DIMENSIONS[mark]]
    return say("{dimension}: {note}", dimension=dimension, note=MARK_WORDS[mark])
