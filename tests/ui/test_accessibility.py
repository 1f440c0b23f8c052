"""The whole window as assistive technology and the keyboard find it."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QHeaderView, QLabel, QWidget

from kpinspector.files import resources
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.base import ElidedLabel, FlatButton
from kpinspector.ui.controls.chips import Chip
from kpinspector.ui.controls.views import Graphic, StateMark
from kpinspector.ui.look.theme import TextRole, font, set_palette
from kpinspector.ui.panes.compare import ComparePane
from kpinspector.ui.parts.message_bar import MessageBar
from kpinspector.ui.steps.step_detail import StepDetail
from kpinspector.ui.steps.step_pane import StepPane
from kpinspector.ui.tables.figure_table import FigureTable
from kpinspector.ui.traces.other_pages import ProblemPage, ReportView
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.window.frame import ToolBar
from kpinspector.ui.window.score_panel import ScorePanel
from kpinspector.ui.window.start_page import StartPage
from tests import user
from tests.known import of, present
from tests.ui.documents import report
from tests.ui.main_windows import (
    NARROW,
    WIDE,
    close,
    finish,
    open_window,
    part,
    resize,
    session_of,
    settle,
    trace_and_problem,
)

Role = QAccessible.Role
TOOL_TIP = Qt.ItemDataRole.ToolTipRole
# what a user works with; the name says what it is for
CONTROLS = {
    Role.Button,
    Role.ButtonMenu,
    Role.CheckBox,
    Role.ComboBox,
    Role.EditableText,
    Role.PageTab,
    Role.PageTabList,
    Role.RadioButton,
    Role.Slider,
    Role.SpinBox,
    Role.Table,
    Role.Tree,
    Role.List,
}
PRESSED = {Role.Button, Role.ButtonMenu, Role.CheckBox, Role.RadioButton}
_WITH_STEPS = {"wide", "what-if", "neighbours", "narrow"}
_ALONE = {
    "comparison": ComparePane,
    "problem": ProblemPage,
    "report": ReportView,
    "start": StartPage,
}


@pytest.fixture
def window(qtbot, tmp_path):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = open_window(qtbot, tmp_path, *trace_and_problem(tmp_path))
    yield made
    close(made)


def places(window):
    """The window with a trace in every shape, a problem, a report, and nothing at all."""
    resize(window, WIDE)
    yield "wide"
    try_something(window)
    yield "what-if"
    user.trigger(window, Command.NEIGHBOURS)
    settle()
    yield "neighbours"
    session = session_of(window)
    number = session.documents[0].number
    session.comparisons.compare(number, number)
    finish(window)
    yield "comparison"
    user.trigger(window, Command.CLOSE_COMPARISON)
    resize(window, NARROW)
    user.go_to_tab(window, "Score", "Step 1")
    yield "narrow"
    resize(window, WIDE)
    user.trigger(window, Command.NEXT)
    settle()
    yield "problem"
    session.store.put(report(99, session.documents[0]))
    session.store.flush()
    user.go_to_row(window, 2)
    settle()
    yield "report"
    user.trigger(window, Command.CLOSE_ALL)
    settle()
    yield "start"


def try_something(window):
    """What-if with a line to take back and a novelty to measure."""
    user.trigger(window, Command.WHAT_IF)
    user.go_to_step(window, 1)
    user.press(window, "Leave out")
    settle()


def walk(root):
    waiting = [QAccessible.queryAccessibleInterface(root)]
    while waiting:
        one = waiting.pop()
        if one is None or not one.isValid() or one.state().invisible:
            continue
        yield one
        if one.role() not in {Role.Table, Role.Tree, Role.List}:  # their cells are the views' own
            waiting += [one.child(n) for n in reversed(range(one.childCount()))]


def controls_are_named(seen, place):
    found = [one for one in seen if one.role() in CONTROLS]
    assert len(found) > 8, place
    nameless = [
        (one.role().name, type(one.object()).__name__)
        for one in found
        if not one.text(QAccessible.Text.Name)
        # the editor inside a field that has the name, and the arrows of its scroll bars
        and not (one.parent() and one.parent().text(QAccessible.Text.Name))
    ]
    assert nameless == [], place


def buttons_can_be_pressed(seen, place):
    for one in seen:
        if one.role() in PRESSED and not one.state().disabled:
            actions = one.actionInterface().actionNames()
            menu = {"ShowMenu", "Show Menu"}  # Qt 6.12 writes it as two words
            wanted = menu if one.role() == Role.ButtonMenu else {"Press", "Toggle"}
            assert wanted & set(actions), (place, one.text(QAccessible.Text.Name), actions)


def nothing_has_markup(seen, hostile, place):
    texts = (QAccessible.Text.Name, QAccessible.Text.Description, QAccessible.Text.Help)
    said = {one.text(text) for one in seen for text in texts}
    assert hostile in said
    assert [one for one in said if "<qt>" in one or "&amp;" in one] == [], place


def signs_are_explained(window, place):
    for mark in (*user.seen(window, StateMark), *user.seen(window, Graphic)):
        one = QAccessible.queryAccessibleInterface(mark)
        assert one.role() is Role.Graphic and one.text(QAccessible.Text.Name)
    for button in user.seen(window, FlatButton):
        alone = button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
        assert button.toolTip() or (button.text() and not alone), (place, button.accessibleName())
    for chip in user.seen(window, Chip):
        assert chip.toolTip() or chip.text(), (place, chip.accessibleName())


def explained_heads(window):
    """The headings that have a tool tip, each in other words than its own."""
    side, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    found = set()
    for head in user.seen(window, QHeaderView):
        for number in range(head.count()):
            text = str(head.model().headerData(number, side) or "")
            words = str(head.model().headerData(number, side, tip) or "")
            assert not words or text.casefold() != words.casefold()
            found.update([text] if words else [])
    return found


def keys_come_to_every_pane(window, place):
    kinds = [
        ToolBar,
        *([] if place == "start" else [TracePane, ScorePanel]),
        *([StepPane, StepDetail] if place in _WITH_STEPS else []),
        *([_ALONE[place]] if place in _ALONE else []),
    ]
    order = tab_order(window)
    for widget in order:
        one = QAccessible.queryAccessibleInterface(widget)
        assert one.role() in CONTROLS | {Role.StaticText, Role.Client, Role.Pane}, widget
        assert one.text(QAccessible.Text.Name), (place, widget)
    panes = [part(window, kind) for kind in kinds]
    missed = [
        type(pane).__name__ for pane in panes if not any(pane.isAncestorOf(one) for one in order)
    ]
    assert missed == [], place


@pytest.mark.slow
def test_whatever_is_seen_is_named_explained_and_come_to_by_keys(window):
    label = ElidedLabel("Tom & Jerry, and a name so long that it does not fit its line")
    label.setParent(window)
    label.resize(40, 20)
    label.show()
    settle()
    named = {
        one.text(QAccessible.Text.Name): one.role()
        for one in walk(window)
        if one.role() not in {Role.PageTab, Role.Cell}
    }
    assert named["Verdict"] is named["Gates"] is Role.Grouping
    explained = set()
    for place in places(window):
        seen = [*walk(window)]
        controls_are_named(seen, place)
        buttons_can_be_pressed(seen, place)
        nothing_has_markup(seen, label.text(), place)
        signs_are_explained(window, place)
        explained |= explained_heads(window)
        keys_come_to_every_pane(window, place)
    assert {"C", "Margin", "Counts for", "Kind", "lost", "Overrides"} <= explained


def panes_of(widgets, window):
    """The panes that these belong to, one after the other."""
    kinds = (ToolBar, TracePane, StepPane, StepDetail, ScorePanel)
    found = []
    for widget in widgets:
        pane = next((one for one in kinds if part(window, one).isAncestorOf(widget)), None)
        if pane is not None and found[-1:] != [pane]:
            found.append(pane)
    return found


def test_readers_and_keys_meet_the_panes_in_the_order_of_reading(window):
    order = [ToolBar, TracePane, StepPane, StepDetail, ScorePanel]
    for size in (WIDE, NARROW, WIDE):
        resize(window, size)
        heard = [one.object() for one in walk(window) if isinstance(one.object(), QWidget)]
        assert panes_of(heard, window) == order[: 3 if size is NARROW else None] + (
            [ScorePanel] if size is NARROW else []
        )
    assert panes_of(tab_order(window), window) == order


@pytest.fixture
def announced(monkeypatch):
    """What is said to assistive technology of its own accord."""
    said, tell = [], QAccessible.updateAccessibility

    def hear(event):
        if event.type() == QAccessible.Event.Announcement:
            said.append((type(event.object()).__name__, event.message()))
        tell(event)

    monkeypatch.setattr(QAccessible, "updateAccessibility", hear)
    return said


def test_another_verdict_is_announced(window, announced):
    threshold = user.find(window, QAbstractSpinBox, "Threshold")
    threshold.setValue(0.3)
    settle()
    assert [words.split(".")[0] for _, words in announced] == ["Accepted"]
    threshold.setValue(0.31)
    settle()
    assert len(announced) == 1  # the verdict is the same
    threshold.setValue(0.9)
    settle()
    assert [words.split(".")[0] for _, words in announced] == ["Accepted", "Rejected"]
    user.trigger(window, Command.NEXT)
    settle()
    assert len(announced) == 2  # another row is read where it is chosen


def tab_order(window):
    """What Tab comes to, until it comes round."""
    window.activateWindow()
    settle()
    buttons = user.seen(part(window, ToolBar), FlatButton)
    next(one for one in buttons if one.isEnabled()).setFocus()
    found = []
    while (focus := present(QApplication.focusWidget())) not in found:
        found.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        assert len(found) < 99
    return found


def test_tab_goes_through_a_pane_from_top_to_bottom(window):
    resize(window, WIDE)
    order = tab_order(window)
    kinds = (ToolBar, TracePane, MessageBar, StepPane, StepDetail)
    panes = [part(window, kind) for kind in kinds]
    found = []
    for one in order:
        pane = next((pane for pane in panes if pane.isAncestorOf(one)), None)
        if pane is not None and (not found or found[-1] is not pane):
            found.append(pane)
    assert found == panes
    for pane in panes[1:]:
        tops = [
            one.mapTo(window, one.rect().center()).y() for one in order if pane.isAncestorOf(one)
        ]
        rows = [top // 12 for top in tops]  # what stands in one line may differ by a little
        assert rows == sorted(rows), type(pane).__name__


@pytest.mark.slow
def test_whatever_has_the_keyboard_looks_different_for_it(window):
    def seen(widget):
        settle()
        place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())
        return window.grab(place.adjusted(-8, -8, 8, 8)).toImage()

    for place in places(window):
        for widget in tab_order(window):
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            focused = seen(widget)
            widget.clearFocus()
            assert seen(widget) != focused, (place, widget.accessibleName(), widget)


def tips_of(root):
    """Every title and every drawn head of a column below a widget, with its tool tip."""
    of_titles = font(TextRole.HEADING, QApplication.font())
    for label in root.findChildren(QLabel):
        if label.isVisible() and label.font() == of_titles:
            yield label.text(), label.toolTip()
    for table in root.findChildren(FigureTable):
        for column, head in enumerate(table.figures.heads if table.isVisible() else ()):
            if head.text and not (head.note and head.figure):
                tip = table.figures.headerData(column, Qt.Orientation.Horizontal, TOOL_TIP)
                yield head.text, tip


@pytest.mark.slow
def test_every_heading_is_explained_and_not_repeated(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path, resources() / "samples" / "export-handover.json")
    found = {}
    for tab in ("Why", "What-if", "Neighbours", "Sharing"):
        user.go_to_tab(window, "Score", tab)
        finish(window)
        found |= dict(tips_of(part(window, ScorePanel)))
    close(window)
    assert {"Overrides", "Rules", "Nearest remembered traces", "Leaves in clear"} <= {*found}
    assert {head: tip for head, tip in found.items() if not tip or tip == head} == {}
