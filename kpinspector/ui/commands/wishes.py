"""Connects the panes of a window to the session and the commands, all in one place.

Loading all this takes longer than showing the window, and nothing of it is visible before a file
is open, so it is made after the first paint.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from kpinspector.app.questions import Question
from kpinspector.app.session import Session
from kpinspector.app.sharing import count_in_clear
from kpinspector.runs.provenance import RunPlace
from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.records import name_of
from kpinspector.trace.step_source import StepPlace, StepSource
from kpinspector.ui.actions import connect, follow, row_actions
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands import Desk, Part
from kpinspector.ui.commands.commands import Commands, UndoCommands, ViewCommands
from kpinspector.ui.commands.opening import DropFilter, RecentMenu, take
from kpinspector.ui.commands.several import BatchCommands, CompareCommands
from kpinspector.ui.commands.whatif_commands import WhatIfCommands
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.panes import Do, Wish
from kpinspector.ui.steps.step_detail import EditWish
from kpinspector.ui.steps.step_fields import step_json, step_pointer, step_text
from kpinspector.ui.window.frame import Frame
from kpinspector.ui.window.layout import Panes, WindowLayout
from kpinspector.ui.window.score_panel import Tab
from kpinspector.ui.window.start_page import StartWish
from kpinspector.words.say import say
from kpinspector.words.writers.explanation_text import explanation_cells


class PaneWishes(Part):
    """Makes the panes and the commands, and fulfils the wishes of the panes.

    Attributes:
        commands, comparing, what_if, view, batch: The parts that the window tells about rows.
    """

    def __init__(self, window: QMainWindow, frame: Frame, session: Session) -> None:
        self.layout = WindowLayout(window, Panes(window, frame))
        frame.centre.layout().addWidget(self.layout.columns)  # type: ignore[union-attr]
        if frame.first is not frame.start:
            frame.first.deleteLater()
            frame.first.hide()
        desk = Desk(window, frame, session, self.layout, Dialogs(session, window))
        super().__init__(desk)
        self.batch = BatchCommands(desk)  # first, so that a command on steps finds them shown
        self.what_if = WhatIfCommands(desk)
        self.commands = Commands(desk, UndoCommands(desk, self.what_if.history))
        self._join_pages()
        self._join_steps()
        self._join_score()
        RecentMenu(desk)
        DropFilter(window, partial(take, desk.session))
        self.comparing, self.view = CompareCommands(desk), ViewCommands(desk)

    def _join_pages(self) -> None:
        """Connect the start page, the list, and the page of a problem."""
        panes, session, actions = self._panes, self._session, self._actions
        traces = panes.traces
        self._frame.start.wished.connect(self._on_start_wished)
        session.store.row_wanted.connect(traces.show_row)
        traces.add.clicked.connect(self._dialogs.ask_files)
        counted = traces.model.set_in_clear
        traces.in_clear_wanted.connect(partial(count_in_clear, session.questions, counted))
        more = (Command.RELOAD, Command.REMOVE, Command.CLOSE_ALL)
        traces.set_more_actions([actions[one] for one in more])
        traces.table.menu.set_actions(row_actions(actions))
        panes.problem.reload.clicked.connect(session.reload)
        panes.problem.remove.clicked.connect(self.commands.remove)
        for part in (panes.problem, panes.detail):
            follow(actions[Command.OPEN_IN_EDITOR], part.editor)

    def _on_start_wished(self, wish: StartWish) -> None:
        match wish.command:
            case Command.OPEN_RECENT:
                self._session.opener.open(wish.of)
            case Command.OPEN_SAMPLES:
                self._session.open_samples(*wish.of)
            case _:
                self._actions[wish.command].trigger()

    # the steps

    def _join_steps(self) -> None:
        panes, actions, steps = self._panes, self._actions, self._panes.steps
        slots = {
            Command.FIND: steps.focus_find,
            Command.FIND_NEXT: steps.find_bar.go_on,
            Command.FIND_PREVIOUS: steps.find_bar.go_back,
            Command.EXPAND_ALL: steps.tree.expandAll,
            Command.COLLAPSE_ALL: steps.tree.close_all,
            Command.GO_TO_STEP: steps.ask_number,
            Command.COPY_TEXT: lambda: steps.copy(step_text),
            Command.COPY_JSON: lambda: steps.copy(step_json),
            Command.COPY_POINTER: lambda: steps.copy(step_pointer),
        }
        connect(actions, slots)
        copies = (Command.COPY_TEXT, Command.COPY_JSON, Command.COPY_POINTER, Command.COPY_PATH)
        trees = (Command.EXPAND_ALL, Command.COLLAPSE_ALL, Command.GO_TO_STEP)
        lines = (*(actions[one] for one in copies), None, *(actions[one] for one in trees))
        steps.tree.menu.set_actions(lines)
        steps.step_selected.connect(
            lambda step: panes.score.sharing.set_step(None if step is None else step.index)
        )
        steps.tree.activated.connect(panes.score.show_step)
        store, commands = self._session.store, self.commands
        for button, act in (
            (steps.imported.set_outcome, commands.ask_outcome),
            (steps.imported.take_back, commands.take_back_outcome),
        ):
            button.clicked.connect(lambda _=False, act=act: act(*filter(None, (store.current,))))
        panes.detail.wished.connect(self._on_step_wished)

    def _on_step_wished(self, wish: StepPlace | RunPlace | EditWish) -> None:
        if isinstance(wish, EditWish):
            self.what_if.edit_step(wish)
            return
        detail = self._panes.detail

        def show(source: StepSource) -> None:
            if wish == detail.place:
                detail.set_source(source.lines, source.first)

        self._session.questions.read_source(wish, show)

    # the tabs of the score

    def _join_score(self) -> None:
        score, session = self._panes.score, self._session
        connect(self._actions, {Command.COPY_ANSWER: score.copy_answer})
        self._acts = self._make_acts()
        for part in (score, *score.panes):
            part.wished.connect(self._fulfil)
        session.memory.changed.connect(self._refresh_neighbours)
        session.progress_changed.connect(self._refresh_neighbours)
        score.page_changed.connect(lambda: session.sharing.set_shown(score.tab is Tab.SHARING))
        session.sharing.changed.connect(self._show_sharing)

    def _make_acts(self) -> dict[Do, Callable[[Any], object]]:
        """What is called for each kind of wish, except for ``Do.TRY``."""
        questions, sharing, tried = self._session.questions, self._session.sharing, self.what_if
        history, copy = tried.history, QGuiApplication.clipboard().setText
        changed = self._panes.score.set_changes
        return {
            Do.ASK: self._ask,
            Do.STOP: questions.stop,
            Do.FIND_CHANGES: lambda row: questions.find_changes(row, changed),
            Do.COPY: lambda one: questions.ask(
                Question.TEXT, lambda _token: explanation_cells(one), copy
            ),
            Do.GO_TO_STEP: self._go_to_step,
            Do.SHOW_NEIGHBOURS: lambda _: self._panes.score.show_tab(Tab.NEIGHBOURS),
            Do.COMPARE: self._compare_with,
            Do.OPEN: questions.go_to,
            Do.SHOW_TRIED: lambda scenario: tried.show_tried(scenario, say("Try")),
            Do.LEAVE_OUT: lambda novelty: tried.show_tried(
                history.scenario.with_value(Dimension.NOVELTY, novelty), say("Novelty")
            ),
            Do.END_GESTURE: lambda _: history.end_gesture(),
            Do.UNDO: lambda _: history.undo(),
            Do.REDO: lambda _: history.redo(),
            Do.TAKE_WAY: sharing.choose_way,
            Do.TAKE_LEVEL: sharing.choose_level,
            Do.SAVE_BODY: lambda _: self._save_body(),
        }

    def _fulfil(self, wish: Wish) -> None:
        if wish.do is Do.TRY:
            self.what_if.history.push(wish.of, wish.words, wish.key)
        else:
            self._acts[wish.do](wish.of)

    def _ask(self, question: Question) -> None:
        view, questions = self._panes.score.neighbours, self._session.questions
        match question:
            case Question.TODAY:
                questions.look_today(view.set_today)
            case Question.RANKING:
                questions.rank_steps(view.alike.set_alike, view.alike.set_ended)
            case Question.NOVELTY:
                self.what_if.measure_again()

    def _compare_with(self, neighbour: Neighbour) -> None:
        if (current := self._session.store.current) is not None:
            self._session.comparisons.compare_with(current.number, neighbour)

    def _go_to_step(self, index: int) -> None:
        self._session.comparisons.close()
        self._panes.steps.go_to_step(index)

    def _refresh_neighbours(self) -> None:
        view, state = self._panes.score.neighbours, self._session.memory.state
        if state is not None:
            view.set_mode(state.mode)
        if not self._session.progress.busy:
            view.refresh_today()

    def _show_sharing(self) -> None:
        answers, page = self._session.sharing, self._panes.score.sharing
        ways, sharing = answers.ways, answers.sharing
        leaving = sharing.leaving if sharing is not None and sharing.is_posted else None
        steps = self._panes.steps
        steps.show_steps(replace(steps.shown, leaving=leaving))
        levels = answers.level, answers.own_level
        page.set_sharing(answers.document, ways, answers.way, levels)

    def _save_body(self) -> None:
        document, sharing = self._session.sharing.document, self._session.sharing.sharing
        if document is None or sharing is None or sharing.posting.body is None:
            return
        write = partial(self._session.exports.write_body, body=sharing.posting.body)
        title, kinds = say("Save Body, Nothing Masked"), {say("Body (*.json)"): ".json"}
        self._dialogs.ask_where(title, kinds, f"{name_of(document.path, None)}-body", write)
