"""What-ifs of rows: those that were saved, and novelty measured of a text that is only tried."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.groups import Groups
from kpinspector.app.jobs import JobRunner, Token
from kpinspector.app.rows import Rows
from kpinspector.app.workshop import Workshop
from kpinspector.scoring.batch import Measured, origin_of
from kpinspector.scoring.edited import edited_trace
from kpinspector.scoring.measure import Novelty, measure_edited
from kpinspector.scoring.scenario import NamedScenario, Scenario


class Scenarios(QObject):
    """Part of the session."""

    measured = Signal(object, object)
    """A `Scenario`, and the `Novelty` of the text that it leaves."""
    ended = Signal()
    """Nothing is being measured any more: it is known, was stopped or failed."""
    failed = Signal(object)

    def __init__(
        self,
        runner: JobRunner,
        workshop: Workshop,
        rows: Rows,
        groups: Groups,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._workshop = workshop
        self._rows = rows
        self._groups = groups
        self._token: Token | None = None

    @property
    def measuring(self) -> bool:
        """Novelty is being measured."""
        return self._token is not None

    def save(self, number: int, named: NamedScenario) -> None:
        """Keep a what-if beside a row; one of the same name makes room in its place."""
        saved = self._saved(number)
        if named.name in [one.name for one in saved]:
            self._set(number, [named if one.name == named.name else one for one in saved])
        else:
            self._set(number, [*saved, named])

    def rename(self, number: int, name: str, other: str) -> None:
        """Call a saved what-if otherwise."""
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
        trace, origin = measured.record.trace, origin_of(measured.record, measured.place)
        return measure_edited(trace, edited_trace(trace, scenario), origin, *self._workshop.tools())

    def _on_measured(self, scenario: Scenario, novelty: Novelty) -> None:
        self._end()
        self.measured.emit(scenario, novelty)

    def _on_failed(self, error: Exception) -> None:
        self._end()
        self.failed.emit(error)

    def _end(self) -> None:
        self._token = None
        self.ended.emit()

    def _saved(self, number: int) -> Sequence[NamedScenario]:
        document = self._rows.get(number)
        return () if document is None else document.scenarios

    def _set(self, number: int, saved: Sequence[NamedScenario]) -> None:
        document = self._rows.get(number)
        if document is not None:
            self._groups.put(replace(document, scenarios=tuple(saved)).prepared())
            self._groups.flush()
