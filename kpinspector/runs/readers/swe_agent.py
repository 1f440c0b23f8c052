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
from kpinspector.runs.readers.message import blocks_of
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_object, joined_text, moment
from kpinspector.runs.run import AgentRun, Block, BlockKind, DropName, Record
from kpinspector.runs.texts import object_of, text_of
from kpinspector.trace.javascript import JsonObject, JsonValue

_ACTION, _OBSERVATION = "action", "observation"
_TURN: Final = (_ACTION, _OBSERVATION)
_FORMAT: Final = "mini-swe-agent"
_FIRST_FORMAT: Final = "mini-swe-agent-1"
# the tool of an action that is not recorded as a function call
_SHELL: Final = "bash"
_BASH_BLOCK = re.compile(r"```bash\s*\n(.*?)\n```", re.DOTALL)


def _lacks(document: JsonObject) -> str | None:
    """What a turn lacks; "" for valid turns, for none yet, and for mini-swe-agent's messages."""
    info = object_of(document, "info")
    is_mini = text_of(document, "trajectory_format").startswith(_FORMAT)
    is_mini = is_mini or ("mini_version" in info and "messages" in document)
    is_empty = document.get("trajectory") == [] and {"history", "info"} <= document.keys()
    absent = [name for name in _TURN if name not in object_of(document, "trajectory", 0)]
    if is_mini or is_empty or not absent:
        return ""
    return Phrase("{name} in its trajectory", name=absent[0]) if len(absent) == 1 else None


class _Reader(Reader):
    unit = "turns"

    @override
    def take(self, record: Record) -> None:
        document, blocks = Spot.of(record), list[Block]()
        if isinstance(document.get("trajectory"), list):
            blocks = self._of_trajectory(document)
            version = document.text("info", "swe_agent_version")
        elif isinstance(document.get("messages"), list):
            self.unit = "messages"
            made = _Conversation(document.get("trajectory_format") == _FIRST_FORMAT)
            for index, one in enumerate(document.each("messages")):
                times = (one.get("extra", "timestamp"), one.get("timestamp"))
                at = next(filter(None, map(moment, times)), "")
                message = replace(one, answer=str(index), at=at, unit=index + 1)
                blocks += self.counted(made.blocks(message), _why_nothing(message))
            version = document.text("info", "mini_version")
        else:
            self.counted((), DropName.NO_TRAJECTORY)
            return
        self.version = self.version or version
        ended = bool(document.text("info", "exit_status"))
        self.runs.append(AgentRun(blocks=tuple(blocks), ended=ended, chunk=record.chunk))

    def _of_trajectory(self, document: Spot) -> list[Block]:
        blocks: list[Block] = []
        for message in (*document.each("history"), *document.each("trajectory", 0, "query")):
            text, is_user = joined_text(message.get("content")), message.get("role") == "user"
            if is_user and not message.get("is_demo") and text.strip():
                where = replace(message.inside("content"), unit=1)
                blocks.append(where.block(BlockKind.PROMPT, text))
                break
        called: dict[str, deque[JsonObject]] = {}  # calls in order, by their action
        for message in document.each("history"):
            function = object_of(message.get("tool_calls", 0, "function"))
            if text_of(function, "name") and not message.get("is_demo"):
                called.setdefault(message.text(_ACTION), deque()).append(function)
        for index, one in enumerate(document.each("trajectory")):
            turn = replace(one, answer=str(index), unit=index + 1)
            blocks += self.counted(_of_turn(turn, called), DropName.EMPTY_TURN)
        return blocks


def _of_turn(turn: Spot, called: dict[str, deque[JsonObject]]) -> Iterator[Block]:
    thought = turn.inside("thought" if isinstance(turn.get("thought"), str) else "response")
    action, observation = turn.inside(_ACTION), turn.inside(_OBSERVATION)
    has_action = bool(action.text().strip())
    yield from thought.said(BlockKind.TEXT)
    if has_action:
        functions = called.get(action.value)
        function = functions.popleft() if functions else {}
        given: JsonValue = function.get("arguments") if function else {"command": action.value}
        yield action.call(text_of(function, "name") or _SHELL, given, turn.answer)
    text = joined_text(observation.value)
    if text.strip() or (has_action and isinstance(observation.value, str)):
        yield observation.result(text, turn.answer if has_action else "")


class _Conversation:
    """The messages of a run of mini-swe-agent, in the format of version 1 or a later one."""

    def __init__(self, is_first_format: bool) -> None:  # noqa: FBT001
        self._is_first_format = is_first_format
        self._waiting: deque[str] = deque()

    def blocks(self, message: Spot) -> Iterator[Block]:
        """The blocks of the next message."""
        ran = message.inside("extra").has("returncode")  # or the call was written as text
        ran = ran or (self._is_first_format and bool(self._waiting))
        match message.get("role") or message.get("object") or message.get("type"):
            case "assistant" | "response":
                self._waiting.clear()
                found = [block for one in _items(message) for block in blocks_of(one)]
                yield from (one for one in found if one.kind is not BlockKind.CALL)
                calls = [one for one in found if one.kind is BlockKind.CALL]
                for number, call in enumerate(calls or self._actions(message)):
                    call_id = call.call_id or f"{message.answer}:{number}"
                    self._waiting.append(call_id)
                    yield replace(call, call_id=call_id, tool=call.tool or _SHELL)
            case "tool" | "function_call_output":
                yield self._result(message)
            case "user" if ran:
                yield self._result(message)
            case "user" if not _is_format_error(message):
                text = joined_text(message.get("content"))
                if text.strip():
                    yield message.inside("content").block(BlockKind.PROMPT, text)

    def _actions(self, message: Spot) -> list[Block]:
        """The blocks of the actions recorded in place of an answer's calls."""
        if self._is_first_format and message.get("extra", "actions") is None:
            found = _BASH_BLOCK.findall(joined_text(message.get("content")))
            commands = [one.strip() for one in found] if len(found) == 1 else []
            return [message.inside("content").call("", {"command": one}, "") for one in commands]
        return [
            action.call("", {"command": action.get("command")}, action.get("tool_call_id"))
            for action in message.each("extra", "actions")
        ]

    def _result(self, message: Spot) -> Block:
        name = "output" if message.has("output") else "content"
        call_id = message.text("tool_call_id") or message.text("call_id")
        if call_id in self._waiting:
            self._waiting.remove(call_id)
        elif self._waiting and not call_id:
            call_id = self._waiting.popleft()
        code = message.get("extra", "returncode")
        executed = message.get("extra", "exception_info") != "action was not executed"
        failed = isinstance(code, int | float) and code != 0 and executed
        where = message.inside(name) if message.has(name) else message
        return where.result(joined_text(message.get(name)), call_id, failed=failed)


def _items(message: Spot) -> Iterator[Spot]:
    """The items of a Responses answer; any other answer is its own only item."""
    for one in message.each("output"):
        is_message = one.get("type") == "message"
        yield one.with_value({"role": "assistant", **one.value}) if is_message else one
    if not message.has("output"):
        yield message


def _is_format_error(message: Spot) -> bool:
    return message.get("extra", "interrupt_type") == "FormatError"


def _why_nothing(message: Spot) -> str:
    role = message.text("role")
    if role == "user" and _is_format_error(message):
        return DropName.CLIENT
    if role in ("user", "assistant") or message.get("object") == "response":
        return DropName.EMPTY
    return DropName.of_role(role)


FORMAT: Final = Format(
    id="swe-agent",
    name="SWE-agent",
    tested=("mini-swe-agent 2.4.6",),
    failure=Phrase("its return code"),
    lacks=by_object(_lacks),
    reader=_Reader,
)
