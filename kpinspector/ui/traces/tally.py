"""How many rows there are of each kind, counted as they come, change and go."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from kpinspector.app.judging import State

if TYPE_CHECKING:
    from kpinspector.app.document import Document


class Kind(StrEnum):
    """What the status bar counts; a row can be of several kinds."""

    SCORED = "scored"
    ASSUMED = "assumed"
    PENDING = "pending"
    DECIDED = "decided"
    PROBLEM = "problem"
    SKIPPED = "skipped"
    REPORT = "report"


class Tally:
    """Counts that cost as much as what is new, however long the list is."""

    def __init__(self) -> None:
        self._kinds: dict[int, tuple[Kind, ...]] = {}
        self._counts: Counter[Kind] = Counter()

    def put(self, documents: "Iterable[Document]") -> None:
        """Count rows that came or changed."""
        for document in documents:
            before, kinds = self._kinds.get(document.number), _kinds(document)
            if kinds != before:
                self._counts.subtract(before or ())
                self._counts.update(kinds)
                self._kinds[document.number] = kinds

    def remove(self, numbers: Sequence[int]) -> None:
        """Discount rows that went."""
        for number in numbers:
            self._counts.subtract(self._kinds.pop(number, ()))

    def __len__(self) -> int:
        return len(self._kinds)

    def __getitem__(self, kind: Kind) -> int:
        return self._counts[kind]


def _kinds(document: "Document") -> tuple[Kind, ...]:
    if document.record is not None:
        if document.measured is not None:
            return (Kind.SCORED, Kind.ASSUMED) if document.assumed else (Kind.SCORED,)
        return (Kind.PENDING,) if document.verdict is None else (Kind.PENDING, Kind.DECIDED)
    return (_OTHERS.get(document.state, Kind.PROBLEM),)


_OTHERS = {State.SKIPPED: Kind.SKIPPED, State.REPORT: Kind.REPORT}
