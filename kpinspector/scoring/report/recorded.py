"""A recorded quality score, compared with the recomputed one, and what would explain it.

A number in a file is often rounded, so the two are compared to the decimals that it shows: 0.82
stands for all scores from 0.815 to 0.825. At least two decimals are taken, since trailing zeros are
not written. Nothing here repeats the formula of the score: every answer comes from ``score_of``.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import inf, nextafter

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula import assess
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, Measurement
from kpinspector.scoring.formula.overrides import Rule, firing_rules
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, named
from kpinspector.trace.model import ReasoningTrace

_FEWEST_DECIMALS = 2
_MOST_TOGETHER = 2


def _first_from(bound: Fraction) -> float:
    """The smallest double whose shortest decimal form is not below a bound."""
    number = float(bound)
    while number > -inf and named(number) >= bound:
        number = nextafter(number, -inf)
    while number == -inf or named(number) < bound:
        number = nextafter(number, inf)
    return number


class OtherNovelty(StrEnum):
    """A novelty that a scorer may have used in place of the measured one."""

    EMPTY_CACHE = "empty_cache"
    UNCLAMPED = "unclamped"


@dataclass(frozen=True, slots=True)
class Cause:
    """What another scorer may do otherwise: profile, novelty, rules left out; None: the same."""

    profile: Profile | None = None
    novelty: OtherNovelty | None = None
    without: tuple[Rule, ...] = ()

    @property
    def size(self) -> int:
        """The number of differences from our way of scoring."""
        return sum(map(bool, (self.profile, self.novelty, self.without)))


@dataclass(frozen=True, slots=True)
class NoveltyRange:
    """The novelty values from ``low`` to ``high``, which may be equal."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded score, compared with the recomputed one to ``decimals`` decimals.

    ``close``: they differ by no more than two builds of the embedding model may. ``causes``: ways
    of scoring that give the recorded score, with one difference, or with two where none does with
    one. ``novelty``: the values of novelty that give it, all else equal; None: none in 0..1 does.
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
    score = trace.metadata.quality_score
    return _recorded(score, measurement, profile) if score else None


@lru_cache(maxsize=16)
def _recorded(score: float, measurement: Measurement, profile: Profile) -> Recorded:
    """The comparison; cached while neither the trace nor the profile changes."""
    now, exponent = _score(Cause(), measurement, profile), Decimal(repr(score)).as_tuple().exponent
    # 0.8 may have been rounded to its two decimals, up or down: it stands for 0.795 to 0.805
    decimals = max(_FEWEST_DECIMALS, -int(exponent))
    half = Fraction(1, 2 * 10**decimals)
    least, most = _first_from(named(score) - half), -_first_from(-(named(score) + half))
    agrees = least <= now <= most
    rules, weights = firing_rules(measurement.facts), profile.weights
    values = assess.values_of(measurement.facts, measurement.novelty.value)

    def score_at(novelty: float) -> float:
        return assess.score_of(replace(values, novelty=novelty), rules, weights)

    # an interval, as the score never falls with novelty
    near = [
        assess.value_for(one, Dimension.NOVELTY, values, rules, weights) for one in (least, most)
    ]
    low = assess.nearest_float(lambda one: score_at(one) >= least, 0.0, 1.0, near[0])
    high = assess.nearest_float(lambda one: score_at(one) <= most, 1.0, 0.0, near[1])
    novelty = None if low is None or high is None or low > high else NoveltyRange(low, high)
    is_measured = measurement.novelty.basis is Basis.MEASURED
    return Recorded(
        score=score,
        decimals=decimals,
        recomputed=now,
        agrees=agrees,
        close=is_measured and novelty is not None and abs(score - now) < assess.TOO_CLOSE_TO_CALL,
        causes=() if agrees else _causes((least, most), measurement, profile),
        novelty=novelty,
        novelty_now=measurement.novelty.value,
    )


def _score(cause: Cause, measurement: Measurement, profile: Profile) -> float:
    facts, novelty = measurement.facts, measurement.novelty
    used = {
        None: novelty.value,
        OtherNovelty.EMPTY_CACHE: NOVELTY_ASSUMED,
        OtherNovelty.UNCLAMPED: novelty.unclamped,
    }[cause.novelty]
    rules = [one for one in firing_rules(facts) if one not in cause.without]
    return assess.score_of(assess.values_of(facts, used), rules, (cause.profile or profile).weights)


def _causes(
    bounds: tuple[float, float], measurement: Measurement, profile: Profile
) -> tuple[Cause, ...]:
    novelty, fired = measurement.novelty, firing_rules(measurement.facts)
    profiles = [None, *(one for one in PROFILES if one.name != profile.name)]
    novelties: list[OtherNovelty | None] = [None]
    novelties += [OtherNovelty.EMPTY_CACHE] if novelty.value != NOVELTY_ASSUMED else []
    novelties += [OtherNovelty.UNCLAMPED] if novelty.clamped else []
    # each rule that fires, then all of them where there are several
    without = [(), *((rule,) for rule in fired), *([fired] if len(fired) > 1 else [])]
    every = [Cause(*one) for one in product(profiles, novelties, without)]
    for size in range(1, _MOST_TOGETHER + 1):
        found = (one for one in every if one.size == size)
        scores = ((one, _score(one, measurement, profile)) for one in found)
        given = tuple(one for one, score in scores if bounds[0] <= score <= bounds[1])
        if given:
            return given
    return ()
