"""``kpinspector compare``: two traces side by side."""

import argparse
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from kpinspector.cli.measuring import Scorer, answer, exit_status, open_scorer, tell_left_out
from kpinspector.cli.reading import STDIN, Gathered, asked_of, gather
from kpinspector.errors import ExitStatus, KpError, ModelError
from kpinspector.files import split_record
from kpinspector.runs.read import NOTHING_ASKED, Asked
from kpinspector.scoring.formula.assess import outcome_range
from kpinspector.scoring.novelty.questions import similarity_of
from kpinspector.trace.align import align
from kpinspector.trace.read import Problem, TraceRecord
from kpinspector.words.comparison import Side, SideBySide, names_apart
from kpinspector.words.problems import located
from kpinspector.words.say import say, say_count
from kpinspector.words.writers.comparison_text import comparison_text
from kpinspector.words.writers.json_answers import comparison_json


@dataclass(frozen=True, slots=True)
class NamedTrace:
    """The trace that an argument names.

    Attributes:
        name: The path; with the record where the file has several.
        running: It goes on being recorded.
        problems: What else is in the file and cannot be read, where only the file was named.
    """

    name: str
    record: TraceRecord
    running: bool = False
    problems: tuple[Problem, ...] = ()


def named_traces(arguments: Sequence[str], asked: Asked = NOTHING_ASKED) -> list[NamedTrace]:
    """The traces of these arguments; every file is read once.

    Raises:
        KpError: an argument names no trace, or more than one.
    """
    places = [split_record(argument) for argument in arguments]
    read = {path: gather([path], asked=asked) for path in dict.fromkeys(path for path, _ in places)}
    return [_named(path, record, read[path]) for path, record in places]


def _named(path: str, record: int | None, gathered: Gathered) -> NamedTrace:
    if record is not None:
        return _numbered(path, record, gathered)
    if len(gathered.records) == 1:
        found = gathered.records[0]
        running, problems = found.source in gathered.running, tuple(gathered.problems)
        return NamedTrace(_name(path, found), found, running, problems)
    if gathered.records:
        many, first = len(gathered.records), gathered.records[0]
        example = _name(STDIN if path == STDIN else first.source.path, first)
        raise KpError(
            say_count(
                "{path} holds {number} trace; name one, such as {example}.",
                "{path} holds {number} traces; name one, such as {example}.",
                many,
                path=path,
                example=example,
            )
        )
    if gathered.problems:
        raise KpError(located(gathered.problems[0]))
    raise KpError(say("{path} holds no trace.", path=path))


def _numbered(path: str, record: int, gathered: Gathered) -> NamedTrace:
    for found in gathered.records:
        if (found.source.record or 1) == record:
            return NamedTrace(_name(path, found), found, found.source in gathered.running)
    for problem in gathered.problems:
        if problem.record in (None, record):
            raise KpError(located(problem))
    raise KpError(say("{path} has no trace {record}.", path=path, record=record))


def _name(path: str, found: TraceRecord) -> str:
    record = found.source.record
    return path if record is None else f"{path}#{record}"


def compare(arguments: argparse.Namespace) -> ExitStatus:
    """Score both as one drop, print the comparison, and say how it ended."""
    left, right = named_traces([arguments.left, arguments.right], asked_of(arguments))
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
