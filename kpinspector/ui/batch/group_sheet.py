"""The groups of near-duplicates among all open traces."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import IntEnum

from PySide6.QtCore import QModelIndex, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.app.judging import State
from kpinspector.batch.groups import GroupedBatch, TraceGroup
from kpinspector.ui.batch.sheet import SIDE, BatchWish, Sheet, Wanted
from kpinspector.ui.controls.base import ElidedLabel
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import STATE_SIZE, fill
from kpinspector.ui.look.painting import (
    CELL_PADDING,
    TextFont,
    centred,
    draw_figure,
    draw_name,
    draw_text,
    is_selected,
)
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import TextRole, font, row_height, scale
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.tables.cell_painting import paint_cell_mark
from kpinspector.ui.tables.figure_model import (
    CellMark,
    FigureCell,
    FigureModel,
    FigureRole,
    Index,
    Row,
    word_head,
)
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.ui.traces.trace_row import TraceRow
from kpinspector.words.batch import groups_note, in_common, spread_figures
from kpinspector.words.figures import UNKNOWN, shown_count
from kpinspector.words.say import say, say_list

_FOLD = "fold"
"""The wish of the row that opens and closes what is alone."""
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


class _Model(FigureModel):
    """Only groups can be chosen; a row's wish is its group, or ``_FOLD``."""

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and not isinstance(self.rows[index.row()].wish, int):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)


def _rows(picture: BatchPicture, grouped: GroupedBatch, *, opened: bool) -> Iterator[Row]:
    numbered = tuple(enumerate(grouped.groups))
    alone = [(number, one) for number, one in numbered if one.spread is None]
    for number, group in numbered:
        if group.spread is not None:
            yield _group(picture, number, group)
    if alone:
        words, icon = say("Alone"), IconName.CHEVRON_RIGHT
        said = say("{name}, closed", name=words)
        if opened:
            said, icon = say("{name}, opened", name=words), IconName.CHEVRON_DOWN
        first = FigureCell(words, mark=CellMark(icon), said=said)
        figures = _counts(picture, [one for _, one in alone], UNKNOWN)
        yield Row((first, *figures, _figure(UNKNOWN)), line_above=True, wish=_FOLD)
        for number, group in alone if opened else ():
            yield _group(picture, number, group)
    strong = TextRole.PANE
    figures = (replace(one, role=strong) for one in _counts(picture, grouped.groups, ""))
    yield Row((FigureCell(say("Together"), TextRole.NAME), *figures, _figure("")))


def _group(picture: BatchPicture, number: int, group: TraceGroup) -> Row:
    one = group.representative
    trace = TraceRow(picture.documents[one], picture.names[one])
    spread = UNKNOWN if group.spread is None else spread_figures(group.spread)
    about = "" if group.spread is None else one_line(in_common(group))
    first = FigureCell(
        trace.name,
        TextRole.NAME,
        mark=CellMark(trace.shape, assumed=trace.document.assumed),
        below=FigureCell(about) if about else None,
        said=say_list((trace.name, trace.state_words, about)),
        tooltip=f"{trace.name}\n{about}" if about else "",
    )
    return Row((first, *_counts(picture, [group], spread), _figure(trace.score_text)), wish=number)


def _figure(text: str) -> FigureCell:
    return FigureCell(text, figure=True)


def _counts(
    picture: BatchPicture, groups: Sequence[TraceGroup], spread: str
) -> Iterator[FigureCell]:
    """Size, spread, accepted and planned, of several groups together."""
    members = [picture.documents[trace] for one in groups for trace in one.members]
    accepted = sum(one.state is State.ACCEPTED for one in members)
    planned = sum(one.planned for one in groups)
    shown = UNKNOWN if picture.plan is None else shown_count(planned)
    return map(_figure, (shown_count(len(members)), spread, shown_count(accepted), shown))


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
    """The groups of a picture; one is chosen.

    Return or a double click asks for its representative, and opens or closes what is alone; so
    do a click, and the keys left and right.
    """

    trace_wanted = Signal(int)
    """The group whose representative is wanted."""

    def __init__(self) -> None:
        super().__init__()
        words = (say("size"), say("spread"), say("accepted"), say("planned"), say("score"))
        figures = (word_head(one, figure=True) for one in words)
        self.figures = _Model((word_head(say("Representative")), *figures), self)
        self._picture: BatchPicture | None = None
        self._narrow = self._opened = False
        self.setAccessibleName(say("Groups"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setModel(self.figures)
        self.setItemDelegate(_Delegate(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(_Heads(Qt.Orientation.Horizontal, self))
        self.clicked.connect(self._on_clicked)
        self.doubleClicked.connect(self._on_double_clicked)
        self.lay_out_columns()

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the groups of a picture; none is chosen then."""
        self._picture = picture
        grouped = None if picture is None else picture.grouped
        self.selectionModel().reset()
        if picture is None or grouped is None:
            self.figures.set_rows(())
        else:
            self.figures.set_rows(tuple(_rows(picture, grouped, opened=self._opened)))
        self.lay_out_columns()

    @property
    def chosen(self) -> int | None:
        """The group that is selected."""
        found = self.selectionModel().selectedRows()
        wish = self.figures.rows[found[0].row()].wish if found else None
        return wish if isinstance(wish, int) else None

    def choose(self, group: int | None) -> None:
        """Select a group, among those alone if need be; None for none."""
        if group is not None and self._row_of(group) < 0:
            self._open_alone(opened=True)
        row = -1 if group is None else self._row_of(group)
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
        widths, rows = {}, self.figures.rows
        for column, widest in _WIDEST.items():
            word = self.figures.heads[column].text
            figures = {widest, *(row.cells[column].text for row in rows)}
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
        lines = self.delegate.fonts.name.metrics.height() + caption.height()
        low, high = row_height(body), max(scale(_ROW_HEIGHT, body), lines + _LINES_PADDING)
        for number, row in enumerate(rows):
            self.setRowHeight(number, low if row.cells[0].below is None else high)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.lay_out_columns()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, key = self.currentIndex(), event.key()
        folds = index.isValid() and self.figures.rows[index.row()].wish is _FOLD
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and folds:
            self._open_alone(opened=not self._opened)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and folds:
            self._open_alone(opened=key == Qt.Key.Key_Right)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_double_clicked(index)
        elif key == Qt.Key.Key_Escape and self.chosen is not None:
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def _row_of(self, group: int) -> int:
        found = (at for at, row in enumerate(self.figures.rows) if row.wish == group)
        return next(found, -1)

    def _on_clicked(self, index: QModelIndex) -> None:
        if self.figures.rows[index.row()].wish is _FOLD:
            self._open_alone(opened=not self._opened)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        group = self.figures.rows[index.row()].wish if index.isValid() else None
        if isinstance(group, int):
            self.trace_wanted.emit(group)

    def _open_alone(self, *, opened: bool) -> None:
        """Open or close what is alone; the fold keeps its place and the current row."""
        if opened != self._opened:
            self._opened, place = opened, self.currentIndex().row()
            self.show_picture(self._picture)
            self.setCurrentIndex(self.figures.index(place, GroupColumn.TRACE))


class _Delegate(TableDelegate):
    """Two lines a group: the figures above, and below what runs through all cells."""

    def __init__(self, table: GroupTable) -> None:
        super().__init__(table, GroupColumn.TRACE)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        row, cell = index.data(FigureRole.ROW), index.data(FigureRole.CELL)
        upper, width = option.rect, self.table.viewport().width()
        if row.line_above:
            left, right = max(upper.left(), SIDE), min(upper.right() + 1, width - SIDE)
            fill(painter, QRect(left, upper.top(), right - left, 1), found.line)
        text_left = SIDE + self.scaled(STATE_SIZE) + self.scaled(_GAP)
        if (about := row.cells[0].below) is not None:
            upper, lower = self._lines(option.rect)
            painter.save()
            painter.setClipRect(lower)
            room = QRect(text_left, lower.top(), width - text_left - SIDE, lower.height())
            draw_text(painter, room, about.text, self.fonts.caption, found.second)
            painter.restore()
        room = upper.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        if cell.figure:
            if option.rect.right() + 1 >= width:
                room.setRight(room.right() - _SIDE)
            chosen = is_selected(option) and index.column() == GroupColumn.SIZE
            role = TextRole.PANE if chosen else cell.role
            made = font(role, self.table.font())
            draw_figure(painter, room, cell.text, TextFont(made, QFontMetrics(made)), found.text)
            return
        if cell.mark is not None:
            place = centred(room, SIDE, self.scaled(STATE_SIZE))
            paint_cell_mark(painter, place, cell.mark, found, found.second)
        room.setLeft(text_left)
        style = self.fonts.name if cell.role is TextRole.NAME else self.fonts.body
        draw_name(painter, room, cell.text, style, found.text)

    def _lines(self, rect: QRect) -> tuple[QRect, QRect]:
        first = self.fonts.name.metrics.height()
        second = self.fonts.caption.metrics.height()
        gap = self.scaled(_LINE_GAP)
        top = rect.top() + (rect.height() - first - gap - second) // 2
        upper = QRect(rect.left(), top, rect.width(), first)
        return upper, QRect(rect.left(), top + first + gap, rect.width(), second)


class GroupSheet(Sheet):
    """The groups, each by the trace that stands for it; the traces alone are folded."""

    def __init__(self, wish: Callable[[BatchWish], object]) -> None:
        super().__init__(say("Groups"))
        self._groups: Sequence[TraceGroup] = ()
        self._table = GroupTable()
        self._alone = ElidedLabel("", TextRole.CAPTION, second=True)
        self.header.addWidget(self._alone)
        hint = say("The groups are shown once all open traces are compared with each other.")
        self._pages = self.stack(HintPage(hint, padding=SIDE), self._table)
        self.set_narrow = self._table.set_narrow
        self._table.selection_changed.connect(
            lambda: wish(BatchWish(Wanted.GROUP, self._table.chosen))
        )
        self._table.trace_wanted.connect(
            lambda group: wish(BatchWish(Wanted.SHOW, self._groups[group].representative))
        )

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the groups of a picture; none is chosen then."""
        grouped = None if picture is None else picture.grouped
        self._groups = groups = () if grouped is None else grouped.groups
        self.note.setText(shown_count(len(groups)) if groups else "")
        sizes = tuple(len(one.members) for one in groups)
        self._alone.setText(groups_note(sizes) if groups else "")
        with QSignalBlocker(self._table):
            self._table.show_picture(picture)
        self._pages.setCurrentIndex(int(bool(groups)))

    def set_group(self, group: int | None) -> None:
        """Select the row of the chosen group, without telling that it was asked for."""
        with QSignalBlocker(self._table):
            self._table.choose(group)
