"""Buttons and labels keep the keys and roles of their stock classes, and show the focus."""

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAccessible, QFont, QImage, QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QScrollArea, QWidget

from kpinspector.ui.controls.base import (
    ElidedLabel,
    FlatButton,
    FocusRing,
    Label,
    PushButton,
    paint_box,
    without_mnemonic,
)
from kpinspector.ui.controls.chips import Chip, ChipBar, ChipSpec
from kpinspector.ui.controls.fields import ComboBox, NumberField, SearchField
from kpinspector.ui.controls.two_line_rows import TwoLineButton, TwoLineFact
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import TextRole, colours, set_palette
from tests.ui.windows import heard, tabs_of, windows

Role = QAccessible.Role


@pytest.fixture(autouse=True)
def light(qapp):
    set_palette(qapp, dark=False)


@pytest.fixture
def window(qtbot):
    yield from windows(qtbot)


def rings(top):
    return [ring for ring in top.findChildren(FocusRing) if ring.isVisible()]


def test_tab_goes_through_buttons_with_a_ring_and_space_presses(window, qtbot):
    first, second = PushButton("One"), FlatButton(IconName.COPY, name="Copy")
    top = window(first, second)
    first.setFocus(Qt.FocusReason.TabFocusReason)
    assert [ring.geometry() for ring in rings(top)] == [first.geometry().adjusted(-3, -3, 3, 3)]
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    assert [ring.geometry() for ring in rings(top)] == [second.geometry().adjusted(-3, -3, 3, 3)]
    with qtbot.waitSignal(second.clicked):
        qtbot.keyClick(second, Qt.Key.Key_Space)


def test_the_ring_follows_its_button_and_goes_with_it(window, qtbot):
    button = PushButton("One")
    top = window(button)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    button.move(button.pos() + QPoint(5, 7))
    assert rings(top)[0].geometry() == button.geometry().adjusted(-3, -3, 3, 3)
    button.hide()
    assert rings(top) == []


def test_the_ring_lies_where_no_edge_cuts_it_and_moves_along(window):
    outer, inner = QWidget(), QWidget()
    button = PushButton("One", inner)
    row, column = QHBoxLayout(outer), QHBoxLayout(inner)
    row.addWidget(inner)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(button)
    top = window(outer)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    [ring] = rings(top)
    assert ring.parentWidget() is outer
    assert outer.rect().contains(ring.geometry())
    inner.move(inner.pos() + QPoint(4, 2))
    assert ring.geometry() == inner.geometry().adjusted(-3, -3, 3, 3)
    inner.hide()
    assert rings(top) == []


def test_what_scrolls_keeps_the_ring_inside(window):
    area, page = QScrollArea(), QWidget()
    button = PushButton("One", page)
    area.setWidget(page)
    top = window(area)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert rings(top)[0].parentWidget() is area.viewport()


def test_the_first_chip_has_a_whole_ring(window):
    bar = ChipBar((ChipSpec("all", "All"), ChipSpec("more", "More")))
    top = window(bar)
    bar.chip("all").setFocus(Qt.FocusReason.TabFocusReason)
    [ring] = rings(top)
    assert ring.parentWidget().rect().contains(ring.geometry())


def test_a_click_needs_no_ring(window, qtbot):
    button = PushButton("One")
    other = PushButton("Two")
    top = window(other, button)
    other.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert rings(top) == []


def test_the_ring_is_painted_in_the_accent(window, qapp):
    button = PushButton("One")
    top = window(button)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    image = top.grab().toImage()
    middle = QPoint(button.geometry().center().x(), button.geometry().top() - 2)
    assert image.pixelColor(middle) == colours(qapp.palette()).accent


def test_roles_are_the_stock_ones_and_icons_alone_have_names(window):
    menu = FlatButton(IconName.OPEN, "Open")
    menu.setMenu(QMenu(menu))
    cases = {
        PushButton("Re&load"): (Role.Button, "Reload"),
        FlatButton(IconName.COPY, name="Copy"): (Role.Button, "Copy"),
        menu: (Role.ButtonMenu, "Open"),
        Label("Traces"): (Role.StaticText, "Traces"),
        TwoLineButton("a & b.json", "~/x", sign=IconName.FILE): (Role.Button, "a & b.json"),
        ComboBox("Profile"): (Role.ComboBox, "Profile"),
        NumberField("Threshold"): (Role.SpinBox, "Threshold"),
        tabs_of("Why", "What-if"): (Role.PageTabList, "Why"),
    }
    window(*cases)
    for widget, expected in cases.items():
        assert heard(widget) == expected, widget
    assert heard(SearchField("Filter traces").edit) == (Role.EditableText, "Filter traces")
    fact = TwoLineFact("412 traces remembered", "All of them", IconName.CHECK)
    assert heard(fact)[1] == "412 traces remembered"
    assert "All of them" in fact.toolTip()


def test_text_is_not_cut_at_twice_the_size(qapp, qtbot):
    large = QFont(qapp.font())
    large.setPointSizeF(qapp.font().pointSizeF() * 2)
    made = [
        PushButton("Wg"),
        FlatButton(text="Wg"),
        Chip(ChipSpec("x", "Wg")),
        SearchField("Wg"),
        ComboBox("Wg"),
        TwoLineButton("Wg", "Wg", sign=IconName.FILE),
    ]
    for widget in made:
        qtbot.addWidget(widget)
        widget.setFont(large)
        assert widget.sizeHint().height() >= widget.fontMetrics().height() + 8, widget


def test_a_primary_button_is_filled_and_a_disabled_one_is_not(window, qapp):
    primary, disabled = PushButton("A", primary=True), PushButton("B", primary=True)
    disabled.setEnabled(False)
    window(primary, disabled)
    found = colours(qapp.palette())
    assert primary.grab().toImage().pixelColor(4, 13) == found.accent
    assert disabled.grab().toImage().pixelColor(4, 13) == found.button


def test_a_flat_button_shows_checked_by_the_selection(window, qapp):
    button = FlatButton(IconName.WRAP, name="Wrap")
    button.setCheckable(True)
    window(button)
    button.setChecked(True)
    assert button.grab().toImage().pixelColor(13, 2) == colours(qapp.palette()).selection


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
def test_a_box_has_an_edge_of_whole_pixels(qapp, ratio):
    found = colours(qapp.palette())
    image = QImage(round(60 * ratio), round(40 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(found.desk)
    painter = QPainter(image)
    paint_box(painter, QRect(4, 4, 50, 30), found.sheet, found.field_edge)
    painter.end()
    image.setDevicePixelRatio(1)
    across = {image.pixelColor(x, image.height() // 2).name() for x in range(image.width())}
    assert across == {found.desk.name(), found.sheet.name(), found.field_edge.name()}


def test_a_tooltip_shows_markup_as_it_stands():
    hostile = "<img src='file:///etc/passwd'>\nsecond & last"
    shown = QLabel(plain_tooltip(hostile))
    shown.setTextFormat(Qt.TextFormat.RichText)
    assert "<img" not in plain_tooltip(hostile)
    assert "&lt;img" in plain_tooltip(hostile)
    assert "<br>second &amp; last" in plain_tooltip(hostile)
    assert plain_tooltip("") == ""


def test_a_label_is_plain_text():
    assert Label("<b>x</b>").textFormat() == Qt.TextFormat.PlainText


def test_an_ampersand_is_seen_where_it_is_doubled():
    assert without_mnemonic("R&&D &Now") == "R&D Now"


@pytest.mark.parametrize("points", [7.0, 9.5, 10.0, 11.3, 16.7])
@pytest.mark.parametrize("role", [TextRole.BODY, TextRole.TITLE, TextRole.CAPTION])
def test_an_elided_label_is_whole_at_its_own_width(qtbot, qapp, points, role):
    before = qapp.font()
    try:
        made = QFont(before)
        made.setPointSizeF(points)
        qapp.setFont(made)
        for text in ("Tool call, lab.query", "AVAVA.", "fi ffl", "visit-03.json · medical", "W"):
            label = ElidedLabel(text, role)
            qtbot.addWidget(label)
            label.resize(label.sizeHint())
            width = label.contentsRect().width()
            shown = label.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
            assert shown == text
    finally:
        qapp.setFont(before)


def test_an_elided_label_has_the_whole_in_its_tooltip_only_when_cut(window):
    label = ElidedLabel("<i>a very long objective</i> " * 20)
    window(label)
    label.setFixedWidth(100)
    assert label.toolTip().startswith("<qt>&lt;i&gt;")
    label.setFixedWidth(4000)
    label.setText("short")
    assert label.toolTip() == ""
    assert heard(label) == (Role.StaticText, "short")


def test_a_button_in_a_row_keeps_its_size(qtbot):
    top = QWidget()
    qtbot.addWidget(top)
    row = QHBoxLayout(top)
    button = FlatButton(IconName.RELOAD, name="Reload")
    row.addWidget(button)
    top.resize(600, 200)
    top.show()
    assert button.size() == button.sizeHint()
    assert button.sizeHint() == QSize(button.height(), button.height())
