"""All open traces together: their summary, groups, map and plan."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from kpinspector.app.document import Document, names_of
from kpinspector.app.engine import Core, SessionMemory
from kpinspector.app.jobs import Priority, Token, Work
from kpinspector.batch.child import Child, ChildError
from kpinspector.batch.compared import Batch, Embedded, compared, embedded_again
from kpinspector.batch.groups import (
    FIRST_SIMILARITY,
    GroupedBatch,
    LinkedTraces,
    groups_at,
    linking,
    why_not_linked,
)
from kpinspector.batch.plan import Plan, Wishes, begin_plan, plan_of, solving
from kpinspector.batch.summary import BatchSummary, JudgedTrace, judge, summary_of
from kpinspector.errors import KpError
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.words.batch import distinct_names

KEY: Final = "batch"
"""The key of notices that the plan cannot follow the user's choices."""

_SLICE_S: Final = 0.05  # one job takes about so long, then others may have the worker
_POLL_MS: Final = 20
_LINKING_S: Final = 30.0  # the child process needs a limit; the user can stop it before

Result = TypeVar("Result")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, eq=False)
class BatchPicture:
    """What is known so far of all n measured traces together.

    Attributes:
        documents: The measured traces, in the order in which their rows came.
        names: What the list calls each of them.
        judged: What each trace adds to the summary.
        batch: None until all traces are compared.
        grouped: None until all traces are linked.
        order: Shape (n,), the places in ``documents`` in the order of the map; empty until then.
        plan: None until it is computed.
        at_best: The plan if unknown outcomes are the best possible; None where all are known.
        wished: By row number, whether the user wants the row in the plan or not in it.
    """

    documents: tuple[Document, ...]
    names: tuple[str, ...]
    judged: tuple[JudgedTrace, ...]
    summary: BatchSummary
    batch: Batch | None = None
    grouped: GroupedBatch | None = None
    order: tuple[int, ...] = ()
    plan: Plan | None = None
    at_best: Plan | None = None
    wished: Mapping[int, bool] = field(default_factory=dict)


class Stage(StrEnum):
    """The stages of the work, in this order."""

    SUMMARY = "summary"
    COMPARING = "comparing"
    GROUPING = "grouping"
    PLANNING = "planning"


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How far a stage has come; ``total`` is 0 where nothing can be counted."""

    stage: Stage
    done: int = 0
    total: int = 0


# a job for the worker, or a child process to wait for; the generator is sent its result
_Step: TypeAlias = "Work | Child[Any]"
_Steps: TypeAlias = Generator[_Step, Any, Made]


@dataclass(frozen=True, slots=True)
class _Basis:
    """Everything that a picture depends on; an equal basis gives an equal picture."""

    measured: tuple[tuple[int, Measured], ...]
    unscored: tuple[int, ...]
    terms: Terms
    wished: Mapping[int, bool]
    remembered: int
    max_elements: int


class Batches(QObject):
    """Part of the session: computes the picture of all scored traces while the user looks at it.

    The work is done in small jobs; what cannot be interrupted runs in a child process, which is
    killed as soon as its result is not wanted any more. Nothing is stored.
    """

    changed = Signal()
    """The picture is a new one, or the work has come further."""

    def __init__(self, core: Core, memory: SessionMemory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner, self._engine, self._store, self._board = core
        self._memory = memory
        self._wanted = self.busy = False
        self._max_elements = 0
        self._similarity = FIRST_SIMILARITY
        self.wished: Mapping[int, bool] = {}
        self._basis: _Basis | None = None
        self._summarised: _Basis | None = None
        self._planned: _Basis | None = None
        self.picture: BatchPicture | None = None
        self.progress: BatchProgress | None = None
        self.stopped = self._given_up = False
        self.failure: KpError | None = None
        self._judged: dict[int, tuple[Measured, Terms, JudgedTrace]] = {}
        self._embedded: dict[int, tuple[Measured, Embedded]] = {}
        self._linked: LinkedTraces | None = None
        self._batch: Batch | None = None
        self._run: _Steps[None] | None = None
        self._token = self._regrouping = Token()
        self._child: Child[Any] | None = None
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._on_poll)
        self._store.changed.connect(self._refresh)
        memory.changed.connect(self._refresh)

    # the results

    @property
    def summarised(self) -> bool:
        """Whether the summary is that of the present rows and rules."""
        return self.picture is not None and self._summarised == self._basis

    @property
    def planned(self) -> bool:
        """Whether the plan is that of the present rows and rules, and follows the wishes."""
        return self.picture is not None and self._planned == self._basis

    # requests

    def set_wanted(self, *, wanted: bool) -> None:
        """Say whether the user looks at the picture; nothing is computed otherwise."""
        self._wanted = wanted
        self._refresh()

    def set_busy(self, *, busy: bool) -> None:
        """Say whether traces are being read or scored; results would soon be out of date then."""
        if busy != self.busy:
            self.busy = busy
            self._refresh()
            self.changed.emit()

    def set_limit(self, max_elements: int) -> None:
        """Set how many vectors a trace is compared with at most."""
        self._max_elements = max_elements
        self._refresh()

    def set_similarity(self, similarity: float) -> None:
        """Group traces that are at least so similar, from 0 to 1."""
        self._similarity = similarity
        picture = self.picture
        if picture is not None and picture.grouped is not None and self._run is None:
            self._regrouping.cancel()
            self._regrouping = self._runner.submit(
                self._grouping(picture), self._on_regrouped, self._board.fail, Priority.SCORE
            )

    def wish(self, number: int, *, kept: bool | None) -> None:
        """Want a row in the plan (True) or not in it (False); None leaves it to the plan."""
        others = {one: it for one, it in self.wished.items() if one != number}
        self.wished = others if kept is None else {**others, number: kept}
        self._refresh()

    def stop(self) -> None:
        """Stop the work; what was computed stays."""
        if self._run is not None:
            self._end_run()
            self.stopped = True
            self.changed.emit()

    def resume(self) -> None:
        """Compute the rest of what was stopped."""
        if self.stopped:
            self._given_up = True
            self._refresh()

    def close(self) -> None:
        """Stop the work when the program ends."""
        self._wanted = False
        self._end_run()

    # when the work begins

    def _refresh(self) -> None:
        """Begin again if the basis has changed; drop a picture of other traces at once."""
        basis, before, finds = self._now(), self._basis, self._wanted and not self.busy
        if self._run is not None and not finds:  # it begins again when wanted
            self._end_run()
            self._given_up = True
        if basis == before and not (self._given_up and finds):
            return
        others = before is None or (basis.measured, basis.unscored) != (
            before.measured,
            before.unscored,
        )
        if self.picture is not None and (others or not finds):
            self.picture, self._given_up = None, True
            self.changed.emit()
        if not finds:
            return
        self._end_run()
        if others:
            numbers = {number for number, _ in basis.measured}
            self._judged = {one: it for one, it in self._judged.items() if one in numbers}
            self._embedded = {one: it for one, it in self._embedded.items() if one in numbers}
            self.wished = {one: it for one, it in self.wished.items() if one in numbers}
            self._batch = self._linked = None
        if before is None or basis.remembered != before.remembered:
            self._batch = None
        self._basis, self.stopped, self._given_up, self.failure = basis, False, False, None
        if basis.measured:
            self._run = self._find(basis)
            self._advance()
        else:
            self.changed.emit()

    def _now(self) -> _Basis:
        rules, state = self._store.rules, self._memory.state
        return _Basis(
            measured=tuple(
                (one.number, one.measured)
                for one in self._store.documents
                if one.measured is not None
            ),
            unscored=tuple(self._store.unscored),
            terms=Terms(rules.threshold, rules.profile),
            wished=self.wished,
            remembered=0 if state is None else state.remembered,
            max_elements=self._max_elements,
        )

    # the work itself

    def _find(self, basis: _Basis) -> _Steps[None]:
        """All stages, one after the other; each result is shown as soon as it is there."""
        yield from self._summarise(basis)
        batch = self._batch or (yield from self._compare(basis))
        unlinked: KpError | None = None
        if self._linked is None:
            self._set_progress(BatchProgress(Stage.GROUPING))
            child = yield _begin_child(partial(linking, batch, _LINKING_S))
            self._linked = yield child
            unlinked = KpError(why_not_linked(child)) if self._linked is None else None
        yield from self._group()
        self._set_progress(BatchProgress(Stage.PLANNING))
        plan, best = yield from self._plan(batch, basis)
        self._planned = basis
        self._change_picture(batch=batch, plan=plan, at_best=best)
        yield from self._group()
        if unlinked is not None:
            self.stopped, self.failure = True, unlinked

    def _summarise(self, basis: _Basis) -> _Steps[None]:

        def judge_one(one: tuple[int, Measured]) -> tuple[int, tuple[Measured, Terms, JudgedTrace]]:
            number, measured = one
            of, _, before = self._judged.get(number, (None, None, None))
            found = judge(measured, basis.terms, before if of is measured else None)
            return number, (measured, basis.terms, found)

        known = {one: it[:2] for one, it in self._judged.items()}
        new = [one for one in basis.measured if known.get(one[0]) != (one[1], basis.terms)]
        judged = yield from self._slices(Stage.SUMMARY, new, judge_one)
        self._judged.update(judged)
        documents = tuple(self._store[number] for number, _ in basis.measured)
        records = [one.record for one in documents if one.record is not None]
        of_each = tuple(self._judged[one.number][2] for one in documents)
        before = self.picture
        after = BatchPicture(
            documents=documents,
            names=distinct_names(names_of(documents), records),
            judged=of_each,
            summary=summary_of(of_each),
            wished=basis.wished,
        )
        if before is not None and self._batch is not None:  # the same traces were compared already
            after = replace(after, batch=before.batch, grouped=before.grouped, order=before.order)
            if not judged:
                after = replace(after, plan=before.plan, at_best=before.at_best)
        self.picture, self._summarised = after, basis
        self.changed.emit()

    def _compare(self, basis: _Basis) -> _Steps[Batch]:

        def embed(one: tuple[int, Measured]) -> tuple[int, tuple[Measured, Embedded]]:
            number, measured = one
            return number, (measured, embedded_again(measured, *self._engine.tools()))

        known = {one: it[0] for one, it in self._embedded.items()}
        new = [one for one in basis.measured if known.get(one[0]) is not one[1]]
        self._embedded.update((yield from self._slices(Stage.COMPARING, new, embed)))
        traces = [self._embedded[number][1] for number, _ in basis.measured]

        def compare(_token: Token) -> Batch:
            embedder, memory = self._engine.tools()
            return compared(traces, embedder.model, memory, basis.max_elements)

        self._batch = yield compare
        return self._batch

    def _group(self) -> _Steps[None]:
        if self.picture is not None and self._linked is not None:
            self._on_regrouped((yield self._grouping(self.picture)))

    def _plan(self, batch: Batch, basis: _Basis) -> _Steps[tuple[Plan, Plan | None]]:
        """The plan, and the plan with the best outcomes where some outcomes are unknown."""
        places = {number: place for place, (number, _) in enumerate(basis.measured)}
        keep, leave_out = (
            frozenset(
                places[one]
                for one, kept in basis.wished.items()
                if kept is wished and one in places  # its row may have been removed
            )
            for wished in (True, False)
        )
        best = None
        if not all(one.measurement.facts.outcome_known for one in batch.candidates):
            wishes = Wishes(leave_out=leave_out)
            best = yield from _planned(batch, basis.terms, wishes, at_best=True)
        plan = yield from _planned(batch, basis.terms, Wishes(keep, leave_out), at_best=False)
        return plan, best

    def _grouping(self, picture: BatchPicture) -> Work:
        batch, linked, similarity = self._batch, self._linked, self._similarity
        rules, plan = self._store.rules, picture.plan
        terms = Terms(rules.threshold, rules.profile)
        planned = [] if plan is None else [one.candidate for one in plan.chosen]
        if batch is None or linked is None:
            return lambda _token: None
        return lambda _token: groups_at(batch, linked, similarity, terms, planned)

    def _on_regrouped(self, grouped: GroupedBatch | None) -> None:
        self._change_picture(grouped=grouped, order=self._linked.order if self._linked else ())

    def _slices(
        self, stage: Stage, values: Sequence[Any], find: Callable[[Any], Result]
    ) -> _Steps[list[Result]]:
        """The results of ``find`` for all values, in short jobs that let others have the worker."""
        found: list[Result] = []
        while len(found) < len(values):
            self._set_progress(BatchProgress(stage, len(found), len(values)))
            found += yield partial(_slice, values[len(found) :], find)
        return found

    # telling the window

    def _change_picture(self, **changes: Any) -> None:
        if self.picture is not None:
            self.picture = replace(self.picture, **changes)
            self.changed.emit()

    def _set_progress(self, progress: BatchProgress) -> None:
        self.progress = progress
        self.changed.emit()

    # running and stopping the generator

    def _advance(self, result: object = None) -> None:
        """Send the last step's result to the generator, and begin its next step."""
        if self._run is None:
            return
        try:
            step = self._run.send(result)
        except StopIteration:
            self._end_run()
            self.changed.emit()
            return
        if isinstance(step, Child):
            self._child = step
            self._timer.start()
        else:
            self._token = self._runner.submit(step, self._advance, self._on_failed, Priority.SCORE)

    def _on_poll(self) -> None:
        child = self._child
        if child is None or not child.done:
            return
        self._child = None
        self._timer.stop()
        try:
            result = child.result()
        except ChildError:
            self._end_run()
            raise
        self._advance(result)

    def _on_failed(self, error: Exception) -> None:
        """Report what failed; go back to the choices of the last plan that was found."""
        planning = self.progress is not None and self.progress.stage is Stage.PLANNING
        self._end_run()
        if planning and isinstance(error, KpError):
            self._board.fail(error, KEY)
            wished = self._planned.wished if self._planned is not None else {}
            # they could be followed, under other rules
            self.wished = {} if wished == self.wished else wished
            self._refresh()
            return
        self.failure = error if isinstance(error, KpError) else None
        self.changed.emit()

    def _end_run(self) -> None:
        self._token.cancel()
        self._regrouping.cancel()
        self._timer.stop()
        if self._child is not None:
            with self._child:  # leaving it kills the process
                self._child = None
        self._run = self.progress = None


def _slice(values: Sequence[Any], find: Callable[[Any], Result], token: Token) -> list[Result]:
    """The results for the first of these values, for as many as the time of one job allows."""
    end, found = monotonic() + _SLICE_S, []
    for value in values:
        token.check()
        found.append(find(value))
        if monotonic() >= end:
            break
    return found


def _begin_child(begin: Callable[[], Child[Any]]) -> Work:
    """Work that starts a child process, which takes a while; cancelling it kills the process."""

    def work(token: Token) -> Child[Any]:
        child = begin()
        token.stop_by(child.cancel)
        if token.cancelled:
            with child:
                token.check()
        return child

    return work


def _planned(batch: Batch, terms: Terms, wishes: Wishes, *, at_best: bool) -> _Steps[Plan]:
    draft = yield lambda _token: begin_plan(batch, terms, wishes, at_best=at_best)
    if not draft.proven:
        draft = draft.with_solved((yield (yield _begin_child(partial(solving, draft)))))
    plan: Plan = yield lambda _token: plan_of(draft)
    return plan
