"""What is tried of the open traces, and what would change a score."""

from collections.abc import Callable
from functools import partial
from threading import Lock
from typing import Generic, TypeVar
from weakref import ref

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.engine import Engine
from kpinspector.app.jobs import Done, JobRunner, Token, Work
from kpinspector.app.progress import NoticeBoard
from kpinspector.scoring.formula.measurement import Measurement, Novelty
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.novelty.sequence import Measured, measure_edited
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals, counterfactuals
from kpinspector.scoring.whatif.scenario import Scenario, edited_trace
from kpinspector.trace.model import ReasoningTrace

Held = TypeVar("Held")
Made = TypeVar("Made")
_MOST = 8
LONG = 2_000
"""A trace of more steps than this takes long."""


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


class Shelf(Generic[Held, Made]):
    """A cache of a few values, each made from an object that others hold; the oldest goes first."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: dict[int, tuple[ref[Held], object, Made]] = {}
        self._lock = Lock()  # the worker puts values in as well

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, held: Held, rest: object = None) -> Made | None:
        """The value made from an object and ``rest``, if it is kept."""
        kept = self._kept.get(id(held))
        return kept[2] if kept is not None and kept[1] == rest else None

    @property
    def last(self) -> tuple[Held, Made] | None:
        """What was asked for last, and of what it was made; None where nobody holds that."""
        kept = next(reversed(tuple(self._kept.values())), None)
        held = None if kept is None else kept[0]()
        return None if kept is None or held is None else (held, kept[2])

    def put(self, held: Held, made: Made, rest: object = None) -> None:
        """Keep a value in place of the one made from the same object before."""
        key = id(held)
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = ref(held, lambda _: self._kept.pop(key, None)), rest, made
            if len(self._kept) > self._most:
                oldest, *_ = tuple(self._kept)
                self._kept.pop(oldest, None)  # it may go meanwhile, held by nobody

    def get(self, held: Held, make: Callable[[Held], Made], rest: object = None) -> Made:
        """The value made from an object and ``rest``; it is made now if it is not kept."""
        made = self.find(held, rest)
        if made is None:
            made = make(held)
        self.put(held, made, rest)  # behind all others
        return made


_SHELF: Shelf[ReasoningTrace, Counterfactuals] = Shelf()


def kept_changes(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> Counterfactuals:
    """What would change a score; computed now if it is not kept."""

    def find(_: ReasoningTrace) -> Counterfactuals:
        return counterfactuals(trace, measurement, profile, threshold)

    return _SHELF.get(trace, find, (measurement, profile, threshold))


def is_long(document: Document) -> bool:
    """Whether the changes of its score take long to find."""
    return document.record is not None and len(document.record.trace.steps) > LONG


def is_looked_for(document: Document) -> bool:
    """Whether its changes take long and are not kept yet."""
    measured = document.measured
    if measured is None or not _is_below(document) or not is_long(document):
        return False
    return _SHELF.find(measured.record.trace, _basis(document)) is None


class CounterfactualSearch(QObject):
    """Looks for the changes of one document; only the last request is answered, by ``found``."""

    found = Signal(object)

    def __init__(
        self, submit: Callable[[Work, Done], Token], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._submit = submit
        self._token = Token()

    def find(self, document: Document) -> None:
        """Look for what would change the score of a document; an earlier request is dropped."""
        self._token.cancel()
        self._token = self._submit(lambda _: _find(document), partial(self._on_found, document))

    def _on_found(self, document: Document, changes: Counterfactuals) -> None:
        if document.measured is not None:
            _SHELF.put(document.measured.record.trace, changes, _basis(document))
            self.found.emit(document)


def _is_below(document: Document) -> bool:
    if document.score is None:  # what would decide it is said in its place
        return False
    return document.assessment is not None and not document.assessment.score_passes


def _basis(document: Document) -> tuple[object, ...]:
    """What the changes depend on beside the trace."""
    measured, assessment = document.measured, document.assessment
    if measured is None or assessment is None:
        return ()
    return measured.measurement, assessment.profile, assessment.threshold


def _find(document: Document) -> Counterfactuals:
    measured, assessment = document.measured, document.assessment
    if measured is None or assessment is None:
        raise ValueError("a document without a score")
    trace, measurement = measured.record.trace, measured.measurement
    return counterfactuals(trace, measurement, assessment.profile, assessment.threshold)
