"""A strict JSON scanner that finds the first fault of a text, its place and what was expected.

The fast parser only says yes or no; this scanner runs when it said no. It is iterative and looks
at each character once.
"""

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from kpinspector.phrase import Phrase
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.javascript import DECODER, JsonPath
from kpinspector.trace.model import whole_characters
from kpinspector.trace.printable import quoted

MAX_DEPTH: Final = 200
"""Containers inside each other, counted from the outermost value of the text."""

END_OF_FILE: Final = Phrase("the end of the file")

# a possessive group needs no memory for the way back, but before 3.11.5 it can match too much
MANY: Final = "*+" if sys.version_info >= (3, 11, 5) else "*"
_PLAIN = r'[^"\\\x00-\x1f\ud800-\udfff]*+'
_BODY = _PLAIN + r'(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})' + _PLAIN + ")" + MANY
_SPACE = re.compile(r"[ \t\n\r]*+")
_STRING_BODY = re.compile(_BODY)
_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:"
    r'(?P<string>"' + _BODY + r'")'
    r"|(?P<mark>[\[\]{},:])"
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+\-]))"
    r"|(?P<word>(?:true|false|null)(?!\w))"
    r"|(?P<end>\Z))"
)
# items of a list that are passed over at once: none of them can be too great
_PLAIN_ITEMS = re.compile(
    r"(?:[ \t\n\r]*+,[ \t\n\r]*+(?:-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]+)?(?![\w.+\-])"
    r"|(?:true|false|null)(?!\w)|\{\}|\[\]))" + MANY
)
_NUMBER_LIKE = re.compile(r"[\w.+\-]*")
_WORD_LIKE = re.compile(r"\w+")
_BEHIND_WORD = 1000  # by which it is known for the beginning of a secret
_ESCAPE_LIKE = re.compile(r"\\(?:u[0-9a-zA-Z]{0,4}|.)?", re.DOTALL)
_HALF = re.compile("\udced[\udca0-\udcbf][\udc80-\udcbf]")
_CLOSING: Final = Phrase("a closing quotation mark")
_LONGEST_SHOWN: Final = 40
_NAMES: Final = {'"': Phrase("a quotation mark"), "'": Phrase("an apostrophe")} | dict.fromkeys(
    "-0123456789", Phrase("a number")
)

_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _NEXT, _DONE = range(7)


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """The first place where a text is not the JSON that is read here.

    Attributes:
        offset: In characters from the beginning of the text.
        path: The path of the value that the fault is in or after.
        holder: The path of the innermost value that was not complete at the fault.
        expected: In plain words.
        found: In plain words, bounded in length.
    """

    offset: int
    path: JsonPath
    holder: JsonPath
    expected: str
    found: str


@dataclass(slots=True)
class OpenContainer:
    """A container that is open.

    Attributes:
        start: Offset of its bracket.
        end: Offset after its last complete value, or after its bracket.
        is_object: Else it is a list.
        key: Offset of the key of the member being read, -1 before the first.
        index: How many commas were read.
    """

    start: int
    end: int
    is_object: bool
    key: int = -1
    index: int = 0


def first_fault(text: str, end: str = END_OF_FILE) -> SyntaxFault | None:
    """The first fault of a JSON text, or None; messages call its end ``end``."""
    return Scanner(text, end).run()


class Scanner:
    """The state of one scan; after a fault it can resume after the broken part.

    Attributes:
        text: All of it.
        frames: The containers that are open, the outermost first.
        position: The offset after what was read; after a fault, where the faulty token begins.
        root_end: The offset after the outermost value, once it is complete.
    """

    def __init__(self, text: str, end: str = END_OF_FILE) -> None:
        self.text = text
        self.frames: list[OpenContainer] = []
        self.position = 0
        self.root_end = 0
        self._end = end
        self._state = _VALUE
        self._fault: tuple[str, str] | None = None
        self._takes: tuple[Callable[[re.Match[str], str | None], bool], ...] = (
            self._take_value,
            self._take_first_value,
            self._take_key,
            self._take_first_key,
            self._take_colon,
            self._take_next,
            self._take_nothing,
        )

    @property
    def in_value(self) -> bool:
        """Whether the scanner expects a value to begin at its position."""
        return self._state in {_VALUE, _FIRST_VALUE}

    def run(self) -> SyntaxFault | None:
        """Scan on; returns the next fault, or None at the end of a complete text."""
        match = _TOKEN.match
        while True:
            token = match(self.text, self.position)
            if token is None:
                return self._lexical_fault()
            kind = token.lastgroup
            if kind == "end" and self._state == _DONE:
                return None
            if not self._takes[self._state](token, kind):
                self.position = token.start(kind or 0)
                return self._fault_at(self.position, self._fault)

    def resume(self, level: int, position: int) -> None:
        """Go on at ``position`` as if an item of the list ``frames[level]`` ended there."""
        del self.frames[level + 1 :]
        self._fault = None
        self._value_ends(position)

    def key_text(self, frame: OpenContainer) -> str:
        """The key of the member being read, its escapes resolved."""
        key: str = DECODER.raw_decode(self.text, frame.key)[0]
        return whole_characters(key)

    # What each state takes: True when the token was right there.

    def _take_value(self, token: re.Match[str], kind: str | None) -> bool:
        if kind == "mark":
            return self._container_begins(token)
        if kind == "end":
            return False
        self._value_ends(token.end())
        return True

    def _take_first_value(self, token: re.Match[str], kind: str | None) -> bool:
        return self._container_ends(token, kind, "]") or self._take_value(token, kind)

    def _take_key(self, token: re.Match[str], kind: str | None) -> bool:
        if kind != "string":
            return False
        self.frames[-1].key = token.start("string")
        self.position = token.end()
        self._state = _COLON
        return True

    def _take_first_key(self, token: re.Match[str], kind: str | None) -> bool:
        return self._container_ends(token, kind, "}") or self._take_key(token, kind)

    def _take_colon(self, token: re.Match[str], kind: str | None) -> bool:
        if kind != "mark" or token["mark"] != ":":
            return False
        self.position = token.end()
        self._state = _VALUE
        return True

    def _take_next(self, token: re.Match[str], kind: str | None) -> bool:
        frame = self.frames[-1]
        if self._container_ends(token, kind, "}" if frame.is_object else "]"):
            return True
        if kind != "mark" or token["mark"] != ",":
            return False
        if not frame.is_object and (end := _end_of(_PLAIN_ITEMS, self.text, self.position)) > (
            token.end()
        ):
            frame.index += self.text.count(",", self.position, end)
            self._value_ends(end)
            return True
        frame.index += 1
        self.position = token.end()
        self._state = _KEY if frame.is_object else _VALUE
        return True

    def _take_nothing(self, _token: re.Match[str], _kind: str | None) -> bool:
        return False

    def _container_begins(self, token: re.Match[str]) -> bool:
        mark = token["mark"]
        if mark not in "[{":
            return False
        if len(self.frames) >= MAX_DEPTH:
            most = Phrase("at most {most} levels inside each other", most=MAX_DEPTH)
            self._fault = (most, Phrase("one more"))
            return False
        self.position = token.end()
        self.frames.append(OpenContainer(self.position - 1, self.position, mark == "{"))
        self._state = _FIRST_KEY if mark == "{" else _FIRST_VALUE
        return True

    def _container_ends(self, token: re.Match[str], kind: str | None, mark: str) -> bool:
        if kind != "mark" or token["mark"] != mark:
            return False
        self.frames.pop()
        self._value_ends(token.end())
        return True

    def _value_ends(self, end: int) -> None:
        self.position = end
        if self.frames:
            self.frames[-1].end = end
            self._state = _NEXT
        else:
            self.root_end = end
            self._state = _DONE

    # Words for what went wrong.

    def _fault_at(self, offset: int, words: tuple[str, str] | None = None) -> SyntaxFault:
        expected, found = words or (self._expected(), self._found(offset))
        complete = self.frames if self.in_value else self.frames[:-1]
        concerned = self.frames if self._state in {_COLON, _NEXT} else complete
        return SyntaxFault(offset, self._path(concerned), self._path(complete), expected, found)

    def _path(self, frames: Iterable[OpenContainer]) -> JsonPath:
        return tuple(self.key_text(frame) if frame.is_object else frame.index for frame in frames)

    def _expected(self) -> str:
        frame = self.frames[-1] if self.frames else None
        key = quoted(self.key_text(frame)) if frame and frame.key >= 0 else ""
        in_object = frame is not None and frame.is_object
        after = Phrase('"," or "{brace}" after the value of {key}', brace="}", key=key)
        return {
            _VALUE: Phrase("a value for {key}", key=key) if in_object else Phrase("a value"),
            _FIRST_VALUE: Phrase('a value or "]"'),
            _KEY: Phrase("a key in quotation marks"),
            _FIRST_KEY: Phrase('a key in quotation marks or "{brace}"', brace="}"),
            _COLON: Phrase('":" after the key {key}', key=key),
            _NEXT: after if in_object else Phrase('"," or "]"'),
            _DONE: self._end,
        }[self._state]

    def _found(self, offset: int) -> str:
        return name_at(self.text, offset) if offset < len(self.text) else self._end

    def _lexical_fault(self) -> SyntaxFault:
        self.position = start = _end_of(_SPACE, self.text, self.position)
        first = self.text[start]
        takes_key = self._state in {_KEY, _FIRST_KEY}
        if first == '"' and (self.in_value or takes_key):
            return self._string_fault(start)
        if self.in_value and first in "-+.0123456789":
            number = self.text[start : _end_of(_NUMBER_LIKE, self.text, start)]
            written = Phrase("a number as JSON writes it")
            return self._fault_at(start, (written, _shown_number(number)))
        return self._fault_at(start)

    def _string_fault(self, start: int) -> SyntaxFault:
        offset = _end_of(_STRING_BODY, self.text, start + 1)
        bad = self.text[offset : offset + 1]
        if not bad:
            return self._fault_at(offset, (_CLOSING, self._end))
        if bad in "\r\n":
            return self._fault_at(offset, (_CLOSING, Phrase("the end of the line")))
        if bad == "\\":
            escape = self.text[offset : _end_of(_ESCAPE_LIKE, self.text, offset)]
            known = Phrase('an escape that JSON knows, such as "\\n" or "\\u00e9"')
            return self._fault_at(offset, (known, quoted(escape)))
        if bad < " ":
            allowed = Phrase("a character that JSON allows in a text")
            return self._fault_at(offset, (allowed, name_at(bad, 0)))
        valid = Phrase("text in a valid encoding")
        return self._fault_at(offset, (valid, name_at(self.text, offset)))


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start)
    return match.end() if match else start


def _shown_number(number: str) -> str:
    if len(number) <= _LONGEST_SHOWN:
        return quoted(number)
    digits = sum(character.isdigit() for character in number)
    return Phrase("a number of {digits} digits", digits=f"{digits:,}")


def name_at(text: str, offset: int) -> str:
    """What stands at an offset, in words."""
    character = text[offset]
    if character.isalpha() or character == "_":
        end = _end_of(_WORD_LIKE, text, offset)
        word = masked_beginning(text[offset : end + _BEHIND_WORD], end - offset).removesuffix("…")
        return Phrase("the word {word}", word=quoted(word))
    if "\ud800" <= character <= "\udfff":
        return _named_bad_bytes(text, offset)
    if character.isprintable():
        return _NAMES.get(character, f'"{character}"')
    code = f"U+{ord(character):04X}"
    if character < "\xa0":
        return Phrase("the control character {code}", code=code)
    return Phrase("the character {code}", code=code)


def _named_bad_bytes(text: str, offset: int) -> str:
    """Bytes that are no UTF-8 came through decoding as U+DC80 to U+DCFF."""
    if _HALF.match(text, offset):
        return Phrase("half of a character")
    byte = f"0x{ord(text[offset]) & 0xFF:02X}"
    return Phrase("the byte {byte}, which is not UTF-8 here", byte=byte)
