"""pydantic-ai's messages, as ``all_messages_json`` writes them: requests and responses."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, entries_of
from kpinspector.runs.run import Block, BlockKind, DropName, list_of, object_of, text_of
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject, JsonValue

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


def _recognise(head: FileHead) -> bool:
    """Whether there are requests and responses with parts of known kinds."""
    return any(entry.get("kind") in _KINDS for entry in _with_parts(head))


def _missing(head: FileHead) -> str:
    nearly = any("kind" not in entry for entry in _with_parts(head))
    return Phrase("kind of its messages") if nearly else ""


def _with_parts(head: FileHead) -> list[JsonObject]:
    return [
        entry
        for entry in entries_of(head, *_HOLDERS)
        if any("part_kind" in object_of(part) for part in list_of(entry.get("parts")))
    ]


class _Reader(EntryReader):
    """Reads lists of requests and responses."""

    holders = _HOLDERS

    @override
    def blocks_of(self, entry: JsonObject, spot: Spot) -> Iterator[Block]:
        for index, part in enumerate(map(object_of, list_of(entry.get("parts")))):
            at = text_of(part.get("timestamp")) or text_of(entry.get("timestamp"))
            yield from _of_part(part, replace(spot.inside("parts", index), at=at))

    @override
    def why_nothing(self, entry: JsonObject) -> str:
        kinds = {text_of(object_of(one).get("part_kind")) for one in list_of(entry.get("parts"))}
        if kinds == {"system-prompt"}:
            return DropName.SYSTEM
        if _RETRY in kinds:
            return DropName.FRAMEWORK
        return DropName.EMPTY if entry.get("kind") in _KINDS else DropName.NO_KIND

    @override
    def session_of(self, entry: JsonObject) -> str:
        return text_of(entry.get("conversation_id"))


def _of_part(part: JsonObject, spot: Spot) -> Iterator[Block]:
    """The block of a part; none for a system prompt, or a retry that answers no call."""
    kind, call_id = text_of(part.get("part_kind")), part.get("tool_call_id")
    if kind in _SAID:
        text = _text_in(part.get("content"))
        names = [text_of(object_of(one).get("kind")) for one in list_of(part.get("content"))]
        yield from spot.others(one for one in names if one not in ("", "text-content"))
        if text.strip():
            yield spot.inside("content").block(_SAID[kind], text)
    elif kind in _CALLS:
        yield spot.call(part.get("tool_name"), part.get("args"), call_id)
    elif kind in _RESULTS or (kind == _RETRY and part.get("tool_name")):
        outcome = part.get("outcome")
        failed = kind == _RETRY or outcome not in ("success", None)
        text = content_text(part.get("content"))
        yield spot.result(text, call_id, failed=failed, spared=outcome == "denied")


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


FORMAT: Final = Format(
    id="pydantic-ai",
    name="pydantic-ai",
    tested=("2.68.0",),
    failure=Phrase("its outcome"),
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
