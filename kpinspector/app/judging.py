"""The state that a row shows first, and the rules that judge it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kpinspector.scoring.formula.profiles import Profile, profile_for

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


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that the user chose: one profile for all, or each trace's own; the threshold."""

    profile: Profile | None = None
    threshold: float = 0.75

    def profile_for(self, facts: "Facts") -> Profile:
        """The profile under which a trace is assessed."""
        return self.profile or profile_for(facts.task_domain)
