"""The page before anything is open: every wish is a signal, all of it is reached by keys."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from kpinspector.app.engine import MemoryState
from kpinspector.app.state import RecentPath
from kpinspector.errors import ModelError
from kpinspector.runs.readers import Here, formats
from kpinspector.settings import Mode
from kpinspector.ui.look.marks import IconName
from kpinspector.ui.look.theme import set_zoom
from kpinspector.ui.window.start_page import StartPage, TwoLineButton, TwoLineFact

READY = MemoryState(Mode.REMEMBER, 3, "a" * 64, None, ())
RECENT = (
    RecentPath("/a/runs", is_folder=True, note="6 of 40 pass"),
    RecentPath("/b/gone.json", is_missing=True),
)


@pytest.fixture
def page(qtbot):
    made = StartPage()
    qtbot.addWidget(made)
    made.set_recent(RECENT)
    made.set_memory(READY)
    made.resize(1100, 760)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_without_recent_it_says_what_would_be_here(page, qtbot):
    page.set_recent(())

    def shown():
        return [label.text() for label in page.findChildren(QLabel) if label.isVisibleTo(page)]

    qtbot.waitUntil(lambda: any("listed here" in text for text in shown()))
    assert not any(
        b.isVisibleTo(page)
        for b in page.findChildren(TwoLineButton)
        if b.accessibleName() == "runs"
    )


def test_what_is_not_ready_is_said_by_name(page, qtbot):
    page.set_memory(replace(READY, model=None, failure=ModelError("No embedding model")))
    qtbot.waitUntil(lambda: len(page.findChildren(TwoLineFact)) == 2)
    facts = page.findChildren(TwoLineFact)
    interface = QAccessible.queryAccessibleInterface(facts[0])
    assert interface.text(QAccessible.Text.Name) == "No embedding model"
    assert interface.text(QAccessible.Text.Description) == "Novelty is assumed 0.5"


def test_nothing_moves_when_the_recordings_of_this_computer_are_found(page, qtbot):
    def places():
        return {
            one.accessibleName(): one.mapTo(page, one.rect().topLeft())
            for one in page.findChildren(TwoLineButton)
        }

    before = places()
    found = [Here(form, ("/a",), 9, 1_700_000_000.0) for form in formats().values()][:6]
    page.set_here(found)
    qtbot.waitUntil(lambda: len(places()) == len(before) + len(found))
    qtbot.waitUntil(lambda: page.widget().height() > 0)
    after = places()
    assert {name: after[name] for name in before} == before


def test_in_large_print_what_is_ready_stands_below_and_is_read_whole(page, qtbot, qapp):
    page.resize(1000, 620)
    set_zoom(qapp, 200)
    try:
        qtbot.waitUntil(lambda: page.horizontalScrollBar().maximum() == 0)
        facts = [
            one for fact in page.findChildren(TwoLineFact) for one in fact.findChildren(QLabel)
        ]
        qtbot.waitUntil(lambda: not any(one.toolTip() for one in facts))
    finally:
        set_zoom(qapp, 100)
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() == 0)


def test_a_name_is_whole_where_its_note_leaves_no_room(qtbot):
    row = TwoLineButton("Claude Code", "9 sessions", sign=IconName.FOLDER, note="the newest: 1 May")
    qtbot.addWidget(row)
    name, note = (
        next(one for one in row.findChildren(QLabel) if one.text() == text)
        for text in ("Claude Code", "the newest: 1 May")
    )
    row.resize(name.sizeHint().width() + 80, row.height())
    with qtbot.waitExposed(row):
        row.show()
    # what is cut is whole in the tool tip
    assert (name.toolTip(), note.toolTip()) == ("", "the newest: 1 May")


def test_a_name_with_an_ampersand_is_no_key(page):
    page.set_recent((RecentPath("/r&d.json"),))
    row = next(b for b in page.findChildren(TwoLineButton) if "r&d" in b.accessibleName())
    assert row.shortcut().isEmpty()
