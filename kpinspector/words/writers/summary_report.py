"""A summary of many traces as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from kpinspector.batch.groups import GroupedBatch
from kpinspector.batch.summary import BatchSummary, DimensionSpread, TriedLever, ValueSpread
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.report.report import GENERATOR, Generator, UsedSettings
from kpinspector.scoring.report.written import report_json
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.sharing.answer import LeakingTraces
from kpinspector.sharing.posting import Way
from kpinspector.trace.clear import masked_in
from kpinspector.words.page import Answer
from kpinspector.words.summary import summary_answer


@dataclass(frozen=True, slots=True, kw_only=True)
class DimensionEntry:
    """The accepted against the rejected; null where there are none."""

    accepted: ValueSpread | None
    rejected: ValueSpread | None
    difference: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupEntry:
    """Near-duplicates: keys of its traces, the first of which stands for all of them.

    ``least`` and ``greatest``: how similar two of them are. ``objective`` and ``tools`` are null
    where they are not the same for all.
    """

    keys: tuple[str, ...]
    least: float
    greatest: float
    objective: str | None
    tools: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakingEntry:
    """By one way: how many traces would be posted, how many with something in clear, and of what.

    ``kinds`` counts traces, those that hold a kind at all.
    """

    posted: int
    in_clear: int
    kinds: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReport:
    """The summary; ``causes`` are gates, rules and dimensions.

    ``groups`` are those of two traces and more that are linked by pairs of this ``similarity``;
    null where they were not looked for.
    """

    format: Literal["kpinspector-summary"] = "kpinspector-summary"
    version: Literal[1] = 1
    generator: Generator = GENERATOR
    settings: UsedSettings
    total: int
    problems: int
    verdicts: dict[Verdict, int]
    reach: dict[ReachKind, int]
    causes: dict[str, int]
    rules: dict[Rule, int]
    dimensions: dict[Dimension, DimensionEntry]
    levers: tuple[TriedLever, ...]
    similarity: float | None
    groups: tuple[GroupEntry, ...] | None
    sharing: dict[Way, LeakingEntry]


@dataclass(frozen=True, slots=True)
class WholeSummary:
    """All that is said of a batch.

    Attributes:
        counts: Of its scored traces.
        grouped: Its near-duplicates; None where they were not looked for.
        leaking: What would leave in clear, by each way.
    """

    counts: BatchSummary
    grouped: GroupedBatch | None
    leaking: tuple[LeakingTraces, ...]

    @property
    def answer(self) -> Answer:
        """The same in words."""
        return summary_answer(self.counts, self.grouped, self.leaking)


def summary_json(whole: WholeSummary, used: UsedSettings, problems: int) -> bytes:
    """UTF-8 JSON, two spaces deep, ending in a line feed; numbers unrounded."""
    summary, grouped = whole.counts, whole.grouped
    report = SummaryReport(
        settings=used,
        total=summary.total,
        problems=problems,
        verdicts={one: summary.verdicts[one] for one in Verdict},
        reach={one: summary.reach[one] for one in ReachKind},
        causes={str(cause): number for cause, number in summary.causes.most_common()},
        rules={one: summary.rules[one] for one in Rule},
        dimensions={one.dimension: _dimension(one) for one in summary.spreads},
        levers=summary.levers,
        similarity=None if grouped is None else grouped.similarity,
        groups=None if grouped is None else tuple(_groups(grouped)),
        sharing={one.way: _leaking(one) for one in whole.leaking},
    )
    return report_json(report)


def _groups(grouped: GroupedBatch) -> Iterator[GroupEntry]:
    for group in grouped.groups:
        common, tools = group.common, group.same_tools
        others = (one for one in group.members if one != group.representative)
        if group.spread is not None:
            yield GroupEntry(
                keys=tuple(
                    masked_in(grouped.batch.candidates[one].place.key)
                    for one in (group.representative, *others)
                ),
                least=group.spread.least,
                greatest=group.spread.greatest,
                objective=common.objective and masked_in(common.objective),
                tools=tools and tuple(map(masked_in, tools)),
            )


def _dimension(one: DimensionSpread) -> DimensionEntry:
    return DimensionEntry(accepted=one.accepted, rejected=one.rejected, difference=one.difference)


def _leaking(one: LeakingTraces) -> LeakingEntry:
    kinds = {str(kind): number for kind, number in one.kinds.most_common()}
    return LeakingEntry(posted=one.posted, in_clear=one.leaking, kinds=kinds)
