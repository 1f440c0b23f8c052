"""The fast, strict JSON parser; it does not say what is wrong with a text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

from kpinspector.trace.javascript import DECODER, SAFE_INTEGER, JsonPath, held
from kpinspector.trace.model import JsonValue, whole_characters


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value, and the paths of its texts that hold a lone surrogate."""

    value: JsonValue
    halves: tuple[JsonPath, ...] = ()


def parse(data: bytes) -> Parsed | None:
    """Parse one JSON text; None where only the scanner can tell what is wrong, if anything is.

    One more pair of brackets makes the parser's depth limit equal to the scanner's.
    """
    try:
        values = from_json(b"[%b]" % data, allow_inf_nan=False)
    except ValueError:
        return None
    if len(values) != 1:
        return None
    _hold_integers(values)
    return Parsed(values[0])


def parse_scanned(text: str) -> Parsed:
    """Parse a text that the scanner found nothing wrong with, maybe with lone surrogates."""
    value = DECODER.decode(text)
    return Parsed(value, tuple(path[1:] for path in _halves([value])))


def _hold_integers(values: list[Any]) -> None:
    """Replace each integer that JavaScript would round by its double."""
    waiting: list[Any] = [values]
    while waiting:
        container = waiting.pop()
        members = container.items() if type(container) is dict else enumerate(container)
        for key, member in members:
            kind = type(member)
            if kind is dict or kind is list:
                waiting.append(member)
            elif kind is int and not -SAFE_INTEGER <= member <= SAFE_INTEGER:
                container[key] = held(member)


def _halves(container: Any, path: JsonPath = ()) -> Iterator[JsonPath]:
    """The path of each text or key with a lone surrogate."""
    members: Iterable[tuple[str | int, Any]]
    members = container.items() if type(container) is dict else enumerate(container)
    for key, member in members:
        inner = (*path, key)
        if isinstance(key, str) and _has_half(key):
            yield inner
        if type(member) is str:
            if _has_half(member):
                yield inner
        elif type(member) in (dict, list):
            yield from _halves(member, inner)


def _has_half(text: str) -> bool:
    return whole_characters(text) != text
