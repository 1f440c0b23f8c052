"""Paints the cells of small tables, each from what it says of itself."""

from dataclasses import replace

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import MARK_RADIUS, BarMark, paint_badge, paint_bar, paint_state
from kpinspector.ui.look.painting import LEFT, RIGHT, band, centred
from kpinspector.ui.look.theme import Colours, TextRole, font, scale
from kpinspector.ui.tables.figure_model import CellMark, FigureCell

_GAP = 8
_MARK_GAP = 4
_PILL_PADDING = 6


class CellPainter:
    """Paints in the fonts of all roles, made once for a font of the application."""

    def __init__(self) -> None:
        self.fonts: dict[TextRole, QFont] = {}
        self.metrics: dict[TextRole, QFontMetrics] = {}

    def make_fonts(self) -> None:
        """The application has another font."""
        self.fonts = {role: font(role, QApplication.font()) for role in TextRole}
        self.metrics = {role: QFontMetrics(made) for role, made in self.fonts.items()}

    def paint(
        self,
        painter: QPainter,
        rect: QRect,
        cell: FigureCell,
        found: Colours,
        *,
        at_top: bool = False,
    ) -> None:
        """Paint a cell of one or two lines, perhaps at its upper edge."""
        if cell.picture is not None:
            painter.save()
            painter.setFont(self.fonts[cell.role])
            cell.picture(painter, rect, found)
            painter.restore()
            return
        if at_top:
            height = self.metrics[cell.role].height()
            rect = QRect(rect.topLeft(), QSize(rect.width(), height))
        if cell.below is None:
            self._paint_line(painter, rect, cell, found)
            return
        first, second = (self.metrics[role].height() for role in (TextRole.NAME, TextRole.CAPTION))
        gap = self._px(_GAP) if cell.below.text and not cell.figure else 0
        room = rect.adjusted(0, 0, -gap, 0)
        upper = QRect(room.left(), 0, room.width(), first)
        upper.moveTop(rect.top() + (rect.height() - first - second) // 2)
        lower = QRect(room.left(), upper.top() + first, room.width(), second)
        self._paint_line(painter, upper, cell, found)
        if cell.below.span == 1:
            self._paint_line(painter, lower, cell.below, found)

    def _px(self, px: float) -> int:
        return scale(px, self.metrics[TextRole.BODY])

    def _paint_line(self, painter: QPainter, rect: QRect, cell: FigureCell, found: Colours) -> None:
        ink = found.accent if cell.accent else found.text
        ink = found.second if cell.second else ink
        rect = rect.adjusted(self._px(cell.left), 0, 0, 0)
        if cell.bar is not None:
            bar, place = cell.bar, band(rect, self._px(cell.bar.height))
            place.setWidth(self._px(bar.width) or place.width())
            colour = found.neutral if bar.dimension is None else found.dimension(bar.dimension)
            track = found.track if bar.track else None
            paint_bar(painter, place, BarMark(colour, bar.end, kind=bar.kind, track=track), found)
        if cell.figure:
            self._paint_figure(painter, rect, cell, found, ink)
        elif cell.mark is not None:
            side = min(self._px(cell.mark.size), rect.height(), rect.width())
            paint_cell_mark(painter, centred(rect, rect.left(), side), cell.mark, found, ink)
        elif cell.pill:
            self._paint_pill(painter, rect, cell, found)
        else:
            self._write(painter, rect, cell, ink)

    def _paint_figure(
        self, painter: QPainter, rect: QRect, cell: FigureCell, found: Colours, ink: QColor
    ) -> None:
        """Write a figure, before it a mark, and words in what is left."""
        painter.setFont(self.fonts[cell.role])
        painter.setPen(ink)
        painter.drawText(rect, RIGHT, cell.text)
        left = rect.right() + 1 - self.metrics[cell.role].horizontalAdvance(cell.text)
        if cell.mark is not None:
            side = self._px(cell.mark.size)
            left -= self._px(_MARK_GAP) + side
            paint_cell_mark(painter, centred(rect, left, side), cell.mark, found, ink)
        if cell.lead:
            room = QRect(rect.left(), rect.top(), left - rect.left(), rect.height())
            self._write(painter, room, replace(cell, text=cell.lead), found.second)

    def _paint_pill(self, painter: QPainter, rect: QRect, cell: FigureCell, found: Colours) -> None:
        """Write the text, and behind it a word on the tint of novelty."""
        padding, gap = self._px(_PILL_PADDING), self._px(_GAP)
        words = self.metrics[TextRole.CAPTION].horizontalAdvance(cell.pill)
        width = words + 2 * padding
        taken = self._write(painter, rect.adjusted(0, 0, -width - gap, 0), cell, found.text)
        box = QRect(rect.left() + taken + gap, rect.top(), width, rect.height())
        paint_box(painter, box, found.tinted(found.novelty), radius=MARK_RADIUS)
        word = FigureCell(cell.pill, TextRole.CAPTION)
        self._write(painter, box.adjusted(padding, 0, 0, 0), word, found.text)

    def _write(self, painter: QPainter, room: QRect, cell: FigureCell, ink: QColor) -> int:
        """Write as much of the text as there is room for; gives its width."""
        metrics = self.metrics[cell.role]
        shown = metrics.elidedText(cell.text, cell.elided_at, room.width())
        painter.setFont(self.fonts[cell.role])
        painter.setPen(ink)
        painter.drawText(room, LEFT, shown)
        return min(room.width(), metrics.horizontalAdvance(shown))


def paint_cell_mark(
    painter: QPainter, box: QRect, mark: CellMark, found: Colours, ink: QColor
) -> None:
    """Paint the mark of a cell; an icon in ``ink``."""
    match mark.what:
        case Dimension():
            paint_badge(painter, box, mark.what, found)
        case IconName():
            paint_icon(painter, box, mark.what, ink)
        case _:
            paint_state(painter, box, mark.what, found, assumed=mark.assumed)
