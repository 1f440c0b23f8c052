"""The steps in smolagents' memory: tasks, and the texts, calls and observations of each step."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text, joined_text, moment
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, entries_of
from kpinspector.runs.run import Block, BlockKind, DropName, list_of, object_of, text_of
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject

_HOLDERS: Final = (("steps",),)
_ANSWER: Final = "model_output_message"


def _recognise(head: FileHead) -> bool:
    """Whether there are numbered steps with the model's output."""
    return any("step_number" in one and _ANSWER in one for one in entries_of(head, *_HOLDERS))


def _missing(head: FileHead) -> str:
    entries = entries_of(head, *_HOLDERS)
    nearly = any({"step_number", "observations", "tool_calls"} <= one.keys() for one in entries)
    return Phrase("{name} of its steps", name=_ANSWER) if nearly else ""


class _Reader(EntryReader):
    """Reads lists of steps."""

    unit = "recorded steps"
    holders = _HOLDERS

    @override
    def blocks_of(self, entry: JsonObject, spot: Spot) -> Iterator[Block]:
        task = text_of(entry.get("task"))
        if task.strip():
            yield spot.inside("task").block(BlockKind.PROMPT, task)
        if "step_number" not in entry:
            return
        timing = object_of(entry.get("timing"))
        spot = replace(spot, at=moment(timing.get("start_time")))
        said = (
            (("model_output",), joined_text(entry.get("model_output"))),
            ((_ANSWER, "content"), joined_text(object_of(entry.get(_ANSWER)).get("content"))),
        )
        yield from spot.said(BlockKind.TEXT, [one for one in said if one[1].strip()][:1])
        calls = list(_calls(entry, spot))
        yield from calls
        yield from _seen(entry, calls, replace(spot, at=moment(timing.get("end_time"))))

    @override
    def why_nothing(self, entry: JsonObject) -> str:
        if "system_prompt" in entry:
            return DropName.SYSTEM
        if "plan" in entry:
            return DropName.PLAN
        return DropName.EMPTY if "step_number" in entry else DropName.NO_KIND


def _calls(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The calls of a step; after a failure only its message has them."""
    own, message = entry.get("tool_calls"), object_of(entry.get(_ANSWER))
    path: JsonPath = ("tool_calls",) if list_of(own) else (_ANSWER, "tool_calls")
    calls = list_of(own) or list_of(message.get("tool_calls"))
    for index, call in enumerate(map(object_of, calls)):
        function = object_of(call.get("function"))
        where = spot.inside(*path, index)
        yield where.call(function.get("name"), function.get("arguments"), call.get("id"))


def _seen(entry: JsonObject, calls: list[Block], spot: Spot) -> Iterator[Block]:
    """The observation of a step's calls and its error; names the call if there are several."""
    observed, message = entry.get("observations"), object_of(entry.get("error")).get("message")
    if observed is not None:
        only = calls[0].call_id if len(calls) == 1 else ""
        yield spot.inside("observations").result(content_text(observed), only)
    if isinstance(message, str):
        of = [call for call in calls if len(calls) == 1 or f"'{call.tool}'" in message]
        call_id = of[0].call_id if len(of) == 1 else ""
        yield spot.inside("error", "message").result(message, call_id, failed=True)


FORMAT: Final = Format(
    id="smolagents",
    name="smolagents",
    tested=("1.26.0",),
    failure=Phrase("the error of its step"),
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
