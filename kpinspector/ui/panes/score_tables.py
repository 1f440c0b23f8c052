"""The tables of the Why tab: dimensions with their evidence, overrides, and changes that help."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPolygonF, QResizeEvent
from typing_extensions import override

from kpinspector.scoring.formula.assess import Assessment, GateState, steps_behind
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.changes import Change, Combination
from kpinspector.scoring.whatif.reach import Deciding
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.ui.look.marks import BADGE_SIZE_LARGE, BarKind, fill
from kpinspector.ui.look.plain_text import masked_line, one_line
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.tables.figure_model import (
    CellBar,
    CellMark,
    FigureCell,
    Head,
    Row,
    badge,
    figure,
    heading,
    heads_of,
    note,
)
from kpinspector.ui.tables.figure_table import COLUMN_GAP, ColumnWidth, FigureTable
from kpinspector.words.changes import (
    NOT_ADVICE,
    change_phrase,
    change_remarks,
    change_words,
    flip_words,
)
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count, shown_number, shown_whole
from kpinspector.words.novelty import neighbour_place
from kpinspector.words.page import GATE_WORDS, Cell, Section, Sign, Table, range_cells
from kpinspector.words.run import deciding_dimension, deciding_title, deciding_words
from kpinspector.words.say import capitalised, in_words, say, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, MARK_WORDS, RULE_NAMES, kind_word

_MOST_STEPS, _MOST_NEIGHBOURS = 8, 3
_LONGEST_TOOL = 80
_EVIDENCE_HEIGHT = 18
_ROW_HEIGHT, _ABOVE_HEIGHT, _REMARK_HEIGHT = 20, 19, 14
_BESIDE = 2
_MAY_FIRE = -1
_ARROW = "\N{THIN SPACE}\N{RIGHTWARDS ARROW}\N{THIN SPACE}"
_BAR, _WEIGHT, _LOST = 2, 4, 6
MARK_COLUMN = ColumnWidth(26)
NAME_GAP = 2
DIMENSION_WAYS = ({_WEIGHT}, {_WEIGHT, _BAR}, {_WEIGHT, _LOST}, {_WEIGHT, _LOST, _BAR})


@dataclass(frozen=True, slots=True)
class StepWish:
    """The wish to see a step; ``index`` is its place in the trace."""

    index: int


@dataclass(frozen=True, slots=True)
class NeighboursWish:
    """The wish to see the traces that novelty was compared with."""


@dataclass(frozen=True, slots=True)
class TryWish:
    """The wish to try the change of a row."""

    scenario: Scenario


def evidence_rows(explanation: Explanation, term: Dimension | Rule) -> Iterator[Row]:
    """What a term rests on, in four columns, of which the third takes what the others leave."""
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
        yield Row((FigureCell(), name, words), _EVIDENCE_HEIGHT, wish=StepWish(step.index))
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
        yield Row((FigureCell(), *cells), _EVIDENCE_HEIGHT, wish=NeighboursWish())


def _words_row(words: str) -> Row:
    return Row((FigureCell(), note(words, span=3)), _EVIDENCE_HEIGHT)


def name_column(gap: int = COLUMN_GAP) -> ColumnWidth:
    """The same in every table of the pane, so that bars and chart share their left edge."""
    names = (*DIMENSION_NAMES.values(), *RULE_NAMES.values())
    return ColumnWidth(98, fits=True, texts=names, gap=gap)


def dimension_columns() -> tuple[ColumnWidth, ...]:
    """The columns of the dimensions."""
    return (
        MARK_COLUMN,
        name_column(gap=NAME_GAP),
        ColumnWidth(41, stretch=True),
        ColumnWidth(46, fits=True),
        ColumnWidth(45, fits=True),
        ColumnWidth(56, fits=True),
        ColumnWidth(57, fits=True),
    )


def dimension_heads() -> tuple[Head, ...]:
    """The heads of the dimensions."""
    drawn = (say("value"), say("weight"), say("adds"), say("lost"))
    first = heading(say("letter"), say("Dimensions"))
    return first, Head(say("dimension")), Head(say("bar")), *(Head(one, one) for one in drawn)


def dimension_rows(explanation: Explanation) -> list[Row]:
    """A row for each dimension, its evidence below it, and the weighted sum, as far as known.

    Activating the evidence of novelty leads to the neighbours.
    """
    if explanation.terms is None:
        return []
    terms = explanation.terms.contributions
    most = 0.0 if explanation.pending else max(term.lost for term in terms)
    novelty = explanation.novelty
    *dimensions, total = _rows_of(explanation.dimensions)
    rows = []
    for term, row in zip(terms, dimensions, strict=True):
        rows.append(_term_row(term.dimension, row, strong=0.0 < most == term.lost))
        compared = term.dimension is Dimension.NOVELTY and novelty and novelty.neighbours
        cells = FigureCell(), note(one_line(row[-1].text), span=6)
        rows.append(Row(cells, _EVIDENCE_HEIGHT, wish=NeighboursWish() if compared else None))
    name, *_, adds, lost, _ = total
    sum_cell = _figure(adds, TextRole.PANE)
    last = [FigureCell(name.text, span=3), FigureCell(), sum_cell, figure(lost.text)]
    if explanation.possible is not None:
        # over the bars too: where a column gives way the interval still has its room
        last = [FigureCell(name.text), replace(sum_cell, span=4), FigureCell()]
    return [*rows, Row((FigureCell(), *last), 26, line_above=True)]


def _rows_of(section: Section) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a section that is one table; none of an empty one."""
    tables = [block for block in section.blocks if isinstance(block, Table)]
    return tables[0].rows if tables else ()


def _figure(cell: Cell, role: TextRole = TextRole.BODY, *, second: bool = False) -> FigureCell:
    return figure(cell.text, cell.value, role, second=second)


def _term_row(dimension: Dimension, row: tuple[Cell, ...], *, strong: bool) -> Row:
    name, bar, value, weight, adds, lost, _ = row
    kind, said = BarKind.SOLID, value.text
    if bar.bar is None or bar.bar.reach is not None:
        kind, said = BarKind.PENDING, say("unknown")
    elif bar.bar.assumed:
        kind, said = BarKind.ASSUMED, say("assumed")
    end = bar.bar.end if bar.bar else 0.0
    cells = (
        badge(dimension, BADGE_SIZE_LARGE),
        FigureCell(name.text, TextRole.NAME, tooltip=name.text),
        FigureCell(bar=CellBar(end, dimension, kind), said=said),
        _figure(value),
        _figure(weight, second=True),
        _figure(adds),
        _figure(lost, TextRole.PANE if strong else TextRole.BODY),
    )
    return Row(cells, 20)


def override_columns() -> tuple[ColumnWidth, ...]:
    """The columns of the overrides."""
    names = ColumnWidth(98, fits=True, texts=tuple(RULE_NAMES.values()))
    return MARK_COLUMN, names, ColumnWidth(90, stretch=True), ColumnWidth(1, fits=True)


def override_heads(explanation: Explanation) -> tuple[Head, ...]:
    """The heads of the overrides."""
    said = (say("fired"), say("override"), say("reason"), say("before and after"))
    return heads_of(say("Overrides"), *said, notes=explanation.overrides.note)


def override_rows(explanation: Explanation) -> list[Row]:
    """What each of the three rules did to a score, in the order in which they are applied."""
    return [_override_row(*row) for row in _rows_of(explanation.overrides)]


def _override_row(
    name: Cell, answer: Cell, before: Cell, change: Cell, after: Cell, reason: Cell
) -> Row:
    applied = name.strong
    text, whole = change.text, ""
    if before.text:
        text = f"{before.text}{_ARROW}{after.text}"
        whole = f"{before.value!r}{_ARROW}{after.value!r}"
    said, fired = say("fired") if applied else say("not fired"), int(applied)
    if answer.sign is Sign.UNDECIDED:
        said, fired = say("fires if it succeeded"), _MAY_FIRE
    about = replace(note(reason.text, span=1 if text else 2), second=not applied)
    return Row(
        (
            FigureCell(picture=partial(_paint_fired, fired), said=said),
            FigureCell(name.text, TextRole.NAME if applied else TextRole.BODY),
            about,
            *((FigureCell(text, figure=True, tooltip=whole),) if text else ()),
        )
    )


def _paint_fired(fired: int, painter: QPainter, rect: QRect, colours: Colours) -> None:
    """Paint a triangle, an open one for what may fire, else a line."""
    if not fired:
        side = rect.height() * 8 // 21
        top = rect.top() + rect.height() // 2
        fill(painter, QRect(rect.left() + side // 2, top, side + 1, 1), colours.second)
        return
    painter.setBrush(colours.text if fired != _MAY_FIRE else Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(colours.text)
    half = rect.height() * 8 / 21 / 2
    left, middle = rect.left() + half, rect.top() + rect.height() / 2
    corners = ((0.0, -half), (2 * half, 0.0), (0.0, half))
    painter.drawPolygon(QPolygonF([QPointF(left + x, middle + y) for x, y in corners]))


class ChangeTable(FigureTable):
    """The single changes that reach the threshold, and padding that does not.

    Where none is enough, it shows changes that are enough together, each on a line of its own. For
    a run whose outcome is unknown it shows what would decide it.

    A remark is shown beside its change, or below it where there is no room; it is never cut.
    Activating a row asks to try its change.
    """

    def __init__(self) -> None:
        self._whole: tuple[Row, ...] = ()
        columns = (
            MARK_COLUMN,
            ColumnWidth(120, fits=True, elides=True),
            ColumnWidth(1, stretch=True),
            ColumnWidth(22),
            ColumnWidth(1, fits=True),
            ColumnWidth(1, fits=True),
        )
        super().__init__(columns, name=say("What would change it"))

    def set_explanation(self, explanation: Explanation, *, wait: bool = False) -> None:
        """Show what would bring a rejected score to the threshold; nothing for an accepted one.

        ``wait``: it takes long to find, and is shown later.
        """
        title, words, rows = say("What would change it"), in_words(NOT_ADVICE), []
        measured, found = explanation.measured, None if wait else explanation.changes
        if explanation.deciding and explanation.possible is not None:
            title = deciding_title(explanation.possible)
            stated = explanation.confidence_stated
            rows = [_deciding_row(one, stated=stated) for one in explanation.deciding]
        elif found is None or measured is None:
            words = say("in a moment") if wait else say("shown when the score is known")
        else:
            measurement = measured.measurement
            for combination in found.combinations:
                rows += _together_rows(combination, measurement)
            rows += [_change_row(change, measurement) for change in found.changes]
            words = words if rows else say("no change that was tried is enough")
        self.setAccessibleName(title)
        said = (say("dimension"), say("change"), say("remarks"), say("gate"), say("score"))
        # the columns are laid out for all remarks beside, then the remarks are placed
        self._whole = tuple(rows)
        self.set_rows(rows, heads_of(title, *said, say("what-if"), notes=words))
        self._place_remarks()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_remarks()

    def _place_remarks(self) -> None:
        self.set_rows(tuple(chain.from_iterable(map(self._placed, self._whole))))

    def _placed(self, row: Row) -> tuple[Row, ...]:
        remark = row.cells[_BESIDE]
        width = self.cells.metrics[remark.role].horizontalAdvance(remark.text)
        if width <= self.columnWidth(_BESIDE):
            return (row,)
        others = (*row.cells[:_BESIDE], FigureCell(), *row.cells[_BESIDE + 1 :])
        cells = tuple(map(_made_lower, others))
        below = (FigureCell(), replace(remark, span=len(cells) - 1))
        above = replace(row, cells=cells, height=_ABOVE_HEIGHT)
        return above, Row(below, _REMARK_HEIGHT, at_top=True)


def _made_lower(cell: FigureCell) -> FigureCell:
    """A cell whose mark has the size that goes with the lower row."""
    if cell.mark is None:
        return cell
    return replace(
        cell, mark=replace(cell.mark, size=cell.mark.size * _ABOVE_HEIGHT // _ROW_HEIGHT)
    )


def _change_row(change: Change, measurement: Measurement) -> Row:
    words, after = change_words(change, measurement), change.after
    cells = (
        badge(change.dimension),
        FigureCell(words.change, tooltip=shown_whole(change.amount)),
        note(words.beside),
        _gate(after),
        figure(words.score, after.score),
        _try(words.change),
    )
    return Row(cells, _ROW_HEIGHT, wish=TryWish(change.scenario))


def _together_rows(found: Combination, measurement: Measurement) -> Iterator[Row]:
    """Changes that reach it only together: a row for each, the score in the first."""
    words, after = change_words(found, measurement), found.after
    last = (_gate(after), figure(words.score, after.score), _try(words.change))
    flips = flip_words(after, found.flips)
    for number, change in enumerate(found.changes):
        phrase = change_phrase(change)
        phrase = say("and {change}", change=phrase) if number else capitalised(phrase)
        beside = say_list((change_remarks(change, measurement), *(() if number else flips)))
        cells = (
            badge(change.dimension),
            FigureCell(phrase, tooltip=shown_whole(change.amount)),
            note(beside),
        )
        rest = (FigureCell(), FigureCell(), FigureCell()) if number else last
        yield Row((*cells, *rest), _ROW_HEIGHT, wish=TryWish(found.scenario))


def _deciding_row(one: Deciding, *, stated: bool) -> Row:
    """A way in which a run may have ended, and what is then possible."""
    words = deciding_words(one, stated=stated)
    score, verdict = range_cells(one.after)
    confidence = one.scenario.confidence
    cells = (
        badge(deciding_dimension(one)),
        FigureCell(words.change, tooltip="" if confidence is None else shown_whole(confidence)),
        note(words.beside),
        FigureCell(mark=CellMark(verdict.sign or Sign.UNDECIDED), said=verdict.text),
        _figure(score),
        _try(words.change),
    )
    return Row(cells, _ROW_HEIGHT, wish=TryWish(one.scenario))


def _try(change: str) -> FigureCell:
    said = say("Try: {change}", change=change)
    return FigureCell(say("Try"), figure=True, accent=True, said=said)


def _gate(after: Assessment) -> FigureCell:
    """The state of the score gate alone; a trace may still fail by its schema."""
    passes = after.score_passes
    state = GateState.PASSED if passes else GateState.FAILED
    sign = Sign.ACCEPTED if passes else Sign.REJECTED
    return FigureCell(mark=CellMark(sign), said=GATE_WORDS[state])
