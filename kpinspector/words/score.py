"""The words of the answer: margin, main cause, evidence, remarks."""

from collections.abc import Iterator, Sequence
from math import isnan

from kpinspector.phrase import Phrase
from kpinspector.runs.read import Imported
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import Assessment, Gate, ScoreRange, main_cause
from kpinspector.scoring.formula.measurement import KNOWN_STEP_TYPES, Facts, Measurement, Novelty
from kpinspector.scoring.formula.overrides import Override, Rule
from kpinspector.scoring.formula.profiles import DEFAULT, Dimension, profile_for
from kpinspector.scoring.novelty.neighbours import Order
from kpinspector.scoring.novelty.sequence import Flag, Measured
from kpinspector.scoring.whatif.scenario import novelty_needed
from kpinspector.trace.printable import quoted, shortened
from kpinspector.trace.schema import Issue, Severity, count_issues, sdk_readings, without_reading
from kpinspector.words import figures, sentences
from kpinspector.words.recordings import unknown_phrase
from kpinspector.words.say import Names, capitalised, in_words, say, say_count, say_list
from kpinspector.words.sentences import DIMENSION_WORDS, Run, Sentence, joined, say_sentence

_LONGEST_MESSAGE, _LONGEST_ISSUE = 56, 75  # the latter with its path, in two lines of a panel
_MOST_DECIMALS = 6
_MOST_READINGS = 3
_FLAG_REMARKS = Names(
    {
        Flag.DUPLICATE: Phrase(
            "The same trace stands earlier in this drop, and has the same novelty."
        ),
        Flag.SHARED_ID: Phrase(
            "Another text in this drop has the same id; each counts as its own trace."
        ),
        Flag.NO_ID: Phrase("It has no usable id and is remembered by its text."),
        Flag.AS_GUEST: Phrase(
            "Scored as a guest: compared with what is remembered by now, and not remembered itself."
        ),
    }
)


def margin_phrase(assessment: Assessment) -> str:
    """By how much the score passes or fails, or the gate that fails."""
    margin, above = figures.shown_sum(assessment).margin, assessment.score_passes
    if not assessment.schema_passes:
        short = say("Schema fails, short by {margin}", margin=margin)
        return say("Schema fails, {margin} above", margin=margin) if above else short
    short = say("Short by {margin}", margin=margin)
    phrase = say("{margin} above", margin=margin) if above else short
    if assessment.score == assessment.threshold:
        phrase = say("Exactly the threshold")
    if assessment.too_close_to_call:
        return say("{margin}, the SDK may differ", margin=phrase)
    return phrase


def range_margin_phrase(possible: ScoreRange, imported: Imported | None = None) -> str:
    """What is certain of the margin while novelty or the outcome of a run is unknown."""
    if not possible.low.schema_passes and imported is None:
        return say("Schema fails, waits for novelty")
    if decided := decided_margin(possible):
        return decided
    return capitalised(unknown_phrase(imported)) if imported else say("Waits for novelty")


def decided_margin(possible: ScoreRange) -> str:
    """The least margin, whatever the unknown is; "" where the score gate depends on it."""
    low, high = possible.low, possible.high
    if low.score_passes:
        return say("At least {margin} above", margin=figures.shown_sum(low).margin)
    if not high.score_passes:
        return say("Short by at least {margin}", margin=figures.shown_sum(high).margin)
    return ""


def answer(
    assessment: Assessment,
    measurement: Measurement,
    issues: Sequence[Issue],
    order: Order | None,
    reach: Sentence = (),
) -> Sentence:
    """The main cause of the verdict; then the score if scored first, or what is needed to pass."""
    match main_cause(assessment):
        case Gate.SCHEMA:
            return _schema_cause(issues)
        case Rule.SINGLE_THOUGHT:
            shown = figures.shown_sum(assessment)
            more = say("; tool monotony takes {size}", size=_size(shown.changes[2]))
            return say_sentence(
                "The *only step is a thought*, which sets the score to {score} in place of the"
                " weighted sum of {total}{more}.",
                score=shown.changes[0].after,
                total=shown.total,
                more=more if assessment.overrides[2].applied else "",
            )
        case Rule.TOOL_MONOTONY:
            change = figures.shown_sum(assessment).changes[2]
            monotony = say_sentence(
                "*Tool monotony* takes {size} from {before}: {reason}.",
                size=_size(change),
                before=change.before,
                reason=assessment.overrides[2].reason,
            )
            return joined(monotony, reach)
    if assessment.score_passes:
        return _accepted(assessment, measurement, order)
    return joined(_loss(assessment, measurement), _order_fact(order) or reach)


def whatever(possible: ScoreRange, unknown: Sentence) -> Sentence:
    """A sentence if the score passes or fails whatever the unknown is; empty otherwise."""
    low, high = possible.low, possible.high
    if low.score_passes:
        return say_sentence(
            "It passes whatever its {unknown}: the score is {score} or more.",
            unknown=unknown,
            score=figures.shown_score(low.score, low.threshold),
        )
    if not high.score_passes:
        return say_sentence(
            "It fails whatever its {unknown}: the score is {score} or less.",
            unknown=unknown,
            score=figures.shown_score(high.score, high.threshold),
        )
    return ()


def range_answer(
    possible: ScoreRange, issues: Sequence[Issue], *, outcome_known: bool = True
) -> Sentence:
    """The novelty needed to pass, supposing the best outcome where that is unknown, too."""
    if not possible.low.schema_passes:
        return _schema_cause(issues)
    both = say_sentence("*novelty* and its *outcome* are")
    unknown = say_sentence("*novelty* is") if outcome_known else both
    if decided := whatever(possible, unknown):
        return decided
    novelty = novelty_needed(possible)
    if novelty <= 0:
        return say_sentence("With the best outcome it passes whatever its *novelty* is.")
    needed = figures.shown_at_least(novelty)
    similarity = figures.shown_difference("1", needed)
    least = say_sentence(
        "It passes if *novelty* is at least {needed}: no remembered trace may be more than"
        " {similarity} similar.",
        needed=needed,
        similarity=similarity,
    )
    return joined(least, () if outcome_known else say_sentence("That is with the best outcome."))


def evidence(dimension: Dimension, facts: Facts, novelty: Novelty | None) -> str:
    """What the value of a dimension rests on; ``novelty`` is None while it is unknown."""
    match dimension:
        case Dimension.COMPLEXITY:
            return _complexity_evidence(facts)
        case Dimension.NOVELTY:
            return waiting_phrase() if novelty is None else _novelty_evidence(novelty)
        case Dimension.OUTCOME_CONFIDENCE:
            return _outcome_evidence(facts)
    tools, steps = facts.unique_tools, sentences.steps_phrase(facts.steps)
    if not tools:
        return say("no tools in {steps}", steps=steps)
    return say_count(
        "{number} tool in {steps}", "{number} different tools in {steps}", tools, steps=steps
    )


def waiting_phrase(turn: tuple[int, int] | None = None) -> str:
    """What novelty waits for; ``turn``: the trace's place in the queue, and the queue's length."""
    if turn is None:
        return say("not measured yet")
    place, total = map(figures.shown_count, turn)
    return say("being measured, place {place} of {total}", place=place, total=total)


def fired_phrase(overrides: Sequence[Override], *, pending: bool = False) -> str:
    """How many overrides fired; if ``pending``, how many will fire."""
    fired = sum(override.applied for override in overrides)
    if not fired:
        return say("none will fire") if pending else say("none fired")
    if pending:
        return say_count("{number} will fire", "{number} will fire", fired)
    return say_count("{number} fired", "{number} fired", fired)


def remarks(assessment: Assessment, measured: Measured) -> Iterator[str]:
    """What a reader of the score should know beside it, one sentence each."""
    novelty = measured.measurement.novelty
    if novelty.assumed:
        yield assumed_sentence(novelty.basis)
    reach = novelty.reach
    if reach is not None and reach.truncated and reach.ends_at_step is None:
        yield say("Novelty read only the prompt.")
    for flag in measured.place.flags:
        if flag is Flag.AS_GUEST and novelty.remembered:
            yield say("Scored as a guest, by what was found when it was remembered.")
        else:
            yield _FLAG_REMARKS[flag]
    if novelty.clamped:
        as_sdk = assessment.score if assessment.sdk_score is None else assessment.sdk_score
        yield say(
            "Novelty is clamped to {clamped}: the SDK has {novelty}, and a score of {score}.",
            clamped=figures.shown_short(novelty.value),
            novelty=figures.shown_number(novelty.unclamped),
            score=figures.shown_score(as_sdk, assessment.threshold),
        )
    if assessment.sdk_score is not None and isnan(assessment.sdk_score):
        yield say(
            "The SDK's own score is NaN, as the task domain is a name that every JavaScript"
            " object has: no threshold holds that back from being posted."
        )
    if assessment.too_close_to_call:
        yield say("The SDK's own score may be on the other side of the threshold.")
    yield from _readings(assessment, measured)


def _readings(assessment: Assessment, measured: Measured) -> Iterator[str]:
    """Sentences on values that the SDK reads against the schema, and on an unknown task domain."""
    readings = sdk_readings(measured.record.issues, measured.record.trace.raw)
    yield from map(in_words, readings[:_MOST_READINGS])
    more = len(readings) - _MOST_READINGS
    if more > 0:
        yield say_count(
            "The SDK reads {number} more place otherwise than the schema has it.",
            "The SDK reads {number} more places otherwise than the schema has it.",
            more,
        )
    domain = measured.measurement.facts.task_domain
    if assessment.profile is not DEFAULT or profile_for(domain) is not DEFAULT:
        return
    if domain is None:
        yield say("It names no task domain: the weights are those of default.")
    elif domain != DEFAULT.name:
        yield say(
            "No profile is named {domain}: the weights are those of default.", domain=quoted(domain)
        )


def assumed_sentence(basis: Basis) -> str:
    """A sentence on why novelty was assumed."""
    if basis is Basis.NOT_RECORDED:
        return say("Novelty is assumed 0.5, as the recording left the content out.")
    return say("Novelty is assumed 0.5, as the embedding model could not be loaded.")


def edited_remark(before: float, threshold: float) -> str:
    """A sentence with the score before the file was edited."""
    score = figures.shown_score(before, threshold)
    return say("Before the edit the score was {score}.", score=score)


def _schema_cause(issues: Sequence[Issue]) -> Sentence:
    errors = [issue for issue in issues if issue.severity is Severity.ERROR]
    if not errors:
        return say_sentence("The registry refuses it by its *schema*.")
    first, further = errors[0], count_issues(errors) - 1
    place = first.path or say("the record")
    room = max(_LONGEST_MESSAGE, _LONGEST_ISSUE - len(place))
    message = shortened(in_words(without_reading(first)), room)
    more = say_count(", and {number} more issue", ", and {number} more issues", further)
    return say_sentence(
        "The registry refuses it: *{place}* {message}{more}.",
        place=place,
        message=message,
        more=more if further else "",
    )


def _size(change: figures.ShownChange) -> str:
    return _brief(change.change.lstrip("+\N{MINUS SIGN}"))


def _accepted(assessment: Assessment, measurement: Measurement, order: Order | None) -> Sentence:
    shown = figures.shown_sum(assessment)
    bonus = assessment.overrides[1]
    without = assessment.score - bonus.change
    if bonus.applied and without < assessment.threshold:
        change = shown.changes[1]
        return say_sentence(
            "The *recovery bonus* carries it over the threshold: {reason} add {size} to {before}.",
            reason=bonus.reason,
            size=_size(change),
            before=change.before,
        )
    most = max(assessment.contributions, key=lambda term: term.part).dimension
    start = say_sentence(
        "*{dimension}* adds most, {size}.",
        dimension=sentences.DIMENSION_NAMES[most],
        size=_brief(shown.term(most).adds),
    )
    more = _order_fact(order) or _loss(assessment, measurement)
    return joined(start, more)


def _order_fact(order: Order | None) -> Sentence:
    """The score that the trace would have before all others, if that changes its verdict."""
    if order is None or order.first.verdict is order.placed.verdict:
        return ()
    first = order.first
    score = figures.shown_score(first.score, first.threshold)
    fails = say_sentence("Scored first, this trace would fail with {score}.", score=score)
    passes = say_sentence("Scored first, this trace would pass with {score}.", score=score)
    return passes if first.score_passes else fails


def _loss(assessment: Assessment, measurement: Measurement) -> Sentence:
    most = max(assessment.contributions, key=lambda term: term.lost)
    if most.lost <= 0.0:
        return say_sentence("No dimension loses anything.")
    facts, novelty = measurement.facts, measurement.novelty
    match most.dimension:
        case Dimension.NOVELTY if novelty.max_similarity is not None and novelty.neighbours:
            similarity = figures.shown_number(novelty.max_similarity)
            name = (Run(novelty.names[0], strong=True, key=novelty.neighbours[0].key),)
            cause = say_sentence("{name} is {similarity} similar", name=name, similarity=similarity)
        case Dimension.OUTCOME_CONFIDENCE if not facts.success:
            cause = say_sentence(
                "a failure counts {factor} of confidence {confidence}",
                factor=str(facts.outcome_factor),
                confidence=figures.shown_short(facts.confidence),
            )
        case _:
            cause = (Run(evidence(most.dimension, facts, novelty)),)
    return say_sentence(
        "Most is lost to *{dimension}*, {lost}: {cause}.",
        dimension=DIMENSION_WORDS[most.dimension],
        lost=_brief(figures.shown_sum(assessment).term(most.dimension).lost),
        cause=cause,
    )


def _brief(figure: str) -> str:
    """A figure for a sentence, without the many decimals that a close score needs in tables."""
    places = len(figure.partition(".")[2])
    return (
        figure if places <= _MOST_DECIMALS else figures.shown_number(float(figures.plain(figure)))
    )


def _complexity_evidence(facts: Facts) -> str:
    known, types = KNOWN_STEP_TYPES, facts.unique_types
    said = say("{types} step types", types=figures.shown_count(types))
    steps = sentences.steps_phrase(facts.steps)
    if types <= known:
        said = say("{types} of {known} step types", types=types, known=known)
    if not facts.error_recoveries:
        return say("{types}, no recovery, {steps}", types=said, steps=steps)
    return say_count(
        "{types}, {number} recovery, {steps}",
        "{types}, {number} recoveries, {steps}",
        facts.error_recoveries,
        types=said,
        steps=steps,
    )


def _novelty_evidence(novelty: Novelty) -> str:
    if novelty.basis is Basis.NO_EMBEDDER:
        return say("assumed 0.5 without the embedding model")
    if novelty.basis is Basis.NOT_RECORDED:
        return say("assumed 0.5 without its content")
    if novelty.max_similarity is None:
        return say("0.5, nothing to compare with")
    like = figures.shown_number(novelty.max_similarity)
    of = figures.shown_count(novelty.compared_with)
    if not novelty.neighbours:
        return say("{similarity} similar to the nearest of {of}", similarity=like, of=of)
    name = novelty.names[0]
    return say("{similarity} similar to {name}, nearest of {of}", similarity=like, name=name, of=of)


def _outcome_evidence(facts: Facts) -> str:
    if not (facts.confidence_known or facts.success_known):
        return say("confidence and success not recorded")
    confidence, ending = say("confidence not recorded"), say("success not recorded")
    if facts.confidence_known:
        confidence = say(
            "confidence {confidence}", confidence=figures.shown_short(facts.confidence)
        )
        if facts.success_known and not 0.0 <= facts.confidence <= 1.0:
            confidence = say("{confidence}, outside 0 to 1", confidence=confidence)
    if facts.success_known:
        failed = say("failed: counts {factor}", factor=facts.outcome_factor)
        ending = say("succeeded") if facts.success else failed
    return say_list((confidence, ending))
