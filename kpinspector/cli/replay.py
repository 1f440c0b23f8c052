"""``kpinspector replay``: computes a report again and compares its numbers."""

import argparse
from pathlib import PurePath

from kpinspector.cli.reading import gather
from kpinspector.cli.streams import print_out, tell, terminal_width
from kpinspector.errors import ExitStatus
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.report.replay import replay
from kpinspector.scoring.report.written import FoundReport, read_report
from kpinspector.trace.read import Problem
from kpinspector.words.problems import located
from kpinspector.words.say import say, say_count
from kpinspector.words.writers.replay_text import replay_json, replay_text


def run(arguments: argparse.Namespace) -> int:
    """Compute the report again, print the result, and return the exit status."""
    found = _read_report(arguments.report)
    if isinstance(found, str):
        tell(found)
        return ExitStatus.PROBLEM
    given = gather(arguments.paths)
    known = {(PurePath(one["path"]).name, one["record"]) for one in found.values["problems"]}
    problems = [one for one in given.problems if (PurePath(one.path).name, one.record) not in known]
    for problem in (*problems, *given.more_problems):
        tell(located(problem))
    result = replay(found, given.records, MiniLM()) if arguments.paths else replay(found)
    if arguments.json:
        print_out(replay_json(found, result))
    else:
        print_out(replay_text(found, result, terminal_width()))
    if problems or given.more_problems:
        return ExitStatus.PROBLEM
    same = result.identical and not result.missing
    return ExitStatus.OK if same else ExitStatus.REJECTED


def _read_report(path: str) -> FoundReport | str:
    """The one report at a path, or why there is none."""
    gathered = gather([path])
    if gathered.problems:
        return located(gathered.problems[0])
    if len(gathered.reports) != 1 or gathered.records or len(gathered.skipped) > 1:
        reports, traces = len(gathered.reports), len(gathered.records)
        found_reports = say_count("{number} report", "{number} reports", reports)
        found_traces = say_count("{number} trace", "{number} traces", traces)
        return say(
            "{path}: expected one report, found {reports} and {traces}",
            path=path,
            reports=found_reports if reports else say("no report"),
            traces=found_traces if traces else say("no trace"),
        )
    found = read_report(gathered.reports[0])
    return located(found) if isinstance(found, Problem) else found
