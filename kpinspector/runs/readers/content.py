"""What several formats share: the parts of a message, times and exit codes.

Parts of Amazon's Converse have no type: their one member says what they are. Strands Agents writes
its messages in this form, and into its spans as JSON texts.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from kpinspector.runs.rules import as_content
from kpinspector.runs.run import DropName
from kpinspector.runs.texts import list_of, object_of, objects_of, text_of, value_of
from kpinspector.trace.javascript import JsonObject, JsonValue

_MEDIA: Final = MappingProxyType(
    dict.fromkeys(("image", "image_url", "input_image", "computer_screenshot"), DropName.IMAGE)
    | dict.fromkeys(("audio", "audio_url", "input_audio"), DropName.SOUND)
    | dict.fromkeys(("video", "video_url", "input_video"), DropName.VIDEO)
    | dict.fromkeys(("file", "input_file", "document", "container_upload"), DropName.FILE)
)

_USED, _ANSWERED, _REASONED = "toolUse", "toolResult", "reasoningContent"
_REASONING_TEXT: Final = "reasoningText"
_OTHERS: Final = ("image", "document", "audio", "video", "cachePoint")
_MEMBERS: Final = ("text", _USED, _ANSWERED, _REASONED)
# of what is no part
_TYPES: Final = MappingProxyType({list: "array", bool: "boolean", int: "number", float: "number"})


def other_name(part: JsonObject) -> str:
    """The name under which a part without a text or a call is counted: a medium, or its type."""
    kind = text_of(part.get("type"))
    return _MEDIA.get(kind) or kind or " ".join(part) or DropName.NO_TYPE


def others_in(content: JsonValue) -> list[str]:
    """The names of the parts of a message that are no texts."""
    parts = [object_of(part) for part in list_of(content) if not isinstance(part, str)]
    return [other_name(part) for part in parts if not isinstance(part.get("text"), str)]


def media_in(content: JsonValue) -> list[str]:
    """The names of the images, files and the like in a result."""
    parts = content if isinstance(content, list) else [content]
    kinds = (text_of(object_of(part).get("type")) for part in parts)
    return [_MEDIA[kind] for kind in kinds if kind in _MEDIA]


def joined_text(content: JsonValue) -> str:
    """A message as one text; the texts of several parts are joined by newlines."""
    if isinstance(content, str):
        return content
    texts = (part.get("text") for part in objects_of(content))
    return "\n".join(text for text in texts if isinstance(text, str))


def moment(seconds: JsonValue) -> str:
    """Seconds since 1970 as ISO 8601; "" for any other value."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return ""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def content_text(content: JsonValue) -> str:
    """A result as text: its parts joined by newlines, any other JSON value written compactly.

    Images, files and the like have no text.
    """
    if not isinstance(content, list):
        return "" if content is None or media_in(content) else as_content(content)
    parts = [part for part in content if not media_in(part)]
    texts = [_part_text(part) for part in parts]
    if content and texts.count(None) == len(content):
        return as_content(content)
    said = zip(parts, texts, strict=True)
    return "\n".join(as_content(part) if text is None else text for part, text in said)


def _part_text(part: JsonValue) -> str | None:
    """The text of a part of a result; None if it is something else."""
    found = object_of(part)
    is_part = "type" in found or found.keys() == {"text"}
    text = found.get("logs" if found.get("type") == "logs" else "text")
    return text if is_part and isinstance(text, str) else None


def exit_code(found: JsonObject, name: str) -> int | float:
    """The exit code of a command, by its name in ``metadata``; 0 if there is none."""
    code = value_of(found, "metadata", name)
    return code if isinstance(code, int | float) else 0


def are_converse(content: JsonValue) -> bool:
    """Whether all parts of a content are of this form."""
    parts = objects_of(content)
    return bool(parts) and all(len(part) == 1 and next(iter(part)) in _MEMBERS for part in parts)


def reasoning_path(part: "JsonValue | JsonObject") -> tuple[str, ...]:
    """The path of the reasoning within a part; () if it has none."""
    if not isinstance(part, Mapping):
        return ()
    if part.get("type") == _REASONED:
        return "content", _REASONING_TEXT
    return (_REASONED, _REASONING_TEXT) if _REASONED in part else ()


def typed(part: "JsonValue | JsonObject") -> JsonObject:
    """A part in the common form, with a type; any other part is returned unchanged."""
    if not isinstance(part, Mapping):
        return {"type": _TYPES[type(part)]} if type(part) in _TYPES else {}
    found: JsonObject = part
    used, answered = object_of(found.get(_USED)), object_of(found.get(_ANSWERED))
    path = reasoning_path(found)
    if used:
        call_id, name, given = (used.get(name) for name in ("toolUseId", "name", "input"))
        return {"type": "tool_call", "id": call_id, "name": name, "arguments": given}
    if answered:
        return {
            "type": "tool_result",
            "tool_call_id": answered.get("toolUseId"),
            "content": [_text_part(one) for one in list_of(answered, "content")],
            "is_error": answered.get("status") == "error",
        }
    if path and object_of(found, *path):
        return {"type": "reasoning", "text": value_of(found, *path, "text")}
    name = next(iter(found)) if len(found) == 1 else ""
    return {"type": name, **found} if name in ("text", *_OTHERS) else found


def _text_part(part: JsonValue) -> JsonValue:
    """A part of a result as a text part; JSON values become texts."""
    found = object_of(part)
    text = as_content(found["json"]) if "json" in found else found.get("text")
    return part if text is None else {"type": "text", "text": text}
