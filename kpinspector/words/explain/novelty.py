"""The sections behind novelty: the nearest entries, the order, the embedding window."""

from collections.abc import Iterable
from dataclasses import dataclass

from kpinspector.scoring.findings import Finding, Neighbour
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty, Reach, with_finding
from kpinspector.scoring.novelty.neighbours import (
    Comparison,
    Influence,
    Standing,
    compare_findings,
)
from kpinspector.scoring.novelty.on_request import WholeNovelty
from kpinspector.scoring.novelty.order import Order
from kpinspector.sharing.clear import masked_in
from kpinspector.trace.printable import quoted
from kpinspector.words.explain.blocks import (
    Cell,
    Column,
    Paragraph,
    Section,
    Table,
    score_cell,
    verdict_cell,
)
from kpinspector.words.figures import shown_count, shown_number
from kpinspector.words.neighbour_words import (
    UNCHANGED,
    compared_words,
    neighbour_place,
    place_names,
    standing_words,
    today_sentence,
    unseen_sentence,
    without_score,
)
from kpinspector.words.say import in_words, say, say_count
from kpinspector.words.sentences import Run


@dataclass(frozen=True, slots=True)
class Today:
    """Today's nearest entries of a trace.

    Attributes:
        again: What would be measured if the trace were scored again.
        then: Its score.
        comparison: What has changed since it was scored.
    """

    finding: Finding
    again: Measurement
    then: Assessment
    comparison: Comparison


def today_of(measurement: Measurement, assessment: Assessment, finding: Finding) -> Today:
    """Judge a trace by today's nearest entries, and compare these with the stored ones."""
    again = with_finding(measurement, finding)
    then = assess(again, assessment.profile, assessment.threshold)
    return Today(finding, again, then, compare_findings(measurement.novelty, finding))


def neighbours_section(found: Iterable[Influence], novelty: Novelty) -> Section:
    """The nearest entries of the finding, and the score without each."""
    columns = (
        Column(say("entry")),
        Column(say("similarity"), figure=True),
        Column(say("without it"), figure=True),
        Column(say("then")),
        *_about_columns(),
    )
    rows = map(_neighbour, found, map(masked_in, novelty.names))
    return Section(say("Neighbours"), (Table(columns, tuple(rows)),), compared_words(novelty))


def _neighbour(one: Influence, name: str) -> tuple[Cell, ...]:
    near, without = one.neighbour, one.without.assessment
    if one.sets_novelty:
        name = say("{name}, sets novelty", name=name)
    return (
        Cell(name, strong=one.sets_novelty),
        Cell(shown_number(near.similarity), near.similarity),
        Cell(without_score(one.without), without.score),
        verdict_cell(without) if one.changes else Cell(in_words(UNCHANGED)),
        *_about(near),
    )


def _about_columns() -> tuple[Column, ...]:
    return Column(say("objective")), Column(say("id")), Column(say("file"))


def _about(near: Neighbour) -> tuple[Cell, ...]:
    """What a neighbour is, whatever it is called."""
    about = Cell(quoted(masked_in(near.objective))), Cell(masked_in(near.trace_id or ""))
    return *about, Cell(neighbour_place(near))


def today_section(today: Today) -> Section:
    """Today's nearest entries, and the score if the trace were scored again."""
    columns = (
        Column(say("entry")),
        Column(say("similarity"), figure=True),
        Column(say("since then")),
        *_about_columns(),
    )
    rows = tuple(
        map(_standing, today.comparison.nearest, map(masked_in, today.again.novelty.names))
    )
    sentence = Paragraph(today_sentence(today.then, today.comparison))
    blocks = (sentence, Table(columns, rows)) if rows else (sentence,)
    return Section(say("Today's neighbours"), blocks, compared_words(today.finding))


def _standing(standing: Standing, name: str) -> tuple[Cell, ...]:
    near = standing.neighbour
    return (
        Cell(name),
        Cell(shown_number(near.similarity), near.similarity),
        Cell(standing_words(standing)),
        *_about(near),
    )


def order_section(order: Order) -> Section:
    """The score at three places in the order of traces."""
    columns = (Column(say("place")), Column(say("score"), figure=True), Column(say("then")))
    places = zip(place_names(order), (order.first, order.placed, order.after), strict=True)
    rows = tuple((Cell(name), score_cell(one), verdict_cell(one)) for name, one in places)
    note = say("novelty depends on what came before")
    return Section(say("Order"), (Table(columns, rows),), note)


def window_section(reach: Reach, steps: int, whole: WholeNovelty | None) -> Section:
    """How much of the text the embedder saw, and, on request, what the rest would change."""
    sentence = unseen_sentence(reach)
    if whole is not None:
        sentence = unseen_sentence(reach, whole.text, whole.finding)
    blocks = [Paragraph(sentence)]
    behind = steps if reach.ends_at_step is None else steps - reach.ends_at_step - 1
    if reach.truncated and behind:
        words = say_count(
            "It saw nothing of {behind} of {number} step.",
            "It saw nothing of {behind} of {number} steps.",
            steps,
            behind=shown_count(behind),
        )
        blocks.append(Paragraph((Run(words),)))
    return Section(say("What novelty sees"), tuple(blocks))
