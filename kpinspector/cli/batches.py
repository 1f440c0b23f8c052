"""``kpinspector explain``, ``compare``, ``plan`` and ``summary``."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, repeat
from typing import Final, NamedTuple

from kpinspector.batch.compared import Batch, compared, embedded
from kpinspector.batch.groups import FIRST_SIMILARITY, groups_at, linking, why_not_linked
from kpinspector.batch.plan import NO_WISHES, Plan, Wishes, begin_plan, make_plan, ordered_lines
from kpinspector.batch.summary import BatchSummary, summarise
from kpinspector.cli.measuring import Scorer, answer, exit_status, open_scorer, reading, tell_absent
from kpinspector.cli.reading import STDIN, Gathered, asked_of, gather, tell_refused
from kpinspector.cli.streams import (
    STDOUT,
    UNMASKED,
    print_out,
    show_progress,
    tell,
    terminal_width,
    write_output,
)
from kpinspector.errors import ExitStatus, KpError, ModelError
from kpinspector.files import split_record
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.formula.assess import Verdict, outcome_range
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.novelty.neighbours import Further, look_alike, look_today, similarity_of
from kpinspector.scoring.novelty.sequence import Measured, expect, places_of
from kpinspector.sharing.answer import leaking_traces, ways_of_measured
from kpinspector.trace.align import align
from kpinspector.trace.records import Problem, Skipped, TraceRecord, at_record, name_of
from kpinspector.words.batch import candidate_names, plan_answer
from kpinspector.words.explanation import Explanation, explain
from kpinspector.words.figures import shown_count
from kpinspector.words.page import Mention, Section
from kpinspector.words.problems import located
from kpinspector.words.say import say, say_count
from kpinspector.words.summary import Front, WholeSummary, levers_section, skipped_section
from kpinspector.words.writers import EXPLANATIONS, json_answers
from kpinspector.words.writers.comparison import Side, SideBySide, comparison_text, names_apart
from kpinspector.words.writers.explanation_html import HtmlPage
from kpinspector.words.writers.explanation_text import answer_text, explanation_text, section_lines
from kpinspector.words.writers.pages import made_with

_FEWEST: Final = 2  # traces that can form a group
_MOST: Final = 4000  # traces: the similarities of all pairs are held twice


def _all_pairs(
    records: Sequence[TraceRecord], scorer: Scorer, came: Callable[[int, int], None] = show_progress
) -> Batch:
    """Compare all pairs of these traces; ``came``: called with how many of them are embedded.

    Raises:
        ModelError: the embedder cannot be used.
    """
    embedder, memory = scorer.embedder, scorer.memory
    found = []
    for number, place in enumerate(places_of([one.trace for one in records], embedder)):
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
    """A summary with groups, map and plan of the traces, and what they would leave in clear.

    Groups, map and plan are left out without a model, for too many traces, or if linking fails.
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
    grouped = groups_at(batch, linked, similarity, scorer.terms, chosen)
    return replace(known, grouped=grouped, order=linked.order, plans=plans)


def _plans(batch: Batch, terms: Terms, wishes: Wishes = NO_WISHES) -> tuple[Plan, Plan | None]:
    best = None
    if not all(one.measurement.facts.outcome_known for one in batch.candidates):
        without_kept = Wishes(leave_out=wishes.leave_out)
        best = make_plan(begin_plan(batch, terms, without_kept, at_best=True))
    return make_plan(begin_plan(batch, terms, wishes)), best


def _kept_by(names: Iterable[str], batch: Batch, left_out: frozenset[int]) -> frozenset[int]:
    """Indices of the traces with these names; of copies with one key, the first not left out.

    Raises:
        KpError: a name fits no trace, or only traces that are left out.
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
    """For each name (an id, key, place or shown name), the indices of the traces that it fits.

    Raises:
        KpError: a name fits no trace.
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
    """Print a plan, write its traces in order, and return the exit status; nothing is stored."""
    with reading(arguments, arguments.output, guest=True) as (gathered, scorer):
        batch, terms = _all_pairs(gathered.records, scorer), scorer.terms
        left_out = frozenset(chain.from_iterable(_called(arguments.leave_out, batch)))
        wishes = Wishes(_kept_by(arguments.keep, batch, left_out), left_out)
        found, best = _plans(batch, terms, wishes)
    answer(
        arguments,
        lambda: json_answers.plan_json(batch, found, best, scorer.used),
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
    """The bytes of the file with the traces of a plan.

    Raises:
        KpError: a run cannot be converted, or a file has changed since it was read.
    """
    records = [batch.candidates[one.candidate].record for one in plan.chosen]
    if [why for one in records if isinstance(one, RunRecord) and (why := tell_refused(one))]:
        raise KpError(say("The plan was not written."))
    return ordered_lines(records, (STDIN, gathered.stdin))


def summary(arguments: argparse.Namespace) -> ExitStatus:
    """Score as a guest, print the summary, and return the exit status; nothing is stored."""
    with reading(arguments, arguments.html, guest=True) as (gathered, scorer):
        measured = scorer.measure(gathered.texts)
        asked = arguments.similarity
        similarity = FIRST_SIMILARITY if asked is None else asked
        counts = summarise(measured, scorer.terms)
        whole = whole_summary(counts, similarity, gathered, scorer, measured)
        last = made_with(scorer.used, scorer.model)
    for problem in gathered.all_problems:
        tell(located(problem))
    number = len(gathered.problems) + sum(one.count for one in gathered.more_problems)
    answer(
        arguments,
        lambda: json_answers.summary_json(whole, scorer.used, number),
        lambda width: answer_text(whole.answer, width) if counts.total else "",
        (arguments.html, lambda: HtmlPage.of_summary(whole, scorer.terms.threshold, last)),
    )
    return exit_status(set(counts.verdicts), gathered.problems, scorer.memory)


def explain_all(arguments: argparse.Namespace) -> ExitStatus:
    """Score, print each explanation as it is made, write the pages, return the exit status."""
    targets = [getattr(arguments, name) for name in EXPLANATIONS]
    prints = not arguments.json and STDOUT not in targets
    entries: list[json_answers.Entry] = []
    gaps = chain([""], repeat("\n"))
    with reading(arguments, *targets) as (gathered, scorer):
        measured = scorer.measure(gathered.texts)
        judged = ((one.measurement, scorer.assess(one)) for one in measured)
        verdicts = [outcome_range(of, it.profile, it.threshold).verdict for of, it in judged]
        counts = summarise(measured, scorer.terms) if len(measured) > 1 else None
        asked, unscored, end = _asked(arguments.only, gathered, measured, verdicts)
        sources = ((one.record.source, shown_key(one.place.key)) for one in asked)
        names = [Mention(name_of(source.path, source.record), key) for source, key in sources]
        names += (Mention(one.name, "") for one in unscored)
        asked_whole = FIRST_SIMILARITY, gathered, scorer, measured
        summed = counts and any(targets) and whole_summary(counts, *asked_whole).answer
        front = Front(summed, tuple(names)) if summed else None
        asked_for = zip(targets, EXPLANATIONS.values(), strict=True)
        pages = [(target, one.write(front)) for target, one in asked_for if target]
        for one in chain(_explained(asked, measured, gathered, scorer, arguments), unscored):
            for _, page in pages:
                page.add(one)
            if prints:
                print_out(next(gaps) + explanation_text(one, terminal_width()))
            elif arguments.json and one.measured is not None:
                entries.append(json_answers.explanation_entry(one))
        last = made_with(scorer.used, scorer.model) if pages else ""
        if arguments.json:
            print_out(json_answers.explanations_json(scorer.report(gathered, measured), entries))
    # the changes that would help most come last, as the end of a long output is read first
    for section in (*end, *(levers_section(counts) if counts else ())) if prints else ():
        print_out(next(gaps) + "\n".join([*section_lines(section, terminal_width()), ""]))
    for target, page in pages:
        write_output(target, page.written(last, end))
    return exit_status(verdicts, gathered.problems, scorer.memory)


def _asked(
    only: str | None, gathered: Gathered, measured: Sequence[Measured], verdicts: Sequence[Verdict]
) -> tuple[Sequence[Measured], Sequence[Explanation], Sequence[Section]]:
    if only is not None:
        found = (one for one, it in zip(measured, verdicts, strict=True) if it == only)
        return list(found), (), ()
    unscored: list[Problem | Skipped] = [*gathered.problems, *gathered.more_problems]
    if len(gathered.skipped) > 1:
        return measured, [*map(Explanation, unscored)], [skipped_section(gathered.skipped)]
    return measured, [*map(Explanation, [*unscored, *gathered.skipped])], ()


def _explained(
    asked: Iterable[Measured],
    measured: Sequence[Measured],
    gathered: Gathered,
    scorer: Scorer,
    arguments: argparse.Namespace,
) -> Iterator[Explanation]:
    at_hand = [one for one in measured if not one.measurement.novelty.assumed]
    records = {shown_key(one.place.key): one.record for one in reversed(at_hand)}
    tools = scorer.embedder, scorer.memory
    for one in asked:
        further, novelty = Further(), one.measurement.novelty
        if not novelty.assumed:
            nearest = next((records.get(near.key) for near in novelty.neighbours), None)
            try:
                today = look_today(one, *tools) if arguments.today else None
                alike = [*look_alike(one, nearest, *tools)] if arguments.alike else []
                further = Further(today, alike[-1] if alike else None)
            except ModelError as error:
                tell(error.message)
        found = explain(one, scorer.assess(one), further=further)
        yield replace(found, running=one.record.source in gathered.running)


class NamedTrace(NamedTuple):
    """The trace that an argument names; ``problems``: those of its file, if that was named."""

    name: str
    record: TraceRecord
    running: bool
    problems: Sequence[Problem]


def _named(given: str, read: Mapping[str, Gathered]) -> NamedTrace:
    """The trace that an argument names; its name ends in the record's number if there are several.

    Raises:
        KpError: it names no trace, or more than one.
    """
    path, number = split_record(given)
    gathered = read[path]
    found = [one for one in gathered.records if number in (None, one.source.record or 1)]
    if len(found) == 1:
        source = found[0].source
        running = source in gathered.running
        problems = gathered.problems if number is None else ()
        return NamedTrace(at_record(path, source.record), found[0], running, problems)
    if found:
        first = found[0].source
        raise KpError(
            say_count(
                "{path} holds {number} trace; name one, such as {example}.",
                "{path} holds {number} traces; name one, such as {example}.",
                len(found),
                path=path,
                example=at_record("-- -" if path == STDIN else first.path, first.record),
            )
        )
    for problem in gathered.problems:
        if number is None or problem.record in (None, number):
            raise KpError(located(problem))
    if number is None:
        raise KpError(say("{path} holds no trace.", path=path))
    raise KpError(say("{path} has no trace {record}.", path=path, record=number))


def compare(arguments: argparse.Namespace) -> ExitStatus:
    """Score two traces as one drop, print their comparison, and return the exit status."""
    given, asked = (arguments.left, arguments.right), asked_of(arguments)
    paths = dict.fromkeys(split_record(one)[0] for one in given)
    read = {path: gather([path], asked=asked) for path in paths}
    left, right = (_named(one, read) for one in given)
    tell_absent((left.record, right.record))
    with open_scorer(arguments) as scorer:
        comparison = _compared(left, right, scorer)
    answer(
        arguments,
        lambda: json_answers.comparison_json(comparison),
        lambda width: comparison_text(comparison, width=width),
    )
    sides = (comparison.left, comparison.right)
    verdicts = {side.verdict for side in sides if side.verdict is not None}
    return exit_status(verdicts, (*left.problems, *right.problems), scorer.memory)


def _compared(left: NamedTrace, right: NamedTrace, scorer: Scorer) -> SideBySide:
    sides, similarity = [], None
    measured = scorer.measure([left.record, right.record])
    for name, trace, one in zip(
        names_apart(left.name, right.name), (left, right), measured, strict=True
    ):
        judged, measurement = scorer.assess(one), one.measurement
        possible = None
        if not measurement.facts.outcome_known:
            possible = outcome_range(measurement, judged.profile, judged.threshold)
        assumed = measurement.novelty.assumed
        sides.append(Side(name, one.record, judged, assumed, possible, trace.running))
    first, second = left.record.trace, right.record.trace
    with suppress(ModelError):
        similarity = similarity_of(first, second, scorer.embedder, scorer.memory)
    return SideBySide(sides[0], sides[1], align(first, second), similarity)
