"""What would change the scores of open traces, kept for as long as they are held."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar
from weakref import ref

from kpinspector.app.document import Document
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.profiles import Profile
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals, counterfactuals
from kpinspector.trace.model import ReasoningTrace

Held = TypeVar("Held")
Made = TypeVar("Made")
_MOST = 8
LONG = 2_000
"""A trace of more steps than this takes long."""


class Shelf(Generic[Held, Made]):
    """A cache of a few values, each made from an object that others hold; the oldest goes first."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: dict[int, tuple[ref[Held], object, Made]] = {}
        self._lock = Lock()  # the worker puts values in as well

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, held: Held, rest: object = None) -> Made | None:
        """The value made from an object and ``rest``, if it is kept."""
        kept = self._kept.get(id(held))
        return kept[2] if kept is not None and kept[1] == rest else None

    @property
    def last(self) -> tuple[Held, Made] | None:
        """What was asked for last, and of what it was made; None where nobody holds that."""
        kept = next(reversed(tuple(self._kept.values())), None)
        held = None if kept is None else kept[0]()
        return None if kept is None or held is None else (held, kept[2])

    def put(self, held: Held, made: Made, rest: object = None) -> None:
        """Keep a value in place of the one made from the same object before."""
        key = id(held)
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = ref(held, lambda _: self._kept.pop(key, None)), rest, made
            if len(self._kept) > self._most:
                oldest, *_ = tuple(self._kept)
                self._kept.pop(oldest, None)  # it may go meanwhile, held by nobody

    def get(self, held: Held, make: Callable[[Held], Made], rest: object = None) -> Made:
        """The value made from an object and ``rest``; it is made now if it is not kept."""
        made = self.find(held, rest)
        if made is None:
            made = make(held)
        self.put(held, made, rest)  # behind all others
        return made


_SHELF: Shelf[ReasoningTrace, Counterfactuals] = Shelf()


def kept_changes(
    trace: ReasoningTrace, measurement: Measurement, profile: Profile, threshold: float
) -> Counterfactuals:
    """What would change a score; computed now if it is not kept."""

    def find(_: ReasoningTrace) -> Counterfactuals:
        return counterfactuals(trace, measurement, profile, threshold)

    return _SHELF.get(trace, find, (measurement, profile, threshold))


def is_long(document: Document) -> bool:
    """Whether the changes of its score take long to find."""
    return document.record is not None and len(document.record.trace.steps) > LONG


def is_looked_for(document: Document) -> bool:
    """Whether its changes take long and are not kept yet; only a score that is below has any."""
    measured, judged = document.measured, document.assessment
    if measured is None or judged is None or document.score is None or judged.score_passes:
        return False
    basis = measured.measurement, judged.profile, judged.threshold
    return is_long(document) and _SHELF.find(measured.record.trace, basis) is None


def look_for_changes(document: Document) -> None:
    """Find what would change the score of a document, on the worker, and keep it."""
    measured, judged = document.measured, document.assessment
    if measured is not None and judged is not None:
        trace, measurement = measured.record.trace, measured.measurement
        kept_changes(trace, measurement, judged.profile, judged.threshold)
