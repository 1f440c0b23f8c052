"""``kpinspector score`` and ``replay``: files and folders scored, and a report computed again."""

import argparse
from functools import partial
from pathlib import PurePath

from kpinspector.cli.measuring import answer, exit_status, reading
from kpinspector.cli.reading import gather
from kpinspector.cli.streams import tell
from kpinspector.errors import ExitStatus, KpError
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.report.replay import replay
from kpinspector.scoring.report.written import FoundReport, read_report, report_json
from kpinspector.trace.records import Problem
from kpinspector.words.problems import located
from kpinspector.words.replay import replay_answer, replay_json
from kpinspector.words.say import say
from kpinspector.words.writers import LISTS
from kpinspector.words.writers.explanation_text import answer_text, report_table


def score(arguments: argparse.Namespace) -> ExitStatus:
    """Score, print the table or the report, and return the exit status."""
    asked = ((getattr(arguments, name), one) for name, one in LISTS.items())
    lists = [(target, one) for target, one in asked if target]
    outputs = arguments.report, *(target for target, _ in lists)
    with reading(arguments, *outputs) as (gathered, scorer):
        report = scorer.report(gathered, scorer.measure(gathered.texts))
    answer(
        arguments,
        lambda: report_json(report),
        lambda width: report_table(report, width, gathered.running),
        (arguments.report, lambda: report_json(report)),
        *((target, partial(one.write, report)) for target, one in lists),
    )
    verdicts = {trace["verdict"] for trace in report.traces}
    return exit_status(verdicts, report.problems, scorer.memory)


def replay_report(arguments: argparse.Namespace) -> ExitStatus:
    """Compute the report again, print the result, and return the exit status."""
    found = _read_report(arguments.report)
    given = gather(arguments.paths)
    known = {(PurePath(one["path"]).name, one["record"]) for one in found.values["problems"]}
    problems = [one for one in given.problems if (PurePath(one.path).name, one.record) not in known]
    for problem in (*problems, *given.more_problems):
        tell(located(problem))
    again = (given.records, MiniLM()) if arguments.paths else ()
    result = replay(found, *again)
    answer(
        arguments,
        lambda: replay_json(found, result),
        lambda width: answer_text(replay_answer(found, result), width),
    )
    if problems or given.more_problems:
        return ExitStatus.PROBLEM
    same = result.identical and not result.missing
    return ExitStatus.OK if same else ExitStatus.REJECTED


def _read_report(path: str) -> FoundReport:
    """The one report at a path.

    Raises:
        KpError: there is no report, or something beside it.
    """
    gathered = gather([path])
    if gathered.problems:
        raise KpError(located(gathered.problems[0]))
    if len(gathered.reports) != 1 or gathered.records or len(gathered.skipped) > 1:
        raise KpError(say("{path}: expected one report and nothing else", path=path))
    found = read_report(gathered.reports[0])
    if isinstance(found, Problem):
        raise KpError(located(found))
    return found
