"""``kpinspector compare``: two traces side by side."""

import argparse

from kpinspector.cli.choice import choice_of
from kpinspector.cli.measuring import Scorer, open_scorer
from kpinspector.cli.one_trace import NamedTrace, named_traces
from kpinspector.cli.status import exit_status
from kpinspector.cli.streams import print_out, terminal_width
from kpinspector.errors import ModelError
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.novelty.similarity import similarity_of
from kpinspector.trace.align import align
from kpinspector.words.comparison import Side, SideBySide, names_apart
from kpinspector.words.writers.comparison_report import comparison_json
from kpinspector.words.writers.comparison_text import comparison_text


def run(arguments: argparse.Namespace) -> int:
    """Score both, as one drop, print what is the same and what is not, and say how it ended."""
    choice = choice_of(arguments)
    left, right = named_traces([arguments.left, arguments.right])
    with open_scorer(choice) as scorer:
        comparison = _compare(left, right, scorer)
    if arguments.json:
        print_out(comparison_json(comparison))
    else:
        print_out(comparison_text(comparison, width=terminal_width()))
    assessments = (comparison.left.assessment, comparison.right.assessment)
    verdicts = {one.verdict for one in assessments if one is not None}
    return exit_status(verdicts, (*left.problems, *right.problems), scorer.memory)


def _compare(left: NamedTrace, right: NamedTrace, scorer: Scorer) -> SideBySide:
    measured = scorer.measure([left.record, right.record])
    names = names_apart(left.name, right.name)
    one, other = (_side(name, each, scorer) for name, each in zip(names, measured, strict=True))
    return SideBySide(
        one,
        other,
        align(left.record.trace, right.record.trace),
        _similarity(left, right, scorer),
    )


def _side(name: str, measured: Measured, scorer: Scorer) -> Side:
    assumed = measured.measurement.novelty.assumed
    return Side(name, measured.record, scorer.assess(measured), assumed=assumed)


def _similarity(left: NamedTrace, right: NamedTrace, scorer: Scorer) -> float | None:
    try:
        return similarity_of(left.record.trace, right.record.trace, scorer.embedder, scorer.memory)
    except ModelError:
        return None
