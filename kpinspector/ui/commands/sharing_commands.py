"""Connects the Sharing tab to the session, to the steps and to what is saved."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot

from kpinspector.app.document import Document
from kpinspector.app.session import Session
from kpinspector.app.sharing import is_pending, record_of
from kpinspector.trace.model import Step
from kpinspector.ui.dialogs.dialogs import Dialogs
from kpinspector.ui.sharing.sharing_page import ShownSharing
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.window.score_panel import ScorePanel
from kpinspector.words.say import say


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
        self._page.fields.way_chosen.connect(self._answers.choose_way)
        self._page.fields.level_chosen.connect(self._answers.choose_level)
        self._page.body.save_wanted.connect(self._on_save_wanted)
        score.page_changed.connect(self._on_page_changed)
        steps.step_selected.connect(self._on_step_selected)
        self._answers.changed.connect(self._show)

    @Slot()
    def _on_page_changed(self) -> None:
        self._answers.set_shown(self._score.sharing_seen)

    @Slot(object)
    def _on_step_selected(self, step: Step | None) -> None:
        self._page.set_step(None if step is None else step.index)

    @Slot()
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

    @Slot()
    def _on_save_wanted(self) -> None:
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
