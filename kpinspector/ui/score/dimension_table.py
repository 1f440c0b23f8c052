"""The four dimensions: value, weight, what each adds and loses, and what that rests on."""

from functools import partial

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QWidget

from kpinspector.scoring.formula.assess import Contribution
from kpinspector.scoring.formula.overrides import Override
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.look.marks import (
    BADGE_SIZE_LARGE,
    Bar,
    BarKind,
    fill,
    paint_badge,
    paint_bar,
)
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.score.answer import Answer
from kpinspector.ui.score.evidence_rows import NeighboursWish
from kpinspector.ui.tables.figure_model import Cell, Head, Row, heading
from kpinspector.ui.tables.figure_table import Column, FigureTable
from kpinspector.words.figures import shown_whole
from kpinspector.words.say import say
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES, fired_phrase
from kpinspector.words.sums import ShownChange, ShownSum, ShownTerm

NAMES = (*DIMENSION_NAMES.values(), *RULE_NAMES.values())
MARK_COLUMN = Column(26)
# the same in every table of the pane, so that bars and chart share their left edge
NAME_COLUMN = Column(98, fits=True, texts=NAMES, gap=2)

_BAR, _WEIGHT, _LOST = 2, 4, 6
_WAYS = ({_WEIGHT}, {_WEIGHT, _BAR}, {_WEIGHT, _LOST}, {_WEIGHT, _LOST, _BAR})
_BAR_HEIGHT = 8
_ROW_HEIGHT = 20
_EVIDENCE_HEIGHT = 18


class DimensionTable(FigureTable):
    """A row for each dimension, its evidence below it, and the weighted sum.

    The evidence of novelty leads to the traces that it was measured against.
    """

    walks_rows = True

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (
            MARK_COLUMN,
            NAME_COLUMN,
            Column(41, stretch=True),
            Column(46, fits=True),
            Column(45, fits=True),
            Column(56, fits=True),
            Column(57, fits=True),
        )
        super().__init__(columns, _WAYS, parent)
        self.setAccessibleName(say("Dimensions"))

    def set_answer(self, answer: Answer) -> None:
        """Show the terms of a score, as far as they are known."""
        terms, shown = answer.terms, answer.shown
        if terms is None or shown is None:
            self.set_rows(())
            return
        most = 0.0 if answer.pending else max(term.lost for term in terms.contributions)
        rows: list[Row] = []
        for term in terms.contributions:
            figures = shown.term(term.dimension)
            rows.append(self._row(answer, term, figures, strong=0.0 < most == term.lost))
            rows.append(_evidence_row(answer, term.dimension))
        rows.append(self._sum_row(answer, shown))
        self.set_rows(rows, self._heads())

    def _heads(self) -> tuple[Head, ...]:
        return (
            heading(say("letter"), say("Dimensions")),
            Head(say("dimension")),
            Head(say("bar")),
            Head(say("value"), say("value")),
            Head(say("weight"), say("weight")),
            Head(say("adds"), say("adds")),
            Head(say("lost"), say("lost")),
        )

    def _row(self, answer: Answer, term: Contribution, figures: ShownTerm, *, strong: bool) -> Row:
        unknown = answer.pending and term.dimension is Dimension.NOVELTY
        kind = BarKind.SOLID
        if unknown:
            kind = BarKind.PENDING
        elif term.dimension is Dimension.NOVELTY and answer.document.assumed:
            kind = BarKind.ASSUMED
        said = {BarKind.PENDING: say("unknown"), BarKind.ASSUMED: say("assumed")}
        whole = ("", "", "", "")
        if not unknown:
            whole = (
                shown_whole(term.value),
                shown_whole(term.weight),
                shown_whole(term.part),
                shown_whole(term.lost),
            )
        role = TextRole.PANE if strong else TextRole.BODY
        name = DIMENSION_NAMES[term.dimension]
        return Row(
            (
                Cell(
                    DIMENSION_LETTERS[term.dimension], picture=partial(letter_badge, term.dimension)
                ),
                Cell(name, TextRole.NAME, tooltip=name),
                Cell(picture=partial(_bar, term, kind), said=said.get(kind, figures.value)),
                Cell(figures.value, figure=True, tooltip=whole[0]),
                Cell(figures.weight, figure=True, second=True, tooltip=whole[1]),
                Cell(figures.adds, figure=True, tooltip=whole[2]),
                Cell(figures.lost, role, figure=True, tooltip=whole[3]),
            ),
            _ROW_HEIGHT,
        )

    def _sum_row(self, answer: Answer, shown: ShownSum) -> Row:
        name = say("Weighted sum")
        if answer.pending:
            # over the bars too: where a column gives way the interval still has its room
            cells = (Cell(name), Cell(shown.total, TextRole.PANE, figure=True, span=4))
            return Row((Cell(), *cells, Cell()), 26, line_above=True)
        whole = shown_whole(answer.assessment.composite) if answer.assessment else ""
        return Row(
            (
                Cell(),
                Cell(name, span=3),
                Cell(),
                Cell(shown.total, TextRole.PANE, figure=True, tooltip=whole),
                Cell(shown.lost, figure=True),
            ),
            26,
            line_above=True,
        )


def _evidence_row(answer: Answer, dimension: Dimension) -> Row:
    text = one_line(answer.evidence(dimension))
    compared = answer.novelty is not None and bool(answer.novelty.neighbours)
    leads_on = dimension is Dimension.NOVELTY and compared
    return Row(
        (Cell(), Cell(text, TextRole.CAPTION, second=True, tooltip=text, span=6)),
        _EVIDENCE_HEIGHT,
        wish=NeighboursWish() if leads_on else None,
    )


def letter_badge(dimension: Dimension, painter: QPainter, rect: QRect, colours: Colours) -> None:
    """Paint a dimension's badge at the left edge of a cell of ``MARK_COLUMN``."""
    side = min(rect.height(), rect.width() * BADGE_SIZE_LARGE // MARK_COLUMN.width)
    box = centred(rect, rect.left(), side)
    paint_badge(painter, box, dimension, colours)


def _bar(
    term: Contribution, kind: BarKind, painter: QPainter, rect: QRect, colours: Colours
) -> None:
    height = max(_BAR_HEIGHT, rect.height() * _BAR_HEIGHT // _ROW_HEIGHT)
    box = band(rect, height)
    colour = colours.dimension(term.dimension)
    paint_bar(painter, box, Bar(colour, term.value, kind=kind, track=colours.track), colours)


_ARROW = "\N{THIN SPACE}\N{RIGHTWARDS ARROW}\N{THIN SPACE}"


class OverrideTable(FigureTable):
    """All three rules, in the order in which they are applied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        names = Column(98, fits=True, texts=tuple(RULE_NAMES.values()))
        columns = (MARK_COLUMN, names, Column(90, stretch=True), Column(1, fits=True))
        super().__init__(columns, ({3},), parent)
        self.setAccessibleName(say("Overrides"))

    def set_answer(self, answer: Answer) -> None:
        """Show what the rules did to a score."""
        terms, shown = answer.terms, answer.shown
        if terms is None or shown is None:
            self.set_rows(())
            return
        rows = [
            self._row(override, change, pending=answer.pending)
            for override, change in zip(terms.overrides, shown.changes, strict=True)
        ]
        title = heading(say("fired"), say("Overrides"))
        fired = fired_phrase(terms.overrides, pending=answer.pending)
        heads = (
            title,
            Head(say("override")),
            Head(say("reason")),
            Head(say("before and after"), fired, note=True),
        )
        self.set_rows(rows, heads)

    def _row(self, override: Override, change: ShownChange, *, pending: bool) -> Row:
        text = whole = ""
        if override.applied:
            text = change.change if pending else f"{change.before}{_ARROW}{change.after}"
            whole = "" if pending else f"{override.before!r}{_ARROW}{override.after!r}"
        role = TextRole.NAME if override.applied else TextRole.BODY
        return Row(
            (
                Cell(
                    picture=_fired if override.applied else _not_fired,
                    said=say("fired") if override.applied else say("not fired"),
                ),
                Cell(RULE_NAMES[override.rule], role),
                Cell(
                    override.reason,
                    TextRole.CAPTION,
                    second=not override.applied,
                    tooltip=override.reason,
                    span=1 if text else 2,
                ),
                *((Cell(text, figure=True, tooltip=whole),) if text else ()),
            ),
        )


def _fired(painter: QPainter, rect: QRect, colours: Colours) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(colours.text)
    painter.setBrush(colours.text)
    side = rect.height() * 8 / 21
    left, middle = rect.left() + side / 2, rect.top() + rect.height() / 2
    corners = [
        QPointF(left, middle - side / 2),
        QPointF(left + side, middle),
        QPointF(left, middle + side / 2),
    ]
    painter.drawPolygon(QPolygonF(corners))


def _not_fired(painter: QPainter, rect: QRect, colours: Colours) -> None:
    side = rect.height() * 8 // 21
    middle = rect.top() + rect.height() // 2
    fill(painter, QRect(rect.left() + side // 2, middle, side + 1, 1), colours.second)
