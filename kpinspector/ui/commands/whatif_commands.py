"""The what-ifs of all traces, with undo and redo, and the commands of the What-if tab."""

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoGroup, QUndoStack
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.app.questions import Question
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.whatif.scenario import NO_LOSS, Draft, Loss, Scenario, draft_of, fitted
from kpinspector.trace.model import ReasoningTrace
from kpinspector.ui.actions import connect, enable, follow
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands import Desk, Part
from kpinspector.ui.panes.whatif_case import Case, FlipCounter, case_of
from kpinspector.ui.steps.step_detail import EditWish
from kpinspector.ui.window.score_panel import Tab
from kpinspector.words.say import say

NOTHING = Scenario()

_MERGED = 1  # the id of all commands that Qt may merge; their gestures decide
Value = TypeVar("Value")
_NOTHING_TRIED = (None, None, None)


class WhatIfCommands(Part):
    """Keeps the what-ifs of all traces as long as the window lives, and shows the current one."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._page = self._panes.score.what_if
        self._document: Document | None = None
        self._case: Case | None = None
        self.history = WhatIfHistory(self)
        self._flips = FlipCounter(self)
        self._counted: object = None
        self._tried: tuple[object, ...] = _NOTHING_TRIED
        self._panes.score.page_changed.connect(self._show)
        self._panes.steps.what_if.off.clicked.connect(self._turn_off)
        self.history.indexChanged.connect(self._show)
        self._flips.counted.connect(self._page.view.set_flips)
        self._session.store.changed.connect(self._on_list_changed)
        slots = {Command.RESET_WHAT_IF: self.reset, Command.MEASURE_AGAIN: self.measure_again}
        connect(self._actions, slots)
        follow(self._actions[Command.RESET_WHAT_IF], self._page.reset)

    def set_document(self, document: Document | None) -> None:
        """Show another row, or newer values of the current row."""
        self._document = document
        record = None if document is None else document.record
        number = None if document is None else document.number
        self.history.set_current(number, None if record is None else record.trace)

    def _turn_off(self) -> None:
        """Reset the current what-if and leave its tab; undo brings the what-if back."""
        self.reset()
        self._panes.score.leave_what_if()
        self._show()

    def reset(self) -> None:
        """Reset the what-if of the current trace, but stay in the tab."""
        self.history.push(NOTHING, say("Reset"))

    def measure_again(self) -> None:
        """Measure the novelty of the text that the what-if leaves."""
        scenario = self.history.scenario
        self._session.questions.measure(scenario, partial(self._on_measured, scenario), self._show)
        self._show()

    def show_tried(self, scenario: Scenario, words: str) -> None:
        """Try a scenario on the current trace, and show the What-if tab."""
        self.history.push(scenario, words)
        self._panes.score.show_tab(Tab.WHAT_IF)

    def edit_step(self, wish: EditWish) -> None:
        """Try an edit of a step; what is typed until the field is left is one change for undo."""
        if wish.edit is None:
            self.history.end_gesture()
            return
        words = say("Step {index}", index=wish.edit.index)
        key = f"{wish.part} of step {wish.edit.index}" if wish.part == "tool" else ""
        self.history.push(self.history.scenario.with_edit(wish.edit), words, key)

    # slots

    def _on_measured(self, asked: Scenario, novelty: Novelty) -> None:
        now = self.history.scenario
        if asked.left_out == now.left_out:
            self.history.push(replace(now, measured_novelty=novelty), say("Measure Again"))

    def _on_list_changed(self, _change: object) -> None:
        self._counted = None
        self._count_flips()

    # showing the what-if

    def _show(self) -> None:
        """Show the what-if in the tab, the list of steps and the commands."""
        scenario, trace = self.history.scenario, self.history.trace
        self._page.set_ways(self.history.undoText(), self.history.redoText())
        if self._document is not None and trace is not None:
            self._session.tried[self._document.number] = scenario, trace
        case = self._case = case_of(self._document, scenario, self.history.loss)
        measuring = self._session.questions.is_asked(Question.NOVELTY)
        score = self._panes.score
        on = case is not None and (score.last_tab is Tab.WHAT_IF or not scenario.is_empty)
        if score.tab is Tab.WHAT_IF:
            self._page.set_case(self._document, case, measuring=measuring)
            self._count_flips()
        self._panes.steps.what_if.set_changes(scenario.changes if on else 0)
        self._show_steps(case, on=on)
        held = case is not None and case.outcome.novelty_held
        holds = {
            Command.WHAT_IF: self._document is not None,
            Command.RESET_WHAT_IF: case is not None and not scenario.is_empty,
            Command.MEASURE_AGAIN: held and not measuring,
        }
        enable(self._actions, holds)

    def _show_steps(self, case: Case | None, *, on: bool) -> None:
        """Show the what-if in the steps, only if what is tried of them has changed."""
        if case is None:
            self._tried = _NOTHING_TRIED
            return
        tried = case.measured, case.scenario.edits, on
        if not all(map(operator.is_, tried, self._tried)):
            self._tried = tried
            (steps, marks), pane = case.tried, self._panes.steps
            scenario = case.scenario if on else None
            pane.show_steps(replace(pane.shown, scenario=scenario, tried=steps, marks=marks))

    def _count_flips(self) -> None:
        """Count the changed verdicts again if the rules have changed and the tab is visible."""
        case = self._case
        if case is None or self._panes.score.tab is not Tab.WHAT_IF:
            self._flips.stop()
            self._counted = None
            return
        then = case.outcome.then
        asked = then.threshold, then.profile, case.document.number
        if asked != self._counted:
            self._counted = asked
            self._flips.count(self._session.documents, *asked)


class _Stack(QUndoStack):
    """The undo stack of one trace; ``scenario`` is what is tried of it now."""

    def __init__(self, trace: ReasoningTrace, parent: QObject) -> None:
        super().__init__(parent)
        self.trace = trace
        self.scenario = NOTHING
        self._begun: tuple[Draft, Scenario, Loss] | None = None

    @property
    def begun(self) -> tuple[Draft, Scenario, Loss] | None:
        """The draft, scenario and loss that ``go_on`` began with; None after another scenario."""
        begun = self._begun
        return begun if begun is not None and begun[1] == self.scenario else None

    def go_on(self, before: "_Stack") -> None:
        """Take over what was tried before the trace was edited, as far as it still fits."""
        draft = before.begun[0] if before.begun else draft_of(before.scenario, before.trace)
        scenario, loss = fitted(draft, self.trace)
        self._begun = draft, scenario, loss
        self.try_next(scenario, say("What Was Tried Before"))

    def try_next(self, scenario: Scenario, text: str, gesture: object = None) -> None:
        """Make another scenario the present one, as a change that can be undone."""
        if scenario != self.scenario:
            put = partial(setattr, self, "scenario")
            self.push(ValueChange(put, (self.scenario, scenario), text, gesture))


class ValueChange(QUndoCommand, Generic[Value]):
    """A change from one value to another; changes of one gesture are merged."""

    def __init__(
        self,
        put: Callable[[Value], object],
        ends: tuple[Value, Value],
        text: str,
        gesture: object = None,
    ) -> None:
        """``ends`` are the values before and after; a change without a gesture is never merged."""
        super().__init__(text)
        self._put, self.gesture = put, gesture
        self._before, self.after = ends

    @override
    def id(self) -> int:
        return _MERGED if self.gesture else -1

    @override
    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, ValueChange) or other.gesture != self.gesture:
            return False
        self.after = other.after
        self.setObsolete(self.after == self._before)
        return True

    @override
    def redo(self) -> None:
        self._put(self.after)

    @override
    def undo(self) -> None:
        self._put(self._before)


class WhatIfHistory(QUndoGroup):
    """The undo stacks of all traces; ``indexChanged`` tells of another current scenario."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stacks: dict[int, _Stack] = {}
        self._stack: _Stack | None = None
        self._gesture = 0

    @property
    def trace(self) -> ReasoningTrace | None:
        """The current trace; None if there is none."""
        return None if self._stack is None else self._stack.trace

    @property
    def scenario(self) -> Scenario:
        """The scenario that is tried on the current trace."""
        return self._stack.scenario if self._stack else NOTHING

    @property
    def loss(self) -> Loss:
        """What of an earlier scenario did not fit the edited trace, until another one is tried."""
        return self._stack.begun[2] if self._stack and self._stack.begun else NO_LOSS

    def set_current(self, number: int | None, trace: ReasoningTrace | None) -> None:
        """Set the current row; a scenario of a trace that was edited is kept as far as it fits.

        Args:
            number: The row's number; None for no row.
            trace: The row's trace; None if it has none. A trace that is read again may be the same.
        """
        stack = None
        if number is not None and trace is not None:
            before = stack = self._stacks.get(number)
            if before is not None and before.trace.raw == trace.raw:
                before.trace = trace
            else:
                self._stacks[number] = stack = _Stack(trace, self)
                self.addStack(stack)
                if before is not None:
                    stack.go_on(before)
                    before.deleteLater()
        if stack is not self._stack:
            self._stack = stack
            self.end_gesture()
            self.setActiveStack(stack)  # type: ignore[arg-type]  # None for none
        else:
            self.indexChanged.emit(0)

    def push(self, scenario: Scenario, text: str, key: str = "") -> None:
        """Try a scenario on the current trace; ``key`` merges changes of a gesture, "" does not."""
        if self._stack is not None:
            self._stack.try_next(scenario, text, (key, self._gesture) if key else None)

    def end_gesture(self) -> None:
        """End a gesture: the next change is not merged, even if it has the same key."""
        self._gesture += 1
