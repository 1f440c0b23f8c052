"""What is said of a run of another agent: what its recording says, and what would decide it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kpinspector.runs.provenance import TraceField, ValueOrigin, origins
from kpinspector.runs.read import Imported, RunRecord
from kpinspector.scoring.formula.assess import Assessment, ScoreRange
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.scoring.whatif.reach import Bound, Deciding, DecidingKind
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import shortened
from kpinspector.words.change_words import NOT_ADVICE
from kpinspector.words.drop_words import dropped_phrases, parts_phrase, units_phrase
from kpinspector.words.explain.blocks import Cell, Column, Section, Table, range_cells
from kpinspector.words.figures import (
    shown_at_least,
    shown_count,
    shown_interval,
    shown_score,
    shown_short,
)
from kpinspector.words.run_words import format_name
from kpinspector.words.say import in_words, say, say_all, say_count, say_list
from kpinspector.words.sentences import Run, Sentence, say_sentence
from kpinspector.words.sums import shown_sum

_DOMAIN_LENGTH = 80


_LONGEST = 300
_LONGEST_NAME = 60


def field_name(field: TraceField) -> str:
    """What a value of a run's trace is called."""
    return {
        TraceField.OBJECTIVE: say("objective"),
        TraceField.STEPS: say("steps"),
        TraceField.RECOVERIES: say("recoveries"),
        TraceField.CREATED_AT: say("time"),
        TraceField.RESULT_SUMMARY: say("result"),
        TraceField.CONFIDENCE: say("confidence"),
        TraceField.SUCCESS: say("success"),
        TraceField.TASK_DOMAIN: say("domain"),
        TraceField.QUALITY_SCORE: say("quality score"),
        TraceField.VISIBILITY: say("visibility"),
        TraceField.PRIVACY_LEVEL: say("privacy level"),
    }[field]


def origin_name(origin: ValueOrigin) -> str:
    """What is said of values that come from there."""
    return {
        ValueOrigin.RECORDED: say("recorded"),
        ValueOrigin.DERIVED: say("derived"),
        ValueOrigin.STATED: say("stated by you"),
        ValueOrigin.CHOSEN: say("chosen by you"),
        ValueOrigin.ABSENT: say("absent"),
    }[origin]


def fields_of(imported: Imported, origin: ValueOrigin) -> list[TraceField]:
    """The values of a run's trace that come from there."""
    return [field for field, found in origins(imported).items() if found is origin]


def lines_phrase(imported: Imported) -> str:
    """How much the recording holds, and what of it made no step, by name."""
    made = imported.total - sum(number for _, number in imported.dropped)
    parts = [say_count("{number} with steps", "{number} with steps", made)]
    parts += dropped_phrases(imported)
    total = units_phrase(imported.unit, imported.total)
    said = say("{total}: {parts}", total=total, parts=say_list(parts))
    beside = parts_phrase(imported)
    return say("{read}; left out of these: {parts}", read=said, parts=beside) if beside else said


def prompts_phrase(imported: Imported) -> str:
    """How many prompts the run has."""
    number = imported.mapped.prompts
    if not number:
        return say("no prompt")
    return say_count("one prompt", "{number} prompts", number)


def lacking(imported: Imported) -> Iterator[str]:
    """What may have happened and does not stand in the recording, apart from values of a trace."""
    made = imported.mapped
    if not made.has_reasoning:
        yield say("reasoning")
    if not made.failed:
        yield say("results marked as failed")
    if made.unanswered:
        yield say_count(
            "the result of {number} call", "the results of {number} calls", made.unanswered
        )
    if not imported.ended:
        yield say("its end")


def recording_section(record: RunRecord) -> Section:
    """Which recording it is, and where each value comes from."""
    imported = record.imported
    rows = [
        (say("format"), " ".join(filter(None, (format_name(imported.format), imported.version))))
    ]
    rows.append((say("prompts"), prompts_phrase(imported)))
    rows.append((say("read"), lines_phrase(imported)))
    for origin in ValueOrigin:
        fields = fields_of(imported, origin)
        if fields:
            names = say_list(valued(field, imported) for field in fields)
            if origin is ValueOrigin.ABSENT:
                names = say_list((names, *lacking(imported)))
            rows.append((origin_name(origin), names))
    if imported.scores:
        named = (score_phrase(name, one) for name, one in imported.scores)
        rows.append((say("scores"), shortened(say_list(named), _LONGEST)))
    derived = len(imported.mapped.derived)
    if derived:
        steps = say_list(shown_count(one) for one in sorted(imported.mapped.derived))
        about = say_count(
            "{number} recovery, from a result that the source marks as failed: step {steps}",
            "{number} recoveries, from results that the source marks as failed: steps {steps}",
            derived,
            steps=steps,
        )
        rows.append((say("derived steps"), about))
    table = Table((Column(), Column()), tuple((Cell(name), Cell(text)) for name, text in rows))
    return Section(say("Recording"), (table,))


def valued(field: TraceField, imported: Imported) -> str:
    """The name of a value, and what is known of how the run ended and what it was about."""
    outcome, name = imported.outcome, field_name(field)
    if field is TraceField.CONFIDENCE and outcome.confidence is not None:
        return say("{name} {value}", name=name, value=shown_short(outcome.confidence))
    if field is TraceField.SUCCESS and outcome.success is not None:
        answer = say("yes") if outcome.success else say("no")
        success = say("{name} {value}", name=name, value=answer)
        return _as_mapped(success, imported) if imported.mapped_success is not None else success
    if field is TraceField.TASK_DOMAIN and imported.domain is not None:
        return say("{name} {value}", name=name, value=shown_domain(imported.domain))
    return name


def _as_mapped(success: str, imported: Imported) -> str:
    """Success by a score: which one, and what the user takes it for."""
    score = imported.success_score
    if score is None:
        raise ValueError("no score is mapped")
    recorded = score_phrase(score.name, dict(imported.scores)[score.name])
    if imported.mapped_success:
        return say("{success} (score {score}, as you mapped it)", success=success, score=recorded)
    return say(
        "{success} (score {score}, and {value} is success, as you mapped it)",
        success=success,
        score=recorded,
        value=shown_name(score.value),
    )


def score_phrase(name: str, value: str) -> str:
    """A recorded score, bounded in length."""
    return say("{name} = {value}", name=shown_name(name), value=shown_name(value))


def shown_name(text: str) -> str:
    """The name or the value of a score in one line."""
    return shortened(" ".join(masked_in(text).split()), _LONGEST_NAME)


def shown_domain(domain: str) -> str:
    """A domain in one line, however it was recorded."""
    return " ".join(masked_in(domain).split())[:_DOMAIN_LENGTH]


def unknown_phrase(imported: Imported) -> str:
    """What of the outcome is not recorded."""
    outcome = imported.outcome
    missing = []
    if outcome.confidence is None:
        missing.append(say("confidence"))
    if outcome.success is None:
        missing.append(say("success"))
    return say("{names} not recorded", names=say_all(missing))


def decided_margin(possible: ScoreRange) -> str:
    """By how much at least, whatever the outcome; "" where the score gate hangs on it."""
    low, high = possible.low, possible.high
    if low.score_passes:
        return say("At least {margin} above", margin=shown_sum(low).margin)
    if not high.score_passes:
        return say("Short by at least {margin}", margin=shown_sum(high).margin)
    return ""


def run_margin(possible: ScoreRange, imported: Imported) -> str:
    """By how much at least, or what is not recorded."""
    decided = decided_margin(possible)
    if decided:
        return decided
    phrase = unknown_phrase(imported)
    return phrase[:1].upper() + phrase[1:]


def run_answer(
    possible: ScoreRange, bounds: Sequence[Bound], without: ScoreRange | None, derived: int
) -> Sentence:
    """From which outcome on it is accepted, and what rests on derived recoveries.

    ``without`` is what is possible without them, ``derived`` how many there are.
    """
    sentence = _decided(possible) or _bounds(bounds)
    if without is None:
        return sentence
    return (*sentence, Run(" "), *_without(possible, without, _derived_name(derived)))


def known_answer_without(assessment: Assessment, without: Assessment, derived: int) -> Sentence:
    """What rests on so many derived recoveries where the outcome is known."""
    name, score = _derived_name(derived), shown_score(without.score, without.threshold)
    if assessment.score_passes and not without.score_passes:
        return say_sentence("Without the {name} it is rejected: {score}.", name=name, score=score)
    return say_sentence("Without the {name} it is {score}.", name=name, score=score)


def _derived_name(derived: int) -> Sentence:
    name = say("derived recovery") if derived == 1 else say("derived recoveries")
    return (Run(name, strong=True),)


def _decided(possible: ScoreRange) -> Sentence:
    low, high = possible.low, possible.high
    if low.score_passes:
        return say_sentence(
            "It passes whatever its *outcome* is: the score is {score} or more.",
            score=shown_score(low.score, low.threshold),
        )
    if not high.score_passes:
        return say_sentence(
            "It fails whatever its *outcome* is: the score is {score} or less.",
            score=shown_score(high.score, high.threshold),
        )
    return ()


def _bounds(bounds: Sequence[Bound]) -> Sentence:
    """One sentence; each bound is rounded up, so that it still holds."""
    (first, *others) = bounds
    sentence: Sentence = _begin(first)
    for bound in others:
        sentence = (*sentence, Run(", "), *_go_on(bound))
    return (*sentence, Run("."))


def _begin(bound: Bound) -> Sentence:
    ending = say("if it succeeded") if bound.success else say("if it failed")
    if bound.confidence is None:
        return say_sentence("Rejected {ending}", ending=ending)
    if bound.confidence == 0:
        return say_sentence("Accepted {ending}", ending=ending)
    least = shown_at_least(bound.confidence)
    return say_sentence("Accepted from *confidence {least}* {ending}", least=least, ending=ending)


def _go_on(bound: Bound) -> Sentence:
    ending = say("if it succeeded") if bound.success else say("if it failed")
    if bound.confidence is None:
        return say_sentence("rejected {ending}", ending=ending)
    if bound.confidence == 0:
        return say_sentence("accepted {ending}", ending=ending)
    least = shown_at_least(bound.confidence)
    return say_sentence("accepted from *confidence {least}* {ending}", least=least, ending=ending)


def _without(possible: ScoreRange, without: ScoreRange, name: Sentence) -> Sentence:
    """The score without the derived steps, or that it is they that leave a way to pass."""
    low, high = without.low, without.high
    if possible.high.score_passes and not high.score_passes:
        return say_sentence("Without the {name} no outcome is enough.", name=name)
    score = shown_interval(low.score, high.score, low.threshold)
    return say_sentence("Without the {name} it is {score}.", name=name, score=score)


def deciding_title(possible: ScoreRange) -> str:
    """What the ways are called in which a run may have ended."""
    if possible.verdict is None:
        return say("What would decide it")
    return say("How it may have ended")


def deciding_section(found: Sequence[Deciding], possible: ScoreRange, *, stated: bool) -> Section:
    """The ways in which a run may have ended, and what comes of each; ``stated``: confidence is."""
    columns = (
        Column(say("change")),
        Column(say("remarks")),
        Column(say("score"), figure=True),
        Column(say("then")),
    )
    rows = tuple(_deciding(one, stated=stated) for one in found)
    return Section(deciding_title(possible), (Table(columns, rows),), in_words(NOT_ADVICE))


def _deciding(one: Deciding, *, stated: bool) -> tuple[Cell, ...]:
    words, dimension = deciding_words(one, stated=stated), deciding_dimension(one)
    return (Cell(words.change, dimension=dimension), Cell(words.beside), *range_cells(one.after))


def deciding_dimension(one: Deciding) -> Dimension:
    """What it works on first."""
    if one.kind is DecidingKind.NOT_DERIVED:
        return Dimension.COMPLEXITY
    return Dimension.OUTCOME_CONFIDENCE


@dataclass(frozen=True, slots=True)
class DecidingWords:
    """A way in which a run may have ended: what it is, and what else to know."""

    change: str
    beside: str


def deciding_words(one: Deciding, *, stated: bool) -> DecidingWords:
    """The bound is rounded up, so that it still holds; ``stated``: the user stated confidence."""
    if one.kind is DecidingKind.NOT_DERIVED:
        change = say_count(
            "The recovery not counted",
            "The {number} recoveries not counted",
            len(one.scenario.edits),
        )
        return DecidingWords(change, say("derived"))
    confidence = one.scenario.confidence or 0.0
    if one.kind is DecidingKind.BOUND:
        figure, beside = shown_at_least(confidence), say("at least")
    else:
        figure = shown_short(confidence)
        known = say("as stated by you") if stated else say("as recorded")
        beside = say("at best") if confidence == 1 and not stated else known
    if one.scenario.success:
        return DecidingWords(say("Succeeded, confidence {value}", value=figure), beside)
    return DecidingWords(say("Failed, confidence {value}", value=figure), beside)


def middle_scores(facts: Facts) -> str:
    """By which outcome scores are that stand alone."""
    confidence = shown_short(facts.confidence)
    if facts.success:
        return say(
            "The scores here are those of the middle: confidence {confidence}, succeeded.",
            confidence=confidence,
        )
    return say(
        "The scores here are those of the middle: confidence {confidence}, failed.",
        confidence=confidence,
    )


def middle_remark(facts: Facts) -> str:
    """By which outcome those figures are that hang on it and are no ranges."""
    confidence = shown_short(facts.confidence)
    if facts.success:
        return say(
            "Other figures are those of the middle: confidence {confidence}, succeeded.",
            confidence=confidence,
        )
    return say(
        "Other figures are those of the middle: confidence {confidence}, failed.",
        confidence=confidence,
    )
