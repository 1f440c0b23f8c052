"""Pairs the steps of two traces that are shown side by side."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2b
from typing import Final

from kpinspector.trace.bytes import encoded
from kpinspector.trace.model import JsonValue, ReasoningTrace, Step, truthy, whole_characters
from kpinspector.trace.passages import Passage, passage, passages
from kpinspector.trace.subsequence import Places, common_places, go_on

MOST_WEIGHED: Final = 1_000_000

_WEIGHED: Final = 1000  # only so many characters of a step are weighed
_ALIKE: Final = 5.0  # a step with all words in common, beside 1 for its type and 1 for its tool
_OBJECTIVE: Final = "objective"
_BESIDE: Final = ("input", "output_summary")
_PAIRED: Final = 2


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
    def parts(self) -> tuple[str, str, str]:
        """Content, input and output in words."""
        raw = {} if self.step is None else self.step.raw
        shown, output = (whole_characters(_words(raw.get(name))) for name in _BESIDE)
        return self.content, shown, output

    @property
    def exact_parts(self) -> tuple[str, str, str]:
        """The same as JSON, which tells 1 from "1"."""
        raw = {} if self.step is None else self.step.raw
        shown, output = (whole_characters(_json(raw.get(name))) for name in _BESIDE)
        return self.content, shown, output


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
            return passages(*(_shown(one, shown) for one in parts))
        only = [None if one is None else passage(_shown(one.parts, shown)) for one in (left, right)]
        return only[0], only[1]


def _shown(parts: tuple[str, str, str], shown: Callable[[str], str]) -> tuple[str, str, str]:
    content, given, output = parts
    return shown(content), shown(given), shown(output)


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
    objectives = _pair(_objective_text(left), _objective_text(right))
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


def _objective_text(trace: ReasoningTrace) -> StepText:
    return StepText(_OBJECTIVE, "", trace.objective, b"", None)


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
