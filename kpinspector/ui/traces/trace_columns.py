"""The columns of the list: their names, what stands in each cell, and by what each one sorts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtCore import QObject

from kpinspector.app.document import Document, State
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.look.state_words import state_word
from kpinspector.ui.traces.trace_row import (
    TraceRow,
    about_key,
    margin_key,
    name_key,
    number_key,
    profile_name,
    searched_text,
    source_text,
    step_count,
)

SortKey = int | float | str

_TOOLTIP_LENGTH = 1000
_STATE_ORDER = {state: number for number, state in enumerate(State)}


class TraceColumn(IntEnum):
    """The columns of the list, from left to right."""

    STATE = 0
    SCORE = 1
    BAR = 2
    MARGIN = 3
    TRACE = 4
    PROFILE = 5
    STEPS = 6
    OBJECTIVE = 7
    SOURCE = 8


DEFAULT_COLUMNS = frozenset(
    {TraceColumn.STATE, TraceColumn.SCORE, TraceColumn.BAR, TraceColumn.TRACE}
)
NUMBER_COLUMNS = frozenset({TraceColumn.SCORE, TraceColumn.MARGIN, TraceColumn.STEPS})
SILENT_COLUMNS = frozenset({TraceColumn.STATE, TraceColumn.BAR})  # no word stands over them

# by these no row sorts otherwise because of a score or a rule
_LASTING = (TraceColumn.TRACE, TraceColumn.STEPS, TraceColumn.OBJECTIVE, TraceColumn.SOURCE)


@dataclass(slots=True)
class Entry:
    """A document in the list, with what was made of it once."""

    document: Document
    name: str
    state: State
    row: TraceRow | None = None
    search: str | None = None
    keys: dict[TraceColumn, SortKey] = field(default_factory=dict)

    def put(self, document: Document) -> None:
        """Take the same item with another score or under other rules."""
        self.document, self.state, self.row = document, document.state, None
        if self.keys:
            self.keys = {column: self.keys[column] for column in _LASTING if column in self.keys}

    def searched(self) -> str:
        """In what the filter looks."""
        if self.search is None:
            self.search = searched_text(self.document, self.name)
        return self.search

    def key(self, column: TraceColumn) -> SortKey:
        """By what a column sorts this row."""
        key = self.keys.get(column)
        if key is None:
            key = self.keys[column] = _sort_key(self, column)
        return key


def heading(context: QObject, column: TraceColumn) -> str:
    """The word for a column."""
    return {
        TraceColumn.STATE: context.tr("State"),
        TraceColumn.SCORE: context.tr("Score"),
        TraceColumn.BAR: context.tr("Score as a bar"),
        TraceColumn.MARGIN: context.tr("Margin"),
        TraceColumn.TRACE: context.tr("Trace"),
        TraceColumn.PROFILE: context.tr("Profile"),
        TraceColumn.STEPS: context.tr("Steps"),
        TraceColumn.OBJECTIVE: context.tr("Objective"),
        TraceColumn.SOURCE: context.tr("Source"),
    }[column]


def cell_text(context: QObject, row: TraceRow, column: TraceColumn) -> str:
    """What a cell says in words and figures."""
    texts = {
        TraceColumn.TRACE: row.name,
        TraceColumn.MARGIN: row.margin_text,
        TraceColumn.PROFILE: row.profile,
        TraceColumn.STEPS: row.steps,
        TraceColumn.OBJECTIVE: row.about,
        TraceColumn.SOURCE: row.source,
    }
    if column is TraceColumn.STATE:
        return state_words(context, row)
    return texts.get(column, row.score_text)


def spoken_text(context: QObject, row: TraceRow, column: TraceColumn) -> str:
    """What is read out for a cell; the name's cell says the whole row."""
    if column is not TraceColumn.TRACE:
        return cell_text(context, row, column)
    parts = [row.name, state_words(context, row)]
    if row.score is not None or row.interval is not None:
        parts.append(row.score_text)
    return ", ".join((*parts, *_remarks(context, row), row.about))


def tooltip(context: QObject, document: Document, row: TraceRow) -> str:
    """The file, what the row says in words, and the whole objective."""
    about = row.about if document.record is None else document.record.trace.objective
    words = ", ".join((state_words(context, row), *_remarks(context, row)))
    lines = (document.path, words, about)
    return plain_tooltip("\n".join(one_line(line, _TOOLTIP_LENGTH) for line in lines))


def state_words(context: QObject, row: TraceRow) -> str:
    """The state, and whether it stands on an assumption."""
    words = state_word(context, row.state)
    return context.tr("{0}, assumed").format(words) if row.assumed else words


def _remarks(context: QObject, row: TraceRow) -> Iterator[str]:
    if row.too_close:
        yield context.tr("too close to call, the SDK may differ")
    if row.order_matters:
        yield context.tr("scored first, it would have the other verdict")


def _sort_key(entry: Entry, column: TraceColumn) -> SortKey:
    document = entry.document
    key: SortKey = number_key(document)
    match column:
        case TraceColumn.STATE:
            key = _STATE_ORDER[entry.state]
        case TraceColumn.TRACE:
            key = name_key(entry.name)
        case TraceColumn.MARGIN:
            key = margin_key(document)
        case TraceColumn.PROFILE:
            key = profile_name(document)
        case TraceColumn.STEPS:
            key = step_count(document)
        case TraceColumn.OBJECTIVE:
            key = about_key(document)
        case TraceColumn.SOURCE:
            key = name_key(source_text(document))
    return key
