"""The groups of near-duplicates among all open traces."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from PySide6.QtCore import QModelIndex, QObject, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.app.judging import State
from kpinspector.batch.groups import GroupedBatch, TraceGroup
from kpinspector.ui.batch.sheet import SIDE, BatchWish, Sheet, Wanted
from kpinspector.ui.controls.base import ElidedLabel
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.marks import STATE_SIZE, fill, paint_state
from kpinspector.ui.look.painting import (
    CELL_PADDING,
    TextFont,
    centred,
    draw_figure,
    draw_name,
    draw_text,
    is_selected,
)
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.look.theme import Colours, TextRole, font, row_height, scale
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.tables.figure_model import Index, RowModel, word_head
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.trace_row import TraceRow, make_row, state_words
from kpinspector.words.batch import groups_note, in_common, spread_figures
from kpinspector.words.figures import UNKNOWN, shown_count
from kpinspector.words.say import say, say_list

ROW_ROLE = Qt.ItemDataRole.UserRole
"""What the delegate asks of the model: the whole row."""
_SIDE = SIDE - CELL_PADDING  # more than other cells have
_GAP = 8
_ROW_HEIGHT = 44
_LINE_GAP = 2
_LINES_PADDING = 8
_LEAST_NAME = 120
_WIDEST_SPREAD = "0.00\N{EN DASH}0.00"


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
        self.opened = False
        self._rows: tuple[GroupRow, ...] = ()

    @property
    def rows(self) -> Sequence[GroupRow]:
        """All rows."""
        return self._rows

    def set_picture(self, picture: BatchPicture | None) -> None:
        """Show the groups of a picture."""
        self._picture = picture
        self._arrange()

    def open_alone(self, *, opened: bool) -> None:
        """Show or hide the traces that are alone."""
        self.opened = opened
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
            self._rows = tuple(_rows(picture, picture.grouped, opened=self.opened))
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


_WIDEST = {
    GroupColumn.SIZE: "0,000",
    GroupColumn.SPREAD: _WIDEST_SPREAD,
    GroupColumn.ACCEPTED: "0,000",
    GroupColumn.PLANNED: "0,000",
    GroupColumn.SCORE: "0.00000",
}


class _Heads(HeaderView):
    """Column heads that begin and end as far from the sheet's edges as its title."""

    @override
    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        left = _SIDE if rect.left() <= 0 else 0
        right = _SIDE if rect.right() + 1 >= self.width() else 0
        super().paintSection(painter, rect.adjusted(left, 0, -right, 0), logicalIndex)


class GroupTable(RowTable):
    """Shows a ``GroupModel``; one group is chosen.

    Return or a double click asks for its representative, and opens or closes what is alone; so
    do a click, and the keys left and right.
    """

    trace_wanted = Signal(int)
    """The group whose representative is wanted."""

    def __init__(self, model: GroupModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._groups = model
        self._narrow = False
        self.setAccessibleName(say("Groups"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setModel(model)
        self.setItemDelegate(_Delegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(_Heads(Qt.Orientation.Horizontal, self))
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_double_clicked)
        model.modelReset.connect(self.lay_out_columns)
        self.lay_out_columns()

    @property
    def chosen(self) -> int | None:
        """The group that is selected."""
        found = self.selectionModel().selectedRows()
        return self._groups.rows[found[0].row()].group if found else None

    def choose(self, group: int | None) -> None:
        """Select a group; None for none."""
        row = self._groups.row_of(group)
        if row >= 0:
            self.selectRow(row)
        else:
            self.clearSelection()

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave the scores out, or show them where there is room."""
        self._narrow = narrow
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        body = self.delegate.fonts.body.metrics
        caption = self.delegate.fonts.caption.metrics
        widths = {}
        for column, widest in _WIDEST.items():
            word = str(self._groups.headerData(column, Qt.Orientation.Horizontal))
            figures = {widest, *(row.texts[column] for row in self._groups.rows)}
            text = max(*map(body.horizontalAdvance, figures), caption.horizontalAdvance(word))
            # one more: the metrics leave out a fraction, which eliding does not
            widths[column] = text + 1 + 2 * CELL_PADDING
        room = self.viewport().width() - _SIDE
        least = scale(_LEAST_NAME, body) + _SIDE
        self.setColumnHidden(GroupColumn.SCORE, self._narrow or room - sum(widths.values()) < least)
        shown = {one: width for one, width in widths.items() if not self.isColumnHidden(one)}
        widths[max(shown)] += _SIDE
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        self.setColumnWidth(GroupColumn.TRACE, max(1, room - sum(shown.values())))
        self._set_heights()

    def _set_heights(self) -> None:
        fonts = self.delegate.fonts
        lines = fonts.name.metrics.height() + fonts.caption.metrics.height()
        low = row_height(fonts.body.metrics)
        high = max(scale(_ROW_HEIGHT, fonts.body.metrics), lines + _LINES_PADDING)
        for number, row in enumerate(self._groups.rows):
            self.setRowHeight(number, high if row.kind is GroupRowKind.GROUP else low)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.lay_out_columns()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, key = self.currentIndex(), event.key()
        folds = index.isValid() and self._row(index).kind is GroupRowKind.FOLD
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and folds:
            self._turn(opened=not self._groups.opened)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and folds:
            self._turn(opened=key == Qt.Key.Key_Right)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_double_clicked(index)
        elif key == Qt.Key.Key_Escape and self.chosen is not None:
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def _row(self, index: QModelIndex) -> GroupRow:
        return self._groups.rows[index.row()]

    def _on_clicked(self, index: QModelIndex) -> None:
        if self._row(index).kind is GroupRowKind.FOLD:
            self._turn(opened=not self._groups.opened)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        group = self._row(index).group if index.isValid() else None
        if group is not None:
            self.trace_wanted.emit(group)

    def _turn(self, *, opened: bool) -> None:
        """Open or close what is alone; the fold keeps its place and the current row."""
        if opened != self._groups.opened:
            place = self.currentIndex().row()
            self._groups.open_alone(opened=opened)
            self.setCurrentIndex(self._groups.index(place, GroupColumn.TRACE))


class _Delegate(TableDelegate):
    """Two lines a group: the figures above, and below what runs through all cells."""

    def __init__(self, table: GroupTable) -> None:
        super().__init__(table, GroupColumn.TRACE)
        self._strong: TextFont | None = None

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        row: GroupRow = index.data(ROW_ROLE)
        rect: QRect = option.rect
        if row.kind is GroupRowKind.FOLD:
            left = max(rect.left(), SIDE)
            right = min(rect.right() + 1, self.table.viewport().width() - SIDE)
            fill(painter, QRect(left, rect.top(), right - left, 1), found.line)
        upper = rect
        if row.kind is GroupRowKind.GROUP:
            upper, lower = self._lines(rect)
            self._paint_about(painter, lower, row, found)
        room = upper.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        if index.column() == GroupColumn.TRACE:
            self._paint_name(painter, room, row, found)
            return
        if rect.right() + 1 >= self.table.viewport().width():
            room.setRight(room.right() - _SIDE)
        strong = row.kind is GroupRowKind.SUM or (
            is_selected(option) and index.column() == GroupColumn.SIZE
        )
        style = self.strong if strong else self.fonts.body
        draw_figure(painter, room, str(index.data()), style, found.text)

    def _lines(self, rect: QRect) -> tuple[QRect, QRect]:
        first = self.fonts.name.metrics.height()
        second = self.fonts.caption.metrics.height()
        gap = self.scaled(_LINE_GAP)
        top = rect.top() + (rect.height() - first - gap - second) // 2
        upper = QRect(rect.left(), top, rect.width(), first)
        return upper, QRect(rect.left(), top + first + gap, rect.width(), second)

    @property
    def strong(self) -> TextFont:
        """The font of sums and of what is chosen."""
        if self._strong is None:
            made = font(TextRole.PANE, self.table.font())
            self._strong = TextFont(made, QFontMetrics(made))
        return self._strong

    @override
    def forget_fonts(self) -> None:
        super().forget_fonts()
        self._strong = None

    @property
    def _text_left(self) -> int:
        return SIDE + self.scaled(STATE_SIZE) + self.scaled(_GAP)

    def _paint_about(self, painter: QPainter, cell: QRect, row: GroupRow, found: Colours) -> None:
        """The part of the lower line that falls into a cell."""
        left = self._text_left
        width = self.table.viewport().width() - left - SIDE
        painter.save()
        painter.setClipRect(cell)
        room = QRect(left, cell.top(), width, cell.height())
        draw_text(painter, room, row.about, self.fonts.caption, found.second)
        painter.restore()

    def _paint_name(self, painter: QPainter, room: QRect, row: GroupRow, found: Colours) -> None:
        side = self.scaled(STATE_SIZE)
        place = centred(room, SIDE, side)
        if row.kind is GroupRowKind.FOLD:
            name = IconName.CHEVRON_DOWN if row.opened else IconName.CHEVRON_RIGHT
            paint_icon(painter, place, name, found.second)
        elif row.trace is not None:
            paint_state(painter, place, row.trace.shape, found, assumed=row.trace.assumed)
        room.setLeft(self._text_left)
        style = self.fonts.body if row.kind is GroupRowKind.FOLD else self.fonts.name
        draw_name(painter, room, row.texts[GroupColumn.TRACE], style, found.text)


class GroupSheet(Sheet):
    """The groups, each by the trace that stands for it; the traces alone are folded."""

    def __init__(self, wish: Callable[[BatchWish], object]) -> None:
        super().__init__(say("Groups"))
        self._wish = wish
        self._picture: BatchPicture | None = None
        self._model = GroupModel(self)
        self._table = GroupTable(self._model)
        self._alone = ElidedLabel("", TextRole.CAPTION, second=True)
        self.header.addWidget(self._alone)
        hint = say("The groups are shown once all open traces are compared with each other.")
        self._pages = self.stack(HintPage(hint, padding=SIDE), self._table)
        self._table.selection_changed.connect(self._on_selection_changed)
        self._table.trace_wanted.connect(self._on_trace_wanted)

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the groups of a picture; none is chosen then."""
        self._picture = picture
        grouped = None if picture is None else picture.grouped
        groups = () if grouped is None else grouped.groups
        self.note.setText(shown_count(len(groups)) if groups else "")
        sizes = tuple(len(one.members) for one in groups)
        self._alone.setText(groups_note(sizes) if groups else "")
        with QSignalBlocker(self._table):
            self._model.set_picture(picture)
        self._pages.setCurrentIndex(int(bool(groups)))

    def set_group(self, group: int | None) -> None:
        """Select the row of the chosen group, without telling that it was asked for."""
        with QSignalBlocker(self._table):
            if group is not None and self._model.row_of(group) < 0:
                self._model.open_alone(opened=True)
            self._table.choose(group)

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave the scores out, or show them where there is room."""
        self._table.set_narrow(narrow=narrow)

    def _on_selection_changed(self) -> None:
        self._wish(BatchWish(Wanted.GROUP, self._table.chosen))

    def _on_trace_wanted(self, group: int) -> None:
        if self._picture is not None and self._picture.grouped is not None:
            one = self._picture.grouped.groups[group].representative
            self._wish(BatchWish(Wanted.SHOW, one))
