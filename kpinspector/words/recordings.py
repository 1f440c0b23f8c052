"""The words for recordings of other agents: what they hold, and where each value comes from."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from kpinspector.phrase import Phrase
from kpinspector.runs.provenance import TraceField, ValueOrigin, origins
from kpinspector.runs.read import Imported, RunRecord
from kpinspector.runs.readers import formats
from kpinspector.runs.rules import NO_OUTCOME
from kpinspector.runs.run import DropName
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import Step
from kpinspector.trace.printable import shortened
from kpinspector.words.figures import shown_count, shown_interval, shown_pair, shown_short
from kpinspector.words.page import Section, pairs
from kpinspector.words.say import Names, forms, say, say_all, say_count, say_list, say_number

_UNITS: Final = (
    *(Phrase("lines"), Phrase("messages"), Phrase("spans"), Phrase("turns")),
    Phrase("recorded steps"),
)
# names with one form for singular and plural
_ALIKE: Final = (
    *(Phrase("of no role"), Phrase("of no type"), Phrase("of no source"), Phrase("of no kind")),
    *(Phrase("empty or redacted"), Phrase("rewritten later"), Phrase("unreadable")),
    *(Phrase("cut at the end"), Phrase("of a warm-up"), Phrase("of the main run")),
    *(Phrase("of a sub-agent"), Phrase("of sub-agents")),
    *(Phrase("of another run"), Phrase("of other runs")),
)
_SAID: Final = Names({str(one): one for one in (*_UNITS, *_ALIKE)})
_COUNTED: Final[dict[str, tuple[str, str]]] = {
    "lines": forms("{number} line", "{number} lines"),
    "messages": forms("{number} message", "{number} messages"),
    "spans": forms("{number} span", "{number} spans"),
    "turns": forms("{number} turn", "{number} turns"),
    "recorded steps": forms("{number} recorded step", "{number} recorded steps"),
    DropName.SYSTEM: forms("{number} system message", "{number} system messages"),
    DropName.DEVELOPER: forms("{number} developer message", "{number} developer messages"),
    DropName.NOBODY: forms("{number} message of nobody", "{number} messages of nobody"),
    DropName.NOT_RECORDED: forms(
        "{number} with content that was not recorded", "{number} with content that was not recorded"
    ),
    DropName.CLIENT: forms("{number} of the client's own", "{number} of the client's own"),
    DropName.FRAMEWORK: forms("{number} of the framework's own", "{number} of the framework's own"),
    DropName.COMPACTION: forms("{number} compaction summary", "{number} compaction summaries"),
    DropName.EVENT: forms("{number} event", "{number} events"),
    DropName.COPIED_CONTEXT: forms("{number} of copied context", "{number} of copied context"),
    DropName.COPIED_RESULT: forms("{number} copy of a result", "{number} copies of results"),
    DropName.HEADER: forms("{number} header", "{number} headers"),
    DropName.PATCH: forms("{number} patch", "{number} patches"),
    DropName.REWIND: forms("{number} rewind", "{number} rewinds"),
    DropName.NO_TRAJECTORY: forms("{number} without a trajectory", "{number} without a trajectory"),
    DropName.EMPTY_TURN: forms("{number} empty turn", "{number} empty turns"),
    DropName.PLAN: forms("{number} plan", "{number} plans"),
    DropName.TOLD_AGAIN: forms("{number} result told again", "{number} results told again"),
    DropName.HANDOFF: forms("{number} handoff", "{number} handoffs"),
    DropName.END: forms("{number} end of the task", "{number} ends of the task"),
    DropName.PIECE: forms("{number} piece of an answer", "{number} pieces of answers"),
    DropName.IMAGE: forms("{number} image", "{number} images"),
    DropName.SOUND: forms("{number} sound", "{number} sounds"),
    DropName.VIDEO: forms("{number} video", "{number} videos"),
    DropName.FILE: forms("{number} file", "{number} files"),
    DropName.OLD_REQUEST: forms(
        "{number} request that says nothing new", "{number} requests that say nothing new"
    ),
    DropName.OLD_LOG: forms(
        "{number} log record that says nothing new", "{number} log records that say nothing new"
    ),
    DropName.KNOWN_TOOL: forms(
        "{number} tool that a request tells of", "{number} tools that a request tells of"
    ),
    DropName.AGENT_SPAN: forms("{number} agent", "{number} agents"),
    DropName.OTHER_SPAN: forms("{number} other span", "{number} other spans"),
    DropName.NO_SPAN: forms("{number} line without a span", "{number} lines without a span"),
}
_FIELD_NAMES: Final = Names(
    {
        TraceField.OBJECTIVE: Phrase("objective"),
        TraceField.STEPS: Phrase("steps"),
        TraceField.RECOVERIES: Phrase("recoveries"),
        TraceField.CREATED_AT: Phrase("time"),
        TraceField.RESULT_SUMMARY: Phrase("result"),
        TraceField.CONFIDENCE: Phrase("confidence"),
        TraceField.SUCCESS: Phrase("success"),
        TraceField.TASK_DOMAIN: Phrase("domain"),
        TraceField.QUALITY_SCORE: Phrase("quality score"),
        TraceField.VISIBILITY: Phrase("visibility"),
        TraceField.PRIVACY_LEVEL: Phrase("privacy level"),
    }
)
# values that a score needs are named before values that only the schema needs
_ABSENT_FIRST = (TraceField.CONFIDENCE, TraceField.SUCCESS, TraceField.TASK_DOMAIN)
_LONGEST = 300
_LONGEST_NAME = 60


def counted_phrase(name: str, number: int, *, running: bool = False) -> str:
    """A number of units or dropped parts; ``running``: a cut last line is still being written."""
    if name in _COUNTED:
        return say_number(_COUNTED[name], number)
    said = say("still being written") if running and name == DropName.CUT else _SAID.get(name, name)
    return say("{number} {name}", number=shown_count(number), name=said)


def imported_words(record: RunRecord, *, running: bool = False) -> list[tuple[str, str]]:
    """What is recorded, derived, absent and stated of a run, and what was dropped, each named."""
    imported, unit, nothing = record.imported, record.imported.recording.unit, say("nothing")
    fields = chain(*(fields_of(imported, one) for one in (ValueOrigin.STATED, ValueOrigin.CHOSEN)))
    derived = len(imported.mapped.derived)
    recoveries = say_count("{number} recovery", "{number} recoveries", derived) if derived else ""
    return [
        (say("source"), _source(imported, running=running)),
        (say("recorded"), say_list(_recorded(record)) or nothing),
        (say("derived"), say_list((recoveries, say("the id")))),
        (say("absent"), say_list(_absent(imported)) or nothing),
        (say("stated"), say_list(valued(one, imported) for one in fields) or nothing),
        (_SAID.get(unit, unit), _lines(imported, running=running)),
    ]


def outcome_facts(imported: Imported) -> Iterator[str]:
    """Phrases on what is known of a run's outcome, and on who says so."""
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
    score = imported.stated.success_score
    if score is not None and imported.mapped_success is not None:
        yield say("success by the score {name}", name=shown_name(score.name))
    origin = stated_phrase(imported)
    if origin:
        yield origin


def stated_phrase(imported: Imported) -> str:
    """Which part of the outcome the user stated; "" if none."""
    found = origins(imported)
    outcome = (TraceField.CONFIDENCE, TraceField.SUCCESS)
    stated = [one for one in outcome if found[one] is ValueOrigin.STATED]
    if len(stated) > 1:
        return say("stated by you")
    return say("{name} stated by you", name=_FIELD_NAMES[stated[0]]) if stated else ""


def failed_phrase(form: str) -> str:
    """A phrase that the source marks a result as failed, and by what; ``form``: a format's id."""
    return say("Failed in the source, by {mark}", mark=formats()[form].failure)


def recovery_phrase(imported: Imported, step: Step) -> str:
    """Why a step was found to be a recovery, and what it was recorded as."""
    failed = imported.mapped.recovered[step.index]
    why = say_count(
        "Recovery, as it is the first answer after a failed result: step {steps}, by {mark}.",
        "Recovery, as it is the first answer after failed results: steps {steps}, by {mark}.",
        len(failed),
        steps=say_list(map(shown_count, failed)),
        mark=formats()[imported.recording.format].failure,
    )
    recorded = (
        say("Recorded as text.") if step.tool_key is None else say("Recorded as a tool call.")
    )
    return f"{why} {recorded}"


def without_recovery_phrase(
    step: Step, bounds: tuple[float, float] | None, threshold: float
) -> str:
    """What a derived recovery would otherwise be, with the lowest and highest score if known."""
    kind = say("A thought") if step.tool_key is None else say("A tool call")
    if bounds is None:
        return say("{kind}.", kind=kind)
    low, high = bounds
    known = low == high
    score = shown_pair(low, threshold)[0] if known else shown_interval(low, high, threshold)
    verdict = say("undecided")
    if low >= threshold:
        verdict = say("accepted") if known else say("accepted whatever the outcome")
    elif high < threshold:
        verdict = say("rejected") if known else say("rejected whatever the outcome")
    return say(
        "{kind}; the score would be {score}, {verdict}.", kind=kind, score=score, verdict=verdict
    )


def recorded_place(record: RunRecord, step: Step | None) -> str:
    """The place of a step in its recording, or of the objective: line, path, bytes, zip member."""
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
    recording, prompts = imported.recording, imported.mapped.prompts
    counted = say_count("one prompt", "{number} prompts", prompts) if prompts else say("no prompt")
    said = say(
        "{name}, {prompts}, {total}",
        name=" ".join(filter(None, (format_name(recording.format), recording.version))),
        prompts=counted,
        total=counted_phrase(recording.unit, recording.total),
    )
    if running:
        said = say("{source}, still running", source=said)
    if not imported.run.scores:
        return said
    scores = shortened(
        say_list(score_phrase(*score) for score in imported.run.scores.items()), _LONGEST
    )
    return say("{source}  \N{MIDDLE DOT}  scores {scores}", source=said, scores=scores)


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
    if not imported.run.content_recorded:
        yield say("content")
    fields = fields_of(imported, ValueOrigin.ABSENT)
    yield from (_FIELD_NAMES[field] for field in _ABSENT_FIRST if field in fields)
    yield from lacking(imported)
    # recoveries are not absent from a run without failures
    rest = (*_ABSENT_FIRST, TraceField.RECOVERIES)
    yield from (_FIELD_NAMES[field] for field in fields if field not in rest)


def _lines(imported: Imported, *, running: bool) -> str:
    every = imported.recording.dropped
    dropped = sum(every.values())
    read = say("{number} read", number=shown_count(imported.recording.total - dropped))
    beside = say_list(counted_phrase(*one) for one in imported.run.parts.items())
    if dropped:
        parts = say_list(counted_phrase(*one, running=running) for one in every.items())
        read = say(
            "{read}  ·  dropped {number}: {parts}",
            read=read,
            number=shown_count(dropped),
            parts=parts,
        )
    elif not beside:
        return say("{read}  ·  nothing dropped", read=read)
    return say("{read}  ·  left out {parts}", read=read, parts=beside) if beside else read


def format_name(form: str) -> str:
    """The name of a format for people, by its id."""
    return formats()[form].name


def not_converted(imported: Imported) -> str:
    """Why a run is not converted, and the options that would help; "" where it is converted."""
    outcome = imported.outcome
    if not imported.run.content_recorded:
        return say("not converted: its content was not recorded.")
    if outcome.is_known:
        return ""
    options = {"--confidence": outcome.confidence, "--success": outcome.success}
    how = say_all([name for name, known in options.items() if known is None])
    if outcome.success is None and imported.run.scores:
        how = say("{options}, or --success-score", options=how)
    missing = unknown_phrase(imported)
    return say("not converted: {missing}; state this with {options}.", missing=missing, options=how)


def not_exported(imported: Imported) -> str:
    """Why the window exports no trace of a run, and what to do; "" where it exports one."""
    if not imported.run.content_recorded:
        return say("its content was not recorded.")
    if imported.outcome.is_known:
        return ""
    return say("{missing}; state this with Score > Set Outcome.", missing=unknown_phrase(imported))


def entry_score(entry: Mapping[str, Any]) -> tuple[str, str]:
    """The score of an entry of a report, or its possible scores, and the threshold."""
    threshold, possible = entry["threshold"], entry["score_range"]
    if entry["score"] is not None:
        return shown_pair(float(entry["score"]), threshold)
    low, high = (float(possible[end]["score"]) for end in ("low", "high"))
    return shown_interval(low, high, threshold), shown_pair(threshold, threshold)[1]


def fields_of(imported: Imported, origin: ValueOrigin) -> list[TraceField]:
    """The values of a run's trace that have this origin."""
    return [field for field, found in origins(imported).items() if found is origin]


def lacking(imported: Imported) -> Iterator[str]:
    """What the recording lacks beside the values of a trace: reasoning, failures, results, end."""
    made = imported.mapped
    if not made.has_reasoning:
        yield say("reasoning")
    if not made.failed:
        yield say("results marked as failed")
    if made.unanswered:
        yield say_count(
            "the result of {number} call", "the results of {number} calls", made.unanswered
        )
    if not imported.run.ended:
        yield say("its end")


def recording_section(record: RunRecord, *, running: bool = False) -> Section:
    """Which recording it is, and where each value comes from."""
    derived, rows = record.imported.mapped.derived, imported_words(record, running=running)
    if derived:
        about = say_count(
            "{number} recovery, from a result that the source marks as failed: step {steps}",
            "{number} recoveries, from results that the source marks as failed: steps {steps}",
            len(derived),
            steps=say_list(map(shown_count, sorted(derived))),
        )
        rows.append((say("derived steps"), about))
    return Section(say("Recording"), (pairs(rows),))


def valued(field: TraceField, imported: Imported) -> str:
    """The name of a value, with the value itself for confidence, success and domain."""
    outcome, name = imported.outcome, _FIELD_NAMES[field]
    match field:
        case TraceField.CONFIDENCE if outcome.confidence is not None:
            return say("{name} {value}", name=name, value=shown_short(outcome.confidence))
        case TraceField.SUCCESS if outcome.success is not None:
            answer = say("yes") if outcome.success else say("no")
            return _as_mapped(say("{name} {value}", name=name, value=answer), imported)
        case TraceField.TASK_DOMAIN if imported.domain is not None:
            return say("{name} {value}", name=name, value=shown_name(imported.domain))
    return name


def _as_mapped(success: str, imported: Imported) -> str:
    score = imported.stated.success_score
    if score is None or imported.mapped_success is None:
        return success
    recorded = score_phrase(score.name, imported.run.scores[score.name])
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
    """A domain, or the name or the value of a score, in one line."""
    return shortened(" ".join(masked_in(text).split()), _LONGEST_NAME)


def unknown_phrase(imported: Imported) -> str:
    """Which parts of the outcome are not recorded."""
    outcome = imported.outcome
    parts = {say("confidence"): outcome.confidence, say("success"): outcome.success}
    missing = [name for name, known in parts.items() if known is None]
    return say("{names} not recorded", names=say_all(missing))
