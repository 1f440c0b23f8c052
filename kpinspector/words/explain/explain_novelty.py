"""What novelty came of, as sections: the nearest entries, the order, the embedding window."""

from kpinspector.scoring.findings import Finding, Neighbour
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Reach, with_finding
from kpinspector.scoring.formula.overrides import count
from kpinspector.scoring.novelty.neighbours import Influence, Standing, compare_findings, influences
from kpinspector.scoring.novelty.on_request import WholeNovelty
from kpinspector.scoring.novelty.order import Order
from kpinspector.trace.model import quoted
from kpinspector.words.explain.explanation import (
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
    SETS_NOVELTY,
    UNCHANGED,
    compared_words,
    neighbour_place,
    place_names,
    standing_words,
    today_sentence,
    unseen_sentence,
    without_score,
)
from kpinspector.words.sentences import Run

_ABOUT = (Column("objective"), Column("id"), Column("file"))


def neighbours_section(measurement: Measurement, assessment: Assessment) -> Section:
    """The nearest entries of the finding, and the score without each."""
    columns = (
        Column("entry"),
        Column("similarity", figure=True),
        Column("without it", figure=True),
        Column("then"),
        *_ABOUT,
    )
    novelty = measurement.novelty
    found = influences(measurement, assessment.profile, assessment.threshold)
    rows = map(_neighbour, found, novelty.names)
    return Section("Neighbours", (Table(columns, tuple(rows)),), compared_words(novelty))


def _neighbour(one: Influence, name: str) -> tuple[Cell, ...]:
    near, without = one.neighbour, one.without.assessment
    return (
        Cell(f"{name}, {SETS_NOVELTY}" if one.sets_novelty else name, strong=one.sets_novelty),
        Cell(shown_number(near.similarity), near.similarity),
        Cell(without_score(one.without), without.score),
        verdict_cell(without) if one.changes else Cell(UNCHANGED),
        *_about(near),
    )


def _about(near: Neighbour) -> tuple[Cell, ...]:
    """What a neighbour is, whatever it is called."""
    return Cell(quoted(near.objective)), Cell(near.trace_id or ""), Cell(neighbour_place(near))


def today_section(measurement: Measurement, assessment: Assessment, today: Finding) -> Section:
    """Today's nearest entries, and the score if the trace were scored again."""
    again = with_finding(measurement, today)
    then = assess(again, assessment.profile, assessment.threshold)
    comparison = compare_findings(measurement.novelty, today)
    columns = (
        Column("entry"),
        Column("similarity", figure=True),
        Column("since then"),
        *_ABOUT,
    )
    rows = tuple(map(_standing, comparison.nearest, again.novelty.names))
    sentence = Paragraph(today_sentence(then, comparison))
    blocks = (sentence, Table(columns, rows)) if rows else (sentence,)
    return Section("Today's neighbours", blocks, compared_words(today))


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
    columns = (Column("place"), Column("score", figure=True), Column("then"))
    places = zip(place_names(order), (order.first, order.placed, order.after), strict=True)
    rows = tuple((Cell(name), score_cell(one), verdict_cell(one)) for name, one in places)
    return Section("Order", (Table(columns, rows),), "novelty depends on what came before")


def window_section(reach: Reach, steps: int, whole: WholeNovelty | None) -> Section:
    """How far the embedder saw, what it did not see, and on request what that would change."""
    sentence = unseen_sentence(reach)
    if whole is not None:
        sentence = unseen_sentence(reach, whole.text, whole.finding)
    blocks = [Paragraph(sentence)]
    behind = steps if reach.ends_at_step is None else steps - reach.ends_at_step - 1
    if reach.truncated and behind:
        of = count(steps, "step", "steps")
        blocks.append(Paragraph((Run(f"It saw nothing of {shown_count(behind)} of {of}."),)))
    return Section("What novelty sees", tuple(blocks))
