"""The rows of the list: a document each, or a heading over those of one kind."""

from dataclasses import replace
from enum import StrEnum
from sys import maxsize

from kpinspector.app.document import Document, State
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.ui.look.state_words import state_word
from kpinspector.ui.traces.further_columns import FURTHER_COLUMNS, REACH_ORDER, further_key
from kpinspector.ui.traces.row_counts import Traits
from kpinspector.ui.traces.row_values import NOWHERE, BatchPlace
from kpinspector.ui.traces.trace_query import Query
from kpinspector.ui.traces.trace_row import (
    SortKey,
    TraceColumn,
    TraceRow,
    lasting_keys,
    searched_text,
    sort_key,
)
from kpinspector.words.changes import REACH_PHRASES
from kpinspector.words.figures import shown_count
from kpinspector.words.say import capitalised, say, say_count

_ALONE, _WAITING, _NO_TRACE = maxsize - 2, maxsize - 1, maxsize
_STATES = tuple(State)
_REACHES = tuple(ReachKind)


class Grouping(StrEnum):
    """What the rows of the list are put together by."""

    NONE = ""
    GROUP = "group"
    REACH = "reach"
    VERDICT = "verdict"


class ListEntry:
    """A document of the list, with what was made of it once.

    Attributes:
        traits: What it is counted by.
        kept: Whether the filter keeps it.
        listed: Whether it is among the rows that the views know.
        row: What is shown of it, once it was asked for.
        place: Where it stands among all open traces.
    """

    traits: Traits
    kept: bool

    def __init__(self, document: Document) -> None:
        self.listed = False
        self.place = NOWHERE
        self._take(document)

    def _take(self, document: Document) -> None:
        self.document, self.name = document, document.name
        self.row: TraceRow | None = None
        self._searched: str | None = None
        self._keys: dict[TraceColumn, SortKey] = {}
        self.place = replace(self.place, in_clear=None)

    def put(self, document: Document) -> None:
        """Take another value; of the same item, what score and rules do not change is kept."""
        if document.item is not self.document.item:
            self._take(document)
            return
        self.document, self.row = document, None
        if self._keys:
            self._keys = lasting_keys(self._keys)

    def put_at(self, place: BatchPlace) -> None:
        """Take another place among all open traces."""
        self.place = place
        self._keys = lasting_keys(self._keys)

    def is_found(self, query: Query) -> bool:
        """Whether it is what the filter's text asks for."""
        if query.words and self._searched is None:
            self._searched = searched_text(self.document, self.name)
        return query.keeps(self.document, self._searched or "", self.place)

    def key(self, column: TraceColumn) -> SortKey:
        """What a column sorts it by."""
        if column not in self._keys:
            if column in FURTHER_COLUMNS:
                self._keys[column] = further_key(self.document, self.place, column)
            else:
                self._keys[column] = sort_key(self.document, self.name, column)
        return self._keys[column]

    def section(self, grouping: Grouping) -> int:
        """The number of its section; sections stand in ascending order."""
        document = self.document
        if grouping is Grouping.VERDICT:
            return _STATES.index(document.state)
        if document.record is None and document.unread is None:
            return _NO_TRACE
        if grouping is Grouping.REACH:
            return _WAITING if document.reach is None else REACH_ORDER[document.reach]
        group = self.place.group
        return _WAITING if group is None else group or _ALONE


class Heading:
    """Stands over the rows of one section, or in their place where it is folded.

    Attributes:
        section: The number of the section.
        words: What its rows have in common.
        count: How many rows it has.
        folded: Whether they are hidden.
        listed: Whether it is among the rows that the views know.
    """

    def __init__(self, grouping: Grouping, section: int) -> None:
        self.section = section
        self.words = _words(grouping, section)
        self.count = 0
        self.folded = False
        self.listed = False

    @property
    def spoken(self) -> str:
        """What is read out for it."""
        if self.folded:
            return say_count(
                "{words}, {number} row, folded",
                "{words}, {number} rows, folded",
                self.count,
                words=self.words,
            )
        return say_count(
            "{words}, {number} row", "{words}, {number} rows", self.count, words=self.words
        )


def _words(grouping: Grouping, section: int) -> str:
    if section == _NO_TRACE:
        return say("No trace")
    if grouping is Grouping.VERDICT:
        return capitalised(state_word(_STATES[section]))
    if grouping is Grouping.REACH:
        scored = section != _WAITING
        return capitalised(REACH_PHRASES[_REACHES[section]]) if scored else say("Not scored yet")
    named = {
        _ALONE: say("Alone: like no other"),
        _WAITING: say("Not compared yet: groups are found on the Batch page"),
    }
    return named.get(section) or say("Group {number}", number=shown_count(section))
