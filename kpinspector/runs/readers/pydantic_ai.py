"""pydantic-ai's messages, as ``all_messages_json`` writes them: requests and responses."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, entries_of
from kpinspector.runs.run import Block, BlockKind, DropName, objects_of
from kpinspector.runs.texts import FileHead
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


def _with_parts(head: FileHead) -> Iterator[JsonObject]:
    """Messages with parts of known kinds."""
    for entry in entries_of(head, *_HOLDERS):
        if any("part_kind" in part for part in objects_of(entry, "parts")):
            yield entry


def _why_nothing(entry: Spot) -> str:
    kinds = {part.text("part_kind") for part in entry.each("parts")}
    if kinds == {"system-prompt"}:
        return DropName.SYSTEM
    if _RETRY in kinds:
        return DropName.FRAMEWORK
    return DropName.EMPTY if entry.get("kind") in _KINDS else DropName.NO_KIND


def _blocks(entry: Spot) -> Iterator[Block]:
    for part in entry.each("parts"):
        part.at = part.text("timestamp") or entry.text("timestamp")
        yield from _of_part(part)


def _of_part(part: Spot) -> Iterator[Block]:
    """The block of a part; none for a system prompt, or a retry that answers no call."""
    kind, call_id = part.text("part_kind"), part.get("tool_call_id")
    content = part.inside("content")
    if kind in _SAID:
        names = (one.text("kind") for one in content.each())
        yield from part.others(one for one in names if one not in ("", "text-content"))
        text = _text_in(content)
        if text.strip():
            yield content.block(_SAID[kind], text)
    elif kind in _CALLS:
        yield part.call(part.get("tool_name"), part.get("args"), call_id)
    elif kind in _RESULTS or (kind == _RETRY and part.get("tool_name")):
        outcome = part.get("outcome")
        failed = kind == _RETRY or outcome not in ("success", None)
        yield part.result(
            content_text(content.value), call_id, failed=failed, spared=outcome == "denied"
        )


def _text_in(content: Spot) -> str:
    """The text of a prompt, joined from its parts, or of a thought; "" if that was redacted."""
    texts = (
        one.get("content") if one.get("kind") == "text-content" else one.value
        for one in content.each()
    )
    return content.text() or "\n".join(text for text in texts if isinstance(text, str))


FORMAT: Final = Format(
    id="pydantic-ai",
    name="pydantic-ai",
    tested=("2.68.0",),
    failure=Phrase("its outcome"),
    recognise=lambda head: any(one.get("kind") in _KINDS for one in _with_parts(head)),
    missing=lambda head: (
        Phrase("kind of its messages")
        if any("kind" not in one for one in _with_parts(head))
        else ""
    ),
    reader=partial(EntryReader, _blocks, _why_nothing, _HOLDERS, session="conversation_id"),
)
