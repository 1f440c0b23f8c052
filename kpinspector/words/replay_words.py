"""The words for the result of computing a report again."""

import json

from kpinspector import __version__
from kpinspector.phrase import Phrase
from kpinspector.scoring.report.replay import Difference, Replay, Why
from kpinspector.scoring.report.replay_checks import Fit
from kpinspector.scoring.report.replay_trust import Trusted
from kpinspector.scoring.report.report import Report
from kpinspector.trace.clear import masked_in
from kpinspector.trace.model import JsonValue, describe
from kpinspector.trace.printable import quoted
from kpinspector.trace.read import TraceRecord
from kpinspector.trace.records import at_record, dotted
from kpinspector.words.figures import shown_count
from kpinspector.words.say import Names, in_words, say, say_count, say_list
from kpinspector.words.sentences import Sentence, say_sentence

_CAUSES = Names(
    {
        Why.EDITED: Phrase(
            "The report was changed after it was written: its checksum does not fit."
        ),
        Why.ROUNDED: Phrase(
            "Numbers were rounded after the report was written: its checksum does not fit."
        ),
        Why.CONTRADICTION: Phrase("The report contradicts itself, though its checksum fits."),
        Why.TRACE_CHANGED: Phrase("The report fits itself: it and the trace do not agree."),
        Why.NEIGHBOUR_CHANGED: Phrase(
            "The report fits itself: the neighbour had another text when it was"
            " compared, or the number was changed."
        ),
        Why.UNEXPLAINED: Phrase("Checksum and version fit, so nothing explains it."),
    }
)


def report_sentence(report: Report) -> Sentence:
    """What a report is about, when it was written and by what."""
    wrote = quoted(f"{report.generator.name} {report.generator.version}")[1:-1]
    when = quoted(report.generated_at)[1:-1]
    return say_sentence(
        "A report on *{traces}*, written {when} by {program}.",
        traces=traces_phrase(len(report.traces)),
        when=when,
        program=wrote,
    )


def traces_phrase(number: int) -> str:
    """So many traces."""
    return say_count("{number} trace", "{number} traces", number) if number else say("no traces")


def replay_word(replay: Replay) -> str:
    """The first word of the answer."""
    return say("Identical") if replay.identical else say("Different")


def replay_sentence(replay: Replay) -> str:
    """What was computed again, and how much of it differs."""
    return say(
        "{computed}: {result}. {trust}",
        computed=_computed(replay),
        result=_result(replay),
        trust=_trust(replay),
    )


def _computed(replay: Replay) -> str:
    """What was computed again, and whether the traces themselves were looked at as well."""
    traces = traces_phrase(replay.traces)
    if not replay.recounted:
        return say_count(
            "{traces} was computed again from the report alone",
            "{traces} were computed again from the report alone",
            replay.traces,
            traces=traces,
        )
    if replay.recounted == replay.traces:
        computed = say_count(
            "{traces} was computed again from the report, and counted again from the trace itself",
            "{traces} were computed again from the report, and counted again from the trace itself",
            replay.traces,
            traces=traces,
        )
    else:
        computed = say_count(
            "{traces} was computed again from the report,"
            " {counted} of them counted again from the trace itself",
            "{traces} were computed again from the report,"
            " {counted} of them counted again from the trace itself",
            replay.traces,
            traces=traces,
            counted=shown_count(replay.recounted),
        )
    if not replay.similarities:
        return computed
    return say_count(
        "{computed}, with {measured} of {number} similarity measured again",
        "{computed}, with {measured} of {number} similarities measured again",
        replay.similarities,
        computed=computed,
        measured=shown_count(replay.measured),
    )


def _result(replay: Replay) -> str:
    return say_list((_differing(replay), _doubled(replay), _unreported(replay)))


def _differing(replay: Replay) -> str:
    if not replay.differences:
        return say("what could be checked is as recorded")
    differing = len({one.trace for one in replay.differences} - {None})
    if not differing:
        return say("no score depends on what differs")
    return say_count("{number} differs", "{number} differ", differing)


def _doubled(replay: Replay) -> str:
    number = len(replay.doubled)
    return (
        say_count("{number} is in it twice", "{number} are in it twice", number) if number else ""
    )


def _unreported(replay: Replay) -> str:
    number = len(replay.unreported)
    if not number:
        return ""
    if not replay.pending:
        return say_count("{number} trace is not in it", "{number} traces are not in it", number)
    return say_count(
        "{number} trace is not in it, as it says of {pending}",
        "{number} traces are not in it, as it says of {pending}",
        number,
        pending=shown_count(replay.pending),
    )


def _trust(replay: Replay) -> str:
    return say_count(
        "{number} kind of value was taken on trust.",
        "{number} kinds of values were taken on trust.",
        len(replay.trusted),
    )


def trusted_words(trusted: Trusted, replay: Replay) -> str:
    """The values that were taken on trust, by their names in the report."""
    if not trusted.traces or len(trusted.traces) == replay.traces:
        return trusted.path
    return say(
        "{path} ({number} of {of})",
        path=trusted.path,
        number=shown_count(len(trusted.traces)),
        of=shown_count(replay.traces),
    )


def difference_words(difference: Difference) -> str:
    """A difference: its place, the recorded and the recomputed value."""
    return say(
        "{path}: {recorded} is recorded, {recomputed} is recomputed",
        path=masked_in(dotted(difference.path)),
        recorded=shown(difference.recorded),
        recomputed=wanted_words(difference),
    )


def unreported_words(record: TraceRecord) -> str:
    """Which trace the report lacks."""
    return say(
        "{place}: {name} is not in the report",
        place=at_record(record.source.path, record.source.record),
        name=masked_in(record.trace.id or "") or say("a trace without an id"),
    )


def doubled_words(index: int, first: int, report: Report) -> str:
    """Which entry is one too many."""
    return say(
        "{path}: {name} is in the report before, as {first}",
        path=f"traces.{index}",
        name=masked_in(report.traces[index].id or "") or say("a trace without an id"),
        first=f"traces.{first}",
    )


def wanted_words(difference: Difference) -> str:
    """The recomputed value, or the bound that holds instead."""
    value = shown(difference.recomputed)
    match difference.fit:
        case Fit.EQUAL:
            return value
        case Fit.AT_LEAST:
            return say("at least {value}", value=value)
        case Fit.AT_MOST:
            return say("at most {value}", value=value)


def why_words(difference: Difference, report: Report) -> str:
    """The likely cause, in a sentence."""
    if difference.why is Why.OTHER_VERSION:
        wrote = f"{report.generator.name} {report.generator.version}"
        return say(
            "{program} wrote it, and this is {version}: the rules differ.",
            program=quoted(wrote)[1:-1],
            version=__version__,
        )
    return _CAUSES[difference.why]


def shown(value: JsonValue) -> str:
    """A value with all its digits; ``nothing`` for null and for an absent value."""
    match value:
        case None:
            return say("nothing")
        case str():
            return quoted(value)
        case list() | dict():
            return in_words(describe(value))
        case _:
            return json.dumps(value)
