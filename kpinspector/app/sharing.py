"""What would leave the machine of the current trace: at once, or from the worker where it is long.

It is looked for only while somebody looks.
"""

from collections.abc import Callable, Iterable
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.engine import Engine
from kpinspector.app.jobs import Priority, Token
from kpinspector.app.questions import Question, Questions
from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.sharing.answer import (
    Sharing,
    Ways,
    cleaned_novelty,
    posts_cleaned,
    raw_of,
    ways_of,
    ways_of_measured,
    with_cleaned_novelty,
)
from kpinspector.sharing.posting import Way, number_of_unscored
from kpinspector.trace.records import TextRecord, UnreadRecord, UnscoredRecord

LONG = 50_000
"""So many characters take about as long to look through as anybody waits for a row."""
_LONGEST = 0.05  # seconds, after which others may have the worker


class SharingAnswers(QObject):
    """Part of the session: what either way makes of the current document."""

    changed = Signal()
    """Another answer holds, or none; or somebody looks now, or nobody any more."""

    def __init__(self, engine: Engine, questions: Questions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._questions = engine, questions
        self.document: Document | None = None
        self.shown = False
        self.way = Way.CONTRIBUTE
        self.level: str | None = None
        self._answered: tuple[object, ...] | None = None
        self._ways: Ways | None = None
        # of what the novelty of a cleaned text was measured, and at which level; None where none is
        self._cleaned: tuple[Measured, str | None, Novelty | None] | None = None

    @property
    def own_level(self) -> str | None:
        """The level that the trace itself names; None where it names none, or nothing goes out."""
        record = None if self.document is None else record_of(self.document)
        if record is None or self.ways is None or not self.ways.contributed.is_posted:
            return None
        metadata = raw_of(record).get("metadata")
        level = metadata.get("privacy_level") if isinstance(metadata, dict) else None
        return level if isinstance(level, str) else None

    @property
    def ways(self) -> Ways | None:
        """What either way makes of it.

        None while nobody looks, while it is looked for, before the trace has a score, and of what
        is no trace.
        """
        return self._ways if self.shown else None

    @property
    def sharing(self) -> Sharing | None:
        """What the chosen way makes of it."""
        ways = self.ways
        return None if ways is None else ways.by(self.way)

    def set_document(self, document: Document | None) -> None:
        """Answer for another document, or for a newer value of this one."""
        self.document = document
        self._look()

    def set_shown(self, shown: bool) -> None:  # noqa: FBT001 - a slot
        """Begin to look, or look no more."""
        if shown is not self.shown:
            self.shown = shown
            if not shown or self._basis() == self._answered:
                self.changed.emit()
            self._look()

    def choose_way(self, way: Way) -> None:
        """Tell of another way; both are known."""
        if way is not self.way:
            self.way = way
            self.changed.emit()

    def choose_level(self, level: str | None) -> None:
        """Take another privacy level, of this trace and all after it; None for its own."""
        if level != self.level:
            self.level = level
            self._look()

    def _look(self) -> None:
        """Answer anew if anything is another on which the answer rests."""
        document, level, basis = self.document, self.level, self._basis()
        if basis == self._answered:
            return
        self._questions.stop(Question.SHARING)
        self._answered = self._ways = None
        if not self.shown:
            return
        self._answered = basis
        record = None if document is None else record_of(document)
        if document is None or record is None or is_pending(document):
            self.changed.emit()
        elif _is_long(record):
            self.changed.emit()
            work = partial(_prepared, document, level)
            self._questions.ask(Question.SHARING, work, self._take)
        else:
            self._take(_ways_of(document, level))

    def _basis(self) -> tuple[object, ...] | None:
        one = self.document
        return None if one is None else (one.number, one.item, one.measured, one.rules, self.level)

    def _take(self, ways: Ways) -> None:
        """Show an answer, and have the cleaned text measured unless that is known."""
        document = self.document
        measured = None if document is None else document.measured
        if measured is None or not posts_cleaned(ways):
            self._show(ways)
        elif self._cleaned is not None and self._cleaned[:2] == (measured, self.level):
            self._show_cleaned(ways, measured, self._cleaned[2])
        else:
            self._show(ways)
            tools, tell = self._engine.tools, partial(self._show_cleaned, ways, measured)
            self._questions.ask(
                Question.SHARING, lambda _token: cleaned_novelty(ways, measured, *tools()), tell
            )

    def _show_cleaned(self, ways: Ways, measured: Measured, novelty: Novelty | None) -> None:
        self._cleaned = measured, self.level, novelty
        judged = None if self.document is None else self.document.assessment
        if judged is not None and novelty is not None:
            ways = with_cleaned_novelty(ways, measured, judged, novelty)
        self._show(ways)

    def _show(self, ways: Ways) -> None:
        self._ways = ways
        self.changed.emit()


def record_of(document: Document) -> TextRecord | UnreadRecord | None:
    """What would go out of a row; None where it is no trace."""
    return document.item if isinstance(document.item, UnreadRecord) else document.text


def is_pending(document: Document) -> bool:
    """Whether its score is still to be measured; capture asks for it."""
    return document.record is not None and document.measured is None


def _ways_of(document: Document, level: str | None) -> Ways:
    item, threshold = document.item, document.rules.threshold
    if document.measured is not None and document.assessment is not None:
        return ways_of_measured(document.measured, document.assessment, level)
    if isinstance(item, UnscoredRecord):
        return ways_of(item, number_of_unscored(item.trace), threshold, level)
    if isinstance(item, UnreadRecord):
        return ways_of(item, None, threshold, level)
    raise ValueError("a document that is no trace, or whose score is not known")


def _prepared(document: Document, level: str | None, _token: Token) -> Ways:
    """What either way makes of a document, with all that takes long looked up, for the worker."""
    ways = _ways_of(document, level)
    steps = () if document.text is None else document.text.trace.steps
    for sharing in (ways.contributed, ways.captured):
        _ = sharing.body, sharing.issues, sharing.masked_body, sharing.kept, sharing.redacted
        for step in steps:
            sharing.leaving.fields(step.index, step.raw)
    return ways


def _is_long(record: TextRecord | UnreadRecord) -> bool:
    """Whether its texts take long to look through."""
    raw = record.raw if isinstance(record, UnreadRecord) else record.trace.raw
    left = LONG
    waiting = list(raw.values())
    while waiting and left > 0:
        match waiting.pop():
            case str(text):
                left -= len(text)
            case list(items):
                waiting += items
            case dict(members):
                waiting += members.values()
    return left <= 0


def count_in_clear(
    questions: Questions, tell: Callable[[dict[int, int]], object], rows: Iterable[Document]
) -> None:
    """Count what each of these rows has in clear, and no more for others that wait.

    A few are counted in each idle job; their counts are told by the numbers of the rows.
    """
    waiting = [one for one in rows if record_of(one) is not None]
    questions.stop(Question.IN_CLEAR)

    def go_on(counts: dict[int, int]) -> None:
        count_in_clear(questions, tell, (one for one in waiting if one.number not in counts))
        tell(counts)

    if waiting:
        work = partial(_counted, waiting)
        questions.ask(Question.IN_CLEAR, work, go_on, priority=Priority.IDLE)


def _counted(documents: Iterable[Document], token: Token) -> dict[int, int]:
    """The counts of as many of these as there is time for, at least of one."""
    until = monotonic() + _LONGEST
    counts: dict[int, int] = {}
    for one in documents:
        token.check()
        record = record_of(one)
        if record is not None:
            ways = ways_of(record, None, one.rules.threshold, None)
            counts[one.number] = len(ways.contributed.in_clear)
        if monotonic() > until:
            break
    return counts
