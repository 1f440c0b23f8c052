"""The tree of steps: its delegate, and its view with a rail beside all that novelty sees."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QPainter, QPen, QResizeEvent
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

from kpinspector.scoring.formula.assess import MARK_DIMENSIONS
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.sharing.parts import Fate, Piece
from kpinspector.trace.model import Mark, Step, StepType
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.marks import (
    BADGE_SIZE,
    ICON_SIZE,
    MARK_RADIUS,
    IconName,
    fill,
    mark_width,
    paint_badge,
    paint_icon,
    paint_mark,
)
from kpinspector.ui.look.painting import (
    CELL_PADDING,
    STRIP,
    Marks,
    RowDelegate,
    TextFont,
    band,
    centred,
    draw_figure,
    draw_text,
    mark_text,
    row_ground,
    spans_of,
    struck,
)
from kpinspector.ui.look.theme import Colours, colours, scale
from kpinspector.ui.steps.step_model import (
    OBJECTIVE,
    WINDOW_END,
    Shown,
    StepColumn,
    StepModel,
    StepRole,
    StepRow,
    number_of,
    window_sentence,
)
from kpinspector.ui.tables import RowMenu
from kpinspector.ui.tables.figure_model import Index
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import kind_word

_RAIL = 3
_INDENT = 18
_ICON_MARGIN = 2

_GAP = 8
_DERIVED_GAP = 5
_FOUND_PADDING = 4
_TOKEN_HEIGHT, _TOKEN_PADDING, _UNDERLINE = 18, 4, 2
_MORE = "…"
_DASHES = (4.0, 3.0)
_LEAST_WORD = 34  # narrower columns show only the icon
_KIND_ICON_ROOM = _ICON_MARGIN + ICON_SIZE + _GAP
_BADGES_ROOM = 2 * BADGE_SIZE + _GAP // 2  # no step has marks for more than two dimensions
_NUMBER_WIDTH, _KIND_WIDTH, _MS_WIDTH, _MARKS_WIDTH = 38, 146, 46, 128
_CONTENT_LENGTH = 47  # average characters, so that hardly any line shows fewer than 40
_LEAST_INDENT = 12
_CHEVRON = 12

ICONS = {
    StepType.THOUGHT: IconName.THOUGHT,
    StepType.TOOL_CALL: IconName.TOOL_CALL,
    StepType.OBSERVATION: IconName.OBSERVATION,
    StepType.ERROR_RECOVERY: IconName.RECOVERY,
}


FATE_ICONS = {Fate.REDACTED: IconName.REDACT, Fate.IN_CLEAR: IconName.EXPORT}
"""The icon for what happens to a part when it is shared."""


class StepHeader(HeaderView):
    """The header; the word *Kind* stands above the kinds, not above the chevrons."""

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        if logicalIndex == StepColumn.KIND:
            tree = self.parent()
            indent = tree.indentation() if isinstance(tree, QTreeView) else 0
            rect = rect.adjusted(indent + _ICON_MARGIN - CELL_PADDING, 0, 0, 0)
        super().paintSection(painter, rect, logicalIndex)


class StepDelegate(RowDelegate):
    """Paints the cells of the tree; the view paints the row's ground and the rail."""

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: StepRow = index.data(StepRole.ROW)
        cell = _Cell(self, painter, option.rect, row, colours(self._view.palette()))
        if row.left_out or not row.kept:
            cell.ink = cell.found.second
        match index.column():
            case StepColumn.NUMBER:
                cell.paint_number(index.data(), found=bool(index.data(StepRole.FOUND)))
            case StepColumn.KIND:
                cell.paint_kind(index.data())
            case StepColumn.CONTENT:
                cell.paint_content(index.data(StepRole.FOUND))
            case StepColumn.MS:
                draw_figure(painter, cell.rect, index.data(), self.fonts.body, cell.found.second)
            case StepColumn.COUNTS_FOR:
                cell.paint_marks()

    def paint_window_end(self, painter: QPainter, rect: QRect, words: str) -> None:
        """Paint the line at which the embedding window ends, and the end of the rail."""
        found, middle = colours(self._view.palette()), rect.center().y()
        fill(painter, QRect(0, rect.top(), _RAIL, middle - rect.top() + 1), found.novelty)
        pad = self.scaled(_INDENT)
        room = rect.adjusted(pad, 0, -pad, 0)
        width = draw_text(painter, room, words, self.fonts.heading, found.novelty)
        pen = QPen(found.novelty, 1)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(_DASHES)
        painter.setPen(pen)
        painter.drawLine(0, middle, room.left() - 4, middle)
        painter.drawLine(room.left() + width + 6, middle, rect.right() - 8, middle)

    def derived_width(self) -> int:
        """The width of the word after a derived kind."""
        return self.fonts.caption.metrics.horizontalAdvance(say("derived"))


class _Cell:
    """A cell that is painted from left to right; ``rect`` is the space that is left."""

    def __init__(
        self, of: StepDelegate, painter: QPainter, place: QRect, row: StepRow, found: Colours
    ) -> None:
        self._of, self._painter, self._row, self.found = of, painter, row, found
        self._fonts, self._px = of.fonts, of.scaled
        self.rect = place.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        self.ink = found.text

    def _write(
        self, text: str, style: TextFont, ink: QColor, gap: int = 0, needle: str = ""
    ) -> None:
        """Write a text with the hits marked; it is struck out if the step is left out."""
        style = struck(style) if self._row.left_out else style
        marks = Marks(spans_of(text, needle), self.found.find)
        mark_text(self._painter, self.rect, text, style, marks)
        width = draw_text(self._painter, self.rect, text, style, ink)
        self.rect.setLeft(self.rect.left() + width + self._px(gap))

    def paint_number(self, number: str, *, found: bool) -> None:
        """Paint the number; it has a ground if the step contains the searched text."""
        style, ink = self._fonts.body, self.found.second
        if found:
            width = style.metrics.horizontalAdvance(number or "0") + 2 * _FOUND_PADDING
            box = QRect(0, 0, width, style.metrics.height() + 2)
            box.moveCenter(self.rect.center())
            box.moveRight(self.rect.right() + _FOUND_PADDING)
            paint_box(self._painter, box, self.found.find)
            ink = self.ink
        draw_figure(self._painter, self.rect, number, style, ink)

    def paint_kind(self, word: str) -> None:
        """Paint the icon and the word of the kind, and after it whether it was derived."""
        side, kind, row = self._px(ICON_SIZE), self._row.step_kind, self._row
        self.rect.setLeft(self.rect.left() - CELL_PADDING + _ICON_MARGIN)
        name = ICONS[kind] if kind else IconName.FILE if row.step else IconName.OBJECTIVE
        place = centred(self.rect, self.rect.left(), side)
        paint_icon(self._painter, place, name, self.found.second)
        self.rect.setLeft(self.rect.left() + side + self._px(_GAP))
        if self.rect.width() >= self._px(_LEAST_WORD):
            ink = self.found.accent if row.kind_tried else self.ink
            self._write(word, self._fonts.body, ink, _DERIVED_GAP)
            # not cut: screen readers and the details say it anyway
            if row.derived and self.rect.width() >= self._of.derived_width():
                caption = self._fonts.caption
                draw_text(self._painter, self.rect, say("derived"), caption, self.found.second)

    def paint_content(self, needle: str) -> None:
        """Paint the tool, then the text, or how it leaves this machine."""
        row, name, second = self._row, self._fonts.name, self.found.second
        plain = self._fonts.fixed if row.is_input else self._fonts.body
        if row.fates:  # with an icon for each fate, at the right end
            side, gap = self._px(ICON_SIZE), self._px(_GAP // 2)
            for fate in row.fates:
                place = centred(self.rect, self.rect.right() + 1 - side, side)
                paint_icon(self._painter, place, FATE_ICONS[fate], self.found.text)
                self.rect.setRight(self.rect.right() - side - gap)
            self.rect.setRight(self.rect.right() - gap)
        tried = row.tool != row.file_tool
        if tried and row.file_tool:
            self._write(row.file_tool, struck(name), second, _GAP, needle)
        if row.tool:
            ink = self.found.accent if tried else self.ink
            self._write(row.tool, name, ink, _GAP, needle)
        if row.fates:
            self._paint_pieces(row.pieces, plain, second if row.tool else self.ink)
        elif row.text and self.rect.width() > self._px(_GAP):
            # the pale colour cannot be read on a mark
            pale = (row.tool or row.is_input) and not spans_of(row.text, needle)
            self._write(row.text, plain, second if pale else self.ink, needle=needle)

    def _paint_pieces(self, pieces: Sequence[Piece], plain: TextFont, ink: QColor) -> None:
        """Paint a line in which redacted parts stand in boxes and parts in clear are underlined."""
        padding, fixed = self._px(_TOKEN_PADDING), self._fonts.fixed
        if pieces[0].fate is None:  # the text before the first mark is cut for it
            taken = fixed.metrics.horizontalAdvance(pieces[1].text) + 2 * padding
            left, elide = max(0, self.rect.width() - taken), Qt.TextElideMode.ElideLeft
            lead = plain.metrics.elidedText(pieces[0].text, elide, left)
            pieces = (replace(pieces[0], text=lead), *pieces[1:])
        for place, piece in enumerate(pieces):
            room = self.rect
            if room.width() < self._px(_GAP):
                return
            style = plain if piece.fate is None else fixed
            sides = 2 * padding if piece.fate is Fate.REDACTED else 0
            needed = style.metrics.horizontalAdvance(piece.text) + sides
            if piece.fate is not None and place > 1 and needed > room.width():
                draw_text(self._painter, room, _MORE, plain, ink)
                return
            part = QRect(room.left(), room.top(), min(room.width(), needed), room.height())
            if piece.fate is Fate.REDACTED:
                box, found = band(part, self._px(_TOKEN_HEIGHT)), self.found
                paint_box(self._painter, box, found.track, found.field_edge, radius=MARK_RADIUS)
            inside = room.adjusted(sides // 2, 0, 0, 0)
            draw_text(
                self._painter, inside, piece.text, style, self.found.text if piece.fate else ink
            )
            if piece.fate is Fate.IN_CLEAR:
                bottom = room.center().y() + style.metrics.height() // 2
                line = (part.left(), bottom, part.width(), self._px(_UNDERLINE))
                self._painter.fillRect(*line, self.found.text)
            room.setLeft(room.left() + part.width())

    def paint_marks(self) -> None:
        """Paint a badge for each dimension, with words if all of them fit."""
        caption, side, gap = self._fonts.caption, self._px(BADGE_SIZE), self._px(_GAP // 2)
        words = _words_by_dimension(self._row.marks)
        widths = [mark_width(word, caption.metrics, side) for word in words.values()]
        wide = sum(widths) + gap * (len(widths) - 1) <= self.rect.width() + CELL_PADDING
        self._painter.setFont(caption.font)
        for (dimension, word), width in zip(words.items(), widths, strict=True):
            box = centred(self.rect, self.rect.left(), side)
            if wide:
                box.setWidth(width)
                paint_mark(self._painter, box, dimension, word, self.found)
            else:
                paint_badge(self._painter, box, dimension, self.found)
            self.rect.setLeft(self.rect.left() + box.width() + gap)
        if self._row.failed:
            failed = say("failed in the source")
            draw_text(self._painter, self.rect, failed, caption, self.found.second)


def _words_by_dimension(marks: tuple[Mark, ...]) -> dict[Dimension, str]:
    """The words beside the badges."""
    of_mark = {
        Mark.NEW_TYPE: say("type"),
        Mark.RECOVERY: say("recovery"),
        Mark.FIRST_TOOL: say("tool"),
    }
    words: dict[Dimension, list[str]] = {}
    for mark in marks:
        words.setdefault(MARK_DIMENSIONS[mark], []).append(of_mark[mark])
    return {dimension: say_list(found) for dimension, found in words.items()}


class StepView(QTreeView):
    """The tree of steps, with a rail beside all that novelty sees."""

    step_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps = StepModel(self)
        self._changing = False
        self._closed: set[int] = set()  # the numbers of the steps that the user closed
        self.menu = RowMenu(self, StepColumn.CONTENT)
        self._delegate = StepDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(say("Steps"))
        self.setModel(self.steps)
        self.collapsed.connect(lambda index: self._closed.add(self.steps.number_at(index)))
        self.expanded.connect(lambda index: self._closed.discard(self.steps.number_at(index)))
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
        self._lay_out_columns()

    def show_steps(self, now: Shown) -> None:
        """Show a trace from its beginning, or newer values of the one that is shown.

        For the same trace no step moves, opens or closes; a view at the end of a growing run stays
        at its end, and a current step that is gone is replaced by the last one.
        """
        steps, bar, before = self.steps, self.verticalScrollBar(), self.steps.shown
        if now.looks_as(before):
            steps.show(now)
            return
        number, place = number_of(self.current_step()), bar.value()
        # at most the line of the window's end is hidden below the view
        at_end = bar.maximum() - place < 2 * self.rowHeight(steps.index(0, 0))
        stays = now.is_of_row(before)
        had = stays and self.currentIndex().isValid()
        if not (stays and now.kind is before.kind):
            self._closed.clear()
        self._changing = True
        if steps.show(now):
            self._open_all()
            if had:
                self.setCurrentIndex(self._index_of(min(number, len(now.steps) - 1)))
        self._changing = False
        policy, adjust, fitted = QSizePolicy.Policy, self.SizeAdjustPolicy, now.leaving is not None
        # no higher than its rows, so that the legend stands right below them
        self.setSizePolicy(policy.Expanding, policy.Maximum if fitted else policy.Expanding)
        self.setSizeAdjustPolicy(adjust.AdjustToContents if fitted else adjust.AdjustIgnored)
        self.viewport().update()
        if now.reads_as(before):
            return
        self.setAccessibleDescription(window_sentence(now))
        self._lay_out_columns()
        if not stays:
            self.setCurrentIndex(self._index_of(OBJECTIVE))
        elif at_end and (place > 0 or len(now.steps) > len(before.steps)):
            self.scrollToBottom()
        else:
            bar.setValue(place)

    def _open_all(self) -> None:
        """Open all branches, except those that the user closed."""
        self.blockSignals(True)  # it would emit a signal for every branch
        super().expandAll()
        for number in self._closed:
            self.collapse(self.steps.place_of(number))
        self.blockSignals(False)

    @override
    def rowsInserted(self, parent: Index, start: int, end: int) -> None:
        """Open a branch that a growing run has got."""
        super().rowsInserted(parent, start, end)
        self.expand(parent)

    @override
    def viewportSizeHint(self) -> QSize:
        """The size of all rows, independent of scrolling."""
        return super().viewportSizeHint() + QSize(0, self.verticalOffset())

    def current_step(self) -> Step | None:
        """The step of the current row; None for the objective, and without a current row."""
        row: StepRow | None = self.currentIndex().data(StepRole.ROW)
        return None if row is None else row.step

    def go_to(self, number: int) -> None:
        """Make the row of a step current, by its number, or that of the objective."""
        index = self._index_of(number)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def close_all(self) -> None:
        """Close all branches; if the current step is hidden by that, its parent becomes current."""
        parent = self.currentIndex().parent()
        if parent.isValid():
            self.setCurrentIndex(parent.siblingAtColumn(StepColumn.KIND))
        self.collapseAll()
        self._closed = {number - 1 for number in self.steps.shown.outline.hanging}

    @override
    def expandAll(self) -> None:
        super().expandAll()
        self._closed.clear()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.show_for(event)

    def enter(self) -> None:
        """Take the focus; make the first row current if no row is."""
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
        """Open and close a branch by plus and minus in any column; Qt does so only in the first."""
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
            fill(painter, QRect(0, rect.top(), _RAIL, rect.height()), found.novelty)

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
            tint.setAlphaF(tint.alphaF() / 2)  # paler than a selection
        if tint is not None:
            painter.fillRect(rect, tint)
        current = self.currentIndex()
        if self.hasFocus() and (current.row(), current.parent()) == (index.row(), index.parent()):
            painter.fillRect(_RAIL + 1, rect.top(), STRIP, rect.height(), found.accent)

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
        """Set the columns' widths; where room is short, the others give way to the content."""
        metrics, caption = self._delegate.fonts.body.metrics, self._delegate.fonts.caption.metrics
        widths = self._widest()
        title = self.steps.headerData(StepColumn.COUNTS_FOR, Qt.Orientation.Horizontal)
        head, badges = caption.horizontalAdvance(title), scale(_BADGES_ROOM, metrics)
        narrower = (  # in this order; a column of figures that would be cut is hidden
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
            if missing > 0 and given > 0:  # no more than what is missing
                widths[column] -= given
                missing -= given
        tight = widths[StepColumn.KIND] < self._kind_width(_INDENT)
        self.setIndentation(scale(_LEAST_INDENT if tight else _INDENT, metrics))
        for column, width in widths.items():
            self.setColumnHidden(column, width == 0)
            if width and self.columnWidth(column) != width:
                self.setColumnWidth(column, width)

    def _widest(self) -> dict[StepColumn, int]:
        """The widths of the columns, except for the content, if there is room for all."""
        metrics, shown = self._delegate.fonts.body.metrics, self.steps.shown
        number = metrics.horizontalAdvance(str(max(0, len(shown.steps) - 1)))
        derived = 0  # the width of a derived recovery that is a child
        if shown.run is not None and shown.run.recovered:
            word = metrics.horizontalAdvance(kind_word(StepType.ERROR_RECOVERY))
            room = scale(_INDENT + _KIND_ICON_ROOM + _DERIVED_GAP, metrics)
            derived = word + room + self._delegate.derived_width() + 2 * CELL_PADDING
        kind = max(scale(_KIND_WIDTH, metrics), self._kind_width(_INDENT), derived)
        has_ms = bool(shown.outline.widest_ms)
        return {
            StepColumn.NUMBER: max(scale(_NUMBER_WIDTH, metrics), number + 2 * STRIP + _RAIL + 10),
            StepColumn.KIND: kind,
            StepColumn.MS: max(scale(_MS_WIDTH, metrics), self._ms_width()) if has_ms else 0,
            StepColumn.COUNTS_FOR: scale(_MARKS_WIDTH, metrics),
        }

    def _kind_width(self, indent: int, *, word: bool = True) -> int:
        """The width of the longest word for a kind in a child of a child, or of the icon alone."""
        metrics = self._delegate.fonts.body.metrics
        longest = max(map(metrics.horizontalAdvance, map(kind_word, StepType))) if word else 0
        return longest + scale(2 * indent + _KIND_ICON_ROOM, metrics) + 2 * CELL_PADDING

    def _ms_width(self) -> int:
        metrics = self._delegate.fonts.body.metrics
        return metrics.horizontalAdvance(self.steps.shown.outline.widest_ms) + 2 * CELL_PADDING
