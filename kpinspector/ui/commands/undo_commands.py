"""Undo and redo: of the list, its rules, what is stated of its runs, and the current what-if."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Slot
from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QApplication

from kpinspector.app.documents import Removed
from kpinspector.app.judging import Rules
from kpinspector.app.outcomes import Statement
from kpinspector.ui.actions.actions import connect
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands.desk import Desk, Part
from kpinspector.ui.commands.whatif_commands import ValueChange, WhatIfHistory
from kpinspector.words.say import say

_MOST_CHANGES = 20  # a removal holds its rows


class UndoCommands(Part):
    """Undo works on the list while it has the focus, else on what-if.

    Where one of them has nothing to undo, the other is used.
    """

    def __init__(self, desk: Desk, history: WhatIfHistory) -> None:
        super().__init__(desk)
        self._traces, self._history = self._panes.traces, history
        self._changes = QUndoStack(self)
        self._changes.setUndoLimit(_MOST_CHANGES)
        self._changes.indexChanged.connect(self._show)
        history.indexChanged.connect(self._show)
        self._frame.tools.rules_chosen.connect(self.judge)
        self._traces.histogram.threshold_chosen.connect(self._judge_by)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        slots: dict[Command, Callable[..., None]] = {
            Command.UNDO: lambda _: self._stacks("canUndo")[0].undo(),
            Command.REDO: lambda _: self._stacks("canRedo")[0].redo(),
            # what is being read comes back with the rows
            Command.CLOSE_ALL: lambda: self._push(self._session.close_all, say("Close All")),
        }
        connect(self._actions, slots)
        self._show()

    def remove(self, numbers: Sequence[int], text: str) -> None:
        """Take rows off the list; ``text`` says so in the menu."""
        if numbers:
            self._push(partial(self._session.remove, tuple(numbers)), text)

    def state(self, numbers: Sequence[int], statement: Statement, text: str) -> None:
        """State something of the runs among these rows; undoing restates each as it was."""
        outcomes, rows = self._session.outcomes, map(self._session.store.get, numbers)
        before = {
            row.number: Statement(row.run.imported.stated)
            for row in rows
            if row is not None and row.run is not None
        }

        def put(stated: bool) -> None:  # noqa: FBT001
            if stated:
                outcomes.state(tuple(before), statement)
                return
            for number, was in before.items():
                outcomes.state((number,), was)

        self._changes.push(ValueChange(put, (False, True), text))

    @Slot(object)
    def judge(self, rules: Rules, gesture: int = 0) -> None:
        """Judge all rows by other rules; those of one gesture are one change, save 0."""
        store, before = self._session.store, self._session.store.rules
        if rules != before:
            moved = rules.threshold != before.threshold
            words = say("Threshold") if moved else say("Profile")
            self._changes.push(ValueChange(store.judge, (before, rules), words, gesture))

    def _judge_by(self, threshold: float, gesture: int) -> None:
        self.judge(replace(self._session.store.rules, threshold=threshold), gesture)

    def _push(self, remove: Callable[[], Removed], text: str) -> None:
        """Remove rows; undoing puts them back in their places, selected as before."""
        session, traces, removed = self._session, self._traces, Removed()
        current = session.store.current
        shown = None if current is None else current.number
        selected = tuple(one.number for one in traces.table.selected_documents())

        def put(gone: bool) -> None:  # noqa: FBT001
            nonlocal removed
            if gone:
                removed = remove()
                return
            session.put_back(removed)
            removed = Removed()
            if shown is not None:
                traces.show_row(shown)
            traces.table.select(selected)

        self._changes.push(ValueChange(put, (False, True), text))
        traces.table.setFocus()

    def _stacks(self, can: str) -> list[QUndoStack | WhatIfHistory]:
        """Those that can do it, the one before the other that it works on."""
        stacks: list[QUndoStack | WhatIfHistory] = [self._history, self._changes]
        focus = QApplication.focusWidget()
        if focus is not None and self._traces.isAncestorOf(focus):
            stacks.reverse()
        return [one for one in stacks if getattr(one, can)()]

    def _on_focus_changed(self) -> None:
        if QApplication.focusWidget() is not None:  # a window that ends loses it after its parts
            self._show()

    def _show(self) -> None:
        undo = [one.undoText() for one in self._stacks("canUndo")]
        redo = [one.redoText() for one in self._stacks("canRedo")]
        words = {Command.UNDO: (say("&Undo"), undo), Command.REDO: (say("Red&o"), redo)}
        for command, (start, found) in words.items():
            done = found[0].replace("&", "&&") if found else ""
            text = say("{command}: {what}", command=start, what=done) if done else start
            self._actions[command].setText(text)
            self._actions[command].setEnabled(bool(found))
