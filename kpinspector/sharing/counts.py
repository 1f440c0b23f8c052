"""How many traces of a batch would leave something in clear, and what."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from kpinspector.sharing.answer import Ways
from kpinspector.sharing.posting import Way
from kpinspector.trace.cleaning import PiiKind
from kpinspector.trace.further import FurtherKind


@dataclass(frozen=True, slots=True)
class LeakingTraces:
    """Counts of traces by one way, at the kinds of those that hold something of it in clear.

    ``posted`` and ``leaking``: how many of them would go that way, and with something in clear.
    """

    way: Way
    posted: int
    leaking: int
    kinds: Counter[PiiKind | FurtherKind]


def leaking_traces(all_ways: Iterable[Ways]) -> tuple[LeakingTraces, ...]:
    """The counts of a batch, one for each way in; no body is kept."""
    kinds: dict[Way, list[tuple[PiiKind | FurtherKind, ...]]] = {way: [] for way in Way}
    for ways in all_ways:
        for way, found in kinds.items():
            sharing = ways.by(way)
            if sharing.is_posted:
                found.append(tuple(dict.fromkeys(one.kind for one in sharing.in_clear)))
    return tuple(
        LeakingTraces(
            way,
            len(found),
            sum(map(bool, found)),
            Counter(kind for each in found for kind in each),
        )
        for way, found in kinds.items()
    )
