"""JSON as JavaScript writes it: ``JSON.stringify`` without an indent, and ``JSON.parse``."""

import re
from collections.abc import Iterable, Iterator
from json import JSONDecoder
from json.encoder import encode_basestring
from math import isfinite
from typing import Final

from kpinspector.trace.javascript import JsonObject, JsonValue, as_double, number_text, read_integer

_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_MOST_INDEX: Final = 2**32 - 2
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_WORDS: Final = {None: "null", True: "true", False: "false"}


def stringify(value: JsonValue) -> str:
    """The text that ``JSON.stringify`` gives (ECMAScript, SerializeJSONProperty).

    Numbers are doubles with their shortest digits, NaN and infinities are null, members whose
    names are array indexes come first, half a character is escaped.
    """
    return "".join(_pieces(value))


def parse(text: str) -> JsonValue:
    """The value that ``JSON.parse`` gives.

    Raises:
        ValueError: the text is no JSON.
    """
    value: JsonValue = _DECODER.decode(text)
    return value


def _pieces(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield _string(value)
        case None | bool():
            yield _WORDS[value]
        case int() | float():
            number = as_double(value)
            yield number_text(number) if isfinite(number) else "null"
        case list():
            yield "["
            for index, item in enumerate(value):
                yield from () if index == 0 else ","
                yield from _pieces(item)
            yield "]"
        case _:
            yield "{"
            for index, name in enumerate(_ordered(value)):
                yield f"{'' if index == 0 else ','}{_string(name)}:"
                yield from _pieces(value[name])
            yield "}"


def _string(text: str) -> str:
    """A string; of C0 controls, quotes and backslashes Python writes what JavaScript does."""
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", encode_basestring(text))


def _ordered(value: JsonObject) -> Iterable[str]:
    """The names in JavaScript's order of properties: indexes ascending, then as they came."""
    indexes = [name for name in value if _is_index(name)]
    if not indexes:
        return value
    return [*sorted(indexes, key=int), *(name for name in value if not _is_index(name))]


def _is_index(name: str) -> bool:
    return _INDEX.fullmatch(name) is not None and int(name) <= _MOST_INDEX


def _refuse(name: str) -> JsonValue:
    raise ValueError(name)


_DECODER: Final = JSONDecoder(parse_int=read_integer, parse_constant=_refuse)
