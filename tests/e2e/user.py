"""What a user sees of a window and does with it: by menus, words, accessible names and keys."""

from collections.abc import Iterator
from typing import cast

import shiboken6
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTableView,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton


def words(text):
    """What is read of a text with mnemonics."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").partition("\t")[0]


# finding


def find(parent, kind, name, *, visible=True):
    """The one widget of a kind that goes by a name: what is read out for it, or stands on it."""
    found = [
        one
        for one in parent.findChildren(kind)
        if name in (one.accessibleName(), words(_text(one))) and (one.isVisible() or not visible)
    ]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} {name!r}"
    return found[0]


def _text(widget):
    return widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""


def texts(parent):
    """All words that are seen in a part: on labels and buttons, and as names of painted parts."""
    for widget in parent.findChildren(QWidget):
        if widget.isVisible():
            yield from filter(None, (words(_text(widget)), widget.accessibleName()))


def seen(parent, kind):
    """The widgets of a kind that are seen in a part."""
    return [one for one in parent.findChildren(kind) if one.isVisible()]


def place_of(widget):
    """The names of a widget and of what it stands in, from the outside."""
    names = []
    while widget is not None:
        names.append(widget.accessibleName() or words(_text(widget)))
        widget = widget.parentWidget()
    return tuple(filter(None, reversed(names)))


def reads(parent, part):
    """These words are seen somewhere in a part."""
    return lambda: any(part in text for text in texts(parent))


def trace_list(window):
    """The list of traces."""
    return find(window, QTableView, "Traces", visible=False)


def row_count(window):
    """How many rows the list shows."""
    return trace_list(window).model().rowCount()


def row_names(window):
    """The names in the list, from top to bottom."""
    model, column = trace_list(window).model(), name_column(window)
    return [model.index(row, column).data() for row in range(model.rowCount())]


def name_column(window):
    """The column of the list in which the names stand."""
    model, across = trace_list(window).model(), Qt.Orientation.Horizontal
    heads = [model.headerData(one, across) for one in range(model.columnCount())]
    return heads.index("Trace")


def current_name(window):
    """The name of the row that the window speaks of, from its title; "" for none."""
    title = window.windowTitle()
    return title.partition(",")[0] if "," in title else ""


def go_to_row(window, name):
    """Click a row of the list."""
    table = trace_list(window)
    index = table.model().index(row_names(window).index(name), name_column(window))
    table.scrollTo(index)
    QTest.mouseClick(table.viewport(), LEFT, pos=table.visualRect(index).center())


def filter_field(window):
    """The field that filters the list."""
    return find(window, QLineEdit, "Filter traces")


def show_all(window):
    """Take every filter off the list."""
    filter_field(window).clear()
    everything = [one for one in seen(window, QAbstractButton) if words(one.text()) == "All"]
    click(min(everything, key=lambda one: one.mapTo(window, QPoint()).x()))  # the list is leftmost


# menus: `QAction.menu` of PySide6 6.8 takes a menu along when the wrapper of its line goes


def menus(window):
    """The menus of the menu bar."""
    return [QMenu.menuInAction(action) for action in window.menuBar().actions()]


def menu_of(window, title):
    """A menu of the menu bar by its title."""
    return next(menu for menu in menus(window) if words(menu.title()) == title)


def lines(menu, *before) -> Iterator[tuple[str, ...]]:
    """The words by which every line of a menu, and of the menus in it, is come to."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        path = (*before, words(action.text()))
        if action.isSeparator() or not action.isVisible():
            continue
        inner = cast("QMenu | None", QMenu.menuInAction(action))
        if inner is not None:
            yield from lines(inner, *path)
        else:
            yield path


def line_of(menu, *path) -> tuple[QMenu, QAction]:
    """The menu that has a line, and the line."""
    first, *rest = path
    action = next(one for one in menu.actions() if words(one.text()) == first)
    return line_of(QMenu.menuInAction(action), *rest) if rest else (menu, action)


def is_enabled(menu, *path):
    """A line of a menu can be chosen."""
    return line_of(menu, *path)[1].isEnabled()


def can_choose(window, title, *path):
    """A line of the menu bar can be chosen."""
    return is_enabled(menu_of(window, title), *path)


def choose(menu, *path):
    """Open a menu and click one of its lines, which has to be enabled."""
    inner, action = line_of(menu, *path)
    inner.popup(QPoint(0, 0))
    assert action.isEnabled(), path
    QTest.mouseClick(inner, LEFT, pos=inner.actionGeometry(action).center())


def choose_menu(window, title, *path):
    """Click a line of the menu bar."""
    choose(menu_of(window, title), *path)


def context_menu(view):
    """Click the current row of a view, or a head, with the right button; the menu, or None."""
    part = view.viewport()
    row = view.visualRect(view.currentIndex()) if not isinstance(view, QHeaderView) else QRect()
    place = (row if row.isValid() else part.rect()).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, part.mapToGlobal(place))
    QApplication.sendEvent(part, event)
    found = QApplication.activePopupWidget()
    return found if isinstance(found, QMenu) else None


# buttons and fields


def press(parent, name):
    """Click a button by its name."""
    click(find(parent, QAbstractButton, name))


def click(button):
    """Click in the middle of a button."""
    assert button.isEnabled(), words(_text(button)) or button.accessibleName()
    QTest.mouseClick(button, LEFT)


def write(field, text):
    """Write something in a field in place of what stands there."""
    field.selectAll()
    QTest.keyClicks(field, text)


# dialogs


def over(window):
    """Dialogs and menus that stand over the window, the last one on top."""
    tops = (one for one in QApplication.topLevelWidgets() if one is not window)
    return [one for one in tops if one.isVisible() and isinstance(one, QDialog | QMenu)]


def is_there(widget):
    """It was not deleted meanwhile."""
    return shiboken6.isValid(widget)


def file_dialog(window):
    """The dialog that asks for a path."""
    return next(one for one in window.findChildren(QFileDialog) if one.isVisible())


def name_file(window, path):
    """Type a path in the dialog that asks for one, and press Return; waits for the dialog."""
    dialog = file_dialog(window)
    yield dialog.isActiveWindow
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    write(field, str(path))
    QTest.keyClick(field, Qt.Key.Key_Return)
    yield lambda: not is_there(dialog) or not dialog.isVisible()


def escape(dialog):
    """Press the key that closes a dialog or a menu."""
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
