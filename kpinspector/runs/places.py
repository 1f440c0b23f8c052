"""Finds the lines and bytes of each step within a document.

In JSON Lines the place of a step is that of its line. A document is as long as its file, so each
step is looked up in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from kpinspector.runs.archive import DamagedError, is_zip, unpacked
from kpinspector.runs.rules import Mapped
from kpinspector.runs.run import BlockPlace, Chunk
from kpinspector.runs.texts import closed
from kpinspector.trace.javascript import DECODER, JsonPath
from kpinspector.trace.place import Lines, offsets_of

_ERRORS: Final = "surrogateescape"


def located(made: Sequence[Mapped], data: bytes) -> list[Mapped]:
    """The same runs with the place of each step in its document; JSON Lines are left unchanged."""
    paths: dict[Chunk, set[JsonPath]] = {}
    for run in made:
        for place in run.places if run.prompt is None else (run.prompt, *run.places):
            paths.setdefault(place.chunk, set()).add(place.path)
    if not paths:
        return list(made)
    found = {
        chunk: dict(_spots(text, chunk, paths[chunk])) for chunk, text in _documents(data, paths)
    }

    def with_spot(place: BlockPlace) -> BlockPlace:
        return replace(place, spot=found.get(place.chunk, {}).get(place.path))

    return [
        replace(
            run, prompt=run.prompt and with_spot(run.prompt), places=(*map(with_spot, run.places),)
        )
        for run in made
    ]


def _documents(data: bytes, chunks: Mapping[Chunk, set[JsonPath]]) -> Iterator[tuple[Chunk, bytes]]:
    """The documents of a file: the members of a zip, or the whole file."""
    if is_zip(data):
        members = {chunk.member: chunk for chunk in chunks}
        with suppress(DamagedError):
            for name, member in unpacked(data, members.__contains__):
                if not isinstance(member, DamagedError):
                    yield members[name], member
    elif len(chunks) == 1:
        (chunk,) = chunks
        around = data[: chunk.start] + data[chunk.end :]
        if data and not around.strip():
            yield chunk, closed(data[chunk.start : chunk.end])


def _spots(data: bytes, chunk: Chunk, paths: set[JsonPath]) -> Iterator[tuple[JsonPath, Chunk]]:
    """Where the value at each path begins and ends; none if the text cannot be parsed."""
    text = data.decode("utf-8", _ERRORS)
    try:
        begins = offsets_of(text, paths)
        values = sorted(
            (begin, DECODER.raw_decode(text, begin)[1], path) for path, begin in begins.items()
        )
    except (ValueError, RecursionError):
        return
    marks = sorted({offset for begin, end, _ in values for offset in (begin, end)})
    byte_at = dict(zip(marks, _in_bytes(text, marks), strict=True))
    lines = Lines(text, chunk.line)
    for begin, end, path in values:
        start, stop = chunk.start + byte_at[begin], chunk.start + byte_at[end]
        yield path, Chunk(lines.at(begin)[0], start, stop, chunk.member)


def _in_bytes(text: str, offsets: Sequence[int]) -> Iterator[int]:
    """Ascending offsets in characters as offsets in bytes."""
    if text.isascii():
        yield from offsets
        return
    at = size = 0
    for offset in offsets:
        size += len(text[at:offset].encode("utf-8", _ERRORS))
        at = offset
        yield size
