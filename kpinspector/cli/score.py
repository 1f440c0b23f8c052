"""``kpinspector score``: the scores and verdicts of files and folders."""

import argparse

from kpinspector.cli.commands import choice_of
from kpinspector.cli.measuring import exit_status, reading
from kpinspector.cli.streams import STDOUT, print_out, terminal_width, write_output
from kpinspector.scoring.report.report import make_report
from kpinspector.scoring.report.written import report_json
from kpinspector.words.writers.report_csv import report_csv
from kpinspector.words.writers.report_text import report_table


def run(arguments: argparse.Namespace) -> int:
    """Score, print the table or the report, and return the exit status."""
    choice = choice_of(arguments)
    outputs = (arguments.report, arguments.csv)
    with reading(arguments, choice, outputs) as (gathered, scorer):
        results = gathered.results(scorer.measure(gathered.texts))
        report = make_report(results, scorer.used, scorer.model, choice.profile)
    if arguments.json:
        print_out(report_json(report))
    elif STDOUT not in outputs:
        print_out(report_table(report, terminal_width(), gathered.running))
    if arguments.report:
        write_output(arguments.report, report_json(report))
    if arguments.csv:
        write_output(arguments.csv, report_csv(report))
    return exit_status(
        {trace["verdict"] for trace in report.traces}, report.problems, scorer.memory
    )
