"""What scoring asks the memory about, what the memory answers, and names for both."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePath

from kpinspector.trace.printable import quoted, shortened
from kpinspector.trace.records import is_machine_name, with_record

SHOWN_LENGTH = 299

_LONGEST_NAME = 32
MOST_NEIGHBOURS = 10


class Basis(StrEnum):
    """What a value of novelty is based on."""

    MEASURED = "measured"
    EMPTY_CACHE = "empty_cache"
    NO_EMBEDDER = "no_embedder"  # never stored
    NOT_RECORDED = "not_recorded"  # never stored


@dataclass(frozen=True, slots=True)
class Subject:
    """The trace that is to be compared and remembered.

    ``trace_id`` is None without a usable id; ``digest`` is the sha256 of the token ids, ``model``
    that of the model's weights, in hex. ``variant``: several texts of one drop have this id, each a
    trace of its own. ``record``: its number in the file; None for a file that is one trace.
    """

    trace_id: str | None
    digest: str
    model: str
    variant: bool
    objective: str
    source_path: str
    record: int | None = None

    @property
    def key(self) -> str:
        """The name for the trace in reports and findings; rows are not found by it."""
        return key_of(self.trace_id, self.digest, variant=self.variant)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A remembered trace that another was compared with, as it was then; ``record``: see above."""

    key: str
    trace_id: str | None
    objective: str
    source_path: str
    similarity: float
    record: int | None = None


Named = Subject | Neighbour  # what ``neighbour_names`` names


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of comparing one trace with the memory; ``found_at`` in ms since the epoch.

    ``max_similarity``: the best cosine, -1 to 1, or None when compared with nothing.
    """

    basis: Basis
    max_similarity: float | None
    neighbours: tuple[Neighbour, ...]
    compared_with: int
    found_at: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What is remembered of a trace beside its vector; ``added_at`` in ms since the epoch."""

    key: str
    trace_id: str | None
    objective: str
    source_path: str
    added_at: int
    sequence: int
    record: int | None = None
    digest: str = ""


def key_of(trace_id: str | None, digest: str, *, variant: bool) -> str:
    """The id, for a variant with 8 digits of the digest; without an id ``text:`` and the digest."""
    if trace_id is None:
        return f"text:{digest}"
    return f"{trace_id}#{digest[:8]}" if variant else trace_id


def shown_key(key: str) -> str:
    """An id or a key as findings hold it: a long one is masked and cut, to keep findings small.

    A short one stays whole, since the trace is found by it; it is masked when it is written out.
    """
    return for_display(key, SHOWN_LENGTH if len(key) > SHOWN_LENGTH else None)


def for_display(text: str, limit: int | None = None) -> str:
    """A text that SQLite can store (paths may hold other bytes); with a limit masked and cut."""
    cut = text if limit is None else shortened(text, limit)
    return cut.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=64)
def neighbour_names(neighbours: tuple[Named, ...], own: Named | None = None) -> tuple[str, ...]:
    """The names shown for these traces: as short as possible, with folders or keys if needed.

    ``own``: the trace whose neighbours they are; none of them gets the name of this trace.
    """
    every = neighbours if own is None else (*neighbours, own)
    longer = [_possible_names(one, every) for one in every]
    names = [next(one) for one in longer]
    while True:
        times = Counter(names)
        vague = (n for n, name in enumerate(names) if times[name] > 1)
        more = {n: next(longer[n], None) for n in vague}
        if not any(more.values()):
            return tuple(names[: len(neighbours)])
        for n, name in more.items():
            names[n] = name or names[n]


def lacks_file_name(neighbour: Named, others: Sequence[Named] = ()) -> bool:
    """Whether a file name does not identify this trace.

    There is no file, or ``others`` without a number share it, or its name was made by a machine.
    """
    path = neighbour.source_path
    if not PurePath(path).stem or (neighbour.objective.strip() and is_machine_name(path)):
        return True
    return neighbour.record is None and sum(other.source_path == path for other in others) > 1


def _possible_names(neighbour: Named, others: Sequence[Named]) -> Iterator[str]:
    if lacks_file_name(neighbour, others):
        objective, key = neighbour.objective, neighbour.key  # a forgotten trace has only a key
        name = quoted(objective, _LONGEST_NAME) if objective else _plain(key, _LONGEST_NAME)
        yield name
        if objective and neighbour.source_path and neighbour.record is None:
            yield f"{name}, {_plain(PurePath(neighbour.source_path).parent.name, _LONGEST_NAME)}"
    else:
        path = PurePath(neighbour.source_path)
        name = with_record(_plain(path.stem, _LONGEST_NAME), neighbour.record)
        yield name
        for parts in range(1, len(path.parts) + 1):
            within = str(PurePath(*path.parts[-parts:]))
            name = with_record(_plain(within, len(within)), neighbour.record)
            yield name
    yield f"{name}, {_plain(neighbour.key, SHOWN_LENGTH)}"


def _plain(text: str, longest: int) -> str:
    return quoted(text, longest)[1:-1]
