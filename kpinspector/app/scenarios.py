"""The what-ifs of rows: tried, saved and kept; also measures the novelty of a tried text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kpinspector.app.document import Document
from kpinspector.app.documents import DocumentStore
from kpinspector.app.engine import Engine, TriedScenario
from kpinspector.app.jobs import JobRunner, Token
from kpinspector.app.progress import NoticeBoard
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.novelty.sequence import Measured, measure_edited
from kpinspector.scoring.whatif.edited import edited_trace, fitted, with_draft
from kpinspector.scoring.whatif.scenario import Draft, NamedScenario, Scenario
from kpinspector.trace.model import ReasoningTrace

_REST_MS = 500  # changes tried in quick succession are written together


class Scenarios(QObject):
    """Part of the session.

    Saved what-ifs and the one being tried outlast the program: they are kept after each pause.
    """

    measured = Signal(object, object)
    """A `Scenario`, and the `Novelty` of the text that it leaves."""
    ended = Signal()
    """Nothing is being measured any more: it is known, was stopped or failed."""

    def __init__(
        self,
        runner: JobRunner,
        engine: Engine,
        store: DocumentStore,
        board: NoticeBoard,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._engine = engine
        self._store = store
        self._board = board
        self._token: Token | None = None
        self._tried: dict[int, tuple[Scenario, ReasoningTrace]] = {}
        self._dirty: dict[int, None] = {}
        self._unwritten: dict[int, TriedScenario] = {}
        self._unkept = False
        self._timer = QTimer(self, singleShot=True, interval=_REST_MS)
        self._timer.timeout.connect(self.flush)

    def draft_of(self, number: int) -> Draft | None:
        """The draft that was being tried on a row when its trace was last open."""
        document = self._store.get(number)
        return None if document is None else document.draft

    def try_out(self, number: int, scenario: Scenario, trace: ReasoningTrace) -> None:
        """Note what is being tried on a row, to keep it for the next time."""
        before = self._tried.get(number)
        known = self._restored(number, trace) if before is None else before[0]
        if known != scenario:
            self._tried[number] = scenario, trace
            self._touch(number)

    def _restored(self, number: int, trace: ReasoningTrace) -> Scenario:
        draft = self.draft_of(number)
        return Scenario() if draft is None else fitted(draft, trace)[0]

    def follow(self, document: Document) -> None:
        """A row was read anew: keep its what-ifs under its new content."""
        if document.scenarios or document.draft or document.number in self._tried:
            self._touch(document.number)

    def _touch(self, number: int) -> None:
        self._dirty[number] = None
        if not self._timer.isActive():
            self._timer.start()

    @Slot()
    def flush(self) -> None:
        """Keep everything that is not kept yet."""
        self._timer.stop()
        tried = self._take_dirty()
        if tried:
            self._unwritten |= tried
            self._runner.submit(
                lambda _token: self._engine.keep(tuple(tried.values())),
                lambda _: self._on_kept(tried),
                self._on_not_kept,
            )

    def last_words(self) -> tuple[TriedScenario, ...]:
        """What is not kept yet, for the worker's last job."""
        self._timer.stop()
        return tuple((self._unwritten | self._take_dirty()).values())

    def _take_dirty(self) -> dict[int, TriedScenario]:
        tried = {}
        for number in self._dirty:
            document = self._store.get(number)
            if document is not None and document.record is not None:
                tried[number] = TriedScenario(document, self._tried.get(number))
        self._dirty.clear()
        return tried

    def _on_kept(self, tried: Mapping[int, TriedScenario]) -> None:
        for number, one in tried.items():
            if self._unwritten.get(number) is one:
                del self._unwritten[number]

    def _on_not_kept(self, error: Exception) -> None:
        """Tell of a failure once, as every further change would fail in the same way."""
        if not self._unkept:
            self._unkept = True
            self._board.fail(error)

    @property
    def measuring(self) -> bool:
        """Novelty is being measured."""
        return self._token is not None

    def save(self, number: int, named: NamedScenario) -> None:
        """Save a what-if beside a row; it replaces one of the same name."""
        saved, document = self._saved(number), self._store.get(number)
        if document is not None and document.record is not None:
            named = with_draft(named, document.record.trace)
        if named.name in [one.name for one in saved]:
            self._set(number, [named if one.name == named.name else one for one in saved])
        else:
            self._set(number, [*saved, named])

    def rename(self, number: int, name: str, other: str) -> None:
        """Give a saved what-if another name."""
        saved = self._saved(number)
        self._set(number, [replace(one, name=other) if one.name == name else one for one in saved])

    def delete(self, number: int, name: str) -> None:
        """Forget a saved what-if."""
        self._set(number, [one for one in self._saved(number) if one.name != name])

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

    def _saved(self, number: int) -> Sequence[NamedScenario]:
        document = self._store.get(number)
        return () if document is None else document.scenarios

    def _set(self, number: int, saved: Sequence[NamedScenario]) -> None:
        document = self._store.get(number)
        if document is not None:
            self._store.put(replace(document, scenarios=tuple(saved)).prepared())
            self._store.flush()
            self._touch(number)
