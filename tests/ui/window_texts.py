"""All that is read of a window."""

from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QPlainTextEdit,
    QTabBar,
    QToolButton,
    QWidget,
)

from kpinspector.ui.panes.whatif import WhatIfPage

ROLE = Qt.ItemDataRole
OF_CELLS = (
    ROLE.DisplayRole,
    ROLE.ToolTipRole,
    ROLE.AccessibleTextRole,
    ROLE.AccessibleDescriptionRole,
)
OF_WIDGETS = ("text", "title", "placeholderText", "toolTip", "windowTitle")
OF_ACTIONS = ("text", "toolTip", "statusTip")


def texts(top: QWidget, *but: type[QWidget]) -> Iterator[str]:
    """All that is read of a window and its parts, by eye or by ear, but for some of them."""
    left_out = {one for kind in but for found in top.findChildren(kind) for one in family(found)}
    for widget in family(top):
        if widget not in left_out:
            yield from own_texts(widget)
    for action in top.findChildren(QAction):
        yield from (getattr(action, name)() for name in OF_ACTIONS)


def own_texts(widget: QWidget) -> Iterator[str]:
    """All that is read of one widget."""
    if isinstance(widget, QToolButton) and isinstance(widget.parentWidget(), QTabBar):
        return  # Qt's own, which it translates
    if not isinstance(widget, QPlainTextEdit | WhatIfPage):  # a trace, and what is copied
        own = (getattr(widget, name, "") for name in OF_WIDGETS)
        yield from (one() if callable(one) else str(one) for one in own)
    yield from (widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, QComboBox):
        yield from map(widget.itemText, range(widget.count()))
    if isinstance(widget, QTabBar):
        yield from map(widget.tabText, range(widget.count()))
    if isinstance(widget, QAbstractItemView) and widget.model() is not None:
        yield from cells(widget.model(), QModelIndex())


def family(top: QWidget) -> tuple[QWidget, ...]:
    """A widget and all in it."""
    return (top, *top.findChildren(QWidget))


def cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    """All that stands in a table or a tree, and above it."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    found = [
        model.headerData(one, Qt.Orientation.Horizontal, role)
        for one in range(columns)
        for role in OF_CELLS
    ]
    for row in range(model.rowCount(parent)):
        indexes = [model.index(row, column, parent) for column in range(columns)]
        found += [index.data(role) for index in indexes for role in OF_CELLS]
        yield from cells(model, indexes[0])
    yield from (text for text in found if isinstance(text, str))
