"""A summary of many traces as text for a terminal, as JSON and as a page."""

from typing import Literal

from kpinspector.batch.summary import BatchSummary, DimensionSpread, ValueSpread
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.report.report import Generator, Part, UsedSettings, report_json
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.words.summary_words import summary_sections, summary_title
from kpinspector.words.writers.columns import wrapped
from kpinspector.words.writers.explanation_html import sections_html
from kpinspector.words.writers.explanation_text import section_lines


class SpreadEntry(Part):
    """Values over several traces; half of them lie from ``lower`` to ``upper``."""

    count: int
    least: float
    lower: float
    median: float
    upper: float
    greatest: float


class DimensionEntry(Part):
    """The accepted against the rejected; null where there are none."""

    accepted: SpreadEntry | None
    rejected: SpreadEntry | None
    difference: float | None


class LeverEntry(Part):
    """A change made of every rejected trace; ``passing`` of them are then accepted."""

    kind: ChangeKind
    amount: float
    passing: int


class SummaryReport(Part):
    """The summary; ``causes`` are gates, rules and dimensions."""

    format: Literal["kpinspector-summary"] = "kpinspector-summary"
    version: Literal[1] = 1
    generator: Generator = Generator()
    settings: UsedSettings
    total: int
    problems: int
    verdicts: dict[Verdict, int]
    reach: dict[ReachKind, int]
    causes: dict[str, int]
    rules: dict[Rule, int]
    dimensions: dict[Dimension, DimensionEntry]
    levers: tuple[LeverEntry, ...]


def summary_text(summary: BatchSummary, width: int | None = None) -> str:
    """The summary for a terminal; ends in a line feed."""
    lines = wrapped(summary_title(summary), width)
    for section in summary_sections(summary):
        lines += ["", *section_lines(section, width)]
    return "\n".join(lines) + "\n"


def summary_html(summary: BatchSummary, last: str) -> bytes:
    """The summary as one page; ``last`` says what it was made with."""
    return sections_html(summary_title(summary), summary_sections(summary), last).encode()


def summary_json(summary: BatchSummary, used: UsedSettings, problems: int) -> bytes:
    """UTF-8 JSON, two spaces deep, ending in a line feed; numbers unrounded."""
    report = SummaryReport(
        settings=used,
        total=summary.total,
        problems=problems,
        verdicts={one: summary.verdicts[one] for one in Verdict},
        reach={one: summary.reach[one] for one in ReachKind},
        causes={str(cause): number for cause, number in summary.causes.most_common()},
        rules={one: summary.rules[one] for one in Rule},
        dimensions={one.dimension: _dimension(one) for one in summary.spreads},
        levers=tuple(
            LeverEntry(kind=one.kind, amount=one.amount, passing=one.passing)
            for one in summary.levers
        ),
    )
    return report_json(report)


def _dimension(one: DimensionSpread) -> DimensionEntry:
    return DimensionEntry(
        accepted=_spread(one.accepted), rejected=_spread(one.rejected), difference=one.difference
    )


def _spread(one: ValueSpread | None) -> SpreadEntry | None:
    if one is None:
        return None
    return SpreadEntry(
        count=one.count,
        least=one.least,
        lower=one.lower,
        median=one.median,
        upper=one.upper,
        greatest=one.greatest,
    )
