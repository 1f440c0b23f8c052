"""All profiles with what is tried of a trace, as stacked bars."""

from collections.abc import Iterator
from functools import lru_cache, partial

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import (
    STATE_SIZE,
    BarMark,
    aligned,
    fill,
    paint_bar,
    paint_hatch,
    paint_state,
    span,
)
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.tables.figure_model import FigureCell, Head, Picture, Row
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.ui.whatif.whatif_case import Case, Flips
from kpinspector.words.changes import profile_word
from kpinspector.words.figures import UNKNOWN, shown_count
from kpinspector.words.page import Sign
from kpinspector.words.run import shown_outcome
from kpinspector.words.say import say
from kpinspector.words.sentences import RULE_WORDS
from kpinspector.words.sums import Stretch, shown_range_sum, shown_sum, waterfall

_MINUS = "\N{MINUS SIGN}"
_ROW_HEIGHT = 28
_SUM_HEIGHT = 22
_USUAL_LENGTH = 8
_BAR_HEIGHT = 8
_SHAPE_COLUMN = 24
_PADDING = 16


class ProfileTable(FigureTable):
    """A row for each profile: what adds up, verdict, score, flips; the used one is tinted.

    Activated, a row asks for its profile.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            ColumnWidth(_PADDING),
            ColumnWidth(110, fits=True),
            ColumnWidth(60, stretch=True),
            ColumnWidth(10),
            ColumnWidth(_SHAPE_COLUMN),
            ColumnWidth(50, fits=True),
            ColumnWidth(56, fits=True),
            ColumnWidth(_PADDING - SCROLL_BAR_WIDTH),
        )
        super().__init__(columns, parent=parent)
        self.setAccessibleName(say("All profiles"))

    def set_case(self, case: Case, flips: Flips) -> None:
        """Compare the profiles with all that is tried of a trace."""
        used = case.outcome.then.profile
        rows: list[Row] = []
        for one, possible in case.profiles:
            is_used = one.profile == used
            rows.append(self._row(one, possible, case, flips))
            if is_used:
                rows.extend(map(_sum_row, _lines(one, possible)))
        self.set_rows(rows, self._heads())

    def _heads(self) -> tuple[Head, ...]:
        return (
            Head(""),
            Head(say("profile"), say("Profile"), figure=False),
            Head(say("what adds up")),
            Head(""),
            Head(say("verdict")),
            Head(say("score"), say("score")),
            Head(say("verdicts changed in the list"), say("flips")),
            Head(""),
        )

    def _row(self, one: Assessment, possible: ScoreRange | None, case: Case, flips: Flips) -> Row:
        current = one.profile == case.outcome.then.profile
        role = TextRole.PANE if current else TextRole.BODY
        name = profile_word(one.profile)
        used = say("{name}, used in what-if", name=name)
        terms = partial(_sum, one, possible)
        running = case.document.running
        shown = shown_outcome(one, possible, assumed=case.assumed, running=running)
        cells = (
            FigureCell(),
            FigureCell(
                name, TextRole.NAME if current else TextRole.BODY, said=used if current else ""
            ),
            FigureCell(
                picture=partial(_stack, one, possible, current=current), said=terms, tooltip=terms
            ),
            FigureCell(),
            FigureCell(picture=_verdict(shown.sign, assumed=case.assumed), said=shown.word),
            FigureCell(shown.score, role, figure=True, tooltip=shown.whole),
            FigureCell(self._flips(one, possible, case, flips), second=True, figure=True),
            FigureCell(),
        )
        return Row(cells, _ROW_HEIGHT, tinted=current, wish=one.profile)

    def _flips(self, one: Assessment, possible: ScoreRange | None, case: Case, flips: Flips) -> str:
        found = flips.with_tried(one, possible, case)
        if found is None:
            return UNKNOWN
        number, of = found
        return say("{number} of {of}", number=shown_count(number), of=shown_count(of))


def _sum_row(text: str) -> Row:
    """What adds up to the score, in the order of the bar."""
    sum_cell = FigureCell(text, TextRole.CAPTION, second=True, tooltip=text, span=6)
    return Row((FigureCell(), sum_cell, FigureCell()), _SUM_HEIGHT, tinted=True, at_top=True)


def _sum(one: Assessment, possible: ScoreRange | None) -> str:
    """The parts of a score, then the changes by overrides."""
    return " ".join(_lines(one, possible))


def _lines(one: Assessment, possible: ScoreRange | None) -> Iterator[str]:
    """Dimensions and overrides, in more lines where the figures have many decimals."""
    shown = shown_sum(one) if possible is None else shown_range_sum(possible)
    terms = [_joined(term.adds, DIMENSION_LETTERS[term.dimension]) for term in shown.terms]
    terms[0] = terms[0].removeprefix("+ ")
    changes = [
        f"{_joined(step.shown_change)} {RULE_WORDS[step.term]}"
        for step in _stretches(one, possible)
        if isinstance(step.term, Rule)
    ]
    is_long = len(shown.threshold) > _USUAL_LENGTH
    for words, in_a_line in ((terms, 2 if is_long else 4), (changes, 1 if is_long else 3)):
        for start in range(0, len(words), in_a_line):
            yield " ".join(words[start : start + in_a_line])


def _joined(figure: str, letter: str = "") -> str:
    sign = _MINUS if figure.startswith(_MINUS) else "+"
    return " ".join(filter(None, (sign, letter, figure.lstrip(f"+{_MINUS}"))))


def _stretches(one: Assessment, possible: ScoreRange | None) -> tuple[Stretch, ...]:
    return waterfall(possible or ScoreRange(one, one))


def _stack(
    one: Assessment,
    possible: ScoreRange | None,
    painter: QPainter,
    rect: QRect,
    colours: Colours,
    *,
    current: bool,
) -> None:
    height = rect.height() * _BAR_HEIGHT // _ROW_HEIGHT
    box = band(rect, height)
    track = colours.button_edge if current else colours.track
    fill(painter, box, track)
    for number, step in enumerate(_stretches(one, possible)):
        is_rule = isinstance(step.term, Rule)
        colour = colours.second if is_rule else colours.dimension(Dimension(step.term))
        part = aligned(painter, span(box, step.start, step.end))
        if number and not is_rule and part.width() > 1:
            part.setLeft(part.left() + 1)
        if step.end >= step.start:
            fill(painter, part, colour)
        else:
            fill(painter, part, track)
            paint_hatch(painter, part, colour)
        if step.reach is not None:
            paint_hatch(painter, aligned(painter, span(box, step.end, step.reach)), colour)
    line = BarMark(colours.text, 0.0, threshold=one.threshold)
    paint_bar(painter, box, line, colours)


@lru_cache
def _verdict(sign: Sign, *, assumed: bool) -> Picture:
    """The same for the same verdict, so that it is painted again only for another."""
    return partial(_paint_verdict, sign, assumed=assumed)


def _paint_verdict(
    sign: Sign, painter: QPainter, rect: QRect, colours: Colours, *, assumed: bool
) -> None:
    side = rect.width() * STATE_SIZE // _SHAPE_COLUMN
    paint_state(painter, centred(rect, rect.left(), side), sign, colours, assumed=assumed)
