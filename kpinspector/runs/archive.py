"""Reads zip files that hold recordings: their directory, and the bytes of their members.

The standard library reads only the directory. Members are unpacked here, so that none gives
more bytes than its size says, and all together no more than a file may have: a few bytes of a
hostile member could unpack to any size.
"""

import io
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from kpinspector.phrase import Phrase
from kpinspector.runs.run import Chunk
from kpinspector.trace.bytes import MAX_BYTES

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

ZIP: Final = b"PK"
"""The first bytes of a zip file."""
_MOST_LISTED: Final = 2**24  # bytes of a zip's directory
_MOST_FRAMES: Final = 1000  # decoding a frame copies all bytes behind it
_STORED, _DEFLATED, _ZSTD = 0, 8, 93
_ENCRYPTED: Final = 1
_DESCRIBED_BEHIND: Final = 8  # flag: the sizes are stored behind the data
_UTF_8: Final = 0x800
_MOST_MEMBERS: Final = 2**18
# a member's header: signature, flags, method, checksum, both sizes, lengths of name and extra
_LOCAL = struct.Struct("<4s2xHH4xIIIHH")
_LOCAL_SIGNATURE: Final = b"PK\x03\x04"
# exceptions of the standard library for hostile directories
_DIRECTORY_ERRORS: Final = (
    zipfile.BadZipFile,
    NotImplementedError,
    ValueError,
    OSError,
    EOFError,
    OverflowError,
    struct.error,
)


class DamagedError(Exception):
    """A zip, or a member of one, that cannot be unpacked; ``found``: what was found instead."""

    def __init__(self, found: Phrase) -> None:
        super().__init__(found)
        self.found = found


class CutOffError(DamagedError):
    """A zip that ends before its directory: within ``member``, or between two if that is ""."""

    def __init__(self, member: str) -> None:
        super().__init__(Phrase("the end of the file"))
        self.member = member


class _Bounded:
    """A file that refuses to read more bytes at once than a zip's directory may have."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.close = file.seek, file.tell, file.close

    def read(self, size: int = -1) -> bytes:
        """Read up to ``size`` bytes."""
        if size > _MOST_LISTED:
            raise zipfile.BadZipFile("a directory larger than any")
        return self._file.read(size)

    def seekable(self) -> bool:
        """Whether the file can seek: always."""
        return True


def listed(file: BinaryIO) -> dict[str, zipfile.ZipInfo]:
    """The members of a zip by name, in order; of several with one name, the last.

    Raises:
        DamagedError: the directory cannot be read.
    """
    try:
        with zipfile.ZipFile(_Bounded(file)) as archive:
            return {info.filename: info for info in archive.infolist()}
    except _DIRECTORY_ERRORS as error:
        raise DamagedError(Phrase("no intact directory ({error})", error=str(error))) from error


def names_in(file: BinaryIO) -> tuple[str, ...]:
    """The names of a zip's members; without a directory, those of the complete ones."""
    return tuple(_members(file)[0])


def _members(file: BinaryIO) -> tuple[dict[str, zipfile.ZipInfo], DamagedError | None]:
    """The members by the zip's directory; or by their own headers, and the directory's fault."""
    try:
        return listed(file), None
    except DamagedError as error:
        found: dict[str, zipfile.ZipInfo] = {}
        size = file.seek(0, io.SEEK_END)
        for info, end in _headers(file):
            if end > size:
                return found, CutOffError(info.filename)
            found[info.filename] = info
        return found, error


def _headers(file: BinaryIO) -> Iterator[tuple[zipfile.ZipInfo, int]]:
    """Members by the headers before their data, each with the offset behind that data.

    In a file that is cut off, the last member ends behind the end of the file; its name is empty if
    its header is cut off. The search stops at a header that lacks the length of its data.
    """
    start = 0
    for _ in range(_MOST_MEMBERS):
        file.seek(start)
        header = file.read(_LOCAL.size)
        if len(header) < _LOCAL.size:
            yield zipfile.ZipInfo(""), start + _LOCAL.size
            return
        if not header.startswith(_LOCAL_SIGNATURE):
            return
        _, flags, method, crc, packed, plain, name, extra = _LOCAL.unpack(header)
        if flags & _DESCRIBED_BEHIND:
            return
        encoding = "utf-8" if flags & _UTF_8 else "cp437"
        info = zipfile.ZipInfo(file.read(name).decode(encoding, "replace"))
        info.header_offset, info.flag_bits, info.compress_type = start, flags, method
        info.CRC, info.compress_size, info.file_size = crc, packed, plain
        start += _LOCAL.size + name + extra + packed
        yield info, start


def unpacked(
    data: bytes, wanted: Callable[[str], bool]
) -> Iterator[tuple[str, bytes | DamagedError]]:
    """The wanted members in order, each as its bytes or the error it cannot be unpacked for.

    Raises:
        CutOffError: the file ends too early; all complete members were yielded before.
        DamagedError: the directory cannot be read; members found without it were yielded before.
    """
    left = MAX_BYTES
    members, damage = _members(io.BytesIO(data))
    for name, info in members.items():
        if not wanted(name):
            continue
        try:
            member = _unpack(data, info, left)
        except DamagedError as error:
            left -= info.file_size if info.file_size <= left else 0  # a larger one is not unpacked
            yield name, error
            continue
        left -= len(member)
        yield name, member
    if damage is not None:
        raise damage


def recorded(data: bytes, chunk: Chunk) -> bytes:
    """The bytes of a JSON text, in a file or in a member of a zip.

    Raises:
        DamagedError: the member cannot be unpacked.
    """
    if not chunk.member:
        return data[chunk.start : chunk.end]
    info = _members(io.BytesIO(data))[0].get(chunk.member)
    if info is None:
        raise DamagedError(Phrase("no such member"))
    return _unpack(data, info, MAX_BYTES)[chunk.start : chunk.end]


def _unpack(data: bytes, info: zipfile.ZipInfo, most: int) -> bytes:
    """The bytes of a member, checked against the size and the checksum in the directory."""
    if info.file_size > most:
        size = f"{MAX_BYTES // 2**20} MiB"
        raise DamagedError(Phrase("more than {size} when it is unpacked", size=size))
    if info.flag_bits & _ENCRYPTED:
        raise DamagedError(Phrase("encrypted data"))
    start = info.header_offset
    header = data[start : start + _LOCAL.size] if start >= 0 else b""
    if len(header) < _LOCAL.size or not header.startswith(_LOCAL_SIGNATURE):
        raise DamagedError(Phrase("no member where the directory says"))
    begin = start + _LOCAL.size + sum(_LOCAL.unpack(header)[-2:])  # behind name and extra
    packed = data[begin : begin + info.compress_size]
    try:
        plain, is_whole = _plain(packed, info.compress_type, info.file_size + 1)
    except (zlib.error, ZstdError, EOFError, ValueError) as error:
        raise DamagedError(Phrase("an error in its data ({error})", error=str(error))) from error
    if not is_whole or len(plain) != info.file_size:
        raise DamagedError(Phrase("another size than the directory says"))
    if zlib.crc32(plain) != info.CRC:
        raise DamagedError(Phrase("other data than the directory's check sum says"))
    return plain


def _plain(packed: bytes, method: int, most: int) -> tuple[bytes, bool]:
    """At most ``most`` unpacked bytes, and whether these are all."""
    if method == _STORED:
        return packed[:most], True
    if method == _DEFLATED:
        inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        return inflate.decompress(packed, most), inflate.eof
    if method == _ZSTD:
        return _frames(packed, most)
    said = Phrase("compression method {method}, which is not read", method=str(method))
    raise DamagedError(said)


def _frames(packed: bytes, most: int) -> tuple[bytes, bool]:
    """All frames of Zstandard data; a streaming writer may write several."""
    plain, frames = bytearray(), 0
    while packed and len(plain) < most:
        frames += 1
        if frames > _MOST_FRAMES:
            raise DamagedError(Phrase("more frames than any writer makes"))
        frame = ZstdDecompressor()
        plain += frame.decompress(packed, max_length=most - len(plain))
        if not frame.eof:
            return bytes(plain), False
        packed = frame.unused_data
    return bytes(plain), not packed
