"""The parts of an explanation that need the memory and the model, looked up on request only."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from kpinspector.scoring.findings import Finding
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import look
from kpinspector.scoring.novelty.sequence import Measured, origin_of
from kpinspector.scoring.novelty.step_ranking import StepRanking, rank_steps
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.records import TraceRecord

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Alike:
    """What makes a trace like its nearest neighbour.

    Attributes:
        ranking: The similarity that is lost without each step.
        words: How many different words novelty sees; None where the neighbour is not at hand.
        shared_words: How many of them it sees in the neighbour as well.
        tokens: How many novelty reads.
        same_prompt: With how many of them the prompts of both begin.
    """

    ranking: StepRanking
    words: int | None = None
    shared_words: int = 0
    tokens: int = 0
    same_prompt: int = 0


@dataclass(frozen=True, slots=True)
class Further:
    """What was looked up.

    Attributes:
        today: Today's nearest entries.
        alike: What makes the trace like its nearest neighbour.
    """

    today: Finding | None = None
    alike: Alike | None = None


def look_today(measured: Measured, embedder: Embedder, memory: "Memory") -> Finding:
    """Today's nearest entries of a trace; nothing is remembered.

    Raises:
        ModelError: the embedder cannot be used.
    """
    origin = origin_of(measured.record, measured.place)
    return look(measured.record.trace, origin, embedder, memory)


def look_alike(
    measured: Measured, other: TraceRecord | None, embedder: Embedder, memory: "Memory"
) -> Iterator[Alike]:
    """What makes a trace like its nearest neighbour, as far as it is known.

    Yields as ``rank_steps`` does, and nothing where the neighbour is not remembered any more.

    Args:
        measured: The trace.
        other: The neighbour, where its text can be read now.
        embedder: Embeds the text once for each step that novelty sees.
        memory: Holds the neighbour.

    Raises:
        ModelError: the embedder cannot be used.
    """
    nearest = next(iter(measured.measurement.novelty.neighbours), None)
    vector = None if nearest is None else memory.vector_of(nearest.key, embedder.model)
    if vector is None:
        return
    trace, found = measured.record.trace, None
    for ranking in rank_steps(trace, embedder, vector):
        found = found or _beside(ranking, trace, other, embedder)
        yield replace(found, ranking=ranking)


def _beside(
    ranking: StepRanking, trace: ReasoningTrace, other: TraceRecord | None, embedder: Embedder
) -> Alike:
    """The ranking, and what the texts of both say."""
    if other is None:
        return Alike(ranking)
    window, theirs = (embedder.window(one.text) for one in (trace, other.trace))
    words = _words(trace.text[: window.end])
    return Alike(
        ranking,
        words=len(words),
        shared_words=len(words & _words(other.trace.text[: theirs.end])),
        tokens=len(window.ids),
        same_prompt=_same_prompt(trace, other.trace, embedder),
    )


def _words(text: str) -> frozenset[str]:
    """All different ones."""
    return frozenset(_WORD.findall(text.casefold()))


def _same_prompt(trace: ReasoningTrace, other: ReasoningTrace, embedder: Embedder) -> int:
    """With how many tokens of both prompts both windows begin."""
    ids = [embedder.window(one).ids for one in (trace.text, other.text)]
    prompts = [embedder.window(one.objective).ids for one in (trace, other)]
    places = enumerate(zip(*ids, *prompts, strict=False))
    same = next((n for n, found in places if len({*found}) > 1), min(map(len, (*ids, *prompts))))
    return same if same > 1 else 0  # the first token opens every window
