"""A recorded quality score beside the recomputed one, and what would have given it.

A number in a file is often rounded, so it is compared at the decimals that it shows, at least two
as nobody writes zeros at the end: 0.82 stands for all scores from 0.815 to 0.825. Nothing here
knows the formula of a score: every answer is one of ``score_of``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from math import inf, nextafter

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import TOO_CLOSE_TO_CALL, score_of, values_of
from kpinspector.scoring.formula.doubles import named, nearest_float
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.measurement import NOVELTY_ASSUMED, Measurement
from kpinspector.scoring.formula.overrides import Rule, apply_overrides
from kpinspector.scoring.formula.profiles import PROFILES, Profile
from kpinspector.trace.model import ReasoningTrace

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


_MOST_TOGETHER = 2


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
    score = trace.metadata.quality_score
    if not score:
        return None
    written = Written(score)
    recomputed = _score(Cause(), measurement, profile)
    agrees = written.stands_for(recomputed)
    novelty = _implied(written, measurement.facts, profile)
    embedded = measurement.novelty.basis is Basis.MEASURED and novelty is not None
    return Recorded(
        score=score,
        decimals=written.decimals,
        recomputed=recomputed,
        agrees=agrees,
        close=embedded and abs(score - recomputed) < TOO_CLOSE_TO_CALL,
        causes=() if agrees else tuple(_causes(written, measurement, profile)),
        novelty=novelty,
        novelty_now=measurement.novelty.value,
    )


def _causes(written: Written, measurement: Measurement, profile: Profile) -> list[Cause]:
    """Those that give the number, with the fewest changes."""
    for size in range(1, _MOST_TOGETHER + 1):
        found = [
            cause
            for cause in _every_cause(measurement, profile)
            if cause.size == size and written.stands_for(_score(cause, measurement, profile))
        ]
        if found:
            return found
    return []


def _every_cause(measurement: Measurement, profile: Profile) -> Iterator[Cause]:
    others = (one for one in PROFILES if one.name != profile.name)
    for other in (None, *others):
        for novelty in (None, *_other_novelties(measurement)):
            for without in ((), *_left_out(measurement.facts)):
                yield Cause(other, novelty, without)


def _other_novelties(measurement: Measurement) -> Iterator[OtherNovelty]:
    if measurement.novelty.value != NOVELTY_ASSUMED:
        yield OtherNovelty.EMPTY_CACHE
    if measurement.novelty.clamped:
        yield OtherNovelty.UNCLAMPED


def _left_out(facts: Facts) -> Iterator[tuple[Rule, ...]]:
    """Each rule that fires, then all of them where there are several."""
    # whether a rule fires is decided by the facts alone
    fired = tuple(one.rule for one in apply_overrides(facts, 0.0) if one.applied)
    yield from ((rule,) for rule in fired)
    if len(fired) > 1:
        yield fired


def _score(cause: Cause, measurement: Measurement, profile: Profile) -> float:
    novelty = measurement.novelty.value
    if cause.novelty is OtherNovelty.EMPTY_CACHE:
        novelty = NOVELTY_ASSUMED
    elif cause.novelty is OtherNovelty.UNCLAMPED:
        novelty = measurement.novelty.unclamped
    values = values_of(measurement.facts, novelty)
    facts = measurement.facts
    for rule in cause.without:
        facts = _SWITCHED_OFF[rule](facts)
    return score_of(values, facts, (cause.profile or profile).weights)


def _implied(written: Written, facts: Facts, profile: Profile) -> NoveltyRange | None:
    """The values that give the number: an interval, as a score never falls with novelty."""

    def score(novelty: float) -> float:
        return score_of(values_of(facts, novelty), facts, profile.weights)

    def is_high_enough(novelty: float) -> bool:
        return written.at_least(score(novelty))

    def is_low_enough(novelty: float) -> bool:
        return written.at_most(score(novelty))

    if not is_high_enough(1.0) or not is_low_enough(0.0):
        return None
    low = 0.0 if is_high_enough(0.0) else nearest_float(is_high_enough, 0.0, 1.0)
    high = 1.0 if is_low_enough(1.0) else nearest_float(is_low_enough, 1.0, 0.0)
    return NoveltyRange(low, high) if low <= high else None


# facts under which a rule does not fire; the dimensions are taken from the real ones
_SWITCHED_OFF: dict[Rule, Callable[[Facts], Facts]] = {
    Rule.SINGLE_THOUGHT: lambda facts: replace(facts, single_thought=False),
    Rule.RECOVERY_BONUS: lambda facts: replace(facts, error_recoveries=0),
    Rule.TOOL_MONOTONY: lambda facts: replace(facts, tool_steps=0),
}
