"""Follows growing recordings: reads only what was appended, and maps only new blocks to steps.

A run is taken to go on until its recording says that it has ended, or has not been written to for a
while.
"""

import os
from codecs import BOM_UTF8
from contextlib import suppress
from operator import is_
from typing import Final

from kpinspector.files import open_ready
from kpinspector.runs.read import (
    NOTHING_ASKED,
    Asked,
    RunRecord,
    RunWithoutStep,
    contents_of,
    read_file,
)
from kpinspector.runs.recording import Collecting, recognise
from kpinspector.runs.rules import Mapped, Mapper, trace_id
from kpinspector.runs.run import AgentRun, Block
from kpinspector.runs.texts import Unfinished, head_of, record_at
from kpinspector.trace.bytes import MAX_BYTES, JsonLine
from kpinspector.trace.find import FoundFile
from kpinspector.trace.javascript import whole_characters
from kpinspector.trace.read import only
from kpinspector.trace.records import FileContents

QUIET_S: Final = 30.0
"""A recording that has not been written to for this long is taken to have ended."""

_NS: Final = 1_000_000_000
_COMPARED: Final = 256  # bytes before the offset, compared to see whether the file was rewritten
_MOST_FOLLOWED: Final = 64


def quiet_at(modified: int) -> float:
    """When a file counts as no longer written to, in s; ``modified``: its last change, in ns."""
    return modified / _NS + QUIET_S


def is_recent(modified: int | None, now: float) -> bool:
    """Whether a file may still be written to; another machine's clock may be ahead of ours."""
    return modified is not None and abs(now - modified / _NS) < QUIET_S


def goes_on(item: object) -> bool:
    """Whether an item is a run whose recording does not say that it has ended."""
    match item:
        case RunRecord():
            return not item.imported.run.ended
        case RunWithoutStep():
            return not item.ended
    return False


class Follower:
    """Reads one recording in JSON Lines repeatedly, each time from where it last ended."""

    def __init__(self, shown: str) -> None:
        self._shown = whole_characters(shown)
        self._forget()

    def _forget(self) -> None:
        self._collecting: Collecting | None = None
        self._offset = self._line = 0
        self._before = b""
        self._made: dict[tuple[str, str], tuple[Mapper, tuple[Block, ...]]] = {}

    def read(
        self, path: str | os.PathLike[str], asked: Asked = NOTHING_ASKED
    ) -> FileContents | None:
        """The contents of the file now; None if it cannot be followed.

        Raises:
            OSError: the file cannot be read.
        """
        with open_ready(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_BYTES:
                return None
            start = max(0, self._offset - _COMPARED)
            file.seek(start)
            data = file.read(max(0, size - start))
            if not data.startswith(self._before) or start + len(self._before) != self._offset:
                self._forget()
                start = 0
                file.seek(0)
                data = file.read(size)
        return self._take(data, start, asked)

    def _take(self, data: bytes, start: int, asked: Asked) -> FileContents | None:
        """Read the complete lines that are new in ``data``, which begin at offset ``start``."""
        if self._collecting is None:
            head = head_of(data)
            form = asked.format or recognise(head)
            whole_lines = head.is_lines and data.endswith(b"\n")
            if form is None or not whole_lines or data.startswith(BOM_UTF8):
                return None
            self._collecting = Collecting(form, self._shown)
        at = self._offset - start
        while (stop := data.find(b"\n", at)) >= 0:
            self._line += 1
            line = JsonLine(self._line, at, stop)
            if data[at:stop].strip():
                self._collecting.take(record_at(data, line, self._shown, start))
            at = stop + 1
        self._offset = start + at
        self._before = data[max(0, at - _COMPARED) : at]
        cut = bool(data[at:].strip())
        rest = JsonLine(self._line + 1, at, len(data))
        if cut and not isinstance(record_at(data, rest, self._shown, start), Unfinished):
            return None  # a last line that is complete or damaged
        recording = self._collecting.recording(cut=cut)
        if not all(run.session for run in recording.runs):
            return None  # the ids of such runs depend on all bytes
        document = data if start == 0 and self._line == 1 else b""  # perhaps a document on one line
        return contents_of(recording, self._shown, document, asked, self._map)

    def _map(self, form: str, run: AgentRun, session: str) -> Mapped:
        """The trace of a run; blocks that were mapped before are not mapped again."""
        mapper, before = self._made.get((session, run.key), (Mapper(), ()))
        # a reader returns the same block objects again, unless the run has changed
        if len(run.blocks) < len(before) or not all(map(is_, before, run.blocks)):
            mapper, before = Mapper(), ()
        for block in run.blocks[len(before) :]:
            mapper.add(block)
        self._made[session, run.key] = mapper, run.blocks
        return mapper.mapped(trace_id(form, session, run.key))


class Followers:
    """Reads files; a recording that grows is followed from its second reading on."""

    def __init__(self) -> None:
        self._followers: dict[str, Follower] = {}

    def read(
        self, found: FoundFile, asked: Asked = NOTHING_ASKED, *, grows: bool = False
    ) -> FileContents:
        """The contents of a file, as ``read_file`` returns them.

        A file that ``grows`` is followed from its first reading on.
        """
        path = str(found.path)
        follower = self._followers.pop(path, Follower(found.shown) if grows else None)
        contents = None
        if follower is not None:
            with suppress(OSError):
                contents = follower.read(found.path, asked)
        if contents is None:
            follower, contents = None, read_file(found, asked)
            if any(isinstance(one, RunRecord) for one in contents.traces):
                follower = Follower(found.shown)
        elif found.records is not None:
            contents = only(contents, found.records, found.shown)
        if follower is not None:
            self._followers[path] = follower  # the most recently used comes last
            if len(self._followers) > _MOST_FOLLOWED:
                del self._followers[next(iter(self._followers))]
        return contents
