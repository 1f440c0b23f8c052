"""What is said of a run of another agent: what its recording says, and what would decide it."""

from collections.abc import Iterator, Sequence

from kpinspector.runs.provenance import Field, Origin, origins
from kpinspector.runs.read import Imported, RunRecord
from kpinspector.scoring.formula.assess import ScoreRange
from kpinspector.scoring.formula.facts import Facts
from kpinspector.scoring.whatif.outcome import Bound
from kpinspector.words.explain.blocks import Cell, Column, Section, Table
from kpinspector.words.figures import (
    shown_at_least,
    shown_count,
    shown_interval,
    shown_score,
    shown_short,
)
from kpinspector.words.run_words import format_name
from kpinspector.words.say import say, say_count
from kpinspector.words.sentences import Run, Sentence, say_all, say_sentence
from kpinspector.words.sums import shown_sum


def field_name(field: Field) -> str:
    """What a value of a run's trace is called."""
    return {
        Field.OBJECTIVE: say("objective"),
        Field.STEPS: say("steps"),
        Field.RECOVERIES: say("recoveries"),
        Field.CREATED_AT: say("time"),
        Field.RESULT_SUMMARY: say("result"),
        Field.CONFIDENCE: say("confidence"),
        Field.SUCCESS: say("success"),
        Field.TASK_DOMAIN: say("domain"),
        Field.QUALITY_SCORE: say("quality score"),
        Field.VISIBILITY: say("visibility"),
        Field.PRIVACY_LEVEL: say("privacy level"),
    }[field]


def origin_name(origin: Origin) -> str:
    """What is said of values that come from there."""
    return {
        Origin.RECORDED: say("recorded"),
        Origin.DERIVED: say("derived"),
        Origin.STATED: say("stated by you"),
        Origin.CHOSEN: say("chosen by you"),
        Origin.ABSENT: say("absent"),
    }[origin]


def fields_of(imported: Imported, origin: Origin) -> list[Field]:
    """The values of a run's trace that come from there."""
    return [field for field, found in origins(imported).items() if found is origin]


def lines_phrase(imported: Imported) -> str:
    """How much the recording holds, and what of it made no step, by name."""
    total = shown_count(imported.total)
    made = imported.total - sum(number for _, number in imported.dropped)
    counts = [(shown_count(made), say("with steps"))]
    counts += [(shown_count(number), name) for name, number in imported.dropped]
    parts = [say("{number} {name}", number=number, name=name) for number, name in counts]
    return say("{total} {unit}: {parts}", total=total, unit=imported.unit, parts=", ".join(parts))


def recording_section(record: RunRecord) -> Section:
    """Which recording it is, and where each value comes from."""
    imported = record.imported
    rows = [
        (say("format"), " ".join(filter(None, (format_name(imported.format), imported.version))))
    ]
    rows.append((say("read"), lines_phrase(imported)))
    for origin in Origin:
        fields = fields_of(imported, origin)
        if fields:
            names = ", ".join(_valued(field, imported) for field in fields)
            rows.append((origin_name(origin), names))
    derived = len(imported.mapped.derived)
    if derived:
        steps = ", ".join(shown_count(one) for one in sorted(imported.mapped.derived))
        about = say_count(
            "{number} recovery, from a result that the source marks as failed: step {steps}",
            "{number} recoveries, from results that the source marks as failed: steps {steps}",
            derived,
            steps=steps,
        )
        rows.append((say("derived steps"), about))
    table = Table((Column(), Column()), tuple((Cell(name), Cell(text)) for name, text in rows))
    return Section(say("Recording"), (table,))


def _valued(field: Field, imported: Imported) -> str:
    """The name of a value, and what is known of how the run ended."""
    outcome, name = imported.outcome, field_name(field)
    if field is Field.CONFIDENCE and outcome.confidence is not None:
        return say("{name} {value}", name=name, value=shown_short(outcome.confidence))
    if field is Field.SUCCESS and outcome.success is not None:
        answer = say("yes") if outcome.success else say("no")
        return say("{name} {value}", name=name, value=answer)
    return name


def unknown_phrase(imported: Imported) -> str:
    """What of the outcome is not recorded."""
    outcome = imported.outcome
    missing = []
    if outcome.confidence is None:
        missing.append(say("confidence"))
    if outcome.success is None:
        missing.append(say("success"))
    return say("{names} not recorded", names=say_all(missing))


def run_margin(possible: ScoreRange, imported: Imported) -> str:
    """By how much at least, or what is not recorded."""
    low, high = possible.low, possible.high
    if low.schema_passes and low.score_passes:
        return say("At least {margin} above", margin=shown_sum(low).margin)
    if not high.score_passes:
        return say("Short by at least {margin}", margin=shown_sum(high).margin)
    phrase = unknown_phrase(imported)
    return phrase[:1].upper() + phrase[1:]


def run_answer(
    possible: ScoreRange, bounds: Sequence[Bound], derived: tuple[float, float] | None
) -> Sentence:
    """From which outcome on it is accepted, and what rests on derived recoveries."""
    parts = list(_decided(possible)) or list(_bounds(bounds))
    if derived is not None:
        without = shown_interval(*derived, possible.low.threshold)
        parts.append(
            say_sentence("Without the *derived* recoveries the score is {score}.", score=without)
        )
    sentence: Sentence = parts[0]
    for part in parts[1:]:
        sentence = (*sentence, Run(" "), *part)
    return sentence


def _decided(possible: ScoreRange) -> Iterator[Sentence]:
    low, high = possible.low, possible.high
    if low.score_passes:
        yield say_sentence(
            "It passes whatever its *outcome* is: the score is {score} or more.",
            score=shown_score(low.score, low.threshold),
        )
    elif not high.score_passes:
        yield say_sentence(
            "It fails whatever its *outcome* is: the score is {score} or less.",
            score=shown_score(high.score, high.threshold),
        )


def _bounds(bounds: Sequence[Bound]) -> Iterator[Sentence]:
    for bound in bounds:
        yield _of_success(bound.confidence) if bound.success else _of_failure(bound.confidence)


def _of_success(confidence: float | None) -> Sentence:
    if confidence is None:
        return say_sentence("If it succeeded it is rejected, whatever its *confidence*.")
    if confidence == 0:
        return say_sentence("If it succeeded it is accepted, whatever its *confidence*.")
    return say_sentence(
        "If it succeeded it is accepted from a *confidence* of {bound} on.",
        bound=shown_at_least(confidence),
    )


def _of_failure(confidence: float | None) -> Sentence:
    if confidence is None:
        return say_sentence("If it failed it is rejected, whatever its *confidence*.")
    if confidence == 0:
        return say_sentence("If it failed it is accepted, whatever its *confidence*.")
    return say_sentence(
        "If it failed it is accepted from a *confidence* of {bound} on.",
        bound=shown_at_least(confidence),
    )


def middle_remark(facts: Facts) -> str:
    """By which outcome those figures are that hang on it and are no ranges."""
    confidence = shown_short(facts.confidence)
    if facts.success:
        return say(
            "Where one figure is asked for it is that of the middle: confidence {confidence},"
            " succeeded.",
            confidence=confidence,
        )
    return say(
        "Where one figure is asked for it is that of the middle: confidence {confidence}, failed.",
        confidence=confidence,
    )
