"""What a test knows of a value and its type does not say."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """The value itself; the test fails here where there is none."""
    assert value is not None
    return value


def of(kind: type[T], value: object) -> T:
    """The value itself; the test fails here where it is of another kind."""
    assert isinstance(value, kind), value
    return value
