"""pydantic-ai's messages, as ``all_messages_json`` writes them: requests and responses."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_entry
from kpinspector.runs.run import Block, BlockKind, DropName
from kpinspector.runs.texts import objects_of
from kpinspector.trace.javascript import JsonObject

_KINDS: Final = ("request", "response")
_HOLDERS: Final = (("messages",), ("message_history",))
_SAID: Final = {
    "text": BlockKind.TEXT,
    "thinking": BlockKind.REASONING,
    "user-prompt": BlockKind.PROMPT,
}
_CALLS: Final = ("tool-call", "builtin-tool-call")
_RESULTS: Final = ("tool-return", "builtin-tool-return")
_RETRY: Final = "retry-prompt"


def _lacks(entry: JsonObject) -> str | None:
    if not any("part_kind" in part for part in objects_of(entry, "parts")):
        return None
    if entry.get("kind") in _KINDS:
        return ""
    return None if "kind" in entry else Phrase("kind of its messages")


def _why_nothing(entry: Spot) -> str:
    kinds = {part.text("part_kind") for part in entry.each("parts")}
    if kinds == {"system-prompt"}:
        return DropName.SYSTEM
    if _RETRY in kinds:
        return DropName.FRAMEWORK
    return DropName.EMPTY if entry.get("kind") in _KINDS else DropName.NO_KIND


def _blocks(entry: Spot) -> Iterator[Block]:
    return (block for part in entry.each("parts") for block in _of_part(part, entry))


def _of_part(part: Spot, entry: Spot) -> Iterator[Block]:
    part.at = part.text("timestamp") or entry.text("timestamp")
    kind, call_id = part.text("part_kind"), part.get("tool_call_id")
    content = part.inside("content")
    if kind in _SAID:
        texts = [content.text()]  # or a prompt has parts
        for one in content.each():
            if one.text("kind") not in ("", "text-content"):
                yield one.other(one.text("kind"))
            else:
                texts.append(one.text("content") or one.text())
        text = "\n".join(filter(None, texts))
        yield from content.with_value(text).said(_SAID[kind])
    elif kind in _CALLS:
        yield part.call(part.get("tool_name"), part.get("args"), call_id)
    elif kind in _RESULTS or (kind == _RETRY and part.get("tool_name")):
        outcome = part.get("outcome")
        failed = kind == _RETRY or outcome not in ("success", None)
        yield part.result(content.value, call_id, failed=failed, spared=outcome == "denied")


FORMAT: Final = Format(
    id="pydantic-ai",
    name="pydantic-ai",
    tested=("2.68.0",),
    failure=Phrase("its outcome"),
    lacks=by_entry(_lacks, *_HOLDERS),
    reader=partial(EntryReader, _blocks, _why_nothing, _HOLDERS, session="conversation_id"),
)
