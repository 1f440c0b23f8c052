"""Turns messages of any convention into items: prompts, texts, calls and results."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from kpinspector.runs.readers.converse import typed
from kpinspector.runs.readers.otlp_spans import embedded
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import BlockKind, BlockPlace, list_of, object_of, text_of
from kpinspector.trace.model import JsonObject, JsonValue

_REDACTED: Final = "__REDACTED__"
_SYSTEM: Final = ("system", "developer")
_ASSISTANT: Final = ("assistant", "ai", "model")
_TOOL: Final = ("tool", "function")
# the names that conventions give to the types of parts
_PARTS: Final = MappingProxyType(
    {
        "text": BlockKind.TEXT,
        "input_text": BlockKind.TEXT,
        "output_text": BlockKind.TEXT,
        "refusal": BlockKind.TEXT,
        "thinking": BlockKind.REASONING,
        "reasoning": BlockKind.REASONING,
        "tool_call": BlockKind.CALL,
        "tool-call": BlockKind.CALL,
        "tool_use": BlockKind.CALL,
        "function_call": BlockKind.CALL,
        "tool_call_response": BlockKind.RESULT,
        "tool-result": BlockKind.RESULT,
        "tool_result": BlockKind.RESULT,
        "function_call_output": BlockKind.RESULT,
    }
)
_ID: Final = ("id", "toolCallId", "tool_call_id", "tool_use_id", "call_id")
_NAME: Final = ("name", "toolName")
_INPUT: Final = ("arguments", "input", "args")
_ANSWER: Final = ("result", "response", "output", "content")
_SAID: Final = ("content", "text", "thinking", "summary", "refusal")
_REASONED: Final = ("reasoning_content", "reasoning", "thinking")
_FAILURES: Final = ("error-text", "error-json")
# smolagents repeats its calls to the model in words; their results are in the tools' spans
_CALLED: Final = "tool-call"
_ANSWERED: Final = "tool-response"
_CALL_ID = re.compile(r"'id': '([^'\\]*)', 'type': 'function'")


ItemKey: TypeAlias = tuple[BlockKind, str]


@dataclass(slots=True)
class Item:
    """A prompt, text, call or result in a request or in the answer to it.

    Attributes:
        failed: The message marks the result as failed.
        hidden: Its content was not captured.
        echo: It repeats in other words what is recorded elsewhere.
        time: In nanoseconds since 1970.
        unit: The number of the span or log record that holds it.
        key: Equal for the same item in two requests; None if nothing identifies it.
    """

    kind: BlockKind
    place: BlockPlace
    unit: int = 0
    text: str = ""
    tool: str = ""
    input: JsonValue = None
    call_id: str = ""
    answer: str = ""
    failed: bool = False
    hidden: bool = False
    echo: bool = False
    time: int = 0
    key: ItemKey | None = None


@dataclass(slots=True)
class OtlpMessage:
    """A message in one form for all conventions.

    Attributes:
        value: Members ``role``, ``content`` or ``parts``, ``tool_calls``.
    """

    value: JsonObject
    place: BlockPlace
    unit: int


@dataclass(slots=True)
class Exchange:
    """The messages of a request and of its answer."""

    asked: list[Item] = field(default_factory=list)
    answered: list[Item] = field(default_factory=list)

    @property
    def items(self) -> list[Item]:
        """The items of the request, then those of the answer."""
        return [*self.asked, *self.answered]


def items_of(message: OtlpMessage) -> list[Item]:
    """The items of a message in its order; system messages have none."""
    role = text_of(message.value.get("role")).lower()
    if role in _SYSTEM:
        return []
    if role in (_CALLED, _ANSWERED):
        return list(_echoes(message, role))
    if not role and _type(message.value) in _PARTS:
        return list(_part(message, message.value, BlockKind.TEXT))
    found = list(_parts(message, role))
    if role in _ASSISTANT or not role:
        return [*_reasoned(message, found), *found, *_calls(message, found)]
    return _one_prompt(found)


def _new(message: OtlpMessage, kind: BlockKind) -> Item:
    return Item(kind=kind, place=message.place, unit=message.unit)


def _one_prompt(items: list[Item]) -> list[Item]:
    """Join the texts of a prompt into one item at the place of the first."""
    prompts = [item for item in items if item.kind is BlockKind.PROMPT]
    if not prompts:
        return items
    first = prompts[0]
    first.text = "\n".join(item.text for item in prompts if item.text)
    first.hidden = all(item.hidden for item in prompts)
    return [item for item in items if item is first or item.kind is not BlockKind.PROMPT]


def _parts(message: OtlpMessage, role: str) -> Iterator[Item]:
    value = message.value
    content = value.get("parts", value.get("content"))
    kind = BlockKind.TEXT if role in _ASSISTANT or not role else BlockKind.PROMPT
    if role in _TOOL:
        yield from _of_tool(message, content)
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, str):
                yield _said(message, kind, part)
            else:
                yield from _part(message, object_of(part), kind)
    elif isinstance(content, dict):
        yield from _part(message, content, kind)
    elif isinstance(content, str) or kind is BlockKind.PROMPT:
        yield _said(message, kind, content, hidden=content is None)


def _of_tool(message: OtlpMessage, content: JsonValue) -> Iterator[Item]:
    """The results in a tool message: its parts, or the message itself."""
    parts = [typed(part) for part in list_of(content)]
    results = [part for part in parts if _PARTS.get(_type(part)) is BlockKind.RESULT]
    for part in results:
        yield from _part(message, part, BlockKind.TEXT)
    if not results:
        item = _new(message, BlockKind.RESULT)
        item.call_id = _first(message.value, ("tool_call_id", "id"))
        item.hidden = content is None or content == _REDACTED
        item.text = "" if item.hidden else _result_text(content)
        item.failed = message.value.get("status") == "error"
        yield item


def _type(part: JsonObject) -> str:
    return text_of(part.get("type")) or text_of(part.get("kind"))


def _part(message: OtlpMessage, found: JsonObject, said: BlockKind) -> Iterator[Item]:
    """The item of a part; texts are of the kind ``said``, pictures and files have none."""
    found = typed(found)
    match _PARTS.get(_type(found)):
        case BlockKind.TEXT:
            value = _value(found, _SAID)
            yield _said(message, said, value, hidden=value is None)
        case BlockKind.REASONING:
            value = _value(found, _SAID)
            yield _said(message, BlockKind.REASONING, value, hidden=value is None)
        case BlockKind.CALL:
            yield _call(message, found)
        case BlockKind.RESULT:
            yield _result(message, found)


def _said(message: OtlpMessage, kind: BlockKind, value: JsonValue, *, hidden: bool = False) -> Item:
    item = _new(message, kind)
    item.hidden = hidden or value == _REDACTED
    item.text = "" if item.hidden else joined(value)
    return item


def joined(content: JsonValue) -> str:
    """A text, or the texts of parts joined by newlines."""
    if isinstance(content, list):
        texts = (
            text_of(part) or text_of(_value(object_of(part), ("text", "content")))
            for part in content
        )
        return "\n".join(text for text in texts if text)
    return text_of(content)


def _call(message: OtlpMessage, part: JsonObject) -> Item:
    function = object_of(part.get("function"))
    item = _new(message, BlockKind.CALL)
    item.tool = _first(function, _NAME) or _first(part, _NAME)
    item.call_id = _first(part, ("call_id", *_ID))
    item.input = _value(function, _INPUT) if function else _value(part, _INPUT)
    item.hidden = item.input is None or item.input == _REDACTED
    item.input = None if item.hidden else item.input
    return item


def _result(message: OtlpMessage, part: JsonObject) -> Item:
    item = _new(message, BlockKind.RESULT)
    item.call_id = _first(part, ("call_id", *_ID[1:], "id"))
    value = _value(part, _ANSWER)
    item.hidden = value == _REDACTED or not any(key in part for key in _ANSWER)
    output = object_of(value)
    item.failed = output.get("type") in _FAILURES or True in (
        part.get("isError"),
        part.get("is_error"),
    )
    if "type" in output and "value" in output:  # Vercel's
        value = output["value"]
    item.text = "" if item.hidden else _result_text(value)
    return item


def _result_text(value: JsonValue) -> str:
    """A result as text: text parts joined by newlines, any other value written compactly."""
    parts = [object_of(part) for part in list_of(value)]
    if parts and all(_PARTS.get(_type(part)) is BlockKind.TEXT for part in parts):
        return joined(value)
    return "" if value is None else as_content(value)


def _reasoned(message: OtlpMessage, found: list[Item]) -> list[Item]:
    """Reasoning beside the content, unless the content holds it as well."""
    value = _value(message.value, _REASONED)
    known = any(item.kind is BlockKind.REASONING and item.text for item in found)
    return [] if known or not joined(value) else [_said(message, BlockKind.REASONING, value)]


def _calls(message: OtlpMessage, found: list[Item]) -> Iterator[Item]:
    """Calls beside the content, each once."""
    known = {item.call_id for item in found if item.kind is BlockKind.CALL and item.call_id}
    for part in list_of(message.value.get("tool_calls")):
        item = _call(message, object_of(part))
        if item.call_id not in known:
            yield item


def _echoes(message: OtlpMessage, role: str) -> Iterator[Item]:
    if role == _ANSWERED:
        return
    content = message.value.get("parts", message.value.get("content"))
    for call_id in _CALL_ID.findall(joined(content)):
        item = _new(message, BlockKind.CALL)
        item.call_id, item.echo = call_id, True
        yield item


def _first(part: JsonObject, keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := text_of(part.get(key)))), "")


def _value(part: JsonObject, keys: tuple[str, ...]) -> JsonValue:
    return next((part[key] for key in keys if part.get(key) is not None), None)


def messages_in(value: JsonValue, place: BlockPlace, unit: int) -> list[OtlpMessage]:
    """The messages in a value, which may be a JSON text."""
    return [OtlpMessage(object_of(one), place, unit) for one in list_of(embedded(value))]
