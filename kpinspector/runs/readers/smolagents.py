"""The steps in smolagents' memory: tasks, and the texts, calls and observations of each step."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_entry, joined_text, moment
from kpinspector.runs.run import Block, BlockKind, DropName
from kpinspector.runs.texts import list_of
from kpinspector.trace.javascript import JsonObject

_HOLDERS: Final = (("steps",),)
_ANSWER: Final = "model_output_message"


def _lacks(entry: JsonObject) -> str | None:
    if "step_number" in entry and _ANSWER in entry:
        return ""
    is_near = {"step_number", "observations", "tool_calls"} <= entry.keys()
    return Phrase("{name} of its steps", name=_ANSWER) if is_near else None


def _blocks(entry: Spot) -> Iterator[Block]:
    yield from entry.inside("task").said(BlockKind.PROMPT)
    if not entry.has("step_number"):
        return
    entry = replace(entry, at=moment(entry.get("timing", "start_time")))
    said = (
        entry.with_value(joined_text(entry.get(*path)), *path)
        for path in (("model_output",), (_ANSWER, "content"))
    )
    yield from [block for one in said for block in one.said(BlockKind.TEXT)][:1]
    # after a failure only the message has the calls
    path = ("tool_calls",) if list_of(entry.value, "tool_calls") else (_ANSWER, "tool_calls")
    calls = [
        one.call(one.get("function", "name"), one.get("function", "arguments"), one.get("id"))
        for one in entry.each(*path)
    ]
    yield from calls
    entry = replace(entry, at=moment(entry.get("timing", "end_time")))
    observed, message = entry.get("observations"), entry.get("error", "message")
    if observed is not None:
        only = calls[0].call_id if len(calls) == 1 else ""
        yield entry.inside("observations").result(observed, only)
    if isinstance(message, str):  # the observation names its call if there are several
        of = [call for call in calls if len(calls) == 1 or f"'{call.tool}'" in message]
        call_id = of[0].call_id if len(of) == 1 else ""
        yield entry.inside("error", "message").result(message, call_id, failed=True)


def _why_nothing(entry: Spot) -> str:
    if entry.has("system_prompt"):
        return DropName.SYSTEM
    if entry.has("plan"):
        return DropName.PLAN
    return DropName.EMPTY if entry.has("step_number") else DropName.NO_KIND


FORMAT: Final = Format(
    id="smolagents",
    name="smolagents",
    tested=("1.26.0",),
    failure=Phrase("the error of its step"),
    lacks=by_entry(_lacks, *_HOLDERS),
    reader=partial(EntryReader, _blocks, _why_nothing, _HOLDERS, "recorded steps"),
)
