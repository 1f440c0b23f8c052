"""The window: joins panels to the session; no logic, no layout beyond docks."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from kpinspector.app.document import Document, Rules, State
from kpinspector.app.progress import Notice, Progress, Turn
from kpinspector.app.session import Session
from kpinspector.app.workshop import MemoryState
from kpinspector.scoring.figures import shown_count
from kpinspector.settings import Settings
from kpinspector.trace.excerpt import Excerpt
from kpinspector.ui.actions import Command, make_actions, refresh_icons, row_actions
from kpinspector.ui.commands import Commands
from kpinspector.ui.compare_commands import CompareCommands
from kpinspector.ui.compare_pane import ComparePane
from kpinspector.ui.dropping import DropFilter
from kpinspector.ui.interpreter import Interpreter
from kpinspector.ui.message_bar import Message, MessageAction, MessageBar
from kpinspector.ui.neighbour_commands import NeighbourCommands
from kpinspector.ui.plain_text import one_line
from kpinspector.ui.problem_page import ProblemPage
from kpinspector.ui.recent_menu import RecentMenu
from kpinspector.ui.report_page import ReportPage
from kpinspector.ui.score_panel import ScorePanel
from kpinspector.ui.start_content import ready_facts, samples
from kpinspector.ui.start_page import StartPage
from kpinspector.ui.state_words import state_word
from kpinspector.ui.status_bar import StatusBar
from kpinspector.ui.step_commands import StepCommands
from kpinspector.ui.step_detail import StepDetail
from kpinspector.ui.step_pane import StepPane
from kpinspector.ui.tally import Kind, Tally
from kpinspector.ui.theme import apply_theme, scale
from kpinspector.ui.tool_bar import MenuBar, ToolBar
from kpinspector.ui.trace_pane import TracePane
from kpinspector.ui.whatif_commands import WhatIfCommands, WhatIfPanes
from kpinspector.ui.window_layout import Panes, WindowLayout

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_SIZE = (1440, 900)
_SMALLEST = (800, 560)
_TRACE_COLUMNS = "traces"
_SHOW_PROBLEMS = "show-problems"


class MainWindow(QMainWindow):
    """One window on one session."""

    def __init__(self, session: Session, settings: Settings, folder: Path) -> None:
        super().__init__()
        self._session = session
        self._settings = settings
        self._folder = folder
        self._current: Document | None = None
        self._told = (0, 0)
        self._tally = Tally()
        self._interpreter = Interpreter(self)
        self.setObjectName("main")
        self.setWindowTitle("kpinspector")
        metrics = self.fontMetrics()
        room = self.screen().availableSize()
        smallest, size = (QSize(*(scale(px, metrics) for px in one)) for one in (_SMALLEST, _SIZE))
        self.setMinimumSize(smallest.boundedTo(room))
        self.resize(size.boundedTo(room))
        self._make_parts()
        self._lay_out()
        self._connect_session()
        self._connect_parts()
        self._commands = Commands(self._actions, session, self)
        self._comparing = CompareCommands(self._actions, session, self._layout)
        self._connect_commands()
        self._recent = RecentMenu(self._actions[Command.OPEN_RECENT], session, self._start, self)
        self._show_rules(session.rules)
        self._show_current(None)
        self._follow_list()
        if settings.restore_window:
            self._restore_window()

    # parts and their places

    def _make_parts(self) -> None:
        self.setMenuBar(MenuBar(self))
        self._actions = make_actions(self)
        self._tools = ToolBar(self._actions, self)
        self._status = StatusBar(self)
        self._messages = MessageBar(self)
        self._start = StartPage()
        self._start.set_samples(samples())
        self._traces = TracePane(self)
        self._steps = StepPane(self)
        self._detail = StepDetail(self)
        self._compare = ComparePane(self)
        self._problem = ProblemPage(self)
        self._report = ReportPage(self)
        self._score = ScorePanel(self)

    def _lay_out(self) -> None:
        self.addToolBar(self._tools)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setStatusBar(self._status)
        panes = Panes(
            tools=self._tools,
            messages=self._messages,
            start=self._start,
            problem=self._problem,
            report=self._report,
            traces=self._traces,
            steps=self._steps,
            detail=self._detail,
            compare=self._compare,
            score=self._score,
        )
        self._layout = WindowLayout(self, panes)
        self._drops = DropFilter(self)

    # wishes

    def _connect_session(self) -> None:
        session = self._session
        session.documents_added.connect(self._on_documents_added)
        session.documents_changed.connect(self._on_documents_changed)
        session.documents_removed.connect(self._on_documents_removed)
        session.rules_changed.connect(self._show_rules)
        session.progress_changed.connect(self._on_progress_changed)
        session.remembered.changed.connect(self._on_memory_changed)
        session.notice_raised.connect(self._on_notice_raised)
        session.row_wanted.connect(self._traces.show_row)
        session.exports.written.connect(self._on_file_written)
        session.excerpt_read.connect(self._on_excerpt_read)

    def _connect_parts(self) -> None:
        self._tools.rules_chosen.connect(self._session.set_rules)
        self._status.stop_requested.connect(self._session.stop)
        self._traces.current_changed.connect(self._show_current)
        self._traces.selection_changed.connect(self._follow_choice)
        self._steps.step_selected.connect(self._detail.set_step)
        self._steps.tree.activated.connect(self._score.show_step)
        self._score.step_wanted.connect(lambda _: self._session.comparisons.close())
        self._score.step_wanted.connect(self._steps.go_to_step)
        self._score.report_wanted.connect(self._on_report_wanted)
        NeighbourCommands(self._session, self._score.neighbours, self._steps)
        self._problem.reload_requested.connect(self._session.reload)
        self._report.replay_requested.connect(self._session.replays.run)
        self._actions[Command.REPLAY].triggered.connect(self._report.replay)
        self._messages.action_chosen.connect(self._on_message_action)
        self._actions[Command.COPY_ANSWER].triggered.connect(self._score.copy_answer)
        self._actions[Command.FILTER].triggered.connect(self._traces.focus_filter)
        StepCommands(self._actions, self._session.sources, self._steps, self._detail)
        what_if = WhatIfPanes(self._score, self._steps, self._detail)
        self._what_if = WhatIfCommands(self._actions, self._session, what_if)
        self._score.neighbours.try_novelty_requested.connect(self._what_if.try_novelty)
        self._actions[Command.PREVIOUS].triggered.connect(self._go_back)
        self._actions[Command.NEXT].triggered.connect(self._go_on)
        self._actions[Command.QUIT].triggered.connect(self.close)
        self._actions[Command.RESTORE_LAYOUT].triggered.connect(self._restore_default)
        self._actions[Command.NEXT_PANE].triggered.connect(lambda: self._layout.go_to_pane(1))
        self._actions[Command.PREVIOUS_PANE].triggered.connect(lambda: self._layout.go_to_pane(-1))
        more = (Command.RELOAD, Command.REMOVE, Command.CLOSE_ALL)
        self._traces.set_more_actions([self._actions[one] for one in more])
        self._traces.table.menu.set_actions(row_actions(self._actions))

    def _connect_commands(self) -> None:
        commands = self._commands
        commands.refused.connect(self.show_notice)
        self._session.settings_changed.connect(self._on_settings_changed)
        self._drops.dropped.connect(commands.take)
        self._traces.add_requested.connect(commands.dialogs.ask_files)
        self._problem.remove_requested.connect(commands.remove)
        opener = self._actions[Command.OPEN_IN_EDITOR]
        for part in (self._problem, self._detail):
            part.open_in_editor_requested.connect(commands.open_in_editor)
            part.editor.setEnabled(opener.isEnabled())
            opener.enabledChanged.connect(part.editor.setEnabled)
        self._start.open_requested.connect(commands.dialogs.ask_files)
        self._start.open_folder_requested.connect(commands.dialogs.ask_folder)
        self._start.paste_requested.connect(commands.paste)
        self._start.sample_requested.connect(commands.open_sample)
        commands.show_theme(self._settings.theme)

    # what the session says

    @Slot(object)
    def _on_documents_added(self, documents: Sequence[Document]) -> None:
        self._tally.put(documents)
        self._traces.add_documents(documents)
        if self._current is None:
            self._traces.go(1)
            self._traces.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._follow_list()

    @Slot(object)
    def _on_documents_changed(self, documents: Sequence[Document]) -> None:
        self._tally.put(documents)
        self._traces.update_documents(documents)
        if self._current is not None:
            changed = self._session.document(self._current.number)
            if changed is not None and changed is not self._current:
                self._show_current(changed)
        self._follow_list()

    @Slot(object)
    def _on_documents_removed(self, numbers: Sequence[int]) -> None:
        self._tally.remove(numbers)
        self._traces.remove(numbers)
        self._follow_list()

    @Slot(object)
    def _on_progress_changed(self, progress: Progress) -> None:
        self._status.set_progress(progress)
        self._score.set_turn(self._turn())
        self._interpreter.set_work(
            reading=progress.read < progress.to_read, scoring=progress.scored < progress.to_score
        )
        self._actions[Command.STOP].setEnabled(progress.busy)
        self._follow_list()
        if not progress.busy:
            self._tell_problems()

    @Slot(object)
    def _on_memory_changed(self, state: MemoryState) -> None:
        self._status.set_memory(state)
        self._start.set_ready(ready_facts(state))
        if state.failure is not None:
            sentence = self.tr("{0} Novelty is assumed 0.5.").format(state.failure.message)
            self._messages.show_message(Message(sentence, key="model"))

    @Slot(object)
    def _on_notice_raised(self, notice: Notice) -> None:
        message = Message(notice.sentence, key=notice.key, detail=notice.detail)
        self._messages.show_message(message)

    def show_notice(self, sentence: str) -> None:
        """Say something that stays until it is closed."""
        self._messages.show_message(Message(sentence))

    @Slot(object)
    def _on_file_written(self, path: Path) -> None:
        self._messages.show_message(Message(self.tr("{0} was written.").format(path), key="export"))

    @Slot(object, object)
    def _on_excerpt_read(self, number: int, excerpt: Excerpt) -> None:
        if self._current is not None and self._current.number == number:
            self._problem.set_excerpt(excerpt.lines, excerpt.first)

    @Slot()
    def _on_report_wanted(self) -> None:
        if self._current is not None:
            self._score.set_report_text(self._session.exports.report_text(self._current))

    @Slot(object, str)
    def _on_message_action(self, _message: Message, key: str) -> None:
        if key == _SHOW_PROBLEMS:
            self._traces.show_problems()

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        before, self._settings = self._settings, settings
        app = QApplication.instance()
        if settings.theme is not before.theme and isinstance(app, QApplication):
            apply_theme(app, settings.theme)
        self._commands.show_theme(settings.theme)

    # what is shown

    @Slot()
    def _go_back(self) -> None:
        self._traces.go(-1)

    @Slot()
    def _go_on(self) -> None:
        self._traces.go(1)

    def _tell_problems(self) -> None:
        """Say once after each drop what could not be scored."""
        problems, skipped = self._tally[Kind.PROBLEM], self._tally[Kind.SKIPPED]
        if (problems, skipped) == self._told:
            return
        self._told = (problems, skipped)
        parts = []
        if problems:
            text = self.tr("{0} of {1} could not be scored")
            parts.append(text.format(shown_count(problems), shown_count(len(self._tally))))
        if skipped:
            parts.append(self.tr("{0} skipped").format(shown_count(skipped)))
        if parts:
            sentence = self.tr("{0}. Everything else is loaded.").format(", ".join(parts))
            show = MessageAction(_SHOW_PROBLEMS, self.tr("Show Them"))
            self._messages.show_message(Message(sentence, (show,), key="problems"))

    @Slot(object)
    def _show_rules(self, rules: Rules) -> None:
        self._tools.set_rules(rules)
        self._traces.set_threshold(rules.threshold)
        self._start.set_threshold(rules.threshold)

    @Slot(object)
    def _show_current(self, document: Document | None) -> None:
        """Show a row in all panes; the same row with news changes what is news."""
        other = document is None or self._current is None or self._current.item is not document.item
        self._current = document
        self._session.set_current(document.number if document else None)
        self._tools.set_document(document)
        self._session.neighbours.set_document(document)
        self._score.set_document(document, self._turn())
        self._status.set_document(document)
        if document is None:
            self._layout.show_start()
            self._start.setFocus(Qt.FocusReason.OtherFocusReason)
        elif document.record is not None:
            self._layout.show_trace()
            self._detail.set_document(document)
            self._steps.set_document(document)  # says which step is to be shown
        elif document.state is State.REPORT:
            self._report.set_document(document)  # before: only what is enabled takes the keys
            self._layout.show_report()
        elif other:
            self._layout.show_problem()
            self._problem.set_document(document)
            self._problem.set_watched(watched=self._session.is_watched(document.number))
            self._session.read_excerpt(document.number)
        self._what_if.set_document(document)
        self.setWindowTitle(self._title(document))
        self._follow_choice()

    def _turn(self) -> Turn | None:
        """When the current row is scored."""
        return None if self._current is None else self._session.turn_of(self._current.number)

    def _title(self, document: Document | None) -> str:
        """The row and its state, then the program."""
        if document is None:
            return "kpinspector"
        words = [one_line(document.name), state_word(self, document.state)]
        if document.assumed:
            words.append(self.tr("assumed"))
        return self.tr("{0} - kpinspector").format(", ".join(words))

    def _follow_list(self) -> None:
        """Without any row the start page has the window."""
        self._status.set_tally(self._tally)
        self._layout.show_panes(shown=len(self._tally) > 0)
        if not len(self._tally) and self._current is not None:
            self._show_current(None)
        self._follow_choice()

    def _follow_choice(self) -> None:
        """Commands work on the current row and the selected ones."""
        selected = self._traces.selected_documents()
        self._commands.set_chosen(self._current, selected)
        self._comparing.set_chosen(self._current, selected)

    # the window itself

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._layout.fit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_actions"):
            refresh_icons(self._actions, self.palette())

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop at once; the session ends its thread when the window is gone."""
        self._session.stop()
        self._interpreter.stop()
        self._keep_window()
        super().closeEvent(event)

    def _restore_window(self) -> None:
        """As it was when it was closed the last time, but never where no screen is."""
        state = self._session.history.state
        self.restoreGeometry(QByteArray.fromBase64(state.geometry.encode()))
        self._layout.restore(state.window_state)
        self._traces.restore_columns(state.columns.get(_TRACE_COLUMNS, ""))

    def _keep_window(self) -> None:
        self._session.history.keep_window(
            geometry=bytes(self.saveGeometry().toBase64().data()).decode(),
            window_state=self._layout.state(),
            columns={_TRACE_COLUMNS: self._traces.columns_state()},
        )

    @Slot()
    def _restore_default(self) -> None:
        self._layout.restore_default()
        self._traces.table.header.reset_columns()
