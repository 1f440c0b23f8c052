"""The list of the steps of two traces side by side: model, delegate and view."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from kpinspector.trace.align import Alignment, Likeness, Passage, Span, StepPair, StepText
from kpinspector.trace.clear import masked_in
from kpinspector.ui.look.marks import ICON_SIZE, IconName, fill, paint_icon
from kpinspector.ui.look.painting import (
    STRIP,
    MarkedText,
    RowDelegate,
    centred,
    draw_figure,
    draw_marked,
    draw_text,
    is_selected,
    row_ground,
)
from kpinspector.ui.look.plain_text import flat_text, masked_line, plain_tooltip
from kpinspector.ui.look.theme import Colours, TextRole, colours, font
from kpinspector.ui.steps.step_tree import ICONS
from kpinspector.ui.tables.figure_model import Index
from kpinspector.words.say import say
from kpinspector.words.sentences import kind_word

_SIGNS = {
    Likeness.SAME: "=",
    Likeness.CHANGED: "\N{NOT EQUAL TO}",
    Likeness.ONLY_LEFT: "\N{MINUS SIGN}",
    Likeness.ONLY_RIGHT: "+",
}
_LONGEST_TOOL = 80
_ELLIPSIS = "…"
_ROOT = QModelIndex()
_ROWS_KEPT = 256  # more rows than a screen has
GUTTER = 34
TEXT_LINES = 2
_NUMBER_WIDTH = 34
_GAP = 10
_TOP = 5
_LEADING = 2
_SIDE = 12


@dataclass(frozen=True, slots=True)
class CompareCell:
    """What one side of a row shows.

    Attributes:
        number: The step's index; "" for the objective.
        tool: The tool's name in one line; "" without a tool.
        tool_changed: The step on the other side has another tool.
        text: The step's text in one line, from shortly before the first difference on.
        marks: Where in ``text`` the words are that the other side does not have.
        masked: The two texts differ only where they are masked, so that they look the same.
    """

    number: str
    icon: IconName
    kind: str
    tool: str
    tool_changed: bool
    text: str
    marks: tuple[Span, ...]
    masked: bool

    @property
    def title(self) -> str:
        """Kind, tool and number in one line."""
        return " ".join(part for part in (self.kind, self.tool, self.number) if part)


Sides: TypeAlias = tuple[CompareCell | None, CompareCell | None]
"""The cells on the left and on the right; None where a trace has no such step."""


def sides_of(pair: StepPair) -> Sides:
    """The cells for a pair of steps."""
    left, right = pair.sides
    other_tool = left is not None and right is not None and left.tool != right.tool
    found = pair.passages(masked_in)
    masked = pair.likeness is Likeness.CHANGED and not other_tool
    masked = masked and not _any_changed(found) and _any_changed(pair.passages())
    one, other = (
        _cell(text, passage, tool_changed=other_tool, masked=masked)
        for text, passage in zip(pair.sides, found, strict=True)
    )
    return one, other


def _any_changed(found: Iterable[Passage | None]) -> bool:
    return any(one is not None and one.changed for one in found)


def spoken_row(likeness: Likeness, sides: Sides, names: tuple[str, str]) -> str:
    """What a screen reader says of a row, in one sentence."""
    left, right = sides
    if left is None or right is None:
        only = ((name, one) for name, one in zip(names, sides, strict=True) if one is not None)
        name, one = next(only)
        return say("only in {name}: {title}. {text}", name=name, title=one.title, text=one.text)
    if likeness is Likeness.SAME:
        title = left.title
        if right.number:
            title = say("{title} and {other}", title=title, other=right.number)
        return say("the same: {title}. {text}", title=title, text=left.text)
    if left.masked:
        return say(
            "changed in what is masked: {left_title} in {left_name}, {right_title} in"
            " {right_name}: {text}",
            left_title=left.title,
            left_name=names[0],
            right_title=right.title,
            right_name=names[1],
            text=left.text,
        )
    return say(
        "changed: {left_title} in {left_name}: {left}; {right_title} in {right_name}: {right}",
        left_title=left.title,
        left_name=names[0],
        left=left.text,
        right_title=right.title,
        right_name=names[1],
        right=right.text,
    )


def _cell(
    text: StepText | None, found: Passage | None, *, tool_changed: bool, masked: bool
) -> CompareCell | None:
    if text is None or found is None:
        return None
    shown, marks = flat_text(found.text, found.changed)
    if found.starts_late:
        before = f"{_ELLIPSIS} "
        marks = tuple((start + len(before), end + len(before)) for start, end in marks)
        shown = before + shown
    step = text.step
    if step is None:
        icon, kind, number, tool = IconName.OBJECTIVE, say("Objective"), "", ""
    else:
        icon = ICONS[step.kind] if step.kind else IconName.FILE
        kind, number = kind_word(step.kind), str(step.index)
        tool = masked_line(step.tool_name or "", _LONGEST_TOOL)
    shown += _ELLIPSIS if found.ends_early else ""
    return CompareCell(number, icon, kind, tool, tool_changed, shown, marks, masked)


class CompareModel(QAbstractListModel):
    """The pairs of an alignment, or those of one likeness; texts are made when they are shown.

    Attributes:
        names: The names of both traces.
        counts: How many pairs there are of each likeness, shown or not.
        shown: The numbers of the pairs that the rows show.
        differences: The rows whose steps differ.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._alignment = Alignment()
        self.names = ("", "")
        self.shown: tuple[int, ...] = ()
        self._only: Likeness | None = None
        self.counts: Counter[Likeness] = Counter()
        self.differences: tuple[int, ...] = ()
        # cached, as painting and accessibility ask for the same rows many times
        self._sides = lru_cache(_ROWS_KEPT)(lambda number: sides_of(self._alignment.pairs[number]))

    def set_alignment(self, alignment: Alignment, names: tuple[str, str]) -> None:
        """Show the alignment of two traces; the same alignment is not filled in again."""
        self.names = names
        if alignment is self._alignment:
            return
        self.beginResetModel()
        self._alignment = alignment
        self.counts = Counter(pair.likeness for pair in alignment.pairs)
        self._sides.cache_clear()
        self._filter()
        self.endResetModel()

    def set_only(self, only: Likeness | None) -> None:
        """Show the pairs of one likeness; None shows all."""
        if only is not self._only:
            self.beginResetModel()
            self._only = only
            self._filter()
            self.endResetModel()

    def _filter(self) -> None:
        pairs = self._alignment.pairs
        self.shown = tuple(
            number
            for number, pair in enumerate(pairs)
            if self._only is None or pair.likeness is self._only
        )
        self.differences = tuple(
            row
            for row, number in enumerate(self.shown)
            if pairs[number].likeness is not Likeness.SAME
        )

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.shown)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if not index.isValid():
            return None
        pair, sides = self.pair(index.row()), self.sides(index.row())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return next(cell.text for cell in sides if cell is not None)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken_row(pair.likeness, sides, self.names)
            case Qt.ItemDataRole.ToolTipRole if pair.likeness is Likeness.SAME and sides[0]:
                return plain_tooltip(sides[0].text)
            case Qt.ItemDataRole.ToolTipRole:  # two lines may be too short for the whole text
                named = zip(self.names, sides, strict=True)
                told = (f"{name}: {cell.text}" for name, cell in named if cell is not None)
                return plain_tooltip("\n".join(told))
        return None

    def pair(self, row: int) -> StepPair:
        """The pair of steps that a row shows."""
        return self._alignment.pairs[self.shown[row]]

    def sides(self, row: int) -> Sides:
        """The cells that a row shows."""
        return self._sides(self.shown[row])


class Halves(NamedTuple):
    """The rectangles of both sides of a row, and of the sign between them."""

    left: QRect
    gutter: QRect
    right: QRect


def halves(rect: QRect, gutter: int) -> Halves:
    """Divide a row into two sides of the same width; a spare pixel goes to the right."""
    side = (rect.width() - gutter) // 2
    left = QRect(rect.left(), rect.top(), side, rect.height())
    middle = QRect(rect.left() + side, rect.top(), gutter, rect.height())
    start = middle.left() + gutter
    right = QRect(start, rect.top(), rect.right() + 1 - start, rect.height())
    return Halves(left, middle, right)


class CompareDelegate(RowDelegate):
    """Paints rows of three lines: kind and tool, then two lines of text."""

    def __init__(self, view: QAbstractItemView, pairs: CompareModel) -> None:
        super().__init__(view)
        self._pairs = pairs

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, (1 + TEXT_LINES) * self._line_height() + 2 * self.scaled(_TOP) + 1)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        pair, sides = self._pairs.pair(index.row()), self._pairs.sides(index.row())
        view, rect = self._view, option.rect
        found = colours(view.palette())
        parts = halves(rect, self.scaled(GUTTER))
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = row_ground(option, view, found, hovered=hovered)
        for cell, side in zip(sides, parts[::2], strict=True):
            if cell is None and ground is None:
                fill(painter, side, found.alternate)
        if ground is not None:
            painter.fillRect(rect, ground)
        if view.hasFocus() and index.row() == view.currentIndex().row():
            painter.fillRect(rect.left(), rect.top(), STRIP, rect.height(), found.accent)
        lit = is_selected(option) and view.hasFocus()
        for cell, side in zip(sides, parts[::2], strict=True):
            if cell is not None:
                self._paint_cell(painter, side, cell, found, lit=lit)
        for x in (parts.gutter.left(), parts.gutter.right()):
            fill(painter, QRect(x, rect.top(), 1, rect.height()), found.line)
        painter.setFont(font(TextRole.PANE, view.font()))
        painter.setPen(found.text)
        painter.drawText(parts.gutter, Qt.AlignmentFlag.AlignCenter, _SIGNS[pair.likeness])
        fill(painter, QRect(rect.left(), rect.bottom(), rect.width(), 1), found.line)

    def _paint_cell(
        self, painter: QPainter, rect: QRect, cell: CompareCell, found: Colours, *, lit: bool
    ) -> None:
        body, name, look = self.fonts.body, self.fonts.name, QTextCharFormat()
        look.setBackground(found.sheet if lit else found.selection)
        look.setFontUnderline(True)
        look.setUnderlineColor(found.accent)
        line = self._line_height()
        top = QRect(rect.left(), rect.top() + self.scaled(_TOP), rect.width(), line)
        number = top.adjusted(STRIP, 0, 0, 0)
        number.setWidth(self._number_width() - STRIP)
        draw_figure(painter, number, cell.number, body, found.second)
        side = self.scaled(ICON_SIZE)
        left = rect.left() + self._number_width() + self.scaled(_GAP)
        paint_icon(painter, centred(top, left, side), cell.icon, found.second)
        room = top.adjusted(0, 0, -self.scaled(_SIDE), 0)
        room.setLeft(left + side + self.scaled(_GAP))
        if room.width() <= 0:
            return
        text = QRect(room.left(), room.bottom() + 1, room.width(), TEXT_LINES * line)
        what = MarkedText(cell.text, cell.marks, body, look)
        draw_marked(painter, text, what, found.text, TEXT_LINES)
        taken = draw_text(painter, room, cell.kind, body, found.text)
        room.setLeft(room.left() + taken + self.scaled(_GAP))
        if cell.tool and room.width() > self.scaled(_GAP):
            marks = [(0, len(cell.tool))] if cell.tool_changed else []
            draw_marked(painter, room, MarkedText(cell.tool, marks, name, look), found.text)
            taken = name.metrics.horizontalAdvance(cell.tool)
            room.setLeft(room.left() + taken + self.scaled(_GAP))
        if cell.masked and room.width() > 0:
            draw_text(painter, room, say("the difference is masked"), body, found.second)

    def _line_height(self) -> int:
        return self.fonts.body.metrics.lineSpacing() + self.scaled(_LEADING)

    def _number_width(self) -> int:
        widest = self.fonts.body.metrics.horizontalAdvance(str(self._pairs.counts.total()))
        return max(self.scaled(_NUMBER_WIDTH), widest + self.scaled(_SIDE))


class CompareView(QListView):
    """The list; Return and a double click go to the step in its own trace."""

    step_wanted = Signal(bool, object)
    """Whether the wanted step is in the trace on the right, and its `StepText`."""
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pairs = CompareModel(self)
        self._delegate = CompareDelegate(self, self.pairs)
        self.setItemDelegate(self._delegate)
        self.setModel(self.pairs)
        self.setAccessibleName(say("Steps side by side"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_alignment(self, alignment: Alignment, names: tuple[str, str]) -> None:
        """Show two traces from the first row; the same two, or swapped, keep the current row."""
        row = self.currentIndex().row() if set(names) == set(self.pairs.names) else 0
        self.pairs.set_alignment(alignment, names)
        if not self.currentIndex().isValid():
            self.go_to_row(max(0, min(row, self.pairs.rowCount() - 1)))

    def set_only(self, only: Likeness | None) -> None:
        """Show the pairs of one likeness, None for all; keep the current pair if it is visible."""
        index = self.currentIndex()
        number = self.pairs.shown[index.row()] if index.isValid() else 0
        self.pairs.set_only(only)
        shown = self.pairs.shown
        self.go_to_row(shown.index(number) if number in shown else 0)

    def go_to_row(self, row: int) -> None:
        """Make a row the current one, if there is such a row."""
        index = self.pairs.index(row, 0)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def go_to_difference(self, by: int) -> None:
        """Go to the next difference (1) or the previous one (-1), around the ends."""
        differences, now = self.pairs.differences[::by], self.currentIndex().row()
        if differences:
            ahead = (row for row in differences if (row - now) * by > 0)
            self.go_to_row(next(ahead, differences[0]))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            row = self.currentIndex().row()
            self._want(row, right=self.pairs.pair(row).left is None)
            return
        super().keyPressEvent(event)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            parts = halves(self.visualRect(index), self._delegate.scaled(GUTTER))
            right = event.position().x() >= parts.right.left()
            self._want(index.row(), right=right)

    def _want(self, row: int, *, right: bool) -> None:
        text = self.pairs.pair(row).sides[right]
        if text is not None:
            self.step_wanted.emit(right, text)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._delegate.forget_fonts()
            self.scheduleDelayedItemsLayout()
