"""The words for neighbours, for order, and for what novelty did not see."""

from collections.abc import Sequence
from pathlib import PurePath

from kpinspector.scoring.findings import (
    Finding,
    Named,
    Neighbour,
    named_by_objective,
    neighbour_names,
)
from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.measurement import Novelty, Reach, novelty_of
from kpinspector.scoring.novelty.neighbours import (
    Comparison,
    NeighbourTrace,
    Standing,
    TextState,
    Without,
)
from kpinspector.scoring.novelty.order import Order
from kpinspector.scoring.novelty.step_ranking import StepFall, StepRanking
from kpinspector.scoring.novelty.whole_text import WholeFinding, WholeText
from kpinspector.trace.records import at_record
from kpinspector.words.figures import (
    plain,
    shown_count,
    shown_difference,
    shown_number,
    shown_score,
)
from kpinspector.words.sentences import Run, Sentence

SETS_NOVELTY = "sets novelty"
UNCHANGED = "score unchanged"
WITHOUT_IT = "without it"
NOT_THE_SDKS = "the SDK does not compute this"

_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(11, 14)
_NAMED_GONE = 2


def ordinal(number: int) -> str:
    """``1st``, ``12th``, ``413th``, ``1,001st``."""
    ending = "th" if number % 100 in _TEENS else _ENDINGS.get(number % 10, "th")
    return f"{shown_count(number)}{ending}"


def place_names(order: Order) -> tuple[str, str, str]:
    """What the three places are called: first, as it was found, after itself."""
    return "Scored first", f"At its place, {ordinal(order.place)}", "After itself"


def neighbour_about(neighbour: Named, others: Sequence[Named] = ()) -> str:
    """What to say beside the name: the objective, or the file where the objective is the name."""
    if named_by_objective(neighbour, others):
        return PurePath(neighbour.source_path).name
    return neighbour.objective


def neighbour_place(neighbour: Neighbour) -> str:
    """The file that it came from, and its record there, as paths are given."""
    return at_record(neighbour.source_path, neighbour.record)


def compared_words(novelty: Novelty | Finding) -> str:
    """Of how many the nearest are."""
    return f"of {shown_count(novelty.compared_with)} compared"


def without_score(without: Without) -> str:
    """The score without some entries, or the least that it can be."""
    after = without.assessment
    score = shown_score(after.score, after.threshold)
    return score if without.exact else f"at least {score}"


def standing_words(standing: Standing) -> str:
    """What has become of one of today's nearest since the trace was scored."""
    if standing.before is None:
        return "new since then" if standing.is_news else "not among the nearest then"
    if not standing.changed:
        return "as it was"
    return f"was {shown_number(standing.before)}"


def today_sentence(today: Assessment, comparison: Comparison) -> Sentence:
    """What the score would be if the trace were scored again, and what has changed."""
    score = shown_score(today.score, today.threshold)
    start = (Run("Scored again now, it would have "), Run(score, strong=True), Run("."))
    return (*start, *_gone(comparison.gone, comparison.own))


def _gone(gone: tuple[Neighbour, ...], own: Named | None) -> Sentence:
    if not gone:
        return ()
    names = [Run(name, strong=True) for name in neighbour_names(gone, own)[:_NAMED_GONE]]
    more = len(gone) - len(names)
    between = [Run(", "), Run(" and ")]
    if more:
        names.append(Run(f"{shown_count(more)} more"))
    words = [Run(" Not remembered like that any more: "), names[0]]
    for number, name in enumerate(names[1:], start=2):
        words += [between[number == len(names)], name]
    return (*words, Run("."))


def fall_words(fall: StepFall, ranking: StepRanking) -> str:
    """By how much the similarity changes without a step, from figure to figure as shown."""
    with_it, without = shown_number(ranking.similarity), shown_number(fall.similarity)
    words = shown_difference(without, with_it, signed=True)
    return words if float(plain(words)) else words.lstrip("+")


def ranking_remark(ranking: StepRanking, neighbour: Neighbour) -> str:
    """That the neighbour is not as it was when the trace was scored; empty where it is."""
    then, now = shown_number(neighbour.similarity), shown_number(ranking.similarity)
    if then == now:
        return ""
    return f"The neighbour was another text then, {then} similar; today's is {now} similar."


def unseen_sentence(
    reach: Reach, whole: WholeText | None = None, finding: WholeFinding | None = None
) -> Sentence:
    """What lies behind the window, and what novelty would be with it."""
    return (*_seen(reach, whole), *_whole_novelty(finding))


def _seen(reach: Reach, whole: WholeText | None) -> Sentence:
    if not reach.truncated:
        return (Run(f"Novelty saw the whole text, {shown_count(reach.tokens)} tokens."),)
    step = reach.ends_at_step
    place = "the objective" if step is None else f"step {shown_count(step)}"
    if whole is None or not whole.counted:
        return (Run(f"Novelty saw the first {shown_count(reach.tokens)} tokens, up to {place}."),)
    if whole.tokens <= reach.tokens:
        return (Run(f"Novelty saw all {shown_count(reach.tokens)} tokens of the text."),)
    first, last = shown_count(reach.tokens + 1), shown_count(whole.tokens)
    return (Run(f"Tokens {first} to {last}, from {place} on."),)


def _whole_novelty(finding: WholeFinding | None) -> Sentence:
    if finding is None:
        return ()
    if finding.max_similarity is None or finding.nearest is None:
        return (Run(" No other trace is at hand whose whole text it could be compared with."),)
    value = shown_number(novelty_of(finding.max_similarity))
    number = finding.compared_with
    texts = "one other" if number == 1 else f"{shown_count(number)} others"
    return (
        Run(" Whole text against whole text, novelty would be "),
        Run(value, strong=True),
        Run(f" among the traces at hand, {texts}, "),
        Run(finding.name, strong=True),
        Run(f" being nearest; {NOT_THE_SDKS}."),
    )


def remark_on(name: str, found: NeighbourTrace) -> tuple[str, ...]:
    """What a reader should know of how a neighbour's trace was had, one sentence each."""
    said = {
        TextState.CHANGED: f"{name} has changed since it was remembered; this is its text now.",
        TextState.REMEMBERED_ANEW: f"{name} was remembered anew after it had been compared with; "
        "its text may have been another then.",
        TextState.UNKNOWN: f"Nothing tells whether {name} has changed: its text is no longer "
        "remembered.",
    }
    novelty = found.measured.measurement.novelty
    measured = (
        ()
        if novelty.remembered or novelty.assumed
        else (f"The novelty of {name} is measured against today's memory, and not remembered.",)
    )
    return (*filter(None, [said.get(found.state)]), *measured)
