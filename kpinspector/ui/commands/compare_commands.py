"""The commands for neighbours and for two traces side by side."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication

from kpinspector.app.document import Document
from kpinspector.app.engine import MemoryState
from kpinspector.app.progress import Progress
from kpinspector.app.questions import Question
from kpinspector.app.session import Session
from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.trace.align import StepText
from kpinspector.trace.clear import masked_in
from kpinspector.ui.actions.actions import Command, with_key
from kpinspector.ui.actions.table import COMPARING
from kpinspector.ui.commands.whatif_commands import WhatIfCommands
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.neighbours.neighbour_rows import Do, NeighbourWish
from kpinspector.ui.steps.step_finding import OBJECTIVE
from kpinspector.ui.window.layout import WindowLayout
from kpinspector.ui.window.score_panel import ScorePanel
from kpinspector.words.say import say
from kpinspector.words.writers.comparison import SideBySide

_TWO = 2
_LONGEST_NAME = 32
# while two traces stand side by side
_OF_THE_PANE = COMPARING - {Command.COMPARE, Command.COMPARE_NEAREST}


class NeighbourCommands(QObject):
    """Connects the Neighbours tab to the session, and to what it leads to."""

    def __init__(self, session: Session, score: ScorePanel, what_if: WhatIfCommands) -> None:
        super().__init__(score)
        self._session, self._score, self._what_if = session, score, what_if
        self._view = view = score.neighbours
        view.wished.connect(self._fulfil)
        session.memory.changed.connect(self._on_memory_changed)
        session.progress_changed.connect(self._on_progress_changed)

    def _fulfil(self, wish: NeighbourWish) -> None:
        session, current = self._session, self._session.store.current
        match wish.do:
            case Do.ASK:
                over = partial(self._view.set_ended, wish.of)
                if wish.of is Question.TODAY:
                    session.questions.look_today(self._view.set_today, over)
                else:
                    session.questions.rank_steps(self._view.set_alike, over)
            case Do.STOP:
                session.questions.stop(wish.of)
            case Do.COMPARE if current is not None:
                session.comparisons.compare_with(current.number, wish.of)
            case Do.OPEN:
                session.questions.go_to(wish.of)
            case Do.LEAVE_OUT:
                self._what_if.try_novelty(wish.of)
            case Do.GO_TO_STEP:
                self._score.step_wanted.emit(wish.of)

    def _on_memory_changed(self, state: MemoryState) -> None:
        self._view.set_mode(state.mode)
        if not self._session.progress.busy:
            self._view.refresh_today()

    def _on_progress_changed(self, progress: Progress) -> None:
        if not progress.busy:
            self._view.refresh_today()


class CompareCommands(QObject):
    """Connects actions and comparisons to their pane; works on the chosen rows."""

    def __init__(
        self, actions: Mapping[Command, QAction], session: Session, layout: WindowLayout
    ) -> None:
        super().__init__(layout)
        pane = layout.panes.compare
        self._actions = actions
        self._questions = session.questions
        self._comparisons = comparisons = session.comparisons
        self._pane = pane
        self._layout = layout
        self._store = session.store
        self._pair: tuple[Document, Document] | None = None
        self._shown: SideBySide | None = None
        pane.addAction(actions[Command.CLOSE_COMPARISON])
        for command, slot in {
            Command.COMPARE: self.compare,
            Command.COMPARE_NEAREST: self.compare_nearest,
            Command.NEXT_DIFFERENCE: pane.next_difference,
            Command.PREVIOUS_DIFFERENCE: pane.previous_difference,
            Command.SWAP_SIDES: comparisons.swap,
            Command.COPY_COMPARISON: self._copy,
            Command.CLOSE_COMPARISON: comparisons.close,
        }.items():
            actions[command].triggered.connect(slot)
        comparisons.changed.connect(self._on_compared)
        pane.header.swap.clicked.connect(comparisons.swap)
        pane.close_requested.connect(comparisons.close)
        pane.step_wanted.connect(self._on_step_wanted)

    def set_chosen(self, selected: tuple[Document, ...]) -> None:
        """The selected rows; enables what can be compared of them, or of the current row."""
        self._pair = None
        if len(selected) == _TWO and all(one.record is not None for one in selected):
            self._pair = selected[0], selected[1]
        self._enable(alone=len(selected) < _TWO)

    def compare(self) -> None:
        """Compare the two selected rows, or the current one with its nearest."""
        if self._pair is not None:
            left, right = self._pair
            self._comparisons.compare(left.number, right.number)
        else:
            self.compare_nearest()

    def compare_nearest(self) -> None:
        """Compare the current row with the entry that set its novelty."""
        current, neighbour = self._store.current, self._nearest()
        if current is not None and neighbour is not None:
            self._comparisons.compare_with(current.number, neighbour)

    def _copy(self) -> None:
        self._comparisons.write_text(QGuiApplication.clipboard().setText)

    def _nearest(self) -> Neighbour | None:
        novelty = self._novelty()
        return novelty.neighbours[0] if novelty is not None and novelty.neighbours else None

    def _novelty(self) -> Novelty | None:
        current = self._store.current
        measured = current.measured if current is not None else None
        return measured.measurement.novelty if measured else None

    def _enable(self, *, alone: bool) -> None:
        novelty, nearest = self._novelty(), self._nearest()
        can = self._pair is not None or (alone and nearest is not None)
        self._actions[Command.COMPARE].setEnabled(can)
        self._actions[Command.COMPARE_NEAREST].setEnabled(nearest is not None)
        self._enable_of_pane()
        if self._pair is not None:
            left, right = (one_line(one.name, _LONGEST_NAME) for one in self._pair)
            tip = say("Compare {left} with {right}", left=left, right=right)
        elif alone and nearest is not None and novelty is not None:
            tip = say(
                "Compare with {nearest}, which set the novelty of this trace",
                nearest=masked_in(novelty.names[0]),
            )
        else:
            tip = say("Select two traces to compare, or one that has a nearest trace")
        action = self._actions[Command.COMPARE]
        action.setToolTip(plain_tooltip(with_key(tip, action)))

    def _on_compared(self, comparison: SideBySide | None) -> None:
        opens, self._shown = self._shown is None, comparison
        if comparison is not None:
            self._pane.set_comparison(comparison)
        if opens or comparison is None:
            self._layout.set_comparing(on=opens)
            self._enable_of_pane()
        if opens:
            self._pane.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _enable_of_pane(self) -> None:
        for command in _OF_THE_PANE:
            self._actions[command].setEnabled(self._shown is not None)

    def _on_step_wanted(self, right: bool, text: StepText) -> None:  # noqa: FBT001
        number, neighbour = self._comparisons.numbers[int(right)], self._comparisons.neighbour
        self._comparisons.close()
        if number is not None:
            panes = self._layout.panes
            panes.traces.show_row(number)
            panes.steps.go_to_step(OBJECTIVE if text.step is None else text.step.index)
        elif neighbour is not None:
            self._questions.go_to(neighbour)
