"""SWE-agent's trajectories, and those of mini-swe-agent: one JSON document for a run.

SWE-agent records turns in ``trajectory``, each with a thought, an action and an observation, and
the conversation in ``history``. mini-swe-agent records messages, in the three forms that its model
classes write: calls are those of OpenAI's chat or Responses; for models that write calls as text
they stand in ``actions`` beside the message. Version 1 left them in the text, as its only block of
bash.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import joined_text, moment, texts_in
from kpinspector.runs.readers.reader import Format, Reader, Spot
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    DropName,
    Record,
    list_of,
    message_name,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue

_ACTION, _OBSERVATION = "action", "observation"
_TURN: Final = (_ACTION, _OBSERVATION)
_FORMAT: Final = "mini-swe-agent"
_FIRST_FORMAT: Final = "mini-swe-agent-1"
# the tool of an action that is not recorded as a function call
_SHELL: Final = "bash"
_BASH_BLOCK = re.compile(r"```bash\s*\n(.*?)\n```", re.DOTALL)


def _recognise(head: FileHead) -> bool:
    """Whether documents are trajectories of either agent."""
    return any(_is_trajectory(one) or _is_mini(one) for one in head.objects)


def _missing(head: FileHead) -> str:
    for one in head.objects:
        turn = _first_turn(one)
        absent = [name for name in _TURN if name not in turn]
        if len(absent) == 1:
            return Phrase("{name} in its trajectory", name=absent[0])
    return ""


def _first_turn(document: JsonObject) -> JsonObject:
    return object_of(next(iter(list_of(document.get("trajectory"))), None))


def _is_trajectory(document: JsonObject) -> bool:
    """Whether there are turns, or none yet in what is otherwise a document of SWE-agent."""
    is_empty = document.get("trajectory") == [] and {"history", "info"} <= document.keys()
    return is_empty or all(name in _first_turn(document) for name in _TURN)


def _is_mini(document: JsonObject) -> bool:
    """Whether a document is a run of mini-swe-agent."""
    info = object_of(document.get("info"))
    says_so = text_of(document.get("trajectory_format")).startswith(_FORMAT)
    return says_so or ("mini_version" in info and "messages" in document)


class _Reader(Reader):
    """Reads documents, a run each."""

    unit = "turns"

    @override
    def take(self, record: Record) -> None:
        document = object_of(record.value)
        info, spot = object_of(document.get("info")), Spot(record.chunk)
        if isinstance(document.get("trajectory"), list):
            blocks = self._of_trajectory(document, spot)
            version = info.get("swe_agent_version")
        elif isinstance(document.get("messages"), list):
            blocks = self._of_messages(document, spot)
            version = info.get("mini_version")
        else:
            self.counted((), DropName.NO_TRAJECTORY)
            return
        self.version = self.version or text_of(version)
        ended = bool(text_of(info.get("exit_status")))
        self.runs.append(AgentRun(blocks=tuple(blocks), ended=ended, chunk=record.chunk))

    def _of_trajectory(self, document: JsonObject, spot: Spot) -> list[Block]:
        blocks = list(_prompt(document, spot))[:1]
        called = _called(document)
        for index, turn in enumerate(map(object_of, list_of(document.get("trajectory")))):
            where = replace(spot.inside("trajectory", index), answer=str(index), unit=index + 1)
            blocks += self.counted(_of_turn(turn, where, called), DropName.EMPTY_TURN)
        return blocks

    def _of_messages(self, document: JsonObject, spot: Spot) -> list[Block]:
        self.unit = "messages"
        blocks: list[Block] = []
        made = _Conversation(document.get("trajectory_format") == _FIRST_FORMAT)
        for index, message in enumerate(map(object_of, list_of(document.get("messages")))):
            where = replace(spot.inside("messages", index), answer=str(index), at=_at(message))
            found = made.blocks(message, replace(where, unit=index + 1))
            blocks += self.counted(found, _why_nothing(message))
        return blocks


def _prompt(document: JsonObject, spot: Spot) -> Iterator[Block]:
    """The user messages that are no demonstration; the first is the prompt."""
    spoken: tuple[tuple[JsonPath, JsonValue], ...] = (
        (("history",), document.get("history")),
        (("trajectory", 0, "query"), _first_turn(document).get("query")),
    )
    for path, messages in spoken:
        for index, message in enumerate(map(object_of, list_of(messages))):
            text = joined_text(message.get("content"))
            if message.get("role") == "user" and not message.get("is_demo") and text.strip():
                where = replace(spot.inside(*path, index, "content"), unit=1)
                yield where.block(BlockKind.PROMPT, text)


def _called(document: JsonObject) -> dict[str, deque[JsonObject]]:
    """The functions that the model called, in order, by their action."""
    found: dict[str, deque[JsonObject]] = {}
    for message in map(object_of, list_of(document.get("history"))):
        call = object_of(next(iter(list_of(message.get("tool_calls"))), None))
        function = object_of(call.get("function"))
        if text_of(function.get("name")) and not message.get("is_demo"):
            found.setdefault(text_of(message.get(_ACTION)), deque()).append(function)
    return found


def _of_turn(turn: JsonObject, spot: Spot, called: dict[str, deque[JsonObject]]) -> Iterator[Block]:
    spoken = "thought" if isinstance(turn.get("thought"), str) else "response"
    thought, action = text_of(turn.get(spoken)), text_of(turn.get(_ACTION))
    observation, has_action = turn.get(_OBSERVATION), bool(action.strip())
    if thought.strip():
        yield spot.inside(spoken).block(BlockKind.TEXT, thought)
    if has_action:
        functions = called.get(action)
        function = functions.popleft() if functions else {}
        given: JsonValue = function.get("arguments") if function else {"command": action}
        tool = text_of(function.get("name")) or _SHELL
        yield spot.inside(_ACTION).call(tool, given, spot.answer)
    text = joined_text(observation)
    if text.strip() or (has_action and isinstance(observation, str)):
        yield spot.inside(_OBSERVATION).result(text, spot.answer if has_action else "")


class _Conversation:
    """The messages of a run of mini-swe-agent.

    Args:
        is_first_format: As version 1 wrote it.
    """

    def __init__(self, is_first_format: bool) -> None:  # noqa: FBT001
        self._is_first_format = is_first_format
        self._waiting: deque[str] = deque()

    def blocks(self, message: JsonObject, spot: Spot) -> Iterator[Block]:
        """The blocks of the next message."""
        match message.get("role") or message.get("object") or message.get("type"):
            case "assistant" | "response":
                self._waiting.clear()
                yield from _said(message, spot)
                for number, call in enumerate(self._calls(message, spot)):
                    call_id = call.call_id or f"{spot.answer}:{number}"
                    self._waiting.append(call_id)
                    yield replace(call, call_id=call_id, tool=call.tool or _SHELL)
            case "tool" | "function_call_output":
                yield self._result(message, spot)
            case "user" if self._answers(message):
                yield self._result(message, spot)
            case "user" if not _is_format_error(message):
                text = joined_text(message.get("content"))
                if text.strip():
                    yield spot.inside("content").block(BlockKind.PROMPT, text)

    def _answers(self, message: JsonObject) -> bool:
        """Whether a message holds the result of a call that was written as text."""
        ran = "returncode" in object_of(message.get("extra"))
        return ran or (self._is_first_format and bool(self._waiting))

    def _calls(self, message: JsonObject, spot: Spot) -> list[Block]:
        """The calls of an answer, or the actions that stand for them."""
        made = []
        for index, item in enumerate(map(object_of, list_of(message.get("output")))):
            if item.get("type") == "function_call":
                where, given = spot.inside("output", index), item.get("arguments")
                made.append(where.call(item.get("name"), given, item.get("call_id")))
        for index, call in enumerate(map(object_of, list_of(message.get("tool_calls")))):
            where, function = spot.inside("tool_calls", index), object_of(call.get("function"))
            made.append(where.call(function.get("name"), function.get("arguments"), call.get("id")))
        actions = object_of(message.get("extra")).get("actions")
        if made:
            return made
        if self._is_first_format and actions is None:
            found = _BASH_BLOCK.findall(joined_text(message.get("content")))
            commands = [one.strip() for one in found] if len(found) == 1 else []
            return [spot.inside("content").call("", {"command": one}, "") for one in commands]
        return [
            spot.inside("extra", "actions", index).call(
                "", {"command": action.get("command")}, action.get("tool_call_id")
            )
            for index, action in enumerate(map(object_of, list_of(actions)))
        ]

    def _result(self, message: JsonObject, spot: Spot) -> Block:
        name = "output" if "output" in message else "content"
        call_id = text_of(message.get("tool_call_id")) or text_of(message.get("call_id"))
        if call_id in self._waiting:
            self._waiting.remove(call_id)
        elif self._waiting and not call_id:
            call_id = self._waiting.popleft()
        extra = object_of(message.get("extra"))
        code: JsonValue = extra.get("returncode")
        executed = extra.get("exception_info") != "action was not executed"
        failed = isinstance(code, int | float) and code != 0 and executed
        where = spot.inside(name) if name in message else spot
        return where.result(joined_text(message.get(name)), call_id, failed=failed)


def _said(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The reasoning and texts of an answer."""
    reasoning = texts_in(message.get("reasoning_content"), ("reasoning_content",))
    yield from spot.said(BlockKind.REASONING, reasoning)
    yield from spot.said(BlockKind.TEXT, texts_in(message.get("content"), ("content",)))
    for index, item in enumerate(map(object_of, list_of(message.get("output")))):
        is_message = item.get("type") == "message"
        name, kind = ("content", BlockKind.TEXT) if is_message else ("summary", BlockKind.REASONING)
        yield from spot.said(kind, texts_in(item.get(name), ("output", index, name)))


def _at(message: JsonObject) -> str:
    extra = object_of(message.get("extra"))
    return moment(extra.get("timestamp", message.get("timestamp")))


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


FORMAT: Final = Format(
    id="swe-agent",
    name="SWE-agent",
    tested=("mini-swe-agent 2.4.6",),
    failure=Phrase("its return code"),
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
