"""The list of traces, the pages of rows that are no trace, and what rows are counted by."""

from collections import Counter
from collections.abc import Collection
from enum import StrEnum
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from kpinspector.app.values import State

if TYPE_CHECKING:
    from kpinspector.app.document import Document


BINS = 20
_SIDES = {State.ACCEPTED: 1, State.UNDECIDED: 2}


class Kind(StrEnum):
    """What the status bar counts; a row can be of several kinds.

    Unreadable and skipped rows do not count as traces, nor do reports.
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
    """What a row is counted by.

    Attributes:
        state: The state of the row.
        found: Whether the filter's text finds it.
        assumed: Whether its score rests on an assumed novelty.
        bin: The number of its histogram column; for an unknown outcome that of the middle of the
            possible scores; None without scores.
        below: Whether its score is below the threshold, whatever its state; never if undecided.
        imported: Whether it is a run of another agent.
        running: Whether its recording is still being written.
        file: Whether it is a skipped file of a folder, which is hidden unless a filter is set.
    """

    state: State
    found: bool = True
    assumed: bool = False
    bin: int | None = None
    below: bool = False
    imported: bool = False
    running: bool = False
    file: bool = False


NO_TRAITS = Traits(State.PENDING)


class Spread(NamedTuple):
    """How scores are distributed.

    Attributes:
        columns: For every step of 0.05, the numbers of not accepted, accepted and undecided rows.
        below: How many scores are below the threshold.
    """

    columns: tuple[tuple[int, int, int], ...] = ((0, 0, 0),) * BINS
    below: int = 0


class RowCounts(Counter[Traits]):
    """Counts records by traits, so that a change costs the same however long the list is.

    A row that stands for several problems counts as that many.
    """

    def kinds(self) -> Counter[Kind]:
        """How many rows there are of each kind."""
        counts: Counter[Kind] = Counter()
        for traits, number in self.items():
            for kind in _kinds(traits):
                counts[kind] += number
        return counts

    def states(self, *, found: bool = True) -> Counter[State]:
        """How many rows are in each state; by default only those that contain the filter's text."""
        counts: Counter[State] = Counter()
        for traits, number in self.items():
            if traits.found or not found:
                counts[traits.state] += number
        return counts

    def spread(self, states: Collection[State]) -> Spread:
        """The distribution of the scores of rows in these states that contain the filter's text."""
        columns, below = [[0, 0, 0] for _ in range(BINS)], 0
        for traits, number in self.items():
            if traits.found and traits.bin is not None and traits.state in states:
                columns[traits.bin][_SIDES.get(traits.state, 0)] += number
                below += number * traits.below
        return Spread(tuple([(no, yes, maybe) for no, yes, maybe in columns]), below)


def traits_of(document: "Document", *, found: bool) -> Traits:
    """What a row is counted by; ``found``: it contains the filter's text."""
    score, state, imported = document.score, document.state, document.format is not None
    running = document.running
    if score is None and document.measured is not None and document.bounds is not None:
        score = sum(document.bounds) / 2
    if score is None:
        file = document.is_other_file
        return Traits(state, found, imported=imported, running=running, file=file)
    below = score < document.rules.threshold and state is not State.UNDECIDED
    return Traits(state, found, document.assumed, bin_of(score), below, imported, running)


def bin_of(score: float) -> int:
    """The histogram column of a score; scores outside 0 to 1 count in the end columns."""
    # the addend keeps 0.15, which is a little less than three times 0.05, in its own column
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
    return (Kind.TRACE, *compress(held, held.values()))


_OTHERS = {
    State.NOT_SCORABLE: (Kind.TRACE, Kind.PROBLEM),
    State.UNREADABLE: (Kind.PROBLEM,),
    State.SKIPPED: (Kind.SKIPPED,),
    State.REPORT: (Kind.REPORT,),
    State.UNREAD: (Kind.TRACE, Kind.IMPORTED, Kind.UNREAD),
}
