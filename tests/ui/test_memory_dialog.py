"""The memory's entries: found, sorted, selected, forgotten."""

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt, QTimer
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel

from kpinspector.app.engine import MemoryListing, MemoryState
from kpinspector.scoring.findings import SHOWN_LENGTH, Entry, for_display
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.dialogs.memory_dialog import MemoryColumn, MemoryDialog, MemoryModel, shown_date
from tests.every_secret import CYCLE, leaks, turned
from tests.known import present
from tests.ui.window_texts import texts
from tests.ui.windows import button

PATH = "/per-user/memory.sqlite3"
START = 1_700_000_000_000


def entry(number, **changes):
    values = {
        "key": f"id-{number}",
        "trace_id": f"id-{number}",
        "objective": f"Objective {number}",
        "source_path": f"/runs/{number % 3}/run-{number}.json",
        "added_at": START + number * 60_000,
        "sequence": number,
    }
    return Entry(**(values | changes))


def listing(*entries, findings=None, size=4096):
    count = len(entries) if findings is None else findings
    return MemoryListing(tuple(entries), count, size, PATH)


def state(remembered, mode=Mode.REMEMBER):
    return MemoryState(mode, remembered, "a" * 64, None, ())


@pytest.fixture
def model(qtbot):
    model = MemoryModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield model
    tester.deleteLater()


class Heard(MemoryDialog):
    """With what was asked of it."""

    wanted: list[int]
    forgotten: list[object]
    cleared: list[int]


@pytest.fixture
def dialog(qtbot):
    dialog = Heard()
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    QAbstractItemModelTester(
        dialog.model, QAbstractItemModelTester.FailureReportingMode.Fatal, dialog
    )
    qtbot.addWidget(dialog)
    dialog.wanted, dialog.forgotten, dialog.cleared = [], [], []
    dialog.listing_wanted.connect(lambda: dialog.wanted.append(1))
    dialog.forgetting_chosen.connect(dialog.forgotten.append)
    dialog.clearing_wanted.connect(lambda: dialog.cleared.append(1))
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def outline(model):
    rows = range(model.rowCount())
    return [model.index(row, 0).data() for row in rows]


def words(dialog):
    return [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]


def select(dialog, *rows):
    flags = QItemSelectionModel.SelectionFlag
    chosen = dialog.table.selectionModel()
    chosen.clearSelection()
    for row in rows:
        chosen.select(dialog.model.index(row, 0), flags.Select | flags.Rows)


def test_the_newest_come_first_and_every_column_sorts(model):
    model.set_entries(
        (
            entry(1, objective="b", key="z", source_path="/x/m.json"),
            entry(2, objective="C", key="Y", source_path="/y/l.json"),
            entry(3, objective="a", key="x", source_path="/z/N.json"),
        )
    )
    assert outline(model) == ["a", "C", "b"]
    down, up = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
    for column, order, rows in (
        (MemoryColumn.OBJECTIVE, up, ["a", "b", "C"]),
        (MemoryColumn.OBJECTIVE, down, ["C", "b", "a"]),
        (MemoryColumn.ADDED, up, ["b", "C", "a"]),
        (MemoryColumn.SOURCE, up, ["C", "b", "a"]),
        (MemoryColumn.KEY, down, ["b", "C", "a"]),
    ):
        model.sort(column, order)
        assert outline(model) == rows


def test_of_equal_cells_the_order_is_that_of_adding(model):
    model.set_entries([entry(number, objective="same") for number in (1, 2, 3)])
    for order, numbers in (
        (Qt.SortOrder.AscendingOrder, [1, 2, 3]),
        (Qt.SortOrder.DescendingOrder, [3, 2, 1]),
    ):
        model.sort(MemoryColumn.OBJECTIVE, order)
        assert [one.sequence for one in model.shown] == numbers


@pytest.mark.parametrize("text", ["KIDNEY", " kidney ", "Ward-7", "ÖDEM", "kp:9"])
def test_search_looks_into_objective_source_and_id_in_any_case(model, text):
    model.set_entries(
        (entry(1), entry(2, objective="A kidney", source_path="/ward-7.json", key="kp:9 ödem"))
    )
    model.set_search(text)
    assert outline(model) == ["A kidney"]
    model.set_search("")
    assert model.rowCount() == 2


def test_cells_show_one_plain_line_and_tooltips_the_whole(model):
    model.set_entries(
        (entry(1, objective="<b>one</b>\ntwo", source_path="C:\\runs\\a.json", key="id\x00"),)
    )
    shown = [model.index(0, column).data() for column in MemoryColumn]
    assert shown == ["<b>one</b>", shown_date(START + 60_000), "a.json", "id\u2400"]
    role = Qt.ItemDataRole.ToolTipRole
    assert "&lt;b&gt;one&lt;/b&gt;<br>two" in model.index(0, 0).data(role)
    assert model.index(0, 1).data(Qt.ItemDataRole.EditRole) is None


def test_a_listing_says_how_much_is_remembered_and_where(dialog):
    assert "\u2013" in words(dialog)
    dialog.set_listing(listing(entry(1), entry(2), findings=1530, size=6_200_000))
    assert {"2", "1,530", "6.2 MB", PATH} <= set(words(dialog))
    buttons = dialog.findChildren(FlatButton)
    copy = next(one for one in buttons if one.accessibleName() == "Copy the path of the file")
    copy.click()
    assert QGuiApplication.clipboard().text() == PATH


def rest(dialog):
    """What it waits for before it asks again."""
    return present(dialog.findChild(QTimer, options=Qt.FindChildOption.FindDirectChildrenOnly))


def test_it_asks_when_it_is_shown_and_when_the_memory_changed(dialog, qtbot):
    assert dialog.wanted == [1]
    dialog.set_listing(listing(entry(1)))
    rest(dialog).setInterval(0)
    dialog.set_state(state(1))
    qtbot.waitUntil(lambda: len(dialog.wanted) == 2)
    dialog.set_listing(listing(entry(1)))
    dialog.set_state(state(1))
    assert not rest(dialog).isActive()


def test_it_does_not_ask_again_before_it_was_answered(dialog, qtbot):
    rest(dialog).setInterval(0)
    for remembered in range(5):
        dialog.set_state(state(remembered))
        rest(dialog).timeout.emit()
    assert dialog.wanted == [1]
    dialog.set_listing(listing())
    qtbot.waitUntil(lambda: len(dialog.wanted) == 2)


def test_selection_current_row_and_place_stay_when_the_rows_are_replaced(dialog):
    entries = [entry(number) for number in range(200)]
    dialog.set_listing(listing(*entries))
    dialog.table.setCurrentIndex(dialog.model.index(10, 0))
    select(dialog, 10, 11, 50)
    chosen = [one.key for one in dialog.table.selected_entries()]
    dialog.table.verticalScrollBar().setValue(2000)
    dialog.set_listing(listing(*entries[:-5], entry(500)))
    assert [one.key for one in dialog.table.selected_entries()] == chosen
    assert dialog.model.shown[dialog.table.currentIndex().row()].key == chosen[0]
    assert dialog.table.verticalScrollBar().value() == 2000
    dialog.set_listing(listing(*entries[:100]))
    assert dialog.table.selected_rows() == []
    assert not button(dialog, "Forget Selected").isEnabled()


def test_empty_unread_and_without_hits_say_so(dialog, qtbot):
    assert "The memory is being read." in words(dialog)
    dialog.set_listing(listing())
    assert any("Nothing is remembered yet" in text for text in words(dialog))
    assert not button(dialog, "Clear…").isEnabled()
    dialog.set_listing(listing(entry(1), entry(2)))
    dialog.search.setText("nowhere")
    assert {"No entry matches.", "0 of 2"} <= set(words(dialog))
    clear = next(one for one in dialog.findChildren(FlatButton) if one.text() == "Clear search")
    clear.click()
    assert dialog.search.text() == "" and dialog.table.isVisible()


def test_findings_alone_can_be_cleared(dialog):
    dialog.set_listing(listing(findings=3))
    button(dialog, "Clear…").click()
    assert dialog.cleared == [1]


@pytest.mark.parametrize("mode", list(Mode))
def test_a_private_copy_is_called_one(dialog, mode):
    dialog.set_state(state(0, mode))
    said = any("private copy" in text for text in words(dialog))
    assert said == (mode is not Mode.REMEMBER)


def test_escape_clears_the_search_before_it_closes(dialog, qtbot):
    dialog.search.setText("x")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Escape)
    assert dialog.search.text() == "" and dialog.isVisible()
    qtbot.keyClick(dialog.search, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_assistive_technology_reads_a_table(dialog):
    dialog.set_listing(listing(entry(1)))
    found = QAccessible.queryAccessibleInterface(dialog.table)
    assert found.role() == QAccessible.Role.Table
    assert found.text(QAccessible.Text.Name) == "Remembered traces"
    children = [found.child(number) for number in range(found.childCount())]
    names = {(one.role(), one.text(QAccessible.Text.Name)) for one in children if one is not None}
    assert (QAccessible.Role.ColumnHeader, "Id") in names
    assert (QAccessible.Role.Cell, "Objective 1") in names
    edit = QAccessible.queryAccessibleInterface(dialog.search)
    assert edit.text(QAccessible.Text.Name) == "Search objectives, sources and ids"


def test_manage_memory_shows_masks_and_forgets_by_what_is_masked(dialog):
    starts = [place + 5 for place in range(len(CYCLE)) if CYCLE.startswith(" and ", place)]
    whole = ["." * dots + turned(start) for start in starts[:-1] for dots in range(0, 60, 7)]
    entries = [
        entry(number, key=f"id-{text}", objective=for_display(text, SHOWN_LENGTH))
        for number, text in enumerate(whole)
    ]
    dialog.set_listing(listing(*entries))
    assert dialog.model.rowCount() == len(whole)
    assert leaks("\n".join(texts(dialog))) == set()
    select(dialog, 3)
    button(dialog, "Forget Selected").click()
    assert dialog.forgotten == [(dialog.model.shown[3].key,)]
    assert leaks(dialog.model.shown[3].key) != set()
