"""Finds the secrets and identifiers that a body holds in clear, in any place, and masks them."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.trace.cleaning import PiiKind, Redaction, clean
from kpinspector.trace.further import (
    FURTHER_KINDS,
    FurtherKind,
    FurtherMatch,
    find_further,
    holds_secret,
)
from kpinspector.trace.javascript import JsonPath, JsonValue, whole_characters

MASK: Final = "\u2022" * 4
"""Stands for the rest of a secret or identifier."""

LOOKED_FOR: Final[tuple[PiiKind | FurtherKind, ...]] = (*dict.fromkeys((*PiiKind, *FURTHER_KINDS)),)
"""All kinds that the SDK's patterns or our further ones look for, each once."""

_SHOWN: Final = 4
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.I)
_KEPT_IN_MIND: Final = 4096  # short texts whose findings are cached
_LONG: Final = 1000
_BEHIND: Final = 10_000  # characters behind a cut that are read to recognise a secret before it
_BEGINNINGS: Final = 256
_MASKED: Final = re.compile(rf".{{0,{_SHOWN}}}{MASK}", re.S)


class FoundBy(StrEnum):
    """Whose pattern found a part of a text."""

    SDK = "sdk"
    KPINSPECTOR = "kpinspector"


@dataclass(frozen=True, slots=True)
class InClear:
    """A secret or identifier that a body holds in clear, from ``start`` up to ``end`` of a text.

    ``path``: of the text in the body; its names are not masked. ``masked``: the only form in which
    the part is listed. ``in_name``: it is in the name of the member, not in its value.
    """

    path: JsonPath
    kind: PiiKind | FurtherKind
    by: FoundBy
    start: int
    end: int
    masked: str
    in_name: bool = False


def masked(text: str) -> str:
    """The first four characters, never more than a quarter of the text, and four dots."""
    shown = whole_characters(text.strip())
    return shown[: min(_SHOWN, len(shown) // 4)] + MASK


def masked_in(text: str) -> str:
    """The text with all secrets and identifiers masked; overlapping ones show no character.

    In lists, exports and pages all texts from traces go through this before they are cut. UUIDs
    whose digits look like a phone number stay, and masked parts stay as they are.
    """
    return _masked_in(text) if len(text) <= _LONG else _masked_in.__wrapped__(text)


def masked_beginning(text: str, length: int) -> str:
    """The first ``length`` characters, masked as in the whole text; an ellipsis for the rest."""
    return masked_in(text) if len(text) <= length else _beginning(text[: length + _BEHIND], length)


@lru_cache(maxsize=_BEGINNINGS)
def _beginning(text: str, length: int) -> str:
    found = [one for one in _to_mask(text) if one.start < length]
    end = max((length, *(one.end for one in found)))
    return f"{_masked_text(text[:end], found)}…"


@lru_cache(maxsize=_KEPT_IN_MIND)
def _masked_in(text: str) -> str:
    return _masked_text(text, _to_mask(text))


def _to_mask(text: str) -> Iterator[InClear]:
    ids = [found.span() for found in _UUID.finditer(text)]
    for one in _in_text(text, ()):
        is_id = any(first <= one.start and one.end <= last for first, last in ids)
        if not (is_id or _MASKED.fullmatch(text, one.start, one.end)):
            yield one


def masked_body(body: JsonValue, found: Iterable[InClear], path: JsonPath = ()) -> JsonValue:
    """A body, or the part of it at ``path``, with what was ``found`` masked, in names as well."""
    at: defaultdict[tuple[JsonPath, bool], list[InClear]] = defaultdict(list)
    for one in found:
        at[one.path, one.in_name].append(one)

    def inside(value: JsonValue, path: JsonPath) -> JsonValue:
        match value:
            case str():
                return _masked_text(value, at.get((path, False), ()))
            case list():
                return [inside(item, (*path, index)) for index, item in enumerate(value)]
            case dict():
                made: dict[str, JsonValue] = {}
                for name, one in value.items():
                    shown = _masked_text(name, at.get(((*path, name), True), ()))
                    while shown in made:  # two masked names may be equal
                        shown += MASK
                    made[shown] = inside(one, (*path, name))
                return made
        secret = at.get((path, False))
        return value if secret is None else secret[0].masked

    return inside(body, path)


def _masked_text(text: str, found: Iterable[InClear]) -> str:
    spans: list[tuple[int, int, str]] = []
    for one in sorted(found, key=attrgetter("start")):
        start, end, shown = one.start, one.end, one.masked
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if spans and start < spans[-1][1]:
            start, last, _ = spans.pop()
            end, shown = max(last, end), MASK
        spans.append((start, end, shown))
    pieces: list[str] = []
    at = 0
    for start, end, shown in spans:
        pieces += text[at:start], shown
        at = end
    return "".join([*pieces, text[at:]])


def in_clear(value: JsonValue, path: JsonPath = ()) -> Iterator[InClear]:
    """All secrets and identifiers in a body's texts and names, in order; the SDK's come first."""
    match value:
        case str():
            yield from _in_text(value, path)
        case list():
            for index, item in enumerate(value):
                yield from in_clear(item, (*path, index))
            yield from _side_by_side(value, path)
        case dict():
            for name, one in value.items():
                yield from _in_text(name, (*path, name), in_name=True)
                yield from in_clear(one, (*path, name))
                yield from _named(name, one, (*path, name))
            match value:
                case {"name": str(name), "value": one}:
                    yield from _named(name, one, (*path, "value"))


def _named(name: str, value: JsonValue, path: JsonPath) -> Iterator[InClear]:
    """The whole value as a secret if its name says so, unless something is found within it."""
    if not isinstance(value, (str, int, float)) or not holds_secret(name, value):
        return
    if not any(in_clear(value, path)):
        is_header = name.lower().endswith("authorization")
        called = Phrase("authorization header") if is_header else Phrase("password")
        kind, shown = FurtherKind(called), str(value)
        yield InClear(path, kind, FoundBy.KPINSPECTOR, 0, len(shown), masked(shown))


def _side_by_side(items: Sequence[JsonValue], path: JsonPath) -> Iterator[InClear]:
    """Secrets that only the items before them show: an option of a command, a header's name."""
    texts = [one if isinstance(one, str) else "" for one in items]
    starts = [*accumulate((len(one) + 3 for one in texts), initial=1)]
    for one in _in_text('"' + '","'.join(texts) + '"', path) if any(texts) else ():
        index = bisect_right(starts, one.start) - 1
        text, start, end = texts[index], one.start - starts[index], one.end - starts[index]
        known = one.by is FoundBy.SDK or end > len(text) or any(_in_text(text, ()))
        if not known:
            yield replace(one, path=(*path, index), start=start, end=end)


def _in_text(text: str, path: JsonPath, *, in_name: bool = False) -> Iterator[InClear]:
    # names and short texts recur, in many bodies and by both ways of posting
    found = _found_in(text) if len(text) <= _LONG else _found_in.__wrapped__(text)
    for one in found:
        yield replace(one, path=path, in_name=in_name)


@lru_cache(maxsize=_KEPT_IN_MIND)
def _found_in(text: str) -> tuple[InClear, ...]:
    own = clean(text).redactions
    further = _new_ones(text, own)
    whose = [FoundBy.SDK] * len(own) + [FoundBy.KPINSPECTOR] * len(further)
    shown = masked_parts(text, own, further)
    shown += [masked(text[one.start : one.end]) for one in further]
    found: list[Redaction | FurtherMatch] = [*own, *further]
    return tuple(
        InClear((), one.kind, by, one.start, one.end, mask)
        for one, by, mask in zip(found, whose, shown, strict=True)
    )


def masked_parts(
    text: str, parts: Sequence[Redaction], further: Iterable[FurtherMatch] | None = None
) -> list[str]:
    """The masked forms of the parts that the SDK finds in a text.

    A part that begins within a secret that only further patterns find shows no character: what
    looks like an e-mail address in a URL begins with a password.

    ``further``: what further patterns find in the whole text; None looks for it.
    """
    in_secret = bytearray(len(text))  # a byte for each character
    for one in _new_ones(text, parts) if further is None else further:
        if one.kind.is_secret:
            in_secret[one.start : one.end] = b"\x01" * (one.end - one.start)
    return [MASK if in_secret[one.start] else masked(text[one.start : one.end]) for one in parts]


def _new_ones(text: str, own: Iterable[Redaction]) -> list[FurtherMatch]:
    """What only further patterns find; a secret counts even where the SDK sees an identifier."""
    every = list(find_further(text))
    if not every:
        return []
    said, secrets = bytearray(len(text)), bytearray(len(text))  # a byte for each character

    def mark(one: Redaction | FurtherMatch) -> None:
        marks = b"\x01" * (one.end - one.start)
        said[one.start : one.end] = marks
        if one.kind.is_secret:
            secrets[one.start : one.end] = marks

    for one in own:
        mark(one)
    found = []
    for match in every:
        before = secrets if match.kind.is_secret else said
        if before.find(1, match.start, match.end) < 0:
            found.append(match)
            mark(match)
    return found
