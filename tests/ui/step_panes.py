"""A pane of steps, and what is seen and heard of it."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QComboBox, QLabel

from kpinspector.app.document import Document
from kpinspector.scoring.formula.measurement import Reach
from kpinspector.ui.steps.step_model import StepColumn, StepRole
from kpinspector.ui.steps.step_pane import StepPane
from tests import user
from tests.known import present

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def shown_pane(qtbot) -> StepPane:
    """The steps in a pane of usual size; its models are looked at."""
    pane = StepPane()
    qtbot.addWidget(pane)
    qtbot.addWidget(pane.detail)
    QAbstractItemModelTester(pane.tree.steps, FATAL, pane)
    pane.resize(636, 500)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane


def show(pane: StepPane, document: Document | None) -> None:
    """Show the steps of a row, whose tried edits and filters stay as they are."""
    pane.show_steps(replace(pane.shown, document=document))


def reach(step: int | None) -> Reach:
    return Reach(tokens=512, truncated=True, ends_at_step=step)


def visible(pane: StepPane) -> list[str]:
    """The rows that can be seen, by step number; "-" is the window's end, "o" the objective."""
    tree, found = pane.tree, []
    index = tree.model().index(0, StepColumn.KIND)
    while index.isValid():
        row = index.data(StepRole.ROW)
        found.append(str(row.step.index) if row.step else {-1: "o"}.get(row.number, "-"))
        index = tree.indexBelow(index)
    return found


def heard(pane: StepPane) -> list[int | None]:
    found: list[int | None] = []
    pane.step_selected.connect(lambda step: found.append(step and step.index))
    return found


def find(pane: StepPane, qtbot, text: str) -> str:
    """Look for a text; the words beside the field once all was looked through."""
    pane.find_bar.field.setText(text)
    qtbot.waitUntil(lambda: "…" not in hits(pane))
    return hits(pane)


def hits(pane: StepPane) -> str:
    """What is said beside the field of search: which hit is current, and how many there are."""
    bar = pane.find_bar
    return "".join(one.text() for one in bar.findChildren(QLabel) if one.isVisibleTo(bar))


def choose_kind(pane: StepPane, word: str) -> None:
    """Show the steps of one kind, by its chip or, where it is narrow, in the list."""
    box = present(pane.findChild(QComboBox))
    if not box.isVisible():
        user.press(pane, word)
        return
    box.setFocus()
    if word == "All":
        QTest.keyClick(box, Qt.Key.Key_Home)
    else:
        QTest.keyClicks(box, word)


def chosen_kind(pane: StepPane) -> str:
    """The word on the chip that is pressed in, or what the list says."""
    box = present(pane.findChild(QComboBox))
    return box.currentText() if box.isVisible() else " ".join(user.pressed(pane))
