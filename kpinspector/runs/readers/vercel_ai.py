"""Messages of Vercel's AI SDK: model messages, and those of a user interface."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.content import content_text, media_in
from kpinspector.runs.readers.message import blocks_of, is_joined, role_of
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, entries_of, prompt
from kpinspector.runs.run import Block, BlockKind, DropName, message_name
from kpinspector.runs.texts import FileHead, objects_of, text_of
from kpinspector.trace.javascript import JsonObject

_HOLDERS: Final = (("messages",), ("history",), ("input",), ("traj",))
_TOOL, _DYNAMIC = "tool-", "dynamic-tool"
_STEP: Final = "step-start"
_SAID: Final = {"text": BlockKind.TEXT, "reasoning": BlockKind.REASONING}
_DONE, _FAILED, _DENIED = "output-available", "output-error", "output-denied"


def _missing(head: FileHead) -> str:
    others = (one for one in entries_of(head, *_HOLDERS) if "role" not in one)
    nearly = any(_is_tool(part) for one in others for part in objects_of(one, "parts"))
    return Phrase("role of its messages") if nearly else ""


def _is_tool(part: JsonObject) -> bool:
    kind = text_of(part.get("type"))
    return (kind.startswith(_TOOL) or kind == _DYNAMIC) and "toolCallId" in part


def _is_shown(message: JsonObject) -> bool:
    """Whether a message is a user interface's: with steps, or calls that have a state."""
    return any(
        part.get("type") == _STEP or (_is_tool(part) and "state" in part)
        for part in objects_of(message.get("parts"))
    ) and bool(role_of(message))


def _blocks(entry: Spot) -> Iterator[Block]:
    if not entry.has("parts"):
        yield from blocks_of(entry)
        return
    yield from entry.others(media_in(entry.get("parts")))
    match role_of(entry.value):
        case "assistant":
            yield from _of_answer(entry)
        case "user":
            texts = (part for part in entry.each("parts") if part.get("type") == "text")
            yield from prompt([one.inside("text") for one in texts if one.text("text").strip()])


def _why_nothing(entry: Spot) -> str:
    role = role_of(entry.value) if entry.has() else ""
    if role in ("user", "assistant", "tool"):
        return DropName.EMPTY
    return message_name(role) if role else DropName.NO_ROLE


def _of_answer(message: Spot) -> Iterator[Block]:
    """The blocks of a message with several answers; the results of each follow its calls."""
    results: list[Block] = []
    step = 0
    for spot in message.each("parts"):
        part, kind = replace(spot, answer=f"{spot.answer} {step}"), spot.text("type")
        if kind == _STEP:
            step += 1
            yield from results
            results = []
        elif kind in _SAID:
            if part.text("text").strip():
                yield part.inside("text").block(_SAID[kind], part.text("text"))
        elif part.has() and _is_tool(part.value):
            name = part.get("toolName") if kind == _DYNAMIC else kind.removeprefix(_TOOL)
            given = part.get("input" if part.has("input") else "rawInput")
            yield part.call(name, given, part.get("toolCallId"))
            results.extend(_results(part))
    yield from results


def _results(part: Spot) -> Iterator[Block]:
    """The result of a call; none until its state says that it has ended."""
    state = part.get("state")
    if state not in (_DONE, _FAILED, _DENIED):
        return
    name = "output" if state == _DONE else "errorText"
    reason = part.text("approval", "reason")
    text = reason if state == _DENIED else content_text(part.get(name))
    where = part.inside(name) if part.has(name) else part
    failed, spared = state != _DONE, state == _DENIED
    yield where.result(text, part.get("toolCallId"), failed=failed, spared=spared)


FORMAT: Final = Format(
    id="vercel-ai",
    name="Vercel AI",
    tested=("6.0.326",),
    failure=Phrase("its type or state"),
    recognise=lambda head: any(
        is_joined(one) or _is_shown(one) for one in entries_of(head, *_HOLDERS)
    ),
    missing=_missing,
    reader=partial(EntryReader, _blocks, _why_nothing, _HOLDERS),
)
