"""What was opened by one act, how far its work has come, and what there is to say of it."""

from collections import deque
from dataclasses import dataclass, field

from kpinspector.scoring.batch import Place
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import FileContents


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know; stays until dismissed."""

    sentence: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has come, in real counts; all are 0 when nothing is to be done."""

    read: int = 0
    to_read: int = 0
    scored: int = 0
    to_score: int = 0

    @property
    def busy(self) -> bool:
        """Something is left to be done."""
        return self.read < self.to_read or self.scored < self.to_score


@dataclass(slots=True)
class Drop:
    """Files that were opened by one act: first all are read, then their traces are scored.

    Attributes:
        unread: Files, and texts that were read already.
        traces: Numbers of the rows with a trace, in the order in which they are scored.
        unscored: Those that wait, with their places; None before the places are known.
    """

    unread: deque[FoundFile | FileContents] = field(default_factory=deque)
    traces: list[int] = field(default_factory=list)
    unscored: deque[tuple[int, Place]] | None = None
