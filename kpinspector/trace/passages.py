"""Finds the words in which two texts differ, from shortly before the first difference."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from kpinspector.trace.subsequence import common_places

Span: TypeAlias = tuple[int, int]
"""From one character up to another, which is not part of it."""

LONGEST: Final = 480

_LEAD: Final = 32
_PIECE: Final = 2**16
_BETWEEN: Final = "\n"
# where words have no spaces between them, every character stands for one
_ALONE: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_ALONE}]|[^\s{_ALONE}]+")
_CHARACTER = re.compile(".", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text.

    Attributes:
        text: At most ``LONGEST`` characters.
        changed: The words that the other text does not have there, in order and apart.
        starts_late: Something stands before it.
        ends_early: Something stands after it.
    """

    text: str
    changed: tuple[Span, ...] = ()
    starts_late: bool = False
    ends_early: bool = False


def passage(parts: Sequence[str]) -> Passage:
    """The beginning of a text in parts."""
    return _passage(parts, 0, 0)


def passages(left: Sequence[str], right: Sequence[str]) -> tuple[Passage, Passage]:
    """Two texts from shortly before the first difference on, their differing words marked.

    Without their marked words both texts are the same, white space aside; white space is marked
    where nothing else differs. Only a bounded piece of each text is compared.

    Args:
        left: The parts of a text.
        right: As many parts of another.
    """
    pairs = enumerate(zip(left, right, strict=True))
    part = next((number for number, (one, other) in pairs if one != other), None)
    if part is None:
        return passage(left), passage(right)
    start = _start(left[part], right[part])
    one, other = _passage(left, part, start), _passage(right, part, start)
    spans = _changed(one.text, other.text, _WORD)
    if not any(spans):
        spans = _changed(one.text, other.text, _CHARACTER)
    return replace(one, changed=spans[0]), replace(other, changed=spans[1])


def _start(left: str, right: str) -> int:
    """Where to begin, so that a few words before the first difference are shown."""
    differs = _common_length(left, right)
    if differs <= _LEAD:
        return 0
    lead = left[differs - _LEAD : differs]
    space = re.search(r"\s", lead)
    return differs - _LEAD + (space.end() if space else 0)


def _common_length(left: str, right: str) -> int:
    """The length of the common beginning of two texts; long texts are compared piece by piece."""
    place = 0
    while left[place : place + _PIECE] == right[place : place + _PIECE]:
        place += _PIECE
        if place >= len(left):
            return min(len(left), len(right))
    pairs = zip(left[place : place + _PIECE], right[place : place + _PIECE], strict=False)
    alike = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    return min(len(left), len(right)) if alike is None else place + alike


def _passage(parts: Sequence[str], part: int, start: int) -> Passage:
    """The passage from a place in a part onwards; empty parts are passed over."""
    pieces = [parts[part][start : start + LONGEST + 1]]
    pieces += [one[: LONGEST + 1] for one in parts[part + 1 :]]
    text = _BETWEEN.join(filter(None, pieces))
    return Passage(
        text=text[:LONGEST],
        starts_late=start > 0 or any(parts[:part]),
        ends_early=len(text) > LONGEST,
    )


def _changed(
    left: str, right: str, token: re.Pattern[str]
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    if right < left:  # the same choice whichever text is on the left
        return _changed(right, left, token)[::-1]
    lefts, rights = list(token.finditer(left)), list(token.finditer(right))
    common = common_places([one[0] for one in lefts], [one[0] for one in rights])
    return (
        _spans(lefts, {place for place, _ in common}),
        _spans(rights, {place for _, place in common}),
    )


def _spans(tokens: Sequence[re.Match[str]], common: Collection[int]) -> tuple[Span, ...]:
    """The spans of words that are not in common; adjacent words make one span."""
    spans: list[Span] = []
    joins = False
    for number, token in enumerate(tokens):
        if number in common:
            joins = False
            continue
        start = spans.pop()[0] if joins else token.start()
        spans.append((start, token.end()))
        joins = True
    return tuple(spans)
