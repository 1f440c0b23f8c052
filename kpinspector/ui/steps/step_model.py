"""The outline of a trace's steps, and the tree model that shows it."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from operator import is_
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from typing_extensions import override

from kpinspector.app.whatif import Shelf
from kpinspector.runs.rules import Mapped
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.sharing.parts import LeavingSteps
from kpinspector.trace.model import Mark, ReasoningTrace, Step, StepType, hanging, step_marks
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.steps.sharing_legend import fate_words
from kpinspector.ui.steps.step_row import (
    OBJECTIVE,
    RowKind,
    StepRow,
    Tried,
    make_row,
    milliseconds,
    shared_line,
)
from kpinspector.ui.tables.figure_model import Head, Index, word_head
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import head_tip, kind_word, mark_phrase

_LINE = -2  # stands for the window's end where `OBJECTIVE` stands for the objective
_KEPT_ROWS = 500  # more than are seen at once


@dataclass(frozen=True, slots=True)
class Outline:
    """What the tree of a trace is built from.

    Attributes:
        hanging: The numbers of the steps that hang under the one before.
        top: The numbers of all others.
        marks: What each step brings.
        widest_ms: The longest latency that is shown; "" where no step has one.
    """

    hanging: frozenset[int]
    top: tuple[int, ...]
    marks: tuple[frozenset[Mark], ...]
    kinds: Counter[StepType | None]
    widest_ms: str
    types: frozenset[Hashable] = frozenset()
    tools: frozenset[Hashable] = frozenset()


NO_OUTLINE = Outline(frozenset(), (), (), Counter(), "")


def _longer(known: Outline, steps: Sequence[Step]) -> Outline:
    """The outline of steps, of the first of which one is known."""
    first = len(known.marks)
    above, new = max(0, first - 1), steps[first:]
    values = (step.raw.get("latency_ms") for step in new)
    latencies = {value for value in values if type(value) in {int, float}}
    under = frozenset(above + number for number in hanging(steps[above:]))
    top = tuple(step.index for step in new if step.index not in under)
    return Outline(
        hanging=known.hanging | under,
        top=known.top + top,
        marks=known.marks + step_marks(new, known.types, known.tools),
        kinds=known.kinds + Counter([step.kind for step in new]),
        widest_ms=max((known.widest_ms, *map(milliseconds, latencies)), key=len),
        types=known.types | {step.type_key for step in new},
        tools=known.tools | {step.tool_key for step in new},
    )


_SHELF: Shelf[ReasoningTrace, Outline] = Shelf()


def make_outline(trace: ReasoningTrace) -> Outline:
    """Look through the steps of a trace, but for those of the last one where it goes on."""
    held, known = _SHELF.last or (None, NO_OUTLINE)
    goes_on = held is not None and len(held.steps) <= len(trace.steps)
    if held is None or not goes_on or not all(map(is_, held.steps, trace.steps)):
        known = NO_OUTLINE
    return _longer(known, trace.steps)


def outline_of(trace: ReasoningTrace) -> Outline:
    """The outline of a trace; made only if it is not at hand."""
    return _SHELF.get(trace, make_outline)


def under_own_calls(outline: Outline, answered: Mapping[int, int]) -> Outline:
    """The outline of a trace without results that hang under a call that is not theirs.

    Results of parallel calls come in the order in which they finish; ``answered`` has those whose
    call the recording names, each with that of the call.
    """
    others = {number for number in outline.hanging if answered.get(number, number - 1) < number - 1}
    if not others:
        return outline
    top = tuple(sorted({*outline.top, *others}))
    return replace(outline, hanging=outline.hanging - others, top=top)


class StepColumn(IntEnum):
    """The columns of the tree."""

    NUMBER = 0
    KIND = 1
    CONTENT = 2
    MS = 3
    COUNTS_FOR = 4


class StepRole(IntEnum):
    """The roles of the model beside Qt's own."""

    ROW = Qt.ItemDataRole.UserRole + 1
    STEP = Qt.ItemDataRole.UserRole + 2
    FOUND = Qt.ItemDataRole.UserRole + 3  # the needle where it was found, else ""


_COLUMNS = len(StepColumn)


class StepModel(QStandardItemModel):
    """The objective, the steps, and the line at which the embedding window ends. Read-only.

    Qt's own model holds the rows, because a view asks for each of them: for 30,000 rows that takes
    milliseconds there, and a second in Python. The contents of a row are made when it is shown. The
    list can be filtered by kind; the tool call above a matching observation then stays as well.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(0, _COLUMNS, parent)
        self._heads = (
            Head(say("Number"), say("#")),
            *(word_head(word) for word in (say("Kind"), say("Content"))),
            Head(say("Latency in milliseconds"), say("ms")),
            word_head(say("Counts for")),
        )
        self.outline = NO_OUTLINE
        self._trace: ReasoningTrace | None = None
        self._reach: Reach | None = None
        self.kind: StepType | None = None
        self._marks: Sequence[frozenset[Mark]] = ()
        self._tried: Mapping[int, Tried] = {}
        self.run: Mapped | None = None
        """Of which the trace that is shown next was made."""
        self._top: Sequence[int] = ()  # the numbers of the steps that hang under none, in order
        self._line: QStandardItem | None = None  # where the window ends, in the tree or about to be
        self._line_under: int | None = None  # the number of the step that it hangs under
        self._rows: dict[int, StepRow] = {}
        self._leaving: LeavingSteps | None = None
        self._hits: Sequence[int] = ()
        self.needle = ""

    def set_trace(self, trace: ReasoningTrace | None, reach: Reach | None = None) -> None:
        """Show a trace, in one reset; ``reach`` is None while it is not known what novelty sees."""
        self._trace, self._reach = trace, reach
        self.outline = NO_OUTLINE if trace is None else self._outline_of(trace)
        self._marks, self._tried = self.outline.marks, {}
        self._place_rows()

    def append(self, trace: ReasoningTrace, reach: Reach | None) -> bool:
        """Show a trace that has more steps by now; False where its other rows would change."""
        before, first = self._trace, self.step_count
        if before is None or not self._goes_on(before, trace, reach):
            return False
        outline, shown = self._outline_of(trace), self.outline.top
        others = outline.top[len(shown) :]
        if outline.top[: len(shown)] != shown or (others and others[0] < first):
            return False
        self._trace, self.outline = trace, outline
        self._marks, self._tried = outline.marks, {}
        self._rows.clear()
        top, hanging = len(self._top), outline.hanging
        self._top = (OBJECTIVE, *outline.top)
        root = self.invisibleRootItem()
        if first in hanging:
            self._hang_under(root.rowCount() - 1)
        root.setRowCount(root.rowCount() + len(self._top) - top)
        for row in range(top, len(self._top)):
            if self._top[row] + 1 in hanging:
                self._hang_under(row + root.rowCount() - len(self._top))
        if reach != self._reach:
            self.set_reach(reach)
        return True

    def _outline_of(self, trace: ReasoningTrace) -> Outline:
        outline = outline_of(trace)
        return outline if self.run is None else under_own_calls(outline, self.run.answered)

    def _goes_on(self, before: ReasoningTrace, trace: ReasoningTrace, reach: Reach | None) -> bool:
        """Whether all rows stay as they are, and others come behind them."""
        end, last = self._window_end(), len(before.steps) - 1
        stays = end is None or (end < last and reach == self._reach)
        same = before.objective == trace.objective and len(trace.steps) >= len(before.steps)
        return stays and same and self.kind is None and all(map(is_, before.steps, trace.steps))

    def _hang_under(self, row: int) -> None:
        """Put one row under another one."""
        item = QStandardItem(0, _COLUMNS)
        self.invisibleRootItem().setChild(row, item)
        item.setRowCount(1)

    def set_reach(self, reach: Reach | None) -> bool:
        """Say what novelty sees of the same trace; False where a line would have to go for it."""
        if self._line is not None:
            return False
        self._reach = reach
        self._put_line()
        self._show_again()
        return True

    def _show_again(self) -> None:
        self._rows.clear()
        if self.rowCount():
            last = self.index(self.rowCount() - 1, _COLUMNS - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def set_kind(self, kind: StepType | None) -> None:
        """Keep the steps of one kind, or of all, in one reset."""
        self.kind = kind
        self._place_rows()

    def matches(self, index: Index) -> bool:
        """A row is kept for its own sake, and not as a place for what hangs under it."""
        step = self._step(self._number(index))
        return self.kind is None or (step is not None and step.kind is self.kind)

    def _place_rows(self) -> None:
        self.beginResetModel()  # views forget thousands of places faster before the rows go
        self.endResetModel()
        self.beginResetModel()
        self.blockSignals(True)
        self._rows.clear()
        self._line = None
        root = self.invisibleRootItem()
        root.removeRows(0, root.rowCount())
        self._top, under = self._top_rows(), self._under()
        root.setRowCount(len(self._top))
        for row, number in enumerate(self._top):
            if number + 1 in under:
                root.setChild(row, QStandardItem(1, _COLUMNS))
        self._put_line()
        self.blockSignals(False)
        self.endResetModel()

    def _top_rows(self) -> Sequence[int]:
        """The top rows."""
        if self._trace is None:
            return ()
        hanging = self.outline.hanging
        if self.kind is not None:
            kept = {step.index for step in self._trace.steps if step.kind is self.kind}
            return sorted(kept - hanging | {number - 1 for number in kept & hanging})
        return (OBJECTIVE, *self.outline.top)

    def _put_line(self) -> None:
        """Put the line below the row in which the window ends.

        Below a last child it stands outside, so that it is seen while the parent is closed.
        """
        end = self._window_end()
        if end is None or self._trace is None or self.kind is not None:
            return
        above, place = self.invisibleRootItem(), bisect_left(self._top, end + 1)
        self._line_under = None
        if end + 1 in self.outline.hanging:
            above, place, self._line_under = above.child(place - 1), 0, end
        line = [QStandardItem() for _ in range(_COLUMNS)]
        for item in line:
            item.setFlags(Qt.ItemFlag.ItemNeverHasChildren)  # the keys pass over it
        self._line = line[0]
        above.insertRow(place, line)

    def _line_row(self, under: int | None) -> int:
        """The row of the line under a step, or under none; -1 where it is not there (yet)."""
        there = self._line is not None and self._line_under == under
        return self._line.row() if there and self._line is not None else -1

    def _under(self) -> Collection[int]:
        """The steps that are kept and hang under the one before."""
        hanging = self.outline.hanging
        if self.kind is None or self._trace is None:
            return hanging
        steps = self._trace.steps
        return {number for number in hanging if steps[number].kind is self.kind}

    def _children(self, parent: int) -> list[int]:
        if self._trace is None or parent + 1 not in self.outline.hanging:
            return []
        if self.kind is not None:
            return [parent + 1] if self._trace.steps[parent + 1].kind is self.kind else []
        return [parent + 1] if self._line_row(parent) < 0 else [_LINE, parent + 1]

    def _window_end(self) -> int | None:
        """In which step the window ends, or in the objective; None where it sees all."""
        reach = self._reach
        if reach is None or not reach.truncated:
            return None
        return OBJECTIVE if reach.ends_at_step is None else reach.ends_at_step

    def set_tried(self, tried: Mapping[int, Tried], marks: Sequence[frozenset[Mark]]) -> None:
        """Show what is tried of some steps, by their numbers, and what every step then brings."""
        before, marked = self._tried, self._marks
        self._tried, self._marks = tried, marks
        changed = set()
        if marked is not marks:
            pairs = enumerate(zip(marked, marks, strict=True))
            changed = {number for number, pair in pairs if pair[0] != pair[1]}
        changed |= {n for n in {*before, *tried} if before.get(n) != tried.get(n)}
        for number in changed:
            self._rows.pop(number, None)
            first = self.place_of(number)
            if first.isValid():
                self.dataChanged.emit(first, first.siblingAtColumn(_COLUMNS - 1))

    def set_leaving(self, leaving: LeavingSteps | None) -> None:
        """Mark what is taken out of the steps and what leaves in clear; None marks nothing."""
        if leaving is not self._leaving:
            self._leaving = leaving
            self._show_again()

    def set_found(self, needle: str, hits: Sequence[int]) -> None:
        """Mark the steps with these numbers, in order, in which a needle was found, case aside."""
        self.needle, self._hits = needle, hits

    def _is_hit(self, number: int) -> bool:
        place = bisect_left(self._hits, number)
        return place < len(self._hits) and self._hits[place] == number

    @property
    def window_sentence(self) -> str:
        """Where novelty stops reading; "" where it reads all, or it is not known."""
        return "" if self._window_end() is None else self._sentence(_LINE)

    @property
    def step_count(self) -> int:
        """How many steps there are."""
        return len(self._marks)

    @property
    def closable(self) -> Iterable[int]:
        """The numbers of the steps with something under them."""
        return (number - 1 for number in self._under())

    def index_of(self, step: Step | None) -> QModelIndex:
        """Where a step stands; the objective's row for None."""
        return self.place_of(OBJECTIVE if step is None else step.index)

    def place_of(self, number: int) -> QModelIndex:
        """Where the step with a number stands, or what another number stands for."""
        if number == _LINE:
            return QModelIndex() if self._line is None else self._line.index()
        row = self._row_of(number)
        if row is not None:
            return self.index(row, 0)
        row, children = self._row_of(number - 1), self._children(number - 1)
        if row is None or number not in children:
            return QModelIndex()
        return self.index(children.index(number), 0, self.index(row, 0))

    def _row_of(self, number: int) -> int | None:
        """The row of what hangs under nothing; None for anything else."""
        place = bisect_left(self._top, number)
        if place == len(self._top) or self._top[place] != number:
            return None
        return place + (0 <= self._line_row(None) <= place)

    def _number(self, index: Index) -> int:
        """What stands in a row: the number of a step, or what stands for another row."""
        parent = index.parent()
        if parent.isValid():
            return self._children(self._number(parent))[index.row()]
        row, line = index.row(), self._line_row(None)
        return _LINE if row == line else self._top[row - (0 <= line < row)]

    def _step(self, number: int) -> Step | None:
        return self._trace.steps[number] if self._trace is not None and number >= 0 else None

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        number, column = self._number(index), StepColumn(index.column())
        value: Any = None
        match role:
            case StepRole.ROW:
                value = self._row(number)
            case StepRole.STEP:
                value = self._step(number)
            case StepRole.FOUND:
                value = self.needle if self._is_hit(number) else ""
            case Qt.ItemDataRole.DisplayRole:
                value = self._text(self._row(number), column)
            case Qt.ItemDataRole.AccessibleTextRole:
                value = self._accessible(self._row(number), column)
            case Qt.ItemDataRole.AccessibleDescriptionRole if self._is_hit(number):
                value = say("found here")
        return value

    @override
    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        head = self._heads[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return head.text
            case Qt.ItemDataRole.ToolTipRole:
                return head_tip(head.text)
            case Qt.ItemDataRole.AccessibleTextRole:
                return head.said
            case Qt.ItemDataRole.TextAlignmentRole if head.figure:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _row(self, number: int) -> StepRow:
        """What a row shows; kept while it is in sight, as it is asked for cell by cell."""
        if number not in self._rows:
            if len(self._rows) >= _KEPT_ROWS:
                self._rows.clear()
            self._rows[number] = self._made_row(number)
        return self._rows[number]

    def _made_row(self, number: int) -> StepRow:
        step, end, run = self._step(number), self._window_end(), self.run
        if number == _LINE:
            return StepRow(RowKind.WINDOW_END, None, False, self._sentence(number))
        seen = self._reach is not None and (end is None or number <= end)
        if step is None:
            return self._marked(StepRow(RowKind.OBJECTIVE, None, seen, self._sentence(number)))
        tried = self._tried.get(number)
        row = self._marked(make_row(step, self._marks[number], seen=seen, tried=tried))
        if run is None:
            return row
        derived = number in run.recovered and not row.kind_tried
        return replace(row, derived=derived, failed=number in run.failed)

    def _marked(self, row: StepRow) -> StepRow:
        """The row with what of it leaves, and what does not."""
        leaving, step = self._leaving, row.step
        if leaving is None or self._trace is None:
            return row
        if step is None:
            fields = [("", leaving.objective(self._trace.objective))]
        else:
            fields = [*leaving.fields(step.index, step.raw)]
        shared = shared_line([pieces for _, pieces in fields if pieces])
        if shared is None:
            return row
        return replace(row, text=shared.text, is_input=fields[0][0] == "input", shared=shared)

    def _sentence(self, number: int) -> str:
        if number == OBJECTIVE:
            return one_line(self._trace.objective) if self._trace else ""
        tokens = str(self._reach.tokens if self._reach else 0)
        return say(
            "Embedding window ends here, token {tokens}: novelty sees nothing below", tokens=tokens
        )

    def _text(self, row: StepRow, column: StepColumn) -> str:
        match column:
            case StepColumn.NUMBER:
                return "" if row.step is None else str(row.step.index)
            case StepColumn.KIND:
                if row.kind is RowKind.STEP:
                    return kind_word(row.step_kind)
                return say("Objective") if row.kind is RowKind.OBJECTIVE else ""
            case StepColumn.CONTENT:
                return "  ".join(part for part in (row.tool, row.text) if part)
            case StepColumn.MS:
                return row.ms
            case StepColumn.COUNTS_FOR:
                failed = [say("failed in the source")] if row.failed else []
                return say_list([*(mark_phrase(mark) for mark in row.marks), *failed])

    def _accessible(self, row: StepRow, column: StepColumn) -> str:
        if row.kind is RowKind.WINDOW_END:
            return row.text
        text = self._text(row, column)
        if column is StepColumn.CONTENT and row.shared is not None:
            text = say_list((text, *map(fate_words, row.shared.fates)))
        if column is StepColumn.CONTENT and row.left_out:
            return say("left out: {text}", text=text)
        if column is StepColumn.CONTENT and row.old_tool:
            return say("{text}, in the file the tool is {tool}", text=text, tool=row.old_tool)
        if column is StepColumn.KIND and row.kind_tried and row.step is not None:
            return say("{text}, in the file {kind}", text=text, kind=kind_word(row.step.kind))
        return (
            say("{text}, derived", text=text) if column is StepColumn.KIND and row.derived else text
        )
