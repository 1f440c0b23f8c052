"""Numbers in exported JSON, which cannot name those that are not finite."""

from math import inf, isfinite, nan
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from kpinspector.trace.javascript import number_text

_NAMES: Final = {number_text(number): number for number in (inf, -inf, nan)}


def _read(value: Any) -> Any:
    return _NAMES.get(value, value) if isinstance(value, str) else value


def _written(number: float) -> float | str:
    return number if isfinite(number) else number_text(number)


Number: TypeAlias = Annotated[
    float,
    BeforeValidator(_read),
    PlainSerializer(_written, when_used="json"),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"enum": list(_NAMES)}]}),
]
"""A double; ``Infinity``, ``-Infinity`` and ``NaN`` are written as JavaScript's names for them."""
