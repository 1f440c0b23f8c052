"""Two parts of a page, below and beside each other."""

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLabel, QWidget

from kpinspector.ui.parts.column_page import TwoColumns

GAP = 20


def test_the_parts_stand_below_each_other_or_share_the_width(qtbot):
    page, first, second = QWidget(), QLabel("first"), QLabel("second")
    qtbot.addWidget(page)
    columns = TwoColumns(first, second, GAP)
    page.setLayout(columns)
    columns.setGeometry(QRect(0, 0, 400, 300))
    wide = columns.wide
    assert not wide
    assert second.y() > first.geometry().bottom() and second.x() == first.x() == 0
    assert columns.set_wide(wide=True) and columns.wide
    columns.setGeometry(QRect(0, 0, 400, 300))
    assert first.width() == second.width() == (400 - GAP) // 2
    assert (second.y(), second.x()) == (first.y(), first.geometry().right() + 1 + GAP)


def test_only_another_place_is_news(qtbot):
    page, first, second = QWidget(), QLabel("first"), QLabel("second")
    qtbot.addWidget(page)
    columns = TwoColumns(first, second, GAP)
    page.setLayout(columns)
    assert [columns.set_wide(wide=wide) for wide in (False, True, True, False)] == [
        False,
        True,
        False,
        True,
    ]
    assert columns.spacing() == 0
