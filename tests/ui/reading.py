"""What panels and tables say, read as assistive technology reads it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QWidget

from kpinspector.settings import Theme
from kpinspector.ui.look.theme import apply_theme, colours, set_palette
from kpinspector.ui.panes.why import WhyView
from kpinspector.ui.parts.sections import SentenceLabel
from kpinspector.ui.tables.figure_table import FigureTable
from kpinspector.ui.window.score_panel import ScorePanel
from tests.known import of, present
from tests.ui.main_windows import settle
from tests.ui.windows import exposed


@pytest.fixture
def panel(qtbot) -> Iterator[ScorePanel]:
    """A score panel in the light palette, as wide and as high as in a usual window."""
    app = of(QApplication, QApplication.instance())
    usual = app.font()
    set_palette(app, dark=False)
    made = exposed(qtbot, ScorePanel(), 440, 780)
    yield made
    app.setFont(usual)


def show(panel, one) -> None:
    """Show a document and let the layouts settle."""
    panel.set_document(one)
    settle()


def is_red(field: QWidget) -> bool:
    """The edge of a field, in the style sheet of the program, says that its value is not taken."""
    apply_theme(of(QApplication, QApplication.instance()), Theme.SYSTEM)
    image, red = field.grab().toImage(), colours(field.palette()).rejected
    return any(image.pixelColor(x, 0) == red for x in range(image.width()))


def interfaces(root) -> Iterator[QAccessibleInterface]:
    """Every visible interface below a widget, the widget's own first."""
    waiting = [QAccessible.queryAccessibleInterface(root)]
    while waiting:
        one = waiting.pop(0)
        if one is None or not one.isValid() or one.state().invisible:
            continue
        yield one
        waiting += [one.child(number) for number in range(one.childCount())]


def names(root) -> list[str]:
    found = (one.text(QAccessible.Text.Name) for one in interfaces(root))
    return [name for name in found if name]


def description(root, name: str) -> str:
    for one in interfaces(root):
        if one.text(QAccessible.Text.Name) == name and one.text(QAccessible.Text.Description):
            return one.text(QAccessible.Text.Description)
    raise AssertionError(f"nothing is named {name}")


def cells(root, name: str) -> list[str]:
    """The texts of a table, cell by cell, as assistive technology reads them."""
    for one in interfaces(root):
        is_table = one.role() == QAccessible.Role.Table
        if is_table and one.text(QAccessible.Text.Name) == name:
            children = (one.child(number) for number in range(one.childCount()))
            found = [child for child in children if child.role() == QAccessible.Role.Cell]
            return [cell.text(QAccessible.Text.Name) for cell in found]
    raise AssertionError(f"no table is named {name}")


def table(root, name: str) -> list[list[str]]:
    """The rows of a table by its model, without what is empty."""
    return texts(view_of(root, name))


def view_of(panel: QWidget, name: str) -> FigureTable:
    return next(one for one in panel.findChildren(FigureTable) if one.accessibleName() == name)


def heads(panel, name):
    return [head.text for head in view_of(panel, name).figures.heads]


def sentence(panel: QWidget) -> str:
    return present(present(panel.findChild(WhyView)).findChild(SentenceLabel)).text()


def texts(table) -> list[list[str]]:
    """The rows of a table of figures, without what is empty."""
    model, role = table.figures, Qt.ItemDataRole.AccessibleTextRole
    rows = [
        [model.index(row, column).data(role) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]
    return [[text for text in row if text] for row in rows]
