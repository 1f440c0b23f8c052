"""Windows with a column of widgets, and what is seen and heard of them."""

from typing import TypeVar

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from kpinspector.ui.controls.views import PaneTabs
from kpinspector.ui.traces.trace_model import ROW_ROLE
from kpinspector.ui.traces.trace_row import TraceColumn

Kind = TypeVar("Kind", bound=QWidget)


def exposed(qtbot: QtBot, widget: Kind, *size: int) -> Kind:
    """The widget, on the screen till the end, in this width and height."""
    qtbot.addWidget(widget)
    if size:
        widget.resize(*size)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def windows(qtbot):
    """Gives what shows a window with a column of widgets, and keeps them till the end."""
    kept = []

    def show(*widgets):
        top = QWidget()
        kept.append(top)
        column = QVBoxLayout(top)
        for widget in widgets:
            column.addWidget(widget)
        exposed(qtbot, top).activateWindow()
        qtbot.waitUntil(top.isActiveWindow)
        return top

    yield show
    kept.clear()


def heard(widget):
    """The role and the name that assistive technology is told."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.role(), interface.text(QAccessible.Text.Name)


def tabs_of(*words):
    tabs = PaneTabs("Views")
    for word in words:
        tabs.addTab(word)
    return tabs


def button(dialog, text):
    found = dialog.findChildren(QPushButton)
    return next(one for one in found if one.text().replace("&", "") == text)


def shown_documents(model):
    """The documents that a list shows, from top to bottom, without its headings."""
    rows = (model.index(row, TraceColumn.TRACE) for row in range(model.rowCount()))
    return [row.data(ROW_ROLE).document for row in rows]
