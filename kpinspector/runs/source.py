"""Reads the text of one step from its recording."""

from dataclasses import dataclass, field
from pathlib import Path

from kpinspector.errors import KpError
from kpinspector.runs.archive import DamagedError, recorded
from kpinspector.runs.read import RunRecord
from kpinspector.runs.run import BlockPlace
from kpinspector.runs.texts import closed
from kpinspector.trace.bytes import decode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.javascript import DECODER, JsonPath
from kpinspector.trace.model import JsonObject
from kpinspector.trace.place import locate, offset_of
from kpinspector.trace.read import load
from kpinspector.trace.step_source import StepSource


@dataclass(frozen=True, slots=True)
class RunPlace:
    """The place of a step in a recording.

    Attributes:
        path: The path of the file.
        place: The place within the file.
        raw: The trace that was made of the run; another object once the file is read again.
    """

    path: str
    place: BlockPlace
    raw: JsonObject = field(repr=False, compare=False)


def run_place(record: RunRecord, step: int | None) -> RunPlace | None:
    """The place of a step, or of the objective; None if no objective is recorded."""
    mapped = record.imported.mapped
    place = mapped.prompt if step is None else mapped.places[step]
    return None if place is None else RunPlace(record.source.path, place, record.trace.raw)


def read_source(place: RunPlace) -> StepSource:
    """The text of a step; none if the file cannot be read any more, or is another one by now."""
    chunk = place.place.chunk
    try:
        found = load(FoundFile(Path(place.path), place.path, named=True))
        text = closed(recorded(decode(found).data, chunk)).decode()
        if not _has(text, place.place.path):
            return StepSource()
        begin = offset_of(text, place.place.path)
        end = DECODER.raw_decode(text, begin)[1]
        first = chunk.line - 1 + locate(text, place.place.path)[0]
    except (OSError, ValueError, KpError, DamagedError):
        return StepSource()
    return StepSource(tuple(line.rstrip("\r") for line in text[begin:end].split("\n")), first)


def _has(text: str, path: JsonPath) -> bool:
    """Whether a text is one JSON value that has a value at the path."""
    value, end = DECODER.raw_decode(text)
    for part in path:
        inside = isinstance(value, dict if isinstance(part, str) else list)
        if not inside or (part not in value if isinstance(part, str) else part >= len(value)):
            return False
        value = value[part]
    return not text[end:].strip()
