"""Pairs the steps of two traces that are shown side by side, and marks the words that differ."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import accumulate, groupby, takewhile
from math import isqrt
from typing import Final, TypeAlias

from kpinspector.trace.bytes import encoded
from kpinspector.trace.javascript import JsonValue, truthy, whole_characters
from kpinspector.trace.model import ReasoningTrace, Step

Places: TypeAlias = tuple[int, int]
"""The indices of two paired things, in the left and in the right sequence."""

Span: TypeAlias = tuple[int, int]
"""The offsets of the first character and of the one behind the last."""

MOST_WEIGHED: Final = 1_000_000
LONGEST: Final = 480
"""The most characters of a passage."""

_WEIGHED: Final = 1000  # characters that are weighed of each part of a step
_ALIKE: Final = 5.0  # weight of all words in common; the same type weighs 1, the same tool 1
_BESIDE: Final = ("input", "output_summary")
_PAIRED: Final = 2
_LEAD: Final = 32
_PIECE: Final = 2**16
# characters of scripts that put no spaces between words: each counts as a word
_ALONE: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_ALONE}]|[^\s{_ALONE}]+")
_CHARACTER = re.compile(".", re.DOTALL)
_MOST_BITS: Final = 2**29  # 64 MB of masks, each as long as the sequence on the right


def common_places(
    left: Sequence[Hashable], right: Sequence[Hashable], check: Callable[[], None] = lambda: None
) -> list[Places]:
    """A longest common subsequence, as pairs of indices in order.

    A row of the table of lengths is one integer, in which a zero bit marks a place of ``right``
    where the length grows by one (Hyyro 2004, "Bit-parallel LCS-length computation revisited"):
    n steps on integers of m bits in place of n * m cells. One row in a few is kept; those between
    are computed again on the way back. 10,000 things against 10,000 take some 50 ms.
    """
    places = defaultdict[Hashable, list[int]](list)
    for place, thing in enumerate(right):
        places[thing].append(place)
    mask = lru_cache(_MOST_BITS // (len(right) + 1))(lambda thing: _bits(places.get(thing, ())))
    every = (1 << len(right)) - 1
    step = max(1, isqrt(len(left)))
    starts = range(0, len(left), step)

    def rows(start: int, row: int) -> list[int]:
        """The rows from ``start``, a multiple of ``step``, up to the next multiple."""
        check()
        block = [row]
        for thing in left[start : start + step]:
            matches = row & mask(thing)
            row = ((row + matches) | (row - matches)) & every
            block.append(row)
        return block

    kept = [*accumulate(starts, lambda row, start: rows(start, row)[-1], initial=every)]
    found: list[Places] = []
    column = len(right)
    for start, row in reversed([*zip(starts, kept, strict=False)]):
        block = rows(start, row)
        while len(block) > 1 and column:
            bit = 1 << (column - 1)
            if not block[-1] & bit:
                block.pop()
                if not block[-1] & bit:
                    continue
                found.append((start + len(block) - 1, column - 1))
            column -= 1
    return found[::-1]


def _bits(places: Sequence[int]) -> int:
    """The integer in which exactly the bits at these places are set; quick for many."""
    found = bytearray(places[-1] // 8 + 1 if places else 0)
    for place in places:
        found[place // 8] |= 1 << place % 8
    return int.from_bytes(found, "little")


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text; ``changed``: spans of words that the other text does not have there."""

    text: str
    changed: tuple[Span, ...] = ()
    starts_late: bool = False
    ends_early: bool = False


def passages(left: Sequence[str], right: Sequence[str]) -> tuple[Passage, Passage]:
    """Two texts from shortly before the first difference on, their differing words marked.

    Without their marked words both texts are the same, white space aside; white space is marked
    where nothing else differs. Only a bounded piece of each text is compared.
    """
    pairs = enumerate(zip(left, right, strict=True))
    part = next((number for number, (one, other) in pairs if one != other), None)
    if part is None:
        return passage(left), passage(right)
    start = _start(left[part], right[part])
    one, other = passage(left, part, start), passage(right, part, start)
    spans = _changed(one.text, other.text, _WORD)
    if not any(spans):
        spans = _changed(one.text, other.text, _CHARACTER)
    return replace(one, changed=spans[0]), replace(other, changed=spans[1])


def _start(left: str, right: str) -> int:
    """The offset of a word shortly before the first difference of two texts."""
    place = 0  # long texts are compared piece by piece
    while place < len(left) and left[place : place + _PIECE] == right[place : place + _PIECE]:
        place += _PIECE
    pairs = zip(left[place : place + _PIECE], right[place : place + _PIECE], strict=False)
    place += sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if place <= _LEAD:
        return 0
    space = re.search(r"\s", left[place - _LEAD : place])
    return place - _LEAD + (space.end() if space else 0)


def passage(parts: Sequence[str], part: int = 0, start: int = 0) -> Passage:
    """A piece of a text that is given in parts, from character ``start`` of part ``part`` on."""
    pieces = [parts[part][start : start + LONGEST + 1]]
    pieces += [one[: LONGEST + 1] for one in parts[part + 1 :]]
    text = "\n".join(filter(None, pieces))
    return Passage(
        text=text[:LONGEST],
        starts_late=start > 0 or any(parts[:part]),
        ends_early=len(text) > LONGEST,
    )


def _changed(
    left: str, right: str, token: re.Pattern[str]
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    if right < left:  # so that swapping the texts changes nothing
        return _changed(right, left, token)[::-1]
    lefts, rights = list(token.finditer(left)), list(token.finditer(right))
    common = common_places([one[0] for one in lefts], [one[0] for one in rights])
    return (
        _spans(lefts, {place for place, _ in common}),
        _spans(rights, {place for _, place in common}),
    )


def _spans(tokens: Sequence[re.Match[str]], common: Collection[int]) -> tuple[Span, ...]:
    """The spans of words that are not in common; adjacent words make one span."""
    groups = groupby(range(len(tokens)), common.__contains__)
    runs = ([tokens[one] for one in group] for is_common, group in groups if not is_common)
    return tuple((one[0].start(), one[-1].end()) for one in runs)


class Likeness(StrEnum):
    """What became of a step from the trace on the left to the one on the right."""

    SAME = "same"
    CHANGED = "changed"
    ONLY_LEFT = "only_left"
    ONLY_RIGHT = "only_right"


@dataclass(frozen=True, slots=True, order=True)
class StepText:
    """What is compared of a step or of the objective.

    Step numbers, latencies and members that the schema does not know are not compared. ``kind`` and
    ``tool``: as JSON, "" if absent. ``digest``: of input and output. ``step``: None for the
    objective.
    """

    kind: str
    tool: str
    content: str
    digest: bytes
    step: Step | None = field(compare=False)

    def parts(self, said: Callable[[JsonValue], str]) -> list[str]:
        """Content, then input and output as texts made by ``said``."""
        raw = {} if self.step is None else self.step.raw
        return [self.content, *(whole_characters(said(raw.get(name))) for name in _BESIDE)]


@dataclass(frozen=True, slots=True)
class StepPair:
    """A row of the comparison: two paired steps, or one without a partner."""

    left: StepText | None
    right: StepText | None

    @property
    def likeness(self) -> Likeness:
        """What became of the left step on the right."""
        if self.left is None or self.right is None:
            return Likeness.ONLY_RIGHT if self.left is None else Likeness.ONLY_LEFT
        return Likeness.SAME if self.left == self.right else Likeness.CHANGED

    @property
    def sides(self) -> tuple[StepText | None, StepText | None]:
        """The left step and the right one."""
        return self.left, self.right

    def passages(self, shown: Callable[[str], str] = str) -> tuple[Passage | None, Passage | None]:
        """The texts of both sides as shown, from shortly before their first difference."""
        one, other = self.sides
        said = _words
        if one and other and one.digest != other.digest and one.parts(said) == other.parts(said):
            said = _json  # tells 1 from "1"
        left, right = (
            [shown(part) for part in side.parts(said)] if side else None for side in self.sides
        )
        if left and right:
            return passages(left, right)
        return passage(left) if left else None, passage(right) if right else None


@dataclass(frozen=True)
class Alignment:
    """The objective and the steps of two traces, and the indices of those that are paired.

    ``weighed``: all changed steps were paired by their words. False for very long traces that
    differ in most steps: some pairs were then made by type and tool alone.
    """

    left: tuple[StepText, ...] = ()
    right: tuple[StepText, ...] = ()
    places: tuple[Places, ...] = ()
    weighed: bool = True

    @cached_property
    def pairs(self) -> tuple[StepPair, ...]:
        """The objectives, then every step once; of unpaired steps those of the left come first."""
        pairs: list[StepPair] = []
        row = column = 0
        for one, other in (*self.places, (len(self.left), len(self.right))):
            pairs += [StepPair(step, None) for step in self.left[row:one]]
            pairs += [StepPair(None, step) for step in self.right[column:other]]
            if one < len(self.left):
                pairs.append(StepPair(self.left[one], self.right[other]))
            row, column = one + 1, other + 1
        return tuple(pairs)

    def mirrored(self) -> "Alignment":
        """The same steps paired, with left and right exchanged."""
        places = tuple((other, one) for one, other in self.places)
        return Alignment(self.right, self.left, places, self.weighed)


def align(
    left: ReasoningTrace, right: ReasoningTrace, check: Callable[[], None] = lambda: None
) -> Alignment:
    """Pair equal steps, as many as their order allows; then pair steps of one type between them.

    Among steps of one type, the pairs with the most words in common win, as long as there are at
    most ``MOST_WEIGHED`` pairs to weigh; beyond that, type and tool decide. The same steps are
    paired whichever trace is on the left.
    """
    lefts, rights = (
        (
            StepText("objective", "", one.objective, b"", None),
            *(_step_text(step, check) for step in one.steps),
        )
        for one in (left, right)
    )
    one, other = sorted((lefts, rights))
    places: list[Places] = []
    room, weighed = MOST_WEIGHED, True
    row = column = 0
    for end in (*common_places(one, other, check), (len(one), len(other))):
        rows, columns = one[row : end[0]], other[column : end[1]]
        cells = len(rows) * len(columns)
        if cells <= room:
            room -= cells
            found = _heaviest(rows, columns, check)
        else:
            weighed = False
            kinds = [[(step.kind, step.tool) for step in steps] for steps in (rows, columns)]
            found = common_places(kinds[0], kinds[1], check)
        places += [(row + first, column + second) for first, second in found]
        places.append(end)
        row, column = end[0] + 1, end[1] + 1
    aligned = Alignment(one, other, tuple(places[:-1]), weighed)
    return aligned if one is lefts else aligned.mirrored()


def _step_text(step: Step, check: Callable[[], None]) -> StepText:
    check()
    raw = step.raw
    tool = raw.get("tool")
    held: JsonValue = [raw.get(name) for name in _BESIDE] if raw else step.value
    return StepText(
        kind=_json(raw["type"]) if "type" in raw else "",
        tool=_json(tool) if truthy(tool) else "",
        content=step.content,
        digest=blake2b(_json(held).encode("utf-8", "surrogatepass"), digest_size=16).digest(),
        step=step,
    )


def _json(value: JsonValue) -> str:
    return encoded(value, sort_keys=True)


def _words(value: JsonValue) -> str:
    """A JSON value in words, without its outermost brackets and quotation marks."""
    match value:
        case None:
            return ""
        case str():
            return value
        case dict():
            return ", ".join(
                f"{name}: {one if isinstance(one, str) else _json(one)}"
                for name, one in value.items()
            )
    return _json(value)


def _heaviest(
    left: Sequence[StepText], right: Sequence[StepText], check: Callable[[], None]
) -> list[Places]:
    """The pairs of two sequences, in order, that weigh the most together."""
    if not left or not right:
        return []
    words = [_words_of(one) for one in right]
    best = [0.0] * (len(right) + 1)
    ways: list[bytearray] = []  # per cell: 0 skips a left step, 1 a right one, 2 pairs both
    for one in left:
        check()
        before, best = best, [0.0]
        way = bytearray(len(right) + 1)
        own = _words_of(one)
        for column, other in enumerate(right):
            weight = 0.0  # 0 unless both have the same type
            if one.kind == other.kind:
                most = len(own) + len(words[column])
                shared = 2 * len(own & words[column]) / most if most else 0.0
                weight = 1.0 + (one.tool == other.tool != "") + _ALIKE * shared**2
            paired = before[column] + weight if weight else -1.0
            highest = max(paired, before[column + 1], best[column])
            way[column + 1] = _PAIRED if paired == highest else before[column + 1] < highest
            best.append(highest)
        ways.append(way)
    places: list[Places] = []
    row, column = len(left), len(right)
    while row and column:
        step = ways[row - 1][column]
        row -= step != 1
        column -= step != 0
        if step == _PAIRED:
            places.append((row, column))
    return places[::-1]


def _words_of(text: StepText) -> frozenset[str]:
    return frozenset(" ".join(part[:_WEIGHED] for part in text.parts(_words)).split())
