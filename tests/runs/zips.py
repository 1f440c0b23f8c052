"""Zips that the tests make themselves, sound ones and such as say what is not so."""

import json
import struct
import sys
import zlib
from collections.abc import Mapping

__all__ = ["DEFLATED", "STORED", "ZSTD", "log_of", "member", "packed", "zipped", "zstd"]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STORED, DEFLATED, ZSTD = 0, 8, 93


def packed(plain: bytes, method: int = DEFLATED) -> bytes:
    """The data of a member."""
    if method == DEFLATED:
        deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        return deflate.compress(plain) + deflate.flush()
    return zstd.compress(plain) if method == ZSTD else plain


def member(name: str | bytes, plain: bytes = b"", method: int = DEFLATED, **said) -> dict:
    """A member; ``said`` is what the directory says instead of what is so."""
    data = said.pop("data", packed(plain, method))
    sound = {
        "name": name.encode() if isinstance(name, str) else name,
        "data": data,
        "flags": 0x800,
        "method": method,
        "crc": zlib.crc32(plain),
        "packed": len(data),
        "size": len(plain),
        "offset": None,
    }
    return {**sound, **said}


def zipped(*members: dict) -> bytes:
    """A zip of these members."""
    body, directory = bytearray(), bytearray()
    for one in members:
        offset = len(body) if one["offset"] is None else one["offset"]
        facts = struct.pack(
            "<HHHHHIII",
            20,
            one["flags"],
            one["method"],
            0,
            0x21,
            one["crc"],
            one["packed"],
            one["size"],
        )
        name = one["name"]
        body += b"PK\x03\x04" + facts + struct.pack("<HH", len(name), 0) + name + one["data"]
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + facts
        directory += struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, offset) + name
    counted = struct.pack("<HHHHIIH", 0, 0, *[len(members)] * 2, len(directory), len(body), 0)
    return bytes(body + directory + b"PK\x05\x06" + counted)


def log_of(samples: Mapping[str, object], header: object, method: int = DEFLATED) -> bytes:
    """A log of Inspect's: the samples first, the header last."""
    made = [
        member(f"samples/{name}.json", json.dumps(value).encode(), method)
        for name, value in samples.items()
    ]
    summed = member("summaries.json", b"[]", method)
    return zipped(*made, summed, member("header.json", json.dumps(header).encode(), method))
