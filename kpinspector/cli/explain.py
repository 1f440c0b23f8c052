"""``kpinspector explain``: why each trace scores what it scores."""

import argparse
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat

from kpinspector.batch.groups import FIRST_SIMILARITY
from kpinspector.batch.summary import BatchSummary, JudgedTrace, judge, summary_of
from kpinspector.cli.batches import whole_summary
from kpinspector.cli.measuring import Scorer, exit_status, reading
from kpinspector.cli.reading import Gathered
from kpinspector.cli.streams import STDOUT, print_out, tell, terminal_width, write_output
from kpinspector.errors import ExitStatus, ModelError
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.novelty.neighbours import Alike, Further, look_alike, look_today
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.trace.records import Problem, Skipped, TraceRecord
from kpinspector.words.explanation import Explanation, explain
from kpinspector.words.page import Mention, Section
from kpinspector.words.summary import Front, levers_section, mention_of, skipped_section
from kpinspector.words.writers import EXPLANATIONS
from kpinspector.words.writers.explanation_text import explanation_text, section_lines
from kpinspector.words.writers.json_answers import Entry, explanation_entry, explanations_json
from kpinspector.words.writers.pages import made_with


def explain_all(arguments: argparse.Namespace) -> ExitStatus:
    """Score, print and write the explanations, each as it is made, and say how it ended."""
    targets = [getattr(arguments, name) for name in EXPLANATIONS]
    prints = not arguments.json and STDOUT not in targets
    entries: list[Entry] = []
    gaps = chain([""], repeat("\n"))
    with reading(arguments, *targets) as (gathered, scorer):
        measured = scorer.measure(gathered.texts)
        judged = [judge(one, scorer.terms) for one in measured]
        counts, many = summary_of(judged), len(measured) > 1
        asked, unscored, end = _asked(arguments.only, gathered, measured, judged)
        names = [*map(mention_of, asked), *(Mention(one.name, "") for one in unscored)]
        front = _front(scorer, gathered, measured, counts, names) if many and any(targets) else None
        asked_for = zip(targets, EXPLANATIONS.values(), strict=True)
        pages = [(target, one.write(front)) for target, one in asked_for if target]
        for one in chain(_explained(asked, measured, gathered, scorer, arguments), unscored):
            for _, page in pages:
                page.add(one)
            if prints:
                print_out(next(gaps) + explanation_text(one, terminal_width()))
            elif arguments.json and one.measured is not None:
                entries.append(explanation_entry(one))
        last = made_with(scorer.used, scorer.model)
        if arguments.json:
            print_out(explanations_json(scorer.report(gathered, measured), entries))
    # what would help how many comes last, where it is read
    for section in (*end, *(levers_section(counts) if many else ())) if prints else ():
        print_out(next(gaps) + "\n".join([*section_lines(section, terminal_width()), ""]))
    for target, page in pages:
        write_output(target, page.written(last, end))
    return exit_status(set(counts.verdicts), gathered.problems, scorer.memory)


def _front(
    scorer: Scorer,
    gathered: Gathered,
    measured: Sequence[Measured],
    counts: BatchSummary,
    names: Sequence[Mention],
) -> Front:
    """What a page of several begins with."""
    whole = whole_summary(counts, FIRST_SIMILARITY, gathered, scorer, measured)
    return Front(whole.answer, tuple(names))


def _asked(
    only: str | None,
    gathered: Gathered,
    measured: Sequence[Measured],
    judged: Sequence[JudgedTrace],
) -> tuple[Sequence[Measured], Sequence[Explanation], Sequence[Section]]:
    """What is asked for, what has no score, and what is said of several skipped ones at once."""
    if only is not None:
        found = (one for one, it in zip(measured, judged, strict=True) if it.verdict == only)
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
    """The explanations of those that are asked for among all, each made when its turn comes."""
    at_hand = [one for one in measured if not one.measurement.novelty.assumed]
    records = {shown_key(one.place.key): one.record for one in reversed(at_hand)}
    for one in asked:
        further = _further(one, records, scorer, arguments)
        found = explain(one, scorer.assess(one), further=further)
        running = one.record.source in gathered.running
        yield replace(found, among_many=len(measured) > 1, running=running)


def _further(
    measured: Measured,
    records: dict[str, TraceRecord],
    scorer: Scorer,
    arguments: argparse.Namespace,
) -> Further:
    """What was looked up for one trace; nothing where there is no model."""
    novelty, tools = measured.measurement.novelty, (scorer.embedder, scorer.memory)
    if novelty.assumed:
        return Further()
    alike: deque[Alike] = deque(maxlen=1)  # the last, once all is known
    try:
        today = look_today(measured, *tools) if arguments.today else None
        if arguments.alike:
            nearest = next((records.get(one.key) for one in novelty.neighbours), None)
            alike.extend(look_alike(measured, nearest, *tools))
    except ModelError as error:
        tell(error.message)
        return Further()
    return Further(today, next(iter(alike), None))
