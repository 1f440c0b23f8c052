"""The messages of Pydantic AI: requests and responses, each with parts that say what they are."""

from typing import Final

from kpinspector.runs.run import list_of, object_of, text_of
from kpinspector.trace.model import JsonObject

_KINDS: Final = ("request", "response")
_FAILED: Final = ("failed", "retried", "denied")
_DENIED: Final = "denied"


def is_exchange(message: JsonObject) -> bool:
    """Whether a message is a request or a response."""
    parts = list_of(message.get("parts"))
    return message.get("kind") in _KINDS and any("part_kind" in object_of(one) for one in parts)


def is_denied(part: JsonObject) -> bool:
    """Whether a result says that the call was not allowed."""
    return part.get("outcome") == _DENIED


def prompt_in(part: JsonObject) -> str:
    """The texts of a prompt; "" for other parts. Pictures and files have none."""
    if part.get("part_kind") != "user-prompt":
        return ""
    content = part.get("content")
    if not isinstance(content, list):
        return text_of(content)
    texts = (text_of(one) or text_of(object_of(one).get("content")) for one in content)
    return "\n".join(text for text in texts if text)


def answered_in(part: JsonObject) -> JsonObject:
    """A part as others write it, with a type; {} for prompts and what is none of the run's."""
    kind, content = text_of(part.get("part_kind")), part.get("content")
    call_id = part.get("tool_call_id")
    if kind in ("text", "thinking"):
        return {"type": "thinking", "content": content} if kind == "thinking" else {"text": content}
    if kind.endswith("tool-call"):
        name, arguments = part.get("tool_name"), part.get("args")
        return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}
    retried = kind == "retry-prompt" and bool(text_of(part.get("tool_name")))
    if retried or kind.endswith("tool-return"):
        return {
            "type": "tool_result",
            "tool_call_id": call_id,
            "content": content,
            "is_error": retried or part.get("outcome") in _FAILED,
        }
    return {}
