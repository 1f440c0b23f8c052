"""A recorded quality score, compared with the recomputed one, and what would explain it.

A number in a file is often rounded, so the two are compared to the decimals that it shows: 0.82
stands for all scores from 0.815 to 0.825. At least two decimals are taken, since trailing zeros are
not written. Nothing here repeats the formula of the score: every answer comes from ``score_of``.
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
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, Measurement
from kpinspector.scoring.formula.numbers import named, nearest_float
from kpinspector.scoring.formula.overrides import Rule, rules_that_fire
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile
from kpinspector.trace.model import ReasoningTrace

_FEWEST_DECIMALS = 2


_MOST_TOGETHER = 2


class Written:
    """A number that may have been rounded to the decimals that it shows, two at least.

    It stands for all doubles from ``least`` to ``most``: 0.8 for those from 0.795 to 0.805.
    """

    def __init__(self, number: float) -> None:
        exponent = Decimal(repr(number)).as_tuple().exponent
        self.decimals = max(_FEWEST_DECIMALS, -int(exponent))
        half = Fraction(1, 2 * 10**self.decimals)
        self.least = _first_from(named(number) - half)
        self.most = -_first_from(-(named(number) + half))

    def stands_for(self, number: float) -> bool:
        """Whether the number may have been written this way, rounded up or down."""
        return self.least <= number <= self.most


def _first_from(bound: Fraction) -> float:
    """The smallest double whose shortest decimal form is not below a bound."""
    number = float(bound)
    while not _is_below(number, bound):
        number = nextafter(number, -inf)
    while _is_below(number, bound):
        number = nextafter(number, inf)
    return number


def _is_below(number: float, bound: Fraction) -> bool:
    return number == -inf or named(number) < bound


class OtherNovelty(StrEnum):
    """A novelty that a scorer may have used in place of the measured one."""

    EMPTY_CACHE = "empty_cache"
    UNCLAMPED = "unclamped"


@dataclass(frozen=True, slots=True)
class Cause:
    """Another way of scoring the same trace; None or empty for a part that is the same.

    Attributes:
        without: Rules that were not applied.
    """

    profile: Profile | None = None
    novelty: OtherNovelty | None = None
    without: tuple[Rule, ...] = ()

    @property
    def size(self) -> int:
        """The number of differences from the way it is scored here."""
        return sum(map(bool, (self.profile, self.novelty, self.without)))


@dataclass(frozen=True, slots=True)
class NoveltyRange:
    """The novelty values from ``low`` to ``high``, which may be equal."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded score, compared with the recomputed one.

    Attributes:
        score: The recorded score, not 0.
        decimals: The number of decimals to which the two are compared.
        recomputed: The score under the given profile.
        agrees: Both are the same number to these decimals.
        close: They differ by no more than two builds of the embedding model may.
        causes: Ways of scoring, each of which gives the recorded score: with one difference, or
            with two where none does with one; empty where the scores agree.
        novelty: The values of novelty that give the recorded score, all else being equal; None
            where none in 0..1 does.
        novelty_now: The novelty of the recomputed score.
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
        """The recorded score minus the recomputed one."""
        return self.score - self.recomputed


def recorded(trace: ReasoningTrace, measurement: Measurement, profile: Profile) -> Recorded | None:
    """Compare the score that a trace records; None where it records none or 0."""
    score, novelty = trace.metadata.quality_score, measurement.novelty
    if not score:
        return None
    is_measured = novelty.basis is Basis.MEASURED
    here = _Here(measurement.facts, novelty.value, novelty.unclamped, is_measured, profile)
    return _recorded(score, here)


@dataclass(frozen=True, slots=True)
class _Here:
    """The inputs of the recomputed score."""

    facts: Facts
    novelty: float
    unclamped: float
    is_measured: bool
    profile: Profile

    def score(self, cause: Cause) -> float:
        """The score with the differences of ``cause``."""
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
    """The comparison; cached while neither the trace nor the profile changes."""
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
    """The ways of scoring that give the number, with the fewest differences."""
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
    """The novelties that give the number: an interval, as the score never falls with novelty."""
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
