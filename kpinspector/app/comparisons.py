"""Two traces side by side: two rows, or a row and a neighbour that is read from its file."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QObject, Signal

from kpinspector.app.document import Document
from kpinspector.app.documents import ListChange
from kpinspector.app.engine import Core
from kpinspector.app.jobs import Token
from kpinspector.app.questions import Question, Questions
from kpinspector.app.values import Notice
from kpinspector.errors import ModelError, TraceLostError
from kpinspector.scoring.findings import Neighbour
from kpinspector.scoring.novelty.neighbours import NeighbourTrace, read_neighbour, similarity_of
from kpinspector.trace.align import Alignment, align
from kpinspector.trace.records import TraceRecord
from kpinspector.words.novelty import remark_on
from kpinspector.words.say import in_words
from kpinspector.words.writers.comparison import Side, SideBySide, comparison_text, names_apart

_NO_ROW = -1


@dataclass(frozen=True, slots=True)
class _Compared:
    """The comparison that is shown, with its documents as they were when it was last updated."""

    left: Document
    right: Document
    alignment: Alignment
    similarity: float | None = None
    found: NeighbourTrace | None = None


class Comparisons(QObject):
    """Part of the session: compares two traces at a time and follows their changes."""

    changed = Signal(object)
    """A `SideBySide`: a new comparison, or newer values of the same one; None once it is closed."""

    def __init__(self, core: Core, questions: Questions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        _, self._engine, self._store, self._board = core
        self._questions = questions
        self._compared: _Compared | None = None
        self._store.changed.connect(self._on_list_changed)
        self._store.current_changed.connect(self.close)

    @property
    def numbers(self) -> tuple[int | None, int | None]:
        """The row numbers on the left and on the right; None for a side that is not in the list."""
        now = self._compared
        if now is None:
            return None, None
        left, right = now.left.number, now.right.number
        return None if left == _NO_ROW else left, None if right == _NO_ROW else right

    @property
    def neighbour(self) -> Neighbour | None:
        """The neighbour that is compared, where it is not in the list; else None."""
        found = self._compared.found if self._compared is not None else None
        return found.neighbour if found is not None else None

    def compare(self, left: int, right: int) -> None:
        """Compare two rows that are traces; an earlier request is dropped."""
        self._align(self._store[left], self._store[right])

    def compare_with(self, number: int, neighbour: Neighbour) -> None:
        """Compare a row with one of its neighbours, from when it was scored or from today.

        The neighbour is read from its file; a notice says so if that fails.
        """
        document = self._store[number]
        novelty = document.measured.measurement.novelty if document.measured else None
        was_near = novelty is not None and neighbour in novelty.neighbours
        found_at = novelty.found_at if novelty is not None and was_near else None

        def read(_token: Token) -> NeighbourTrace | TraceLostError:
            try:
                return read_neighbour(neighbour, found_at, *self._engine.tools())
            except TraceLostError as error:
                return error

        self._questions.ask(Question.COMPARISON, read, partial(self._on_read, document))

    def swap(self) -> None:
        """Exchange left and right."""
        now = self._compared
        if now is not None:
            alignment = now.alignment.mirrored()
            self._show(replace(now, left=now.right, right=now.left, alignment=alignment))

    def write_text(self, tell: Callable[[str], object]) -> None:
        """Have the worker write the comparison as text; ``tell`` is called with the text."""
        if self._compared is not None:
            shown = _side_by_side(self._compared)
            self._questions.ask(
                Question.TEXT, lambda token: comparison_text(shown, token.check), tell
            )

    def close(self) -> None:
        """End the comparison."""
        self._questions.stop(Question.COMPARISON)
        if self._compared is not None:
            self._compared = None
            self.changed.emit(None)

    def _on_list_changed(self, change: ListChange) -> None:
        """Take over new scores of the two rows; align the traces again if one was edited."""
        before, changed = self._compared, (one.number for one in change.changed)
        if before is None or {*change.removed, *changed}.isdisjoint(self.numbers):
            return
        left, right = self._now(before.left), self._now(before.right)
        if left is None or right is None:
            self.close()
        elif left.item is before.left.item and right.item is before.right.item:
            self._show(replace(before, left=left, right=right))
        else:
            self._align(left, right, before.found)

    def _on_read(self, document: Document, found: NeighbourTrace | TraceLostError) -> None:
        if isinstance(found, TraceLostError):
            self._board.raised.emit(Notice(in_words(found.message), found.detail, "neighbour"))
            return
        now = self._now(document)
        if now is not None:
            other = Document(_NO_ROW, found.measured.record, now.rules, found.measured)
            self._align(now, other, found)

    def _align(self, left: Document, right: Document, found: NeighbourTrace | None = None) -> None:
        one, other = _record(left).trace, _record(right).trace
        tell = partial(self._on_aligned, left, right, found)
        self._questions.ask(Question.COMPARISON, lambda token: align(one, other, token.check), tell)

    def _on_aligned(
        self, left: Document, right: Document, found: NeighbourTrace | None, alignment: Alignment
    ) -> None:
        one, other = self._now(left), self._now(right)
        if one is None or other is None:
            self.close()
            return
        if one.item is not left.item or other.item is not right.item:
            self._align(one, other, found)
            return
        self._show(_Compared(one, other, alignment, found=found))
        traces = _record(one).trace, _record(other).trace

        def measure(_token: Token) -> float | None:
            try:
                return similarity_of(*traces, *self._engine.tools())
            except ModelError:
                return None

        self._questions.ask(Question.COMPARISON, measure, self._on_measured)

    def _now(self, document: Document) -> Document | None:
        """The document as it is now; None if its row, or the trace in it, is gone."""
        now = document if document.number == _NO_ROW else self._store.get(document.number)
        return None if now is None or now.record is None else now.with_rules(self._store.rules)

    def _on_measured(self, similarity: float | None) -> None:
        if self._compared is not None:
            self._show(replace(self._compared, similarity=similarity))

    def _show(self, compared: _Compared) -> None:
        self._compared = compared
        self.changed.emit(_side_by_side(compared))


def _record(document: Document) -> TraceRecord:
    if document.record is None:
        raise ValueError("only traces are compared")
    return document.record


def _side_by_side(compared: _Compared) -> SideBySide:
    left, right = compared.left, compared.right
    names = left.name, right.name  # the names in the list
    if left.name == right.name:
        names = names_apart(PurePath(left.path).name, PurePath(right.path).name)
    remarks: tuple[str, ...] = ()
    if compared.found is not None:
        remarks = remark_on(names[0 if left.number == _NO_ROW else 1], compared.found)
    sides = _side(names[0], left), _side(names[1], right)
    return SideBySide(*sides, compared.alignment, compared.similarity, remarks)


def _side(name: str, document: Document) -> Side:
    possible = None if document.assessment is None else document.range
    return Side(
        name,
        _record(document),
        document.assessment,
        assumed=document.assumed,
        possible=possible,
        running=document.running,
    )
