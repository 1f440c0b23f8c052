"""How many rows the list has of each kind and state, and how their scores are spread."""

from collections import Counter
from collections.abc import Collection
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from kpinspector.app.judging import State

if TYPE_CHECKING:
    from kpinspector.app.document import Document

BINS = 20


class Kind(StrEnum):
    """What the status bar counts; a row can be of several kinds.

    What could not be read is no trace, and neither is what is skipped or a report.
    """

    TRACE = "trace"
    IMPORTED = "imported"
    RUNNING = "running"
    SCORED = "scored"
    UNDECIDED = "undecided"
    ASSUMED = "assumed"
    PENDING = "pending"
    DECIDED = "decided"
    PROBLEM = "problem"
    SKIPPED = "skipped"
    REPORT = "report"
    UNREAD = "unread"


class Traits(NamedTuple):
    """By what a row is counted.

    Attributes:
        state: Its state.
        found: The text of the filter finds it.
        assumed: Its score stands on an assumed novelty.
        bin: Where its score lies, or the middle of those that are possible as the outcome is not
            known; None where it has neither.
        below: Its score is below the threshold, whatever its state; never of one undecided.
        imported: It is a run of another agent.
        running: It is still being written.
    """

    state: State
    found: bool = True
    assumed: bool = False
    bin: int | None = None
    below: bool = False
    imported: bool = False
    running: bool = False


class Spread(NamedTuple):
    """How scores are spread.

    Attributes:
        accepted: For every step of 0.05, how many scores are accepted.
        others: The same of those that are not.
        undecided: The same of those that may be.
        below: How many scores are below the threshold.
    """

    accepted: tuple[int, ...] = (0,) * BINS
    others: tuple[int, ...] = (0,) * BINS
    undecided: tuple[int, ...] = (0,) * BINS
    below: int = 0


class RowCounts(Counter[Traits]):
    """How many records have the same traits: one change costs the same in a list of any length.

    A row that stands for several problems counts as so many.
    """

    def kinds(self) -> Counter[Kind]:
        """How many there are of each kind."""
        counts: Counter[Kind] = Counter()
        for traits, number in self.items():
            for kind in _kinds(traits):
                counts[kind] += number
        return counts

    def states(self) -> Counter[State]:
        """How many of what the filter's text finds are in each state."""
        counts: Counter[State] = Counter()
        for traits, number in self.items():
            if traits.found:
                counts[traits.state] += number
        return counts

    def spread(self, states: Collection[State]) -> Spread:
        """The scores of what the filter's text finds in one of these states."""
        accepted, others, undecided = [0] * BINS, [0] * BINS, [0] * BINS
        sides, below = {State.ACCEPTED: accepted, State.UNDECIDED: undecided}, 0
        for traits, number in self.items():
            if traits.found and traits.bin is not None and traits.state in states:
                sides.get(traits.state, others)[traits.bin] += number
                below += number * traits.below
        return Spread(tuple(accepted), tuple(others), tuple(undecided), below)


def traits_of(document: "Document", *, found: bool) -> Traits:
    """By what a row is counted."""
    score, state, imported = document.score, document.state, document.format is not None
    running = document.running
    if score is None and document.measured is not None and document.bounds is not None:
        score = sum(document.bounds) / 2
    if score is None:
        return Traits(state, found, imported=imported, running=running)
    below = score < document.rules.threshold and state is not State.UNDECIDED
    return Traits(state, found, document.assumed, bin_of(score), below, imported, running)


def bin_of(score: float) -> int:
    """The step of 0.05 in which a score lies; those outside 0..1 lie at the ends."""
    # the small share keeps 0.15, which is a little less than three times 0.05, in its place
    return min(BINS - 1, int(min(1.0, max(0.0, score)) * BINS + 1e-9))


def _kinds(traits: Traits) -> tuple[Kind, ...]:
    if traits.state in _OTHERS:
        return _OTHERS[traits.state]
    scored = traits.bin is not None
    held = {
        Kind.IMPORTED: traits.imported,
        Kind.RUNNING: traits.running,
        Kind.SCORED: scored,
        Kind.UNDECIDED: traits.state is State.UNDECIDED,
        Kind.ASSUMED: scored and traits.assumed,
        Kind.PENDING: not scored,
        Kind.DECIDED: not scored and traits.state is not State.PENDING,
    }
    return (Kind.TRACE, *(kind for kind, holds in held.items() if holds))


_OTHERS = {
    State.NOT_SCORABLE: (Kind.TRACE, Kind.PROBLEM),
    State.UNREADABLE: (Kind.PROBLEM,),
    State.SKIPPED: (Kind.SKIPPED,),
    State.REPORT: (Kind.REPORT,),
    State.UNREAD: (Kind.TRACE, Kind.IMPORTED, Kind.UNREAD),
}
