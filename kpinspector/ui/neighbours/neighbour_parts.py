"""Below the list of neighbours: the effect of order, alike steps, and what novelty did not see."""

from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.novelty.neighbours import Alike, Order, StepFall, StepRanking
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import ReasoningTrace, Step
from kpinspector.ui.controls.base import FlatButton, Label, PushButton, in_column, in_row
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import STATE_SIZE, BarMark, fill, paint_bar, paint_state
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import masked_line
from kpinspector.ui.look.theme import Colours, TextRole, font
from kpinspector.ui.parts.progress_bar import ProgressBar
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.score.dimension_table import StepWish
from kpinspector.ui.score.waterfall import Scale
from kpinspector.ui.steps.step_delegate import ICONS
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.figures import (
    shown_count,
    shown_number,
    shown_score,
    shown_short,
    shown_whole,
)
from kpinspector.words.novelty import (
    fall_words,
    place_names,
    ranking_remark,
    shared_words,
    unseen_sentence,
)
from kpinspector.words.say import say
from kpinspector.words.sentences import kind_word, verdict_word

_ROW_HEIGHT = 24
_AXIS_HEIGHT = 18
_LINE = 2
_MARGIN_SHARE = 0.35
_LEAST_SPAN = 0.05
_GAP = 8
_FEW = 6
_BAR_HEIGHT = 8
_LONGEST_TOOL = 24
_MORE = "more"
_PART_TOP = 5


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


class Asking(QWidget):
    """Offers a question, lets the user start it, and shows its progress."""

    asked = Signal()
    stop_requested = Signal()

    def __init__(self, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = WrappedLabel("", TextRole.CAPTION, second=True)
        self._button = PushButton(word)
        self._button.clicked.connect(self.asked)
        self._words = Label(role=TextRole.CAPTION)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(say("{word}, progress", word=word))
        self._stop = FlatButton(IconName.STOP, say("Stop"))
        self._stop.setAccessibleName(say("{word}, stop", word=word))
        self._stop.clicked.connect(self._on_stopped)
        row = in_row(self._button, self._words, self._bar, self._stop, None, spacing=_GAP)
        in_column(self._about, row, on=self, margins=(0, 2, 0, 4), spacing=_GAP // 2)
        self.set_idle("")

    def set_idle(self, about: str) -> None:
        """Offer the question, with a sentence on it; none takes no room."""
        self._show(running=False)
        self._about.setText(about)
        self._about.setVisible(bool(about))

    def set_progress(self, words: str, done: int, total: int) -> None:
        """Show how far it has come; a total of 0 for what is not known."""
        self._words.setText(words)
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done)
        self._show(running=True)
        self._about.hide()

    def _show(self, *, running: bool) -> None:
        held = self._button.hasFocus() or self._stop.hasFocus()
        self._button.setVisible(not running)
        for part in (self._words, self._bar, self._stop):
            part.setVisible(running)
        if held:
            (self._stop if running else self._button).setFocus()

    def _on_stopped(self) -> None:
        self.stop_requested.emit()


class StepRankingTable(FigureTable):
    """A row for each step, the largest fall first; a step that is activated is gone to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            ColumnWidth(24),
            ColumnWidth(98, fits=True),
            ColumnWidth(60, stretch=True),
            ColumnWidth(66, fits=True),
        )
        super().__init__(columns, ({2},), parent)
        self.setAccessibleName(say("Steps that make them alike"))
        self._trace: ReasoningTrace | None = None
        self._ranking: StepRanking | None = None
        self._all_shown = False
        self.row_activated.connect(self._on_row_activated)

    def set_ranking(self, trace: ReasoningTrace | None, ranking: StepRanking | None) -> None:
        """Show the steps measured so far; None for what was not asked yet."""
        if trace is not self._trace:
            self._all_shown = False
        self._trace, self._ranking = trace, ranking
        self._show()

    def _show(self) -> None:
        rows: list[Row] = []
        if self._trace is not None and self._ranking is not None:
            falls, steps = self._ranking.falls, self._trace.steps
            shown = falls if self._all_shown else falls[:_FEW]
            most = max((abs(one.fall) for one in falls), default=0.0)
            rows = [self._row(steps[one.step], one, self._ranking, most) for one in shown]
            if len(shown) < len(falls):
                rows.append(self._more(len(falls) - len(shown)))
        note = say("similarity lost without the step") if rows else ""
        heads = (
            heading(say("kind"), say("Steps that make them alike")),
            Head(say("step")),
            Head(say("bar")),
            Head(say("similarity lost without the step"), note, note=True),
        )
        self.set_rows(rows, heads)

    def _on_row_activated(self, wish: object) -> None:
        if wish == _MORE:
            self._all_shown = True
            self._show()

    def _row(self, step: Step, one: StepFall, ranking: StepRanking, most: float) -> Row:
        kind, words = kind_word(step.kind), fall_words(one, ranking)
        name = f"{shown_count(one.step)} {kind}"
        tool = masked_line(step.tool_name or "", _LONGEST_TOOL)
        about = masked_line(step.content)
        share = abs(one.fall) / most if most else 0.0
        icon = ICONS.get(step.kind) if step.kind is not None else None
        cells = (
            FigureCell(picture=partial(_paint_kind, icon)),
            FigureCell(name, tooltip="\n".join(filter(None, (tool, about)))),
            FigureCell(
                picture=partial(_paint_fall, share, falls=one.fall >= 0),
                said=say(
                    "{similarity} similar without it", similarity=shown_number(one.similarity)
                ),
            ),
            FigureCell(words, figure=True, tooltip=shown_whole(-one.fall)),
        )
        return Row(cells, _ROW_HEIGHT, wish=StepWish(one.step))

    def _more(self, number: int) -> Row:
        words = say("Show {number} More", number=shown_count(number))
        cells = (FigureCell(), FigureCell(words, TextRole.CAPTION, second=True, span=3))
        return Row(cells, _ROW_HEIGHT, wish=_MORE)


def _paint_kind(icon: IconName | None, painter: QPainter, rect: QRect, colours: Colours) -> None:
    if icon is not None:
        side = rect.height() * ICON_SIZE // _ROW_HEIGHT
        paint_icon(painter, centred(rect, rect.left(), side), icon, colours.second)


def _paint_fall(
    share: float, painter: QPainter, rect: QRect, colours: Colours, *, falls: bool
) -> None:
    """A step without which the two are more alike has no dimension's colour."""
    height = rect.height() * _BAR_HEIGHT // _ROW_HEIGHT
    box = band(rect, height)
    paint_bar(painter, box, BarMark(colours.novelty if falls else colours.neutral, share), colours)


class AlikePart(QWidget):
    """Which steps make the trace like its nearest neighbour, once that is asked."""

    step_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._measured: Measured | None = None
        self._alike: Alike | None = None
        self._about = ""
        self._table = StepRankingTable()
        self._remark = WrappedLabel("", TextRole.CAPTION, second=True)
        self.asking = Asking(say("Rank Steps"))
        layout = _column(self)
        for part in (self._table, self._remark, self.asking):
            layout.addWidget(part)
        self.asking.asked.connect(self._on_asked)
        self._table.row_activated.connect(self._on_row_activated)

    def set_measured(self, measured: Measured) -> None:
        """Set another trace or neighbour, of which nothing is known yet."""
        self._measured = measured
        self._about = self._words(measured)
        self._take(None, "")
        self.asking.set_idle(self._about)
        self.asking.show()

    def set_alike(self, alike: Alike | None) -> None:
        """Take what is known so far; None where the neighbour is not remembered any more."""
        if alike is None:
            self._about = say("That trace is not remembered any more.")
            return
        self._alike, ranking = alike, alike.ranking
        done, total = len(ranking.falls), ranking.total
        words = say("{done} of {total} steps", done=shown_count(done), total=shown_count(total))
        self.asking.set_progress(words, done, total)

    def set_ended(self) -> None:
        """Show what was found: all, or what was done before it was stopped."""
        alike = self._alike
        if alike is None or self._measured is None:
            self.asking.set_idle(self._about)
            return
        ranking, near = alike.ranking, self._measured.measurement.novelty.neighbours[0]
        remarks = [ranking_remark(ranking, near), *shared_words(alike)]
        if not ranking.falls:
            remarks.append(self._nothing_ranked(ranking))
        elif not ranking.complete:
            remarks.append(
                say(
                    "Stopped after {done} of {total} steps.",
                    done=shown_count(len(ranking.falls)),
                    total=shown_count(ranking.total),
                )
            )
        self._take(alike, " ".join(filter(None, remarks)))
        self.asking.setVisible(not ranking.complete)
        self.asking.set_idle("")

    def _take(self, alike: Alike | None, remark: str) -> None:
        self._alike = alike
        trace = self._measured.record.trace if self._measured is not None else None
        self._table.set_ranking(trace, None if alike is None else alike.ranking)
        self._remark.setText(remark)
        self._remark.setVisible(bool(remark))

    def _words(self, measured: Measured) -> str:
        novelty = measured.measurement.novelty
        if not novelty.neighbours:
            return ""
        return say(
            "Leaves out each step that novelty sees, in turn, and compares with {nearest}.",
            nearest=masked_in(novelty.names[0]),
        )

    def _nothing_ranked(self, ranking: StepRanking) -> str:
        if ranking.total:
            return say("Stopped before the first step.")
        return say("Novelty sees no step's content.")

    def _on_asked(self) -> None:
        self._take(None, "")
        self.asking.set_progress(say("Waits for its turn"), 0, 0)

    def _on_row_activated(self, wish: object) -> None:
        if isinstance(wish, StepWish):
            self.step_wanted.emit(wish.index)


class UnseenPart(QWidget):
    """Where the window ends."""

    def __init__(self) -> None:
        super().__init__()
        self._sentence = SentenceLabel()
        layout = _column(self)
        layout.addSpacing(_PART_TOP)
        layout.addWidget(Label(say("What novelty did not see"), TextRole.HEADING))
        layout.addWidget(self._sentence)

    def set_reach(self, reach: Reach | None) -> None:
        """Say how much of the text novelty saw."""
        if reach is not None:
            self._sentence.set_sentence(unseen_sentence(reach))


def _column(widget: QWidget) -> QVBoxLayout:
    return in_column(on=widget)
