"""What a window shows before all else is loaded: states and rules, notices, how far the work is."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from kpinspector.errors import KpError
from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.profiles import Profile, profile_for
from kpinspector.words.figures import shown_count
from kpinspector.words.say import Names, in_words, say

if TYPE_CHECKING:
    from kpinspector.scoring.formula.measurement import Facts


class State(StrEnum):
    """The state of a row, shown as a shape and a word."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    PENDING = "pending"
    NOT_SCORABLE = "not_scorable"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"
    REPORT = "report"
    UNREAD = "unread"

    @property
    def word(self) -> str:
        """The word for it."""
        return _STATE_WORDS[self]

    def counted(self, number: int) -> str:
        """How many rows have it, as "3 accepted"."""
        return say("{number} {state}", number=shown_count(number), state=self.word)


_STATE_WORDS = Names(
    {
        State.ACCEPTED: Phrase("accepted"),
        State.REJECTED: Phrase("rejected"),
        State.UNDECIDED: Phrase("undecided"),
        State.PENDING: Phrase("pending"),
        State.NOT_SCORABLE: Phrase("not scorable"),
        State.UNREADABLE: Phrase("not readable"),
        State.SKIPPED: Phrase("skipped"),
        State.REPORT: Phrase("report"),
        State.UNREAD: Phrase("not read"),
    }
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that the user chose: one profile for all, or each trace's own; the threshold."""

    profile: Profile | None = None
    threshold: float = 0.75

    def profile_for(self, facts: "Facts") -> Profile:
        """The profile under which a trace is assessed."""
        return self.profile or profile_for(facts.task_domain)


class NoticeKind(StrEnum):
    """How long a notice stays: a fault and a note until dismissed, news for a short while."""

    FAULT = "fault"
    NOTE = "note"
    NEWS = "news"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know.

    Attributes:
        key: A notice takes the place of the one with the same key; an empty key takes none.
    """

    sentence: str
    detail: str = ""
    key: str = ""
    kind: NoticeKind = NoticeKind.FAULT


class NoticeBoard(QObject):
    """Where all parts of the session put what the user should know, and the window reads it."""

    raised = Signal(object)
    """A `Notice`."""
    settled = Signal(str)
    """The key of a notice that is out of date: done since, or about what is no longer open."""

    def fail(self, error: Exception, key: str = "") -> None:
        """Say why something was not done; a failure of our own is shown elsewhere."""
        if isinstance(error, KpError):
            self.raised.emit(Notice(in_words(error.message), error.detail, key))


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
