"""The scores of all traces as columns, with the threshold across."""

import sys

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpinspector.ui.parts.controls import paint_box
from kpinspector.ui.parts.marks import fill
from kpinspector.ui.parts.row_painting import RowFonts, TextFont, row_fonts
from kpinspector.ui.theme import Colours, colours, scale
from kpinspector.ui.traces.census import BINS, Census
from kpinspector.words.figures import shown_count, shown_short

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

HEIGHT = 116

_PADDING = 12
_PILL_PADDING = 6
_GAP = 1
_LINE = 2


class Histogram(QWidget):
    """Counts of scores in steps of 0.05; accepted ones are coloured, on top of the others."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rejected: tuple[int, ...] = (0,) * BINS
        self._accepted: tuple[int, ...] = (0,) * BINS
        self._below = 0
        self._threshold = 0.0
        self.setAccessibleName(self.tr("Scores"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_census(self, census: Census, threshold: float) -> None:
        """Show the scores that were counted."""
        self._rejected, self._accepted = tuple(census.others), tuple(census.accepted)
        self._below, self._threshold = census.below, threshold
        self.setAccessibleDescription(self.sentence())
        self.update()

    @property
    def columns(self) -> tuple[tuple[int, int], ...]:
        """For every step of 0.05: how many are not accepted, how many are."""
        return tuple(zip(self._rejected, self._accepted, strict=True))

    def title(self) -> str:
        """What is drawn, and of how many."""
        words = self.tr("Scores of {0}")
        return words.format(shown_count(self._total)) if self._total else self.tr("Scores")

    def sentence(self) -> str:
        """All that the drawing says of the two sides."""
        words = self.tr("{0} scored: {1} below the threshold {2}, {3} accepted")
        said = words.format(
            shown_count(self._total),
            shown_count(self._below),
            shown_short(self._threshold),
            shown_count(sum(self._accepted)),
        )
        invalid = self.tr("{0} reach it and fail the schema").format(shown_count(self._invalid))
        return f"{said}, {invalid}" if self._invalid else said

    @property
    def _total(self) -> int:
        return sum(self._rejected) + sum(self._accepted)

    @property
    def _invalid(self) -> int:
        """Scores that reach the threshold of traces that are rejected all the same."""
        return self._total - self._below - sum(self._accepted)

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, scale(HEIGHT, self.fontMetrics()))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found, fonts, metrics = colours(self.palette()), row_fonts(self.font()), self.fontMetrics()
        painter.fillRect(self.rect(), found.sheet)
        fill(painter, QRect(0, 0, self.width(), 1), found.line)
        padding = scale(_PADDING, metrics)
        room = self.rect().adjusted(padding, 0, -padding, 0)
        painter.setFont(fonts.heading.font)
        painter.setPen(found.text)
        caption = fonts.caption.metrics.height()
        title = QRect(room.left(), scale(8, metrics), room.width(), caption)
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, self.title())
        foot = QRect(
            room.left(), self.height() - caption - scale(6, metrics), room.width(), caption
        )
        chart = QRect(room.left(), title.bottom(), room.width(), 0)
        chart.setBottom(foot.top() - scale(5, metrics))
        self._paint_columns(painter, chart, found)
        fill(painter, QRect(chart.left(), chart.bottom() + 1, chart.width(), 1), found.button_edge)
        self._paint_threshold(painter, chart, found, fonts)
        self._paint_foot(painter, foot, found, fonts.caption)

    def _paint_columns(self, painter: QPainter, chart: QRect, found: Colours) -> None:
        highest = max(map(sum, self.columns))
        if not highest:
            return
        height = chart.height() - scale(_PILL_PADDING, self.fontMetrics())
        for number, (rejected, accepted) in enumerate(self.columns):
            left = chart.left() + chart.width() * number // BINS
            right = chart.left() + chart.width() * (number + 1) // BINS - _GAP
            base = chart.bottom() + 1
            for count, colour in ((rejected, found.neutral), (accepted, found.accepted)):
                if count:
                    tall = max(1, round(height * count / highest))
                    fill(painter, QRect(left, base - tall, right - left, tall), colour)
                    base -= tall

    def _paint_threshold(
        self, painter: QPainter, chart: QRect, found: Colours, fonts: RowFonts
    ) -> None:
        x = chart.left() + round(chart.width() * min(1.0, max(0.0, self._threshold)))
        text = shown_short(self._threshold)
        padding = scale(_PILL_PADDING, self.fontMetrics())
        metrics = fonts.name.metrics
        pill = QRect(0, 0, metrics.horizontalAdvance(text) + 2 * padding, metrics.height() + 1)
        pill.moveCenter(QPoint(x, 0))
        pill.moveTop(scale(_PILL_PADDING, self.fontMetrics()))
        pill.moveRight(min(pill.right(), self.width() - 3))
        pill.moveLeft(max(pill.left(), 3))
        line = QRect(x - _LINE // 2, pill.bottom(), _LINE, chart.bottom() + 4 - pill.bottom())
        fill(painter, line, found.text)
        paint_box(painter, pill, found.text)
        painter.setFont(fonts.name.font)
        painter.setPen(found.sheet)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_foot(self, painter: QPainter, foot: QRect, found: Colours, style: TextFont) -> None:
        """The ends of the scale; between them the counts, each in the middle of its side."""
        painter.setFont(style.font)
        painter.setPen(found.second)
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, "1")
        accepted = shown_count(sum(self._accepted))
        passing = self.tr("{0} pass").format(accepted)
        if self._invalid:
            passing = self.tr("{0}, {1} invalid").format(passing, shown_count(self._invalid))
        words = (self.tr("{0} below").format(shown_count(self._below)), passing)
        gap = 2 * style.metrics.horizontalAdvance("0")
        widths = [style.metrics.horizontalAdvance(word) for word in words]
        middle = foot.left() + round(foot.width() * min(1.0, max(0.0, self._threshold)))
        first = (foot.left() + middle - widths[0]) // 2
        second = (middle + foot.right() - widths[1]) // 2
        second = min(second, foot.right() - gap - widths[1])
        first = max(foot.left() + gap, min(first, second - gap - widths[0]))
        second = max(second, first + widths[0] + gap)
        for word, left, width in zip(words, (first, second), widths, strict=True):
            painter.drawText(
                QRect(left, foot.top(), width, foot.height()), Qt.AlignmentFlag.AlignLeft, word
            )
