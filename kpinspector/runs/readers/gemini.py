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
from kpinspector.runs.readers.reader import (
    Format,
    Reader,
    Spot,
    by_object,
    joined_text,
    medium,
    prompt,
)
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import AgentRun, Block, BlockKind, DropName, Record, Recording
from kpinspector.runs.texts import object_of
from kpinspector.trace.javascript import JsonObject, JsonValue

_MARKS: Final = ("sessionId", "projectHash")
_TIMES: Final = ("startTime", "lastUpdated")
_PATCHES: Final = {"$set": DropName.PATCH, "$rewindTo": DropName.REWIND}
_SUMMARY: Final = "<state_snapshot>"
_CLIENT: Final = ("<session_context>", _SUMMARY)
_CANCELLED: Final = "cancelled"
_FAILED: Final = ("error", _CANCELLED)
_CALLS: Final = ("functionCall", "function_call")
_RESPONSES: Final = ("functionResponse", "function_response")
_DATA: Final = ("inlineData", "inline_data", "fileData", "file_data")
_TYPES: Final = ("mimeType", "mime_type")
# a response with only one of these members is replaced by that member
_ALONE: Final = ("error", "output", "result")

_Message: TypeAlias = tuple[list[Block], str]
"""The blocks of a message, and the name under which it is counted if it has none."""


def _lacks(line: JsonObject) -> str | None:
    absent = [mark for mark in _MARKS if mark not in line]
    if absent and line.get("type") == "gemini" and "content" in line:
        return Phrase("{one} and {other}", one=_MARKS[0], other=_MARKS[1])
    is_session = all(time in line for time in _TIMES) or line.get("messages") == []
    return "".join(absent) if not absent or (len(absent) == 1 and is_session) else None


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self._messages: dict[str | tuple[int, int], _Message] = {}
        self._name = ""

    @override
    def take(self, record: Record) -> None:
        line = Spot.of(record)
        is_header = line.has(*_MARKS)
        if is_header:
            self.session = self.session or line.text("sessionId")
            if line.get("kind") == "subagent":
                self._name = Phrase("sub-agent")
        if isinstance(line.get("messages"), list):
            self.unit = "messages"
            for index, message in enumerate(line.each("messages")):
                self._put((record.chunk.line, index), replace(message, unit=index + 1))
            return
        patch = next((name for mark, name in _PATCHES.items() if line.has(mark)), "")
        if is_header or patch:
            self.counted((), DropName.HEADER if is_header else patch)
        else:
            self._put(line.text("id") or (record.chunk.line, 0), line)

    @override
    def recording(self) -> Recording:
        why_none = (why for blocks, why in self._messages.values() if not blocks)
        dropped = dict(self.dropped + Counter(why_none))
        blocks = tuple(block for blocks, _ in self._messages.values() for block in blocks)
        run = AgentRun(blocks=blocks, session=self.session, name=self._name)
        return replace(super().recording(), runs=(run,), dropped=dropped)

    def _put(self, key: str | tuple[int, int], spot: Spot) -> None:
        """Keep a message at the place of its first version, with the content of its last."""
        self.total += 1
        self.dropped += Counter({DropName.REWRITTEN: int(key in self._messages)})
        message = replace(spot, at=spot.text("timestamp"), answer=spot.text("id"))
        match message.get("type"):
            case "user":
                self._messages[key] = _of_user(message)
            case "gemini":
                self._messages[key] = list(_of_model(message)), DropName.EMPTY
            case _:
                self._messages[key] = [], message.text("type") or DropName.NO_TYPE


def _of_user(message: Spot) -> _Message:
    """The prompt in a user message; no block for results and for texts of the client."""
    content = message.inside("content")
    if any(part.has("functionResponse") for part in content.each()):
        return [], DropName.COPIED_RESULT
    texts = content.texts()
    said = [one for one in texts if not one.text().startswith(_CLIENT)]
    if said:
        return [*prompt(said), *others(content)], ""
    if any(one.text().startswith(_SUMMARY) for one in texts):
        return [], DropName.COMPACTION
    return [], DropName.CLIENT if texts else DropName.EMPTY


def _of_model(message: Spot) -> Iterator[Block]:
    """Reasoning, text, calls, then the results in the order of the calls."""
    content = message.inside("content")
    yield from others(content)
    for thought in message.each("thoughts"):
        said = (thought.text(name) for name in ("subject", "description"))
        text = "\n".join(part for part in said if part.strip())
        if text:
            yield thought.block(BlockKind.REASONING, text)
    for one in content.texts():
        is_thought = content.get(one.path[-1], "thought") is True
        yield one.block(BlockKind.REASONING if is_thought else BlockKind.TEXT, one.value)
    calls = [call for call in message.each("toolCalls") if call.has()]
    for call in calls:
        yield call.call(call.get("name"), call.get("args"), call.get("id"))
    for call in calls:
        if call.get("result") is not None or call.get("status") in ("success", *_FAILED):
            yield _result(replace(call, at=call.text("timestamp")))


def _result(call: Spot) -> Block:
    status, result, call_id = call.get("status"), call.get("result"), call.get("id")
    name = "resultDisplay" if result is None else "result"
    where, text = call.inside(name) if call.has(name) else call, call.text(name)
    if result is not None:  # a result may hold several calls' responses
        parts = result if isinstance(result, list) else [result]
        responses = [one for part in parts if (one := object_of(part, "functionResponse"))]
        own = [one for one in responses if one.get("id") == call_id] or responses
        text = joined_text(result) if isinstance(result, list) else as_content(result)
        if own:
            text = "\n".join(response_text(one.get("response")) for one in own)
    return where.result(text, call_id, failed=status in _FAILED, spared=status == _CANCELLED)


def blocks_of(parts: Spot, *, failed: bool | None = None, spared: bool = False) -> Iterator[Block]:
    """The blocks of all parts, except a user's, in order.

    ``failed``: whether the recording marks the results as failed; None if it has no such mark.
    ``spared``: whether they failed by refusal or interruption.
    """
    for part in parts.each():
        call = next((name for name in _CALLS if part.has(name)), "")
        response = next((name for name in _RESPONSES if part.has(name)), "")
        if call:
            one = part.inside(call)
            yield one.call(one.get("name"), one.get("args"), one.get("id"))
        elif response:
            one = part.inside(response)
            said, call_id, error = one.get("response"), one.get("id"), one.get("response", "error")
            tells_error = isinstance(error, str | dict) and bool(error)
            marked = tells_error if failed is None else failed
            yield one.result(response_text(said), call_id, failed=marked, spared=spared)
            yield from others(one.inside("parts"))
        else:
            is_thought = part.get("thought") is True
            kind = BlockKind.REASONING if is_thought else BlockKind.TEXT
            yield from part.inside("text").said(kind)
            yield from _other(part)


def others(parts: Spot) -> Iterator[Block]:
    """Make a block of each part that is no text: named by its kind of medium, or its own name."""
    for part in parts.each():
        yield from _other(part)


def _other(part: Spot) -> Iterator[Block]:
    if part.has("text") or isinstance(part.value, str):
        return
    kinds = [part.text(name, kind) for name in _DATA if part.has(name) for kind in _TYPES]
    yield part.other(medium(max(kinds)) if kinds else "")


def response_text(response: JsonValue) -> str:
    """The text of a response: its output or error if that is its only member, else all of it."""
    found = object_of(response)
    said = found[next(iter(found))] if len(found) == 1 and {*found} <= {*_ALONE} else response
    return "" if said is None else as_content(said)


FORMAT: Final = Format(
    id="gemini",
    name="Gemini CLI",
    where="~/.gemini/tmp/*/chats",
    files="*.json*",
    tested=("0.12.0", "0.61.0"),
    failure=Phrase("its status"),
    lacks=by_object(_lacks),
    reader=_Reader,
)
