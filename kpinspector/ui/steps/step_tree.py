"""The tree of steps: its model, and its view with the rail along all that novelty sees."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QPainter,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
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

from kpinspector.runs.rules import Mapped
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.sharing.parts import LeavingSteps
from kpinspector.trace.model import Mark, ReasoningTrace, Step, StepType
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.painting import CELL_PADDING, STRIP, centred, row_ground
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import colours, scale
from kpinspector.ui.steps.step_delegate import (
    BADGES_ROOM,
    DERIVED_GAP,
    INDENT,
    KIND_ICON_ROOM,
    RAIL,
    StepDelegate,
    StepHeader,
    StepRole,
)
from kpinspector.ui.steps.step_words import (
    NO_OUTLINE,
    OBJECTIVE,
    WINDOW_END,
    Places,
    StepColumn,
    StepRow,
    Tried,
    cell_said,
    cell_text,
    goes_on,
    number_of,
    outline_of,
    places_of,
    step_row,
    with_leaving,
)
from kpinspector.ui.tables.figure_model import Head, Index, word_head
from kpinspector.ui.tables.row_table import RowMenu
from kpinspector.words.say import say
from kpinspector.words.sentences import head_tip, kind_word

_COLUMNS = len(StepColumn)
_KEPT_ROWS = 500  # more than are seen at once
_NUMBER_WIDTH, _KIND_WIDTH, _MS_WIDTH, _MARKS_WIDTH = 38, 146, 46, 128
_CONTENT_LENGTH = 47  # of average width, so that hardly any line shows fewer than 40
_LEAST_INDENT = 12
_CHEVRON = 12


class StepModel(QStandardItemModel):
    """The objective, the steps, and the line at which the embedding window ends. Read-only.

    Qt's own model holds the rows, because a view asks for each of them: for 30,000 rows that takes
    milliseconds there, and a second in Python. The contents of a row are made when it is shown. The
    list can be filtered by kind; the tool call above a matching observation then stays as well.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(0, _COLUMNS, parent)
        heads = (
            Head(say("Number"), say("#")),
            *(word_head(word) for word in (say("Kind"), say("Content"))),
            Head(say("Latency in milliseconds"), say("ms")),
            word_head(say("Counts for")),
        )
        for column, head in enumerate(heads):
            item = QStandardItem(head.text)
            item.setAccessibleText(head.said)
            item.setToolTip(head_tip(head.text))
            if head.figure:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(column, item)
        self.outline = NO_OUTLINE
        self._trace: ReasoningTrace | None = None
        self._reach: Reach | None = None
        self.run: Mapped | None = None
        self.kind: StepType | None = None
        self._marks: Sequence[frozenset[Mark]] = ()
        self._tried: Mapping[int, Tried] = {}
        self._leaving: LeavingSteps | None = None
        self._hits: Sequence[int] = ()
        self.needle = ""
        self._rows: dict[int, StepRow] = {}
        self._places = Places([], set(), None)
        self._row_of: dict[int, int] = {}  # of what hangs under none
        self._count = 0  # of the steps that have rows

    def show(
        self,
        trace: ReasoningTrace | None,
        reach: Reach | None = None,
        run: Mapped | None = None,
        *,
        anew: bool = False,
    ) -> bool:
        """Show a trace; whether its rows were placed anew, and not only put behind those before.

        ``reach`` is None while it is not known what novelty sees, ``run`` what it was made of.
        """
        before, known = self._trace, (self._reach, self.run)
        self._trace, self._reach, self.run = trace, reach, run
        if trace is not before:
            self.outline = NO_OUTLINE if trace is None else outline_of(trace)
            self._marks, self._tried = self.outline.marks, {}
        self._rows.clear()
        if self._place_rows(anew=anew):
            return True
        same = before is not None and trace is not None and goes_on(before.steps, trace.steps)
        if not same or known != (reach, run):
            self._show_again()
        return False

    def set_kind(self, kind: StepType | None) -> bool:
        """Keep the steps of one kind, or of all, in one reset."""
        self.kind = kind
        self._rows.clear()
        return self._place_rows(anew=True)

    def _show_again(self) -> None:
        self._rows.clear()
        if self.rowCount():
            last = self.index(self.rowCount() - 1, _COLUMNS - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _place_rows(self, *, anew: bool) -> bool:
        """Put the rows where they belong; whether any but the last were others before."""
        now, (before, under, line) = Places([], set(), None), self._places
        if self._trace is not None:
            now = places_of(self._trace, self.run, self.kind, self._window_end)
        new = now.under - under
        stays = bool(before) and now.top[: len(before)] == before and now.line == line
        stays = stays and under <= now.under and min(new, default=self._count) >= self._count
        self._count = self.step_count
        if anew or not stays:
            self.beginResetModel()  # views forget thousands of places faster before the rows go
            self.endResetModel()
            self.beginResetModel()
            self.blockSignals(True)
            self.invisibleRootItem().removeRows(0, len(before))
            before, new = [], now.under
        self._places = now
        self._row_of = dict(zip(now.top, range(len(now.top)), strict=True))
        self._make_items(len(before), new)
        if anew or not stays:
            self._make_line()
            self.blockSignals(False)
            self.endResetModel()
        return anew or not stays

    def _make_items(self, first: int, new: Collection[int]) -> None:
        """Make Qt's items from a top row on, and those for steps that hang under another."""
        root, top, line = self.invisibleRootItem(), self._places.top, self._places.line
        last = [first - 1] if first else []  # what is new may hang under the last that was there
        root.setRowCount(len(top))
        for row in (*last, *range(first, len(top))):
            if top[row] + 1 in new:
                item = QStandardItem(0, _COLUMNS)
                root.setChild(row, item)
                item.setRowCount(2 if line == (top[row], True) else 1)

    def _make_line(self) -> None:
        place = self.place_of(WINDOW_END)
        if place.isValid():
            above = self.invisibleRootItem()
            if place.parent().isValid():
                above = self.itemFromIndex(place.parent())
            for column in range(_COLUMNS):
                item = QStandardItem()
                item.setFlags(Qt.ItemFlag.ItemNeverHasChildren)  # the keys pass over it
                above.setChild(place.row(), column, item)

    def _children(self, parent: int) -> tuple[int, ...]:
        if parent + 1 not in self._places.under:
            return ()
        return (WINDOW_END, parent + 1) if self._places.line == (parent, True) else (parent + 1,)

    @property
    def _window_end(self) -> int | None:
        """In which step the window ends, or in the objective; None where it sees all."""
        reach = self._reach
        if reach is None or not reach.truncated:
            return None
        return OBJECTIVE if reach.ends_at_step is None else reach.ends_at_step

    def set_tried(self, tried: Mapping[int, Tried], marks: Sequence[frozenset[Mark]]) -> None:
        """Show what is tried of some steps, by their numbers, and what every step then brings."""
        before, marked = self._tried, self._marks
        self._tried, self._marks = tried, marks
        changed = {n for n in {*before, *tried} if before.get(n) != tried.get(n)}
        if marked is not marks:
            pairs = enumerate(zip(marked, marks, strict=True))
            changed |= {number for number, pair in pairs if pair[0] != pair[1]}
        for number in changed:
            self._rows.pop(number, None)
            first = self.place_of(number)
            if first.isValid():
                self.dataChanged.emit(first, first.siblingAtColumn(_COLUMNS - 1))

    def set_leaving(self, leaving: LeavingSteps | None) -> None:
        """Mark what is taken out of the steps and what leaves in clear; None marks nothing."""
        if leaving is not self._leaving:
            self._leaving = leaving
            self._show_again()

    def set_found(self, needle: str, hits: Sequence[int]) -> None:
        """Mark the steps with these numbers, in order, in which a needle was found, case aside."""
        self.needle, self._hits = needle, hits

    @property
    def window_sentence(self) -> str:
        """Where novelty stops reading; "" where it reads all, or it is not known."""
        if self._window_end is None or self._reach is None:
            return ""
        tokens = str(self._reach.tokens)
        return say(
            "Embedding window ends here, token {tokens}: novelty sees nothing below", tokens=tokens
        )

    @property
    def step_count(self) -> int:
        """How many steps there are."""
        return len(self._marks)

    def index_of(self, step: Step | None) -> QModelIndex:
        """Where a step stands; the objective's row for None."""
        return self.place_of(number_of(step))

    def place_of(self, number: int) -> QModelIndex:
        """Where the step with a number stands, or what another number stands for."""
        if number in self._row_of:
            return self.index(self._row_of[number], 0)
        line = self._places.line
        parent = line[0] if line and number == WINDOW_END else number - 1
        children, row = self._children(parent), self._row_of.get(parent, -1)
        if number not in children or row < 0:
            return QModelIndex()
        return self.index(children.index(number), 0, self.index(row, 0))

    def number_at(self, index: Index) -> int:
        """What stands in a row: the number of a step, or what stands for another row."""
        top, parent = self._places.top, index.parent()
        return (
            self._children(top[parent.row()])[index.row()] if parent.isValid() else top[index.row()]
        )

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        number, column = self.number_at(index), StepColumn(index.column())
        value: Any = None
        match role:
            case StepRole.ROW:
                value = self._row(number)
            case StepRole.FOUND:
                value = self.needle if self._is_hit(number) else ""
            case StepRole.KEPT:
                step = self._step(number)
                value = self.kind in (None, step and step.kind)
            case Qt.ItemDataRole.DisplayRole:
                value = cell_text(self._row(number), column)
            case Qt.ItemDataRole.AccessibleTextRole:
                value = cell_said(self._row(number), column)
            case Qt.ItemDataRole.AccessibleDescriptionRole if self._is_hit(number):
                value = say("found here")
        return value

    def _is_hit(self, number: int) -> bool:
        place = bisect_left(self._hits, number)
        return place < len(self._hits) and self._hits[place] == number

    def _step(self, number: int) -> Step | None:
        return self._trace.steps[number] if self._trace is not None and number >= 0 else None

    def _row(self, number: int) -> StepRow:
        """What a row shows; kept while it is in sight, as it is asked for cell by cell."""
        if number not in self._rows:
            if len(self._rows) >= _KEPT_ROWS:
                self._rows.clear()
            self._rows[number] = self._made_row(number)
        return self._rows[number]

    def _made_row(self, number: int) -> StepRow:
        step, end = self._step(number), self._window_end
        objective = "" if self._trace is None else self._trace.objective
        if number == WINDOW_END:
            return StepRow(number, None, self.window_sentence)
        seen = self._reach is not None and (end is None or number <= end)
        if step is None:
            row = StepRow(number, None, one_line(objective), seen)
        else:
            row = step_row(step, self._marks[number], self._tried.get(number), self.run, seen=seen)
        return row if self._leaving is None else with_leaving(row, self._leaving, objective)


class StepView(QTreeView):
    """The tree of steps, with the rail along all that novelty sees."""

    step_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps = StepModel(self)
        self._changing = False
        self._closed: set[int] = set()  # the numbers of the steps whose branches are closed
        self.menu = RowMenu(self, StepColumn.CONTENT)
        self._delegate = StepDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(say("Steps"))
        self.setModel(self.steps)
        self.collapsed.connect(lambda index: self._closed.add(self.steps.number_at(index)))
        self.expanded.connect(lambda index: self._closed.discard(self.steps.number_at(index)))
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
        header = StepHeader(Qt.Orientation.Horizontal, self)
        self.setHeader(header)
        header.setSectionsMovable(False)
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(StepColumn.CONTENT, QHeaderView.ResizeMode.Stretch)
        self.setTreePosition(StepColumn.KIND)

    def show_trace(
        self,
        trace: ReasoningTrace | None,
        reach: Reach | None = None,
        run: Mapped | None = None,
        *,
        anew: bool = True,
    ) -> None:
        """Show a trace from its beginning, or as it is now.

        By the numbers of its steps nothing moves, opens or closes then; who looks at the end of a
        run goes on looking at its end.
        """
        bar, before = self.verticalScrollBar(), self.steps.step_count
        place, at_end = bar.value(), self._is_at_end()
        if anew:
            self._closed.clear()
        self._change(lambda: self.steps.show(trace, reach, run, anew=anew), stays=not anew)
        self.setAccessibleDescription(self.steps.window_sentence)
        self._lay_out_columns()
        if anew:
            self.setCurrentIndex(self._index_of(OBJECTIVE))
        elif at_end and (place > 0 or self.steps.step_count > before):
            self.scrollToBottom()
        else:
            bar.setValue(place)

    def _change(self, change: Callable[[], bool], *, stays: bool = True) -> None:
        """Change the rows; the current step stays, or gives way to the last one."""
        step, before = self.current_step(), self.steps.step_count
        had = stays and self.currentIndex().isValid()
        self._changing = True
        if change():
            self.blockSignals(True)  # one for every branch
            super().expandAll()
            for number in self._closed:
                self.collapse(self.steps.place_of(number))
            self.blockSignals(False)
            if had:
                number = min(number_of(step), self.steps.step_count - 1)
                self.setCurrentIndex(self._index_of(number))
        else:
            for number in range(max(0, before - 1), self.steps.step_count - 1):
                if number + 1 in self.steps.outline.hanging:
                    self.expand(self.steps.place_of(number))
        self._changing = False

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
        row: StepRow | None = self.currentIndex().data(StepRole.ROW)
        return None if row is None else row.step

    def select_step(self, step: Step | None) -> None:
        """Make a step's row the current one, or the objective's."""
        index = self._index_of(number_of(step))
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def set_kind(self, kind: StepType | None) -> None:
        """Keep the steps of a kind; the current step stays current if it is kept."""
        if kind is not self.steps.kind:
            self._closed.clear()
            self._change(lambda: self.steps.set_kind(kind))

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
        self._closed = {number - 1 for number in self.steps.outline.hanging}

    @override
    def expandAll(self) -> None:
        super().expandAll()
        self._closed.clear()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.show_for(event)

    def enter(self) -> None:
        """Take the focus; the first row becomes current if none is."""
        if not self.currentIndex().isValid() and self.steps.rowCount():
            self.setCurrentIndex(self.steps.index(0, StepColumn.KIND))
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _index_of(self, number: int) -> QModelIndex:
        return self.steps.place_of(number).siblingAtColumn(StepColumn.KIND)

    @override
    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        if current.isValid() and not self._changing:
            self.step_selected.emit(self.current_step())

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
        if row.number == WINDOW_END:
            self._delegate.paint_window_end(painter, rect, row.text)
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

    def _lay_out_columns(self) -> None:
        """Give the columns their widths; without room for all they give way to the content."""
        metrics, caption = self._delegate.fonts.body.metrics, self._delegate.fonts.caption.metrics
        widths = self._widest()
        title = self.steps.headerData(StepColumn.COUNTS_FOR, Qt.Orientation.Horizontal)
        head, badges = caption.horizontalAdvance(title), scale(BADGES_ROOM, metrics)
        narrower = (  # one after the other; what is too narrow for figures is hidden
            (StepColumn.MS, self._ms_width()),
            (StepColumn.COUNTS_FOR, max(head, badges) + 2 * CELL_PADDING),
            (StepColumn.KIND, self._kind_width(_LEAST_INDENT)),
            (StepColumn.COUNTS_FOR, badges + 2 * CELL_PADDING),
            (StepColumn.KIND, self._kind_width(_LEAST_INDENT, word=False)),
            (StepColumn.MS, 0),
        )
        content = _CONTENT_LENGTH * metrics.averageCharWidth() + 2 * CELL_PADDING
        missing = content + sum(widths.values()) - self.viewport().width()
        for column, least in narrower:
            given = widths[column] if not least else min(missing, widths[column] - least)
            if missing > 0 and given > 0:  # a column gives no more than is missing
                widths[column] -= given
                missing -= given
        tight = widths[StepColumn.KIND] < self._kind_width(INDENT)
        self.setIndentation(scale(_LEAST_INDENT if tight else INDENT, metrics))
        for column, width in widths.items():
            self.setColumnHidden(column, width == 0)
            if width and self.columnWidth(column) != width:
                self.setColumnWidth(column, width)

    def _widest(self) -> dict[StepColumn, int]:
        """The columns beside the content where there is room for all of them."""
        metrics, run = self._delegate.fonts.body.metrics, self.steps.run
        number = metrics.horizontalAdvance(str(max(0, self.steps.step_count - 1)))
        derived = 0  # what a derived recovery needs one step to the right
        if run is not None and run.recovered:
            word = metrics.horizontalAdvance(kind_word(StepType.ERROR_RECOVERY))
            room = scale(INDENT + KIND_ICON_ROOM + DERIVED_GAP, metrics)
            derived = word + room + self._delegate.derived_width() + 2 * CELL_PADDING
        kind = max(scale(_KIND_WIDTH, metrics), self._kind_width(INDENT), derived)
        has_ms = bool(self.steps.outline.widest_ms)
        return {
            StepColumn.NUMBER: max(scale(_NUMBER_WIDTH, metrics), number + 2 * STRIP + RAIL + 10),
            StepColumn.KIND: kind,
            StepColumn.MS: max(scale(_MS_WIDTH, metrics), self._ms_width()) if has_ms else 0,
            StepColumn.COUNTS_FOR: scale(_MARKS_WIDTH, metrics),
        }

    def _kind_width(self, indent: int, *, word: bool = True) -> int:
        """What the longest word needs two steps to the right, or the icon alone."""
        metrics = self._delegate.fonts.body.metrics
        longest = max(map(metrics.horizontalAdvance, map(kind_word, StepType))) if word else 0
        return longest + scale(2 * indent + KIND_ICON_ROOM, metrics) + 2 * CELL_PADDING

    def _ms_width(self) -> int:
        metrics = self._delegate.fonts.body.metrics
        return metrics.horizontalAdvance(self.steps.outline.widest_ms) + 2 * CELL_PADDING
