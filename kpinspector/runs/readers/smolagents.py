"""The steps in smolagents' memory: tasks, and the texts, calls and observations of each step."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text, joined_text, moment
from kpinspector.runs.readers.lists import ListReader, ListShape, entries_of
from kpinspector.runs.readers.message import Spot
from kpinspector.runs.run import Block, BlockKind, DropName, Format, list_of, object_of, text_of
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject

_HOLDERS: Final = (("steps",),)
_ANSWER: Final = "model_output_message"


def recognise(head: FileHead) -> bool:
    """Whether there are numbered steps with the model's output."""
    return any("step_number" in one and _ANSWER in one for one in entries_of(head, *_HOLDERS))


def missing(head: FileHead) -> str:
    """What a list lacks that is otherwise one of these steps; "" for any other file."""
    entries = entries_of(head, *_HOLDERS)
    nearly = any({"step_number", "observations", "tool_calls"} <= one.keys() for one in entries)
    return Phrase("{name} of its steps", name=_ANSWER) if nearly and not recognise(head) else ""


def _blocks_of(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a step; its calls share one observation, or its error."""
    task = text_of(entry.get("task"))
    if task.strip():
        yield spot.inside("task").block(BlockKind.PROMPT, task)
    if "step_number" not in entry:
        return
    timing = object_of(entry.get("timing"))
    spot = replace(spot, at=moment(timing.get("start_time")))
    yield from _said(entry, spot)
    calls = list(_calls(entry, spot))
    yield from calls
    yield from _seen(entry, calls, replace(spot, at=moment(timing.get("end_time"))))


def _why_nothing(entry: JsonObject) -> str:
    """The name under which a step without blocks is counted."""
    if "system_prompt" in entry:
        return DropName.SYSTEM
    if "plan" in entry:
        return DropName.PLAN
    return DropName.EMPTY if "step_number" in entry else DropName.NO_KIND


def _said(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The model's text, from the step or from its message."""
    paths: tuple[JsonPath, ...] = (("model_output",), (_ANSWER, "content"))
    for path in paths:
        holder = entry if len(path) == 1 else object_of(entry.get(_ANSWER))
        text = joined_text(holder.get(str(path[-1])))
        if text.strip():
            yield spot.inside(*path).block(BlockKind.TEXT, text)
            return


def _calls(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The calls of a step; after a failure only its message has them."""
    own, message = entry.get("tool_calls"), object_of(entry.get(_ANSWER))
    path: JsonPath = ("tool_calls",) if list_of(own) else (_ANSWER, "tool_calls")
    for index, part in enumerate(list_of(own) or list_of(message.get("tool_calls"))):
        function = object_of(object_of(part).get("function"))
        yield replace(
            spot.inside(*path, index).block(BlockKind.CALL),
            tool=text_of(function.get("name")),
            input=function.get("arguments"),
            call_id=text_of(object_of(part).get("id")),
        )


def _seen(entry: JsonObject, calls: list[Block], spot: Spot) -> Iterator[Block]:
    """The observation of a step's calls and its error; names the call if there are several."""
    observed, message = entry.get("observations"), object_of(entry.get("error")).get("message")
    if observed is not None:
        only = calls[0].call_id if len(calls) == 1 else ""
        seen = spot.inside("observations").block(BlockKind.RESULT, content_text(observed))
        yield replace(seen, call_id=only)
    if isinstance(message, str):
        of = [call for call in calls if len(calls) == 1 or f"'{call.tool}'" in message]
        seen = spot.inside("error", "message").block(BlockKind.RESULT, message)
        yield replace(seen, call_id=of[0].call_id if len(of) == 1 else "", failed=True)


_SHAPE: Final = ListShape(
    Format.SMOLAGENTS, _HOLDERS, _blocks_of, _why_nothing, unit="recorded steps"
)


class Reader(ListReader):
    """Reads lists of steps."""

    def __init__(self) -> None:
        super().__init__(_SHAPE)
