"""GitHub Copilot CLI's sessions: JSON Lines of events; those of a sub-agent stand among them."""

from collections.abc import Iterator
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.reader import Format, Reader, Spot, by_object, medium
from kpinspector.runs.run import Block, BlockKind, DropName, Record
from kpinspector.trace.javascript import JsonObject

_START, _PROMPT, _ANSWER = "session.start", "user.message", "assistant.message"
_RESULT: Final = "tool.execution_complete"
_SPEAKING: Final = (_PROMPT, _ANSWER, _RESULT)
_NAMED: Final = {"system.message": DropName.SYSTEM, "": DropName.NO_TYPE}
_ENDED: Final = ("session.shutdown", "subagent.completed", "subagent.failed")
# texts of skills, which the client adds
_SKILL: Final = "skill-"
# failures that are refusals, and time-outs of the client
_SPARED: Final = ("denied", "rejected", "timeout")


def _lacks(line: JsonObject) -> str | None:
    kind = line.get("type")
    if not isinstance(kind, str) or not isinstance(line.get("data"), dict):
        return None
    if "parentId" in line:
        return "" if "." in kind else None
    return "parentId" if kind in (_START, *_SPEAKING) else None


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self._asked: set[str] = set()

    @override
    def take(self, record: Record) -> None:
        event = Spot.of(record)
        kind = event.text("type")
        agent = event.text("agentId") or event.text("data", "parentToolCallId")  # older versions
        if kind in _SPEAKING:
            is_client = event.text("data", "source").startswith(_SKILL)
            if is_client or event.text("data", "toolCallId") in self._asked:
                found = self.counted((), DropName.CLIENT)
            else:
                found = self.counted(_blocks(event, kind), DropName.EMPTY)
            self.held[agent] += found
            self.ended.discard(agent)
            return
        self.counted((), _NAMED.get(kind, kind))
        if kind == _START:
            self.session = self.session or event.text("data", "sessionId")
            self.version = event.text("data", "copilotVersion") or self.version
        elif kind == "tool.user_requested":
            self._asked |= {event.text("data", "toolCallId")} - {""}
        elif kind in _ENDED:
            self.ended.add(agent)
        elif kind == "session.resume":
            self.ended.discard(agent)


def _blocks(event: Spot, kind: str) -> Iterator[Block]:
    data = event.inside("data")
    data.at = event.text("timestamp")
    if kind == _PROMPT:
        yield from data.inside("content").said(BlockKind.PROMPT)
        for one in data.each("attachments"):
            yield one.other(medium(one.get("mimeType")))
    elif kind == _ANSWER:
        data.answer = data.text("messageId") or event.text("id")
        yield from data.inside("reasoningText").said(BlockKind.REASONING)
        yield from data.inside("content").said(BlockKind.TEXT)
        for call in data.each("toolRequests"):
            yield call.call(call.get("name"), call.get("arguments"), call.get("toolCallId"))
    else:
        said, code = data.get("result", "content"), data.get("shellExecution", "exitCode")
        said = data.get("error", "message") if said is None else said
        failed = data.get("success") is False or code not in (None, 0)
        spared = failed and data.get("error", "code") in _SPARED
        yield data.result(said, data.get("toolCallId"), failed=failed, spared=spared)
        for name in ("content", "contents"):
            yield from data.media("result", name)


FORMAT: Final = Format(
    id="copilot",
    name="GitHub Copilot CLI",
    where="~/.copilot/session-state",
    files="events.jsonl",
    tested=("1.0.102",),
    failure=Phrase("success or its exit code"),
    lacks=by_object(_lacks),
    reader=_Reader,
)
