"""The rows of the tree of steps: their values, places and words, and the Qt model."""

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

OBJECTIVE = -1  # stands for the objective among the numbers of steps
WINDOW_END = -2  # stands for the line at which the embedding window ends
FATE_ORDER = (Fate.IN_CLEAR, Fate.REDACTED)  # the gravest first
_LARGE = 1e9  # milliseconds; eleven days
_LEAD = 26  # characters of a row's text before its first mark
_MOST_SHARED = 400
_LONGEST_TOOL = 80
_KEPT_ROWS = 500  # more than are visible at once


def number_of(step: Step | None) -> int:
    """The number of a step; ``OBJECTIVE`` for None."""
    return OBJECTIVE if step is None else step.index


# the outline of a trace


@dataclass(frozen=True, slots=True)
class Outline:
    """What the tree of a trace is built from, computed once for each trace.

    Attributes:
        hanging: The numbers of the steps that are children of the step before.
        marks: For every step, what it adds to the score.
        widest_ms: The longest text of a latency; "" if no step has one.
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
    """The outline of a trace; computed only if it is not kept."""
    return _SHELF.get(trace, _make_outline)


def _make_outline(trace: ReasoningTrace) -> Outline:
    """Compute an outline; of a run that has grown, only for its new steps."""
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
    """Whether a run's steps begin with the very same steps as before."""
    return len(before) <= len(now) and all(map(is_, before, now))


@dataclass(frozen=True, slots=True)
class Tried:
    """A step that is edited in what-if; ``step`` is the edited step."""

    step: Step
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """All that the panes of the steps show, except for which step is current.

    Attributes:
        scenario: What is tried; None while what-if is off.
        tried: The edited steps, by their numbers.
        marks: What each step adds to the score as edited; empty if no step is edited.
        leaving: How the steps leave this machine, while the Sharing tab shows that; else None.
        kind: The only kind of step that is shown; None shows all.
        needle: The text that is searched, case-folded; "" for none.
        hits: The numbers of the steps that contain it, in order.
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
        """The trace with its source; None without a trace."""
        return None if self.document is None else self.document.record

    @property
    def trace(self) -> ReasoningTrace | None:
        """The trace as it is in the file; None without a trace."""
        record = self.record
        return None if record is None else record.trace

    @property
    def steps(self) -> Sequence[Step]:
        """The steps of the trace; empty without a trace."""
        return () if self.trace is None else self.trace.steps

    @property
    def outline(self) -> Outline:
        """The outline of the trace; ``NO_OUTLINE`` without a trace."""
        return NO_OUTLINE if self.trace is None else outline_of(self.trace)

    @property
    def run(self) -> Mapped | None:
        """How the trace was made from a recording; None for other traces."""
        run = None if self.document is None else self.document.run
        return None if run is None else run.imported.mapped

    @property
    def reach(self) -> Reach | None:
        """How much of the text novelty sees; None while that is not known."""
        measured = None if self.document is None else self.document.measured
        return None if measured is None else measured.measurement.novelty.reach

    @property
    def window_end(self) -> int | None:
        """The number of the step in which the embedding window ends; None if all fits into it."""
        reach = self.reach
        if reach is None or not reach.truncated:
            return None
        return OBJECTIVE if reach.ends_at_step is None else reach.ends_at_step

    def is_of_row(self, other: "Shown") -> bool:
        """Whether both show the trace of the same row."""
        if self.document is None or other.document is None or self.trace is None:
            return False
        return other.trace is not None and self.document.number == other.document.number

    def has_same(self, other: "Shown", *names: str) -> bool:
        """Whether these attributes, two at least, are the same objects in both."""
        found = attrgetter(*names)
        return all(map(is_, found(self), found(other)))

    def looks_as(self, other: "Shown") -> bool:
        """Whether the rows of the steps look the same, apart from the hits of the search."""
        same = self.tried == other.tried and self.has_same(other, "kind", "marks", "leaving")
        return same and self.reads_as(other)

    def reads_as(self, other: "Shown") -> bool:
        """Whether the steps are the same, and how much of them novelty sees."""
        same = self.document is other.document  # usually true, and quickly checked
        return same or self.has_same(other, "trace", "run", "reach")

    def marks_of(self, step: Step | None) -> Collection[Mark]:
        """What a step adds to the score, as edited."""
        return () if step is None else (self.marks or self.outline.marks)[step.index]


class Places(NamedTuple):
    """Where the rows of a tree stand.

    Attributes:
        top: The numbers in the top rows, in order; also ``OBJECTIVE`` and ``WINDOW_END``.
        under: The numbers of steps that are children of the step before.
        line: The step in which the window ends, and whether the line is its child.
    """

    top: list[int]
    under: set[int]
    line: tuple[int, bool] | None


NO_PLACES = Places([], set(), None)


def places_of(shown: Shown) -> Places:
    """Where all rows stand; with a kind, its rows and the calls above them, without the line."""
    trace, run, kind, window_end = shown.trace, shown.run, shown.kind, shown.window_end
    if trace is None:
        return NO_PLACES
    # results of parallel calls may come out of order, and stand below another's call
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
    if not hangs:  # so that it is visible while the parent is closed
        top.insert(bisect_left(top, window_end + 1), WINDOW_END)
    return Places(top, under, (window_end, hangs))


# the rows


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
        number: The number of the step, ``OBJECTIVE`` or ``WINDOW_END``.
        text: The content in one line; without content, the input's fields.
        seen: Whether novelty sees this row, or its beginning.
        kept: Whether the filter keeps the row itself, and not only a child of it.
        tool: The tool's name in one line, as edited; "" without a tool.
        file_tool: The tool's name in the file.
        is_input: Whether ``text`` is the input.
        tried: The edited step; None if it is as in the file.
        derived: Whether its kind was derived, and is not edited.
        failed: Whether the recording marks it as a failed result.
        pieces: The text while leaving steps are shown, from shortly before the first part that
            is marked; empty if nothing is.
        fates: What happens to marked parts of the step, the gravest first.
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
        """The kind of the step, as edited."""
        step = self.step if self.tried is None else self.tried.step
        return None if step is None else step.kind

    @property
    def kind_tried(self) -> bool:
        """Whether the kind is edited."""
        return self.step is not None and self.step_kind is not self.step.kind


def row_of(shown: Shown, number: int) -> StepRow:
    """The row of a step, of the objective, or of the line at the window's end."""
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
    """The sentence on the line where novelty stops reading; "" if it reads all, or is not known."""
    if shown.window_end is None or shown.reach is None:
        return ""
    tokens = str(shown.reach.tokens)
    return say(
        "Embedding window ends here, token {tokens}: novelty sees nothing below", tokens=tokens
    )


def _with_leaving(row: StepRow, leaving: LeavingSteps, objective: str) -> StepRow:
    """The row with what of it leaves this machine, and what is redacted."""
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
    if len(before) > _LEAD:  # cut at the beginning of a word
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
    """The text of a cell."""
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
    """What a screen reader says of a cell."""
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
    """What happens to a part that is marked, in words."""
    if fate is Fate.REDACTED:
        return say("redacted before it is posted")
    return say("would leave in clear")


def milliseconds(value: JsonValue) -> str:
    """Milliseconds as a whole number with commas; "" for what is no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    try:
        number = float(value)
    except OverflowError:  # an integer beyond the largest double
        return ""
    text = f"{number:.3g}" if abs(number) >= _LARGE else f"{number:,.0f}"
    return text.replace("-", "\N{MINUS SIGN}")


# the Qt model


class StepRole(IntEnum):
    """The roles of the tree's model beside Qt's own."""

    ROW = Qt.ItemDataRole.UserRole + 1
    FOUND = Qt.ItemDataRole.UserRole + 2  # the searched text if the step contains it, else ""


class StepModel(QStandardItemModel):
    """The objective, the steps, and the line at which the embedding window ends. Read-only.

    Qt's own model holds the items, as a view asks for each row: for 30,000 rows that takes
    milliseconds in C++, and a second in Python. A row's values are made when it is shown. The list
    can be filtered by kind; the tool call above a matching observation stays as well.
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
        self._row_of: dict[int, int] = {}  # the row of each number that has no parent

    def show(self, now: Shown) -> bool:
        """Show steps; return True if all rows were placed again, False if at most some came."""
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
        """Place the rows; return False if the former rows stayed in their places."""
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
        """Make Qt's items for the top rows from ``first`` on, and for ``new`` child rows."""
        root, top, line = self.invisibleRootItem(), self._places.top, self._places.line
        last = [first - 1] if first else []  # a new step may be a child of the last row
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
                item.setFlags(Qt.ItemFlag.ItemNeverHasChildren)  # so that keys pass over it
                above.setChild(place.row(), column, item)

    def _children(self, parent: int) -> tuple[int, ...]:
        if parent + 1 not in self._places.under:
            return ()
        return (WINDOW_END, parent + 1) if self._places.line == (parent, True) else (parent + 1,)

    def place_of(self, number: int) -> QModelIndex:
        """The index of a step, the objective or the window's end; invalid if it is not shown."""
        if number in self._row_of:
            return self.index(self._row_of[number], 0)
        line = self._places.line
        parent = line[0] if line and number == WINDOW_END else number - 1
        children, row = self._children(parent), self._row_of.get(parent, -1)
        if number not in children or row < 0:
            return QModelIndex()
        return self.index(children.index(number), 0, self.index(row, 0))

    def number_at(self, index: Index) -> int:
        """The number of the step that a row shows, ``OBJECTIVE`` or ``WINDOW_END``."""
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
        """The values of a row; some are kept, as views ask cell by cell."""
        if number not in self._rows:
            if len(self._rows) >= _KEPT_ROWS:
                self._rows.clear()
            self._rows[number] = row_of(self.shown, number)
        return self._rows[number]

    def _is_hit(self, number: int) -> bool:
        hits = self.shown.hits
        place = bisect_left(hits, number)
        return place < len(hits) and hits[place] == number
