"""What the SDK's ``cleanPii`` takes out of a text, and where it stood.

Patterns, order and replacements: KnowledgePulse SDK, ``packages/sdk/src/utils/pii-cleaner.ts``.
They are said for ``re`` as JavaScript means them: word boundaries and digits are ASCII, white space
is a set of its own, and a quantifier counts UTF-16 units.
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
        """Taken out at every level."""
        return self in _SECRETS


_SECRETS: Final = frozenset(
    (PiiKind.CONNECTION_STRING, PiiKind.BEARER_TOKEN, PiiKind.API_KEY, PiiKind.PASSWORD)
)


@dataclass(frozen=True, slots=True)
class Redaction:
    """A part of a text that is replaced; ``start`` and ``end`` count in the text as it was."""

    kind: PiiKind
    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text after cleaning.

    ``counts``: how many matches of each kind were replaced, in the order of the first match; one
    that a later match took in with it counts as well, as it does in the SDK. ``redactions``: what
    is replaced of the text as it was, in its order; none overlaps another.
    """

    text: str
    counts: tuple[tuple[PiiKind, int], ...] = ()
    redactions: tuple[Redaction, ...] = ()


Span: TypeAlias = tuple[int, int]
"""Where a pattern matches: the part that is replaced, from one character up to another."""

Finder: TypeAlias = Callable[[str], Iterable[Span]]

_STOP: Final = rf"{WHITE_SPACE}'\"`,;)}}\]"
_OCTET: Final = r"(?:25[0-5]|2[0-4]\d|[01]?\d\d?)"


def _matches(pattern: str) -> Finder:
    """Finds a pattern; what is replaced is its group ``cut``, else all that it matches."""
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
    """What stands around a mark: it is looked for, not every character that may come before it.

    ``start_of`` gives the beginning of what ends before a mark and begins behind an offset; the
    mark's own offset where there is none.
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
    """A redaction, and where what replaces it stands in the text as it is by now."""

    start: int
    end: int
    redaction: Redaction


def _replaced(
    text: str, edits: Sequence[_Edit], matches: Sequence[Span], kind: PiiKind
) -> tuple[str, list[_Edit]]:
    """The text with all matches replaced, and what was replaced of the first text so far."""
    # the space before a bearer's token is replaced with it
    replacement = f"{' ' if kind is PiiKind.BEARER_TOKEN else ''}[REDACTED:{kind}]"
    pieces: list[str] = []
    done: list[_Edit] = []
    waiting, at, behind = deque(edits), 0, 0  # behind: how far the text ran from the first one
    shift = 0

    def settle(edit: _Edit) -> None:
        done.append(_Edit(edit.start + shift, edit.end + shift, edit.redaction))

    for start, end in matches:
        while waiting and waiting[0].end <= start:
            edit = waiting.popleft()
            behind = edit.end - edit.redaction.end
            settle(edit)
        first, tail = start - behind, ""  # no pattern begins within what replaces another's
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
