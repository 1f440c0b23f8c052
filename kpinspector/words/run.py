"""The words for a run whose recording does not say how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.measurement import Facts
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.reach import Bound, Deciding, DecidingKind
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.words import figures, page
from kpinspector.words.changes import NOT_ADVICE, ChangeWords
from kpinspector.words.page import Cell, Section, Sign, range_cells, sign_of, table
from kpinspector.words.say import capitalised, in_words, say, say_count
from kpinspector.words.score import whatever
from kpinspector.words.sentences import Run, Sentence, joined, say_sentence, verdict_word


def run_answer(
    possible: ScoreRange, bounds: Sequence[Bound], without: ScoreRange | None, derived: int
) -> Sentence:
    """The outcomes with which a run is accepted, and its scores ``without`` derived recoveries."""
    sentence = whatever(possible, say_sentence("*outcome* is")) or _bounds(bounds)
    if without is None:
        return sentence
    low, high, name = without.low, without.high, (Run(_derived_name(derived), strong=True),)
    if possible.high.score_passes and not high.score_passes:
        return joined(sentence, say_sentence("Without the {name} no outcome is enough.", name=name))
    score = figures.shown_interval(low.score, high.score, low.threshold)
    words = say_sentence("Without the {name} it is {score}.", name=name, score=score)
    return joined(sentence, words)


def known_remark_without(assessment: Assessment, without: Assessment, derived: int) -> str:
    """The score of a run with a known outcome, had its ``derived`` recoveries not been counted."""
    name, score = _derived_name(derived), figures.shown_score(without.score, without.threshold)
    if assessment.score_passes and not without.score_passes:
        return say("Without the {name} it is rejected: {score}.", name=name, score=score)
    return say("Without the {name} it is {score}.", name=name, score=score)


def _derived_name(derived: int) -> str:
    return say("derived recovery") if derived == 1 else say("derived recoveries")


def _bounds(bounds: Sequence[Bound]) -> Sentence:
    """A sentence on the confidence that is needed; bounds are rounded up, so that they hold."""
    sentence: Sentence = ()
    for bound in bounds:
        ending = say("if it succeeded") if bound.success else say("if it failed")
        if bound.confidence is None:
            said = say_sentence("rejected {ending}", ending=ending)
        elif bound.confidence == 0:
            said = say_sentence("accepted {ending}", ending=ending)
        else:
            least = figures.shown_at_least(bound.confidence)
            said = say_sentence(
                "accepted from *confidence {least}* {ending}", least=least, ending=ending
            )
        sentence = (*sentence, Run(", "), *said)
    _, first, *others = sentence
    return (replace(first, text=capitalised(first.text)), *others, Run("."))


def deciding_title(possible: ScoreRange) -> str:
    """The title of the section on how a run may have ended."""
    is_open = possible.verdict is Verdict.UNDECIDED
    return say("What would decide it") if is_open else say("How it may have ended")


def deciding_section(found: Sequence[Deciding], possible: ScoreRange, *, stated: bool) -> Section:
    """How a run may have ended, and the scores then; ``stated``: the user stated confidence."""
    rows: list[tuple[str | Cell, ...]] = []
    for one in found:
        words, dimension = deciding_words(one, stated=stated), deciding_dimension(one)
        change = Cell(words.change, dimension=dimension)
        rows.append((change, words.beside, *range_cells(one.after)))
    heads = (say("change"), say("remarks"), *page.figures(say("score")), say("then"))
    return Section(deciding_title(possible), (table(heads, rows),), in_words(NOT_ADVICE))


def deciding_dimension(one: Deciding) -> Dimension:
    """The dimension that an assumption about a run changes most directly."""
    derived = one.kind is DecidingKind.NOT_DERIVED
    return Dimension.COMPLEXITY if derived else Dimension.OUTCOME_CONFIDENCE


def deciding_words(one: Deciding, *, stated: bool) -> ChangeWords:
    """An assumption about a run in words; a bound is rounded up, so that it still holds."""
    if one.kind is DecidingKind.NOT_DERIVED:
        change = say_count(
            "The recovery not counted",
            "The {number} recoveries not counted",
            len(one.scenario.edits),
        )
        return ChangeWords(change, say("derived"))
    confidence = one.scenario.confidence or 0.0
    if one.kind is DecidingKind.BOUND:
        figure, beside = figures.shown_at_least(confidence), say("at least")
    else:
        figure = figures.shown_short(confidence)
        known = say("as stated by you") if stated else say("as recorded")
        beside = say("at best") if confidence == 1 and not stated else known
    if one.scenario.success:
        return ChangeWords(say("Succeeded, confidence {value}", value=figure), beside)
    return ChangeWords(say("Failed, confidence {value}", value=figure), beside)


def middle_scores(facts: Facts) -> str:
    """A sentence on the outcome that is assumed for scores without a range."""
    return say("The scores here suppose an outcome: {outcome}.", outcome=_outcome(facts))


def middle_remark(facts: Facts) -> str:
    """A sentence on the outcome that is assumed for all figures that are not ranges."""
    return say("Other figures suppose an outcome: {outcome}.", outcome=_outcome(facts))


def _outcome(facts: Facts) -> str:
    confidence = figures.shown_short(facts.confidence)
    if facts.success:
        return say("confidence {confidence}, succeeded", confidence=confidence)
    return say("confidence {confidence}, failed", confidence=confidence)


@dataclass(frozen=True, slots=True)
class ShownOutcome:
    """A trace's verdict and score as shown beside its name.

    ``whole`` is the score, or both ends of the possible scores, with all digits.
    """

    sign: Sign
    word: str
    score: str
    threshold: str
    whole: str


def shown_outcome(
    judged: Assessment,
    possible: ScoreRange | None = None,
    *,
    assumed: bool = False,
    running: bool = False,
) -> ShownOutcome:
    """The verdict and score to show; those of the range where the score is not known."""
    shown = figures.shown_sum(judged)
    verdict, score, whole = judged.verdict, shown.score, figures.shown_whole(judged.score)
    if possible is not None:
        low, high = possible.low.score, possible.high.score
        verdict = possible.verdict
        score = figures.shown_interval(low, high, judged.threshold)
        whole = figures.shown_range(figures.shown_whole(low), figures.shown_whole(high))
    word = verdict_word(verdict, assumed=assumed, running=running)
    sign = sign_of(verdict, running=running)
    return ShownOutcome(sign, word, score, shown.threshold, whole)


def stand_in_words(recorded: Facts, scenario: Scenario) -> str:
    """A sentence on the part of the outcome that is a stand-in; "" if it is recorded or tried."""
    if recorded.outcome_known:
        return ""
    value = figures.shown_short(recorded.confidence)
    if scenario.tries_outcome:
        stands_in = scenario.confidence is None and scenario.outcome_confidence is None
        if not recorded.confidence_known and stands_in:
            return say("Confidence is not recorded and stays at {value}.", value=value)
        unknown = not recorded.success_known and scenario.success is None
        return say("Success is not recorded and stays at yes.") if unknown else ""
    if recorded.success_known:
        return say("It begins at confidence {value}, not recorded: move it.", value=value)
    if recorded.confidence_known:
        return say("It begins as succeeded, which is not recorded.")
    return say("It begins at confidence {value}, succeeded: not recorded.", value=value)
