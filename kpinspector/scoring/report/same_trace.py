"""Which of some traces an entry of a report is about: by id, by place in a file, by text."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath

from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import digest_of
from kpinspector.scoring.report.report import Report, TraceEntry
from kpinspector.trace.read import Source, TraceRecord


class TraceFinder:
    """Finds traces; paths are compared, never opened.

    Args:
        traces: Those that may be meant.
        embedder: Tells texts of one id apart; None leaves it to places.
    """

    def __init__(self, traces: Sequence[TraceRecord], embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._traces = traces
        self._found: set[int] = set()
        self._by_id: defaultdict[str | None, list[TraceRecord]] = defaultdict(list)
        for record in traces:
            self._by_id[record.trace.id].append(record)

    def find(self, entry: TraceEntry) -> TraceRecord | None:
        """The trace of an entry's id; of several, or without an id, that in its place.

        Where its file is another, its text decides; of those alike it is the first
        that no other entry was about.
        """
        found = next((one for one in self._meant(entry) if id(one) not in self._found), None)
        self._found.add(id(found))
        return found

    @property
    def left(self) -> tuple[TraceRecord, ...]:
        """The traces that no entry was about so far."""
        return tuple(one for one in self._traces if id(one) not in self._found)

    def _meant(self, entry: TraceEntry) -> Sequence[TraceRecord]:
        """Those that cannot be told apart."""
        alike = self._by_id.get(entry.id, [])
        if len(alike) == 1 and entry.id is not None:
            return alike
        in_place = [one for one in alike if _place(one.source) == _place(entry.source)]
        found = [one for one in in_place or alike if self._has_text(one, entry)]
        return found or in_place or (alike if entry.id is not None else [])

    def _has_text(self, record: TraceRecord, entry: TraceEntry) -> bool:
        """What the model sees of the trace is what it saw when it was scored."""
        digest = entry.dimensions.novelty.text_sha256
        if self._embedder is None or digest is None:
            return False
        return digest_of(record.trace, self._embedder) == digest


def is_of_its_files(record: TraceRecord, report: Report) -> bool:
    """A report names the file of a trace, whole or from some folder on."""
    parts = PurePath(record.source.path).parts
    named = {PurePath(entry.source.path).parts for entry in report.traces}
    return any(parts[start:] in named for start in range(len(parts)))


def _place(source: Source) -> tuple[str, int | None]:
    """The file's own name, as reports name files in several ways, and the record in it."""
    return PurePath(source.path).name, source.record
