"""``kpinspector summary``: many traces at a glance."""

import argparse
from collections.abc import Sequence
from typing import Final

from kpinspector.batch.groups import FIRST_SIMILARITY, GroupedBatch, groups_at, linking
from kpinspector.batch.limits import Terms
from kpinspector.batch.summary import summarise
from kpinspector.cli.batches import as_guest, compare_all
from kpinspector.cli.measuring import Scorer, exit_status, open_scorer
from kpinspector.cli.options import choice_of
from kpinspector.cli.reading import asked_of, gather
from kpinspector.cli.streams import (
    STDOUT,
    checked_files,
    print_out,
    tell,
    terminal_width,
    write_output,
)
from kpinspector.files import keep_sources
from kpinspector.sharing.counts import leaking_traces
from kpinspector.sharing.measured import ways_of_measured
from kpinspector.trace.read import TraceRecord
from kpinspector.words.say import say
from kpinspector.words.writers.made_with import made_with
from kpinspector.words.writers.report_text import located
from kpinspector.words.writers.summary_report import (
    WholeSummary,
    summary_html,
    summary_json,
    summary_text,
)

_FEWEST: Final = 2  # that can be a group


def run(arguments: argparse.Namespace) -> int:
    """Score as a guest, summarise, and say how it ended; nothing is stored."""
    choice = as_guest(choice_of(arguments))
    outputs = [arguments.html] if arguments.html else []
    files = checked_files(outputs, choice.folder, printed=arguments.json)
    with open_scorer(choice) as scorer:
        gathered = gather(arguments.paths, scorer.expect, asked_of(arguments))
        keep_sources(files, gathered.sources)
        terms = Terms(scorer.used.threshold, choice.profile)
        measured = scorer.measure(gathered.texts)
        asked = arguments.similarity
        similarity = FIRST_SIMILARITY if asked is None else asked
        summary = WholeSummary(
            summarise(measured, terms),
            _grouped(gathered.records, scorer, terms, similarity),
            leaking_traces(ways_of_measured(one, scorer.assess(one), None) for one in measured),
        )
        last = made_with(scorer.used, scorer.model)
    problems = len(gathered.problems) + sum(one.count for one in gathered.more_problems)
    for problem in (*gathered.problems, *gathered.more_problems):
        tell(located(problem))
    if arguments.json:
        print_out(summary_json(summary, scorer.used, problems))
    elif STDOUT not in outputs and summary.counts.total:
        print_out(summary_text(summary, terminal_width()))
    if arguments.html:
        write_output(arguments.html, summary_html(summary, last))
    return exit_status(set(summary.counts.verdicts), gathered.problems, scorer.memory)


def _grouped(
    records: Sequence[TraceRecord], scorer: Scorer, terms: Terms, similarity: float
) -> GroupedBatch | None:
    """The groups of near-duplicates; None without a model, or where linking takes too long."""
    if len(records) < _FEWEST or scorer.embedder.failure is not None:
        return None
    batch = compare_all(records, scorer, lambda _done, _total: None)  # they are embedded already
    with linking(batch) as child:
        linked = child.result()
    if linked is None:
        tell(say("The traces could not be grouped in time."))
        return None
    return GroupedBatch(batch, similarity, groups_at(batch, linked, similarity, terms))
