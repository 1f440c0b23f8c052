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
    SCORED = "scored"
    ASSUMED = "assumed"
    PENDING = "pending"
    DECIDED = "decided"
    PROBLEM = "problem"
    SKIPPED = "skipped"
    REPORT = "report"


class Traits(NamedTuple):
    """By what a row is counted.

    Attributes:
        state: Its state.
        found: The text of the filter finds it.
        assumed: Its score stands on an assumed novelty.
        bin: Where its score lies; None where it has none.
        below: Its score is below the threshold, whatever its state.
    """

    state: State
    found: bool = True
    assumed: bool = False
    bin: int | None = None
    below: bool = False


class Spread(NamedTuple):
    """How scores are spread.

    Attributes:
        accepted: For every step of 0.05, how many scores are accepted.
        others: The same of those that are not.
        below: How many scores are below the threshold.
    """

    accepted: tuple[int, ...] = (0,) * BINS
    others: tuple[int, ...] = (0,) * BINS
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
        accepted, others, below = [0] * BINS, [0] * BINS, 0
        for traits, number in self.items():
            if traits.found and traits.bin is not None and traits.state in states:
                (accepted if traits.state is State.ACCEPTED else others)[traits.bin] += number
                below += number * traits.below
        return Spread(tuple(accepted), tuple(others), below)


def traits_of(document: "Document", *, found: bool) -> Traits:
    """By what a row is counted."""
    score = document.score
    if score is None:
        return Traits(document.state, found)
    below = score < document.rules.threshold
    return Traits(document.state, found, document.assumed, bin_of(score), below)


def bin_of(score: float) -> int:
    """The step of 0.05 in which a score lies; those outside 0..1 lie at the ends."""
    # the small share keeps 0.15, which is a little less than three times 0.05, in its place
    return min(BINS - 1, int(min(1.0, max(0.0, score)) * BINS + 1e-9))


def _kinds(traits: Traits) -> tuple[Kind, ...]:
    if traits.state in _OTHERS:
        return _OTHERS[traits.state]
    if traits.bin is not None:
        return _ASSUMED if traits.assumed else _SCORED
    return _PENDING if traits.state is State.PENDING else _DECIDED


_SCORED = (Kind.TRACE, Kind.SCORED)
_ASSUMED = (*_SCORED, Kind.ASSUMED)
_PENDING = (Kind.TRACE, Kind.PENDING)
_DECIDED = (*_PENDING, Kind.DECIDED)
_OTHERS = {
    State.NOT_SCORABLE: (Kind.TRACE, Kind.PROBLEM),
    State.UNREADABLE: (Kind.PROBLEM,),
    State.SKIPPED: (Kind.SKIPPED,),
    State.REPORT: (Kind.REPORT,),
}
