"""Groups of near-duplicates as rows: the groups, the traces alone, and all together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from PySide6.QtCore import QObject, Qt
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.app.judging import State
from kpinspector.batch.groups import GroupedBatch, TraceGroup
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.tables.figure_model import Index, RowModel, word_head
from kpinspector.ui.traces.trace_row import TraceRow, make_row, state_words
from kpinspector.words.batch import in_common, spread_figures
from kpinspector.words.figures import UNKNOWN, shown_count
from kpinspector.words.say import say, say_list

ROW_ROLE = Qt.ItemDataRole.UserRole
"""What the delegate asks of the model: the whole row."""


class GroupColumn(IntEnum):
    """The columns from left to right."""

    TRACE = 0
    SIZE = 1
    SPREAD = 2
    ACCEPTED = 3
    PLANNED = 4
    SCORE = 5


class GroupRowKind(StrEnum):
    """What a row stands for."""

    GROUP = "group"
    FOLD = "fold"
    ALONE = "alone"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One row.

    Attributes:
        texts: One a column.
        said: What is read of the first cell.
        about: What the traces have in common, below the texts.
        group: Its index; None for what is no group.
        trace: The row of its representative in the list.
        opened: Of the fold, whether the traces alone are shown.
    """

    kind: GroupRowKind
    texts: tuple[str, ...]
    said: str
    about: str = ""
    group: int | None = None
    trace: TraceRow | None = None
    opened: bool = False


class GroupModel(RowModel):
    """The groups of a picture; every change of the rows is one reset."""

    def __init__(self, parent: QObject | None = None) -> None:
        figures = (say("size"), say("spread"), say("accepted"), say("planned"), say("score"))
        heads = (
            word_head(say("Representative")),
            *(word_head(word, figure=True) for word in figures),
        )
        super().__init__(heads, parent)
        self._picture: BatchPicture | None = None
        self._opened = False
        self._rows: tuple[GroupRow, ...] = ()

    @property
    def rows(self) -> Sequence[GroupRow]:
        """All rows."""
        return self._rows

    @property
    def opened(self) -> bool:
        """Whether the traces alone are shown."""
        return self._opened

    def set_picture(self, picture: BatchPicture | None) -> None:
        """Show the groups of a picture."""
        self._picture = picture
        self._arrange()

    def open_alone(self, *, opened: bool) -> None:
        """Show or hide the traces that are alone."""
        self._opened = opened
        self._arrange()

    def row_of(self, group: int | None) -> int:
        """The row of a group; -1 where there is none."""
        found = (at for at, row in enumerate(self._rows) if row.group == group is not None)
        return next(found, -1)

    def _arrange(self) -> None:
        picture = self._picture
        self.beginResetModel()
        self._rows = ()
        if picture is not None and picture.grouped is not None:
            self._rows = tuple(_rows(picture, picture.grouped, opened=self._opened))
        self.endResetModel()

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self._rows[index.row()].group is None:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], GroupColumn(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.texts[column]
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.said if column is GroupColumn.TRACE else row.texts[column]
            case Qt.ItemDataRole.ToolTipRole if row.about:
                return plain_tooltip(f"{row.texts[GroupColumn.TRACE]}\n{row.about}")
        return row if role == ROW_ROLE else None


def _rows(picture: BatchPicture, grouped: GroupedBatch, *, opened: bool) -> Iterator[GroupRow]:
    numbered = tuple(enumerate(grouped.groups))
    alone = [(number, one) for number, one in numbered if one.spread is None]
    for number, group in numbered:
        if group.spread is not None:
            yield _group(picture, number, group, GroupRowKind.GROUP)
    if alone:
        words = say("Alone")
        said = say("{name}, opened", name=words) if opened else say("{name}, closed", name=words)
        texts = (words, *_counts(picture, [one for _, one in alone], UNKNOWN), UNKNOWN)
        yield GroupRow(GroupRowKind.FOLD, texts, said, opened=opened)
        if opened:
            for number, group in alone:
                yield _group(picture, number, group, GroupRowKind.ALONE)
    together = say("Together")
    texts = (together, *_counts(picture, grouped.groups, ""), "")
    yield GroupRow(GroupRowKind.SUM, texts, together)


def _group(picture: BatchPicture, number: int, group: TraceGroup, kind: GroupRowKind) -> GroupRow:
    one = group.representative
    trace = make_row(picture.documents[one], picture.names[one])
    spread = UNKNOWN if group.spread is None else spread_figures(group.spread)
    about = one_line(in_common(group)) if kind is GroupRowKind.GROUP else ""
    return GroupRow(
        kind=kind,
        texts=(trace.name, *_counts(picture, [group], spread), trace.score_text),
        said=say_list((trace.name, state_words(trace), about)),
        about=about,
        group=number,
        trace=trace,
    )


def _counts(
    picture: BatchPicture, groups: Sequence[TraceGroup], spread: str
) -> tuple[str, str, str, str]:
    """Size, spread, accepted and planned, of several groups together."""
    members = [picture.documents[trace] for one in groups for trace in one.members]
    accepted = sum(one.state is State.ACCEPTED for one in members)
    planned = sum(one.planned for one in groups)
    return (
        shown_count(len(members)),
        spread,
        shown_count(accepted),
        UNKNOWN if picture.plan is None else shown_count(planned),
    )
