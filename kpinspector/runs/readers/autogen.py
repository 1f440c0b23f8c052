"""AutoGen's task messages, and the saved state of an agent with the messages of its model."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, entries_of
from kpinspector.runs.run import Block, BlockKind, DropName, list_of, text_of
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject

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


def _recognise(head: FileHead) -> bool:
    """Whether there are messages that have one of AutoGen's types and a source."""
    return any("source" in entry or entry["type"] in _RESULTS for entry in _known_in(head))


def _missing(head: FileHead) -> str:
    return Phrase("source of its messages") if _known_in(head) else ""


def _known_in(head: FileHead) -> list[JsonObject]:
    entries = entries_of(head, *_HOLDERS)
    return [entry for entry in entries if entry.get("type") in _KNOWN and "content" in entry]


class _Reader(EntryReader):
    """Reads lists of messages and events."""

    holders = _HOLDERS

    @override
    def blocks_of(self, entry: JsonObject, spot: Spot) -> Iterator[Block]:
        kind = entry.get("type")
        spot = replace(spot, at=text_of(entry.get("created_at")))
        name = "content" if kind == _THOUGHT else "thought"
        thought = text_of(entry.get(name))
        if thought.strip() and (kind == _THOUGHT or kind in _TEXTS):
            yield spot.inside(name).block(BlockKind.REASONING, thought)
        if kind in _TEXTS:
            yield from _said(entry, spot.inside("content"))
        for index, part in enumerate(list_of(entry.get("content"))):
            where = spot.inside("content", index)
            if kind in _CALLS and isinstance(part, dict):
                yield where.call(part.get("name"), part.get("arguments"), part.get("id"))
            elif kind in _RESULTS and isinstance(part, dict):
                text, failed = content_text(part.get("content")), part.get("is_error") is True
                yield where.result(text, part.get("call_id"), failed=failed)

    @override
    def why_nothing(self, entry: JsonObject) -> str:
        kind = text_of(entry.get("type"))
        return DropName.EMPTY if kind in _KNOWN else _OTHERS.get(kind, kind or DropName.NO_TYPE)


def _said(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The texts of a message joined, and its pictures."""
    content = entry.get("content")
    parts = [content] if isinstance(content, str) else list_of(content)
    text = "\n".join(part for part in parts if isinstance(part, str))
    is_prompt = entry.get("source") == "user" or entry.get("type") == "UserMessage"
    if entry.get("type") not in _CALLS:  # in which the other parts are calls
        yield from spot.others(DropName.IMAGE for part in parts if isinstance(part, dict))
    if text.strip():
        yield spot.block(BlockKind.PROMPT if is_prompt else BlockKind.TEXT, text)


FORMAT: Final = Format(
    id="autogen",
    name="AutoGen",
    tested=("0.7.5",),
    failure="is_error",
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
