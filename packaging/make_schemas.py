"""Write the JSON Schema of a report into ``resources/``, from its types."""

import json
from dataclasses import is_dataclass
from enum import StrEnum
from inspect import getdoc
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from kpinspector.files import resources, write_atomic
from kpinspector.scoring.report.report import Report
from kpinspector.scoring.report.written import SCHEMA_FILE, told_members

_SIMPLE: dict[object, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"anyOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity", "NaN"]}]},
    NoneType: {"type": "null"},
}


class _Schema:
    """Collects the definitions that a type needs."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """What JSON holds a value of this type."""
        arguments = get_args(kind)
        match get_origin(kind):
            case origin if origin in (Union, UnionType):
                return {"anyOf": [*map(self.of, arguments)]}
            case origin if origin is Literal:
                return {"enum": list(arguments)}
            case origin if origin is tuple:
                return self._list(arguments)
            case origin if origin is dict:
                return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if kind in _SIMPLE:
            return _SIMPLE[kind]
        if kind.__name__ not in self.definitions:
            self.definitions[kind.__name__] = {}
            self.definitions[kind.__name__] = self._named(kind)
        return {"$ref": f"#/$defs/{kind.__name__}"}

    def _list(self, arguments: tuple[Any, ...]) -> dict[str, Any]:
        first, *others = arguments
        bounds = {} if others == [...] else dict.fromkeys(("minItems", "maxItems"), len(arguments))
        return {"type": "array", "items": self.of(first), **bounds}

    def _named(self, kind: type) -> dict[str, Any]:
        if issubclass(kind, StrEnum):
            return {"enum": [str(one) for one in kind]}
        if issubclass(kind, str):
            return {"type": "string"}
        hints = get_type_hints(kind)
        members = told_members(kind) if is_dataclass(kind) else {name: name for name in hints}
        return {
            "description": getdoc(kind),
            "type": "object",
            "properties": {name: self.of(hints[of]) for name, of in members.items()},
            "required": [*members],
            "additionalProperties": False,
        }


def schema_of(kind: type) -> dict[str, Any]:
    """The JSON Schema of a type."""
    schema = _Schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema.of(kind),
        "$defs": schema.definitions,
    }


def main() -> None:
    """Generate and write."""
    text = json.dumps(schema_of(Report), indent=2, ensure_ascii=False) + "\n"
    write_atomic(resources() / SCHEMA_FILE, text.encode())


if __name__ == "__main__":
    main()
