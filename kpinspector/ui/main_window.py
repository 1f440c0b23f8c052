"""The main window: connects the panes to the session; it has no logic and no layout of its own."""

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow
from typing_extensions import override

from kpinspector.app.state import SavedState
from kpinspector.app.values import Notice, NoticeKind, Progress, Rules, State, Turn
from kpinspector.loading import loading
from kpinspector.settings import Settings, Theme
from kpinspector.ui.actions import refresh_icons
from kpinspector.ui.actions.table import THEMES
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import application, apply_theme, scale
from kpinspector.ui.parts.message_bar import Message, MessageAction
from kpinspector.ui.traces import Kind
from kpinspector.ui.window.frame import NARROW_BELOW, make_frame
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

if TYPE_CHECKING:
    from kpinspector.app.document import Document
    from kpinspector.app.documents import ListChange
    from kpinspector.app.engine import MemoryState
    from kpinspector.app.session import Session
    from kpinspector.settings import Settings
    from kpinspector.trace.step_source import StepSource

_TRACE_COLUMNS = "traces"
_PROBLEMS = "problems"


class MainWindow(QMainWindow):
    """The window of a session: first only its frame, then the panes and commands."""

    place_changed = Signal()
    """The position or size of the window, or sizes of its panes or columns, have changed."""

    def __init__(self, settings: Settings, state: SavedState, *, opening: bool = False) -> None:
        self.furnished = False
        super().__init__()
        self._opening = opening
        self._busy = False
        self._told = 0
        self._settings = settings
        self._frame = make_frame(self, state.recent, opening=opening)
        self._actions, self._start = self._frame.actions, self._frame.start
        self._tools, self._status = self._frame.tools, self._frame.status
        self._start.set_threshold(settings.threshold)
        self._tools.set_rules(Rules(threshold=settings.threshold))
        if settings.restore_window and state.geometry:  # Qt moves it to a screen that exists
            self.restoreGeometry(QByteArray.fromBase64(state.geometry.encode()))

    def furnish(self, session: "Session") -> None:
        """Make the panes and the commands, and connect them to the session; called once."""
        with loading():
            from kpinspector.ui.commands.wishes import PaneWishes  # noqa: PLC0415 - after the frame is seen

        self._wishes, self._session = PaneWishes(self, self._frame, session), session
        self._layout = self._wishes.layout
        panes = self._layout.panes
        self._messages, self._traces, self._score = panes.messages, panes.traces, panes.score
        self.furnished = True
        refresh_icons(self._actions, self.palette())
        self._connect_session()
        self._connect_parts()
        self._show_rules(session.store.rules)
        self._show_document(None)
        self._follow_list()
        self._layout.fit()
        if self._settings.restore_window:
            state = session.history.state
            self._layout.restore(state.window_state)
            self._traces.table.header.restore(state.columns.get(_TRACE_COLUMNS, ""))

    def set_opening(self, *, opening: bool) -> None:
        """Say whether files are still being opened with the window; if not, show the start page."""
        if opening != self._opening:
            self._opening = opening
            if self._session.store.current is None:
                self._show_document(None)
            self._follow_list()

    # connections

    def _connect_session(self) -> None:
        session = self._session
        session.store.changed.connect(self._on_list_changed)
        session.store.current_changed.connect(self._on_current_changed)
        session.progress_changed.connect(self._on_progress_changed)
        session.settings_changed.connect(self._on_settings_changed)
        session.memory.changed.connect(self._on_memory_changed)
        session.runner.worker.waits.connect(self._status.set_waiting)
        session.board.raised.connect(self._on_notice_raised)
        session.board.settled.connect(self._messages.close_key)

    def _connect_parts(self) -> None:
        self._status.stop.clicked.connect(self._session.stop)
        self._status.resume.clicked.connect(self._session.resume)
        self._traces.table.current_changed.connect(self._session.store.choose)
        self._traces.table.selection_changed.connect(self._follow_choice)
        self._traces.table.header.columns_changed.connect(self.place_changed)
        self._layout.changed.connect(self.place_changed)
        self._show_theme()

    # slots of the session's signals

    def _on_list_changed(self, change: "ListChange") -> None:
        if change.rules is not None:
            self._show_rules(change.rules)
        if change.added:
            self._opening = False
            self._traces.add_documents(change.added)
            if self._session.store.current is None:
                self._traces.begin()
        if change.changed:
            self._traces.update_documents(change.changed)
        if change.removed:
            self._traces.remove(change.removed)
        if change.current is not None or self._session.store.current is None:
            self._show_document(change.current, again=True)
        self._follow_list()
        if change.removed and not self._counts[Kind.PROBLEM]:
            self._tell_problems()

    def _on_current_changed(self, document: "Document | None") -> None:
        self._show_document(document)
        self._follow_choice()

    def _on_progress_changed(self, progress: Progress) -> None:
        self._status.set_progress(progress)
        self._score.set_turn(self._turn())
        busy = progress.busy
        if not (self._busy and busy):  # while work goes on, only new rows are shown
            self._busy = busy
            self._follow_list()
        if not busy:
            self.set_opening(opening=False)
            self._tell_problems()

    def _on_memory_changed(self, state: "MemoryState") -> None:
        self._status.set_memory(state)
        self._start.set_memory(state)
        if state.failure is not None:
            sentence = say("{message} Novelty is assumed 0.5.", message=state.failure.message)
            self._messages.show_message(Message(sentence, key="model"))

    def _on_notice_raised(self, notice: Notice) -> None:
        if notice.kind is NoticeKind.NEWS:
            self._status.show_news(one_line(notice.sentence), notice.detail)
            return
        fault = notice.kind is NoticeKind.FAULT
        message = Message(notice.sentence, key=notice.key, detail=notice.detail, fault=fault)
        self._messages.show_message(message)

    def _show_excerpt(self, of: "Document", excerpt: "StepSource") -> None:
        current = self._session.store.current
        if current is not None and current.number == of.number:
            self._layout.panes.problem.set_excerpt(excerpt.lines, excerpt.first)

    def _on_settings_changed(self, settings: "Settings") -> None:
        before, self._settings = self._settings, settings
        if settings.theme is not before.theme:
            apply_theme(application(), settings.theme)
        self._show_theme()

    def _show_theme(self) -> None:
        for command, one in zip(THEMES, Theme, strict=True):
            self._actions[command].setChecked(one is self._settings.theme)

    # showing values

    def _tell_problems(self) -> None:
        """Show one message after each drop about the rows that could not be scored."""
        kinds = self._counts
        problems = kinds[Kind.PROBLEM]
        if problems == self._told:
            return
        self._told = problems
        if problems:
            sentence = say(
                "{problems} of {whole} could not be scored. Everything else is loaded.",
                problems=shown_count(problems),
                whole=shown_count(kinds[Kind.SCORED] + kinds[Kind.PENDING] + problems),
            )
            show = MessageAction(say("Show Them"), self._traces.show_problems)
            self._messages.show_message(Message(sentence, (show,), key=_PROBLEMS))
        else:  # the rows with problems were removed
            self._messages.close_key(_PROBLEMS)

    def _show_rules(self, rules: Rules) -> None:
        self._tools.set_rules(rules)
        self._traces.set_threshold(rules.threshold)
        self._start.set_threshold(rules.threshold)

    def _show_document(self, document: "Document | None", *, again: bool = False) -> None:
        """Show a row in all panes; ``again``: newer values of the same row."""
        self._tools.set_document(document)
        self._session.questions.set_document(document)
        self._session.sharing.set_document(document)
        self._score.set_document(document, self._turn())
        self._status.set_document(document)
        self._show_page(document, again=again)
        self._wishes.what_if.set_document(document)
        self.setWindowTitle(self._title(document))

    def _show_page(self, document: "Document | None", *, again: bool) -> None:
        """Show in the centre the page for a row, or the page without one."""
        panes, layout, questions = self._layout.panes, self._layout, self._session.questions
        if document is None and not self._opening and not len(self._session.store):
            layout.show(self._start)
            self._start.setFocus(Qt.FocusReason.OtherFocusReason)
        elif hint := self._hint(document):
            layout.show_hint(hint)
        elif document is not None and document.record is not None:
            layout.show(layout.reading)
            panes.steps.show_steps(replace(panes.steps.shown, document=document))
        elif document is not None and document.state is State.REPORT:
            panes.report.set_document(document)
            layout.show(panes.report)
        elif document is not None and not (again and panes.problem.shows(document)):
            layout.show(panes.problem)
            watched = self._session.is_watched(document.number)
            panes.problem.set_document(document, watched=watched)
            questions.read_excerpt(document, partial(self._show_excerpt, document))

    def _hint(self, document: "Document | None") -> str:
        """The sentence in place of the steps, if there are none and no other page; "" otherwise."""
        if document is None and self._opening:
            return say("Reading…")
        if document is None:
            choose = say("Choose a recording: it is read and scored then.")
            return choose if self._counts[Kind.UNREAD] else say("No trace here.")
        if document.unread is not None:
            return say("Not read yet: a recording is read when it is chosen.")
        if document.begun is not None:
            return say("No step yet: the run has just begun, and is followed.")
        return ""

    def _turn(self) -> Turn | None:
        """When the current row will be scored; None if it does not wait for that."""
        current = self._session.store.current
        return None if current is None else self._session.pipeline.turn_of(current.number)

    def _title(self, document: "Document | None") -> str:
        """The window's title: the row and its state, then the program."""
        if document is None:
            return "kpinspector"
        scored = document.record is not None
        word = self._score.verdict if scored else document.state.word
        return say("{document}, {word} - kpinspector", document=one_line(document.name), word=word)

    def _follow_list(self) -> None:
        """Update counts, panes and commands by the rows that are open."""
        rows = self._traces.model.counts.total() > 0
        self._status.set_counts(self._counts, stopped=self._session.waits)
        self._layout.show_panes(shown=rows or self._opening)
        self._wishes.view.set_open(rows=rows)
        self._follow_choice()

    @property
    def _counts(self) -> Counter[Kind]:
        return self._traces.model.counts.kinds()

    def _follow_choice(self) -> None:
        """Give commands the selected rows, or the current one if a filter hides it."""
        current, shown = self._session.store.current, self._traces.table.currentIndex().isValid()
        hidden = () if current is None or shown else (current,)
        chosen = self._traces.table.selected_documents() or hidden
        self._wishes.commands.set_chosen(chosen)
        self._wishes.comparing.set_chosen(chosen)
        counts = self._counts  # traces that are scored or will be
        any_trace = counts[Kind.SCORED] + counts[Kind.PENDING] > 0
        self._wishes.batch.set_chosen(chosen, any_trace=any_trace)

    # the window itself

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.furnished:
            self._layout.fit()
            self.place_changed.emit()
        else:
            self._tools.set_narrow(narrow=self.width() < scale(NARROW_BELOW, self.fontMetrics()))

    @override
    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.place_changed.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.furnished:
            refresh_icons(self._actions, self.palette())
        elif event.type() == QEvent.Type.WindowStateChange:
            self.place_changed.emit()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop all work at once; the session's thread is ended after the window is closed."""
        if self.furnished:
            self._session.stop()
            self.keep_place()
        super().closeEvent(event)

    def keep_place(self) -> None:
        """Keep position and layout of the window for the next start."""
        self._session.history.keep(
            zoom=self._wishes.view.zoom,
            geometry=bytes(self.saveGeometry().toBase64().data()).decode(),
            window_state=self._layout.state(),
            columns={_TRACE_COLUMNS: self._traces.table.header.columns_state()},
        )
