"""opencode's exports: one JSON document with the messages of a session, each with its parts."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import exit_code, media_in, moment
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
from kpinspector.trace.model import JsonObject, JsonValue

_MARKS: Final = ("info", "parts")
_FINISHED: Final = ("completed", "error")
_KINDS: Final = {"text": BlockKind.TEXT, "reasoning": BlockKind.REASONING}


def recognise(head: FileHead) -> bool:
    """Whether there are messages that each have ``info`` and ``parts``."""
    return any(all(mark in _first(one) for mark in _MARKS) for one in head.objects)


def missing(head: FileHead) -> str:
    """What a document lacks that is otherwise an export; "" for any other file."""
    lacking = (
        object_of(_first(one).get("info")).get("role") and "parts" not in _first(one)
        for one in head.objects
    )
    return Phrase("parts of its messages") if any(lacking) else ""


def _first(document: JsonObject) -> JsonObject:
    return object_of(next(iter(list_of(document.get("messages"))), None))


class Reader:
    """Reads the document of a session."""

    def __init__(self) -> None:
        self._runs: list[AgentRun] = []
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._version = ""

    def take(self, record: Record) -> None:
        """Take a document."""
        document = object_of(record.value)
        info = object_of(document.get("info"))
        self._version = self._version or text_of(info.get("version"))
        blocks: list[Block] = []
        for index, message in enumerate(list_of(document.get("messages"))):
            found = list(_blocks(record, index, object_of(message)))
            blocks.extend(replace(block, unit=index + 1) for block in found)
            self._total += 1
            if not found:
                self._dropped[_why_nothing(object_of(message))] += 1
        run = AgentRun(blocks=tuple(blocks), session=text_of(info.get("id")), chunk=record.chunk)
        self._runs.append(run)

    def recording(self) -> Recording:
        """The recording as far as it was taken."""
        return Recording(
            format=Format.OPENCODE,
            runs=tuple(self._runs),
            version=self._version,
            unit="messages",
            total=self._total,
            dropped=dict(self._dropped),
        )


def _is_summary(message: JsonObject) -> bool:
    info = object_of(message.get("info"))
    return info.get("role") == "assistant" and info.get("summary") is True


def _why_nothing(message: JsonObject) -> str:
    if _is_summary(message):
        return DropName.COMPACTION
    if any(object_of(part).get("synthetic") is True for part in list_of(message.get("parts"))):
        return DropName.CLIENT
    return DropName.EMPTY if "info" in message else DropName.NOBODY


def _blocks(record: Record, index: int, message: JsonObject) -> Iterator[Block]:
    info = object_of(message.get("info"))
    if _is_summary(message):
        return
    parts = [
        (BlockPlace(record.chunk, ("messages", index, "parts", number)), object_of(part))
        for number, part in enumerate(list_of(message.get("parts")))
    ]
    at, place = _time(info.get("time"), "created"), BlockPlace(record.chunk, ("messages", index))
    for name in media_in(message.get("parts")):
        yield Block(kind=BlockKind.OTHER, place=place, text=name)
    if info.get("role") == "user":
        yield from _prompt(parts, at)
    elif info.get("role") == "assistant":
        results = []
        for place, part in parts:
            for block in _of_part(part, place, text_of(info.get("id")), at):
                if block.kind is BlockKind.RESULT:
                    results.append(block)
                else:
                    yield block
        yield from results


def _prompt(parts: list[tuple[BlockPlace, JsonObject]], at: str) -> Iterator[Block]:
    """The prompt as one text, without what the client added."""
    said = [
        (place, text_of(part.get("text")))
        for place, part in parts
        if part.get("type") == "text" and part.get("synthetic") is not True
    ]
    said = [(place, text) for place, text in said if text.strip()]
    if said:
        place = replace(said[0][0], path=(*said[0][0].path, "text"))
        text = "\n".join(text for _, text in said)
        yield Block(kind=BlockKind.PROMPT, place=place, text=text, at=at)


def _of_part(part: JsonObject, place: BlockPlace, answer: str, at: str) -> Iterator[Block]:
    """The blocks of a part: text, reasoning, or a call and its result; else none."""
    kind = _KINDS.get(text_of(part.get("type")))
    text = text_of(part.get("text"))
    if kind is not None and text.strip():
        where = replace(place, path=(*place.path, "text"))
        yield Block(kind=kind, place=where, text=text, answer=answer, at=at)
    if part.get("type") != "tool":
        return
    state, call_id = object_of(part.get("state")), text_of(part.get("callID"))
    yield Block(
        kind=BlockKind.CALL,
        place=place,
        answer=answer,
        tool=text_of(part.get("tool")),
        input=state.get("input"),
        call_id=call_id,
        at=_time(state.get("time"), "start") or at,
    )
    if state.get("status") in _FINISHED:
        said = state.get("error" if state.get("status") == "error" else "output")
        yield Block(
            kind=BlockKind.RESULT,
            place=replace(place, path=(*place.path, "state")),
            text="" if said is None else as_content(said),
            call_id=call_id,
            failed=state.get("status") == "error" or exit_code(state, "exit") != 0,
            at=_time(state.get("time"), "end"),
        )


def _time(times: JsonValue, name: str) -> str:
    """A time of a message or a part, recorded in milliseconds."""
    milliseconds = object_of(times).get(name)
    return moment(milliseconds / 1000 if isinstance(milliseconds, int | float) else None)
