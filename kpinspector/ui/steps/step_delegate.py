"""Paints the cells of the tree of steps."""

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionViewItem, QTreeView
from typing_extensions import override

from kpinspector.scoring.formula.assess import MARK_DIMENSIONS
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.sharing.parts import Fate, Piece
from kpinspector.trace.model import Mark, StepType
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import (
    BADGE_SIZE,
    MARK_RADIUS,
    fill,
    mark_width,
    paint_badge,
    paint_mark,
)
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
    spans_of,
    struck,
)
from kpinspector.ui.look.theme import Colours, colours
from kpinspector.ui.steps.step_words import FATE_ICONS, StepColumn, StepRow
from kpinspector.ui.tables.figure_model import Index
from kpinspector.words.say import say, say_list

RAIL = 3
INDENT = 18
ICON_MARGIN = 2

_GAP = 8
DERIVED_GAP = 5
_FOUND_PADDING = 4
_TOKEN_HEIGHT, _TOKEN_PADDING, _UNDERLINE = 18, 4, 2
_MORE = "…"
_DASHES = (4.0, 3.0)
_LEAST_WORD = 34  # narrower columns show the icon alone
KIND_ICON_ROOM = ICON_MARGIN + ICON_SIZE + _GAP
BADGES_ROOM = 2 * BADGE_SIZE + _GAP // 2  # no step has marks of more than two dimensions

ICONS = {
    StepType.THOUGHT: IconName.THOUGHT,
    StepType.TOOL_CALL: IconName.TOOL_CALL,
    StepType.OBSERVATION: IconName.OBSERVATION,
    StepType.ERROR_RECOVERY: IconName.RECOVERY,
}


class StepRole(IntEnum):
    """The roles of the tree's model beside Qt's own."""

    ROW = Qt.ItemDataRole.UserRole + 1
    FOUND = Qt.ItemDataRole.UserRole + 2  # the needle where it was found, else ""
    KEPT = Qt.ItemDataRole.UserRole + 3  # for its own sake, and not for what hangs under it


class StepHeader(HeaderView):
    """The word *Kind* stands over the kinds, not over the chevrons."""

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        if logicalIndex == StepColumn.KIND:
            tree = self.parent()
            indent = tree.indentation() if isinstance(tree, QTreeView) else 0
            rect = rect.adjusted(indent + ICON_MARGIN - CELL_PADDING, 0, 0, 0)
        super().paintSection(painter, rect, logicalIndex)


class StepDelegate(RowDelegate):
    """Paints the cells of the tree; the ground and the rail belong to the row."""

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: StepRow = index.data(StepRole.ROW)
        cell = _Cell(self, painter, option.rect, row, colours(self._view.palette()))
        if row.left_out or not index.data(StepRole.KEPT):
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
        fill(painter, QRect(0, rect.top(), RAIL, middle - rect.top() + 1), found.novelty)
        pad = self.scaled(INDENT)
        room = rect.adjusted(pad, 0, -pad, 0)
        width = draw_text(painter, room, words, self.fonts.heading, found.novelty)
        pen = QPen(found.novelty, 1)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(_DASHES)
        painter.setPen(pen)
        painter.drawLine(0, middle, room.left() - 4, middle)
        painter.drawLine(room.left() + width + 6, middle, rect.right() - 8, middle)

    def derived_width(self) -> int:
        """What the word behind a derived kind needs."""
        return self.fonts.caption.metrics.horizontalAdvance(say("derived"))


class _Cell:
    """One cell that is painted from the left; ``rect`` is the room that is left."""

    def __init__(
        self, of: StepDelegate, painter: QPainter, place: QRect, row: StepRow, found: Colours
    ) -> None:
        self._of, self._painter, self._row, self.found = of, painter, row, found
        self._fonts, self._px = of.fonts, of.scaled
        self.rect = place.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        self.ink = found.text

    def _write(self, text: str, style: TextFont, ink: QColor, gap: int = 0) -> None:
        """Write a text, struck out in a step that is left out."""
        style = struck(style) if self._row.left_out else style
        width = draw_text(self._painter, self.rect, text, style, ink)
        self.rect.setLeft(self.rect.left() + width + self._px(gap))

    def _write_found(
        self, text: str, needle: str, style: TextFont, ink: QColor, gap: int = 0
    ) -> None:
        """Write a text in which what is looked for is marked."""
        drawn = struck(style) if self._row.left_out else style
        marks = Marks(spans_of(text, needle), self.found.find)
        mark_text(self._painter, self.rect, text, drawn, marks)
        self._write(text, style, ink, gap)

    def paint_number(self, number: str, *, found: bool) -> None:
        """Paint the number; it is marked if the searched text is anywhere in the step."""
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
        """Paint the icon of the kind and its word, which may be derived."""
        side, kind, row = self._px(ICON_SIZE), self._row.step_kind, self._row
        self.rect.setLeft(self.rect.left() - CELL_PADDING + ICON_MARGIN)
        name = ICONS[kind] if kind else IconName.FILE if row.step else IconName.OBJECTIVE
        place = centred(self.rect, self.rect.left(), side)
        paint_icon(self._painter, place, name, self.found.second)
        self.rect.setLeft(self.rect.left() + side + self._px(_GAP))
        if self.rect.width() >= self._px(_LEAST_WORD):
            ink = self.found.accent if row.kind_tried else self.ink
            self._write(word, self._fonts.body, ink, DERIVED_GAP)
            # whole or not at all, as the spoken row and the details say it anyway
            if row.derived and self.rect.width() >= self._of.derived_width():
                caption = self._fonts.caption
                draw_text(self._painter, self.rect, say("derived"), caption, self.found.second)

    def paint_content(self, needle: str) -> None:
        """Paint the tool, behind it what the step says, or what of it leaves the machine."""
        row, name, second = self._row, self._fonts.name, self.found.second
        plain = self._fonts.fixed if row.is_input else self._fonts.body
        if row.shared is not None:
            self._paint_fates(row.shared.fates)
        tried = row.tool != row.file_tool
        if tried and row.file_tool:
            self._write_found(row.file_tool, needle, struck(name), second, _GAP)
        if row.tool:
            self._write_found(
                row.tool, needle, name, self.found.accent if tried else self.ink, _GAP
            )
        if row.shared is not None:
            self._paint_pieces(row.shared.pieces, plain, second if row.tool else self.ink)
        elif row.text and self.rect.width() > self._px(_GAP):
            # the second colour is too pale on a mark
            pale = (row.tool or row.is_input) and not spans_of(row.text, needle)
            self._write_found(row.text, needle, plain, second if pale else self.ink)

    def _paint_fates(self, fates: Sequence[Fate]) -> None:
        """Paint an icon for each fate at the right end."""
        side, gap = self._px(ICON_SIZE), self._px(_GAP // 2)
        for fate in fates:
            place = centred(self.rect, self.rect.right() + 1 - side, side)
            paint_icon(self._painter, place, FATE_ICONS[fate], self.found.text)
            self.rect.setRight(self.rect.right() - side - gap)
        self.rect.setRight(self.rect.right() - gap)

    def _paint_pieces(self, pieces: Sequence[Piece], plain: TextFont, ink: QColor) -> None:
        """Paint a line in which what is taken out stands in a box, and what leaves on a line."""
        padding, fixed = self._px(_TOKEN_PADDING), self._fonts.fixed
        if pieces[0].fate is None:  # what stands before the first mark gives way to it
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
        """Paint a badge for each dimension, with words where all of them fit."""
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
