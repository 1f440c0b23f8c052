"""Novelty over whole texts: whole with whole, among the traces at hand.

The memory holds only first windows, which are no match for the mean of all of them. So a whole text
is compared with the whole texts that can be read now, or with none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kpinspector.scoring.memory.findings import Subject, neighbour_names
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.scoring.novelty.measure import subject_of
from kpinspector.scoring.novelty.sequence import Measured, origin_of
from kpinspector.scoring.novelty.whole_text import WholeText, measure_whole
from kpinspector.trace.read import TraceRecord

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector

    Tools = Callable[[], tuple[Embedder, Memory]]


@dataclass(frozen=True, slots=True)
class WholeFinding:
    """What a whole text was compared with.

    Attributes:
        max_similarity: To the nearest whole text; None where there was none at hand.
        nearest: The trace with that text.
        compared_with: The number of whole texts.
        own: The trace itself.
    """

    max_similarity: float | None
    nearest: TraceRecord | None
    compared_with: int
    own: TraceRecord | None = None

    @property
    def name(self) -> str:
        """What the nearest is called, unlike the trace itself; empty where there is none."""
        if self.nearest is None:
            return ""
        own = None if self.own is None else _named(self.own)
        return neighbour_names((_named(self.nearest),), own)[0]


class WholeTexts:
    """Whole texts, each measured once while its trace is at hand."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[TraceRecord, Vector]] = {}

    def compare(
        self,
        measured: Measured,
        at_hand: Sequence[Measured],
        tools: "Tools",
    ) -> Iterator[tuple[WholeText, WholeFinding | None]]:
        """Measure the whole text of a trace, then those of the others, and compare.

        What is known comes after each embedding; whoever had enough stops asking. The finding comes
        last. Of several traces with one key only the first counts, and none with the key of the
        trace itself.

        Args:
            measured: The trace.
            at_hand: All whose text can be read now.
            tools: Asked anew before each embedding.

        Raises:
            ModelError: the embedder cannot be used.
        """
        others = {one.place.key: one for one in reversed(at_hand)}
        others.pop(measured.place.key, None)
        kept = {id(one.record) for one in (measured, *at_hand)}
        self._known = {key: one for key, one in self._known.items() if key in kept}
        own = None
        for own in self._measured(measured, tools):
            yield replace(own, others=len(others)), None
        if own is None or own.vector is None:
            raise AssertionError("the last value has the vector")
        for done, one in enumerate(others.values(), start=1):
            if id(one.record) not in self._known:
                for _ in self._measured(one, tools):
                    yield replace(own, others=len(others), others_done=done - 1), None
        whole = replace(own, others=len(others), others_done=len(others))
        found = self._nearest(own.vector, [one.record for one in others.values()])
        yield whole, replace(found, own=measured.record)

    def _measured(self, measured: Measured, tools: "Tools") -> Iterator[WholeText]:
        trace, origin = measured.record.trace, origin_of(measured.record, measured.place)

        def embed(window: Window) -> "Vector":
            embedder, memory = tools()
            subject = subject_of(trace, origin, embedder.model, window)
            stored = memory.own_vector(subject)  # of the first window
            return embedder.embed(window) if stored is None else stored

        for whole in measure_whole(trace.text, tools()[0], embed):
            if whole.vector is not None:
                self._known[id(measured.record)] = measured.record, whole.vector
            yield whole

    def _nearest(self, vector: "Vector", records: Sequence[TraceRecord]) -> WholeFinding:
        from kpinspector.scoring.model.vectors import VectorCache  # noqa: PLC0415 - with numpy

        cache = VectorCache(max_elements=len(records))
        for record in records:
            cache.add(self._known[id(record)][1])
        found = cache.nearest(vector, 1)
        if not found:
            return WholeFinding(None, None, 0)
        return WholeFinding(found[0].similarity, records[found[0].key], len(records))


def _named(record: TraceRecord) -> Subject:
    trace, source = record.trace, record.source
    return Subject(trace.id, "", "", False, trace.objective, source.path, source.record)
