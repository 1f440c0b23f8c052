"""The user's settings; and dataclasses as JSON files, checked when they are read."""

import json
import math
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from enum import Enum, StrEnum
from itertools import starmap
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from kpinspector.files import SETTINGS_FILE, read_own, write_own
from kpinspector.phrase import Phrase

CONTRIBUTE_THRESHOLD = 0.75
Kept = TypeVar("Kept")

_EXACT = 2**53  # up to here a double holds every integer


def bounded(default: Any, *, least: float = -math.inf, most: float = math.inf) -> Any:
    """A field whose number, or the length of whose list, lies between these bounds."""
    return field(default=default, metadata={"least": least, "most": most})


def unkept(default: Any) -> Any:
    """A field that is not written to the file."""
    return field(default=default, metadata={"kept": False})


def to_json(value: Any) -> bytes:
    """A dataclass as JSON, one member per line."""
    return json.dumps(_written(value), indent=2, ensure_ascii=False).encode() + b"\n"


def from_json(kind: type[Kept], data: bytes) -> Kept:
    """The dataclass from JSON that ``to_json`` wrote; unknown members are ignored.

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
    """A JSON value as a value of this type."""
    arms = get_args(kind)
    if arms and get_origin(kind) is tuple:
        return tuple(_read(arms[0], one) for one in _of(list, found))
    if get_origin(kind) is dict:
        return {_of(str, key): _read(arms[1], one) for key, one in _of(dict, found).items()}
    if arms:  # a union with None
        return None if found is None else _read(arms[0], found)
    if is_dataclass(kind):
        return _read_members(kind, _of(dict, found))
    if issubclass(kind, tuple):
        types = get_type_hints(kind).values()
        return kind(*starmap(_read, zip(types, _of(list, found), strict=True)))
    if kind is float and type(found) is int and abs(found) <= _EXACT:
        found = float(found)
    elif kind is int and isinstance(found, float) and found.is_integer():
        found = int(found)
    return kind(found) if issubclass(kind, Enum) else _of(kind, found)


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


def _of(kind: Any, found: Any) -> Any:
    if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
        raise ValueError(f"{type(found).__name__} where {kind.__name__} is expected")
    return found


class Theme(StrEnum):
    """Light, dark, or as the system says."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Mode(StrEnum):
    """Whether scoring uses and extends the memory, only uses it, or starts with an empty one."""

    REMEMBER = "remember"
    GUEST = "guest"
    FRESH = "fresh"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that are kept between two starts.

    Attributes:
        threshold: The least score that passes the score gate.
        max_elements: How many remembered traces, the newest ones, a new one is compared with.
        ttl_ms: How long remembered traces are compared with, in milliseconds; None for ever.
        guest: Score without writing to the memory.
        theme: How the window looks.
        restore_files: Open the files of the last session when the program starts.
        restore_window: Give the window the size and the columns of the last session.
    """

    version: int = bounded(1, least=1, most=1)
    threshold: float = bounded(CONTRIBUTE_THRESHOLD, least=0, most=1)
    max_elements: int = bounded(1000, least=1, most=1_000_000)
    ttl_ms: int | None = bounded(None, least=1, most=2**53)
    guest: bool = False
    theme: Theme = Theme.SYSTEM
    restore_files: bool = True
    restore_window: bool = True

    @property
    def mode(self) -> Mode:
        """The mode that applies unless the command line asks for another."""
        return Mode.GUEST if self.guest else Mode.REMEMBER


def load_settings(folder: Path) -> tuple[Settings, str | None]:
    """The saved settings, or the defaults with a sentence on why these could not be read."""
    path = folder / SETTINGS_FILE
    try:
        return from_json(Settings, read_own(path)), None
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        return Settings(), Phrase(
            "{path} could not be read ({reason}), so the default settings apply.",
            path=path,
            reason=error.strerror or error,
        )
    except ValueError:
        return Settings(), Phrase(
            "{path} could not be read, so the default settings apply.", path=path
        )


def save_settings(folder: Path, settings: Settings) -> None:
    """Write the settings.

    Raises:
        WriteError: the folder cannot be written to, or something else is in the file's place.
    """
    write_own(folder / SETTINGS_FILE, to_json(settings))
