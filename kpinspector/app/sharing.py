"""What would be sent of the current trace; long traces are looked through on the worker.

Nothing is computed unless the user looks at it.
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
"""A trace of more characters is looked through on the worker, as the user would notice the time."""
_LONGEST = 0.05  # seconds of one job, after which others may have the worker


class SharingAnswers(QObject):
    """Part of the session: what each of the two ways of sharing makes of the current document."""

    changed = Signal()
    """The answer has changed, or is gone, or the user has begun or ended looking at it."""

    def __init__(self, engine: Engine, questions: Questions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine, self._questions = engine, questions
        self.document: Document | None = None
        self.shown = False
        self.way = Way.CONTRIBUTE
        self.level: str | None = None
        self._answered: tuple[object, ...] | None = None
        self._ways: Ways | None = None
        # the measured trace and level whose cleaned text was measured, and its novelty or None
        self._cleaned: tuple[Measured, str | None, Novelty | None] | None = None

    @property
    def own_level(self) -> str | None:
        """The privacy level that the trace names; None if it names none or nothing is posted."""
        record = None if self.document is None else record_of(self.document)
        if record is None or self.ways is None or not self.ways.contributed.is_posted:
            return None
        metadata = raw_of(record).get("metadata")
        level = metadata.get("privacy_level") if isinstance(metadata, dict) else None
        return level if isinstance(level, str) else None

    @property
    def ways(self) -> Ways | None:
        """What both ways of sharing make of the document.

        None while the user does not look, while it is computed, before the trace has a score, and
        for rows that are no trace.
        """
        return self._ways if self.shown else None

    @property
    def sharing(self) -> Sharing | None:
        """What the chosen way of sharing makes of the document."""
        ways = self.ways
        return None if ways is None else ways.by(self.way)

    def set_document(self, document: Document | None) -> None:
        """Answer for another document, or for newer values of this one."""
        self.document = document
        self._answer_again()

    def set_shown(self, shown: bool) -> None:  # noqa: FBT001 - a slot
        """Say whether the user looks at the answer."""
        if shown is not self.shown:
            self.shown = shown
            if not shown or self._basis() == self._answered:
                self.changed.emit()
            self._answer_again()

    def choose_way(self, way: Way) -> None:
        """Choose the way whose answer is shown; both answers are known."""
        if way is not self.way:
            self.way = way
            self.changed.emit()

    def choose_level(self, level: str | None) -> None:
        """Choose the privacy level for this and all later traces; None for each trace's own."""
        if level != self.level:
            self.level = level
            self._answer_again()

    def _answer_again(self) -> None:
        """Answer again if anything that the answer depends on has changed."""
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
            work = partial(_ways_prepared, document, level)
            self._questions.ask(Question.SHARING, work, self._take)
        else:
            self._take(_ways_of(document, level))

    def _basis(self) -> tuple[object, ...] | None:
        one = self.document
        return None if one is None else (one.number, one.item, one.measured, one.rules, self.level)

    def _take(self, ways: Ways) -> None:
        """Show an answer, and have the novelty of the cleaned text measured if it is not known."""
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
    """The record that would be sent of a row; None if the row is no trace."""
    return document.item if isinstance(document.item, UnreadRecord) else document.text


def is_pending(document: Document) -> bool:
    """Whether the row's score is still to be measured; sharing by capture depends on the score."""
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


def _ways_prepared(document: Document, level: str | None, _token: Token) -> Ways:
    """What both ways make of a document, with all slow values computed; called on the worker."""
    ways = _ways_of(document, level)
    steps = () if document.text is None else document.text.trace.steps
    for sharing in (ways.contributed, ways.captured):
        _ = sharing.body, sharing.issues, sharing.masked_body, sharing.kept, sharing.redacted
        for step in steps:
            sharing.leaving.fields(step.index, step.raw)
    return ways


def _is_long(record: TextRecord | UnreadRecord) -> bool:
    """Whether the record's texts take long to look through."""
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
    """Count the texts in clear of each of these rows, and forget rows of an earlier call.

    Each idle job counts a few; ``tell`` is called with their counts by row number.
    """
    waiting = [one for one in rows if record_of(one) is not None]
    questions.stop(Question.IN_CLEAR)

    def go_on(counts: dict[int, int]) -> None:
        count_in_clear(questions, tell, (one for one in waiting if one.number not in counts))
        tell(counts)

    if waiting:
        work = partial(_counts_in_time, waiting)
        questions.ask(Question.IN_CLEAR, work, go_on, priority=Priority.IDLE)


def _counts_in_time(documents: Iterable[Document], token: Token) -> dict[int, int]:
    """The counts for the first of these rows, at least one, as many as a job has time for."""
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
