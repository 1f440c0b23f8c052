"""Sessions of Microsoft's Agent Framework, whose state holds the messages."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kpinspector.runs.readers.message import of_role, why_nothing
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_entry, medium
from kpinspector.runs.run import Block, BlockKind
from kpinspector.runs.texts import objects_of
from kpinspector.trace.javascript import JsonObject

_THREAD: Final = "chat_message_store_state"  # the member in older versions
_HOLDERS: Final = (("state", "*", "messages"), (_THREAD, "messages"), ("messages",))
_MEDIA: Final = ("data", "uri", "hosted_file")


def _lacks(entry: JsonObject) -> str | None:
    has_parts = any("type" in part for part in objects_of(entry, "contents"))
    return "" if "role" in entry and has_parts else None


def _blocks(message: Spot) -> Iterator[Block]:
    yield from of_role(message, (one for part in message.each("contents") for one in _part(part)))


def _part(part: Spot) -> Iterator[Block]:
    kind, call_id = part.text("type"), part.get("call_id")
    match kind:
        case "text":
            yield from part.inside("text").said(BlockKind.TEXT)
        case "text_reasoning":
            yield from part.inside("text").said(BlockKind.REASONING)
        case "function_call":
            yield part.call(part.get("name"), part.get("arguments"), call_id)
        case "function_result":
            said, fault = part.get("result"), part.get("exception")
            yield part.result(fault if said is None else said, call_id, failed=fault is not None)
            for item in part.each("items"):
                if item.get("type") in _MEDIA:
                    yield from _part(item)
        case _:
            yield part.other(medium(part.get("media_type")) if kind in _MEDIA else "")


FORMAT: Final = Format(
    id="agent-framework",
    name="Microsoft Agent Framework",
    tested=("1.23.0",),
    failure="exception",
    lacks=by_entry(_lacks, *_HOLDERS),
    reader=partial(EntryReader, _blocks, why_nothing, _HOLDERS, "messages", "session_id"),
)
