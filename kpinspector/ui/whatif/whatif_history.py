"""The what-ifs of each trace, step by step: undo and redo, one stack per trace."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from typing_extensions import override

from kpinspector.scoring.whatif.scenario import NO_LOSS, Draft, Loss, Scenario, draft_of, fitted
from kpinspector.trace.model import ReasoningTrace
from kpinspector.words.say import say

NOTHING = Scenario()

_MERGED = 1  # a command's id; which ones are one is decided by their keys


class _Stack(QUndoStack):
    """The scenarios of one trace."""

    def __init__(self, trace: ReasoningTrace, parent: QObject) -> None:
        super().__init__(parent)
        self.trace = trace
        self.scenario = NOTHING
        self._begun: tuple[Draft, Scenario, Loss] | None = None

    @property
    def draft(self) -> Draft:
        """The scenario to fit to later versions of the trace; as it was before it was fitted."""
        if self._begun is not None and self._begun[1] == self.scenario:
            return self._begun[0]
        return draft_of(self.scenario, self.trace)

    @property
    def loss(self) -> Loss:
        """What did not fit the edited trace, until something else is tried."""
        begun = self._begun
        return begun[2] if begun is not None and begun[1] == self.scenario else NO_LOSS

    def begin(self, draft: Draft, text: str) -> None:
        """Go on with what was tried before, as far as it fits the trace."""
        scenario, loss = fitted(draft, self.trace)
        self._begun = draft, scenario, loss
        if scenario != self.scenario:
            self.push(_Change(self, scenario, text, ("", 0)))

    def holds(self, trace: ReasoningTrace) -> bool:
        """Whether its scenarios are about this trace; read again it may be the same."""
        if self.trace is not trace and self.trace.raw == trace.raw:
            self.trace = trace
        return self.trace is trace


class _Change(QUndoCommand):
    """From one scenario to another; moves with one key within one gesture are one change."""

    def __init__(self, stack: _Stack, after: Scenario, text: str, key: tuple[str, int]) -> None:
        super().__init__(text)
        self._stack = stack
        self.key = key
        self._before, self.after = stack.scenario, after

    @override
    def id(self) -> int:
        return _MERGED if self.key[0] else -1

    @override
    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or other.key != self.key:
            return False
        self.after = other.after
        self.setObsolete(self.after == self._before)
        return True

    @override
    def redo(self) -> None:
        self._stack.scenario = self.after

    @override
    def undo(self) -> None:
        self._stack.scenario = self._before


class WhatIfHistory(QObject):
    """The scenario of the current trace, and the way to it."""

    changed = Signal()
    """The scenario or the current trace changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stacks: dict[int, _Stack] = {}
        self.stack: _Stack | None = None
        self._gesture = 0

    @property
    def scenario(self) -> Scenario:
        """What is tried of the current trace."""
        return NOTHING if self.stack is None else self.stack.scenario

    @property
    def trace(self) -> ReasoningTrace | None:
        """The current trace."""
        return None if self.stack is None else self.stack.trace

    @property
    def loss(self) -> Loss:
        """What of the scenario was lost when the trace was edited."""
        return NO_LOSS if self.stack is None else self.stack.loss

    @property
    def ways(self) -> tuple[str, str]:
        """What undo and what redo would do, in words; empty where there is nothing to do."""
        return ("", "") if self.stack is None else (self.stack.undoText(), self.stack.redoText())

    def set_current(self, number: int | None, trace: ReasoningTrace | None) -> None:
        """Set the current row; what was tried on an edited trace goes on as far as it fits.

        Args:
            number: The row's; None for none.
            trace: The row's; None where it has none.
        """
        stack = None
        if number is not None and trace is not None:
            stack = self._stacks.get(number)
            if stack is None or not stack.holds(trace):
                before, stack = stack, _Stack(trace, self)
                self._stacks[number] = stack
                if before is not None:
                    stack.begin(before.draft, say("What Was Tried Before"))
                    before.deleteLater()
                stack.indexChanged.connect(self._tell)
        if stack is not self.stack:
            self.stack = stack
            self.end_gesture()
        self._tell()

    def push(self, scenario: Scenario, text: str, key: str = "") -> None:
        """Try another scenario of the current trace; an empty key merges with nothing."""
        stack = self.stack
        if stack is not None and scenario != stack.scenario:
            stack.push(_Change(stack, scenario, text, (key, self._gesture)))

    def end_gesture(self) -> None:
        """End a gesture: the next change is separate, even with the same key."""
        self._gesture += 1

    def undo(self) -> None:
        """Take the last change back."""
        if self.stack is not None:
            self.stack.undo()

    def redo(self) -> None:
        """Do it again."""
        if self.stack is not None:
            self.stack.redo()

    def _tell(self) -> None:
        self.changed.emit()
