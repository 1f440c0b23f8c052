"""Buttons, labels, chips, fields and sliders keep the keys and roles of their stock classes."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QAccessible, QImage, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QStyle, QStyleOptionViewItem

from kpinspector.app.document import State
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.controls.base import (
    ElidedLabel,
    FlatButton,
    FocusRing,
    Label,
    PushButton,
    without_mnemonic,
)
from kpinspector.ui.controls.chips import ChipBar, ChipsOrList, ChipSpec
from kpinspector.ui.controls.fields import (
    ComboBox,
    DimensionSlider,
    SearchField,
    ShareField,
    TextField,
    mark_wrong,
)
from kpinspector.ui.look.marks import IconName, Shape
from kpinspector.ui.look.theme import colours, scale, set_palette
from kpinspector.ui.steps.step_pane import ImportedStrip
from kpinspector.ui.window.start_page import TwoLineButton, TwoLineFact
from tests.known import of, present
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


def test_a_click_needs_no_ring(window, qtbot):
    button = PushButton("One")
    other = PushButton("Two")
    top = window(other, button)
    other.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert rings(top) == []


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
        ShareField("Threshold"): (Role.SpinBox, "Threshold"),
        tabs_of("Why", "What-if"): (Role.PageTabList, "Why"),
    }
    window(*cases)
    for widget, expected in cases.items():
        assert heard(widget) == expected, widget
    assert heard(SearchField("Filter traces")) == (Role.EditableText, "Filter traces")
    fact = TwoLineFact("412 traces remembered", "All of them", IconName.CHECK)
    assert heard(fact)[1] == "412 traces remembered"
    assert "All of them" in fact.toolTip()


def test_a_comma_is_a_point_as_well(window, qtbot):
    field = ShareField("Threshold")
    window(field)
    for typed, value in (("0,8", 0.8), (",25", 0.25), ("0.5", 0.5)):
        field.selectAll()
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert (field.value(), field.text()) == (value, f"{value:.2f}")


def test_an_ampersand_is_seen_where_it_is_doubled():
    assert without_mnemonic("R&&D &Now") == "R&D Now"


def test_an_elided_label_has_the_whole_in_its_tooltip_only_when_cut(window):
    label = ElidedLabel("<i>a very long objective</i> " * 20)
    window(label)
    label.setFixedWidth(100)
    assert label.toolTip().startswith("<qt>&lt;i&gt;")
    label.setFixedWidth(4000)
    label.setText("short")
    assert label.toolTip() == ""
    assert heard(label) == (Role.StaticText, "short")


def test_chips_are_exclusive_and_arrow_keys_choose(window, qtbot):
    bar = ChipBar((ChipSpec("all", "All"), ChipSpec("rejected", "Rejected", Shape.REJECTED)))
    window(bar)
    bar.chip("all").setFocus(Qt.FocusReason.TabFocusReason)
    with qtbot.waitSignal(bar.chip_chosen) as blocker:
        qtbot.keyClick(bar.chip("all"), Qt.Key.Key_Right)
    assert blocker.args == ["rejected"]
    assert bar.chosen == "rejected"
    bar.choose("all")
    assert not bar.chip("rejected").isChecked()


def test_a_chip_with_a_shape_says_its_word_and_count(window):
    bar = ChipBar((ChipSpec("all", "All"), ChipSpec("rejected", "Rejected", Shape.REJECTED)))
    window(bar)
    before = bar.chip("rejected").sizeHint().width()
    bar.set_counts({"rejected": 1234})
    assert heard(bar.chip("rejected"))[1] == "Rejected, 1,234"
    assert "Rejected" in bar.chip("rejected").toolTip()
    assert heard(bar.chip("all"))[1] == "All"
    assert bar.chip("rejected").sizeHint().width() > before


@pytest.mark.parametrize("width", [224, 328])
def test_no_count_is_cut_however_many_there_are(window, width):
    states = [State.ACCEPTED, State.REJECTED, State.PENDING, State.UNREADABLE]
    specs = (ChipSpec("all", "All"), *(ChipSpec(one, one, one) for one in states))
    bar = ChipBar(specs, moves_together=True)
    bar.setFixedWidth(scale(width, bar.fontMetrics()))
    window(bar)
    for counts in ((0, 10, 290, 0), (301, 300, 0, 3), (6123, 3877, 0, 12)):
        bar.set_counts(dict(zip(states, counts, strict=True)))
        QApplication.processEvents()
        for chip in bar.chips:
            assert chip.width() >= chip.sizeHint().width()
            assert bar.rect().contains(chip.geometry())
    bar.set_counts(dict.fromkeys(states, 1))
    QApplication.processEvents()
    assert bar.chips[1].geometry().left() - bar.chips[0].geometry().right() > 3


def test_the_list_that_stands_for_chips_has_room_for_its_counts(window, qapp):
    bar = ChipsOrList((ChipSpec("all", "All"), ChipSpec("call", "Tool call")), "Kind")
    top = window(bar, bar.list)
    bar.fit(0)
    qapp.processEvents()
    for count in (12, 1234567):
        bar.fill_list({"all": count, "call": count})
        qapp.processEvents()
        top.layout().activate()
        assert bar.list.width() >= bar.list.sizeHint().width()


def edge(widget):
    return widget.grab().toImage().pixelColor(widget.width() // 2, 1)


def test_a_search_field_clears_by_escape_and_by_its_button(window, qtbot):
    field = SearchField("Filter traces")
    window(field)
    field.setFocus()
    assert field.hasFocus()
    with qtbot.waitSignal(field.textChanged):
        qtbot.keyClicks(field, "v")
    clear = present(field.findChild(FlatButton))
    assert clear.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert not clear.isVisible()
    field.setText("w")
    qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert field.text() == ""
    assert heard(clear)[1] == "Clear"


def test_a_field_shows_focus_and_fault_by_its_edge(window, qapp):
    field, other = TextField("Confidence"), TextField("Other")
    window(other, field)
    found = colours(qapp.palette())
    other.setFocus()
    assert edge(field) == found.sheet
    field.setFocus()
    assert edge(field) == found.accent
    mark_wrong(field, wrong=True)
    assert edge(field) == found.rejected


def test_the_chosen_row_of_a_list_that_drops_down_is_tinted(window, qapp):
    combo = ComboBox("Profile")
    combo.addItems(["finance", "medical"])
    window(combo)
    view, option = combo.view(), QStyleOptionViewItem()
    view.initViewItemOption(option)
    option.rect = QRect(0, 0, 100, 22)
    option.state |= QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_Enabled
    image = QImage(option.rect.size(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.itemDelegate().paint(painter, option, view.model().index(0, 0))
    painter.end()
    assert image.pixelColor(80, 11) == colours(qapp.palette()).selection


def test_the_strip_of_an_import_has_a_ground_of_its_own(window, qapp):
    strip = ImportedStrip()
    window(strip)
    assert strip.grab().toImage().pixelColor(2, 2) == colours(qapp.palette()).alternate


@pytest.fixture
def slider(qtbot):
    set_palette(of(QApplication, QApplication.instance()), dark=False)
    made = DimensionSlider(Dimension.NOVELTY, "Novelty")
    qtbot.addWidget(made)
    made.resize(240, 28)
    made.setValue(450)
    with qtbot.waitExposed(made):
        made.show()
    return made


def at(slider, share):
    return slider.place_of(share).toPoint()


def colour_at(slider, share, below=0):
    picture = slider.grab().toImage()
    point = at(slider, share) + QPoint(0, below)
    ratio = picture.devicePixelRatio()
    return picture.pixelColor(round(point.x() * ratio), round(point.y() * ratio))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (Qt.Key.Key_Right, 460),
        (Qt.Key.Key_Left, 440),
        (Qt.Key.Key_PageUp, 550),
        (Qt.Key.Key_PageDown, 350),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 1000),
    ],
)
def test_keys_move_it(slider, qtbot, key, value):
    slider.setFocus()
    qtbot.keyClick(slider, key)
    assert slider.value() == value


def test_a_press_anywhere_takes_the_knob_there_and_a_drag_goes_on(slider, qtbot):
    heard = []
    slider.sliderReleased.connect(lambda: heard.append(slider.value()))
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=at(slider, 0.2))
    assert abs(slider.value() - 200) <= 5
    qtbot.mouseMove(slider, at(slider, 0.7))
    assert abs(slider.value() - 700) <= 5
    qtbot.mouseMove(slider, QPoint(-50, 0))
    assert slider.value() == 0
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(999, 0))
    assert heard == [0]
    qtbot.mouseMove(slider, at(slider, 0.5))
    assert slider.value() == 0


def test_the_wheel_belongs_to_the_pane_until_the_slider_has_the_focus(slider):
    def turn():
        event = QWheelEvent(
            QPointF(100, 10),
            QPointF(100, 10),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(slider, event)
        return event.isAccepted()

    slider.clearFocus()
    assert not turn() and slider.value() == 450
    slider.setFocus()
    assert turn() and slider.value() > 450


def test_what_is_filled_what_is_marked_and_what_is_neither(slider):
    found = colours(slider.palette())
    slider.set_marks(0.8, 0.6)
    assert colour_at(slider, 0.2) == found.novelty
    assert colour_at(slider, 0.95) == found.track
    assert colour_at(slider, 0.45).lightness() > 230  # inside the knob
    assert colour_at(slider, 0.8) == found.sheet  # inside the ghost
    triangle = colour_at(slider, 0.6, below=11)
    assert triangle.lightness() < 90
    slider.set_marks(None, None)
    assert colour_at(slider, 0.8) == found.track
    assert colour_at(slider, 0.6, below=11).lightness() > 200


@pytest.mark.parametrize(("value", "end"), [(-3.0, 0), (1.5, 1), (float("inf"), 1)])
def test_a_mark_outside_the_track_stands_at_its_end(slider, value, end):
    slider.set_marks(value, value)
    assert slider.place_of(value) == slider.place_of(float(end))
    assert slider.place_of(float("nan")) == slider.place_of(0.0)
    slider.grab()
