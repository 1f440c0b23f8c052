"""The words for a recorded quality score: how far off it is, and what would have given it."""

from collections.abc import Iterator, Sequence

from kpinspector.scoring.formula.overrides import Rule, count
from kpinspector.scoring.report.recorded import Cause, NoveltyRange, OtherNovelty, Recorded
from kpinspector.trace.read import MoreProblems, Problem, ProblemKind, Skipped
from kpinspector.words.figures import (
    SCORE_DECIMALS,
    shown_at_least,
    shown_at_most,
    shown_count,
    shown_difference,
    shown_pair,
    shown_range,
    shown_short,
)
from kpinspector.words.sentences import RULE_NAMES, Run, Sentence, capitalised

NO_SCORE = "no score"


def unscored_word(item: Problem | Skipped) -> str:
    """Why there is no verdict."""
    if isinstance(item, Skipped):
        return "Skipped"
    return "Not readable" if item.kind is ProblemKind.UNREADABLE else "Not scorable"


def unscored_sentence(item: Problem | Skipped) -> Sentence:
    """What stands in the way of a score."""
    match item:
        case Skipped():
            return (Run(f"Nothing to score: {item.reason}."),)
        case MoreProblems():
            return (Run(f"Of the problems of this file the first are listed, {item.message}."),)
        case Problem(kind=ProblemKind.UNREADABLE):
            return _unreadable(item)
        case _:
            return _not_scorable(item)


def _unreadable(problem: Problem) -> Sentence:
    if problem.line is None:
        return (Run(f"There is no trace to score: {problem.message}."),)
    return (
        Run("There is no trace to score: reading stopped at "),
        Run(f"line {shown_count(problem.line)}", strong=True),
        Run("."),
    )


def _not_scorable(problem: Problem) -> Sentence:
    start = Run("The formula cannot be evaluated: ")
    if not (problem.expected and problem.found):
        return (start, Run(f"{problem.message}."))
    place = Run(problem.json_path or "the record", strong=True)
    return (start, place, Run(f": expected {problem.expected}, found {problem.found}."))


_MOST_CAUSES = 3
_EMPTY_CACHE = Cause(novelty=OtherNovelty.EMPTY_CACHE)


def recorded_words(found: Recorded) -> tuple[str, ...]:
    """How the recorded score differs from the recomputed one, then what gives it."""
    if found.agrees:
        return (f"Recorded quality score {_written(found)}: the same as recomputed{_to(found)}.",)
    difference = _difference(found)
    if found.close:
        return (f"{difference}, too close to tell it from the SDK's own number.",)
    return (f"{difference}.", _explanation(found))


def _written(found: Recorded) -> str:
    if found.decimals <= SCORE_DECIMALS:
        return shown_short(found.score)
    return shown_pair(found.score, found.recomputed)[0]


def _to(found: Recorded) -> str:
    if found.decimals > SCORE_DECIMALS:
        return ""
    return f", to {count(found.decimals, 'decimal', 'decimals')}"


def _difference(found: Recorded) -> str:
    score, recomputed = shown_pair(found.score, found.recomputed)
    size = shown_difference(score, recomputed).removeprefix("\N{MINUS SIGN}")
    side = "above" if found.difference > 0 else "below"
    return f"Recorded quality score {_written(found)}: {size} {side} the recomputed one"


def _explanation(found: Recorded) -> str:
    """What gives the number, or that no novelty does."""
    ways = list(_ways(found.causes))
    if found.novelty is None:
        if not ways:
            nor = "nor does another profile or a rule left out"
            return f"No novelty in 0 to 1 gives this number, {nor}."
        return f"{_either(ways)} gives this number; no novelty in 0 to 1 does."
    if _EMPTY_CACHE not in found.causes:
        ways.append(f"novelty {_shown_novelty(found.novelty, found.novelty_now)}")
    return f"{_either(ways)} gives this number."


def _shown_novelty(novelty: NoveltyRange, now: float) -> str:
    """A range rounded inwards, so that all of it gives the number; else what is nearest to it."""
    low, high = shown_at_least(novelty.low), shown_at_most(novelty.high)
    if float(low) > float(high):
        return shown_pair((novelty.low + novelty.high) / 2, now)[0]
    return shown_range(low, high)


def _ways(causes: Sequence[Cause]) -> Iterator[str]:
    yield from map(_way, causes[:_MOST_CAUSES])
    more = len(causes) - _MOST_CAUSES
    if more > 0:
        yield "one more way" if more == 1 else f"one of {shown_count(more)} more ways"


def _way(cause: Cause) -> str:
    parts = []
    if cause.profile is not None:
        parts.append(f"profile {cause.profile.name}")
    if cause.novelty is OtherNovelty.EMPTY_CACHE:
        parts.append("an empty cache")
    elif cause.novelty is OtherNovelty.UNCLAMPED:
        parts.append("the SDK's novelty above 1")
    way = " with ".join(parts) or "the score"
    return f"{way} without {_rules(cause.without)}" if cause.without else way


def _rules(rules: Sequence[Rule]) -> str:
    return " and ".join(RULE_NAMES[rule].lower() for rule in rules)


def _either(ways: Sequence[str]) -> str:
    """One way, or several of which each will do, as the beginning of a sentence."""
    text = " or ".join((", ".join(ways[:-1]), ways[-1]) if len(ways) > 1 else ways)
    return capitalised(text)
