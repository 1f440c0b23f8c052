"""How many rows there are of each kind, counted as they come, change and go."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from kpinspector.app.judging import State

if TYPE_CHECKING:
    from kpinspector.app.document import Document


class Kind(StrEnum):
    """What is counted; a row can be of several kinds.

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


class Tally:
    """Counts that cost as much as what is new, however long the list is.

    A row that stands for several problems counts as so many.
    """

    def __init__(self) -> None:
        self._kinds: dict[int, dict[Kind, int]] = {}
        self.counts: Counter[Kind] = Counter()
        self._total = 0

    def put(self, documents: "Iterable[Document]") -> None:
        """Count rows that came or changed."""
        for document in documents:
            before = self._kinds.get(document.number, {})
            kinds = dict.fromkeys(_kinds(document), document.count)
            if kinds != before:
                self.counts.subtract(before)
                self.counts.update(kinds)
                self._total += document.count - max(before.values(), default=0)
                self._kinds[document.number] = kinds

    def remove(self, numbers: Sequence[int]) -> None:
        """Discount rows that went."""
        for number in numbers:
            before = self._kinds.pop(number, {})
            self.counts.subtract(before)
            self._total -= max(before.values(), default=0)

    def __len__(self) -> int:
        return self._total

    def __getitem__(self, kind: Kind) -> int:
        return self.counts[kind]


def _kinds(document: "Document") -> tuple[Kind, ...]:
    if document.record is not None:
        if document.measured is not None:
            kinds = (Kind.TRACE, Kind.SCORED)
            return (*kinds, Kind.ASSUMED) if document.assumed else kinds
        kinds = (Kind.TRACE, Kind.PENDING)
        return kinds if document.verdict is None else (*kinds, Kind.DECIDED)
    return _OTHERS[document.state]


_OTHERS = {
    State.NOT_SCORABLE: (Kind.TRACE, Kind.PROBLEM),
    State.UNREADABLE: (Kind.PROBLEM,),
    State.SKIPPED: (Kind.SKIPPED,),
    State.REPORT: (Kind.REPORT,),
}
