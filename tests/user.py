"""What a user sees of a window and does with it: by menus, words, accessible names and keys."""

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
# Qt 6.12 deprecates whole pixels here, and earlier versions know nothing else
ENTERING: Any = QPointF if PySide6.__version_info__ >= (6, 12) else QPoint
QUIET = 20  # looks at the window, a hundredth of a second apart; what comes is shown within ten
WHOLE = 5  # every so many looks all that is read is looked at, which takes a hundred times as long


# a journey, which is a test that yields: what it runs, and the conditions it waits for


class Main:
    """A run of ``main`` with arguments: a journey that yields it is sent the window."""

    def __init__(self, *arguments, embedder=None, status=0):
        self.arguments, self.embedder, self.status = arguments, embedder, status


CLOSED = (
    None  # yielded where the window is to be closed, and ``main`` to end, before a journey goes on
)


def opened(*arguments, embedder=None, wide=False):
    """The window of a run of ``main`` when all is read and scored."""
    window = yield Main(*arguments, embedder=embedder)
    if wide:
        window.resize(1440, 900)
    yield idle(window)
    return window


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


def is_seen(parent, kind, name):
    """A widget of a kind that goes by a name is seen."""
    return any(name in (one.accessibleName(), words(_text(one))) for one in seen(parent, kind))


def description(parent, name):
    """What is said of the part of that name; "" where it is not seen."""
    found = [one for one in seen(parent, QWidget) if one.accessibleName() == name]
    return next(filter(None, (one.accessibleDescription() for one in found)), "")


def messages(window):
    """The messages above the view, the newest first: the bar shows one, and the next on request."""
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
    """Nothing is read or scored."""
    return lambda: not can_choose(window, "Score", "Stop")


def idle(window):
    """Nothing is read, scored or asked any more, and all that came of it is seen."""
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


# tables, lists and trees: what their models say to assistive technology


def cells(view, row):
    """The texts of a row, without what is empty."""
    model = view.model()
    indexes = (model.index(row, column) for column in range(model.columnCount()))
    role = Qt.ItemDataRole.AccessibleTextRole
    return [text for one in indexes if (text := one.data(role) or one.data())]


def table(parent, name):
    """The rows of the table of that name; none where it is not seen."""
    views = [one for one in seen(parent, QAbstractItemView) if one.accessibleName() == name]
    return [cells(one, row) for one in views for row in range(one.model().rowCount())]


def go_down_to(view, text):
    """Press Down until the current row says something."""
    view.setFocus()
    for _ in range(view.model().rowCount() + 1):
        if any(text in cell for cell in cells(view, max(0, view.currentIndex().row()))):
            return
        QTest.keyClick(view, Qt.Key.Key_Down)
    raise AssertionError(f"no row says {text!r}")


def steps(window):
    """The tree of steps."""
    return find(window, QTreeView, "Steps", visible=False)


def current_step(window):
    """The number of the current step; None where it is no step."""
    text = steps(window).currentIndex().siblingAtColumn(0).data()
    return int(text) if text else None


def go_to_step(window, number):
    """Type the number of a step."""
    trigger(window, "go_to_step")
    field = find(window, QLineEdit, "Number of the step")
    write(field, str(number))
    QTest.keyClick(field, RETURN)
    assert current_step(window) == number


def trace_list(window):
    """The list of traces."""
    return find(window, QTableView, "Traces", visible=False)


def row_count(window):
    """How many rows the list shows."""
    return trace_list(window).model().rowCount()


def row_names(window, role=Qt.ItemDataRole.DisplayRole):
    """The names in the list, from top to bottom."""
    model, column = trace_list(window).model(), name_column(window)
    return [model.index(row, column).data(role) for row in range(model.rowCount())]


def name_column(window):
    """The column of the list in which the names stand."""
    model, across = trace_list(window).model(), Qt.Orientation.Horizontal
    heads = [model.headerData(one, across) for one in range(model.columnCount())]
    return heads.index("Trace")


def trace_rows(window):
    """The list from top to bottom: for each row what stands under each head."""
    model, across = trace_list(window).model(), Qt.Orientation.Horizontal
    role, columns = Qt.ItemDataRole.AccessibleTextRole, range(model.columnCount())
    heads = [model.headerData(one, across, role) for one in columns]
    return [
        {head: model.index(row, one).data() for one, head in zip(columns, heads, strict=True)}
        for row in range(model.rowCount())
    ]


def trace_row(window, name):
    """What stands in the row of that name."""
    return next(row for row in trace_rows(window) if row["Trace"] == name)


def said_rows(window):
    """What is read out for each row of the list."""
    return row_names(window, Qt.ItemDataRole.AccessibleTextRole)


def states(window):
    """The state of each row in the list, by its name."""
    return {row["Trace"]: row["State"] for row in trace_rows(window)}


def all_scored(window):
    """Every row of the list has its verdict, and no range where its score is to stand."""
    return scored_names(window) == row_names(window)


def scored_names(window):
    """The rows that have a verdict and one score, where others have a range or nothing."""
    rows = [row for row in trace_rows(window) if row["State"] in ("accepted", "rejected")]
    return [row["Trace"] for row in rows if "\N{EN DASH}" not in row["Score"]]


def current_name(window):
    """The name of the row that the window speaks of, from its title; "" for none."""
    title = window.windowTitle()
    return title.partition(",")[0] if "," in title else ""


def row_of(window, name):
    """The number of a row, which goes by its name or, as the tool tip tells it, by its file."""
    names, model = row_names(window), trace_list(window).model()
    if name in names:
        return names.index(name)
    tips = (model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in range(len(names)))
    return next(row for row, tip in enumerate(tips) if f"/{name}." in tip)


def go_to_row(window, name, modifier=Qt.KeyboardModifier.NoModifier):
    """Click a row of the list, which goes by its name, its file or its number."""
    table = trace_list(window)
    row = name if isinstance(name, int) else row_of(window, name)
    index = table.model().index(row, name_column(window))
    table.scrollTo(index)
    QTest.mouseClick(table.viewport(), LEFT, modifier, table.visualRect(index).center())


def select(window, *names):
    """Click some rows of the list together; the last one becomes the current one."""
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
    """All of the row of that name is seen in the list, and not only part of it."""
    table = trace_list(window)
    index = table.model().index(row_of(window, name), name_column(window))
    seen = table.visualRect(index)
    return seen.top() >= 0 and seen.bottom() <= table.viewport().height()


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


def action(window, command):
    """The line of the menus that does a command."""
    return window.menuBar().findChild(QAction, command)


def trigger(window, command):
    """Do what a menu's line does; it has to be enabled."""
    line = action(window, command)
    assert line.isEnabled(), command
    line.trigger()


def copied(window, command):
    """What a command puts on the clipboard."""
    QGuiApplication.clipboard().clear()
    trigger(window, command)
    return QGuiApplication.clipboard().text()


def copied_problem(window):
    """What the page of a problem says with the lines around its place; "" where it is not seen."""
    if not is_seen(window, QAbstractButton, "Copy the problem and the lines"):
        return ""
    press(window, "Copy the problem and the lines")
    return QGuiApplication.clipboard().text()


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


def pressed(parent):
    """The words on the buttons that are pressed in and stay so."""
    return [words(one.text()) for one in seen(parent, QAbstractButton) if one.isChecked()]


def write(field, text):
    """Write something in a field in place of what stands there; pasted where typing completes.

    The offscreen platform loses the keyboard when a list of completions goes.
    """
    field.setFocus()
    field.selectAll()
    if isinstance(field, QLineEdit) and field.completer() is not None and text:
        QGuiApplication.clipboard().setText(text)
        field.paste()
    else:
        QTest.keyClicks(field, text)


def set_number(parent, name, value):
    """Type a number in the field of that name, and Return."""
    field = find(parent, QAbstractSpinBox, name)
    write(field, str(value))
    QTest.keyClick(field, RETURN)


def number_in(parent, name):
    """The number in the field of that name."""
    return float(find(parent, QAbstractSpinBox, name).text())


def choose_in(parent, name, text):
    """Choose something in the list that a box of that name opens, by typing."""
    box = find(parent, QComboBox, name)
    box.setFocus()
    QTest.keyClicks(box, text)
    assert box.currentText() == text


def tab_bar(window, name):
    """The tabs of that name."""
    return find(window, QTabBar, name)


def tabs(window, name):
    """The words on the tabs of that name."""
    bar = tab_bar(window, name)
    return [bar.tabText(one) for one in range(bar.count()) if bar.isTabVisible(one)]


def tab(window, name="Score"):
    """The words on the tab that is on top."""
    bar = tab_bar(window, name)
    return bar.tabText(bar.currentIndex())


def go_to_tab(window, name, text):
    """Click a tab."""
    bar = tab_bar(window, name)
    number = [bar.tabText(one) for one in range(bar.count())].index(text)
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(number).center())
    assert tab(window, name) == text


# the keyboard and the mouse


def focused():
    """The widget that has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None, "nothing has the keyboard"
    return widget


def press_key(key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key on whatever has the keyboard."""
    QTest.keyClick(focused(), key, modifiers)


def drop(window, *paths, at=(9, 9)):
    """Drag files and folders, or addresses, into the window and let go."""
    mime = QMimeData()
    mime.setUrls([QUrl(p) if "://" in str(p) else QUrl.fromLocalFile(str(p)) for p in paths])
    given = (Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, QDragEnterEvent(ENTERING(*at), *given))
    QApplication.sendEvent(window, QDropEvent(QPointF(*at), *given))


# what-if


def case(window):
    """What the What-if tab says when it is copied: now and what if, and the changes by their kinds.

    ``step`` is a list, ``held`` says what novelty stands on, and of a dimension there are the value
    now, the one tried, its weight, what it adds, and what is needed alone.
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
    """Dialogs and menus that stand over the window, the last one on top."""
    tops = (one for one in QApplication.topLevelWidgets() if one is not window)
    return [one for one in tops if one.isVisible() and isinstance(one, QDialog | QMenu)]


def is_there(widget):
    """It was not deleted meanwhile."""
    return shiboken6.isValid(widget)


def dialog(window, title):
    """The dialog of that title."""
    (found,) = (one for one in seen(window, QDialog) if one.windowTitle() == title)
    return found


def save_as(window, path, said=""):
    """Choose a path in the dialog that asks for one; waits for the file, or for what is said."""
    asking = file_dialog(window)
    asking.fileSelected.emit(str(path))
    asking.close()
    yield reads(window, said) if said else path.exists


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
