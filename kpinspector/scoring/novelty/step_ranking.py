"""Which steps make a trace like another: the similarity that is lost when each is left out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.trace.model import ReasoningTrace, Step

if TYPE_CHECKING:
    from kpinspector.scoring.model.vectors import Vector


@dataclass(frozen=True, slots=True)
class StepFall:
    """One step: how similar the trace is without it, and how much less than with it.

    Attributes:
        fall: Negative where the trace is more similar without the step.
    """

    step: int
    similarity: float
    fall: float


@dataclass(frozen=True, slots=True)
class StepRanking:
    """The steps measured so far.

    Attributes:
        similarity: Of the whole trace to the other one.
        falls: The largest first; of equal ones the earlier step.
        total: The number of steps that can be measured.
    """

    similarity: float
    falls: tuple[StepFall, ...]
    total: int

    @property
    def complete(self) -> bool:
        """Every step was left out once."""
        return len(self.falls) == self.total


def rank_steps(trace: ReasoningTrace, embedder: Embedder, other: "Vector") -> Iterator[StepRanking]:
    """Leave out each step that the window reaches, in turn, and compare with another vector.

    Leaving one out draws later text into the window, so every text is embedded really. What is
    ranked so far comes after each embedding, at first without any step; whoever had enough stops
    asking. There are at most as many as the window has tokens.

    Raises:
        ModelError: the embedder cannot be used.
    """
    from kpinspector.scoring.model.vectors import VectorCache  # noqa: PLC0415 - with numpy, on first use

    cache = VectorCache(max_elements=1)
    cache.add(other)
    window = embedder.window(trace.text)
    steps = _reached(trace, window, embedder)
    whole = cache.max_cosine_similarity(embedder.embed(window))
    falls: list[StepFall] = []
    known = {window.digest: whole}
    yield StepRanking(whole, (), len(steps))
    for step in steps:
        without = embedder.window(text_without(trace, step.index))
        similarity = known.get(without.digest)
        if similarity is None:
            similarity = cache.max_cosine_similarity(embedder.embed(without))
            known[without.digest] = similarity
        falls.append(StepFall(step.index, similarity, whole - similarity))
        falls.sort(key=lambda one: (-one.fall, one.step))
        yield StepRanking(whole, tuple(falls), len(steps))


def text_without(trace: ReasoningTrace, index: int) -> str:
    """What the embedder may see of the trace with one step left out."""
    return replace(trace, steps=(*trace.steps[:index], *trace.steps[index + 1 :])).text


def _reached(trace: ReasoningTrace, window: Window, embedder: Embedder) -> tuple[Step, ...]:
    """The steps with a token of their own in the window."""
    nothing = embedder.window("").ids
    reached, start = [], len(trace.objective)
    for step in trace.steps:
        if start >= window.end:
            break
        if embedder.window(step.content).ids != nothing:
            reached.append(step)
        start += 1 + len(step.content)
    return tuple(reached)
