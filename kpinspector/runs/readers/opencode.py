"""opencode's exports: one JSON document with the messages of a session, each with its parts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import exit_code, media_in, moment
from kpinspector.runs.readers.reader import Format, Reader, Spot
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    DropName,
    Record,
    list_of,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject, JsonValue

_FINISHED: Final = ("completed", "error")
_KINDS: Final = {"text": BlockKind.TEXT, "reasoning": BlockKind.REASONING}


def _recognise(head: FileHead) -> bool:
    """Whether there are messages that each have ``info`` and ``parts``."""
    return any({"info", "parts"} <= _first(one).keys() for one in head.objects)


def _missing(head: FileHead) -> str:
    lacking = (
        object_of(_first(one).get("info")).get("role") and "parts" not in _first(one)
        for one in head.objects
    )
    return Phrase("parts of its messages") if any(lacking) else ""


def _first(document: JsonObject) -> JsonObject:
    return object_of(next(iter(list_of(document.get("messages"))), None))


class _Reader(Reader):
    """Reads the document of a session."""

    unit = "messages"

    @override
    def take(self, record: Record) -> None:
        document = object_of(record.value)
        info = object_of(document.get("info"))
        self.version = self.version or text_of(info.get("version"))
        blocks: list[Block] = []
        for index, message in enumerate(map(object_of, list_of(document.get("messages")))):
            spot = Spot(record.chunk, ("messages", index), unit=index + 1)
            blocks += self.counted(_blocks(message, spot), _why_nothing(message))
        session = text_of(info.get("id"))
        self.runs.append(AgentRun(blocks=tuple(blocks), session=session, chunk=record.chunk))


def _is_summary(message: JsonObject) -> bool:
    info = object_of(message.get("info"))
    return info.get("role") == "assistant" and info.get("summary") is True


def _why_nothing(message: JsonObject) -> str:
    if _is_summary(message):
        return DropName.COMPACTION
    if any(object_of(part).get("synthetic") is True for part in list_of(message.get("parts"))):
        return DropName.CLIENT
    return DropName.EMPTY if "info" in message else DropName.NOBODY


def _blocks(message: JsonObject, spot: Spot) -> Iterator[Block]:
    if _is_summary(message):
        return
    info = object_of(message.get("info"))
    parts = list(map(object_of, list_of(message.get("parts"))))
    spot = replace(spot, at=_time(info.get("time"), "created"), answer=text_of(info.get("id")))
    yield from spot.others(media_in(message.get("parts")))
    if info.get("role") == "user":  # what the client added is marked
        yield from spot.prompt(
            [
                (("parts", number, "text"), text_of(part.get("text")))
                for number, part in enumerate(parts)
                if part.get("type") == "text"
                and part.get("synthetic") is not True
                and text_of(part.get("text")).strip()
            ]
        )
    elif info.get("role") == "assistant":
        results = []
        for number, part in enumerate(parts):
            for block in _of_part(part, spot.inside("parts", number)):
                if block.kind is BlockKind.RESULT:
                    results.append(block)
                else:
                    yield block
        yield from results


def _of_part(part: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a part: text, reasoning, or a call and its result; else none."""
    kind = _KINDS.get(text_of(part.get("type")))
    text = text_of(part.get("text"))
    if kind is not None and text.strip():
        yield spot.inside("text").block(kind, text)
    if part.get("type") != "tool":
        return
    state, call_id = object_of(part.get("state")), part.get("callID")
    began = replace(spot, at=_time(state.get("time"), "start") or spot.at)
    yield began.call(part.get("tool"), state.get("input"), call_id)
    status = state.get("status")
    if status in _FINISHED:
        said = state.get("error" if status == "error" else "output")
        failed = status == "error" or exit_code(state, "exit") != 0
        done = replace(spot.inside("state"), at=_time(state.get("time"), "end"))
        yield done.result("" if said is None else as_content(said), call_id, failed=failed)


def _time(times: JsonValue, name: str) -> str:
    """A time of a message or a part, recorded in milliseconds."""
    milliseconds = object_of(times).get(name)
    return moment(milliseconds / 1000 if isinstance(milliseconds, int | float) else None)


FORMAT: Final = Format(
    id="opencode",
    name="opencode",
    tested=("1.18.33",),
    failure=Phrase("its status or exit code"),
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
