"""The messages of mini-swe-agent, in the three forms that its model classes write.

Calls are those of OpenAI's chat or Responses; for models that write calls as text they stand in
``actions`` beside the message. Version 1 left them in the text, as its only block of bash.
"""

import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from kpinspector.runs.readers.content import joined_text, moment, texts_in
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

_FORMAT: Final = "mini-swe-agent"
_FIRST_FORMAT: Final = "mini-swe-agent-1"
_BASH: Final = "bash"
_NOT_EXECUTED: Final = "action was not executed"
_BASH_BLOCK = re.compile(r"```bash\s*\n(.*?)\n```", re.DOTALL)


def is_mini(document: JsonObject) -> bool:
    """Whether a document is a run of mini-swe-agent."""
    info = object_of(document.get("info"))
    says_so = text_of(document.get("trajectory_format")).startswith(_FORMAT)
    return says_so or ("mini_version" in info and "messages" in document)


@dataclass(frozen=True, slots=True)
class _Call:
    path: JsonPath
    id: str
    name: str
    input: JsonValue


def _call(path: JsonPath, call_id: JsonValue, function: JsonObject) -> _Call:
    name = text_of(function.get("name"))
    return _Call(path, text_of(call_id), name or _BASH, function.get("arguments"))


def _command(path: JsonPath, call_id: JsonValue, command: JsonValue) -> _Call:
    return _Call(path, text_of(call_id), _BASH, {"command": command})


class MiniConversation:
    """Collects the blocks of a run's messages."""

    def __init__(self, chunk: Chunk, document: JsonObject) -> None:
        self.blocks: list[Block] = []
        self.total = 0
        self.dropped: Counter[str] = Counter()
        self._chunk = chunk
        self._is_first_format = document.get("trajectory_format") == _FIRST_FORMAT
        self._waiting: deque[str] = deque()

    def take(self, index: int, message: JsonObject) -> None:
        """Take a message."""
        self.total += 1
        found = list(self._blocks(index, message))
        self.blocks.extend(replace(block, unit=self.total) for block in found)
        if not found:
            self.dropped[_why_nothing(message)] += 1

    def _blocks(self, index: int, message: JsonObject) -> Iterator[Block]:
        path: JsonPath = ("messages", index)
        match message.get("role") or message.get("object") or message.get("type"):
            case "assistant" | "response":
                self._waiting.clear()
                yield from self._of_model(path, message)
            case "tool" | "function_call_output":
                yield self._result(path, message)
            case "user" if self._answers(message):
                yield self._result(path, message)
            case "user" if not _is_format_error(message):
                text = joined_text(message.get("content"))
                if text.strip():
                    place = BlockPlace(self._chunk, (*path, "content"))
                    yield Block(kind=BlockKind.PROMPT, place=place, text=text, at=_at(message))

    def _answers(self, message: JsonObject) -> bool:
        """Whether a message holds the result of a call that was written as text."""
        ran = "returncode" in object_of(message.get("extra"))
        return ran or (self._is_first_format and bool(self._waiting))

    def _of_model(self, path: JsonPath, message: JsonObject) -> Iterator[Block]:
        answer, at = str(path[-1]), _at(message)
        for kind, where, text in _said(path, message):
            place = BlockPlace(self._chunk, where)
            yield Block(kind=kind, place=place, text=text, answer=answer, at=at)
        for number, call in enumerate(self._calls(path, message)):
            call_id = call.id or f"{answer}:{number}"
            self._waiting.append(call_id)
            yield Block(
                kind=BlockKind.CALL,
                place=BlockPlace(self._chunk, call.path),
                answer=answer,
                tool=call.name,
                input=call.input,
                call_id=call_id,
                at=at,
            )

    def _calls(self, path: JsonPath, message: JsonObject) -> list[_Call]:
        """The calls of an answer, or the actions that stand for them."""
        items = enumerate(map(object_of, list_of(message.get("output"))))
        made = [
            _call((*path, "output", index), item.get("call_id"), item)
            for index, item in items
            if item.get("type") == "function_call"
        ]
        for index, call in enumerate(map(object_of, list_of(message.get("tool_calls")))):
            function = object_of(call.get("function"))
            made.append(_call((*path, "tool_calls", index), call.get("id"), function))
        return made or self._actions(path, message)

    def _actions(self, path: JsonPath, message: JsonObject) -> list[_Call]:
        actions = object_of(message.get("extra")).get("actions")
        if self._is_first_format and actions is None:
            commands = _BASH_BLOCK.findall(joined_text(message.get("content")))
            is_one = len(commands) == 1
            return [_command((*path, "content"), "", commands[0].strip())] if is_one else []
        return [
            _command(
                (*path, "extra", "actions", index),
                action.get("tool_call_id"),
                action.get("command"),
            )
            for index, action in enumerate(map(object_of, list_of(actions)))
        ]

    def _result(self, path: JsonPath, message: JsonObject) -> Block:
        name = "output" if "output" in message else "content"
        call_id = _id(message, "tool_call_id") or _id(message, "call_id")
        if call_id in self._waiting:
            self._waiting.remove(call_id)
        elif self._waiting and not call_id:
            call_id = self._waiting.popleft()
        return Block(
            kind=BlockKind.RESULT,
            place=BlockPlace(self._chunk, (*path, name) if name in message else path),
            text=joined_text(message.get(name)),
            call_id=call_id,
            failed=_is_failed(object_of(message.get("extra"))),
            at=_at(message),
        )


def _said(path: JsonPath, message: JsonObject) -> Iterator[tuple[BlockKind, JsonPath, str]]:
    """The reasoning and texts of an answer, each with its path."""
    for where, text in texts_in(message.get("reasoning_content"), (*path, "reasoning_content")):
        yield BlockKind.REASONING, where, text
    for where, text in texts_in(message.get("content"), (*path, "content")):
        yield BlockKind.TEXT, where, text
    for index, item in enumerate(map(object_of, list_of(message.get("output")))):
        is_message = item.get("type") == "message"
        name, kind = ("content", BlockKind.TEXT) if is_message else ("summary", BlockKind.REASONING)
        for where, text in texts_in(item.get(name), (*path, "output", index, name)):
            yield kind, where, text


def _id(holder: JsonObject, name: str) -> str:
    return text_of(holder.get(name))


def _at(message: JsonObject) -> str:
    extra = object_of(message.get("extra"))
    return moment(extra.get("timestamp", message.get("timestamp")))


def _is_failed(extra: JsonObject) -> bool:
    """Whether a command ended with an exit code other than 0; one never executed has not failed."""
    code: JsonValue = extra.get("returncode")
    executed = extra.get("exception_info") != _NOT_EXECUTED
    return isinstance(code, int | float) and code != 0 and executed


def _is_format_error(message: JsonObject) -> bool:
    """Whether a message is the client's answer to one in which it found no call."""
    return object_of(message.get("extra")).get("interrupt_type") == "FormatError"


def _why_nothing(message: JsonObject) -> str:
    role = text_of(message.get("role"))
    if role == "user" and _is_format_error(message):
        return DropName.CLIENT
    if role in ("user", "assistant") or message.get("object") == "response":
        return DropName.EMPTY
    return message_name(role)
