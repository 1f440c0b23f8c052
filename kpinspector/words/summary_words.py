"""The words for a summary of many traces: its title, and sections of counts, levers and values."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kpinspector.batch.groups import GroupedBatch
from kpinspector.batch.summary import BatchSummary, Cause, DimensionSpread, TriedLever, ValueSpread
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.formula.gates import Gate
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.sharing.answer import LeakingTraces
from kpinspector.sharing.posting import Way
from kpinspector.words.explain.blocks import (
    GATE_NAMES,
    Cell,
    Column,
    Mention,
    Paragraph,
    Section,
    Sign,
    Table,
)
from kpinspector.words.explain.many import Front
from kpinspector.words.figures import (
    UNKNOWN,
    shown_count,
    shown_range,
    shown_short,
    shown_signed,
    shown_value,
)
from kpinspector.words.group_words import in_common, spread_figures
from kpinspector.words.plan_words import candidate_names
from kpinspector.words.reach_words import REACH_PHRASES
from kpinspector.words.say import say, say_count
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES, Run, say_sentence
from kpinspector.words.sharing_words import kind_name

_REACH_SIGNS: Final = {
    ReachKind.ACCEPTED: Sign.ACCEPTED,
    ReachKind.UNDECIDED: Sign.UNDECIDED,
}


def summary_title(summary: BatchSummary) -> str:
    """How many traces pass, and of how many that is not known."""
    if undecided := summary.verdicts[Verdict.UNDECIDED]:
        return say_count(
            "{accepted} of {number} trace is accepted, {undecided} undecided.",
            "{accepted} of {number} traces are accepted, {undecided} undecided.",
            summary.total,
            accepted=shown_count(summary.verdicts[Verdict.ACCEPTED]),
            undecided=shown_count(undecided),
        )
    return say_count(
        "{accepted} of {number} trace is accepted.",
        "{accepted} of {number} traces are accepted.",
        summary.total,
        accepted=shown_count(summary.verdicts[Verdict.ACCEPTED]),
    )


def front_of(
    summary: BatchSummary,
    grouped: GroupedBatch | None,
    leaking: Sequence[LeakingTraces],
    traces: Iterable[Mention],
) -> Front:
    """The summary of a batch before the explanations of these traces."""
    sections = summary_sections(summary, grouped, leaking)
    return Front(summary_title(summary), sections, tuple(traces))


def summary_sections(
    summary: BatchSummary,
    grouped: GroupedBatch | None,
    leaking: Sequence[LeakingTraces] = (),
) -> tuple[Section, ...]:
    """Reach, causes and rules, levers, values of the dimensions, what would leave, and groups."""
    rejected = summary.verdicts[Verdict.REJECTED]
    sections = [_section(say("Reach"), [*_reach(summary)])]
    if rejected:
        title = say("What the rejected lose most by")
        sections.append(_section(title, [*_counted(summary)]))
        sections.append(levers_section(summary))
    if summary.rules:
        names = [
            (Cell(RULE_NAMES[one]), _count(summary.rules[one]))
            for one in Rule
            if summary.rules[one]
        ]
        sections.append(_section(say("Rules that fired"), names))
    sections.append(_values(summary))
    if leaking:
        sections.append(_sharing(leaking))
    if grouped is not None:
        sections.append(_groups(grouped))
    return tuple(sections)


def cause_name(cause: Cause) -> str:
    """What a verdict is put down to."""
    match cause:
        case Gate():
            return GATE_NAMES[cause]
        case Rule():
            return RULE_NAMES[cause]
    return DIMENSION_NAMES[cause]


def levers_section(summary: BatchSummary) -> Section:
    """How many of the rejected each change would help, those that help none among them."""
    rejected = summary.verdicts[Verdict.REJECTED]
    note = say_count("of {number} rejected", "of {number} rejected", rejected)
    return _section(say("What would help"), [*_levers(summary)], note)


def _sharing(leaking: Sequence[LeakingTraces]) -> Section:
    """How many traces would leave something in clear by either way, and how many of each kind."""
    said = [Paragraph((Run(leaking_sentence(one)),)) for one in leaking]
    kinds = [*dict.fromkeys(kind for one in leaking for kind in one.kinds)]
    if not kinds:
        return Section(say("Sharing"), tuple(said))
    heads = (
        say("by contribute") if one.way is Way.CONTRIBUTE else say("by capture") for one in leaking
    )
    columns = (Column(say("kind")), *(Column(head, figure=True) for head in heads))
    rows = (
        (Cell(kind_name(kind)), *(_count(one.kinds[kind]) for one in leaking)) for kind in kinds
    )
    return Section(say("Sharing"), (*said, Table(columns, tuple(rows))), say("traces in clear"))


def leaking_sentence(leaking: LeakingTraces) -> str:
    """Of how many of the traces that go one way something would leave in clear."""
    number = shown_count(leaking.leaking)
    if leaking.way is Way.CONTRIBUTE:
        return say_count(
            "By contribute, {leaking} of {number} trace would leave something in clear.",
            "By contribute, {leaking} of {number} traces would leave something in clear.",
            leaking.posted,
            leaking=number,
        )
    return say_count(
        "By capture, {leaking} of {number} trace that it posts would leave something in clear.",
        "By capture, {leaking} of {number} traces that it posts would leave something in clear.",
        leaking.posted,
        leaking=number,
    )


def _groups(grouped: GroupedBatch) -> Section:
    """Near-duplicates, each group by the trace that stands for it."""
    note = say("at least {similarity} similar", similarity=shown_short(grouped.similarity))
    candidates = grouped.batch.candidates
    names = candidate_names(candidates)
    mentions = [
        Mention(name, shown_key(one.place.key)) for name, one in zip(names, candidates, strict=True)
    ]
    rows = [
        (
            Cell(names[one.representative], mention=mentions[one.representative]),
            _count(len(one.members)),
            Cell(spread_figures(one.spread)),
            Cell(in_common(one)),
        )
        for one in grouped.groups
        if one.spread is not None
    ]
    if not rows:
        none = say_sentence("No two traces are so similar.")
        return Section(say("Groups"), (Paragraph(none),), note)
    columns = (
        Column(say("for all of them")),
        Column(say("traces"), figure=True),
        Column(say("similar"), figure=True),
        Column(say("in common")),
    )
    return Section(say("Groups"), (Table(columns, tuple(rows)),), note)


def _section(title: str, rows: Sequence[tuple[Cell, ...]], note: str = "") -> Section:
    return Section(title, (Table((Column(), Column(figure=True)), tuple(rows)),), note)


def _count(number: int) -> Cell:
    return Cell(shown_count(number), float(number))


def _reach(summary: BatchSummary) -> Iterator[tuple[Cell, ...]]:
    for kind in ReachKind:
        if number := summary.reach[kind]:
            yield (
                Cell(REACH_PHRASES[kind], sign=_REACH_SIGNS.get(kind, Sign.REJECTED)),
                _count(number),
            )


def _counted(summary: BatchSummary) -> Iterator[tuple[Cell, ...]]:
    for cause, number in summary.causes.most_common():
        dimension = cause if isinstance(cause, Dimension) else None
        yield Cell(cause_name(cause), dimension=dimension), _count(number)


def _levers(summary: BatchSummary) -> Iterator[tuple[Cell, ...]]:
    for lever in summary.levers:
        yield Cell(lever_name(lever)), _count(lever.passing)


def lever_name(lever: TriedLever) -> str:
    """What is changed of every rejected trace."""
    number = int(lever.amount)
    match lever.kind:
        case ChangeKind.OUTCOME:
            return say("Success, with confidence 1")
        case ChangeKind.SIMILARITY:
            return say("Nothing similar to it")
        case ChangeKind.TOOLS:
            return say_count("{number} call of a new tool", "{number} calls of new tools", number)
        case ChangeKind.RECOVERIES:
            return say_count("{number} more recovery", "{number} more recoveries", number)
        case ChangeKind.OBSERVATIONS:
            return say_count("{number} more observation", "{number} more observations", number)
    return say_count("{number} more thought", "{number} more thoughts", number)


def _values(summary: BatchSummary) -> Section:
    """Medians and the middle halves, accepted against rejected."""
    columns = (
        Column(say("dimension")),
        Column(say("accepted"), figure=True),
        Column(say("middle half"), figure=True),
        Column(say("rejected"), figure=True),
        Column(say("middle half"), figure=True),
        Column(say("difference"), figure=True),
    )
    rows = tuple(
        (
            Cell(DIMENSION_NAMES[one.dimension], dimension=one.dimension),
            *_spread_cells(one.accepted),
            *_spread_cells(one.rejected),
            _difference(one),
        )
        for one in summary.spreads
    )
    return Section(say("Values"), (Table(columns, rows),), say("medians"))


def _spread_cells(spread: ValueSpread | None) -> tuple[Cell, Cell]:
    if spread is None:
        return Cell(UNKNOWN), Cell(UNKNOWN)
    half = shown_range(shown_value(spread.lower), shown_value(spread.upper))
    return Cell(shown_value(spread.median), spread.median), Cell(half)


def _difference(one: DimensionSpread) -> Cell:
    if one.difference is None:
        return Cell(UNKNOWN)
    return Cell(shown_signed(shown_value(one.difference)), one.difference)
