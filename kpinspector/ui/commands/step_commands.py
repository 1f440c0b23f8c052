"""The commands for steps, and the source text of a step."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from kpinspector.app.sources import Sources
from kpinspector.runs.provenance import RunPlace
from kpinspector.trace.step_source import StepPlace, StepSource
from kpinspector.ui.actions.table import Command
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_pane import StepPane


class StepCommands(QObject):
    """Connects actions and sources to the panes of the steps and of one step."""

    def __init__(
        self,
        actions: Mapping[Command, QAction],
        sources: Sources,
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
        detail.source_wanted.connect(sources.read)
        sources.source_read.connect(self._on_source_read)

    @Slot(object, object)
    def _on_source_read(self, place: StepPlace | RunPlace, source: StepSource) -> None:
        if place == self._detail.place:
            self._detail.set_source(source.lines, source.first)
