"""The steps of one trace as a tree model, and its filter."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from kpinspector.scoring.measure import Reach
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.trace.tree import Mark, Node, step_marks, step_tree
from kpinspector.ui.parts.plain_text import one_line
from kpinspector.ui.steps.step_find import OBJECTIVE
from kpinspector.ui.steps.step_row import (
    RowKind,
    StepRow,
    Tried,
    make_row,
    milliseconds,
)
from kpinspector.words.figures import shown_count
from kpinspector.words.step_words import kind_word, mark_phrase

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex


class StepColumn(IntEnum):
    """The columns of the tree."""

    NUMBER = 0
    KIND = 1
    CONTENT = 2
    MS = 3
    COUNTS_FOR = 4


class StepRole(IntEnum):
    """What the model gives beside Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole + 1
    STEP = Qt.ItemDataRole.UserRole + 2
    FOUND = Qt.ItemDataRole.UserRole + 3  # the needle where it was found, else ""


@dataclass(slots=True)
class _Item:
    kind: RowKind
    parent: int
    row: int
    step: Step | None = None
    seen: bool = False
    children: list[int] = field(default_factory=list)


_NO_PARENT = -1
_COLUMNS = len(StepColumn)
_PARENT = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_LEAF = _PARENT | Qt.ItemFlag.ItemNeverHasChildren


class StepModel(QAbstractItemModel):
    """The objective, the steps, and the line at which the embedding window ends. Read-only."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: list[_Item] = []  # an index holds a position in this list
        self._top: list[int] = []
        self._at_step: dict[int, int] = {}
        self._trace: ReasoningTrace | None = None
        self._reach: Reach | None = None
        self._tokens: int | None = None
        self._marks: Sequence[frozenset[Mark]] = ()
        self._tried: Mapping[int, Tried] = {}
        self._kinds: Counter[StepType | None] = Counter()
        self._widest_ms = ""
        self._hits: frozenset[int] = frozenset()
        self.needle = ""

    def set_trace(self, trace: ReasoningTrace | None, reach: Reach | None = None) -> None:
        """Show a trace, in one reset; ``reach`` is None while it is not known what novelty sees."""
        self.beginResetModel()
        self._trace, self._reach, self._tokens = trace, reach, None
        self._items, self._top, self._at_step = [], [], {}
        self._marks, self._kinds, self._widest_ms = (), Counter(), ""
        self._tried = {}
        if trace is not None:
            self._marks = step_marks(trace.steps)
            self._kinds.update(step.kind for step in trace.steps)
            latencies = (step.raw.get("latency_ms") for step in trace.steps)
            self._widest_ms = max(map(milliseconds, latencies), key=len, default="")
            self._build(trace)
        self.endResetModel()

    def set_tokens(self, tokens: int) -> None:
        """Say how many tokens the whole text has, once they are counted."""
        self._tokens = tokens
        for number, item in enumerate(self._items):
            if item.kind is RowKind.WINDOW_END:
                line = self.createIndex(item.row, 0, number)
                self.dataChanged.emit(line, line.siblingAtColumn(_COLUMNS - 1))

    def set_tried(self, tried: Mapping[int, Tried], marks: Sequence[frozenset[Mark]]) -> None:
        """Show what is tried of some steps, by their numbers, and what every step then brings."""
        before, marked = self._tried, self._marks
        self._tried, self._marks = tried, marks
        changed = {
            n for n, pair in enumerate(zip(marked, marks, strict=True)) if pair[0] != pair[1]
        }
        changed |= {n for n in {*before, *tried} if before.get(n) != tried.get(n)}
        for number in changed:
            item = self._at_step[number]
            first, last = (
                self.createIndex(self._items[item].row, column, item)
                for column in (0, _COLUMNS - 1)
            )
            self.dataChanged.emit(first, last)

    def set_found(self, needle: str, hits: Iterable[int]) -> None:
        """Mark the steps with these numbers, in which a needle was found, case aside."""
        self.needle, self._hits = needle, frozenset(hits)

    def _is_hit(self, item: _Item) -> bool:
        if not self._hits or item.kind is RowKind.WINDOW_END:
            return False
        return (OBJECTIVE if item.step is None else item.step.index) in self._hits

    @contextmanager
    def reset(self) -> Iterator[None]:
        """One reset around a change of how the same rows are shown."""
        self.beginResetModel()
        yield
        self.endResetModel()

    def _build(self, trace: ReasoningTrace) -> None:
        self._append(RowKind.OBJECTIVE, None, _NO_PARENT)
        if self._ends_in(None):
            self._append(RowKind.WINDOW_END, None, _NO_PARENT)
        for node in step_tree(trace.steps):
            self._append_node(node)

    def _append_node(self, node: Node) -> None:
        """A step and what hangs under it; the line stands below the row in which the window ends.

        Below a last child it stands outside, so that it is seen while the parent is closed.
        """
        number = self._append(RowKind.STEP, node.step, _NO_PARENT)
        ends = self._ends_in(node.step)
        if ends:
            self._append(RowKind.WINDOW_END, None, number if node.children else _NO_PARENT)
        for child in node.children:
            self._append(RowKind.STEP, child.step, number)
            if self._ends_in(child.step):
                last = child is node.children[-1]
                self._append(RowKind.WINDOW_END, None, _NO_PARENT if last else number)

    def _append(self, kind: RowKind, step: Step | None, parent: int) -> int:
        siblings = self._top if parent == _NO_PARENT else self._items[parent].children
        number = len(self._items)
        seen = kind is not RowKind.WINDOW_END and self._sees(step)
        self._items.append(_Item(kind, parent, len(siblings), step, seen))
        siblings.append(number)
        if step is not None:
            self._at_step[step.index] = number
        return number

    def _ends_in(self, step: Step | None) -> bool:
        reach = self._reach
        if reach is None or not reach.truncated:
            return False
        return reach.ends_at_step == (None if step is None else step.index)

    def _sees(self, step: Step | None) -> bool:
        reach = self._reach
        if reach is None or step is None or not reach.truncated:
            return reach is not None
        return reach.ends_at_step is not None and step.index <= reach.ends_at_step

    @property
    def window_sentence(self) -> str:
        """Where novelty stops reading; "" where it reads all, or it is not known."""
        line = next((i for i in self._items if i.kind is RowKind.WINDOW_END), None)
        return "" if line is None else self._sentence(line)

    @property
    def step_count(self) -> int:
        """How many steps there are."""
        return len(self._marks)

    @property
    def widest_ms(self) -> str:
        """The longest latency that is shown."""
        return self._widest_ms

    def count(self, kind: StepType | None) -> int:
        """How many steps are of one kind; None counts the unknown ones."""
        return self._kinds[kind]

    def index_of(self, step: Step | None) -> QModelIndex:
        """Where a step stands; the objective's row for None."""
        number = 0 if step is None else self._at_step.get(step.index, _NO_PARENT)
        if not 0 <= number < len(self._items):
            return QModelIndex()
        return self.createIndex(self._items[number].row, 0, number)

    @override
    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        if not parent.isValid():
            siblings = self._top
        elif parent.column() == 0:
            siblings = self._items[parent.internalId()].children
        else:
            return QModelIndex()
        if 0 <= row < len(siblings) and 0 <= column < _COLUMNS:
            return self.createIndex(row, column, siblings[row])
        return QModelIndex()

    @override
    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]
        if not index.isValid():
            return QModelIndex()
        number = self._items[index.internalId()].parent
        if number == _NO_PARENT:
            return QModelIndex()
        return self.createIndex(self._items[number].row, 0, number)

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:
        if not parent.isValid():
            return len(self._top)
        return len(self._items[parent.internalId()].children) if parent.column() == 0 else 0

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:
        return _COLUMNS

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        item = self._items[index.internalId()]
        if item.kind is RowKind.WINDOW_END:
            return Qt.ItemFlag.ItemNeverHasChildren  # the keys pass over what is not enabled
        return _PARENT if item.children else _LEAF

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        item, column = self._items[index.internalId()], StepColumn(index.column())
        value: Any = None
        match role:
            case StepRole.ROW:
                value = self._row(item)
            case StepRole.STEP:
                value = item.step
            case StepRole.FOUND:
                value = self.needle if self._is_hit(item) else ""
            case Qt.ItemDataRole.DisplayRole:
                value = self._text(item, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                value = self._accessible(item, column)
            case Qt.ItemDataRole.AccessibleDescriptionRole if self._is_hit(item):
                value = self.tr("found here")
        return value

    @override
    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = StepColumn(section)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._heading(column)
            case Qt.ItemDataRole.AccessibleTextRole if column is StepColumn.NUMBER:
                return self.tr("Number")
            case Qt.ItemDataRole.AccessibleTextRole if column is StepColumn.MS:
                return self.tr("Latency in milliseconds")
            case Qt.ItemDataRole.TextAlignmentRole if column in {StepColumn.NUMBER, StepColumn.MS}:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _heading(self, column: StepColumn) -> str:
        match column:
            case StepColumn.NUMBER:
                return self.tr("#")
            case StepColumn.KIND:
                return self.tr("Kind")
            case StepColumn.CONTENT:
                return self.tr("Content")
            case StepColumn.MS:
                return self.tr("ms")
            case StepColumn.COUNTS_FOR:
                return self.tr("Counts for")

    def _row(self, item: _Item) -> StepRow:
        step = item.step
        if step is None:
            text = self._sentence(item)
            return StepRow(item.kind, None, item.seen, text)
        tried = self._tried.get(step.index)
        return make_row(step, self._marks[step.index], seen=item.seen, tried=tried)

    def _sentence(self, item: _Item) -> str:
        if item.kind is RowKind.OBJECTIVE:
            return one_line(self._trace.objective) if self._trace else ""
        tokens = str(self._reach.tokens if self._reach else 0)
        if self._tokens is not None:
            tokens = self.tr("{0} of {1}").format(tokens, shown_count(self._tokens))
        words = self.tr("Embedding window ends here, token {0}: novelty sees nothing below")
        return words.format(tokens)

    def _text(self, item: _Item, column: StepColumn) -> str:
        row = self._row(item)
        match column:
            case StepColumn.NUMBER:
                return "" if row.step is None else str(row.step.index)
            case StepColumn.KIND:
                return self._kind_word(item)
            case StepColumn.CONTENT:
                return "  ".join(part for part in (row.tool, row.text) if part)
            case StepColumn.MS:
                return row.ms
            case StepColumn.COUNTS_FOR:
                return ", ".join(mark_phrase(mark) for mark in row.marks)

    def _accessible(self, item: _Item, column: StepColumn) -> str:
        if item.kind is RowKind.WINDOW_END:
            return self._sentence(item)
        text, row = self._text(item, column), self._row(item)
        if column is StepColumn.CONTENT and row.left_out:
            return self.tr("left out: {0}").format(text)
        if column is StepColumn.CONTENT and row.old_tool:
            return self.tr("{0}, in the file the tool is {1}").format(text, row.old_tool)
        if column is StepColumn.KIND and row.kind_tried and item.step is not None:
            return self.tr("{0}, in the file {1}").format(text, kind_word(item.step.kind))
        return text

    def _kind_word(self, item: _Item) -> str:
        match item.kind:
            case RowKind.OBJECTIVE:
                return self.tr("Objective")
            case RowKind.WINDOW_END:
                return ""
        return kind_word(self._row(item).step_kind)
