"""The terms of a score as sections: gates, dimensions, what counts, overrides, the sum."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from kpinspector.scoring.formula.assess import Assessment, Contribution, ScoreRange
from kpinspector.scoring.formula.gates import Counted, GateResult
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.formula.overrides import Override, flipped_rules
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.trace.printable import quoted
from kpinspector.trace.tree import Mark
from kpinspector.words.explain.blocks import (
    GATE_NAMES,
    GATE_SIGNS,
    GATE_WORDS,
    Bar,
    Cell,
    Column,
    Mention,
    Paragraph,
    Section,
    Sign,
    Table,
)
from kpinspector.words.figures import shown_count, shown_range
from kpinspector.words.say import in_words, say, say_count, say_list
from kpinspector.words.sentences import (
    DIMENSION_NAMES,
    DIMENSION_WORDS,
    RULE_NAMES,
    Run,
    fired_phrase,
)
from kpinspector.words.step_words import MARK_WORDS, kind_word
from kpinspector.words.sums import ShownChange, ShownSum, ShownTerm, shown_sum
from kpinspector.words.waterfall import Stretch

_MOST_COUNTED = 20


def gates_section(gates: Iterable[GateResult]) -> Section:
    """The three gates: readable, schema and score."""
    rows = (
        (Cell(GATE_NAMES[one.gate]), Cell(GATE_WORDS[one.state], sign=GATE_SIGNS[one.state]))
        for one in gates
    )
    return Section(say("Gates"), (Table((Column(), Column()), tuple(rows)),))


def dimensions_section(
    terms: Assessment | None,
    shown: ShownSum | None,
    evidence: Callable[[Dimension], str],
    novelty: Novelty | None,
    unknown: Collection[Dimension] = (),
) -> Section:
    """The four dimensions, what each rests on, and their sum; ``novelty`` is None while unknown.

    Those that are ``unknown`` have no figures of their own.
    """
    title = say("Dimensions")
    if terms is None or shown is None:
        return Section(title, ())
    columns = (
        Column(say("dimension")),
        Column(),
        Column(say("value"), figure=True),
        Column(say("weight"), figure=True),
        Column(say("adds"), figure=True),
        Column(say("lost"), figure=True),
        Column(say("evidence")),
    )
    rows = [
        _unknown(term, shown.term(term.dimension), evidence(term.dimension))
        if term.dimension in unknown
        else _dimension(term, shown.term(term.dimension), evidence(term.dimension), novelty)
        for term in terms.contributions
    ]
    total = Cell(shown.total, None if unknown else terms.composite, strong=True)
    last = (Cell(say("Weighted sum")), Cell(), Cell(), Cell(), total, Cell(shown.lost), Cell())
    return Section(title, (Table(columns, (*rows, last)),))


def _unknown(term: Contribution, shown: ShownTerm, about: str) -> tuple[Cell, ...]:
    name = Cell(DIMENSION_NAMES[shown.dimension], dimension=shown.dimension)
    weight = Cell(shown.weight, term.weight)
    bar = Cell(bar=Bar(0.0, 0.0, shown.dimension, reach=1.0))
    return (name, bar, Cell(shown.value), weight, *map(Cell, (shown.adds, shown.lost, about)))


def _dimension(
    term: Contribution, shown: ShownTerm, about: str, novelty: Novelty | None
) -> tuple[Cell, ...]:
    is_novelty = term.dimension is Dimension.NOVELTY
    name = Cell(DIMENSION_NAMES[term.dimension], dimension=term.dimension)
    assumed = is_novelty and novelty is not None and novelty.assumed
    mention = None
    if is_novelty and novelty is not None and novelty.neighbours:
        mention = Mention(masked_in(novelty.names[0]), novelty.neighbours[0].key)
    return (
        name,
        Cell(bar=Bar(0.0, term.value, term.dimension, assumed)),
        Cell(shown.value, term.value),
        Cell(shown.weight, term.weight),
        Cell(shown.adds, term.part),
        Cell(shown.lost, term.lost),
        Cell(about, mention=mention),
    )


def counted_section(counted: Mapping[Dimension, Sequence[Counted]]) -> Section:
    """The steps that count for complexity and tool diversity, and what each brings."""
    rows: list[tuple[Cell, ...]] = []
    further = []
    for dimension, found in counted.items():
        rows += [_counted(one, dimension) for one in found[:_MOST_COUNTED]]
        left = len(found) - _MOST_COUNTED
        if left > 0:
            words = say_count(
                "{number} more step counts for {dimension}.",
                "{number} more steps count for {dimension}.",
                left,
                dimension=DIMENSION_WORDS[dimension],
            )
            further.append(Paragraph((Run(words),), second=True))
    columns = (
        Column(say("counts for")),
        Column(say("step"), figure=True),
        Column(say("kind")),
        Column(say("brings")),
    )
    table = (Table(columns, tuple(rows)),) if rows else ()
    return Section(say("What counts"), (*table, *further))


def _counted(one: Counted, dimension: Dimension) -> tuple[Cell, ...]:
    return (
        Cell(DIMENSION_NAMES[dimension], dimension=dimension),
        Cell(shown_count(one.step.index)),
        Cell(kind_word(one.step.kind)),
        Cell(say_list(_brings(one.step, mark) for mark in one.marks)),
    )


def _brings(step: Step, mark: Mark) -> str:
    if mark is not Mark.FIRST_TOOL:
        return MARK_WORDS[mark]
    return say("{mark} of {tool}", mark=MARK_WORDS[mark], tool=quoted(step.tool_name or ""))


def overrides_section(
    terms: Assessment | None, shown: ShownSum | None, best: Assessment | None = None
) -> Section:
    """All three rules, fired or not, why, and what each did.

    ``best`` is the highest possible score where there is a range, and the terms are of the lowest.
    """
    title = say("Overrides")
    if terms is None or shown is None:
        return Section(title, ())
    columns = (
        Column(say("override")),
        Column(say("fired")),
        Column(say("before"), figure=True),
        Column(say("change"), figure=True),
        Column(say("after"), figure=True),
        Column(say("reason")),
    )
    others = terms.overrides if best is None else best.overrides
    bests = shown.changes if best is None else shown_sum(best).changes
    rows = tuple(
        _open_override(other, change)
        if other.applied is not override.applied
        else _override(override, shown.changes[place], is_known=best is None)
        for place, (override, other, change) in enumerate(
            zip(terms.overrides, others, bests, strict=True)
        )
    )
    return Section(title, (Table(columns, rows),), _fired(terms, best))


def _fired(terms: Assessment, best: Assessment | None) -> str:
    if best is not None and flipped_rules(terms.overrides, best.overrides):
        return say("whether one fires is open")
    return fired_phrase(terms.overrides, pending=best is not None)


def _override(override: Override, change: ShownChange, *, is_known: bool) -> tuple[Cell, ...]:
    figures = (Cell(), Cell(), Cell())
    difference = Cell(change.change, override.change)
    if override.applied and is_known:
        before, after = Cell(change.before, override.before), Cell(change.after, override.after)
        figures = (before, difference, after)
    elif change.change and override.applied:
        figures = (Cell(), difference, Cell())
    return (
        Cell(RULE_NAMES[override.rule], strong=override.applied),
        Cell(say("yes") if override.applied else say("no")),
        *figures,
        Cell(in_words(override.reason)),
    )


def _open_override(best: Override, change: ShownChange) -> tuple[Cell, ...]:
    """A rule that fires if the run succeeded, which is not known."""
    return (
        Cell(RULE_NAMES[best.rule]),
        Cell(say("if it succeeded"), sign=Sign.UNDECIDED),
        Cell(),
        Cell(shown_range("0", change.change.lstrip("+"))),
        Cell(),
        Cell(in_words(best.reason)),
    )


def waterfall_section(
    stretches: Iterable[Stretch], possible: ScoreRange, shown: ShownSum, *, assumed: bool
) -> Section:
    """From 0 to the score; each row begins where the one before it ends.

    Both ends of ``possible`` are the same assessment where the score is known.
    """
    columns = (
        Column(say("term")),
        Column(),
        Column(say("from"), figure=True),
        Column(say("adds"), figure=True),
        Column(say("to"), figure=True),
    )
    low, high = possible.low, possible.high
    threshold, is_known = low.threshold, low is high
    rows = [_stretch(one, threshold, assumed=assumed) for one in stretches]
    rows.append(
        (
            Cell(say("Score"), strong=True, sign=_score_sign(low, high)),
            Cell(bar=Bar(0.0, low.score, threshold=threshold, reach=_reach(possible))),
            Cell(),
            Cell(),
            Cell(shown.score, low.score if is_known else None, strong=True),
        )
    )
    rows.append((Cell(say("Threshold")), Cell(), Cell(), Cell(), Cell(shown.threshold, threshold)))
    note = "" if is_known else say("outcome last, as it is not known")
    return Section(say("How it adds up"), (Table(columns, tuple(rows)),), note)


def _score_sign(low: Assessment, high: Assessment) -> Sign:
    if low.score_passes is not high.score_passes:
        return Sign.UNDECIDED
    return Sign.ACCEPTED if low.score_passes else Sign.REJECTED


def _reach(possible: ScoreRange) -> float | None:
    return None if possible.low is possible.high else possible.high.score


def _stretch(one: Stretch, threshold: float, *, assumed: bool) -> tuple[Cell, ...]:
    if isinstance(one.term, Dimension):
        hatched = assumed and one.term is Dimension.NOVELTY
        name = Cell(DIMENSION_NAMES[one.term], dimension=one.term)
        bar = Bar(one.start, one.end, one.term, hatched, threshold, one.reach)
    else:
        name = Cell(RULE_NAMES[one.term])
        bar = Bar(one.start, one.end, threshold=threshold, reach=one.reach)
    is_known = one.reach is None
    return (
        name,
        Cell(bar=bar),
        Cell(one.shown_start, one.start if is_known else None),
        Cell(one.shown_change, one.change if is_known else None),
        Cell(one.shown_end, one.end if is_known else None),
    )
