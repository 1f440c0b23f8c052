"""Qwen Code's sessions: JSON Lines that form a tree, with the parts of Gemini's API."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.gemini import blocks_of, others
from kpinspector.runs.readers.reader import Chain, Format, Reader, Spot, by_object, prompt, run_of
from kpinspector.runs.run import AgentRun, Block, DropName, Record, Recording
from kpinspector.trace.javascript import JsonObject

_SPEAKING: Final = ("user", "assistant", "tool_result")
_CANCELLED: Final = "cancelled"
_FAILED: Final = ("error", _CANCELLED)
_DESCRIBED: Final = ("agentId", "agentType", "parentSessionId")


def _lacks(line: JsonObject) -> str | None:
    """What a line lacks; "" for a session, a sub-agent's, and a session's description."""
    if all(name in line for name in _DESCRIBED):
        return ""
    message = line.get("message")
    if not isinstance(message, dict) or "parts" not in message or "type" not in line:
        return None
    return "" if "sessionId" in line else "sessionId"


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self._chains: dict[str, Chain] = {}
        self._answer = 0

    @override
    def take(self, record: Record) -> None:
        line = Spot.of(record)
        if line.has(*_DESCRIBED):
            self.counted((), DropName.HEADER)
            return
        kind = line.text("type")
        self._answer += kind in ("user", "tool_result")
        line.answer, line.at = str(self._answer), line.text("timestamp")
        self.session = self.session or line.text("sessionId")
        self.version = line.text("version") or self.version
        found = self.counted(_blocks(line), _why_nothing(line))
        chain = self._chains.setdefault(line.text("agentId"), Chain())
        chain.add(line.text("uuid"), line.get("parentUuid"), found)

    @override
    def recording(self) -> Recording:
        runs, dropped = list[AgentRun](), self.dropped.copy()
        for key, chain in self._chains.items():
            blocks, beside = chain.run()
            dropped[DropName.BRANCH] += beside
            runs += [run_of(key, blocks, self.session)] * bool(blocks)
        return replace(super().recording(), runs=tuple(runs), dropped=dict(+dropped))


def _why_nothing(line: Spot) -> str:
    kind, subtype = line.text("type"), line.text("subtype")
    if kind in _SPEAKING:
        return DropName.CLIENT if subtype else DropName.EMPTY
    if subtype == "chat_compression":
        return DropName.COMPACTION
    return (subtype or kind).replace("_", " ") or DropName.NO_TYPE


def _blocks(line: Spot) -> Iterator[Block]:
    kind, parts = line.get("type"), line.inside("message", "parts")
    if kind == "user" and not line.text("subtype"):
        yield from prompt(parts.texts())
        yield from others(parts)
    elif kind == "assistant":
        yield from blocks_of(parts)
    elif kind == "tool_result":
        status = line.text("toolCallResult", "status")
        denied = line.get("toolCallResult", "errorType") == "execution_denied"
        failed = status in _FAILED if status else None
        yield from blocks_of(parts, failed=failed, spared=denied or status == _CANCELLED)


FORMAT: Final = Format(
    id="qwen-code",
    name="Qwen Code",
    where="~/.qwen/projects",
    tested=("0.15.10",),
    failure=Phrase("its status"),
    lacks=by_object(_lacks),
    reader=_Reader,
)
