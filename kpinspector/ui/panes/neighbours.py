"""The Neighbours tab: what novelty was compared with, the effect of order, the unseen text."""

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.app.questions import Question
from kpinspector.scoring.findings import Basis, Finding, Named, Neighbour, neighbour_names
from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.novelty.neighbours import (
    Alike,
    Influence,
    Order,
    Standing,
    StepFall,
    StepRanking,
    without,
)
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.settings import Mode
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.ui.controls.base import FlatButton, Label, PushButton, fill_box, in_column, in_row
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.controls.fields import ProgressBar
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import ICON_SIZE, STATE_SIZE, IconName, fill, paint_state
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.plain_text import masked_line, one_line, set_tip, shown_day
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.panes.waterfall import Scale, paint_axis
from kpinspector.ui.parts.sections import PADDING, ColumnPage, SentenceLabel, WrappedLabel
from kpinspector.ui.steps.step_tree import ICONS
from kpinspector.ui.tables.figure_model import CellBar, CellMark, FigureCell, Head, Row, heads_of
from kpinspector.ui.tables.figure_table import ColumnWidth, Few, FigureTable, Stops, fitting
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import (
    shown_count,
    shown_number,
    shown_score,
    shown_short,
    shown_whole,
)
from kpinspector.words.novelty import (
    SETS_NOVELTY,
    UNCHANGED,
    WITHOUT_IT,
    Today,
    compared_words,
    fall_words,
    neighbour_about,
    neighbour_place,
    place_names,
    ranking_remark,
    shared_words,
    standing_words,
    today_of,
    today_sentence,
    unseen_sentence,
    without_score,
)
from kpinspector.words.run import middle_scores
from kpinspector.words.say import in_words, say, say_list
from kpinspector.words.sentences import Run, Sentence, kind_word, verdict_phrase, verdict_word

_TWO_COLUMNS_FROM = 640
_GAP = 8
_ROW_HEIGHT, _NEAR_HEIGHT, _AXIS_HEIGHT = 24, 46, 18
_LINE = 2
_MARGIN_SHARE, _LEAST_SPAN = 0.35, 0.05
_LONGEST_TOOL = 24
_CAPTION = TextRole.CAPTION
_NEAREST_COLUMNS = (
    ColumnWidth(PADDING),
    ColumnWidth(21, fits=True, gap=_GAP),
    ColumnWidth(60, stretch=True),
    ColumnWidth(147),
    ColumnWidth(PADDING),
)
_ORDER_COLUMNS = (*fitting(98), ColumnWidth(80, stretch=True), *fitting(66))


def near_rows(found: Sequence[Influence | Standing], own: Named | None) -> Iterator[Row]:
    """Rows of neighbours, nearest first: the score without each, or what has become of it since.

    The names of the neighbours are made to differ from ``own``, the name of the trace itself.
    """
    nearest = tuple(one.neighbour for one in found)
    others = nearest if own is None else (*nearest, own)
    for place, (one, name) in enumerate(zip(found, neighbour_names(nearest, own), strict=True), 1):
        near, named = one.neighbour, masked_in(name)
        about, is_first = one_line(neighbour_about(near, others)), False
        if isinstance(one, Influence):
            measure, is_first = _influence_cell(one), one.sets_novelty
        else:
            words = standing_words(one)
            note = FigureCell(words, _CAPTION, second=True, figure=True)
            tooltip = say("Similarity {similarity}", similarity=repr(near.similarity))
            measure = _similarity_cell(near, note, (words,), tooltip)
        pill = in_words(SETS_NOVELTY) if is_first else ""
        known = (named, masked_in(near.key), masked_in(near.objective), neighbour_place(near))
        cells = (
            FigureCell(),
            FigureCell(shown_count(place), second=True, below=FigureCell()),
            FigureCell(
                named,
                TextRole.NAME,
                pill=pill,
                below=FigureCell(about, _CAPTION, second=True),
                said=say_list((named, pill, about)),
                tooltip="\n".join(known),
                elided_at=Qt.TextElideMode.ElideMiddle,
            ),
            measure,
            FigureCell(),
        )
        yield Row(cells, _NEAR_HEIGHT, wish=near)


def _influence_cell(influence: Influence) -> FigureCell:
    after, score = influence.without.assessment, without_score(influence.without)
    unchanged = in_words(UNCHANGED)
    said: tuple[str, ...] = (unchanged,)
    note = FigureCell(unchanged, _CAPTION, second=True, figure=True)
    if influence.changes:
        said = say("without it {score}", score=score), verdict_phrase(after.verdict)
        mark, lead = CellMark(after.verdict), in_words(WITHOUT_IT)
        note = FigureCell(score, _CAPTION, figure=True, mark=mark, lead=lead)
    tooltip = say(
        "Similarity {similarity}\nWithout it the score is {score}",
        similarity=repr(influence.neighbour.similarity),
        score=repr(after.score),
    )
    return _similarity_cell(influence.neighbour, note, said, tooltip)


def _similarity_cell(
    near: Neighbour, note: FigureCell, said: tuple[str, ...], tooltip: str
) -> FigureCell:
    """A cell with a similarity as a bar and a figure, above a note."""
    shown = shown_number(near.similarity)
    bar = CellBar(near.similarity, Dimension.NOVELTY, height=6, width=84)
    words = say_list((shown, *said))
    return FigureCell(
        shown, TextRole.NAME, figure=True, bar=bar, below=note, said=words, tooltip=tooltip
    )


def order_rows(order: Order) -> list[Row]:
    """A row for each place in the order of scoring: a verdict symbol at the score, the score."""
    scores = (order.first, order.placed, order.after)
    axis = order_axis([one.score for one in scores], order.placed.threshold)
    rows = []
    for name, one in zip(place_names(order), scores, strict=True):
        role = TextRole.PANE if one is order.placed else TextRole.BODY
        score = shown_score(one.score, one.threshold)
        chart = partial(_paint_place, axis, one)
        cells = (
            FigureCell(name, role),
            FigureCell(picture=chart, said=verdict_word(one.verdict)),
            FigureCell(score, role, figure=True, tooltip=shown_whole(one.score)),
        )
        rows.append(Row(cells, _ROW_HEIGHT))
    label = FigureCell(picture=partial(paint_axis, axis), said=shown_short(axis.threshold))
    # for screen readers, as the label shows only the number
    return [*rows, Row((FigureCell(said=say("Threshold")), label, FigureCell()), _AXIS_HEIGHT)]


def order_axis(scores: Sequence[float], threshold: float) -> Scale:
    """An axis from below the lowest to above the highest score, so that small differences show."""
    low, high = min(*scores, threshold), max(*scores, threshold)
    margin = max(_LEAST_SPAN, _MARGIN_SHARE * (high - low))
    return Scale(low - margin, high + margin, threshold, ticked=False)


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


def fall_row(step: Step, one: StepFall, ranking: StepRanking, most: float) -> Row:
    """A row for a step and the similarity lost without it; ``most`` is the largest loss of all."""
    icon = ICONS.get(step.kind) if step.kind is not None else None
    said = say("{similarity} similar without it", similarity=shown_number(one.similarity))
    tool, about = masked_line(step.tool_name or "", _LONGEST_TOOL), masked_line(step.content)
    # without this step the two traces are more alike, so its bar is neutral
    dimension = Dimension.NOVELTY if one.fall >= 0 else None
    bar = CellBar(abs(one.fall) / most if most else 0.0, dimension, track=False)
    cells = (
        FigureCell(second=True, mark=CellMark(icon, ICON_SIZE) if icon else None),
        FigureCell(
            f"{shown_count(one.step)} {kind_word(step.kind)}",
            tooltip="\n".join(filter(None, (tool, about))),
        ),
        FigureCell(bar=bar, said=said),
        FigureCell(fall_words(one, ranking), figure=True, tooltip=shown_whole(-one.fall)),
    )
    return Row(cells, _ROW_HEIGHT, wish=Wish(Do.GO_TO_STEP, one.step))


class AlikePart(QWidget):
    """Ranks, on request, the steps that make the trace like its nearest neighbour."""

    def __init__(self, wish: Tell) -> None:
        super().__init__()
        self._wish = wish
        self._measured: Measured | None = None
        self._alike: Alike | None = None
        self._lost = False
        columns = (ColumnWidth(24), *fitting(98), ColumnWidth(60, stretch=True), *fitting(66))
        name, few = say("Steps that make them alike"), Few(6, 1, _ROW_HEIGHT)
        self._table = FigureTable(columns, ({2},), name=name, few=few)
        self._table.row_activated.connect(wish)
        self._remark, self._about = (WrappedLabel("", _CAPTION, second=True) for _ in range(2))
        self._rank = PushButton(say("Rank Steps"))
        self._rank.clicked.connect(self._on_asked)
        word = self._rank.text()
        self._progress, self._bar = Label(role=_CAPTION), ProgressBar(self)
        self._bar.setAccessibleName(say("{word}, progress", word=word))
        self._stop = FlatButton(IconName.STOP, say("Stop"))
        self._stop.setAccessibleName(say("{word}, stop", word=word))
        self._stop.clicked.connect(lambda: wish(Wish(Do.STOP, Question.RANKING)))
        running = (self._progress, self._bar, self._stop)
        row = in_row(self._rank, *running, None, spacing=_GAP)
        self._asking = QWidget()
        in_column(self._about, row, on=self._asking, margins=(0, 2, 0, 4), spacing=_GAP // 2)
        in_column(self._table, self._remark, self._asking, on=self)
        self._show(running=False)

    def set_measured(self, measured: Measured) -> None:
        """Set another trace or neighbour, whose steps are not ranked yet."""
        self._measured, self._alike, self._lost = measured, None, False
        self._table.all_shown = False
        self._show(running=False)

    def set_alike(self, alike: Alike | None) -> None:
        """Take the ranking so far; None if the neighbour is not remembered any more."""
        self._alike, self._lost = alike, alike is None
        self._show(running=True)

    def set_ended(self) -> None:
        """Show the ranking as far as it has come: complete, or stopped by the user."""
        self._show(running=False)

    def _on_asked(self) -> None:
        self._alike = None
        self._show(running=True)
        self._wish(Wish(Do.ASK, Question.RANKING))

    def _show(self, *, running: bool) -> None:
        """Show the button that asks, the progress of the ranking, or the ranking."""
        held = self._rank.hasFocus() or self._stop.hasFocus()
        if running:
            ranking = None if self._alike is None else self._alike.ranking
            done, total = (len(ranking.falls), ranking.total) if ranking else (0, 0)
            words = say("{done} of {total} steps", done=shown_count(done), total=shown_count(total))
            self._progress.setText(words if ranking else say("Waits for its turn"))
            self._bar.setRange(0, max(1, total))
            self._bar.setValue(done)
        found = None if running else self._alike
        self._show_found(found)
        self._asking.setVisible(found is None or not found.ranking.complete)
        self._about.show_words("" if running or found is not None else self._about_words())
        self._rank.setVisible(not running)
        for part in (self._progress, self._bar, self._stop):
            part.setVisible(running)
        if held:
            ended = self._table if self._asking.isHidden() else self._rank
            (self._stop if running else ended).setFocus()

    def _about_words(self) -> str:
        """What the button would do, or why there is no ranking."""
        novelty = None if self._measured is None else self._measured.measurement.novelty
        if self._lost:
            return say("That trace is not remembered any more.")
        if novelty is None or not novelty.neighbours:
            return ""
        return say(
            "Leaves out each step that novelty sees, in turn, and compares with {nearest}.",
            nearest=masked_in(novelty.names[0]),
        )

    def _show_found(self, alike: Alike | None) -> None:
        rows: list[Row] = []
        remarks: list[str] = []
        if alike is not None and self._measured is not None:
            ranking, near = alike.ranking, self._measured.measurement.novelty.neighbours[0]
            falls, steps = ranking.falls, self._measured.record.trace.steps
            most = max((abs(one.fall) for one in falls), default=0.0)
            rows = [fall_row(steps[one.step], one, ranking, most) for one in falls]
            remarks = [ranking_remark(ranking, near), *shared_words(alike)]
            if not ranking.total:
                remarks.append(say("Novelty sees no step's content."))
            elif not falls:
                remarks.append(say("Stopped before the first step."))
            elif not ranking.complete:
                done, total = shown_count(len(falls)), shown_count(ranking.total)
                words = say("Stopped after {done} of {total} steps.", done=done, total=total)
                remarks.append(words)
        title, lost = say("Steps that make them alike"), say("similarity lost without the step")
        said = (say("kind"), say("step"), say("bar"), lost)
        tip = say("How similar the two would be without each step")
        self._table.set_rows(rows, heads_of(title, *said, notes=lost if rows else "", tip=tip))
        self._remark.show_words(" ".join(filter(None, remarks)))


class NeighbourView(ColumnPage):
    """The content of the Neighbours tab; answers to its wishes come by its setters."""

    wished = Signal(object)
    """A `Wish`."""

    def __init__(self) -> None:
        self._middle = WrappedLabel("", _CAPTION, second=True)
        self._middle.setContentsMargins(PADDING, PADDING // 2, PADDING, 0)
        super().__init__(head=self._middle, gap=0, wide_from=_TWO_COLUMNS_FROM)
        self._explanation: Explanation | None = None
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
        self.alike = AlikePart(self.wished.emit)
        self._unseen = SentenceLabel()
        self._fill()
        for follow in (self._show_nearest, self._ask):
            self._then_or_today.chip_chosen.connect(follow)
        self._nearest.chosen_changed.connect(self._on_chosen_changed)
        self._compare.clicked.connect(lambda: self.wished.emit(Wish(Do.COMPARE, self.chosen)))
        self._open.clicked.connect(lambda: self.wished.emit(Wish(Do.OPEN, self.chosen)))
        self._leave_out.clicked.connect(self._on_leave_out)
        self.set_explanation(None)

    def _fill(self) -> None:
        title = Label(say("Nearest remembered traces"), TextRole.HEADING)
        set_tip(title, say("Those with the most similar text; the first sets novelty"))
        sides = (PADDING, 4, PADDING, 0)
        buttons = (self._compare, self._open, self._leave_out, None)
        fill_box(
            self.first.parts,
            in_row(
                title, None, self._then_or_today, margins=(PADDING, 6, PADDING - 4, 0), spacing=None
            ),
            in_column(self._summary, margins=sides),
            self._nearest,
            in_column(self._bound, margins=sides),
            in_row(*buttons, margins=(PADDING, _GAP, PADDING, 4), spacing=_GAP),
        )
        parts = self.second.parts
        parts.setContentsMargins(PADDING, 0, PADDING - SCROLL_BAR_WIDTH, 0)
        unseen, title = QWidget(), Label(say("What novelty sees"), TextRole.HEADING)
        set_tip(title, say("Of a long text only the beginning is compared"))
        in_column(5, title, self._unseen, on=unseen)
        self.add(self.second, self._order, self.alike, unseen)

    @property
    def chosen(self) -> Neighbour | None:
        """The neighbour in the chosen row, which the buttons are about; None without one."""
        chosen = self._nearest.chosen
        return chosen if isinstance(chosen, Neighbour) else None

    @property
    def _shows_today(self) -> bool:
        return self._then_or_today.chosen == "today"

    def set_explanation(self, explanation: Explanation | None) -> None:
        """Show the neighbours of a trace, or say why there are none."""
        before = None if self._explanation is None else self._explanation.measured
        measured = None if explanation is None else explanation.measured
        other, self._explanation = measured is not before, explanation
        self._today = None if other else self._today
        words = _why_nothing(explanation)
        self.show_hint(words)
        ranged = not words and explanation is not None and explanation.possible is not None
        facts = explanation.facts if explanation is not None and ranged else None
        self._middle.show_words("" if facts is None else middle_scores(facts))
        if words or explanation is None or explanation.assessment is None or measured is None:
            return
        self._show_nearest()
        if explanation.beside.order is not None:
            notes = say("novelty depends on what came before")
            said = (say("place"), say("verdict"), say("score"))
            heads = heads_of(say("Order"), *said, notes=notes)
            self._order.set_rows(order_rows(explanation.beside.order), heads)
        if other:
            self.alike.set_measured(measured)
            reach = measured.measurement.novelty.reach
            if reach is not None:
                self._unseen.set_sentence(unseen_sentence(reach))
        self.alike.setVisible(bool(explanation.beside.neighbours))
        self.show_lines()
        self._ask()

    def set_today(self, finding: Finding) -> None:
        """Set the entries that are nearest in today's memory."""
        self._today = finding
        self._show_nearest()

    def set_mode(self, mode: Mode) -> None:
        """Set the mode of the memory that today's comparison uses."""
        self._mode = mode
        self._show_nearest()

    def refresh_today(self) -> None:
        """Ask again for today's nearest entries, if they are visible: the memory has changed."""
        scored = self._explanation is not None and self._explanation.measured is not None
        if self.isVisible() and scored and self._shows_today:
            self.wished.emit(Wish(Do.ASK, Question.TODAY))

    def _show_nearest(self) -> None:
        one = self._explanation
        if one is None or one.measured is None or one.assessment is None:
            return
        measurement, judged = one.measured.measurement, one.assessment
        found = self._today if self._shows_today else None
        today = None if found is None else today_of(measurement, judged, found)
        if today is None:
            compared = _compared_then(measurement)
            rows = [*near_rows(one.beside.neighbours, measurement.novelty.own)]
        else:
            compared = say("{compared} today", compared=compared_words(today.finding))
            rows = [*near_rows(today.comparison.nearest, today.comparison.own)]
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
        bound, count = "", len(one.beside.neighbours)
        if today is None and count > 1:
            out = without(measurement, range(count), judged.profile, judged.threshold)
            bound = say(
                "Without all {count} the score would be {score}.",
                count=shown_count(count),
                score=without_score(out),
            )
        self._bound.show_words(bound)
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
        if self._explanation is not None and not self._explanation.beside.neighbours:
            return (Run(say("It was the first: there was nothing to compare with.")),)
        return ()

    def _influence(self) -> Influence | None:
        """How the chosen neighbour changed the score; None while today's entries are shown."""
        if self._explanation is None or (self._shows_today and self._today is not None):
            return None
        found = self._explanation.beside.neighbours
        return next((one for one in found if one.neighbour == self.chosen), None)

    def _on_chosen_changed(self) -> None:
        influence = self._influence()
        for button in (self._compare, self._open, self._leave_out):
            button.setVisible(self.chosen is not None)
        self._leave_out.setEnabled(influence is not None and influence.changes)

    def _on_leave_out(self) -> None:
        influence = self._influence()
        if influence is not None:
            self.wished.emit(Wish(Do.LEAVE_OUT, influence.without.novelty))

    def _ask(self) -> None:
        """Ask for today's nearest entries, if they are visible and not known yet."""
        if self._today is None:
            self.refresh_today()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()


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
