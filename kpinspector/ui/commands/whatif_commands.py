"""Connects what-if to the session, the panes and the actions."""

import operator
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from kpinspector.app.document import Document
from kpinspector.app.questions import Question
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.scenario import Scenario, StepEdit
from kpinspector.ui.actions.actions import connect, enable
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands.desk import Desk
from kpinspector.ui.whatif.whatif_case import Case, FlipCounter, case_of
from kpinspector.ui.whatif.whatif_fields import WhatIfDo, WhatIfWish
from kpinspector.ui.whatif.whatif_history import NOTHING, WhatIfHistory
from kpinspector.ui.window.score_panel import Tab
from kpinspector.words.say import say

_NOTHING_TRIED = (None, None, None)


class WhatIfCommands(QObject):
    """Holds the what-ifs of all traces for as long as the window lives."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._actions, self._session, self._panes = desk.actions, desk.session, desk.panes
        self._page = desk.panes.score.what_if
        self._document: Document | None = None
        self._case: Case | None = None
        self.history = WhatIfHistory(self)
        self._flips = FlipCounter(self)
        self._counted: object = None
        self._tried: tuple[object, ...] = _NOTHING_TRIED
        self._connect()

    def _connect(self) -> None:
        step = self._panes.detail.what_if
        self._page.wished.connect(self._fulfil)
        step.gesture_ended.connect(self.history.end_gesture)
        self._panes.score.page_changed.connect(self._show)
        self._panes.steps.what_if.off.clicked.connect(self._turn_off)
        step.edit_wanted.connect(self._on_edit_wanted)
        self.history.changed.connect(self._show)
        self._flips.counted.connect(self._page.view.set_flips)
        self._session.store.changed.connect(self._on_list_changed)
        slots = {Command.RESET_WHAT_IF: self.reset, Command.MEASURE_AGAIN: self.measure_again}
        connect(self._actions, slots)
        self._page.foot.follow(self._actions[Command.RESET_WHAT_IF])

    @property
    def scenario(self) -> Scenario:
        """What is tried of the current trace."""
        return self.history.scenario

    def set_document(self, document: Document | None) -> None:
        """Show another row, or a newer value of the current one."""
        self._document = document
        record = None if document is None else document.record
        number = None if document is None else document.number
        self.history.set_current(number, None if record is None else record.trace)

    def try_novelty(self, value: float) -> None:
        """Try another novelty of the current trace, and show the result."""
        scenario = self.scenario.with_value(Dimension.NOVELTY, value)
        self._try(scenario, say("Novelty"))

    def _turn_off(self) -> None:
        """Turn what-if off for the current trace; undo brings it back."""
        self.reset()
        self._panes.score.leave_what_if()
        self._show()

    def reset(self) -> None:
        """Try nothing, but stay."""
        self.history.push(NOTHING, say("Reset"))

    def measure_again(self) -> None:
        """Measure the novelty of the text that is left."""
        scenario = self.scenario
        self._session.questions.measure(scenario, partial(self._on_measured, scenario), self._show)
        self._show()

    # what is wished

    def _fulfil(self, wish: WhatIfWish | WhatIfDo) -> None:
        match wish:
            case WhatIfWish():
                self.history.push(wish.scenario, wish.words, wish.key)
            case WhatIfDo.MEASURE:
                self.measure_again()
            case WhatIfDo.STOP:
                self._session.questions.stop(Question.NOVELTY)
            case WhatIfDo.END_GESTURE:
                self.history.end_gesture()
            case WhatIfDo.UNDO:
                self.history.undo()
            case WhatIfDo.REDO:
                self.history.redo()

    def _try(self, scenario: Scenario, words: str) -> None:
        self.history.push(scenario, words)
        self._panes.score.show_tab(Tab.WHAT_IF)

    def try_scenario(self, scenario: Scenario) -> None:
        """Try something of the current trace, and show the result."""
        if self._case is not None:
            self._try(scenario, say("Try"))

    def _on_edit_wanted(self, edit: StepEdit, what: str) -> None:
        words = say("Step {index}", index=edit.index)
        key = f"{what} of step {edit.index}" if what == "tool" else ""
        self.history.push(self.scenario.with_edit(edit), words, key)

    # news

    def _on_measured(self, asked: Scenario, novelty: Novelty) -> None:
        if asked.left_out == self.scenario.left_out:
            scenario = replace(self.scenario, measured_novelty=novelty)
            self.history.push(scenario, say("Measure Again"))

    def _on_list_changed(self, _change: object) -> None:
        self._counted = None
        self._count_flips()

    # what is shown

    def _show(self) -> None:
        """Show what is tried where it is seen."""
        scenario, trace = self.scenario, self.history.trace
        self._page.foot.set_ways(*self.history.ways)
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
        """Show tree and step, only if the tried steps have changed."""
        if case is None:
            self._tried = _NOTHING_TRIED
            return
        tried = case.measured, case.scenario.edits, on
        if not all(map(operator.is_, tried, self._tried)):
            self._tried = tried
            steps, marks = case.tried
            self._panes.steps.tree.steps.set_tried(steps, marks)
            self._panes.detail.set_tried(case.scenario if on else None, steps, marks)

    def _count_flips(self) -> None:
        """Count the flips again if the rules changed and the tab is visible."""
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
