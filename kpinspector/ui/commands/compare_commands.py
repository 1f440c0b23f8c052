"""The commands for two traces side by side."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from kpinspector.app.document import Document
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.trace.align import StepText
from kpinspector.trace.clear import masked_in
from kpinspector.ui.actions.actions import connect, enable, with_key
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands.desk import Desk
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.steps.step_words import OBJECTIVE
from kpinspector.words.say import say
from kpinspector.words.writers.comparison import SideBySide

_TWO = 2
_LONGEST_NAME = 32
# while two traces stand side by side
_OF_THE_PANE = (
    Command.NEXT_DIFFERENCE,
    Command.PREVIOUS_DIFFERENCE,
    Command.SWAP_SIDES,
    Command.COPY_COMPARISON,
    Command.CLOSE_COMPARISON,
)


class CompareCommands(QObject):
    """Connects actions and comparisons to their pane; works on the chosen rows."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._actions, self._session, self._layout = desk.actions, desk.session, desk.layout
        self._pane = pane = desk.panes.compare
        self._comparisons = comparisons = desk.session.comparisons
        self._selected: tuple[Document, ...] = ()
        self._shown = False
        pane.addAction(desk.actions[Command.CLOSE_COMPARISON])
        slots = {
            Command.COMPARE: self._compare,
            Command.COMPARE_NEAREST: self._compare_nearest,
            Command.NEXT_DIFFERENCE: lambda: pane.view.go_to_difference(1),
            Command.PREVIOUS_DIFFERENCE: lambda: pane.view.go_to_difference(-1),
            Command.SWAP_SIDES: comparisons.swap,
            Command.COPY_COMPARISON: self._copy,
            Command.CLOSE_COMPARISON: comparisons.close,
        }
        connect(desk.actions, slots)
        comparisons.changed.connect(self._show)
        pane.header.swap.clicked.connect(comparisons.swap)
        pane.close_button.clicked.connect(comparisons.close)
        pane.view.step_wanted.connect(self._on_step_wanted)

    def set_chosen(self, selected: tuple[Document, ...]) -> None:
        """The selected rows; enables what can be compared of them, or of the current row."""
        are_two = len(selected) == _TWO and all(one.record is not None for one in selected)
        self._selected = selected if are_two else ()
        novelty, action = self._novelty(), self._actions[Command.COMPARE]
        nearest = novelty is not None and bool(novelty.neighbours)
        can = are_two or (nearest and len(selected) < _TWO)
        enable(self._actions, {Command.COMPARE: can, Command.COMPARE_NEAREST: nearest})
        if are_two:
            left, right = (one_line(one.name, _LONGEST_NAME) for one in selected)
            tip = say("Compare {left} with {right}", left=left, right=right)
        elif can and novelty is not None:
            tip = say(
                "Compare with {nearest}, which set the novelty of this trace",
                nearest=masked_in(novelty.names[0]),
            )
        else:
            tip = say("Select two traces to compare, or one that has a nearest trace")
        action.setToolTip(plain_tooltip(with_key(tip, action)))

    def _compare(self) -> None:
        """Compare the two selected rows, or the current one with its nearest."""
        if self._selected:
            left, right = self._selected
            self._comparisons.compare(left.number, right.number)
        else:
            self._compare_nearest()

    def _compare_nearest(self) -> None:
        """Compare the current row with the entry that set its novelty."""
        current, novelty = self._session.store.current, self._novelty()
        if current is not None and novelty is not None and novelty.neighbours:
            self._comparisons.compare_with(current.number, novelty.neighbours[0])

    def _copy(self) -> None:
        self._comparisons.write_text(QGuiApplication.clipboard().setText)

    def _novelty(self) -> Novelty | None:
        current = self._session.store.current
        measured = current.measured if current is not None else None
        return measured.measurement.novelty if measured else None

    def _show(self, comparison: SideBySide | None) -> None:
        before, self._shown = self._shown, comparison is not None
        if comparison is not None:
            self._pane.set_comparison(comparison)
        if self._shown is not before:
            self._layout.set_comparing(on=self._shown)
            enable(self._actions, dict.fromkeys(_OF_THE_PANE, self._shown))
        if self._shown and not before:
            self._pane.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_step_wanted(self, right: bool, text: StepText) -> None:  # noqa: FBT001
        number, neighbour = self._comparisons.numbers[int(right)], self._comparisons.neighbour
        self._comparisons.close()
        if number is not None:
            panes = self._layout.panes
            panes.traces.show_row(number)
            panes.steps.go_to_step(OBJECTIVE if text.step is None else text.step.index)
        elif neighbour is not None:
            self._session.questions.go_to(neighbour)
