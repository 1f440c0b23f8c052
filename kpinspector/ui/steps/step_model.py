"""The rows of the tree of steps: what is shown, where it stands, what it says, and Qt's model."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from operator import attrgetter, is_
from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from typing_extensions import override

from kpinspector.app.answers import Shelf
from kpinspector.app.document import Document
from kpinspector.runs.rules import Mapped
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.sharing.parts import Fate, LeavingSteps, Piece
from kpinspector.trace.javascript import JsonValue
from kpinspector.trace.model import Mark, ReasoningTrace, Step, StepType, hanging, step_marks
from kpinspector.trace.records import TraceRecord
from kpinspector.ui.look.plain_text import brief_value, flat_text, one_line
from kpinspector.ui.tables.figure_model import Head, Index, word_head
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import head_tip, kind_word, mark_phrase

OBJECTIVE = -1  # the objective's number among those of the steps
WINDOW_END = -2  # that of the line at which the embedding window ends
FATE_ORDER = (Fate.IN_CLEAR, Fate.REDACTED)  # the gravest first
_LARGE = 1e9  # milliseconds; eleven days
_LEAD = 26  # characters before the first mark of a row
_MOST_SHARED = 400
_LONGEST_TOOL = 80
_KEPT_ROWS = 500  # more than are seen at once


def number_of(step: Step | None) -> int:
    """The number of a step, and that of the objective for None."""
    return OBJECTIVE if step is None else step.index


# what the tree is built from


@dataclass(frozen=True, slots=True)
class Outline:
    """What the tree of a trace is built from.

    Attributes:
        hanging: The numbers of the steps that hang under the one before.
        marks: What each step brings.
        widest_ms: The longest latency that is shown; "" where no step has one.
    """

    hanging: frozenset[int]
    marks: tuple[frozenset[Mark], ...]
    kinds: Counter[StepType | None]
    widest_ms: str
    types: frozenset[Hashable] = frozenset()
    tools: frozenset[Hashable] = frozenset()


NO_OUTLINE = Outline(frozenset(), (), Counter(), "")
_SHELF: Shelf[ReasoningTrace, Outline] = Shelf()


def outline_of(trace: ReasoningTrace) -> Outline:
    """The outline of a trace; made only if it is not at hand."""
    return _SHELF.get(trace, _make_outline)


def _make_outline(trace: ReasoningTrace) -> Outline:
    """Look through the steps of a trace, but for those of the last one where it goes on."""
    held, known = _SHELF.last or (None, NO_OUTLINE)
    if held is None or not goes_on(held.steps, trace.steps):
        known = NO_OUTLINE
    first = len(known.marks)
    above, new = max(0, first - 1), trace.steps[first:]
    values = (step.raw.get("latency_ms") for step in new)
    latencies = {value for value in values if type(value) in {int, float}}
    return Outline(
        hanging=known.hanging | {above + number for number in hanging(trace.steps[above:])},
        marks=known.marks + step_marks(new, known.types, known.tools),
        kinds=known.kinds + Counter([step.kind for step in new]),
        widest_ms=max((known.widest_ms, *map(milliseconds, latencies)), key=len),
        types=known.types | {step.type_key for step in new},
        tools=known.tools | {step.tool_key for step in new},
    )


def goes_on(before: Sequence[Step], now: Sequence[Step]) -> bool:
    """Whether all steps are there still, perhaps with others behind them."""
    return len(before) <= len(now) and all(map(is_, before, now))


@dataclass(frozen=True, slots=True)
class Tried:
    """A step as it is tried in what-if: ``step`` as it would be."""

    step: Step
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the panes of the steps show, but for the step that is chosen.

    Attributes:
        scenario: What is tried; None while what-if is off.
        tried: The steps that are tried otherwise, by their numbers.
        marks: What every step then brings; empty where that is as in the file.
        leaving: How the steps leave the machine, where that is shown.
        kind: Of the steps that are kept; None keeps all.
        needle: What is looked for, case aside; "" for nothing.
        hits: The numbers of the steps in which it was found, in order.
    """

    document: Document | None = None
    scenario: Scenario | None = None
    tried: Mapping[int, Tried] = field(default_factory=dict)
    marks: Sequence[frozenset[Mark]] = ()
    leaving: LeavingSteps | None = None
    kind: StepType | None = None
    needle: str = ""
    hits: Sequence[int] = ()

    @property
    def record(self) -> TraceRecord | None:
        """The trace with its source; None without one."""
        return None if self.document is None else self.document.record

    @property
    def trace(self) -> ReasoningTrace | None:
        """The trace as it is in the file; None without one."""
        record = self.record
        return None if record is None else record.trace

    @property
    def steps(self) -> Sequence[Step]:
        """Those of the trace; none without one."""
        return () if self.trace is None else self.trace.steps

    @property
    def outline(self) -> Outline:
        """What the tree is built from."""
        return NO_OUTLINE if self.trace is None else outline_of(self.trace)

    @property
    def run(self) -> Mapped | None:
        """What the trace was made of, if that is a recording."""
        run = None if self.document is None else self.document.run
        return None if run is None else run.imported.mapped

    @property
    def reach(self) -> Reach | None:
        """What novelty sees; None while that is not known."""
        measured = None if self.document is None else self.document.measured
        return None if measured is None else measured.measurement.novelty.reach

    @property
    def window_end(self) -> int | None:
        """In which step the window ends, or in the objective; None where it sees all."""
        reach = self.reach
        if reach is None or not reach.truncated:
            return None
        return OBJECTIVE if reach.ends_at_step is None else reach.ends_at_step

    def is_of_row(self, other: "Shown") -> bool:
        """Whether both show a trace, and it is that of one row."""
        if self.document is None or other.document is None or self.trace is None:
            return False
        return other.trace is not None and self.document.number == other.document.number

    def has_same(self, other: "Shown", *names: str) -> bool:
        """Whether these, two at least, are the very values that another has."""
        found = attrgetter(*names)
        return all(map(is_, found(self), found(other)))

    def looks_as(self, other: "Shown") -> bool:
        """Whether the rows of the steps show the same, but for what is found."""
        same = self.tried == other.tried and self.has_same(other, "kind", "marks", "leaving")
        return same and self.reads_as(other)

    def reads_as(self, other: "Shown") -> bool:
        """Whether the steps are the same, and so is what novelty sees of them."""
        same = self.document is other.document  # most often it is, and quick to see
        return same or self.has_same(other, "trace", "run", "reach")

    def marks_of(self, step: Step | None) -> Collection[Mark]:
        """What a step brings, as it is tried."""
        return () if step is None else (self.marks or self.outline.marks)[step.index]


class Places(NamedTuple):
    """Where the rows of a tree stand.

    Attributes:
        top: What stands in the rows that hang under none, in order.
        under: The steps that hang under the one before.
        line: The step in which the window ends, and whether the line hangs under it.
    """

    top: list[int]
    under: set[int]
    line: tuple[int, bool] | None


NO_PLACES = Places([], set(), None)


def places_of(shown: Shown) -> Places:
    """Where all rows stand, or those of a kind with the calls above them and without the line."""
    trace, run, kind, window_end = shown.trace, shown.run, shown.kind, shown.window_end
    if trace is None:
        return NO_PLACES
    # results of parallel calls come as they finish, perhaps below a call that is not theirs
    answered = {} if run is None else run.answered
    hanging_ones = outline_of(trace).hanging
    under = {one for one in hanging_ones if answered.get(one, one - 1) >= one - 1}
    if kind is not None:
        kept = {step.index for step in trace.steps if step.kind is kind}
        return Places(sorted(kept - under | {one - 1 for one in under & kept}), under & kept, None)
    top = [OBJECTIVE, *[one for one in range(len(trace.steps)) if one not in under]]
    if window_end is None:
        return Places(top, under, None)
    hangs = window_end + 1 in under
    if not hangs:  # below a last child it is seen while the parent is closed
        top.insert(bisect_left(top, window_end + 1), WINDOW_END)
    return Places(top, under, (window_end, hangs))


# the rows of the tree


class StepColumn(IntEnum):
    """The columns of the tree."""

    NUMBER = 0
    KIND = 1
    CONTENT = 2
    MS = 3
    COUNTS_FOR = 4


_COLUMNS = len(StepColumn)


@dataclass(frozen=True, slots=True)
class StepRow:
    """What one row shows.

    Attributes:
        number: Of the step, or what stands for the objective or the window's end.
        text: The content's first line, else the input's fields.
        seen: Novelty sees this row, or its beginning.
        kept: It is shown for its own sake, and not for what hangs under it.
        tool: The tool's name in one line, "" without one, as it is tried.
        file_tool: As it is in the file.
        is_input: ``text`` is the input.
        tried: What is tried of the step; None where it is as in the file.
        derived: Its kind was derived, and is as in the file.
        failed: The recording marks it as a failed result.
        pieces: What it shows while it is shown what leaves the machine, from shortly before the
            first that is marked; none where nothing is.
        fates: Of all that is marked as redacted or in clear in the step, the gravest first.
    """

    number: int
    step: Step | None
    text: str
    seen: bool = False
    kept: bool = True
    tool: str = ""
    file_tool: str = ""
    is_input: bool = False
    marks: tuple[Mark, ...] = ()
    tried: Tried | None = None
    derived: bool = False
    failed: bool = False
    pieces: tuple[Piece, ...] = ()
    fates: tuple[Fate, ...] = ()

    @property
    def left_out(self) -> bool:
        """Whether what-if leaves this step out."""
        return self.tried is not None and self.tried.left_out

    @property
    def step_kind(self) -> StepType | None:
        """The kind of the step as it is tried."""
        step = self.step if self.tried is None else self.tried.step
        return None if step is None else step.kind

    @property
    def kind_tried(self) -> bool:
        """Another kind than in the file is tried."""
        return self.step is not None and self.step_kind is not self.step.kind


def row_of(shown: Shown, number: int) -> StepRow:
    """What the row of a step shows, that of the objective, or that of the window's end."""
    trace, run, end = shown.trace, shown.run, shown.window_end
    if number == WINDOW_END or trace is None:
        return StepRow(number, None, window_sentence(shown))
    seen = shown.reach is not None and (end is None or number <= end)
    if number == OBJECTIVE:
        row = StepRow(number, None, one_line(trace.objective), seen)
        return row if shown.leaving is None else _with_leaving(row, shown.leaving, trace.objective)
    step, tried = trace.steps[number], shown.tried.get(number)
    text = one_line(step.content)
    shows_input = not text and "input" in step.raw
    then = step if tried is None else tried.step
    marks = shown.marks_of(step)
    row = StepRow(
        number=number,
        step=step,
        text=brief_value(step.raw["input"]) if shows_input else text,
        seen=seen,
        kept=shown.kind in {None, step.kind},
        tool=one_line(then.tool_name or "", _LONGEST_TOOL),
        file_tool=one_line(step.tool_name or "", _LONGEST_TOOL),
        is_input=shows_input,
        marks=tuple(mark for mark in Mark if mark in marks),
        tried=tried,
        derived=run is not None and number in run.recovered and then.kind is step.kind,
        failed=run is not None and number in run.failed,
    )
    return row if shown.leaving is None else _with_leaving(row, shown.leaving, trace.objective)


def window_sentence(shown: Shown) -> str:
    """Where novelty stops reading; "" where it reads all, or it is not known."""
    if shown.window_end is None or shown.reach is None:
        return ""
    tokens = str(shown.reach.tokens)
    return say(
        "Embedding window ends here, token {tokens}: novelty sees nothing below", tokens=tokens
    )


def _with_leaving(row: StepRow, leaving: LeavingSteps, objective: str) -> StepRow:
    """The row with what of it leaves the machine, and what is taken out of it."""
    step = row.step
    if step is None:
        fields = [("", leaving.objective(objective))]
    else:
        fields = [*leaving.fields(step.index, step.raw)]
    marked = [pieces for _, pieces in fields if pieces]
    if not marked:
        return row
    first = next(place for place, one in enumerate(marked[0]) if one.fate is not None)
    before = "".join(piece.text for piece in marked[0][:first])
    if len(before) > _LEAD:  # from the beginning of a word on
        end = before[-_LEAD:]
        before = f"… {end.partition(' ')[2] or end}"
    parts, left = [Piece(flat_text(before)[0])], _MOST_SHARED
    for one in marked[0][first:]:
        parts.append(replace(one, text=flat_text(one.text[: max(0, left)])[0]))
        left -= len(one.text)
    pieces = tuple(one for one in parts if one.text)
    found = {piece.fate for pieces in marked for piece in pieces}
    fates = tuple(one for one in FATE_ORDER if one in found)
    text = "".join(piece.text for piece in pieces)
    is_input = fields[0][0] == "input"
    return replace(row, text=text, is_input=is_input, pieces=pieces, fates=fates)


def cell_text(row: StepRow, column: StepColumn) -> str:
    """What a cell of a row shows, in words."""
    match column:
        case StepColumn.NUMBER:
            return "" if row.step is None else str(row.number)
        case StepColumn.KIND if row.step is None:
            return say("Objective") if row.number == OBJECTIVE else ""
        case StepColumn.KIND:
            return kind_word(row.step_kind)
        case StepColumn.CONTENT:
            return "  ".join(part for part in (row.tool, row.text) if part)
        case StepColumn.MS:
            return "" if row.step is None else milliseconds(row.step.raw.get("latency_ms"))
    failed = [say("failed in the source")] if row.failed else []
    return say_list([*map(mark_phrase, row.marks), *failed])


def cell_said(row: StepRow, column: StepColumn) -> str:
    """What is read out of a cell."""
    text = cell_text(row, column)
    match column:
        case _ if row.number == WINDOW_END:
            return row.text
        case StepColumn.KIND if row.kind_tried and row.step is not None:
            return say("{text}, in the file {kind}", text=text, kind=kind_word(row.step.kind))
        case StepColumn.KIND if row.derived:
            return say("{text}, derived", text=text)
        case StepColumn.CONTENT:
            if row.fates:
                text = say_list((text, *map(fate_words, row.fates)))
            if row.left_out:
                return say("left out: {text}", text=text)
            if row.file_tool and row.file_tool != row.tool:
                tool = row.file_tool
                return say("{text}, in the file the tool is {tool}", text=text, tool=tool)
    return text


def fate_words(fate: Fate) -> str:
    """What becomes of a part, in words."""
    if fate is Fate.REDACTED:
        return say("redacted before it is posted")
    return say("would leave in clear")


def milliseconds(value: JsonValue) -> str:
    """Whole milliseconds with commas; what is no number is not shown as one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    try:
        number = float(value)
    except OverflowError:  # an integer beyond the largest double
        return ""
    text = f"{number:.3g}" if abs(number) >= _LARGE else f"{number:,.0f}"
    return text.replace("-", "\N{MINUS SIGN}")


# the model


class StepRole(IntEnum):
    """The roles of the tree's model beside Qt's own."""

    ROW = Qt.ItemDataRole.UserRole + 1
    FOUND = Qt.ItemDataRole.UserRole + 2  # the needle where it was found, else ""


class StepModel(QStandardItemModel):
    """The objective, the steps, and the line at which the embedding window ends. Read-only.

    Qt's own model holds the rows, because a view asks for each of them: for 30,000 rows that takes
    milliseconds there, and a second in Python. The contents of a row are made when it is shown. The
    list can be filtered by kind; the tool call above a matching observation then stays as well.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(0, _COLUMNS, parent)
        heads = (
            Head(say("Number"), say("#")),
            *(word_head(word) for word in (say("Kind"), say("Content"))),
            Head(say("Latency in milliseconds"), say("ms")),
            word_head(say("Counts for")),
        )
        for column, head in enumerate(heads):
            item = QStandardItem(head.text)
            item.setAccessibleText(head.said)
            item.setToolTip(head_tip(head.text))
            if head.figure:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setHorizontalHeaderItem(column, item)
        self.shown = Shown()
        self._rows: dict[int, StepRow] = {}
        self._places = NO_PLACES
        self._row_of: dict[int, int] = {}  # of what hangs under none

    def show(self, now: Shown) -> bool:
        """Show steps; whether all were placed anew, and not only new ones behind the others."""
        before, self.shown = self.shown, now
        if now.looks_as(before) and now.has_same(before, "needle", "hits"):
            return False
        self._rows.clear()
        if not (now.kind is before.kind and now.reads_as(before)) and self._place_rows(before):
            return True
        if self.rowCount():
            last = self.index(self.rowCount() - 1, _COLUMNS - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        return False

    def _place_rows(self, before: Shown) -> bool:
        """Put the rows where they belong; whether any but the last were others."""
        now, known = places_of(self.shown), self._places
        new = now.under - known.under
        stays = self.shown.kind is before.kind and self.shown.is_of_row(before)
        stays = stays and now.top[: len(known.top)] == known.top and now.line == known.line
        stays = stays and known.under <= now.under and all(n >= len(before.steps) for n in new)
        if not stays:
            self.beginResetModel()  # views forget thousands of places faster before the rows go
            self.endResetModel()
            self.beginResetModel()
            self.blockSignals(True)
            self.invisibleRootItem().removeRows(0, len(known.top))
            known, new = NO_PLACES, now.under
        self._places = now
        self._row_of = dict(zip(now.top, range(len(now.top)), strict=True))
        self._make_items(len(known.top), new)
        if not stays:
            self._make_line()
            self.blockSignals(False)
            self.endResetModel()
        return not stays

    def _make_items(self, first: int, new: Collection[int]) -> None:
        """Make Qt's items from a top row on, and those for steps that hang under another."""
        root, top, line = self.invisibleRootItem(), self._places.top, self._places.line
        last = [first - 1] if first else []  # what is new may hang under the last that was there
        root.setRowCount(len(top))
        for row in (*last, *range(first, len(top))):
            if top[row] + 1 in new:
                item = QStandardItem(0, _COLUMNS)
                root.setChild(row, item)
                item.setRowCount(2 if line == (top[row], True) else 1)

    def _make_line(self) -> None:
        place = self.place_of(WINDOW_END)
        if place.isValid():
            above = self.invisibleRootItem()
            if place.parent().isValid():
                above = self.itemFromIndex(place.parent())
            for column in range(_COLUMNS):
                item = QStandardItem()
                item.setFlags(Qt.ItemFlag.ItemNeverHasChildren)  # the keys pass over it
                above.setChild(place.row(), column, item)

    def _children(self, parent: int) -> tuple[int, ...]:
        if parent + 1 not in self._places.under:
            return ()
        return (WINDOW_END, parent + 1) if self._places.line == (parent, True) else (parent + 1,)

    def place_of(self, number: int) -> QModelIndex:
        """Where the step with a number stands, or what another number stands for."""
        if number in self._row_of:
            return self.index(self._row_of[number], 0)
        line = self._places.line
        parent = line[0] if line and number == WINDOW_END else number - 1
        children, row = self._children(parent), self._row_of.get(parent, -1)
        if number not in children or row < 0:
            return QModelIndex()
        return self.index(children.index(number), 0, self.index(row, 0))

    def number_at(self, index: Index) -> int:
        """What stands in a row: the number of a step, or what stands for another row."""
        top, parent = self._places.top, index.parent()
        return (
            self._children(top[parent.row()])[index.row()] if parent.isValid() else top[index.row()]
        )

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        number, column = self.number_at(index), StepColumn(index.column())
        value: Any = None
        match role:
            case StepRole.ROW:
                value = self._row(number)
            case StepRole.FOUND:
                value = self.shown.needle if self._is_hit(number) else ""
            case Qt.ItemDataRole.DisplayRole:
                value = cell_text(self._row(number), column)
            case Qt.ItemDataRole.AccessibleTextRole:
                value = cell_said(self._row(number), column)
            case Qt.ItemDataRole.AccessibleDescriptionRole if self._is_hit(number):
                value = say("found here")
        return value

    def _row(self, number: int) -> StepRow:
        """What a row shows; kept while it is in sight, as it is asked for cell by cell."""
        if number not in self._rows:
            if len(self._rows) >= _KEPT_ROWS:
                self._rows.clear()
            self._rows[number] = row_of(self.shown, number)
        return self._rows[number]

    def _is_hit(self, number: int) -> bool:
        hits = self.shown.hits
        place = bisect_left(hits, number)
        return place < len(hits) and hits[place] == number
