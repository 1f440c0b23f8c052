"""Two traces side by side as a list: a row for each pair of steps. Read-only."""

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from kpinspector.trace.align import Alignment, Likeness, Passage, Span, StepPair, StepText
from kpinspector.trace.clear import masked_in
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import flat_text, masked_line, plain_tooltip
from kpinspector.ui.steps.step_delegate import ICONS
from kpinspector.words.say import say
from kpinspector.words.sentences import kind_word

SIGNS = {
    Likeness.SAME: "=",
    Likeness.CHANGED: "\N{NOT EQUAL TO}",
    Likeness.ONLY_LEFT: "\N{MINUS SIGN}",
    Likeness.ONLY_RIGHT: "+",
}

_LONGEST_TOOL = 80
_ELLIPSIS = "…"


Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROWS_KEPT = 256  # more than a screen has


@dataclass(frozen=True, slots=True)
class CompareCell:
    """One side of a row.

    Attributes:
        number: Of the step; "" for the objective.
        tool: In one line, "" without one.
        tool_changed: The other side has another tool.
        text: In one line, from shortly before the first difference on.
        marks: The words that the other side does not have.
    """

    number: str
    icon: IconName
    kind: str
    tool: str
    tool_changed: bool
    text: str
    marks: tuple[Span, ...]

    @property
    def title(self) -> str:
        """Kind, tool and number."""
        return " ".join(part for part in (self.kind, self.tool, self.number) if part)


@dataclass(frozen=True, slots=True)
class CompareRow:
    """Both sides, of which one may be missing."""

    likeness: Likeness
    left: CompareCell | None
    right: CompareCell | None


def make_row(pair: StepPair) -> CompareRow:
    """The row that shows two steps."""
    left, right = pair.sides
    other_tool = left is not None and right is not None and left.tool != right.tool
    found = pair.passages(masked_in)
    return CompareRow(
        pair.likeness,
        _cell(left, found[0], tool_changed=other_tool),
        _cell(right, found[1], tool_changed=other_tool),
    )


def spoken_row(row: CompareRow, names: tuple[str, str]) -> str:
    """A row in one sentence, for screen readers."""
    left, right = row.left, row.right
    match row.likeness:
        case Likeness.SAME if left and right:
            title = left.title
            if right.number:
                title = say("{title} and {other}", title=title, other=right.number)
            return say("the same: {title}. {text}", title=title, text=left.text)
        case Likeness.CHANGED if left and right:
            return say(
                "changed: {left_title} in {left_name}: {left};"
                " {right_title} in {right_name}: {right}",
                left_title=left.title,
                left_name=names[0],
                left=left.text,
                right_title=right.title,
                right_name=names[1],
                right=right.text,
            )
        case Likeness.ONLY_LEFT if left:
            return say(
                "only in {name}: {title}. {text}", name=names[0], title=left.title, text=left.text
            )
        case _ if right:
            return say(
                "only in {name}: {title}. {text}", name=names[1], title=right.title, text=right.text
            )
    raise AssertionError("a row has a side")


def _cell(
    text: StepText | None, found: Passage | None, *, tool_changed: bool
) -> CompareCell | None:
    if text is None or found is None:
        return None
    shown, marks = flat_text(found.text, found.changed)
    if found.starts_late:
        before = f"{_ELLIPSIS} "
        marks = tuple((start + len(before), end + len(before)) for start, end in marks)
        shown = before + shown
    step = text.step
    if step is None:
        icon, kind, number, tool = IconName.OBJECTIVE, say("Objective"), "", ""
    else:
        icon = ICONS[step.kind] if step.kind else IconName.FILE
        kind, number = kind_word(step.kind), str(step.index)
        tool = masked_line(step.tool_name or "", _LONGEST_TOOL)
    return CompareCell(
        number,
        icon,
        kind,
        tool,
        tool_changed,
        shown + (_ELLIPSIS if found.ends_early else ""),
        marks,
    )


class CompareRole(IntEnum):
    """The roles of the model beside Qt's own."""

    ROW = Qt.ItemDataRole.UserRole + 1
    PAIR = Qt.ItemDataRole.UserRole + 2


class CompareModel(QAbstractListModel):
    """The pairs of an alignment, or those of one likeness; texts are made when they are shown.

    Attributes:
        names: What the two sides are called.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._alignment = Alignment(())
        self.names = ("", "")
        self._shown: tuple[int, ...] = ()
        self._only: Likeness | None = None
        self._counts: Counter[Likeness] = Counter()
        self._differences: tuple[int, ...] = ()
        self._rows: dict[int, CompareRow] = {}

    def set_alignment(self, alignment: Alignment, names: tuple[str, str]) -> None:
        """Show two traces; the same ones stay as they are."""
        self.names = names
        if alignment is self._alignment:
            return
        self.beginResetModel()
        self._alignment = alignment
        self._counts = Counter(pair.likeness for pair in alignment.pairs)
        self._rows.clear()
        self._filter()
        self.endResetModel()

    def set_only(self, only: Likeness | None) -> None:
        """Show the pairs of one likeness; None shows all."""
        if only is not self._only:
            self.beginResetModel()
            self._only = only
            self._filter()
            self.endResetModel()

    def _filter(self) -> None:
        pairs = self._alignment.pairs
        self._shown = tuple(
            number
            for number, pair in enumerate(pairs)
            if self._only is None or pair.likeness is self._only
        )
        self._differences = tuple(
            row
            for row, number in enumerate(self._shown)
            if pairs[number].likeness is not Likeness.SAME
        )

    @property
    def count(self) -> int:
        """How many pairs there are, shown or not."""
        return len(self._alignment.pairs)

    @property
    def differences(self) -> tuple[int, ...]:
        """The rows that are shown and are not the same on both sides."""
        return self._differences

    def count_of(self, likeness: Likeness) -> int:
        """How many pairs there are of a likeness, shown or not."""
        return self._counts[likeness]

    def number_at(self, row: int) -> int:
        """Which pair a row shows."""
        return self._shown[row]

    def row_of(self, number: int) -> int | None:
        """The row that shows a pair, if one does."""
        return self._shown.index(number) if number in self._shown else None

    @override
    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        number = self._shown[index.row()]
        value: Any = None
        match role:
            case CompareRole.PAIR:
                value = self._alignment.pairs[number]
            case CompareRole.ROW:
                value = self._row(number)
            case Qt.ItemDataRole.DisplayRole:
                value = _text(self._row(number))
            case Qt.ItemDataRole.AccessibleTextRole:
                value = spoken_row(self._row(number), self.names)
            case Qt.ItemDataRole.ToolTipRole:
                value = plain_tooltip(_whole(self._row(number), self.names))
        return value

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        item = Qt.ItemFlag
        return item.ItemIsEnabled | item.ItemIsSelectable | item.ItemNeverHasChildren

    def _row(self, number: int) -> CompareRow:
        """The row; kept, as every part that paints or reads it asks for it."""
        if number not in self._rows:
            if len(self._rows) >= _ROWS_KEPT:
                self._rows.clear()
            self._rows[number] = make_row(self._alignment.pairs[number])
        return self._rows[number]


def _text(row: CompareRow) -> str:
    cell = row.left or row.right
    return cell.text if cell is not None else ""


def _whole(row: CompareRow, names: tuple[str, str]) -> str:
    """The whole text of both sides, with the words that two lines have no room for."""
    if row.likeness is Likeness.SAME and row.left is not None:
        return row.left.text
    sides = zip(names, (row.left, row.right), strict=True)
    return "\n".join(f"{name}: {cell.text}" for name, cell in sides if cell is not None)
