"""What was made of the objects that were looked at last, each kept no longer than its object."""

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import ref

Held = TypeVar("Held")
Made = TypeVar("Made")

_MOST = 8


class Shelf(Generic[Held, Made]):
    """A few values, each made of an object that somebody else holds; the oldest goes first.

    Args:
        most: How many are kept.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: dict[int, tuple[ref[Held], object, Made]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, held: Held, make: Callable[[Held], Made], rest: object = None) -> Made:
        """What was made of an object and of ``rest``, made now if it is not at hand."""
        key = id(held)
        kept = self._kept.pop(key, None)
        if kept is None or kept[1] != rest:
            gone = ref(held, lambda _: self._kept.pop(key, None))
            kept = gone, rest, make(held)
        self._kept[key] = kept  # behind all others
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return kept[2]
