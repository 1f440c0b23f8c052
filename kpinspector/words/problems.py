"""The words for problems and skipped units, and for where a row comes from."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from kpinspector.runs.recording import UnreadRun
from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.scoring.report.written import FoundReport
from kpinspector.settings import Mode
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import quoted, shortened
from kpinspector.trace.records import (
    MoreProblems,
    Problem,
    ProblemKind,
    Skipped,
    SkippedFile,
    TraceRecord,
    at_record,
)
from kpinspector.words.figures import shown_count, shown_short
from kpinspector.words.page import Cell, Section, Sign, pairs
from kpinspector.words.recordings import format_name
from kpinspector.words.say import capitalised, in_words, say, say_count, say_list
from kpinspector.words.sentences import Sentence, say_sentence

_LONGEST = 300
_DAY_MS = 86_400_000
_DIGITS = 12
Facts = Iterator[tuple[str, str]]


def unscored(item: Problem | Skipped) -> tuple[Sign, str]:
    """The shape and the word that stand in place of a verdict."""
    match item:
        case UnreadRun():
            return Sign.UNREAD, say("Not read")
        case Skipped():
            return Sign.SKIPPED, say("Skipped")
        case Problem(kind=ProblemKind.UNREADABLE):
            return Sign.UNREADABLE, say("Not readable")
    return Sign.NOT_SCORABLE, say("Not scorable")


def named_and_counted(skipped: Sequence[Skipped]) -> tuple[list[Skipped], str]:
    """The skipped units to list, and a sentence that counts skipped files if there are several."""
    named = [one for one in skipped if not isinstance(one, SkippedFile)]
    files = len(skipped) - len(named)
    if files > 1:
        number = shown_count(files)
        return named, say("{number} files: score --json tells why of each", number=number)
    return list(skipped), ""


def unscored_sentence(item: Problem | Skipped) -> Sentence:
    """A sentence on why there is no score."""
    if isinstance(item, UnreadRun):
        return say_sentence("A recording of *{format}*.", format=format_name(item.format))
    if isinstance(item, Skipped):
        return say_sentence("Nothing to score: {reason}.", reason=in_words(item.reason))
    if isinstance(item, MoreProblems):
        return say_sentence(
            "Of the problems of this file the first are listed, {more}.", more=item.message
        )
    why = in_words(item.message)
    if item.kind is ProblemKind.UNREADABLE:
        stopped = say_sentence("reading stopped at *line {line}*", line=_number(item.line))
        what = why if item.line is None else stopped
        return say_sentence("There is no trace to score: {why}.", why=what)
    if not (item.expected and item.found):
        return say_sentence("The formula cannot be evaluated: {why}.", why=why)
    return say_sentence(
        "The formula cannot be evaluated: *{place}*: expected {expected}, found {found}.",
        place=item.json_path or say("the record"),
        expected=in_words(item.expected),
        found=in_words(item.found),
    )


def about_section(
    item: TraceRecord | Problem | Skipped | FoundReport,
    terms: Assessment | None,
    novelty: Novelty | None,
) -> Section:
    """Where a trace comes from and which profile judges it; or the facts of a row without one."""
    rows = _trace(item, terms, novelty) if isinstance(item, TraceRecord) else _unscored(item)
    file = say("file")
    cells = (
        (one, Cell(shortened(text, _LONGEST), is_place=one == file)) for one, text in rows if text
    )
    return Section(say("About"), (pairs(cells),))


def file_facts(item: object) -> tuple[tuple[str, str], ...]:
    """The facts of a file that holds no trace, each with its label; none for a trace."""
    facts = _unscored(item) if isinstance(item, Problem | Skipped | FoundReport) else ()
    return tuple((capitalised(name), value) for name, value in facts if value)


def _report(found: FoundReport) -> Facts:
    report, settings = found.values, found.values["settings"]
    used = UsedSettings(**settings | {"mode": Mode(settings["mode"])})
    yield say("file"), found.source.path
    yield say("record"), _number(found.source.record)
    yield say("threshold"), shown_short(used.threshold)
    memory = memory_phrase(used)
    if used.ttl_ms is not None:
        days = shown_short(used.ttl_ms / _DAY_MS)
        memory = say("{words}, at most {days} days old", words=memory, days=days)
    yield say("memory"), memory
    model, sha256 = report["embedder"]["model"], report["embedder"]["sha256"]
    known = say("{model}, sha256 {sha256}…", model=model, sha256=(sha256 or "")[:_DIGITS])
    missing = say("{model} was missing: novelty is assumed 0.5", model=model)
    yield say("model"), known if sha256 else missing
    pending, skipped = report["pending"], len(report["skipped"])
    problems = len(report["problems"]) + report["more_problems"]
    beside = {
        say("{number} pending", number=shown_count(pending)): pending,
        say("{number} with problems", number=shown_count(problems)): problems,
        say("{number} skipped", number=shown_count(skipped)): skipped,
    }
    yield say("beside"), say_list(words for words, number in beside.items() if number)


def memory_phrase(used: UsedSettings) -> str:
    """What new traces are compared with."""
    most = shown_count(used.max_elements)
    match used.mode:
        case Mode.REMEMBER:
            return say("compared with what is remembered, the newest {most} at most", most=most)
        case Mode.GUEST:
            return say(
                "compared with what is remembered, nothing added to it, the newest {most} at most",
                most=most,
            )
        case Mode.FRESH:
            return say("compared as by a fresh SDK process, the newest {most} at most", most=most)


def _number(number: int | None) -> str:
    return "" if number is None else shown_count(number)


def _trace(record: TraceRecord, terms: Assessment | None, novelty: Novelty | None) -> Facts:
    trace, source = record.trace, record.source
    yield say("file"), at_record(source.path, source.record)
    yield say("line"), _number(source.line if source.record else None)
    yield say("id"), masked_in(trace.id or "") or say("none that is usable")
    yield say("objective"), masked_in(trace.objective)
    domain, profile = trace.metadata.task_domain, terms.profile.name if terms else ""
    named = say("{profile}, domain {domain}", profile=profile, domain=quoted(domain or ""))
    none = say("{profile}, no domain", profile=profile)
    yield say("profile"), none if domain is None else named
    if novelty is not None and novelty.found_at is not None:
        when = datetime.fromtimestamp(novelty.found_at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
        against, entries = say("with no entry on {when}", when=when), novelty.compared_with
        if entries:
            against = say_count(
                "with {number} entry on {when}",
                "with {number} entries on {when}",
                entries,
                when=when,
            )
        remembered = say("{against}, remembered since", against=against)
        yield say("compared"), remembered if novelty.remembered else against


def _unscored(item: Problem | Skipped | FoundReport) -> Facts:
    if isinstance(item, FoundReport):
        yield from _report(item)
        return
    yield say("file"), item.path
    yield say("record"), _number(item.record)
    if isinstance(item, Skipped):
        yield say("type"), masked_in(item.type or "")
        yield say("id"), masked_in(item.id or "")
        return
    line, column = _number(item.line), _number(item.column)
    both = say("{line}, column {column}", line=line, column=column)
    yield say("line"), both if line and column else line
    yield say("at"), item.json_path or ""
    yield say("expected"), in_words(item.expected or "")
    yield say("found"), in_words(item.found or "")


def located(problem: Problem) -> str:
    """The place of a problem, and its message."""
    place = at_record(problem.path, problem.record)
    if problem.line is not None:
        place = say(
            "{path}, line {line}, column {column}",
            path=place,
            line=problem.line,
            column=problem.column,
        )
    return f"{place}: {in_words(problem.message)}"
