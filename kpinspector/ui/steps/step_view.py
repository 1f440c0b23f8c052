"""The tree of steps: its view, and the delegate that paints its rows."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)
from typing_extensions import override

from kpinspector.scoring.formula.measurement import Reach
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.ui.controls.views import HeaderView, ScrollBar
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.painting import CELL_PADDING, STRIP, centred, draw_text, row_ground
from kpinspector.ui.look.theme import Colours, colours, scale
from kpinspector.ui.steps.step_delegate import (
    BADGES_ROOM,
    DERIVED_GAP,
    ICON_MARGIN,
    KIND_ICON_ROOM,
    StepDelegate,
)
from kpinspector.ui.steps.step_model import StepColumn, StepModel, StepRole
from kpinspector.ui.steps.step_row import RowKind, StepRow
from kpinspector.ui.tables.figure_model import Index
from kpinspector.ui.tables.row_table import RowMenu
from kpinspector.words.say import say
from kpinspector.words.sentences import kind_word

RAIL = 3

_NUMBER_WIDTH, _KIND_WIDTH, _MS_WIDTH, _MARKS_WIDTH = 38, 146, 46, 128
_CONTENT_LENGTH = 47  # of average width, so that hardly any line shows fewer than 40
_INDENT, _LEAST_INDENT = 18, 12
_CHEVRON = 12
_DASHES = (4.0, 3.0)


class _StepHeader(HeaderView):
    """The word *Kind* stands over the kinds, not over the chevrons."""

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        if logicalIndex == StepColumn.KIND:
            tree = self.parent()
            indent = tree.indentation() if isinstance(tree, QTreeView) else 0
            rect = rect.adjusted(indent + ICON_MARGIN - CELL_PADDING, 0, 0, 0)
        super().paintSection(painter, rect, logicalIndex)


class StepView(QTreeView):
    """The tree of steps, with the rail along all that novelty sees."""

    step_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps = StepModel(self)
        self._restoring = False
        self.menu = RowMenu(self, StepColumn.CONTENT)
        self._delegate = StepDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(say("Steps"))
        self.setModel(self.steps)
        self._set_behaviour()
        self._lay_out_columns()

    def _set_behaviour(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAnimated(False)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical, self))
        header = _StepHeader(Qt.Orientation.Horizontal, self)
        self.setHeader(header)
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(StepColumn.CONTENT, QHeaderView.ResizeMode.Stretch)
        self.setTreePosition(StepColumn.KIND)

    def set_trace(self, trace: ReasoningTrace | None, reach: Reach | None = None) -> None:
        """Show a trace from its beginning."""
        self._restoring = True
        self._show(trace, reach)
        self._restoring = False
        self.setCurrentIndex(self._index_of(None))

    def show_more(self, trace: ReasoningTrace, reach: Reach | None) -> None:
        """Show a trace that goes on: who looks at its end goes on looking at its end."""
        before, at_end = self.steps.step_count, self._is_at_end()
        if self.steps.append(trace, reach):
            self.setAccessibleDescription(self.steps.window_sentence)
            for number in range(max(0, before - 1), len(trace.steps) - 1):
                if number + 1 in self.steps.outline.hanging:
                    self.expand(self.steps.place_of(number))
            self._lay_out_columns()
        else:
            self.show_again(trace, reach)
        if at_end:
            self.scrollToBottom()

    def show_again(self, trace: ReasoningTrace, reach: Reach | None) -> None:
        """Show a trace as it is now: by the numbers of its steps nothing moves, opens or closes."""
        places = ((number, self.steps.place_of(number)) for number in self.steps.closable)
        closed = {number for number, index in places if not self.isExpanded(index)}
        place = self.verticalScrollBar().value()
        step, had = self.current_step(), self.currentIndex().isValid()
        self._restoring = True
        self._show(trace, reach)
        for one in closed & set(self.steps.closable):
            self.collapse(self.steps.index_of(trace.steps[one]))
        if had:
            if step is not None and step.index >= len(trace.steps):
                step = trace.steps[-1] if trace.steps else None
            self.setCurrentIndex(self._index_of(step))
        self._restoring = False
        self.verticalScrollBar().setValue(place)

    def show_reach(self, trace: ReasoningTrace, reach: Reach | None) -> None:
        """Show what novelty sees of a trace that is shown already."""
        at_end = self._is_at_end() and self.verticalScrollBar().value() > 0
        if self.steps.set_reach(reach):
            self.setAccessibleDescription(self.steps.window_sentence)
        else:
            self.show_again(trace, reach)
        if at_end:  # the line at the window's end takes a row
            self.scrollToBottom()

    def _is_at_end(self) -> bool:
        """Whether the last row is seen, or hidden by no more than the line of the window's end."""
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value() < 2 * self.rowHeight(self.steps.index(0, 0))

    def set_fitted(self, *, fitted: bool) -> None:
        """Be no higher than its rows, so that what stands below begins under the last of them."""
        policy, adjust = QSizePolicy.Policy, QTreeView.SizeAdjustPolicy
        self.setSizePolicy(policy.Expanding, policy.Maximum if fitted else policy.Expanding)
        self.setSizeAdjustPolicy(adjust.AdjustToContents if fitted else adjust.AdjustIgnored)

    @override
    def viewportSizeHint(self) -> QSize:
        """All rows, wherever they are scrolled to."""
        return super().viewportSizeHint() + QSize(0, self.verticalOffset())

    def current_step(self) -> Step | None:
        """The step of the current row; None on the objective's row and without one."""
        index = self.currentIndex()
        step: Step | None = index.data(StepRole.STEP) if index.isValid() else None
        return step

    def select_step(self, step: Step | None) -> None:
        """Make a step's row the current one, or the objective's."""
        index = self._index_of(step)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def set_kind(self, kind: StepType | None) -> None:
        """Keep the steps of a kind; the current step stays current if it is kept."""
        if kind is self.steps.kind:
            return
        step, had = self.current_step(), self.currentIndex().isValid()
        self._restoring = True
        self.steps.set_kind(kind)
        self.expandAll()
        index = self._index_of(step)
        self.setCurrentIndex(index if had else QModelIndex())
        self._restoring = False

    def set_found(self, needle: str, hits: Sequence[int]) -> None:
        """Mark the steps in which a needle was found."""
        self.steps.set_found(needle, hits)
        self.viewport().update()

    def close_all(self) -> None:
        """Close every branch; a current step that goes from sight gives way to the one above."""
        parent = self.currentIndex().parent()
        if parent.isValid():
            self.setCurrentIndex(parent.siblingAtColumn(StepColumn.KIND))
        self.collapseAll()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.show_for(event)

    def enter(self) -> None:
        """Take the focus; the first row becomes current if none is."""
        if not self.currentIndex().isValid() and self.steps.rowCount():
            self.setCurrentIndex(self.steps.index(0, StepColumn.KIND))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, trace: ReasoningTrace | None, reach: Reach | None) -> None:
        self.steps.set_trace(trace, reach)
        self.setAccessibleDescription(self.steps.window_sentence)
        self.expandAll()
        self._lay_out_columns()

    def _index_of(self, step: Step | None) -> QModelIndex:
        return self.steps.index_of(step).siblingAtColumn(StepColumn.KIND)

    @override
    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        if current.isValid() and not self._restoring:
            self.step_selected.emit(current.data(StepRole.STEP))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Plus and minus open and close from any column; Qt's own do so from the first only."""
        if event.key() in {Qt.Key.Key_Plus, Qt.Key.Key_Minus} and self.currentIndex().isValid():
            opened = event.key() == Qt.Key.Key_Plus
            self.setExpanded(self.currentIndex().siblingAtColumn(0), opened)
            return
        super().keyPressEvent(event)

    @override
    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: Index) -> None:
        row: StepRow = index.data(StepRole.ROW)
        found = colours(self.palette())
        rect = QRect(0, options.rect.top(), self.viewport().width(), options.rect.height())
        if row.kind is RowKind.WINDOW_END:
            self._draw_window_end(painter, rect, row, found)
            return
        self._draw_ground(painter, rect, options, index)
        super().drawRow(painter, options, index)
        if row.seen:
            fill(painter, QRect(0, rect.top(), RAIL, rect.height()), found.novelty)

    def _draw_ground(
        self, painter: QPainter, rect: QRect, options: QStyleOptionViewItem, index: Index
    ) -> None:
        found, option = colours(self.palette()), QStyleOptionViewItem(options)
        place = self.viewport().mapFromGlobal(self.cursor().pos())
        hovered = self.viewport().underMouse() and rect.contains(place)
        if self.selectionModel().isSelected(index.sibling(index.row(), StepColumn.KIND)):
            option.state |= QStyle.StateFlag.State_Selected
        tint = row_ground(option, self, found, hovered=hovered)
        row: StepRow = index.data(StepRole.ROW)
        if tint is None and row.tried is not None:
            tint = found.tinted(found.accent)
            tint.setAlphaF(tint.alphaF() / 2)  # no selection
        if tint is not None:
            painter.fillRect(rect, tint)
        current = self.currentIndex()
        if self.hasFocus() and (current.row(), current.parent()) == (index.row(), index.parent()):
            painter.fillRect(RAIL + 1, rect.top(), STRIP, rect.height(), found.accent)

    def _draw_window_end(
        self, painter: QPainter, rect: QRect, row: StepRow, found: Colours
    ) -> None:
        fonts = self._delegate.fonts
        middle = rect.center().y()
        fill(painter, QRect(0, rect.top(), RAIL, middle - rect.top() + 1), found.novelty)
        pad = scale(_INDENT, fonts.body.metrics)
        room = rect.adjusted(pad, 0, -pad, 0)
        width = draw_text(painter, room, row.text, fonts.heading, found.novelty)
        pen = QPen(found.novelty, 1)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(_DASHES)
        painter.setPen(pen)
        painter.drawLine(0, middle, room.left() - 4, middle)
        painter.drawLine(room.left() + width + 6, middle, rect.right() - 8, middle)

    @override
    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        if not self.model().hasChildren(index):
            return
        metrics = self._delegate.fonts.body.metrics
        name = IconName.CHEVRON_DOWN if self.isExpanded(index) else IconName.CHEVRON_RIGHT
        side = scale(_CHEVRON, metrics)
        left = rect.right() + 1 - (self.indentation() + side) // 2
        paint_icon(painter, centred(rect, left, side), name, colours(self.palette()).second)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._delegate.forget_fonts()
            self._lay_out_columns()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out_columns()

    def _kind_width(self, indent: int, *, word: bool = True) -> int:
        """What the longest word needs two steps to the right, or the icon alone."""
        metrics = self._delegate.fonts.body.metrics
        words = map(metrics.horizontalAdvance, map(kind_word, StepType))
        longest = max(words) if word else 0
        return longest + scale(2 * indent + KIND_ICON_ROOM, metrics) + 2 * CELL_PADDING

    def _derived_width(self) -> int:
        """What a derived recovery needs one step to the right; nothing where there is none."""
        if self.steps.run is None or not self.steps.run.recovered:
            return 0
        metrics = self._delegate.fonts.body.metrics
        word = metrics.horizontalAdvance(kind_word(StepType.ERROR_RECOVERY))
        room = scale(_INDENT + KIND_ICON_ROOM + DERIVED_GAP, metrics)
        return word + room + self._delegate.derived_width() + 2 * CELL_PADDING

    def _widest(self) -> dict[StepColumn, int]:
        """The columns beside the content where there is room for all of them."""
        metrics = self._delegate.fonts.body.metrics
        number = metrics.horizontalAdvance(str(max(0, self.steps.step_count - 1)))
        return {
            StepColumn.NUMBER: max(scale(_NUMBER_WIDTH, metrics), number + 2 * STRIP + RAIL + 10),
            StepColumn.KIND: max(
                scale(_KIND_WIDTH, metrics), self._kind_width(_INDENT), self._derived_width()
            ),
            StepColumn.MS: max(scale(_MS_WIDTH, metrics), self._ms_width()),
            StepColumn.COUNTS_FOR: scale(_MARKS_WIDTH, metrics),
        }

    def _ms_width(self) -> int:
        metrics = self._delegate.fonts.body.metrics
        return metrics.horizontalAdvance(self.steps.outline.widest_ms) + 2 * CELL_PADDING

    def _marks_width(self, *, head: bool) -> int:
        """What the badges need, and perhaps the head above them."""
        caption, body = self._delegate.fonts.caption.metrics, self._delegate.fonts.body.metrics
        title = self.steps.headerData(StepColumn.COUNTS_FOR, Qt.Orientation.Horizontal)
        widths = (caption.horizontalAdvance(title) if head else 0, scale(BADGES_ROOM, body))
        return max(widths) + 2 * CELL_PADDING

    def _narrower(self) -> Iterator[tuple[StepColumn, int]]:
        """How the columns give way to the content, one after the other."""
        yield StepColumn.MS, self._ms_width()
        yield StepColumn.COUNTS_FOR, self._marks_width(head=True)
        yield StepColumn.KIND, self._kind_width(_LEAST_INDENT)
        yield StepColumn.COUNTS_FOR, self._marks_width(head=False)
        yield StepColumn.KIND, self._kind_width(_LEAST_INDENT, word=False)
        yield StepColumn.MS, 0

    def _lay_out_columns(self) -> None:
        metrics = self._delegate.fonts.body.metrics
        widths = self._widest()
        if not self.steps.outline.widest_ms:
            widths[StepColumn.MS] = 0
        content = _CONTENT_LENGTH * metrics.averageCharWidth() + 2 * CELL_PADDING
        missing = content + sum(widths.values()) - self.viewport().width()
        for column, least in self._narrower():
            if missing <= 0:
                break
            # a column gives no more than is missing; what is too narrow for figures is hidden
            given = widths[column] if not least else min(missing, widths[column] - least)
            widths[column] -= max(0, given)
            missing -= max(0, given)
        tight = widths[StepColumn.KIND] < self._kind_width(_INDENT)
        self.setIndentation(scale(_LEAST_INDENT if tight else _INDENT, metrics))
        for column, width in widths.items():
            self.setColumnHidden(column, width == 0)
            if width and self.columnWidth(column) != width:
                self.setColumnWidth(column, width)
