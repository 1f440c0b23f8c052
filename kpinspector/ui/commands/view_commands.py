"""The commands of the View and Go menus: which panes, tabs and rows are shown, and the zoom."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QTabBar
from typing_extensions import override

from kpinspector.ui.actions.actions import connect, enable
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands import Desk, Part
from kpinspector.ui.look.theme import (
    LEAST_ZOOM,
    MOST_ZOOM,
    USUAL_ZOOM,
    application,
    bounded_zoom,
    set_zoom,
    zoom_of,
)
from kpinspector.ui.window.layout import HideablePane
from kpinspector.ui.window.score_panel import Tab

_STEP = 10
_NOTCH = 120  # how far a wheel turns from one notch to the next
_SHOWN = {
    Command.SHOW_TRACES: HideablePane.TRACES,
    Command.SHOW_STEP: HideablePane.STEP,
    Command.SHOW_SCORE: HideablePane.SCORE,
}
_TABS = (Command.WHY, Command.WHAT_IF, Command.NEIGHBOURS, Command.SHARING)
_REVEALED = {Command.FILTER: HideablePane.TRACES, **dict.fromkeys(_TABS, HideablePane.SCORE)}
"""Commands whose pane is shown first."""
_OF_ROWS = {*_SHOWN, *_TABS, Command.NEXT_TAB, Command.PREVIOUS_TAB} - {Command.WHAT_IF}
"""Commands for panes that are there only with rows."""


class ViewCommands(Part):
    """Connects the actions of the View and Go menus to the panes and their layout."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._score, traces = self._panes.score, self._panes.traces
        self._turned = 0
        self._listening = False
        self._layout.changed.connect(self._show_parts)
        for command, part in _SHOWN.items():
            self._actions[command].triggered.connect(
                lambda shown, part=part: self._layout.set_part_shown(part, shown=shown)
            )
        for command, part in _REVEALED.items():  # before anything else that they do
            self._actions[command].triggered.connect(lambda _, part=part: self._reveal(part))
        slots: dict[Command, Callable[..., object]] = {
            Command.FILTER: traces.focus_filter,
            Command.ZOOM_IN: lambda: self.zoom_to(self.zoom + _STEP),
            Command.ZOOM_OUT: lambda: self.zoom_to(self.zoom - _STEP),
            Command.ACTUAL_SIZE: lambda: self.zoom_to(USUAL_ZOOM),
            Command.NEXT_TAB: lambda: self._go_to_tab(1),
            Command.PREVIOUS_TAB: lambda: self._go_to_tab(-1),
            Command.PREVIOUS: lambda: traces.table.go(-1),
            Command.NEXT: lambda: traces.table.go(1),
            Command.QUIT: desk.window.close,
            Command.RESTORE_LAYOUT: self._restore_default,
            Command.NEXT_PANE: lambda: self._layout.go_to_pane(1),
            Command.PREVIOUS_PANE: lambda: self._layout.go_to_pane(-1),
        }
        for command, tab in zip(_TABS, Tab, strict=True):
            slots[command] = lambda _, tab=tab: self._score.show_tab(tab)
        connect(self._actions, slots)
        desk.window.installEventFilter(self)
        self._show_parts()
        self._show_zoom()

    def set_open(self, *, rows: bool) -> None:
        """Whether there are rows, whose panes could be hidden."""
        enable(self._actions, dict.fromkeys(_OF_ROWS, rows))

    @property
    def zoom(self) -> int:
        """The zoom in per cent."""
        return zoom_of(application())

    def zoom_to(self, percent: int) -> None:
        """Set the zoom in per cent, within its bounds."""
        app, percent = application(), bounded_zoom(percent)
        if percent != zoom_of(app):
            set_zoom(app, percent)
            self._layout.follow_zoom()
        self._show_zoom()

    def _show_zoom(self) -> None:
        percent = self.zoom
        holds = {
            Command.ZOOM_IN: percent < MOST_ZOOM,
            Command.ZOOM_OUT: percent > LEAST_ZOOM,
            Command.ACTUAL_SIZE: percent != USUAL_ZOOM,
        }
        enable(self._actions, holds)

    def _show_parts(self) -> None:
        for command, part in _SHOWN.items():
            self._actions[command].setChecked(part not in self._layout.hidden)

    def _reveal(self, part: HideablePane) -> None:
        if part is HideablePane.SCORE:
            self._layout.set_together(None)
        self._layout.set_part_shown(part, shown=True)

    def _restore_default(self) -> None:
        self._layout.restore_default()
        self._panes.traces.table.header.reset_columns()

    def _go_to_tab(self, by: int) -> None:
        """Go to the next visible tab, and from the last to the first."""
        self._reveal(HideablePane.SCORE)
        tabs: QTabBar = self._score.tabs
        seen = [n for n in range(tabs.count()) if tabs.isTabVisible(n) and tabs.isTabEnabled(n)]
        if seen:
            here = seen.index(tabs.currentIndex()) if tabs.currentIndex() in seen else 0
            tabs.setCurrentIndex(seen[(here + by) % len(seen)])

    # the wheel with Ctrl

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the wheel anywhere in the window, but only while Ctrl is down."""
        kind = event.type()
        if kind == QEvent.Type.Wheel and self._listening and isinstance(event, QWheelEvent):
            if event.modifiers() == Qt.KeyboardModifier.ControlModifier:
                self._turn(event.angleDelta().y())
                return True
            self._listen(on=False)
        elif kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Control:
                self._listen(on=kind == QEvent.Type.KeyPress)
        elif kind == QEvent.Type.WindowDeactivate:
            self._listen(on=False)
        return False

    def _listen(self, *, on: bool) -> None:
        if on != self._listening:
            self._listening, self._turned = on, 0
            app = application()
            (app.installEventFilter if on else app.removeEventFilter)(self)

    def _turn(self, by: int) -> None:
        self._turned += by
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        if notches:
            self.zoom_to(self.zoom + notches * _STEP)
