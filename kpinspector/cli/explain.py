"""``kpinspector explain``: why each trace scores what it scores."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from kpinspector.cli.measuring import Scorer, open_scorer
from kpinspector.cli.options import Subparsers, add_paths, add_scoring_options, choice_of
from kpinspector.cli.reading import Gathered, gather
from kpinspector.cli.status import exit_status
from kpinspector.cli.streams import print_out
from kpinspector.files import write_atomic
from kpinspector.scoring.assess import Assessment, assess
from kpinspector.scoring.batch import Measured
from kpinspector.scoring.colophon import colophon
from kpinspector.scoring.compose import Results, make_report
from kpinspector.scoring.explain import explain, explain_unscored
from kpinspector.scoring.explanation import Explanation
from kpinspector.scoring.explanation_html import explanations_html
from kpinspector.scoring.explanation_markdown import explanations_markdown
from kpinspector.scoring.explanation_report import (
    ExplanationReport,
    explanation_entry,
    explanation_json,
)
from kpinspector.scoring.explanation_text import explanation_text
from kpinspector.scoring.profiles import profile_for

_Scored = Sequence[tuple[Measured, Assessment]]


def add_parser(subparsers: Subparsers) -> None:
    """Describe the command and its options."""
    parser = subparsers.add_parser(
        "explain",
        help="say why traces score what they score",
        description="Explain scores: every term, what it rests on, what would change it. Exit "
        "status: 0 all accepted, 1 any rejected, 2 anything unreadable or not scorable, or no "
        "trace found.",
    )
    add_paths(parser)
    parser.add_argument("--json", action="store_true", help="print the explanations as JSON")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write them to FILE, too")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write them to FILE, too")
    add_scoring_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score, print and write the explanations, and say how it ended."""
    choice = choice_of(arguments)
    gathered = gather(arguments.paths)
    with open_scorer(choice) as scorer:
        scored = _assessed(scorer, gathered)
        made_with = colophon(scorer.used, scorer.model)
        as_json = _json(scorer, scored, gathered) if arguments.json else b""
    explanations = tuple(_explanations(scored, gathered))
    print_out(as_json or "\n".join(map(explanation_text, explanations)))
    if arguments.markdown:
        write_atomic(arguments.markdown, explanations_markdown(explanations, made_with).encode())
    if arguments.html:
        write_atomic(arguments.html, explanations_html(explanations, made_with).encode())
    return exit_status({one.verdict for _, one in scored}, gathered.problems)


def _assessed(scorer: Scorer, gathered: Gathered) -> _Scored:
    choice = scorer.choice
    return [
        (one, assess(one.measurement, profile, choice.settings.threshold))
        for one in scorer.measure(gathered.records)
        for profile in (choice.profile or profile_for(one.measurement.facts.task_domain),)
    ]


def _json(scorer: Scorer, scored: _Scored, gathered: Gathered) -> bytes:
    results = Results([one for one, _ in scored], gathered.problems, gathered.skipped)
    report = make_report(results, scorer.used, scorer.model, scorer.choice.profile)
    entries = tuple(explanation_entry(*one) for one in scored)
    return explanation_json(ExplanationReport(report=report, explanations=entries))


def _explanations(scored: _Scored, gathered: Gathered) -> Iterator[Explanation]:
    for measured, assessment in scored:
        yield explain(measured, assessment)
    yield from map(explain_unscored, gathered.problems)
    yield from map(explain_unscored, gathered.skipped)
