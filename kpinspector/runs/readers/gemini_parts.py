"""The parts of a message in Gemini's API, as several agents and frameworks keep them."""

from collections.abc import Iterator
from typing import Final

from kpinspector.runs.readers.reader import Spot, medium
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import Block, BlockKind
from kpinspector.runs.texts import object_of
from kpinspector.trace.javascript import JsonValue

_CALLS: Final = ("functionCall", "function_call")
_RESPONSES: Final = ("functionResponse", "function_response")
_DATA: Final = ("inlineData", "inline_data", "fileData", "file_data")
_TYPES: Final = ("mimeType", "mime_type")
# a response that has only one of these is that value
_ALONE: Final = ("error", "output", "result")


def blocks_of(parts: Spot, *, failed: bool | None = None, spared: bool = False) -> Iterator[Block]:
    """The blocks of all parts but a user's, in their order.

    ``failed``: whether the recording marks results as failed; None if it has no mark beside them.
    ``spared``: they failed by refusal or interruption.
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
    """Make a block of each part that is no text: a medium by its kind, another by its name."""
    for part in parts.each():
        yield from _other(part)


def _other(part: Spot) -> Iterator[Block]:
    if part.has("text") or isinstance(part.value, str):
        return
    kinds = [part.text(name, kind) for name in _DATA if part.has(name) for kind in _TYPES]
    yield part.other(medium(max(kinds)) if kinds else "")


def response_text(response: JsonValue) -> str:
    """The text of a response: that of its only member if this is its output or error, else all."""
    found = object_of(response)
    said = found[next(iter(found))] if len(found) == 1 and {*found} <= {*_ALONE} else response
    return "" if said is None else as_content(said)
