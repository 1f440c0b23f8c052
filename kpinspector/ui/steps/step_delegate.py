"""Paints the cells of the tree of steps."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem
from typing_extensions import override

from kpinspector.scoring.formula.assess import MARK_DIMENSIONS
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.sharing.parts import Fate, Piece
from kpinspector.trace.model import Mark, StepType
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marked_text import spans_of
from kpinspector.ui.look.marks import BADGE_SIZE, MARK_RADIUS, mark_width, paint_badge, paint_mark
from kpinspector.ui.look.painting import (
    CELL_PADDING,
    Marks,
    RowDelegate,
    TextFont,
    band,
    centred,
    draw_figure,
    draw_text,
    mark_text,
    struck,
)
from kpinspector.ui.look.theme import Colours, colours
from kpinspector.ui.steps.sharing_legend import FATE_ICONS
from kpinspector.ui.steps.step_model import StepColumn, StepModel, StepRole
from kpinspector.ui.steps.step_row import StepRow
from kpinspector.ui.tables.figure_model import Index
from kpinspector.words.say import say, say_list

ICON_MARGIN = 2

_GAP = 8
DERIVED_GAP = 5
_FOUND_PADDING = 4
_TOKEN_HEIGHT, _TOKEN_PADDING, _UNDERLINE = 18, 4, 2
_MORE = "…"
_LEAST_WORD = 34  # narrower columns show the icon alone
KIND_ICON_ROOM = ICON_MARGIN + ICON_SIZE + _GAP
BADGES_ROOM = 2 * BADGE_SIZE + _GAP // 2  # no step has marks of more than two dimensions

ICONS = {
    StepType.THOUGHT: IconName.THOUGHT,
    StepType.TOOL_CALL: IconName.TOOL_CALL,
    StepType.OBSERVATION: IconName.OBSERVATION,
    StepType.ERROR_RECOVERY: IconName.RECOVERY,
}


class _Ink(NamedTuple):
    """The colours of a row's first and second text."""

    first: QColor
    second: QColor


class StepDelegate(RowDelegate):
    """Paints the cells of the tree; the ground and the rail belong to the row."""

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: StepRow = index.data(StepRole.ROW)
        found = colours(self._view.palette())
        model = index.model()  # rows that do not match are only shown for their children
        pale = isinstance(model, StepModel) and not model.matches(index)
        first = found.second if pale else found.text
        ink = _Ink(found.second if row.left_out else first, found.second)
        rect = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        match index.column():
            case StepColumn.NUMBER:
                self._paint_number(painter, rect, index, ink)
            case StepColumn.KIND:
                rect.setLeft(option.rect.left() + ICON_MARGIN)
                self._paint_kind(painter, rect, row, index.data(), ink)
            case StepColumn.CONTENT:
                self._paint_content(painter, rect, row, ink, index.data(StepRole.FOUND))
            case StepColumn.MS:
                draw_figure(painter, rect, row.ms, self.fonts.body, ink.second)
            case StepColumn.COUNTS_FOR:
                rect.setLeft(self._paint_marks(painter, rect, row.marks, found))
                if row.failed:
                    words = say("failed in the source")
                    draw_text(painter, rect, words, self.fonts.caption, ink.second)

    def _paint_kind(
        self, painter: QPainter, rect: QRect, row: StepRow, word: str, ink: _Ink
    ) -> None:
        side, kind = self.scaled(ICON_SIZE), row.step_kind
        name = ICONS[kind] if kind else IconName.FILE if row.step else IconName.OBJECTIVE
        paint_icon(painter, centred(rect, rect.left(), side), name, ink.second)
        rect.setLeft(rect.left() + side + self.scaled(_GAP))
        colour = colours(self._view.palette()).accent if row.kind_tried else ink.first
        if rect.width() >= self.scaled(_LEAST_WORD):
            width = draw_text(painter, rect, word, _style(row, self.fonts.body), colour)
            rect.setLeft(rect.left() + width + self.scaled(DERIVED_GAP))
            # whole or not at all, as the spoken row and the details say it anyway
            if row.derived and rect.width() >= self.derived_width():
                draw_text(painter, rect, say("derived"), self.fonts.caption, ink.second)

    def derived_width(self) -> int:
        """What the word behind a derived kind needs."""
        return self.fonts.caption.metrics.horizontalAdvance(say("derived"))

    def _paint_number(self, painter: QPainter, rect: QRect, index: Index, ink: _Ink) -> None:
        """Paint the number; it is marked if the searched text is anywhere in the step."""
        row: StepRow = index.data(StepRole.ROW)
        number = "" if row.step is None else str(row.step.index)
        found = bool(index.data(StepRole.FOUND))
        if found:
            metrics = self.fonts.body.metrics
            width = metrics.horizontalAdvance(number or "0") + 2 * _FOUND_PADDING
            box = QRect(0, 0, width, metrics.height() + 2)
            box.moveCenter(rect.center())
            box.moveRight(rect.right() + _FOUND_PADDING)
            paint_box(painter, box, colours(self._view.palette()).find)
        draw_figure(painter, rect, number, self.fonts.body, ink.first if found else ink.second)

    def _paint_content(
        self, painter: QPainter, rect: QRect, row: StepRow, ink: _Ink, needle: str
    ) -> None:
        fonts, colour = self.fonts, colours(self._view.palette()).find
        if row.shared is not None:
            rect = self._paint_fates(painter, rect, row.shared.fates)
        for tool, style, tool_ink in self._tools(row, ink):
            marks = Marks(spans_of(tool, needle), colour)
            mark_text(painter, rect, tool, style, marks)
            width = draw_text(painter, rect, tool, style, tool_ink)
            rect.setLeft(rect.left() + width + self.scaled(_GAP))
        if row.shared is not None:
            plain = fonts.fixed if row.is_input else fonts.body
            colour = ink.second if row.tool else ink.first
            self._paint_pieces(painter, rect, row.shared.pieces, plain, colour)
            return
        style = _style(row, fonts.fixed if row.is_input else fonts.body)
        if row.text and rect.width() > self.scaled(_GAP):
            marks = Marks(spans_of(row.text, needle), colour)
            second = (row.tool or row.is_input) and not marks.spans  # too pale on a mark
            mark_text(painter, rect, row.text, style, marks)
            draw_text(painter, rect, row.text, style, ink.second if second else ink.first)

    def _paint_fates(self, painter: QPainter, rect: QRect, fates: Iterable[Fate]) -> QRect:
        """An icon for each fate at the right end; what room is left."""
        side, colour = self.scaled(ICON_SIZE), colours(self._view.palette()).text
        right = rect.right() + 1
        for fate in fates:
            paint_icon(painter, centred(rect, right - side, side), FATE_ICONS[fate], colour)
            right -= side + self.scaled(_GAP // 2)
        return rect.adjusted(0, 0, right - rect.right() - 1 - self.scaled(_GAP // 2), 0)

    def _paint_pieces(
        self, painter: QPainter, rect: QRect, pieces: Sequence[Piece], plain: TextFont, ink: QColor
    ) -> None:
        """A line in which what is taken out stands in a box, and what leaves on a line."""
        found, padding = colours(self._view.palette()), self.scaled(_TOKEN_PADDING)
        if pieces[0].fate is None:
            pieces = (self._cut(pieces[0], pieces[1], plain, rect.width()), *pieces[1:])
        for place, piece in enumerate(pieces):
            if rect.width() < self.scaled(_GAP):
                return
            style = plain if piece.fate is None else self.fonts.fixed
            sides = 2 * padding if piece.fate is Fate.REDACTED else 0
            needed = style.metrics.horizontalAdvance(piece.text) + sides
            if piece.fate is not None and place > 1 and needed > rect.width():
                draw_text(painter, rect, _MORE, plain, ink)
                return
            part = QRect(rect.left(), rect.top(), min(rect.width(), needed), rect.height())
            if piece.fate is Fate.REDACTED:
                box = band(part, self.scaled(_TOKEN_HEIGHT))
                paint_box(painter, box, found.track, found.field_edge, radius=MARK_RADIUS)
            inside = rect.adjusted(sides // 2, 0, 0, 0)
            draw_text(painter, inside, piece.text, style, found.text if piece.fate else ink)
            if piece.fate is Fate.IN_CLEAR:
                bottom = rect.center().y() + style.metrics.height() // 2
                line = (part.left(), bottom, part.width(), self.scaled(_UNDERLINE))
                painter.fillRect(*line, found.text)
            rect.setLeft(rect.left() + part.width())

    def _cut(self, lead: Piece, marked: Piece, plain: TextFont, room: int) -> Piece:
        """What stands before the first mark, which never gives way to it."""
        taken = self.fonts.fixed.metrics.horizontalAdvance(marked.text)
        left = max(0, room - taken - 2 * self.scaled(_TOKEN_PADDING))
        elide = Qt.TextElideMode.ElideLeft
        return replace(lead, text=plain.metrics.elidedText(lead.text, elide, left))

    def _tools(self, row: StepRow, ink: _Ink) -> Iterator[tuple[str, TextFont, QColor]]:
        """The tool, or what is tried in its place behind the one in the file."""
        name = self.fonts.name
        if row.old_tool:
            yield row.old_tool, struck(name), ink.second
        if row.tool:
            accent = colours(self._view.palette()).accent
            yield row.tool, _style(row, name), accent if row.tool_tried else ink.first

    def _paint_marks(
        self, painter: QPainter, rect: QRect, marks: tuple[Mark, ...], found: Colours
    ) -> int:
        """A badge for each dimension, with words where all of them fit; where they end."""
        caption, side = self.fonts.caption, self.scaled(BADGE_SIZE)
        gap = self.scaled(_GAP // 2)
        words = _words_by_dimension(marks)
        widths = [mark_width(word, caption.metrics, side) for word in words.values()]
        wide = sum(widths) + gap * (len(widths) - 1) <= rect.width() + CELL_PADDING
        painter.setFont(caption.font)
        left = rect.left()
        for (dimension, word), width in zip(words.items(), widths, strict=True):
            box = centred(rect, left, side)
            if wide:
                box.setWidth(width)
                paint_mark(painter, box, dimension, word, found)
            else:
                paint_badge(painter, box, dimension, found)
            left += box.width() + gap
        return left


def _style(row: StepRow, style: TextFont) -> TextFont:
    return struck(style) if row.left_out else style


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
