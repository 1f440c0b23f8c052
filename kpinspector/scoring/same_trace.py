"""Which of some traces an entry of a report is about: by id, by place in a file, by text."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import PurePath

from kpinspector.errors import ModelError
from kpinspector.scoring.embedder import Embedder
from kpinspector.scoring.report import TraceEntry
from kpinspector.trace.read import Source, TraceRecord


class TraceFinder:
    """Finds traces; paths are compared, never opened.

    Args:
        entries: All that are asked about: a trace with the id of one is not that of another.
        traces: Those that may be meant.
        embedder: Tells texts of one id apart; None leaves it to places.
    """

    def __init__(
        self,
        entries: Sequence[TraceEntry],
        traces: Sequence[TraceRecord],
        embedder: Embedder | None,
    ) -> None:
        self._embedder = embedder
        self._ids = {entry.id for entry in entries if entry.id is not None}
        self._by_id: defaultdict[str | None, list[TraceRecord]] = defaultdict(list)
        self._by_place: defaultdict[tuple[str, int | None], list[TraceRecord]] = defaultdict(list)
        for record in traces:
            self._by_id[record.trace.id].append(record)
            self._by_place[_place(record.source)].append(record)

    def find(self, entry: TraceEntry) -> TraceRecord | None:
        """The trace that an entry is about, or what now stands in its place."""
        place = _place(entry.source)
        there = self._by_place.get(place, [])
        named = self._by_id.get(entry.id, [])
        if entry.id is None:
            named = [one for one in named if self._has_text(one, entry)]
        if len(named) > 1:
            named = [one for one in named if _place(one.source) == place] or named
            named = [one for one in named if self._has_text(one, entry)] or named
        others = (one for one in there if one.trace.id not in self._ids)
        return next(chain(named, others), None)

    def _has_text(self, record: TraceRecord, entry: TraceEntry) -> bool:
        """What the model sees of the trace is what it saw when it was scored."""
        digest = entry.dimensions.novelty.text_sha256
        if self._embedder is None or digest is None:
            return False
        try:
            return self._embedder.window(record.trace.text).digest == digest
        except ModelError:
            return False


def _place(source: Source) -> tuple[str, int | None]:
    """The file's own name, as reports name files in several ways, and the record in it."""
    return PurePath(source.path).name, source.record
