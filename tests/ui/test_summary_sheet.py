"""The sheets of the summary and of the plan where there is more to say than room."""

from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QTableView

from kpinspector.scoring.formula.assess import Gate
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.batch.row_sheets import PlanSheet
from kpinspector.ui.batch.summary_sheet import SummarySheet
from kpinspector.ui.look.theme import set_zoom
from kpinspector.ui.parts.sections import Divider
from tests import user
from tests.known import present
from tests.ui.batch_pictures import SIX, picture_of

CAUSES = (*Dimension, *Rule, *Gate)


@pytest.fixture
def sheet(qtbot):
    made = SummarySheet(print)
    qtbot.addWidget(made)
    picture = picture_of(SIX)
    summary = replace(picture.summary, causes=Counter(CAUSES), rules=Counter(Rule))
    made.show_picture(replace(picture, summary=summary))
    made.resize(548, 402)
    with qtbot.waitExposed(made):
        made.show()
    return made


def counts(sheet):
    """The buttons of causes and rules that are seen, from left to right."""
    tip = "Show only these in the list"
    return [one for one in user.seen(sheet, QAbstractButton) if one.toolTip() == tip]


def dots(sheet):
    return next((one for one in user.seen(sheet, QLabel) if one.text() == "…"), None)


def test_causes_and_rules_take_as_much_as_there_is(sheet):
    few = counts(sheet)
    assert few and sheet.minimumSizeHint().width() <= 548
    last = few[-1].mapTo(sheet, few[-1].rect().topRight()).x()
    assert last < 548 - 16
    hidden = dots(sheet).toolTip()
    assert "Tool monotony 1" in hidden and few[-1].text() not in hidden


def test_the_names_of_the_dimensions_are_explained_and_not_repeated(sheet):
    spread = user.find(sheet, QTableView, "Accepted against rejected").model()
    names = [spread.index(row, 1) for row in range(spread.rowCount())]
    tips = [one.data(Qt.ItemDataRole.ToolTipRole) for one in names]
    assert "1 less the similarity" in tips[1] and names[1].data() == "Novelty"


def test_what_has_no_room_in_large_print_goes(qtbot, qapp, sheet):
    before, last = len(counts(sheet)), sheet.findChildren(QAbstractButton)[-1]
    set_zoom(qapp, 150)
    try:
        qtbot.waitUntil(lambda: 0 < len(counts(sheet)) < before and not last.isVisible())
        qtbot.waitUntil(lambda: all(one.width() >= one.sizeHint().width() for one in counts(sheet)))
    finally:
        set_zoom(qapp, 100)
    qtbot.waitUntil(lambda: len(counts(sheet)) == before)


def test_all_are_seen_where_there_is_room(qtbot, sheet):
    sheet.resize(1400, 402)
    qtbot.waitUntil(lambda: len(counts(sheet)) == len(CAUSES) + len(Rule))
    assert dots(sheet) is None


def planned(traces):
    picture = picture_of(traces)
    return replace(picture, batch=present(picture.grouped).batch)


def test_a_line_stands_between_two_parts_that_are_both_seen(qtbot):
    sheet = PlanSheet(print)
    qtbot.addWidget(sheet)
    line = present(sheet.findChild(Divider))
    sheet.show_picture(planned(SIX))
    with qtbot.waitExposed(sheet):
        sheet.show()
    assert line.isVisible()
    for part, seen in (("Chosen", False), ("Left out", False), ("Both", True)):
        user.press(sheet, part)
        assert line.isVisible() is seen, part
    sheet.show_picture(planned(SIX[:2]))
    assert not line.isVisible()
