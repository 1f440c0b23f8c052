"""The status bar: counts and progress at the left, the memory at the right."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStatusBar, QWidget
from typing_extensions import override

from kpinspector.app.progress import Progress
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import FlatButton, Label
from kpinspector.ui.controls.fields import ProgressBar
from kpinspector.ui.controls.views import Shell
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.moments import shown_day
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import TextRole, scale, sized
from kpinspector.ui.traces.row_counts import Kind
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count

if TYPE_CHECKING:
    from kpinspector.app.document import Document
    from kpinspector.app.engine import MemoryState

_GAP = 16
_HEIGHT = 28
_NEWS_MS = 8000
_COUNTED = (
    Kind.IMPORTED,
    Kind.RUNNING,
    Kind.SCORED,
    Kind.UNDECIDED,
    Kind.ASSUMED,
    Kind.PENDING,
    Kind.UNREAD,
    Kind.PROBLEM,
    Kind.SKIPPED,
    Kind.REPORT,
)


class StatusBar(QStatusBar):
    """Shows what is open, what is being done and what is remembered.

    With little room, whole parts are hidden, first those that other panes show as well.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._progress, self._left, self._news = (Label(role=TextRole.CAPTION) for _ in range(3))
        self._bar = ProgressBar(self)
        self.stop = FlatButton(IconName.STOP, say("Stop"))
        self.resume = FlatButton(text=say("Resume"), link=True)
        self._news_over = QTimer(self, singleShot=True, interval=_NEWS_MS)
        self._news_over.timeout.connect(self._on_news_over)
        self._decided, self._total, self._since, self._memory, self._model = (
            Label(role=TextRole.CAPTION, second=True) for _ in range(5)
        )
        self._counts = {kind: Label(role=TextRole.CAPTION, second=True) for kind in _COUNTED}
        self._offline = Label(say("Offline"), TextRole.CAPTION, second=True)
        self._offline.setToolTip(say("kpinspector uses no network"))
        counts = tuple(self._counts.values())
        self._waiting = Label(
            say("Waiting for another program that keeps the memory locked"), TextRole.CAPTION
        )
        self._waits = False
        self._work = (self._progress, self._bar, self._decided, self.stop)
        self._rest = (self._left, self.resume)
        self._row = _Row(
            (self._waiting, *self._work, *self._rest, self._news, self._total, *counts),
            (self._since, self._memory, self._model, self._offline),
            self._giving_way(),
        )
        self._busy = self._stopped = False
        self._said: tuple[object, ...] = ()
        self.addWidget(Shell(self._row), 1)
        self.set_progress(Progress())
        self.set_counts(Counter())

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), scale(_HEIGHT, self.fontMetrics()))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def set_document(self, document: "Document | None") -> None:
        """Say since when the current trace is remembered."""
        measured = document.measured if document is not None else None
        novelty = None if measured is None else measured.measurement.novelty
        since = ""
        if novelty is not None and novelty.remembered and novelty.found_at is not None:
            since = say("remembered since {day}", day=shown_day(novelty.found_at))
        self._since.setText(since)
        self._fit()

    def show_news(self, sentence: str, detail: str = "") -> None:
        """Show for a while that something succeeded, until the next news."""
        self._news.setText(sentence)
        set_tip(self._news, detail)
        self._news_over.start()
        self._fit()
        alert = QAccessibleEvent(self._news, QAccessible.Event.Alert)
        QAccessible.updateAccessibility(alert)

    def set_counts(self, counts: Counter[Kind], *, stopped: bool = False) -> None:
        """Say how many of what are open, and whether nothing is done about those without score."""
        said = (counts, stopped)
        if said == self._said:
            return
        self._said = said
        pending = counts[Kind.PENDING]
        for kind, label in self._counts.items():
            label.setText(_counted(kind, counts[kind]))
        self._total.setText(_counted(Kind.TRACE, counts[Kind.TRACE]) or say("No traces open"))
        self._stopped = stopped and pending > 0
        self._left.setText(say("Stopped, {pending} left", pending=shown_count(pending)))
        self._decided.setText(_counted(Kind.DECIDED, counts[Kind.DECIDED]))
        self._fit()

    def set_progress(self, progress: Progress) -> None:
        """Show how far reading and scoring have come, or nothing when there is nothing to do."""
        reading = progress.read < progress.to_read
        done = progress.read if reading else progress.scored
        total = progress.to_read if reading else progress.to_score
        so_far, whole = shown_count(done), shown_count(total)
        if progress.listing and not total:
            listed = shown_count(progress.listed)
            text = say("Looking through folders: {listed} files", listed=listed)
        elif reading:
            text = say("Reading {done} of {total}", done=so_far, total=whole)
        else:
            text = say("Scoring {done} of {total}", done=so_far, total=whole)
        self._progress.setText(text)
        self._bar.setUpdatesEnabled(False)  # else it has the whole window painted at once
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done if total else 0)
        self._bar.setUpdatesEnabled(True)
        self._busy = progress.busy
        self._fit()

    def set_waiting(self, waits: bool) -> None:  # noqa: FBT001
        """Say that scoring waits for the memory, or no longer does."""
        self._waits = waits
        self._fit()

    def set_memory(self, state: "MemoryState") -> None:
        """Say what is remembered, in which mode, and whether novelty is measured."""
        remembered = shown_count(state.remembered)
        texts = {
            Mode.REMEMBER: say("{remembered} remembered", remembered=remembered),
            Mode.GUEST: say("guest: {remembered} remembered, nothing added", remembered=remembered),
            Mode.FRESH: say("fresh: nothing remembered"),
        }
        self._memory.setText(texts[state.mode])
        missing = say("no embedding model: novelty is assumed 0.5")
        self._model.setText(missing if state.model is None else "")
        self._fit()

    def _fit(self) -> None:
        """Show what there is to say, as far as there is room for it."""
        hidden = (() if self._busy else self._work) + (() if self._stopped else self._rest)
        parts = set(self._row.parts).difference(hidden)
        if not self._waits:
            parts.discard(self._waiting)
        if self._stopped:
            parts.discard(self._counts[Kind.PENDING])  # it is what is left
        self._row.show_parts({p for p in parts if not isinstance(p, Label) or p.text()})

    def _on_news_over(self) -> None:
        self._news.setText("")
        self._fit()

    def _giving_way(self) -> Sequence[QWidget]:
        """The parts in the order in which they are hidden; progress and failures stay."""
        counts = self._counts
        return (
            self._since,
            self._model,
            counts[Kind.SKIPPED],
            counts[Kind.REPORT],
            self._decided,
            self._offline,
            counts[Kind.IMPORTED],
            self._total,
            counts[Kind.RUNNING],
            counts[Kind.SCORED],
            self._memory,
            self._bar,
            counts[Kind.UNDECIDED],
            counts[Kind.UNREAD],
            counts[Kind.PENDING],
            counts[Kind.ASSUMED],
        )


class _Row(QWidget):
    """Parts at the left and at the right, of which some give way where there is little room."""

    def __init__(
        self, left: Sequence[QWidget], right: Sequence[QWidget], giving_way: Sequence[QWidget]
    ) -> None:
        super().__init__()
        self.parts = (*left, *right)
        self._giving_way = giving_way
        self._wanted: set[QWidget] = set()
        row = QHBoxLayout(self)
        sized(self, _Row._give_gap, _GAP)
        for part in left:
            row.addWidget(part)
        row.addStretch(1)
        for part in right:
            row.addWidget(part)

    def _give_gap(self, px: int) -> None:
        self._gap = px - 4
        row = self.layout()
        if row is not None:
            row.setContentsMargins(self._gap, 0, self._gap, 0)
            row.setSpacing(self._gap)

    def show_parts(self, wanted: set[QWidget]) -> None:
        """Show these, as far as there is room."""
        self._wanted = wanted
        self._fit()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        widths = {part: part.sizeHint().width() + self._gap for part in self._wanted}
        needed = sum(widths.values()) + 2 * self._gap
        for part in self._giving_way:
            if needed > self.width():
                needed -= widths.pop(part, 0)
        for part in self.parts:
            part.setVisible(part in widths)


def _counted(kind: Kind, number: int) -> str:
    """How many of a kind there are; empty where there is none."""
    if not number:
        return ""
    shown = shown_count(number)
    match kind:
        case Kind.TRACE:
            return say_count("{number} trace", "{number} traces", number)
        case Kind.REPORT:
            return say_count("{number} report", "{number} reports", number)
    return {
        Kind.IMPORTED: say("{number} imported", number=shown),
        Kind.RUNNING: say("{number} running", number=shown),
        Kind.SCORED: say("{number} scored", number=shown),
        Kind.UNDECIDED: say("{number} undecided", number=shown),
        Kind.ASSUMED: say("{number} assumed", number=shown),
        Kind.PENDING: say("{number} not scored yet", number=shown),
        Kind.UNREAD: say("{number} not read", number=shown),
        Kind.PROBLEM: say("{number} with problems", number=shown),
        Kind.SKIPPED: say("{number} skipped", number=shown),
        Kind.DECIDED: say("{number} more decided already", number=shown),
    }[kind]
