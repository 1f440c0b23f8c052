"""The words for what a trace can reach, and for changes that reach the threshold together."""

from collections.abc import Iterator, Sequence

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.gates import Cause
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.combinations import Combination, StepCounts
from kpinspector.scoring.whatif.reach import ReachKind, TraceReach
from kpinspector.words.change_words import ChangeWords, change_phrase, change_remarks, flip_words
from kpinspector.words.figures import shown_at_least, shown_at_most, shown_reach, shown_score
from kpinspector.words.say import Names, say, say_all, say_any, say_count, say_list
from kpinspector.words.sentences import (
    DIMENSION_WORDS,
    RULE_WORDS,
    Sentence,
    capitalised,
    joined,
    say_sentence,
)

REACH_NAMES = Names(
    {
        ReachKind.ACCEPTED: Phrase("as it is"),
        ReachKind.SCHEMA: Phrase("once its schema is right"),
        ReachKind.NOVELTY: Phrase("with more novelty"),
        ReachKind.OUTCOME: Phrase("with a better outcome"),
        ReachKind.BOTH: Phrase("with a better outcome and more novelty"),
        ReachKind.STRUCTURE: Phrase("not with its steps"),
        ReachKind.UNDECIDED: Phrase("undecided"),
    }
)
REACH_WORDS = Names(
    {
        ReachKind.ACCEPTED: Phrase("accepted"),
        ReachKind.SCHEMA: Phrase("schema"),
        ReachKind.NOVELTY: Phrase("novelty"),
        ReachKind.OUTCOME: Phrase("outcome"),
        ReachKind.BOTH: Phrase("both"),
        ReachKind.STRUCTURE: Phrase("structure"),
        ReachKind.UNDECIDED: Phrase("undecided"),
    }
)
REACH_PHRASES = Names(
    {
        ReachKind.ACCEPTED: Phrase("passes"),
        ReachKind.SCHEMA: Phrase("would pass, but is refused by the schema"),
        ReachKind.NOVELTY: Phrase("passes with more novelty"),
        ReachKind.OUTCOME: Phrase("passes with a better outcome"),
        ReachKind.BOTH: Phrase("passes with a better outcome and more novelty"),
        ReachKind.STRUCTURE: Phrase("cannot pass with these steps"),
        ReachKind.UNDECIDED: Phrase("hangs on an outcome that is not known"),
    }
)
_CERTAIN = shown_at_least(1.0)
_NOT_AT_ALL = shown_at_most(0.0)


def cause_name(cause: Cause) -> str:
    """What a rejection is put down to first, in a word or two."""
    if isinstance(cause, Dimension):
        return DIMENSION_WORDS[cause]
    return RULE_WORDS[cause] if isinstance(cause, Rule) else say("schema")


def reach_answer(
    reach: TraceReach, facts: Facts, needed: Sequence[StepCounts], threshold: float
) -> Sentence:
    """What it takes to pass; nothing where the score passes.

    ``needed`` are the other steps with which a trace can pass that cannot with its own.
    """
    if reach.kind in (ReachKind.ACCEPTED, ReachKind.SCHEMA):
        return ()
    if reach.kind is ReachKind.NOVELTY:
        if (most := _most(reach)) == _NOT_AT_ALL:
            return say_sentence("It passes where nothing is similar to it at all.")
        return say_sentence(
            "It passes where nothing is more than {similarity} similar.", similarity=most
        )
    return joined(_if_new(reach, facts, threshold), *_takes(reach, facts, needed, threshold))


def _if_new(reach: TraceReach, facts: Facts, threshold: float) -> Sentence:
    score = shown_score(reach.if_new, threshold)
    if not facts.success:
        return say_sentence(
            "The *run failed*: even a wholly new text would score {score}.", score=score
        )
    if reach.kind is ReachKind.STRUCTURE:
        return ()
    return say_sentence("Even a wholly new text would score {score}.", score=score)


def _takes(
    reach: TraceReach, facts: Facts, needed: Sequence[StepCounts], threshold: float
) -> Iterator[Sentence]:
    if reach.kind is ReachKind.STRUCTURE:
        best = shown_score(reach.at_best, threshold)
        yield say_sentence("It *cannot pass*: at best {score}.", score=best)
        if needed:
            yield needed_sentence(needed)
        return
    ending = outcome_phrase(reach, facts)
    if reach.kind is ReachKind.OUTCOME:
        yield say_sentence("It would pass {ending}.", ending=ending)
        return
    yield _both(ending, _most(reach), succeeded=facts.success)


def _both(ending: str, most: str, *, succeeded: bool) -> Sentence:
    """A better outcome and more novelty; the ending of a run that succeeded has no "if"."""
    if most == _NOT_AT_ALL:
        if succeeded:
            return say_sentence(
                "It would pass {ending} if nothing were similar to it at all.", ending=ending
            )
        return say_sentence(
            "It would pass {ending} and nothing were similar to it at all.", ending=ending
        )
    if succeeded:
        return say_sentence(
            "It would pass {ending} if nothing were more than {similarity} similar.",
            ending=ending,
            similarity=most,
        )
    return say_sentence(
        "It would pass {ending} and nothing were more than {similarity} similar.",
        ending=ending,
        similarity=most,
    )


def outcome_phrase(reach: TraceReach, facts: Facts) -> str:
    """How the run would have to have ended."""
    least = reach.confidence
    if least is None or least <= facts.confidence:
        return say("if it had succeeded")
    value = shown_at_least(least)
    if value == _CERTAIN:
        if facts.success:
            return say("with confidence 1")
        return say("if it had succeeded with confidence 1")
    if facts.success:
        return say("with confidence {value} or more", value=value)
    return say("if it had succeeded with confidence {value} or more", value=value)


def _most(reach: TraceReach) -> str:
    return "" if reach.similarity is None else shown_at_most(reach.similarity)


def needed_sentence(needed: Sequence[StepCounts]) -> Sentence:
    """The steps any of which are enough."""
    steps = say_any([say_all([*_counted(one)]) for one in needed])
    return say_sentence("It needs {steps}.", steps=steps)


def _counted(counts: StepCounts) -> Iterator[str]:
    if counts.tools:
        yield say_count("one more tool", "{number} more tools", counts.tools)
    if counts.recoveries:
        yield say_count("one more recovery", "{number} more recoveries", counts.recoveries)
    if counts.types:
        yield say_count("a step of a new type", "{number} steps of new types", counts.types)
    if counts.removals:
        yield say_count("one step fewer", "{number} steps fewer", counts.removals)


def combination_words(found: Combination, measurement: Measurement) -> ChangeWords:
    """All changes of a combination in one line, what is so now, and the score after it."""
    phrases = [change_phrase(one, measurement) for one in found.changes]
    remarks = [*(change_remarks(one, measurement) for one in found.changes)]
    after = found.after
    return ChangeWords(
        change=capitalised(say_all(phrases)),
        beside=say_list((*remarks, *flip_words(found.after, found.flips))),
        score=shown_reach(after.score, after.threshold),
    )
