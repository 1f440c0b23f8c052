"""Lists that libraries write of a run: alone, in a member of an object, or one entry a line."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kpinspector.runs.readers.message import Spot
from kpinspector.runs.run import (
    AgentRun,
    Block,
    Chunk,
    Format,
    Record,
    Recording,
    list_of,
    object_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue


def entries_of(head: FileHead, *holders: JsonPath) -> list[JsonObject]:
    """The first entries of a file that holds such a list."""
    found = [_listed(value, holders)[1] or [value] for value in head.values]
    return [entry for entries in found for entry in map(object_of, entries) if entry]


def _listed(value: JsonValue, holders: tuple[JsonPath, ...]) -> tuple[JsonPath, list[JsonValue]]:
    """The list in a value and its path; an empty list if there is none."""
    for path in ((), *holders):
        inside = value
        for name in path:
            inside = object_of(inside).get(str(name))
        if list_of(inside):
            return path, list_of(inside)
    return (), []


def _no_session(_entry: JsonObject) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class ListShape:
    """How a library writes its lists.

    Attributes:
        format: Of the recording.
        holders: The paths of members that may hold the list.
        blocks_of: Makes the blocks of an entry.
        why_nothing: Names an entry without blocks, as it is counted.
        session_of: Gives the session of an entry; "" if it names none.
        unit: What entries are counted as.
    """

    format: Format
    holders: tuple[JsonPath, ...]
    blocks_of: Callable[[JsonObject, Spot], Iterator[Block]]
    why_nothing: Callable[[JsonObject], str]
    session_of: Callable[[JsonObject], str] = _no_session
    unit: str = "messages"


class ListReader:
    """Reads lists of entries.

    Args:
        shape: How the lists are written.
    """

    def __init__(self, shape: ListShape) -> None:
        self._shape = shape
        self._lines: list[Block] = []
        self._runs: list[AgentRun] = []
        self._dropped: Counter[str] = Counter()
        self._total = 0
        self._session = ""

    def take(self, record: Record) -> None:
        """Take a document with a list, or a line with one entry."""
        path, entries = _listed(record.value, self._shape.holders)
        if not entries:
            blocks = self._blocks(record.value, record.chunk, ())
            self._lines.extend(blocks)
            self._session = self._session or self._shape.session_of(object_of(record.value))
            return
        blocks = [
            block
            for index, entry in enumerate(entries)
            for block in self._blocks(entry, record.chunk, (*path, index))
        ]
        sessions = (self._shape.session_of(object_of(entry)) for entry in entries)
        session = next(filter(None, sessions), "")
        self._runs.append(AgentRun(blocks=tuple(blocks), session=session, chunk=record.chunk))

    def recording(self) -> Recording:
        """The recording as far as it was taken."""
        lines = AgentRun(blocks=tuple(self._lines), session=self._session)
        return Recording(
            format=self._shape.format,
            runs=(*([lines] if self._lines else []), *self._runs),
            unit=self._shape.unit,
            total=self._total,
            dropped=dict(self._dropped),
        )

    def _blocks(self, value: JsonValue, chunk: Chunk, path: JsonPath) -> list[Block]:
        entry = object_of(value)
        self._total += 1
        found = list(
            self._shape.blocks_of(entry, Spot(chunk, path, f"{self._total}", unit=self._total))
        )
        if not found:
            self._dropped[self._shape.why_nothing(entry)] += 1
        return found
