"""Haystack's chat messages, whose parts have one member each, which says what they are."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kpinspector.runs.readers.message import of_role, why_nothing
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_entry
from kpinspector.runs.run import Block, BlockKind
from kpinspector.runs.texts import object_of, objects_of
from kpinspector.trace.javascript import JsonObject, JsonValue

_HOLDERS: Final = (("messages",),)
_MEDIA: Final = ("image", "file")
_PARTS: Final = ("text", "reasoning", "tool_call", "tool_call_result")


def _lacks(entry: JsonObject) -> str | None:
    parts = objects_of(entry, "content")
    is_known = any(len(part) == 1 and next(iter(part)) in _PARTS for part in parts)
    return "" if {"role", "meta"} <= entry.keys() and is_known else None


def _blocks(message: Spot) -> Iterator[Block]:
    yield from of_role(message, (one for part in message.each("content") for one in _part(part)))


def _part(part: Spot) -> Iterator[Block]:
    kind = next(iter(object_of(part.value)), "")
    inside = part.inside(kind)
    match kind:
        case "text":
            yield from inside.said(BlockKind.TEXT)
        case "reasoning":
            yield from inside.inside("reasoning_text").said(BlockKind.REASONING)
        case "tool_call":
            yield inside.call(inside.get("tool_name"), inside.get("arguments"), inside.get("id"))
        case "tool_call_result":
            said, failed = inside.get("result"), inside.get("error") is True
            if isinstance(said, list):
                said = [{"type": _medium(one)} if _medium(one) else one for one in said]
            yield inside.result(said, inside.get("origin", "id"), failed=failed)
            yield from inside.with_value(said).media()
        case _:
            yield part.other()


def _medium(part: JsonValue) -> str:
    return next((name for name in _MEDIA if name in object_of(part)), "")


FORMAT: Final = Format(
    id="haystack",
    name="Haystack",
    tested=("3.4.0",),
    failure="error",
    lacks=by_entry(_lacks, *_HOLDERS),
    reader=partial(EntryReader, _blocks, why_nothing, _HOLDERS),
)
