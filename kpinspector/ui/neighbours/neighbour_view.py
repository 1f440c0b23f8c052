"""The Neighbours tab: what novelty was compared with, the effect of order, and the unseen text."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.app.questions import Question
from kpinspector.scoring.findings import Basis, Finding, Neighbour
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.novelty.neighbours import Alike, Influence, without
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.settings import Mode
from kpinspector.trace.clear import masked_in
from kpinspector.ui.controls.base import FlatButton, Label, PushButton, in_column, in_row
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.moments import shown_day
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.neighbours.neighbour_rows import (
    ROW_HEIGHT,
    Do,
    NeighbourWish,
    fall_row,
    influence_rows,
    order_rows,
    standing_rows,
)
from kpinspector.ui.parts.column_page import PADDING, ColumnPage
from kpinspector.ui.parts.progress_bar import ProgressBar
from kpinspector.ui.parts.sections import Divider, WrappedLabel
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.tables.figure_model import Head, Row, heads_of
from kpinspector.ui.tables.figure_table import ColumnWidth, Few, FigureTable, Stops
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import (
    shown_count,
)
from kpinspector.words.novelty import (
    Today,
    compared_words,
    ranking_remark,
    shared_words,
    today_of,
    today_sentence,
    unseen_sentence,
    without_score,
)
from kpinspector.words.run import middle_scores
from kpinspector.words.say import say
from kpinspector.words.sentences import Run, Sentence

_TWO_COLUMNS_FROM = 640
_GAP = 8
_CAPTION = TextRole.CAPTION
_NEAREST_COLUMNS = (
    ColumnWidth(PADDING),
    ColumnWidth(21, fits=True, gap=_GAP),
    ColumnWidth(60, stretch=True),
    ColumnWidth(147),
    ColumnWidth(PADDING),
)
_ORDER_COLUMNS = (
    ColumnWidth(98, fits=True),
    ColumnWidth(80, stretch=True),
    ColumnWidth(66, fits=True),
)
_STEP_COLUMNS = (
    ColumnWidth(24),
    ColumnWidth(98, fits=True),
    ColumnWidth(60, stretch=True),
    ColumnWidth(66, fits=True),
)


class Asking(QWidget):
    """Offers a question, lets the user start it, and shows its progress."""

    def __init__(self, word: str, ask: Callable[[], object], stop: Callable[[], object]) -> None:
        super().__init__()
        self._about = WrappedLabel("", _CAPTION, second=True)
        self._button = PushButton(word)
        self._button.clicked.connect(ask)
        self._words = Label(role=_CAPTION)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(say("{word}, progress", word=word))
        self._stop = FlatButton(IconName.STOP, say("Stop"))
        self._stop.setAccessibleName(say("{word}, stop", word=word))
        self._stop.clicked.connect(stop)
        row = in_row(self._button, self._words, self._bar, self._stop, None, spacing=_GAP)
        in_column(self._about, row, on=self, margins=(0, 2, 0, 4), spacing=_GAP // 2)
        self.set_idle("")

    def set_idle(self, about: str) -> None:
        """Offer the question, with a sentence on it; none takes no room."""
        self._show(running=False)
        self._about.setText(about)
        self._about.setVisible(bool(about))

    def set_progress(self, words: str, done: int = 0, total: int = 0) -> None:
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


class AlikePart(QWidget):
    """Which steps make the trace like its nearest neighbour, once that is asked."""

    def __init__(self, wish: Callable[[NeighbourWish], object]) -> None:
        super().__init__()
        self._wish = wish
        self._measured: Measured | None = None
        self._alike: Alike | None = None
        self._about = ""
        name = say("Steps that make them alike")
        self._table = FigureTable(_STEP_COLUMNS, ({2},), name=name, few=Few(6, 1, ROW_HEIGHT))
        self._table.row_activated.connect(wish)
        self._remark = WrappedLabel("", _CAPTION, second=True)
        stop = NeighbourWish(Do.STOP, Question.RANKING)
        self._asking = Asking(say("Rank Steps"), self._on_asked, lambda: wish(stop))
        in_column(self._table, self._remark, self._asking, on=self)

    def set_measured(self, measured: Measured) -> None:
        """Set another trace or neighbour, of which nothing is known yet."""
        self._measured, self._about = measured, ""
        novelty = measured.measurement.novelty
        if novelty.neighbours:
            self._about = say(
                "Leaves out each step that novelty sees, in turn, and compares with {nearest}.",
                nearest=masked_in(novelty.names[0]),
            )
        self._table.all_shown = False
        self._take(None, "")
        self._asking.set_idle(self._about)
        self._asking.show()

    def set_alike(self, alike: Alike | None) -> None:
        """Take what is known so far; None where the neighbour is not remembered any more."""
        if alike is None:
            self._about = say("That trace is not remembered any more.")
            return
        self._alike = alike
        done, total = len(alike.ranking.falls), alike.ranking.total
        words = say("{done} of {total} steps", done=shown_count(done), total=shown_count(total))
        self._asking.set_progress(words, done, total)

    def set_ended(self) -> None:
        """Show what was found: all, or what was done before it was stopped."""
        alike = self._alike
        if alike is None or self._measured is None:
            self._asking.set_idle(self._about)
            return
        ranking, near = alike.ranking, self._measured.measurement.novelty.neighbours[0]
        remarks = [ranking_remark(ranking, near), *shared_words(alike)]
        if not ranking.falls:
            remarks.append(
                say("Stopped before the first step.")
                if ranking.total
                else say("Novelty sees no step's content.")
            )
        elif not ranking.complete:
            remarks.append(
                say(
                    "Stopped after {done} of {total} steps.",
                    done=shown_count(len(ranking.falls)),
                    total=shown_count(ranking.total),
                )
            )
        self._take(alike, " ".join(filter(None, remarks)))
        self._asking.setVisible(not ranking.complete)
        self._asking.set_idle("")

    def _take(self, alike: Alike | None, remark: str) -> None:
        self._alike = alike
        rows: list[Row] = []
        if alike is not None and self._measured is not None:
            falls, steps = alike.ranking.falls, self._measured.record.trace.steps
            most = max((abs(one.fall) for one in falls), default=0.0)
            rows = [fall_row(steps[one.step], one, alike.ranking, most) for one in falls]
        title, lost = say("Steps that make them alike"), say("similarity lost without the step")
        said = (say("kind"), say("step"), say("bar"), lost)
        self._table.set_rows(rows, heads_of(title, *said, notes=lost if rows else ""))
        self._remark.setText(remark)
        self._remark.setVisible(bool(remark))

    def _on_asked(self) -> None:
        self._take(None, "")
        self._asking.set_progress(say("Waits for its turn"))
        self._wish(NeighbourWish(Do.ASK, Question.RANKING))


class NeighbourView(ColumnPage):
    """The content of the Neighbours tab. What is asked for comes back by setters."""

    wished = Signal(object)
    """A `NeighbourWish`."""

    def __init__(self) -> None:
        self._middle = WrappedLabel("", _CAPTION, second=True)
        self._middle.setContentsMargins(PADDING, PADDING // 2, PADDING, 0)
        super().__init__(head=self._middle, gap=0, wide_from=_TWO_COLUMNS_FROM)
        self._explanation: Explanation | None = None
        self._measured: Measured | None = None
        self._today: Finding | None = None
        self._mode = Mode.REMEMBER
        self._then_or_today = ChipBar(
            (ChipSpec("scored", say("When Scored")), ChipSpec("today", say("Today")))
        )
        self._summary = SentenceLabel()
        name = say("Nearest remembered traces")
        few = Few(5, 2, 26)
        self._nearest = FigureTable(_NEAREST_COLUMNS, name=name, few=few, stops=Stops.CHOSEN)
        self._bound = WrappedLabel("", _CAPTION, second=True)
        self._compare = PushButton(say("Compare"), icon=IconName.COMPARE)
        self._open = PushButton(say("Open"))
        self._leave_out = PushButton(say("Leave Out in What-if"))
        self._order = FigureTable(_ORDER_COLUMNS, name=say("Order"))
        self._alike = AlikePart(self.wished.emit)
        self._unseen = SentenceLabel()
        self._first_line, self._alike_line = Divider(), Divider()
        self._fill()
        self._then_or_today.chip_chosen.connect(self._on_when_chosen)
        self._nearest.chosen_changed.connect(self._on_chosen_changed)
        self._compare.clicked.connect(lambda: self._wish(Do.COMPARE))
        self._open.clicked.connect(lambda: self._wish(Do.OPEN))
        self._leave_out.clicked.connect(self._on_leave_out)
        self.set_explanation(None)

    def _fill(self) -> None:
        title = Label(say("Nearest remembered traces"), TextRole.HEADING)
        margins = (PADDING, 6, PADDING - 4, 0)
        top = in_row(title, None, self._then_or_today, margins=margins, spacing=None)
        sides = (PADDING, 4, PADDING, 0)
        buttons = in_row(
            self._compare,
            self._open,
            self._leave_out,
            None,
            margins=(PADDING, _GAP, PADDING, 4),
            spacing=_GAP,
        )
        for part in (
            top,
            in_column(self._summary, margins=sides, spacing=None),
            in_column(self._nearest),
            in_column(self._bound, margins=sides, spacing=None),
            buttons,
        ):
            self.first.parts.addLayout(part)
        parts = self.second.parts
        parts.setContentsMargins(PADDING, 0, PADDING - SCROLL_BAR_WIDTH, 0)
        for widget in (self._first_line, self._order, self._alike_line, self._alike, Divider()):
            parts.addWidget(widget)
        parts.addSpacing(5)
        parts.addWidget(Label(say("What novelty did not see"), TextRole.HEADING))
        parts.addWidget(self._unseen)

    @property
    def chosen(self) -> Neighbour | None:
        """The trace that the buttons are about."""
        chosen = self._nearest.chosen
        return chosen if isinstance(chosen, Neighbour) else None

    @property
    def _shows_today(self) -> bool:
        return self._then_or_today.chosen == "today"

    def set_explanation(self, explanation: Explanation | None) -> None:
        """Show the neighbours of a trace, or say why there are none."""
        measured = None if explanation is None else explanation.measured
        other = measured is not self._measured
        self._explanation, self._measured = explanation, measured
        self._today = None if other else self._today
        words = _why_nothing(explanation)
        self.show_hint(words)
        ranges = not words and explanation is not None and explanation.possible is not None
        facts = explanation.facts if explanation is not None and ranges else None
        self._middle.setText("" if facts is None else middle_scores(facts))
        self._middle.setVisible(facts is not None)
        if words or explanation is None or explanation.assessment is None or measured is None:
            return
        self._show_nearest()
        if explanation.order is not None:
            notes = say("novelty depends on what came before")
            said = (say("place"), say("verdict"), say("score"))
            heads = heads_of(say("Order"), *said, notes=notes)
            self._order.set_rows(order_rows(explanation.order), heads)
        if other:
            self._alike.set_measured(measured)
            reach = measured.measurement.novelty.reach
            if reach is not None:
                self._unseen.set_sentence(unseen_sentence(reach))
        for part in (self._alike, self._alike_line):
            part.setVisible(bool(explanation.neighbours))
        self._ask()

    def set_today(self, finding: Finding) -> None:
        """Take today's nearest entries."""
        self._today = finding
        self._show_nearest()

    def set_alike(self, alike: Alike | None) -> None:
        """Take what makes both alike as far as it is known; None: the neighbour is gone."""
        self._alike.set_alike(alike)

    def set_ended(self, question: Question) -> None:
        """A question is finished."""
        if question is Question.RANKING:
            self._alike.set_ended()

    def set_mode(self, mode: Mode) -> None:
        """Show which memory today's comparison uses."""
        self._mode = mode
        self._show_nearest()

    def refresh_today(self) -> None:
        """The memory has changed: look again, if today's nearest entries are shown."""
        if self.isVisible() and self._measured is not None and self._shows_today:
            self.wished.emit(NeighbourWish(Do.ASK, Question.TODAY))

    def _show_nearest(self) -> None:
        one = self._explanation
        if one is None or one.measured is None or one.assessment is None:
            return
        measurement, judged = one.measured.measurement, one.assessment
        found = self._today if self._shows_today else None
        today = None if found is None else today_of(measurement, judged, found)
        if today is None:
            compared = _compared_then(measurement)
            rows = influence_rows(one.neighbours, measurement.novelty.own)
        else:
            compared = say("{compared} today", compared=compared_words(today.finding))
            rows = standing_rows(today.comparison.nearest, today.comparison.own)
        heads = (
            Head(""),
            Head(say("rank"), compared, figure=False, note=True),
            Head(say("trace")),
            Head(say("similarity"), say("similarity")),
            Head(""),
        )
        self._nearest.set_rows(rows, heads)
        self._nearest.setVisible(bool(rows))
        self._summary.set_sentence(self._summary_words(today))
        self._summary.setVisible(bool(self._summary.text()))
        bound, count = "", len(one.neighbours)
        if today is None and count > 1:
            out = without(measurement, range(count), judged.profile, judged.threshold)
            bound = say(
                "Without all {count} the score would be {score}.",
                count=shown_count(count),
                score=without_score(out),
            )
        self._bound.setText(bound)
        self._bound.setVisible(bool(bound))
        self._on_chosen_changed()

    def _summary_words(self, today: Today | None) -> Sentence:
        if today is not None:
            words = {
                Mode.GUEST: say("As a guest: with a copy of the memory and what was scored since."),
                Mode.FRESH: say("Fresh: with the traces of the last drop and no others."),
            }
            mode = (Run(f" {words[self._mode]}"),) if self._mode in words else ()
            return (*today_sentence(today.then, today.comparison), *mode)
        if self._shows_today:
            return (Run(say("Comparing with what is remembered today.")),)
        if self._explanation is not None and not self._explanation.neighbours:
            return (Run(say("It was the first: there was nothing to compare with.")),)
        return ()

    def _influence(self) -> Influence | None:
        """What the chosen one did to the score, where the finding's are shown."""
        if self._explanation is None or (self._shows_today and self._today is not None):
            return None
        found = self._explanation.neighbours
        return next((one for one in found if one.neighbour == self.chosen), None)

    def _on_when_chosen(self) -> None:
        self._show_nearest()
        self._ask()

    def _on_chosen_changed(self) -> None:
        influence = self._influence()
        for button in (self._compare, self._open, self._leave_out):
            button.setVisible(self.chosen is not None)
        self._leave_out.setEnabled(influence is not None and influence.changes)

    def _wish(self, do: Do) -> None:
        if self.chosen is not None:
            self.wished.emit(NeighbourWish(do, self.chosen))

    def _on_leave_out(self) -> None:
        influence = self._influence()
        if influence is not None:
            self.wished.emit(NeighbourWish(Do.LEAVE_OUT, influence.without.novelty))

    def _ask(self) -> None:
        """Ask for what is shown and is not known yet."""
        if self._today is None:
            self.refresh_today()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    @override
    def rearrange(self) -> None:
        self._first_line.setVisible(not self.wide)


def _compared_then(measurement: Measurement) -> str:
    words, novelty = compared_words(measurement.novelty), measurement.novelty
    if not novelty.remembered or novelty.found_at is None:
        return words
    return say("{compared} on {day}", compared=words, day=shown_day(novelty.found_at))


def _why_nothing(explanation: Explanation | None) -> str:
    if explanation is None:
        return say("Choose a trace to see what it was compared with.")
    if explanation.pending:
        return say("What it is compared with is known when the trace is scored.")
    if explanation.novelty is None:
        return say("There is no score: nothing was compared.")
    if explanation.novelty.basis is Basis.NOT_RECORDED:
        return say(
            "Nothing was compared, as the recording left the content out:"
            " novelty is assumed 0.5, whatever came before."
        )
    if explanation.assumed:
        return say(
            "Nothing was compared, as the embedding model could not be loaded:"
            " novelty is assumed 0.5, whatever came before."
        )
    return ""
