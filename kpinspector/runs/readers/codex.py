"""Codex's rollouts: JSON Lines, each of them a time, a type and a payload.

Everything is written twice. The items of the model's input and output (``response_item``) are
read; of the events, only those that end an answer or repeat what was shown to the user.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from pydantic_core import from_json
from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import blocks_of
from kpinspector.runs.readers.reader import Format, Reader, Spot, exit_code, joined_text, prompt
from kpinspector.runs.rules import as_content
from kpinspector.runs.run import Block, BlockKind, DropName, Record
from kpinspector.runs.texts import FileHead, object_of
from kpinspector.trace.javascript import JsonObject, JsonValue

_HEADER: Final = "session_meta"
_ITEM: Final = "response_item"
_EVENT: Final = "event_msg"
_LINES: Final = (_ITEM, _EVENT, "turn_context")
# beginnings of texts that the client writes in place of a prompt
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
_ENDED: Final = ("task_complete", "turn_aborted", "shutdown_complete")
# the lines above the output, and the line among them with the exit code
_LINES_ABOVE: Final = r"(?:[A-Z][\w ]*: [^\n]*\n){0,9}?"
_EXIT = re.compile(
    _LINES_ABOVE + r"(?:Process exited with code |Exit code: )(-?[0-9]{1,9})(?:\n|\Z)"
    rf"(?P<envelope>{_LINES_ABOVE}Output:(?:\n|\Z))?"
)


def _lacks(head: FileHead) -> str | None:
    lines = [one for one in head.objects if isinstance(one.get("payload"), dict)]
    if any(one.get("type") == _HEADER for one in lines):
        return ""
    is_near = any(one.get("type") in _LINES and "timestamp" in one for one in lines)
    return _HEADER if is_near else None


class _Reader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self.held[""] = []
        self._answer = 0
        self._message: list[Block] = []
        self._shown: list[str] = []

    @override
    def take(self, record: Record) -> None:
        line = Spot.of(record)
        kind, payload = line.text("type"), line.inside("payload")
        if kind == _ITEM:
            payload.answer = str(self._answer) if self._answer else ""
            payload.at = line.text("timestamp")
            role = payload.text("role") if payload.get("type") == "message" else ""
            found = self.counted(_blocks(payload), _why_nothing(payload))
            self.held[""] += found
            self._answer += bool(found) and role == "user"
            self._message = found if role == "assistant" else []
            return
        self.counted((), DropName.EVENT if kind == _EVENT else _plain(kind))
        self._answer += kind in _BETWEEN
        if kind == _HEADER:
            self.session = self.session or payload.text("id")
            self.version = self.version or payload.text("cli_version")
        elif kind == "compacted":
            # the message before a compaction is its summary, if the user never saw it
            texts = {block.text for block in self._message}
            if texts and texts.isdisjoint(self._shown):
                del self.held[""][-len(self._message) :]
                self.dropped[DropName.COMPACTION] += 1
            self._message = []
        elif kind == _EVENT:
            self._take_event(payload)

    def _take_event(self, event: Spot) -> None:
        kind = event.text("type")
        self._answer += kind == "token_count"
        if kind in _ENDED:
            self.ended.add("")
        elif kind == "task_started":
            self.ended.clear()
        elif kind == "agent_message":
            self._shown = [event.text("message")]
        elif event.get("item", "type") == "AgentMessage":
            self._shown = [one.text() for one in event.inside("item", "content").texts()]


def _plain(kind: str) -> str:
    return kind.replace("_", " ") or DropName.NO_TYPE


def _why_nothing(item: Spot) -> str:
    kind, role = item.text("type"), item.text("role")
    if kind != "message":
        return DropName.EMPTY if kind == "reasoning" else _plain(kind)
    if role not in ("user", "assistant"):
        return DropName.of_role(role)
    is_client = role == "user" and item.inside("content").texts()
    return DropName.CLIENT if is_client else DropName.EMPTY


def _blocks(item: Spot) -> Iterator[Block]:
    """The blocks of an item; a user message may hold texts of the client as well."""
    kind, content = item.text("type"), item.inside("content")
    if kind == "message":
        match item.get("role"):
            case "user":
                own = (one for one in content.texts() if not one.text().startswith(_CLIENT))
                yield from prompt(list(own))
            case "assistant":
                yield from content.said(BlockKind.TEXT)
            case _:
                return
    elif kind.endswith("_output"):
        content = item.inside("output")
        text, failed = _output(content.value)
        yield content.result(text, item.get("call_id"), failed=failed)
    else:
        for block in blocks_of(item.with_value({**object_of(item.value), "role": None})):
            is_call = block.kind is BlockKind.CALL
            yield replace(block, call_id=item.text("call_id") if is_call else "")
    yield from content.others()


def _output(output: JsonValue) -> tuple[str, bool]:
    """The text of a result without its envelope, and whether the client marks it as failed.

    A mark is an exit code that is not 0.
    """
    if isinstance(output, dict):
        failed = output.get("success") is False or exit_code(output, "exit_code") != 0
        text = _output(output["content"])[0] if "content" in output else as_content(output)
        return text, failed
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


FORMAT: Final = Format(
    id="codex",
    name="Codex",
    where="~/.codex/sessions",
    tested=("0.45.0", "0.104.0", "0.169.0"),
    failure=Phrase("its exit code"),
    lacks=_lacks,
    reader=_Reader,
)
