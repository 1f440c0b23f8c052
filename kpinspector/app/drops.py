"""What was opened by one act, how far its work has come, and what there is to say of it."""

from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from kpinspector.scoring.batch import Place
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import FileContents, Problem, Skipped

Found: TypeAlias = FoundFile | FileContents | Problem | Skipped


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know; stays until dismissed.

    Attributes:
        key: A notice takes the place of the one with the same key; an empty key takes none.
    """

    sentence: str
    detail: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has come, in real counts; all are 0 when nothing is to be done.

    Attributes:
        listing: Paths are being looked up; how many files there are is not known yet.
        listed: Files and folders seen so far.
    """

    read: int = 0
    to_read: int = 0
    scored: int = 0
    to_score: int = 0
    listing: bool = False
    listed: int = 0

    @property
    def busy(self) -> bool:
        """Something is left to be done."""
        return self.listing or self.read < self.to_read or self.scored < self.to_score


class Turn(NamedTuple):
    """When a trace is scored: its place among all of its drop, from 1."""

    place: int
    total: int


@dataclass(frozen=True, slots=True)
class Opening:
    """Something to open.

    Attributes:
        item: A file, text that was read already, or what is to be said instead.
        real: The canonical path; empty for text.
        root: The path that the user gave; empty for text.
    """

    item: Found
    real: str = ""
    root: str = ""


@dataclass(slots=True, eq=False)
class Drop:
    """Files that were opened by one act: first all are read, then their traces are scored.

    Attributes:
        unread: In the order in which they are read.
        roots: The paths under which they were opened.
        only_changed: A trace that is as it was keeps its measurement.
        traces: Numbers of the rows with a trace, in the order in which they are scored.
        edited: Numbers of those that were scored before, with other content.
        unscored: Those that wait, with their places; None before the places are known.
    """

    unread: deque[Opening] = field(default_factory=deque)
    roots: frozenset[str] = frozenset()
    only_changed: bool = False
    traces: list[int] = field(default_factory=list)
    edited: list[int] = field(default_factory=list)
    unscored: deque[tuple[int, Place]] | None = None
