"""Gemini CLI's sessions: one JSON document, or JSON Lines in newer versions.

In JSON Lines a message is written again under its id once its calls have finished, and the last
version counts. A ``$set`` may copy the history; its messages have lines of their own as well.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import joined_text, others_in, texts_in
from kpinspector.runs.readers.reader import Format, Reader, Spot
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    DropName,
    Record,
    Recording,
    list_of,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject, JsonValue

_MARKS: Final = ("sessionId", "projectHash")
_TIMES: Final = ("startTime", "lastUpdated")
_PATCHES: Final = {"$set": DropName.PATCH, "$rewindTo": DropName.REWIND}
_SUMMARY: Final = "<state_snapshot>"
_CLIENT: Final = ("<session_context>", _SUMMARY)
_CANCELLED: Final = "cancelled"
_FAILED: Final = ("error", _CANCELLED)

_Message: TypeAlias = tuple[list[Block], str]
"""The blocks of a message, and the name under which it is counted if it has none."""


def _recognise(head: FileHead) -> bool:
    """Whether a file begins with the header of a session."""
    return any(all(mark in one for mark in _MARKS) for one in head.objects)


def _missing(head: FileHead) -> str:
    for one in head.objects:
        if one.get("type") == "gemini" and "content" in one:
            return Phrase("{one} and {other}", one=_MARKS[0], other=_MARKS[1])
        absent = [mark for mark in _MARKS if mark not in one]
        is_session = all(time in one for time in _TIMES) or one.get("messages") == []
        if len(absent) == 1 and is_session:
            return absent[0]
    return ""


class _Reader(Reader):
    """Reads the document of a session, or its lines."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: dict[str | tuple[int, int], _Message] = {}
        self._session = ""
        self._name = ""

    @override
    def take(self, record: Record) -> None:
        value = object_of(record.value)
        messages, spot = value.get("messages"), Spot(record.chunk)
        is_header = all(mark in value for mark in _MARKS)
        if is_header:
            self._session = self._session or text_of(value.get("sessionId"))
            if value.get("kind") == "subagent":
                self._name = Phrase("sub-agent")
        if isinstance(messages, list):
            self.unit = "messages"
            for index, message in enumerate(map(object_of, messages)):
                where = replace(spot.inside("messages", index), unit=index + 1)
                self._put((record.chunk.line, index), message, where)
            return
        patch = next((name for mark, name in _PATCHES.items() if mark in value), "")
        if is_header or patch:
            self.counted((), DropName.HEADER if is_header else patch)
        else:
            self._put(text_of(value.get("id")) or (record.chunk.line, 0), value, spot)

    @override
    def recording(self) -> Recording:
        why_none = (why for blocks, why in self._messages.values() if not blocks)
        dropped = dict(self.dropped + Counter(why_none))
        blocks = tuple(block for blocks, _ in self._messages.values() for block in blocks)
        run = AgentRun(blocks=blocks, session=self._session, name=self._name)
        return replace(super().recording(), runs=(run,), dropped=dropped)

    def _put(self, key: str | tuple[int, int], message: JsonObject, spot: Spot) -> None:
        """Keep a message in its first place, in its last version."""
        self.total += 1
        self.dropped += Counter({DropName.REWRITTEN: int(key in self._messages)})
        at, answer = text_of(message.get("timestamp")), text_of(message.get("id"))
        spot = replace(spot, at=at, answer=answer)
        match message.get("type"):
            case "user":
                self._messages[key] = _of_user(message, spot)
            case "gemini":
                self._messages[key] = list(_of_model(message, spot)), DropName.EMPTY
            case kind:
                self._messages[key] = [], text_of(kind) or DropName.NO_TYPE


def _of_user(message: JsonObject, spot: Spot) -> _Message:
    """The prompt in a user message; none for results and for what the client wrote."""
    content = message.get("content")
    if any("functionResponse" in object_of(part) for part in list_of(content)):
        return [], DropName.COPIED_RESULT
    texts = texts_in(content, ("content",))
    said = [one for one in texts if not one[1].startswith(_CLIENT)]
    if said:
        return [*spot.prompt(said), *spot.others(others_in(content))], ""
    if any(text.startswith(_SUMMARY) for _, text in texts):
        return [], DropName.COMPACTION
    return [], DropName.CLIENT if texts else DropName.EMPTY


def _of_model(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """Reasoning, text, calls, then the results in the order of the calls."""
    content = message.get("content")
    yield from spot.others(others_in(content))
    for index, thought in enumerate(map(object_of, list_of(message.get("thoughts")))):
        said = (text_of(thought.get(name)) for name in ("subject", "description"))
        text = "\n".join(part for part in said if part.strip())
        if text:
            yield spot.inside("thoughts", index).block(BlockKind.REASONING, text)
    for path, text in texts_in(content, ("content",)):
        part = object_of(list_of(content)[int(path[1])]) if len(path) > 1 else {}
        kind = BlockKind.REASONING if part.get("thought") is True else BlockKind.TEXT
        yield spot.inside(*path).block(kind, text)
    calls = [
        (spot.inside("toolCalls", index), object_of(call))
        for index, call in enumerate(list_of(message.get("toolCalls")))
        if isinstance(call, dict)
    ]
    for where, call in calls:
        yield where.call(call.get("name"), call.get("args"), call.get("id"))
    for where, call in calls:
        result, status = call.get("result"), call.get("status")
        if result is not None or status in ("success", *_FAILED):
            yield _result(call, replace(where, at=text_of(call.get("timestamp"))))


def _result(call: JsonObject, spot: Spot) -> Block:
    status, result, call_id = call.get("status"), call.get("result"), call.get("id")
    name = "resultDisplay" if result is None else "result"
    display = text_of(call.get("resultDisplay"))
    where = spot.inside(name) if name in call else spot
    text = display if result is None else _result_text(result, call_id)
    return where.result(text, call_id, failed=status in _FAILED, spared=status == _CANCELLED)


def _result_text(result: JsonValue, call_id: JsonValue) -> str:
    """The text of the response to this call; one result may hold several responses."""
    parts = [result] if isinstance(result, dict) else list_of(result)
    responses = [object_of(object_of(part).get("functionResponse")) for part in parts]
    found = [one for one in responses if one and one.get("id") == call_id]
    found = found or [one for one in responses if one]
    if found:
        said = (_opened(one.get("response")) for one in found)
        return "\n".join("" if one is None else as_content(one) for one in said)
    return joined_text(result) if isinstance(result, list) else as_content(result)


def _opened(response: JsonValue) -> JsonValue:
    """A tool's output or error; the whole response if it has neither, or more than that."""
    is_known = object_of(response).keys() in ({"output"}, {"error"})
    return next(iter(object_of(response).values())) if is_known else response


FORMAT: Final = Format(
    id="gemini",
    name="Gemini CLI",
    where="~/.gemini/tmp/*/chats",
    tested=("0.12.0", "0.61.0"),
    failure=Phrase("its status"),
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
