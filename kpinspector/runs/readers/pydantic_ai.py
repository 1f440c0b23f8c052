"""pydantic-ai's messages, as ``all_messages_json`` writes them: requests and responses."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text
from kpinspector.runs.readers.lists import ListReader, ListShape, entries_of
from kpinspector.runs.readers.message import Spot
from kpinspector.runs.run import Block, BlockKind, DropName, Format, list_of, object_of, text_of
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject, JsonValue

_KINDS: Final = ("request", "response")
_HOLDERS: Final = (("messages",), ("message_history",))
_SAID: Final = {"text": BlockKind.TEXT, "thinking": BlockKind.REASONING}
_CALLS: Final = ("tool-call", "builtin-tool-call")
_RESULTS: Final = ("tool-return", "builtin-tool-return")
_PROMPT, _RETRY = "user-prompt", "retry-prompt"
_DENIED: Final = "denied"
_FINE: Final = ("success", None)


def recognise(head: FileHead) -> bool:
    """Whether there are requests and responses with parts of known kinds."""
    return any(
        entry.get("kind") in _KINDS
        and any("part_kind" in object_of(part) for part in list_of(entry.get("parts")))
        for entry in entries_of(head, *_HOLDERS)
    )


def missing(head: FileHead) -> str:
    """What a list lacks that is otherwise one of these messages; "" for any other file."""
    if recognise(head):
        return ""
    parts = (
        part
        for entry in entries_of(head, *_HOLDERS)
        for part in list_of(entry.get("parts"))
        if "kind" not in entry
    )
    nearly = any("part_kind" in object_of(part) for part in parts)
    return Phrase("kind of its messages") if nearly else ""


def _blocks_of(entry: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a message, part by part."""
    for index, part in enumerate(list_of(entry.get("parts"))):
        found = object_of(part)
        at = text_of(found.get("timestamp")) or text_of(entry.get("timestamp"))
        yield from _of_part(found, replace(spot.inside("parts", index), at=at))


def _why_nothing(entry: JsonObject) -> str:
    """The name under which a message without blocks is counted."""
    kinds = {text_of(object_of(one).get("part_kind")) for one in list_of(entry.get("parts"))}
    if kinds == {"system-prompt"}:
        return DropName.SYSTEM
    if _RETRY in kinds:
        return DropName.FRAMEWORK
    return DropName.EMPTY if entry.get("kind") in _KINDS else DropName.NO_KIND


def _session_of(entry: JsonObject) -> str:
    """The id of the conversation, which newer versions record."""
    return text_of(entry.get("conversation_id"))


def _of_part(part: JsonObject, spot: Spot) -> Iterator[Block]:
    """The block of a part; none for a system prompt, or a retry that answers no call."""
    kind = text_of(part.get("part_kind"))
    if kind in _SAID or kind == _PROMPT:
        text = _text_in(part.get("content"))
        names = [text_of(object_of(one).get("kind")) for one in list_of(part.get("content"))]
        yield from spot.others(one for one in names if one not in ("", "text-content"))
        if text.strip():
            yield spot.inside("content").block(_SAID.get(kind, BlockKind.PROMPT), text)
    elif kind in _CALLS:
        call = spot.block(BlockKind.CALL)
        yield replace(
            call, tool=text_of(part.get("tool_name")), input=part.get("args"), call_id=_id(part)
        )
    elif kind in _RESULTS or (kind == _RETRY and part.get("tool_name")):
        outcome = part.get("outcome")
        yield replace(
            spot.block(BlockKind.RESULT, content_text(part.get("content"))),
            call_id=_id(part),
            failed=kind == _RETRY or outcome not in _FINE,
            spared=outcome == _DENIED,
        )


def _text_in(content: JsonValue) -> str:
    """The text of a prompt, joined from its parts, or of a thought; "" if that was redacted."""
    if isinstance(content, str):
        return content
    texts = (
        part if isinstance(part, str) else object_of(part).get("content")
        for part in list_of(content)
        if isinstance(part, str) or object_of(part).get("kind") == "text-content"
    )
    return "\n".join(text for text in texts if isinstance(text, str))


def _id(part: JsonObject) -> str:
    return text_of(part.get("tool_call_id"))


_SHAPE: Final = ListShape(Format.PYDANTIC_AI, _HOLDERS, _blocks_of, _why_nothing, _session_of)


class Reader(ListReader):
    """Reads lists of requests and responses."""

    def __init__(self) -> None:
        super().__init__(_SHAPE)
