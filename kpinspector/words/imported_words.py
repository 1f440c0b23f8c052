"""The words for where each value of a run's trace comes from, as the window has them."""

from collections.abc import Iterator
from dataclasses import dataclass

from kpinspector.runs.provenance import TraceField, ValueOrigin, origins
from kpinspector.runs.read import Imported, RunRecord
from kpinspector.runs.readers import formats
from kpinspector.runs.rules import NO_OUTCOME
from kpinspector.trace.model import Step
from kpinspector.words.drop_words import dropped_phrases, parts_phrase, unit_title, units_phrase
from kpinspector.words.explain.run import (
    field_name,
    fields_of,
    lacking,
    prompts_phrase,
    score_phrase,
    shown_name,
    valued,
)
from kpinspector.words.figures import shown_count, shown_interval, shown_score, shown_short
from kpinspector.words.run_words import format_name
from kpinspector.words.say import say, say_count, say_list

# what a score asks for stands before what only the schema asks for
_ABSENT_FIRST = (TraceField.CONFIDENCE, TraceField.SUCCESS, TraceField.TASK_DOMAIN)


@dataclass(frozen=True, slots=True)
class ImportedWords:
    """What is said of a recording.

    Attributes:
        source: The format, its version, how much there is, and what a verifier said.
        unit: What that is counted in, as a title.
        lines: How much of it made steps, and what was dropped, by name.
    """

    source: str
    recorded: str
    absent: str
    derived: str
    stated: str
    unit: str
    lines: str


def imported_words(record: RunRecord, *, running: bool = False) -> ImportedWords:
    """What is recorded, absent, derived and stated of a run, and what was dropped.

    Args:
        record: The run.
        running: It is still being written.
    """
    imported = record.imported
    return ImportedWords(
        source=_source(imported, running=running),
        recorded=_named(_recorded(record)),
        absent=_named(_absent(imported)),
        derived=_named(_derived(imported)),
        stated=_named(_stated(imported)),
        unit=unit_title(imported.unit),
        lines=_lines(imported, running=running),
    )


def outcome_facts(imported: Imported) -> Iterator[str]:
    """How a run ended as far as that is known, and who says so, each as a fact of its own."""
    outcome = imported.outcome
    if outcome == NO_OUTCOME:
        yield say("outcome not recorded")
        return
    if outcome.success is None:
        yield say("success not recorded")
    else:
        yield say("succeeded") if outcome.success else say("failed")
    if outcome.confidence is None:
        yield say("confidence not recorded")
    else:
        yield say("confidence {confidence}", confidence=shown_short(outcome.confidence))
    score = imported.success_score
    if score is not None and imported.mapped_success is not None:
        yield say("success by the score {name}", name=shown_name(score.name))
    origin = stated_phrase(imported)
    if origin:
        yield origin


def stated_phrase(imported: Imported) -> str:
    """Which part of the outcome the user stated; "" where that is none."""
    found = origins(imported)
    stated = [
        one
        for one in (TraceField.CONFIDENCE, TraceField.SUCCESS)
        if found[one] is ValueOrigin.STATED
    ]
    if not stated:
        return ""
    if len(stated) > 1:
        return say("stated by you")
    return say("{name} stated by you", name=field_name(stated[0]))


def failed_phrase(form: str) -> str:
    """That the source marks a result as failed, and by what."""
    return say("Failed in the source, by {mark}", mark=formats()[form].failure)


def recovery_phrase(imported: Imported, step: Step) -> str:
    """Why a step was found to be a recovery, and what it was recorded as."""
    failed = imported.mapped.recovered[step.index]
    why = say_count(
        "Recovery, as it is the first answer after a failed result: step {steps}, by {mark}.",
        "Recovery, as it is the first answer after failed results: steps {steps}, by {mark}.",
        len(failed),
        steps=say_list(map(shown_count, failed)),
        mark=formats()[imported.format].failure,
    )
    recorded = (
        say("Recorded as text.") if step.tool_key is None else say("Recorded as a tool call.")
    )
    return f"{why} {recorded}"


def without_recovery_phrase(
    step: Step, bounds: tuple[float, float] | None, threshold: float
) -> str:
    """What a derived recovery would be else, and the score then; None while that is unknown."""
    kind = say("A thought") if step.tool_key is None else say("A tool call")
    if bounds is None:
        return say("{kind}.", kind=kind)
    low, high = bounds
    score = shown_score(low, threshold) if low == high else shown_interval(low, high, threshold)
    return say(
        "{kind}; the score would be {score}, {verdict}.",
        kind=kind,
        score=score,
        verdict=_verdict(low, high, threshold),
    )


def _verdict(low: float, high: float, threshold: float) -> str:
    if low == high:
        return say("accepted") if low >= threshold else say("rejected")
    if low >= threshold:
        return say("accepted whatever the outcome")
    if high < threshold:
        return say("rejected whatever the outcome")
    return say("undecided")


def recorded_place(record: RunRecord, step: Step | None) -> str:
    """Where a step stands in its recording, or its objective: line and bytes, and in which file."""
    imported = record.imported
    place = imported.mapped.prompt if step is None else imported.mapped.places[step.index]
    if place is None:
        return say("not recorded")
    chunk = place.spot or place.chunk
    path = "".join(f"/{one}" for one in place.path)
    where = say(
        "line {line}, {path}, bytes {start} to {end}",
        line=shown_count(chunk.line),
        path=path or "/",
        start=shown_count(chunk.start),
        end=shown_count(chunk.end),
    )
    if not chunk.member:
        return where
    return say("{member} in the zip, {where}", member=chunk.member, where=where)


def _source(imported: Imported, *, running: bool) -> str:
    name = " ".join(filter(None, (format_name(imported.format), imported.version)))
    said = say(
        "{name}, {prompts}, {total}",
        name=name,
        prompts=prompts_phrase(imported),
        total=units_phrase(imported.unit, imported.total),
    )
    if running:
        said = say("{source}, still running", source=said)
    if not imported.scores:
        return said
    scores = say_list(score_phrase(*score) for score in imported.scores)
    return say("{source}  \N{MIDDLE DOT}  scores {scores}", source=said, scores=scores)


def _named(names: Iterator[str]) -> str:
    return say_list(names) or say("nothing")


def _recorded(record: RunRecord) -> Iterator[str]:
    imported = record.imported
    for field in fields_of(imported, ValueOrigin.RECORDED):
        if field is not TraceField.STEPS:
            yield valued(field, imported)
            continue
        steps = record.trace.steps
        tools = {step.tool_key for step in steps if step.tool_key is not None}
        yield say_count("{number} step", "{number} steps", len(steps))
        if tools:
            yield say_count("{number} tool", "{number} tools", len(tools))
    failed = len(imported.mapped.failed)
    if failed:
        yield say_count(
            "{number} result marked as failed", "{number} results marked as failed", failed
        )


def _absent(imported: Imported) -> Iterator[str]:
    if not imported.content_recorded:
        yield say("content")
    fields = fields_of(imported, ValueOrigin.ABSENT)
    for field in _ABSENT_FIRST:
        if field in fields:
            yield field_name(field)
    yield from lacking(imported)
    for field in fields:
        # a run without failures lacks nothing
        if field not in _ABSENT_FIRST and field is not TraceField.RECOVERIES:
            yield field_name(field)


def _derived(imported: Imported) -> Iterator[str]:
    derived = len(imported.mapped.derived)
    if derived:
        yield say_count("{number} recovery", "{number} recoveries", derived)
    yield say("the id")


def _stated(imported: Imported) -> Iterator[str]:
    for origin in (ValueOrigin.STATED, ValueOrigin.CHOSEN):
        for field in fields_of(imported, origin):
            yield valued(field, imported)


def _lines(imported: Imported, *, running: bool) -> str:
    dropped = sum(number for _, number in imported.dropped)
    read = say("{number} read", number=shown_count(imported.total - dropped))
    beside = parts_phrase(imported)
    if dropped:
        read = say(
            "{read}  ·  dropped {number}: {parts}",
            read=read,
            number=shown_count(dropped),
            parts=say_list(dropped_phrases(imported, running=running)),
        )
    elif not beside:
        return say("{read}  ·  nothing dropped", read=read)
    return say("{read}  ·  left out {parts}", read=read, parts=beside) if beside else read
