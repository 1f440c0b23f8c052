"""The table of changes that would bring a rejected score to the threshold."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QResizeEvent
from typing_extensions import override

from kpinspector.scoring.formula.assess import Assessment, GateState
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.whatif.changes import Change, Combination
from kpinspector.scoring.whatif.reach import Deciding
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.look.marks import BADGE_SIZE, STATE_SIZE, paint_badge, paint_state
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.score.dimension_table import MARK_COLUMN
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.changes import (
    NOT_ADVICE,
    change_phrase,
    change_remarks,
    change_words,
    combination_words,
    flip_words,
)
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_whole
from kpinspector.words.page import GATE_WORDS, Sign, range_cells
from kpinspector.words.run import deciding_dimension, deciding_title, deciding_words
from kpinspector.words.say import capitalised, in_words, say, say_list

_ROW_HEIGHT = 21
_ABOVE_HEIGHT, _REMARK_HEIGHT = 20, 15
_BESIDE = 2


@dataclass(frozen=True, slots=True)
class TryWish:
    """The wish to try the change of a row."""

    scenario: Scenario


class ChangeTable(FigureTable):
    """The single changes that reach the threshold, and padding that does not.

    Where none is enough, it shows changes that are enough together, each on a line of its own. For
    a run whose outcome is unknown it shows what would decide it.

    A remark is shown beside its change, or below it where there is no room; it is never cut.
    Activating a row asks to try its change.
    """

    def __init__(self) -> None:
        columns = (
            MARK_COLUMN,
            ColumnWidth(120, fits=True, elides=True),
            ColumnWidth(1, stretch=True),
            ColumnWidth(22),
            ColumnWidth(1, fits=True),
            ColumnWidth(1, fits=True),
        )
        self._whole: tuple[Row, ...] = ()
        super().__init__(columns)
        self.setAccessibleName(say("What would change it"))

    def set_explanation(self, explanation: Explanation, *, wait: bool = False) -> None:
        """Show what would bring a rejected score to the threshold; nothing for an accepted one.

        ``wait``: it takes long to find, and is shown later.
        """
        if explanation.deciding and explanation.possible is not None:
            title = deciding_title(explanation.possible)
            stated = explanation.confidence_stated
            rows = [self._deciding(one, stated=stated) for one in explanation.deciding]
            self._put(tuple(rows), in_words(NOT_ADVICE), title)
            return
        measured = explanation.measured
        found = None if wait else explanation.changes
        if found is None or measured is None:
            note = say("in a moment") if wait else say("shown when the score is known")
            self._put((), note)
            return
        rows = [self._row(change, measured.measurement) for change in found.changes]
        together = [
            row
            for combination in found.combinations
            for row in self._together(combination, measured.measurement)
        ]
        self._put((*together, *rows), in_words(NOT_ADVICE))

    def _put(self, rows: tuple[Row, ...], note: str, title: str = "") -> None:
        """Lay the columns out for rows with all remarks beside, then place the remarks."""
        self._whole = rows
        title = title or say("What would change it")
        self.setAccessibleName(title)
        self.set_rows(rows, self._heads(title, note))
        self._place_remarks()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_remarks()

    def _place_remarks(self) -> None:
        self.set_rows(tuple(itertools.chain.from_iterable(map(self._placed, self._whole))))

    def _placed(self, row: Row) -> tuple[Row, ...]:
        remark = row.cells[_BESIDE]
        width = self.cells.metrics[remark.role].horizontalAdvance(remark.text)
        if width <= self.columnWidth(_BESIDE):
            return (row,)
        cells = (*row.cells[:_BESIDE], FigureCell(), *row.cells[_BESIDE + 1 :])
        below = (FigureCell(), replace(remark, span=len(cells) - 1))
        above = replace(row, cells=cells, height=_ABOVE_HEIGHT)
        return above, Row(below, _REMARK_HEIGHT, at_top=True)

    def _heads(self, title: str, note: str) -> tuple[Head, ...]:
        return (
            heading(say("dimension"), title),
            Head(say("change")),
            Head(say("remarks")),
            Head(say("gate")),
            Head(say("score")),
            Head(say("what-if"), note, note=True),
        )

    def _row(self, change: Change, measurement: Measurement) -> Row:
        words, after = change_words(change, measurement), change.after
        cells = (
            _badge_cell(change.dimension),
            FigureCell(words.change, tooltip=shown_whole(change.amount)),
            FigureCell(words.beside, TextRole.CAPTION, second=True, tooltip=words.beside),
            _gate_cell(after),
            FigureCell(words.score, figure=True, tooltip=shown_whole(after.score)),
            _try_cell(words.change),
        )
        return Row(cells, _ROW_HEIGHT, wish=TryWish(change.scenario))

    def _together(self, found: Combination, measurement: Measurement) -> Iterator[Row]:
        """Changes that reach it only together: a row for each, the score in the first."""
        words, after = combination_words(found, measurement), found.after
        score = FigureCell(words.score, figure=True, tooltip=shown_whole(after.score))
        last = (_gate_cell(after), score, _try_cell(words.change))
        flips = flip_words(after, found.flips)
        for number, change in enumerate(found.changes):
            phrase = change_phrase(change, measurement)
            phrase = say("and {change}", change=phrase) if number else capitalised(phrase)
            known = change_remarks(change, measurement)
            beside = say_list((known, *(() if number else flips)))
            cells = (
                _badge_cell(change.dimension),
                FigureCell(phrase, tooltip=shown_whole(change.amount)),
                FigureCell(beside, TextRole.CAPTION, second=True, tooltip=beside),
            )
            rest = (FigureCell(), FigureCell(), FigureCell()) if number else last
            yield Row((*cells, *rest), _ROW_HEIGHT, wish=TryWish(found.scenario))

    def _deciding(self, one: Deciding, *, stated: bool) -> Row:
        """A way in which a run may have ended, and what is then possible."""
        words = deciding_words(one, stated=stated)
        score, verdict = range_cells(one.after)
        confidence = one.scenario.confidence
        whole = "" if confidence is None else shown_whole(confidence)
        exact = "" if score.value is None else shown_whole(score.value)
        sign = verdict.sign or Sign.UNDECIDED
        cells = (
            _badge_cell(deciding_dimension(one)),
            FigureCell(words.change, tooltip=whole),
            FigureCell(words.beside, TextRole.CAPTION, second=True, tooltip=words.beside),
            FigureCell(picture=partial(_gate, sign), said=verdict.text),
            FigureCell(score.text, figure=True, tooltip=exact),
            _try_cell(words.change),
        )
        return Row(cells, _ROW_HEIGHT, wish=TryWish(one.scenario))


def _badge_cell(dimension: Dimension | None) -> FigureCell:
    if dimension is None:
        return FigureCell()
    return FigureCell(DIMENSION_LETTERS[dimension], picture=partial(_badge, dimension))


def _try_cell(change: str) -> FigureCell:
    said = say("Try: {change}", change=change)
    return FigureCell(say("Try"), figure=True, accent=True, said=said)


def _badge(dimension: Dimension, painter: QPainter, rect: QRect, colours: Colours) -> None:
    side = BADGE_SIZE * rect.height() // _ROW_HEIGHT
    paint_badge(painter, centred(rect, rect.left(), side), dimension, colours)


def _gate_cell(after: Assessment) -> FigureCell:
    """The state of the score gate alone; a trace may still fail by its schema."""
    passes = after.score_passes
    state = GateState.PASSED if passes else GateState.FAILED
    sign = Sign.ACCEPTED if passes else Sign.REJECTED
    return FigureCell(picture=partial(_gate, sign), said=GATE_WORDS[state])


def _gate(sign: Sign, painter: QPainter, rect: QRect, colours: Colours) -> None:
    side = min(rect.height(), rect.width(), STATE_SIZE * rect.height() // _ROW_HEIGHT)
    paint_state(painter, centred(rect, rect.left(), side), sign, colours)
