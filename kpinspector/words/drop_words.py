"""The words for how much a recording holds, and for what of it made no step."""

from kpinspector.runs.read import Imported
from kpinspector.runs.run import DropName
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count, say_list


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
