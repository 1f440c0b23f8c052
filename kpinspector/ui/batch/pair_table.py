"""The pairs of one trace as a table, the most similar first: what the map shows, to be read."""

from enum import IntEnum

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.batch.pairs import Pair, Pairs
from kpinspector.ui.controls.base import Label
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.marks import STATE_SIZE, paint_state
from kpinspector.ui.look.painting import CELL_PADDING, centred, draw_figure, draw_name
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import row_height
from kpinspector.ui.tables.figure_model import Index, RowModel, word_head
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.trace_row import TraceRow, make_row, state_words
from kpinspector.words.figures import UNKNOWN, shown_count, shown_number, shown_whole
from kpinspector.words.say import say, say_list

_GAP = 6
_WIDEST = "0.00000"
ROW_ROLE = Qt.ItemDataRole.UserRole
"""What the delegate asks of the model: the row of the other trace in the list."""


class PairColumn(IntEnum):
    """The columns from left to right."""

    TRACE = 0
    SCORE = 1
    GROUP = 2
    SIMILARITY = 3


class PairModel(RowModel):
    """All other traces by their similarity to one; every change is one reset."""

    def __init__(self, parent: QObject | None = None) -> None:
        heads = (
            word_head(say("Trace")),
            word_head(say("Score"), figure=True),
            word_head(say("Group of"), figure=True),
            word_head(say("Similarity"), figure=True),
        )
        super().__init__(heads, parent)
        self._pairs: Pairs | None = None
        self._rows: tuple[Pair, ...] = ()

    def set_pairs(self, pairs: Pairs | None, one: int) -> None:
        """Show the pairs of one trace."""
        self.beginResetModel()
        self._pairs, self._rows = pairs, ()
        if pairs is not None:
            similar = pairs.grouped.batch.similarities[one].tolist()
            others = (Pair(one, other) for other in pairs.picture.order if other != one)
            self._rows = tuple(sorted(others, key=lambda pair: -similar[pair.other]))
        self.endResetModel()

    def pair(self, row: int) -> Pair | None:
        """The pair of a row; None where there is none."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, pair: Pair) -> int:
        """The row of a pair; -1 where it is not there."""
        return self._rows.index(pair) if pair in self._rows else -1

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or self._pairs is None:
            return None
        pairs, pair, column = self._pairs, self._rows[index.row()], PairColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(pairs, pair, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                shown = self._shown(pairs, pair, column)
                is_name = column is PairColumn.TRACE
                return say_list((shown, state_words(_row(pairs, pair)))) if is_name else shown
            case Qt.ItemDataRole.ToolTipRole if column is PairColumn.SIMILARITY:
                return shown_whole(pairs.similarity(pair))
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(self._shown(pairs, pair, column))
        return _row(pairs, pair) if role == ROW_ROLE else None

    def _shown(self, pairs: Pairs, pair: Pair, column: PairColumn) -> str:
        match column:
            case PairColumn.TRACE:
                return pairs.name(pair.other)
            case PairColumn.SCORE:
                return _row(pairs, pair).score_text
            case PairColumn.GROUP:
                group = pairs.shared_group(pair)
                return UNKNOWN if group is None else shown_count(pairs.size_of(group))
            case PairColumn.SIMILARITY:
                return shown_number(pairs.similarity(pair))


def _row(pairs: Pairs, pair: Pair) -> TraceRow:
    """The other trace as the list shows it."""
    return make_row(pairs.picture.documents[pair.other], pairs.picture.names[pair.other])


class PairTable(RowTable):
    """Shows a ``PairModel``; one row is chosen."""

    menu_wanted = Signal(object)

    def __init__(self, model: PairModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(say("Pairs of the trace"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setModel(model)
        self.setItemDelegate(_Delegate(self, PairColumn.TRACE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(HeaderView(Qt.Orientation.Horizontal, self))
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        header, metrics = self.horizontalHeader(), self.delegate.fonts.body.metrics
        for column in PairColumn:
            word = str(self.model().headerData(column, Qt.Orientation.Horizontal))
            width = max(map(metrics.horizontalAdvance, (word, _WIDEST)))
            self.setColumnWidth(column, width + 2 * CELL_PADDING)
        header.setSectionResizeMode(PairColumn.TRACE, QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().setDefaultSectionSize(row_height(metrics))

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if by_mouse else self.currentIndex()
        if index.isValid():
            below = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            self.menu_wanted.emit(event.globalPos() if by_mouse else below)


class _Delegate(TableDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        room = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        if index.column() != PairColumn.TRACE:
            draw_figure(painter, room, str(index.data()), self.fonts.body, found.text)
            return
        row: TraceRow = index.data(ROW_ROLE)
        side = self.scaled(STATE_SIZE)
        place = centred(option.rect, room.left(), side)
        paint_state(painter, place, row.shape, found, assumed=row.assumed)
        room.setLeft(room.left() + side + self.scaled(_GAP))
        draw_name(painter, room, row.name, self.fonts.name, found.text)


class PairPage(QWidget):
    """A trace that is chosen from all, and the table of its pairs."""

    pair_chosen = Signal(object)
    compare_wanted = Signal()
    menu_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._pairs: Pairs | None = None
        self._one = 0
        self._trace = ComboBox(say("Pairs of"))
        self._model = PairModel(self)
        self.table = PairTable(self._model)
        label = Label(say("Pairs of"), second=True)
        label.setBuddy(self._trace)
        choice = QHBoxLayout()
        choice.setSpacing(_GAP)
        choice.addWidget(label)
        choice.addWidget(self._trace)
        choice.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 0, 0)
        column.addLayout(choice)
        column.addWidget(self.table, 1)
        self._trace.activated.connect(self._on_activated)
        self.table.activated.connect(self._on_row_activated)
        self.table.menu_wanted.connect(self.menu_wanted)
        self.table.selectionModel().currentRowChanged.connect(self._on_row_changed)

    def set_pairs(self, pairs: Pairs | None) -> None:
        """Show the pairs of other traces."""
        self._pairs, self._one = pairs, 0
        order = () if pairs is None else pairs.picture.documents
        self._trace.clear()
        if pairs is not None:
            self._trace.addItems([pairs.name(trace) for trace in range(len(order))])
        self._model.set_pairs(pairs, 0)

    def show_pair(self, pair: Pair) -> None:
        """Go to a pair; to the most similar one of its first trace where it has no row."""
        if pair.one != self._one:
            self._show_trace(pair.one)
        self.table.selectRow(max(0, self._model.row_of(pair)))

    def _show_trace(self, one: int) -> None:
        self._one = one
        self._trace.setCurrentIndex(one)
        self._model.set_pairs(self._pairs, one)

    def _on_activated(self, one: int) -> None:
        self._show_trace(one)
        self.table.selectRow(0)

    def _on_row_changed(
        self, current: QModelIndex | QPersistentModelIndex, _previous: object
    ) -> None:
        pair = self._model.pair(current.row())
        if pair is not None:
            self.pair_chosen.emit(pair)

    def _on_row_activated(self, _index: object) -> None:
        self.compare_wanted.emit()
