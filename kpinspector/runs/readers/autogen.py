"""AutoGen's task messages, and the saved state of an agent with the messages of its model."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text
from kpinspector.runs.readers.lists import ListReader, ListShape, entries_of
from kpinspector.runs.readers.message import Spot
from kpinspector.runs.run import Block, BlockKind, DropName, Format, list_of, text_of
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject

_USER: Final = "user"
_HOLDERS: Final = (("messages",), ("llm_context", "messages"))
_TEXTS: Final = ("TextMessage", "MultiModalMessage", "UserMessage", "AssistantMessage")
_THOUGHT: Final = "ThoughtEvent"
_CALLS: Final = ("ToolCallRequestEvent", "AssistantMessage")
_RESULTS: Final = ("ToolCallExecutionEvent", "FunctionExecutionResultMessage")
_KNOWN: Final = (*_TEXTS, _THOUGHT, *_CALLS, *_RESULTS)
_OTHERS: Final = MappingProxyType(
    {
        "SystemMessage": DropName.SYSTEM,
        "ToolCallSummaryMessage": DropName.TOLD_AGAIN,
        "HandoffMessage": DropName.HANDOFF,
        "StopMessage": DropName.END,
        "ModelClientStreamingChunkEvent": DropName.PIECE,
    }
)


def recognise(head: FileHead) -> bool:
    """Whether there are messages that have one of AutoGen's types and a source."""
    return any(
        entry.get("type") in _KNOWN
        and "content" in entry
        and ("source" in entry or entry.get("type") in _RESULTS)
        for entry in entries_of(head, *_HOLDERS)
    )


def missing(head: FileHead) -> str:
    """What a list lacks that is otherwise one of these messages; "" for any other file."""
    entries = entries_of(head, *_HOLDERS)
    nearly = any(entry.get("type") in _KNOWN and "content" in entry for entry in entries)
    return Phrase("source of its messages") if nearly and not recognise(head) else ""


def _blocks_of(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a message: reasoning, text, calls and results."""
    kind = entry.get("type")
    spot = replace(spot, at=text_of(entry.get("created_at")))
    thought = text_of(entry.get("content" if kind == _THOUGHT else "thought"))
    if thought.strip() and (kind == _THOUGHT or kind in _TEXTS):
        name = "content" if kind == _THOUGHT else "thought"
        yield spot.inside(name).block(BlockKind.REASONING, thought)
    if kind in _TEXTS:
        yield from _said(entry, spot.inside("content"))
    if kind in _CALLS or kind in _RESULTS:
        making = _call if kind in _CALLS else _result
        for index, part in enumerate(list_of(entry.get("content"))):
            if isinstance(part, dict):
                yield making(part, spot.inside("content", index))


def _why_nothing(entry: JsonObject) -> str:
    """The name under which a message without blocks is counted."""
    kind = text_of(entry.get("type"))
    return DropName.EMPTY if kind in _KNOWN else _OTHERS.get(kind, kind or DropName.NO_TYPE)


def _said(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The texts of a message joined, and its pictures."""
    content = entry.get("content")
    parts = [content] if isinstance(content, str) else list_of(content)
    text = "\n".join(part for part in parts if isinstance(part, str))
    is_prompt = entry.get("source") == _USER or entry.get("type") == "UserMessage"
    if entry.get("type") not in _CALLS:  # in which the other parts are calls
        yield from spot.others(DropName.IMAGE for part in parts if isinstance(part, dict))
    if text.strip():
        yield spot.block(BlockKind.PROMPT if is_prompt else BlockKind.TEXT, text)


def _call(call: JsonObject, spot: Spot) -> Block:
    return replace(
        spot.block(BlockKind.CALL),
        tool=text_of(call.get("name")),
        input=call.get("arguments"),
        call_id=text_of(call.get("id")),
    )


def _result(result: JsonObject, spot: Spot) -> Block:
    return replace(
        spot.block(BlockKind.RESULT, content_text(result.get("content"))),
        call_id=text_of(result.get("call_id")),
        failed=result.get("is_error") is True,
    )


_SHAPE: Final = ListShape(Format.AUTOGEN, _HOLDERS, _blocks_of, _why_nothing)


class Reader(ListReader):
    """Reads lists of messages and events."""

    def __init__(self) -> None:
        super().__init__(_SHAPE)
