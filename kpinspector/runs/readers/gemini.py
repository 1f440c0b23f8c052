"""Gemini CLI's sessions: one JSON document, or JSON Lines in newer versions.

In JSON Lines a message is written again under its id once its calls have finished, and the last
version counts. A ``$set`` may copy the history; its messages have lines of their own as well.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import joined_text, others_in, texts_in
from kpinspector.runs.rules import as_content
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

_MARKS: Final = ("sessionId", "projectHash")
_TIMES: Final = ("startTime", "lastUpdated")
_PATCHES: Final = {"$set": DropName.PATCH, "$rewindTo": DropName.REWIND}
_CONTEXT: Final = "<session_context>"
_SUMMARY: Final = "<state_snapshot>"
_CANCELLED: Final = "cancelled"
_FAILED: Final = ("error", _CANCELLED)
_FINISHED: Final = ("success", *_FAILED)


def recognise(head: FileHead) -> bool:
    """Whether a file begins with the header of a session."""
    return any(all(mark in one for mark in _MARKS) for one in head.objects)


def missing(head: FileHead) -> str:
    """What a file lacks that is otherwise a session; "" for any other file."""
    if recognise(head):
        return ""
    for one in head.objects:
        if one.get("type") == "gemini" and "content" in one:
            return Phrase("{one} and {other}", one=_MARKS[0], other=_MARKS[1])
        absent = [mark for mark in _MARKS if mark not in one]
        is_session = all(time in one for time in _TIMES) or one.get("messages") == []
        if len(absent) == 1 and is_session:
            return absent[0]
    return ""


@dataclass(frozen=True, slots=True)
class _Message:
    blocks: tuple[Block, ...]
    why_none: str = ""


class Reader:
    """Reads the document of a session, or its lines."""

    def __init__(self) -> None:
        self._messages: dict[str | tuple[int, int], _Message] = {}
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._unit = "lines"
        self._session = ""
        self._name = ""

    def take(self, record: Record) -> None:
        """Take a line, or the document."""
        value = object_of(record.value)
        messages = value.get("messages")
        if all(mark in value for mark in _MARKS):
            self._take_header(value)
            if not isinstance(messages, list):
                self._drop(DropName.HEADER)
                return
        if isinstance(messages, list):
            self._unit = "messages"
            for index, message in enumerate(messages):
                place = BlockPlace(record.chunk, ("messages", index))
                self._put((record.chunk.line, index), object_of(message), place)
            return
        patch = next((name for mark, name in _PATCHES.items() if mark in value), "")
        if patch:
            self._drop(patch)
            return
        self._put(
            text_of(value.get("id")) or (record.chunk.line, 0), value, BlockPlace(record.chunk)
        )

    def recording(self) -> Recording:
        """The recording as far as it was taken."""
        dropped = Counter(one.why_none for one in self._messages.values() if one.why_none)
        blocks = tuple(block for one in self._messages.values() for block in one.blocks)
        return Recording(
            format=Format.GEMINI,
            runs=(AgentRun(blocks=blocks, session=self._session, name=self._name),),
            unit=self._unit,
            total=self._total,
            dropped=dict(self._dropped + dropped),
        )

    def _take_header(self, header: JsonObject) -> None:
        self._session = self._session or text_of(header.get("sessionId"))
        if header.get("kind") == "subagent":
            self._name = Phrase("sub-agent")

    def _drop(self, name: str) -> None:
        self._total += 1
        self._dropped[name] += 1

    def _put(self, key: str | tuple[int, int], message: JsonObject, place: BlockPlace) -> None:
        """Keep a message in its first place, in its last version."""
        if key in self._messages:
            self._drop(DropName.REWRITTEN)
        else:
            self._total += 1
        made = _message(message, place)
        unit = 0 if not place.path else int(place.path[-1]) + 1
        blocks = tuple(replace(block, unit=unit) for block in made.blocks)
        self._messages[key] = replace(made, blocks=blocks)


def _message(message: JsonObject, place: BlockPlace) -> _Message:
    match message.get("type"):
        case "user":
            return _of_user(message, place)
        case "gemini":
            blocks = tuple(_of_model(message, place))
            return _Message(blocks, "" if blocks else DropName.EMPTY)
    return _Message((), text_of(message.get("type")) or DropName.NO_TYPE)


def _of_user(message: JsonObject, place: BlockPlace) -> _Message:
    """The prompt in a user message; none for results and for what the client wrote."""
    content = message.get("content")
    if any("functionResponse" in object_of(part) for part in list_of(content)):
        return _Message((), DropName.COPIED_RESULT)
    texts = texts_in(content, (*place.path, "content"))
    said = [one for one in texts if not one[1].startswith((_CONTEXT, _SUMMARY))]
    if said:
        text = "\n".join(text for _, text in said)
        at = text_of(message.get("timestamp"))
        where = BlockPlace(place.chunk, said[0][0])
        prompt = Block(kind=BlockKind.PROMPT, place=where, text=text, at=at)
        return _Message((prompt, *_others(content, place)))
    if any(text.startswith(_SUMMARY) for _, text in texts):
        return _Message((), DropName.COMPACTION)
    return _Message((), DropName.CLIENT if texts else DropName.EMPTY)


def _others(content: JsonValue, place: BlockPlace) -> Iterator[Block]:
    return (Block(kind=BlockKind.OTHER, place=place, text=name) for name in others_in(content))


def _of_model(message: JsonObject, place: BlockPlace) -> Iterator[Block]:
    """Reasoning, text, calls, then the results in the order of the calls."""
    yield from _others(message.get("content"), place)
    answer, at = text_of(message.get("id")), text_of(message.get("timestamp"))
    for path, kind, text in (*_thoughts(message, place.path), *_texts(message, place.path)):
        yield Block(kind=kind, place=BlockPlace(place.chunk, path), text=text, answer=answer, at=at)
    calls = [
        (BlockPlace(place.chunk, (*place.path, "toolCalls", index)), object_of(call))
        for index, call in enumerate(list_of(message.get("toolCalls")))
        if isinstance(call, dict)
    ]
    for where, call in calls:
        yield Block(
            kind=BlockKind.CALL,
            place=where,
            answer=answer,
            tool=text_of(call.get("name")),
            input=call.get("args"),
            call_id=text_of(call.get("id")),
            at=at,
        )
    for where, call in calls:
        if call.get("result") is not None or call.get("status") in _FINISHED:
            yield _result(call, where)


def _thoughts(message: JsonObject, path: JsonPath) -> Iterator[tuple[JsonPath, BlockKind, str]]:
    for index, thought in enumerate(list_of(message.get("thoughts"))):
        said = (text_of(object_of(thought).get(name)) for name in ("subject", "description"))
        text = "\n".join(part for part in said if part.strip())
        if text:
            yield (*path, "thoughts", index), BlockKind.REASONING, text


def _texts(message: JsonObject, path: JsonPath) -> Iterator[tuple[JsonPath, BlockKind, str]]:
    """The texts of a content; parts marked as thoughts are reasoning."""
    content = message.get("content")
    parts = list_of(content)
    for where, text in texts_in(content, (*path, "content")):
        index = where[-1]
        part = object_of(parts[index]) if isinstance(index, int) else {}
        yield where, BlockKind.REASONING if part.get("thought") is True else BlockKind.TEXT, text


def _result(call: JsonObject, place: BlockPlace) -> Block:
    status, result = call.get("status"), call.get("result")
    name = "resultDisplay" if result is None else "result"
    display = text_of(call.get("resultDisplay"))
    return Block(
        kind=BlockKind.RESULT,
        place=BlockPlace(place.chunk, (*place.path, name)) if name in call else place,
        text=display if result is None else _result_text(result, call.get("id")),
        call_id=text_of(call.get("id")),
        failed=status in _FAILED,
        spared=status == _CANCELLED,
        at=text_of(call.get("timestamp")),
    )


def _result_text(result: JsonValue, call_id: JsonValue) -> str:
    """The text of the response to this call; one result may hold several responses."""
    parts = [result] if isinstance(result, dict) else list_of(result)
    responses = [object_of(object_of(part).get("functionResponse")) for part in parts]
    own = [one for one in responses if one and one.get("id") == call_id]
    found = own or [one for one in responses if one]
    if found:
        return "\n".join(_response_text(one.get("response")) for one in found)
    return joined_text(result) if isinstance(result, list) else as_content(result)


def _response_text(response: JsonValue) -> str:
    """A tool's output or error as text; the whole response if it has neither."""
    if isinstance(response, dict) and len(response) == 1:
        (name,) = response
        if name in ("output", "error"):
            return as_content(response[name])
    return "" if response is None else as_content(response)
