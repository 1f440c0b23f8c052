"""A histogram of all scores, with the threshold as a line that can be dragged."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from kpinspector.ui.controls.base import Drawing, paint_box
from kpinspector.ui.look.marks import fill, outline
from kpinspector.ui.look.painting import draw_figure, draw_text, row_fonts
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, scale
from kpinspector.ui.traces import BINS, Spread
from kpinspector.words.figures import shown_count, shown_number, shown_short
from kpinspector.words.say import say

HEIGHT = 116

_PADDING = 12
_PILL_PADDING = 6
_GAP = 1
_GAP_OF_KEY = 8
_LEAST_BOX = 3  # a lower box would have no inside
_LINE = 2
_REACH = 5  # within this distance, the mouse grabs the line
_ON_LINE = -1  # stands for the line in place of a column's number
_DECIMALS = 2


class Histogram(Drawing):
    """The number of scores in steps of 0.05; accepted ones are coloured, on top of the others.

    Undecided runs, whose recording does not say how they ended, are hollow boxes above both, at
    the middle of their possible scores.

    Dragging the line sets the threshold; clicking a column filters by its scores.
    """

    threshold_chosen = Signal(float, int)
    """The threshold, and the number of the drag that sets it."""
    bin_chosen = Signal(object)
    """The number of a column; None when the chosen one is clicked again."""

    def __init__(self) -> None:
        super().__init__(QSize(0, HEIGHT), self._paint_scores)
        self._gesture = 0
        self._held: int | None = None  # the column or the line that the mouse was pressed on
        self._hovered: int | None = None
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(say("Scores"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_spread(Spread(), 0.0)

    def show_spread(self, spread: Spread, threshold: float, chosen: int | None = None) -> None:
        """Show these numbers; ``chosen`` is the column that the list is filtered by, or None."""
        self.columns, self._below = spread.columns, spread.below
        self._threshold, self._chosen = threshold, chosen
        others, self._accepted, self._undecided = map(sum, zip(*spread.columns, strict=True))
        self._total = others + self._accepted + self._undecided
        # at or above the threshold, but rejected for their schema
        self._invalid = others - self._below
        words = say(
            "{total} scored: {below} below the threshold {threshold}, {accepted} accepted",
            total=shown_count(self._total),
            below=shown_count(self._below),
            threshold=shown_short(threshold),
            accepted=shown_count(self._accepted),
        )
        if self._invalid:
            invalid = shown_count(self._invalid)
            words = say(
                "{words}, {invalid} reach it and fail the schema", words=words, invalid=invalid
            )
        self.setAccessibleDescription(_and_undecided(words, self._undecided))
        self.update()

    # the mouse

    def _at(self, place: QPoint) -> int | None:
        """The column at a point, empty or not, or ``_ON_LINE``; None elsewhere."""
        chart, _ = self._places()
        reach = scale(_REACH, self.fontMetrics())
        if place.y() < chart.bottom() and abs(place.x() - self._line_at()) <= reach:
            return _ON_LINE
        if not chart.contains(place):
            return None
        return min(BINS - 1, (place.x() - chart.left()) * BINS // chart.width())

    def _line_at(self) -> int:
        chart, _ = self._places()
        return chart.left() + round(chart.width() * min(1.0, max(0.0, self._threshold)))

    def _tip(self, number: int | None) -> str:
        """The tooltip of the line or of a column; empty elsewhere."""
        if number is None:
            return ""
        if number == _ON_LINE:
            return say("Threshold {threshold}: drag it", threshold=shown_short(self._threshold))
        rejected, accepted, undecided = self.columns[number]
        words = say(
            "{low} to {high}: {accepted} accepted, {rejected} not",
            low=shown_number(number / BINS, _DECIMALS),
            high=shown_number((number + 1) / BINS, _DECIMALS),
            accepted=shown_count(accepted),
            rejected=shown_count(rejected),
        )
        return _and_undecided(words, undecided)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        self._held = self._at(event.position().toPoint()) if left else None
        self._gesture += 1

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place, (chart, _) = event.position().toPoint(), self._places()
        if self._held == _ON_LINE:
            threshold = (place.x() - chart.left()) / max(1, chart.width())
            chosen = round(min(1.0, max(0.0, threshold)), _DECIMALS)
            if chosen != self._threshold:
                self._threshold = chosen  # the line moves at once, the counts follow in batches
                self.update()
                self.threshold_chosen.emit(chosen, self._gesture)
            return
        number, shape = self._at(place), Qt.CursorShape.ArrowCursor
        self._hovered = None
        if number == _ON_LINE:
            shape = Qt.CursorShape.SplitHCursor
        elif number is not None and any(self.columns[number]):
            self._hovered, shape = number, Qt.CursorShape.PointingHandCursor
        self.setCursor(shape)
        self.setToolTip(plain_tooltip(self._tip(number)))
        self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        held, self._held = self._held, None
        if held in (None, _ON_LINE) or self._at(event.position().toPoint()) != held:
            return
        if held == self._chosen:
            self.bin_chosen.emit(None)
        elif any(self.columns[held]):
            self.bin_chosen.emit(held)

    # painting

    def _places(self) -> tuple[QRect, QRect]:
        """The areas of the columns and of the labels below them."""
        metrics = self.fontMetrics()
        caption, padding = row_fonts(self.font()).caption.metrics.height(), scale(_PADDING, metrics)
        left, width = padding, self.width() - 2 * padding
        foot = QRect(left, self.height() - caption - scale(6, metrics), width, caption)
        top = scale(8, metrics) + caption - 1
        return QRect(left, top, width, foot.top() - scale(5, metrics) - top + 1), foot

    def _paint_scores(self, painter: QPainter, rect: QRect, found: Colours) -> None:
        fonts, metrics = row_fonts(self.font()), self.fontMetrics()
        painter.fillRect(rect, found.sheet)
        fill(painter, QRect(0, 0, self.width(), 1), found.line)
        chart, foot = self._places()
        fill(painter, QRect(chart.left(), chart.bottom() + 1, chart.width(), 1), found.button_edge)
        self._paint_columns(painter, chart, found)
        pill, padding = QRect(), scale(_PILL_PADDING, metrics)
        needed, name = shown_short(self._threshold), fonts.name
        pill.setSize(QSize(name.metrics.horizontalAdvance(needed), name.metrics.height() + 1))
        pill = pill.adjusted(-padding, 0, padding, 0)
        pill.moveCenter(QPoint(self._line_at(), 0))
        pill.moveTop(padding)
        pill.moveRight(min(pill.right(), self.width() - 3))
        pill.moveLeft(max(pill.left(), 3))
        line = QRect(self._line_at() - _LINE // 2, pill.bottom(), _LINE, 0)
        line.setBottom(chart.bottom() + 3)
        fill(painter, line, found.text)
        paint_box(painter, pill, found.text)
        painter.setFont(name.font)
        painter.setPen(found.sheet)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, needed)
        title = say("Scores of {total}", total=shown_count(self._total))
        room = foot.translated(0, scale(8, metrics) - foot.top())
        taken = draw_text(
            painter, room, title if self._total else say("Scores"), fonts.heading, found.text
        )
        if self._undecided:  # what hollow boxes mean, if the threshold's pill leaves room
            words, gap = say("hollow: undecided"), scale(_GAP_OF_KEY, metrics)
            room.setLeft(room.left() + taken + gap)
            key = QRect(room)
            key.setWidth(fonts.caption.metrics.horizontalAdvance(words) + gap)
            if key.right() <= room.right() and not key.adjusted(-gap, 0, 0, 0).intersects(pill):
                draw_text(painter, key, words, fonts.caption, found.second)
        self._paint_foot(painter, foot, found)

    def _paint_columns(self, painter: QPainter, chart: QRect, found: Colours) -> None:
        highest = max(map(sum, self.columns))
        height = chart.height() - scale(_PILL_PADDING, self.fontMetrics())
        hovered = self._hovered if self.underMouse() else None
        for number, (rejected, accepted, undecided) in enumerate(self.columns if highest else ()):
            left = chart.left() + chart.width() * number // BINS
            right = chart.left() + chart.width() * (number + 1) // BINS - _GAP
            base = chart.bottom() + 1
            if number in (hovered, self._chosen):
                ground = found.selection if number == self._chosen else found.hover
                fill(painter, QRect(left, base - height, right - left, height), ground)
            for count, colour in ((rejected, found.neutral), (accepted, found.accepted)):
                if count:
                    tall = max(1, round(height * count / highest))
                    fill(painter, QRect(left, base - tall, right - left, tall), colour)
                    base -= tall
            if undecided:
                tall = max(_LEAST_BOX, round(height * undecided / highest))
                outline(painter, QRect(left, base - tall, right - left, tall), found.text)
            if number == self._chosen:
                edge = QRect(left, chart.bottom() + 1, right - left, 2 * _LINE)
                fill(painter, edge, found.accent)

    def _paint_foot(self, painter: QPainter, foot: QRect, found: Colours) -> None:
        """Paint the ends of the scale, and the numbers on both sides of the threshold."""
        style = row_fonts(self.font()).caption
        draw_text(painter, foot, "0", style, found.second)
        draw_figure(painter, foot, "1", style, found.second)
        passing = say("{accepted} pass", accepted=shown_count(self._accepted))
        if self._invalid:
            passing = say(
                "{passing}, {invalid} invalid", passing=passing, invalid=shown_count(self._invalid)
            )
        words = (say("{below} below", below=shown_count(self._below)), passing)
        gap = 2 * style.metrics.horizontalAdvance("0")
        below, above = (style.metrics.horizontalAdvance(word) for word in words)
        first = (foot.left() + self._line_at() - below) // 2
        second = (self._line_at() + foot.right() - above) // 2
        second = min(second, foot.right() - gap - above)
        first = max(foot.left() + gap, min(first, second - gap - below))
        second = max(second, first + below + gap)
        for word, left in zip(words, (first, second), strict=True):
            draw_text(
                painter, foot.adjusted(left - foot.left(), 0, 0, 0), word, style, found.second
            )


def _and_undecided(words: str, undecided: int) -> str:
    """Add the number of undecided traces to a sentence, if there are any."""
    if not undecided:
        return words
    return say("{words}, {undecided} undecided", words=words, undecided=shown_count(undecided))
