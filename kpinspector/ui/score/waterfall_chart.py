"""The chart of the waterfall: its scale, its bars, and how a row of it is painted."""

from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication

from kpinspector.app.document import Document
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import (
    BADGE_SIZE_LARGE,
    SMALLEST_GAP,
    STATE_SIZE,
    fill,
    outline,
    paint_hatch,
    paint_state,
)
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.theme import Colours, TextRole, font
from kpinspector.ui.score.dimension_table import MARK_COLUMN
from kpinspector.words.figures import shown_short

ROW_HEIGHT = 18

_BAR_HEIGHT = 10
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_THRESHOLD_LINE = 2
_TICK_GAP = 6
_CHEVRON_SIDE = 12


@dataclass(frozen=True, slots=True)
class Scale:
    """What the chart's width stands for: 0 to 1, or more where a sum lies outside."""

    low: float
    high: float
    threshold: float

    def x(self, rect: QRect, value: float) -> int:
        """Where a value stands."""
        share = (value - self.low) / (self.high - self.low)
        return rect.left() + round(min(1.0, max(0.0, share)) * (rect.width() - 1))

    @property
    def ticks(self) -> tuple[float, ...]:
        """The values with a faint line, besides the threshold."""
        if (self.low, self.high) == (0.0, 1.0):
            return _QUARTERS
        return tuple(sorted({self.low, 0.0, 1.0, self.high}))


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One bar of the chart, and the next one's start that a thin line leads to.

    Attributes:
        dimension: Whose colour it has; None for a neutral bar.
        unknown: Up to where it may reach; hatched.
        hatched: It stands on an assumed value.
        total: It is the score, with its gap to the threshold.
    """

    start: float
    end: float
    dimension: Dimension | None = None
    unknown: float | None = None
    hatched: bool = False
    total: bool = False
    joined_above: bool = True
    joined_below: bool = True


def paint_term(
    dimension: Dimension | None,
    painter: QPainter,
    rect: QRect,
    colours: Colours,
    *,
    opened: bool,
) -> None:
    """Paint a dimension's letter below the badges of the table above, and a chevron behind it."""
    width = _mark_width(rect)
    if dimension is not None:
        painter.setFont(font(TextRole.PANE, QApplication.font()))
        painter.setPen(colours.dimension(dimension))
        room = QRect(rect.left(), rect.top(), width, rect.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, DIMENSION_LETTERS[dimension])
    side = _CHEVRON_SIDE * width // BADGE_SIZE_LARGE
    box = QRect(rect.right() + 1 - side, rect.top(), side, rect.height())
    name = IconName.CHEVRON_DOWN if opened else IconName.CHEVRON_RIGHT
    paint_icon(painter, box, name, colours.second)


def paint_verdict(document: Document, painter: QPainter, rect: QRect, colours: Colours) -> None:
    """Paint the document's shape below the letters."""
    width = _mark_width(rect)
    side = width * STATE_SIZE // BADGE_SIZE_LARGE
    box = centred(rect, rect.left() + (width - side) // 2, side)
    paint_state(painter, box, document.state, colours, assumed=document.assumed)


def _mark_width(rect: QRect) -> int:
    return rect.width() * BADGE_SIZE_LARGE // MARK_COLUMN.width


def paint_axis(axis: Scale, painter: QPainter, rect: QRect, colours: Colours) -> None:
    """The ticks' numbers; one that would touch the threshold's gives way."""
    caption = font(TextRole.CAPTION, QApplication.font())
    strong = font(TextRole.HEADING, QApplication.font())
    threshold = _label(axis, rect, axis.threshold, QFontMetrics(strong))
    painter.setFont(strong)
    painter.setPen(colours.text)
    align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(threshold, align, shown_short(axis.threshold))
    painter.setFont(caption)
    painter.setPen(colours.second)
    taken = [threshold]
    for tick in axis.ticks:
        room = _label(axis, rect, tick, QFontMetrics(caption))
        if not any(room.adjusted(-_TICK_GAP, 0, _TICK_GAP, 0).intersects(other) for other in taken):
            painter.drawText(room, align, shown_short(tick))
            taken.append(room)


def _label(axis: Scale, rect: QRect, value: float, metrics: QFontMetrics) -> QRect:
    width = metrics.horizontalAdvance(shown_short(value)) + 2
    return QRect(axis.x(rect, value) - width // 2, rect.top(), width, rect.height())


def paint_stretch(
    axis: Scale, bar: ChartBar, painter: QPainter, rect: QRect, colours: Colours
) -> None:
    """Paint one row of the chart: faint ticks, the bar and its joints, the threshold."""
    for tick in axis.ticks:
        fill(painter, QRect(axis.x(rect, tick), rect.top(), 1, rect.height()), colours.line)
    height = rect.height() * _BAR_HEIGHT // ROW_HEIGHT
    box = band(rect, height)
    _connect(axis, bar, painter, rect, box, colours)
    _paint_bar(axis, bar, painter, box, colours)
    line = QRect(
        axis.x(rect, axis.threshold) - _THRESHOLD_LINE // 2,
        rect.top(),
        _THRESHOLD_LINE,
        rect.height(),
    )
    fill(painter, line, colours.text)


def _paint_bar(axis: Scale, bar: ChartBar, painter: QPainter, box: QRect, colours: Colours) -> None:
    colour = colours.second if bar.dimension is None else colours.dimension(bar.dimension)
    solid = _between(axis, box, bar.start, bar.end)
    if bar.start == bar.end:
        pass
    elif bar.hatched:
        paint_hatch(painter, solid, colour)
        outline(painter, solid, colour)
    else:
        fill(painter, solid, colour)
    if bar.unknown is not None:
        paint_hatch(painter, _between(axis, box, bar.end, bar.unknown), colour)
    elif bar.total and bar.end < axis.threshold:
        gap = _between(axis, box, max(bar.end, bar.start), axis.threshold)
        if gap.width() >= SMALLEST_GAP:
            paint_hatch(painter, gap, colours.rejected)


def _between(axis: Scale, box: QRect, start: float, end: float) -> QRectF:
    left, right = sorted((axis.x(box, start), axis.x(box, end)))
    return QRectF(left, box.top(), max(1, right - left), box.height())


def _connect(
    axis: Scale, bar: ChartBar, painter: QPainter, rect: QRect, box: QRect, colours: Colours
) -> None:
    """Thin lines from the bar above and to the bar below."""
    if bar.joined_above:
        x = axis.x(rect, bar.end if bar.total else bar.start)
        fill(painter, QRect(x, rect.top(), 1, box.top() - rect.top()), colours.neutral)
    if bar.joined_below:
        x = axis.x(rect, bar.end)
        fill(painter, QRect(x, box.bottom() + 1, 1, rect.bottom() - box.bottom()), colours.neutral)
