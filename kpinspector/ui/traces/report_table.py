"""The table of a report's traces: its model, its view and the delegate that paints its rows."""

from collections.abc import Iterator, Mapping
from enum import IntEnum

from PySide6.QtCore import (
    QObject,
    QRect,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QWidget
from typing_extensions import override

from kpinspector.app.judging import State
from kpinspector.scoring.report.replay import Difference, Replay
from kpinspector.scoring.report.report import Report, TraceEntry
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.read import name_of
from kpinspector.trace.records import dotted
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.marks import STATE_SIZE, paint_state
from kpinspector.ui.look.painting import CELL_PADDING, centred, draw_figure, draw_name, draw_text
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip, shown_text
from kpinspector.ui.look.state_words import state_word
from kpinspector.ui.look.theme import Colours, row_height
from kpinspector.ui.tables.figure_model import Head, Index, RowModel, word_head
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.words.figures import shown_whole
from kpinspector.words.recordings import entry_score
from kpinspector.words.replay_words import difference_words, doubled_words
from kpinspector.words.say import say

_TOOLTIP = 2000


ENTRY_ROLE = Qt.ItemDataRole.UserRole
"""What the delegate asks of the model: the entry of the row."""
_SIDE_PADDING = 16
_WIDEST_SCORE = "0.0000"
_WIDEST_PROFILE = "customer_service"
_AGAIN_WIDTH = 132
_GAP = 8


class ReportColumn(IntEnum):
    """The columns from left to right."""

    STATE = 0
    SCORE = 1
    TRACE = 2
    PROFILE = 3
    AGAIN = 4


class ReportModel(RowModel):
    """The entries of one report, in their order; any change is a reset."""

    def __init__(self, parent: QObject | None = None) -> None:
        heads = (
            Head(say("State"), figure=False),
            word_head(say("Score"), figure=True),
            word_head(say("Trace")),
            word_head(say("Profile")),
            word_head(say("Computed again")),
        )
        super().__init__(heads, parent)
        self._report: Report | None = None
        self._replay: Replay | None = None
        self._differences: Mapping[int | None, Difference] = {}
        self._doubled: Mapping[int, int] = {}

    def set_report(self, report: Report | None, replay: Replay | None = None) -> None:
        """Show a report's traces, with the result of each one's replay."""
        if report is not self._report:
            self.beginResetModel()
            self._report = report
            self._rows = () if report is None else report.traces
            self._set_replay(replay)
            self.endResetModel()
        elif replay is not self._replay:
            self._set_replay(replay)
            if self.rowCount():
                column = ReportColumn.AGAIN
                last = self.index(self.rowCount() - 1, column)
                self.dataChanged.emit(self.index(0, column), last)

    def _set_replay(self, replay: Replay | None) -> None:
        self._replay = replay
        found = () if replay is None else replay.differences
        # the first one of each trace
        self._differences = {difference.trace: difference for difference in reversed(found)}
        self._doubled = {} if replay is None else dict(replay.doubled)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = index.row(), ReportColumn(index.column())
        entry = self._rows[row]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(row, entry, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._said(row, entry, column)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(self._whole(row, entry, column))
        return entry if role == ENTRY_ROLE else None

    def _shown(self, row: int, entry: TraceEntry, column: ReportColumn) -> str:
        match column:
            case ReportColumn.STATE:
                return ""
            case ReportColumn.SCORE:
                return entry_score(entry)[0]
            case ReportColumn.TRACE:
                return one_line(name_of(entry.source.path, entry.source.record))
            case ReportColumn.PROFILE:
                return masked_line(entry.profile, 40)
            case ReportColumn.AGAIN:
                return self._again(row)

    def _said(self, row: int, entry: TraceEntry, column: ReportColumn) -> str:
        if column is ReportColumn.STATE:
            return state_word(State(entry.verdict.value))
        shown = self._shown(row, entry, column)
        return f"{shown}, {masked_line(entry.objective)}" if column is ReportColumn.TRACE else shown

    def _whole(self, row: int, entry: TraceEntry, column: ReportColumn) -> str:
        match column:
            case ReportColumn.SCORE:
                return "" if entry.score is None else shown_whole(entry.score)
            case ReportColumn.TRACE:
                about = masked_beginning(entry.objective, _TOOLTIP)
                return shown_text(f"{about}\n{entry.source.path}", _TOOLTIP)
            case ReportColumn.AGAIN:
                return "\n".join(self._told(row))
        return ""

    def _told(self, row: int) -> Iterator[str]:
        """Everything the replay says about a trace."""
        if self._replay is None or self._report is None:
            return
        for difference in self._replay.differences:
            if difference.trace == row:
                yield difference_words(difference)
        if row in self._doubled:
            yield doubled_words(row, self._doubled[row], self._report)

    def _again(self, row: int) -> str:
        """The result of the replay; empty before it has run."""
        if self._replay is None:
            return ""
        difference = self._differences.get(row)
        if difference is None:
            return say("in it twice") if row in self._doubled else say("identical")
        return say("differs: {path}", path=masked_line(dotted(difference.path[2:])))


class ReportTable(RowTable):
    """Shows a ``ReportModel``."""

    def __init__(self, model: ReportModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(say("Traces of the report"))
        self.setModel(model)
        self.setItemDelegate(_Delegate(self, ReportColumn.STATE))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = HeaderView(Qt.Orientation.Horizontal, self)
        self.setHorizontalHeader(header)
        header.setSectionsClickable(False)
        header.setSectionsMovable(False)
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        delegate = self.delegate
        metrics, header = delegate.fonts.body.metrics, self.horizontalHeader()
        around = 2 * CELL_PADDING + 1
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(ReportColumn.TRACE, QHeaderView.ResizeMode.Stretch)
        for column, width in {
            ReportColumn.STATE: delegate.scaled(_SIDE_PADDING + STATE_SIZE) + CELL_PADDING,
            ReportColumn.SCORE: metrics.horizontalAdvance(_WIDEST_SCORE) + around,
            ReportColumn.PROFILE: metrics.horizontalAdvance(_WIDEST_PROFILE) + around,
            ReportColumn.AGAIN: delegate.scaled(_AGAIN_WIDTH),
        }.items():
            self.setColumnWidth(column, width)
        self.verticalHeader().setDefaultSectionSize(row_height(metrics))


class _Delegate(TableDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        room = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        text = str(index.data())
        match index.column():
            case ReportColumn.STATE:
                side = self.scaled(STATE_SIZE)
                left = option.rect.left() + self.scaled(_SIDE_PADDING)
                entry: TraceEntry = index.data(ENTRY_ROLE)
                paint_state(painter, centred(option.rect, left, side), entry.verdict, found)
            case ReportColumn.SCORE:
                draw_figure(painter, room, text, self.fonts.body, found.text)
            case ReportColumn.TRACE:
                self._paint_trace(painter, room, index, found)
            case _:
                draw_text(painter, room, text, self.fonts.body, found.second)

    def _paint_trace(self, painter: QPainter, room: QRect, index: Index, found: Colours) -> None:
        """Paint the name, followed by what the trace is about."""
        fonts, gap = self.fonts, self.scaled(_GAP)
        taken = draw_name(painter, room, str(index.data()), fonts.name, found.text)
        room.setLeft(room.left() + taken + gap)
        if room.width() > gap:
            entry: TraceEntry = index.data(ENTRY_ROLE)
            draw_text(painter, room, masked_line(entry.objective), fonts.body, found.second)
