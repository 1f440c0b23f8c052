"""What is tried of the open traces; also measures the novelty of a tried text."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.engine import Engine
from kpinspector.app.jobs import JobRunner, Token
from kpinspector.app.progress import NoticeBoard
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.novelty.sequence import Measured, measure_edited
from kpinspector.scoring.whatif.scenario import Scenario, edited_trace
from kpinspector.trace.model import ReasoningTrace


class Scenarios(QObject):
    """Part of the session.

    Attributes:
        tried: By the numbers of the rows, what is tried of them and of which trace.
    """

    measured = Signal(object, object)
    """A `Scenario`, and the `Novelty` of the text that it leaves."""
    ended = Signal()
    """Nothing is being measured any more: it is known, was stopped or failed."""

    def __init__(
        self, runner: JobRunner, engine: Engine, board: NoticeBoard, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.tried: dict[int, tuple[Scenario, ReasoningTrace]] = {}
        self._runner = runner
        self._engine = engine
        self._board = board
        self._token: Token | None = None

    @property
    def measuring(self) -> bool:
        """Novelty is being measured."""
        return self._token is not None

    def measure(self, document: Document, scenario: Scenario) -> None:
        """Ask for the novelty of the text that a what-if leaves; ``measured`` answers."""
        self.stop()
        if document.measured is not None:
            self._token = self._runner.submit(
                partial(self._measure, document.measured, scenario),
                partial(self._on_measured, scenario),
                self._on_failed,
            )

    def stop(self) -> None:
        """Measure no more."""
        if self._token is not None:
            self._token.cancel()
            self._end()

    def _measure(self, measured: Measured, scenario: Scenario, _token: Token) -> Novelty:
        record, tools = measured.record, self._engine.tools()
        edited = edited_trace(record.trace, scenario)
        return measure_edited(record, edited, measured.place, *tools)

    def _on_measured(self, scenario: Scenario, novelty: Novelty) -> None:
        self._end()
        self.measured.emit(scenario, novelty)

    def _on_failed(self, error: Exception) -> None:
        self._end()
        self._board.fail(error)

    def _end(self) -> None:
        self._token = None
        self.ended.emit()
