"""Turns a message of a conversation with a model into blocks, whichever library wrote it.

Covers OpenAI's chat messages and Responses items, Anthropic's Messages, LangChain's dumped
messages, Amazon's Converse, Vercel's model messages, those of the OpenTelemetry conventions, and
the libraries that write in the same form.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from typing_extensions import override

from kpinspector.runs.readers.reader import Reader, Spot, content_text, moment, not_known, prompt
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import AgentRun, Block, BlockKind, Chunk, DropName, Recording
from kpinspector.runs.texts import list_of, object_of, objects_of, text_of, value_of
from kpinspector.trace.bytes import parse
from kpinspector.trace.javascript import JsonObject, JsonValue

_USER, _MODEL, _TOOL, _SYSTEM = "user", "assistant", "tool", "system"
_NAMED: Final = {"human": _USER, "ai": _MODEL, "tool": _TOOL, "function": _TOOL, "system": _SYSTEM}
_ROLES: Final = {**_NAMED, "user": _USER, "assistant": _MODEL, "developer": "developer"}
_LANGCHAIN: Final = _NAMED | {
    f"{'AI' if name == 'ai' else name.title()}Message{end}": role
    for name, role in _NAMED.items()
    for end in ("", "Chunk")
}
# a message has one of these members; objects of other kinds have roles, too
_SAYS: Final = ("content", "tool_calls", "function_call")
# where LangChain wraps a message: messages_to_dict, and its serialiser
_WRAPPERS: Final = ("data", "kwargs")
_TEXT, _REASONING = BlockKind.TEXT, BlockKind.REASONING
_CALL, _RESULT = BlockKind.CALL, BlockKind.RESULT
_PARTS: Final = (
    dict.fromkeys(("text", "output_text", "input_text", "refusal"), _TEXT)
    | dict.fromkeys(("reasoning", "thinking", "reasoning_content", "redacted_thinking"), _REASONING)
    | dict.fromkeys(("tool-call", "invalid_tool_call"), _CALL)
    | dict.fromkeys(("tool-result", "server_tool_result", "tool_call_response"), _RESULT)
)
_ITEM_CALL, _ITEM_OUTPUT = "_call", "_output"
# ends of the types of OpenAI's items, and of Anthropic's parts for its own and for served tools
_ENDS: Final = {_ITEM_CALL: _CALL, _ITEM_OUTPUT: _RESULT, "tool_use": _CALL, "tool_result": _RESULT}
_TEXTS: Final = ("text", "refusal", "content")
_REASONINGS: Final = ("thinking", "reasoning", "text", "reasoning_content", "summary", "content")
_REASONING_MEMBERS: Final = ("reasoning_content", "reasoning", "thinking")
_MORE: Final = ("additional_kwargs",)
_BESIDE: Final = tuple((*path, name) for path in ((), _MORE) for name in _REASONING_MEMBERS)
_NAMES: Final = ("name", "toolName", "function")
_INPUTS: Final = ("arguments", "args", "input", "action", "operation", "code", "queries")
_CALL_IDS: Final = ("call_id", "tool_call_id", "tool_use_id", "toolCallId")
# results that have the id of their call as their own
_NAMED_BY_CALL: Final = ("tool_call_response", "function_call_output")
_OUTPUTS: Final = ("output", "result", "response", "content")
# members in which the item of a call may hold its result as well
_OWN_RESULTS: Final = ("output", "outputs", "results")
_ENCRYPTED: Final = "encrypted_"
# for each unit of time, how many make a second
_TIMES: Final = {"timestamp": 1, "created_at": 1, "ts": 1000}
# members beside the content
_ATTACHED: Final = {"images": DropName.IMAGE, "videos": DropName.VIDEO, "files": DropName.FILE}
# parts of Amazon's Converse have no type; the name of their only member is their kind
_USED, _ANSWERED, _REASONED = "toolUse", "toolResult", "reasoningContent"
_REASONING_TEXT: Final = "reasoningText"
_OTHERS: Final = ("image", "document", "audio", "video", "cachePoint")
_MEMBERS: Final = ("text", _USED, _ANSWERED, _REASONED)
# names for values that are no part
_TYPES: Final = {list: "array", bool: "boolean", int: "number", float: "number"}
_FAILED_OUTPUTS: Final = ("error-text", "error-json", "execution-denied")


@dataclass(slots=True)
class Conversation:
    """Collects the blocks of messages, one message after the other; ``reader`` counts them.

    ``omitted``: a tool of the framework whose calls and results make no blocks. ``is_answered``: an
    answer has had a part of a known kind.
    """

    reader: Reader
    blocks: list[Block] = field(default_factory=list)
    total: int = 0
    omitted: str = ""
    is_answered: bool = False
    _answer: int = 0
    _is_closed: bool = False
    _omitted_calls: set[str] = field(default_factory=set)
    _strange: set[str] = field(default_factory=set)
    _unknown: set[str] = field(default_factory=set)

    @property
    def unread(self) -> set[str]:
        """The names of unknown parts for which the list is refused; empty if it is read."""
        return self._strange or (set() if self.is_answered else self._unknown)

    def add(self, message: Spot, left_out: str = "") -> None:
        """Take a message; ``left_out``: the name under which it is counted if it has no blocks."""
        self.total += 1
        value = object_of(message.value)
        self._answer += self._is_closed or not _goes_on(value)
        message.answer, message.unit = str(self._answer), self.total
        found = list(blocks_of(message))
        self._is_closed = any(block.kind is _RESULT for block in found)
        role, kind = role_of(value), text_of(value.get("type"))
        if role in (_USER, _MODEL):
            opened = object_of(value, *_wrapper(value)) or value
            for part in map(typed, list_of(opened.get("content"))):
                if part and not text_of(part.get("type")) and _kind_of(part) is None:
                    self._strange.add(" ".join(part))
        if role in (_MODEL, ""):
            names = {block.text for block in found if block.kind is BlockKind.OTHER}
            self.is_answered |= any(block.kind is not BlockKind.OTHER for block in found)
            self._unknown |= names - {*DropName}
        nothing = why_nothing(message)
        if kind and not role:
            nothing = DropName.EMPTY if kind == "reasoning" else kind.replace("_", " ")
        why = DropName.FRAMEWORK if found else left_out or nothing
        kept = (block for block in found if not self._is_omitted(block))
        self.blocks += self.reader.counted(kept, why)

    def _is_omitted(self, block: Block) -> bool:
        if self.omitted and block.kind is _CALL and block.tool == self.omitted:
            self._omitted_calls.add(block.call_id)
            return True
        return block.kind is _RESULT and block.call_id in self._omitted_calls


class ConversationReader(Reader):
    """Reads conversations, each of which is a run."""

    unit = "messages"

    def __init__(self) -> None:
        super().__init__()
        self._held: dict[tuple[str, str, Chunk | None], tuple[Conversation, AgentRun]] = {}

    def conversation(self, run: AgentRun) -> Conversation:
        """The conversation that collects the blocks of a run; the run is given without blocks."""
        key = run.session, run.key, run.chunk
        return self._held.setdefault(key, (Conversation(self), run))[0]

    @override
    def recording(self) -> Recording:
        runs, refused = [], []
        for one, run in self._held.values():
            if one.unread:
                refused.append((run.chunk or one.blocks[0].place.chunk, not_known(one.unread)))
            elif one.blocks or run.chunk:
                runs.append(replace(run, blocks=tuple(one.blocks)))
        return replace(super().recording(), runs=tuple(runs), refused=tuple(refused))


def is_message(value: JsonValue) -> bool:
    """Whether a value has the form of a message or an item."""
    message = object_of(value)
    opened = object_of(message, *_wrapper(message))
    if role_of(message):
        return any(name in opened for name in _SAYS) and "parts" not in opened
    kind = text_of(message.get("type"))
    return kind.endswith((_ITEM_CALL, _ITEM_OUTPUT)) and "call_id" in message


def is_joined(value: "JsonValue | JsonObject") -> bool:
    """Whether a message has parts with hyphenated types, as Vercel's are."""
    parts = objects_of(object_of(value).get("content"))
    return any(part.get("type") in ("tool-call", "tool-result") for part in parts)


def role_of(message: JsonObject) -> str:
    """The role of a message: user, assistant, tool, system or developer; "" if it has none."""
    named = message.get("role")
    role = _ROLES.get(text_of(named) or text_of(object_of(named).get("value")), "")
    names = list_of(message, "id") if "kwargs" in message else [message.get("type")]
    return role or _LANGCHAIN.get(text_of(names[-1] if names else None), "")


def of_role(message: Spot, blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks of a message from those of its parts, by the role of the message."""
    match role_of(object_of(message.value)):
        case "user":
            yield from of_user(blocks)
        case "assistant":
            yield from blocks
        case "tool":
            yield from (one for one in blocks if one.kind in (_RESULT, BlockKind.OTHER))


def of_user(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks of a user's message: the texts of its parts are one prompt."""
    found = list(blocks)
    texts = [one for one in found if one.kind is _TEXT]
    if texts:
        said = "\n".join(one.text for one in texts)
        yield replace(texts[0], kind=BlockKind.PROMPT, text=said, answer="")
    yield from (one for one in found if one.kind in (_RESULT, BlockKind.OTHER))


def why_nothing(message: Spot) -> str:
    """The name under which a message without blocks is counted."""
    role = role_of(object_of(message.value))
    if role in (_USER, _MODEL, _TOOL):
        return DropName.EMPTY
    return DropName.of_role(role) if role else DropName.NO_ROLE


def blocks_of(message: Spot) -> Iterator[Block]:
    """The blocks of a message; system and developer messages have none.

    Blocks after a result in the same message count as a further answer.
    """
    results = 0
    for block in _blocks_of(message):
        if results and block.answer:
            yield replace(block, answer=f"{block.answer} {results}")
        else:
            yield block
        results += block.kind is _RESULT


def _blocks_of(message: Spot) -> Iterator[Block]:
    own = object_of(message.value)
    role, path = role_of(own), _wrapper(own)
    message = message.inside(*path) if path else message
    own = object_of(message.value)
    times = (moment(own[name], parts) for name, parts in _TIMES.items() if name in own)
    message.at = next(filter(None, times), message.at)
    attached = ((one, list_of(own[name])) for name, one in _ATTACHED.items() if name in own)
    yield from (message.other(name) for name, found in attached for _ in found)
    match role:
        case "user":
            yield from _of_user(message)
        case "assistant":
            yield from _of_model(message)
        case "tool":  # Vercel's messages have several results, as parts
            parts = (part.with_value(typed(part.value)) for part in message.each("content"))
            results = [part for part in parts if _kind_of(part.value) is _RESULT]
            for one in results or [message]:
                yield from _result(one)
        case "":
            yield from _of_item(message)


def _of_item(item: Spot) -> Iterator[Block]:
    match _kind_of(object_of(item.value)):
        case BlockKind.REASONING:
            yield from _reasoning(item)
        case BlockKind.CALL:
            yield from _call(item)
        case BlockKind.RESULT:
            yield from _result(item)


def _kind_of(part: JsonObject) -> BlockKind | None:
    """The kind of block for a part or an item; None for images and the like, and unknown ones."""
    kind = text_of(part.get("type"))
    if not kind and "text" in part:
        return _TEXT
    ends = (_ENDS[end] for end in _ENDS if kind.endswith(end))
    return _PARTS.get(kind) or next(ends, None)


def _goes_on(message: JsonObject) -> bool:
    kind = text_of(message.get("type"))
    if kind == "message":
        return role_of(message) == _MODEL
    return not role_of(message) and (kind == "reasoning" or kind.endswith(_ITEM_CALL))


def _wrapper(message: JsonObject) -> tuple[str, ...]:
    """The path at which LangChain wraps the message; empty if it is not wrapped."""
    if "content" in message:
        return ()
    return tuple([one for one in _WRAPPERS if "content" in object_of(message.get(one))][:1])


def _parts(content: Spot) -> list[Spot]:
    """The parts of a message; an object in place of the list gives no part."""
    if isinstance(content.value, list):
        return list(content.each())
    return [content.with_value({"type": "object"}) if content.has() else content]


def _of_user(message: Spot) -> Iterator[Block]:
    """The blocks of a user message: its results, and all its texts as one prompt."""
    content, said = message.inside("content"), list[Spot]()
    is_left_out = content.value is None or isinstance(content.value, str)
    for part in _parts(content):
        found = part.with_value(typed(part.value))
        kind = _kind_of(found.value)
        text = part.text() or (_text_in(found) if kind is _TEXT else found.text("text"))
        is_left_out = is_left_out or kind is _TEXT
        if text.strip():
            said.append(part.with_value(text))
        if kind is _RESULT:
            yield from _result(found)
        elif found.value and kind is not _TEXT:
            yield found.other()
    yield from prompt(said)
    if message.of_span and is_left_out and not said:
        yield message.block(BlockKind.PROMPT)


def _text_in(part: Spot) -> str:
    return next(filter(None, map(part.text, _TEXTS)), "")


def _of_model(message: Spot) -> Iterator[Block]:
    """The blocks of an answer: reasoning in a member of its own, then parts, then calls."""
    found = [block for part in _parts(message.inside("content")) for block in _of_part(part)]
    if not any(block.kind is _REASONING and block.text for block in found):
        beside = (message.inside(*path) for path in _BESIDE if message.get(*path))
        yield from next(filter(None, (list(_reasoning(one)) for one in beside)), ())
    yield from found
    if message.text("refusal").strip():
        yield message.inside("refusal").block(_TEXT, message.text("refusal"))
    called = {block.call_id for block in found if block.kind is _CALL and block.call_id}
    for call in _calls(message):
        block = next(_call(call))
        if block.call_id not in called:
            yield block


def _calls(message: Spot) -> Iterator[Spot]:
    """The calls in members beside the content, whichever members these are."""
    for path in (one for one in ((), _MORE) if message.has(*one)):
        once = message.inside(*path, "function_call")
        calls = [*message.each(*path, "tool_calls")] or [once] * once.has()
        yield from calls
        if calls:
            break
    yield from message.each("invalid_tool_calls")


def _of_part(part: Spot) -> Iterator[Block]:
    is_text = isinstance(part.value, str)
    found = part.with_value({"type": "text", "text": part.value} if is_text else typed(part.value))
    match _kind_of(found.value):
        case BlockKind.TEXT:
            text = _text_in(found)
            if text.strip() or part.of_span:
                yield part.block(_TEXT, text)
        case BlockKind.REASONING:
            said = list(_reasoning(part.with_value(found.value, *reasoning_path(part.value))))
            lost = (_REASONING, "") if part.of_span else (BlockKind.OTHER, DropName.EMPTY)
            yield from said or [part.block(*lost)]
        case BlockKind.CALL:
            yield from _call(found)
        case BlockKind.RESULT:
            yield from _result(found)
        case None if found.value:
            yield found.other()


def _reasoning(part: Spot) -> Iterator[Block]:
    """The reasoning in a part: a text, a member of it, or a summary in parts."""
    if part.text():
        yield from part.said(_REASONING)
        return
    found = object_of(part.value)
    for name in _REASONINGS[3 * (found.get("redacted") is True) :]:
        inner = found.get(name)
        path = (name, "text") if isinstance(inner, dict) else (name,)
        said = list(part.inside(*path).said(_REASONING)) if inner else []
        if said:
            yield from said
            return


def _call(call: Spot) -> Iterator[Block]:
    """A call, and its result if the item of one of OpenAI's hosted tools holds that as well.

    Name and input are members beside the id, or within ``function`` or ``custom``.
    """
    functions = (object_of(call.value, *path) for path in (("function",), ("custom",), ()))
    inner: JsonObject = next(filter(None, functions), {})
    kind, error = call.text("type"), call.get("error")
    is_item = kind.endswith(_ITEM_CALL)
    name = next((text for one in _NAMES if (text := text_of(inner.get(one)))), "")
    yield call.call(
        name or (kind.removesuffix(_ITEM_CALL) if is_item else ""),
        next((inner[one] for one in _INPUTS if one in inner), None),
        next(filter(None, map(call.text, ("call_id", "toolCallId", "tool_call_id", "id"))), ""),
    )
    if not is_item or call.has("call_id"):
        return
    failed = error is not None or call.get("status") == "failed"
    said = next((one for one in _OWN_RESULTS if call.get(one) is not None), "error")
    if call.get(said) is not None or failed:
        content = call.get(said) if error is None else error
        result = {"call_id": call.get("id"), "content": content, "is_error": failed}
        yield from _result(call.with_value(result, *((said,) if call.has(said) else ())))
    if call.get("result") and kind == "image_generation_call":
        yield call.other(DropName.IMAGE)


def _result(part: Spot) -> Iterator[Block]:
    """The result in a message, an item or a part, and blocks of its parts without a text."""
    kind = part.text("type")
    name = next(filter(part.has, _OUTPUTS), "")
    said = part.get(name)
    failed, spared = _failures(object_of(part.value), said)
    wrapped = object_of(said)
    if "type" in wrapped and (kind == "tool-result" or "value" in wrapped):
        failed = failed or wrapped.get("type") in _FAILED_OUTPUTS
        spared = wrapped.get("type") == "execution-denied"
        said = wrapped.get("value", wrapped.get("reason"))
    text = content_text(_open(said)) or part.text("error", "message")
    is_named = kind.endswith(_ITEM_OUTPUT) or kind in _NAMED_BY_CALL
    call_id = next(filter(None, map(part.text, (*_CALL_IDS, "id")[: None if is_named else -1])), "")
    hidden = not name or (said is None and name == "content")
    yield part.result(text, call_id, failed=failed, spared=spared, hidden=hidden)
    yield from part.with_value(said).media()


def _failures(part: JsonObject, said: JsonValue) -> tuple[bool, bool]:
    """Whether a result is marked as failed, and whether only because it took too long."""
    entries = [object_of(one) for one in (said if isinstance(said, list) else [said])]
    outcomes = [object_of(one.get("outcome")) for one in entries]
    failed = (
        any(part.get(name) is True for name in ("is_error", "isError", "tool_call_error"))
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
    """The objects that a result holds as JSON text: one, or those of a list."""
    if '"success"' in text_of(said) and (found := parse(text_of(said).encode())) is not None:
        yield from map(object_of, found.value if isinstance(found.value, list) else [found.value])


def _open(value: JsonValue) -> JsonValue:
    """A value without members that only its sender can decrypt."""
    if isinstance(value, list):
        return [_open(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _open(one) for key, one in value.items() if not key.startswith(_ENCRYPTED)}


def are_converse(content: JsonValue) -> bool:
    """Whether all parts of a content have the form of Amazon's Converse."""
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
    found = object_of(part)
    text = as_content(found["json"]) if "json" in found else found.get("text")
    return part if text is None else {"type": "text", "text": text}
