import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu

from kpinspector.app.document import Document
from kpinspector.trace.records import ProblemKind
from kpinspector.ui.look.theme import colours
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.traces.trace_row import TraceColumn, TraceRow
from kpinspector.words.figures import UNKNOWN
from tests import user
from tests.known import present
from tests.ui.documents import pending, problem, recording, scored, skipped

NO_HITS, NOT_UNDERSTOOD = "No trace matches", "is not understood"


@pytest.fixture
def pane(qtbot) -> TracePane:
    pane = TracePane()
    qtbot.addWidget(pane)
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    QAbstractItemModelTester(pane.model, fatal, pane)
    pane.resize(352, 800)
    with qtbot.waitExposed(pane):
        pane.show()
    return pane


def documents() -> tuple[Document, ...]:
    return (
        scored(0, "/t/visit-08.json", value=0.5),
        scored(1, "/t/visit-03.json", value=0.0, confidence=0.4),
        pending(2, "/t/big-1.json", confidence=0.7),
        problem(3),
        problem(4, "/t/old.json", ProblemKind.NOT_SCORABLE),
        skipped(5),
    )


def names(pane: TracePane) -> list[str]:
    model = pane.model
    return [model.index(row, TraceColumn.TRACE).data() for row in range(model.rowCount())]


def write(pane: TracePane, text: str) -> None:
    """Write a filter in place of what stands there."""
    user.filter_field(pane).setText(text)


def menu_of(pane: TracePane, title: str) -> QMenu:
    return next(one for one in pane.findChildren(QMenu) if one.title() == title)


def heard(pane: TracePane) -> list[str | None]:
    found: list[str | None] = []
    pane.table.current_changed.connect(lambda document: found.append(document and document.name))
    return found


def press(qtbot, pane: TracePane, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(pane.table, key)


def test_the_current_row_outlives_filter_and_sort(qtbot, pane: TracePane) -> None:
    pane.add_documents(documents())
    pane.table.set_current(1)
    said = heard(pane)
    pane.focus_filter()
    qtbot.keyClicks(QApplication.focusWidget(), "big")
    assert names(pane) == ["big-1"]
    current = pane.table.current_document()
    assert current is not None and current.number == 1
    pane.clear_filter()
    assert pane.table.currentIndex().data() == "visit-03"
    pane.table.sortByColumn(TraceColumn.SCORE, Qt.SortOrder.AscendingOrder)
    assert pane.table.currentIndex().data() == "visit-03"
    assert said == []


def test_removing_the_current_row_goes_to_its_neighbour(pane: TracePane) -> None:
    pane.add_documents(documents())
    pane.table.set_current(1)
    said = heard(pane)
    pane.remove([1])
    assert said == ["big-1"]
    pane.remove(range(6))
    assert said == ["big-1", None]
    assert pane.table.current_document() is None


def test_removing_a_current_row_that_is_hidden_goes_to_one_that_is_shown(pane: TracePane) -> None:
    pane.add_documents(documents())
    pane.table.set_current(0)
    found = heard(pane)
    pane.model.set_text("visit-03")
    pane.remove([0, 4])
    assert found == ["visit-03"] and present(pane.table.current_document()).number == 1
    pane.model.set_text("old")
    pane.remove([5, 1])
    assert found == ["visit-03", None] and pane.table.current_document() is None


def test_an_empty_list_is_not_a_filter_without_hits(pane: TracePane) -> None:
    assert not user.reads(pane, NO_HITS)()
    pane.add_documents(documents())
    write(pane, "nothing like it")
    assert user.reads(pane, NO_HITS)()
    pane.add_documents([pending(9, "/t/nothing like it.json")])
    assert not user.reads(pane, NO_HITS)()


@pytest.mark.parametrize("column", list(TraceColumn))
def test_a_click_on_any_head_sorts_another_turns_and_a_third_ends_it(
    qtbot, pane: TracePane, column: TraceColumn
) -> None:
    pane.add_documents(documents())
    came, header = names(pane), pane.table.header
    header.choose(TraceColumn)
    pane.resize(1600, 800)
    place = QPoint(header.sectionViewportPosition(column) + 5, header.height() // 2)
    orders = []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        orders.append(names(pane))
    keys = [[key(name, column) for name in order] for order in orders]
    known = sorted(one for one in keys[0] if one is not None)
    unknown = [None] * (len(came) - len(known))
    assert keys[0] == known + unknown, column
    assert keys[1] == known[::-1] + unknown, column
    assert orders[2] == came


def key(name: str, column: TraceColumn):
    return TraceRow(next(one for one in documents() if one.name == name), name).key(column)


def colours_in(image: QImage, x: int, y: int, width: int, height: int) -> set[str]:
    return {
        image.pixelColor(column, row).name()
        for column in range(x, x + width)
        for row in range(y, y + height)
    }


def test_a_bar_ends_at_its_score_and_an_interval_is_hollow(pane: TracePane) -> None:
    pane.add_documents(documents())
    found = colours(pane.palette())
    bars = [
        pane.table.viewport().grab(pane.table.visualRect(pane.model.index(row, TraceColumn.BAR)))
        for row in (1, 2, 3)
    ]
    images = [bar.toImage() for bar in bars]
    middle = images[0].height() // 2
    filled = [
        image.pixelColor(x, middle) == found.neutral
        for image in images[:1]
        for x in range(image.width())
    ]
    assert abs(sum(filled) - 44 * 0.446) <= 2
    assert found.neutral.name() not in colours_in(images[1], 0, 0, images[1].width(), middle)
    assert found.text.name() in colours_in(images[1], 0, 0, images[1].width(), middle)
    assert colours_in(images[2], 0, 0, images[2].width(), middle) == {found.sheet.name()}


def test_going_to_a_row_selects_it_alone_whatever_keys_are_down(qtbot, pane: TracePane) -> None:
    pane.add_documents(documents()[:1])
    pane.table.go(1)
    pane.add_documents(documents()[1:])
    pane.table.setFocus()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyPress(pane.table, Qt.Key.Key_N, both)
    pane.table.go(1)
    assert [one.number for one in pane.table.selected_documents()] == [1]
    pane.table.set_current(3)
    assert [one.number for one in pane.table.selected_documents()] == [3]
    qtbot.keyRelease(pane.table, Qt.Key.Key_N)


def shown_columns(pane: TracePane) -> list[str]:
    header = pane.table.header
    return [c.name for c in TraceColumn if not header.isSectionHidden(c)]


def test_columns_are_chosen_kept_and_restored(qtbot, pane: TracePane) -> None:
    pane.add_documents(documents())
    assert shown_columns(pane) == ["STATE", "SCORE", "BAR", "TRACE"]
    action = next(one for one in menu_of(pane, "Columns").actions() if one.text() == "Source")
    with qtbot.waitSignal(pane.table.header.columns_changed):
        action.trigger()
    pane.table.header.resizeSection(TraceColumn.SOURCE, 321)
    pane.resize(240, 700)
    assert shown_columns(pane) == ["STATE", "SCORE", "TRACE", "SOURCE"]
    state = pane.table.header.columns_state()
    user.line_of(menu_of(pane, "Columns"), "Reset Columns")[1].trigger()
    pane.resize(352, 800)
    assert shown_columns(pane) == ["STATE", "SCORE", "BAR", "TRACE"] and not action.isChecked()
    action.trigger()
    assert 0 < pane.table.columnWidth(TraceColumn.SOURCE) < 321
    pane.table.sortByColumn(TraceColumn.SOURCE, Qt.SortOrder.DescendingOrder)
    for broken in ("", "source=5", "AAAA", "ü"):
        pane.table.header.restore(broken)
    pane.table.header.restore(state)
    assert shown_columns(pane) == ["STATE", "SCORE", "BAR", "TRACE", "SOURCE"]
    assert pane.table.columnWidth(TraceColumn.SOURCE) == 321
    assert action.isChecked() and pane.table.header.sortIndicatorSection() == -1


def spoken_rows(table, columns: int) -> list[list[str]]:
    names = [
        table.child(number).text(QAccessible.Text.Name) for number in range(table.childCount())
    ]
    return [names[start : start + columns] for start in range(0, len(names), columns)]


def test_every_cell_can_be_read_out(pane: TracePane) -> None:
    pane.add_documents(documents())
    pane.table.header.choose(TraceColumn)
    table = QAccessible.queryAccessibleInterface(pane.table)
    rows = spoken_rows(table, len(TraceColumn) + 1)  # with the hidden row numbers
    assert len(rows) == len(documents()) + 1
    spoken = [text for row in rows for text in row[1:]]
    heads, first = spoken[: len(TraceColumn)], spoken[len(TraceColumn) :][: len(TraceColumn)]
    assert heads == [
        "State", "Score", "Score as a bar", "Margin", "Complexity", "Novelty",
        "Tool diversity", "Outcome", "Trace", "Needs", "Greatest loss", "Fired rules",
        "Group", "Place in the plan", "Leaves in clear", "Profile", "Steps",
        "Objective", "Source", "Changed",
    ]  # fmt: skip
    dash = UNKNOWN
    assert first == [
        " ", " ", " ", "+0.1095", "0.840", "0.500", "1.000", "0.970",
        "visit-08, accepted, 0.8595, Review the potassium trend",
        "nothing", "Novelty", "", dash, dash, dash, "medical", "4",
        " ", "/t/visit-08.json", UNKNOWN,
    ]  # fmt: skip
    broken = spoken[4 * len(TraceColumn) :][: len(TraceColumn)]
    assert broken[:8] == [*" " * 3, *[dash] * 5] and broken[16] == dash


def test_a_row_that_is_read_from_cell_to_cell_is_heard_once(pane: TracePane) -> None:
    pane.add_documents((*documents(), recording(9, prompt="<b>Mend</b> it.")))
    table = QAccessible.queryAccessibleInterface(pane.table)
    for row in spoken_rows(table, len(TraceColumn) + 1)[1:]:
        shown = [row[1 + column] for column in sorted(pane.table.header.shown)]
        words = " ".join(shown).split(", ")
        assert len(words) == len({*words}) and shown.count(" ") == 3
        assert "<qt>" not in " ".join(shown)


def test_a_selection_outlives_filter_and_sort(qtbot, pane: TracePane) -> None:
    pane.add_documents(documents())
    pane.table.set_current(0)
    qtbot.keyClick(pane.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    pane.table.sortByColumn(TraceColumn.SCORE, Qt.SortOrder.AscendingOrder)
    assert {one.number for one in pane.table.selected_documents()} == {0, 1}
    write(pane, "visit")
    assert {one.number for one in pane.table.selected_documents()} == {0, 1}
    pane.clear_filter()
    assert {one.number for one in pane.table.selected_documents()} == {0, 1}
    write(pane, "visit-08")  # the current row is hidden
    assert [one.number for one in pane.table.selected_documents()] == [0]
    pane.clear_filter()
    assert {one.number for one in pane.table.selected_documents()} == {0, 1}
