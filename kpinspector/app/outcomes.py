"""What the user states of runs: kept first, then shown in their rows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from kpinspector.app.engine import Core
from kpinspector.runs.read import RunRecord
from kpinspector.runs.rules import RunOutcome
from kpinspector.runs.stated import NOTHING_STATED, Stated

KEY = "outcome"
"""The key of the notice that a statement could not be kept."""


class Said(StrEnum):
    """The values that can be stated of a run."""

    CONFIDENCE = "confidence"
    SUCCESS = "success"
    DOMAIN = "domain"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about one or more runs.

    Attributes:
        stated: The values.
        about: Which of them are stated; the others stay as they are for each run.
    """

    stated: Stated
    about: Collection[Said] = tuple(Said)

    def of(self, run: RunRecord) -> Stated:
        """What is then stated of this run; recorded values are never overridden."""
        before, now = run.imported.stated, self.stated
        recorded, outcome = run.imported.recorded, before.outcome
        if Said.CONFIDENCE in self.about and recorded.confidence is None:
            outcome = RunOutcome(now.outcome.confidence, outcome.success)
        if Said.SUCCESS in self.about and recorded.success is None:
            outcome = RunOutcome(outcome.confidence, now.outcome.success)
        domain = now.domain if Said.DOMAIN in self.about else before.domain
        score = now.success_score if Said.SCORE in self.about else before.success_score
        return Stated(outcome, domain, score)


TAKEN_BACK = Statement(NOTHING_STATED)


class Outcomes:
    """Part of the session: keeps statements, then shows them in their rows."""

    def __init__(self, core: Core) -> None:
        _, self._engine, self._store, self._board = core
        self._ask = core.ask

    def state(self, numbers: Sequence[int], statement: Statement) -> None:
        """State something of the runs among these rows, and of every open copy of them.

        A statement belongs to a run, not to one of its recordings. The chosen rows come last, so
        that they decide what is kept: a copy may record more than they do.
        """
        runs = {row.number: row.run for row in self._store.documents if row.run is not None}
        chosen = [number for number in numbers if number in runs]
        ids = {runs[number].imported.mapped.id for number in chosen}
        copies = [number for number, run in runs.items() if run.imported.mapped.id in ids]
        for number in (*(one for one in copies if one not in chosen), *chosen):
            self._state(number, statement)

    def _state(self, number: int, statement: Statement) -> None:
        document = self._store.get(number)
        run = None if document is None else document.run
        if run is None:
            return
        self._ask(
            lambda _token: self._engine.state_outcome(run, statement.of(run)),
            partial(self._on_stated, number, statement, run),
            KEY,
        )

    def _on_stated(
        self, number: int, statement: Statement, before: RunRecord, after: RunRecord
    ) -> None:
        self._board.settled.emit(KEY)
        document = self._store.get(number)
        if document is None:
            return
        if document.item is before:
            self._store.put(document.restated(after))
        else:  # read anew meanwhile
            self._state(number, statement)
