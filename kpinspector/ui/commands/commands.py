"""The commands that open files, export, change the list or touch the memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath

from PySide6.QtCore import QObject, QUrl, Signal, Slot
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from kpinspector.app.answers import REPORT, TRACES
from kpinspector.app.document import Document
from kpinspector.app.outcomes import TAKEN_BACK, Statement, stated_of
from kpinspector.app.session import Session
from kpinspector.runs.read import RunRecord
from kpinspector.runs.stated import NOTHING_STATED
from kpinspector.settings import Theme
from kpinspector.ui.actions.actions import enable
from kpinspector.ui.actions.command_names import BATCH, UNDOING, VIEW, Command, export_of
from kpinspector.ui.actions.table import COMPARING, WHAT_IF
from kpinspector.ui.commands.dropping import Offer, offer_of
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.look.plain_text import one_line
from kpinspector.words.recordings import not_exported
from kpinspector.words.say import say, say_count
from kpinspector.words.writers import EXPLANATIONS, LISTS

_EXPORTING = "exporting runs"
_SEVERAL = "selected"
_ALL = "kpinspector"
_THEMES = {
    Command.THEME_SYSTEM: Theme.SYSTEM,
    Command.THEME_LIGHT: Theme.LIGHT,
    Command.THEME_DARK: Theme.DARK,
}
_TAKING, _EDITING = "taking", "editing"


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

    def ask_of_current(self) -> None:
        """Ask how the current run ended."""
        self._ask(self._current())

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
            self._dialogs.ask_export(TRACES, f"{name}-trace", numbers)

    def _runs(self, numbers: Sequence[int]) -> list[tuple[int, RunRecord]]:
        """Those of the rows that are runs, as they are now."""
        rows = (self._session.store.get(number) for number in numbers)
        return [(row.number, row.run) for row in rows if row is not None and row.run is not None]


class ExportCommands(QObject):
    """Asks where to write the chosen rows, and lets the session write them."""

    def __init__(
        self,
        actions: Mapping[Command, QAction],
        session: Session,
        dialogs: Dialogs,
        shown: Callable[[], Sequence[Document]],
    ) -> None:
        super().__init__(dialogs)
        self._session = session
        self._dialogs = dialogs
        self._shown = shown
        self._selected: tuple[Document, ...] = ()
        dialogs.export_chosen.connect(self._on_export_chosen)
        for command, slot in {
            Command.EXPORT: partial(dialogs.ask_export, REPORT, f"{_ALL}-report", None),
            Command.EXPORT_TRACE: partial(self._ask_selected, REPORT, "report"),
            **{export_of(one): partial(self._ask_list, one) for one in LISTS},
            **{export_of(one): partial(self._ask_selected, one) for one in EXPLANATIONS},
        }.items():
            actions[command].triggered.connect(slot)

    def set_chosen(self, selected: tuple[Document, ...]) -> None:
        """The selected rows."""
        self._selected = selected

    def _ask_list(self, form: str) -> None:
        """Ask where to write the rows that are shown, in their order, as far as they are scored."""
        rows = (one for one in self._shown() if one.measured is not None or one.record is None)
        numbers = tuple(one.number for one in rows)
        self._dialogs.ask_export(form, f"{_ALL}-list", numbers)

    def _ask_selected(self, form: str, what: str = "explanation") -> None:
        name = self._selected[0].name if len(self._selected) == 1 else _SEVERAL
        numbers = tuple(document.number for document in self._selected)
        self._dialogs.ask_export(form, f"{name}-{what}", numbers)

    def _on_export_chosen(self, form: str, path: Path, numbers: tuple[int, ...] | None) -> None:
        rows = self._session.documents
        if numbers is not None:
            rows = tuple(
                row for one in numbers if (row := self._session.store.get(one)) is not None
            )
        self._session.exports.write(form, path, rows)


class Commands(QObject):
    """Connects actions to the session and the dialogs; works on the chosen rows."""

    refused = Signal(str, str)
    """Why something was not done, and the notice's key; `done` gives the key once it succeeds."""
    done = Signal(str)
    removal_wanted = Signal(object, str)
    """Numbers of rows, and the name of the command on them."""

    def __init__(
        self,
        actions: Mapping[Command, QAction],
        session: Session,
        window: QWidget,
        shown: Callable[[], Sequence[Document]],
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._session = session
        self._selected: tuple[int, ...] = ()
        self.dialogs = Dialogs(session, window)
        self._exports = ExportCommands(actions, session, self.dialogs, shown)
        self.outcomes = OutcomeCommands(actions, session, self.dialogs, self.refused.emit)
        for command, slot in {
            Command.OPEN: self.dialogs.ask_files,
            Command.OPEN_FOLDER: self.dialogs.ask_folder,
            Command.OPEN_SAMPLES: self.open_samples,
            Command.PASTE: self.paste,
            Command.RELOAD: session.reload,
            Command.COPY_PATH: self.copy_path,
            Command.OPEN_IN_EDITOR: self.open_in_editor,
            Command.REMOVE: self.remove,
            Command.STOP: session.stop,
            Command.RESUME: session.resume,
            Command.READ_AND_SCORE: self.read_and_score,
            Command.REMEMBER: self.remember,
            Command.SCORE_AGAIN: self.score_again,
            Command.FORGET: self.forget,
            Command.CLEAR_MEMORY: self.dialogs.confirm_clearing,
            Command.SETTINGS: self.dialogs.show_settings,
            Command.MANAGE_MEMORY: self.dialogs.show_memory,
            Command.KEYS: self.show_keys,
            Command.ABOUT: self.dialogs.show_about,
            **dict.fromkeys(_THEMES, self._on_theme_triggered),
        }.items():
            actions[command].triggered.connect(slot)

    def set_chosen(self, selected: tuple[Document, ...]) -> None:
        """Set the selected rows; enable the commands that have a row to work on."""
        current = self._session.store.current
        self._selected = tuple(document.number for document in selected)
        self._exports.set_chosen(selected)
        any_row = len(self._session.store) > 0
        scored = any(document.measured is not None for document in self._chosen())
        unread = any(document.unread is not None for document in self._chosen())
        on_request = self._session.unread.is_on_request
        forgotten = any(on_request(document.number) for document in self._chosen())
        has_file = current is not None and self._session.store.file_of(current.number) is not None
        readable = current is not None and current.record is not None
        in_steps = (
            Command.FIND,
            Command.FIND_NEXT,
            Command.FIND_PREVIOUS,
            Command.EXPAND_ALL,
            Command.COLLAPSE_ALL,
            Command.GO_TO_STEP,
            Command.COPY_TEXT,
            Command.COPY_JSON,
            Command.COPY_POINTER,
        )
        holds = dict.fromkeys(in_steps, readable) | {
            Command.RELOAD: any_row,
            Command.EXPORT: any_row,
            Command.EXPORT_TRACE: bool(selected),
            **dict.fromkeys(map(export_of, LISTS), any_row),
            **dict.fromkeys(map(export_of, EXPLANATIONS), bool(selected)),
            Command.CLOSE_ALL: any_row,
            Command.COPY_ANSWER: current is not None,
            Command.COPY_PATH: has_file,
            Command.OPEN_IN_EDITOR: has_file,
            Command.REMOVE: bool(selected),
            Command.FILTER: any_row,
            Command.PREVIOUS: any_row,
            Command.NEXT: any_row,
            Command.STOP: self._session.progress.busy,
            Command.RESUME: self._session.waits,
            Command.READ_AND_SCORE: unread,
            Command.REMEMBER: forgotten,
            Command.SCORE_AGAIN: scored,
            Command.FORGET: scored,
        }
        holds |= self.outcomes.set_chosen(tuple(self._chosen()))
        others = WHAT_IF | COMPARING | VIEW | UNDOING | BATCH
        enable({one: it for one, it in self._actions.items() if one not in others}, holds)

    def show_theme(self, theme: Theme) -> None:
        """Check the theme's own action and no other."""
        for command, one in _THEMES.items():
            self._actions[command].setChecked(one is theme)

    def take(self, offer: Offer) -> None:
        """Open what was dropped or pasted; tell what is not taken."""
        if offer.paths:
            self._session.open(offer.paths)
        if offer.text is not None:
            self._session.open_text(offer.text)
        if offer.refused:
            self.refused.emit(offer.refused, _TAKING)
        elif offer.taken:
            self.done.emit(_TAKING)

    def paste(self) -> None:
        """Open what is on the clipboard."""
        self.take(offer_of(QGuiApplication.clipboard().mimeData()))

    def open_samples(self) -> None:
        """Open all bundled samples."""
        self._session.open_samples()

    def open_sample(self, name: str) -> None:
        """Open one of the start page's samples."""
        self._session.open_samples(name)

    def remove(self) -> None:
        """Take the selected rows off the list."""
        number = len(self._selected)
        words = say_count("Remove", "Remove {number} Traces", number)
        self.removal_wanted.emit(self._selected, words)

    def score_again(self) -> None:
        """Compare the chosen traces with today's memory."""
        for document in self._chosen():
            self._session.score_again(document.number)

    def read_and_score(self) -> None:
        """Read the chosen recordings and score them as guests."""
        self._session.unread.read(document.number for document in self._chosen())

    def remember(self) -> None:
        """Score the chosen recordings of large folders so that they are remembered."""
        self._session.unread.remember(document.number for document in self._chosen())

    def forget(self) -> None:
        """Take the chosen traces out of the memory."""
        for document in self._chosen():
            if document.measured is not None:
                self._session.memory.forget(document)

    def _chosen(self) -> Iterator[Document]:
        """The selected rows as they are now, or the current one where a filter hides its row."""
        current = self._session.store.current
        shown = () if current is None else (current.number,)
        for number in self._selected or shown:
            document = self._session.store.get(number)
            if document is not None:
                yield document

    def show_keys(self) -> None:
        """Show every key."""
        self.dialogs.show_keys(self._actions)

    def copy_path(self) -> None:
        """Copy the path of the current row's file."""
        current = self._session.store.current
        if current is not None:
            QGuiApplication.clipboard().setText(current.path)

    def open_in_editor(self) -> None:
        """Open the current row's file in the program that the system has for it."""
        current = self._session.store.current
        if current is None:
            return
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(current.path)):
            name = one_line(PurePath(current.path).name)
            words = say("No program on this system opens {name}.", name=name)
            self.refused.emit(words, _EDITING)
        else:
            self.done.emit(_EDITING)

    @Slot()
    def _on_theme_triggered(self) -> None:
        theme = _THEMES[Command(self.sender().objectName())]
        self._session.apply_settings(replace(self._session.settings, theme=theme))
