"""The small table: its model, and how columns share a narrow pane."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from kpinspector.ui.look.theme import TextRole, colours
from kpinspector.ui.tables.figure_model import (
    CellPainter,
    FigureCell,
    FigureModel,
    Head,
    Row,
    heading,
)
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, fitted_widths

COLUMNS = (
    ColumnWidth(26),
    ColumnWidth(98, fits=True, texts=("Tool diversity",)),
    ColumnWidth(41, stretch=True),
    ColumnWidth(46, fits=True),
    ColumnWidth(57, fits=True),
)
WAYS = ({3}, {3, 2}, {3, 4}, {3, 4, 2})
ROWS = (
    Row(
        (
            FigureCell("C"),
            FigureCell("Complexity"),
            FigureCell(),
            FigureCell("0.495", figure=True),
            FigureCell("0.0742"),
        )
    ),
    Row((FigureCell(), FigureCell("3 of 4 step types", tooltip="a < b", span=4))),
)


def heads():
    return [Head(name, name) for name in ("letter", "name", "bar", "value", "adds")]


@pytest.fixture
def table(qtbot) -> FigureTable:
    table = FigureTable(COLUMNS, WAYS)
    table.setAccessibleName("Terms")
    qtbot.addWidget(table)
    return table


def test_the_model_keeps_its_promises(qapp):
    model = FigureModel(heads())
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_rows(ROWS)
    model.set_heads(heads())
    model.set_rows(ROWS[:1])
    assert tester.model() is model
    assert (model.rowCount(), model.columnCount()) == (1, 5)
    assert model.rowCount(model.index(0, 0)) == 0


def test_a_cell_reaches_over_the_columns_beside_it(table):
    table.set_rows(ROWS, heads())
    model = table.figures
    assert model.index(1, 1).data() == "3 of 4 step types"
    assert [model.index(1, column).data() for column in (2, 3, 4)] == [None] * 3
    assert table.columnSpan(1, 1) == 4
    table.set_rows(ROWS[:1])
    assert table.columnSpan(0, 1) == 1


def test_a_click_with_the_right_button_goes_to_a_row_first(table, qtbot):
    asked = []
    table.menu_of = asked.append  # no menu
    table.set_rows([replace(row, wish=number) for number, row in enumerate(ROWS)], heads())
    table.resize(400, 200)
    with qtbot.waitExposed(table):
        table.show()
    for row in (1, 0):
        place = table.visualRect(table.figures.index(row, 0)).center()
        reason = QContextMenuEvent.Reason.Mouse
        event = QContextMenuEvent(reason, place, table.viewport().mapToGlobal(place))
        QApplication.sendEvent(table.viewport(), event)
        assert (asked[-1], table.current) == (row, row)


def test_it_is_as_high_as_its_rows_and_reads_as_a_table(table, qtbot):
    table.set_rows(ROWS, heads())
    rows = table.rowHeight(0) + table.rowHeight(1)
    assert table.sizeHint().height() == rows + table.horizontalHeader().sizeHint().height()
    one = QAccessible.queryAccessibleInterface(table)
    assert one.role() == QAccessible.Role.Table
    assert one.text(QAccessible.Text.Name) == "Terms"
    children = [one.child(number) for number in range(one.childCount())]
    said = [child.text(QAccessible.Text.Name) for child in children]
    assert {"value", "adds", "0.495", "3 of 4 step types"} <= set(said)


def test_a_wheel_over_it_scrolls_the_pane(table, qtbot):
    table.set_rows(ROWS, heads())
    assert table.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert table.focusPolicy() == Qt.FocusPolicy.TabFocus
    table.set_rows(())
    assert table.focusPolicy() == Qt.FocusPolicy.NoFocus


NATURAL = [26, 98, 41, 46, 57]


@pytest.mark.parametrize(
    ("room", "expected"),
    [
        (400, [26, 98, 173, 46, 57]),
        (268, [26, 98, 41, 46, 57]),
        (267, [26, 98, 86, 0, 57]),
        (222, [26, 98, 41, 0, 57]),
        (221, [26, 138, 0, 0, 57]),
        (160, [26, 77, 0, 0, 57]),
        (140, [26, 114, 0, 0, 0]),
    ],
)
def test_columns_give_way_in_order(room, expected):
    assert fitted_widths(COLUMNS, NATURAL, room, WAYS) == expected


@pytest.mark.parametrize(
    ("room", "expected"), [(400, [98, 220, 82]), (378, [98, 220, 60]), (270, [98, 112, 60])]
)
def test_words_that_may_be_cut_leave_the_column_beside_what_it_needs(room, expected):
    columns = (*COLUMNS[1:2], ColumnWidth(80, fits=True, elides=True), *COLUMNS[2:3])
    assert fitted_widths(columns, [98, 220, 60], room) == expected


@given(st.integers(1, 3000), st.lists(st.integers(1, 400), min_size=5, max_size=5))
def test_columns_fill_the_room_and_figures_are_whole_or_gone(room, natural):
    widths = fitted_widths(COLUMNS, natural, room, WAYS)
    for number in (3, 4):
        assert widths[number] in (0, natural[number])
    assert sum(widths) == room or widths[1] == 1 or widths[2] == 1


def wishing_rows():
    return [replace(ROWS[0], wish=wish) for wish in ("one", None, "three")]


def test_where_rows_have_wishes_the_keyboard_goes_through_them(table, qtbot):
    heard = []
    table.row_activated.connect(heard.append)
    table.set_rows(wishing_rows(), heads())
    assert table.focusPolicy() == Qt.FocusPolicy.StrongFocus
    table.show()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    assert table.currentIndex().row() == 0
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_Down):
        qtbot.keyClick(table, key)
    assert heard == ["one", "three"]
    assert table.currentIndex().row() == 2
    qtbot.keyClick(table, Qt.Key.Key_Up)
    qtbot.keyClick(table, Qt.Key.Key_Enter)
    assert heard == ["one", "three", "one"]
    table.set_rows(ROWS)
    assert table.focusPolicy() == Qt.FocusPolicy.TabFocus


def test_rows_that_are_only_read_are_gone_through(table, qtbot):
    table.set_rows(ROWS * 2, heads())
    table.show()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    rows = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Up, Qt.Key.Key_Home):
        qtbot.keyClick(table, key)
        rows.append(table.currentIndex().row())
    assert rows == [1, 2, 3, 2, 0]
    qtbot.keyClick(table, Qt.Key.Key_End)
    table.set_rows([*ROWS, *ROWS[1:], *ROWS[:1]])  # another shape, and the place stays
    assert table.currentIndex().row() == 3
    table.set_rows(ROWS)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert table.currentIndex().row() == 0
    reader = QAccessible.queryAccessibleInterface(table)
    cells = (reader.child(number) for number in range(reader.childCount()))
    of_rows = [cell for cell in cells if cell.role() == QAccessible.Role.Cell]
    assert of_rows and all(cell.state().focusable for cell in of_rows)


def test_a_click_activates_what_was_pressed(table, qtbot):
    heard = []
    table.row_activated.connect(heard.append)
    table.set_rows(wishing_rows(), heads())
    table.resize(400, table.sizeHint().height())
    with qtbot.waitExposed(table):
        table.show()
    places = [table.visualRect(table.figures.index(row, 1)).center() for row in range(3)]
    view = table.viewport()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=places[2])
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=places[1])
    qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=places[0])
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=places[0])
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=places[2])
    assert heard == ["three"]
    qtbot.mouseMove(view, places[2])
    qtbot.waitUntil(lambda: table.hovered_row == 2)
    qtbot.mouseMove(view, places[1])
    qtbot.waitUntil(lambda: table.hovered_row == -1)


def values(name="Complexity", value="0.495", **changes):
    cells = (
        FigureCell("C"),
        FigureCell(name),
        FigureCell(),
        FigureCell(value, figure=True),
        FigureCell("0.0742"),
    )
    return (Row(cells, **changes), ROWS[1])


def test_other_figures_of_the_same_length_are_news_of_their_cells_alone(table):
    table.set_rows(ROWS, heads())
    model = table.figures
    heard: list[object] = []
    model.dataChanged.connect(lambda first, last: heard.append((first, last)))
    model.modelReset.connect(lambda: heard.append("reset"))
    table.set_rows(values(value="0.512"), heads())
    assert heard == [(model.index(0, 3), model.index(0, 3))]
    assert model.index(0, 3).data() == "0.512"
    heard.clear()
    table.set_rows(values(value="0.512"), heads())
    assert heard == []


@pytest.mark.parametrize(
    "changed",
    [
        values(value="0.4951234"),
        values(name="Tool diversity and more"),
        values(tinted=True),
        values(height=60),
        ROWS[:1],
    ],
)
def test_whatever_moves_something_lays_all_out_anew(table, qtbot, changed):
    table.resize(500, 100)
    table.set_rows(ROWS, heads())
    with qtbot.waitSignal(table.figures.modelReset):
        table.set_rows(changed, heads())
    fresh = FigureTable(COLUMNS, WAYS)
    fresh.setAccessibleName("Terms")
    qtbot.addWidget(fresh)
    fresh.resize(500, 100)
    fresh.set_rows(changed, heads())
    for one in (table, fresh):
        one.show()
    widths = [table.columnWidth(number) for number in range(5)]
    assert widths == [fresh.columnWidth(number) for number in range(5)]
    assert table.sizeHint().height() == fresh.sizeHint().height()


def test_words_that_take_long_are_made_for_who_asks(table):
    asked = []

    def words():
        asked.append(True)
        return "a < b"

    table.set_rows([Row((FigureCell("C", said=words, tooltip=words, span=5),))], heads())
    assert asked == []
    index = table.figures.index(0, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "a < b"
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "<qt>a &lt; b</qt>"


def test_a_short_text_over_an_empty_line_is_whole_in_the_room_of_its_column(qapp):
    painter = CellPainter()
    painter.make_fonts()
    cell = FigureCell("10", below=FigureCell())
    needed = painter.metrics[cell.role].horizontalAdvance(cell.text)

    def painted(width):
        image = QImage(width, 46, QImage.Format.Format_RGB32)
        image.fill(0xFFFFFFFF)
        with QPainter(image) as to:
            painter.paint(to, image.rect(), cell, colours(qapp.palette()))
        return image.copy(0, 0, needed, 46)

    assert painted(needed + 8) == painted(needed + 80)


def test_a_head_at_the_left_ends_before_the_figures_beside_it(table):
    long = "most similar before it, and more"

    def painted(words):
        said = (Head("place"), Head("name", words, figure=False), Head("bar"), Head("value"))
        table.set_rows(ROWS, (*said, Head("similarity", "similarity")))
        header = table.horizontalHeader()
        width = table.cells.metrics[TextRole.CAPTION].horizontalAdvance("similarity")
        left = header.sectionViewportPosition(4) + header.sectionSize(4) - width
        return header.grab(QRect(left - 2, 0, width + 2, header.height())).toImage()

    table.resize(236, 100)
    table.show()
    assert painted(long) == painted("")
    tip = table.figures.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == ""
    painted(long)
    tip = table.figures.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == long


def test_a_title_is_explained_wherever_its_words_stand(table):
    figures = Head("value", "value", tip="of each"), Head("adds", "adds")
    table.set_rows(
        ROWS, (heading("letter", "Terms of it", "Why"), Head("name"), Head("bar"), *figures)
    )
    table.resize(400, 100)
    table.show()
    width = table.cells.metrics[TextRole.HEADING].horizontalAdvance("Terms of it")
    header, side = table.horizontalHeader(), Qt.Orientation.Horizontal
    tip = Qt.ItemDataRole.ToolTipRole
    under = {header.logicalIndexAt(x, 5) for x in range(width)}
    assert under > {0}
    assert {table.figures.headerData(one, side, tip) for one in under} == {"Why"}
    assert table.figures.headerData(3, side, tip) == "of each"
