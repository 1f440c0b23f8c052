"""What a row says first, and by what it is judged."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from kpinspector.scoring.formula.profiles import Profile, profile_for

if TYPE_CHECKING:
    from kpinspector.scoring.formula.facts import Facts


class State(StrEnum):
    """What a row says first, by shape and word."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    PENDING = "pending"
    NOT_SCORABLE = "not_scorable"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the user chose to judge by: a profile for all, or each trace's own; the threshold."""

    profile: Profile | None = None
    threshold: float = 0.75

    def profile_for(self, facts: "Facts") -> Profile:
        """The profile under which a trace is assessed."""
        return self.profile or profile_for(facts.task_domain)
