"""The Batch page for all open traces, and the page for several selected rows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QHideEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture, BatchProgress, Stage
from kpinspector.app.document import Document, State, names_of
from kpinspector.batch.groups import TraceGroup
from kpinspector.ui.batch import name_cell, scrolled, trace_cells
from kpinspector.ui.batch.map_sheet import MapSheet
from kpinspector.ui.batch.row_sheets import GroupSheet, PlanSheet
from kpinspector.ui.batch.summary_sheet import SummarySheet
from kpinspector.ui.controls.base import (
    ElidedLabel,
    FlatButton,
    Label,
    PushButton,
    in_column,
    in_row,
)
from kpinspector.ui.controls.fields import ProgressBar
from kpinspector.ui.controls.views import GUTTER, PaneTabs
from kpinspector.ui.look.marks import IconName
from kpinspector.ui.look.theme import TextRole, follow_zoom, scale, sized
from kpinspector.ui.panes import Do, Tell, Wish
from kpinspector.ui.parts.sections import Header
from kpinspector.ui.tables.figure_model import FigureCell, Row
from kpinspector.ui.tables.figure_table import ColumnWidth, Few, FigureTable
from kpinspector.ui.traces.trace_row import ALONE, TraceRow
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count, say_list

_HEADER_HEIGHT = 58
_SIDE, _GAP, _TAB_INSET, _LINE_GAP = 16, 8, 4, 4
_SUMMARY_WIDTH, _UPPER_HEIGHT = 548, 402
_WIDE, _LEAST_OF_FOUR = 1082, 960
_PAIR, _FIRST_CHOSEN, _CHOSEN = 2, 20, 26


class BatchPage(QWidget):
    """Shows a `BatchPicture`; in its wishes, traces are given by their places in the picture."""

    wished = Signal(object)
    """A `Wish`; groups are given as in the list: from 1, or ``ALONE``, or None for all groups."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(say("Batch"))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._groups: Sequence[TraceGroup] = ()
        self._group: int | None = None
        self._summary, self._map = SummarySheet(self._wish), MapSheet(self._wish)
        self._by_group, self._plan = GroupSheet(self._wish), PlanSheet(self._wish)
        self._sheets = (self._summary, self._map, self._by_group, self._plan)
        self.export_button = PushButton(say("Export Summary…"), icon=IconName.EXPORT)
        self.save_button = PushButton(say("Save the Plan…"), icon=IconName.DOWNLOAD)
        self.answer = BatchHeader((self.export_button, self.save_button), self._wish)
        self._tabs = PaneTabs(say("Sheets of the batch"))
        titles = (say("Summary"), say("Map"), say("Groups"), say("Plan"))
        for sheet, title in zip(self._sheets, titles, strict=True):
            self._tabs.addTab(title)
            sheet.setAccessibleName(title)
        self._desk = desk = _Desk(self._sheets, self._tabs)
        self._tab_row = Header()
        margins = (_TAB_INSET, 0, _TAB_INSET, 0)
        in_row(self._tabs, None, on=self._tab_row, margins=margins, spacing=None)
        self._tab_row.hide()
        in_column(self.answer, self._tab_row, (desk, 1), on=self)
        follow_zoom(self, BatchPage._fit)

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """The parts of the page to which F6 goes as to panes."""
        return self.answer, self._tab_row, *self._sheets

    def show_picture(self, picture: BatchPicture | None) -> None:
        """Show what is known of all traces; None while nothing is."""
        grouped = None if picture is None else picture.grouped
        self._groups, self._group = () if grouped is None else grouped.groups, None
        for sheet in self._sheets:
            sheet.show_picture(picture)

    def set_group(self, listed: int | None) -> None:
        """Mark the group that the list shows, given as in a wish; a single trace stays marked."""
        if listed != self._listed(self._group):
            group = listed - 1 if listed else None
            self._mark(group if self._listed(group) == listed else None)

    def _fit(self) -> None:
        """Show one sheet at a time under tabs where there is no room for four."""
        narrow = self.width() < scale(_LEAST_OF_FOUR, self.fontMetrics())
        # the layout squeezes a page that it is about to hide
        if self.isVisible() and narrow == self._tab_row.isHidden():
            self._tab_row.setVisible(narrow)
            self.answer.set_narrow(narrow=narrow)
            self._summary.columns.set_wide(wide=not narrow)
            self._desk.narrow = narrow

    def _wish(self, wish: Wish) -> None:
        """Emit a wish; a wish for a group also marks the group on both sheets that show it."""
        if wish.do is Do.TAKE_GROUP:
            self._mark(wish.of)
            wish = Wish(Do.TAKE_GROUP, self._listed(wish.of))
        self.wished.emit(wish)

    def _mark(self, group: int | None) -> None:
        self._group = group
        self._map.set_group(group)
        self._by_group.set_group(group)

    def _listed(self, group: int | None) -> int | None:
        """A group as the list numbers it: from 1, or ``ALONE``; None for no group."""
        if group is None or group >= len(self._groups):
            return None
        return group + 1 if len(self._groups[group].members) > 1 else ALONE

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.wished.emit(Wish(Do.SEE, of=True))

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.wished.emit(Wish(Do.SEE, of=False))


class ChosenPage(QWidget):
    """Several selected rows: their number, their states, and what can be done with them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(say("Rows chosen"))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._title, self._states = Label("", TextRole.TITLE), ElidedLabel("", second=True)
        self.compare_button = PushButton(say("Compare"), icon=IconName.COMPARE, primary=True)
        self.batch_button = PushButton(say("Show Batch"))
        mark, score, gap = ColumnWidth(22), ColumnWidth(64, fits=True), ColumnWidth(12)
        columns = (mark, score, gap, ColumnWidth(80, stretch=True))
        few, name = Few(_FIRST_CHOSEN, 3, _CHOSEN), say("Chosen traces")
        self.table = FigureTable(columns, name=name, head_height=0, few=few)
        self._rows: dict[int, tuple[Document, str, Row]] = {}
        buttons = in_row(self.compare_button, self.batch_button, None, spacing=_GAP)
        parts = (self._title, self._states, buttons, self.table)
        in_column((scrolled(*parts, top=_SIDE, spacing=_GAP), 1), on=self)

    def show_documents(self, documents: Sequence[Document]) -> None:
        """Show these rows, perhaps thousands; only those are made that are not shown already."""
        count = len(documents)
        self._title.setText(say_count("{number} row chosen", "{number} rows chosen", count))
        states = Counter(one.state for one in documents)
        self._states.setText(say_list(one.counted(states[one]) for one in State if states[one]))
        self.compare_button.setVisible(count == _PAIR)
        before, self._rows = self._rows, {}
        for document, called in zip(documents, names_of(documents), strict=True):
            made = before.get(document.number)
            if made is None or made[0] is not document or made[1] != called:
                made = document, called, _chosen_row(TraceRow(document, called))
            self._rows[document.number] = made
        self.table.set_rows([row for _, _, row in self._rows.values()])


def _chosen_row(shown: TraceRow) -> Row:
    score, name = FigureCell(shown.score_text, figure=True), name_cell(shown.name)
    mark = replace(trace_cells(shown)[0], said=shown.state_words)
    return Row((mark, score, FigureCell(), name), _CHOSEN, wish=shown.document.number)


class BatchHeader(Header):
    """The answer for all traces, below it facts or the progress, and buttons at the right."""

    def __init__(self, buttons: Sequence[PushButton], wish: Tell) -> None:
        super().__init__()
        self._buttons = {button: button.text() for button in buttons}
        self.setAccessibleName(say("Answer for all traces"))
        sized(self, QWidget.setFixedHeight, _HEADER_HEIGHT)
        self._title = ElidedLabel("", TextRole.TITLE)
        self._facts = ElidedLabel("", second=True)
        self._words = Label("", second=True)
        self._bar = ProgressBar(self)
        self._stop = FlatButton(text=say("Stop"), link=True)
        self._stop.setAccessibleName(say("Stop comparing and planning"))
        self._stop.clicked.connect(lambda: wish(Wish(Do.STOP)))
        self._resume = FlatButton(text=say("Go On"), link=True)
        self._resume.setAccessibleName(say("Go on comparing and planning"))
        self._resume.clicked.connect(lambda: wish(Wish(Do.RESUME)))
        shown = (self._words, self._bar, self._stop, self._resume)
        below = in_row((self._facts, 1000), *shown, None, margins=None, spacing=_GAP)
        words = in_column(None, self._title, below, None, margins=None, spacing=_LINE_GAP)
        in_row((words, 1), *buttons, on=self, margins=(_SIDE, 0, _SIDE, 0), spacing=_GAP)
        self.set_progress(None)

    def set_narrow(self, *, narrow: bool) -> None:
        """Leave the words of the buttons out, or show them; the answer takes their room."""
        for button, words in self._buttons.items():
            button.setAccessibleName(words)
            button.setText("" if narrow else words)

    def set_answer(self, title: str, facts: str) -> None:
        """Set the answer, and the facts below it."""
        self._title.setText(title)
        self._facts.setText(facts)

    def set_progress(self, progress: BatchProgress | None, stopped: str = "") -> None:
        """Show the progress in place of the facts; None if nothing is being done.

        ``stopped``: why the work ended before all was found; "" if it did not.
        """
        held = self._stop.hasFocus() or self._resume.hasFocus()
        self._facts.setVisible(progress is None and not stopped)
        self._words.setVisible(progress is not None or bool(stopped))
        self._bar.setVisible(progress is not None and progress.total > 0)
        self._stop.setVisible(progress is not None)
        self._resume.setVisible(bool(stopped))
        self._words.setText(stopped)
        if progress is not None:
            self._words.setText(_progress_words(progress))
            self._bar.setRange(0, max(1, progress.total))
            self._bar.setValue(progress.done)
        if held and (self._stop.isVisible() or self._resume.isVisible()):
            (self._resume if stopped else self._stop).setFocus()


def _progress_words(progress: BatchProgress) -> str:
    done, total = shown_count(progress.done), shown_count(progress.total)
    match progress.stage:
        case Stage.SUMMARY:
            return say("Summing up, {done} of {total}", done=done, total=total)
        case Stage.COMPARING:
            return say("Comparing, {done} of {total}", done=done, total=total)
        case Stage.GROUPING:
            return say("Finding groups…")
    return say("Planning…")


class _Desk(QWidget):
    """The four sheets with gutters between them; while ``narrow``, only the current one."""

    def __init__(self, sheets: Sequence[QWidget], tabs: PaneTabs) -> None:
        super().__init__()
        self._sheets, self._tabs, self.narrow = sheets, tabs, False
        self.setBackgroundRole(QPalette.ColorRole.Window)
        self.setAutoFillBackground(True)
        for sheet in sheets:
            sheet.setParent(self)
        tabs.currentChanged.connect(self._place)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        for number, (sheet, room) in enumerate(zip(self._sheets, self._rooms(), strict=True)):
            sheet.setGeometry(room)
            sheet.setVisible(not self.narrow or number == self._tabs.currentIndex())

    def _rooms(self) -> tuple[QRect, ...]:
        width, height, metrics = self.width(), self.height(), self.fontMetrics()
        if self.narrow:
            return (self.rect(),) * len(self._sheets)
        left = min(scale(_SUMMARY_WIDTH, metrics), width * _SUMMARY_WIDTH // _WIDE)
        upper = min(scale(_UPPER_HEIGHT, metrics), (height - GUTTER) * 2 // 3)
        right, lower = width - left - GUTTER, height - upper - GUTTER
        x, y = left + GUTTER, upper + GUTTER
        return (
            QRect(0, 0, left, upper),
            QRect(x, 0, right, upper),
            QRect(0, y, left, lower),
            QRect(x, y, right, lower),
        )
