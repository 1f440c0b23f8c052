"""Texts as the SDK's tokenizer takes them, for one that has other tables of characters.

Both follow BERT's normaliser: control characters go, Chinese is set apart, accents go, letters
become small. The SDK does it in JavaScript, on halves of characters (UTF-16) and by the Unicode
tables of its Node; the bundled tokenizer on whole characters and by older tables. So each character
on which they differ becomes one that both take alike, and Chinese is set apart here.

Where the figures come from: the SDK's tokenizer (transformers.js 3.8.1) on Node 20.20.2, thus
Unicode 17, was held against the ``tokenizers`` library, version 0.23.3, code point by code point.
Ranges of code points are hexadecimal.
"""

import re
from bisect import bisect_right
from functools import cache
from typing import Final

_LETTER: Final = 0x10380  # a letter that no vocabulary has: the word around it becomes unknown
_MARK: Final = 0x0301  # an accent; both drop it
_PUNCTUATION: Final = 0x2E2A  # a token of its own, and unknown
_NOTHING: Final = 0x200B  # both drop it, and a sigma looks past it
_UNCASED: Final = ord("中")
_CASED: Final = ord("a")

# A symbol and two marks that take room: parts of their word, to older tables none.
_LETTERS: Final = "166D 1734 1171E"
# Marks of Unicode 17 that older tables do not know as such.
_MARKS: Final = """
07FD 0890-0891 0897-089F 08CA-08E2 09FE 0AFA-0AFF 0B55 0C04 0C3C 0D00 0D3B-0D3C 0D81 0EBA 0ECE 180F
1885-1886 1ABF-1ADD 1AE0-1AEB 1DF6-1DFB A82C A8C5 A8FF A9BD 10D24-10D27 10D69-10D6D 10EAB-10EAC
10EFA-10EFF 10F46-10F50 10F82-10F85 11070 11073-11074 110C2 110CD 111C9 111CF 1123E 11241 1133B
113BB-113C0 113CE 113D0 113D2 113E1-113E2 11438-1143F 11442-11444 11446 1145E 1182F-11837
11839-1183A 1193B-1193C 1193E 11943 119D4-119D7 119DA-119DB 119E0 11A01-11A0A 11A33-11A38
11A3B-11A3E 11A47 11A51-11A56 11A59-11A5B 11A8A-11A96 11A98-11A99 11B60 11B62-11B64 11B66
11C30-11C36 11C38-11C3D 11C3F 11C92-11CA7 11CAA-11CB0 11CB2-11CB3 11CB5-11CB6 11D31-11D36 11D3A
11D3C-11D3D 11D3F-11D45 11D47 11D90-11D91 11D95 11D97 11EF3-11EF4 11F00-11F01 11F36-11F3A 11F40
11F42 11F5A 13430-13440 13447-13455 1611E-16129 1612D-1612F 16F4F 16FE4 1CF00-1CF2D 1CF30-1CF46
1E000-1E006 1E008-1E018 1E01B-1E021 1E023-1E024 1E026-1E02A 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF
1E4EC-1E4EF 1E5EE-1E5EF 1E6E3 1E6E6 1E6EE-1E6EF 1E6F5 1E944-1E94A
"""
# Punctuation of Unicode 17 that older tables do not know as such; the vocabulary has none of it.
_PUNCTUATIONS: Final = """
061D 09FD 0A76 0C77 0C84 1B4E-1B4F 1B7D-1B7F 2E43-2E4F 2E52-2E5D 10D6E 10EAD 10ED0 10F55-10F59
10F86-10F89 113D4-113D5 113D7-113D8 1144B-1144F 1145A-1145B 1145D 11660-1166C 116B9 1183B
11944-11946 119E2 11A3F-11A46 11A9A-11A9C 11A9E-11AA2 11B00-11B09 11BE1 11C41-11C45 11C70-11C71
11EF7-11EF8 11F43-11F4F 11FFF 12FF1-12FF2 16D6D-16D6F 16E97-16E9A 16FE2 1E5FF 1E95E-1E95F
"""
# Control, private-use and replacement characters and lone halves, which the SDK drops at once.
_NOTHINGS: Final = (
    "0000-0008 000B 000C 000E-001F 007F-009F D800-DFFF E000-F8FF FFFD F0000-FFFFD 100000-10FFFD"
)

# What a sigma sees of its neighbours in Unicode 17, where Python's tables may be older.
_SEEN_UNCASED: Final = "0295 1171E"
_SEEN_CASED: Final = """
1C89-1C8A A7CB-A7CF A7D2 A7D4 A7DA-A7DC 10D50-10D65 10D70-10D85 16EA0-16EB8 16EBB-16ED3 1DF25-1DF2A
"""
_NOT_SEEN: Final = """
A7F1 10D4E 10D6F 10EC5 11DD9 16D40-16D42 16D6B-16D6C 16FF2-16FF3 1E030-1E06D 1E4EB 1E6FF
"""

_SIGMA: Final = "\u03a3"
# Halves of a character are no Chinese to the SDK: an ideograph beyond 16 bits stays in its word.
_CHINESE: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


class _Characters(dict[int, int]):
    """A table for ``str.translate`` from ranges; it holds the code points that were asked for."""

    def __init__(self, rows: dict[str, int]) -> None:
        super().__init__()
        bounds = []
        for ranges, meant in rows.items():
            for one in ranges.split():
                first, _, last = one.partition("-")
                bounds.append((int(first, 16), int(last or first, 16), meant))
        self._bounds = sorted(bounds)
        self._firsts = [first for first, _, _ in self._bounds]

    def __missing__(self, code: int) -> int:
        _, last, meant = self._bounds[bisect_right(self._firsts, code) - 1]
        found = self[code] = meant if code <= last else code
        return found


@cache
def _alike() -> _Characters:
    return _Characters(
        {_LETTERS: _LETTER, _MARKS: _MARK, _PUNCTUATIONS: _PUNCTUATION, _NOTHINGS: _NOTHING}
    )


@cache
def _around_a_sigma() -> _Characters:
    return _Characters(
        {"0000": 0, "0130": ord("i"), _SEEN_UNCASED: _UNCASED, _SEEN_CASED: _CASED}
        | {_NOT_SEEN: _MARK}
    )


def alike(text: str) -> str:
    """The text in characters that both tokenizers take alike, each in its place.

    A piece of a text may be given as well as the whole, but for one with a capital sigma.
    """
    if text.isascii():
        return text
    return _small_sigmas(text.translate(_alike()))


def has_sigma(text: str) -> bool:
    """Whether a text has a letter whose small form depends on what stands around it."""
    return _SIGMA in text


def set_apart(text: str) -> str:
    """The text with a space on each side of each Chinese character."""
    return text if text.isascii() else _CHINESE.sub(r" \g<0> ", text)


def offset_before(spaced: str, offset: int) -> int:
    """Where an offset into what ``set_apart`` gave lies in the text that it was given."""
    if spaced.isascii():
        return offset
    spaces_before = len(_CHINESE.findall(spaced, 0, offset + 1))
    spaces_behind = len(_CHINESE.findall(spaced, 0, max(0, offset - 1)))
    return offset - spaces_before - spaces_behind


def _small_sigmas(text: str) -> str:
    """Write each capital sigma as the small letter that it is at the end of a word, or inside.

    The SDK lower-cases whole strings, where that rule applies; the tokenizer lower-cases
    character by character, where it cannot.
    """
    if not has_sigma(text):
        return text
    lowered = text.translate(_around_a_sigma()).lower()
    return "".join(
        small if letter == _SIGMA else letter for letter, small in zip(text, lowered, strict=True)
    )
