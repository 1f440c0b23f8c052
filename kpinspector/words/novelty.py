"""Novelty in words and as sections: neighbours, order, text beyond the window."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import Finding, Named, Neighbour, lacks_file_name, neighbour_names
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty, Reach, with_finding
from kpinspector.scoring.novelty import neighbours
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.trace.printable import quoted
from kpinspector.trace.records import at_record, is_machine_name
from kpinspector.words.figures import shown_count, shown_difference, shown_number, shown_score
from kpinspector.words.page import Cell, Mention, Section, figures, paragraph, table, verdict_cell
from kpinspector.words.say import in_words, say, say_count
from kpinspector.words.sentences import Run, Sentence, joined, kind_word, say_sentence

SETS_NOVELTY = Phrase("sets novelty")
UNCHANGED = Phrase("score unchanged")
WITHOUT_IT = Phrase("without it")

_MOST_RANKED = 10


def place_names(order: neighbours.Order) -> tuple[str, str, str]:
    """The names of the three places in the order: first, its own place, after itself."""
    place = say("At its place, {place}", place=shown_count(order.place))
    return say("Scored first"), place, say("After itself")


def neighbour_about(neighbour: Named, others: Sequence[Named] = ()) -> str:
    """The text beside a neighbour's name: its objective, or its file if the objective is the name.

    For a file whose name a machine made, the folder.
    """
    if lacks_file_name(neighbour, others):
        path = PurePath(neighbour.source_path)
        return path.parent.name if is_machine_name(str(path)) else path.name
    return masked_in(neighbour.objective)


def neighbour_place(neighbour: Neighbour) -> str:
    """The file and record that a neighbour came from, such as ``runs.jsonl#3``."""
    return at_record(neighbour.source_path, neighbour.record)


def compared_words(novelty: Novelty | Finding) -> str:
    """How many entries the trace was compared with."""
    return say("of {number} compared", number=shown_count(novelty.compared_with))


def without_score(without: neighbours.Without) -> str:
    """The score without some entries, or the least that it can be."""
    after = without.assessment
    score = shown_score(after.score, after.threshold)
    return score if without.exact else say("at least {value}", value=score)


def standing_words(standing: neighbours.Standing) -> str:
    """How one of today's nearest entries has changed since the trace was scored."""
    if standing.before is None:
        return say("new since then") if standing.is_news else say("not among the nearest then")
    if not standing.changed:
        return say("as it was")
    return say("was {similarity}", similarity=shown_number(standing.before))


def today_sentence(today: Assessment, comparison: neighbours.Comparison) -> Sentence:
    """What the score would be if the trace were scored again, and what has changed."""
    score = shown_score(today.score, today.threshold)
    start = say_sentence("Scored again now, it would have *{score}*.", score=score)
    gone = comparison.gone
    names = zip(neighbour_names(gone, comparison.own), gone, strict=True)
    runs = [(Run(name, strong=True, key=near.key),) for name, near in names]
    match runs:
        case []:
            return start
        case [first, second]:
            listed = say_sentence("{first} and {second}", first=first, second=second)
        case [first, second, *more]:
            number = shown_count(len(more))
            listed = say_sentence(
                "{first}, {second} and {more} more", first=first, second=second, more=number
            )
        case _:
            listed = runs[0]
    return joined(start, say_sentence("Not remembered like that any more: {names}.", names=listed))


def fall_words(fall: neighbours.StepFall, ranking: neighbours.StepRanking) -> str:
    """By how much the similarity falls without a step, as the difference of shown figures."""
    with_it, without = shown_number(ranking.similarity), shown_number(fall.similarity)
    words = shown_difference(without, with_it, signed=True)
    return words if words.strip("+0.") else words.lstrip("+")


def ranking_remark(ranking: neighbours.StepRanking, neighbour: Neighbour) -> str:
    """A sentence if the neighbour has changed since the trace was scored; else empty."""
    then, now = shown_number(neighbour.similarity), shown_number(ranking.similarity)
    if then == now:
        return ""
    return say(
        "The neighbour was another text then, {then} similar; today's is {now} similar.",
        then=then,
        now=now,
    )


def unseen_sentence(reach: Reach) -> Sentence:
    """How much of the text the embedding window held, and where it ended."""
    tokens, step = shown_count(reach.tokens), reach.ends_at_step
    if not reach.truncated:
        return say_sentence("Novelty saw the whole text, {tokens} tokens.", tokens=tokens)
    place = say("the objective") if step is None else say("step {index}", index=shown_count(step))
    return say_sentence(
        "Novelty saw the first {tokens} tokens, up to {place}.", tokens=tokens, place=place
    )


def remark_on(name: str, found: neighbours.NeighbourTrace) -> tuple[str, ...]:
    """Sentences on a neighbour's trace: whether its text is the compared one, how it is scored."""
    said = {
        neighbours.TextState.CHANGED: say(
            "{name} has changed since it was remembered; this is its text now.", name=name
        ),
        neighbours.TextState.REMEMBERED_ANEW: say(
            "{name} was remembered anew after it had been compared with;"
            " its text may have been another then.",
            name=name,
        ),
        neighbours.TextState.UNKNOWN: say(
            "Nothing tells whether {name} has changed: its text is no longer remembered.", name=name
        ),
    }
    new = say(
        "The novelty of {name} is measured against today's memory, and not remembered.", name=name
    )
    novelty = found.measured.measurement.novelty
    known = novelty.remembered or novelty.assumed
    return tuple(filter(None, (said.get(found.state, ""), "" if known else new)))


@dataclass(frozen=True, slots=True)
class Today:
    """Today's nearest entries of a trace, and what it would score if it were scored ``again``."""

    finding: Finding
    again: Measurement
    then: Assessment
    comparison: neighbours.Comparison


def today_of(measurement: Measurement, assessment: Assessment, finding: Finding) -> Today:
    """Judge a trace by today's nearest entries, and compare these with the stored ones."""
    again = with_finding(measurement, finding)
    then = assess(again, assessment.profile, assessment.threshold)
    return Today(finding, again, then, neighbours.compare_findings(measurement.novelty, finding))


def neighbours_section(found: Sequence[neighbours.Influence], novelty: Novelty) -> Section:
    """The nearest entries of the finding, and the score without each."""
    heads = (say("entry"), *figures(say("similarity"), say("without it")), say("then"))
    rows: list[tuple[str | Cell, ...]] = []
    for one, name in zip(found, novelty.names, strict=True):
        near, without, first = one.neighbour, one.without.assessment, one.sets_novelty
        words = say("{name}, sets novelty", name=name) if first else name
        entry = Cell(words, strong=first, mention=Mention(name, near.key))
        similarity = Cell(shown_number(near.similarity), near.similarity)
        score = Cell(without_score(one.without), without.score)
        then = verdict_cell(without.verdict) if one.changes else in_words(UNCHANGED)
        rows.append((entry, similarity, score, then, *_about(near)))
    listed = table((*heads, *_about_heads()), rows)
    return Section(say("Neighbours"), (listed,), compared_words(novelty))


def _about_heads() -> tuple[str, ...]:
    return say("objective"), say("id"), say("file")


def _about(near: Neighbour) -> tuple[str | Cell, ...]:
    place = Cell(neighbour_place(near), is_place=True)
    return quoted(near.objective), masked_in(near.trace_id or ""), place


def today_section(today: Today) -> Section:
    """Today's nearest entries, and the score if the trace were scored again."""
    heads = (say("entry"), *figures(say("similarity")), say("since then"), *_about_heads())
    standings = today.comparison.nearest
    names = today.again.novelty.names
    rows: list[tuple[str | Cell, ...]] = [
        (
            Cell(name, mention=Mention(name, one.neighbour.key)),
            Cell(shown_number(one.neighbour.similarity), one.neighbour.similarity),
            standing_words(one),
            *_about(one.neighbour),
        )
        for one, name in zip(standings, names, strict=False)
    ]
    sentence = paragraph(today_sentence(today.then, today.comparison))
    blocks = (sentence, table(heads, rows)) if rows else (sentence,)
    return Section(say("Today's neighbours"), blocks, compared_words(today.finding))


def alike_section(alike: neighbours.Alike, steps: Sequence[Step], novelty: Novelty) -> Section:
    """What makes a trace like its nearest neighbour: the steps, the words, the prompt."""
    ranking, nearest = alike.ranking, novelty.neighbours[0]
    (step,), (lost,) = figures(say("step")), figures(say("lost without it"))
    heads = (step, say("kind"), lost, say("content"))
    rows = [
        (
            shown_count(one.step),
            kind_word(steps[one.step].kind),
            Cell(fall_words(one, ranking), -one.fall),
            quoted(steps[one.step].content),
        )
        for one in ranking.falls[:_MOST_RANKED]
    ]
    sentences = [ranking_remark(ranking, nearest), *shared_words(alike)]
    if not rows:
        sentences.append(say("Novelty sees no step's content."))
    listed = (table(heads, rows),) if rows else ()
    note = say("like {nearest}", nearest=novelty.names[0])
    blocks = (*listed, *map(paragraph, filter(None, sentences)))
    return Section(say("Steps that make them alike"), blocks, note)


def shared_words(alike: neighbours.Alike) -> Iterator[str]:
    """Sentences on what both texts share; none where the neighbour's text is not at hand."""
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


def order_section(order: neighbours.Order) -> Section:
    """The score at three places in the order of traces."""
    places = zip(place_names(order), (order.first, order.placed, order.after), strict=True)
    scores = ((name, shown_score(one.score, one.threshold), one) for name, one in places)
    rows = (
        (name, Cell(shown, one.score), verdict_cell(one.verdict)) for name, shown, one in scores
    )
    found = table((say("place"), *figures(say("score")), say("then")), rows)
    return Section(say("Order"), (found,), say("novelty depends on what came before"))


def window_section(reach: Reach, steps: int) -> Section:
    """How much of the text the embedder saw."""
    blocks = [paragraph(unseen_sentence(reach))]
    behind = steps if reach.ends_at_step is None else steps - reach.ends_at_step - 1
    if reach.truncated and behind:
        words = say_count(
            "It saw nothing of {behind} of {number} step.",
            "It saw nothing of {behind} of {number} steps.",
            steps,
            behind=shown_count(behind),
        )
        blocks.append(paragraph(words))
    return Section(say("What novelty sees"), tuple(blocks))
