"""Rows of recordings that are not read: their order, what they say, and their chip."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QDateTime, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView

from kpinspector.app.document import Document, Rules, State
from kpinspector.phrase import Phrase
from kpinspector.runs.recording import UnreadRun
from kpinspector.ui.look.moments import short_moment, whole_moment
from kpinspector.ui.traces.row_counts import Kind
from kpinspector.ui.traces.trace_model import TraceModel
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.traces.trace_row import TraceColumn
from tests import user
from tests.known import present
from tests.ui.documents import scored
from tests.ui.windows import shown_documents

NOW = QDateTime.currentMSecsSinceEpoch() * 10**6
HOUR = 3600 * 10**9

IDS = ("0b1c2d3e", "1b1c2d3e", "2b1c2d3e", "3b1c2d3e")


def unread(number: int, modified: int) -> Document:
    path = f"/runs/-home-me-pump/{IDS[number]}-4f50-4617-8a9b-0c1d2e3f4051.jsonl"
    why = Phrase("a recording that is not read yet")
    item = UnreadRun(path, None, None, None, why, "claude-code", modified, IDS[number])
    return Document(number, item, Rules(), as_guest=True)


def names(model: TraceModel) -> list[str]:
    return [document.name for document in shown_documents(model)]


@pytest.fixture
def pane(qtbot) -> TracePane:
    pane = TracePane()
    qtbot.addWidget(pane)
    pane.resize(352, 800)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane


def test_the_newest_stand_first_until_the_user_sorts(pane: TracePane) -> None:
    model = pane.model
    model.add_documents([unread(0, NOW - 3 * HOUR), unread(1, NOW), unread(2, NOW - HOUR)])
    assert names(model) == [IDS[1], IDS[2], IDS[0]]
    model.update_documents([unread(0, NOW + HOUR)])
    assert names(model) == [IDS[0], IDS[1], IDS[2]]
    pane.table.sortByColumn(TraceColumn.TRACE, Qt.SortOrder.DescendingOrder)
    assert names(model) == [IDS[2], IDS[1], IDS[0]]
    pane.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert names(model) == [IDS[0], IDS[1], IDS[2]]


def test_a_row_that_is_read_keeps_its_place(pane: TracePane) -> None:
    pane.add_documents([unread(0, NOW - HOUR), unread(1, NOW)])
    pane.update_documents([replace(scored(1), modified=NOW)])
    assert [one.number for one in shown_documents(pane.model)] == [1, 0]
    pane.remove([0, 1])
    pane.add_documents([scored(2), scored(3)])
    assert [one.number for one in shown_documents(pane.model)] == [2, 3]


def test_any_list_can_be_sorted_by_time(pane: TracePane) -> None:
    pane.add_documents([replace(scored(n), modified=NOW + n * HOUR) for n in range(3)])
    assert [one.number for one in shown_documents(pane.model)] == [0, 1, 2]
    user.press(pane, "More")
    menu = next(one for one in pane.children() if hasattr(one, "popup"))
    user.choose(menu, "Newest First")
    assert [one.number for one in shown_documents(pane.model)] == [2, 1, 0]


def test_a_row_says_when_it_changed_and_that_it_is_not_read(pane: TracePane) -> None:
    pane.add_documents([unread(0, NOW)])
    model = pane.model
    role = Qt.ItemDataRole
    assert model.index(0, TraceColumn.SCORE).data() == short_moment(NOW)
    said = model.index(0, TraceColumn.TRACE).data(role.AccessibleTextRole)
    assert said == (
        f"{IDS[0]}, not read, a recording of Claude Code, changed {whole_moment(NOW)}, pump"
    )
    assert "not read" in model.index(0, 0).data(role.ToolTipRole)
    assert model.counts.states() == {State.UNREAD: 1}
    assert model.counts.kinds()[Kind.PENDING] == model.counts.kinds()[Kind.SKIPPED] == 0
    pane.grab()


def test_a_row_without_a_prompt_goes_by_its_project() -> None:
    one = present(unread(0, NOW).unread)
    assert replace(unread(0, NOW), item=replace(one, prompt="")).name == "pump"


def test_moments_say_what_is_needed() -> None:
    now = QDateTime.currentDateTime()
    year = now.date().year()
    assert str(year - 3) in short_moment(now.addYears(-3).toMSecsSinceEpoch() * 10**6)
    assert short_moment(NOW) != short_moment(now.addYears(-3).toMSecsSinceEpoch() * 10**6)


@pytest.mark.parametrize(
    ("text", "count"),
    [("state:unread", 2), ("state:unreadable", 0), ("-me-pump", 2), ("format:codex", 0)],
)
def test_a_filter_finds_them(pane: TracePane, text: str, count: int) -> None:
    pane.add_documents([unread(0, NOW), unread(1, NOW), scored(2)])
    pane.model.set_text(text)
    assert pane.model.rowCount() == count


def test_the_keys_come_to_the_list_without_choosing_a_row(pane: TracePane, qtbot) -> None:
    pane.add_documents([unread(0, NOW), unread(1, NOW - HOUR)])
    pane.begin()
    pane.table.setFocus()
    assert not pane.table.currentIndex().isValid()
    qtbot.keyClick(pane.table, Qt.Key.Key_Down)
    current = pane.table.current_document()
    assert current is not None and current.name == IDS[0]
    assert isinstance(pane.table, QAbstractItemView)


def chip(pane: TracePane) -> list[str]:
    found = [one.accessibleName() for one in user.seen(pane, QAbstractButton)]
    return [name for name in found if name.startswith("Not read")]


def test_the_chip_comes_with_them_where_there_is_room(pane: TracePane, qtbot) -> None:
    pane.add_documents([scored(2)])
    assert chip(pane) == []
    pane.add_documents([unread(0, NOW), unread(1, NOW)])
    qtbot.waitUntil(lambda: chip(pane) == ["Not read, 2"])
    pane.setMinimumWidth(100)
    pane.resize(240, 800)
    assert chip(pane) == []
