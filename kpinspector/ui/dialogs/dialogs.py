"""Opens the dialogs of the window, never in a nested event loop."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QDir, QObject, Qt
from PySide6.QtGui import QAction, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QMessageBox,
    QSpacerItem,
    QWidget,
)

from kpinspector.app.engine import Statement
from kpinspector.app.session import Session
from kpinspector.runs.read import RunRecord
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.base import PushButton
from kpinspector.ui.dialogs.help import AboutDialog, HelpWindow, KeysDialog, page_of
from kpinspector.ui.dialogs.memory_dialog import MemoryDialog
from kpinspector.ui.dialogs.outcome_dialog import OutcomeDialog
from kpinspector.ui.dialogs.settings_dialog import SettingsDialog
from kpinspector.ui.look.theme import scale
from kpinspector.ui.parts.sections import PADDING, RING_ROOM
from kpinspector.words.say import say

_Dialog = TypeVar("_Dialog", bound=QDialog)


class Dialogs(QObject):
    """Opens dialogs over a window, one of each kind, and joins them to the session."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._window = window

    def ask_files(self) -> None:
        """Ask which files to open."""
        traces = say("Traces and recordings (*.json *.jsonl *.ndjson *.gz *.eval *.traj *.db)")
        dialog = self._ask_for(say("Open Traces"), QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([traces, say("All files (*)")])
        _open(dialog)

    def ask_folder(self) -> None:
        """Ask which folder to open."""
        _open(self._ask_for(say("Open Folder"), QFileDialog.FileMode.Directory))

    def _ask_for(self, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
        """A dialog that opens files or folders, the hidden ones too: there agents keep sessions."""
        dialog = self._ask(title, "open")
        dialog.setFileMode(mode)
        dialog.setFilter(dialog.filter() | QDir.Filter.Hidden)
        dialog.filesSelected.connect(self._session.opener.open)
        return dialog

    def _ask(self, title: str, what: str) -> QFileDialog:
        """A dialog that starts where one was last that opens or saves; none yet: that opens."""
        history = self._session.history
        folders = history.state.folders
        dialog = QFileDialog(self._window, title, folders.get(what, folders.get("open", "")))

        def keep_folder(paths: Sequence[str]) -> None:
            folder = str(Path(paths[0]).parent)
            history.keep(folders=history.state.folders | {what: folder})

        dialog.filesSelected.connect(keep_folder)
        return dialog

    def ask_where(
        self, title: str, kinds: Mapping[str, str], name: str, write: Callable[[Path], object]
    ) -> None:
        """Ask where to write something, in one of these kinds; each has its suffix.

        ``name`` is what the file is called at first, without a suffix.
        """
        dialog = self._ask(title, "save")
        suffix = next(iter(kinds.values()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        dialog.setNameFilters([*kinds])
        dialog.selectFile(f"{name}{suffix}")
        dialog.filterSelected.connect(lambda one: dialog.setDefaultSuffix(kinds[one]))
        dialog.fileSelected.connect(lambda path: write(Path(path)))
        _open(dialog)

    def ask_outcome(
        self, runs: Sequence[RunRecord], name: str, state: Callable[[Statement], None]
    ) -> None:
        """Ask how these runs ended; an open dialog of this kind is closed."""
        before = self._found(OutcomeDialog)
        if before is not None:
            before.close()
        _show(OutcomeDialog(runs, name, self._window, state))

    def confirm_clearing(self) -> None:
        """Ask whether to forget everything."""
        box = QMessageBox(self._found(MemoryDialog) or self._window)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle(say("Clear Memory"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setBackgroundRole(QPalette.ColorRole.Base)
        box.setAutoFillBackground(True)
        box.setText(say("Forget every trace that was scored?"))
        box.setInformativeText(
            say("New traces are then compared with nothing. This cannot be taken back.")
        )
        clear = PushButton(say("Clear Memory"), box)
        keep = PushButton(say("Cancel"), box)
        box.addButton(clear, QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(keep, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        for buttons in box.findChildren(QDialogButtonBox):
            buttons.setContentsMargins(RING_ROOM, RING_ROOM, RING_ROOM, RING_ROOM)
        grid = box.layout()
        if isinstance(grid, QGridLayout):
            side = scale(PADDING, box.fontMetrics())
            grid.setContentsMargins(side, side, side - RING_ROOM, side - RING_ROOM)
            indent = grid.itemAtPosition(0, 0)
            if isinstance(indent, QSpacerItem):
                indent.changeSize(0, 0)
        clear.clicked.connect(self._session.memory.clear)
        _open(box)

    def show_settings(self) -> None:
        """Show the settings; choices take effect once they are applied."""
        dialog, session = self._found(SettingsDialog), self._session
        if dialog is None:
            dialog = SettingsDialog(session.settings, self._window)
            dialog.settings_chosen.connect(session.apply_settings)
            session.settings_changed.connect(dialog.set_settings)
        _show(dialog)

    def show_memory(self) -> None:
        """Show the memory; the dialog asks for listings while it is open."""
        dialog, memory = self._found(MemoryDialog), self._session.memory
        if dialog is None:
            dialog = MemoryDialog(self._window)
            dialog.listing_wanted.connect(memory.list_all)
            dialog.forgetting_chosen.connect(memory.forget_keys)
            dialog.clearing_wanted.connect(self.confirm_clearing)
            memory.listed.connect(dialog.set_listing)
            memory.changed.connect(dialog.set_state)
            if memory.state is not None:
                dialog.set_state(memory.state)
        _show(dialog)

    def show_help(self) -> None:
        """Show the page of the pane that has the focus."""
        help_window = self._found(HelpWindow) or HelpWindow(self._window)
        help_window.show_page(page_of(self._window.focusWidget()))
        _show(help_window)

    def show_keys(self, actions: Mapping[Command, QAction]) -> None:
        """Show every key and its command."""
        _show(self._found(KeysDialog) or KeysDialog(actions, self._window))

    def show_about(self) -> None:
        """Show versions and licences."""
        _show(self._found(AboutDialog) or AboutDialog(self._window))

    def _found(self, kind: type[_Dialog]) -> _Dialog | None:
        """The open dialog of a kind, if there is one."""
        return next((one for one in self._window.findChildren(kind) if one.isVisible()), None)


def _show(dialog: QDialog) -> None:
    dialog.show()
    dialog.activateWindow()


def _open(dialog: QFileDialog | QMessageBox) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
