"""A number as somebody wrote it down, and the doubles that it may stand for."""

from decimal import Decimal
from fractions import Fraction
from math import inf, nextafter

from kpinspector.scoring.formula.doubles import named

_FEWEST_DECIMALS = 2


class Written:
    """A number that may have been rounded to the decimals that it shows.

    To two at least, as nobody writes zeros at the end: 0.8 stands for 0.795 to 0.805.
    """

    def __init__(self, number: float) -> None:
        exponent = Decimal(repr(number)).as_tuple().exponent
        self.decimals = max(_FEWEST_DECIMALS, -int(exponent))
        half = Fraction(1, 2 * 10**self.decimals)
        self._least = _first_from(named(number) - half)
        self._most = -_first_from(-(named(number) + half))

    def at_least(self, number: float) -> bool:
        """The number is not below all that this one stands for."""
        return number >= self._least

    def at_most(self, number: float) -> bool:
        """The number is not above all that this one stands for."""
        return number <= self._most

    def stands_for(self, number: float) -> bool:
        """The number, rounded up or down, can have been written so."""
        return self._least <= number <= self._most


def _first_from(bound: Fraction) -> float:
    """The smallest double whose name is not below a bound; names grow as the doubles do."""
    number = float(bound)
    while not _is_below(number, bound):
        number = nextafter(number, -inf)
    while _is_below(number, bound):
        number = nextafter(number, inf)
    return number


def _is_below(number: float, bound: Fraction) -> bool:
    return number == -inf or named(number) < bound
