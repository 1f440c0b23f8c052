"""``kpinspector plan`` and ``summary``: many traces, compared with each other."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from kpinspector.batch.compared import Batch, compared, embedded, places_in
from kpinspector.batch.groups import (
    FIRST_SIMILARITY,
    GroupedBatch,
    groups_at,
    linking,
    why_not_linked,
)
from kpinspector.batch.limits import Terms
from kpinspector.batch.plan import NO_WISHES, OutcomeEnd, Plan, Wishes, begin_plan, make_plan
from kpinspector.batch.summary import BatchSummary, summarise
from kpinspector.cli.measuring import Scorer, answer, exit_status, reading
from kpinspector.cli.reading import STDIN, Gathered, tell_refused
from kpinspector.cli.streams import UNMASKED, show_progress, tell
from kpinspector.errors import ExitStatus, KpError
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.novelty.sequence import Measured, expect
from kpinspector.sharing.answer import leaking_traces
from kpinspector.sharing.measured import ways_of_measured
from kpinspector.trace.records import TraceRecord, at_record
from kpinspector.words.batch import candidate_names, plan_answer, plan_file
from kpinspector.words.figures import shown_count
from kpinspector.words.problems import located
from kpinspector.words.say import say
from kpinspector.words.summary import WholeSummary
from kpinspector.words.writers.explanation_html import HtmlPage
from kpinspector.words.writers.explanation_text import answer_text
from kpinspector.words.writers.json_answers import plan_json, summary_json
from kpinspector.words.writers.pages import made_with

_FEWEST: Final = 2  # that can be a group
_MOST: Final = 4000  # all pairs are in memory, twice


def _all_pairs(
    records: Sequence[TraceRecord], scorer: Scorer, came: Callable[[int, int], None] = show_progress
) -> Batch:
    """All pairs of these traces; embeds what is not remembered, and tells ``came`` how many are.

    Raises:
        ModelError: the embedder cannot be used.
    """
    embedder, memory = scorer.embedder, scorer.memory
    found = []
    for number, place in enumerate(places_in(records, embedder)):
        expect(records[number : number + embedder.depth], embedder, memory)
        found.append(embedded(records[number], place, embedder, memory))
        came(number + 1, len(records))
    return compared(found, embedder.model, memory, scorer.settings.max_elements)


def whole_summary(
    counts: BatchSummary,
    similarity: float,
    gathered: Gathered,
    scorer: Scorer,
    measured: Sequence[Measured],
) -> WholeSummary:
    """A summary, with groups, map and plan of the traces, and what would leave of them in clear.

    No groups without a model, with too many traces, or where linking takes too long.
    """
    records = gathered.records
    leaking = leaking_traces(ways_of_measured(one, scorer.assess(one), None) for one in measured)
    known = WholeSummary(counts, None, leaking)
    if len(records) < _FEWEST or scorer.embedder.failure is not None:
        return known
    if len(records) > _MOST:
        tell(say("More than {number} traces are not grouped.", number=shown_count(_MOST)))
        return known
    batch = _all_pairs(records, scorer, lambda _done, _total: None)
    with linking(batch) as child:
        linked = child.result()
    if linked is None:
        tell(why_not_linked(child))
        return known
    plans = _plans(batch, scorer.terms)
    chosen = [one.candidate for one in plans[0].chosen]
    groups = groups_at(batch, linked, similarity, scorer.terms, chosen)
    grouped = GroupedBatch(batch, similarity, groups)
    return replace(known, grouped=grouped, order=linked.order, plans=plans)


def _plans(batch: Batch, terms: Terms, wishes: Wishes = NO_WISHES) -> tuple[Plan, Plan | None]:
    """The plan, and that with the best outcomes where some are not known."""
    best = None
    if not all(one.measurement.facts.outcome_known for one in batch.candidates):
        but_for_kept = Wishes(leave_out=wishes.leave_out)
        best = make_plan(begin_plan(batch, terms, but_for_kept, OutcomeEnd.BEST))
    return make_plan(begin_plan(batch, terms, wishes)), best


def _kept_by(names: Iterable[str], batch: Batch, left_out: frozenset[int]) -> frozenset[int]:
    """The traces that are called so; of copies, which share a key, the first that is not left out.

    Raises:
        KpError: none is, or all that are so called are left out.
    """
    kept: set[int] = set()
    for places in _called(names, batch):
        first: dict[str, int] = {}
        for place in places:
            if place not in left_out:
                first.setdefault(batch.candidates[place].place.key, place)
        if not first:
            name = candidate_names(batch.candidates)[places[0]]
            raise KpError(say("{name} cannot be both kept and left out.", name=repr(name)))
        kept.update(first.values())
    return frozenset(kept)


def _called(names: Iterable[str], batch: Batch) -> Iterator[list[int]]:
    """The traces of each name, an id, key, place or name, in the order of the batch.

    Raises:
        KpError: none is called so.
    """
    shown = candidate_names(batch.candidates)
    for name in names:
        found = []
        for place, one in enumerate(batch.candidates):
            source = one.record.source
            called = (one.record.trace.id, one.place.key, at_record(source.path, source.record))
            if name in (*called, shown[place]):
                found.append(place)
        if not found:
            raise KpError(say("{name} is none of these traces.", name=repr(name)))
        yield found


def plan(arguments: argparse.Namespace) -> ExitStatus:
    """Plan, print it, write the traces in its order, and say how it ended; nothing is stored."""
    with reading(arguments, arguments.output, guest=True) as (gathered, scorer):
        batch, terms = _all_pairs(gathered.records, scorer), scorer.terms
        left_out = frozenset(chain.from_iterable(_called(arguments.leave_out, batch)))
        wishes = Wishes(_kept_by(arguments.keep, batch, left_out), left_out)
        found, best = _plans(batch, terms, wishes)
    answer(
        arguments,
        lambda: plan_json(batch, found, best, scorer.used),
        lambda width: answer_text(
            plan_answer(batch, found, best, terms.threshold, gathered.all_problems), width
        ),
        (arguments.output, lambda: _written(batch, found, gathered)),
    )
    if arguments.output:
        tell(UNMASKED)
    verdicts = {Verdict.ACCEPTED for _ in found.chosen} | {Verdict.REJECTED for _ in found.left_out}
    return exit_status(verdicts, gathered.problems, scorer.memory)


def _written(batch: Batch, plan: Plan, gathered: Gathered) -> bytes:
    """The file of a plan.

    Raises:
        KpError: a recording is in it whose outcome nobody stated, or a file was changed.
    """
    records = [batch.candidates[one.candidate].record for one in plan.chosen]
    if [why for one in records if isinstance(one, RunRecord) and (why := tell_refused(one))]:
        raise KpError(say("The plan was not written."))
    return plan_file(records, (STDIN, gathered.stdin))


def summary(arguments: argparse.Namespace) -> ExitStatus:
    """Score as a guest, summarise, and say how it ended; nothing is stored."""
    with reading(arguments, arguments.html, guest=True) as (gathered, scorer):
        measured = scorer.measure(gathered.texts)
        asked = arguments.similarity
        similarity = FIRST_SIMILARITY if asked is None else asked
        counts = summarise(measured, scorer.terms)
        whole = whole_summary(counts, similarity, gathered, scorer, measured)
        last = made_with(scorer.used, scorer.model)
    for problem in gathered.all_problems:
        tell(located(problem))
    number = len(gathered.problems) + gathered.more
    answer(
        arguments,
        lambda: summary_json(whole, scorer.used, number),
        lambda width: answer_text(whole.answer, width) if counts.total else "",
        (arguments.html, lambda: HtmlPage.of_summary(whole, scorer.terms.threshold, last)),
    )
    return exit_status(set(counts.verdicts), gathered.problems, scorer.memory)
