"""The sections beside the terms of a score: changes, recorded score, profiles, issues."""

from collections.abc import Iterable, Iterator, Sequence

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.scoring.report.recorded import Recorded
from kpinspector.scoring.whatif.changes import Change
from kpinspector.scoring.whatif.combinations import Combination
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals
from kpinspector.scoring.whatif.whatif import Needed
from kpinspector.trace.clear import masked_in
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.words.change_words import (
    NOT_ADVICE,
    change_phrase,
    change_words,
)
from kpinspector.words.explain.blocks import (
    Cell,
    Column,
    Paragraph,
    Section,
    Table,
    range_cells,
    verdict_cell,
)
from kpinspector.words.figures import shown_at_least, shown_value
from kpinspector.words.reach_words import combination_words
from kpinspector.words.recorded_words import recorded_words
from kpinspector.words.say import Names, in_words, say, say_count, say_list
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_WORDS, Run
from kpinspector.words.sums import ShownSum, shown_sum

_MOST_ISSUES = 50
_SEVERITIES = Names({Severity.ERROR: Phrase("error"), Severity.WARNING: Phrase("warning")})


def changes_section(
    found: Counterfactuals, measurement: Measurement, *, only_helping: bool = False
) -> Section:
    """What would bring a rejected score to the threshold, and what a dimension alone needs.

    ``only_helping`` leaves out what never does.
    """
    blocks: list[Paragraph | Table] = []
    if not found.reached:
        blocks.append(Paragraph((Run(say("No single change reaches the threshold.")),)))
    columns = (
        Column(say("change")),
        Column(say("remarks")),
        Column(say("score"), figure=True),
        Column(say("then")),
    )
    shown = (change for change in found.changes if change.reaches or not only_helping)
    rows = tuple(_change(change, measurement) for change in shown)
    if rows:
        blocks.append(Table(columns, rows))
    rows = tuple(_combination(one, measurement) for one in found.combinations)
    if rows:
        blocks.append(Table((Column(say("changes together")), *columns[1:]), rows))
    alone = (
        Column(say("dimension alone")),
        Column(say("now"), figure=True),
        Column(say("needs"), figure=True),
    )
    rows = tuple(
        _needed(one, change, measurement)
        for one in found.needed
        if (change := found.alone(one.dimension)) is not None
    )
    if rows:
        blocks.append(Table(alone, rows))
    return Section(say("What would change it"), tuple(blocks), in_words(NOT_ADVICE))


def _change(change: Change, measurement: Measurement) -> tuple[Cell, ...]:
    words, after = change_words(change, measurement), change.after
    return (
        Cell(words.change, dimension=change.dimension),
        Cell(words.beside),
        Cell(words.score, after.score),
        verdict_cell(after),
    )


def _combination(found: Combination, measurement: Measurement) -> tuple[Cell, ...]:
    words, after = combination_words(found, measurement), found.after
    return (
        Cell(words.change),
        Cell(words.beside),
        Cell(words.score, after.score),
        verdict_cell(after),
    )


def _needed(needed: Needed, change: Change, measurement: Measurement) -> tuple[Cell, ...]:
    """The value that a dimension alone would need, or else a change of it that is enough."""
    least = None if needed.value is None else shown_at_least(needed.value)
    return (
        Cell(DIMENSION_NAMES[needed.dimension], dimension=needed.dimension),
        Cell(shown_value(needed.now), needed.now),
        Cell(least or change_phrase(change, measurement), needed.value),
    )


def recorded_section(found: Recorded) -> Section:
    """The score that the trace records, against the recomputed one."""
    words = (Paragraph((Run(sentence),)) for sentence in recorded_words(found))
    figures = [
        (say("recorded score"), found.score),
        (say("recomputed score"), found.recomputed),
    ]
    if found.novelty is not None:
        figures.append((say("least novelty that gives it"), found.novelty.low))
        figures.append((say("greatest novelty that gives it"), found.novelty.high))
    # whole doubles, as the range may be narrower than any rounding
    rows = tuple((Cell(name), Cell(repr(value), value)) for name, value in figures)
    table = Table((Column(), Column(figure=True)), rows)
    return Section(say("Recorded quality score"), (*words, table))


def profiles_section(profiles: Iterable[Assessment]) -> Section:
    """The same trace under every profile, novelty held: what adds up, score and verdict."""
    columns = (
        Column(say("profile")),
        *(Column(DIMENSION_LETTERS[dimension], figure=True) for dimension in Dimension),
        Column(say("overrides")),
        Column(say("score"), figure=True),
        Column(say("verdict")),
    )
    table = Table(columns, tuple(map(_profile, profiles)))
    return Section(say("Under every profile"), (table,), say("what each term adds"))


def possible_section(ranges: Iterable[ScoreRange]) -> Section:
    """The possible scores under every profile, for a run whose outcome is unknown."""
    columns = (Column(say("profile")), Column(say("score"), figure=True), Column(say("verdict")))
    table = Table(columns, tuple(map(_possible, ranges)))
    return Section(say("Under every profile"), (table,))


def _possible(one: ScoreRange) -> tuple[Cell, ...]:
    return (Cell(one.low.profile.name), *range_cells(one))


def _profile(one: Assessment) -> tuple[Cell, ...]:
    shown = shown_sum(one)
    parts = {term.dimension: term.part for term in one.contributions}
    return (
        Cell(one.profile.name),
        *(Cell(shown.term(dimension).adds, parts[dimension]) for dimension in Dimension),
        Cell(say_list(_fired(one, shown))),
        Cell(shown.score, one.score),
        verdict_cell(one),
    )


def _fired(one: Assessment, shown: ShownSum) -> Iterator[str]:
    for override, change in zip(one.overrides, shown.changes, strict=True):
        if override.applied:
            yield f"{RULE_WORDS[override.rule]} {change.change}"


def issues_section(found: Sequence[Issue]) -> Section:
    """What the schema finds wrong."""
    columns = (Column(say("path")), Column(say("severity")), Column(say("message")))
    blocks: list[Paragraph | Table] = [Table(columns, tuple(_issues(found[:_MOST_ISSUES])))]
    further = count_issues(found) - _MOST_ISSUES
    if further > 0:
        more = say_count("{number} more issue.", "{number} more issues.", further)
        blocks.append(Paragraph((Run(more),)))
    return Section(say("Schema issues"), tuple(blocks))


def _issues(found: Iterable[Issue]) -> Iterator[tuple[Cell, ...]]:
    for issue in found:
        yield (
            Cell(masked_in(issue.path) or say("the record")),
            Cell(_SEVERITIES[issue.severity]),
            Cell(masked_in(in_words(issue.message))),
        )
