"""Cline CLI's sessions: one JSON document of messages; a sub-agent's stands in a file beside."""

import re
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import Conversation
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_object, run_of
from kpinspector.runs.run import BlockKind, DropName, Record
from kpinspector.trace.javascript import JsonObject

_MARKS: Final = ("messages", "sessionId", "origin")
_DESCRIBED: Final = ("session_id", "messages_path")
# a mark around what the user typed
_TYPED = re.compile(r'\A<user_input mode="[^"<>]*">(.*)</user_input>\Z', re.DOTALL)


def _lacks(document: JsonObject) -> str | None:
    """What a document lacks; "" for a session, a sub-agent's, and a session's description."""
    if all(name in document for name in _DESCRIBED):
        return ""
    absent = [mark for mark in _MARKS if mark not in document]
    is_near = absent == ["origin"] and "taskType" in document
    return "".join(absent) if not absent or is_near else None


class _Reader(Reader):
    unit = "messages"

    @override
    def take(self, record: Record) -> None:
        document, made = Spot.of(record), Conversation(self)
        if document.has(*_DESCRIBED) and not document.has("messages"):
            return
        self.version = self.version or document.text("origin", "version")
        if document.get("system_prompt"):
            self.counted((), DropName.SYSTEM)
        for message in document.each("messages"):
            made.add(message)
        key, session = document.text("origin", "subagent"), document.text("sessionId")
        blocks = (
            replace(one, text=_TYPED.sub(r"\1", one.text)) if one.kind is BlockKind.PROMPT else one
            for one in made.blocks
        )
        run = run_of(key, blocks, session)
        self.runs.append(replace(run, chunk=record.chunk))


FORMAT: Final = Format(
    id="cline",
    name="Cline CLI",
    where="~/.cline/data/sessions",
    files="*.messages.json",
    tested=("3.0.65",),
    failure=Phrase("is_error or success"),
    lacks=by_object(_lacks),
    reader=_Reader,
)
