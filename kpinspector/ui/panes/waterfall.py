"""The chart of how a score adds up, with a bar for each dimension and fired override."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TypeAlias

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.formula.assess import steps_behind
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.ui.look.marks import (
    BADGE_SIZE_LARGE,
    STATE_SIZE,
    IconName,
    fill,
    outline,
    paint_hatch,
    paint_icon,
    paint_state,
)
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import masked_line
from kpinspector.ui.look.theme import Colours, TextRole, font
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.tables.figure_model import COLUMN_GAP, FigureCell, Row, figure, heads_of, note
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count, shown_number, shown_short
from kpinspector.words.novelty import neighbour_place
from kpinspector.words.page import Sign
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, MARK_WORDS, RULE_NAMES, kind_word

ROW_HEIGHT = 18
MARK_COLUMN = ColumnWidth(26)
NAME_GAP = 2
_MOST_STEPS, _MOST_NEIGHBOURS = 8, 3
_LONGEST_TOOL = 80
EVIDENCE_HEIGHT = 18

_BAR_HEIGHT = 10
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_THRESHOLD_LINE = 2
_TICK_GAP = 6
_CHEVRON_SIDE = 12
_SMALLEST_GAP = 3


Term: TypeAlias = Dimension | Rule


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of the chart: 0 to 1, or wider where a sum lies outside."""

    low: float
    high: float
    threshold: float
    ticked: bool = True

    def x(self, rect: QRect, value: float) -> int:
        """The x coordinate of a value in a rectangle."""
        share = (value - self.low) / (self.high - self.low)
        return rect.left() + round(min(1.0, max(0.0, share)) * (rect.width() - 1))

    @property
    def ticks(self) -> tuple[float, ...]:
        """The values that get a faint line, besides the threshold."""
        if not self.ticked:
            return ()
        is_usual = (self.low, self.high) == (0.0, 1.0)
        return _QUARTERS if is_usual else tuple(sorted({self.low, 0.0, 1.0, self.high}))


@dataclass(frozen=True, slots=True)
class ChartBar:
    """One bar of the chart; a thin line joins its end to the next bar.

    Attributes:
        dimension: The dimension that gives its colour; None for a neutral bar.
        unknown: The value up to which it may reach, shown hatched; None if it is known.
        hatched: Its value is assumed.
        total: It is the score, and shows its gap to the threshold.
    """

    start: float
    end: float
    dimension: Dimension | None = None
    unknown: float | None = None
    hatched: bool = False
    total: bool = False
    joined_above: bool = True
    joined_below: bool = True


def _paint_term(
    dimension: Dimension | None, painter: QPainter, rect: QRect, colours: Colours, *, opened: bool
) -> None:
    """Paint a dimension's letter, as wide as a badge, and a chevron after it."""
    width = rect.width() * BADGE_SIZE_LARGE // MARK_COLUMN.width
    if dimension is not None:
        painter.setPen(colours.dimension(dimension))
        room = QRect(rect.left(), rect.top(), width, rect.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, DIMENSION_LETTERS[dimension])
    side = _CHEVRON_SIDE * width // BADGE_SIZE_LARGE
    box = QRect(rect.right() + 1 - side, rect.top(), side, rect.height())
    name = IconName.CHEVRON_DOWN if opened else IconName.CHEVRON_RIGHT
    paint_icon(painter, box, name, colours.second)


def _paint_verdict(
    sign: Sign, painter: QPainter, rect: QRect, colours: Colours, *, assumed: bool
) -> None:
    """Paint the symbol of a verdict, as wide as a badge."""
    width = rect.width() * BADGE_SIZE_LARGE // MARK_COLUMN.width
    side = width * STATE_SIZE // BADGE_SIZE_LARGE
    box = centred(rect, rect.left() + (width - side) // 2, side)
    paint_state(painter, box, sign, colours, assumed=assumed)


def paint_axis(axis: Scale, painter: QPainter, rect: QRect, colours: Colours) -> None:
    """Write the numbers of the threshold and the ticks; leave out a tick's that touches another."""
    caption = font(TextRole.CAPTION, QApplication.font())
    strong = font(TextRole.HEADING, QApplication.font())
    threshold = _label(axis, rect, axis.threshold, QFontMetrics(strong))
    painter.setFont(strong)
    painter.setPen(colours.text)
    align = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(threshold, align, shown_short(axis.threshold))
    painter.setFont(caption)
    painter.setPen(colours.second)
    taken = [threshold]
    for tick in axis.ticks:
        room = _label(axis, rect, tick, QFontMetrics(caption))
        if not any(room.adjusted(-_TICK_GAP, 0, _TICK_GAP, 0).intersects(other) for other in taken):
            painter.drawText(room, align, shown_short(tick))
            taken.append(room)


def _label(axis: Scale, rect: QRect, value: float, metrics: QFontMetrics) -> QRect:
    width = metrics.horizontalAdvance(shown_short(value)) + 2
    return QRect(axis.x(rect, value) - width // 2, rect.top(), width, rect.height())


def paint_stretch(
    axis: Scale, bar: ChartBar, painter: QPainter, rect: QRect, colours: Colours
) -> None:
    """Paint one row of the chart: faint ticks, the bar with its joints, the threshold."""
    for tick in axis.ticks:
        fill(painter, QRect(axis.x(rect, tick), rect.top(), 1, rect.height()), colours.line)
    height = rect.height() * _BAR_HEIGHT // ROW_HEIGHT
    box = band(rect, height)
    if bar.joined_above:
        x = axis.x(rect, bar.end if bar.total else bar.start)
        fill(painter, QRect(x, rect.top(), 1, box.top() - rect.top()), colours.neutral)
    if bar.joined_below:
        x = axis.x(rect, bar.end)
        fill(painter, QRect(x, box.bottom() + 1, 1, rect.bottom() - box.bottom()), colours.neutral)
    _paint_bar(axis, bar, painter, box, colours)
    line = QRect(
        axis.x(rect, axis.threshold) - _THRESHOLD_LINE // 2,
        rect.top(),
        _THRESHOLD_LINE,
        rect.height(),
    )
    fill(painter, line, colours.text)


def _paint_bar(axis: Scale, bar: ChartBar, painter: QPainter, box: QRect, colours: Colours) -> None:
    colour = colours.second if bar.dimension is None else colours.dimension(bar.dimension)
    solid = _between(axis, box, bar.start, bar.end)
    if bar.start == bar.end:
        pass
    elif bar.hatched:
        paint_hatch(painter, solid, colour)
        outline(painter, solid, colour)
    else:
        fill(painter, solid, colour)
    if bar.unknown is not None:
        paint_hatch(painter, _between(axis, box, bar.end, bar.unknown), colour)
    elif bar.total and bar.end < axis.threshold:
        gap = _between(axis, box, max(bar.end, bar.start), axis.threshold)
        if gap.width() >= _SMALLEST_GAP:
            paint_hatch(painter, gap, colours.rejected)


def _between(axis: Scale, box: QRect, start: float, end: float) -> QRectF:
    left, right = sorted((axis.x(box, start), axis.x(box, end)))
    return QRectF(left, box.top(), max(1, right - left), box.height())


def evidence_rows(explanation: Explanation, term: Dimension | Rule) -> Iterator[Row]:
    """Rows with what a term rests on, in four columns, the third of which takes the spare width."""
    record = explanation.record
    if record is None:
        return
    match term:
        case Rule():
            yield from _step_rows((step, ()) for step in steps_behind(term, record.trace.steps))
        case Dimension.COMPLEXITY | Dimension.TOOL_DIVERSITY:
            counted = explanation.counted[term]
            yield from _step_rows(
                (one.step, [MARK_WORDS[mark] for mark in one.marks]) for one in counted
            )
        case Dimension.NOVELTY if explanation.novelty and explanation.novelty.neighbours:
            yield from _near_rows(explanation)
        case _:
            yield _words_row(explanation.evidence(term))
            result = record.trace.outcome.result_summary
            if result and term is Dimension.OUTCOME_CONFIDENCE:
                yield _words_row(masked_line(result))


def _step_rows(steps: Iterable[tuple[Step, Iterable[str]]]) -> Iterator[Row]:
    rest = iter(steps)
    for step, marks in islice(rest, _MOST_STEPS):
        kind, tool = kind_word(step.kind), masked_line(step.tool_name or "", _LONGEST_TOOL)
        name = FigureCell(say("Step {index}", index=step.index), TextRole.CAPTION)
        words = note(say_list((kind, tool, *marks)), span=2)
        yield Row(
            (FigureCell(), name, words), EVIDENCE_HEIGHT, wish=Wish(Do.GO_TO_STEP, step.index)
        )
    further = sum(1 for _ in rest)
    if further:
        yield _words_row(say("and {more} more", more=shown_count(further)))


def _near_rows(explanation: Explanation) -> Iterator[Row]:
    novelty = explanation.novelty
    named = zip(novelty.names, novelty.neighbours, strict=True) if novelty else ()
    for name, near in islice(named, _MOST_NEIGHBOURS):
        known = (masked_in(near.objective), masked_in(near.key), neighbour_place(near))
        tip = "\n".join(known)
        entry = FigureCell(masked_in(name), TextRole.CAPTION, tooltip=tip, span=2)
        similar = shown_number(near.similarity)
        cells = entry, figure(similar, near.similarity, TextRole.CAPTION, second=True)
        yield Row((FigureCell(), *cells), EVIDENCE_HEIGHT, wish=Wish(Do.SHOW_NEIGHBOURS))


def _words_row(words: str) -> Row:
    return Row((FigureCell(), note(words, span=3)), EVIDENCE_HEIGHT)


def name_column(gap: int = COLUMN_GAP) -> ColumnWidth:
    """The column of names, equally wide in all tables of a pane, so that bars and chart line up."""
    names = (*DIMENSION_NAMES.values(), *RULE_NAMES.values())
    return ColumnWidth(98, fits=True, texts=names, gap=gap)


class Waterfall(FigureTable):
    """The chart, with a row for each term and its figure at the right.

    Activating a term shows its evidence in rows below; activating it again, or another term,
    hides the evidence.
    """

    def __init__(self, tell: Tell) -> None:
        chart, adds = ColumnWidth(80, stretch=True), ColumnWidth(73, fits=True)
        columns = (MARK_COLUMN, name_column(gap=NAME_GAP), chart, adds)
        super().__init__(columns, name=say("How it adds up"))
        self._tell = tell
        self._explanation: Explanation | None = None
        self._opened: Term | None = None
        self.row_activated.connect(self._on_row_activated)

    def set_explanation(self, explanation: Explanation) -> None:
        """Show the terms of a score; novelty comes last while it is unknown."""
        before, self._explanation = self._explanation, explanation
        if before is None or before.row != explanation.row:
            self._opened = None
        last = say("novelty last, as it is not known yet") if explanation.pending else ""
        if explanation.undecided:
            last = say("outcome last, as it is not known")
        said = (say("letter"), say("term"), say("from and to"), say("adds"))
        heads = heads_of(say("How it adds up"), *said, notes=last)
        self.set_rows([*self._rows_of(explanation)], heads)

    def _rows_of(self, explanation: Explanation) -> Iterator[Row]:
        terms, shown, possible = explanation.terms, explanation.shown, explanation.possible
        if terms is None or shown is None:
            return
        stretches = explanation.waterfall
        highest = None if possible is None else possible.high.score
        total = ChartBar(0.0, terms.score, unknown=highest, total=True, joined_below=False)
        reach = [0.0, 1.0, total.end, highest or 0.0]
        for one in stretches:
            reach += (one.end, one.reach or 0.0)
        axis = Scale(min(reach), max(reach), explanation.threshold.value or 0.0)
        ticks = FigureCell(picture=partial(paint_axis, axis))
        yield Row((FigureCell(), FigureCell(), ticks, FigureCell()), ROW_HEIGHT)
        for number, one in enumerate(stretches):
            dimension = one.term if isinstance(one.term, Dimension) else None
            hatched = dimension is Dimension.NOVELTY and explanation.assumed
            bar = ChartBar(one.start, one.end, dimension, one.reach, hatched)
            bar = replace(bar, joined_above=number > 0)
            cells = (*self._named(one.term), _chart(axis, bar), figure(one.shown_change))
            yield Row(cells, ROW_HEIGHT, wish=one.term, opened=one.term is self._opened)
            if one.term is self._opened:
                yield from evidence_rows(explanation, one.term)
        shape = partial(_paint_verdict, explanation.sign, assumed=explanation.assumed)
        cells = (
            FigureCell(picture=shape, said=explanation.word),
            FigureCell(say("Score"), TextRole.PANE),
            _chart(axis, total),
            figure(shown.score, role=TextRole.PANE),
        )
        yield Row(cells, ROW_HEIGHT)

    def _on_row_activated(self, wish: Term | Wish) -> None:
        if isinstance(wish, Wish):
            self._tell(wish)
        elif self._explanation is not None:
            self._opened = None if wish is self._opened else wish
            self.set_explanation(self._explanation)

    def _named(self, term: Term) -> tuple[FigureCell, FigureCell]:
        """The cell with the letter and the chevron of a term, and the cell with its name."""
        dimension = term if isinstance(term, Dimension) else None
        opened = term is self._opened
        letter = "" if dimension is None else DIMENSION_LETTERS[dimension]
        mark = partial(_paint_term, dimension, opened=opened)
        words = RULE_NAMES[term] if isinstance(term, Rule) else DIMENSION_NAMES[term]
        if opened:
            said, tip = say("{name}, opened", name=words), say("Hide what it rests on")
        else:
            said, tip = say("{name}, closed", name=words), say("Show what it rests on")
        name = FigureCell(words, said=said, second=dimension is None, tooltip=tip)
        return FigureCell(letter, TextRole.PANE, picture=mark), name


def _chart(axis: Scale, bar: ChartBar) -> FigureCell:
    ends = (bar.start, bar.end if bar.unknown is None else bar.unknown)
    said = " \N{EN DASH} ".join(map(shown_short, ends))
    return FigureCell(picture=partial(paint_stretch, axis, bar), said=said)
