"""Cleans a text as the SDK's ``cleanPii`` does, and tells which parts it replaces.

Patterns, order and replacements: KnowledgePulse SDK, ``packages/sdk/src/utils/pii-cleaner.ts``.
They are written for ``re`` with JavaScript's meaning: word boundaries and digits are ASCII, white
space is a set of its own, and a quantifier counts UTF-16 units.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final, TypeAlias

from kpinspector.trace.javascript import WHITE_SPACE

KEEPS_IDENTIFIERS: Final = "private"
"""The one privacy level at which identifiers stay; every other value counts as the default."""


class PiiKind(StrEnum):
    """What the SDK calls the parts that it takes out; the first four are secrets."""

    CONNECTION_STRING = "connection_string"
    BEARER_TOKEN = "bearer_token"  # noqa: S105 - a name, no password
    API_KEY = "api_key"
    PASSWORD = "password"  # noqa: S105
    EMAIL = "email"
    PHONE = "phone"
    IP = "ip"
    FILEPATH = "filepath"

    @property
    def is_secret(self) -> bool:
        """Whether parts of this kind are taken out at every privacy level."""
        return self in _SECRETS


_SECRETS: Final = frozenset(
    (PiiKind.CONNECTION_STRING, PiiKind.BEARER_TOKEN, PiiKind.API_KEY, PiiKind.PASSWORD)
)


@dataclass(frozen=True, slots=True)
class Redaction:
    """A part of a text that is replaced; ``start`` and ``end`` are offsets in the original."""

    kind: PiiKind
    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text after cleaning.

    ``counts``: how many matches of each kind were replaced, in the order of the first match; as in
    the SDK, a match that a later one includes counts, too. ``redactions``: the replaced parts of
    the original text, in order; none overlaps another.
    """

    text: str
    counts: tuple[tuple[PiiKind, int], ...] = ()
    redactions: tuple[Redaction, ...] = ()


Span: TypeAlias = tuple[int, int]
"""The part to be replaced where a pattern matches: its first offset and the one behind it."""

Finder: TypeAlias = Callable[[str], Iterable[Span]]

_STOP: Final = rf"{WHITE_SPACE}'\"`,;)}}\]"
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|[01]?\d\d?)"


def _matches(pattern: str) -> Finder:
    """A finder for a pattern, whose group ``cut`` is replaced, or else the whole match."""
    compiled = re.compile(pattern, re.ASCII)
    group = "cut" if "cut" in compiled.groupindex else 0
    return lambda text: (found.span(group) for found in compiled.finditer(text))


_SCHEME: Final = re.compile(
    r"(?:postgresql|postgres|mysql|redis|rediss|mongodb|mongodb\+srv|amqp|amqps)\Z",
    re.ASCII | re.IGNORECASE,
)
_LONGEST_SCHEME: Final = 11
_REST_OF_URL: Final = re.compile(rf"[^{WHITE_SPACE}'\"`,)}}\]]+")
_DOMAIN: Final = re.compile(r"[a-zA-Z0-9.\-]+\.[a-zA-Z]{2,}")
_NAME: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"


def _around(
    text: str, mark: str, start_of: Callable[[str, int, int], int], rest: re.Pattern[str]
) -> Iterator[Span]:
    """Spans around a mark such as "@": the mark is searched first, which is quick.

    ``start_of(text, begin, at)`` returns where the part before the mark at ``at`` begins, not
    before ``begin``; ``at`` itself if there is none. ``rest`` matches the part behind the mark.
    """
    begin, at = 0, text.find(mark)
    while at >= 0:
        start, behind = start_of(text, begin, at), at + len(mark)
        found = rest.match(text, behind) if start < at else None
        begin = behind if found is None else found.end()
        if found is not None:
            yield start, begin
        at = text.find(mark, begin)


def _scheme_start(text: str, begin: int, at: int) -> int:
    found = _SCHEME.search(text, max(begin, at - _LONGEST_SCHEME), at)
    return at if found is None else found.start()


def _name_start(text: str, begin: int, at: int) -> int:
    return begin + len(text[begin:at].rstrip(_NAME))


_FINDERS: Final[tuple[tuple[PiiKind, Finder], ...]] = (
    (  # URLs of databases; no scheme ends as another one does
        PiiKind.CONNECTION_STRING,
        partial(_around, mark="://", start_of=_scheme_start, rest=_REST_OF_URL),
    ),
    (
        PiiKind.BEARER_TOKEN,
        _matches(rf"Bearer(?P<cut>[{WHITE_SPACE}]+(?!kp_)[A-Za-z0-9_\-.~+/=]{{20,}})"),
    ),
    (PiiKind.API_KEY, _matches(r"sk-[A-Za-z0-9]{20,}")),
    (PiiKind.API_KEY, _matches(r"gh[poas]_[A-Za-z0-9]{36,}")),
    (PiiKind.API_KEY, _matches(r"AKIA[A-Z0-9]{16}")),
    (PiiKind.API_KEY, _matches(r"kp_[a-f0-9]{16,}")),
    (PiiKind.API_KEY, _matches(r"xox[bpras]-[A-Za-z0-9\-]+")),
    (
        PiiKind.PASSWORD,
        _matches(
            r"(?i)\b(?:password|passwd|secret|token|api_key|apikey|api_secret|access_token|auth_token)"
            rf"[{WHITE_SPACE}]*[=:][{WHITE_SPACE}]*(?!\[REDACTED)"
            r"(?P<cut>(?P<quote>['\"])[^'\"]*(?P=quote)"
            rf"|[^{WHITE_SPACE}'\"`,;)}}\[\]]{{2,}}|[\U00010000-\U0010ffff])"
        ),
    ),
    # the SDK's own pattern is quadratic in the length of a word
    (PiiKind.EMAIL, partial(_around, mark="@", start_of=_name_start, rest=_DOMAIN)),
    (
        PiiKind.PHONE,
        _matches(
            rf"(?=[+(\d])(?:\+?1[-.{WHITE_SPACE}]?)?\(?\d{{3}}\)?"
            rf"[-.{WHITE_SPACE}]?[{WHITE_SPACE}]?\d{{3}}[-.{WHITE_SPACE}]\d{{4}}\b"
        ),
    ),
    (PiiKind.PHONE, _matches(r"\+[1-9]\d{6,14}\b")),
    (PiiKind.IP, _matches(rf"\b{_OCTET}\.{_OCTET}\.{_OCTET}\.{_OCTET}\b")),
    (PiiKind.FILEPATH, _matches(rf"/(?:home|Users)/[a-zA-Z0-9._\-]+(?:/[^{_STOP}]*)?")),
    (PiiKind.FILEPATH, _matches(rf"[A-Z]:\\Users\\[a-zA-Z0-9._\-]+(?:\\[^{_STOP}]*)?")),
)


def clean(text: str, level: object = "aggregated") -> Cleaned:
    """Take out what the SDK takes out of one text.

    ``level`` is the trace's own ``privacy_level``; only ``private`` keeps identifiers.
    """
    counts: dict[PiiKind, int] = {}
    edits: list[_Edit] = []
    for kind, find in _FINDERS:
        if level == KEEPS_IDENTIFIERS and not kind.is_secret:
            continue
        if matches := list(find(text)):
            counts[kind] = counts.get(kind, 0) + len(matches)
            text, edits = _replaced(text, edits, matches, kind)
    return Cleaned(text, tuple(counts.items()), tuple(edit.redaction for edit in edits))


@dataclass(frozen=True, slots=True)
class _Edit:
    """A redaction, and the place of its replacement in the text as cleaned so far."""

    start: int
    end: int
    redaction: Redaction


def _replaced(
    text: str, edits: Sequence[_Edit], matches: Sequence[Span], kind: PiiKind
) -> tuple[str, list[_Edit]]:
    """The text with all matches replaced, and all edits of the original text so far."""
    # the space before a bearer's token is replaced with it
    replacement = f"{' ' if kind is PiiKind.BEARER_TOKEN else ''}[REDACTED:{kind}]"
    pieces: list[str] = []
    done: list[_Edit] = []
    waiting, at, behind = deque(edits), 0, 0  # behind: how much longer the text is up to here
    shift = 0

    def settle(edit: _Edit) -> None:
        done.append(_Edit(edit.start + shift, edit.end + shift, edit.redaction))

    for start, end in matches:
        while waiting and waiting[0].end <= start:
            edit = waiting.popleft()
            behind = edit.end - edit.redaction.end
            settle(edit)
        first, tail = start - behind, ""  # no match begins within a replacement
        while waiting and waiting[0].start < end:
            edit = waiting.popleft()
            behind = edit.end - edit.redaction.end
            tail = text[end : edit.end] if edit.end > end else ""
        whole = f"{replacement}{tail}"
        last = end + len(tail) - behind
        place = start + shift
        done.append(_Edit(place, place + len(whole), Redaction(kind, first, last, whole)))
        pieces += text[at:start], replacement
        at = end
        shift += len(replacement) - (end - start)
    for edit in waiting:
        settle(edit)
    pieces.append(text[at:])
    return "".join(pieces), done
