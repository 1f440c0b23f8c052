"""The score of a trace at three places in the order, against the threshold."""

from functools import partial

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.novelty.neighbours import Order
from kpinspector.ui.look.marks import STATE_SIZE, fill, paint_state
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.theme import Colours, TextRole, font
from kpinspector.ui.score.waterfall import Scale
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.figures import shown_score, shown_short, shown_whole
from kpinspector.words.novelty import place_names
from kpinspector.words.say import say
from kpinspector.words.sentences import verdict_word

_ROW_HEIGHT = 24
_AXIS_HEIGHT = 18
_LINE = 2
_MARGIN_SHARE = 0.35
_LEAST_SPAN = 0.05


class OrderChart(FigureTable):
    """A row for each place: the verdict's shape where the score stands, and the score."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            ColumnWidth(98, fits=True),
            ColumnWidth(80, stretch=True),
            ColumnWidth(66, fits=True),
        )
        super().__init__(columns, parent=parent)
        self.setAccessibleName(say("Order"))

    def set_order(self, order: Order) -> None:
        """Show the scores of a trace first, at its place and after itself."""
        scores = (order.first, order.placed, order.after)
        axis = _axis([one.score for one in scores], order.placed.threshold)
        rows = [
            self._row(axis, name, one, placed=one is order.placed)
            for name, one in zip(place_names(order), scores, strict=True)
        ]
        label = FigureCell(
            picture=partial(_paint_threshold, axis), said=shown_short(axis.threshold)
        )
        rows.append(
            Row(
                (FigureCell(say("Threshold"), picture=_paint_nothing), label, FigureCell()),
                _AXIS_HEIGHT,
            )
        )
        heads = (
            heading(say("place"), say("Order")),
            Head(say("verdict")),
            Head(say("score"), say("novelty depends on what came before"), note=True),
        )
        self.set_rows(rows, heads)

    def _row(self, axis: Scale, name: str, one: Assessment, *, placed: bool) -> Row:
        role = TextRole.PANE if placed else TextRole.BODY
        chart = FigureCell(picture=partial(_paint_place, axis, one), said=verdict_word(one.verdict))
        score = shown_score(one.score, one.threshold)
        figure = FigureCell(score, role, figure=True, tooltip=shown_whole(one.score))
        return Row((FigureCell(name, role), chart, figure), _ROW_HEIGHT)


def _axis(scores: list[float], threshold: float) -> Scale:
    """An axis from below the lowest to above the highest score, so that small differences show."""
    low, high = min(*scores, threshold), max(*scores, threshold)
    margin = max(_LEAST_SPAN, _MARGIN_SHARE * (high - low))
    return Scale(low - margin, high + margin, threshold)


def _paint_place(
    axis: Scale, one: Assessment, painter: QPainter, rect: QRect, colours: Colours
) -> None:
    middle = rect.top() + rect.height() // 2
    fill(painter, QRect(rect.left(), middle, rect.width(), 1), colours.button_edge)
    line = QRect(axis.x(rect, axis.threshold) - _LINE // 2, rect.top(), _LINE, rect.height())
    fill(painter, line, colours.text)
    side = rect.height() * STATE_SIZE // _ROW_HEIGHT
    left = axis.x(rect, one.score) - side // 2
    paint_state(painter, centred(rect, left, side), one.verdict, colours)


def _paint_threshold(axis: Scale, painter: QPainter, rect: QRect, colours: Colours) -> None:
    strong = font(TextRole.HEADING, QApplication.font())
    words = shown_short(axis.threshold)
    width = QFontMetrics(strong).horizontalAdvance(words) + 2
    painter.setFont(strong)
    painter.setPen(colours.text)
    place = QRect(axis.x(rect, axis.threshold) - width // 2, rect.top(), width, rect.height())
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)


def _paint_nothing(_painter: QPainter, _rect: QRect, _colours: Colours) -> None:
    """The word is for those who do not see the number under the line."""
