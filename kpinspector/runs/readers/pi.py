"""The pi coding agent's sessions: JSON Lines that form a tree."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.runs.readers.reader import Chain, Format, Reader, Spot, by_object, prompt, run_of
from kpinspector.runs.run import Block, BlockKind, DropName, Record, Recording
from kpinspector.trace.javascript import JsonObject

_HEADER: Final = "session"
_MESSAGE: Final = "message"
_SAID: Final = {"text": BlockKind.TEXT, "thinking": BlockKind.REASONING}
_ROLES: Final = dict.fromkeys(("user", "assistant", "toolResult"), DropName.EMPTY)
_NAMED: Final = {"compaction": DropName.COMPACTION, "": DropName.NO_TYPE}


def _lacks(line: JsonObject) -> str | None:
    if line.get("type") != _HEADER or not {"id", "timestamp"} <= line.keys():
        return None
    return "" if "cwd" in line else "cwd"


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self._chain = Chain()

    @override
    def take(self, record: Record) -> None:
        line = Spot.of(record)
        kind = line.text("type")
        if kind == _HEADER:
            self.counted((), DropName.HEADER)
            self.session = self.session or line.text("id")
            return
        message = line.inside(_MESSAGE)
        message.at, message.answer = line.text("timestamp"), line.text("id")
        role = message.text("role")
        if kind == _MESSAGE:
            found = self.counted(_blocks(message, role), _ROLES.get(role) or DropName.of_role(role))
        else:
            found = self.counted((), _NAMED.get(kind, kind.replace("_", " ")))
        self._chain.add(line.text("id"), line.get("parentId"), found)

    @override
    def recording(self) -> Recording:
        blocks, beside = self._chain.run()
        dropped = self.dropped + Counter({DropName.BRANCH: beside})
        run = run_of("", blocks, self.session)
        return replace(super().recording(), runs=(run,), dropped=dict(dropped))


def _blocks(message: Spot, role: str) -> Iterator[Block]:
    content = message.inside("content")
    if role == "user":
        yield from prompt(content.texts())
        yield from content.others()
    elif role == "toolResult":
        failed = message.get("isError") is True
        yield content.result(content.value, message.get("toolCallId"), failed=failed)
        yield from content.media()
    elif role == "assistant":
        yield from content.said(BlockKind.TEXT) if content.text() else ()
        for part in content.each():
            kind = part.text("type")
            if kind in _SAID:
                yield from part.inside(kind).said(_SAID[kind])
            elif kind == "toolCall":
                yield part.call(part.get("name"), part.get("arguments"), part.get("id"))
            else:
                yield part.other()


FORMAT: Final = Format(
    id="pi",
    name="pi",
    where="~/.pi/agent/sessions",
    tested=("0.73.1",),
    failure="isError",
    lacks=by_object(_lacks),
    reader=_Reader,
)
