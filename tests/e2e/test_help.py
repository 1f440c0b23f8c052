"""The help of the window: the page of the pane with the keys, search, links, and nothing else."""

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QListWidget, QTextBrowser

from kpinspector.files import resources
from kpinspector.ui.actions.table import Command
from kpinspector.ui.dialogs.help import PAGES, HelpWindow
from kpinspector.ui.look.theme import set_zoom
from tests import user
from tests.user import trigger

FOLDER = resources() / "help"


def heading(dialog):
    return user.find(dialog, QTextBrowser, "Page").toPlainText().split("\n", 1)[0]


def listed(dialog):
    pages = user.find(dialog, QListWidget, "Pages")
    rows = [pages.item(row) for row in range(pages.count())]
    return [one.text() for one in rows if not one.isHidden()]


def test_help_opens_at_the_pane_with_the_keys_and_is_searched():
    window = yield user.Main()
    yield window.isActiveWindow
    trigger(window, Command.HELP)
    dialog = user.dialog(window, "Help")
    assert heading(dialog) == "First steps" and not dialog.isModal()
    dialog.close()
    trigger(window, Command.OPEN_SAMPLES)
    yield lambda: user.row_count(window) > 0
    user.trace_list(window).setFocus()
    trigger(window, Command.HELP)
    dialog = user.dialog(window, "Help")
    assert heading(dialog) == "Traces"
    for name in ("Why", "What-if", "Neighbours", "Sharing"):
        user.go_to_tab(window, "Score", name)
        user.tab_bar(window, "Score").setFocus()
        trigger(window, Command.HELP)
        assert heading(dialog) == name.replace("Sharing", "What would be shared?")
    yield user.idle(window)
    user.go_to_row(window, "visit-08")
    yield lambda: user.can_choose(window, "Compare", "Compare with Nearest")
    user.steps(window).setFocus()
    trigger(window, Command.HELP)
    assert heading(dialog) == "Steps"
    trigger(window, Command.COMPARE_NEAREST)
    yield lambda: user.is_seen(window, QListView, "Steps side by side")
    user.find(window, QListView, "Steps side by side").setFocus()
    trigger(window, Command.HELP)
    assert heading(dialog) == "Compare"
    trigger(window, Command.CLOSE_COMPARISON)
    search = user.find(dialog, QLineEdit, "Search all pages")
    user.write(search, "recovery bonus")
    assert heading(dialog) == "Why was my trace rejected?"
    assert listed(dialog) == ["Why was my trace rejected?", "The samples"]
    search.clear()
    browser = user.find(dialog, QTextBrowser, "Page")
    browser.setSource(QUrl("samples.md"))
    browser.anchorClicked.emit(QUrl("sharing.md"))
    assert len(listed(dialog)) == len(list(FOLDER.glob("*.md")))
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.md")), ids=lambda path: path.stem)
def test_every_page_is_shown_whole_and_its_links_lead_to_pages(qtbot, path):
    dialog = HelpWindow()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_page(path.name)
    shown = user.find(dialog, QTextBrowser, "Page").toPlainText()
    assert path.read_text("utf-8").startswith(f"# {heading(dialog)}\n")
    assert [one for one in ("](", "**", "```", "|---") if one in shown] == []


def test_in_large_print_the_help_is_no_larger_than_the_screen(qtbot, qapp):
    dialog = HelpWindow()
    qtbot.addWidget(dialog)
    set_zoom(qapp, 200)
    try:
        room = dialog.screen().availableSize()
        assert dialog.width() <= room.width() and dialog.height() <= room.height()
    finally:
        set_zoom(qapp, 100)


def test_the_help_reads_no_other_file(qtbot):
    dialog = HelpWindow()
    qtbot.addWidget(dialog)
    dialog.show()
    browser = user.find(dialog, QTextBrowser, "Page")
    kind = browser.document().ResourceType.MarkdownResource
    for name in ("https://example.org/why.txt", "/etc/passwd", "../report.schema.json"):
        assert browser.loadResource(kind.value, QUrl(name)) is None


def test_every_page_of_a_pane_is_there_and_listed():
    index = (FOLDER / "index.md").read_text("utf-8")
    assert all(f"({page})" in index for page in PAGES.values())
    assert {path.name for path in FOLDER.glob("*.md")} - {"index.md"} == {
        one.partition(")")[0] for one in index.split("](")[1:]
    }
