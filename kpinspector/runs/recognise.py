"""Recognises the format of a file by its beginning."""

from codecs import getincrementaldecoder
from dataclasses import dataclass
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.runs.archive import is_zip
from kpinspector.runs.formats import FORMATS, reader_of
from kpinspector.runs.run import Format, object_of
from kpinspector.runs.texts import HEAD, FileHead, head_of
from kpinspector.trace.bytes import lines
from kpinspector.trace.model import whole_characters
from kpinspector.trace.printable import shortened

_OURS = ("@type", "@context")
_SQLITE: Final = b"SQLite format 3\0"
_MOST_KEYS: Final = 3
_LONGEST_KEY: Final = 40


@dataclass(frozen=True, slots=True)
class Nearly:
    """A file that would be of a format but for what it lacks."""

    format: Format
    missing: str


def recognise(head: FileHead) -> Format | Nearly | None:
    """The format of a recording; None for any other file, such as a trace."""
    if is_ours(head):
        return None
    found = next((form for form in FORMATS if reader_of(form).recognise(head)), None)
    if found is not None:
        return found
    for form in FORMATS:
        missing = reader_of(form).missing(head)
        if missing:
            return Nearly(form, missing)
    return None


def is_ours(head: FileHead) -> bool:
    """Whether a file holds traces, data of the registry or a report of this program."""
    first = next(iter(head.objects), {})
    return (
        any(key in first for key in _OURS)
        or {"task", "steps"} <= first.keys()
        or first.get("format") == "kpinspector-report"
    )


def looks_like(data: bytes, *, is_json: bool) -> Phrase:
    """What a file of no known format looks like; some of it is JSON, or none is."""
    if is_json:
        return _json_look(data)
    if not data:
        return Phrase("an empty file")
    if is_zip(data):
        return Phrase("a zip file")
    if data.startswith(_SQLITE):
        return Phrase("an SQLite database")
    try:
        getincrementaldecoder("utf-8")().decode(data[:HEAD])
    except UnicodeDecodeError:
        return Phrase("data that are no text")
    return Phrase("data that are no text") if b"\0" in data[:HEAD] else Phrase("text")


def _json_look(data: bytes) -> Phrase:
    """Lines, a list or an object, with the first keys of its first object."""
    head, count = head_of(data), sum(1 for _ in lines(data))
    first = head.values[0] if head.values else None
    inner = first[0] if isinstance(first, list) and first else None
    keys = [
        shortened(whole_characters(key), _LONGEST_KEY)
        for key in list(next(iter(head.objects), object_of(inner)))[:_MOST_KEYS]
    ]
    if head.is_lines and count > 1:
        what = Phrase("{count} lines of JSON", count=f"{count:,}")
    elif isinstance(first, list):
        what = Phrase("a JSON list of objects") if keys else Phrase("a JSON list")
    else:
        what = Phrase("a JSON object")
    return Phrase("{what} with {keys}", what=what, keys=", ".join(keys)) if keys else what
