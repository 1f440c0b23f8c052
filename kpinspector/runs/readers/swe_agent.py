"""SWE-agent's trajectories, and those of mini-swe-agent: one JSON document for a run.

SWE-agent records turns in ``trajectory``, each with a thought, an action and an observation, and
the conversation in ``history``. mini-swe-agent records a list of messages.
"""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import joined_text
from kpinspector.runs.readers.mini_swe_agent import MiniConversation, is_mini
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    BlockPlace,
    DropName,
    Format,
    Record,
    Recording,
    list_of,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue

_ACTION, _OBSERVATION = "action", "observation"
_TURN: Final = (_ACTION, _OBSERVATION)
# the tool of an action that is not recorded as a function call
_SHELL: Final = "bash"


def recognise(head: FileHead) -> bool:
    """Whether documents are trajectories of either agent."""
    return any(_is_trajectory(one) or is_mini(one) for one in head.objects)


def missing(head: FileHead) -> str:
    """What a document lacks that is otherwise a trajectory; "" for any other file."""
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


class Reader:
    """Reads documents, a run each."""

    def __init__(self) -> None:
        self._runs: list[AgentRun] = []
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._unit = "turns"
        self._version = ""

    def take(self, record: Record) -> None:
        """Take a document."""
        document = object_of(record.value)
        info = object_of(document.get("info"))
        if isinstance(document.get("trajectory"), list):
            blocks = self._of_trajectory(record, document)
            version = info.get("swe_agent_version")
        elif isinstance(document.get("messages"), list):
            blocks = self._of_messages(record, document)
            version = info.get("mini_version")
        else:
            self._total += 1
            self._dropped[DropName.NO_TRAJECTORY] += 1
            return
        self._version = self._version or text_of(version)
        ended = bool(text_of(info.get("exit_status")))
        self._runs.append(AgentRun(blocks=tuple(blocks), ended=ended, chunk=record.chunk))

    def recording(self) -> Recording:
        """The recording as far as it was taken."""
        return Recording(
            format=Format.SWE_AGENT,
            runs=tuple(self._runs),
            version=self._version,
            unit=self._unit,
            total=self._total,
            dropped=dict(self._dropped),
        )

    def _of_messages(self, record: Record, document: JsonObject) -> list[Block]:
        conversation = MiniConversation(record.chunk, document)
        for index, message in enumerate(list_of(document.get("messages"))):
            conversation.take(index, object_of(message))
        self._unit = "messages"
        self._total += conversation.total
        self._dropped.update(conversation.dropped)
        return conversation.blocks

    def _of_trajectory(self, record: Record, document: JsonObject) -> list[Block]:
        blocks = list(_prompt(record, document))
        called = _called(document)
        for index, turn in enumerate(list_of(document.get("trajectory"))):
            found = list(_of_turn(record, index, object_of(turn), called))
            blocks.extend(replace(block, unit=index + 1) for block in found)
            self._total += 1
            if not found:
                self._dropped[DropName.EMPTY_TURN] += 1
        return blocks


def _prompt(record: Record, document: JsonObject) -> Iterator[Block]:
    """The first user message that is not a demonstration."""
    spoken: tuple[tuple[JsonPath, JsonValue], ...] = (
        (("history",), document.get("history")),
        (("trajectory", 0, "query"), _first_turn(document).get("query")),
    )
    for path, messages in spoken:
        for index, message in enumerate(map(object_of, list_of(messages))):
            text = joined_text(message.get("content"))
            if message.get("role") == "user" and not message.get("is_demo") and text.strip():
                place = BlockPlace(record.chunk, (*path, index, "content"))
                yield Block(kind=BlockKind.PROMPT, place=place, text=text, unit=1)
                return


def _called(document: JsonObject) -> dict[str, deque[JsonObject]]:
    """The functions that the model called, in order, by their action."""
    found: dict[str, deque[JsonObject]] = {}
    for message in map(object_of, list_of(document.get("history"))):
        call = object_of(next(iter(list_of(message.get("tool_calls"))), None))
        function = object_of(call.get("function"))
        if text_of(function.get("name")) and not message.get("is_demo"):
            found.setdefault(text_of(message.get(_ACTION)), deque()).append(function)
    return found


def _of_turn(
    record: Record, index: int, turn: JsonObject, called: dict[str, deque[JsonObject]]
) -> Iterator[Block]:
    def place(name: str) -> BlockPlace:
        return BlockPlace(record.chunk, ("trajectory", index, name))

    spoken = "thought" if isinstance(turn.get("thought"), str) else "response"
    thought, action = text_of(turn.get(spoken)), text_of(turn.get(_ACTION))
    observation, number = turn.get(_OBSERVATION), str(index)
    if thought.strip():
        yield Block(kind=BlockKind.TEXT, place=place(spoken), text=thought, answer=number)
    if action.strip():
        functions = called.get(action)
        function = functions.popleft() if functions else {}
        yield Block(
            kind=BlockKind.CALL,
            place=place(_ACTION),
            answer=number,
            tool=text_of(function.get("name")) or _SHELL,
            input=function.get("arguments") if function else {"command": action},
            call_id=number,
        )
    text = joined_text(observation)
    if text.strip() or (action.strip() and isinstance(observation, str)):
        call_id = number if action.strip() else ""
        yield Block(kind=BlockKind.RESULT, place=place(_OBSERVATION), text=text, call_id=call_id)
