"""What a window shows before all else is loaded: rows' states, rules, notices, progress."""

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
    """The state of a row, shown as a symbol and a word."""

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
        """The word for this state."""
        return _STATE_WORDS[self]

    def counted(self, number: int) -> str:
        """So many rows in this state, as "3 accepted"."""
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
    """What the user chose: one profile, or None for each trace's own; the threshold."""

    profile: Profile | None = None
    threshold: float = 0.75

    def profile_for(self, facts: "Facts") -> Profile:
        """The profile under which a trace with these facts is assessed."""
        return self.profile or profile_for(facts.task_domain)


class NoticeKind(StrEnum):
    """How long a notice stays: faults and notes until dismissed, news for a short while."""

    FAULT = "fault"
    NOTE = "note"
    NEWS = "news"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know.

    Attributes:
        key: A notice replaces the one with the same key; an empty key replaces none.
    """

    sentence: str
    detail: str = ""
    key: str = ""
    kind: NoticeKind = NoticeKind.FAULT


class NoticeBoard(QObject):
    """Where all parts of the session raise notices; the window shows them."""

    raised = Signal(object)
    """A `Notice`."""
    settled = Signal(str)
    """The key of a notice that is out of date: done since, or about something no longer open."""

    def fail(self, error: Exception, key: str = "") -> None:
        """Raise a notice of why something was not done; a bug is left to the crash dialog."""
        if isinstance(error, KpError):
            self.raised.emit(Notice(in_words(error.message), error.detail, key))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has come, in counts; all are 0 when there is nothing to do.

    Attributes:
        listing: Paths are being listed; the number of files is not known yet.
        listed: Names of files and folders seen so far.
    """

    read: int = 0
    to_read: int = 0
    scored: int = 0
    to_score: int = 0
    listing: bool = False
    listed: int = 0

    @property
    def busy(self) -> bool:
        """Whether anything is left to do."""
        return self.listing or self.read < self.to_read or self.scored < self.to_score


class Turn(NamedTuple):
    """When a trace is scored: its place among the traces of its drop, from 1."""

    place: int
    total: int
