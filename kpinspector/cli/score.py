"""``kpinspector score``: the scores and verdicts of files and folders."""

import argparse

from kpinspector.cli.measuring import exit_status, open_scorer
from kpinspector.cli.options import choice_of
from kpinspector.cli.reading import asked_of, gather
from kpinspector.cli.streams import (
    STDOUT,
    checked_files,
    print_out,
    terminal_width,
    write_output,
)
from kpinspector.files import keep_sources
from kpinspector.scoring.report.compose import make_report
from kpinspector.scoring.report.report import report_json
from kpinspector.words.writers.report_csv import report_csv
from kpinspector.words.writers.report_text import report_table


def run(arguments: argparse.Namespace) -> int:
    """Score, print the table or the report, and return the exit status."""
    choice = choice_of(arguments)
    outputs = [one for one in (arguments.report, arguments.csv) if one]
    files = checked_files(outputs, choice.folder, printed=arguments.json)
    with open_scorer(choice) as scorer:
        gathered = gather(arguments.paths, scorer.expect, asked_of(arguments))
        keep_sources(files, gathered.sources)
        results = gathered.results(scorer.measure(gathered.texts))
        report = make_report(results, scorer.used, scorer.model, choice.profile)
    if arguments.json:
        print_out(report_json(report))
    elif STDOUT not in outputs:
        print_out(report_table(report, terminal_width()))
    if arguments.report:
        write_output(arguments.report, report_json(report))
    if arguments.csv:
        write_output(arguments.csv, report_csv(report))
    return exit_status({trace.verdict for trace in report.traces}, report.problems, scorer.memory)
