"""Messages of Vercel's AI SDK: model messages, and those of a user interface."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import blocks_of, is_joined, role_of, why_nothing
from kpinspector.runs.readers.reader import EntryReader, Format, Spot, by_entry, prompt
from kpinspector.runs.run import Block, BlockKind
from kpinspector.runs.texts import objects_of, text_of
from kpinspector.trace.javascript import JsonObject

_HOLDERS: Final = (("messages",), ("history",), ("input",), ("traj",))
_TOOL, _DYNAMIC = "tool-", "dynamic-tool"
_STEP: Final = "step-start"
_SAID: Final = {"text": BlockKind.TEXT, "reasoning": BlockKind.REASONING}
_DONE, _FAILED, _DENIED = "output-available", "output-error", "output-denied"


def _lacks(entry: JsonObject) -> str | None:
    """What a message lacks; "" for a model message, or a user interface's with steps or states."""
    parts = objects_of(entry, "parts")
    is_shown = any(
        part.get("type") == _STEP or (_is_tool(part) and "state" in part) for part in parts
    )
    if is_joined(entry) or (is_shown and role_of(entry)):
        return ""
    is_near = "role" not in entry and any(map(_is_tool, parts))
    return Phrase("role of its messages") if is_near else None


def _is_tool(part: JsonObject) -> bool:
    kind = text_of(part.get("type"))
    return (kind.startswith(_TOOL) or kind == _DYNAMIC) and "toolCallId" in part


def _blocks(entry: Spot) -> Iterator[Block]:
    if not entry.has("parts"):
        yield from blocks_of(entry)
        return
    yield from entry.media("parts")
    match role_of(entry.value):
        case "assistant":
            yield from _of_answer(entry)
        case "user":
            texts = (part for part in entry.each("parts") if part.get("type") == "text")
            yield from prompt([one.inside("text") for one in texts if one.text("text").strip()])


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
            yield from part.inside("text").said(_SAID[kind])
        elif part.has() and _is_tool(part.value):
            name = part.get("toolName") if kind == _DYNAMIC else kind.removeprefix(_TOOL)
            given = part.get("input" if part.has("input") else "rawInput")
            yield part.call(name, given, part.get("toolCallId"))
            results.extend(_results(part))
    yield from results


def _results(part: Spot) -> Iterator[Block]:
    """The result of a call, once the call's state says that it has ended; else no block."""
    state = part.get("state")
    if state not in (_DONE, _FAILED, _DENIED):
        return
    name = "output" if state == _DONE else "errorText"
    said = part.text("approval", "reason") if state == _DENIED else part.get(name)
    where = part.inside(name) if part.has(name) else part
    failed, spared = state != _DONE, state == _DENIED
    yield where.result(said, part.get("toolCallId"), failed=failed, spared=spared)


FORMAT: Final = Format(
    id="vercel-ai",
    name="Vercel AI",
    tested=("6.0.326",),
    failure=Phrase("its type or state"),
    lacks=by_entry(_lacks, *_HOLDERS),
    reader=partial(EntryReader, _blocks, why_nothing, _HOLDERS),
)
