"""The words for a recorded quality score: how far off it is, and what would have given it."""

from collections.abc import Iterator, Sequence

from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.report.recorded import Cause, NoveltyRange, OtherNovelty, Recorded
from kpinspector.words.figures import (
    SCORE_DECIMALS,
    shown_at_least,
    shown_at_most,
    shown_difference,
    shown_pair,
    shown_range,
    shown_short,
)
from kpinspector.words.say import say, say_all, say_any, say_count
from kpinspector.words.sentences import RULE_WORDS, capitalised

_MOST_CAUSES = 3
_EMPTY_CACHE = Cause(novelty=OtherNovelty.EMPTY_CACHE)


def recorded_words(found: Recorded) -> tuple[str, ...]:
    """How the recorded score differs from the recomputed one, then what gives it."""
    if found.agrees:
        return (_same(found),)
    difference = _difference(found)
    if found.close:
        close = say(
            "{difference}, too close to tell it from the SDK's own number.", difference=difference
        )
        return (close,)
    return (say("{difference}.", difference=difference), _explanation(found))


def _written(found: Recorded) -> str:
    if found.decimals <= SCORE_DECIMALS:
        return shown_short(found.score)
    return shown_pair(found.score, found.recomputed)[0]


def _same(found: Recorded) -> str:
    score = _written(found)
    if found.decimals > SCORE_DECIMALS:
        return say("Recorded quality score {score}: the same as recomputed.", score=score)
    return say_count(
        "Recorded quality score {score}: the same as recomputed, to {number} decimal.",
        "Recorded quality score {score}: the same as recomputed, to {number} decimals.",
        found.decimals,
        score=score,
    )


def _difference(found: Recorded) -> str:
    score, recomputed = shown_pair(found.score, found.recomputed)
    size = shown_difference(score, recomputed).removeprefix("\N{MINUS SIGN}")
    score = _written(found)
    if found.difference > 0:
        return say(
            "Recorded quality score {score}: {size} above the recomputed one",
            score=score,
            size=size,
        )
    return say(
        "Recorded quality score {score}: {size} below the recomputed one", score=score, size=size
    )


def _explanation(found: Recorded) -> str:
    """What gives the number, or that no novelty does."""
    ways = list(_ways(found.causes))
    if found.novelty is None:
        if not ways:
            return say(
                "No novelty in 0 to 1 gives this number, nor does another profile or a rule"
                " left out."
            )
        return say(
            "{ways} gives this number; no novelty in 0 to 1 does.", ways=capitalised(say_any(ways))
        )
    if _EMPTY_CACHE not in found.causes:
        novelty = _shown_novelty(found.novelty, found.novelty_now)
        ways.append(say("novelty {novelty}", novelty=novelty))
    return say("{ways} gives this number.", ways=capitalised(say_any(ways)))


def _shown_novelty(novelty: NoveltyRange, now: float) -> str:
    """A range rounded inwards, so that all of it gives the number; else the nearest figure."""
    low, high = shown_at_least(novelty.low), shown_at_most(novelty.high)
    if float(low) > float(high):
        return shown_pair((novelty.low + novelty.high) / 2, now)[0]
    return shown_range(low, high)


def _ways(causes: Sequence[Cause]) -> Iterator[str]:
    yield from map(_way, causes[:_MOST_CAUSES])
    more = len(causes) - _MOST_CAUSES
    if more > 0:
        yield say_count("one more way", "one of {number} more ways", more)


def _way(cause: Cause) -> str:
    way = _cache_and_profile(cause)
    if not cause.without:
        return way
    rules = _rules(cause.without)
    return say("{way} without {rules}", way=way or say("the score"), rules=rules)


def _cache_and_profile(cause: Cause) -> str:
    novelty = {
        OtherNovelty.EMPTY_CACHE: say("an empty cache"),
        OtherNovelty.UNCLAMPED: say("the SDK's novelty above 1"),
    }
    cache = "" if cause.novelty is None else novelty[cause.novelty]
    if cause.profile is None:
        return cache
    profile = say("profile {profile}", profile=cause.profile.name)
    return say("{profile} with {novelty}", profile=profile, novelty=cache) if cache else profile


def _rules(rules: Sequence[Rule]) -> str:
    return say_all([RULE_WORDS[rule] for rule in rules])
