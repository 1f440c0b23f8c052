"""A batch at a glance: verdicts, reach, causes, rules, values, and which changes would help."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from kpinspector.scoring.formula.assess import Gate, Verdict, main_cause, outcome_range
from kpinspector.scoring.formula.overrides import Rule, firing_rules
from kpinspector.scoring.formula.profiles import Dimension, Terms
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.whatif.changes import ChangeKind, scenario_for
from kpinspector.scoring.whatif.reach import ReachKind, trace_reach
from kpinspector.scoring.whatif.scenario import Changed, changed

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
"""The changes tried with every rejected trace, each with its amount."""
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

    ``spreads``: the spread of each dimension, without undecided traces and unknown outcomes.
    ``levers``: the changes that were tried, the one that helps most traces first.
    """

    total: int
    verdicts: Counter[Verdict]
    reach: Counter[ReachKind]
    causes: Counter[Cause]
    rules: Counter[Rule]
    spreads: tuple[DimensionSpread, ...]
    levers: tuple[TriedLever, ...]


@dataclass(frozen=True, slots=True)
class JudgedTrace:
    """What one trace adds to a summary.

    Attributes:
        cause: The main cause of a rejection; None for other verdicts.
        rules: The rules that fire whatever the outcome is.
        values: The values of the dimensions, without an outcome that is not known.
        passing: Which of the `LEVERS` bring a rejected trace to the threshold.
        tried: The trace's facts and values with each lever's change; empty if none was tried.
    """

    verdict: Verdict
    reach: ReachKind
    cause: Cause | None
    rules: tuple[Rule, ...]
    values: Mapping[Dimension, float]
    passing: frozenset[int]
    tried: tuple[Changed, ...] = field(default=(), repr=False)


def summarise(traces: Iterable[Measured], terms: Terms) -> BatchSummary:
    """Summarise measured traces."""
    return summary_of([judge(one, terms) for one in traces])


def summary_of(traces: Sequence[JudgedTrace]) -> BatchSummary:
    """Summarise traces that are judged already."""
    rejected = [one for one in traces if one.verdict is Verdict.REJECTED]
    accepted = [one for one in traces if one.verdict is Verdict.ACCEPTED]
    levers = (
        TriedLever(kind, amount, sum(number in one.passing for one in rejected))
        for number, (kind, amount) in enumerate(LEVERS)
    )
    return BatchSummary(
        total=len(traces),
        verdicts=Counter(one.verdict for one in traces),
        reach=Counter(one.reach for one in traces),
        causes=Counter(one.cause for one in rejected if one.cause is not None),
        rules=Counter(rule for one in traces for rule in one.rules),
        spreads=tuple(
            DimensionSpread(one, _spread(accepted, one), _spread(rejected, one))
            for one in Dimension
        ),
        levers=tuple(sorted(levers, key=lambda one: -one.passing)),
    )


def judge(measured: Measured, terms: Terms, before: JudgedTrace | None = None) -> JudgedTrace:
    """Judge one trace, and try every lever where it is rejected, if not tried ``before``."""
    measurement = measured.measurement
    profile = terms.profile_of(measurement)
    possible = outcome_range(measurement, profile, terms.threshold)
    verdict = possible.verdict
    rejected = verdict is Verdict.REJECTED
    tried = () if before is None else before.tried
    if rejected and not tried:
        trace = measured.record.trace
        scenarios = (scenario_for(kind, amount, trace) for kind, amount in LEVERS)
        tried = tuple(changed(trace, measurement, one) for one in scenarios)
    unknown, passing = possible.open_dimensions, set()
    for number, case in enumerate(tried if rejected else ()):  # supposes the worst outcome
        then = case.range(profile, terms.threshold)
        judged = then.low if then else case.assess(profile, terms.threshold)
        if judged.verdict is Verdict.ACCEPTED:
            passing.add(number)
    known = (one for one in possible.low.contributions if one.dimension not in unknown)
    return JudgedTrace(
        verdict=verdict,
        reach=trace_reach(measurement, profile, terms.threshold).kind,
        cause=main_cause(possible.high) if rejected else None,
        rules=firing_rules(measurement.facts.outcome_ends[0]),
        values={one.dimension: one.value for one in known if np.isfinite(one.value)},
        passing=frozenset(passing),
        tried=tried,
    )


def _spread(traces: Sequence[JudgedTrace], dimension: Dimension) -> ValueSpread | None:
    values = [one.values[dimension] for one in traces if dimension in one.values]
    if not values:
        return None
    return ValueSpread(len(values), *np.percentile(values, _QUARTERS).tolist())
