"""The nearest traces, as found at scoring or today, and the buttons for one of them."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget
from typing_extensions import override

from kpinspector.scoring.findings import Finding, Named, Neighbour, neighbour_names
from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.novelty.neighbours import Influence, Standing, without
from kpinspector.settings import Mode
from kpinspector.trace.clear import masked_in
from kpinspector.ui.controls.base import Label, PushButton, in_column, paint_box
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import MARK_RADIUS, STATE_SIZE, BarMark, paint_bar, paint_state
from kpinspector.ui.look.moments import shown_day
from kpinspector.ui.look.painting import (
    RowFonts,
    centred,
    draw_figure,
    draw_name,
    draw_text,
    row_fonts,
)
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole, scale
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.figures import shown_count, shown_number
from kpinspector.words.novelty import (
    SETS_NOVELTY,
    UNCHANGED,
    WITHOUT_IT,
    Today,
    compared_words,
    neighbour_about,
    neighbour_place,
    standing_words,
    today_of,
    today_sentence,
    without_score,
)
from kpinspector.words.say import in_words, say, say_list
from kpinspector.words.sentences import Run, Sentence, verdict_phrase

_AnyIndex = QModelIndex | QPersistentModelIndex
_PaintNote = Callable[[QPainter, QRect, Colours], None]

_FEW = 5
_PADDING = 16
_ROW_HEIGHT, _MORE_HEIGHT = 46, 26
_RANK_WIDTH, _MEASURE_WIDTH = 21, 147
_BAR_WIDTH, _BAR_HEIGHT = 84, 6
_GAP = 8
_MARK_PADDING = 6
_MORE = "more"


class NeighbourTable(FigureTable):
    """A row of two lines for each; the first few, until the last row is activated."""

    chosen_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            ColumnWidth(_PADDING),
            ColumnWidth(_RANK_WIDTH, fits=True, gap=_GAP),
            ColumnWidth(60, stretch=True),
            ColumnWidth(_MEASURE_WIDTH),
            ColumnWidth(_PADDING),
        )
        super().__init__(columns, parent=parent)
        self.setAccessibleName(say("Nearest remembered traces"))
        self._row_fonts: RowFonts | None = None
        self.chosen: Neighbour | None = None
        self._every: tuple[Row, ...] = ()
        self._all_shown = False
        self._compared = ""
        self.row_activated.connect(self._on_row_activated)

    def show_finding(
        self, influences: Sequence[Influence], compared: str, own: Named | None = None
    ) -> None:
        """Show the entries of a finding, and what the score would be without each.

        Args:
            influences: Best first.
            compared: Of how many they are.
            own: The trace itself, which none of them may be called like.
        """
        others = _beside([one.neighbour for one in influences], own)
        self._show([self._influence(rank, others, one) for rank, one in enumerate(influences)])
        self._set_compared(compared)

    def show_today(
        self, standings: Sequence[Standing], compared: str, own: Named | None = None
    ) -> None:
        """Show today's nearest entries, and what has become of each."""
        others = _beside([one.neighbour for one in standings], own)
        self._show([self._standing(rank, others, one) for rank, one in enumerate(standings)])
        self._set_compared(compared)

    @override
    def is_chosen(self, row: int) -> bool:
        return row == self.currentIndex().row()

    @override
    def currentChanged(self, current: _AnyIndex, previous: _AnyIndex) -> None:
        super().currentChanged(current, previous)
        rows = self.figures.rows
        found = _neighbour_of(rows[current.row()]) if 0 <= current.row() < len(rows) else None
        if found is not None and found != self.chosen:
            self.chosen = found
            self.chosen_changed.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._row_fonts = None
        super().changeEvent(event)

    def _show(self, rows: Sequence[Row]) -> None:
        self._every = tuple(rows)
        self._show_rows()

    def _show_rows(self) -> None:
        rows = self._every
        if not self._all_shown and len(rows) > _FEW:
            rows = (*rows[:_FEW], self._more(len(rows) - _FEW))
        self.set_rows(rows)
        wishes = [row.wish for row in rows]
        if self.chosen in wishes:
            self._go_to(wishes.index(self.chosen))
            return
        # told here: the same row stays current where other rows take the place of as many
        self.chosen = _neighbour_of(rows[0]) if rows else None
        self._go_to(0 if rows else None)
        self.chosen_changed.emit()

    def _set_compared(self, compared: str) -> None:
        heads = (
            Head(""),
            Head(say("rank"), compared, figure=False, note=True),
            Head(say("trace")),
            Head(say("similarity"), say("similarity")),
            Head(""),
        )
        self.figures.set_heads(heads)

    def _on_row_activated(self, wish: object) -> None:
        if wish == _MORE:
            self._all_shown = True
            self._show_rows()

    def _more(self, number: int) -> Row:
        words = say("Show {number} More", number=shown_count(number))
        cells = (
            FigureCell(),
            FigureCell(),
            FigureCell(words, TextRole.CAPTION, second=True, span=3),
        )
        return Row(cells, _MORE_HEIGHT, wish=_MORE)

    def _influence(self, rank: int, others: tuple[Named, ...], one: Influence) -> Row:
        after, score = one.without.assessment, without_score(one.without)
        said = [shown_number(one.neighbour.similarity)]
        if one.changes:
            said += [say("without it {score}", score=score), verdict_phrase(after.verdict)]
            note: _PaintNote = partial(self._paint_without, one)
        else:
            unchanged = in_words(UNCHANGED)
            said.append(unchanged)
            note = partial(self._paint_words, unchanged)
        tooltip = say(
            "Similarity {similarity}\nWithout it the score is {score}",
            similarity=repr(one.neighbour.similarity),
            score=repr(after.score),
        )
        measure = FigureCell(
            picture=partial(self._paint_measure, one.neighbour.similarity, note),
            said=say_list(said),
            tooltip=tooltip,
        )
        mark = in_words(SETS_NOVELTY) if one.sets_novelty else ""
        return self._row(rank, others, one.neighbour, mark, measure)

    def _standing(self, rank: int, others: tuple[Named, ...], one: Standing) -> Row:
        words, near = standing_words(one), one.neighbour
        measure = FigureCell(
            picture=partial(
                self._paint_measure, near.similarity, partial(self._paint_words, words)
            ),
            said=f"{shown_number(near.similarity)}, {words}",
            tooltip=say("Similarity {similarity}", similarity=repr(near.similarity)),
        )
        return self._row(rank, others, near, "", measure)

    def _row(
        self, rank: int, others: tuple[Named, ...], near: Neighbour, mark: str, measure: FigureCell
    ) -> Row:
        number, name = shown_count(rank + 1), masked_in(neighbour_names(others)[rank])
        about = one_line(neighbour_about(near, others))
        said = say_list((name, mark, about))
        cells = (
            FigureCell(),
            FigureCell(number, picture=partial(self._paint_rank, number)),
            FigureCell(
                picture=partial(self._paint_name, name, about, mark),
                said=said,
                tooltip="\n".join(
                    (name, masked_in(near.key), masked_in(near.objective), neighbour_place(near))
                ),
            ),
            measure,
            FigureCell(),
        )
        return Row(cells, _ROW_HEIGHT, wish=near)

    # painting: two lines where they are in the middle of most cells, and a third below

    def _styles(self) -> RowFonts:
        if self._row_fonts is None:
            self._row_fonts = row_fonts(QApplication.font())
        return self._row_fonts

    def _px(self, px: float) -> int:
        return scale(px, self._styles().body.metrics)

    def _lines(self, rect: QRect) -> tuple[QRect, QRect]:
        first = self._styles().name.metrics.height()
        second = self._styles().caption.metrics.height()
        top = rect.top() + (self._px(_ROW_HEIGHT) - first - second) // 2
        upper = QRect(rect.left(), top, rect.width(), first)
        return upper, QRect(rect.left(), top + first, rect.width(), second)

    def _paint_rank(self, number: str, painter: QPainter, rect: QRect, found: Colours) -> None:
        draw_text(painter, self._lines(rect)[0], number, self._styles().body, found.second)

    def _paint_name(
        self, name: str, about: str, mark: str, painter: QPainter, rect: QRect, found: Colours
    ) -> None:
        upper, lower = (line.adjusted(0, 0, -self._px(_GAP), 0) for line in self._lines(rect))
        caption = self._styles().caption
        padding = self._px(_MARK_PADDING)
        width = caption.metrics.horizontalAdvance(mark) + 2 * padding if mark else 0
        room = upper.adjusted(0, 0, -(width + self._px(_GAP)) if mark else 0, 0)
        taken = draw_name(painter, room, name, self._styles().name, found.text)
        if mark:
            left = upper.left() + taken + self._px(_GAP)
            box = QRect(left, upper.top(), width, upper.height())
            paint_box(painter, box, found.tinted(found.novelty), radius=MARK_RADIUS)
            words = box.adjusted(padding, 0, 0, 0)
            draw_text(painter, words, mark, caption, found.text)
        draw_text(painter, lower, about, caption, found.second)

    def _paint_measure(
        self, similarity: float, note: _PaintNote, painter: QPainter, rect: QRect, found: Colours
    ) -> None:
        upper, lower = self._lines(rect)
        height = self._px(_BAR_HEIGHT)
        place = QRect(upper.left(), 0, self._px(_BAR_WIDTH), height)
        place.moveTop(upper.top() + (upper.height() - height) // 2)
        paint_bar(painter, place, BarMark(found.novelty, similarity, track=found.track), found)
        draw_figure(painter, upper, shown_number(similarity), self._styles().name, found.text)
        note(painter, lower, found)

    def _paint_words(self, words: str, painter: QPainter, rect: QRect, found: Colours) -> None:
        draw_figure(painter, rect, words, self._styles().caption, found.second)

    def _paint_without(
        self, one: Influence, painter: QPainter, rect: QRect, found: Colours
    ) -> None:
        score, verdict = without_score(one.without), one.without.assessment.verdict
        words = in_words(WITHOUT_IT)
        caption = self._styles().caption
        width = draw_figure(painter, rect, score, caption, found.text)
        side = self._px(STATE_SIZE)
        left = rect.right() + 1 - width - self._px(_GAP) // 2 - side
        paint_state(painter, centred(rect, left, side), verdict, found)
        room = rect.adjusted(0, 0, left - rect.right() - 1, 0)
        draw_text(painter, room, words, caption, found.second)


def _beside(neighbours: Sequence[Neighbour], own: Named | None) -> tuple[Named, ...]:
    """All that are to be told apart, the trace itself at the end."""
    return (*neighbours,) if own is None else (*neighbours, own)


def _neighbour_of(row: Row) -> Neighbour | None:
    return row.wish if isinstance(row.wish, Neighbour) else None


class When(StrEnum):
    """Which comparison is shown."""

    SCORED = "scored"
    TODAY = "today"


class NeighbourList(QWidget):
    """The traces that novelty was compared with; those of today once they are known."""

    today_chosen = Signal()
    compare_requested = Signal(object)
    open_requested = Signal(object)
    try_novelty_requested = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measurement: Measurement | None = None
        self._assessment: Assessment | None = None
        self._influences: tuple[Influence, ...] = ()
        self._today: Finding | None = None
        self._mode = Mode.REMEMBER
        self._when = ChipBar(
            (ChipSpec(When.SCORED, say("When Scored")), ChipSpec(When.TODAY, say("Today")))
        )
        self._summary = SentenceLabel()
        self._table = NeighbourTable()
        self._bound = WrappedLabel("", TextRole.CAPTION, second=True)
        self._compare = PushButton(say("Compare"), icon=IconName.COMPARE)
        self._open = PushButton(say("Open"))
        self._leave_out = PushButton(say("Leave Out in What-if"))
        self._lay_out()
        self._when.chip_chosen.connect(self._on_when_chosen)
        self._table.chosen_changed.connect(self._on_chosen_changed)
        self._compare.clicked.connect(self._on_compare)
        self._open.clicked.connect(self._on_open)
        self._leave_out.clicked.connect(self._on_leave_out)

    @property
    def wants_today(self) -> bool:
        """Whether today's nearest entries are wanted and not known."""
        return self.shows_today and self._today is None

    @property
    def shows_today(self) -> bool:
        """Whether today's nearest entries are shown."""
        return self._when.chosen == When.TODAY

    @property
    def chosen(self) -> Neighbour | None:
        """The trace that the buttons are about."""
        return self._table.chosen

    def set_measurement(
        self, measurement: Measurement, assessment: Assessment, found: tuple[Influence, ...]
    ) -> None:
        """Show the finding of a trace; what is known of today stays while it is the same one."""
        if measurement is not self._measurement:
            self._today = None
        self._measurement, self._assessment = measurement, assessment
        self._influences = found
        self._show()

    def set_today(self, finding: Finding) -> None:
        """Take today's nearest entries."""
        self._today = finding
        self._show()

    def set_mode(self, mode: Mode) -> None:
        """Show which memory today's comparison uses."""
        self._mode = mode
        self._show()

    def _lay_out(self) -> None:
        title = QHBoxLayout()
        title.setContentsMargins(_PADDING, 6, _PADDING - 4, 0)
        title.addWidget(Label(say("Nearest remembered traces"), TextRole.HEADING))
        title.addStretch(1)
        title.addWidget(self._when)
        summary = in_column(self._summary, margins=(_PADDING, 4, _PADDING, 0), spacing=None)
        bound = in_column(self._bound, margins=(_PADDING, 4, _PADDING, 0), spacing=None)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(_PADDING, _GAP, _PADDING, 4)
        buttons.setSpacing(_GAP)
        for button in (self._compare, self._open, self._leave_out):
            buttons.addWidget(button)
        buttons.addStretch(1)
        in_column(title, summary, self._table, bound, buttons, on=self)

    def _show(self) -> None:
        measurement, assessment = self._measurement, self._assessment
        if measurement is None or assessment is None:
            return
        found = self._today if self.shows_today else None
        today = None if found is None else today_of(measurement, assessment, found)
        if today is None:
            compared = self._compared_then(measurement)
            self._table.show_finding(self._influences, compared, measurement.novelty.own)
        else:
            compared = say("{compared} today", compared=compared_words(today.finding))
            self._table.show_today(today.comparison.nearest, compared, today.comparison.own)
        self._summary.set_sentence(self._summary_words(today))
        self._summary.setVisible(bool(self._summary.text()))
        bound = self._bound_words(measurement, assessment) if today is None else ""
        self._bound.setText(bound)
        self._bound.setVisible(bool(bound))
        self._table.setVisible(self._table.chosen is not None)
        self._on_chosen_changed()

    def _compared_then(self, measurement: Measurement) -> str:
        words, novelty = compared_words(measurement.novelty), measurement.novelty
        if not novelty.remembered or novelty.found_at is None:
            return words
        return say("{compared} on {day}", compared=words, day=shown_day(novelty.found_at))

    def _summary_words(self, today: Today | None) -> Sentence:
        if today is not None:
            return (*today_sentence(today.then, today.comparison), *self._mode_words())
        if self.shows_today:
            return (Run(say("Comparing with what is remembered today.")),)
        if not self._influences:
            return (Run(say("It was the first: there was nothing to compare with.")),)
        return ()

    def _mode_words(self) -> Sentence:
        """Says which memory today's comparison uses, unless it is the remembered one."""
        words = {
            Mode.GUEST: say("As a guest: with a copy of the memory and what was scored since."),
            Mode.FRESH: say("Fresh: with the traces of the last drop and no others."),
        }
        return (Run(f" {words[self._mode]}"),) if self._mode in words else ()

    def _bound_words(self, measurement: Measurement, assessment: Assessment) -> str:
        """The score without all of them, where that is more than the score without one."""
        count = len(self._influences)
        if count < 2:  # noqa: PLR2004
            return ""
        found = without(measurement, range(count), assessment.profile, assessment.threshold)
        return say(
            "Without all {count} the score would be {score}.",
            count=shown_count(count),
            score=without_score(found),
        )

    def _influence(self) -> Influence | None:
        """What the chosen one did to the score, where the finding's are shown."""
        if self.shows_today and self._today is not None:
            return None
        return next((one for one in self._influences if one.neighbour == self.chosen), None)

    def _on_when_chosen(self, key: str) -> None:
        self._show()
        if key == When.TODAY:
            self.today_chosen.emit()

    def _on_chosen_changed(self) -> None:
        influence = self._influence()
        shown = self.chosen is not None
        for button in (self._compare, self._open, self._leave_out):
            button.setVisible(shown)
        self._leave_out.setEnabled(influence is not None and influence.changes)

    def _on_compare(self) -> None:
        if self.chosen is not None:
            self.compare_requested.emit(self.chosen)

    def _on_open(self) -> None:
        if self.chosen is not None:
            self.open_requested.emit(self.chosen)

    def _on_leave_out(self) -> None:
        influence = self._influence()
        if influence is not None:
            self.try_novelty_requested.emit(influence.without.novelty)
