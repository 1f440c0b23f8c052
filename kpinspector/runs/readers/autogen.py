"""AutoGen's task messages, and the saved state of an agent with the messages of its model."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, entries_of
from kpinspector.runs.run import Block, BlockKind, DropName
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonObject

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


def _known_in(head: FileHead) -> list[JsonObject]:
    """Messages that have one of AutoGen's types."""
    entries = entries_of(head, *_HOLDERS)
    return [entry for entry in entries if entry.get("type") in _KNOWN and "content" in entry]


def _blocks(entry: Spot) -> Iterator[Block]:
    entry = replace(entry, at=entry.text("created_at"))
    kind, content = entry.get("type"), entry.inside("content")
    name = "content" if kind == _THOUGHT else "thought"
    if entry.text(name).strip() and (kind == _THOUGHT or kind in _TEXTS):
        yield entry.inside(name).block(BlockKind.REASONING, entry.text(name))
    if kind in _TEXTS:
        yield from _said(entry, content)
    for part in content.each():
        if kind in _CALLS and part.has():
            yield part.call(part.get("name"), part.get("arguments"), part.get("id"))
        elif kind in _RESULTS and part.has():
            text, failed = content_text(part.get("content")), part.get("is_error") is True
            yield part.result(text, part.get("call_id"), failed=failed)


def _why_nothing(entry: Spot) -> str:
    kind = entry.text("type")
    return DropName.EMPTY if kind in _KNOWN else _OTHERS.get(kind, kind or DropName.NO_TYPE)


def _said(entry: Spot, content: Spot) -> Iterator[Block]:
    """The texts of a message joined, and its pictures."""
    text = content.text() or "\n".join(
        part.value for part in content.each() if isinstance(part.value, str)
    )
    is_prompt = entry.get("source") == "user" or entry.get("type") == "UserMessage"
    if entry.get("type") not in _CALLS:  # in which the other parts are calls
        yield from content.others(DropName.IMAGE for part in content.each() if part.has())
    if text.strip():
        yield content.block(BlockKind.PROMPT if is_prompt else BlockKind.TEXT, text)


FORMAT: Final = Format(
    id="autogen",
    name="AutoGen",
    tested=("0.7.5",),
    failure="is_error",
    recognise=lambda head: any(
        "source" in entry or entry["type"] in _RESULTS for entry in _known_in(head)
    ),
    missing=lambda head: Phrase("source of its messages") if _known_in(head) else "",
    reader=partial(EntryReader, _blocks, _why_nothing, _HOLDERS),
)
