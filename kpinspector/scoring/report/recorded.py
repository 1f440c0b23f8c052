"""A recorded quality score beside the recomputed one, and what would have given it.

A number in a file is often rounded, so it is compared at the decimals that it shows, at least two
as nobody writes zeros at the end: 0.82 stands for all scores from 0.815 to 0.825. Nothing here
knows the formula of a score: every answer is one of ``score_of``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import inf, nextafter

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import TOO_CLOSE_TO_CALL, score_of, value_for, values_of
from kpinspector.scoring.formula.doubles import named, nearest_float
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, Measurement
from kpinspector.scoring.formula.overrides import Rule, rules_that_fire
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile
from kpinspector.trace.model import ReasoningTrace

_FEWEST_DECIMALS = 2


_MOST_TOGETHER = 2


class Written:
    """A number that may have been rounded to the decimals that it shows.

    To two at least, as nobody writes zeros at the end: 0.8 stands for 0.795 to 0.805. It stands
    for all doubles from ``least`` to ``most``.
    """

    def __init__(self, number: float) -> None:
        exponent = Decimal(repr(number)).as_tuple().exponent
        self.decimals = max(_FEWEST_DECIMALS, -int(exponent))
        half = Fraction(1, 2 * 10**self.decimals)
        self.least = _first_from(named(number) - half)
        self.most = -_first_from(-(named(number) + half))

    def stands_for(self, number: float) -> bool:
        """The number, rounded up or down, can have been written so."""
        return self.least <= number <= self.most


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


class OtherNovelty(StrEnum):
    """A novelty other than the measured one that a scorer may have used."""

    EMPTY_CACHE = "empty_cache"
    UNCLAMPED = "unclamped"


@dataclass(frozen=True, slots=True)
class Cause:
    """Another way to score the same trace; what is None or empty is as it is here.

    Attributes:
        without: Rules that were not applied.
    """

    profile: Profile | None = None
    novelty: OtherNovelty | None = None
    without: tuple[Rule, ...] = ()

    @property
    def size(self) -> int:
        """How many things are other."""
        return sum(map(bool, (self.profile, self.novelty, self.without)))


@dataclass(frozen=True, slots=True)
class NoveltyRange:
    """All novelty values from ``low`` to ``high``; they may be the same."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded score and what comes of it.

    Attributes:
        score: As recorded, not 0.
        decimals: At so many it is compared.
        recomputed: The score under the profile that was asked about.
        agrees: Both are the same number at these decimals.
        close: They differ by no more than two builds of the embedding model may make them.
        causes: Each alone gives the recorded score: single ones, or pairs where no single one
            does; empty where the scores agree.
        novelty: The values of novelty that give it, all else held; None where none in 0..1 does.
        novelty_now: What the recomputed score stands on.
    """

    score: float
    decimals: int
    recomputed: float
    agrees: bool
    close: bool
    causes: tuple[Cause, ...]
    novelty: NoveltyRange | None
    novelty_now: float

    @property
    def difference(self) -> float:
        """Recorded less recomputed."""
        return self.score - self.recomputed


def recorded(trace: ReasoningTrace, measurement: Measurement, profile: Profile) -> Recorded | None:
    """Compare the score that a trace records; None where it records none, or 0."""
    score, novelty = trace.metadata.quality_score, measurement.novelty
    if not score:
        return None
    is_measured = novelty.basis is Basis.MEASURED
    here = _Here(measurement.facts, novelty.value, novelty.unclamped, is_measured, profile)
    return _recorded(score, here)


@dataclass(frozen=True, slots=True)
class _Here:
    """What the score is recomputed of."""

    facts: Facts
    novelty: float
    unclamped: float
    is_measured: bool
    profile: Profile

    def score(self, cause: Cause) -> float:
        """The score, scored that other way."""
        used = self.novelty
        if cause.novelty is OtherNovelty.EMPTY_CACHE:
            used = NOVELTY_ASSUMED
        elif cause.novelty is OtherNovelty.UNCLAMPED:
            used = self.unclamped
        rules = [one for one in rules_that_fire(self.facts) if one not in cause.without]
        weights = (cause.profile or self.profile).weights
        return score_of(values_of(self.facts, used), rules, weights)


@lru_cache(maxsize=16)
def _recorded(score: float, here: _Here) -> Recorded:
    """The same while neither the trace nor the profile changes."""
    written = Written(score)
    recomputed = here.score(_AS_HERE)
    agrees = written.stands_for(recomputed)
    novelty = _implied(written, here)
    return Recorded(
        score=score,
        decimals=written.decimals,
        recomputed=recomputed,
        agrees=agrees,
        close=here.is_measured
        and novelty is not None
        and abs(score - recomputed) < TOO_CLOSE_TO_CALL,
        causes=() if agrees else tuple(_causes(written, here)),
        novelty=novelty,
        novelty_now=here.novelty,
    )


_AS_HERE = Cause()


def _causes(written: Written, here: _Here) -> list[Cause]:
    """Those that give the number, with the fewest changes."""
    for size in range(1, _MOST_TOGETHER + 1):
        found = [
            cause
            for cause in _every_cause(here)
            if cause.size == size and written.stands_for(here.score(cause))
        ]
        if found:
            return found
    return []


def _every_cause(here: _Here) -> Iterator[Cause]:
    others = (one for one in PROFILES if one.name != here.profile.name)
    for other in (None, *others):
        for novelty in (None, *_other_novelties(here)):
            for without in ((), *_left_out(here.facts)):
                yield Cause(other, novelty, without)


def _other_novelties(here: _Here) -> Iterator[OtherNovelty]:
    if here.novelty != NOVELTY_ASSUMED:
        yield OtherNovelty.EMPTY_CACHE
    if here.novelty != here.unclamped:
        yield OtherNovelty.UNCLAMPED


def _left_out(facts: Facts) -> Iterator[tuple[Rule, ...]]:
    """Each rule that fires, then all of them where there are several."""
    fired = rules_that_fire(facts)
    yield from ((rule,) for rule in fired)
    if len(fired) > 1:
        yield fired


def _implied(written: Written, here: _Here) -> NoveltyRange | None:
    """The values that give the number: an interval, as a score never falls with novelty."""
    rules, values = rules_that_fire(here.facts), values_of(here.facts, here.novelty)
    weights = here.profile.weights

    def is_high_enough(novelty: float) -> bool:
        return score_of(replace(values, novelty=novelty), rules, weights) >= written.least

    def is_low_enough(novelty: float) -> bool:
        return score_of(replace(values, novelty=novelty), rules, weights) <= written.most

    def near(score: float) -> float:
        return value_for(score, Dimension.NOVELTY, values, rules, weights)

    if not is_high_enough(1.0) or not is_low_enough(0.0):
        return None
    low, high = 0.0, 1.0
    if not is_high_enough(0.0):
        low = nearest_float(is_high_enough, 0.0, 1.0, near(written.least))
    if not is_low_enough(1.0):
        high = nearest_float(is_low_enough, 1.0, 0.0, near(written.most))
    return NoveltyRange(low, high) if low <= high else None
