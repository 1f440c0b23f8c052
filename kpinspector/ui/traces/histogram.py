"""A histogram of all scores, with the threshold as a line that can be dragged."""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QSizePolicy, QToolTip
from typing_extensions import override

from kpinspector.ui.controls.base import Drawing, paint_box
from kpinspector.ui.look.marks import fill, outline
from kpinspector.ui.look.painting import RowFonts, TextFont, row_fonts
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, scale
from kpinspector.ui.traces.row_counts import BINS, Spread
from kpinspector.words.figures import shown_count, shown_number, shown_short
from kpinspector.words.say import say

HEIGHT = 116

_PADDING = 12
_PILL_PADDING = 6
_GAP = 1
_GAP_OF_KEY = 8
_LEAST_BOX = 3  # anything lower has no inside
_LINE = 2
_REACH = 5  # within this distance, the mouse grabs the line
_DECIMALS = 2


class Histogram(Drawing):
    """Counts of scores in steps of 0.05; accepted ones are coloured, on top of the others.

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
        self._dragging = False
        self._gesture = 0
        self._pressed: int | None = None
        self._hovered: int | None = None
        self.setMouseTracking(True)
        self.setAccessibleName(say("Scores"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_spread(Spread(), 0.0)

    def show_spread(self, spread: Spread, threshold: float, chosen: int | None = None) -> None:
        """Show these counts; a column is marked that the list is filtered by."""
        self.columns, self._below = spread.columns, spread.below
        self._threshold, self._chosen = threshold, chosen
        others, self._accepted, self._undecided = map(sum, zip(*spread.columns, strict=True))
        self._total = others + self._accepted + self._undecided
        # these reach the threshold, and are rejected all the same
        self._invalid = others - self._below
        self.setAccessibleDescription(self.sentence())
        self.update()

    def tooltip_at(self, place: QPoint) -> str:
        """The tooltip of the line or of a column; empty elsewhere."""
        number = self._bin_at(place)
        if self._is_on_line(place):
            return say("Threshold {threshold}: drag it", threshold=shown_short(self._threshold))
        if number is None:
            return ""
        rejected, accepted, undecided = self.columns[number]
        words = say(
            "{low} to {high}: {accepted} accepted, {rejected} not",
            low=shown_number(number / BINS, _DECIMALS),
            high=shown_number((number + 1) / BINS, _DECIMALS),
            accepted=shown_count(accepted),
            rejected=shown_count(rejected),
        )
        return _and_undecided(words, undecided)

    def title(self) -> str:
        """The title, with the number of scores."""
        if not self._total:
            return say("Scores")
        return say("Scores of {total}", total=shown_count(self._total))

    def sentence(self) -> str:
        """What the drawing shows, in a sentence."""
        words = say(
            "{total} scored: {below} below the threshold {threshold}, {accepted} accepted",
            total=shown_count(self._total),
            below=shown_count(self._below),
            threshold=shown_short(self._threshold),
            accepted=shown_count(self._accepted),
        )
        if self._invalid:
            words = say(
                "{words}, {invalid} reach it and fail the schema",
                words=words,
                invalid=shown_count(self._invalid),
            )
        return _and_undecided(words, self._undecided)

    def _paint_scores(self, painter: QPainter, rect: QRect, found: Colours) -> None:
        fonts, metrics = row_fonts(self.font()), self.fontMetrics()
        painter.fillRect(rect, found.sheet)
        fill(painter, QRect(0, 0, self.width(), 1), found.line)
        chart, foot = self._places()
        title = foot.translated(0, scale(8, metrics) - foot.top())
        painter.setFont(fonts.heading.font)
        painter.setPen(found.text)
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, self.title())
        pill = self._pill(fonts)
        if self._undecided:
            title.setLeft(title.left() + fonts.heading.metrics.horizontalAdvance(self.title()))
            self._paint_key(painter, title, pill, found, fonts.caption)
        fill(painter, QRect(chart.left(), chart.bottom() + 1, chart.width(), 1), found.button_edge)
        self._paint_columns(painter, chart, found)
        line = QRect(self._line_at(chart) - _LINE // 2, pill.bottom(), _LINE, 0)
        line.setBottom(chart.bottom() + 3)
        fill(painter, line, found.text)
        paint_box(painter, pill, found.text)
        painter.setFont(fonts.name.font)
        painter.setPen(found.sheet)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, shown_short(self._threshold))
        self._paint_foot(painter, foot, found, fonts.caption)

    def _places(self) -> tuple[QRect, QRect]:
        """The areas of the columns and of the labels below them."""
        metrics = self.fontMetrics()
        caption, padding = row_fonts(self.font()).caption.metrics.height(), scale(_PADDING, metrics)
        left, width = padding, self.width() - 2 * padding
        foot = QRect(left, self.height() - caption - scale(6, metrics), width, caption)
        top = scale(8, metrics) + caption - 1
        return QRect(left, top, width, foot.top() - scale(5, metrics) - top + 1), foot

    # the mouse

    def _bin_at(self, place: QPoint) -> int | None:
        """The column at a place's x position, empty or not."""
        chart, _ = self._places()
        if not chart.contains(place) or chart.width() <= 0:
            return None
        return min(BINS - 1, (place.x() - chart.left()) * BINS // chart.width())

    def _is_on_line(self, place: QPoint) -> bool:
        chart, _ = self._places()
        reach = scale(_REACH, self.fontMetrics())
        return place.y() < chart.bottom() and abs(place.x() - self._line_at(chart)) <= reach

    def _line_at(self, chart: QRect) -> int:
        return chart.left() + round(chart.width() * min(1.0, max(0.0, self._threshold)))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        place = event.position().toPoint()
        self._gesture += 1
        self._dragging = self._is_on_line(place)
        self._pressed = None if self._dragging else self._bin_at(place)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        chart, _ = self._places()
        if self._dragging:
            threshold = (place.x() - chart.left()) / max(1, chart.width())
            chosen = round(min(1.0, max(0.0, threshold)), _DECIMALS)
            if chosen != self._threshold:
                self._threshold = chosen  # the line moves at once, the counts follow in batches
                self.update()
                self.threshold_chosen.emit(chosen, self._gesture)
            return
        on_line, hovered = self._is_on_line(place), self._bin_at(place)
        hand = hovered is not None and any(self.columns[hovered])
        shape = Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor
        self.setCursor(Qt.CursorShape.SplitHCursor if on_line else shape)
        self._hovered = None if on_line or not hand else hovered
        self.update()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed, dragged = self._pressed, None, self._dragging
        self._dragging = False
        if dragged or pressed is None or self._bin_at(event.position().toPoint()) != pressed:
            return
        if pressed == self._chosen:
            self.bin_chosen.emit(None)
        elif any(self.columns[pressed]):
            self.bin_chosen.emit(pressed)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = None
        self.update()

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = plain_tooltip(self.tooltip_at(event.pos()))
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    # what is painted

    def _paint_key(
        self, painter: QPainter, room: QRect, pill: QRect, found: Colours, style: TextFont
    ) -> None:
        """Explain the hollow boxes beside the title, if the threshold leaves room."""
        words, gap = say("hollow: undecided"), scale(_GAP_OF_KEY, self.fontMetrics())
        left, width = room.left() + gap, style.metrics.horizontalAdvance(words)
        key = QRect(left, room.top(), width, room.height())
        if key.right() + gap <= room.right() and not key.adjusted(-gap, 0, gap, 0).intersects(pill):
            painter.setFont(style.font)
            painter.setPen(found.second)
            painter.drawText(key, Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_columns(self, painter: QPainter, chart: QRect, found: Colours) -> None:
        highest = max(map(sum, self.columns))
        if not highest:
            return
        height = chart.height() - scale(_PILL_PADDING, self.fontMetrics())
        for number, (rejected, accepted, undecided) in enumerate(self.columns):
            left = chart.left() + chart.width() * number // BINS
            right = chart.left() + chart.width() * (number + 1) // BINS - _GAP
            base = chart.bottom() + 1
            if number in (self._hovered, self._chosen):
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

    def _pill(self, fonts: RowFonts) -> QRect:
        """The box with the threshold's figure."""
        padding, metrics = scale(_PILL_PADDING, self.fontMetrics()), fonts.name.metrics
        width = metrics.horizontalAdvance(shown_short(self._threshold)) + 2 * padding
        pill = QRect(0, 0, width, metrics.height() + 1)
        pill.moveCenter(QPoint(self._line_at(self._places()[0]), 0))
        pill.moveTop(padding)
        pill.moveRight(min(pill.right(), self.width() - 3))
        pill.moveLeft(max(pill.left(), 3))
        return pill

    def _paint_foot(self, painter: QPainter, foot: QRect, found: Colours, style: TextFont) -> None:
        """Paint the ends of the scale, and the counts centred on either side of the threshold."""
        painter.setFont(style.font)
        painter.setPen(found.second)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, "1")
        passing = say("{accepted} pass", accepted=shown_count(self._accepted))
        if self._invalid:
            passing = say(
                "{passing}, {invalid} invalid", passing=passing, invalid=shown_count(self._invalid)
            )
        words = (say("{below} below", below=shown_count(self._below)), passing)
        gap = 2 * style.metrics.horizontalAdvance("0")
        widths = [style.metrics.horizontalAdvance(word) for word in words]
        middle = self._line_at(foot)
        first = (foot.left() + middle - widths[0]) // 2
        second = (middle + foot.right() - widths[1]) // 2
        second = min(second, foot.right() - gap - widths[1])
        first = max(foot.left() + gap, min(first, second - gap - widths[0]))
        second = max(second, first + widths[0] + gap)
        for word, left, width in zip(words, (first, second), widths, strict=True):
            painter.drawText(
                QRect(left, foot.top(), width, foot.height()), Qt.AlignmentFlag.AlignLeft, word
            )


def _and_undecided(words: str, undecided: int) -> str:
    """Add the number of undecided traces to a sentence, if there are any."""
    if not undecided:
        return words
    return say("{words}, {undecided} undecided", words=words, undecided=shown_count(undecided))
