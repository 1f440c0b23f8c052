"""What the Neighbours tab asks for, and where its answers come from."""

from PySide6.QtCore import QObject, Slot

from kpinspector.app.neighbours import Question
from kpinspector.app.progress import Progress
from kpinspector.app.session import Session
from kpinspector.app.workshop import MemoryState
from kpinspector.scoring.novelty.whole_novelty import WholeFinding
from kpinspector.scoring.novelty.whole_text import WholeText
from kpinspector.ui.neighbours.neighbour_view import NeighbourView
from kpinspector.ui.steps.step_pane import StepPane


class NeighbourCommands(QObject):
    """Joins the tab to the session, and to the steps that it leads to."""

    def __init__(self, session: Session, view: NeighbourView, steps: StepPane) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        self._steps = steps
        neighbours = session.neighbours
        self._answers = {
            Question.TODAY: neighbours.look,
            Question.RANKING: neighbours.rank_steps,
            Question.WHOLE_TEXT: neighbours.measure_whole,
        }
        view.asked.connect(self._on_asked)
        view.stop_requested.connect(neighbours.stop)
        view.open_requested.connect(session.visits.go_to)
        view.compare_requested.connect(session.comparisons.compare_with)
        neighbours.today_known.connect(view.set_today)
        neighbours.steps_ranked.connect(view.set_ranking)
        neighbours.whole_measured.connect(view.set_whole)
        neighbours.whole_measured.connect(self._on_whole_measured)
        neighbours.ended.connect(view.set_ended)
        session.remembered.changed.connect(self._on_memory_changed)
        session.progress_changed.connect(self._on_progress_changed)

    @Slot(object)
    def _on_asked(self, question: Question) -> None:
        self._answers[question]()

    @Slot(object, object)
    def _on_whole_measured(self, whole: WholeText, _finding: WholeFinding | None) -> None:
        if whole.counted and not whole.embedded:
            self._steps.set_tokens(whole.tokens)

    @Slot(object)
    def _on_memory_changed(self, state: MemoryState) -> None:
        self._view.set_mode(state.mode)
        if not self._session.progress.busy:
            self._view.refresh_today()

    @Slot(object)
    def _on_progress_changed(self, progress: Progress) -> None:
        if not progress.busy:
            self._view.refresh_today()
