"""Messages of Vercel's AI SDK: model messages, and those of a user interface."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text, media_in
from kpinspector.runs.readers.message import blocks_of, is_joined, role_of
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, entries_of
from kpinspector.runs.run import (
    Block,
    BlockKind,
    DropName,
    list_of,
    message_name,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject

_HOLDERS: Final = (("messages",), ("history",), ("input",), ("traj",))
_TOOL, _DYNAMIC = "tool-", "dynamic-tool"
_STEP: Final = "step-start"
_SAID: Final = {"text": BlockKind.TEXT, "reasoning": BlockKind.REASONING}
_DONE, _FAILED, _DENIED = "output-available", "output-error", "output-denied"


def _recognise(head: FileHead) -> bool:
    """Whether parts have hyphenated types, or messages are those of a user interface."""
    return any(is_joined(dict(one)) or _is_shown(one) for one in entries_of(head, *_HOLDERS))


def _missing(head: FileHead) -> str:
    entries = entries_of(head, *_HOLDERS)
    nearly = any("role" not in one and any(map(_is_tool, _parts(one))) for one in entries)
    return Phrase("role of its messages") if nearly else ""


def _parts(message: JsonObject) -> list[JsonObject]:
    return [object_of(part) for part in list_of(message.get("parts"))]


def _is_tool(part: JsonObject) -> bool:
    kind = text_of(part.get("type"))
    return (kind.startswith(_TOOL) or kind == _DYNAMIC) and "toolCallId" in part


def _is_shown(message: JsonObject) -> bool:
    """Whether a message is a user interface's: with steps, or calls that have a state."""
    parts = _parts(message)
    return bool(role_of(message)) and any(
        part.get("type") == _STEP or (_is_tool(part) and "state" in part) for part in parts
    )


class _Reader(EntryReader):
    """Reads messages of either kind."""

    holders = _HOLDERS

    @override
    def blocks_of(self, entry: JsonObject, spot: Spot) -> Iterator[Block]:
        if "parts" not in entry:
            yield from blocks_of(entry, spot)
            return
        yield from spot.others(media_in(entry.get("parts")))
        if role_of(entry) == "assistant":
            yield from _of_answer(entry, spot)
        elif role_of(entry) == "user":
            texts = [
                (("parts", index, "text"), text_of(part.get("text")))
                for index, part in enumerate(_parts(entry))
                if part.get("type") == "text"
            ]
            yield from spot.prompt([one for one in texts if one[1].strip()])

    @override
    def why_nothing(self, entry: JsonObject) -> str:
        role = role_of(entry)
        if role in ("user", "assistant", "tool"):
            return DropName.EMPTY
        return message_name(role) if role else DropName.NO_ROLE


def _of_answer(message: JsonObject, spot: Spot) -> Iterator[Block]:
    """The blocks of a message with several answers; the results of each follow its calls."""
    results: list[Block] = []
    step = 0
    for index, part in enumerate(_parts(message)):
        where = replace(spot.inside("parts", index), answer=f"{spot.answer} {step}")
        kind = text_of(part.get("type"))
        if kind == _STEP:
            step += 1
            yield from results
            results = []
        elif kind in _SAID and text_of(part.get("text")).strip():
            yield where.inside("text").block(_SAID[kind], text_of(part.get("text")))
        elif _is_tool(part):
            name = part.get("toolName") if kind == _DYNAMIC else kind.removeprefix(_TOOL)
            given = part.get("input", part.get("rawInput"))
            yield where.call(name, given, part.get("toolCallId"))
            results.extend(_results(part, where))
    yield from results


def _results(part: JsonObject, spot: Spot) -> Iterator[Block]:
    """The result of a call; none until its state says that it has ended."""
    state = part.get("state")
    if state not in (_DONE, _FAILED, _DENIED):
        return
    name = "output" if state == _DONE else "errorText"
    reason = text_of(object_of(part.get("approval")).get("reason"))
    text = reason if state == _DENIED else content_text(part.get(name))
    where = spot.inside(name) if name in part else spot
    failed, spared = state != _DONE, state == _DENIED
    yield where.result(text, part.get("toolCallId"), failed=failed, spared=spared)


FORMAT: Final = Format(
    id="vercel-ai",
    name="Vercel AI",
    tested=("6.0.326",),
    failure=Phrase("its type or state"),
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
