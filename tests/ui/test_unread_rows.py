"""Rows of recordings that are not read: their order, what they say, and their chip."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QDateTime, Qt
from PySide6.QtWidgets import QAbstractButton

from kpinspector.app.document import Document, Rules, State
from kpinspector.phrase import Phrase
from kpinspector.runs.recording import UnreadRun
from kpinspector.ui.look.plain_text import short_moment, whole_moment
from kpinspector.ui.traces import Kind
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.traces.trace_row import TraceColumn
from tests import user
from tests.known import present
from tests.ui.documents import scored
from tests.ui.windows import exposed

NOW = QDateTime.currentMSecsSinceEpoch() * 10**6

IDS = ("0b1c2d3e", "1b1c2d3e", "2b1c2d3e", "3b1c2d3e")


def unread(number: int, modified: int) -> Document:
    path = f"/runs/-home-me-pump/{IDS[number]}-4f50-4617-8a9b-0c1d2e3f4051.jsonl"
    why = Phrase("a recording that is not read yet")
    item = UnreadRun(path, None, None, None, why, "claude-code", modified, IDS[number])
    return Document(number, item, Rules(), as_guest=True)


@pytest.fixture
def pane(qtbot) -> TracePane:
    return exposed(qtbot, TracePane(), 352, 800)


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
