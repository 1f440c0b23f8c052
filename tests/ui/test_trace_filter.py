"""The filter of the list: what it completes, does not understand, waits for and hides."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.traces.trace_query import completions
from tests import user
from tests.known import present
from tests.ui.documents import pending
from tests.ui.test_trace_table import NOT_UNDERSTOOD, documents, names, pane, write

__all__ = ["pane"]


@pytest.mark.parametrize(
    ("wrong", "example"), [("Score:abc", "score:0.5..0.8"), ("profile:none", "profile:default")]
)
def test_what_the_filter_does_not_understand_comes_with_an_example(
    pane: TracePane, wrong: str, example: str
) -> None:
    write(pane, wrong)
    assert user.reads(pane, f"{wrong} is not understood: try {example}")()
    write(pane, example)
    assert not user.reads(pane, NOT_UNDERSTOOD)()


def test_a_name_that_the_filter_does_not_know_is_said_where_it_finds_nothing(
    qtbot, pane: TracePane
) -> None:
    pane.add_documents(documents())
    write(pane, "novelty>0.5")
    assert user.reads(pane, "novelty: is not known, only state:")()
    write(pane, "tool:search")
    words = "tool: is not known, only state:, profile:, format:, is:, needs:"
    assert names(pane) == []
    assert user.reads(pane, words)()
    field = QAccessible.queryAccessibleInterface(user.filter_field(pane))
    assert field.text(QAccessible.Text.Description).startswith(words)
    pane.add_documents((pending(9, "/t/tool:search.json"),))
    qtbot.waitUntil(lambda: not user.reads(pane, words)())
    assert names(pane) == ["tool:search"]
    assert not field.text(QAccessible.Text.Description).startswith(words)
    write(pane, "kp:trace:1")
    assert len(names(pane)) == 4 and not user.reads(pane, "is not known")()  # ids have colons too


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("state:", "state: takes accepted, rejected, undecided, pending"),
        ("visit score:", "score: takes 0.5..0.8"),
        ("score:0.9..0.1", "score:0.9..0.1 is not understood: try score:0.5..0.8"),
        ("score>high", "score>high is not understood: try score:0.5..0.8"),
        ("group:1", "group: is known once View > Batch has compared the traces"),
        ("plan:chosen", "plan: is known once View > Batch has compared the traces"),
    ],
)
def test_no_term_does_nothing_in_silence(pane: TracePane, text: str, said: str) -> None:
    pane.add_documents(documents())
    write(pane, text)
    assert user.reads(pane, said)()
    write(pane, "state:accepted")
    assert not user.reads(pane, said)()


def test_a_filter_that_shows_nothing_says_what_it_hides(pane: TracePane) -> None:
    pane.add_documents(documents())
    write(pane, "zebra")
    assert user.reads(pane, "6 rows are hidden: 1 accepted, 1 rejected")()
    write(pane, "visit-08")
    user.press(pane, "Rejected")
    assert user.reads(pane, "6 rows are hidden, 1 of them by Rejected.")()
    pane.remove(range(1, 6))
    assert user.reads(pane, "1 row is hidden, 1 by Rejected.")()
    write(pane, "zebra")
    assert user.reads(pane, "1 row is hidden: 1 accepted.")()


def test_a_count_that_has_no_room_shows_no_part_of_a_number(qtbot, pane: TracePane) -> None:
    pane.add_documents(documents())
    count = user.find(pane, QLabel, "4 and 2 others")
    qtbot.waitUntil(lambda: not count.toolTip())
    pane.setFixedWidth(150)
    qtbot.waitUntil(lambda: count.toolTip() == count.text())


def test_a_completed_key_offers_its_values(qtbot, pane: TracePane) -> None:
    field = user.filter_field(pane)
    field.setFocus()
    qtbot.keyClicks(field, "pla")
    popup = present(field.completer()).popup()
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert field.text() == "plan:"
    qtbot.waitUntil(popup.isVisible)
    assert popup.model().index(0, 0).data() == "plan:chosen"


def test_the_filter_completes_keys_and_values(qtbot, pane: TracePane) -> None:
    pane.add_documents(documents())
    field = user.filter_field(pane)
    field.setFocus()
    qtbot.keyClicks(field, "visit st")
    popup = present(field.completer()).popup()
    assert popup.isVisible() and popup.model().index(0, 0).data() == "visit state:"
    qtbot.keyClicks(field, "ate:rej")
    assert popup.model().index(0, 0).data() == "visit state:rejected"
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    assert field.text() == "visit state:rejected" and names(pane) == ["visit-03"]
    assert "score:0.5..0.8" in field.toolTip()


def test_escape_closes_what_is_offered_before_it_clears_the_filter(qtbot, pane: TracePane) -> None:
    field = user.filter_field(pane)
    field.setFocus()
    qtbot.keyClicks(field, "state:")
    popup = present(field.completer()).popup()
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    assert field.text() == "state:" and not popup.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.text()


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("gr", ["group:"]),
        ("group:", ["group:1", "group:alone"]),
        ("a plan:chosen,l", ["a plan:chosen,left_out"]),
        ("leaks:", ["leaks:yes", "leaks:no"]),
        ("format:claude", ["format:claude_code"]),
        ("plan:chosen", []),
        ("no such ", []),
        ("", []),
    ],
)
def test_what_a_term_can_become(text: str, completed: list[str]) -> None:
    assert completions(text) == completed
