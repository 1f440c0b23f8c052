"""Undo and redo: of the list, its rules, what is stated of its runs, and the current what-if."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from kpinspector.app.documents import DocumentStore, Removed
from kpinspector.app.judging import Rules
from kpinspector.app.outcomes import Statement, stated_of
from kpinspector.app.session import Session
from kpinspector.ui.actions.command_names import Command
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.whatif.whatif_history import WhatIfHistory
from kpinspector.words.say import say

_MOST_CHANGES = 20  # a removal holds its rows


class _Removal(QUndoCommand):
    """Removes rows; undoing puts them back in their places, selected as before."""

    def __init__(
        self, session: Session, traces: TracePane, remove: Callable[[], Removed], text: str
    ) -> None:
        super().__init__(text)
        self._session = session
        self._traces = traces
        self._remove = remove
        self._removed = Removed()
        current = session.store.current
        self._current = None if current is None else current.number
        self._selected = tuple(one.number for one in traces.table.selected_documents())

    @override
    def redo(self) -> None:
        self._removed = self._remove()

    @override
    def undo(self) -> None:
        self._session.put_back(self._removed)
        self._removed = Removed()
        if self._current is not None:
            self._traces.show_row(self._current)
        self._traces.table.select(self._selected)


class _Stating(QUndoCommand):
    """States something of runs; undoing states of each again what was stated before."""

    def __init__(
        self, session: Session, numbers: Sequence[int], statement: Statement, text: str
    ) -> None:
        super().__init__(text)
        self._outcomes = session.outcomes
        self._statement = statement
        rows = (session.store.get(number) for number in numbers)
        self._before = {
            row.number: Statement(stated_of(row.run))
            for row in rows
            if row is not None and row.run is not None
        }

    @override
    def redo(self) -> None:
        self._outcomes.state(tuple(self._before), self._statement)

    @override
    def undo(self) -> None:
        for number, statement in self._before.items():
            self._outcomes.state((number,), statement)


class _Judging(QUndoCommand):
    """Judges all rows by other rules; what one drag chooses is one change."""

    def __init__(self, store: DocumentStore, rules: Rules, gesture: int) -> None:
        moved = rules.threshold != store.rules.threshold
        super().__init__(say("Threshold") if moved else say("Profile"))
        self._store = store
        self._gesture = gesture
        self._before, self._after = store.rules, rules

    @override
    def id(self) -> int:
        return self._gesture or -1  # which is merged with nothing

    @override
    def mergeWith(self, other: QUndoCommand) -> bool:
        self._after = self._store.rules
        self.setObsolete(self._after == self._before)
        return True

    @override
    def redo(self) -> None:
        self._store.judge(self._after)

    @override
    def undo(self) -> None:
        self._store.judge(self._before)


class UndoCommands(QObject):
    """Undo works on the list while it has the focus, else on what-if.

    Where one of them has nothing to undo, the other is used.
    """

    def __init__(
        self,
        actions: Mapping[Command, QAction],
        session: Session,
        traces: TracePane,
        history: WhatIfHistory,
    ) -> None:
        super().__init__(traces)
        self._actions = actions
        self._session = session
        self._traces = traces
        self._history = history
        self._changes = QUndoStack(self)
        self._changes.setUndoLimit(_MOST_CHANGES)
        self._changes.indexChanged.connect(self._show)
        history.ways_changed.connect(self._show)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)
        actions[Command.UNDO].triggered.connect(self.undo)
        actions[Command.REDO].triggered.connect(self.redo)
        actions[Command.CLOSE_ALL].triggered.connect(self.close_all)
        self._show()

    def remove(self, numbers: Sequence[int], text: str) -> None:
        """Take rows off the list; ``text`` says so in the menu."""
        if numbers:
            self._push(partial(self._session.remove, tuple(numbers)), text)

    def state(self, numbers: Sequence[int], statement: Statement, text: str) -> None:
        """State something of the runs among these rows; ``text`` says so in the menu."""
        self._changes.push(_Stating(self._session, numbers, statement, text))

    @Slot(object)
    def judge(self, rules: Rules, gesture: int = 0) -> None:
        """Judge all rows by other rules; those of one gesture are one change, save 0."""
        if rules != self._session.store.rules:
            self._changes.push(_Judging(self._session.store, rules, gesture))

    def judge_by(self, threshold: float, gesture: int) -> None:
        """Judge all rows by another threshold."""
        self.judge(replace(self._session.store.rules, threshold=threshold), gesture)

    def close_all(self) -> None:
        """Take all rows off the list; what is being read comes back with them."""
        self._push(self._session.close_all, say("Close All"))

    def _push(self, remove: Callable[[], Removed], text: str) -> None:
        self._changes.push(_Removal(self._session, self._traces, remove, text))
        self._traces.table.setFocus()

    def undo(self) -> None:
        """Take the last change back."""
        stack = self._stack(QUndoStack.canUndo)
        if stack is not None:
            stack.undo()

    def redo(self) -> None:
        """Do it again."""
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
            text = (
                say("{command}: {what}", command=start, what=what.replace("&", "&&"))
                if what
                else start
            )
            self._actions[command].setText(text)
            self._actions[command].setEnabled(stack is not None)
