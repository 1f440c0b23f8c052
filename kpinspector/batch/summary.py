"""A batch at a glance: verdicts, reach, causes, rules, values, and which changes would help."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from kpinspector.batch.limits import Terms
from kpinspector.scoring.formula.assess import ScoreRange, Verdict, outcome_range
from kpinspector.scoring.formula.gates import Gate, main_cause
from kpinspector.scoring.formula.overrides import Rule, rules_that_fire
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.whatif.changes import ChangeKind, scenario_for
from kpinspector.scoring.whatif.reach import ReachKind, trace_reach
from kpinspector.scoring.whatif.whatif import changed

Cause: TypeAlias = Gate | Rule | Dimension

LEVERS: Final = (
    (ChangeKind.OUTCOME, 1.0),
    (ChangeKind.SIMILARITY, 0.0),
    (ChangeKind.TOOLS, 1.0),
    (ChangeKind.TOOLS, 2.0),
    (ChangeKind.RECOVERIES, 1.0),
    (ChangeKind.RECOVERIES, 3.0),
    (ChangeKind.OBSERVATIONS, 1.0),
    (ChangeKind.THOUGHTS, 2.0),
)
"""What is tried of every rejected trace, and how much of it."""
_QUARTERS: Final = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class ValueSpread:
    """The quartiles of one dimension over several traces; half lie from ``lower`` to ``upper``."""

    count: int
    least: float
    lower: float
    median: float
    upper: float
    greatest: float


@dataclass(frozen=True, slots=True)
class DimensionSpread:
    """The values of accepted and of rejected traces; None where there are none."""

    dimension: Dimension
    accepted: ValueSpread | None
    rejected: ValueSpread | None

    @property
    def difference(self) -> float | None:
        """The median of the accepted minus that of the rejected."""
        if self.accepted is None or self.rejected is None:
            return None
        return self.accepted.median - self.rejected.median


@dataclass(frozen=True, slots=True)
class TriedLever:
    """One change made to every rejected trace, and how many of them then pass."""

    kind: ChangeKind
    amount: float
    passing: int


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """Counts over the scored traces of a batch.

    Attributes:
        causes: How many rejections each main cause accounts for.
        rules: How often each rule fired.
        spreads: The spread of each dimension, without undecided traces and unknown outcomes.
        levers: The changes that were tried, the one that helps most traces first.
    """

    total: int
    verdicts: Counter[Verdict]
    reach: Counter[ReachKind]
    causes: Counter[Cause]
    rules: Counter[Rule]
    spreads: tuple[DimensionSpread, ...]
    levers: tuple[TriedLever, ...]


@dataclass(frozen=True, slots=True)
class _Judged:
    """One trace and its possible scores; both ends are the same where its outcome is known."""

    measured: Measured
    possible: ScoreRange

    @property
    def verdict(self) -> Verdict:
        return self.possible.verdict or Verdict.UNDECIDED


def summarise(traces: Iterable[Measured], terms: Terms) -> BatchSummary:
    """Summarise measured traces."""
    judged = [_judge(one, terms) for one in traces]
    rejected = [one for one in judged if one.verdict is Verdict.REJECTED]
    accepted = [one for one in judged if one.verdict is Verdict.ACCEPTED]
    return BatchSummary(
        total=len(judged),
        verdicts=Counter(one.verdict for one in judged),
        reach=Counter(_reach(one, terms) for one in judged),
        causes=Counter(main_cause(one.possible.high) for one in rejected),
        rules=Counter(rule for one in judged for rule in _fired(one)),
        spreads=tuple(
            DimensionSpread(one, _spread(accepted, one), _spread(rejected, one))
            for one in Dimension
        ),
        levers=tuple(sorted(_levers(rejected), key=lambda one: -one.passing)),
    )


def _judge(measured: Measured, terms: Terms) -> _Judged:
    measurement = measured.measurement
    profile = terms.profile_of(measurement)
    return _Judged(measured, outcome_range(measurement, profile, terms.threshold))


def _reach(one: _Judged, terms: Terms) -> ReachKind:
    measurement = one.measured.measurement
    return trace_reach(measurement, terms.profile_of(measurement), terms.threshold).kind


def _fired(one: _Judged) -> tuple[Rule, ...]:
    """The rules that fire whatever the outcome."""
    return rules_that_fire(one.measured.measurement.facts.outcome_ends[0])


def _spread(judged: Sequence[_Judged], dimension: Dimension) -> ValueSpread | None:
    values = [value for one in judged for value in _value(one, dimension)]
    if not values:
        return None
    return ValueSpread(len(values), *np.percentile(values, _QUARTERS).tolist())


def _value(one: _Judged, dimension: Dimension) -> Iterator[float]:
    low, high = (
        next(term.value for term in end.contributions if term.dimension is dimension)
        for end in (one.possible.low, one.possible.high)
    )
    if low == high and np.isfinite(low):
        yield low


def _levers(rejected: Sequence[_Judged]) -> Iterator[TriedLever]:
    for kind, amount in LEVERS:
        yield TriedLever(kind, amount, sum(_passes(one, kind, amount) for one in rejected))


def _passes(one: _Judged, kind: ChangeKind, amount: float) -> bool:
    """Whether a trace is accepted after a change, with the worst possible outcome."""
    measured, now = one.measured, one.possible.low
    trace = measured.record.trace
    case = changed(trace, measured.measurement, scenario_for(kind, amount, trace))
    possible = case.range(now.profile, now.threshold)
    then = case.assess(now.profile, now.threshold) if possible is None else possible.low
    return then.verdict is Verdict.ACCEPTED
