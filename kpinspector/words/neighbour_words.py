"""The words for neighbours, for order, and for what novelty did not see."""

from collections.abc import Sequence
from pathlib import PurePath

from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import (
    Finding,
    Named,
    Neighbour,
    named_by_objective,
    neighbour_names,
)
from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.measurement import Novelty, Reach
from kpinspector.scoring.novelty.neighbours import Comparison, Order, Standing, Without
from kpinspector.scoring.novelty.questions import NeighbourTrace, StepFall, StepRanking, TextState
from kpinspector.trace.clear import masked_in
from kpinspector.trace.records import at_record
from kpinspector.words.figures import (
    plain,
    shown_count,
    shown_difference,
    shown_number,
    shown_score,
)
from kpinspector.words.say import say
from kpinspector.words.sentences import Run, Sentence, say_sentence

SETS_NOVELTY = Phrase("sets novelty")
UNCHANGED = Phrase("score unchanged")
WITHOUT_IT = Phrase("without it")

_TEENS = range(11, 14)
_NAMED_GONE = 2


def ordinal(number: int) -> str:
    """``1st``, ``12th``, ``413th``, ``1,001st``."""
    shown = shown_count(number)
    match 0 if number % 100 in _TEENS else number % 10:
        case 1:
            return say("{number}st", number=shown)
        case 2:
            return say("{number}nd", number=shown)
        case 3:
            return say("{number}rd", number=shown)
    return say("{number}th", number=shown)


def place_names(order: Order) -> tuple[str, str, str]:
    """The names of the three places in the order: first, its own place, after itself."""
    place = say("At its place, {place}", place=ordinal(order.place))
    return say("Scored first"), place, say("After itself")


def neighbour_about(neighbour: Named, others: Sequence[Named] = ()) -> str:
    """What to say beside the name: the objective, or the file where the objective is the name."""
    if named_by_objective(neighbour, others):
        return PurePath(neighbour.source_path).name
    return masked_in(neighbour.objective)


def neighbour_place(neighbour: Neighbour) -> str:
    """The file that it came from, and its record there, as paths are given."""
    return at_record(neighbour.source_path, neighbour.record)


def compared_words(novelty: Novelty | Finding) -> str:
    """Of how many the nearest are."""
    return say("of {number} compared", number=shown_count(novelty.compared_with))


def without_score(without: Without) -> str:
    """The score without some entries, or the least that it can be."""
    after = without.assessment
    score = shown_score(after.score, after.threshold)
    return score if without.exact else say("at least {value}", value=score)


def standing_words(standing: Standing) -> str:
    """How one of today's nearest entries has changed since the trace was scored."""
    if standing.before is None:
        return say("new since then") if standing.is_news else say("not among the nearest then")
    if not standing.changed:
        return say("as it was")
    return say("was {similarity}", similarity=shown_number(standing.before))


def today_sentence(today: Assessment, comparison: Comparison) -> Sentence:
    """What the score would be if the trace were scored again, and what has changed."""
    score = shown_score(today.score, today.threshold)
    start = say_sentence("Scored again now, it would have *{score}*.", score=score)
    gone = _gone(comparison.gone, comparison.own)
    return (*start, Run(" "), *gone) if gone else start


def _gone(gone: tuple[Neighbour, ...], own: Named | None) -> Sentence:
    if not gone:
        return ()
    names = zip(map(masked_in, neighbour_names(gone, own)), gone, strict=True)
    first, *others = [(Run(name, strong=True, key=near.key),) for name, near in names][:_NAMED_GONE]
    more = len(gone) - len(others) - 1
    if more:
        return say_sentence(
            "Not remembered like that any more: {first}, {second} and {more} more.",
            first=first,
            second=others[0],
            more=shown_count(more),
        )
    if others:
        return say_sentence(
            "Not remembered like that any more: {first} and {second}.",
            first=first,
            second=others[0],
        )
    return say_sentence("Not remembered like that any more: {name}.", name=first)


def fall_words(fall: StepFall, ranking: StepRanking) -> str:
    """By how much the similarity falls without a step, as the difference of shown figures."""
    with_it, without = shown_number(ranking.similarity), shown_number(fall.similarity)
    words = shown_difference(without, with_it, signed=True)
    return words if float(plain(words)) else words.lstrip("+")


def ranking_remark(ranking: StepRanking, neighbour: Neighbour) -> str:
    """Says that the neighbour has changed since the trace was scored; empty where it has not."""
    then, now = shown_number(neighbour.similarity), shown_number(ranking.similarity)
    if then == now:
        return ""
    return say(
        "The neighbour was another text then, {then} similar; today's is {now} similar.",
        then=then,
        now=now,
    )


def unseen_sentence(reach: Reach) -> Sentence:
    """What lies beyond the window."""
    if not reach.truncated:
        return say_sentence(
            "Novelty saw the whole text, {tokens} tokens.", tokens=shown_count(reach.tokens)
        )
    step = reach.ends_at_step
    place = say("the objective") if step is None else say("step {index}", index=shown_count(step))
    return say_sentence(
        "Novelty saw the first {tokens} tokens, up to {place}.",
        tokens=shown_count(reach.tokens),
        place=place,
    )


def remark_on(name: str, found: NeighbourTrace) -> tuple[str, ...]:
    """What a reader should know of where a neighbour's trace comes from, one sentence each."""
    said = {
        TextState.CHANGED: say(
            "{name} has changed since it was remembered; this is its text now.", name=name
        ),
        TextState.REMEMBERED_ANEW: say(
            "{name} was remembered anew after it had been compared with;"
            " its text may have been another then.",
            name=name,
        ),
        TextState.UNKNOWN: say(
            "Nothing tells whether {name} has changed: its text is no longer remembered.",
            name=name,
        ),
    }
    novelty = found.measured.measurement.novelty
    remarks = [said.get(found.state, "")]
    if not (novelty.remembered or novelty.assumed):
        remarks.append(
            say(
                "The novelty of {name} is measured against today's memory, and not remembered.",
                name=name,
            )
        )
    return tuple(filter(None, remarks))
