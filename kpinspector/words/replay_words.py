"""The words for what came of computing a report again."""

import json

from kpinspector import __version__
from kpinspector.scoring.formula.overrides import count
from kpinspector.scoring.report.replay import Difference, Replay, Why
from kpinspector.scoring.report.replay_checks import Fit
from kpinspector.scoring.report.replay_trust import Trusted
from kpinspector.scoring.report.report import Report
from kpinspector.trace.model import JsonValue, describe, quoted
from kpinspector.trace.read import TraceRecord
from kpinspector.trace.records import at_record, dotted
from kpinspector.words.sentences import Run, Sentence

_FITS = {Fit.EQUAL: "", Fit.AT_LEAST: "at least ", Fit.AT_MOST: "at most "}


def report_sentence(report: Report) -> Sentence:
    """What a report is about, when it was written and by what."""
    traces = count(len(report.traces), "trace", "traces", none="no traces")
    wrote = quoted(f"{report.generator.name} {report.generator.version}")[1:-1]
    when = quoted(report.generated_at)[1:-1]
    return (Run("A report on "), Run(traces, strong=True), Run(f", written {when} by {wrote}."))


def replay_word(replay: Replay) -> str:
    """The first word of the answer."""
    return "Identical" if replay.identical else "Different"


def replay_sentence(replay: Replay) -> str:
    """What was computed again, and how much of it differs."""
    were = "was" if replay.traces == 1 else "were"
    traces = count(replay.traces, "trace", "traces", none="no traces")
    computed = f"{traces} {were} computed again from the report{_sources(replay)}"
    return f"{computed}: {_result(replay)}. {_trust(replay)}"


def _sources(replay: Replay) -> str:
    """Whether the traces themselves were looked at as well."""
    if not replay.recounted:
        return " alone"
    if replay.recounted == replay.traces:
        counted = ", and counted again from the trace itself"
    else:
        counted = f", {replay.recounted:,} of them counted again from the trace itself"
    if not replay.similarities:
        return counted
    of = count(replay.similarities, "similarity", "similarities")
    return f"{counted}, with {replay.measured:,} of {of} measured again"


def _result(replay: Replay) -> str:
    return ", ".join(filter(None, (_differing(replay), _doubled(replay), _unreported(replay))))


def _differing(replay: Replay) -> str:
    if not replay.differences:
        return "what could be checked is as recorded"
    differing = len({one.trace for one in replay.differences} - {None})
    if not differing:
        return "no score depends on what differs"
    return f"{differing:,} {'differs' if differing == 1 else 'differ'}"


def _doubled(replay: Replay) -> str:
    number = len(replay.doubled)
    return f"{number:,} {'is' if number == 1 else 'are'} in it twice" if number else ""


def _unreported(replay: Replay) -> str:
    number = len(replay.unreported)
    if not number:
        return ""
    lacks = count(number, "trace is", "traces are")
    told = f", as it says of {replay.pending:,}" if replay.pending else ""
    return f"{lacks} not in it{told}"


def _trust(replay: Replay) -> str:
    number = len(replay.trusted)
    kinds = count(number, "kind of value was", "kinds of values were")
    return f"{kinds} taken on trust."


def trusted_words(trusted: Trusted, replay: Replay) -> str:
    """What was taken on trust, by its name in the report."""
    if not trusted.traces or len(trusted.traces) == replay.traces:
        return trusted.path
    return f"{trusted.path} ({len(trusted.traces):,} of {replay.traces:,})"


def difference_words(difference: Difference) -> str:
    """Where it is, what is recorded and what is recomputed."""
    recorded, recomputed = shown(difference.recorded), wanted_words(difference)
    return f"{dotted(difference.path)}: {recorded} is recorded, {recomputed} is recomputed"


def unreported_words(record: TraceRecord) -> str:
    """Which trace the report lacks."""
    name = record.trace.id or "a trace without an id"
    return f"{at_record(record.source.path, record.source.record)}: {name} is not in the report"


def doubled_words(index: int, first: int, report: Report) -> str:
    """Which entry is one too many."""
    name = report.traces[index].id or "a trace without an id"
    return f"traces.{index}: {name} is in the report before, as traces.{first}"


def wanted_words(difference: Difference) -> str:
    """What was recomputed, or the bound that holds instead."""
    return f"{_FITS[difference.fit]}{shown(difference.recomputed)}"


def why_words(difference: Difference, report: Report) -> str:
    """The likely cause, in a sentence."""
    if difference.why is Why.OTHER_VERSION:
        wrote = f"{report.generator.name} {report.generator.version}"
        return f"{quoted(wrote)[1:-1]} wrote it, and this is {__version__}: the rules differ."
    return _CAUSES[difference.why]


_CAUSES = {
    Why.EDITED: "The report was changed after it was written: its checksum does not fit.",
    Why.ROUNDED: "Numbers were rounded after the report was written: its checksum does not fit.",
    Why.CONTRADICTION: "The report contradicts itself, though its checksum fits.",
    Why.TRACE_CHANGED: "The report fits itself: it and the trace do not agree.",
    Why.NEIGHBOUR_CHANGED: "The report fits itself: the neighbour had another text when it was"
    " compared, or the number was changed.",
    Why.UNEXPLAINED: "Checksum and version fit, so nothing explains it.",
}


def shown(value: JsonValue) -> str:
    """A value with all its digits; ``nothing`` for null and for what is not there."""
    match value:
        case None:
            return "nothing"
        case str():
            return quoted(value)
        case list() | dict():
            return describe(value)
        case _:
            return json.dumps(value)
