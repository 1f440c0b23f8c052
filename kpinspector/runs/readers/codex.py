"""Codex's rollouts: JSON Lines, each of them a time, a type and a payload.

Everything is written twice. The items of the model's input and output (``response_item``) are
read; of the events, only those that end an answer or repeat what was shown to the user.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from pydantic_core import from_json

from kpinspector.runs.readers.content import exit_code, joined_text, others_in, texts_in
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    BlockPlace,
    DropName,
    Format,
    Record,
    Recording,
    message_name,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue

_HEADER: Final = "session_meta"
_ITEM: Final = "response_item"
_EVENT: Final = "event_msg"
_LINES: Final = (_ITEM, _EVENT, "turn_context")
# texts that the client writes where a prompt would stand
_CLIENT: Final = (
    "<environment_context>",
    "<user_instructions>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<skill>",
    "<subagent_notification>",
    "# AGENTS.md instructions",
    "Warning: apply_patch was requested via",
)
# these lines separate two answers of the model and never occur within one
_BETWEEN: Final = ("turn_context", "token_usage_record", "compacted")
_COUNTED: Final = "token_count"
_ENDED: Final = ("task_complete", "turn_aborted", "shutdown_complete")
_STARTED: Final = "task_started"
_INPUTS: Final = ("arguments", "input", "action")
# the lines above the output, and the one among them that says how the command ended
_LINES_ABOVE: Final = r"(?:[A-Z][\w ]*: [^\n]*\n){0,9}?"
_EXIT = re.compile(
    _LINES_ABOVE + r"(?:Process exited with code |Exit code: )(-?[0-9]{1,9})(?:\n|\Z)"
    rf"(?P<envelope>{_LINES_ABOVE}Output:(?:\n|\Z))?"
)


def recognise(head: FileHead) -> bool:
    """Whether lines begin with the header of a rollout."""
    return any(
        one.get("type") == _HEADER and isinstance(one.get("payload"), dict) for one in head.objects
    )


def missing(head: FileHead) -> str:
    """What a file lacks that is otherwise a rollout; "" for any other file."""
    items = any(
        one.get("type") in _LINES and "timestamp" in one and isinstance(one.get("payload"), dict)
        for one in head.objects
    )
    return _HEADER if items and not recognise(head) else ""


class Reader:
    """Reads the lines of a rollout."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._version = ""
        self._session = ""
        self._ended = False
        self._answer = 0
        self._message: list[Block] = []
        self._shown: list[str] = []

    def take(self, record: Record) -> None:
        """Take a line."""
        self._total += 1
        line = object_of(record.value)
        kind, payload = text_of(line.get("type")), object_of(line.get("payload"))
        if kind == _ITEM:
            self._take_item(record, payload, text_of(line.get("timestamp")))
            return
        self._dropped[DropName.EVENT if kind == _EVENT else _plain(kind)] += 1
        self._answer += kind in _BETWEEN
        if kind == _HEADER:
            self._session = self._session or text_of(payload.get("id"))
            self._version = self._version or text_of(payload.get("cli_version"))
        elif kind == "compacted":
            self._drop_summary()
        elif kind == _EVENT:
            self._take_event(payload)

    def recording(self) -> Recording:
        """The recording as far as it was taken."""
        run = AgentRun(blocks=tuple(self._blocks), session=self._session, ended=self._ended)
        return Recording(
            format=Format.CODEX,
            runs=(run,),
            version=self._version,
            total=self._total,
            dropped=dict(self._dropped),
        )

    def _take_item(self, record: Record, item: JsonObject, at: str) -> None:
        role = text_of(item.get("role")) if item.get("type") == "message" else ""
        self._message = []
        if item.get("type") == "message" and role not in ("user", "assistant"):
            self._dropped[message_name(role)] += 1
            return
        answer = str(self._answer) if self._answer else ""
        found = list(_blocks(record, item, answer, at))
        self._blocks.extend(found)
        if not found:
            self._dropped[_why_nothing(item)] += 1
        elif role == "user":
            self._answer += 1
        elif role == "assistant":
            self._message = found

    def _take_event(self, event: JsonObject) -> None:
        kind = text_of(event.get("type"))
        item = object_of(event.get("item"))
        self._answer += kind == _COUNTED
        if kind in _ENDED:
            self._ended = True
        elif kind == _STARTED:
            self._ended = False
        elif kind == "agent_message":
            self._shown = [text_of(event.get("message"))]
        elif item.get("type") == "AgentMessage":
            self._shown = [text for _, text in texts_in(item.get("content"))]

    def _drop_summary(self) -> None:
        """Drop the message before a compaction if the user never saw it: it is the summary."""
        texts = {block.text for block in self._message}
        if texts and texts.isdisjoint(self._shown):
            del self._blocks[-len(self._message) :]
            self._dropped[DropName.COMPACTION] += 1
        self._message = []


def _plain(kind: str) -> str:
    return kind.replace("_", " ") or DropName.NO_TYPE


def _why_nothing(item: JsonObject) -> str:
    """The name under which an item without blocks is counted."""
    if item.get("role") == "user" and _texts_of(item, client=True):
        return DropName.CLIENT
    known = item.get("type") in ("message", "reasoning")
    return DropName.EMPTY if known else _plain(text_of(item.get("type")))


def _texts_of(item: JsonObject, *, client: bool) -> list[tuple[JsonPath, str]]:
    """The texts of a user message: those the client injected, or those the user wrote."""
    texts = texts_in(item.get("content"), ("payload", "content"))
    return [one for one in texts if one[1].startswith(_CLIENT) == client]


def _blocks(record: Record, item: JsonObject, answer: str, at: str) -> Iterator[Block]:
    kind = text_of(item.get("type"))
    if kind == "message" and item.get("role") == "user":
        yield from _of_user(record, item, at)
    elif kind in ("message", "reasoning"):
        block = BlockKind.TEXT if kind == "message" else BlockKind.REASONING
        for path, text in _said(item):
            yield Block(
                kind=block, place=BlockPlace(record.chunk, path), text=text, answer=answer, at=at
            )
    elif kind.endswith("_call"):
        yield Block(
            kind=BlockKind.CALL,
            place=BlockPlace(record.chunk, ("payload",)),
            answer=answer,
            tool=text_of(item.get("name")) or kind.removesuffix("_call"),
            input=next((item[name] for name in _INPUTS if name in item), None),
            call_id=text_of(item.get("call_id")),
            at=at,
        )
    elif kind.endswith("_output"):
        text, failed = _output(item.get("output"))
        yield Block(
            kind=BlockKind.RESULT,
            place=BlockPlace(record.chunk, ("payload", "output")),
            text=text,
            call_id=text_of(item.get("call_id")),
            failed=failed,
            at=at,
        )
    for name in others_in(item.get("output" if kind.endswith("_output") else "content")):
        place = BlockPlace(record.chunk, ("payload",))
        yield Block(kind=BlockKind.OTHER, place=place, text=name)


def _of_user(record: Record, item: JsonObject, at: str) -> Iterator[Block]:
    """A prompt as one block, its texts joined."""
    said = _texts_of(item, client=False)
    if said:
        place, text = BlockPlace(record.chunk, said[0][0]), "\n".join(text for _, text in said)
        yield Block(kind=BlockKind.PROMPT, place=place, text=text, at=at)


def _said(item: JsonObject) -> list[tuple[JsonPath, str]]:
    """The texts of an answer; for reasoning its summary, else the reasoning itself."""
    summary = texts_in(item.get("summary"), ("payload", "summary"))
    return summary or texts_in(item.get("content"), ("payload", "content"))


def _output(output: JsonValue) -> tuple[str, bool]:
    """The text of a result without its envelope, and whether the client marks it as failed.

    A mark is an exit code that is not 0.
    """
    if isinstance(output, dict):
        failed = output.get("success") is False or exit_code(output, "exit_code") != 0
        return (
            _output(output["content"])[0] if "content" in output else as_content(output)
        ), failed
    text = joined_text(output) if isinstance(output, list | str | None) else as_content(output)
    said = _EXIT.match(text)
    if said:
        return text[said.end() :] if said["envelope"] else text, int(said[1]) != 0
    found: JsonObject = {}
    if text.startswith("{"):
        with suppress(ValueError):
            found = object_of(from_json(text))
    is_envelope = found.keys() == {"output", "metadata"}
    return as_content(found["output"]) if is_envelope else text, exit_code(found, "exit_code") != 0
