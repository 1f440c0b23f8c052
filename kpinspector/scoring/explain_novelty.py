"""What novelty came of, as sections: the nearest entries, the order, the embedding window."""

from kpinspector.scoring.assess import Assessment
from kpinspector.scoring.explanation import Cell, Column, Paragraph, Section, Table, sign_of
from kpinspector.scoring.figures import shown_count, shown_number, shown_score
from kpinspector.scoring.measure import Measurement, Reach
from kpinspector.scoring.neighbours import Influence, influences
from kpinspector.scoring.order import Order
from kpinspector.scoring.overrides import count
from kpinspector.scoring.sentences import Run, neighbour_name, verdict_word
from kpinspector.trace.model import quoted


def neighbours_section(measurement: Measurement, assessment: Assessment) -> Section:
    """The nearest entries of the finding, and the score without each."""
    columns = (
        Column("entry"),
        Column("similarity", figure=True),
        Column("without it", figure=True),
        Column("then"),
        Column("objective"),
    )
    found = influences(measurement, assessment.profile, assessment.threshold)
    others = measurement.novelty.neighbours
    rows = tuple(_neighbour(one, neighbour_name(one.neighbour, others)) for one in found)
    of = shown_count(measurement.novelty.compared_with)
    return Section("Neighbours", (Table(columns, rows),), f"the nearest of {of}")


def _neighbour(one: Influence, name: str) -> tuple[Cell, ...]:
    near, without = one.neighbour, one.without.assessment
    score = shown_score(without.score, without.threshold)
    then = verdict_word(without.verdict).lower()
    return (
        Cell(f"{name}, sets novelty" if one.sets_novelty else name, strong=one.sets_novelty),
        Cell(shown_number(near.similarity), near.similarity),
        Cell(score if one.without.exact else f"at least {score}", without.score),
        Cell(then if one.changes else f"{then}, as now", sign=sign_of(without.verdict)),
        Cell(quoted(near.objective)),
    )


def order_section(order: Order) -> Section:
    """The score at three places in the order of traces."""
    columns = (Column("compared with"), Column("score", figure=True), Column("then"))
    before = count(order.place - 1, "entry", "entries", none="nothing")
    places = (
        ("nothing, had it come first", order.first),
        (f"{before}, as it came", order.placed),
        ("itself, if it came again", order.after),
    )
    rows = tuple(_place(words, assessment) for words, assessment in places)
    return Section("Order", (Table(columns, rows),), "novelty depends on what came before")


def _place(words: str, assessment: Assessment) -> tuple[Cell, ...]:
    return (
        Cell(words),
        Cell(shown_score(assessment.score, assessment.threshold), assessment.score),
        Cell(verdict_word(assessment.verdict).lower(), sign=sign_of(assessment.verdict)),
    )


def window_section(reach: Reach, steps: int) -> Section:
    """How far the embedder saw, and what it did not see."""
    return Section("What novelty sees", (Paragraph((Run(_window_words(reach, steps)),)),))


def _window_words(reach: Reach, steps: int) -> str:
    tokens = count(reach.tokens, "token", "tokens")
    if not reach.truncated:
        return f"All of the text: {tokens}."
    if reach.ends_at_step is None:
        rest = f"and no step of {shown_count(steps)}" if steps else "and nothing after it"
        return f"The first {tokens}: the beginning of the objective, {rest}."
    last = steps - 1
    end = f"The first {tokens}: the window ends in step {shown_count(reach.ends_at_step)}"
    left = last - reach.ends_at_step
    if not left:
        return f"{end}, which is the last."
    return f"{end}, and {count(left, 'step after it is', 'steps after it are')} not seen."
