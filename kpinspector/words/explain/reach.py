"""What a trace can reach, as a section."""

from collections.abc import Sequence

from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.whatif.combinations import StepCounts
from kpinspector.scoring.whatif.reach import ReachKind, ReachRange, TraceReach
from kpinspector.words.explain.blocks import Cell, Column, Paragraph, Section, Table
from kpinspector.words.figures import shown_at_most, shown_score
from kpinspector.words.reach_words import REACH_NAMES, needed_sentence, outcome_phrase
from kpinspector.words.say import say


def reach_section(
    reach: ReachRange, facts: Facts, needed: Sequence[StepCounts], threshold: float
) -> Section:
    """What it takes to pass; with the worst and with the best outcome where it is not known.

    ``needed`` are the other steps with which a trace can pass that cannot with its own.
    """
    if reach.kind is ReachKind.ACCEPTED:
        return Section(say("What it can reach"), ())
    known = reach.low is reach.high
    worst, best = facts.outcome_ends
    ends = ((reach.low, facts),) if known else ((reach.low, worst), (reach.high, best))
    names = (
        say("passes"),
        say("with novelty 1"),
        say("and the best outcome"),
        say("similarity at most"),
        say("outcome"),
    )
    columns = [_end(one, its, threshold) for one, its in ends]
    rows = [row for row in zip(map(Cell, names), *columns, strict=True) if any(map(_says, row[1:]))]
    heads = ("",) if known else (say("worst outcome"), say("best outcome"))
    table = Table((Column(), *map(Column, heads)), tuple(rows))
    more = (Paragraph(needed_sentence(needed)),) if needed else ()
    return Section(say("What it can reach"), (table, *more))


def _end(reach: TraceReach, facts: Facts, threshold: float) -> tuple[Cell, ...]:
    similarity = "" if reach.similarity is None else shown_at_most(reach.similarity)
    ending = "" if reach.confidence is None else outcome_phrase(reach, facts)
    return (
        Cell(REACH_NAMES[reach.kind]),
        Cell(shown_score(reach.if_new, threshold), reach.if_new),
        Cell(shown_score(reach.at_best, threshold), reach.at_best),
        Cell(similarity, reach.similarity),
        Cell(ending, reach.confidence),
    )


def _says(cell: Cell) -> bool:
    return bool(cell.text)
