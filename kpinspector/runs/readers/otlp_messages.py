"""Reads the requests of models and the use of tools from spans, in each of the conventions."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from kpinspector.runs.readers.content import are_converse, joined_text
from kpinspector.runs.readers.message import blocks_of
from kpinspector.runs.readers.otlp_spans import Event, Fields, Span, embedded
from kpinspector.runs.readers.reader import Spot
from kpinspector.runs.rules import as_content, input_of
from kpinspector.runs.run import Block, BlockKind, BlockPlace, list_of, object_of, text_of
from kpinspector.trace.model import JsonObject, JsonValue

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

    Attributes:
        time: In nanoseconds since 1970.
        key: Equal for the same item in two requests; None if nothing identifies it.
        echo: It repeats in other words what is recorded elsewhere.
    """

    block: Block
    time: int = 0
    key: ItemKey | None = None
    echo: bool = False


@dataclass(slots=True)
class OtlpMessage:
    """A message in one form for all conventions.

    Attributes:
        value: Members ``role``, ``content`` or ``parts``, ``tool_calls``.
    """

    value: JsonObject
    place: BlockPlace
    unit: int


Spoken: TypeAlias = tuple[list[OtlpMessage], list[OtlpMessage]]
"""The messages of a request, and those of the answer to it."""


@dataclass(slots=True)
class Exchange:
    """The messages of a request and of its answer."""

    asked: list[Item] = field(default_factory=list)
    answered: list[Item] = field(default_factory=list)

    @property
    def items(self) -> list[Item]:
        """The items of the request, then those of the answer."""
        return [*self.asked, *self.answered]


@dataclass(slots=True)
class ToolUse:
    """A call and its result as a tool's span records them.

    Attributes:
        output: None if the span does not record it.
        called: Makes the block of the call.
        told: Makes that of the result.
    """

    span: Span
    name: str
    call_id: str
    input: JsonValue
    output: str | None
    called: Spot
    told: Spot

    @property
    def arguments(self) -> str:
        """The input for comparison, without the wrapper of smolagents."""
        wrapped = input_of(self.input)
        inner = wrapped.get("kwargs") if "args" in wrapped else None
        return canonical(inner if isinstance(inner, dict) else wrapped)


def canonical(value: JsonValue) -> str:
    """A value as text, the same text for equal values such as 42 and 42.0."""
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
    asked, told = fields.first(*_TOOL_INPUT), fields.first(*_TOOL_OUTPUT)
    output = fields.values.get(told)
    return ToolUse(
        span=span,
        name=name,
        call_id=fields.text(*_TOOL_ID),
        input=fields.values.get(asked),
        output=None if output is None else as_content(_result(output)),
        called=_spot(fields.place(asked) if asked else span.place, span.unit),
        told=_spot(fields.place(told) if told else span.place, span.unit),
    )


def _spot(place: BlockPlace, unit: int) -> Spot:
    return Spot(None, place.chunk, place.path, unit=unit, of_span=True)


def _result(output: JsonValue) -> JsonValue:
    """The result itself: LangChain records the whole tool message around it."""
    message = object_of(embedded(output))
    data = object_of(message.get("data"))
    return data["content"] if message.get("type") == "tool" and "content" in data else output


def exchange_of(span: Span, logged: list[Event]) -> Exchange:
    """The messages of a model's request and of its answer."""
    spoken = (read(span, logged) for read in _CONVENTIONS)
    asked, answered = next((one for one in spoken if one is not None), ([], []))
    exchange = Exchange()
    number = 0  # tells the answers in its history apart
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
    """The key of an item; none for reasoning and empty texts, which requests may lose."""
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


def _items_of(message: OtlpMessage, answer: str, time: int) -> list[Item]:
    """The items of a message; pictures and files have none."""
    role = text_of(message.value.get("role")).lower()
    content = message.value.get("parts", message.value.get("content"))
    spot = replace(_spot(message.place, message.unit), answer=answer)
    if role == _CALLED:
        found = _CALL_ID.findall(_said(content))
        return [Item(spot.call("", None, one), time, echo=True) for one in found]
    if role == _ANSWERED:
        return []
    blocks = blocks_of(spot.with_value(_common(message.value, role, content)))
    return [Item(block, time) for block in blocks if block.kind is not BlockKind.OTHER]


def _said(content: JsonValue) -> str:
    parts = (object_of(part) for part in list_of(content))
    texts = (text_of(part.get("text")) or text_of(part.get("content")) for part in parts)
    return text_of(content) or "\n".join(texts)


def _common(value: JsonObject, role: str, content: JsonValue) -> JsonObject:
    """A message in the form of message lists."""
    if not role and text_of(value.get("type")):
        return value
    role = "assistant" if role in _MODELS or not role else role
    known = (*_MODELS, *_TOOLS, "system", "developer")
    parts = [content] if isinstance(content, dict) and role not in _TOOLS else content
    common = {
        **value,
        "role": role if role in known else "user",
        "content": [_with_type(part) for part in parts] if isinstance(parts, list) else parts,
    }
    if role in _TOOLS:
        common["tool_call_id"] = text_of(value.get("tool_call_id")) or value.get("id")
    return common


def _with_type(part: JsonValue) -> JsonValue:
    """A part with its type, which some call its kind."""
    found = object_of(part)
    return {**found, "type": found["kind"]} if "kind" in found and "type" not in found else part


def _attribute_messages(span: Span, logged: list[Event]) -> Spoken | None:
    """``gen_ai.input.messages`` and ``gen_ai.output.messages``, of a span, event or log record."""
    told: list[Span | Event] = [span]
    told += [event for event in [*span.events, *logged] if event.name == _DETAILS]

    def first_at(key: str) -> list[OtlpMessage]:
        found = (_messages_at(one.fields, key, one.unit) for one in told)
        return next(filter(None, found), [])

    spoken = first_at("gen_ai.input.messages"), first_at("gen_ai.output.messages")
    return spoken if any(spoken) else None


def _messages_at(fields: Fields, key: str, unit: int) -> list[OtlpMessage]:
    """The messages in an attribute, which may be a JSON text."""
    found = list_of(embedded(fields.values.get(key)))
    return [OtlpMessage(object_of(one), fields.place(key), unit) for one in found]


def _event_messages(span: Span, logged: list[Event]) -> Spoken | None:
    """``gen_ai.user.message`` and its like: events, log records, or a list in an attribute."""
    spoken: Spoken = ([], [])
    for event in [*span.events, *logged]:
        if event.name in _EVENT_ROLES:
            value = _event_value(event)
            spoken[event.name == _CHOICE].append(OtlpMessage(value, event.place, event.unit))
    if any(spoken):
        return spoken
    for message in _messages_at(span.fields, "events", span.unit):
        name = text_of(message.value.get("event.name"))
        message.value = _of_event(name, message.value)
        spoken[name == _CHOICE].append(message)
    return spoken if any(spoken) else None


def _event_value(event: Event) -> JsonObject:
    """The message of an event: its body, its attributes, or a JSON text in either."""
    body = event.body
    if body is None:
        body = embedded(event.fields.values.get("gen_ai.event.content"))
    found = object_of(embedded(body)) or event.fields.values
    return _of_event(event.name, found)


def _of_event(name: str, value: JsonObject) -> JsonObject:
    """The message of an event; a choice wraps it, sometimes with the calls beside it."""
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


def _vercel_messages(span: Span, _logged: list[Event]) -> Spoken | None:
    """``ai.prompt.messages`` and ``ai.response.…``; an answer is there even without content."""
    fields = span.fields
    if not fields.text("ai.operationId"):
        return None

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
        OtlpMessage(value, fields.place(key), span.unit)
        for name, value in answers.items()
        if (key := f"ai.response.{name}") in fields.values
    ]
    if not answered and not span.failed:
        answered = [OtlpMessage(said(""), span.place, span.unit)]
    return _messages_at(fields, "ai.prompt.messages", span.unit), answered


def _openinference_messages(span: Span, _logged: list[Event]) -> Spoken | None:
    """``llm.input_messages.N.message.…``."""
    asked = _numbered(span, "llm.input_messages.", _openinference_message)
    answered = _numbered(span, "llm.output_messages.", _openinference_message)
    _add_reasoning(span, answered)
    return (asked, answered) if asked or answered else None


def _openinference_message(value: JsonObject) -> JsonObject:
    message = object_of(value.get("message"))
    parts = [object_of(part).get("message_content") for part in list_of(message.get("contents"))]
    calls = [object_of(call).get("tool_call") for call in list_of(message.get("tool_calls"))]
    return {**message, "content": parts or message.get("content"), "tool_calls": calls}


def _add_reasoning(span: Span, answered: list[OtlpMessage]) -> None:
    """Add the reasoning of chat models, which is recorded in ``output.value`` alone."""
    parts = [part for m in answered for part in list_of(m.value.get("content"))]
    if any(object_of(part).get("type") in ("reasoning", "thinking") for part in parts):
        return
    output = embedded(span.fields.values.get("output.value"))
    messages = output if isinstance(output, list) else [output]
    text = "\n".join(text for one in messages for text in _reasonings(object_of(one)))
    if text and answered:
        value: JsonObject = {"role": "assistant", "reasoning": text}
        answered.insert(0, OtlpMessage(value, span.fields.place("output.value"), span.unit))


def _reasonings(output: JsonObject) -> Iterator[str]:
    """The reasoning in the answer of an API or of LangChain; only of its first choice."""
    beside = (output.get(key) for key in ("reasoning_content", "reasoning"))
    yield from [text for text in beside if text and isinstance(text, str)][:1]
    for part in map(object_of, list_of(output.get("content"))):
        if part.get("type") in ("thinking", "reasoning"):
            yield joined_text(part.get("thinking") or part.get("reasoning") or part.get("text"))
    for choice in map(object_of, list_of(output.get("choices"))[:1]):
        yield from _reasonings(object_of(choice.get("message")))
    for batch in list_of(output.get("generations"))[:1]:
        for generation in map(object_of, list_of(batch)[:1]):
            message = object_of(generation.get("message"))
            yield from _reasonings(object_of(message.get("kwargs") or message.get("data")))
    if output.get("additional_kwargs"):
        yield from _reasonings(object_of(output["additional_kwargs"]))


def _traceloop_messages(span: Span, _logged: list[Event]) -> Spoken | None:
    """``gen_ai.prompt.N.…`` and ``gen_ai.completion.N.…``."""
    asked = _numbered(span, "gen_ai.prompt.", _traceloop_message)
    answered = _numbered(span, "gen_ai.completion.", _traceloop_message)
    return (asked, answered) if asked or answered else None


def _traceloop_message(value: JsonObject) -> JsonObject:
    """A message; content with several parts is recorded as a JSON text."""
    content = value.get("content")
    parts = embedded(content) if text_of(content).startswith("[{") else None
    typed = isinstance(parts, list) and all("type" in object_of(part) for part in parts)
    return {**value, "content": parts if typed else content}


def _whole_messages(span: Span, logged: list[Event]) -> Spoken | None:
    """``gen_ai.prompt`` and ``gen_ai.completion`` of the span, or of one event each."""
    told: list[Span | Event] = [span]
    told += [e for e in [*span.events, *logged] if e.name.startswith("gen_ai.content.")]
    spoken: Spoken = ([], [])
    for one in told:
        for said, key, role in zip(spoken, _WHOLE, ("user", "assistant"), strict=True):
            value = one.fields.values.get(key)
            messages = _messages_at(one.fields, key, one.unit)
            if text_of(value) and not messages:  # a text that holds no messages is one
                whole: JsonObject = {"role": role, "content": value}
                messages = [OtlpMessage(whole, one.fields.place(key), one.unit)]
            said.extend(messages)
    return spoken if any(spoken) else None


def _numbered(
    span: Span, prefix: str, reading: Callable[[JsonObject], JsonObject]
) -> list[OtlpMessage]:
    """The messages whose attributes begin with a prefix and a number, in numerical order."""
    found: dict[int, dict[str, JsonValue]] = {}
    places: dict[int, BlockPlace] = {}
    for key, value in span.fields.values.items():
        number, *path = key.removeprefix(prefix).split(".")
        if key.startswith(prefix) and _is_index(number) and 0 < len(path) < _DEEPEST:
            places.setdefault(int(number), span.fields.place(key))
            _put(found.setdefault(int(number), {}), path, value)
    return [
        OtlpMessage(reading(object_of(_listed(found[n]))), places[n], span.unit)
        for n in sorted(found)
    ]


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
