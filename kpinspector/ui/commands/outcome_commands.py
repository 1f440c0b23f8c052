"""The commands that state outcomes of runs and export runs as traces."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from kpinspector.app.document import Document
from kpinspector.app.exports import Form
from kpinspector.app.outcomes import TAKEN_BACK, Statement, stated_of
from kpinspector.app.session import Session
from kpinspector.runs.read import RunRecord
from kpinspector.runs.stated import NOTHING_STATED
from kpinspector.ui.actions.command_names import Command
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.look.plain_text import one_line
from kpinspector.words.recordings import not_exported
from kpinspector.words.say import say, say_count

_EXPORTING = "exporting runs"
_SEVERAL = "selected"


class OutcomeCommands(QObject):
    """Works on the chosen rows; ``refuse`` tells why something is not done."""

    statement_wanted = Signal(object, object, str)
    """Numbers of rows, a `Statement` about their runs, and the name of the command on them."""

    def __init__(
        self,
        actions: Mapping[Command, QAction],
        session: Session,
        dialogs: Dialogs,
        refuse: Callable[[str, str], None],
    ) -> None:
        super().__init__(dialogs)
        self._session = session
        self._dialogs = dialogs
        self._refuse = refuse
        self._chosen: tuple[int, ...] = ()
        actions[Command.SET_OUTCOME].triggered.connect(lambda: self._ask(self._chosen))
        actions[Command.TAKE_BACK_OUTCOME].triggered.connect(lambda: self._take_back(self._chosen))
        actions[Command.EXPORT_RUN].triggered.connect(self.export)

    def set_chosen(self, chosen: Sequence[Document]) -> dict[Command, bool]:
        """Set the rows to work on; enable the commands that apply to any of them."""
        runs = [(one.number, one.run) for one in chosen if one.run is not None]
        self._chosen = tuple(number for number, _ in runs)
        return {
            Command.SET_OUTCOME: bool(runs),
            Command.TAKE_BACK_OUTCOME: any(stated_of(run) != NOTHING_STATED for _, run in runs),
            Command.EXPORT_RUN: bool(runs),
        }

    @Slot()
    def ask_of_current(self) -> None:
        """Ask how the current run ended."""
        self._ask(self._current())

    @Slot()
    def take_back_of_current(self) -> None:
        """State nothing of the current run any more."""
        self._take_back(self._current())

    def _current(self) -> tuple[int, ...]:
        current = self._session.store.current
        return () if current is None else (current.number,)

    def _ask(self, numbers: Sequence[int]) -> None:
        found = dict(self._runs(numbers))
        if not found:
            return
        name = one_line(self._session.store[next(iter(found))].name)
        if len(found) > 1:
            name = say_count("{number} run", "{number} runs", len(found))
        state = partial(self._state, tuple(found))
        self._dialogs.ask_outcome(tuple(found.values()), name, state)

    def _take_back(self, numbers: Sequence[int]) -> None:
        self._state(numbers, TAKEN_BACK)

    def _state(self, numbers: Sequence[int], statement: Statement) -> None:
        words = say("Take Back") if statement is TAKEN_BACK else say("Set Outcome")
        self.statement_wanted.emit(numbers, statement, words)

    @Slot()
    def export(self) -> None:
        """Write the chosen runs as traces, those that can be; say why the others cannot."""
        found = self._runs(self._chosen)
        reasons = {number: not_exported(run.imported) for number, run in found}
        numbers = tuple(number for number, why in reasons.items() if not why)
        left = [number for number, why in reasons.items() if why]
        if left:
            name = one_line(self._session.store[left[0]].name)
            words = say("{name} is not exported: {why}", name=name, why=reasons[left[0]])
            if len(left) > 1:
                more = say_count(
                    "Nor is {number} other run.", "Nor are {number} other runs.", len(left) - 1
                )
                words = f"{words} {more}"
            self._refuse(words, _EXPORTING)
        else:
            self._session.board.settled.emit(_EXPORTING)
        if numbers:
            name = self._session.store[numbers[0]].name if len(numbers) == 1 else _SEVERAL
            self._dialogs.ask_export(Form.TRACES, f"{name}-trace", numbers)

    def _runs(self, numbers: Sequence[int]) -> list[tuple[int, RunRecord]]:
        """Those of the rows that are runs, as they are now."""
        rows = (self._session.store.get(number) for number in numbers)
        return [(row.number, row.run) for row in rows if row is not None and row.run is not None]
