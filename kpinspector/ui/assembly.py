"""Assembles the panes of a window, their layout and their commands.

Loading and creating all this takes longer than showing the window, and none of it is visible
before something is open, so it is added after the first paint.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from kpinspector.app.session import Session
from kpinspector.ui.actions.actions import Command, row_actions
from kpinspector.ui.batch.batch_page import BatchPage, ChosenPage
from kpinspector.ui.commands.batch_commands import BatchCommands, lead_to_steps
from kpinspector.ui.commands.commands import Commands
from kpinspector.ui.commands.compare_commands import CompareCommands, NeighbourCommands
from kpinspector.ui.commands.dropping import DropFilter
from kpinspector.ui.commands.part_commands import RecentMenu, SharingCommands, StepCommands
from kpinspector.ui.commands.undo_commands import UndoCommands
from kpinspector.ui.commands.view_commands import ViewCommands
from kpinspector.ui.commands.whatif_commands import WhatIfCommands, WhatIfPanes
from kpinspector.ui.compare.compare_pane import ComparePane
from kpinspector.ui.parts.message_bar import MessageBar
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.traces.problem_page import ProblemPage
from kpinspector.ui.traces.report_table import ReportView
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.window.frame import Frame
from kpinspector.ui.window.layout import Panes, WindowLayout
from kpinspector.ui.window.score_panel import ScorePanel


@dataclass(frozen=True, slots=True)
class Assembly:
    """The parts that the window itself works with."""

    panes: Panes
    layout: WindowLayout
    commands: Commands
    comparing: CompareCommands
    what_if: WhatIfCommands
    view: ViewCommands
    batch: BatchCommands


def assemble(window: QMainWindow, frame: Frame, session: Session) -> Assembly:
    """Make the panes and commands, lay them out, and connect them to each other."""
    panes = _make_panes(window, frame)
    layout = WindowLayout(window, panes)
    frame.centre.layout().addWidget(layout.columns)  # type: ignore[union-attr]
    if frame.first is not frame.start:
        frame.first.deleteLater()
        frame.first.hide()
    lead_to_steps(frame.actions, layout)
    what_if = _join_panes(panes, frame.actions, session)
    commands = Commands(frame.actions, session, window, lambda: panes.traces.model.shown)
    _join_commands(commands, panes, frame)
    SharingCommands(session, panes.score, panes.steps, panes.detail, commands.dialogs)
    RecentMenu(frame.actions[Command.OPEN_RECENT], session, frame.start, window)
    comparing = CompareCommands(frame.actions, session, layout)
    drops = DropFilter(window)
    drops.dropped.connect(commands.take)
    undo = UndoCommands(frame.actions, session, panes.traces, what_if.history)
    commands.removal_wanted.connect(undo.remove)
    commands.outcomes.statement_wanted.connect(undo.state)
    frame.tools.rules_chosen.connect(undo.judge)
    panes.traces.threshold_chosen.connect(undo.judge_by)
    view = ViewCommands(frame.actions, window, layout, panes.score)
    batch = BatchCommands(frame.actions, session, layout, commands.dialogs)
    return Assembly(panes, layout, commands, comparing, what_if, view, batch)


def _make_panes(window: QMainWindow, frame: Frame) -> Panes:
    return Panes(
        tools=frame.tools,
        messages=MessageBar(window),
        start=frame.start,
        problem=ProblemPage(window),
        report=ReportView(window),
        traces=TracePane(window),
        steps=StepPane(window),
        detail=StepDetail(window),
        compare=ComparePane(window),
        score=ScorePanel(window),
        batch=BatchPage(window),
        chosen=ChosenPage(window),
    )


def _join_panes(
    panes: Panes, actions: Mapping[Command, QAction], session: Session
) -> WhatIfCommands:
    """Connect the panes to each other and to the session."""
    traces, steps, detail, score = panes.traces, panes.steps, panes.detail, panes.score
    session.store.row_wanted.connect(traces.show_row)
    traces.in_clear_wanted.connect(session.in_clear.look_for)
    session.in_clear.found.connect(traces.set_in_clear)
    steps.step_selected.connect(detail.set_step)
    steps.tree.activated.connect(score.show_step)
    score.step_wanted.connect(lambda _: session.comparisons.close())
    score.step_wanted.connect(steps.go_to_step)
    ask = session.questions
    score.changes_wanted.connect(lambda one: ask.find_changes(one, score.set_changes))
    score.answer_wanted.connect(lambda one: ask.write_answer(one, score.put_on_clipboard))
    panes.problem.reload_requested.connect(session.reload)
    actions[Command.COPY_ANSWER].triggered.connect(score.copy_answer)
    actions[Command.FILTER].triggered.connect(traces.focus_filter)
    more = (Command.RELOAD, Command.REMOVE, Command.CLOSE_ALL)
    traces.set_more_actions([actions[one] for one in more])
    traces.table.menu.set_actions(row_actions(actions))
    StepCommands(actions, session.questions, steps, detail)
    what_if = WhatIfCommands(actions, session, WhatIfPanes(score, steps, detail))
    NeighbourCommands(session, score, what_if)
    return what_if


def _join_commands(commands: Commands, panes: Panes, frame: Frame) -> None:
    """Connect buttons in the panes to the actions that they trigger."""
    start = frame.start
    start.open_requested.connect(commands.dialogs.ask_files)
    start.open_folder_requested.connect(commands.dialogs.ask_folder)
    start.paste_requested.connect(commands.paste)
    start.sample_requested.connect(commands.open_sample)
    panes.traces.add_requested.connect(commands.dialogs.ask_files)
    panes.problem.remove_requested.connect(commands.remove)
    panes.steps.imported.outcome_wanted.connect(commands.outcomes.ask_of_current)
    panes.steps.imported.taking_back_wanted.connect(commands.outcomes.take_back_of_current)
    opener = frame.actions[Command.OPEN_IN_EDITOR]
    for part in (panes.problem, panes.detail):
        part.open_in_editor_requested.connect(commands.open_in_editor)
        part.editor.setEnabled(opener.isEnabled())
        opener.enabledChanged.connect(part.editor.setEnabled)
