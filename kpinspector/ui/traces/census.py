"""How many rows are in which state, and how their scores are spread: counted by differences."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kpinspector.app.document import Document, State

BINS = 20


class Share(NamedTuple):
    """What one row adds to the counts.

    Attributes:
        state: None where the row does not count.
        bin: Where its score lies; None where it has none or is not shown.
        below: Its score is below the threshold, whatever its state.
        number: How many records it stands for.
    """

    state: State | None = None
    bin: int | None = None
    below: bool = False
    number: int = 1


NO_SHARE = Share()


def share_of(document: Document, state: State, *, shown: bool) -> Share:
    """What a row that counts adds; its score counts only while it is shown."""
    score = document.score
    if score is None or not shown:
        return Share(state, number=document.count)
    return Share(state, bin_of(score), score < document.rules.threshold)


def bin_of(score: float) -> int:
    """The step of 0.05 in which a score lies; those outside 0..1 lie at the ends."""
    # the small share keeps 0.15, which is a little less than three times 0.05, in its place
    return min(BINS - 1, int(min(1.0, max(0.0, score)) * BINS + 1e-9))


class Census:
    """The counts of a list, row by row: they cost as much as what changes, however long it is.

    Attributes:
        states: How many rows are in each state.
        accepted: For every step of 0.05, how many scores are accepted.
        others: The same of those that are not.
        below: How many scores are below the threshold.
    """

    def __init__(self) -> None:
        self._shares: list[Share] = []
        self._clear()

    def _clear(self) -> None:
        self.states: Counter[State] = Counter()
        self.accepted = [0] * BINS
        self.others = [0] * BINS
        self.below = 0

    def reset(self, shares: Iterable[Share]) -> None:
        """Count these rows and no others."""
        self._shares = list(shares)
        self._clear()
        self._count(self._shares, 1)

    def insert(self, row: int, shares: Sequence[Share]) -> None:
        """Count rows that came in front of ``row``."""
        self._shares[row:row] = shares
        self._count(shares, 1)

    def replace(self, row: int, shares: Sequence[Share]) -> None:
        """Count rows anew, from ``row`` on."""
        old = self._shares[row : row + len(shares)]
        self._shares[row : row + len(shares)] = shares
        self._count(old, -1)
        self._count(shares, 1)

    def remove(self, first: int, last: int) -> None:
        """Discount rows that went."""
        self._count(self._shares[first : last + 1], -1)
        del self._shares[first : last + 1]

    def _count(self, shares: Iterable[Share], by: int) -> None:
        for state, place, below, number in shares:
            if state is None:
                continue
            self.states[state] += by * number
            if place is not None:
                bins = self.accepted if state is State.ACCEPTED else self.others
                bins[place] += by
                self.below += by * below
