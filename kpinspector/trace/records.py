"""The results of reading a file: traces, located problems and skipped units."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePath
from typing import Final, TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.trace.javascript import JsonObject, JsonPath, whole_characters
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.printable import shortened
from kpinspector.trace.schema import Issue

PASTED: Final = "(pasted)"
"""The path of pasted text, which came from no file."""

REPORT_FORMAT: Final = "kpinspector-report"
MOST_PROBLEMS: Final = 1000
"""The problems of one file that are kept; further ones are only counted."""

_LONGEST_KEY: Final = 60
_MOST_PARTS: Final = 20
_MACHINE: Final = re.compile(
    r"(?i)[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,}$"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a trace.

    Attributes:
        record: Its number in the file, from 1; None for a file that is one trace.
        format: The format of the recording whose run it is; None if the file has the trace itself.
    """

    path: str
    record: int | None
    line: int
    format: str | None = None


@dataclass(frozen=True, slots=True)
class TraceRecord:
    """A trace that can be scored, where it was found and what the registry says of it."""

    source: Source
    trace: ReasoningTrace
    issues: tuple[Issue, ...]


class ProblemKind(StrEnum):
    """Unreadable (not JSON, or it cannot be opened), or JSON that the formula cannot evaluate."""

    UNREADABLE = "unreadable"
    NOT_SCORABLE = "not_scorable"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or record that has no score: the place, what was expected and what was found there.

    ``line`` and ``column`` count from 1, columns in characters; ``json_path`` counts from the
    record's own beginning and is None where there is none.
    """

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
class MoreProblems(Problem):
    """The row of a list that stands for the problems of a file that are only counted."""

    count: int


def more_problems(path: str, kind: ProblemKind, count: int) -> MoreProblems:
    """The row for ``count`` problems that are only counted; ``kind``: that of the last one kept."""
    message = Phrase("and {count} more like these", count=f"{count:,}")
    return MoreProblems(path, None, kind, None, None, None, None, None, message, count)


@dataclass(frozen=True, slots=True)
class UnscoredRecord(Problem):
    """A trace with a text but no score: the SDK still compares other traces with it."""

    source: Source
    trace: ReasoningTrace = field(repr=False)


@dataclass(frozen=True, slots=True)
class UnreadRecord(Problem):
    """An object in the place of a trace for which the SDK's scorer cannot even make a text."""

    source: Source
    raw: JsonObject = field(repr=False)


TextRecord: TypeAlias = TraceRecord | UnscoredRecord
"""A record whose text is embedded."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A unit or file that is not a trace and was skipped."""

    path: str
    record: int | None
    type: str | None
    id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class SkippedFile(Skipped):
    """A file of a folder that holds nothing to score; lists show only how many there are."""


@dataclass(frozen=True, slots=True)
class ReportRecord:
    """A report in the place of a trace, unchecked; ``place`` gives line and column of a path."""

    source: Source
    raw: JsonObject = field(repr=False)
    place: Callable[[JsonPath], tuple[int, int]] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class FileContents:
    """All contents of one file, each tuple in file order.

    ``more_problems``: how many further problems are only counted. ``unlisted``: the records among
    these that have a text.
    """

    traces: tuple[TraceRecord, ...] = ()
    problems: tuple[Problem, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    reports: tuple[ReportRecord, ...] = ()
    more_problems: int = 0
    unlisted: tuple[UnscoredRecord, ...] = ()

    @property
    def texts(self) -> tuple[TextRecord, ...]:
        """The traces, and the records with a text but no score, in file order."""
        listed = [one for one in self.problems if isinstance(one, UnscoredRecord)]
        unscored = [*listed, *self.unlisted]
        if not unscored:
            return self.traces
        return tuple(sorted([*self.traces, *unscored], key=lambda one: one.source.record or 0))


def name_of(path: str, record: int | None) -> str:
    """The file's stem, and the record's number where the file has several."""
    return with_record(_stem(path), record)


@lru_cache(maxsize=64)  # a file's records come one after the other
def _stem(path: str) -> str:
    return PurePath(path).stem or path


def is_machine_name(path: str) -> bool:
    """Whether the name of a file was made by a machine: it holds a UUID, or only hex digits."""
    return _MACHINE.search(_stem(path)) is not None


def with_record(name: str, record: int | None) -> str:
    """A name, followed by the record's number if there is one."""
    return f"{name} {record}" if record else name


def at_record(path: str, record: int | None) -> str:
    """A file, or one of its records, in the form that the command line takes: ``runs.jsonl#3``."""
    return path if record is None else f"{path}#{record}"


def dotted(path: JsonPath) -> str:
    """A JSON path for people: dots between names, long keys and the middle of long paths cut."""
    shown = [shortened(whole_characters(str(part)), _LONGEST_KEY) for part in path]
    if len(shown) > _MOST_PARTS:
        shown[_MOST_PARTS // 2 : -_MOST_PARTS // 2] = ["…"]
    return ".".join(shown)


def skipped_report(source: Source) -> Skipped:
    """A report as a skipped unit, for readers that want traces only."""
    return Skipped(source.path, source.record, REPORT_FORMAT, None, Phrase("a report: use replay"))


def file_problem(
    path: str,
    message: str,
    expected: str | None,
    found: str | None,
    place: tuple[int | None, int | None] = (None, None),
) -> Problem:
    """A problem with a file as a whole, or at a line and a column of it."""
    kind = ProblemKind.UNREADABLE
    return Problem(whole_characters(path), None, kind, *place, None, expected, found, message)
