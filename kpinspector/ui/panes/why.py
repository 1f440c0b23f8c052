"""The Why tab: the verdict, then how it comes about; in two columns where there is room."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPalette, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.scoring.formula.assess import Assessment, Gate, GateState
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.changes import Change, Combination
from kpinspector.scoring.whatif.reach import Deciding
from kpinspector.trace.clear import masked_in
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.ui.controls.base import (
    Drawing,
    ElidedLabel,
    Label,
    Part,
    fill_box,
    in_column,
    in_row,
)
from kpinspector.ui.controls.views import Group, StateMark, announce
from kpinspector.ui.look.marks import BADGE_SIZE_LARGE, STATE_SIZE_LARGE, BarKind, fill
from kpinspector.ui.look.plain_text import one_line, set_tip
from kpinspector.ui.look.theme import Colours, TextRole, font, scale, sized
from kpinspector.ui.panes import Do, Wish
from kpinspector.ui.panes.waterfall import (
    EVIDENCE_HEIGHT,
    MARK_COLUMN,
    NAME_GAP,
    Waterfall,
    name_column,
)
from kpinspector.ui.parts.sections import (
    ColumnPage,
    Divider,
    SectionTitle,
    SentenceLabel,
    WrappedLabel,
    clear_layout,
)
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
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, Stops, fitting
from kpinspector.words.changes import (
    NOT_ADVICE,
    change_phrase,
    change_remarks,
    change_words,
    flip_words,
)
from kpinspector.words.explanation import Explanation
from kpinspector.words.figures import shown_count, shown_range, shown_whole
from kpinspector.words.page import (
    GATE_NAMES,
    GATE_SIGNS,
    GATE_WORDS,
    Cell,
    Section,
    Sign,
    Table,
    range_cells,
)
from kpinspector.words.problems import file_facts
from kpinspector.words.run import deciding_dimension, deciding_title, deciding_words
from kpinspector.words.say import capitalised, in_words, say, say_count, say_list
from kpinspector.words.sentences import RULE_NAMES
from kpinspector.words.terms import recorded_words

MOST_ISSUES = 20
_LABEL_WIDTH = 88
_BLOCK_HEIGHT = 52
_BLOCK_TOP = 8
_ICON_GAP = 8
_CONNECTOR = 19
_ROW_HEIGHT, _ABOVE_HEIGHT, _REMARK_HEIGHT = 20, 19, 14
_BESIDE = 2
_REMARK_GAP = 2
_MAY_FIRE = -1
_ARROW = "\N{THIN SPACE}\N{RIGHTWARDS ARROW}\N{THIN SPACE}"
_BAR, _WEIGHT, _LOST = 2, 4, 6
_WAYS = ({_WEIGHT}, {_WEIGHT, _BAR}, {_WEIGHT, _LOST}, {_WEIGHT, _LOST, _BAR})


class _Further(QWidget):
    """A part of a page whose contents are made again for each row; hidden while it is empty."""

    def __init__(self, name: str, spacing: int = 0) -> None:
        super().__init__()
        self._layout = in_column(on=self, margins=(0, 0, 0, spacing), spacing=spacing)
        self.setAccessibleName(name)
        self.hide()

    def show_parts(self, *parts: Part) -> None:
        """Show these parts in place of the former ones; hide if there are none."""
        if parts or not self.isHidden():
            clear_layout(self._layout)
            fill_box(self._layout, *parts)
            self.setVisible(bool(parts))


class Remarks(_Further):
    """The remarks on a score, one sentence a line."""

    def __init__(self) -> None:
        super().__init__(say("Remarks"), _REMARK_GAP)
        self._labels: list[WrappedLabel] = []

    def set_sentences(self, sentences: Sequence[str]) -> None:
        """Show these sentences; hide if there are none."""
        self._labels = [WrappedLabel(one, TextRole.CAPTION, second=True) for one in sentences]
        self.show_parts(*self._labels)
        self.setAccessibleDescription(" ".join(sentences))

    def height_for(self, width: int) -> int:
        """The height of all sentences at a width, even before they are visible."""
        return sum(one.heightForWidth(width) + _REMARK_GAP for one in self._labels) + _REMARK_GAP


def _issue_parts(issues: Sequence[Issue]) -> Iterator[Part]:
    """Labels for the schema issues: place and message, errors first."""
    if not issues:
        return
    errors = count_issues(issue for issue in issues if issue.severity is Severity.ERROR)
    warnings = count_issues(issues) - errors
    counted = (
        say_count("{number} issue", "{number} issues", errors) if errors else "",
        say_count("{number} warning", "{number} warnings", warnings) if warnings else "",
    )
    tip = say("What the schema asks for, and the trace does otherwise")
    yield from (Divider(), SectionTitle(say("Schema"), say_list(counted), tip=tip))
    for issue in issues[:MOST_ISSUES]:
        message = masked_in(in_words(issue.message))
        if issue.severity is Severity.WARNING:
            message = say("a warning only: {message}", message=message)
        yield from (4, WrappedLabel(masked_in(issue.path) or say("the record"), TextRole.FIXED))
        yield WrappedLabel(message, TextRole.CAPTION, second=True)
    more = count_issues(issues) - MOST_ISSUES
    if more > 0:
        rest = say("and {more} more, all of them in the report", more=shown_count(more))
        yield from (4, WrappedLabel(rest, TextRole.CAPTION, second=True))


def _fact_parts(facts: Sequence[tuple[str, str]]) -> Iterator[Part]:
    """Labels for what is known of a problem, skipped file or report: names left, values right."""
    if not facts:
        return
    whole, top = QWidget(), Qt.AlignmentFlag.AlignTop
    grid = QGridLayout(whole)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(5)
    grid.setColumnStretch(1, 1)
    for number, (name, value) in enumerate(facts):
        label = Label(name, second=True)
        sized(label, QWidget.setMinimumWidth, _LABEL_WIDTH)
        grid.addWidget(label, number, 0, top)
        grid.addWidget(WrappedLabel(value), number, 1, top)
    title = SectionTitle(say("In this file"), tip=say("What is known of a row without a score"))
    yield from (Divider(), 5, title, 5, whole)


def _paint_connector(painter: QPainter, rect: QRect, colours: Colours) -> None:
    line = QRect(0, rect.height() // 2, rect.width(), 1)
    fill(painter, line, colours.button_edge)


class GateRow(Group):
    """The three gates: readable, schema and score, each with a symbol for its state."""

    def __init__(self) -> None:
        super().__init__()
        layout = in_row(on=self, margins=(0, 4, 0, 4), spacing=6)
        self._gates: list[tuple[StateMark, Label]] = []
        for number in range(3):
            if number:
                connector = Drawing(QSize(_CONNECTOR, 1), _paint_connector, grows=True)
                fill_box(layout, 2, connector, 2)
            mark, label = StateMark(), Label()
            layout.addWidget(mark)
            layout.addWidget(label)
            self._gates.append((mark, label))
        layout.addStretch(1)
        self.setAccessibleName(say("Gates"))

    def set_gates(self, gates: Mapping[Gate, GateState], *, assumed: bool = False) -> None:
        """Show the state of each gate."""
        for (mark, label), (gate, state) in zip(self._gates, gates.items(), strict=True):
            scored = state in {GateState.PASSED, GateState.FAILED, GateState.UNDECIDED}
            is_assumed = assumed and gate is Gate.SCORE and scored
            mark.set_state(GATE_SIGNS[state], GATE_WORDS[state], assumed=is_assumed)
            label.setText(GATE_NAMES[gate])
            reached = state is not GateState.NOT_REACHED
            role = QPalette.ColorRole.WindowText if reached else QPalette.ColorRole.PlaceholderText
            label.setForegroundRole(role)
        said = (f"{GATE_NAMES[gate]}: {GATE_WORDS[state]}" for gate, state in gates.items())
        self.setAccessibleDescription(say_list(said))


class VerdictBlock(Group):
    """The verdict with a figure, and a line of text below them; its height is always the same.

    ``last`` is the label at the end of the lower line.
    """

    def __init__(self, last: Label) -> None:
        super().__init__()
        self._shown: tuple[int | None, str] | None = None
        self._is_news = False
        self._mark = StateMark(STATE_SIZE_LARGE, filled=True)
        self._word = ElidedLabel(role=TextRole.NUMBER)
        self.score = Label(role=TextRole.SCORE)
        self.second, self.last = ElidedLabel(second=True), last
        indent = scale(STATE_SIZE_LARGE, self.fontMetrics()) + _ICON_GAP
        first = in_row(self._mark, (self._word, 1), self.score, margins=None, spacing=_ICON_GAP)
        below = in_row((self.second, 1), last, margins=(indent, 0, 0, 0), spacing=_ICON_GAP)
        in_column(first, below, None, on=self, margins=(0, _BLOCK_TOP, 0, 0))
        self.setAccessibleName(say("Verdict"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_verdict(self, sign: Sign, word: str, row: int | None, *, assumed: bool = False) -> None:
        """Show a verdict of a row; None for no row."""
        self._mark.set_state(sign, word, assumed=assumed)
        self._word.setText(word)
        before, self._shown = self._shown, (row, word)
        self._is_news = before is not None and before[0] == row and before[1] != word

    def set_said(self, *said: str) -> None:
        """Set the accessible description; announce it if the row has another verdict now."""
        self.setAccessibleDescription(". ".join(filter(None, said)) + ".")
        if self._is_news:
            announce(self, self.accessibleDescription())

    @override
    def sizeHint(self) -> QSize:
        metrics, hint = QFontMetrics(font(TextRole.BODY, QApplication.font())), super().sizeHint()
        return QSize(hint.width(), max(scale(_BLOCK_HEIGHT, metrics), hint.height()))


def _dimension_rows(explanation: Explanation) -> list[Row]:
    """Rows for each dimension and its evidence, and one for the weighted sum, as far as known.

    Activating the evidence of novelty leads to the Neighbours tab.
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
        rows.append(
            Row(cells, EVIDENCE_HEIGHT, wish=Wish(Do.SHOW_NEIGHBOURS) if compared else None)
        )
    name, *_, adds, lost, _ = total
    sum_cell = _figure(adds, TextRole.PANE)
    last = [FigureCell(name.text, span=3), FigureCell(), sum_cell, figure(lost.text)]
    if explanation.possible is not None:
        # across the bar's column, so that the interval has room even if a column is hidden
        last = [FigureCell(name.text), replace(sum_cell, span=4), FigureCell()]
    return [*rows, Row((FigureCell(), *last), 26, line_above=True)]


def _rows_of(section: Section) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a section that consists of one table; none if it is empty."""
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
    """Paint a triangle if an override fired, an open one if it may fire, else a line."""
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
    """Single changes that would reach the threshold, and padding, which would not.

    Where no single change is enough, it also shows changes that together are, each on its own line.
    For a run whose outcome is unknown it shows which outcomes would decide the verdict.

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
            *fitting(1, 1),
        )
        super().__init__(columns, name=say("What would change it"))

    def set_explanation(self, explanation: Explanation, *, wait: bool = False) -> None:
        """Show the changes for a rejected score; nothing for an accepted one.

        ``wait``: the changes take long to find, and will be shown later.
        """
        title, words, rows, tip = say("What would change it"), in_words(NOT_ADVICE), [], ""
        measured, found = explanation.measured, None if wait else explanation.changes
        if explanation.deciding and explanation.possible is not None:
            title = deciding_title(explanation.possible)
            tip = say("What the recording leaves open, and what would follow")
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
        # the columns are laid out with all remarks beside, then long remarks move below
        self._whole = tuple(rows)
        self.set_rows(rows, heads_of(title, *said, say("what-if"), notes=words, tip=tip))
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
        cells = [*row.cells[:_BESIDE], FigureCell(), *row.cells[_BESIDE + 1 :]]
        for place, cell in enumerate(cells):
            if cell.mark is not None:  # sized relative to the row, which is lower here
                size = cell.mark.size * _ABOVE_HEIGHT // _ROW_HEIGHT
                cells[place] = replace(cell, mark=replace(cell.mark, size=size))
        below = (FigureCell(), replace(remark, span=len(cells) - 1))
        above = replace(row, cells=tuple(cells), height=_ABOVE_HEIGHT)
        return above, Row(below, _REMARK_HEIGHT, at_top=True)


def _change_row(change: Change, measurement: Measurement) -> Row:
    words, after = change_words(change, measurement), change.after
    last = (_gate(after), figure(words.score, after.score), _try(words.change))
    said = FigureCell(words.change, tooltip=shown_whole(change.amount))
    cells = (badge(change.dimension), said, note(words.beside), *last)
    return Row(cells, _ROW_HEIGHT, wish=Wish(Do.SHOW_TRIED, change.scenario))


def _together_rows(found: Combination, measurement: Measurement) -> Iterator[Row]:
    """Changes that reach the threshold only together: a row for each, the score in the first."""
    words, after = change_words(found, measurement), found.after
    last = (_gate(after), figure(words.score, after.score), _try(words.change))
    flips = flip_words(after, found.flips)
    for number, change in enumerate(found.changes):
        phrase = change_phrase(change)
        phrase = say("and {change}", change=phrase) if number else capitalised(phrase)
        said = FigureCell(phrase, tooltip=shown_whole(change.amount))
        beside = say_list((change_remarks(change, measurement), *(() if number else flips)))
        rest = (FigureCell(),) * 3 if number else last
        cells = (badge(change.dimension), said, note(beside), *rest)
        yield Row(cells, _ROW_HEIGHT, wish=Wish(Do.SHOW_TRIED, found.scenario))


def _deciding_row(one: Deciding, *, stated: bool) -> Row:
    """A row for a way in which the run may have ended, and the scores that are then possible."""
    words, confidence = deciding_words(one, stated=stated), one.scenario.confidence
    score, verdict = range_cells(one.after)
    gate = FigureCell(mark=CellMark(verdict.sign or Sign.UNDECIDED), said=verdict.text)
    said = FigureCell(words.change, tooltip="" if confidence is None else shown_whole(confidence))
    cells = (badge(deciding_dimension(one)), said, note(words.beside), gate, _figure(score))
    wish = Wish(Do.SHOW_TRIED, one.scenario)
    return Row((*cells, _try(words.change)), _ROW_HEIGHT, wish=wish)


def _try(change: str) -> FigureCell:
    said = say("Try: {change}", change=change)
    return FigureCell(say("Try"), figure=True, accent=True, said=said)


def _gate(after: Assessment) -> FigureCell:
    """The cell for the state of the score gate alone; the trace may still fail by its schema."""
    passes = after.score_passes
    state = GateState.PASSED if passes else GateState.FAILED
    sign = Sign.ACCEPTED if passes else Sign.REJECTED
    return FigureCell(mark=CellMark(sign), said=GATE_WORDS[state])


class WhyView(ColumnPage):
    """The content of the Why tab."""

    wished = Signal(object)
    """A `Wish`: where evidence leads to, or a change to be tried."""

    def __init__(self) -> None:
        super().__init__()
        self._verdict = VerdictBlock(Label(second=True))
        self._sentence = SentenceLabel()
        self._gates = GateRow()
        self._remarks = Remarks()
        self._issues, self._facts = _Further(say("Schema issues")), _Further(say("In this file"))
        bar, figures = ColumnWidth(41, stretch=True), fitting(46, 45, 56, 57)
        columns = (MARK_COLUMN, name_column(gap=NAME_GAP), bar, *figures)
        self._dimensions = FigureTable(columns, _WAYS, name=say("Dimensions"), stops=Stops.ROWS)
        self._dimensions.row_activated.connect(self.wished)
        names = ColumnWidth(98, fits=True, texts=tuple(RULE_NAMES.values()))
        columns = (MARK_COLUMN, names, ColumnWidth(90, stretch=True), *fitting(1))
        self._overrides = FigureTable(columns, ({3},), name=say("Overrides"))
        self._waterfall = Waterfall(self.wished.emit)
        self._changes = ChangeTable()
        self._changes.row_activated.connect(self.wished)
        self._fill()
        self.set_explanation(None)

    def _fill(self) -> None:
        summary = (self._verdict, self._sentence, 2, self._gates, 3)
        fill_box(self.first.parts, *summary, self._remarks, self._issues, self._facts, None)
        parts = (self._dimensions, self._overrides, self._waterfall, self._changes)
        self.add(self.second, *parts)
        # tables grow a moment after new rows: until then the stretch keeps them together
        self.second.parts.addStretch(1)

    def set_explanation(
        self, explanation: Explanation | None, *, changes_wait: bool = False
    ) -> None:
        """Show an explanation, or a hint for None.

        ``changes_wait``: the changes take long to find, and will be shown later.
        """
        if explanation is None:
            self.show_hint(say("Choose a trace to see what its score is made of."))
            return
        self.show_hint("")
        self.second.setVisible(explanation.shown is not None)
        self._show_verdict(explanation)
        self._sentence.set_sentence(explanation.sentence)
        self._gates.set_gates(explanation.gates, assumed=explanation.assumed)
        recorded = explanation.beside.recorded
        words = () if recorded is None else (" ".join(recorded_words(recorded)),)
        self._remarks.set_sentences((*explanation.remarks, *words))
        self._issues.show_parts(*_issue_parts(explanation.issues))
        self._facts.show_parts(*_fact_parts(file_facts(explanation.item)))
        said = (say("fired"), say("override"), say("reason"), say("before and after"))
        heads = heads_of(say("Overrides"), *said, notes=explanation.overrides.note)
        rows = [_override_row(*row) for row in _rows_of(explanation.overrides)]
        self._overrides.set_rows(rows, heads)
        self.set_turn(explanation)
        self._changes.set_explanation(explanation, wait=changes_wait)
        may_fail = explanation.pending and explanation.sign is not Sign.ACCEPTED
        found = explanation.undecided or explanation.changes is not None
        self._changes.setVisible(may_fail or changes_wait or found)
        self.show_lines()

    def _show_verdict(self, one: Explanation) -> None:
        block, word, score, terms = self._verdict, one.word, one.score.text, one.terms
        block.set_verdict(one.sign, word, one.row, assumed=one.assumed)
        block.score.setText(score)
        whole, possible = "" if terms is None else shown_whole(terms.score), one.possible
        if possible is not None:
            whole = shown_range(shown_whole(possible.low.score), shown_whole(possible.high.score))
        set_tip(block.score, whole)
        block.second.setText(one.margin)
        block.last.setText(one.needs)
        set_tip(block.last, shown_whole(terms.threshold) if terms else "")
        block.set_said(word, f"{score}, {one.needs}" if score else "", one.margin)

    def set_changes(self, explanation: Explanation) -> None:
        """Show the changes that would make the trace pass, now that they are found."""
        self._changes.set_explanation(explanation)

    def set_turn(self, explanation: Explanation) -> None:
        """Show when the trace will be scored; all else stays."""
        drawn = (say("value"), say("weight"), say("adds"), say("lost"))
        first = heading(say("letter"), say("Dimensions")), Head(say("dimension")), Head(say("bar"))
        heads = (*first, *(Head(one, one) for one in drawn))
        self._dimensions.set_rows(_dimension_rows(explanation), heads)
        self._waterfall.set_explanation(explanation)

    @override
    def rearrange(self) -> None:
        """Move the table of changes below the verdict, or to the end of the only column."""
        self.move_last(self.first if self.wide else self.second)
        super().rearrange()
