"""``kpinspector compare``: two traces side by side."""

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from kpinspector.cli.measuring import Scorer, answer, exit_status, open_scorer, tell_left_out
from kpinspector.cli.reading import STDIN, Gathered, asked_of, gather
from kpinspector.errors import ExitStatus, KpError, ModelError
from kpinspector.files import split_record
from kpinspector.scoring.formula.assess import outcome_range
from kpinspector.scoring.novelty.neighbours import similarity_of
from kpinspector.trace.align import align
from kpinspector.trace.records import Problem, TraceRecord
from kpinspector.words.problems import located
from kpinspector.words.say import say, say_count
from kpinspector.words.writers.comparison import Side, SideBySide, comparison_text, names_apart
from kpinspector.words.writers.json_answers import comparison_json


class NamedTrace(NamedTuple):
    """The trace that an argument names; ``problems``: what cannot be read beside it."""

    name: str
    record: TraceRecord
    running: bool
    problems: Sequence[Problem]


def _named(given: str, read: Mapping[str, Gathered]) -> NamedTrace:
    """The trace of an argument; its name has the record where the file has several.

    Raises:
        KpError: it names no trace, or more than one.
    """
    path, number = split_record(given)
    gathered = read[path]
    found = [one for one in gathered.records if number in (None, one.source.record or 1)]
    if len(found) == 1:
        running = found[0].source in gathered.running
        problems = gathered.problems if number is None else ()
        return NamedTrace(_name(path, found[0]), found[0], running, problems)
    if found:
        raise KpError(
            say_count(
                "{path} holds {number} trace; name one, such as {example}.",
                "{path} holds {number} traces; name one, such as {example}.",
                len(found),
                path=path,
                example=_name(STDIN if path == STDIN else found[0].source.path, found[0]),
            )
        )
    for problem in gathered.problems:
        if number is None or problem.record in (None, number):
            raise KpError(located(problem))
    if number is None:
        raise KpError(say("{path} holds no trace.", path=path))
    raise KpError(say("{path} has no trace {record}.", path=path, record=number))


def _name(path: str, found: TraceRecord) -> str:
    record = found.source.record
    return path if record is None else f"{path}#{record}"


def compare(arguments: argparse.Namespace) -> ExitStatus:
    """Score both as one drop, print the comparison, and say how it ended."""
    given, asked = (arguments.left, arguments.right), asked_of(arguments)
    paths = dict.fromkeys(split_record(one)[0] for one in given)
    read = {path: gather([path], asked=asked) for path in paths}
    left, right = (_named(one, read) for one in given)
    tell_left_out((left.record, right.record))
    with open_scorer(arguments) as scorer:
        comparison = _compared(left, right, scorer)
    answer(
        arguments,
        lambda: comparison_json(comparison),
        lambda width: comparison_text(comparison, width=width),
    )
    sides = (comparison.left, comparison.right)
    verdicts = {side.verdict for side in sides if side.verdict is not None}
    return exit_status(verdicts, (*left.problems, *right.problems), scorer.memory)


def _compared(left: NamedTrace, right: NamedTrace, scorer: Scorer) -> SideBySide:
    sides, similarity = [], None
    measured = scorer.measure([left.record, right.record])
    for name, trace, one in zip(
        names_apart(left.name, right.name), (left, right), measured, strict=True
    ):
        judged, measurement = scorer.assess(one), one.measurement
        possible = None
        if not measurement.facts.outcome_known:
            possible = outcome_range(measurement, judged.profile, judged.threshold)
        assumed = measurement.novelty.assumed
        sides.append(Side(name, one.record, judged, assumed, possible, trace.running))
    first, second = left.record.trace, right.record.trace
    with suppress(ModelError):
        similarity = similarity_of(first, second, scorer.embedder, scorer.memory)
    return SideBySide(sides[0], sides[1], align(first, second), similarity)
