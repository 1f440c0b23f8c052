"""A score and its verdict as shown, or all that are possible where an outcome is not known."""

from dataclasses import dataclass

from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.words.explain.blocks import Sign, sign_of
from kpinspector.words.figures import shown_interval, shown_range, shown_short, shown_whole
from kpinspector.words.say import say
from kpinspector.words.sentences import verdict_word
from kpinspector.words.sums import shown_sum


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """What is shown beside a name: the shape and the word of its verdict, and the score.

    Attributes:
        whole: The score, or both ends of what is possible, with all digits.
        is_range: There is more than one score.
    """

    sign: Sign
    word: str
    score: str
    threshold: str
    whole: str
    is_range: bool = False


def shown_outcome(
    judged: Assessment,
    possible: ScoreRange | None = None,
    *,
    assumed: bool = False,
    running: bool = False,
) -> ShownOutcome:
    """One score, or what is possible where that is not known."""
    figures = shown_sum(judged)
    verdict, score, whole = judged.verdict, figures.score, shown_whole(judged.score)
    if possible is not None:
        low, high = possible.low.score, possible.high.score
        verdict = possible.verdict or Verdict.UNDECIDED
        score = shown_interval(low, high, judged.threshold)
        whole = shown_range(shown_whole(low), shown_whole(high))
    word = verdict_word(verdict, assumed=assumed, running=running)
    sign, is_range = sign_of(verdict, running=running), possible is not None
    return ShownOutcome(sign, word, score, figures.threshold, whole, is_range)


def stand_in_words(recorded: Facts, scenario: Scenario) -> str:
    """The part of the outcome that is a stand-in; "" where all of it is recorded or tried.

    ``recorded``: the facts without the scenario.
    """
    if recorded.outcome_known:
        return ""
    confidence = shown_short(recorded.confidence)
    if not scenario.tries_outcome:
        return _middle_words(recorded, confidence)
    by_hand = scenario.outcome_confidence is not None
    stands_in = scenario.confidence is None and not by_hand
    if not recorded.confidence_known and stands_in:
        return say("Confidence is not recorded and stays at {value}.", value=confidence)
    if not recorded.success_known and scenario.success is None:
        return say("Success is not recorded and stays at yes.")
    return ""


def _middle_words(recorded: Facts, confidence: str) -> str:
    if recorded.success_known:
        return say("It begins at the middle, confidence {value}: move it.", value=confidence)
    if recorded.confidence_known:
        return say("It begins as succeeded, which is not recorded.")
    return say("It begins at the middle: confidence {value}, succeeded.", value=confidence)
