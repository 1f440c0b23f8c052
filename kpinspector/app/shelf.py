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

    def find(self, held: Held, rest: object = None) -> Made | None:
        """What was made of an object and of ``rest``, if it is at hand."""
        kept = self._kept.get(id(held))
        return kept[2] if kept is not None and kept[1] == rest else None

    def put(self, held: Held, made: Made, rest: object = None) -> None:
        """Keep what was made, in place of what was made of the same object before."""
        key = id(held)
        self._kept.pop(key, None)
        self._kept[key] = ref(held, lambda _: self._kept.pop(key, None)), rest, made
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]

    def get(self, held: Held, make: Callable[[Held], Made], rest: object = None) -> Made:
        """What was made of an object and of ``rest``, made now if it is not at hand."""
        made = self.find(held, rest)
        if made is None:
            made = make(held)
        self.put(held, made, rest)  # behind all others
        return made
