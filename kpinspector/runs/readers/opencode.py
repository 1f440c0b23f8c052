"""opencode's exports: one JSON document with the messages of a session, each with its parts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import (
    Format,
    Reader,
    Spot,
    by_object,
    exit_code,
    moment,
    prompt,
)
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import AgentRun, Block, BlockKind, DropName, Record
from kpinspector.runs.texts import object_of
from kpinspector.trace.javascript import JsonObject

_KINDS: Final = {"text": BlockKind.TEXT, "reasoning": BlockKind.REASONING}


def _lacks(document: JsonObject) -> str | None:
    first = object_of(document, "messages", 0)
    if {"info", "parts"} <= first.keys():
        return ""
    return Phrase("parts of its messages") if object_of(first, "info").get("role") else None


class _Reader(Reader):
    unit = "messages"

    @override
    def take(self, record: Record) -> None:
        document, blocks = Spot.of(record), list[Block]()
        self.version = self.version or document.text("info", "version")
        for number, message in enumerate(document.each("messages"), 1):
            message.unit = number
            blocks += self.counted(_blocks(message), _why_nothing(message))
        session = document.text("info", "id")
        self.runs.append(AgentRun(blocks=tuple(blocks), session=session, chunk=record.chunk))


def _is_summary(message: Spot) -> bool:
    return message.get("info", "role") == "assistant" and message.get("info", "summary") is True


def _why_nothing(message: Spot) -> str:
    if _is_summary(message):
        return DropName.COMPACTION
    if any(part.get("synthetic") is True for part in message.each("parts")):
        return DropName.CLIENT
    return DropName.EMPTY if message.has("info") else DropName.NOBODY


def _blocks(message: Spot) -> Iterator[Block]:
    if _is_summary(message):
        return
    message = replace(message, at=moment(message.get("info", "time", "created"), 1000))
    message.answer = message.text("info", "id")
    yield from message.media("parts")
    parts = list(message.each("parts"))
    if message.get("info", "role") == "user":  # parts that the client added are marked
        own = (one for one in parts if one.get("synthetic") is not True)
        texts = (one.inside("text") for one in own if one.get("type") == "text")
        yield from prompt([one for one in texts if one.text().strip()])
    elif message.get("info", "role") == "assistant":
        found = [block for part in parts for block in _of_part(part)]
        yield from (block for block in found if block.kind is not BlockKind.RESULT)
        yield from (block for block in found if block.kind is BlockKind.RESULT)


def _of_part(part: Spot) -> Iterator[Block]:
    kind = _KINDS.get(part.text("type"))
    if kind is not None:
        yield from part.inside("text").said(kind)
    if part.get("type") != "tool":
        return
    state, call_id = part.get("state"), part.get("callID")
    began = replace(part, at=moment(part.get("state", "time", "start"), 1000) or part.at)
    yield began.call(part.get("tool"), part.get("state", "input"), call_id)
    status = part.get("state", "status")
    if status in ("completed", "error"):
        done = replace(part.inside("state"), at=moment(part.get("state", "time", "end"), 1000))
        said = done.get("error" if status == "error" else "output")
        failed = status == "error" or exit_code(object_of(state), "exit") != 0
        yield done.result("" if said is None else as_content(said), call_id, failed=failed)


FORMAT: Final = Format(
    id="opencode",
    name="opencode",
    tested=("1.18.33",),
    failure=Phrase("its status or exit code"),
    lacks=by_object(_lacks),
    reader=_Reader,
)
