"""The table of a report's traces: its view and the delegate that paints its rows."""

import sys

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QWidget

from kpinspector.scoring.report.report import TraceEntry
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.marks import STATE_SIZE, paint_state
from kpinspector.ui.look.painting import CELL_PADDING, centred, draw_figure, draw_text
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, row_height
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.report_model import ENTRY_ROLE, ReportColumn, ReportModel

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex

_SIDE_PADDING = 16
_WIDEST_SCORE = "0.0000"
_WIDEST_PROFILE = "customer_service"
_AGAIN_WIDTH = 132
_GAP = 8


class ReportTable(RowTable):
    """Shows a ``ReportModel``."""

    def __init__(self, model: ReportModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Traces of the report"))
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
        """The name, and behind it what it is about."""
        fonts, gap = self.fonts, self.scaled(_GAP)
        taken = draw_text(painter, room, str(index.data()), fonts.name, found.text)
        room.setLeft(room.left() + taken + gap)
        if room.width() > gap:
            entry: TraceEntry = index.data(ENTRY_ROLE)
            draw_text(painter, room, one_line(entry.objective), fonts.body, found.second)
