"""Reads the bytes of a file as strict JSON, up to a limited size; writes values as JSON."""

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

from kpinspector.errors import KpError
from kpinspector.phrase import Phrase
from kpinspector.trace import javascript
from kpinspector.trace.javascript import JsonPath, JsonValue

MAX_BYTES: Final = 256 * 2**20
"""The largest size of a file, and of the contents of a gzipped file."""

WHITE_SPACE: Final = b" \t\r\n"

_GZIP: Final = b"\x1f\x8b"
_CHUNK: Final = 2**20
_UTF_16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_HALF_CHARACTER: Final = "\ud800"
_HEAD: Final = 2**16
_INK = re.compile(rb"[^ \t\r\n]")
_INFINITIES = re.compile(r'("(?:[^"\\]|\\.)*")|Infinity')


class RefusedError(KpError):
    """Bytes that cannot be read as text at all."""

    def __init__(self, message: str, expected: str, found: str) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Decoded:
    """UTF-8, maybe with invalid bytes; ``damage``: what ended gzip data too early, if anything."""

    data: bytes
    damage: str | None = None


class JsonLine(NamedTuple):
    """A line that is not blank: its number from 1, and its offsets without the line end."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value, and the paths of its texts that hold a lone surrogate."""

    value: JsonValue
    halves: tuple[JsonPath, ...] = ()


def decode(data: bytes) -> Decoded:
    """Undo gzip and UTF-16.

    Raises:
        RefusedError: too large, or gzip data with an error in it.
    """
    if len(data) > MAX_BYTES:
        raise too_large()
    if not data.startswith(_GZIP):
        return Decoded(_to_utf8(data))
    plain, damage = _gunzip(data)
    return Decoded(_to_utf8(plain), damage)


def may_be_json(head: bytes, *, complete: bool) -> bool:
    """Whether the first bytes of a file can begin a JSON list or object."""
    if head.startswith(_GZIP):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            head = unpacker.decompress(head, _HEAD)
        except zlib.error:
            return True
        complete = complete and not (unpacker.unconsumed_tail or unpacker.unused_data)
    text = _to_utf8(head).lstrip(WHITE_SPACE)
    return text.startswith((b"{", b"[")) if text else not complete


def too_large() -> RefusedError:
    """The error for more than `MAX_BYTES`."""
    size = f"{MAX_BYTES // 2**20} MiB"
    return RefusedError(
        Phrase("larger than {size}", size=size), Phrase("at most {size}", size=size), Phrase("more")
    )


def _to_utf8(data: bytes) -> bytes:
    """UTF-8; a lone surrogate, or half a unit at the end, becomes bytes that are not UTF-8."""
    encoding = _UTF_16.get(data[:2])
    if encoding is None:
        return data.removeprefix(codecs.BOM_UTF8)
    text = data[2 : len(data) // 2 * 2].decode(encoding, "surrogatepass")
    if len(data) % 2:
        text += _HALF_CHARACTER
    return text.encode("utf-8", "surrogatepass")


def _gunzip(data: bytes) -> tuple[bytes, str | None]:
    """Unpack all members in bounded pieces; also returns what is wrong at the end, if anything.

    A file that is cut off still gives what came before. An error within the data raises
    ``RefusedError``, as none of that data can be trusted.
    """
    out = bytearray()
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        try:
            while piece := file.read1(_CHUNK):
                out += piece
                if len(out) > MAX_BYTES:
                    raise too_large()
        except EOFError:
            return bytes(out), Phrase("the end of truncated gzip data")
        except (gzip.BadGzipFile, zlib.error) as error:
            if out and str(error).startswith("Not a gzipped file"):
                return bytes(out), Phrase("bytes behind the gzip data")
            size = f"{len(out):,}"
            found = Phrase(
                "an error in it after {offset} unpacked bytes ({error})", offset=size, error=error
            )
            message = Phrase("damaged gzip data: found {found}", found=found)
            raise RefusedError(message, Phrase("intact gzip data"), found) from error
    return bytes(out), None


def lines(data: bytes) -> Iterator[JsonLine]:
    """The lines that are not blank."""
    number = start = 0
    while start < len(data):
        number += 1
        stop = data.find(b"\n", start)
        stop = len(data) if stop < 0 else stop
        if data[start] > ord(" ") or _INK.search(data, start, stop):
            yield JsonLine(number, start, stop - (data[stop - 1] == ord("\r")))
        start = stop + 1


def parse(data: bytes) -> Parsed | None:
    """Parse one JSON text; None where the scanner has to tell what is wrong, if anything is.

    The text is put in brackets, which makes the parser's depth limit equal to the scanner's.
    """
    try:
        values = from_json(b"[%b]" % data, allow_inf_nan=False)
    except ValueError:
        return None
    if len(values) != 1:
        return None
    waiting: list[Any] = [values]
    while waiting:
        container = waiting.pop()
        members = container.items() if type(container) is dict else enumerate(container)
        for key, member in members:
            kind = type(member)
            if kind is dict or kind is list:
                waiting.append(member)
            elif kind is int and not -javascript.SAFE_INTEGER <= member <= javascript.SAFE_INTEGER:
                container[key] = javascript.held(member)
    return Parsed(values[0])


def parse_scanned(text: str) -> Parsed:
    """Parse a text without syntax faults that may hold lone surrogates."""
    value = javascript.DECODER.decode(text)
    return Parsed(value, tuple(_halves(value, ())))


def _halves(value: JsonValue, path: JsonPath) -> Iterator[JsonPath]:
    if isinstance(value, str) and javascript.whole_characters(value) != value:
        yield path
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _halves(item, (*path, index))
    elif isinstance(value, dict):
        for name, member in value.items():
            if javascript.whole_characters(name) != name:
                yield (*path, name)
            yield from _halves(member, (*path, name))


def encoded(
    value: JsonValue, *, indent: int | None = None, sort_keys: bool = False, compact: bool = False
) -> str:
    """A value as JSON that any parser reads; an infinity is written as ``1e999``."""
    separators = (",", ":") if compact else None
    text = json.dumps(
        value, ensure_ascii=False, indent=indent, sort_keys=sort_keys, separators=separators
    )
    return _with_infinities(text)


def encoded_head(value: JsonValue, limit: int) -> str:
    """The first ``limit`` + 1 characters of a value as indented JSON; the rest is not made."""
    parts, length = [], 0
    for part in json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(value):
        parts.append(_with_infinities(part))
        length += len(parts[-1])
        if length > limit:
            break
    return "".join(parts)[: limit + 1]


def _with_infinities(text: str) -> str:
    if "Infinity" not in text:
        return text
    return _INFINITIES.sub(lambda match: match[1] or "1e999", text)
