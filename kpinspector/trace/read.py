"""Bytes to traces and located problems."""

from dataclasses import dataclass
from enum import StrEnum

from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.schema import Issue


@dataclass(frozen=True, slots=True)
class Source:
    """Where a trace stands: the path as given, the record (from 1; None for a file that is one
    trace) and the line of its first character (from 1)."""

    path: str
    record: int | None
    line: int


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A trace that can be scored, where it was found and what the registry says of it."""

    source: Source
    trace: ReasoningTrace
    issues: tuple[Issue, ...]


class ProblemKind(StrEnum):
    """Not JSON at all (or not to be opened), or JSON that the formula cannot be evaluated on."""

    UNREADABLE = "unreadable"
    NOT_SCORABLE = "not_scorable"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or record without a score: where, what was expected there, what was found."""

    path: str
    record: int | None
    kind: ProblemKind
    line: int | None
    column: int | None
    json_path: str | None
    expected: str | None
    found: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A unit or file that is no trace and was passed over, by name."""

    path: str
    record: int | None
    type: str | None
    id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class FileContents:
    """All that one file gave, each tuple in file order."""

    traces: tuple[TraceRecord, ...] = ()
    problems: tuple[Problem, ...] = ()
    skipped: tuple[Skipped, ...] = ()
