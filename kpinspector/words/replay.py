"""The words for a report and for the result of computing it again."""

import json

from kpinspector.scoring.report.replay import Difference, Replay
from kpinspector.scoring.report.report import GENERATOR
from kpinspector.scoring.report.written import FoundReport, report_json
from kpinspector.trace.clear import masked_in
from kpinspector.trace.javascript import JsonValue
from kpinspector.trace.model import describe
from kpinspector.trace.printable import quoted
from kpinspector.trace.records import dotted
from kpinspector.words.figures import shown_count
from kpinspector.words.page import Answer, Section, pairs, paragraph
from kpinspector.words.say import in_words, say, say_count, say_list
from kpinspector.words.sentences import Sentence, say_sentence

_MOST_LINES = 20


def report_sentence(found: FoundReport) -> Sentence:
    """What a report is about, when it was written and by what."""
    written_at, program = written_by(found)
    return say_sentence(
        "A report on *{traces}*, written {when} by {program}.",
        traces=traces_phrase(len(found.values["traces"])),
        when=quoted(written_at)[1:-1],
        program=quoted(program)[1:-1],
    )


def replay_word(replay: Replay) -> str:
    """The word that sums up a replay: identical or different."""
    return say("Identical") if replay.identical else say("Different")


def replay_sentence(replay: Replay) -> str:
    """What was computed again, and how much of it differs."""
    computed = say_count(
        "{traces} was computed again from the report",
        "{traces} were computed again from the report",
        replay.traces,
        traces=traces_phrase(replay.traces),
    )
    if replay.scored:
        computed = say_count(
            "{computed}, and {number} scored again from the trace itself",
            "{computed}, and {number} scored again from the traces themselves",
            replay.scored,
            computed=computed,
        )
    held = ""
    if replay.held:
        held = say("the novelty of {number} is taken from it", number=shown_count(replay.held))
    result = say("all is as recorded")
    if replay.differences:
        result = say_count("{number} differs", "{number} differ", len(replay.differences))
    return say("{computed}: {result}.", computed=computed, result=say_list((result, held)))


def difference_words(difference: Difference) -> str:
    """A difference: its place, the recorded and the recomputed value."""
    return say(
        "{path}: {recorded} is recorded, {recomputed} is recomputed",
        path=dotted(difference.path),
        recorded=_shown(difference.recorded),
        recomputed=_shown(difference.recomputed),
    )


def written_by(found: FoundReport) -> tuple[str, str]:
    """When a report was written, and by what."""
    by = found.values["generator"]
    return found.values["generated_at"], f"{by['name']} {by['version']}"


def traces_phrase(number: int) -> str:
    """A number of traces in words."""
    return say_count("{number} trace", "{number} traces", number) if number else say("no traces")


def _shown(value: JsonValue) -> str:
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


def replay_answer(found: FoundReport, replay: Replay) -> Answer:
    """The differences, the missing traces, and the result of a replay."""
    written_at, program = written_by(found)
    about = say(
        "{path}: {traces}, written {when} by {program}",
        path=found.source.path,
        traces=traces_phrase(replay.traces),
        when=written_at,
        program=program,
    )
    rows = [(say("different"), difference_words(one)) for one in replay.differences]
    for index in replay.missing:
        name = masked_in(found.values["traces"][index]["id"] or "") or say("a trace without an id")
        words = say(
            "{path}: {name} is not among the given traces", path=f"traces.{index}", name=name
        )
        rows.append((say("missing"), words))
    blocks = [paragraph(about)]
    if rows:
        blocks.append(pairs(rows[:_MOST_LINES]))
    if (more := len(rows) - _MOST_LINES) > 0:
        cut = say("and {more} more, all of them with --json", more=shown_count(more))
        blocks.append(paragraph(cut))
    blocks.append(paragraph(f"{replay_word(replay)}. {replay_sentence(replay)}"))
    return Answer("", (), (Section("", tuple(blocks)),), underlined=False)


def replay_json(found: FoundReport, replay: Replay) -> bytes:
    """A replay as JSON: the first difference of each trace; null stands for an absent value."""
    values = found.values
    return report_json(
        {
            "format": "kpinspector-replay",
            "version": 2,
            "generator": GENERATOR,
            "report": found.source,
            "written_at": values["generated_at"],
            "written_by": values["generator"],
            **{one: getattr(replay, one) for one in ("identical", "traces", "scored", "held")},
            "missing": [
                {"path": f"traces.{index}", "id": values["traces"][index]["id"]}
                for index in replay.missing
            ],
            "differences": [
                {"path": dotted(one.path), "recorded": one.recorded, "recomputed": one.recomputed}
                for one in replay.differences
            ],
        }
    )
