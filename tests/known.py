"""What a test knows of a value and its type does not say, and what the SDK says of its cases."""

from math import inf
from pathlib import Path
from typing import Any, TypeVar

from kpinspector.trace.javascript import DECODER

DATA = Path(__file__).parent / "data"
T = TypeVar("T")


def golden_lines(name: str | Path) -> list[Any]:
    """What stands in lines, of a golden or of any path; these end in a line feed alone."""
    text = (DATA / name).read_bytes().decode("utf-8", "surrogatepass")
    return [DECODER.decode(line) for line in text.split("\n") if line]


def present(value: T | None) -> T:
    """The value itself; the test fails here where there is none."""
    assert value is not None
    return value


def of(kind: type[T], value: object) -> T:
    """The value itself; the test fails here where it is of another kind."""
    assert isinstance(value, kind), value
    return value


def doubled(value: Any) -> Any:
    """The numbers of a body as doubles, an infinity as null, as a body has them."""
    match value:
        case bool():
            return value
        case int() | float():
            return float(value) + 0.0 if abs(value) != inf else None
        case list():
            return [doubled(one) for one in value]
        case dict():
            return {key: doubled(one) for key, one in value.items()}
    return value
