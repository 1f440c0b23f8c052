"""Recorded similarities measured again, to those neighbours whose traces are at hand."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kpinspector.errors import ModelError
from kpinspector.scoring.memory.findings import SHOWN_LENGTH, for_display, key_of, shown_key
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.scoring.report.report import NeighbourEntry
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.read import TraceRecord

if TYPE_CHECKING:
    from kpinspector.scoring.model.vectors import Vector

_SAME = 1e-5  # what the similarities of two builds of the runtime may differ by


class Similarities:
    """The traces at hand, each embedded once, when it is first asked for.

    Args:
        traces: Those at hand.
        embedder: The one that measured what is recorded; None measures nothing.
    """

    def __init__(self, traces: Sequence[TraceRecord], embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {}
        self._traces: defaultdict[str | None, list[ReasoningTrace]] = defaultdict(list)
        for record in traces:
            trace = record.trace
            self._traces[trace.id and shown_key(trace.id)].append(trace)

    def measure(self, record: TraceRecord, near: NeighbourEntry) -> dict[str, Any] | None:
        """What a neighbour of this trace should be recorded as; None where it is not at hand.

        A similarity that is the same but for noise is given as it is recorded. Where several
        traces may be meant it is the one that is most like what is recorded.
        """
        if self._embedder is None:
            return None
        try:
            meant = [one for one in self._traces[near.id] if self._is_meant(one, near)]
            found = [(self._similarity(record.trace, one), one) for one in meant]
        except ModelError:
            return None
        if not found:
            return None
        similarity, trace = min(found, key=lambda one: abs(one[0] - near.similarity))
        same = abs(similarity - near.similarity) <= _SAME
        return {
            "similarity": near.similarity if same else similarity,
            "objective": for_display(trace.objective, SHOWN_LENGTH),
        }

    def _is_meant(self, trace: ReasoningTrace, near: NeighbourEntry) -> bool:
        if trace.id is not None and near.key == near.id:
            return True
        digest = self._window(trace).digest
        return near.key == shown_key(key_of(trace.id, digest, variant=trace.id is not None))

    def _similarity(self, one: ReasoningTrace, other: ReasoningTrace) -> float:
        from kpinspector.scoring.model.vectors import VectorCache  # noqa: PLC0415 - with numpy

        cache = VectorCache(max_elements=1)
        cache.add(self._vector(other))
        return cache.max_cosine_similarity(self._vector(one))

    def _vector(self, trace: ReasoningTrace) -> "Vector":
        window = self._window(trace)
        if window.digest not in self._vectors and self._embedder is not None:
            self._vectors[window.digest] = self._embedder.embed(window)
        return self._vectors[window.digest]

    def _window(self, trace: ReasoningTrace) -> Window:
        if self._embedder is None:
            raise ModelError("There is no model.")
        return self._embedder.window(trace.text)
