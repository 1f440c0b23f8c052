"""Bytes of a file to UTF-8: gzip undone, byte order marks gone, within a stated size."""

import codecs
import gzip
import io
import zlib
from dataclasses import dataclass
from typing import Final

from kpinspector.errors import KpError
from kpinspector.phrase import Phrase

MAX_BYTES: Final = 256 * 2**20
"""Of a file, and of what a gzipped file holds."""

WHITE_SPACE: Final = b" \t\r\n"

_GZIP: Final = b"\x1f\x8b"
_CHUNK: Final = 2**20
_UTF_16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_HALF_CHARACTER: Final = "\ud800"
_HEAD: Final = 2**16


class RefusedError(KpError):
    """Bytes that cannot be read as text at all.

    Attributes:
        expected: What was expected.
        found: What was found.
    """

    def __init__(self, message: str, expected: str, found: str) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Decoded:
    """UTF-8 without byte order mark; invalid bytes are left in for the scanner to find.

    Attributes:
        data: The bytes.
        damage: What stands where more gzip data, or the end, was expected; None if all is well.
    """

    data: bytes
    damage: str | None = None


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
    """Whether the first bytes of a file can begin a JSON list or object.

    Args:
        head: The first bytes, as they stand in the file.
        complete: Whether they are the whole file.
    """
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
    """The refusal of more than `MAX_BYTES`."""
    size = f"{MAX_BYTES // 2**20} MiB"
    return RefusedError(
        Phrase("larger than {size}", size=size),
        Phrase("at most {size}", size=size),
        Phrase("more"),
    )


def _to_utf8(data: bytes) -> bytes:
    encoding = _UTF_16.get(data[:2])
    if encoding is None:
        return data.removeprefix(codecs.BOM_UTF8)
    try:
        return data[2:].decode(encoding).encode()
    except UnicodeDecodeError:
        return _broken_utf16(data[2:], encoding)


def _broken_utf16(data: bytes, encoding: str) -> bytes:
    """Turn lone surrogates, and half a unit at the end, into bytes that the scanner finds."""
    text = data[: len(data) // 2 * 2].decode(encoding, "surrogatepass")
    if len(data) % 2:
        text += _HALF_CHARACTER
    return text.encode("utf-8", "surrogatepass")


def _gunzip(data: bytes) -> tuple[bytes, str | None]:
    """Unpack all members in bounded pieces; also gives what is wrong at the end, if anything.

    A file that is cut off still gives what came before; one with an error in its data does not,
    as nothing vouches for that data.
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
        except gzip.BadGzipFile as error:
            if out and str(error).startswith("Not a gzipped file"):
                return bytes(out), Phrase("bytes behind the gzip data")
            raise _damaged(len(out), error) from error
        except zlib.error as error:
            raise _damaged(len(out), error) from error
    return bytes(out), None


def _damaged(offset: int, error: Exception) -> RefusedError:
    found = Phrase(
        "an error in it after {offset} unpacked bytes ({error})", offset=f"{offset:,}", error=error
    )
    message = Phrase("damaged gzip data: found {found}", found=found)
    return RefusedError(message, Phrase("intact gzip data"), found)
