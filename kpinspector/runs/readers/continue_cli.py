"""Continue CLI's sessions: one JSON document with its history."""

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_entry, joined_text, prompt
from kpinspector.runs.run import AgentRun, Block, BlockKind, DropName, Record
from kpinspector.runs.texts import object_of
from kpinspector.trace.javascript import JsonObject

_CANCELED: Final = "canceled"
_FAILED: Final = ("errored", _CANCELED)
_ROLES: Final = dict.fromkeys(("user", "assistant", "thinking", "tool"), DropName.EMPTY)
_LISTED: Final = ("sessionId", "dateCreated", "workspaceDirectory")


def _lacks(document: JsonObject) -> str | None:
    """What a document lacks; "" for a session, and for the list of sessions."""
    if all(name in document for name in _LISTED):
        return ""
    history = document.get("history")
    if not isinstance(history, list) or (history and not object_of(history, 0, "message")):
        return None
    return "" if "sessionId" in document else "sessionId" if history else None


class _Reader(Reader):
    unit = "messages"

    @override
    def take(self, record: Record) -> None:
        document, blocks = Spot.of(record), list[Block]()
        answered = {
            state.text("toolCallId")
            for entry in document.each("history")
            for state in entry.each("toolCallStates")
            if state.get("status") in ("done", *_FAILED)
        }
        for number, entry in enumerate(document.each("history"), 1):
            entry.unit, entry.answer = number, str(number)
            role = entry.text("message", "role")
            if role == "tool" and entry.text("message", "toolCallId") in answered:
                self.counted((), DropName.COPIED_RESULT)
            else:
                why = _ROLES.get(role) or DropName.of_role(role)
                blocks += self.counted(_blocks(entry, role), why)
        if document.has("history"):
            session = document.text("sessionId")
            self.runs.append(AgentRun(blocks=tuple(blocks), session=session, chunk=record.chunk))


def _blocks(entry: Spot, role: str) -> Iterator[Block]:
    content = entry.inside("message", "content")
    for item in entry.each("contextItems"):
        yield item.other(DropName.FILE)
    match role:
        case "user":
            yield from prompt(content.texts())
        case "thinking":
            yield from content.said(BlockKind.REASONING)
        case "tool":
            yield content.result(content.value, entry.get("message", "toolCallId"))
        case "assistant":
            yield from content.said(BlockKind.TEXT)
            for call in entry.each("message", "toolCalls"):
                said = call.inside("function")
                yield call.call(said.get("name"), said.get("arguments"), call.get("id"))
            yield from _results(entry)
        case _:
            return
    yield from content.others()


def _results(entry: Spot) -> Iterator[Block]:
    for state in entry.each("toolCallStates"):
        status = state.get("status")
        if status not in ("done", *_FAILED):
            continue
        contents = [joined_text(one.get("content")) for one in state.each("output")]
        marks = {"failed": status in _FAILED, "spared": status == _CANCELED}
        yield state.result("\n".join(contents), state.get("toolCallId"), **marks)


FORMAT: Final = Format(
    id="continue",
    name="Continue CLI",
    where="~/.continue/sessions",
    files="*-*.json",
    tested=("1.5.47",),
    failure=Phrase("its status"),
    lacks=by_entry(_lacks),
    reader=_Reader,
)
