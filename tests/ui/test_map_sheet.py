"""The similarity map: its colours, marks and outlines; the pair by mouse, by keys and by ear."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QPushButton, QTableView

from kpinspector.app.values import Rules, State
from kpinspector.ui.batch.map_sheet import MapSheet
from kpinspector.ui.batch.similarity_map import OTHER_TICK, Pair, SimilarityMap, pairs_of
from kpinspector.ui.controls.base import FlatButton
from kpinspector.ui.controls.fields import DimensionSlider, ShareField
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.panes import Do, Wish
from tests.known import of, present
from tests.ui.batch_pictures import SIX, compared_yet, picture_of
from tests.ui.documents import pending
from tests.ui.test_group_sheet import shown_words, six, wished
from tests.ui.windows import exposed

__all__ = ["six", "wished"]

KEY = Qt.Key


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def both_themes(qapp, request):
    set_palette(qapp, dark=request.param)
    yield
    set_palette(qapp, dark=False)


@pytest.fixture
def sheet(qtbot, wished):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    return exposed(qtbot, MapSheet(wished.append), 528, 402)


def map_of(sheet):
    return present(sheet.findChild(SimilarityMap))


def cell(found, row, column):
    """The middle of a cell."""
    grid = present(found.grid())
    return QPoint(grid.middle(column), grid.middle(row))


def pair_at(picture, row, column):
    return picture.order[row], picture.order[column]


def rgb(colour):
    return [colour.red(), colour.green(), colour.blue()]


def mixed(share, sheet, full):
    ends = zip(rgb(sheet), rgb(full), strict=True)
    return [low + share * (high - low) for low, high in ends]


@pytest.mark.usefixtures("both_themes")
def test_every_cell_has_the_colour_of_its_similarity(qtbot, six):
    found = SimilarityMap(print)
    qtbot.addWidget(found)
    found.resize(318, 318)
    found.set_pairs(pairs_of(picture_of((*SIX[:5], SIX[0]))))
    found.grab()  # of other traces before
    found.set_pairs(pairs_of(six))
    image, ink = found.grab().toImage(), colours(found.palette())
    similar = present(six.grouped).batch.similarities
    for row, one in enumerate(six.order):
        for column, other in enumerate(six.order):
            place = cell(found, row, column)
            share = min(1.0, max(0.0, similar[one, other])) ** 1.6
            expected = mixed(share, ink.sheet, ink.novelty)
            assert rgb(image.pixelColor(place)) == pytest.approx(expected, abs=1.5)


def test_what_is_neither_accepted_nor_rejected_has_a_short_mark_and_a_line_in_the_key(sheet, six):
    sheet.show_picture(six)
    assert "neither" not in shown_words(sheet)
    documents = (pending(99, rules=Rules(threshold=0.8)), *six.documents[1:])
    assert documents[0].state is State.PENDING
    sheet.show_picture(replace(six, documents=documents))
    assert "neither" in shown_words(sheet)
    found = map_of(sheet)
    grid, image = present(found.grid()), found.grab().toImage()
    along, ink = grid.middle(six.order.index(0)), colours(found.palette()).second
    assert sum(image.pixelColor(along, at) == ink for at in range(grid.corner)) == OTHER_TICK


def test_groups_are_outlined_and_the_chosen_one_in_the_accent(sheet, six):
    sheet.show_picture(six)
    found = map_of(sheet)
    grid, ink = present(found.grid()), colours(found.palette())
    start = min(six.order.index(one) for one in present(six.grouped).groups[0].members)
    box = grid.square(start, start + 3)
    along = box.center().x() + 1
    plain = found.grab().toImage()
    edge = box.top() - 1
    assert plain.pixelColor(along, edge) == ink.text
    assert plain.pixelColor(along, edge + 1) == ink.sheet
    sheet.set_group(0)
    chosen = found.grab().toImage()
    assert [chosen.pixelColor(along, edge + at) for at in range(3)] == [
        ink.accent,
        ink.accent,
        ink.sheet,
    ]
    sheet.set_group(None)
    assert found.grab().toImage() == plain
    sheet.set_group(0)
    sheet.show_picture(six)
    assert found.grab().toImage() == plain


def test_the_pair_under_the_pointer_is_named_and_the_marked_one_again_afterwards(sheet, six):
    sheet.show_picture(six)
    found = map_of(sheet)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=cell(found, 0, 1))
    one, other = (six.names[trace] for trace in pair_at(six, 0, 1))
    assert {one, other} <= {*shown_words(sheet)}
    QTest.mouseMove(found, cell(found, 5, 2))
    pointed = pair_at(six, 5, 2)
    similarity = present(six.grouped).batch.similarities[pointed]
    assert {*(six.names[trace] for trace in pointed), f"{similarity:.4f}"} <= {*shown_words(sheet)}
    QTest.mouseMove(found, QPoint(2, 2))
    assert {one, other} <= {*shown_words(sheet)}


def test_a_click_chooses_the_group_of_both_and_another_place_lets_it_go(sheet, six, wished):
    sheet.show_picture(six)
    found, blocks = map_of(sheet), present(pairs_of(six)).blocks
    three = next(one for one in blocks if one.end - one.start == 3)
    for column in (1, 2):
        place = cell(found, three.start, three.start + column)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=place)
        assert wished == [Wish(Do.TAKE_GROUP, 0)]
    QTest.keyClick(found, KEY.Key_Escape)
    assert wished.pop() == Wish(Do.TAKE_GROUP)
    sheet.set_group(None)  # as the page does
    alone = next(one.start for one in blocks if one.end - one.start == 1)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=cell(found, alone, alone))
    assert len(wished) == 1


def test_a_double_click_return_and_the_button_compare_the_pair(sheet, six, wished):
    sheet.show_picture(six)
    found = map_of(sheet)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=cell(found, 1, 3))
    wished.clear()
    QTest.mouseDClick(found, Qt.MouseButton.LeftButton, pos=cell(found, 1, 3))
    QTest.keyClick(found, KEY.Key_Return)
    button = next(one for one in sheet.findChildren(QPushButton) if one.text() == "Compare")
    button.click()
    assert wished == [Wish(Do.COMPARE, pair_at(six, 1, 3))] * 3
    wished.clear()
    QTest.keyClick(found, KEY.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert not button.isEnabled() and button.toolTip() == "A trace is not compared with itself."
    QTest.keyClick(found, KEY.Key_Return)
    assert Do.COMPARE not in [one.do for one in wished]


def test_keys_go_from_pair_to_pair(sheet, six):
    sheet.show_picture(six)
    found = map_of(sheet)
    found.setFocus()
    control = Qt.KeyboardModifier.ControlModifier
    blocks = present(pairs_of(six)).blocks
    second = blocks[1].start
    for key, modifier, place in (
        (KEY.Key_Down, Qt.KeyboardModifier.NoModifier, (1, 1)),
        (KEY.Key_Right, Qt.KeyboardModifier.NoModifier, (1, 2)),
        (KEY.Key_End, Qt.KeyboardModifier.NoModifier, (1, 5)),
        (KEY.Key_Right, Qt.KeyboardModifier.NoModifier, (1, 5)),
        (KEY.Key_Up, Qt.KeyboardModifier.NoModifier, (0, 5)),
        (KEY.Key_Up, Qt.KeyboardModifier.NoModifier, (0, 5)),
        (KEY.Key_PageDown, Qt.KeyboardModifier.NoModifier, (5, 5)),
        (KEY.Key_Home, control, (0, 0)),
        (KEY.Key_Right, control, (0, second)),
        (KEY.Key_Left, control, (0, 0)),
        (KEY.Key_Down, control, (second, 0)),
        (KEY.Key_Left, Qt.KeyboardModifier.NoModifier, (second, 0)),
        (KEY.Key_End, control, (5, 5)),
    ):
        QTest.keyClick(found, key, modifier)
        assert found.marked == pair_at(six, *place), key
        names = [six.names[trace] for trace in present(found.marked)]
        assert found.accessibleDescription().startswith(f"{names[0]} and {names[1]}, similarity ")


def test_the_menu_compares_and_selects_both_and_shows_and_plans_either_trace(
    sheet, six, wished, monkeypatch
):
    menus = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: menus.append((menu, place)))
    sheet.show_picture(six)
    found = map_of(sheet)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=cell(found, 2, 4))
    pair = pair_at(six, 2, 4)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(found, event)
    ((menu, place),) = menus
    assert found.mapFromGlobal(place).x() > cell(found, 2, 4).x()
    lines = [one for one in menu.actions() if not one.isSeparator()]
    names = [six.names[trace] for trace in pair]
    words = ("Show {}", "Keep {} in the Plan", "Leave {} out of the Plan")
    of_either = [one.format(name) for name in names for one in words]
    assert [one.text() for one in lines] == ["Compare", "Select Both", *of_either]
    wished.clear()
    for line in lines:
        line.trigger()
    wishes = [(do, one) for one in pair for do in (Do.SHOW, Do.KEEP, Do.LEAVE_OUT)]
    expected = [(Do.COMPARE, pair), (Do.SELECT, pair), *wishes]
    assert [(one.do, one.of) for one in wished] == expected


def test_the_similarity_of_groups_is_asked_for_once_a_gesture(sheet, six, wished):
    sheet.show_picture(six)
    slider, field = present(sheet.findChild(DimensionSlider)), present(sheet.findChild(ShareField))
    assert (slider.value(), field.text()) == (800, "0.80")
    start, end = (slider.place_of(share).toPoint() for share in (0.8, 0.4))
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 5):
        QTest.mouseMove(slider, start + (end - start) * step / 4)
    assert wished == [] and field.value() == pytest.approx(0.4, abs=0.02)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=end)
    assert [one.of for one in wished] == [pytest.approx(0.4, abs=0.02)]
    QTest.keyClick(slider, KEY.Key_Right)
    assert len(wished) == 2
    field.selectAll()
    QTest.keyClicks(field, "0.65")
    QTest.keyClick(field, KEY.Key_Return)
    assert wished[2:] == [Wish(Do.LINK_AT, 0.65)] and slider.value() == 650


def test_a_pair_stays_marked_when_groups_are_made_at_another_similarity(sheet, six):
    sheet.show_picture(six)
    found = map_of(sheet)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=cell(found, 1, 4))
    before = found.marked
    sheet.show_picture(picture_of(SIX, similarity=0.97))
    assert found.marked == before
    found.mark(Pair(0, 5))
    sheet.show_picture(picture_of(SIX[:5]))
    assert found.marked is None
    sheet.show_picture(picture_of(SIX, similarity=0.97))
    assert present(sheet.findChild(ShareField)).text() == "0.97"


def open_table(sheet):
    next(one for one in sheet.findChildren(FlatButton) if one.text() == "Table").click()
    return present(sheet.findChild(QTableView)), present(sheet.findChild(QComboBox))


def rows_of(table):
    model = table.model()
    return [
        [model.index(row, column).data() for column in range(1, model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_the_table_has_all_pairs_of_a_trace_the_most_similar_first(sheet, six):
    sheet.show_picture(six)
    table, choice = open_table(sheet)
    QAbstractItemModelTester(
        table.model(), QAbstractItemModelTester.FailureReportingMode.Fatal, sheet
    )
    assert [choice.itemText(one) for one in range(choice.count())] == list(six.names)
    choice.setFocus()
    QTest.keyClick(choice, KEY.Key_Down)
    similar = present(six.grouped).batch.similarities[1]
    expected = sorted((value for one, value in enumerate(similar) if one != 1), reverse=True)
    assert [row[3] for row in rows_of(table)] == [f"{value:.4f}" for value in expected]
    assert rows_of(table)[0][:3] == [six.names[3], f"{six.documents[3].score:.4f}", "2"]
    said = table.model().index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == f"{six.names[3]}, {six.documents[3].state}"
    assert table.accessibleName() == "Pairs of the trace"


def test_table_and_map_have_one_pair(sheet, six, wished):
    sheet.show_picture(six)
    found = map_of(sheet)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=cell(found, 3, 0))
    table, choice = open_table(sheet)
    one, other = pair_at(six, 3, 0)
    assert choice.currentText() == six.names[one]
    assert table.currentIndex().siblingAtColumn(1).data() == six.names[other]
    table.setFocus()
    QTest.keyClick(table, KEY.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(table, KEY.Key_Down)
    name = table.currentIndex().siblingAtColumn(1).data()
    assert found.marked == (one, six.names.index(name)) and name in shown_words(sheet)
    QTest.keyClick(table, KEY.Key_Return)
    assert wished[-1] == Wish(Do.COMPARE, found.marked)


def test_the_table_comes_back_with_the_pair_and_the_groups_that_the_map_has_by_then(sheet, six):
    sheet.show_picture(six)
    found = map_of(sheet)
    for row, column in ((3, 0), (3, 1), (2, 0)):
        QTest.mouseClick(found, Qt.MouseButton.LeftButton, pos=cell(found, row, column))
        table, choice = open_table(sheet)
        one, other = pair_at(six, row, column)
        assert choice.currentText() == six.names[one]
        assert table.currentIndex().siblingAtColumn(1).data() == six.names[other]
        open_table(sheet)  # the same button leads back
    table, _ = open_table(sheet)
    linked = [row[2] for row in rows_of(table)]
    sheet.show_picture(picture_of(SIX, similarity=0.99))
    assert [row[2] for row in rows_of(table)] != linked


def test_without_pairs_a_sentence_says_why(sheet, six):
    why = "The map is shown once all open traces are compared with each other."
    for picture in (None, compared_yet(six), picture_of([])):
        sheet.show_picture(six)
        sheet.show_picture(picture)
        assert why in shown_words(sheet) and not map_of(sheet).isVisible()
        assert not present(sheet.findChild(DimensionSlider)).isEnabled()
    sheet.show_picture(picture_of(SIX[:1]))
    alone = "One trace alone has no pairs. Open more to see how similar they are."
    assert alone in shown_words(sheet) and not map_of(sheet).isVisible()
