"""Claude Code's sessions: JSON Lines, a line for each block of a message."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from kpinspector.runs.rules import INTERRUPTED, as_content, is_spared
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    BlockPlace,
    Format,
    Record,
    Recording,
    list_of,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.model import JsonObject, JsonValue
from kpinspector.trace.records import JsonPath

_SPEAKERS: Final = ("user", "assistant")
_WARM_UP: Final = "Warmup"
_SYNTHETIC: Final = "<synthetic>"
# what the client writes in the place of a prompt
_CLIENT: Final = ("<command-name>", "<command-message>", "<local-command-", "<bash-", "Caveat: ")
_REJECTED: Final = "User rejected tool use"
_MAIN: Final = ""


def recognise(head: FileHead) -> bool:
    """Whether lines are those of a session, or of its sub-agents."""
    return any(_is_line(one) for one in head.objects) or _is_summary(head)


def missing(head: FileHead) -> str:
    """What keeps a file that is nearly a session from being one; "" for all else."""
    spoken = [one for one in head.objects if one.get("type") in _SPEAKERS and "message" in one]
    return "sessionId or uuid" if spoken and not recognise(head) else ""


def _is_line(line: JsonObject) -> bool:
    named = "sessionId" in line or "uuid" in line
    return line.get("type") in _SPEAKERS and isinstance(line.get("message"), dict) and named


def _is_summary(head: FileHead) -> bool:
    """Files of summaries only, and the description of a sub-agent, hold no run."""
    lines = head.objects
    summaries = all(one.get("type") == "summary" and "leafUuid" in one for one in lines)
    described = len(lines) == 1 and {"agentType", "toolUseId"} <= lines[0].keys()
    return bool(lines) and (summaries or described)


@dataclass(slots=True)
class _Conversation:
    blocks: list[Block] = field(default_factory=list)
    session: str = ""


class Reader:
    """Takes the lines of a session, one after the other."""

    def __init__(self) -> None:
        self._runs: dict[str, _Conversation] = {}
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._version = ""
        self._sidechain = 0
        self._inline = ""
        self._sidechains: dict[str, str] = {}

    def take(self, record: Record) -> None:
        """Take a line."""
        self._total += 1
        line = object_of(record.value)
        dropped = self._why_dropped(line)
        if dropped:
            self._dropped[dropped] += 1
            return
        self._version = text_of(line.get("version")) or self._version
        run = self._runs.setdefault(self._key(line), _Conversation())
        run.session = run.session or text_of(line.get("sessionId"))
        blocks = list(_blocks(record, line))
        run.blocks.extend(blocks)
        if not blocks:
            self._dropped["empty or redacted"] += 1

    def recording(self) -> Recording:
        """All that was taken so far."""
        runs, passed_over = [], []
        for key, found in self._runs.items():
            first = found.blocks[0] if found.blocks else None
            name = f"sub-agent {key}" if key else ""
            if key and first and first.kind is BlockKind.PROMPT and first.text == _WARM_UP:
                passed_over.append((name, "a warm-up, no user's work"))
                continue
            runs.append(
                AgentRun(blocks=tuple(found.blocks), session=found.session, key=key, name=name)
            )
        return Recording(
            format=Format.CLAUDE_CODE,
            runs=tuple(runs),
            version=self._version,
            total=self._total,
            dropped=dict(self._dropped),
            passed_over=tuple(passed_over),
        )

    def _key(self, line: JsonObject) -> str:
        """The run of a line: a sub-agent's id; side chains without one go by their first line."""
        if not line.get("isSidechain"):
            return _MAIN
        agent = text_of(line.get("agentId"))
        if agent:
            return agent
        own, parent = text_of(line.get("uuid")), text_of(line.get("parentUuid"))
        key = self._sidechains.get(parent, own)
        self._sidechains[own] = key
        return key

    def _why_dropped(self, line: JsonObject) -> str:
        """What a line is that makes no step; "" for one that does."""
        kind = text_of(line.get("type"))
        message = object_of(line.get("message"))
        if kind not in _SPEAKERS or not message:
            return kind or "of no type"
        if line.get("isMeta"):
            return "the client's own"
        if line.get("isCompactSummary"):
            return "compaction summary"
        if message.get("model") == _SYNTHETIC:
            return "the client's own"
        return "the client's own" if _is_client(message.get("content")) else ""


def _is_client(content: JsonValue) -> bool:
    """A command of the user to the client, its output, or the note of an interruption."""
    texts = [content] if isinstance(content, str) else _texts(list_of(content))
    others = isinstance(content, list) and len(texts) < len(content)
    return (
        bool(texts)
        and not others
        and all(text.startswith((*_CLIENT, INTERRUPTED)) for text in texts)
    )


def _texts(parts: list[JsonValue]) -> list[str]:
    return [
        text_of(part.get("text"))
        for part in parts
        if isinstance(part, dict) and part.get("type") == "text"
    ]


def _blocks(record: Record, line: JsonObject) -> Iterator[Block]:
    message = object_of(line.get("message"))
    content = message.get("content")
    at = text_of(line.get("timestamp"))
    if line.get("type") == "user":
        yield from _of_user(record, line, at)
        return
    answer = text_of(message.get("id")) or text_of(line.get("uuid"))
    path: JsonPath = ("message", "content")
    if isinstance(content, str):
        yield Block(
            kind=BlockKind.TEXT,
            place=BlockPlace(record.chunk, path),
            text=content,
            answer=answer,
            at=at,
        )
        return
    for index, part in enumerate(list_of(content)):
        block = _of_assistant(object_of(part), BlockPlace(record.chunk, (*path, index)), answer, at)
        if block is not None:
            yield block


def _of_assistant(part: JsonObject, place: BlockPlace, answer: str, at: str) -> Block | None:
    match part.get("type"):
        case "text":
            text = text_of(part.get("text"))
            return Block(kind=BlockKind.TEXT, place=place, text=text, answer=answer, at=at)
        case "thinking":
            text = text_of(part.get("thinking"))
            return Block(kind=BlockKind.REASONING, place=place, text=text, answer=answer, at=at)
        case "tool_use" | "server_tool_use":
            return Block(
                kind=BlockKind.CALL,
                place=place,
                answer=answer,
                tool=text_of(part.get("name")),
                input=part.get("input"),
                call_id=text_of(part.get("id")),
                at=at,
            )
    return None


def _of_user(record: Record, line: JsonObject, at: str) -> Iterator[Block]:
    """Results first and last as they stand; the texts of a line are one prompt."""
    content = object_of(line.get("message")).get("content")
    path: JsonPath = ("message", "content")
    if isinstance(content, str):
        yield Block(
            kind=BlockKind.PROMPT, place=BlockPlace(record.chunk, path), text=content, at=at
        )
        return
    said: list[tuple[int, str]] = []
    for index, part in enumerate(list_of(content)):
        found = object_of(part)
        if found.get("type") == "tool_result":
            yield _result(found, line, BlockPlace(record.chunk, (*path, index)), at)
        elif found.get("type") == "text" and not _is_client(text_of(found.get("text"))):
            said.append((index, text_of(found.get("text"))))
    if said:
        place = BlockPlace(record.chunk, (*path, said[0][0]))
        yield Block(
            kind=BlockKind.PROMPT, place=place, text="\n".join(text for _, text in said), at=at
        )


def _result(part: JsonObject, line: JsonObject, place: BlockPlace, at: str) -> Block:
    text = content_text(part.get("content"))
    failed = part.get("is_error") is True
    return Block(
        kind=BlockKind.RESULT,
        place=place,
        text=text,
        call_id=text_of(part.get("tool_use_id")),
        failed=failed,
        spared=failed and _is_spared(text, line.get("toolUseResult")),
        at=at,
    )


def _is_spared(text: str, result: JsonValue) -> bool:
    """Refused by the user, or ended by the harness."""
    said = text_of(result)
    return said.startswith((_REJECTED, f"Error: {_REJECTED}")) or is_spared(text)


def content_text(content: JsonValue) -> str:
    """A result's content as text: its text parts one below the other."""
    if isinstance(content, list):
        return "\n".join(_texts(content))
    return "" if content is None else as_content(content)
