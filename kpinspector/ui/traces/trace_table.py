"""The table of traces: its header, its delegate, its current row and its selection."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager

from PySide6.QtCore import (
    QByteArray,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QHeaderView,
    QMenu,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.marks import (
    BADGE_SIZE,
    MARK_RADIUS,
    STATE_SIZE,
    BarKind,
    BarMark,
    Shape,
    fill,
    paint_bar,
    paint_state,
    paint_threshold,
)
from kpinspector.ui.look.painting import (
    CELL_PADDING,
    TextFont,
    centred,
    draw_figure,
    draw_name,
    draw_text,
    is_selected,
)
from kpinspector.ui.look.theme import Colours, row_height, scale
from kpinspector.ui.tables import RowMenu, RowTable, TableDelegate
from kpinspector.ui.tables.figure_model import Index
from kpinspector.ui.traces import Kind
from kpinspector.ui.traces.trace_model import ROW_ROLE, TraceModel
from kpinspector.ui.traces.trace_row import (
    APART,
    COLUMNS,
    DEFAULT_COLUMNS,
    DRAGGED_COLUMNS,
    FIGURE_COLUMNS,
    TraceColumn,
    TraceRow,
    initials,
    running_word,
)
from kpinspector.words.say import say

_SIDE_PADDING = 12
_GAP = 8
ICON_WIDTH = 22
"""The width of a format's icon, which has room for two letters."""
_SHARE_BESIDE = 0.36  # of a recording's width: least share of the text beside a long prompt
_TWO_LINES = 44
_BEFORE_LINE, _BEYOND_LINE = 1.5, 2.5  # px from the middle of the threshold's 1 px line
_BAR_HEIGHT = 6
NARROW = 300  # px: in a narrower table, bar and objective are hidden
_BAR_WIDTH = 44
_NAME_LEAST = 120
_SIDEWAYS = {
    QAbstractItemView.CursorAction.MoveLeft: QAbstractSlider.SliderAction.SliderSingleStepSub,
    QAbstractItemView.CursorAction.MoveRight: QAbstractSlider.SliderAction.SliderSingleStepAdd,
}
_ENDS = {QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd}


class ColumnHeader(HeaderView):
    """Shows the chosen columns; the name gets the width that the others leave.

    Attributes:
        narrow: Whether the pane has no room for bars.
        menu: Shows and hides columns.
    """

    columns_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.narrow = False
        self._chosen = DEFAULT_COLUMNS
        self._unit = 0  # how wide 100 px were when dragged columns got their widths
        self.setSectionsClickable(True)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.sectionResized.connect(self._on_section_resized)
        self.menu = QMenu(say("Columns"), self)
        self._actions = {one: QAction(COLUMNS[one].make_head().said, self) for one in TraceColumn}
        for column, action in self._actions.items():
            action.setCheckable(True)
            action.triggered.connect(lambda *_, one=column: self.choose(self._chosen ^ {one}))
            if column is not TraceColumn.TRACE:  # the name cannot be hidden
                self.menu.addAction(action)
        self.menu.addSeparator()
        self.menu.addAction(say("Reset Columns")).triggered.connect(self.reset_columns)
        self.choose(DEFAULT_COLUMNS)

    @property
    def shown(self) -> frozenset[TraceColumn]:
        """The chosen columns, except for those that have no room."""
        return self._chosen - {TraceColumn.BAR} if self.narrow else self._chosen

    def choose(self, columns: Iterable[TraceColumn]) -> None:
        """Show these columns; the name is always shown."""
        self._chosen = frozenset((*columns, TraceColumn.TRACE))
        for column, action in self._actions.items():
            action.setChecked(column in self._chosen)
        self.columns_changed.emit()

    def columns_state(self) -> str:
        """The chosen columns and their widths, as Qt saves them, in base64."""
        self.setSectionHidden(TraceColumn.BAR, TraceColumn.BAR not in self._chosen)
        state = bytes(self.saveState().toBase64().data()).decode()
        self.setSectionHidden(TraceColumn.BAR, TraceColumn.BAR not in self.shown)
        return state

    def restore(self, state: str) -> None:
        """Restore the columns of a former `columns_state`, but not how rows were sorted."""
        if self.restoreState(QByteArray.fromBase64(state.encode("ascii", "replace"))):
            self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
            self.choose(one for one in TraceColumn if not self.isSectionHidden(one))

    def lay_out(self, fixed: Mapping[TraceColumn, int], room: int) -> None:
        """Set every column's width: the fixed ones, the dragged ones, and the rest for the name."""
        if self.count() != len(TraceColumn):
            return
        shown, unit, before = self.shown, scale(100, self.fontMetrics()), self._unit
        self._unit = 0  # no signal while the columns are laid out
        for column in DRAGGED_COLUMNS if unit != before else ():
            usual = scale(COLUMNS[column].width, self.fontMetrics())
            self.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            dragged = self.sectionSize(column) * unit // before if before else 0
            self.resizeSection(column, dragged or usual)
        for column in TraceColumn:
            if self.isSectionHidden(column) == (column in shown):
                self.setSectionHidden(column, column not in shown)
        widths = {
            one: fixed[one] if one in fixed else self.sectionSize(one)
            for one in shown - {TraceColumn.TRACE}
        }
        left = room - sum(widths.values())
        widths[TraceColumn.TRACE] = max(scale(_NAME_LEAST, self.fontMetrics()), left)
        for column, width in widths.items():
            if self.sectionSize(column) != width:
                self.resizeSection(column, width)
        self._unit = unit

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.popup(event.globalPos())

    def reset_columns(self) -> None:
        """Restore the usual columns and widths."""
        self._unit = 0
        self.choose(DEFAULT_COLUMNS)

    def _on_section_resized(self, section: int, _before: int, width: int) -> None:
        if self._unit and width and TraceColumn(section) in DRAGGED_COLUMNS:
            self.columns_changed.emit()


class TraceDelegate(TableDelegate):
    """Paints the cells of the list from the values of a `TraceRow`."""

    table: "TraceTable"

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: TraceRow = index.data(ROW_ROLE)
        found, rect = self.paint_ground(painter, option, index), option.rect
        style = self.fonts.name if is_selected(option) else self.fonts.body
        inner = rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        barless = TraceColumn.BAR not in self.table.header.shown
        match index.column():
            case TraceColumn.STATE:
                side = self.scaled(STATE_SIZE)
                box = centred(rect, rect.left() + self.scaled(_SIDE_PADDING), side)
                paint_state(painter, box, row.shape, found, assumed=row.document.assumed)
            case TraceColumn.SCORE if row.document.running and barless:
                draw_figure(painter, inner, running_word(), self.fonts.caption, found.second)
            case TraceColumn.BAR if row.document.running:
                draw_text(painter, inner, running_word(), self.fonts.caption, found.second)
            case TraceColumn.BAR:
                self._paint_bar(painter, inner, row.document, found)
            case TraceColumn.TRACE:
                self._paint_trace(painter, inner, row, style, found)
            case column if column in FIGURE_COLUMNS:
                known = row.document.score is not None and column == TraceColumn.SCORE
                ink = found.text if known else found.second
                draw_figure(painter, inner, index.data(), style, ink)
            case column:
                draw_text(painter, inner, index.data(), self.fonts.body, found.second)

    def _paint_bar(self, painter: QPainter, rect: QRect, row: Document, found: Colours) -> None:
        ends, threshold = row.bounds, row.rules.threshold
        height = self.scaled(_BAR_HEIGHT)
        box = QRect(rect.left(), centred(rect, 0, height).top(), rect.width(), height)
        if row.score is not None:
            kind = BarKind.ASSUMED if row.assumed else BarKind.SOLID
            bar = BarMark(found.neutral, row.score, kind=kind, track=found.track)
            paint_bar(painter, box, bar, found)
        elif ends is not None:
            fill(painter, box, found.track)
            low, high = _clear_of_line(box.width(), *ends, threshold)
            interval = BarMark(found.text, high, low, BarKind.INTERVAL)
            paint_bar(painter, box.adjusted(0, -1, 0, 1), interval, found)
        else:
            return
        paint_threshold(painter, box, threshold, found.text)

    def _paint_trace(
        self, painter: QPainter, room: QRect, row: TraceRow, style: TextFont, found: Colours
    ) -> None:
        """Paint the name, beside or below it what the trace is about, and remarks at the right."""
        fonts, gap, header = self.fonts, self.scaled(_GAP), self.table.header
        by_file = row.document.is_called_by_file
        brief = header.narrow or (by_file and TraceColumn.OBJECTIVE in header.shown)
        self._paint_signs(painter, room, row, found, brief=brief)
        beside = "" if brief else row.beside
        if beside and self.table.two_lines:
            first, second = (one.metrics.height() for one in (style, fonts.caption))
            room.setTop(room.top() + (room.height() - first - second) // 2)
            below = QRect(room.left(), room.top() + first, room.width(), second)
            room.setHeight(first)
            if by_file:
                draw_text(painter, below, beside, fonts.caption, found.second)
            else:  # the date stands at the end and is never cut; parts before it are left out
                parts = beside.split(APART)
                if fonts.caption.metrics.horizontalAdvance(beside) > below.width():
                    parts[1:-1] = []
                draw_name(painter, below, APART.join(parts), fonts.caption, found.second)
            beside = ""
        name, after = QRect(room), fonts.body
        if beside and not by_file:
            after = fonts.caption
            beside = self._short(beside, room.width(), style, row.name)
            taken = after.metrics.horizontalAdvance(beside)
            name.setWidth(name.width() - taken - gap * bool(taken))
        draw = draw_name if by_file else draw_text
        room.setLeft(room.left() + draw(painter, name, row.name, style, found.text) + gap)
        if beside and (not by_file or room.width() >= 2 * gap):
            draw_text(painter, room, beside, after, found.second)

    def _paint_signs(
        self, painter: QPainter, room: QRect, row: TraceRow, found: Colours, *, brief: bool
    ) -> None:
        """Paint the order sign at the right, a format's icon at the left, or remarks in words.

        Their widths are taken off ``room``.
        """
        caption, gap = self.fonts.caption, self.scaled(_GAP)
        if row.order_matters:
            side = self.scaled(STATE_SIZE)
            paint_state(painter, centred(room, room.right() + 1 - side, side), Shape.ORDER, found)
            room.setRight(room.right() - side - gap)
        if row.format and not self.table.header.narrow:
            box = centred(room, room.left(), self.scaled(BADGE_SIZE))
            box.setWidth(self.scaled(ICON_WIDTH))
            paint_box(painter, box, None, found.button_edge, radius=MARK_RADIUS)
            painter.setFont(caption.font)
            painter.setPen(found.second)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, initials(row.format))
            room.setLeft(box.right() + 1 + gap)
        elif not brief:
            remarks = {say("too close"): row.too_close, say("assumed"): row.document.assumed}
            for remark in (word for word, holds in remarks.items() if holds):
                width = draw_figure(painter, room, remark, caption, found.second)
                room.setRight(room.right() - width - gap)

    def _short(self, beside: str, room: int, style: TextFont, name: str) -> str:
        """The text beside a recording's name, or its first part, or "" for lack of room."""
        left = room - self.scaled(_GAP) - style.metrics.horizontalAdvance(name)
        left = max(left, round(room * _SHARE_BESIDE))
        wide = self.fonts.caption.metrics.horizontalAdvance
        return next(one for one in (beside, beside.partition(APART)[0], "") if wide(one) <= left)


def _clear_of_line(width: int, low: float, high: float, threshold: float) -> tuple[float, float]:
    """Widen or shift a range so that its box visibly crosses the threshold, or visibly does not."""
    if not width:
        return low, high
    before, beyond = _BEFORE_LINE / width, _BEYOND_LINE / width
    if low >= threshold:
        return max(low, threshold + before), max(high, threshold + before + beyond)
    if high < threshold:
        return min(low, threshold - before - beyond), min(high, threshold - before)
    return min(low, threshold - beyond), max(high, threshold + beyond)


class TraceTable(RowTable):
    """The list of traces; arrow keys move by rows."""

    current_changed = Signal(object)

    def __init__(self, traces: TraceModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._traces = traces
        self._current: int | None = None
        self._acting = False
        self._reselected = False
        self.two_lines = False  # if most rows are recordings, known by prompt, folder and date
        self.setItemDelegate(TraceDelegate(self, TraceColumn.STATE))
        self.setAccessibleName(say("Traces"))
        corner = QWidget(self)
        corner.setBackgroundRole(QPalette.ColorRole.Base)
        corner.setAutoFillBackground(True)
        self.setCornerWidget(corner)
        self.menu = RowMenu(self, TraceColumn.TRACE)
        self.header = ColumnHeader(self)
        self.setHorizontalHeader(self.header)
        self.header.columns_changed.connect(self.lay_out_columns)
        self.setSortingEnabled(True)
        self.setModel(traces)
        traces.changed.connect(self._on_list_changed)
        self.lay_out_columns()

    def current_document(self) -> Document | None:
        """The current document, even while a filter hides its row; None without one."""
        return self._traces.document(self._current)

    def selected_documents(self) -> tuple[Document, ...]:
        """The documents of the selected rows, from top to bottom."""
        return tuple(self._traces.rows[row].document for row in self.selected_rows())

    def set_current(self, number: int | None) -> None:
        """Make a document current and select only it; None for no current document."""
        index = self._traces.index_of(number)
        if index.isValid():
            self._go_to(index)
            self.scrollTo(index)
        elif number is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            if self._current is not None:
                self._current = None
                self.current_changed.emit(None)

    @contextmanager
    def current_in_view(self) -> Iterator[None]:
        """Keep the current row visible while rows come, move and go, if it is visible."""
        seen = self.viewport().rect().intersects(self.visualRect(self.currentIndex()))
        yield
        if seen:
            self.scrollTo(self.currentIndex())

    def select(self, numbers: Iterable[int]) -> None:
        """Select these rows in addition to the current one."""
        chosen = frozenset(numbers)
        rows = [row for row, one in enumerate(self._traces.shown) if one.number in chosen]
        if len(rows) > 1:
            self.select_rows(rows, QItemSelectionModel.SelectionFlag.Select)

    def go(self, rows: int) -> None:
        """Move the current row down, or up if negative; without a current row, to the first."""
        now, count = self.currentIndex().row(), self._traces.rowCount()
        if count:
            row = max(0, min(now + rows, count - 1)) if now >= 0 else 0
            self._go_to(self._traces.index(row, TraceColumn.TRACE))

    def _go_to(self, index: QModelIndex) -> None:
        """Make a row current and select only it, whatever modifier keys are down."""
        flags = QItemSelectionModel.SelectionFlag
        with self._one_act():
            self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def enter(self) -> None:
        """Take the focus; make the first row current if no row is."""
        if not self.currentIndex().isValid():
            self.go(0)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @override
    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        for index in (current, previous):
            self.update_row(index.row())
        if not current.isValid():
            return  # its row is only hidden
        document: Document = current.data(ROW_ROLE).document
        if document.number != self._current:
            self._current = document.number
            if not self._acting:
                self.current_changed.emit(document)

    @override
    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        if self._acting:
            QTableView.selectionChanged(self, selected, deselected)
            self._reselected = True
        else:
            super().selectionChanged(selected, deselected)

    @contextmanager
    def _one_act(self) -> Iterator[None]:
        """Let current row and selection change together, with one signal."""
        if self._acting:
            yield
            return
        before, self._acting, self._reselected = self._current, True, False
        try:
            yield
        finally:
            self._acting = False
        if self._current != before:
            self.current_changed.emit(self.current_document())
        elif self._reselected:
            self.selection_changed.emit()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Keep Qt from making the first row current where none is chosen, or it is hidden."""
        if self.currentIndex().isValid():
            super().focusInEvent(event)
        else:
            QAbstractScrollArea.focusInEvent(self, event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        with self._one_act():
            super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        with self._one_act():
            super().mousePressEvent(event)

    @override
    def rowsAboutToBeRemoved(self, parent: Index, start: int, end: int) -> None:
        """Keep the current document without a row; Qt would make the next row current."""
        if start <= self.currentIndex().row() <= end:
            flag = QItemSelectionModel.SelectionFlag.NoUpdate  # others stay selected
            self.selectionModel().setCurrentIndex(QModelIndex(), flag)
        super().rowsAboutToBeRemoved(parent, start, end)

    @contextmanager
    def current_handed_on(self, gone: Collection[int]) -> Iterator[None]:
        """If the current document is among ``gone``, go to the next one, or the one before."""
        current, now, shown = self._current, self.currentIndex().row(), self._traces.shown
        rows = (*range(now + 1, len(shown)), *range(now - 1, -1, -1))
        yield
        if current in gone:
            stay = (shown[row].number for row in rows if shown[row].number not in gone)
            self.set_current(next(stay, None))

    def _on_list_changed(self) -> None:
        """Make the row of the current document current again as soon as it is shown."""
        if not self.currentIndex().isValid():
            index, flags = self._traces.index_of(self._current), QItemSelectionModel.SelectionFlag
            self.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)
            self.scrollTo(index)

    @override
    def moveCursor(
        self, cursorAction: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        """Stay in the column of the name, which is read out and searched by typing."""
        if cursorAction in _SIDEWAYS:
            self.horizontalScrollBar().triggerAction(_SIDEWAYS[cursorAction])
            return self.currentIndex()
        if cursorAction in _ENDS:
            top = cursorAction == QAbstractItemView.CursorAction.MoveHome
            return self._traces.index(0 if top else self._traces.rowCount() - 1, TraceColumn.TRACE)
        moved = super().moveCursor(cursorAction, modifiers)
        return moved.siblingAtColumn(TraceColumn.TRACE)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.show_for(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        header, fonts = self.header, self.delegate.fonts
        metrics = fonts.body.metrics
        header.narrow = self.width() < scale(NARROW, metrics)
        widths = {
            TraceColumn.STATE: scale(_SIDE_PADDING, metrics) + scale(STATE_SIZE, metrics),
            TraceColumn.BAR: scale(_BAR_WIDTH, metrics) + 2 * CELL_PADDING,
        }
        for column, texts in self._traces.widest_figures(header.shown).items():
            widest = max(map(fonts.name.metrics.horizontalAdvance, texts)) + 4
            least = scale(COLUMNS[column].width, metrics)
            widths[column] = max(widest, least) + 2 * CELL_PADDING
        header.lay_out(widths, self.viewport().width())
        self.delegate.first_column = min(header.shown)
        counts, rows = self._traces.counts, self.verticalHeader()
        most = 2 * counts.kinds()[Kind.IMPORTED] > counts.total()
        self.two_lines = most and not header.narrow
        lines = fonts.name.metrics.height() + fonts.caption.metrics.height()
        two = max(scale(_TWO_LINES, metrics), lines + _GAP)
        height = two if self.two_lines else row_height(metrics)
        if rows.defaultSectionSize() != height:
            with self.current_in_view():
                rows.setDefaultSectionSize(height)
