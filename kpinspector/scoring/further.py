"""What is looked up for an explanation on request, as it takes the memory and the model."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kpinspector.scoring.batch import Measured, origin_of
from kpinspector.scoring.embedder import Embedder
from kpinspector.scoring.findings import Finding
from kpinspector.scoring.measure import look
from kpinspector.scoring.whole_text import WholeText, measure_whole

if TYPE_CHECKING:
    from kpinspector.scoring.memory import Memory


@dataclass(frozen=True, slots=True)
class WholeNovelty:
    """A whole text, window after window, and what it would be found like today."""

    text: WholeText
    finding: Finding


@dataclass(frozen=True, slots=True)
class Further:
    """What was asked for: today's nearest entries, novelty over the whole text."""

    today: Finding | None = None
    whole: WholeNovelty | None = None


def look_today(
    measured: Measured, embedder: Embedder, memory: "Memory", whole: WholeText | None = None
) -> Finding:
    """Today's nearest entries of a trace, or of its whole text; nothing is remembered.

    Raises:
        ModelError: the embedder cannot be used.
    """
    origin = origin_of(measured.record, measured.place)
    vector = None if whole is None else whole.vector
    return look(measured.record.trace, origin, embedder, memory, vector)


def measure_all(measured: Measured, embedder: Embedder, memory: "Memory") -> WholeNovelty:
    """Novelty over all of a trace's text; one embedding for each 512 tokens.

    Raises:
        ModelError: the embedder cannot be used.
    """
    *_, whole = measure_whole(measured.record.trace.text, embedder)
    return WholeNovelty(whole, look_today(measured, embedder, memory, whole))
