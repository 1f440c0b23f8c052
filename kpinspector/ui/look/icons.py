"""Our own icons: one colour each, drawn sharp at every scale."""

from enum import StrEnum
from functools import lru_cache

from PySide6.QtCore import QByteArray, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QImage, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from kpinspector.files import resources
from kpinspector.ui.look.theme import colours

ICON_SIZE = 16

_APPLICATION_SIZES = (16, 24, 32, 48, 64, 128, 256)


class IconName(StrEnum):
    """Every icon; the value is its file's stem."""

    OPEN = "open"
    FOLDER = "folder"
    FILE = "file"
    PASTE = "paste"
    RELOAD = "reload"
    BACK = "back"
    FORWARD = "forward"
    COMPARE = "compare"
    EXPORT = "export"
    DOWNLOAD = "download"
    FILTER = "filter"
    SEARCH = "search"
    COPY = "copy"
    WRAP = "wrap"
    OPEN_EXTERNAL = "open-external"
    UNDO = "undo"
    REDO = "redo"
    INFO = "info"
    LOCK = "lock"
    UNLOCK = "unlock"
    SWAP = "swap"
    CLOSE = "close"
    PLUS = "plus"
    MORE = "more"
    STOP = "stop"
    CHECK = "check"
    CHEVRON_DOWN = "chevron-down"
    CHEVRON_RIGHT = "chevron-right"
    CHEVRON_UP = "chevron-up"
    ORDER = "order"
    REDACT = "redact"
    OBJECTIVE = "objective"
    THOUGHT = "thought"
    TOOL_CALL = "tool-call"
    OBSERVATION = "observation"
    RECOVERY = "recovery"


def paint_icon(painter: QPainter, rect: QRect | QRectF, name: IconName, colour: QColor) -> None:
    """Draw an icon in the middle of ``rect``, as large as fits, on whole pixels."""
    side = min(rect.width(), rect.height())
    # not the device's own ratio: a widget rendered into a picture has another
    ratio = abs(painter.deviceTransform().m11())
    image = _image(name, max(1, round(side * ratio)), colour.rgba())
    shown = image.width() / ratio
    centre = QRectF(rect).center()
    corner = QPointF(centre.x() - shown / 2, centre.y() - shown / 2)
    device = painter.deviceTransform().map(corner)
    back, _ = painter.deviceTransform().inverted()
    corner = back.map(QPointF(round(device.x()), round(device.y())))
    painter.drawImage(QRectF(corner.x(), corner.y(), shown, shown), image)


def icon(name: IconName, palette: QPalette | None = None) -> QIcon:
    """An icon for an action, in the palette's colours: made anew when the palette changes."""
    found = colours(palette or QGuiApplication.palette())
    result = QIcon()
    for ratio in sorted({screen.devicePixelRatio() for screen in QGuiApplication.screens()} or {1}):
        for mode, state, colour in (
            (QIcon.Mode.Normal, QIcon.State.Off, found.second),
            (QIcon.Mode.Normal, QIcon.State.On, found.text),
            (QIcon.Mode.Active, QIcon.State.Off, found.text),
            (QIcon.Mode.Selected, QIcon.State.Off, found.text),
            (QIcon.Mode.Disabled, QIcon.State.Off, found.disabled),
        ):
            image = _image(name, round(ICON_SIZE * ratio), colour.rgba())
            pixmap = QPixmap.fromImage(image)
            pixmap.setDevicePixelRatio(ratio)
            result.addPixmap(pixmap, mode, state)
    return result


def application_icon() -> QIcon:
    """The program's own icon, in full colour."""
    source = (resources() / "icons" / "kpinspector.svg").read_bytes()
    result = QIcon()
    for side in _APPLICATION_SIZES:
        result.addPixmap(QPixmap.fromImage(_render(source, side)))
    return result


@lru_cache(maxsize=512)
def _image(name: IconName, side: int, rgba: int) -> QImage:
    image = QImage(_shape(name, side))
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor.fromRgba(rgba))
    painter.end()
    return image


@lru_cache(maxsize=256)
def _shape(name: IconName, side: int) -> QImage:
    """An icon in whatever colour its file has; every other colour begins with it."""
    return _render((resources() / "icons" / f"{name}.svg").read_bytes(), side)


def _render(source: bytes, side: int) -> QImage:
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(source)).render(painter, QRectF(0, 0, side, side))
    painter.end()
    return image
