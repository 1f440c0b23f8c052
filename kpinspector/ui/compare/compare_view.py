"""The list in which two traces stand side by side."""

import sys

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from kpinspector.trace.align import Alignment, Likeness, StepPair, StepText
from kpinspector.ui.compare.compare_delegate import GUTTER, CompareDelegate, halves
from kpinspector.ui.compare.compare_model import CompareModel, CompareRole
from kpinspector.ui.controls.views import ScrollBar

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

Index = QModelIndex | QPersistentModelIndex


class CompareView(QListView):
    """The keys move by rows; Return and a double click go to a step where it stands."""

    current_changed = Signal()
    step_wanted = Signal(bool, object)
    """Whether it is on the right, and the `StepText`."""
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pairs = CompareModel(self)
        self._delegate = CompareDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setModel(self.pairs)
        self.setAccessibleName(self.tr("Steps side by side"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical, self))
        self.entered.connect(self._on_entered)
        self.viewportEntered.connect(self._on_left)

    def set_alignment(self, alignment: Alignment, names: tuple[str, str]) -> None:
        """Show two traces from the first row; the same two, or swapped, keep the current row."""
        row = self.currentIndex().row() if set(names) == set(self.pairs.names) else 0
        self.pairs.set_alignment(alignment, names)
        self._delegate.widest_number = str(self.pairs.count)
        if not self.currentIndex().isValid():
            self.go_to_row(max(0, min(row, self.pairs.rowCount() - 1)))

    def set_only(self, only: Likeness | None) -> None:
        """Show the rows of one likeness; the current pair stays current if it is shown."""
        index = self.currentIndex()
        number = self.pairs.number_at(index.row()) if index.isValid() else 0
        self.pairs.set_only(only)
        self.go_to_row(self.pairs.row_of(number) or 0)

    def go_to_row(self, row: int) -> None:
        """Make a row the current one; nothing where there is none."""
        index = self.pairs.index(row, 0)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        self.current_changed.emit()

    def go_to_difference(self, by: int) -> None:
        """Go to the next difference, or to the one before; round at the ends."""
        differences, now = self.pairs.differences, self.currentIndex().row()
        if not differences:
            return
        if by > 0:
            self.go_to_row(next((row for row in differences if row > now), differences[0]))
        else:
            earlier = (row for row in reversed(differences) if row < now)
            self.go_to_row(next(earlier, differences[-1]))

    @override
    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.current_changed.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            pair: StepPair = self.currentIndex().data(CompareRole.PAIR)
            self._want(pair, right=pair.left is None)
            return
        super().keyPressEvent(event)

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            parts = halves(self.visualRect(index), self._delegate.scaled(GUTTER))
            right = event.position().x() >= parts.right.left()
            self._want(index.data(CompareRole.PAIR), right=right)

    def _want(self, pair: StepPair, *, right: bool) -> None:
        text: StepText | None = pair.right if right else pair.left
        if text is not None:
            self.step_wanted.emit(right, text)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._delegate.forget_fonts()
            self.scheduleDelayedItemsLayout()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._on_left()
        super().leaveEvent(event)

    def _on_entered(self, index: QModelIndex) -> None:
        self._set_hovered(index.row())

    def _on_left(self) -> None:
        self._set_hovered(-1)

    def _set_hovered(self, row: int) -> None:
        if row != self._delegate.hovered_row:
            self._delegate.hovered_row = row
            self.viewport().update()
