"""The sections behind novelty: the nearest entries, the order, the embedding window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kpinspector.scoring.findings import Finding, Neighbour
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty, Reach, with_finding
from kpinspector.scoring.novelty.neighbours import (
    Comparison,
    Influence,
    Order,
    Standing,
    compare_findings,
)
from kpinspector.scoring.novelty.questions import Alike
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.trace.printable import quoted
from kpinspector.words.explain.blocks import (
    Cell,
    Column,
    Mention,
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
    fall_words,
    neighbour_place,
    place_names,
    ranking_remark,
    standing_words,
    today_sentence,
    unseen_sentence,
    without_score,
)
from kpinspector.words.say import in_words, say, say_count
from kpinspector.words.sentences import Run
from kpinspector.words.step_words import kind_word

_MOST_RANKED = 10


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


def neighbours_section(found: Sequence[Influence], novelty: Novelty) -> Section:
    """The nearest entries of the finding, and the score without each."""
    columns = (
        Column(say("entry")),
        Column(say("similarity"), figure=True),
        Column(say("without it"), figure=True),
        Column(say("then")),
        *_about_columns(),
    )
    rows = (
        _neighbour(one, masked_in(name)) for one, name in zip(found, novelty.names, strict=True)
    )
    return Section(say("Neighbours"), (Table(columns, tuple(rows)),), compared_words(novelty))


def _neighbour(one: Influence, name: str) -> tuple[Cell, ...]:
    near, without = one.neighbour, one.without.assessment
    words = say("{name}, sets novelty", name=name) if one.sets_novelty else name
    return (
        Cell(words, strong=one.sets_novelty, mention=Mention(name, near.key)),
        Cell(shown_number(near.similarity), near.similarity),
        Cell(without_score(one.without), without.score),
        verdict_cell(without) if one.changes else Cell(in_words(UNCHANGED)),
        *_about(near),
    )


def _about_columns() -> tuple[Column, ...]:
    return Column(say("objective")), Column(say("id")), Column(say("file"))


def _about(near: Neighbour) -> tuple[Cell, ...]:
    """What a neighbour is, whatever it is called."""
    about = Cell(quoted(near.objective)), Cell(masked_in(near.trace_id or ""))
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
        Cell(name, mention=Mention(name, near.key)),
        Cell(shown_number(near.similarity), near.similarity),
        Cell(standing_words(standing)),
        *_about(near),
    )


def alike_section(alike: Alike, steps: Sequence[Step], novelty: Novelty) -> Section:
    """What makes a trace like its nearest neighbour: the steps, the words, the prompt."""
    ranking, nearest = alike.ranking, novelty.neighbours[0]
    columns = (
        Column(say("step"), figure=True),
        Column(say("kind")),
        Column(say("lost without it"), figure=True),
        Column(say("content")),
    )
    rows = tuple(
        (
            Cell(shown_count(one.step)),
            Cell(kind_word(steps[one.step].kind)),
            Cell(fall_words(one, ranking), -one.fall),
            Cell(quoted(steps[one.step].content)),
        )
        for one in ranking.falls[:_MOST_RANKED]
    )
    sentences = [ranking_remark(ranking, nearest), *shared_words(alike)]
    if not rows:
        sentences.append(say("Novelty sees no step's content."))
    blocks = [Paragraph((Run(one),)) for one in sentences if one]
    note = say("like {nearest}", nearest=masked_in(novelty.names[0]))
    table = (Table(columns, rows),) if rows else ()
    return Section(say("Steps that make them alike"), (*table, *blocks), note)


def shared_words(alike: Alike) -> Iterator[str]:
    """What the texts of both share, where that of the neighbour is at hand."""
    if alike.words is None:
        return
    yield say_count(
        "Of {number} word that novelty sees, it sees {shared} in both.",
        "Of {number} words that novelty sees, it sees {shared} in both.",
        alike.words,
        shared=shown_count(alike.shared_words),
    )
    if alike.same_prompt:
        yield say(
            "The first {same} of {tokens} tokens that novelty reads are the same prompt.",
            same=shown_count(alike.same_prompt),
            tokens=shown_count(alike.tokens),
        )


def order_section(order: Order) -> Section:
    """The score at three places in the order of traces."""
    columns = (Column(say("place")), Column(say("score"), figure=True), Column(say("then")))
    places = zip(place_names(order), (order.first, order.placed, order.after), strict=True)
    rows = tuple((Cell(name), score_cell(one), verdict_cell(one)) for name, one in places)
    note = say("novelty depends on what came before")
    return Section(say("Order"), (Table(columns, rows),), note)


def window_section(reach: Reach, steps: int) -> Section:
    """How much of the text the embedder saw."""
    blocks = [Paragraph(unseen_sentence(reach))]
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
