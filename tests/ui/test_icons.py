"""Every icon is there, drawn by the rules, and sharp."""

import xml.etree.ElementTree as ET

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from kpinspector.files import resources
from kpinspector.ui.look.marks import IconName, application_icon, icon, paint_icon
from kpinspector.ui.look.theme import colours, set_palette

FOLDER = resources() / "icons"


@pytest.mark.parametrize("name", IconName)
def test_an_icon_is_one_line_colour_in_a_box_of_sixteen(qapp, name):
    path = FOLDER / f"{name}.svg"
    assert QSvgRenderer(str(path)).isValid()
    root = ET.parse(path).getroot()
    assert root.get("viewBox") == "0 0 16 16"
    assert root.get("fill") == "none"
    assert root.get("stroke-width") == "1.4"
    assert root.get("stroke-linecap") == "round"
    for part in root.iter():
        assert part is root or part.get("fill") is None
        assert part is root or part.get("stroke") is None


def test_no_file_is_without_a_name():
    files = {path.stem for path in FOLDER.glob("*.svg")}
    assert files == {name.value for name in IconName} | {"kpinspector"}


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_an_icon_is_painted_in_one_colour_at_the_pixels_of_the_screen(qapp, ratio):
    image = QImage(round(40 * ratio), round(40 * ratio), QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    painter = QPainter(image)
    paint_icon(painter, QRect(12, 12, 16, 16), IconName.STOP, QColor("#123456"))
    painter.end()
    image.setDevicePixelRatio(1)
    centre = image.pixelColor(image.width() // 2, image.height() // 2)
    assert centre == QColor("#123456")
    painted = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha()
    ]
    assert min(x for x, _ in painted) >= 12 * ratio - 1
    assert max(x for x, _ in painted) <= 28 * ratio + 1
    assert {image.pixelColor(x, y).alpha() for x, y in painted} >= {255}


def test_an_icon_says_enabled_hovered_and_disabled_by_colour(qapp):
    for dark in (False, True):
        set_palette(qapp, dark=dark)
        found = colours(qapp.palette())
        made = icon(IconName.STOP, qapp.palette())
        expected = {
            (QIcon.Mode.Normal, QIcon.State.Off): found.second,
            (QIcon.Mode.Normal, QIcon.State.On): found.text,
            (QIcon.Mode.Active, QIcon.State.Off): found.text,
            (QIcon.Mode.Disabled, QIcon.State.Off): found.disabled,
        }
        for (mode, state), colour in expected.items():
            image = made.pixmap(QSize(16, 16), 1.0, mode, state).toImage()
            assert image.pixelColor(8, 8) == colour
    set_palette(qapp, dark=False)


def test_the_application_icon_has_every_size(qapp):
    assert QSize(256, 256) in application_icon().availableSizes()
    assert not application_icon().pixmap(64, 64).isNull()
