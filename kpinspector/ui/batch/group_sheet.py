"""The groups of the open traces, and what each has in common."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, QObject, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture
from kpinspector.app.values import State
from kpinspector.batch.groups import TraceGroup
from kpinspector.ui.batch.sheet import SIDE, Sheet, SheetTable, trace_cell
from kpinspector.ui.controls.base import ElidedLabel, in_row
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.painting import CELL_PADDING
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.tables.figure_model import CellMark, FigureCell, Row, figure
from kpinspector.ui.traces.trace_row import TraceRow
from kpinspector.words.batch import groups_note, in_common, spread_figures
from kpinspector.words.figures import UNKNOWN, shown_count
from kpinspector.words.say import say


def _rows(picture: BatchPicture, groups: Sequence[TraceGroup], *, opened: bool) -> Iterator[Row]:
    """Groups of two or more, the fold with those alone, and all together."""
    alone = [one for one in groups if one.spread is None]
    for number, group in enumerate(groups):
        if group.spread is not None:
            yield _row_of(picture, number, group)
    if alone:
        words, icon = say("Alone"), IconName.CHEVRON_RIGHT
        said = say("{name}, closed", name=words)
        if opened:
            said, icon = say("{name}, opened", name=words), IconName.CHEVRON_DOWN
        first = FigureCell(words, mark=CellMark(icon), said=said)
        yield Row((first, *_counts(picture, alone, UNKNOWN), figure(UNKNOWN)), line_above=True)
    for number, group in enumerate(groups):
        if group.spread is None and opened:
            yield _row_of(picture, number, group)
    together = (replace(one, role=TextRole.PANE) for one in _counts(picture, groups, ""))
    yield Row((FigureCell(say("Together"), TextRole.NAME), *together, figure("")))


def _row_of(picture: BatchPicture, number: int, group: TraceGroup) -> Row:
    one = group.representative
    trace = TraceRow(picture.documents[one], picture.names[one])
    spread, about = UNKNOWN, ""
    if group.spread is not None:
        spread, about = spread_figures(group.spread), one_line(in_common(group))
    figures = _counts(picture, [group], spread)
    return Row((trace_cell(trace, about), *figures, figure(trace.score_text)), wish=number)


def _counts(
    picture: BatchPicture, groups: Sequence[TraceGroup], spread: str
) -> Iterator[FigureCell]:
    """Size, spread, accepted and planned, of several groups together."""
    members = [picture.documents[trace] for one in groups for trace in one.members]
    accepted = sum(one.state is State.ACCEPTED for one in members)
    planned = sum(one.planned for one in groups)
    shown = UNKNOWN if picture.plan is None else shown_count(planned)
    return map(figure, (shown_count(len(members)), spread, shown_count(accepted), shown))


class GroupSheet(Sheet):
    """The groups, each by the trace that stands for it; one is chosen.

    Return or a double click asks for its representative. Those alone are behind a fold, which a
    click opens and closes, and so do Return, Space and the keys left and right.
    """

    def __init__(self, wish: Tell) -> None:
        super().__init__(say("Groups"))
        self._wish = wish
        self._picture: BatchPicture | None = None
        self._groups: Sequence[TraceGroup] = ()
        self._opened = False
        columns = (
            (say("Representative"), ""),
            (say("size"), "0,000"),
            (say("spread"), "0.00\N{EN DASH}0.00"),
            (say("accepted"), "0,000"),
            (say("planned"), "0,000"),
            (say("score"), "0.00000"),
        )
        self._table = SheetTable(say("Groups"), columns, gives_way=True)
        self._table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._alone = ElidedLabel("", TextRole.CAPTION, second=True)
        self.header.addWidget(self._alone)
        inset = QWidget()
        in_row(self._table, on=inset, margins=(SIDE - CELL_PADDING, 0, 0, 0))
        hint = say("The groups are shown once all open traces are compared with each other.")
        self._pages = self.stack(HintPage(hint, padding=SIDE), inset)
        self._table.selection_changed.connect(lambda: wish(Wish(Do.TAKE_GROUP, self._table.chosen)))
        self._table.activated.connect(self._on_activated)
        self._table.clicked.connect(self._on_clicked)
        self._table.installEventFilter(self)

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show the groups of a picture; none is chosen then."""
        self._picture = picture
        grouped = None if picture is None else picture.grouped
        self._groups = groups = () if grouped is None else grouped.groups
        self.note.setText(shown_count(len(groups)) if groups else "")
        sizes = tuple(len(one.members) for one in groups)
        self._alone.setText(groups_note(sizes) if groups else "")
        self._show_rows()
        self._pages.setCurrentIndex(int(bool(groups)))

    def set_group(self, group: int | None) -> None:
        """Select the row of the chosen group, without telling that it was asked for."""
        with QSignalBlocker(self._table):
            if group is not None and self._table.row_of(group) < 0:
                self._open_alone(opened=True)
            row = -1 if group is None else self._table.row_of(group)
            if row >= 0:
                self._table.selectRow(row)
            else:
                self._table.clearSelection()

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave the scores out, or show them where there is room."""
        self._table.narrow = narrow
        self._table.lay_out_columns()

    def _show_rows(self) -> None:
        rows: Iterable[Row] = ()
        if self._picture is not None and self._groups:
            rows = _rows(self._picture, self._groups, opened=self._opened)
        with QSignalBlocker(self._table):
            self._table.set_rows([*rows])

    def _is_fold(self, index: QModelIndex) -> bool:
        return index.isValid() and self._table.figures.rows[index.row()].line_above

    def _open_alone(self, *, opened: bool) -> None:
        """Open or close what is alone; the fold keeps its place and the current row."""
        if opened != self._opened:
            self._opened, place = opened, self._table.currentIndex().row()
            self._show_rows()
            self._table.setCurrentIndex(self._table.figures.index(place, 0))

    def _on_clicked(self, index: QModelIndex) -> None:
        if self._is_fold(index):
            self._open_alone(opened=not self._opened)

    def _on_activated(self, index: QModelIndex) -> None:
        self._on_clicked(index)
        group = self._table.figures.rows[index.row()].wish if index.isValid() else None
        if isinstance(group, int):
            self._wish(Wish(Do.SHOW, self._groups[group].representative))

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of the fold, and the one that lets a group go."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        key, on_fold = event.key(), self._is_fold(self._table.currentIndex())
        if key == Qt.Key.Key_Escape and self._table.chosen is not None:
            self._table.clearSelection()
        elif on_fold and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._open_alone(opened=key == Qt.Key.Key_Right)
        elif on_fold and key == Qt.Key.Key_Space:
            self._open_alone(opened=not self._opened)
        else:
            return False
        return True
