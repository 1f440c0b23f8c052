"""LlamaIndex's chat messages, each with its blocks."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import of_role, role_of, why_nothing
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_entry, joined_text
from kpinspector.runs.run import Block, BlockKind
from kpinspector.runs.texts import object_of, objects_of
from kpinspector.trace.javascript import JsonObject

_HOLDERS: Final = (("messages",), ("chat_history",))
_MORE: Final = "additional_kwargs"


def _lacks(entry: JsonObject) -> str | None:
    is_own = any("block_type" in block for block in objects_of(entry, "blocks"))
    return "" if "role" in entry and is_own else None


def _blocks(message: Spot) -> Iterator[Block]:
    found = [block for part in message.each("blocks") for block in _part(part)]
    if role_of(object_of(message.value)) == "tool":
        said, call_id = joined_text(message.get("blocks")), message.get(_MORE, "tool_call_id")
        found.insert(0, message.inside("blocks").result(said, call_id))
    elif not any(block.kind is BlockKind.CALL for block in found):
        for call in message.each(_MORE, "tool_calls"):
            name, given = (call.get("function", one) for one in ("name", "arguments"))
            found.append(call.call(name, given, call.get("id")))
    yield from of_role(message, found)


def _part(part: Spot) -> Iterator[Block]:
    kind = part.text("block_type")
    match kind:
        case "text":
            yield from part.inside("text").said(BlockKind.TEXT)
        case "thinking":
            yield from part.inside("content").said(BlockKind.REASONING)
        case "tool_call":
            call_id = part.get("tool_call_id")
            yield part.call(part.get("tool_name"), part.get("tool_kwargs"), call_id)
        case _:
            yield part.with_value({"type": kind} if kind else part.value).other()


FORMAT: Final = Format(
    id="llama-index",
    name="LlamaIndex",
    tested=("0.14.25",),
    failure=Phrase("nothing"),
    lacks=by_entry(_lacks, *_HOLDERS),
    reader=partial(EntryReader, _blocks, why_nothing, _HOLDERS),
)
