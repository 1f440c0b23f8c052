"""The groups: their figures, what they have in common, and the way through them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QTableView

from kpinspector.ui.batch.row_sheets import GroupSheet
from kpinspector.ui.look.theme import colours, set_palette
from kpinspector.ui.panes import Do, Wish
from kpinspector.words.figures import UNKNOWN
from tests import user
from tests.batch.made import at_angle
from tests.known import of, present
from tests.ui.batch_pictures import SIX, compared_yet, many, picture_of
from tests.ui.windows import exposed

KEY = Qt.Key
COLUMNS = TRACE, SIZE, SPREAD, ACCEPTED, PLANNED, SCORE = range(1, 7)


@pytest.fixture(scope="module")
def six():
    return picture_of(SIX)


@pytest.fixture
def wished():
    """What is wished on the sheet."""
    return []


@pytest.fixture
def sheet(qtbot, wished):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    return exposed(qtbot, GroupSheet(wished.append), 548, 340)


def table_of(sheet):
    return present(sheet.findChild(QTableView))


def shown_words(sheet):
    labels = [one.text() for one in user.seen(sheet, QLabel) if one.text()]
    tables = [one.model() for one in user.seen(sheet, QTableView)]
    places = [(one, row) for one in tables for row in range(one.rowCount())]
    return labels + [
        one.index(row, column).data() for one, row in places for column in range(one.columnCount())
    ]


def rows_of(sheet):
    model = table_of(sheet).model()
    return [
        [model.index(row, column).data() for column in COLUMNS] for row in range(model.rowCount())
    ]


def said(sheet, row):
    return table_of(sheet).model().index(row, TRACE).data(Qt.ItemDataRole.AccessibleTextRole)


def click(sheet, row):
    table = table_of(sheet)
    place = table.visualRect(table.model().index(row, TRACE)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_each_group_has_its_figures_and_all_add_up(sheet, six):
    sheet.show_picture(six)
    groups = present(six.grouped).groups
    first, second = (six.documents[one.representative] for one in groups[:2])
    accepted = [one.state == "accepted" for one in six.documents]
    of_three, of_two = (sum(accepted[one] for one in group.members) for group in groups[:2])
    alone = accepted[groups[2].representative]
    planned = [one.planned for one in groups]
    spread = "0.94\N{EN DASH}0.98"
    assert rows_of(sheet) == [
        [first.name, "3", spread, f"{of_three}", f"{planned[0]}", f"{first.score:.4f}"],
        [second.name, "2", "0.93", f"{of_two}", f"{planned[1]}", f"{second.score:.4f}"],
        ["Alone", "1", UNKNOWN, f"{alone:d}", f"{planned[2]}", UNKNOWN],
        ["Together", "6", "", f"{sum(accepted)}", f"{sum(planned)}", ""],
    ]
    assert sum(planned) == len(present(six.plan).chosen)
    assert {"Groups", "3", "2 of two or more, 1 trace alone"} <= {*shown_words(sheet)}


def test_each_column_is_explained(sheet):
    model, across = table_of(sheet).model(), Qt.Orientation.Horizontal
    for column in COLUMNS:
        head = model.headerData(column, across)
        tip = model.headerData(column, across, Qt.ItemDataRole.ToolTipRole)
        assert tip and head.lower() not in tip.lower().split(), head


def test_what_is_read_of_a_row(sheet, six):
    sheet.show_picture(six)
    first = six.documents[present(six.grouped).groups[0].representative]
    assert said(sheet, 0) == f"{first.name}, {first.state}, all use tool 0 and tool 1"
    assert (said(sheet, 2), said(sheet, 3)) == ("Alone, closed", "Together")
    tip = table_of(sheet).model().index(0, TRACE).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == f"<qt>{first.name}<br>all use tool 0 and tool 1</qt>"
    assert table_of(sheet).accessibleName() == "Groups"


def test_without_a_plan_nothing_is_known_to_be_planned(sheet):
    sheet.show_picture(picture_of(SIX, planned=False))
    assert {row[COLUMNS.index(PLANNED)] for row in rows_of(sheet)} == {UNKNOWN}


def test_a_row_is_chosen_by_keys_and_by_a_click_and_let_go_by_escape(sheet, six, wished):
    sheet.show_picture(six)
    click(sheet, 1)
    QTest.keyClick(table_of(sheet), KEY.Key_Up)
    QTest.keyClick(table_of(sheet), KEY.Key_Escape)
    assert wished == [Wish(Do.TAKE_GROUP, one) for one in (1, 0, None)]


def test_those_alone_are_shown_by_a_click_or_keys(sheet, six, wished):
    sheet.show_picture(six)
    table, name = table_of(sheet), six.documents[present(six.grouped).groups[2].representative].name
    opened = lambda: [row[0] for row in rows_of(sheet)][2:] == ["Alone", name, "Together"]  # noqa: E731
    click(sheet, 2)
    assert opened() and said(sheet, 2) == "Alone, opened"
    for key, shown in (
        (KEY.Key_Left, False), (KEY.Key_Left, False),
        (KEY.Key_Right, True), (KEY.Key_Right, True),
        (KEY.Key_Return, False),
    ):  # fmt: skip
        QTest.keyClick(table, key)
        assert opened() is shown and table.currentIndex().row() == 2
    QTest.keyClick(table, KEY.Key_Space)
    wished.clear()
    QTest.keyClick(table, KEY.Key_Down)
    assert wished == [Wish(Do.TAKE_GROUP, 2)]


def test_the_chosen_group_is_marked_without_telling(sheet, six, wished):
    sheet.show_picture(six)
    found, table = colours(sheet.palette()), table_of(sheet)

    def ground(row):
        rect = table.visualRect(table.model().index(row, SIZE))
        return table.viewport().grab(rect).toImage().pixelColor(1, 1)

    sheet.set_group(1)
    assert ground(1) in (found.selection, found.selection_inactive)
    assert ground(0) == found.sheet
    sheet.set_group(None)
    assert ground(1) == found.sheet
    sheet.set_group(2)  # one trace: the fold opens
    assert table.currentIndex().row() == 3
    assert not wished
    assert said(sheet, 2) == "Alone, opened"


def test_what_they_have_in_common_runs_below_the_figures(sheet, six):
    sheet.show_picture(six)
    sheet.resize(300, 340)
    QApplication.processEvents()
    table, found = table_of(sheet), colours(sheet.palette())
    name = table.visualRect(table.model().index(0, TRACE))
    image = table.viewport().grab().toImage()
    inked = [
        x
        for x in range(table.viewport().width())
        for y in range(name.center().y() + 2, name.bottom())
        if image.pixelColor(x, y) != found.sheet
    ]
    assert min(inked) >= 16 and max(inked) > name.right() + 20
    for column in COLUMNS[1:]:
        table.hideColumn(column)
    assert table.viewport().grab(name).toImage() == image.copy(name)  # each cell paints its part


def test_the_score_gives_way_where_it_is_narrow(sheet, six):
    sheet.show_picture(six)
    table = table_of(sheet)
    assert not table.isColumnHidden(SCORE)
    assert sum(map(table.columnWidth, (0, *COLUMNS))) == table.viewport().width()
    sheet.resize(360, 340)
    QApplication.processEvents()
    assert table.isColumnHidden(SCORE)
    shown = [one for one in (0, *COLUMNS) if not table.isColumnHidden(one)]
    assert sum(table.columnWidth(one) for one in shown) == table.viewport().width()


def test_without_groups_a_sentence_says_why(sheet, six):
    why = "The groups are shown once all open traces are compared with each other."
    for picture in (None, compared_yet(six), picture_of([])):
        sheet.show_picture(six)
        sheet.show_picture(picture)
        assert why in shown_words(sheet) and not table_of(sheet).isVisible()
        assert "3" not in shown_words(sheet)


def test_the_model_is_sound_whatever_it_shows(sheet, six):
    QAbstractItemModelTester(
        table_of(sheet).model(), QAbstractItemModelTester.FailureReportingMode.Fatal, sheet
    )
    for picture in (None, six, compared_yet(six), picture_of(SIX[:1]), many(40)):
        sheet.show_picture(picture)
        sheet.set_group(0 if picture and picture.grouped else None)


def test_what_comes_from_outside_stays_plain_and_in_one_line(sheet):
    picture = picture_of([((0.9,), at_angle(0)), ((0.9,), at_angle(1))])
    sheet.show_picture(replace(picture, names=("<b>one</b>\nmore",) * 2))
    assert rows_of(sheet)[0][0] == "<b>one</b>"
    tip = table_of(sheet).model().index(0, TRACE).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;b&gt;one" in tip


def test_one_alone_is_behind_the_fold_and_without_one_there_is_none(sheet):
    sheet.show_picture(picture_of(SIX[:1]))
    assert [row[:2] for row in rows_of(sheet)] == [["Alone", "1"], ["Together", "1"]]
    sheet.show_picture(picture_of(SIX[:3:2]))
    assert [row[1] for row in rows_of(sheet)] == ["2", "2"]
