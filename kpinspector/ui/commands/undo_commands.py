"""Undo and redo: of the list, its rules, what is stated of its runs, and the current what-if."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from kpinspector.app.documents import Removed
from kpinspector.app.judging import Rules
from kpinspector.app.outcomes import Statement
from kpinspector.ui.actions.actions import connect
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands.desk import Desk
from kpinspector.ui.commands.whatif_commands import ValueChange, WhatIfHistory
from kpinspector.words.say import say

_MOST_CHANGES = 20  # a removal holds its rows


class _Change(QUndoCommand):
    """Does something, and takes it back."""

    def __init__(self, text: str, do: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(text)
        self._do, self._undo = do, undo

    @override
    def redo(self) -> None:
        self._do()

    @override
    def undo(self) -> None:
        self._undo()


class UndoCommands(QObject):
    """Undo works on the list while it has the focus, else on what-if.

    Where one of them has nothing to undo, the other is used.
    """

    def __init__(self, desk: Desk, history: WhatIfHistory) -> None:
        super().__init__(desk.window)
        self._actions, self._session, self._traces = desk.actions, desk.session, desk.panes.traces
        self._history = history
        self._changes = QUndoStack(self)
        self._changes.setUndoLimit(_MOST_CHANGES)
        self._changes.indexChanged.connect(self._show)
        history.changed.connect(self._show)
        desk.frame.tools.rules_chosen.connect(self.judge)
        self._traces.histogram.threshold_chosen.connect(self._judge_by)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        slots = {
            Command.UNDO: self._undo,
            Command.REDO: self._redo,
            Command.CLOSE_ALL: self._close_all,
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

        def undo() -> None:
            for number, was in before.items():
                outcomes.state((number,), was)

        self._changes.push(_Change(text, lambda: outcomes.state(tuple(before), statement), undo))

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

    def _close_all(self) -> None:
        """Take all rows off the list; what is being read comes back with them."""
        self._push(self._session.close_all, say("Close All"))

    def _push(self, remove: Callable[[], Removed], text: str) -> None:
        """Remove rows; undoing puts them back in their places, selected as before."""
        session, traces, removed = self._session, self._traces, Removed()
        current = session.store.current
        shown = None if current is None else current.number
        selected = tuple(one.number for one in traces.table.selected_documents())

        def do() -> None:
            nonlocal removed
            removed = remove()

        def undo() -> None:
            nonlocal removed
            session.put_back(removed)
            removed = Removed()
            if shown is not None:
                traces.show_row(shown)
            traces.table.select(selected)

        self._changes.push(_Change(text, do, undo))
        traces.table.setFocus()

    def _undo(self) -> None:
        stack = self._stack(QUndoStack.canUndo)
        if stack is not None:
            stack.undo()

    def _redo(self) -> None:
        stack = self._stack(QUndoStack.canRedo)
        if stack is not None:
            stack.redo()

    def _stack(self, can: Callable[[QUndoStack], bool]) -> QUndoStack | None:
        stacks = [self._history.stack, self._changes]
        focus = QApplication.focusWidget()
        if focus is not None and self._traces.isAncestorOf(focus):
            stacks.reverse()
        return next((one for one in stacks if one is not None and can(one)), None)

    def _on_focus_changed(self) -> None:
        if QApplication.focusWidget() is not None:  # a window that ends loses it after its parts
            self._show()

    def _show(self) -> None:
        undo, redo = self._stack(QUndoStack.canUndo), self._stack(QUndoStack.canRedo)
        words = {
            Command.UNDO: (say("&Undo"), undo, undo and undo.undoText()),
            Command.REDO: (say("Red&o"), redo, redo and redo.redoText()),
        }
        for command, (start, stack, what) in words.items():
            done = what.replace("&", "&&") if what else ""
            text = say("{command}: {what}", command=start, what=done) if what else start
            self._actions[command].setText(text)
            self._actions[command].setEnabled(stack is not None)
