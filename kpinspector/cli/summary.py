"""``kpinspector summary``: many traces at a glance."""

import argparse

from kpinspector.batch.limits import Terms
from kpinspector.batch.summary import summarise
from kpinspector.cli.batches import as_guest
from kpinspector.cli.measuring import exit_status, open_scorer
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
from kpinspector.words.writers.made_with import made_with
from kpinspector.words.writers.report_text import located
from kpinspector.words.writers.summary_report import summary_html, summary_json, summary_text


def run(arguments: argparse.Namespace) -> int:
    """Score as a guest, summarise, and say how it ended; nothing is stored."""
    choice = as_guest(choice_of(arguments))
    outputs = [arguments.html] if arguments.html else []
    files = checked_files(outputs, choice.folder, printed=arguments.json)
    with open_scorer(choice) as scorer:
        gathered = gather(arguments.paths, scorer.expect, asked_of(arguments))
        keep_sources(files, gathered.sources)
        terms = Terms(scorer.used.threshold, choice.profile)
        summary = summarise(scorer.measure(gathered.texts), terms)
        last = made_with(scorer.used, scorer.model)
    problems = len(gathered.problems) + sum(one.count for one in gathered.more_problems)
    for problem in (*gathered.problems, *gathered.more_problems):
        tell(located(problem))
    if arguments.json:
        print_out(summary_json(summary, scorer.used, problems))
    elif STDOUT not in outputs and summary.total:
        print_out(summary_text(summary, terminal_width()))
    if arguments.html:
        write_output(arguments.html, summary_html(summary, last))
    return exit_status(set(summary.verdicts), gathered.problems, scorer.memory)
