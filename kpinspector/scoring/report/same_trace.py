"""Finds the trace that an entry of a report is about: by id, by place in a file, by text."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePath

from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.sequence import digest_of
from kpinspector.scoring.report.report import Report, TraceEntry
from kpinspector.trace.clear import MASK
from kpinspector.trace.printable import stands_for
from kpinspector.trace.read import Source, TraceRecord


class TraceFinder:
    """Finds the traces of entries; paths are compared, never opened.

    Args:
        traces: The traces to choose from.
        embedder: Tells texts with the same id apart; None leaves that to their places.
    """

    def __init__(self, traces: Sequence[TraceRecord], embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._traces = traces
        self._found: set[int] = set()
        self._by_id: defaultdict[str | None, list[TraceRecord]] = defaultdict(list)
        for record in traces:
            self._by_id[record.trace.id].append(record)

    def find(self, entry: TraceEntry) -> TraceRecord | None:
        """The trace with the entry's id; of several, or without an id, the one in its place.

        Where the file is another one, the text decides; of equal texts the first that no earlier
        entry was about is taken.
        """
        found = next((one for one in self._meant(entry) if id(one) not in self._found), None)
        self._found.add(id(found))
        return found

    @property
    def left(self) -> tuple[TraceRecord, ...]:
        """The traces that no entry has been about so far."""
        return tuple(one for one in self._traces if id(one) not in self._found)

    def _meant(self, entry: TraceEntry) -> Sequence[TraceRecord]:
        """The traces that the entry may mean."""
        alike = self._with_id(entry.id)
        if len(alike) == 1 and entry.id is not None:
            return alike
        in_place = [one for one in alike if _place(one.source) == _place(entry.source)]
        found = [one for one in in_place or alike if self._has_text(one, entry)]
        return found or in_place or (alike if entry.id is not None else [])

    def _with_id(self, shown: str | None) -> Sequence[TraceRecord]:
        if shown is None or MASK not in shown:
            return self._by_id.get(shown, [])
        return [one for one in self._traces if one.trace.id and stands_for(shown, one.trace.id)]

    def _has_text(self, record: TraceRecord, entry: TraceEntry) -> bool:
        """Whether the model sees the same text of the trace as when the entry was written."""
        digest = entry.dimensions.novelty.text_sha256
        if self._embedder is None or digest is None:
            return False
        return digest_of(record.trace, self._embedder) == digest


def is_of_its_files(record: TraceRecord, report: Report) -> bool:
    """Whether a report names the file of a trace, by its whole path or the end of it."""
    parts = PurePath(record.source.path).parts
    named = {PurePath(entry.source.path).parts for entry in report.traces}
    return any(parts[start:] in named for start in range(len(parts)))


def _place(source: Source) -> tuple[str, int | None]:
    """The file's name without its folders, as reports may give relative paths, and the record."""
    return PurePath(source.path).name, source.record
