"""The longest common subsequence of two sequences, exact and bounded in time and memory."""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from math import isqrt
from typing import Final, TypeAlias

Places: TypeAlias = tuple[int, int]
"""Where the same thing stands in both sequences, from 0."""

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
