"""Reads the requests of models and the use of tools from spans, in each of the conventions."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from kpinspector.runs.readers.message import are_converse, blocks_of
from kpinspector.runs.readers.otlp_spans import Event, Span, embedded
from kpinspector.runs.readers.reader import Spot, joined_text
from kpinspector.runs.rules import as_content, input_of
from kpinspector.runs.run import Block, BlockKind
from kpinspector.runs.texts import list_of, object_of, objects_of, text_of, value_of
from kpinspector.trace.javascript import JsonObject, JsonValue

ItemKey: TypeAlias = tuple[BlockKind, str]

_DEEPEST: Final = 20
_DETAILS: Final = "gen_ai.client.inference.operation.details"
_TASK: Final = "New task:\n"
_CHOICE: Final = "gen_ai.choice"
_EVENT_ROLES: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    _CHOICE: "assistant",
}
_HEARD: Final = (BlockKind.PROMPT, BlockKind.RESULT)
_MODELS: Final = ("assistant", "ai", "model")
_TOOLS: Final = ("tool", "function")
# smolagents repeats its calls to the model in words; their results are in the tools' spans
_CALLED: Final = "tool-call"
_ANSWERED: Final = "tool-response"
_WHOLE: Final = ("gen_ai.prompt", "gen_ai.completion")
_CALL_ID = re.compile(r"'id': '([^'\\]*)', 'type': 'function'")
_TOOL_NAME: Final = ("gen_ai.tool.name", "ai.toolCall.name", "tool.name", "traceloop.entity.name")
_TOOL_ID: Final = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id")
_TOOL_INPUT: Final = (
    "gen_ai.tool.call.arguments",
    "ai.toolCall.args",
    "tool_arguments",
    "input.value",
    "traceloop.entity.input",
)
_TOOL_OUTPUT: Final = (
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "tool_response",
    "output.value",
    "traceloop.entity.output",
)


@dataclass(slots=True)
class Item:
    """A prompt, text, call or result in a request or in the answer to it.

    ``time``: in nanoseconds since 1970. ``key``: the same for one item in two requests; None if
    nothing identifies it. ``echo``: it repeats in other words an item recorded elsewhere.
    """

    block: Block
    time: int = 0
    key: ItemKey | None = None
    echo: bool = False


Spoken: TypeAlias = tuple[list[Spot], list[Spot]]
"""The messages of a request, and those of the answer to it, in one form for all conventions."""


@dataclass(slots=True)
class Exchange:
    """The messages of a request to a model and of its answer, and the span of both."""

    span: Span
    asked: list[Item] = field(default_factory=list)
    answered: list[Item] = field(default_factory=list)

    @property
    def items(self) -> list[Item]:
        """The items of the request, then those of the answer."""
        return [*self.asked, *self.answered]


@dataclass(slots=True)
class ToolUse:
    """A call and its result as a tool's span records them; None: the span does not record it."""

    span: Span
    name: str
    call_id: str
    called: Spot
    told: Spot

    @property
    def arguments(self) -> str:
        """The input as a text for comparison, without the object in which smolagents wraps it."""
        wrapped = input_of(self.called.value)
        inner = wrapped.get("kwargs") if "args" in wrapped else None
        return canonical(inner if isinstance(inner, dict) else wrapped)


def canonical(value: JsonValue) -> str:
    """A value as a text that is the same for equal values, such as 42 and 42.0."""
    return as_content(_canonical(value))


def _canonical(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _canonical(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_canonical(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def tool_use_of(span: Span) -> ToolUse | None:
    """The use of a tool in its span; None for a handoff, which has no tool."""
    fields = span.fields
    name = fields.text(*_TOOL_NAME)
    if not name:
        return None
    called, told = (
        fields.spot(key) if (key := fields.first(*keys)) else span.place
        for keys in (_TOOL_INPUT, _TOOL_OUTPUT)
    )
    # LangChain records the whole tool message, with the result inside
    message = object_of(embedded(told.value))
    if message.get("type") == "tool" and "content" in object_of(message, "data"):
        told = told.with_value(value_of(message, "data", "content"))
    return ToolUse(span, name, fields.text(*_TOOL_ID), called, told)


def exchange_of(span: Span, logged: list[Event]) -> Exchange:
    """The messages of a model's request and of its answer."""
    spoken = (read(span, logged) for read in _CONVENTIONS)
    asked, answered = next(filter(any, spoken), ([], []))
    exchange = Exchange(span)
    number = 0  # distinguishes the answers in its history
    for message in asked:
        found = _items_of(message, f"{span.trace} {span.id} {number}", span.start)
        number += sum(item.block.kind in _HEARD for item in found)
        exchange.asked += found
    for message in answered:
        exchange.answered += _items_of(message, f"{span.trace} {span.id}", span.end)
    for item in exchange.items:
        block = item.block
        if block.kind is BlockKind.PROMPT and "smolagents" in span.scope:
            item.block = block = replace(block, text=block.text.removeprefix(_TASK))
        item.key = _key(block)
    return exchange


def _key(block: Block) -> ItemKey | None:
    """The key of an item; None for reasoning and empty texts, which later requests may lack."""
    match block.kind:
        case BlockKind.PROMPT:
            return block.kind, block.text.strip()
        case BlockKind.TEXT if block.text.strip():
            return block.kind, block.text.strip()
        case BlockKind.CALL:
            named = block.call_id or f"{block.tool} {canonical(input_of(block.input))}"
            return block.kind, named
        case BlockKind.RESULT:
            return block.kind, block.call_id or block.text
    return None


def _items_of(message: Spot, answer: str, time: int) -> list[Item]:
    """The items of a message; pictures and files give no item."""
    role = message.text("role").lower()
    content = message.get("parts" if message.has("parts") else "content")
    message.answer = answer
    if role == _CALLED:
        parts = objects_of(content)
        texts = (text_of(part, "text") or text_of(part, "content") for part in parts)
        found = _CALL_ID.findall(text_of(content) or "\n".join(texts))
        return [Item(message.call("", None, one), time, echo=True) for one in found]
    if role == _ANSWERED:
        return []
    blocks = blocks_of(message.with_value(_common(object_of(message.value), role, content)))
    return [Item(block, time) for block in blocks if block.kind is not BlockKind.OTHER]


def _common(value: JsonObject, role: str, content: JsonValue) -> JsonObject:
    """A message in the form of message lists; the ``kind`` of a part becomes its ``type``."""
    if not role and text_of(value.get("type")):
        return value
    role = "assistant" if role in _MODELS or not role else role
    known = (*_MODELS, *_TOOLS, "system", "developer")
    parts = [content] if isinstance(content, dict) and role not in _TOOLS else content
    if isinstance(parts, list):
        parts = [
            {"type": value_of(one, "kind"), **object_of(one)} if "kind" in object_of(one) else one
            for one in parts
        ]
    common = {**value, "role": role if role in known else "user", "content": parts}
    if role in _TOOLS:
        common["tool_call_id"] = text_of(value, "tool_call_id") or value.get("id")
    return common


def _attribute_messages(span: Span, logged: list[Event]) -> Spoken:
    """``gen_ai.input.messages`` and ``gen_ai.output.messages``, of a span, event or log record."""
    told = [one.fields for one in [*span.events, *logged] if one.name == _DETAILS]

    def first_at(key: str) -> list[Spot]:
        found = (_messages_at(fields.spot(key)) for fields in (span.fields, *told))
        return next(filter(None, found), [])

    return first_at("gen_ai.input.messages"), first_at("gen_ai.output.messages")


def _messages_at(spot: Spot) -> list[Spot]:
    return [spot.with_value(object_of(one)) for one in list_of(embedded(spot.value))]


def _event_messages(span: Span, logged: list[Event]) -> Spoken:
    """``gen_ai.user.message`` and its like: events, log records, or a list in an attribute."""
    spoken: Spoken = ([], [])
    for event in [*span.events, *logged]:
        if event.name in _EVENT_ROLES:  # in the body, the attributes, or JSON in these
            body = event.place.value
            body = event.fields.values.get("gen_ai.event.content") if body is None else body
            value = _of_event(event.name, object_of(embedded(body)) or event.fields.values)
            spoken[event.name == _CHOICE].append(event.place.with_value(value))
    if any(spoken):
        return spoken
    for message in _messages_at(span.fields.spot("events")):
        name = message.text("event.name")
        value = _of_event(name, message.value)
        spoken[name == _CHOICE].append(message.with_value(value))
    return spoken


def _of_event(name: str, value: JsonObject) -> JsonObject:
    """The message of an event; in a choice it is wrapped, sometimes with its calls beside it."""
    message = embedded(value.get("message")) if name == _CHOICE else None
    said = message if message is not None else embedded(value.get("content"))
    inner = {**value, "content": said} if are_converse(said) else value
    inner = message if isinstance(message, dict) else inner
    calls = inner.get("tool_calls", value.get("tool_calls"))
    return {
        **inner,
        "role": text_of(inner.get("role")) or _EVENT_ROLES.get(name, ""),
        "tool_calls": embedded(calls),
    }


def _vercel_messages(span: Span, _logged: list[Event]) -> Spoken:
    """``ai.prompt.messages`` and ``ai.response.…``; an answer is there even without content."""
    fields = span.fields
    if not fields.text("ai.operationId"):
        return [], []

    def said(name: str, kind: str = "text") -> JsonObject:
        text = fields.values.get(f"ai.response.{name}")
        return {"role": "assistant", "content": [{"type": kind, "text": text}]}

    calls = embedded(fields.values.get("ai.response.toolCalls"))
    answers: dict[str, JsonObject] = {
        "reasoning": said("reasoning", "reasoning"),
        "text": said("text"),
        "object": said("object"),
        "toolCalls": {"role": "assistant", "tool_calls": calls},
    }
    answered = [
        fields.spot(key).with_value(value)
        for name, value in answers.items()
        if (key := f"ai.response.{name}") in fields.values
    ]
    if not answered and not span.failed:
        answered = [span.place.with_value(said(""))]
    return _messages_at(fields.spot("ai.prompt.messages")), answered


def _openinference_messages(span: Span, _logged: list[Event]) -> Spoken:
    """``llm.input_messages.N.message.…``."""
    asked = _numbered(span, "llm.input_messages.", _openinference_message)
    answered = _numbered(span, "llm.output_messages.", _openinference_message)
    parts = [part for one in answered for part in one.each("content")]
    if not any(part.get("type") in ("reasoning", "thinking") for part in parts):
        # for chat models the reasoning is in this attribute alone
        spot = span.fields.spot("output.value")
        output = embedded(spot.value)
        messages = output if isinstance(output, list) else [output]
        text = "\n".join(text for one in messages for text in _reasonings(object_of(one)))
        if text and answered:
            answered.insert(0, spot.with_value({"role": "assistant", "reasoning": text}))
    return asked, answered


def _openinference_message(value: JsonObject) -> JsonObject:
    message = object_of(value, "message")
    parts = [one.get("message_content") for one in objects_of(message, "contents")]
    calls = [one.get("tool_call") for one in objects_of(message, "tool_calls")]
    return {**message, "content": parts or message.get("content"), "tool_calls": calls}


def _reasonings(output: JsonObject) -> Iterator[str]:
    """The reasoning in an answer as an API or LangChain gives it; only that of the first choice."""
    beside = (text_of(output, key) for key in ("reasoning_content", "reasoning"))
    yield from [*filter(None, beside)][:1]
    for part in objects_of(output, "content"):
        if part.get("type") in ("thinking", "reasoning"):
            yield joined_text(part.get("thinking") or part.get("reasoning") or part.get("text"))
    message = object_of(output, "generations", 0, 0, "message")
    for inner in (
        object_of(output, "choices", 0, "message"),
        object_of(message.get("kwargs") or message.get("data")),
        object_of(output, "additional_kwargs"),
    ):
        yield from _reasonings(inner) if inner else ()


def _traceloop_messages(span: Span, _logged: list[Event]) -> Spoken:
    """``gen_ai.prompt.N.…`` and ``gen_ai.completion.N.…``."""
    asked = _numbered(span, "gen_ai.prompt.", _traceloop_message)
    answered = _numbered(span, "gen_ai.completion.", _traceloop_message)
    return asked, answered


def _traceloop_message(value: JsonObject) -> JsonObject:
    """One message; content with several parts is recorded as a JSON text."""
    content = value.get("content")
    parts = embedded(content) if text_of(content).startswith("[{") else None
    typed = isinstance(parts, list) and all("type" in part for part in objects_of(parts))
    return {**value, "content": parts if typed else content}


def _whole_messages(span: Span, logged: list[Event]) -> Spoken:
    """``gen_ai.prompt`` and ``gen_ai.completion`` of the span, or of one event each."""
    events = (one for one in [*span.events, *logged] if one.name.startswith("gen_ai.content."))
    spoken: Spoken = ([], [])
    for fields in (span.fields, *(one.fields for one in events)):
        for said, key, role in zip(spoken, _WHOLE, ("user", "assistant"), strict=True):
            spot = fields.spot(key)
            messages = _messages_at(spot)
            if spot.text() and not messages:  # a text without messages in it is a message itself
                messages = [spot.with_value({"role": role, "content": spot.value})]
            said.extend(messages)
    return spoken


def _numbered(span: Span, prefix: str, reading: Callable[[JsonObject], JsonObject]) -> list[Spot]:
    """The messages whose attributes begin with a prefix and a number, in numerical order."""
    found: dict[int, dict[str, JsonValue]] = {}
    places: dict[int, Spot] = {}
    for key, value in span.fields.values.items():
        number, *path = key.removeprefix(prefix).split(".") if key.startswith(prefix) else [""]
        if _is_index(number) and 0 < len(path) < _DEEPEST:
            if int(number) not in found:
                places[int(number)] = span.fields.spot(key)
            _put(found.setdefault(int(number), {}), path, value)
    return [places[n].with_value(reading(object_of(_listed(found[n])))) for n in sorted(found)]


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < _DEEPEST


def _put(into: dict[str, JsonValue], path: list[str], value: JsonValue) -> None:
    for key in path[:-1]:
        inner = into.setdefault(key, {})
        if not isinstance(inner, dict):
            return
        into = inner
    into.setdefault(path[-1], value)


def _listed(value: JsonValue) -> JsonValue:
    """A value with lists in place of objects whose keys are all numbers."""
    if not isinstance(value, dict):
        return value
    if value and all(_is_index(key) for key in value):
        return [_listed(value[key]) for key in sorted(value, key=int)]
    return {key: _listed(inner) for key, inner in value.items()}


_CONVENTIONS: Final = (
    _attribute_messages,
    _vercel_messages,
    _openinference_messages,
    _traceloop_messages,
    _event_messages,
    _whole_messages,
)
