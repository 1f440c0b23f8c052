"""The bar above the steps that says that what is shown is not what the file holds."""

import sys

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kpinspector.scoring.formula.overrides import count
from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.theme import colours, scale
from kpinspector.ui.parts.message_bar import ROW_HEIGHT
from kpinspector.ui.parts.sentence_label import SentenceLabel
from kpinspector.words.sentences import Run

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_PADDING = 16
_GAP = 8


class WhatIfBar(QWidget):
    """There for as long as what-if is on."""

    turned_off = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._number: int | None = None
        self._sentence = SentenceLabel(lines=1)
        self._off = FlatButton(text=self.tr("Turn Off"), link=True)
        self._off.clicked.connect(self.turned_off)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(_GAP)
        self._row.addWidget(self._sentence, 1, Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self._off)
        self.setAccessibleName(self.tr("What-if"))
        self._make_room()
        self.hide()

    def set_changes(self, number: int | None) -> None:
        """Say how many changes there are; None takes the bar away."""
        self.setVisible(number is not None)
        if number is None or number == self._number:
            return
        self._number = number
        changes = count(
            number, self.tr("change"), self.tr("changes"), none=self.tr("no change yet")
        )
        start, end = self.tr("What-if is on: "), self.tr(". The file is not touched.")
        sentence = (Run(start), Run(changes, strong=True), Run(end))
        self._sentence.set_sentence(sentence)
        self.setAccessibleDescription(self._sentence.text())

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._make_room()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        painter.fillRect(self.rect(), found.alternate)
        fill(painter, QRect(0, self.height() - 1, self.width(), 1), found.line)
        side = scale(ICON_SIZE, self.fontMetrics())
        place = QRect(scale(_PADDING, self.fontMetrics()), 0, side, self.height() - 1)
        paint_icon(painter, place, IconName.INFO, found.second)

    def _make_room(self) -> None:
        metrics = self.fontMetrics()
        left = scale(_PADDING + ICON_SIZE + _GAP, metrics)
        self._row.setContentsMargins(left, 5, scale(_GAP, metrics), 6)
        self.setMinimumHeight(scale(ROW_HEIGHT, metrics))
