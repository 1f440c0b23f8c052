"""What tests see of a window and do with it, as a user: by menus, words, names and keys."""

from collections.abc import Iterator
from typing import Any, cast

import PySide6
import shiboken6
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QAction, QContextMenuEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QTabBar,
    QTableView,
    QToolButton,
    QTreeView,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
RETURN = Qt.Key.Key_Return
# the point type of QDragEnterEvent: Qt 6.12 deprecates QPoint, earlier versions take nothing else
ENTERING: Any = QPointF if PySide6.__version_info__ >= (6, 12) else QPoint
QUIET = 20  # calls of a condition, 0.01 s apart, without change; a result is shown within ten
WHOLE = 5  # every fifth call also looks through all texts, which takes a hundred times as long


# journeys: tests that yield a ``Main`` to run, and conditions (functions) to wait for


class Main:
    """A run of ``main`` with arguments: a journey that yields one is sent its window."""

    def __init__(self, *arguments, embedder=None, status=0):
        self.arguments, self.embedder, self.status = arguments, embedder, status


CLOSED = None  # a journey yields it to close the window and to wait for ``main`` to end


def opened(*arguments, embedder=None, wide=False):
    """Run ``main`` and wait until all is read and scored; use ``yield from`` for the window."""
    window = yield Main(*arguments, embedder=embedder)
    if wide:
        window.resize(1440, 900)
    yield idle(window)
    return window


def words(text):
    """A text of a widget as it is read: without mnemonics, and without the key behind a tab."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").partition("\t")[0]


# finding


def find(parent, kind, name, *, visible=True):
    """The only widget of a class with this accessible name or text; fails unless there is one."""
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
    """All visible texts within a widget: those of labels and buttons, and accessible names."""
    for widget in parent.findChildren(QWidget):
        if widget.isVisible():
            yield from filter(None, (words(_text(widget)), widget.accessibleName()))


def seen(parent, kind):
    """The visible widgets of a class within a widget."""
    return [one for one in parent.findChildren(kind) if one.isVisible()]


def place_of(widget):
    """The names of a widget's ancestors and its own, outermost first."""
    names = []
    while widget is not None:
        names.append(widget.accessibleName() or words(_text(widget)))
        widget = widget.parentWidget()
    return tuple(filter(None, reversed(names)))


def reads(parent, part):
    """A condition: some visible text within a widget contains ``part``."""
    return lambda: any(part in text for text in texts(parent))


def is_seen(parent, kind, name):
    """Whether a widget of a class with this accessible name or text is visible."""
    return any(name in (one.accessibleName(), words(_text(one))) for one in seen(parent, kind))


def description(parent, name):
    """The accessible description of the widget with this name; "" where it is not visible."""
    found = [one for one in seen(parent, QWidget) if one.accessibleName() == name]
    return next(filter(None, (one.accessibleDescription() for one in found)), "")


def messages(window):
    """All messages of the message bar, newest first; it shows one, so this clicks through them."""
    said = []
    for bar in [one for one in seen(window, QWidget) if one.accessibleName() == "Messages"]:
        for _ in range(10_000):
            (row,) = [one for one in seen(bar, QWidget) if one.parent() is bar]
            said.append(row.accessibleName())
            further = [one for one in seen(row, QToolButton) if " of " in one.text()]
            place, _, number = further[0].text().partition(" of ") if further else ("1", "", "1")
            if further:
                further[0].click()
            if place == number:
                break
    return said


def quiet(window):
    """A condition: nothing is being read or scored."""
    return lambda: not can_choose(window, "Score", "Stop")


def idle(window):
    """A condition: for a while nothing has been read, scored or looked up; results are shown."""
    looks = 0

    def rested():
        nonlocal looks
        looks += 1
        if can_choose(window, "Score", "Stop") or (looks % WHOLE == 0 and is_asking()):
            looks = 0
        return looks == QUIET

    def is_asking():
        return bool(seen(window, QProgressBar)) or "Reading…" in texts(window)

    return rested


# tables, lists and trees, by the texts that their models give to assistive technology


def cells(view, row):
    """The texts of a row's cells, without empty ones."""
    model = view.model()
    indexes = (model.index(row, column) for column in range(model.columnCount()))
    role = Qt.ItemDataRole.AccessibleTextRole
    return [text for one in indexes if (text := one.data(role) or one.data())]


def table(parent, name):
    """The rows of the table with this name, as lists of texts; empty where it is not visible."""
    views = [one for one in seen(parent, QAbstractItemView) if one.accessibleName() == name]
    return [cells(one, row) for one in views for row in range(one.model().rowCount())]


def go_down_to(view, text):
    """Press Down until a cell of the current row contains a text."""
    view.setFocus()
    for _ in range(view.model().rowCount() + 1):
        if any(text in cell for cell in cells(view, max(0, view.currentIndex().row()))):
            return
        QTest.keyClick(view, Qt.Key.Key_Down)
    raise AssertionError(f"no row says {text!r}")


def steps(window):
    """The view with the tree of steps."""
    return find(window, QTreeView, "Steps", visible=False)


def current_step(window):
    """The number of the current step; None where the current row is no step."""
    text = steps(window).currentIndex().siblingAtColumn(0).data()
    return int(text) if text else None


def go_to_step(window, number):
    """Go to a step by the command that asks for its number."""
    trigger(window, "go_to_step")
    field = find(window, QLineEdit, "Number of the step")
    write(field, str(number))
    QTest.keyClick(field, RETURN)
    assert current_step(window) == number


def trace_list(window):
    """The view with the list of traces."""
    return find(window, QTableView, "Traces", visible=False)


def row_count(window):
    """The number of rows in the list of traces."""
    return trace_list(window).model().rowCount()


def row_names(window, role=Qt.ItemDataRole.DisplayRole):
    """The names in the list of traces, from top to bottom."""
    model, column = trace_list(window).model(), name_column(window)
    return [model.index(row, column).data(role) for row in range(model.rowCount())]


def name_column(window):
    """The index of the column with the names in the list of traces."""
    model, across = trace_list(window).model(), Qt.Orientation.Horizontal
    heads = [model.headerData(one, across) for one in range(model.columnCount())]
    return heads.index("Trace")


def trace_rows(window):
    """The rows of the list, from top to bottom: dicts from the head of a column to the text."""
    model, across = trace_list(window).model(), Qt.Orientation.Horizontal
    role, columns = Qt.ItemDataRole.AccessibleTextRole, range(model.columnCount())
    heads = [model.headerData(one, across, role) for one in columns]
    return [
        {head: model.index(row, one).data() for one, head in zip(columns, heads, strict=True)}
        for row in range(model.rowCount())
    ]


def trace_row(window, name):
    """The row with this name, as in ``trace_rows``."""
    return next(row for row in trace_rows(window) if row["Trace"] == name)


def said_rows(window):
    """The accessible text of each row in the list, from top to bottom."""
    return row_names(window, Qt.ItemDataRole.AccessibleTextRole)


def states(window):
    """The state of each row in the list, by the row's name."""
    return {row["Trace"]: row["State"] for row in trace_rows(window)}


def all_scored(window):
    """Whether every row of the list has a verdict and one score, not a range."""
    return scored_names(window) == row_names(window)


def scored_names(window):
    """The names of the rows with a verdict and one score, not a range."""
    rows = [row for row in trace_rows(window) if row["State"] in ("accepted", "rejected")]
    return [row["Trace"] for row in rows if "\N{EN DASH}" not in row["Score"]]


def current_name(window):
    """The name of the current row, from the window's title; "" for none."""
    title = window.windowTitle()
    return title.partition(",")[0] if "," in title else ""


def row_of(window, name):
    """The number of the row with this name, or else with this file in its tool tip."""
    names, model = row_names(window), trace_list(window).model()
    if name in names:
        return names.index(name)
    tips = (model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in range(len(names)))
    return next(row for row, tip in enumerate(tips) if f"/{name}." in tip)


def go_to_row(window, name, modifier=Qt.KeyboardModifier.NoModifier):
    """Click a row of the list, given by its name, its file or its number."""
    table = trace_list(window)
    row = name if isinstance(name, int) else row_of(window, name)
    index = table.model().index(row, name_column(window))
    table.scrollTo(index)
    QTest.mouseClick(table.viewport(), LEFT, modifier, table.visualRect(index).center())


def select(window, *names):
    """Select rows of the list with clicks and Ctrl; the last one becomes the current row."""
    go_to_row(window, names[0])
    for name in names[1:]:
        go_to_row(window, name, Qt.KeyboardModifier.ControlModifier)
    all_names = row_names(window)
    wanted = sorted(row_of(window, name) for name in names)
    assert selected_names(window) == [all_names[row] for row in wanted]


def selected_names(window):
    """The names of the selected rows, from top to bottom."""
    found = trace_list(window).selectionModel().selectedRows(name_column(window))
    return [index.data() for index in sorted(found, key=lambda one: one.row())]


def filter_field(window):
    """The field that filters the list."""
    return find(window, QLineEdit, "Filter traces")


def sort_by(window, name):
    """Click the head of a column of the list."""
    header, column = trace_list(window).horizontalHeader(), list(trace_rows(window)[0]).index(name)
    place = header.rect().center()
    place.setX(header.sectionViewportPosition(column) + 5)
    QTest.mouseClick(header.viewport(), LEFT, pos=place)


def is_in_view(window, name):
    """Whether the whole row with this name is visible in the list, not only a part of it."""
    table = trace_list(window)
    index = table.model().index(row_of(window, name), name_column(window))
    seen = table.visualRect(index)
    return seen.top() >= 0 and seen.bottom() <= table.viewport().height()


def show_all(window):
    """Remove every filter from the list."""
    filter_field(window).clear()
    everything = [one for one in seen(window, QAbstractButton) if words(one.text()) == "All"]
    click(min(everything, key=lambda one: one.mapTo(window, QPoint()).x()))  # the list is leftmost


# menus: with `QAction.menu`, PySide6 6.8 deletes a menu when the wrapper of its action is freed


def menus(window):
    """The menus of the menu bar."""
    return [QMenu.menuInAction(action) for action in window.menuBar().actions()]


def menu_of(window, title):
    """A menu of the menu bar by its title."""
    return next(menu for menu in menus(window) if words(menu.title()) == title)


def lines(menu, *before) -> Iterator[tuple[str, ...]]:
    """The path of each line in a menu and its submenus: the texts to click, one after the other."""
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
    """The submenu and the action at the end of a path of texts."""
    first, *rest = path
    action = next(one for one in menu.actions() if words(one.text()) == first)
    return line_of(QMenu.menuInAction(action), *rest) if rest else (menu, action)


def is_enabled(menu, *path):
    """Whether the line of a menu at a path is enabled."""
    return line_of(menu, *path)[1].isEnabled()


def can_choose(window, title, *path):
    """Whether the line of the menu bar at a path is enabled."""
    return is_enabled(menu_of(window, title), *path)


def choose(menu, *path):
    """Open a menu and click the line at a path; it has to be enabled."""
    inner, action = line_of(menu, *path)
    inner.popup(QPoint(0, 0))
    assert action.isEnabled(), path
    QTest.mouseClick(inner, LEFT, pos=inner.actionGeometry(action).center())


def choose_menu(window, title, *path):
    """Click the line at a path in a menu of the menu bar."""
    choose(menu_of(window, title), *path)


def action(window, command):
    """The action with this name in the menus, such as ``go_to_step``."""
    return window.menuBar().findChild(QAction, command)


def trigger(window, command):
    """Trigger the action with this name; it has to be enabled."""
    line = action(window, command)
    assert line.isEnabled(), command
    line.trigger()


def copied(window, command):
    """Trigger a command; returns the text that it puts on the clipboard."""
    QGuiApplication.clipboard().clear()
    trigger(window, command)
    return QGuiApplication.clipboard().text()


def copied_problem(window):
    """The problem and the lines around it, by the button that copies them; "" without it."""
    if not is_seen(window, QAbstractButton, "Copy the problem and the lines"):
        return ""
    press(window, "Copy the problem and the lines")
    return QGuiApplication.clipboard().text()


def context_menu(view):
    """Right-click the current row of a view, or a header; returns the menu, or None."""
    part = view.viewport()
    row = view.visualRect(view.currentIndex()) if not isinstance(view, QHeaderView) else QRect()
    place = (row if row.isValid() else part.rect()).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, part.mapToGlobal(place))
    QApplication.sendEvent(part, event)
    found = QApplication.activePopupWidget()
    return found if isinstance(found, QMenu) else None


# buttons and fields


def press(parent, name):
    """Click the button with this name."""
    click(find(parent, QAbstractButton, name))


def click(button):
    """Click a button; it has to be enabled."""
    assert button.isEnabled(), words(_text(button)) or button.accessibleName()
    QTest.mouseClick(button, LEFT)


def pressed(parent):
    """The texts of the visible buttons that are checked."""
    return [words(one.text()) for one in seen(parent, QAbstractButton) if one.isChecked()]


def write(field, text):
    """Replace the text in a field by typing, or by pasting if the field completes what is typed.

    The offscreen platform loses the focus when a list of completions closes.
    """
    field.setFocus()
    field.selectAll()
    if isinstance(field, QLineEdit) and field.completer() is not None and text:
        QGuiApplication.clipboard().setText(text)
        field.paste()
    else:
        QTest.keyClicks(field, text)


def set_number(parent, name, value):
    """Type a number in the field with this name, and press Return."""
    field = find(parent, QAbstractSpinBox, name)
    write(field, str(value))
    QTest.keyClick(field, RETURN)


def number_in(parent, name):
    """The number in the field with this name."""
    return float(find(parent, QAbstractSpinBox, name).text())


def choose_in(parent, name, text):
    """Choose an entry of the combo box with this name, by typing."""
    box = find(parent, QComboBox, name)
    box.setFocus()
    QTest.keyClicks(box, text)
    assert box.currentText() == text


def tab_bar(window, name):
    """The tab bar with this name."""
    return find(window, QTabBar, name)


def tabs(window, name):
    """The texts of the visible tabs of the tab bar with this name."""
    bar = tab_bar(window, name)
    return [bar.tabText(one) for one in range(bar.count()) if bar.isTabVisible(one)]


def tab(window, name="Score"):
    """The text of the current tab of the tab bar with this name."""
    bar = tab_bar(window, name)
    return bar.tabText(bar.currentIndex())


def go_to_tab(window, name, text):
    """Click the tab with this text in the tab bar with this name."""
    bar = tab_bar(window, name)
    number = [bar.tabText(one) for one in range(bar.count())].index(text)
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(number).center())
    assert tab(window, name) == text


# the keyboard and the mouse


def focused():
    """The widget with the keyboard focus; fails if there is none."""
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the keyboard"
    return widget


def press_key(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key on the widget with the keyboard focus."""
    QTest.keyClick(focused(), key, modifiers)


def drop(window, *paths, at=(9, 9)):
    """Drop files and folders, or URLs, on the window."""
    mime = QMimeData()
    mime.setUrls([QUrl(p) if "://" in str(p) else QUrl.fromLocalFile(str(p)) for p in paths])
    given = (Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, QDragEnterEvent(ENTERING(*at), *given))
    QApplication.sendEvent(window, QDropEvent(QPointF(*at), *given))


# what-if


def case(window):
    """What the What-if tab copies: a dict from the first cell of each line to the other cells.

    "step" has the changes of all steps, "held" says what novelty rests on. A dimension has five
    cells: the value now, the value tried, the weight, what it adds, the value needed alone.
    """
    trigger(window, "what_if")
    found = {"step": []}
    for line in filter(None, copied(window, "copy_answer").splitlines()):
        name, *values = line.split("\t")
        if name == "step":
            found["step"] += values
        elif (name, *values[:1]) == ("profile", "verdict"):
            return found
        else:
            found["held" if name == "novelty" and len(values) == 1 else name] = values
    raise AssertionError("there is nothing to try")


# dialogs


def over(window):
    """The visible dialogs and menus above the window, the topmost last."""
    tops = (one for one in QApplication.topLevelWidgets() if one is not window)
    return [one for one in tops if one.isVisible() and isinstance(one, QDialog | QMenu)]


def is_there(widget):
    """Whether Qt has not deleted a widget yet."""
    return shiboken6.isValid(widget)


def dialog(window, title):
    """The visible dialog with this title."""
    (found,) = (one for one in seen(window, QDialog) if one.windowTitle() == title)
    return found


def save_as(window, path, said=""):
    """Choose a path in the file dialog; waits for the file, or for the text ``said``."""
    asking = file_dialog(window)
    asking.fileSelected.emit(str(path))
    asking.close()
    yield reads(window, said) if said else path.exists


def file_dialog(window):
    """The visible file dialog."""
    return next(one for one in window.findChildren(QFileDialog) if one.isVisible())


def name_file(window, path):
    """Type a path in the file dialog and press Return; waits until it is active, then closed."""
    dialog = file_dialog(window)
    yield dialog.isActiveWindow
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    write(field, str(path))
    QTest.keyClick(field, Qt.Key.Key_Return)
    yield lambda: not is_there(dialog) or not dialog.isVisible()


def escape(dialog):
    """Press Escape in a dialog or a menu."""
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
