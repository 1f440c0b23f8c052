"""Turns a message of a conversation with a model into blocks, whichever library wrote it.

Covers OpenAI's chat messages and Responses items, Anthropic's Messages, LangChain's dumped
messages, Amazon's Converse, Vercel's model messages, those of the OpenTelemetry conventions, and
the libraries that write in the same form.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from kpinspector.runs.readers.content import (
    content_text,
    media_in,
    moment,
    other_name,
    parts_in,
    reasoning_path,
    texts_in,
    typed,
)
from kpinspector.runs.readers.reader import Spot
from kpinspector.runs.rules import is_spared
from kpinspector.runs.run import (
    Block,
    BlockKind,
    Chunk,
    DropName,
    list_of,
    message_name,
    object_of,
    text_of,
)
from kpinspector.trace.bytes import parse
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue
from kpinspector.trace.printable import on_one_line, shortened

_USER, _MODEL, _TOOL, _SYSTEM = "user", "assistant", "tool", "system"
_NAMED: Final = {"human": _USER, "ai": _MODEL, "tool": _TOOL, "function": _TOOL, "system": _SYSTEM}
_ROLES: Final = MappingProxyType(
    {**_NAMED, "user": _USER, "assistant": _MODEL, "developer": "developer"}
)
_LANGCHAIN: Final = MappingProxyType(
    _NAMED
    | {
        f"{'AI' if name == 'ai' else name.title()}Message{end}": role
        for name, role in _NAMED.items()
        for end in ("", "Chunk")
    }
)
# a message has one of these; lists of other things have roles too
_SAYS: Final = ("content", "tool_calls", "function_call")
# where LangChain wraps a message: messages_to_dict, and its serialiser
_WRAPPERS: Final = ("data", "kwargs")
_TEXT, _REASONING = BlockKind.TEXT, BlockKind.REASONING
_CALL, _RESULT = BlockKind.CALL, BlockKind.RESULT
_PARTS: Final = MappingProxyType(
    dict.fromkeys(("text", "output_text", "input_text", "refusal"), _TEXT)
    | dict.fromkeys(("reasoning", "thinking", "reasoning_content", "redacted_thinking"), _REASONING)
    | dict.fromkeys(("tool-call", "invalid_tool_call"), _CALL)
    | dict.fromkeys(("tool-result", "server_tool_result", "tool_call_response"), _RESULT)
)
_ITEM_CALL, _ITEM_OUTPUT = "_call", "_output"
# of OpenAI's items, and of the parts for Anthropic's own and served tools
_ENDS: Final = MappingProxyType(
    {_ITEM_CALL: _CALL, _ITEM_OUTPUT: _RESULT, "tool_use": _CALL, "tool_result": _RESULT}
)
_TEXTS: Final = ("text", "refusal", "content")
_REASONINGS: Final = ("thinking", "reasoning", "text", "reasoning_content", "summary", "content")
_NAMES: Final = ("name", "toolName", "function")
_INPUTS: Final = ("arguments", "args", "input", "action", "operation", "code", "queries")
_CALL_IDS: Final = ("call_id", "tool_call_id", "tool_use_id", "toolCallId")
# results whose own id is that of the call
_NAMED_BY_CALL: Final = ("tool_call_response", "function_call_output")
_OUTPUTS: Final = ("output", "result", "response", "content")
# where the item of a call holds its result as well
_OWN_RESULTS: Final = ("output", "outputs", "results")
_ENCRYPTED: Final = "encrypted_"
# how many of each make a second
_TIMES: Final = MappingProxyType({"timestamp": 1, "created_at": 1, "ts": 1000})
# beside the content
_ATTACHED: Final = MappingProxyType(
    {"images": DropName.IMAGE, "videos": DropName.VIDEO, "files": DropName.FILE}
)
_KNOWN: Final = frozenset(DropName)
_LONGEST: Final = 100
_FAILED_OUTPUTS: Final = ("error-text", "error-json", "execution-denied")


@dataclass(slots=True)
class Conversation:
    """Collects the blocks of messages, one message after the other.

    Attributes:
        total: How many there were.
        dropped: How many of them made no block, by name.
        omitted: A tool of the framework whose calls and results make no blocks.
        is_answered: An answer holds a part that is known.
    """

    blocks: list[Block] = field(default_factory=list)
    total: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    omitted: str = ""
    is_answered: bool = False
    _answer: int = 0
    _is_closed: bool = False
    _omitted_calls: set[str] = field(default_factory=set)
    _strange: set[str] = field(default_factory=set)
    _unknown: set[str] = field(default_factory=set)

    @property
    def unread(self) -> str:
        """The parts that keep the list from being read; "" for a list that is read."""
        found = self._strange or (set() if self.is_answered else self._unknown)
        return shortened(on_one_line(", ".join(sorted(found))), _LONGEST)

    def add(self, value: JsonValue, chunk: Chunk, path: JsonPath = (), left_out: str = "") -> None:
        """Take a message; if it has no blocks it is counted as ``left_out``, if given."""
        message = object_of(value)
        self.total += 1
        self._answer += self._is_closed or not _goes_on(message)
        found = list(blocks_of(message, Spot(chunk, path, str(self._answer), unit=self.total)))
        self._is_closed = any(block.kind is _RESULT for block in found)
        self._note_parts(message, found)
        kept = [block for block in found if not self._is_omitted(block)]
        self.blocks.extend(kept)
        if not kept:
            name = DropName.FRAMEWORK if found else left_out or _why_nothing(message)
            self.dropped[name] += 1

    def pass_over(self, why: str) -> None:
        """Count a message without blocks that is not in the list."""
        self.total += 1
        self.dropped[why] += 1

    def _note_parts(self, message: JsonObject, found: list[Block]) -> None:
        """Note which parts are not known, and whether an answer holds others."""
        role = role_of(message)
        if role in (_USER, _MODEL):
            opened = object_of(message.get(_wrapper(message))) or message
            for part in map(typed, list_of(opened.get("content"))):
                if part and not text_of(part.get("type")) and _kind_of(part) is None:
                    self._strange.add(" ".join(part))
        if role in (_MODEL, ""):
            names = {block.text for block in found if block.kind is BlockKind.OTHER}
            self.is_answered |= any(block.kind is not BlockKind.OTHER for block in found)
            self._unknown |= names - _KNOWN

    def _is_omitted(self, block: Block) -> bool:
        if self.omitted and block.kind is _CALL and block.tool == self.omitted:
            self._omitted_calls.add(block.call_id)
            return True
        return block.kind is _RESULT and block.call_id in self._omitted_calls


def is_message(value: JsonValue) -> bool:
    """Whether a value has the form of a message or an item."""
    message = object_of(value)
    wrapper = _wrapper(message)
    opened = object_of(message.get(wrapper)) if wrapper else message
    if role_of(message):
        return any(name in opened for name in _SAYS) and "parts" not in opened
    kind = text_of(message.get("type"))
    return kind.endswith((_ITEM_CALL, _ITEM_OUTPUT)) and "call_id" in message


def is_joined(value: JsonValue) -> bool:
    """Whether a message has parts with hyphenated types, as Vercel's are."""
    parts = map(object_of, list_of(object_of(value).get("content")))
    return any(part.get("type") in ("tool-call", "tool-result") for part in parts)


def role_of(message: JsonObject) -> str:
    """The role of a message: user, assistant, tool, system or developer; "" if it has none."""
    role = _ROLES.get(text_of(message.get("role")), "")
    names = list_of(message.get("id")) if "kwargs" in message else [message.get("type")]
    return role or _LANGCHAIN.get(text_of(names[-1] if names else None), "")


def blocks_of(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a message; system and developer messages have none.

    What stands after a result in the same answer is a further answer.
    """
    results = 0
    for block in _blocks_of(message, spot):
        if results and block.answer:
            yield replace(block, answer=f"{block.answer} {results}")
        else:
            yield block
        results += block.kind is _RESULT


def _blocks_of(message: JsonObject, spot: Spot) -> Iterator[Block]:
    role = role_of(message)
    wrapper = _wrapper(message)
    if wrapper:
        message, spot = object_of(message.get(wrapper)), spot.inside(wrapper)
    times = (_time(message[name], parts) for name, parts in _TIMES.items() if name in message)
    at = next(filter(None, times), "")
    spot = replace(spot, at=at) if at else spot
    for name, called in _ATTACHED.items():
        yield from spot.others(called for _ in list_of(message.get(name)))
    if role == _USER:
        yield from _of_user(message, spot)
    elif role == _MODEL:
        yield from _of_model(message, spot)
    elif role == _TOOL:
        yield from _of_tool(message, spot)
    elif not role:
        yield from _of_item(message, spot)


def _of_tool(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The results in a tool message; Vercel's have several, as parts."""
    parts = enumerate(map(typed, list_of(message.get("content"))))
    results = [(index, part) for index, part in parts if _kind_of(part) is _RESULT]
    for index, part in results:
        yield from _result(part, spot.inside("content", index))
    if not results:
        yield from _result(message, spot)


def _of_item(item: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a Responses item that is not a message."""
    match _kind_of(item):
        case BlockKind.REASONING:
            yield from _reasoning(item, spot)
        case BlockKind.CALL:
            yield from _call(item, spot)
        case BlockKind.RESULT:
            yield from _result(item, spot)


def _time(value: JsonValue, parts: int) -> str:
    """A time as recorded, or by so many parts of seconds since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return moment(value / parts)
    return text_of(value)


def _kind_of(part: JsonObject) -> BlockKind | None:
    """What a part or an item is; None for images and the like, and what is not known."""
    kind = text_of(part.get("type"))
    if not kind and "text" in part:
        return _TEXT
    ends = (_ENDS[end] for end in _ENDS if kind.endswith(end))
    return _PARTS.get(kind) or next(ends, None)


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
    said = list[tuple[JsonPath, str]]()
    is_left_out = content is None or isinstance(content, str)
    for path, part in parts_in(content):
        found = typed(part)
        kind, where = _kind_of(found), spot.inside(*path)
        text = text_of(part) or (_text_in(found) if kind is _TEXT else text_of(found.get("text")))
        is_left_out = is_left_out or kind is _TEXT
        if text.strip():
            said.append((path, text))
        if kind is _RESULT:
            yield from _result(found, where)
        elif found and kind is not _TEXT:
            yield where.block(BlockKind.OTHER, other_name(found))
    yield from spot.prompt(said)
    if spot.of_span and is_left_out and not said:
        yield spot.block(BlockKind.PROMPT)


def _text_in(part: JsonObject) -> str:
    return next((text for name in _TEXTS if (text := text_of(part.get(name)))), "")


def _of_model(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of an answer: reasoning of its own member, then the parts, then the calls."""
    content, found = message.get("content"), list[Block]()
    for path, part in parts_in(content):
        found += _of_part(part, spot.inside("content", *path))
    if not any(block.kind is _REASONING and block.text for block in found):
        yield from _of_reasoning_members(message, spot)
    yield from found
    refusal = text_of(message.get("refusal"))
    if refusal.strip():
        yield spot.inside("refusal").block(_TEXT, refusal)
    called = {block.call_id for block in found if block.kind is _CALL and block.call_id}
    for path, call in _calls(message):
        block = next(_call(call, spot.inside(*path)))
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
        for name in ("reasoning_content", "reasoning", "thinking"):
            value = holder.get(name)
            found = list(_reasoning(value, spot.inside(*path, name))) if value else []
            if found:
                yield from found
                return


def _of_part(part: JsonValue, spot: Spot) -> Iterator[Block]:
    """The blocks of a part of an answer."""
    found: JsonObject = {"type": "text", "text": part} if isinstance(part, str) else typed(part)
    match _kind_of(found):
        case BlockKind.TEXT:
            text = _text_in(found)
            if text.strip() or spot.of_span:
                yield spot.block(_TEXT, text)
        case BlockKind.REASONING:
            said = list(_reasoning(found, spot.inside(*reasoning_path(part))))
            lost = (_REASONING, "") if spot.of_span else (BlockKind.OTHER, DropName.EMPTY)
            yield from said or [spot.block(*lost)]
        case BlockKind.CALL:
            yield from _call(found, spot)
        case BlockKind.RESULT:
            yield from _result(found, spot)
        case None if found:
            yield spot.block(BlockKind.OTHER, other_name(found))


def _reasoning(value: "JsonValue | JsonObject", spot: Spot) -> Iterator[Block]:
    """The reasoning in a part: a text, a member of it, or a summary in parts."""
    if isinstance(value, str):
        if value.strip():
            yield spot.block(_REASONING, value)
        return
    found = value if isinstance(value, Mapping) else {}
    for name in _REASONINGS[3 * (found.get("redacted") is True) :]:
        inner = found.get(name)
        if isinstance(inner, dict):
            said = texts_in(inner.get("text"), (name, "text"))
        else:
            said = texts_in(inner, (name,)) if inner else []
        if said:
            yield from spot.said(_REASONING, said)
            return


def _call(call: JsonObject, spot: Spot) -> Iterator[Block]:
    """A call, and its result where one of OpenAI's hosted tools holds that as well.

    Its name and input stand beside its id or within ``function`` or ``custom``.
    """
    inner = object_of(call.get("function")) or object_of(call.get("custom")) or call
    kind = text_of(call.get("type"))
    name = next((text for one in _NAMES if (text := text_of(inner.get(one)))), "")
    ids = (call.get("call_id"), call.get("toolCallId"), call.get("tool_call_id"), call.get("id"))
    yield spot.call(
        name or (kind.removesuffix(_ITEM_CALL) if kind.endswith(_ITEM_CALL) else ""),
        next((inner[one] for one in _INPUTS if one in inner), None),
        next((one for one in map(text_of, ids) if one), ""),
    )
    if not kind.endswith(_ITEM_CALL) or "call_id" in call:
        return
    said = next((one for one in _OWN_RESULTS if call.get(one) is not None), "error")
    if call.get(said) is not None or call.get("status") == "failed":
        result: JsonObject = {
            "call_id": call.get("id"),
            "content": call.get("error" if call.get("error") is not None else said),
            "is_error": call.get("error") is not None or call.get("status") == "failed",
        }
        yield from _result(result, spot.inside(said) if said in call else spot)
    if call.get("result") and kind == "image_generation_call":
        yield spot.block(BlockKind.OTHER, DropName.IMAGE)


def _result(part: JsonObject, spot: Spot) -> Iterator[Block]:
    """The result in a message, an item or a part, and what of it has no text."""
    kind = text_of(part.get("type"))
    name = next((one for one in _OUTPUTS if one in part), "")
    said = part.get(name)
    failed, spared = _failures(part, said)
    wrapped = object_of(said)
    if "type" in wrapped and (kind == "tool-result" or "value" in wrapped):
        failed = failed or wrapped.get("type") in _FAILED_OUTPUTS
        spared = wrapped.get("type") == "execution-denied"
        said = wrapped.get("value", wrapped.get("reason"))
    text = content_text(_open(said)) or text_of(object_of(part.get("error")).get("message"))
    is_named = kind.endswith(_ITEM_OUTPUT) or kind in _NAMED_BY_CALL
    ids = (*_CALL_IDS, "id") if is_named else _CALL_IDS
    call_id = next((one for one in ids if text_of(part.get(one))), "")
    spared = failed and (spared or is_spared(text))
    hidden = not name or (said is None and name == "content")
    yield spot.result(text, part.get(call_id), failed=failed, spared=spared, hidden=hidden)
    yield from spot.others(media_in(said))


def _failures(part: JsonObject, said: JsonValue) -> tuple[bool, bool]:
    """Whether a result is marked as failed, and whether only because it took too long."""
    entries = [object_of(one) for one in (said if isinstance(said, list) else [said])]
    outcomes = [object_of(one.get("outcome")) for one in entries]
    failed = (
        part.get("is_error") is True
        or part.get("isError") is True
        or part.get("tool_call_error") is True
        or part.get("status") in ("error", "failed")
        or bool(object_of(part.get("error")))
        or any(text_of(one.get("type")).endswith("_error") for one in entries)
        or any(one.get("return_code", 0) != 0 for one in entries)
        or any(one.get("exit_code") not in (0, None) for one in outcomes)
        or any(one.get("success") is False for one in [*entries, *_in_text(said)])
    )
    timed_out = any(one.get("type") == "timeout" for one in outcomes)
    return failed or timed_out, timed_out and not failed


def _in_text(said: JsonValue) -> Iterator[JsonObject]:
    """The object, or the objects of a list, that a result holds as JSON text."""
    if '"success"' in text_of(said) and (found := parse(text_of(said).encode())) is not None:
        yield from map(object_of, found.value if isinstance(found.value, list) else [found.value])


def _open(value: JsonValue) -> JsonValue:
    """A value without what only its sender can decrypt."""
    if isinstance(value, list):
        return [_open(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _open(one) for key, one in value.items() if not key.startswith(_ENCRYPTED)}
