"""What a format says of itself, and what its reader is made of."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from typing_extensions import override

from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    BlockPlace,
    Chunk,
    Record,
    Recording,
    list_of,
    object_of,
    text_of,
)
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonObject, JsonValue


class Reader:
    """Takes the JSON texts of a recording one by one.

    Attributes:
        unit: What is counted: lines, messages, spans or the like.
        runs: The runs so far.
        total: How many units there were.
        dropped: How many of them made no step, by name.
        version: The version of the agent or format; "" if none is recorded.
    """

    unit = "lines"

    def __init__(self) -> None:
        self.runs: list[AgentRun] = []
        self.total = 0
        self.dropped: Counter[str] = Counter()
        self.version = ""

    def take(self, record: Record) -> None:
        """Take the next text."""
        raise NotImplementedError

    def counted(self, blocks: Iterable[Block], why_nothing: str) -> list[Block]:
        """The blocks of a unit, which is counted; one without any is counted as dropped."""
        found = list(blocks)
        self.total += 1
        if not found:
            self.dropped[why_nothing] += 1
        return found

    def recording(self) -> Recording:
        """The recording as far as it was taken."""
        return Recording(
            runs=tuple(self.runs),
            version=self.version,
            unit=self.unit,
            total=self.total,
            dropped=dict(self.dropped),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of recordings: all that the program knows of it.

    Attributes:
        id: What ``--as`` takes; reports have it, and the ids of traces depend on it.
        name: The name that people know.
        where: The folder in which the agent keeps its files; "" where its user chooses.
        tested: The versions that the tests cover.
        failure: By what a recording marks a result as failed.
        recognise: Whether a file with this beginning is of the format.
        missing: What a file lacks that is otherwise of the format; "" for any other file. Asked
            only of files that no format recognises.
        reader: Makes the reader of a file.
    """

    id: str
    name: str
    where: str = ""
    tested: tuple[str, ...]
    failure: str
    recognise: Callable[[FileHead], bool]
    missing: Callable[[FileHead], str]
    reader: Callable[[], Reader]


@dataclass(slots=True)  # not frozen, which would double what it costs to make one
class Spot:
    """The place of a message or a part of one, and what its blocks have in common.

    Attributes:
        of_span: Of a span: what stands within it has its place, and a text that was not captured
            makes an empty block.
    """

    chunk: Chunk
    path: JsonPath = ()
    answer: str = ""
    at: str = ""
    unit: int = 0
    of_span: bool = False

    def inside(self, *path: str | int) -> "Spot":
        """The spot of a member."""
        if self.of_span:
            return self
        return Spot(self.chunk, (*self.path, *path), self.answer, self.at, self.unit)

    def block(self, kind: BlockKind, text: str = "", **members: Any) -> Block:
        """Make a block at this spot."""
        said = kind in (BlockKind.TEXT, BlockKind.REASONING, BlockKind.CALL)
        return Block(
            kind=kind,
            place=BlockPlace(self.chunk, self.path),
            text=text,
            answer=self.answer if said else "",
            at=self.at,
            unit=self.unit,
            **members,
        )

    def call(self, tool: JsonValue, given: JsonValue, call_id: JsonValue) -> Block:
        """Make a call at this spot; a name or an id that is no text is none."""
        named = {"tool": text_of(tool), "call_id": text_of(call_id)}
        return self.block(BlockKind.CALL, input=given, **named)

    def result(self, text: str, call_id: JsonValue, **marks: bool) -> Block:
        """Make a result at this spot, which may be ``failed``, ``spared`` or ``hidden``."""
        return self.block(BlockKind.RESULT, text, call_id=text_of(call_id), **marks)

    def said(self, kind: BlockKind, texts: Iterable[tuple[JsonPath, str]]) -> Iterator[Block]:
        """Make a block for each text, at its path within this spot."""
        return (self.inside(*path).block(kind, text) for path, text in texts)

    def prompt(self, texts: list[tuple[JsonPath, str]]) -> Iterator[Block]:
        """Make one prompt of the texts, joined, at the path of the first."""
        if texts:
            text = "\n".join(text for _, text in texts)
            yield self.inside(*texts[0][0]).block(BlockKind.PROMPT, text)

    def others(self, names: Iterable[str]) -> Iterator[Block]:
        """Make a block for each part that makes no step."""
        return (self.block(BlockKind.OTHER, name) for name in names)


class EntryReader(Reader):
    """Reads lists of entries: alone, in a member of an object, or one entry a line.

    Attributes:
        holders: The paths of members that may hold the list.
    """

    unit = "messages"
    holders: tuple[JsonPath, ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[Block] = []
        self._session = ""

    def blocks_of(self, entry: JsonObject, spot: Spot) -> Iterator[Block]:
        """The blocks of an entry."""
        raise NotImplementedError

    def why_nothing(self, entry: JsonObject) -> str:
        """The name under which an entry without blocks is counted."""
        raise NotImplementedError

    def session_of(self, _entry: JsonObject) -> str:
        """The session of an entry; "" if it names none."""
        return ""

    @override
    def take(self, record: Record) -> None:
        path, entries = _listed(record.value, self.holders)
        if not entries:
            self._lines.extend(self._blocks(object_of(record.value), record.chunk, ()))
            self._session = self._session or self.session_of(object_of(record.value))
            return
        blocks = [
            block
            for index, entry in enumerate(entries)
            for block in self._blocks(object_of(entry), record.chunk, (*path, index))
        ]
        sessions = (self.session_of(object_of(entry)) for entry in entries)
        session = next(filter(None, sessions), "")
        self.runs.append(AgentRun(blocks=tuple(blocks), session=session, chunk=record.chunk))

    @override
    def recording(self) -> Recording:
        lines = AgentRun(blocks=tuple(self._lines), session=self._session)
        found = super().recording()
        return replace(found, runs=(lines, *found.runs)) if self._lines else found

    def _blocks(self, entry: JsonObject, chunk: Chunk, path: JsonPath) -> list[Block]:
        number = self.total + 1
        spot = Spot(chunk, path, str(number), unit=number)
        return self.counted(self.blocks_of(entry, spot), self.why_nothing(entry))


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
