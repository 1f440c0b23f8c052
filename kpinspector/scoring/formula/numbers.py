"""Floating point numbers: their shortest names, bisection over their order."""

import struct
from collections.abc import Callable
from fractions import Fraction
from math import isfinite, nan

_FIRST_STEP, _GROWTH = 4, 4
_SIGN, _MAGNITUDE, _ALL_BITS = 1 << 63, (1 << 63) - 1, (1 << 64) - 1


def named(value: float) -> Fraction:
    """The shortest decimal that names this double, exactly."""
    return Fraction(repr(value))


def nearest_float(
    reaches: Callable[[float], bool], fails: float, holds: float, near: float = nan
) -> float:
    """The number nearest to ``fails`` for which ``reaches`` holds; it holds for ``holds``.

    The next number on the way back to ``fails`` does not reach. Bisects the ordered
    representations of the doubles: some 64 questions, or a few where ``near`` is close to the
    answer. From there it goes in growing steps, until the answer lies between two of them.
    """
    low, high = _ordinal(fails), _ordinal(holds)
    back = 1 if high < low else -1
    place, step, way = (low + high) // 2, 0, 0
    if isfinite(near):
        place = min(max(_ordinal(near), min(low, high) + 1), max(low, high) - 1)
        step = _FIRST_STEP
    while abs(high - low) > 1:
        reached = reaches(_float_at(place))
        low, high = (low, place) if reached else (place, high)
        leads = back if reached else -back
        place += leads * step
        if way == -leads or not min(low, high) < place < max(low, high):
            place, step = (low + high) // 2, 0
        way, step = leads, step * _GROWTH
    return _float_at(high)


def _ordinal(number: float) -> int:
    """Whole numbers in the order of the doubles; 0.0 and -0.0 are neighbours."""
    (bits,) = struct.unpack("<q", struct.pack("<d", number))
    ordinal: int = bits if bits >= 0 else -(bits & _MAGNITUDE) - 1
    return ordinal


def _float_at(ordinal: int) -> float:
    bits = ordinal if ordinal >= 0 else (-ordinal - 1) | _SIGN
    number: float = struct.unpack("<d", struct.pack("<Q", bits & _ALL_BITS))[0]
    return number
