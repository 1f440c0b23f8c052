"""What is wrong with a JSON text: its first fault, where it is, and where a broken item ends.

The fast parser only says yes or no; this scanner runs when it said no. It is iterative and looks
at each character once.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.trace.bytes import Parsed, lines, parse, parse_scanned
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.javascript import DECODER, JsonPath, whole_characters
from kpinspector.trace.place import after_space
from kpinspector.trace.printable import quoted

MAX_DEPTH: Final = 200
"""The most lists and objects inside each other, counting the outermost one."""

END_OF_FILE: Final = Phrase("the end of the file")

# a possessive group needs no memory for backtracking, but before 3.11.5 it can match too much
_MANY: Final = "*+" if sys.version_info >= (3, 11, 5) else "*"
_PLAIN = r'[^"\\\x00-\x1f\ud800-\udfff]*+'
_BODY = _PLAIN + r'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})' + _PLAIN + ")" + _MANY
_STRING_BODY = re.compile(_BODY)
_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:"
    r'(?P<string>"' + _BODY + r'")'
    r"|(?P<mark>[\[\]{},:])"
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+\-]))"
    r"|(?P<word>(?:true|false|null)(?!\w))"
    r"|(?P<end>\Z))"
)
_NUMBERS = re.compile(
    r"(?:[ \t\n\r]*+,[ \t\n\r]*+-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?![\w.+\-]))" + _MANY
)
_LOOSE = re.compile(r'"(?:[^"\\\n]|\\[^\n])' + _MANY + r'"|[\[\]{},]|[^"\[\]{},]++')
_NUMBER_LIKE = re.compile(r"[\w.+\-]*")
_WORD_LIKE = re.compile(r"\w+")
_BEHIND_WORD = 1000  # characters that show whether a word begins a secret
_ESCAPE_LIKE = re.compile(r"\\(?:u[0-9a-zA-Z]{0,4}|.)?", re.DOTALL)
_HALF = re.compile("\udced[\udca0-\udcbf][\udc80-\udcbf]")
_NAMES: Final = {'"': Phrase("a quotation mark"), "'": Phrase("an apostrophe")} | dict.fromkeys(
    "-0123456789", Phrase("a number")
)
_MOST_COMPARED: Final = 1000
_TOO_DEEP: Final = (
    Phrase("at most {most} levels inside each other", most=MAX_DEPTH),
    Phrase("one more"),
)

# what a scan may wait for; ``_AFTER`` tells for each which tokens may come, and the next state
_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _NEXT_ITEM, _NEXT_MEMBER, _DONE, _ENDED = (
    *("value", "first value", "key", "first key", "colon"),
    *("next item", "next member", "done", "ended"),
)
_VALUES: Final = {
    **dict.fromkeys(("string", "number", "word"), _ENDED),
    "{": _FIRST_KEY,
    "[": _FIRST_VALUE,
}
_AFTER: Final[dict[str, dict[str, str]]] = {
    _VALUE: _VALUES,
    _FIRST_VALUE: {**_VALUES, "]": _ENDED},
    _KEY: {"string": _COLON},
    _FIRST_KEY: {"string": _COLON, "}": _ENDED},
    _COLON: {":": _VALUE},
    _NEXT_ITEM: {",": _VALUE, "]": _ENDED},
    _NEXT_MEMBER: {",": _KEY, "}": _ENDED},
    _DONE: {},
}
# what follows each value in a list or object that has begun
_FIRST: Final = {_FIRST_VALUE: _NEXT_ITEM, _FIRST_KEY: _NEXT_MEMBER}
# tokens that end the scan: behind a whole text, or behind an item of a list
_BEHIND: Final = {(_DONE, "end"), (_NEXT_ITEM, ","), (_NEXT_ITEM, "]"), (_FIRST_VALUE, "]")}


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """The first place where a text breaks the rules of JSON as it is read here.

    ``path``: of the value that the fault is in or after. ``behind``: it follows a complete value,
    where a comma, a bracket or the end was expected.
    """

    offset: int
    path: JsonPath
    expected: str
    found: str
    behind: bool = False


@dataclass(frozen=True, slots=True)
class ListItem:
    """One item of a broken list; ``data`` is the text of a list with this item alone.

    ``parsed``: None for a broken item. ``stop``: the offset of the comma or bracket behind the
    item; None where a fault makes it unknown.
    """

    data: bytes
    parsed: Parsed | None
    fault: SyntaxFault | None
    stop: int | None


@dataclass(slots=True)
class _Open:
    """A list or object that is open; ``then``: what the scan waits for after a value in it."""

    then: str
    key: int = -1  # offset of the key of the member being read
    index: int = 0  # of the item being read


def first_fault(text: str, end: str = END_OF_FILE) -> SyntaxFault | None:
    """The first fault of a JSON text, or None; ``end``: what messages call the end of the text."""
    found = _Scanner(text, end).run(0)
    return found if isinstance(found, SyntaxFault) else None


def item_behind(text: str, sign: int, index: int, end: str) -> ListItem:
    """The item of a list behind offset ``sign``, that of the bracket or comma before the item.

    A broken item ends where its brackets balance.
    """
    start = sign + 1
    stop = next(loose_ends(text, start), None)
    data = b"[%b]" % text[start:stop].encode("utf-8", "surrogateescape")
    parsed = None if stop is None else parse(data)
    if parsed is not None:
        return ListItem(data, parsed, None, stop)
    found = _Scanner(text, end, _Open(_NEXT_ITEM, index=index)).run(start)
    if isinstance(found, SyntaxFault) and not found.behind:
        return ListItem(data, None, found, stop)
    last, fault = (found.offset, found) if isinstance(found, SyntaxFault) else (found, None)
    item = f"[{text[start:last]}]"
    return ListItem(item.encode(), parse_scanned(item), fault, None if fault else last)


def loose_ends(text: str, start: int) -> Iterator[int]:
    """Offsets of the commas behind a list's items and of its bracket, while brackets balance."""
    marks: list[str] = []
    position = start
    for token in _LOOSE.finditer(text, start):
        if token.start() != position:
            return
        position, mark = token.end(), text[position]
        if not marks and mark in ",]":
            yield token.start()
        if mark in "[{":
            marks.append(mark)
        elif mark in "]}" and (not marks or marks.pop() + mark not in {"[]", "{}"}):
            return


def is_broken_lines(data: bytes) -> bool:
    """Whether a text that is not JSON looks like JSON Lines with a fault in the first line.

    A document that spans several lines is sound up to a later line. JSON Lines fail on the first
    line, or where the second begins; and that line, or most of those behind, look like records.
    """
    found = list(islice(lines(data), _MOST_COMPARED + 1))
    texts = [data[one.start : one.end].decode("utf-8", "surrogateescape") for one in found]
    above = data[: found[1].start].decode("utf-8", "surrogateescape")
    fault = first_fault(above + texts[1])
    indent = len(texts[1]) - len(texts[1].lstrip())
    if fault is None or fault.offset > len(above) + indent:
        return False
    # whether a line is one list or object, judged by brackets and quotation marks alone
    looks = [
        text.startswith(("{", "[")) and next(loose_ends(f"{text},", 0), None) == len(text)
        for text in map(str.strip, texts)
    ]
    return looks[0] or (len(texts[0].strip()) > 1 and sum(looks) * 2 > len(looks) - 1)


class _Scanner:
    """The state of one scan: of a whole text, or of one item of a list that is open."""

    def __init__(self, text: str, end: str, around: _Open | None = None) -> None:
        self._text = text
        self._end = end
        self._open = [] if around is None else [around]
        self._outer = len(self._open)
        self._wants = _VALUE if around is None or around.index else _FIRST_VALUE

    def run(self, position: int) -> int | SyntaxFault:
        """Scan from an offset; returns the offset of the token behind the value, or a fault."""
        text, match, opened = self._text, _TOKEN.match, self._open
        while (token := match(text, position)) is not None:
            kind = token.lastgroup or ""
            begin, position = token.span(kind)
            sign = text[begin] if kind == "mark" else kind
            if len(opened) == self._outer and (self._wants, sign) in _BEHIND:
                return begin
            after = _AFTER[self._wants].get(sign)
            if after is None:
                return self._fault_at(begin)
            if after in _FIRST and len(opened) == MAX_DEPTH:
                return self._fault_at(begin, _TOO_DEEP)
            self._take(sign, begin, after)
            if self._wants is _NEXT_ITEM and len(opened) > self._outer:  # skip a run of numbers
                stop = _end_of(_NUMBERS, text, position)
                opened[-1].index += text.count(",", position, stop)
                position = stop
        return self._lexical_fault(after_space(text, position))

    def _take(self, sign: str, begin: int, after: str) -> None:
        if after is _ENDED:
            if sign in {"]", "}"}:
                self._open.pop()
            after = self._open[-1].then if self._open else _DONE
        elif after in _FIRST:
            self._open.append(_Open(_FIRST[after]))
        elif after is _COLON:
            self._open[-1].key = begin
        elif sign == ",":
            self._open[-1].index += 1
        self._wants = after

    def _fault_at(self, offset: int, words: tuple[str, str] | None = None) -> SyntaxFault:
        path = tuple(
            one.index if one.then is _NEXT_ITEM else self._key_text(one)
            for one in self._open[: -1 if self._wants in {_KEY, _FIRST_KEY} else None]
        )
        found = name_at(self._text, offset) if offset < len(self._text) else self._end
        expected, found = words or (self._expected(), found)
        behind = self._wants is _NEXT_ITEM and len(self._open) == 1
        return SyntaxFault(offset, path, expected, found, behind=behind)

    def _key_text(self, one: _Open) -> str:
        key: str = DECODER.raw_decode(self._text, one.key)[0]
        return whole_characters(key)

    def _expected(self) -> str:
        top = self._open[-1] if self._open else _Open(_DONE)
        key = quoted(self._key_text(top)) if top.key >= 0 else ""
        return {
            _VALUE: Phrase("a value for {key}", key=key) if key else Phrase("a value"),
            _FIRST_VALUE: Phrase('a value or "]"'),
            _KEY: Phrase("a key in quotation marks"),
            _FIRST_KEY: Phrase('a key in quotation marks or "{brace}"', brace="}"),
            _COLON: Phrase('":" after the key {key}', key=key),
            _NEXT_ITEM: Phrase('"," or "]"'),
            _NEXT_MEMBER: Phrase('"," or "{brace}" after the value of {key}', brace="}", key=key),
            _DONE: self._end,
        }[self._wants]

    def _lexical_fault(self, start: int) -> SyntaxFault:
        first = self._text[start]
        in_value = self._wants in {_VALUE, _FIRST_VALUE}
        if first != '"' or not (in_value or self._wants in {_KEY, _FIRST_KEY}):
            if not in_value or first not in "-+.0123456789":
                return self._fault_at(start)
            number = self._text[start : _end_of(_NUMBER_LIKE, self._text, start)]
            return self._fault_at(start, (Phrase("a number as JSON writes it"), quoted(number)))
        offset = _end_of(_STRING_BODY, self._text, start + 1)
        match self._text[offset : offset + 1]:
            case "":
                words = Phrase("a closing quotation mark"), self._end
            case "\r" | "\n":
                words = Phrase("a closing quotation mark"), Phrase("the end of the line")
            case "\\":
                escape = self._text[offset : _end_of(_ESCAPE_LIKE, self._text, offset)]
                known = Phrase('an escape that JSON knows, such as "\\n" or "\\u00e9"')
                words = known, quoted(escape)
            case bad:
                encoded = Phrase("text in a valid encoding")
                allowed = Phrase("a character that JSON allows in a text") if bad < " " else encoded
                words = allowed, name_at(self._text, offset)
        return self._fault_at(offset, words)


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start


def name_at(text: str, offset: int) -> str:
    """What stands at an offset, in words."""
    character = text[offset]
    if character.isalpha() or character == "_":
        end = _end_of(_WORD_LIKE, text, offset)
        word = masked_beginning(text[offset : end + _BEHIND_WORD], end - offset).removesuffix("…")
        return Phrase("the word {word}", word=quoted(word))
    if _HALF.match(text, offset):
        return Phrase("half of a character")
    if "\ud800" <= character <= "\udfff":  # a byte that is not UTF-8
        byte = f"0x{ord(character) & 0xFF:02X}"
        return Phrase("the byte {byte}, which is not UTF-8 here", byte=byte)
    if character.isprintable():
        return _NAMES.get(character, f'"{character}"')
    code = f"U+{ord(character):04X}"
    if character < "\xa0":
        return Phrase("the control character {code}", code=code)
    return Phrase("the character {code}", code=code)
