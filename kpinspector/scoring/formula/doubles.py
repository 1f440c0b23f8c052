"""The floating point numbers: what names them, their order, and bisection over it."""

import struct
from collections.abc import Callable
from fractions import Fraction

_SIGN, _MAGNITUDE, _ALL_BITS = 1 << 63, (1 << 63) - 1, (1 << 64) - 1


def named(value: float) -> Fraction:
    """The shortest decimal that names this double, exactly."""
    return Fraction(repr(value))


def nearest_float(reaches: Callable[[float], bool], fails: float, holds: float) -> float:
    """The number nearest to ``fails`` that reaches, between it and ``holds``, which does.

    The next number on the way back to ``fails`` does not reach. Bisects the ordered
    representations of the doubles, so it takes at most 64 questions.
    """
    low, high = _ordinal(fails), _ordinal(holds)
    while abs(high - low) > 1:
        middle = (low + high) // 2
        if reaches(_float_at(middle)):
            high = middle
        else:
            low = middle
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
