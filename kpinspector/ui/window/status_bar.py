"""The status bar: counts and progress at the left, the memory at the right."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent, QResizeEvent
from PySide6.QtWidgets import QStatusBar, QWidget
from typing_extensions import override

from kpinspector.app.values import Progress
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import FlatButton, Label, in_row
from kpinspector.ui.controls.fields import ProgressBar
from kpinspector.ui.controls.views import Shell
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import set_tip, shown_day
from kpinspector.ui.look.theme import TextRole, scale, sized
from kpinspector.ui.traces.row_counts import Kind
from kpinspector.words.figures import shown_count
from kpinspector.words.say import forms, say, say_number

if TYPE_CHECKING:
    from kpinspector.app.document import Document
    from kpinspector.app.engine import MemoryState

_GAP = 16
_HEIGHT = 28
_NEWS_MS = 8000
_COUNTED = {
    Kind.TRACE: forms("{number} trace", "{number} traces"),
    Kind.IMPORTED: forms("{number} imported", "{number} imported"),
    Kind.RUNNING: forms("{number} running", "{number} running"),
    Kind.SCORED: forms("{number} scored", "{number} scored"),
    Kind.UNDECIDED: forms("{number} undecided", "{number} undecided"),
    Kind.ASSUMED: forms("{number} assumed", "{number} assumed"),
    Kind.PENDING: forms("{number} not scored yet", "{number} not scored yet"),
    Kind.UNREAD: forms("{number} not read", "{number} not read"),
    Kind.PROBLEM: forms("{number} with problems", "{number} with problems"),
    Kind.SKIPPED: forms("{number} skipped", "{number} skipped"),
    Kind.REPORT: forms("{number} report", "{number} reports"),
}


class StatusBar(QStatusBar):
    """Shows what is open, what is being done and what is remembered.

    With little room, whole parts are hidden, first those that other panes show as well.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._waiting, self._progress, self._left, self._news = (
            Label(role=TextRole.CAPTION) for _ in range(4)
        )
        self._decided, self._since, self._memory, self._model, offline = (
            Label(role=TextRole.CAPTION, second=True) for _ in range(5)
        )
        self._labels = {kind: Label(role=TextRole.CAPTION, second=True) for kind in _COUNTED}
        self._bar = ProgressBar(self)
        self.stop = FlatButton(IconName.STOP, say("Stop"))
        self.resume = FlatButton(text=say("Resume"), link=True)
        offline.setText(say("Offline"))
        offline.setToolTip(say("kpinspector uses no network"))
        self._news_over = QTimer(self, singleShot=True, interval=_NEWS_MS)
        self._news_over.timeout.connect(lambda: self._say(self._news, ""))
        self._counts: Counter[Kind] = Counter()
        work = (self._progress, self._bar, self._decided, self.stop)
        rest = (self._left, self.resume, self._news)
        counts = self._labels
        self._row = _Row(
            (self._waiting, *work, *rest, *counts.values()),
            (self._since, self._memory, self._model, offline),
            beside={self._bar: self._progress, self.stop: self._progress, self.resume: self._left},
            # progress and failures stay
            giving_way=(
                self._since,
                self._model,
                counts[Kind.SKIPPED],
                counts[Kind.REPORT],
                self._decided,
                offline,
                counts[Kind.IMPORTED],
                counts[Kind.TRACE],
                counts[Kind.RUNNING],
                counts[Kind.SCORED],
                self._memory,
                self._bar,
                counts[Kind.UNDECIDED],
                counts[Kind.UNREAD],
                counts[Kind.PENDING],
                counts[Kind.ASSUMED],
            ),
        )
        self.addWidget(Shell(self._row), 1)
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
        self._say(self._since, since)

    def show_news(self, sentence: str, detail: str = "") -> None:
        """Show for a while that something succeeded, until the next news."""
        self._say(self._news, sentence)
        set_tip(self._news, detail)
        self._news_over.start()
        alert = QAccessibleEvent(self._news, QAccessible.Event.Alert)
        QAccessible.updateAccessibility(alert)

    def set_counts(self, counts: Counter[Kind], *, stopped: bool = False) -> None:
        """Say how many of what are open, and whether nothing is done about those without score."""
        self._counts = counts
        for kind, label in self._labels.items():
            number = counts[kind]
            label.setText(say_number(_COUNTED[kind], number) if number else "")
        if not counts[Kind.TRACE]:
            self._labels[Kind.TRACE].setText(say("No traces open"))
        pending, left = counts[Kind.PENDING], ""
        if stopped and pending:
            left = say("Stopped, {pending} left", pending=shown_count(pending))
            self._labels[Kind.PENDING].setText("")
        self._left.setText(left)
        self._show_decided()

    def set_progress(self, progress: Progress) -> None:
        """Show how far reading and scoring have come, or nothing when there is nothing to do."""
        reading = progress.read < progress.to_read
        done = progress.read if reading else progress.scored
        total = progress.to_read if reading else progress.to_score
        so_far, whole = shown_count(done), shown_count(total)
        if not progress.busy:
            text = ""
        elif progress.listing and not total:
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
        self._show_decided()

    def set_waiting(self, waits: bool) -> None:  # noqa: FBT001
        """Say that scoring waits for the memory, or no longer does."""
        words = say("Waiting for another program that keeps the memory locked")
        self._say(self._waiting, words if waits else "")

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
        self._say(self._model, missing if state.model is None else "")

    def _show_decided(self) -> None:
        """Say while it works how many are decided before they are scored."""
        number = self._counts[Kind.DECIDED] if self._progress.text() else 0
        decided = say("{number} more decided already", number=shown_count(number))
        self._say(self._decided, decided if number else "")

    def _say(self, label: Label, text: str) -> None:
        label.setText(text)
        self._row.fit()


class _Row(QWidget):
    """What has something to say, at the left and at the right, as far as there is room.

    Where there is little, parts give way. Beside some words stands what has none.
    """

    def __init__(
        self,
        left: Sequence[QWidget],
        right: Sequence[QWidget],
        *,
        beside: Mapping[QWidget, Label],
        giving_way: Sequence[QWidget],
    ) -> None:
        super().__init__()
        self._words = {part: beside.get(part, part) for part in (*left, *right)}
        self._giving_way = giving_way
        in_row(*left, None, *right, on=self)
        sized(self, _Row._give_gap, _GAP)

    def _give_gap(self, px: int) -> None:
        self._gap = px - 4
        row = self.layout()
        if row is not None:
            row.setContentsMargins(self._gap, 0, self._gap, 0)
            row.setSpacing(self._gap)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Show as much as there is room for."""
        said = [part for part, one in self._words.items() if isinstance(one, Label) and one.text()]
        widths = {part: part.sizeHint().width() + self._gap for part in said}
        needed = sum(widths.values()) + 2 * self._gap
        for part in self._giving_way:
            if needed > self.width():
                needed -= widths.pop(part, 0)
        for part in self._words:
            part.setVisible(part in widths)
