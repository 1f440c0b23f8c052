"""The history kept from the last session: recent paths, open files, the row that was shown."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document, record_number
from kpinspector.app.state import MOST_RECENT, RecentPath, RowPlace, SavedState, merged_recent
from kpinspector.scoring.formula.assess import Verdict
from kpinspector.scoring.report.written import FoundReport
from kpinspector.words.figures import shown_count, shown_interval, shown_score
from kpinspector.words.say import say


class History(QObject):
    """Part of the session: the state of the last session, and its changes since."""

    recent_changed = Signal(object)

    def __init__(self, state: SavedState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = state
        self.recent = state.recent
        self._wanted: RowPlace | None = None

    def keep(self, **changes: Any) -> None:
        """Keep these parts of the state for the next start."""
        self.state = replace(self.state, **changes)

    def state_with(self, open_paths: Sequence[str], current: Document | None) -> SavedState:
        """The state to keep for the next start."""
        place = self._wanted or (None if current is None else _place_of(current))
        return replace(self.state, recent=self.recent, open_paths=tuple(open_paths), current=place)

    def want_current(self) -> None:
        """Show the row of the last session again, once it is read."""
        self._wanted = self.state.current

    def want_no_more(self) -> None:
        """Everything is read: wait no longer for the wanted row."""
        self._wanted = None

    def wanted_of(self, documents: Iterable[Document]) -> Document | None:
        """The wanted row if it is one of these; given only once."""
        if self._wanted is None:
            return None
        wanted = self._wanted
        for one in documents:
            # of a recording that is not read the records are not known
            if _place_of(one) == wanted or (one.unread is not None and one.path == wanted.path):
                self._wanted = None
                return one
        return None

    def add(self, paths: Sequence[RecentPath]) -> None:
        """Put these paths on top, in their order; their notes stay."""
        notes = {one.path: one.note for one in self.recent}
        top = {one.path: replace(one, note=notes.get(one.path, "")) for one in paths[:MOST_RECENT]}
        rest = tuple(one for one in self.recent if one.path not in top)
        self._set((*top.values(), *rest)[:MOST_RECENT])

    def note(self, rows: Iterable[tuple[str, Document]]) -> None:
        """Note the results of paths, from all rows that were opened under them."""
        by_path: defaultdict[str, list[Document]] = defaultdict(list)
        wanted = {one.path for one in self.recent}
        for path, document in rows:
            if path in wanted:
                by_path[path].append(document)
        notes = {path: note_on(documents) for path, documents in by_path.items()}
        self._set(tuple(replace(one, note=notes.get(one.path, one.note)) for one in self.recent))

    def take_over(self, ours: SavedState, kept: SavedState) -> None:
        """Show what other windows have opened: ``kept`` stands in the file where ``ours`` was."""
        missing = frozenset(one.path for one in self.recent if one.is_missing)
        self.mark_missing(missing, merged_recent(self.recent, kept.recent, ours.recent))

    def mark_missing(
        self, missing: frozenset[str], recent: Sequence[RecentPath] | None = None
    ) -> None:
        """Mark those of these paths, or of all recent ones, that are missing."""
        found = self.recent if recent is None else recent
        self._set(tuple(replace(one, is_missing=one.path in missing) for one in found))

    def clear(self) -> None:
        """Forget all of them."""
        self._set(())

    def _set(self, recent: tuple[RecentPath, ...]) -> None:
        if recent != self.recent:
            self.recent = recent
            self.recent_changed.emit(recent)


def _place_of(document: Document) -> RowPlace:
    return RowPlace(document.path, record_number(document.item))


def note_on(documents: Sequence[Document]) -> str:
    """The result of what was opened, in a few words."""
    traces = [one for one in documents if one.record is not None or one.unread is not None]
    scored = [one for one in traces if one.measured is not None]
    if not documents:
        return say("no traces")
    if not traces:
        reports = any(isinstance(one.item, FoundReport) for one in documents)
        return say("a report") if reports else say("not readable")
    done, whole = shown_count(len(scored)), shown_count(len(traces))
    if len(scored) < len(traces):
        return say("{number} of {whole} scored", number=done, whole=whole)
    if len(scored) == 1:
        return _note_of_one(scored[0])
    passed = shown_count(sum(one.verdict is Verdict.ACCEPTED for one in scored))
    undecided = sum(one.verdict is None for one in scored)
    if not undecided:
        return say("{number} of {whole} pass", number=passed, whole=whole)
    return say(
        "{number} of {whole} pass, {undecided} undecided",
        number=passed,
        whole=whole,
        undecided=shown_count(undecided),
    )


def _note_of_one(one: Document) -> str:
    """The verdict and the score, or the possible scores."""
    low, high = one.bounds or (0.0, 1.0)
    score = shown_interval(low, high, one.rules.threshold)
    if one.score is not None:
        score = shown_score(one.score, one.rules.threshold)
    match one.verdict:
        case Verdict.ACCEPTED:
            return say("accepted, {score}", score=score)
        case Verdict.REJECTED:
            return say("rejected, {score}", score=score)
    return say("undecided, {score}", score=score)
