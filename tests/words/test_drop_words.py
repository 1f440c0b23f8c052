"""How much a recording holds and what was dropped of it, for one and for several."""

import pytest

from kpinspector.runs.run import DropName
from kpinspector.words.recordings import dropped_phrase, units_phrase

PLURAL = {
    DropName.SYSTEM: "2 system messages",
    DropName.DEVELOPER: "2 developer messages",
    DropName.NOBODY: "2 messages of nobody",
    DropName.COMPACTION: "2 compaction summaries",
    DropName.EVENT: "2 events",
    DropName.COPIED_RESULT: "2 copies of results",
    DropName.HEADER: "2 headers",
    DropName.PATCH: "2 patches",
    DropName.REWIND: "2 rewinds",
    DropName.EMPTY_TURN: "2 empty turns",
    DropName.PLAN: "2 plans",
    DropName.TOLD_AGAIN: "2 results told again",
    DropName.HANDOFF: "2 handoffs",
    DropName.END: "2 ends of the task",
    DropName.PIECE: "2 pieces of answers",
    DropName.IMAGE: "2 images",
    DropName.SOUND: "2 sounds",
    DropName.VIDEO: "2 videos",
    DropName.FILE: "2 files",
    DropName.OLD_REQUEST: "2 requests that say nothing new",
    DropName.OLD_LOG: "2 log records that say nothing new",
    DropName.KNOWN_TOOL: "2 tools that a request tells of",
    DropName.AGENT_SPAN: "2 agents",
    DropName.OTHER_SPAN: "2 other spans",
    DropName.NO_SPAN: "2 lines without a span",
}
SINGULAR = {
    DropName.EVENT: "1 event",
    DropName.TOLD_AGAIN: "1 result told again",
    DropName.OLD_REQUEST: "1 request that says nothing new",
    DropName.OLD_LOG: "1 log record that says nothing new",
    DropName.KNOWN_TOOL: "1 tool that a request tells of",
    DropName.AGENT_SPAN: "1 agent",
    DropName.OTHER_SPAN: "1 other span",
    DropName.NO_SPAN: "1 line without a span",
}
# what is the same for one and for several, behind the number
ALIKE = {
    DropName.NOT_RECORDED: "with content that was not recorded",
    DropName.NO_TRAJECTORY: "without a trajectory",
    DropName.CLIENT: "of the client's own",
    DropName.FRAMEWORK: "of the framework's own",
    DropName.COPIED_CONTEXT: "of copied context",
}


@pytest.mark.parametrize("name", DropName)
def test_each_name_of_ours_is_said_of_one_and_of_two(name):
    alike = ALIKE.get(name, name)
    assert dropped_phrase(name, 1) == SINGULAR.get(name, f"1 {alike}")
    assert dropped_phrase(name, 2) == PLURAL.get(name, f"2 {alike}")


def test_a_name_of_the_file_is_said_as_it_stands():
    assert dropped_phrase("file-history", 12_000) == "12,000 file-history"


@pytest.mark.parametrize("unit", ["lines", "messages", "spans", "turns", "recorded steps"])
def test_what_is_counted_is_said_of_one_and_of_two(unit):
    assert units_phrase(unit, 1) == f"1 {unit[:-1]}"
    assert units_phrase(unit, 2) == f"2 {unit}"
