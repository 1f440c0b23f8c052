"""Arguments that name one trace each: a file, or a record of a file that has several."""

from collections.abc import Sequence
from dataclasses import dataclass

from kpinspector.cli.reading import STDIN, Gathered, gather
from kpinspector.errors import KpError
from kpinspector.files import split_record
from kpinspector.trace.read import Problem, TraceRecord
from kpinspector.words.writers.report_text import located


@dataclass(frozen=True, slots=True)
class NamedTrace:
    """The trace that an argument names.

    Attributes:
        name: The path; with the record where the file has several.
        problems: What else is in the file and cannot be read, where only the file was named.
    """

    name: str
    record: TraceRecord
    problems: tuple[Problem, ...] = ()


def named_traces(arguments: Sequence[str]) -> list[NamedTrace]:
    """The traces of these arguments; every file is read once.

    Raises:
        KpError: an argument names no trace, or more than one.
    """
    places = [split_record(argument) for argument in arguments]
    read = {path: gather([path]) for path in dict.fromkeys(path for path, _ in places)}
    return [_named(path, record, read[path]) for path, record in places]


def _named(path: str, record: int | None, gathered: Gathered) -> NamedTrace:
    if record is not None:
        return _numbered(path, record, gathered)
    if len(gathered.records) == 1:
        found = gathered.records[0]
        return NamedTrace(_name(path, found), found, tuple(gathered.problems))
    if gathered.records:
        many, first = len(gathered.records), gathered.records[0]
        example = _name(STDIN if path == STDIN else first.source.path, first)
        raise KpError(f"{path} holds {many:,} traces; name one, such as {example}.")
    if gathered.problems:
        raise KpError(located(gathered.problems[0]))
    raise KpError(f"{path} holds no trace.")


def _numbered(path: str, record: int, gathered: Gathered) -> NamedTrace:
    for found in gathered.records:
        if (found.source.record or 1) == record:
            return NamedTrace(_name(path, found), found)
    for problem in gathered.problems:
        if problem.record in (None, record):
            raise KpError(located(problem))
    raise KpError(f"{path} has no trace {record}.")


def _name(path: str, found: TraceRecord) -> str:
    record = found.source.record
    return path if record is None else f"{path}#{record}"
