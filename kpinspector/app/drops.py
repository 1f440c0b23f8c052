"""What was opened by one act, and what of it is still to be done."""

from collections import deque
from dataclasses import dataclass, field
from typing import TypeAlias

from kpinspector.scoring.novelty.sequence import Place
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import FileContents, Problem, Skipped

Found: TypeAlias = FoundFile | FileContents | Problem | Skipped


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
        shows: Its first row is to be looked at, as soon as it is there.
        only_changed: A trace that is as it was keeps its measurement.
        traces: Numbers of the rows with a trace, in the order in which they are scored.
        edited: Numbers of those that were scored before, with other content.
        unscored: Those that wait, with their places; None before the places are known.
        reading: What is being read.
    """

    unread: deque[Opening] = field(default_factory=deque)
    roots: frozenset[str] = frozenset()
    shows: bool = False
    only_changed: bool = False
    traces: list[int] = field(default_factory=list)
    edited: list[int] = field(default_factory=list)
    unscored: deque[tuple[int, Place]] | None = None
    reading: tuple[Opening, ...] = ()
