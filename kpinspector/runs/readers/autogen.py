"""AutoGen's task messages, and the saved state of an agent with the messages of its model."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_entry
from kpinspector.runs.run import Block, BlockKind, DropName
from kpinspector.trace.javascript import JsonObject

_HOLDERS: Final = (("messages",), ("llm_context", "messages"))
_TEXTS: Final = ("TextMessage", "MultiModalMessage", "UserMessage", "AssistantMessage")
_THOUGHT: Final = "ThoughtEvent"
_CALLS: Final = ("ToolCallRequestEvent", "AssistantMessage")
_RESULTS: Final = ("ToolCallExecutionEvent", "FunctionExecutionResultMessage")
_KNOWN: Final = (*_TEXTS, _THOUGHT, *_CALLS, *_RESULTS)
_OTHERS: Final = {
    "SystemMessage": DropName.SYSTEM,
    "ToolCallSummaryMessage": DropName.TOLD_AGAIN,
    "HandoffMessage": DropName.HANDOFF,
    "StopMessage": DropName.END,
    "ModelClientStreamingChunkEvent": DropName.PIECE,
}


def _lacks(entry: JsonObject) -> str | None:
    if entry.get("type") not in _KNOWN or "content" not in entry:
        return None
    is_own = "source" in entry or entry["type"] in _RESULTS
    return "" if is_own else Phrase("source of its messages")


def _blocks(entry: Spot) -> Iterator[Block]:
    entry = replace(entry, at=entry.text("created_at"))
    kind, content = entry.get("type"), entry.inside("content")
    if kind == _THOUGHT:
        yield from content.said(BlockKind.REASONING)
    elif kind in _TEXTS:
        yield from entry.inside("thought").said(BlockKind.REASONING)
        is_prompt = entry.get("source") == "user" or kind == "UserMessage"
        texts = (part.text() for part in content.each() if isinstance(part.value, str))
        text = content.with_value(content.text() or "\n".join(texts))
        yield from text.said(BlockKind.PROMPT if is_prompt else BlockKind.TEXT)
    for part in content.each():
        if kind in _CALLS and part.has():
            yield part.call(part.get("name"), part.get("arguments"), part.get("id"))
        elif kind in _RESULTS and part.has():
            failed = part.get("is_error") is True
            yield part.result(part.get("content"), part.get("call_id"), failed=failed)
        elif kind in _TEXTS and part.has():
            yield part.other(DropName.IMAGE)


def _why_nothing(entry: Spot) -> str:
    kind = entry.text("type")
    return DropName.EMPTY if kind in _KNOWN else _OTHERS.get(kind, kind or DropName.NO_TYPE)


FORMAT: Final = Format(
    id="autogen",
    name="AutoGen",
    tested=("0.7.5",),
    failure="is_error",
    lacks=by_entry(_lacks, *_HOLDERS),
    reader=partial(EntryReader, _blocks, _why_nothing, _HOLDERS),
)
