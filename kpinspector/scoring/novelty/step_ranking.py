"""Ranks steps by how much each contributes to the similarity of a trace to another."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.trace.model import ReasoningTrace, Step

if TYPE_CHECKING:
    from kpinspector.scoring.model.vectors import Vector


@dataclass(frozen=True, slots=True)
class StepFall:
    """The effect of leaving out one step.

    Attributes:
        step: The index of the step.
        similarity: The cosine similarity to the other trace without it, -1..1.
        fall: How much less that is than with it; negative where the similarity rises.
    """

    step: int
    similarity: float
    fall: float


@dataclass(frozen=True, slots=True)
class StepRanking:
    """The steps measured so far.

    Attributes:
        similarity: The cosine similarity of the whole trace to the other one, -1..1.
        falls: Largest first; equal ones in the order of the steps.
        total: The number of steps to measure: those within the model's window.
    """

    similarity: float
    falls: tuple[StepFall, ...]
    total: int

    @property
    def complete(self) -> bool:
        """Every step has been measured."""
        return len(self.falls) == self.total


def rank_steps(trace: ReasoningTrace, embedder: Embedder, other: "Vector") -> Iterator[StepRanking]:
    """Leave out each step within the model's window in turn, and compare with another vector.

    Leaving out a step draws later text into the window, so each shortened text is embedded anew.
    Yields the ranking so far, first without any step and then after each one; the caller may stop
    at any time. There are at most as many steps as the window has tokens.

    Args:
        trace: The trace whose steps are ranked.
        embedder: Embeds the shortened texts.
        other: The vector of the other trace, shape (384,).

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
    """The text of the trace with one step left out."""
    return replace(trace, steps=(*trace.steps[:index], *trace.steps[index + 1 :])).text


def _reached(trace: ReasoningTrace, window: Window, embedder: Embedder) -> tuple[Step, ...]:
    """The steps that have at least one token within the window."""
    nothing = embedder.window("").ids
    reached, start = [], len(trace.objective)
    for step in trace.steps:
        if start >= window.end:
            break
        if embedder.window(step.content).ids != nothing:
            reached.append(step)
        start += 1 + len(step.content)
    return tuple(reached)
