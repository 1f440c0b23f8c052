"""Turns a message of a conversation with a model into blocks, whichever library wrote it.

Covers OpenAI's chat messages and Responses items, Anthropic's Messages, LangChain's dumped
messages, and the libraries that write in the same form.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from kpinspector.runs.readers.content import content_text, texts_in
from kpinspector.runs.readers.converse import reasoning_path, typed
from kpinspector.runs.rules import is_spared
from kpinspector.runs.run import (
    Block,
    BlockKind,
    BlockPlace,
    Chunk,
    DropName,
    list_of,
    message_name,
    object_of,
    text_of,
)
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue

_USER, _MODEL, _TOOL, _SYSTEM = "user", "assistant", "tool", "system"
_ROLES: Final = MappingProxyType(
    {
        "user": _USER,
        "human": _USER,
        "assistant": _MODEL,
        "ai": _MODEL,
        "tool": _TOOL,
        "function": _TOOL,
        "system": _SYSTEM,
        "developer": "developer",
    }
)
_LANGCHAIN: Final = MappingProxyType(
    {"human": _USER, "ai": _MODEL, "tool": _TOOL, "function": _TOOL, "system": _SYSTEM}
    | {
        name + end: role
        for name, role in (
            ("HumanMessage", _USER),
            ("AIMessage", _MODEL),
            ("ToolMessage", _TOOL),
            ("FunctionMessage", _TOOL),
            ("SystemMessage", _SYSTEM),
        )
        for end in ("", "Chunk")
    }
)
# a message has one of these; lists of other things have roles too
_SAYS: Final = ("content", "tool_calls", "function_call")
# where LangChain wraps a message: messages_to_dict, and its serialiser
_WRAPPERS: Final = ("data", "kwargs")
_TEXTS: Final = ("text", "output_text", "input_text", "refusal")
_REASONING: Final = ("reasoning", "thinking", "reasoning_content")
_CALLS: Final = ("tool_call", "tool-call", "function_call", "server_tool_call")
_RESULTS: Final = ("tool-result", "server_tool_result")
_ITEM_CALL, _ITEM_OUTPUT = "_call", "_output"
_NAMES: Final = ("name", "toolName", "function")
_INPUTS: Final = ("arguments", "args", "input", "action")
_CALL_IDS: Final = ("call_id", "tool_call_id", "tool_use_id", "toolCallId")
_TIMES: Final = ("timestamp", "created_at")
_FAILED_OUTPUTS: Final = ("error-text", "error-json", "execution-denied")


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a message or a part of one, and what its blocks have in common."""

    chunk: Chunk
    path: JsonPath = ()
    answer: str = ""
    at: str = ""
    unit: int = 0

    def inside(self, *path: str | int) -> "Spot":
        """The spot of a member."""
        return replace(self, path=(*self.path, *path))

    def block(self, kind: BlockKind, text: str = "") -> Block:
        """Make a block at this spot."""
        answer = (
            self.answer if kind in (BlockKind.TEXT, BlockKind.REASONING, BlockKind.CALL) else ""
        )
        place = BlockPlace(self.chunk, self.path)
        return Block(kind=kind, place=place, text=text, answer=answer, at=self.at, unit=self.unit)


@dataclass(slots=True)
class Conversation:
    """Collects the blocks of messages, one message after the other.

    Attributes:
        total: How many there were.
        dropped: How many of them made no block, by name.
        omitted: A tool of the framework whose calls and results make no blocks.
    """

    blocks: list[Block] = field(default_factory=list)
    total: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    omitted: str = ""
    _answer: int = 0
    _omitted_calls: set[str] = field(default_factory=set)

    def add(self, value: JsonValue, chunk: Chunk, path: JsonPath = (), left_out: str = "") -> None:
        """Take a message; if it has no blocks it is counted as ``left_out``, if given."""
        message = object_of(value)
        self.total += 1
        self._answer += not _goes_on(message)
        found = list(blocks_of(message, Spot(chunk, path, str(self._answer), unit=self.total)))
        kept = [block for block in found if not self._is_omitted(block)]
        self.blocks.extend(kept)
        if not kept:
            name = DropName.FRAMEWORK if found else left_out or _why_nothing(message)
            self.dropped[name] += 1

    def pass_over(self, why: str) -> None:
        """Count a message without blocks that is not in the list."""
        self.total += 1
        self.dropped[why] += 1

    def _is_omitted(self, block: Block) -> bool:
        if self.omitted and block.kind is BlockKind.CALL and block.tool == self.omitted:
            self._omitted_calls.add(block.call_id)
            return True
        return block.kind is BlockKind.RESULT and block.call_id in self._omitted_calls


def is_message(value: JsonValue) -> bool:
    """Whether a value has the form of a message or an item."""
    message = object_of(value)
    wrapper = _wrapper(message)
    opened = object_of(message.get(wrapper)) if wrapper else message
    if role_of(message):
        return any(name in opened for name in _SAYS) and "parts" not in opened
    kind = text_of(message.get("type"))
    return kind.endswith((_ITEM_CALL, _ITEM_OUTPUT)) and "call_id" in message


def role_of(message: JsonObject) -> str:
    """The role of a message: user, assistant, tool, system or developer; "" if it has none."""
    role = _ROLES.get(text_of(message.get("role")), "")
    names = list_of(message.get("id")) if "kwargs" in message else [message.get("type")]
    return role or _LANGCHAIN.get(text_of(names[-1] if names else None), "")


def blocks_of(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a message; system and developer messages have none."""
    role = role_of(message)
    wrapper = _wrapper(message)
    if wrapper:
        message, spot = object_of(message.get(wrapper)), spot.inside(wrapper)
    at = next((text for name in _TIMES if (text := text_of(message.get(name)))), "")
    spot = replace(spot, at=at)
    if role == _USER:
        yield from _of_user(message, spot)
    elif role == _MODEL:
        yield from _of_model(message, spot)
    elif role == _TOOL:
        yield from _of_tool(message, spot)
    elif not role:
        yield from _of_item(message, spot)


def is_joined(value: JsonValue) -> bool:
    """Whether a message has parts with hyphenated types, as Vercel's are."""
    parts = list_of(object_of(value).get("content"))
    return any(
        text_of(object_of(part).get("type")) in ("tool-call", "tool-result") for part in parts
    )


def _goes_on(message: JsonObject) -> bool:
    """Whether an item belongs to the same answer as the item before it."""
    kind = text_of(message.get("type"))
    if kind == "message":
        return role_of(message) == _MODEL
    return not role_of(message) and (kind == "reasoning" or kind.endswith(_ITEM_CALL))


def _why_nothing(message: JsonObject) -> str:
    """The name under which a message without blocks is counted."""
    role = role_of(message)
    if role in (_USER, _MODEL):
        return DropName.EMPTY
    if role:
        return message_name(role)
    kind = text_of(message.get("type"))
    if kind == "reasoning":
        return DropName.EMPTY
    return kind.replace("_", " ") or DropName.NO_ROLE


def _wrapper(message: JsonObject) -> str:
    """The member in which LangChain wraps the message; "" if it is not wrapped."""
    if "content" in message:
        return ""
    return next((one for one in _WRAPPERS if "content" in object_of(message.get(one))), "")


def _of_user(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a user message: its results, and all its texts as one prompt."""
    content, spot = message.get("content"), spot.inside("content")
    said = texts_in(content) + _bare_texts(content)
    for index, part in enumerate(typed(one) for one in list_of(content)):
        if _is_result(part):
            yield _result(part, spot.inside(index))
    if said:
        text = "\n".join(text for _, text in said)
        yield spot.inside(*said[0][0]).block(BlockKind.PROMPT, text)


def _of_model(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of an answer: reasoning of its own member, then the parts, then the calls."""
    found = list(_of_parts(message.get("content"), spot.inside("content")))
    if not any(block.kind is BlockKind.REASONING for block in found):
        yield from _of_reasoning_members(message, spot)
    yield from found
    refusal = text_of(message.get("refusal"))
    if refusal.strip():
        yield spot.inside("refusal").block(BlockKind.TEXT, refusal)
    called = {block.call_id for block in found if block.kind is BlockKind.CALL and block.call_id}
    for path, call in _calls(message):
        block = _call(call, spot.inside(*path))
        if block.call_id not in called:
            yield block


def _calls(message: JsonObject) -> Iterator[tuple[JsonPath, JsonObject]]:
    """The calls that stand beside the content, in whichever member."""
    more = object_of(message.get("additional_kwargs"))
    for holder, path in ((message, ()), (more, ("additional_kwargs",))):
        calls = list_of(holder.get("tool_calls"))
        for index, call in enumerate(calls):
            yield (*path, "tool_calls", index), object_of(call)
        once = holder.get("function_call")
        if isinstance(once, dict) and not calls:
            yield (*path, "function_call"), once
        if calls or isinstance(once, dict):
            break
    for index, call in enumerate(list_of(message.get("invalid_tool_calls"))):
        yield ("invalid_tool_calls", index), object_of(call)


def _of_reasoning_members(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The reasoning beside the content, from the first member that holds any."""
    for path in ((), ("additional_kwargs",)):
        holder = object_of(message.get(path[0])) if path else message
        for name in ("reasoning_content", "reasoning"):
            found = list(_reasoning(holder.get(name), spot.inside(*path, name)))
            if found:
                yield from found
                return


def _of_parts(content: JsonValue, spot: Spot) -> Iterator[Block]:
    """The blocks of an answer's content, a text or a list of parts."""
    if isinstance(content, str):
        content = [content]
        spots = [spot]
    else:
        spots = [spot.inside(index) for index in range(len(list_of(content)))]
    for part, where in zip(list_of(content), spots, strict=True):
        yield from _of_part(part, where)


def _of_part(part: "JsonValue | JsonObject", spot: Spot) -> Iterator[Block]:
    found = typed(part)
    kind = text_of(found.get("type"))
    if isinstance(part, str) or kind in _TEXTS or not kind:
        text = part if isinstance(part, str) else _text_of(found)
        if text.strip():
            yield spot.block(BlockKind.TEXT, text)
    elif kind in _REASONING:
        yield from _reasoning(found, spot.inside(*reasoning_path(part)))
    elif kind in _CALLS or kind.endswith("tool_use"):
        yield _call(found, spot)
    elif _is_result(found):
        yield _result(found, spot)


def _text_of(part: JsonObject) -> str:
    return text_of(part.get("text")) or text_of(part.get("refusal"))


def _bare_texts(content: JsonValue) -> list[tuple[JsonPath, str]]:
    """The parts that are plain strings."""
    return [
        ((index,), part)
        for index, part in enumerate(list_of(content))
        if isinstance(part, str) and part.strip()
    ]


def _reasoning(value: "JsonValue | JsonObject", spot: Spot) -> Iterator[Block]:
    """The reasoning in a part: a text, a member of it, or a summary in parts."""
    if isinstance(value, str):
        if value.strip():
            yield spot.block(BlockKind.REASONING, value)
        return
    found = value if isinstance(value, Mapping) else {}
    names = () if found.get("redacted") is True else ("thinking", "reasoning", "text")
    for name in (*names, "reasoning_content", "summary", "content"):
        inner = found.get(name)
        if isinstance(inner, dict):
            said = texts_in(inner.get("text"), (name, "text"))
        else:
            said = texts_in(inner, (name,))
        for path, text in said:
            yield spot.inside(*path).block(BlockKind.REASONING, text)
        if said:
            return


def _call(call: JsonObject, spot: Spot) -> Block:
    """A call; its name and input stand beside its id or within ``function`` or ``custom``."""
    inner = object_of(call.get("function")) or object_of(call.get("custom")) or call
    kind = text_of(call.get("type"))
    name = next((text for one in _NAMES if (text := text_of(inner.get(one)))), "")
    ids = (call.get("call_id"), call.get("toolCallId"), call.get("tool_call_id"), call.get("id"))
    return replace(
        spot.block(BlockKind.CALL),
        tool=name or (kind.removesuffix(_ITEM_CALL) if kind.endswith(_ITEM_CALL) else ""),
        input=next((inner[one] for one in _INPUTS if one in inner), None),
        call_id=next((one for one in map(text_of, ids) if one), ""),
    )


def _is_result(part: JsonObject) -> bool:
    kind = text_of(part.get("type"))
    return kind in _RESULTS or kind.endswith("tool_result")


def _result(part: JsonObject, spot: Spot) -> Block:
    """The result in a message, an item or a part."""
    name = "output" if "output" in part else "content"
    said, failed = part.get(name), _is_failed(part)
    wrapped = object_of(said)
    if part.get("type") == "tool-result" and "type" in wrapped:
        failed = failed or wrapped.get("type") in _FAILED_OUTPUTS
        said = wrapped.get("value", wrapped.get("reason"))
    text = content_text(said)
    denied = wrapped.get("type") == "execution-denied"
    error = object_of(part.get("error"))
    return replace(
        spot.block(BlockKind.RESULT, text or text_of(error.get("message"))),
        call_id=next((one for name in _CALL_IDS if (one := text_of(part.get(name)))), ""),
        failed=failed,
        spared=failed and (denied or is_spared(text)),
    )


def _is_failed(part: JsonObject) -> bool:
    """Whether a result is marked as failed, by Anthropic, by LangChain or by an ``error``."""
    return (
        part.get("is_error") is True
        or part.get("status") == "error"
        or bool(object_of(part.get("error")))
        or text_of(object_of(part.get("content")).get("type")).endswith("_error")
    )


def _of_tool(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The results in a tool message; Vercel's have several, as parts."""
    parts = list_of(message.get("content"))
    if any(_is_result(object_of(part)) for part in parts):
        for index, part in enumerate(parts):
            if _is_result(object_of(part)):
                yield _result(object_of(part), spot.inside("content", index))
    else:
        yield _result(message, spot)


def _of_item(item: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a Responses item that is not a message."""
    kind = text_of(item.get("type"))
    if kind == "reasoning":
        yield from _reasoning(item, spot)
    elif kind.endswith(_ITEM_CALL):
        yield _call(item, spot)
        if item.get("output") is not None or item.get("error") is not None:
            yield _own_result(item, spot)
    elif kind.endswith(_ITEM_OUTPUT):
        yield _result(item, spot)


def _own_result(item: JsonObject, spot: Spot) -> Block:
    """The result of OpenAI's built-in tools, which stands in the item of the call."""
    error = item.get("error")
    name = "output" if error is None else "error"
    result = spot.inside(name).block(BlockKind.RESULT, content_text(item.get(name)))
    call_id = text_of(item.get("call_id")) or text_of(item.get("id"))
    return replace(result, call_id=call_id, failed=error is not None)
