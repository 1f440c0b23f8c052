"""Recordings that tests write line by line."""

import json
import os
from pathlib import Path
from typing import Any


class Clock:
    """Stands still until a test moves it on."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


class GrowingSession:
    """A session of Claude Code; every line is written at the time of the clock, if there is one."""

    def __init__(self, path: Path, session: str = "s", clock: Clock | None = None) -> None:
        self.path, self._session, self._clock, self._lines = path, session, clock, 0
        path.write_bytes(b"")

    def prompt(self, text: str) -> None:
        self._write("user", text)

    def thought(self, text: str) -> None:
        self._write("assistant", [{"type": "text", "text": text}])

    def call(self, tool: str = "Bash", **given: Any) -> None:
        called = {"type": "tool_use", "id": f"t{self._lines}", "name": tool, "input": given}
        self._write("assistant", [called])

    def result(self, text: str, *, failed: bool = False) -> None:
        """Of the call before."""
        self._write(
            "user",
            [
                {
                    "type": "tool_result",
                    "tool_use_id": f"t{self._lines - 1}",
                    "content": text,
                    "is_error": failed,
                }
            ],
        )

    def of_sub_agent(self, text: str) -> None:
        content = [{"type": "text", "text": text}]
        self._write("assistant", content, isSidechain=True, agentId="a1")

    def raw(self, data: bytes) -> None:
        """Write bytes as they are, perhaps half a line."""
        with self.path.open("ab") as file:
            file.write(data)
        self.touch()

    def touch(self, ago: float = 0.0) -> None:
        """Say that the file was written to so many seconds ago."""
        if self._clock is not None:
            os.utime(self.path, (self._clock() - ago, self._clock() - ago))

    def _write(self, kind: str, content: Any, **beside: Any) -> None:
        number = self._lines
        self._lines += 1
        line = {
            "type": kind,
            "message": {"role": kind, "id": f"m{number}", "content": content},
            "sessionId": self._session,
            "uuid": f"u{number}",
            "timestamp": f"2026-05-04T03:02:{number % 60:02}Z",
            "version": "2.1.0",
            **beside,
        }
        self.raw(json.dumps(line).encode() + b"\n")
