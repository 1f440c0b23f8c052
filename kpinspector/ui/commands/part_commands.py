"""Commands of parts: what was opened lately, the chosen step, what would leave the machine."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from kpinspector.app.document import Document
from kpinspector.app.documents import ListChange
from kpinspector.app.questions import Questions
from kpinspector.app.session import Session
from kpinspector.app.sharing import is_pending, record_of
from kpinspector.app.state import RecentPath
from kpinspector.runs.provenance import RunPlace
from kpinspector.trace.model import Step
from kpinspector.trace.step_source import StepPlace, StepSource
from kpinspector.ui.actions.table import Command
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.sharing.sharing_page import SharingDo, SharingWish, ShownSharing
from kpinspector.ui.start.start_page import Recent, StartPage, recent_rows
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.window.score_panel import ScorePanel
from kpinspector.words.say import say


class RecentMenu(QObject):
    """Shows the session's recent paths in both places, and opens the chosen one."""

    def __init__(
        self, action: QAction, session: Session, start: StartPage, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session = session
        self._start = start
        self._action = action
        self._menu = QMenu(window)
        self._menu.setToolTipsVisible(True)
        self._paths: tuple[str, ...] = ()
        self._entries: list[QAction] = []
        action.setMenu(self._menu)
        self._menu.aboutToShow.connect(session.look_up_recent)
        start.recent_requested.connect(self._on_requested)
        start.here_requested.connect(session.open)
        session.found_here.connect(start.set_here)
        start.clear_recent_requested.connect(session.history.clear)
        session.history.recent_changed.connect(self._show)
        session.store.changed.connect(self._on_list_changed)
        self._show(session.history.recent)
        self._look_up()

    def _show(self, recent: Sequence[RecentPath]) -> None:
        rows = recent_rows(recent)
        self._start.set_recent(rows)
        if self._paths != tuple(row.path for row in rows):
            self._fill(rows)
        for entry, row in zip(self._entries, rows, strict=True):
            entry.setEnabled(not row.is_missing)
        self._action.setEnabled(bool(rows))

    def _fill(self, rows: Sequence[Recent]) -> None:
        self._menu.clear()
        self._paths = tuple(row.path for row in rows)
        self._entries = []
        for number, row in enumerate(rows, 1):
            words = f"{row.title} ({row.caption})".replace("&", "&&")
            entry = self._menu.addAction(f"{_mnemonic(number)} {words}")
            entry.setToolTip(plain_tooltip(row.path))
            entry.setData(row.path)
            entry.triggered.connect(self._on_triggered)
            self._entries.append(entry)
        self._menu.addSeparator()
        self._menu.addAction(say("&Clear")).triggered.connect(self._session.history.clear)

    @Slot()
    def _on_triggered(self) -> None:
        entry = self.sender()
        if isinstance(entry, QAction):
            self._on_requested(str(entry.data()))

    def _on_requested(self, path: str) -> None:
        self._session.open([path])

    def _on_list_changed(self, change: ListChange) -> None:
        if change.removed and not len(self._session.store):
            self._look_up()

    def _look_up(self) -> None:
        self._session.look_up_recent()
        self._session.look_here()


def _mnemonic(number: int) -> str:
    """The key that chooses an entry: its last digit."""
    text = str(number)
    return f"{text[:-1]}&{text[-1]}"


class StepCommands(QObject):
    """Connects actions and sources to the panes of the steps and of one step."""

    def __init__(
        self,
        actions: Mapping[Command, QAction],
        questions: Questions,
        steps: StepPane,
        detail: StepDetail,
    ) -> None:
        super().__init__(steps)
        self._detail = detail
        for command, slot in {
            Command.FIND: steps.focus_find,
            Command.FIND_NEXT: steps.find_next,
            Command.FIND_PREVIOUS: steps.find_previous,
            Command.EXPAND_ALL: steps.tree.expandAll,
            Command.COLLAPSE_ALL: steps.tree.close_all,
            Command.GO_TO_STEP: steps.ask_number,
            Command.COPY_TEXT: steps.copy_text,
            Command.COPY_JSON: steps.copy_json,
            Command.COPY_POINTER: steps.copy_pointer,
        }.items():
            actions[command].triggered.connect(slot)
        copies = (Command.COPY_TEXT, Command.COPY_JSON, Command.COPY_POINTER, Command.COPY_PATH)
        trees = (Command.EXPAND_ALL, Command.COLLAPSE_ALL, Command.GO_TO_STEP)
        steps.tree.menu.set_actions(
            (*(actions[one] for one in copies), None, *(actions[one] for one in trees))
        )
        steps.needle_changed.connect(detail.set_needle)
        self._questions = questions
        detail.source_wanted.connect(self._on_source_wanted)

    def _on_source_wanted(self, place: StepPlace | RunPlace) -> None:
        def show(source: StepSource) -> None:
            if place == self._detail.place:
                self._detail.set_source(source.lines, source.first)

        self._questions.read_source(place, show)


class SharingCommands(QObject):
    """What would leave of the current trace, while its tab is the current one."""

    def __init__(
        self,
        session: Session,
        score: ScorePanel,
        steps: StepPane,
        detail: StepDetail,
        dialogs: Dialogs,
    ) -> None:
        super().__init__(score)
        self._session = session
        self._answers = session.sharing
        self._score = score
        self._page = score.sharing
        self._dialogs = dialogs
        self._marked = steps, detail
        self._page.wished.connect(self._fulfil)
        score.page_changed.connect(self._on_page_changed)
        steps.step_selected.connect(self._on_step_selected)
        self._answers.changed.connect(self._show)

    def _fulfil(self, wish: SharingWish) -> None:
        match wish.do:
            case SharingDo.TAKE_WAY:
                self._answers.choose_way(wish.of)
            case SharingDo.TAKE_LEVEL:
                self._answers.choose_level(wish.of)
            case SharingDo.GO_TO_STEP:
                self._score.step_wanted.emit(wish.of)
            case SharingDo.SAVE_BODY:
                self._save_body()

    def _on_page_changed(self) -> None:
        self._answers.set_shown(self._score.sharing_seen)

    def _on_step_selected(self, step: Step | None) -> None:
        self._page.set_step(None if step is None else step.index)

    def _show(self) -> None:
        document, ways = self._answers.document, self._answers.ways
        sharing = self._answers.sharing
        leaving = sharing.leaving if sharing is not None and sharing.is_posted else None
        for pane in self._marked:
            pane.set_leaving(leaving)
        if document is None or ways is None:
            self._page.set_hint(_hint(document))
            return
        shown = ShownSharing(
            row=document.number,
            name=document.name,
            ways=ways,
            way=self._answers.way,
            steps=document.record is not None,
            level=self._answers.level,
            own_level=self._answers.own_level,
        )
        self._page.set_sharing(shown)

    def _save_body(self) -> None:
        document, sharing = self._answers.document, self._answers.sharing
        if document is None or sharing is None or sharing.posting.body is None:
            return
        body = sharing.posting.body

        def save(path: Path) -> None:
            self._session.exports.write_body(path, body)

        self._dialogs.ask_body(f"{document.name}-body", save)


def _hint(document: Document | None) -> str:
    """Why nothing is said of a row."""
    if document is None:
        return say("Choose a trace to see what would leave the machine.")
    if record_of(document) is None:
        return say("This is no trace: nothing of it could be shared.")
    if is_pending(document):
        return say("What would leave the machine is said once the score is known.")
    return say("in a moment")
