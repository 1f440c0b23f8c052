"""The parts of an explanation that need the memory and the model, looked up on request only."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kpinspector.scoring.findings import Finding
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import look
from kpinspector.scoring.novelty.sequence import Measured, origin_of
from kpinspector.scoring.novelty.whole_text import WholeFinding, WholeText

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory


@dataclass(frozen=True, slots=True)
class WholeNovelty:
    """A whole text, window after window, and its comparison with the whole texts at hand."""

    text: WholeText
    finding: WholeFinding


@dataclass(frozen=True, slots=True)
class Further:
    """What was looked up: today's nearest entries, and novelty over the whole text."""

    today: Finding | None = None
    whole: WholeNovelty | None = None


def look_today(measured: Measured, embedder: Embedder, memory: "Memory") -> Finding:
    """Today's nearest entries of a trace; nothing is remembered.

    Raises:
        ModelError: the embedder cannot be used.
    """
    origin = origin_of(measured.record, measured.place)
    return look(measured.record.trace, origin, embedder, memory)
