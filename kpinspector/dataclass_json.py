"""Keeps frozen dataclasses as JSON between two starts; every member is checked on reading."""

import json
import math
from collections.abc import Sequence
from dataclasses import MISSING, Field, field, fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Kept = TypeVar("Kept")

_EXACT = 2**53  # every integer up to here is a double


def bounded(default: Any, *, least: float = -math.inf, most: float = math.inf) -> Any:
    """A field whose number, or the length of whose list, lies between these bounds."""
    return field(default=default, metadata={"least": least, "most": most})


def unkept(default: Any) -> Any:
    """A field that is not written."""
    return field(default=default, metadata={"kept": False})


def to_json(value: Any) -> bytes:
    """A dataclass as JSON, one member per line."""
    return json.dumps(_written(value), indent=2, ensure_ascii=False).encode() + b"\n"


def from_json(kind: type[Kept], data: bytes) -> Kept:
    """Read the dataclass that was written; unknown members are ignored.

    Raises:
        ValueError: no JSON, or a member that its field cannot hold.
    """
    try:
        members = json.loads(data, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    found: Kept = _read(kind, members)
    return found


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _written(value: Any) -> Any:
    if is_dataclass(value):
        return {one.name: _written(getattr(value, one.name)) for one in _kept_fields(value)}
    if isinstance(value, tuple):
        return [_written(one) for one in value]
    return value


def _kept_fields(kind: Any) -> list[Field[Any]]:
    return [one for one in fields(kind) if one.metadata.get("kept", True)]


def _read(kind: Any, found: Any) -> Any:
    """The value that was found, as this type."""
    arms = get_args(kind)
    if get_origin(kind) is tuple:
        return tuple(_read(arms[0], one) for one in _of(list, found))
    if get_origin(kind) is dict:
        return {_of(str, key): _read(arms[1], one) for key, one in _of(dict, found).items()}
    if arms:  # a type, or None
        return None if found is None else _read(arms[0], found)
    if is_dataclass(kind):
        return _read_members(kind, _of(dict, found))
    if issubclass(kind, tuple):
        return _read_row(kind, _of(list, found))
    return kind(found) if issubclass(kind, Enum) else _read_plain(kind, found)


def _read_members(kind: Any, found: dict[str, Any]) -> Any:
    types, members = get_type_hints(kind), {}
    for one in _kept_fields(kind):
        if one.name in found:
            members[one.name] = _within(one, _read(types[one.name], found[one.name]))
        elif one.default is MISSING and one.default_factory is MISSING:
            raise ValueError(f"{one.name} is missing")
    return kind(**members)


def _within(of: Field[Any], value: Any) -> Any:
    size = len(value) if isinstance(value, tuple) else value
    least, most = of.metadata.get("least", -math.inf), of.metadata.get("most", math.inf)
    if of.metadata and size is not None and not least <= size <= most:
        raise ValueError(f"{of.name} is not within {least} and {most}")
    return value


def _read_row(kind: Any, found: Sequence[Any]) -> Any:
    types = get_type_hints(kind).values()
    return kind(*(_read(one, value) for one, value in zip(types, found, strict=True)))


def _read_plain(kind: Any, found: Any) -> Any:
    if kind is float and type(found) is int and abs(found) <= _EXACT:
        return float(found)
    if kind is int and isinstance(found, float) and found.is_integer():
        return int(found)
    return _of(kind, found)


def _of(kind: Any, found: Any) -> Any:
    if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
        raise ValueError(f"{type(found).__name__} where {kind.__name__} is expected")
    return found
