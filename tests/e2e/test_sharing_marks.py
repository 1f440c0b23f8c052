"""What the window marks outside the Sharing tab of what would leave the machine."""

import json
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPlainTextEdit, QWidget

from tests import user
from tests.fakes import make_raw
from tests.user import idle

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
SAMPLE = SAMPLES / "export-handover.json"
REDACTED, IN_CLEAR = "redacted before it is posted", "would leave in clear"
LEGEND = f"{REDACTED}, {IN_CLEAR}"


def contents(window):
    """What is read out for the content of each row of the tree, from top to bottom."""
    tree = user.steps(window)
    index, found = tree.model().index(0, 0), []
    while index.isValid():
        found.append(index.siblingAtColumn(2).data(Qt.ItemDataRole.AccessibleTextRole))
        index = tree.indexBelow(index)
    return found


def marked(window):
    """Those that end with what becomes of a part of them."""
    return [one for one in contents(window) if one.endswith((REDACTED, IN_CLEAR))]


def explained(window):
    """Whether a line explains the marks."""
    return LEGEND in user.texts(window)


def details(window, label):
    """The values of this label in Detail."""
    every = window.findChildren(QPlainTextEdit)
    fields = [one for one in every if not one.parentWidget().isHidden()]
    return [one.toPlainText() for one in fields if one.accessibleName() == label]


def send_by_capture(window):
    box = user.find(window, QComboBox, "Sent by")
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.count()):
        if box.currentText() != "KPCapture":
            QTest.keyClick(box, Qt.Key.Key_Down)


def test_the_steps_are_marked_while_the_tab_is_shown():
    window = yield from user.opened(SAMPLE)
    user.go_to_row(window, "export-handover")
    yield idle(window)
    assert marked(window) == [] and not explained(window)
    user.go_to_tab(window, "Score", "Sharing")
    yield lambda: len(marked(window)) == 9
    assert explained(window)
    assert f"… and hand the fix over to mara••••, {IN_CLEAR}" in contents(window)
    send_by_capture(window)
    yield idle(window)
    rows = marked(window)
    assert f"02:14 connect post•••• failed: password authentication failed, {REDACTED}" in rows
    assert [REDACTED in one for one in rows].count(True) == 6
    assert any(one.endswith(f"{IN_CLEAR}, {REDACTED}") for one in rows)
    user.go_to_step(window, 5)
    whole = "INVENTEDinventedINVENTED.0000"
    (leaves,) = details(window, "Leaves as")
    assert "Bearer [REDACTED:bearer_token] and was kept in [REDACTED:filepath]" in leaves
    assert whole in details(window, "Content")[0] and whole not in leaves
    user.go_to_tab(window, "Score", "Why")
    yield idle(window)
    assert marked(window) == [] and not explained(window)
    assert details(window, "Leaves as") == []


def below_the_rows(window):
    """How far below the last row the line stands that explains the marks."""
    tree, legend = user.steps(window), user.find(window, QWidget, LEGEND)
    index = tree.model().index(0, 0)
    while tree.indexBelow(index).isValid():
        index = tree.indexBelow(index)
    rows_end = tree.viewport().mapTo(window, tree.visualRect(index).bottomLeft()).y()
    return legend.mapTo(window, QPoint(0, 0)).y() - rows_end - 1


def test_the_line_that_explains_the_marks_stands_below_the_last_row():
    window = yield from user.opened(SAMPLE)
    user.go_to_row(window, "export-handover")
    user.go_to_tab(window, "Score", "Sharing")
    window.resize(1440, 1200)
    yield lambda: explained(window) and below_the_rows(window) == 0
    tree = user.steps(window)
    tree.collapseAll()
    yield lambda: below_the_rows(window) == 0
    tree.expandAll()
    yield lambda: below_the_rows(window) == 0
    window.resize(1440, 500)
    yield lambda: tree.verticalScrollBar().maximum() > 0
    tree.scrollToBottom()
    yield lambda: below_the_rows(window) == 0
    window.resize(1440, 1200)
    yield lambda: tree.verticalScrollBar().maximum() == 0 and below_the_rows(window) == 0


def test_a_further_field_stands_before_what_it_leaves_as():
    window = yield from user.opened(SAMPLE)
    user.go_to_row(window, "export-handover")
    user.go_to_step(window, 8)
    assert details(window, "debug") == []
    user.go_to_tab(window, "Score", "Sharing")
    yield lambda: details(window, "debug") == ['{"note": "token=INVENTED-debug-token"}']
    assert details(window, "Leaves as")[1:] == details(window, "debug")


def test_nothing_is_marked_of_what_is_not_posted():
    window = yield from user.opened(SAMPLE)
    user.set_number(window, "Threshold", "0.99")
    user.go_to_row(window, "export-handover")
    user.go_to_tab(window, "Score", "Sharing")
    yield lambda: len(marked(window)) == 9
    send_by_capture(window)
    yield lambda: marked(window) == []
    assert not explained(window)


def test_marks_follow_the_current_trace(tmp_path):
    steps = [{"step_id": 0, "type": "thought", "content": "so far, so good"}]
    clean = tmp_path / "clean.json"
    clean.write_text(json.dumps(make_raw(steps=steps)), encoding="utf-8")
    window = yield from user.opened(SAMPLE, clean)
    user.go_to_row(window, "export-handover")
    user.go_to_tab(window, "Score", "Sharing")
    yield lambda: len(marked(window)) == 9
    user.go_to_row(window, "clean")
    yield lambda: marked(window) == []
    user.go_to_row(window, "export-handover")
    yield lambda: len(marked(window)) == 9


def test_the_list_says_on_request_how_much_leaves_in_clear():
    ping = SAMPLES / "ping.json"

    def clear(window):
        return {row["Trace"]: row["Leaves in clear"] for row in user.trace_rows(window)}

    window = yield from user.opened(SAMPLE, ping)
    user.press(window, "More")
    user.choose(QApplication.activePopupWidget(), "Columns", "Leaves in clear")
    yield lambda: clear(window) == {"export-handover": "15", "ping": "0"}
    for term, names in (("leaks:yes", ["export-handover"]), ("leaks:no", ["ping"])):
        user.write(user.filter_field(window), term)
        yield lambda names=names: user.row_names(window) == names
    user.go_to_row(window, "ping")


def test_the_filter_alone_has_it_counted():
    window = yield from user.opened(SAMPLE, SAMPLES / "ping.json")
    user.write(user.filter_field(window), "leaks:yes")
    yield lambda: user.row_names(window) == ["export-handover"]
