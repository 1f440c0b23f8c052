"""The status bar: counts and progress at the left, memory and model at the right."""

import sys
from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QStatusBar, QWidget

from kpinspector.app.document import Document
from kpinspector.app.drops import Progress
from kpinspector.app.workshop import MemoryState
from kpinspector.scoring.embedder import MODEL_NAME, WINDOW_TOKENS
from kpinspector.scoring.figures import shown_count
from kpinspector.scoring.mode import Mode
from kpinspector.ui.controls import FlatButton, Label, paint_box
from kpinspector.ui.icons import IconName
from kpinspector.ui.tally import Kind, Tally
from kpinspector.ui.theme import TextRole, colours, scale

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_GAP = 16
_BAR_WIDTH = 160
_BAR_HEIGHT = 6
_HEIGHT = 28


class StatusBar(QStatusBar):
    """What is open, what is being done, what is remembered."""

    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._progress = Label(role=TextRole.CAPTION)
        self._bar = ProgressBar(self)
        self._stop = FlatButton(IconName.STOP, self.tr("Stop"))
        self._stop.clicked.connect(self.stop_requested)
        self._counts = Label(role=TextRole.CAPTION, second=True)
        self._took = Label(role=TextRole.CAPTION, second=True)
        self._memory = Label(role=TextRole.CAPTION, second=True)
        self._model = Label(role=TextRole.CAPTION, second=True)
        offline = Label(self.tr("Offline"), TextRole.CAPTION, second=True)
        offline.setToolTip(self.tr("kpinspector uses no network"))
        left, right = QWidget(self), QWidget(self)
        _row(left, (self._progress, self._bar, self._stop, self._counts))
        _row(right, (self._took, self._memory, self._model, offline))
        self.addWidget(left, 1)
        self.addPermanentWidget(right)
        self.set_progress(Progress())
        self.set_tally(Tally())

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), scale(_HEIGHT, self.fontMetrics()))

    def set_document(self, document: Document | None) -> None:
        """Say how long the current trace's scoring took, or since when it is remembered."""
        measured = document.measured if document is not None else None
        if measured is None:
            self._took.setText("")
            return
        novelty = measured.measurement.novelty
        if novelty.remembered and novelty.found_at is not None:
            day = QDateTime.fromMSecsSinceEpoch(novelty.found_at).date()
            shown = QLocale().toString(day, QLocale.FormatType.ShortFormat)
            self._took.setText(self.tr("remembered since {0}").format(shown))
        else:
            took = max(1, round(measured.took_ms))
            self._took.setText(self.tr("scored in {0} ms").format(shown_count(took)))

    def set_tally(self, tally: Tally) -> None:
        """Say how many of what are open."""
        parts = (
            (len(tally), self.tr("{0} traces")),
            (tally[Kind.SCORED], self.tr("{0} scored")),
            (tally[Kind.ASSUMED], self.tr("{0} assumed")),
            (tally[Kind.PENDING], self.tr("{0} pending")),
            (tally[Kind.PROBLEM], self.tr("{0} with problems")),
            (tally[Kind.SKIPPED], self.tr("{0} skipped")),
        )
        shown = [text.format(shown_count(number)) for number, text in parts if number]
        self._counts.setText("    ".join(shown) or self.tr("No traces open"))

    def set_progress(self, progress: Progress) -> None:
        """Show how far reading and scoring have come, or nothing when there is nothing to do."""
        reading = progress.read < progress.to_read
        done = progress.read if reading else progress.scored
        total = progress.to_read if reading else progress.to_score
        text = self.tr("Reading {0} of {1}") if reading else self.tr("Scoring {0} of {1}")
        if progress.listing and not total:
            done, text = progress.listed, self.tr("Looking through folders: {0} files")
        self._progress.setText(text.format(shown_count(done), shown_count(total)))
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done if total else 0)
        for part in (self._progress, self._bar, self._stop):
            part.setVisible(progress.busy)

    def set_memory(self, state: MemoryState) -> None:
        """Say what is remembered, in which mode, and whether novelty is measured."""
        remembered = shown_count(state.remembered)
        texts = {
            Mode.REMEMBER: self.tr("{0} remembered"),
            Mode.GUEST: self.tr("guest: {0} remembered, nothing added"),
            Mode.FRESH: self.tr("fresh: nothing remembered"),
        }
        self._memory.setText(texts[state.mode].format(remembered))
        if state.model is not None:
            words = self.tr("{0}, {1} tokens").format(MODEL_NAME, WINDOW_TOKENS)
        else:
            words = self.tr("no embedding model: novelty is assumed 0.5")
        self._model.setText(words)


class ProgressBar(QProgressBar):
    """A thin bar without text; the sentence beside it says the numbers."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)
        self.setAccessibleName(self.tr("Progress"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(scale(_BAR_WIDTH, metrics), scale(_BAR_HEIGHT, metrics))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        found, painter = colours(self.palette()), QPainter(self)
        radius = self.height() / 2
        paint_box(painter, self.rect(), found.line, radius=radius)
        share = self.value() / self.maximum()
        if share:
            filled = self.rect()
            filled.setWidth(max(self.height(), round(self.width() * share)))
            paint_box(painter, filled, found.accent, radius=radius)


def _row(widget: QWidget, parts: Sequence[QWidget]) -> None:
    row = QHBoxLayout(widget)
    margin = scale(_GAP, widget.fontMetrics()) - 4
    row.setContentsMargins(margin, 0, margin, 0)
    row.setSpacing(margin)
    for part in parts:
        row.addWidget(part)
    row.addStretch(1)
