"""Pairs the steps of two traces that are shown side by side, and marks the words that differ."""

import json
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b
from itertools import takewhile
from math import isqrt
from typing import Final, TypeAlias

from kpinspector.trace.bytes import encoded
from kpinspector.trace.javascript import JsonValue, truthy, whole_characters
from kpinspector.trace.model import ReasoningTrace, Step

Places: TypeAlias = tuple[int, int]
"""Where the same thing stands in both sequences, from 0."""

Span: TypeAlias = tuple[int, int]
"""From one character up to another, which is not part of it."""

Parts: TypeAlias = tuple[str, str, str]
"""The content of a step, its input and its output."""

MOST_WEIGHED: Final = 1_000_000
LONGEST: Final = 480
"""Characters of a passage."""

_WEIGHED: Final = 1000  # only so many characters of a step are weighed
_ALIKE: Final = 5.0  # a step with all words in common, beside 1 for its type and 1 for its tool
_BESIDE: Final = ("input", "output_summary")
_PAIRED: Final = 2
_LEAD: Final = 32
_PIECE: Final = 2**16
# where words have no spaces between them, every character stands for one
_ALONE: Final = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_ALONE}]|[^\s{_ALONE}]+")
_CHARACTER = re.compile(".", re.DOTALL)
_ROWS_BETWEEN_CHECKS: Final = 64
_MOST_BITS: Final = 2**29  # 64 MB of masks, each as long as the sequence on the right


def go_on() -> None:
    """A check that never stops the work."""


def common_places(
    left: Sequence[Hashable], right: Sequence[Hashable], check: Callable[[], None] = go_on
) -> list[Places]:
    """A longest common subsequence, as places in order.

    A row of the table of lengths is one integer, in which a zero bit marks a place of ``right``
    where the length grows by one (Hyyro 2004, "Bit-parallel LCS-length computation revisited"):
    n steps on integers of m bits in place of n * m cells. One row in a few is kept; those between
    are computed again on the way back. 10,000 things against 10,000 take some 50 ms.

    Args:
        left: n things.
        right: m things.
        check: Called now and then; whatever it raises ends the work.
    """
    table = _Table(left, right, check)
    places: list[Places] = []
    row, column = len(left), len(right)
    while row and column:
        bit = 1 << (column - 1)
        if table.row(row) & bit:
            column -= 1
            continue
        row -= 1
        if not row or table.row(row) & bit:
            column -= 1
            places.append((row, column))
    return places[::-1]


class _Table:
    """The rows of the table of lengths, of which few are held in memory at a time."""

    def __init__(
        self, left: Sequence[Hashable], right: Sequence[Hashable], check: Callable[[], None]
    ) -> None:
        numbers: dict[Hashable, int] = {}
        places: list[list[int]] = []
        for place, thing in enumerate(right):
            number = numbers.setdefault(thing, len(places))
            if number == len(places):
                places.append([])
            places[number].append(place)
        self._left = [numbers.get(thing) for thing in left]
        self._mask = lru_cache(_MOST_BITS // (len(right) + 1))(lambda one: _bits(places[one]))
        self._all = (1 << len(right)) - 1
        self._check = check
        self._step = max(1, isqrt(len(left)))
        self._kept = {0: self._all}
        row = self._all
        for number in range(1, len(left) + 1):
            row = self._next(row, number)
            if number % self._step == 0:
                self._kept[number] = row
        self._block: list[int] = []
        self._first = -1

    def row(self, number: int) -> int:
        """One row; quick where they are asked for from the last to the first."""
        first = number - number % self._step
        if first != self._first:
            self._first, self._block = first, [self._kept[first]]
            for each in range(first + 1, min(first + self._step, len(self._left) + 1)):
                self._block.append(self._next(self._block[-1], each))
        return self._block[number - first]

    def _next(self, row: int, number: int) -> int:
        if number % _ROWS_BETWEEN_CHECKS == 0:
            self._check()
        thing = self._left[number - 1]
        if thing is None:
            return row
        matches = row & self._mask(thing)
        return ((row + matches) | (row - matches)) & self._all


def _bits(places: Sequence[int]) -> int:
    """The integer in which exactly these bits are set; quick for many."""
    found = bytearray(places[-1] // 8 + 1)
    for place in places:
        found[place // 8] |= 1 << place % 8
    return int.from_bytes(found, "little")


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
    while place < len(left) and left[place : place + _PIECE] == right[place : place + _PIECE]:
        place += _PIECE
    pairs = zip(left[place : place + _PIECE], right[place : place + _PIECE], strict=False)
    return place + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _passage(parts: Sequence[str], part: int, start: int) -> Passage:
    """The passage from a place in a part onwards; empty parts are passed over."""
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


class Likeness(StrEnum):
    """What became of a step from the trace on the left to the one on the right."""

    SAME = "same"
    CHANGED = "changed"
    ONLY_LEFT = "only_left"
    ONLY_RIGHT = "only_right"


_MIRRORED: Final = {
    Likeness.ONLY_LEFT: Likeness.ONLY_RIGHT,
    Likeness.ONLY_RIGHT: Likeness.ONLY_LEFT,
}


@dataclass(frozen=True, slots=True, order=True)
class StepText:
    """What a step, or the objective, is compared by.

    Two are equal when they say the same; numbers, latencies and members that the schema does not
    know do not count.

    Attributes:
        kind: The type as JSON; "" without one.
        tool: The tool as JSON; "" without one.
        content: The text that is embedded.
        digest: Of input and output.
        step: None for the objective.
    """

    kind: str
    tool: str
    content: str
    digest: bytes
    step: Step | None = field(compare=False)

    @property
    def parts(self) -> Parts:
        """Content, input and output in words."""
        return self._parts(_words)

    @property
    def exact_parts(self) -> Parts:
        """The same as JSON, which tells 1 from "1"."""
        return self._parts(_json)

    def _parts(self, said: Callable[[JsonValue], str]) -> Parts:
        raw = {} if self.step is None else self.step.raw
        given, output = (whole_characters(said(raw.get(name))) for name in _BESIDE)
        return self.content, given, output


@dataclass(frozen=True, slots=True)
class StepPair:
    """A row of the comparison: at least one of the two is there."""

    left: StepText | None
    right: StepText | None
    likeness: Likeness

    @property
    def sides(self) -> tuple[StepText | None, StepText | None]:
        """Both, from left to right."""
        return self.left, self.right

    def mirrored(self) -> "StepPair":
        """The same with left and right exchanged."""
        return StepPair(self.right, self.left, _MIRRORED.get(self.likeness, self.likeness))

    def passages(self, shown: Callable[[str], str] = str) -> tuple[Passage | None, Passage | None]:
        """The texts of both sides as shown, from shortly before their first difference."""
        left, right = self.sides
        if left is not None and right is not None:
            parts = left.parts, right.parts
            if parts[0] == parts[1] and left.digest != right.digest:
                parts = left.exact_parts, right.exact_parts
            return passages(*([shown(part) for part in one] for one in parts))
        only = [
            None if one is None else passage([shown(part) for part in one.parts])
            for one in self.sides
        ]
        return only[0], only[1]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Both traces, step by step.

    Attributes:
        pairs: The objectives, then every step of both exactly once, each side in its order.
        weighed: All changed steps were paired by what they say. False for very long traces that
            differ in most steps: some pairs were then made by type and tool alone.
    """

    pairs: tuple[StepPair, ...]
    weighed: bool = True

    @property
    def differences(self) -> tuple[int, ...]:
        """The numbers of the pairs whose sides differ."""
        every = enumerate(self.pairs)
        return tuple(number for number, pair in every if pair.likeness is not Likeness.SAME)

    def mirrored(self) -> "Alignment":
        """The same steps paired, with left and right exchanged."""
        rows: list[StepPair] = []
        only_right: list[StepPair] = []
        for pair in self.pairs:
            if pair.likeness is Likeness.ONLY_LEFT:
                only_right.append(pair.mirrored())
                continue
            if pair.likeness is not Likeness.ONLY_RIGHT:
                rows += only_right
                only_right.clear()
            rows.append(pair.mirrored())
        return replace(self, pairs=(*rows, *only_right))


def align(
    left: ReasoningTrace, right: ReasoningTrace, check: Callable[[], None] = go_on
) -> Alignment:
    """Pair equal steps, as many as their order allows; then pair steps of one type between them.

    Among steps of one type, the pairs with the most words in common win, as long as there are at
    most ``MOST_WEIGHED`` pairs to weigh; beyond that, type and tool decide. The same steps are
    paired whichever trace is on the left.

    Args:
        left: One trace.
        right: The other.
        check: Called now and then; an exception that it raises ends the work.
    """
    lefts = [_step_text(step, check) for step in left.steps]
    rights = [_step_text(step, check) for step in right.steps]
    swapped = rights < lefts
    one, other = (rights, lefts) if swapped else (lefts, rights)
    weigher = _Weigher(check)
    places = list(_all_places(one, other, weigher))
    if swapped:
        places = [(second, first) for first, second in places]
    objectives = _pair(
        *(StepText("objective", "", one.objective, b"", None) for one in (left, right))
    )
    return Alignment((objectives, *_rows(lefts, rights, places)), weighed=not weigher.spent)


def _step_text(step: Step, check: Callable[[], None]) -> StepText:
    check()
    raw = step.raw
    tool = raw.get("tool")
    held: JsonValue = [raw.get(name) for name in _BESIDE] if raw else step.value
    more = json.dumps(held, sort_keys=True)
    return StepText(
        kind=_json(raw["type"]) if "type" in raw else "",
        tool=_json(tool) if truthy(tool) else "",
        content=step.content,
        digest=blake2b(more.encode(), digest_size=16).digest(),
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


def _all_places(
    left: Sequence[StepText], right: Sequence[StepText], weigher: "_Weigher"
) -> Iterator[Places]:
    """Equal steps, and those that are paired in the gaps between them."""
    row = column = 0
    for end in (*common_places(left, right, weigher.check), (len(left), len(right))):
        for one, other in weigher.pair(left[row : end[0]], right[column : end[1]]):
            yield row + one, column + other
        if end != (len(left), len(right)):
            yield end
        row, column = end[0] + 1, end[1] + 1


def _rows(
    left: Sequence[StepText], right: Sequence[StepText], places: Sequence[Places]
) -> Iterator[StepPair]:
    """Every step of both traces once; between two pairs, steps of the left trace come first."""
    row = column = 0
    for one, other in (*places, (len(left), len(right))):
        yield from (StepPair(step, None, Likeness.ONLY_LEFT) for step in left[row:one])
        yield from (StepPair(None, step, Likeness.ONLY_RIGHT) for step in right[column:other])
        if one < len(left):
            yield _pair(left[one], right[other])
        row, column = one + 1, other + 1


def _pair(left: StepText, right: StepText) -> StepPair:
    return StepPair(left, right, Likeness.SAME if left == right else Likeness.CHANGED)


class _Weigher:
    """Pairs steps that are not equal; one bound limits the work for all of them.

    Attributes:
        spent: The bound was reached: some steps were paired by type and tool alone.
    """

    def __init__(self, check: Callable[[], None]) -> None:
        self.check = check
        self.spent = False
        self._left = MOST_WEIGHED

    def pair(self, left: Sequence[StepText], right: Sequence[StepText]) -> list[Places]:
        """The places of paired steps, in order."""
        if not left or not right:
            return []
        cells = len(left) * len(right)
        if cells > self._left:
            self.spent = True
            return common_places(
                [(one.kind, one.tool) for one in left],
                [(one.kind, one.tool) for one in right],
                self.check,
            )
        self._left -= cells
        return self._heaviest(left, right)

    def _heaviest(self, left: Sequence[StepText], right: Sequence[StepText]) -> list[Places]:
        """The pairs in order that weigh the most together."""
        words = [_words_of(one) for one in right]
        best = [0.0] * (len(right) + 1)
        ways: list[bytearray] = []
        for one in left:
            self.check()
            before, best = best, [0.0]
            way = bytearray(len(right) + 1)
            own = _words_of(one)
            for column, other in enumerate(right):
                weight = _weight(one, other, own, words[column])
                paired = before[column] + weight if weight else -1.0
                highest = max(paired, before[column + 1], best[column])
                way[column + 1] = _PAIRED if paired == highest else before[column + 1] < highest
                best.append(highest)
            ways.append(way)
        return _way_back(ways)


def _way_back(ways: Sequence[bytearray]) -> list[Places]:
    """The moves from the last cell to the first: 0 skips a row, 1 a column, 2 pairs both."""
    places: list[Places] = []
    row, column = len(ways), len(ways[0]) - 1
    while row and column:
        way = ways[row - 1][column]
        row -= way != 1
        column -= way != 0
        if way == _PAIRED:
            places.append((row, column))
    return places[::-1]


def _weight(
    left: StepText, right: StepText, words: frozenset[str], others: frozenset[str]
) -> float:
    """How much two steps have in common; 0 where they cannot stand for each other."""
    if left.kind != right.kind:
        return 0.0
    most = len(words) + len(others)
    shared = 2 * len(words & others) / most if most else 0.0
    return 1.0 + (left.tool == right.tool != "") + _ALIKE * shared**2


def _words_of(text: StepText) -> frozenset[str]:
    """Different words at the beginning of a step."""
    return frozenset(" ".join(part[:_WEIGHED] for part in text.parts).split())
