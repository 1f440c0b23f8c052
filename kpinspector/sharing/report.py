"""What would leave the machine as JSON that others can rely on; secrets only masked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.posting import NotPosted, Way
from kpinspector.trace.cleaning import PiiKind
from kpinspector.trace.clear import LOOKED_FOR, FoundBy, masked_in
from kpinspector.trace.further import FurtherKind
from kpinspector.trace.records import Problem, Source

SCHEMA_FILE = "sharing.schema.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedactionEntry:
    """What cleaning takes out of a field, by kind."""

    path: str
    kind: PiiKind
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InClearEntry:
    """What leaves as it is; ``masked``: its first characters, at most four, then four dots."""

    path: str
    kind: PiiKind | FurtherKind
    by: FoundBy
    masked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTrace:
    """One trace; ``score`` is the SDK's own number, null where there is none.

    What is found in clear is masked in ``id`` and in the names of ``path`` too.
    """

    id: str | None
    source: Source
    posted: bool
    reason: NotPosted | None
    score: float | None
    score_of_cleaned: float | None
    redactions: tuple[RedactionEntry, ...]
    in_clear: tuple[InClearEntry, ...]
    body_bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingReport:
    """The whole answer of ``kpinspector sharing``."""

    format: Literal["kpinspector-sharing"] = "kpinspector-sharing"
    version: Literal[1] = 1
    as_: Way
    threshold: float
    looked_for: tuple[PiiKind | FurtherKind, ...] = LOOKED_FOR
    traces: tuple[SharedTrace, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """The answer for one trace, and which one it is."""

    id: str | None
    source: Source
    sharing: Sharing


def sharing_report(
    answers: Iterable[Shared], way: Way, threshold: float, problems: Iterable[Problem]
) -> SharingReport:
    """All answers as JSON has them."""
    return SharingReport(
        as_=way,
        threshold=threshold,
        traces=tuple(map(_entry, answers)),
        problems=tuple(problems),
    )


def _entry(shared: Shared) -> SharedTrace:
    sharing = shared.sharing
    posting, posted = sharing.posting, sharing.is_posted
    redactions = posting.redactions if posted else ()
    return SharedTrace(
        id=None if shared.id is None else masked_in(shared.id),
        source=shared.source,
        posted=posted,
        reason=posting.reason,
        score=sharing.score,
        score_of_cleaned=sharing.score_of_cleaned,
        redactions=tuple(
            RedactionEntry(path=path, kind=kind, count=count) for path, kind, count in redactions
        ),
        in_clear=tuple(
            InClearEntry(path=sharing.place(one.path), kind=one.kind, by=one.by, masked=one.masked)
            for one in sharing.in_clear
        ),
        body_bytes=sharing.body_bytes,
    )
