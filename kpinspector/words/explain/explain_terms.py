"""The terms of a score as sections: gates, dimensions, what counts, overrides, the sum."""

from collections.abc import Iterable, Sequence

from kpinspector.scoring.formula.assess import Assessment, Contribution
from kpinspector.scoring.formula.evidence import Counted, counted_steps
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.gates import GateResult, GateState
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import Override, count
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.model import Step, quoted
from kpinspector.trace.tree import Mark
from kpinspector.words.explain.explanation import Bar, Cell, Column, Paragraph, Section, Sign, Table
from kpinspector.words.figures import shown_count
from kpinspector.words.sentences import (
    DIMENSION_NAMES,
    RULE_NAMES,
    Run,
    evidence,
    fired_phrase,
)
from kpinspector.words.step_words import MARK_WORDS, kind_word
from kpinspector.words.sums import ShownChange, ShownSum, ShownTerm
from kpinspector.words.waterfall import Stretch, waterfall

_GATE_SIGNS = {
    GateState.PASSED: Sign.ACCEPTED,
    GateState.FAILED: Sign.REJECTED,
    GateState.WAITS: Sign.PENDING,
    GateState.UNREADABLE: Sign.PROBLEM,
    GateState.SKIPPED: Sign.SKIPPED,
    GateState.NOT_REACHED: Sign.NOT_REACHED,
}
_MOST_COUNTED = 20


def gates_section(gates: Iterable[GateResult]) -> Section:
    """Readable, schema and score."""
    rows = (
        (Cell(gate.name), Cell(gate.state.word, sign=_GATE_SIGNS[gate.state])) for gate in gates
    )
    return Section("Gates", (Table((Column(), Column()), tuple(rows)),))


def dimensions_section(
    assessment: Assessment, shown: ShownSum, measurement: Measurement
) -> Section:
    """The four dimensions, what each rests on, and their sum."""
    novelty = measurement.novelty
    rows = []
    for term in assessment.contributions:
        assumed = novelty.assumed and term.dimension is Dimension.NOVELTY
        about = evidence(term.dimension, measurement.facts, novelty)
        rows.append(_dimension(term, shown.term(term.dimension), about, assumed=assumed))
    return _dimensions(rows, Cell(shown.total, assessment.composite, strong=True), shown)


def pending_dimensions_section(
    low: Assessment, shown: ShownSum, facts: Facts, waiting: str
) -> Section:
    """The same while novelty is unknown."""
    rows = []
    for term in low.contributions:
        figures = shown.term(term.dimension)
        if term.dimension is Dimension.NOVELTY:
            rows.append(_unknown_dimension(figures, waiting))
        else:
            rows.append(_dimension(term, figures, evidence(term.dimension, facts, None)))
    return _dimensions(rows, Cell(shown.total, strong=True), shown)


def _dimensions(rows: Iterable[tuple[Cell, ...]], total: Cell, shown: ShownSum) -> Section:
    columns = (
        Column("dimension"),
        Column(),
        Column("value", figure=True),
        Column("weight", figure=True),
        Column("adds", figure=True),
        Column("lost", figure=True),
        Column("evidence"),
    )
    last = (Cell("Weighted sum"), Cell(), Cell(), Cell(), total, Cell(shown.lost), Cell())
    return Section("Dimensions", (Table(columns, (*rows, last)),))


def _dimension(
    term: Contribution, shown: ShownTerm, about: str, *, assumed: bool = False
) -> tuple[Cell, ...]:
    return (
        Cell(DIMENSION_NAMES[term.dimension], dimension=term.dimension),
        Cell(bar=Bar(0.0, term.value, term.dimension, assumed)),
        Cell(shown.value, term.value),
        Cell(shown.weight, term.weight),
        Cell(shown.adds, term.part),
        Cell(shown.lost, term.lost),
        Cell(about),
    )


def _unknown_dimension(shown: ShownTerm, waiting: str) -> tuple[Cell, ...]:
    return (
        Cell(DIMENSION_NAMES[shown.dimension], dimension=shown.dimension),
        Cell(),
        *map(Cell, (shown.value, shown.weight, shown.adds, shown.lost, waiting)),
    )


def counted_section(steps: Sequence[Step]) -> Section:
    """The steps that count for complexity and tool diversity, and what each brings."""
    rows: list[tuple[Cell, ...]] = []
    further = []
    for dimension in (Dimension.COMPLEXITY, Dimension.TOOL_DIVERSITY):
        found = counted_steps(dimension, steps)
        rows += [_counted(one, dimension) for one in found[:_MOST_COUNTED]]
        left = len(found) - _MOST_COUNTED
        if left > 0:
            name = DIMENSION_NAMES[dimension].lower()
            words = f"{count(left, 'more step counts', 'more steps count')} for {name}."
            further.append(Paragraph((Run(words),), second=True))
    columns = (Column("counts for"), Column("step", figure=True), Column("kind"), Column("brings"))
    table = (Table(columns, tuple(rows)),) if rows else ()
    return Section("What counts", (*table, *further))


def _counted(one: Counted, dimension: Dimension) -> tuple[Cell, ...]:
    return (
        Cell(DIMENSION_NAMES[dimension], dimension=dimension),
        Cell(shown_count(one.step.index)),
        Cell(kind_word(one.step.kind)),
        Cell(", ".join(_brings(one.step, mark) for mark in one.marks)),
    )


def _brings(step: Step, mark: Mark) -> str:
    tool = f" of {quoted(step.tool_name or '')}" if mark is Mark.FIRST_TOOL else ""
    return f"{MARK_WORDS[mark]}{tool}"


def overrides_section(terms: Assessment, shown: ShownSum, *, pending: bool = False) -> Section:
    """All three rules, fired or not, why, and what each did."""
    columns = (
        Column("override"),
        Column("fired"),
        Column("before", figure=True),
        Column("change", figure=True),
        Column("after", figure=True),
        Column("reason"),
    )
    pairs = zip(terms.overrides, shown.changes, strict=True)
    rows = tuple(_override(override, change, pending=pending) for override, change in pairs)
    note = fired_phrase(terms.overrides, pending=pending)
    return Section("Overrides", (Table(columns, rows),), note)


def _override(override: Override, change: ShownChange, *, pending: bool) -> tuple[Cell, ...]:
    figures = (Cell(), Cell(), Cell())
    difference = Cell(change.change, override.change)
    if override.applied and not pending:
        before, after = Cell(change.before, override.before), Cell(change.after, override.after)
        figures = (before, difference, after)
    elif change.change and override.applied:
        figures = (Cell(), difference, Cell())
    return (
        Cell(RULE_NAMES[override.rule], strong=override.applied),
        Cell("yes" if override.applied else "no"),
        *figures,
        Cell(override.reason),
    )


def waterfall_section(assessment: Assessment, shown: ShownSum, *, assumed: bool) -> Section:
    """From 0 to the score; each row begins where the one before it ends."""
    columns = (
        Column("term"),
        Column(),
        Column("from", figure=True),
        Column("adds", figure=True),
        Column("to", figure=True),
    )
    threshold, score = assessment.threshold, assessment.score
    rows = [_stretch(one, threshold, assumed=assumed) for one in waterfall(assessment)]
    sign = Sign.ACCEPTED if assessment.score_passes else Sign.REJECTED
    rows.append(
        (
            Cell("Score", strong=True, sign=sign),
            Cell(bar=Bar(0.0, score, threshold=threshold)),
            Cell(),
            Cell(),
            Cell(shown.score, score, strong=True),
        )
    )
    rows.append((Cell("Threshold"), Cell(), Cell(), Cell(), Cell(shown.threshold, threshold)))
    return Section("How it adds up", (Table(columns, tuple(rows)),))


def _stretch(one: Stretch, threshold: float, *, assumed: bool) -> tuple[Cell, ...]:
    if isinstance(one.term, Dimension):
        hatched = assumed and one.term is Dimension.NOVELTY
        name = Cell(DIMENSION_NAMES[one.term], dimension=one.term)
        bar = Bar(one.start, one.end, one.term, hatched, threshold)
    else:
        name, bar = Cell(RULE_NAMES[one.term]), Bar(one.start, one.end, threshold=threshold)
    return (
        name,
        Cell(bar=bar),
        Cell(one.shown_start, one.start),
        Cell(one.shown_change, one.change),
        Cell(one.shown_end, one.end),
    )
