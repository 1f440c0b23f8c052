"""The commands of the View menu: which panes and tabs are shown, and the zoom."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabBar
from typing_extensions import override

from kpinspector.ui.actions.command_names import Command
from kpinspector.ui.look.theme import (
    LEAST_ZOOM,
    MOST_ZOOM,
    USUAL_ZOOM,
    bounded_zoom,
    set_zoom,
    zoom_of,
)
from kpinspector.ui.window.layout import HideablePane, WindowLayout
from kpinspector.ui.window.score_panel import ScorePanel

_STEP = 10
_NOTCH = 120  # how far a wheel turns from one notch to the next
_SHOWN = {
    Command.SHOW_TRACES: HideablePane.TRACES,
    Command.SHOW_STEP: HideablePane.STEP,
    Command.SHOW_SCORE: HideablePane.SCORE,
}
_REVEALED = {Command.FILTER: HideablePane.TRACES, Command.WHAT_IF: HideablePane.SCORE}
"""Commands whose pane is shown first."""
_TABS = (Command.NEXT_TAB, Command.PREVIOUS_TAB, Command.WHY, Command.NEIGHBOURS, Command.SHARING)


class ViewCommands(QObject):
    """Connects the actions of the View menu, and those that go to a tab, to the layout."""

    zoomed = Signal()

    def __init__(
        self,
        actions: Mapping[Command, QAction],
        window: QMainWindow,
        layout: WindowLayout,
        score: ScorePanel,
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._layout = layout
        self._score = score
        self._turned = 0
        self._listening = False
        layout.changed.connect(self._show_parts)
        for command, part in _SHOWN.items():
            actions[command].triggered.connect(
                lambda shown, part=part: layout.set_part_shown(part, shown=shown)
            )
        for command, part in _REVEALED.items():
            actions[command].triggered.connect(partial(self._reveal, part))
        for command, slot in {
            Command.ZOOM_IN: partial(self._zoom_by, _STEP),
            Command.ZOOM_OUT: partial(self._zoom_by, -_STEP),
            Command.ACTUAL_SIZE: partial(self.zoom_to, USUAL_ZOOM),
            Command.NEXT_TAB: partial(self._go_to_tab, 1),
            Command.PREVIOUS_TAB: partial(self._go_to_tab, -1),
            Command.WHY: self._in_score(score.show_why),
            Command.NEIGHBOURS: self._in_score(score.show_neighbours),
            Command.SHARING: self._in_score(score.show_sharing),
        }.items():
            actions[command].triggered.connect(lambda _=False, slot=slot: slot())
        window.installEventFilter(self)
        self._show_parts()
        self._show_zoom()

    def set_open(self, *, rows: bool) -> None:
        """Whether there are rows, whose panes could be hidden."""
        for command in (*_SHOWN, *_TABS):
            self._actions[command].setEnabled(rows)

    @property
    def zoom(self) -> int:
        """The zoom in per cent."""
        return zoom_of(_application())

    def zoom_to(self, percent: int) -> None:
        """Set the zoom in per cent, within its bounds."""
        app, percent = _application(), bounded_zoom(percent)
        if percent != zoom_of(app):
            set_zoom(app, percent)
            self._layout.follow_zoom()
            self.zoomed.emit()
        self._show_zoom()

    def _zoom_by(self, step: int) -> None:
        self.zoom_to(self.zoom + step)

    def _show_zoom(self) -> None:
        percent = self.zoom
        self._actions[Command.ZOOM_IN].setEnabled(percent < MOST_ZOOM)
        self._actions[Command.ZOOM_OUT].setEnabled(percent > LEAST_ZOOM)
        self._actions[Command.ACTUAL_SIZE].setEnabled(percent != USUAL_ZOOM)

    def _show_parts(self) -> None:
        for command, part in _SHOWN.items():
            self._actions[command].setChecked(part not in self._layout.hidden)

    def _reveal(self, part: HideablePane) -> None:
        if part is HideablePane.SCORE:
            self._layout.set_together(None)
        self._layout.set_part_shown(part, shown=True)

    def _in_score(self, show: Callable[[], None]) -> Callable[[], None]:
        def go() -> None:
            self._reveal(HideablePane.SCORE)
            show()

        return go

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
            app = _application()
            (app.installEventFilter if on else app.removeEventFilter)(self)

    def _turn(self, by: int) -> None:
        self._turned += by
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        if notches:
            self._zoom_by(notches * _STEP)


def _application() -> QApplication:
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise TypeError("a window needs an application")
    return app
