"""``kpinspector summary``: many traces at a glance."""

import argparse

from kpinspector.batch.groups import FIRST_SIMILARITY
from kpinspector.batch.limits import Terms
from kpinspector.batch.summary import summarise
from kpinspector.cli.batches import grouped_at
from kpinspector.cli.measuring import exit_status, reading
from kpinspector.cli.options import as_guest, choice_of
from kpinspector.cli.streams import STDOUT, print_out, tell, terminal_width, write_output
from kpinspector.sharing.answer import leaking_traces
from kpinspector.sharing.measured import ways_of_measured
from kpinspector.words.writers.made_with import made_with
from kpinspector.words.writers.report_text import located
from kpinspector.words.writers.summary_report import (
    WholeSummary,
    summary_html,
    summary_json,
    summary_text,
)


def run(arguments: argparse.Namespace) -> int:
    """Score as a guest, summarise, and say how it ended; nothing is stored."""
    choice = as_guest(choice_of(arguments))
    with reading(arguments, choice, [arguments.html]) as (gathered, scorer):
        terms = Terms(scorer.used.threshold, choice.profile)
        measured = scorer.measure(gathered.texts)
        asked = arguments.similarity
        similarity = FIRST_SIMILARITY if asked is None else asked
        summary = WholeSummary(
            summarise(measured, terms),
            grouped_at(similarity, gathered.records, scorer, terms),
            leaking_traces(ways_of_measured(one, scorer.assess(one), None) for one in measured),
        )
        last = made_with(scorer.used, scorer.model)
    problems = len(gathered.problems) + sum(one.count for one in gathered.more_problems)
    for problem in (*gathered.problems, *gathered.more_problems):
        tell(located(problem))
    if arguments.json:
        print_out(summary_json(summary, scorer.used, problems))
    elif arguments.html != STDOUT and summary.counts.total:
        print_out(summary_text(summary, terminal_width()))
    if arguments.html:
        write_output(arguments.html, summary_html(summary, last))
    return exit_status(set(summary.counts.verdicts), gathered.problems, scorer.memory)
