"""Message parts of Amazon's Converse: they have no type, and their one member says what they are.

Strands Agents writes its messages in this form, and into its spans as JSON texts.
"""

from collections.abc import Mapping
from typing import Final

from kpinspector.runs.rules import as_content
from kpinspector.runs.run import list_of, object_of
from kpinspector.trace.model import JsonObject, JsonValue

_USED, _ANSWERED, _REASONED = "toolUse", "toolResult", "reasoningContent"
_REASONING_TEXT: Final = "reasoningText"
_OTHERS: Final = ("image", "document", "audio", "video", "cachePoint")
_MEMBERS: Final = ("text", _USED, _ANSWERED, _REASONED)


def are_converse(content: JsonValue) -> bool:
    """Whether all parts of a content are of this form."""
    parts = [object_of(part) for part in list_of(content)]
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
    found: JsonObject = part if isinstance(part, Mapping) else {}
    used, answered = object_of(found.get(_USED)), object_of(found.get(_ANSWERED))
    reasoned = found
    for name in reasoning_path(found):
        reasoned = object_of(reasoned.get(name))
    if used:
        return {
            "type": "tool_call",
            "id": used.get("toolUseId"),
            "name": used.get("name"),
            "arguments": used.get("input"),
        }
    if answered:
        return {
            "type": "tool_result",
            "tool_call_id": answered.get("toolUseId"),
            "content": [_text_part(one) for one in list_of(answered.get("content"))],
            "is_error": answered.get("status") == "error",
        }
    if reasoned is not found and reasoned:
        return {"type": "reasoning", "text": reasoned.get("text")}
    name = next(iter(found)) if len(found) == 1 else ""
    return {"type": name, **found} if name in ("text", *_OTHERS) else found


def _text_part(part: JsonValue) -> JsonValue:
    """A part of a result as a text part; JSON values become texts."""
    found = object_of(part)
    text = as_content(found["json"]) if "json" in found else found.get("text")
    return part if text is None else {"type": "text", "text": text}
