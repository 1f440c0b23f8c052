"""The result of a replay, as text for a terminal and as JSON."""

from kpinspector.scoring.report.replay import Replay
from kpinspector.scoring.report.report import Generator
from kpinspector.scoring.report.written import FoundReport, report_json
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import on_one_line
from kpinspector.trace.records import dotted
from kpinspector.words.figures import shown_count
from kpinspector.words.replay_words import (
    difference_words,
    replay_sentence,
    replay_word,
    traces_phrase,
    written_by,
)
from kpinspector.words.say import say
from kpinspector.words.writers.columns import labelled, wrapped

_MOST_LINES = 20


def replay_text(found: FoundReport, replay: Replay, width: int | None = None) -> str:
    """What differs and how it ended, within ``width``; ends in a line feed."""
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
    longest = len(say("different"))
    shown = ((f"{label:{longest}}", on_one_line(text)) for label, text in rows[:_MOST_LINES])
    lines = [*wrapped(on_one_line(about), width), *labelled(shown, width)]
    if (more := len(rows) - _MOST_LINES) > 0:
        cut = say("and {more} more, all of them with --json", more=shown_count(more))
        lines += wrapped(cut, width)
    lines += wrapped(f"{replay_word(replay)}. {replay_sentence(replay)}", width)
    return "".join(f"{line}\n" for line in lines)


def replay_json(found: FoundReport, replay: Replay) -> bytes:
    """UTF-8 JSON; ``differences`` hold the first of each trace, null stands for an absent value."""
    values = found.values
    return report_json(
        {
            "format": "kpinspector-replay",
            "version": 2,
            "generator": Generator(),
            "report": found.source,
            "written_at": values["generated_at"],
            "written_by": values["generator"],
            "identical": replay.identical,
            "traces": replay.traces,
            "scored": replay.scored,
            "held": replay.held,
            "missing": [
                {"path": f"traces.{index}", "id": values["traces"][index]["id"]}
                for index in replay.missing
            ],
            "differences": [
                {
                    "path": dotted(one.path),
                    "recorded": one.recorded,
                    "recomputed": one.recomputed,
                }
                for one in replay.differences
            ],
        }
    )
