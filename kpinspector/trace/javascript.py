"""JavaScript's conversions of JSON values, and its JSON: the SDK checks no types.

The rules are those of ECMAScript: ToBoolean, ToString, ToNumber, SameValueZero, and those of
``JSON.stringify`` and ``JSON.parse``. A missing value is ``ABSENT``, JavaScript's ``undefined``.
"""

import re
from collections.abc import Hashable, Mapping
from decimal import Decimal
from enum import Enum
from json import JSONDecoder
from json.encoder import encode_basestring
from math import inf, isfinite, isinf, isnan, nan
from typing import Final, TypeAlias

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]
JsonPath: TypeAlias = tuple[str | int, ...]
MaybeValue: TypeAlias = "JsonValue | Absent"
_SAFE_DIGITS: Final = 15  # every integer with so many digits fits in a double
SAFE_INTEGER: Final = 2**53
WHITE_SPACE: Final = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INFINITY = re.compile(r"(?P<sign>[+-]?)Infinity")
_BASES: Final = {
    "0x": (16, re.compile("[0-9a-fA-F]+")),
    "0o": (8, re.compile("[0-7]+")),
    "0b": (2, re.compile("[01]+")),
}
OBJECT_MEMBERS: Final = frozenset(
    (
        *("constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"),
        *("propertyIsEnumerable", "toLocaleString", "__proto__", "__defineGetter__"),
        *("__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
    )
)
"""Names that every JavaScript object has; for these task domains the SDK finds no weights."""
_LEAST_PLAIN, _FIRST_WITH_EXPONENT = 1e-6, 1e21
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_MOST_INDEX: Final = 2**32 - 2


class Absent(Enum):
    """The type of ``ABSENT``."""

    ABSENT = "undefined"


ABSENT: Final = Absent.ABSENT

_WORDS: Final = {ABSENT: "undefined", None: "null", True: "true", False: "false"}


class NoPrimitiveError(ValueError):
    """JavaScript would throw: an object's own member ``toString`` prevents making a text of it."""


def whole_characters(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no file and no database would take."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def member(value: MaybeValue, name: str) -> MaybeValue:
    """A member of any value that is not null; ``ABSENT`` for a value that is no object."""
    return value.get(name, ABSENT) if isinstance(value, dict) else ABSENT


def truthy(value: MaybeValue) -> bool:
    """JavaScript's truth: ``[]``, ``{}`` and ``"false"`` are true; 0, "" and null are not."""
    return isinstance(value, (list, dict)) or (value is not ABSENT and bool(value))


def as_text(value: MaybeValue) -> str:
    """The text of a value in a template literal.

    Raises:
        NoPrimitiveError: it holds an object that no text can be made of.
    """
    match value:
        case str():
            return value
        case Absent() | None | bool():
            return _WORDS[value]
        case int() | float():
            return number_text(as_double(value))
        case list():
            return joined(value, ",")
    if "toString" in value:
        raise NoPrimitiveError
    return "[object Object]"


def joined(values: list[JsonValue], separator: str) -> str:
    """The text that ``Array.join`` gives; null becomes an empty text."""
    return separator.join("" if value is None else as_text(value) for value in values)


def as_number(value: MaybeValue) -> float:
    """The number of a value in arithmetic; NaN where there is none."""
    match value:
        case Absent():
            return nan
        case None:
            return 0.0
        case bool() | int() | float():
            return as_double(value)
    return _number_of_text(as_text(value))


def as_double(value: float) -> float:
    """The double that JavaScript holds for a JSON number."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def number_text(number: float) -> str:
    """A double as JavaScript prints it: with the fewest digits that identify it."""
    if isnan(number):
        return "NaN"
    if isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    shortest = Decimal(repr(number)).normalize()
    if _LEAST_PLAIN <= abs(number) < _FIRST_WITH_EXPONENT:
        return f"{shortest:f}"
    return f"{shortest:e}" if number else "0"


def set_key(value: MaybeValue) -> Hashable:
    """A key under which a ``Set`` holds a value: objects and lists by identity."""
    match value:
        case bool():
            return ("boolean", value)
        case int() | float():
            return ("number", as_double(value))
        case list() | dict():
            return ("object", id(value))
    return (type(value).__name__, value)


def read_integer(digits: str) -> int | float:
    """An integer of a JSON text; a double where it has more digits than a double holds."""
    if len(digits) <= _SAFE_DIGITS:
        return int(digits)
    return held(int(digits)) if len(digits) <= 2 * _SAFE_DIGITS else float(digits)


def held(number: int) -> int | float:
    """The integer itself up to ``SAFE_INTEGER``, else the nearest double."""
    return number if -SAFE_INTEGER <= number <= SAFE_INTEGER else as_double(number)


DECODER: Final = JSONDecoder(parse_int=read_integer)
"""Decodes JSON that is known to be valid, its numbers as JavaScript reads them."""


def _number_of_text(text: str) -> float:
    text = text.strip(WHITE_SPACE)
    if not text:
        return 0.0
    if _DECIMAL.fullmatch(text):
        return float(text)
    if infinite := _INFINITY.fullmatch(text):
        return -inf if infinite["sign"] == "-" else inf
    base, digits = _BASES.get(text[:2].lower(), (10, None))
    if digits is not None and digits.fullmatch(text, 2):
        return as_double(int(text[2:], base))
    return nan


def stringify(value: JsonValue) -> str:
    """The text that ``JSON.stringify`` gives (ECMAScript, SerializeJSONProperty).

    Numbers are doubles with their shortest digits, NaN and infinities are null, members whose
    names are array indexes come first, half a character is escaped.
    """
    match value:
        case str():
            # Python escapes C0 controls, quotes and backslashes as JavaScript does
            text = encode_basestring(value)
            return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
        case None | bool():
            return _WORDS[value]
        case int() | float():
            number = as_double(value)
            return number_text(number) if isfinite(number) else "null"
        case list():
            return f"[{','.join(map(stringify, value))}]"
    # JavaScript's order of properties: indexes ascending, then as they were added
    first = [one for one in value if _INDEX.fullmatch(one) and int(one) <= _MOST_INDEX]
    ordered = dict.fromkeys((*sorted(first, key=int), *value)) if first else value
    members = [f"{stringify(name)}:{stringify(value[name])}" for name in ordered]
    return f"{{{','.join(members)}}}"


def parse(text: str) -> JsonValue:
    """The value that ``JSON.parse`` gives.

    Raises:
        ValueError: the text is no JSON.
    """
    value: JsonValue = _PARSER.decode(text)
    return value


def _refuse(name: str) -> JsonValue:
    raise ValueError(name)


_PARSER: Final = JSONDecoder(parse_int=read_integer, parse_constant=_refuse)
