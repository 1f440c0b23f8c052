"""The Batch page: the answer for all open traces, and four sheets below it."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QHideEvent, QPalette, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from kpinspector.app.batches import BatchPicture, BatchProgress, Stage
from kpinspector.batch.groups import TraceGroup
from kpinspector.ui.batch.group_sheet import GroupSheet
from kpinspector.ui.batch.map_sheet import MapSheet
from kpinspector.ui.batch.plan_sheet import PlanSheet
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
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import TextRole, scale, sized
from kpinspector.ui.parts.sections import Header
from kpinspector.ui.traces.trace_row import ALONE
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

_HEADER_HEIGHT = 58
_SIDE, _GAP = 16, 8
_TAB_INSET = 4
_LINE_GAP = 4
_SUMMARY_WIDTH, _UPPER_HEIGHT = 548, 402
_WIDE = 1082


class BatchPage(QWidget):
    """Takes a picture; tells wishes by signals, those on traces by their indices in it."""

    seen = Signal(bool)
    """It came to be seen, or is not seen any more."""
    filter_wanted = Signal(str)
    """The text of a filter of the list."""
    group_wanted = Signal(object)
    """The group that the list is to show, from 1, or ``ALONE``; None for all."""
    stop_wanted = Signal()
    resume_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(say("Batch"))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self._groups: Sequence[TraceGroup] = ()
        self._group: int | None = None
        self.summary, self.map = SummarySheet(), MapSheet()
        self.groups, self.plan = GroupSheet(), PlanSheet()
        self.summary.filter_wanted.connect(self.filter_wanted)
        self.map.group_chosen.connect(self._on_group_chosen)
        self.groups.group_chosen.connect(self._on_group_chosen)
        self.export_button = PushButton(say("Export Summary…"), icon=IconName.EXPORT)
        self.save_button = PushButton(say("Save the Plan…"), icon=IconName.DOWNLOAD)
        self._header = _Answer((self.export_button, self.save_button))
        self._header.stop.clicked.connect(self.stop_wanted)
        self._header.resume.clicked.connect(self.resume_wanted)
        self._tabs = PaneTabs(say("Sheets of the batch"))
        titles = (say("Summary"), say("Map"), say("Groups"), say("Plan"))
        for sheet, title in zip(self.sheets, titles, strict=True):
            self._tabs.addTab(title)
            sheet.setAccessibleName(title)
        self._sheets = _Sheets(self.sheets)
        self._tabs.currentChanged.connect(self._sheets.set_current)
        self._tab_row = Header()
        in_row(
            self._tabs, None, on=self._tab_row, margins=(_TAB_INSET, 0, _TAB_INSET, 0), spacing=None
        )
        self._tab_row.hide()
        in_column(self._header, self._tab_row, (self._sheets, 1), on=self)

    @property
    def sheets(self) -> tuple[SummarySheet, MapSheet, GroupSheet, PlanSheet]:
        """Summary, map, groups and plan."""
        return self.summary, self.map, self.groups, self.plan

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """What the keys go to as panes."""
        return self._header, self._tab_row, *self.sheets

    def set_picture(
        self,
        picture: BatchPicture | None,
        kept: frozenset[int] = frozenset(),
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        """Show what is known; ``kept`` and ``left_out`` are numbers of rows."""
        grouped = None if picture is None else picture.grouped
        self._groups, self._group = () if grouped is None else grouped.groups, None
        self.summary.set_picture(picture)
        self.map.set_picture(picture)
        self.groups.set_picture(picture)
        self.plan.set_picture(picture, kept, left_out)

    def set_group(self, listed: int | None) -> None:
        """Mark the group that the list shows, as in ``group_wanted``; one of those alone stays."""
        if listed != self._listed(self._group):
            group = listed - 1 if listed else None
            known = self._listed(group) == listed
            self._mark(group if known else None)

    def set_answer(self, title: str, facts: str) -> None:
        """Set the answer, and the facts below it."""
        self._header.set_answer(title, facts)

    def set_progress(self, progress: BatchProgress | None, stopped: str = "") -> None:
        """Show how far it has come, in place of the facts; None for nothing to be done.

        ``stopped``: why it ended before all was found, if it did.
        """
        self._header.set_progress(progress, stopped)

    def set_narrow(self, *, narrow: bool) -> None:
        """Show one sheet at a time under tabs."""
        self._tab_row.setVisible(narrow)
        self._header.set_narrow(narrow=narrow)
        for sheet in (self.summary, self.map, self.groups):
            sheet.set_narrow(narrow=narrow)
        self._sheets.set_narrow(narrow=narrow)

    def _on_group_chosen(self, group: int | None) -> None:
        self._mark(group)
        self.group_wanted.emit(self._listed(group))

    def _mark(self, group: int | None) -> None:
        """Mark a group on both sheets."""
        self._group = group
        self.map.set_group(group)
        self.groups.set_group(group)

    def _listed(self, group: int | None) -> int | None:
        """What the list calls a group."""
        if group is None or group >= len(self._groups):
            return None
        return group + 1 if len(self._groups[group].members) > 1 else ALONE

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.seen.emit(True)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.seen.emit(False)


class _Answer(Header):
    """The answer, the facts below it or how far the work has come, and the buttons."""

    def __init__(self, buttons: Sequence[PushButton]) -> None:
        super().__init__()
        self._buttons = {button: button.text() for button in buttons}
        self.setAccessibleName(say("Answer for all traces"))
        sized(self, QWidget.setFixedHeight, _HEADER_HEIGHT)
        self._title = ElidedLabel("", TextRole.TITLE)
        self._facts = ElidedLabel("", second=True)
        self._words = Label("", second=True)
        self._bar = ProgressBar(self)
        self.stop = FlatButton(text=say("Stop"), link=True)
        self.stop.setAccessibleName(say("Stop comparing and planning"))
        self.resume = FlatButton(text=say("Go On"), link=True)
        self.resume.setAccessibleName(say("Go on comparing and planning"))
        below = QHBoxLayout()
        below.setSpacing(_GAP)
        for part in (self._facts, self._words, self._bar, self.stop, self.resume):
            below.addWidget(part)
        below.addStretch(1)
        below.setStretchFactor(self._facts, 1000)
        words = in_column(None, self._title, below, None, margins=None, spacing=_LINE_GAP)
        in_row((words, 1), *buttons, on=self, margins=(_SIDE, 0, _SIDE, 0), spacing=_GAP)
        self.set_progress(None, "")

    def set_narrow(self, *, narrow: bool) -> None:
        """The words on the buttons give way to the answer."""
        for button, words in self._buttons.items():
            button.setAccessibleName(words)
            button.setText("" if narrow else words)

    def set_answer(self, title: str, facts: str) -> None:
        self._title.setText(title)
        self._facts.setText(facts)

    def set_progress(self, progress: BatchProgress | None, stopped: str) -> None:
        held = self.stop.hasFocus() or self.resume.hasFocus()
        self._facts.setVisible(progress is None and not stopped)
        self._words.setVisible(progress is not None or bool(stopped))
        self._bar.setVisible(progress is not None and progress.total > 0)
        self.stop.setVisible(progress is not None)
        self.resume.setVisible(bool(stopped))
        self._words.setText(stopped)
        if progress is not None:
            self._words.setText(_progress_words(progress))
            self._bar.setRange(0, max(1, progress.total))
            self._bar.setValue(progress.done)
        if held and (self.stop.isVisible() or self.resume.isVisible()):
            (self.resume if stopped else self.stop).setFocus()


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


class _Sheets(QWidget):
    """Four sheets on the desk with gutters between them, or one of them."""

    def __init__(self, sheets: Sequence[QWidget]) -> None:
        super().__init__()
        self._sheets = tuple(sheets)
        self._narrow, self._current = False, 0
        self.setBackgroundRole(QPalette.ColorRole.Window)
        self.setAutoFillBackground(True)
        for sheet in sheets:
            sheet.setParent(self)
            sheet.setBackgroundRole(QPalette.ColorRole.Base)
            sheet.setAutoFillBackground(True)

    def set_narrow(self, *, narrow: bool) -> None:
        self._narrow = narrow
        self._place()

    def set_current(self, current: int) -> None:
        self._current = current
        self._place()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        for number, (sheet, room) in enumerate(zip(self._sheets, self._rooms(), strict=True)):
            sheet.setGeometry(room)
            sheet.setVisible(not self._narrow or number == self._current)

    def _rooms(self) -> tuple[QRect, ...]:
        width, height, metrics = self.width(), self.height(), self.fontMetrics()
        if self._narrow:
            return (self.rect(),) * len(self._sheets)
        left = scale(_SUMMARY_WIDTH, metrics)
        left = min(left, width * _SUMMARY_WIDTH // _WIDE)
        upper = min(scale(_UPPER_HEIGHT, metrics), (height - GUTTER) * 2 // 3)
        right, lower = width - left - GUTTER, height - upper - GUTTER
        x, y = left + GUTTER, upper + GUTTER
        return (
            QRect(0, 0, left, upper),
            QRect(x, 0, right, upper),
            QRect(0, y, left, lower),
            QRect(x, y, right, lower),
        )
