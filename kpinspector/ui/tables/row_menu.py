"""The menu of a row: by the mouse where it is, by the keyboard below the current row."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPoint
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu


class RowMenu(QMenu):
    """Shows commands for the row that a view was asked about; none where there is no row.

    Args:
        view: Whose rows they are.
        column: Below whose cell the menu stands when keys ask for it.
    """

    def __init__(self, view: QAbstractItemView, column: int) -> None:
        super().__init__(view)
        self._view = view
        self._column = column
        self.setToolTipsVisible(True)

    def set_actions(self, actions: Sequence[QAction | None]) -> None:
        """The commands, with None for a line; their keys work in the view."""
        self.clear()
        for action in actions:
            if action is None:
                self.addSeparator()
            else:
                self.addAction(action)
                self._view.addAction(action)

    def show_for(self, event: QContextMenuEvent) -> None:
        """Stand where the event asks for it, if there is a row."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        view = self._view
        index = view.indexAt(event.pos()) if by_mouse else view.currentIndex()
        if index.isValid() and not self.isEmpty():
            self.popup(event.globalPos() if by_mouse else self._below(index))

    def _below(self, index: QModelIndex) -> QPoint:
        view = self._view
        view.scrollTo(index)
        cell = view.visualRect(index.siblingAtColumn(self._column))
        return view.viewport().mapToGlobal(cell.bottomLeft())
