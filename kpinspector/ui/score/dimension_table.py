"""The tables of the four dimensions with their evidence, and of the three overrides."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPolygonF

from kpinspector.scoring.formula.assess import steps_behind
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import ReasoningTrace, Step
from kpinspector.ui.look.marks import (
    BADGE_SIZE_LARGE,
    BarKind,
    BarMark,
    fill,
    paint_badge,
    paint_bar,
)
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import masked_line, one_line
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, heading
from kpinspector.ui.tables.figure_table import COLUMN_GAP, ColumnWidth, FigureTable, Stops
from kpinspector.words import page as words
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count, shown_number, shown_whole
from kpinspector.words.novelty import neighbour_place
from kpinspector.words.page import Section, Table
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, MARK_WORDS, RULE_NAMES, kind_word

_MOST_STEPS = 8
_MOST_NEIGHBOURS = 3
_LONGEST_TOOL = 80
_ROW_HEIGHT = 18
MARK_COLUMN = ColumnWidth(26)
NAME_GAP = 2
_BAR, _WEIGHT, _LOST = 2, 4, 6
_WAYS = ({_WEIGHT}, {_WEIGHT, _BAR}, {_WEIGHT, _LOST}, {_WEIGHT, _LOST, _BAR})
_EVIDENCE = 6  # in a row of the section
_BAR_HEIGHT = 8
_TABLE_ROW_HEIGHT = 20
_EVIDENCE_HEIGHT = 18
_ARROW = "\N{THIN SPACE}\N{RIGHTWARDS ARROW}\N{THIN SPACE}"


@dataclass(frozen=True, slots=True)
class StepWish:
    """The wish to see a step; ``index`` is its place in the trace."""

    index: int


@dataclass(frozen=True, slots=True)
class NeighboursWish:
    """The wish to see the traces that novelty was compared with."""


def evidence_rows(explanation: Explanation, term: Dimension | Rule) -> tuple[Row, ...]:
    """Rows of four columns, of which the third takes what the others leave."""
    record = explanation.record
    if record is None:
        return ()
    if isinstance(term, Rule):
        return tuple(_step_rows((step, ()) for step in steps_behind(term, record.trace.steps)))
    match term:
        case Dimension.COMPLEXITY | Dimension.TOOL_DIVERSITY:
            counted = explanation.counted[term]
            marked = ((one.step, [MARK_WORDS[mark] for mark in one.marks]) for one in counted)
            return tuple(_step_rows(marked))
        case Dimension.NOVELTY:
            return tuple(_neighbour_rows(explanation))
        case Dimension.OUTCOME_CONFIDENCE:
            return tuple(_outcome_rows(explanation, record.trace))


def _step_rows(steps: Iterable[tuple[Step, Iterable[str]]]) -> Iterator[Row]:
    rest = iter(steps)
    for step, marks in islice(rest, _MOST_STEPS):
        kind, tool = kind_word(step.kind), masked_line(step.tool_name or "", _LONGEST_TOOL)
        words = say_list((kind, tool, *marks))
        yield _row(say("Step {index}", index=step.index), words, wish=StepWish(step.index))
    further = sum(1 for _ in rest)
    if further:
        yield _row("", say("and {more} more", more=shown_count(further)))


def _neighbour_rows(explanation: Explanation) -> Iterator[Row]:
    novelty = explanation.novelty
    if novelty is not None and novelty.neighbours:
        named = zip(novelty.names, novelty.neighbours, strict=True)
        for name, near in islice(named, _MOST_NEIGHBOURS):
            about = near.objective, near.key
            entry = FigureCell(
                masked_in(name),
                TextRole.CAPTION,
                tooltip="\n".join((*map(masked_in, about), neighbour_place(near))),
                span=2,
            )
            figure = FigureCell(
                shown_number(near.similarity),
                TextRole.CAPTION,
                second=True,
                figure=True,
                tooltip=shown_whole(near.similarity),
            )
            yield Row((FigureCell(), entry, figure), _ROW_HEIGHT, wish=NeighboursWish())
    else:
        yield _row("", explanation.evidence(Dimension.NOVELTY))


def _outcome_rows(explanation: Explanation, trace: ReasoningTrace) -> Iterator[Row]:
    yield _row("", explanation.evidence(Dimension.OUTCOME_CONFIDENCE))
    if trace.outcome.result_summary:
        yield _row("", masked_line(trace.outcome.result_summary))


def _row(name: str, words: str, wish: object = None) -> Row:
    if not name:
        text = FigureCell(words, TextRole.CAPTION, second=True, tooltip=words, span=3)
        return Row((FigureCell(), text), _ROW_HEIGHT, wish=wish)
    text = FigureCell(words, TextRole.CAPTION, second=True, tooltip=words, span=2)
    return Row((FigureCell(), FigureCell(name, TextRole.CAPTION), text), _ROW_HEIGHT, wish=wish)


def name_column(gap: int = COLUMN_GAP) -> ColumnWidth:
    """The same in every table of the pane, so that bars and chart share their left edge."""
    names = (*DIMENSION_NAMES.values(), *RULE_NAMES.values())
    return ColumnWidth(98, fits=True, texts=names, gap=gap)


class DimensionTable(FigureTable):
    """A row for each dimension, its evidence below it, and the weighted sum.

    Activating the evidence of novelty leads to the neighbours.
    """

    def __init__(self) -> None:
        columns = (
            MARK_COLUMN,
            name_column(gap=NAME_GAP),
            ColumnWidth(41, stretch=True),
            ColumnWidth(46, fits=True),
            ColumnWidth(45, fits=True),
            ColumnWidth(56, fits=True),
            ColumnWidth(57, fits=True),
        )
        super().__init__(columns, _WAYS, name=say("Dimensions"), stops=Stops.ROWS)

    def set_explanation(self, explanation: Explanation) -> None:
        """Show the terms of a score, as far as they are known."""
        if explanation.terms is None:
            self.set_rows(())
            return
        terms = explanation.terms.contributions
        most = 0.0 if explanation.pending else max(term.lost for term in terms)
        is_range = explanation.possible is not None
        novelty = explanation.novelty
        *dimensions, total = rows_of(explanation.dimensions)
        rows: list[Row] = []
        for term, row in zip(terms, dimensions, strict=True):
            compared = term.dimension is Dimension.NOVELTY and bool(novelty and novelty.neighbours)
            rows.append(_term_row(term.dimension, row, strong=0.0 < most == term.lost))
            rows.append(_evidence_row(row[_EVIDENCE].text, leads_on=compared))
        rows.append(_sum_row(total, is_range=is_range))
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


def rows_of(section: Section) -> tuple[tuple[words.Cell, ...], ...]:
    """The rows of a section that is one table; none of an empty one."""
    return tuple(row for block in section.blocks if isinstance(block, Table) for row in block.rows)


def _whole(cell: words.Cell) -> str:
    return "" if cell.value is None else shown_whole(cell.value)


def _term_row(dimension: Dimension, row: tuple[words.Cell, ...], *, strong: bool) -> Row:
    name, bar, value, weight, adds, lost, _ = row
    kind, said = BarKind.SOLID, value.text
    if bar.bar is None or bar.bar.reach is not None:
        kind, said = BarKind.PENDING, say("unknown")
    elif bar.bar.assumed:
        kind, said = BarKind.ASSUMED, say("assumed")
    badge, role = partial(letter_badge, dimension), TextRole.PANE if strong else TextRole.BODY
    paint = partial(_bar, dimension, bar.bar.end if bar.bar else 0.0, kind)
    return Row(
        (
            FigureCell(DIMENSION_LETTERS[dimension], picture=badge),
            FigureCell(name.text, TextRole.NAME, tooltip=name.text),
            FigureCell(picture=paint, said=said),
            FigureCell(value.text, figure=True, tooltip=_whole(value)),
            FigureCell(weight.text, figure=True, second=True, tooltip=_whole(weight)),
            FigureCell(adds.text, figure=True, tooltip=_whole(adds)),
            FigureCell(lost.text, role, figure=True, tooltip=_whole(lost)),
        ),
        _TABLE_ROW_HEIGHT,
    )


def _evidence_row(evidence: str, *, leads_on: bool) -> Row:
    text = one_line(evidence)
    return Row(
        (FigureCell(), FigureCell(text, TextRole.CAPTION, second=True, tooltip=text, span=6)),
        _EVIDENCE_HEIGHT,
        wish=NeighboursWish() if leads_on else None,
    )


def _sum_row(row: tuple[words.Cell, ...], *, is_range: bool) -> Row:
    name, *_, adds, lost, _ = row
    total = FigureCell(adds.text, TextRole.PANE, figure=True, tooltip=_whole(adds))
    cells = [FigureCell(name.text, span=3), FigureCell(), total, FigureCell(lost.text, figure=True)]
    if is_range:
        # over the bars too: where a column gives way the interval still has its room
        cells = [FigureCell(name.text), replace(total, span=4), FigureCell()]
    return Row((FigureCell(), *cells), 26, line_above=True)


def letter_badge(dimension: Dimension, painter: QPainter, rect: QRect, colours: Colours) -> None:
    """Paint a dimension's badge at the left edge of a cell of ``MARK_COLUMN``."""
    side = min(rect.height(), rect.width() * BADGE_SIZE_LARGE // MARK_COLUMN.width)
    box = centred(rect, rect.left(), side)
    paint_badge(painter, box, dimension, colours)


def _bar(
    dimension: Dimension,
    value: float,
    kind: BarKind,
    painter: QPainter,
    rect: QRect,
    colours: Colours,
) -> None:
    height = max(_BAR_HEIGHT, rect.height() * _BAR_HEIGHT // _TABLE_ROW_HEIGHT)
    colour = colours.dimension(dimension)
    bar = BarMark(colour, value, kind=kind, track=colours.track)
    paint_bar(painter, band(rect, height), bar, colours)


class OverrideTable(FigureTable):
    """All three rules, in the order in which they are applied."""

    def __init__(self) -> None:
        names = ColumnWidth(98, fits=True, texts=tuple(RULE_NAMES.values()))
        columns = (MARK_COLUMN, names, ColumnWidth(90, stretch=True), ColumnWidth(1, fits=True))
        super().__init__(columns, ({3},))
        self.setAccessibleName(say("Overrides"))

    def set_explanation(self, explanation: Explanation) -> None:
        """Show what the rules did to a score."""
        heads = (
            heading(say("fired"), say("Overrides")),
            Head(say("override")),
            Head(say("reason")),
            Head(say("before and after"), explanation.overrides.note, note=True),
        )
        self.set_rows([_override_row(row) for row in rows_of(explanation.overrides)], heads)


def _override_row(row: tuple[words.Cell, ...]) -> Row:
    name, answer, before, change, after, reason = row
    applied = name.strong
    text, whole = change.text, ""
    if before.text:
        text = f"{before.text}{_ARROW}{after.text}"
        whole = f"{before.value!r}{_ARROW}{after.value!r}"
    picture, said = (_fired, say("fired")) if applied else (_not_fired, say("not fired"))
    if answer.sign is words.Sign.UNDECIDED:
        picture, said = _may_fire, say("fires if it succeeded")
    span = 1 if text else 2
    about = FigureCell(
        reason.text, TextRole.CAPTION, second=not applied, tooltip=reason.text, span=span
    )
    title = FigureCell(name.text, TextRole.NAME if applied else TextRole.BODY)
    figure = (FigureCell(text, figure=True, tooltip=whole),) if text else ()
    return Row((FigureCell(picture=picture, said=said), title, about, *figure))


def _fired(painter: QPainter, rect: QRect, colours: Colours) -> None:
    painter.setBrush(colours.text)
    _triangle(painter, rect, colours)


def _may_fire(painter: QPainter, rect: QRect, colours: Colours) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _triangle(painter, rect, colours)


def _triangle(painter: QPainter, rect: QRect, colours: Colours) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(colours.text)
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
