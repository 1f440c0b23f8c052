"""How the score adds up: from 0 by each dimension and fired override to the threshold."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.score.answer import Answer
from kpinspector.ui.score.dimension_table import MARK_COLUMN, NAME_COLUMN
from kpinspector.ui.score.evidence_rows import evidence_rows
from kpinspector.ui.score.waterfall_chart import (
    ROW_HEIGHT,
    ChartBar,
    Scale,
    paint_axis,
    paint_stretch,
    paint_term,
    paint_verdict,
)
from kpinspector.ui.tables.figure_model import Cell, Head, Row, heading
from kpinspector.ui.tables.figure_table import Column, FigureTable
from kpinspector.words.figures import shown_short, shown_signed
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES
from kpinspector.words.sums import ShownSum
from kpinspector.words.waterfall import waterfall

Term: TypeAlias = Dimension | Rule


@dataclass(frozen=True, slots=True)
class _Label:
    """What stands around a bar; ``term`` is None for the score."""

    term: Term | None
    mark: Cell
    name: Cell
    figure: Cell


class Waterfall(FigureTable):
    """The chart, with a row for each term and its figure at the right.

    A term that is activated shows what it rests on in rows of its own; activated again, or with
    another one, it hides them.
    """

    wished = Signal(object)
    """A `StepWish` or a `NeighboursWish`: what a row of evidence leads to."""

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = (MARK_COLUMN, NAME_COLUMN, Column(80, stretch=True), Column(73, fits=True))
        super().__init__(columns, parent=parent)
        self.setAccessibleName(self.tr("How it adds up"))
        self._answer: Answer | None = None
        self._opened: Term | None = None
        self.row_activated.connect(self._on_row_activated)

    def set_answer(self, answer: Answer) -> None:
        """Draw the terms of a score, novelty last while it is unknown."""
        before, self._answer = self._answer, answer
        if before is None or before.document.number != answer.document.number:
            self._opened = None
        terms, shown = answer.terms, answer.shown
        if terms is None or shown is None:
            self.set_rows(())
            return
        bars = _bars(answer, terms)
        reach = [0.0, 1.0, *(bar.end for bar in bars), *(bar.unknown or 0.0 for bar in bars)]
        axis = Scale(min(reach), max(reach), terms.threshold)
        rows = [Row((Cell(), Cell(), Cell(picture=partial(paint_axis, axis)), Cell()), ROW_HEIGHT)]
        for bar, label in zip(bars, self._labels(answer, terms, shown), strict=True):
            chart = Cell(picture=partial(paint_stretch, axis, bar), said=_said(bar))
            cells = (label.mark, label.name, chart, label.figure)
            rows.append(Row(cells, ROW_HEIGHT, wish=label.term))
            if label.term is not None and label.term is self._opened:
                rows += evidence_rows(answer, label.term)
        self.set_rows(rows, self._heads(note=answer.pending))

    def _heads(self, *, note: bool) -> tuple[Head, ...]:
        unknown = self.tr("novelty last, as it is not known yet") if note else ""
        return (
            heading(self.tr("letter"), self.tr("How it adds up")),
            Head(self.tr("term")),
            Head(self.tr("from and to")),
            Head(self.tr("adds"), unknown, note=True),
        )

    def _on_row_activated(self, wish: object) -> None:
        if not isinstance(wish, (Dimension, Rule)):
            self.wished.emit(wish)
        elif self._answer is not None:
            self._opened = None if wish is self._opened else wish
            self.set_answer(self._answer)

    def _mark(self, term: Term) -> Cell:
        """A chevron: the row can be opened."""
        dimension = term if isinstance(term, Dimension) else None
        picture = partial(paint_term, dimension, opened=term is self._opened)
        return Cell("" if dimension is None else DIMENSION_LETTERS[dimension], picture=picture)

    def _name(self, term: Term, words: str) -> Cell:
        opened = term is self._opened
        said = self.tr("{0}, opened") if opened else self.tr("{0}, closed")
        tip = self.tr("Hide what it rests on") if opened else self.tr("Show what it rests on")
        second = isinstance(term, Rule)
        return Cell(words, said=said.format(words), second=second, tooltip=tip)

    def _labels(self, answer: Answer, terms: Assessment, shown: ShownSum) -> list[_Label]:
        labels = [
            _Label(
                one,
                self._mark(one),
                self._name(one, DIMENSION_NAMES[one]),
                Cell(shown_signed(shown.term(one).adds), figure=True),
            )
            for one in _order(answer)
        ]
        for override, change in zip(terms.overrides, shown.changes, strict=True):
            if override.applied:
                name = self._name(override.rule, RULE_NAMES[override.rule])
                figure = Cell(change.change, figure=True)
                place = len(labels) - answer.pending
                mark = self._mark(override.rule)
                labels.insert(place, _Label(override.rule, mark, name, figure))
        shape = partial(paint_verdict, answer.document)
        labels.append(
            _Label(
                None,
                Cell(picture=shape, said=answer.word),
                Cell(self.tr("Score"), TextRole.PANE),
                Cell(shown.score, TextRole.PANE, figure=True),
            )
        )
        return labels


def _order(answer: Answer) -> list[Dimension]:
    order = list(Dimension)
    if answer.pending:
        order.remove(Dimension.NOVELTY)
        order.append(Dimension.NOVELTY)
    return order


def _bars(answer: Answer, terms: Assessment) -> list[ChartBar]:
    bars: list[ChartBar] = []
    for one in waterfall(terms):
        dimension = one.term if isinstance(one.term, Dimension) else None
        is_novelty = dimension is Dimension.NOVELTY
        if not (is_novelty and answer.pending):  # then it adds nothing yet, and comes last
            assumed = is_novelty and answer.document.assumed
            joined = bool(bars)
            bars.append(
                ChartBar(one.start, one.end, dimension, hatched=assumed, joined_above=joined)
            )
    possible = answer.document.range
    highest = None
    if possible is not None:
        highest = possible.high.score
        place = bars[-1].end
        bars.append(ChartBar(place, place, Dimension.NOVELTY, unknown=highest))
    end = ChartBar(0.0, terms.score, unknown=highest, total=True, joined_below=False)
    return [*bars, end]


def _said(bar: ChartBar) -> str:
    ends: Sequence[float] = (bar.start, bar.end if bar.unknown is None else bar.unknown)
    return " \N{EN DASH} ".join(shown_short(end) for end in ends)
