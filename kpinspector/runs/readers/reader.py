"""The description of a format, and the parts from which readers are made."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.rules import as_content, is_spared
from kpinspector.runs.run import (
    AgentRun,
    Block,
    BlockKind,
    BlockPlace,
    Chunk,
    DropName,
    Record,
    Recording,
)
from kpinspector.runs.texts import FileHead, list_of, object_of, objects_of, text_of, value_of
from kpinspector.trace.javascript import JsonObject, JsonPath, JsonValue
from kpinspector.trace.printable import on_one_line, shortened

_LONGEST: Final = 100
_ANSWERED: Final = (BlockKind.TEXT, BlockKind.REASONING, BlockKind.CALL)
_MEDIA: Final = (
    dict.fromkeys(("image", "image_url", "imageUrl", "input_image"), DropName.IMAGE)
    | {"computer_screenshot": DropName.IMAGE}
    | dict.fromkeys(("audio", "audio_url", "input_audio"), DropName.SOUND)
    | dict.fromkeys(("video", "video_url", "input_video"), DropName.VIDEO)
    | dict.fromkeys(("file", "input_file", "document", "container_upload"), DropName.FILE)
)


class Reader:
    """Takes the JSON texts of a recording one by one, and collects its fields.

    ``held``: the blocks of a session's main run, under "", and of its sub-agents, under their keys.
    ``ended``: the keys of those that have ended. ``runs``: all other runs.
    """

    unit = "lines"

    def __init__(self) -> None:
        self.runs: list[AgentRun] = []
        self.held: defaultdict[str, list[Block]] = defaultdict(list)
        self.ended: set[str] = set()
        self.total = 0
        self.dropped: Counter[str] = Counter()
        self.version = self.session = ""

    def take(self, record: Record) -> None:
        """Take the next text."""
        raise NotImplementedError

    def counted(self, blocks: Iterable[Block], why_nothing: str) -> list[Block]:
        """Count a unit and return its blocks; a unit without blocks is also counted as dropped."""
        found = list(blocks)
        self.total += 1
        if not found:
            self.dropped[why_nothing] += 1
        return found

    def recording(self) -> Recording:
        """The recording from the texts taken so far."""
        held = (
            run_of(key, blocks, self.session, ended=key in self.ended)
            for key, blocks in self.held.items()
        )
        runs, dropped = (*self.runs, *held), dict(self.dropped)
        total, version = self.total, self.version
        return Recording(runs=runs, version=version, unit=self.unit, total=total, dropped=dropped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format of recordings: all that the program knows about it.

    Attributes:
        id: The name for ``--as`` and in reports; the ids of traces depend on it.
        where: The folder in which the agent keeps its files; "" where its user chooses one.
        failure: How a recording marks a result as failed.
        lacks: What a file with this beginning lacks to be of the format: "" for nothing, None for
            a file that is not even nearly one.
        is_general: Files of other formats have its marks, too, so it is tried last.
        package: The package that adds it, with its version; "" for a format of ours.
    """

    id: str
    name: str
    where: str = ""
    files: str = "*.jsonl"
    tested: tuple[str, ...]
    failure: str
    lacks: Callable[[FileHead], str | None]
    reader: Callable[[], Reader]
    is_general: bool = False
    package: str = ""

    @property
    def about(self) -> str:
        """Its name, where it comes from, and the versions that it was tested with."""
        origin = Phrase("from the package {name}", name=self.package)
        return Phrase(
            "{name}, {origin}, tested: {versions}",
            name=self.name,
            origin=origin if self.package else Phrase("built in"),
            versions=", ".join(self.tested),
        )


@dataclass(slots=True)  # frozen would take twice as long to make
class Spot:
    """A value of a recording with its place, and the fields that blocks made from it get.

    ``of_span``: spots within it get the place of its span, and a text that was not captured makes
    an empty block.
    """

    value: Any
    chunk: Chunk
    path: JsonPath = ()
    answer: str = ""
    at: str = ""
    unit: int = 0
    of_span: bool = False

    @classmethod
    def of(cls, record: Record) -> "Spot":
        """The spot of a whole JSON text."""
        return cls(record.value, record.chunk)

    def get(self, *path: str | int) -> JsonValue:
        """The value at a path within this value; None if there is none."""
        value = self.value
        for part in path:
            value = value.get(part) if isinstance(value, dict) else value_of(value, part)
        found: JsonValue = value
        return found

    def text(self, *path: str | int) -> str:
        """The value at a path if it is a string, else ""."""
        found = self.get(*path)
        return found if isinstance(found, str) else ""

    def has(self, *names: str) -> bool:
        """Whether the value is an object with all these members."""
        return isinstance(self.value, dict) and self.value.keys() >= {*names}

    def inside(self, *path: str | int) -> "Spot":
        """The spot of the value at a path."""
        return self.with_value(self.get(*path), *path)

    def with_value(self, value: Any, *path: str | int) -> "Spot":
        """The spot at a path, with another value in place of the recorded one."""
        place = self.path if self.of_span else (*self.path, *path)
        return Spot(value, self.chunk, place, self.answer, self.at, self.unit, self.of_span)

    def each(self, *path: str | int) -> Iterator["Spot"]:
        """The spots of the items of a list."""
        for index, item in enumerate(list_of(self.value, *path)):
            yield self.with_value(item, *path, index)

    def texts(self) -> list["Spot"]:
        """The spots of the non-blank texts of a message, which is a text or a list of parts."""
        if isinstance(self.value, list):
            found = [part.with_value(part.get("text")) for part in self.each()]
        else:
            found = [self]
        return [one for one in found if one.text().strip()]

    def block(self, kind: BlockKind, text: str = "", **members: Any) -> Block:
        """Make a block at this spot."""
        said = kind in _ANSWERED
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
        """Make a call at this spot; a name or an id that is not a text becomes ""."""
        named = {"tool": text_of(tool), "call_id": text_of(call_id)}
        return self.block(BlockKind.CALL, input=given, **named)

    def result(self, said: JsonValue, call_id: JsonValue, **marks: bool) -> Block:
        """Make a result from any content; ``marks``: ``failed``, ``spared``, ``hidden``."""
        text = content_text(said)
        marks["spared"] = marks.get("spared") or (marks.get("failed", False) and is_spared(text))
        return self.block(BlockKind.RESULT, text, call_id=text_of(call_id), **marks)

    def said(self, kind: BlockKind) -> Iterator[Block]:
        """Make a block of each text that is not blank."""
        return (one.block(kind, one.value) for one in self.texts())

    def other(self, name: str = "") -> Block:
        """Make a block that makes no step: of a medium, or of a part under the name of its type."""
        found = object_of(self.value)
        kind = text_of(found.get("type"))
        name = name or _MEDIA.get(kind) or kind or " ".join(found) or DropName.NO_TYPE
        return self.block(BlockKind.OTHER, name)

    def media(self, *path: str | int) -> Iterator[Block]:
        """Make a block of each image, file and the like in the content at a path."""
        return (self.other(name) for name in media_in(self.get(*path)))

    def others(self, *path: str | int) -> Iterator[Block]:
        """Make a block of each part that is no text in the list at a path."""
        for part in list_of(self.get(*path)):
            if not isinstance(part, str) and not isinstance(object_of(part).get("text"), str):
                yield self.with_value(part).other()


def prompt(texts: list[Spot]) -> Iterator[Block]:
    """Make one prompt from all texts, joined, at the place of the first."""
    if texts:
        yield texts[0].block(BlockKind.PROMPT, "\n".join(one.text() for one in texts))


class Chain:
    """Lines that each name the line before them, and may branch.

    The run consists of the lines that lead to the last line.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._lines: list[tuple[int, list[Block]]] = []
        self._run: list[Block] | None = []
        self._beside = 0

    def add(self, own: str, before: JsonValue, blocks: list[Block]) -> None:
        """Add a line; without an id, or with an unknown line before it, it follows the last one."""
        last = len(self._lines) - 1
        follows = -1 if own and before is None else self._numbers.get(text_of(before), last)
        self._lines.append((follows, blocks))
        self._numbers[own] = last + 1
        if follows != last:
            self._run = None
        elif self._run is not None:
            self._run += blocks

    def run(self) -> tuple[list[Block], int]:
        """The blocks of the run, and how many lines with blocks are on other branches."""
        if self._run is None:
            self._beside = sum(bool(blocks) for _, blocks in self._lines)
            at, found = len(self._lines) - 1, list[list[Block]]()
            while at >= 0:
                at, blocks = self._lines[at]
                found.append(blocks)
                self._beside -= bool(blocks)
            self._run = [block for blocks in reversed(found) for block in blocks]
        return self._run, self._beside


class EntryReader(Reader):
    """Reads lists of entries: a list alone, in a member of an object, or one entry a line.

    ``blocks`` returns the blocks of an entry, ``why_nothing`` the name under which an entry without
    blocks is counted. ``holders``: the paths of members that may hold the list; "*" is any name.
    ``session``: the member of an entry, or of the object around the list, with the session's id.
    """

    def __init__(
        self,
        blocks: Callable[[Spot], Iterator[Block]],
        why_nothing: Callable[[Spot], str],
        holders: tuple[JsonPath, ...] = (),
        unit: str = "messages",
        session: str = "",
    ) -> None:
        super().__init__()
        self.unit = unit
        self._blocks_of, self._why_nothing = blocks, why_nothing
        self._holders, self._named = holders, session
        self._lines: list[Block] = []

    @override
    def take(self, record: Record) -> None:
        listed, whole = _listed(record.value, self._holders), Spot.of(record)
        if not listed:
            self._lines.extend(self._blocks(whole))
            self.session = self.session or whole.text(self._named)
        for number, (path, entries) in enumerate(listed):
            blocks = [block for entry in whole.each(*path) for block in self._blocks(entry)]
            named = (text_of(one, self._named) for one in (record.value, *entries))
            session, key = next(filter(None, named), ""), "/".join(map(str, path)) * (number > 0)
            run = AgentRun(blocks=tuple(blocks), session=session, key=key, chunk=record.chunk)
            self.runs.append(run)

    @override
    def recording(self) -> Recording:
        found, runs, refused = super().recording(), [], []
        lines = AgentRun(blocks=tuple(self._lines), session=self.session)
        for run in (lines, *self.runs) if self._lines else self.runs:
            parts = {one.text for one in run.blocks if one.kind is BlockKind.OTHER} - {*DropName}
            if parts and not any(one.kind in _ANSWERED for one in run.blocks):
                refused.append((run.blocks[0].place.chunk, not_known(parts)))
            else:
                runs.append(run)
        return replace(found, runs=tuple(runs), refused=tuple(refused))

    def _blocks(self, entry: Spot) -> list[Block]:
        entry.unit = self.total + 1
        entry.answer = str(entry.unit)
        return self.counted(self._blocks_of(entry), self._why_nothing(entry))


def not_known(parts: Iterable[str]) -> Phrase:
    """Why a list of messages is refused: it has only unknown parts, with these names."""
    named = shortened(on_one_line(", ".join(sorted(parts))), _LONGEST)
    return Phrase("a list of messages whose parts are not known: {parts}", parts=named)


def run_of(key: str, blocks: Iterable[Block], session: str, *, ended: bool = False) -> AgentRun:
    """The main run of a session if ``key`` is "", or the run of the sub-agent with that key."""
    name = Phrase("sub-agent {key}", key=key) if key else ""
    run = AgentRun(blocks=tuple(blocks), session=session, key=key, name=name, ended=ended)
    return replace(run, is_sub_agent=bool(key))


Lacks: TypeAlias = Callable[[JsonObject], str | None]


def by_object(lacks: Lacks) -> Callable[[FileHead], str | None]:
    """A ``Format.lacks`` that applies ``lacks`` to the first objects; "" of any one is enough."""
    return lambda head: _lacking(map(lacks, head.objects))


def by_entry(lacks: Lacks, *holders: JsonPath) -> Callable[[FileHead], str | None]:
    """A ``Format.lacks`` that applies ``lacks`` to the first entries of lists, or to the lines."""

    def of_head(head: FileHead) -> str | None:
        lists = [_listed(value, holders) or [((), [value])] for value in head.values]
        found = (object_of(one) for listed in lists for _, entries in listed for one in entries)
        return _lacking(map(lacks, filter(None, found)))

    return of_head


def _lacking(each: Iterable[str | None]) -> str | None:
    found = list(each)
    return "" if "" in found else next(filter(None, found), None)


def _listed(
    value: JsonValue, holders: tuple[JsonPath, ...]
) -> list[tuple[JsonPath, list[JsonValue]]]:
    """The lists in a value, each with its path: those of the first holder that has any."""
    for holder in ((), *holders):
        paths = [holder]
        if "*" in holder:  # "*" is any name
            at = holder.index("*")
            names = object_of(value, *holder[:at])
            paths = [(*holder[:at], name, *holder[at + 1 :]) for name in names]
        found = [(path, list_of(value, *path)) for path in paths]
        if any(entries for _, entries in found):
            return [one for one in found if one[1]]
    return []


def media_in(content: JsonValue) -> list[str]:
    """The names of the images, files and the like in a result."""
    parts = content if isinstance(content, list) else [content]
    kinds = (text_of(object_of(part).get("type")) for part in parts)
    return [_MEDIA[kind] for kind in kinds if kind in _MEDIA]


def medium(mime_type: JsonValue) -> DropName:
    """The name under which a file of a type such as image/png is counted."""
    return _MEDIA.get(text_of(mime_type).partition("/")[0], DropName.FILE)


def joined_text(content: JsonValue) -> str:
    """A message as one text; the texts of several parts are joined by newlines."""
    if isinstance(content, str):
        return content
    texts = (part.get("text") for part in objects_of(content))
    return "\n".join(text for text in texts if isinstance(text, str))


def moment(time: JsonValue, parts: int = 1) -> str:
    """A time as text: as recorded, or from a number of 1/``parts`` s since 1970; "" for others."""
    if isinstance(time, bool) or not isinstance(time, int | float):
        return text_of(time)
    try:
        return datetime.fromtimestamp(time / parts, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def content_text(content: JsonValue) -> str:
    """A result as text: its parts joined by newlines, any other JSON value written compactly.

    Images, files and the like have no text.
    """
    if not isinstance(content, list):
        return "" if content is None or media_in(content) else as_content(content)
    parts = [part for part in content if not media_in(part)]
    texts = [_part_text(part) for part in parts]
    if content and texts.count(None) == len(content):
        return as_content(content)
    said = zip(parts, texts, strict=True)
    return "\n".join(as_content(part) if text is None else text for part, text in said)


def _part_text(part: JsonValue) -> str | None:
    found = object_of(part)
    is_part = "type" in found or found.keys() == {"text"}
    text = found.get("logs" if found.get("type") == "logs" else "text")
    return text if is_part and isinstance(text, str) else None


def exit_code(found: JsonObject, name: str) -> int | float:
    """The exit code of a command, by its name in ``metadata``; 0 if there is none."""
    code = value_of(found, "metadata", name)
    return code if isinstance(code, int | float) else 0
