"""What becomes of one trace, gate by gate, and all that leaves with it."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from kpinspector.sharing.clear import InClear, in_clear
from kpinspector.sharing.found import Search, finders
from kpinspector.sharing.posting import NotPosted, Posting, Way
from kpinspector.sharing.stringify import parse
from kpinspector.trace.model import JsonObject, finite_number
from kpinspector.trace.schema import Issue, find_issues


class SharingGate(StrEnum):
    """What stands between a trace and those who find it, in this order."""

    READABLE = "readable"
    SCHEMA = "schema"
    SCORE = "score"
    CLEANED = "cleaned"
    REGISTRY = "registry"


class SharingState(StrEnum):
    """How a trace fares at a gate."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_ASKED = "not_asked"
    NOT_KNOWN = "not_known"  # it depends on an account


@dataclass(frozen=True)
class Sharing:
    """What one way makes of a trace.

    Attributes:
        score: The SDK's own number; NaN among them, None where it throws or was not asked.
        threshold: What capture asks for.
        score_of_cleaned: Of the text that others would get, against what the trace itself was
            compared with; None where nothing is taken out, or nothing can be measured.
    """

    posting: Posting
    score: float | None
    threshold: float
    score_of_cleaned: float | None = None

    @property
    def is_posted(self) -> bool:
        """Whether anything leaves."""
        return self.posting.body is not None

    @property
    def body_bytes(self) -> int | None:
        """The size of the request's body; half a character is an escape in it."""
        return None if self.posting.body is None else len(self.posting.body.encode())

    @cached_property
    def body(self) -> JsonObject | None:
        """What the registry would read; None where nothing is posted."""
        if self.posting.body is None:
            return None
        body = parse(self.posting.body)
        return body if isinstance(body, dict) else None

    @cached_property
    def issues(self) -> tuple[Issue, ...]:
        """What the registry would refuse the body for; it takes no older context either."""
        return () if self.body is None else find_issues(self.body)

    @cached_property
    def in_clear(self) -> tuple[InClear, ...]:
        """What the body holds in clear."""
        return () if self.body is None else in_clear(dict(self.body))

    @property
    def quality(self) -> float | None:
        """The quality score that the registry would keep."""
        metadata = None if self.body is None else self.body.get("metadata")
        return finite_number(metadata.get("quality_score")) if isinstance(metadata, dict) else None

    @property
    def found_by(self) -> tuple[Search, ...]:
        """The searches that would find it; none finds what the registry refuses."""
        return () if self.issues or self.quality is None else finders(self.quality)

    @property
    def gates(self) -> tuple[tuple[SharingGate, SharingState], ...]:
        """All gates in their order."""
        return (
            (SharingGate.READABLE, SharingState.PASSED),
            (SharingGate.SCHEMA, self._schema),
            (SharingGate.SCORE, self._score),
            (SharingGate.CLEANED, self._cleaned),
            (SharingGate.REGISTRY, SharingState.NOT_KNOWN),
        )

    @property
    def _schema(self) -> SharingState:
        if self.body is None:
            return SharingState.NOT_ASKED
        return SharingState.FAILED if self.issues else SharingState.PASSED

    @property
    def _score(self) -> SharingState:
        if self.posting.way is Way.CONTRIBUTE:
            return SharingState.NOT_ASKED
        unscored = self.posting.reason in {NotPosted.BELOW_THRESHOLD, NotPosted.NO_SCORE}
        return SharingState.FAILED if unscored else SharingState.PASSED

    @property
    def _cleaned(self) -> SharingState:
        if self.posting.way is Way.CONTRIBUTE or self._score is SharingState.FAILED:
            return SharingState.NOT_ASKED
        return SharingState.PASSED if self.is_posted else SharingState.FAILED
