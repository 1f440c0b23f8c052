"""The words for recordings of other agents: what they hold, and where each value comes from."""

from collections.abc import Iterator
from dataclasses import dataclass

from kpinspector.runs.formats import FORMATS
from kpinspector.runs.provenance import TraceField, ValueOrigin, origins
from kpinspector.runs.read import Imported, RunRecord
from kpinspector.runs.rules import NO_OUTCOME, RunOutcome
from kpinspector.runs.run import DropName, Format
from kpinspector.scoring.report.report import TraceEntry
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.trace.printable import shortened
from kpinspector.words.figures import (
    shown_count,
    shown_interval,
    shown_pair,
    shown_score,
    shown_short,
)
from kpinspector.words.page import Cell, Column, Section, Table
from kpinspector.words.say import say, say_all, say_count, say_list

# what a score asks for stands before what only the schema asks for
_ABSENT_FIRST = (TraceField.CONFIDENCE, TraceField.SUCCESS, TraceField.TASK_DOMAIN)
_DOMAIN_LENGTH = 80
_LONGEST = 300
_LONGEST_NAME = 60


def units_phrase(unit: str, number: int) -> str:
    """So many lines, messages, spans or samples."""
    known = {
        "lines": say_count("{number} line", "{number} lines", number),
        "messages": say_count("{number} message", "{number} messages", number),
        "spans": say_count("{number} span", "{number} spans", number),
        "turns": say_count("{number} turn", "{number} turns", number),
        "recorded steps": say_count("{number} recorded step", "{number} recorded steps", number),
    }
    return known.get(unit) or say("{number} {name}", number=shown_count(number), name=unit)


def unit_title(unit: str) -> str:
    """What a recording is counted in, as a title."""
    known = {
        "lines": say("Lines"),
        "messages": say("Messages"),
        "spans": say("Spans"),
        "turns": say("Turns"),
        "recorded steps": say("Recorded steps"),
    }
    return known.get(unit) or unit.capitalize()


def dropped_phrases(imported: Imported, *, running: bool = False) -> list[str]:
    """What made no step of the run, each with how many there are.

    Args:
        imported: The run.
        running: It is still being written, so that its last line may go on.
    """
    return [
        say_count("{number} still being written", "{number} still being written", number)
        if running and name == DropName.CUT
        else dropped_phrase(name, number)
        for name, number in imported.dropped
    ]


def parts_phrase(imported: Imported) -> str:
    """The parts of lines and messages that made no step beside others; "" where all made one."""
    return say_list(dropped_phrase(name, number) for name, number in imported.parts)


def dropped_phrase(name: str, number: int) -> str:
    """So many of what made no step; a name that the recording gives stands as it is."""
    known = _of_messages(number) | _of_libraries(number) | _of_spans(number) | _of_runs(number)
    return known.get(name) or say("{number} {name}", number=shown_count(number), name=name)


def _of_messages(number: int) -> dict[str, str]:
    return {
        DropName.SYSTEM: say_count("{number} system message", "{number} system messages", number),
        DropName.DEVELOPER: say_count(
            "{number} developer message", "{number} developer messages", number
        ),
        DropName.NOBODY: say_count(
            "{number} message of nobody", "{number} messages of nobody", number
        ),
        DropName.NO_ROLE: say_count("{number} of no role", "{number} of no role", number),
        DropName.NO_TYPE: say_count("{number} of no type", "{number} of no type", number),
        DropName.NO_SOURCE: say_count("{number} of no source", "{number} of no source", number),
        DropName.NO_KIND: say_count("{number} of no kind", "{number} of no kind", number),
        DropName.NOT_RECORDED: say_count(
            "{number} with content that was not recorded",
            "{number} with content that was not recorded",
            number,
        ),
        DropName.EMPTY: say_count(
            "{number} empty or redacted", "{number} empty or redacted", number
        ),
        DropName.CLIENT: say_count(
            "{number} of the client's own", "{number} of the client's own", number
        ),
        DropName.FRAMEWORK: say_count(
            "{number} of the framework's own", "{number} of the framework's own", number
        ),
        DropName.COMPACTION: say_count(
            "{number} compaction summary", "{number} compaction summaries", number
        ),
        DropName.EVENT: say_count("{number} event", "{number} events", number),
        DropName.COPIED_CONTEXT: say_count(
            "{number} of copied context", "{number} of copied context", number
        ),
        DropName.COPIED_RESULT: say_count(
            "{number} copy of a result", "{number} copies of results", number
        ),
        DropName.REWRITTEN: say_count(
            "{number} rewritten later", "{number} rewritten later", number
        ),
        DropName.HEADER: say_count("{number} header", "{number} headers", number),
        DropName.PATCH: say_count("{number} patch", "{number} patches", number),
        DropName.REWIND: say_count("{number} rewind", "{number} rewinds", number),
        DropName.NO_TRAJECTORY: say_count(
            "{number} without a trajectory", "{number} without a trajectory", number
        ),
        DropName.EMPTY_TURN: say_count("{number} empty turn", "{number} empty turns", number),
        DropName.UNREADABLE: say_count("{number} unreadable", "{number} unreadable", number),
        DropName.CUT: say_count("{number} cut at the end", "{number} cut at the end", number),
    }


def _of_libraries(number: int) -> dict[str, str]:
    return {
        DropName.PLAN: say_count("{number} plan", "{number} plans", number),
        DropName.TOLD_AGAIN: say_count(
            "{number} result told again", "{number} results told again", number
        ),
        DropName.HANDOFF: say_count("{number} handoff", "{number} handoffs", number),
        DropName.END: say_count("{number} end of the task", "{number} ends of the task", number),
        DropName.PIECE: say_count(
            "{number} piece of an answer", "{number} pieces of answers", number
        ),
        DropName.IMAGE: say_count("{number} image", "{number} images", number),
        DropName.SOUND: say_count("{number} sound", "{number} sounds", number),
        DropName.VIDEO: say_count("{number} video", "{number} videos", number),
        DropName.FILE: say_count("{number} file", "{number} files", number),
    }


def _of_spans(number: int) -> dict[str, str]:
    return {
        DropName.OLD_REQUEST: say_count(
            "{number} request that says nothing new",
            "{number} requests that say nothing new",
            number,
        ),
        DropName.OLD_LOG: say_count(
            "{number} log record that says nothing new",
            "{number} log records that say nothing new",
            number,
        ),
        DropName.KNOWN_TOOL: say_count(
            "{number} tool that a request tells of",
            "{number} tools that a request tells of",
            number,
        ),
        DropName.AGENT_SPAN: say_count("{number} agent", "{number} agents", number),
        DropName.OTHER_SPAN: say_count("{number} other span", "{number} other spans", number),
        DropName.NO_SPAN: say_count(
            "{number} line without a span", "{number} lines without a span", number
        ),
    }


def _of_runs(number: int) -> dict[str, str]:
    return {
        DropName.WARM_UP: say_count("{number} of a warm-up", "{number} of a warm-up", number),
        DropName.MAIN_RUN: say_count(
            "{number} of the main run", "{number} of the main run", number
        ),
        DropName.SUB_AGENT: say_count("{number} of a sub-agent", "{number} of a sub-agent", number),
        DropName.SUB_AGENTS: say_count("{number} of sub-agents", "{number} of sub-agents", number),
        DropName.OTHER_RUN: say_count("{number} of another run", "{number} of another run", number),
        DropName.OTHER_RUNS: say_count("{number} of other runs", "{number} of other runs", number),
    }


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


def failed_phrase(form: Format) -> str:
    """That the source marks a result as failed, and by what."""
    return say("Failed in the source, by {mark}", mark=_failure_mark(form))


def _failure_mark(form: Format) -> str:
    """By what the recordings of a format mark a result as failed."""
    return {
        Format.CLAUDE_CODE: "is_error",
        Format.CODEX: say("its exit code"),
        Format.MESSAGES: say("is_error or status"),
        Format.OTLP: say("the status of its span"),
        Format.INSPECT: say("its error"),
        Format.SWE_AGENT: say("its return code"),
        Format.ATIF: "is_error",
        Format.GEMINI: say("its status"),
        Format.OPENCODE: say("its status or exit code"),
        Format.PYDANTIC_AI: say("its outcome"),
        Format.VERCEL_AI: say("its type or state"),
        Format.SMOLAGENTS: say("the error of its step"),
        Format.AUTOGEN: "is_error",
    }[form]


def recovery_phrase(imported: Imported, step: Step) -> str:
    """Why a step was found to be a recovery, and what it was recorded as."""
    failed = imported.mapped.recovered[step.index]
    why = say_count(
        "Recovery, as it is the first answer after a failed result: step {steps}, by {mark}.",
        "Recovery, as it is the first answer after failed results: steps {steps}, by {mark}.",
        len(failed),
        steps=say_list(map(shown_count, failed)),
        mark=_failure_mark(imported.format),
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


def format_name(form: Format) -> str:
    """What people call a format."""
    return FORMATS[form].name


def not_converted(imported: Imported) -> str:
    """Why no trace is written of a run; "" where one is."""
    outcome = imported.outcome
    if not imported.content_recorded:
        return say("not converted: its content was not recorded.")
    if outcome.is_known:
        return ""
    if imported.scores and outcome.success is None:
        return _score_not_mapped(outcome)
    if outcome.confidence is None and outcome.success is None:
        return say(
            "not converted: neither confidence nor success is recorded;"
            " state them with --confidence and --success."
        )
    if outcome.confidence is None:
        return say("not converted: confidence is not recorded; state it with --confidence.")
    return say("not converted: success is not recorded; state it with --success.")


def _score_not_mapped(outcome: RunOutcome) -> str:
    """There is a score, and nobody said what it means."""
    if outcome.confidence is None:
        return say(
            "not converted: neither confidence nor success is recorded; state them with"
            " --confidence and --success, or say with --success-score which score means success."
        )
    return say(
        "not converted: success is not recorded; state it with --success, or say with"
        " --success-score which score means it."
    )


def not_exported(imported: Imported) -> str:
    """Why the window writes no trace of a run, and what to do; "" where it writes one."""
    outcome = imported.outcome
    if not imported.content_recorded:
        return say("its content was not recorded.")
    if outcome.is_known:
        return ""
    if outcome.confidence is None and outcome.success is None:
        return say(
            "neither confidence nor success is recorded; state them with Score > Set Outcome."
        )
    if outcome.confidence is None:
        return say("confidence is not recorded; state it with Score > Set Outcome.")
    return say("success is not recorded; state it with Score > Set Outcome.")


def entry_score(entry: TraceEntry) -> tuple[str, str]:
    """The score of an entry, or its possible scores, and the threshold."""
    if entry.score is not None:
        return shown_pair(entry.score, entry.threshold)
    if entry.score_range is None:
        raise ValueError("an entry has a score or a range")
    low, high = entry.score_range.low.score, entry.score_range.high.score
    needs = shown_score(entry.threshold, entry.threshold)
    return shown_interval(low, high, entry.threshold), needs


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
