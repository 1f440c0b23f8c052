"""The summary of many traces, and the front of a page with several explanations."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kpinspector.batch.groups import GroupedBatch, MapLevels, map_levels
from kpinspector.batch.plan import Plan
from kpinspector.batch.summary import BatchSummary, TriedLever, ValueSpread
from kpinspector.scoring.findings import shown_key
from kpinspector.scoring.formula.assess import Verdict, main_cause
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.sharing.answer import LeakingTraces
from kpinspector.sharing.posting import Way
from kpinspector.trace.records import Skipped, name_of
from kpinspector.words import batch, figures, page
from kpinspector.words.changes import REACH_PHRASES, REACH_WORDS, cause_name
from kpinspector.words.explanation import Explanation
from kpinspector.words.page import Cell, Section, count_cell, pairs, paragraph, table
from kpinspector.words.problems import named_and_counted
from kpinspector.words.say import capitalised, in_words, say, say_count
from kpinspector.words.sentences import RULE_NAMES
from kpinspector.words.sharing import kind_name

_REACH_SIGNS: Final = {
    **dict.fromkeys(ReachKind, page.Sign.REJECTED),
    ReachKind.ACCEPTED: page.Sign.ACCEPTED,
    ReachKind.UNDECIDED: page.Sign.UNDECIDED,
}
_MOST_DRAWN: Final = 512  # pixels of a map, across and down


@dataclass(frozen=True, slots=True)
class WholeSummary:
    """All that the answer about a batch is made of.

    ``grouped``: None where no groups were looked for. ``order``: the traces in the order of the
    map. ``plans``: the plan, and the plan with the best outcomes where some are not known.
    """

    counts: BatchSummary
    grouped: GroupedBatch | None
    leaking: tuple[LeakingTraces, ...]
    order: tuple[int, ...] = ()
    plans: tuple[Plan | None, Plan | None] = (None, None)

    @property
    def answer(self) -> page.Answer:
        """Reach, causes and rules, levers, values of the dimensions, what would leave, groups."""
        return page.Answer(_title(self.counts), (), tuple(self._sections()), underlined=False)

    def planned(self, threshold: float) -> Iterator[Section]:
        """The plan, if it is known."""
        plan, best = self.plans
        if self.grouped is not None and plan is not None:
            answer = batch.plan_answer(self.grouped.batch, plan, best, threshold)
            blocks = tuple(block for one in answer.sections for block in one.blocks)
            yield Section(say("Plan"), blocks, batch.plan_note(plan, best))

    @property
    def drawn(self) -> MapLevels | None:
        """The map of all pairs, if they are known."""
        if self.grouped is None or not self.order:
            return None
        size = min(len(self.order), _MOST_DRAWN)
        return map_levels(self.grouped.batch.similarities, self.order, size)

    def _sections(self) -> Iterator[Section]:
        counts = self.counts
        reach = (
            (Cell(REACH_PHRASES[one], sign=_REACH_SIGNS[one]), counts.reach[one])
            for one in ReachKind
        )
        yield _counts(say("What they need to pass"), reach)
        if counts.verdicts[Verdict.REJECTED]:
            causes: list[tuple[Cell, int]] = []
            for one, number in counts.causes.most_common():
                dimension = one if isinstance(one, Dimension) else None
                causes.append((Cell(capitalised(cause_name(one)), dimension=dimension), number))
            yield _counts(say("What the rejected lose most by"), causes)
            yield from levers_section(counts)
        if counts.rules:
            rules = ((RULE_NAMES[one], counts.rules[one]) for one in Rule)
            yield _counts(say("Rules that fired"), rules)
        yield _values(counts)
        if self.leaking:
            yield _sharing(self.leaking)
        if self.grouped is not None:
            yield _groups(self.grouped)


@dataclass(frozen=True, slots=True)
class Front:
    """The summary at the beginning of a page, and the traces that the page explains, in order."""

    answer: page.Answer
    traces: tuple[page.Mention, ...]


def _title(summary: BatchSummary) -> str:
    undecided = figures.shown_count(summary.verdicts[Verdict.UNDECIDED])
    accepted = say_count(
        "{accepted} of {number} trace is accepted",
        "{accepted} of {number} traces are accepted",
        summary.total,
        accepted=figures.shown_count(summary.verdicts[Verdict.ACCEPTED]),
    )
    if not summary.verdicts[Verdict.UNDECIDED]:
        return say("{accepted}.", accepted=accepted)
    return say("{accepted}, {undecided} undecided.", accepted=accepted, undecided=undecided)


def levers_section(summary: BatchSummary) -> Iterator[Section]:
    """How many rejected traces would pass with each change; no section where none would."""
    rejected = summary.verdicts[Verdict.REJECTED]
    if any(one.passing for one in summary.levers):
        note = say_count("of {number} rejected", "of {number} rejected", rejected)
        levers = ((lever_name(one), one.passing) for one in summary.levers)
        yield _counts(say("What would help"), levers, note)


def _counts(title: str, counts: Iterable[tuple[str | Cell, int]], note: str = "") -> Section:
    rows = ((name, count_cell(number)) for name, number in counts if number)
    return Section(title, (pairs(rows, counts=True),), note)


def _sharing(leaking: Sequence[LeakingTraces]) -> Section:
    """By each way: how many traces would leave something in clear, and how many each kind."""
    said = tuple(paragraph(_leaking_sentence(one)) for one in leaking)
    kinds = [*dict.fromkeys(kind for one in leaking for kind in one.kinds)]
    if not kinds:
        return Section(say("Sharing"), said)
    ways = (
        say("by contribute") if one.way is Way.CONTRIBUTE else say("by capture") for one in leaking
    )
    rows = (
        (Cell(kind_name(kind)), *(count_cell(one.kinds[kind]) for one in leaking)) for kind in kinds
    )
    found = table((say("kind"), *page.figures(*ways)), rows)
    return Section(say("Sharing"), (*said, found), say("traces in clear"))


def _leaking_sentence(leaking: LeakingTraces) -> str:
    way, traces = say("contribute"), say_count("{number} trace", "{number} traces", leaking.posted)
    if leaking.way is Way.CAPTURE:
        way = say("capture")
        traces = say_count(
            "{number} trace that it posts", "{number} traces that it posts", leaking.posted
        )
    return say(
        "By {way}, {leaking} of {traces} would leave something in clear.",
        way=way,
        leaking=figures.shown_count(leaking.leaking),
        traces=traces,
    )


def _groups(grouped: GroupedBatch) -> Section:
    note = say("at least {similarity} similar", similarity=figures.shown_short(grouped.similarity))
    candidates = grouped.batch.candidates
    names = batch.candidate_names(candidates)
    rows: list[tuple[str | Cell, ...]] = []
    for one in grouped.groups:
        name, key = names[one.representative], candidates[one.representative].place.key
        if one.spread is not None:
            first = Cell(name, mention=page.Mention(name, shown_key(key)))
            size = count_cell(len(one.members))
            rows.append((first, size, batch.spread_figures(one.spread), batch.in_common(one)))
    if not rows:
        return Section(say("Groups"), (paragraph(say("No two traces are so similar.")),), note)
    heads = (say("for all of them"), *page.figures(say("traces"), say("similar")), say("in common"))
    return Section(say("Groups"), (table(heads, rows),), note)


def lever_name(lever: TriedLever) -> str:
    """A lever in words: the change tried with every rejected trace."""
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
    half = say("half of them")
    names = (say("accepted"), half, say("rejected"), half, say("difference"))
    rows = []
    for one in summary.spreads:
        apart, difference = Cell(figures.UNKNOWN), one.difference
        if difference is not None:
            apart = Cell(figures.shown_signed(figures.shown_value(difference)), difference)
        ends = (*_spread_cells(one.accepted), *_spread_cells(one.rejected))
        rows.append((page.dimension_cell(one.dimension), *ends, apart))
    found = table((say("dimension"), *page.figures(*names)), rows)
    return Section(say("Values"), (found,), say("medians"))


def _spread_cells(spread: ValueSpread | None) -> tuple[Cell, Cell]:
    if spread is None:
        return Cell(figures.UNKNOWN), Cell(figures.UNKNOWN)
    half = figures.shown_range(figures.shown_value(spread.lower), figures.shown_value(spread.upper))
    return Cell(figures.shown_value(spread.median), spread.median), Cell(half)


def index_section(rows: Sequence[tuple[str | Cell, ...]]) -> Section:
    """The index of a page, from the rows of its explanations."""
    score = page.figures(say("score"))
    heads = (say("trace"), say("verdict"), *score, say("needs"), say("cause"))
    return Section(say("Index"), (table(heads, rows),), figures.shown_count(len(rows)))


def index_row(number: int, one: Explanation) -> tuple[str | Cell, ...]:
    """The row of the index for the explanation with this number."""
    reach = one.beside.reach
    passes = reach is None or reach.kind is ReachKind.ACCEPTED
    rejected = one.ends is not None and one.verdict is Verdict.REJECTED
    cause = cause_name(main_cause(one.ends.high)) if one.ends and rejected else ""
    return (
        Cell(one.name, mention=page.Mention(one.name, number)),
        Cell(one.word.lower(), sign=one.sign),
        one.score,
        "" if reach is None or passes else REACH_WORDS[reach.kind],
        cause,
    )


def skipped_section(skipped: Sequence[Skipped]) -> Section:
    """The skipped units, and why each was skipped."""
    named, files = named_and_counted(skipped)
    rows = (
        (Cell(name_of(one.path, one.record), sign=page.Sign.SKIPPED), in_words(one.reason))
        for one in named
    )
    blocks = (pairs(rows), *map(paragraph, filter(None, (files,))))
    return Section(say("Skipped"), blocks, figures.shown_count(len(skipped)))
