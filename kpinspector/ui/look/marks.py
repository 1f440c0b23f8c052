"""Paints icons, states, badges, marks and bars, on whole device pixels at any scale."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import floor

from PySide6.QtCore import QByteArray, QLineF, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QIcon,
    QImage,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer

from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, Dimension
from kpinspector.ui.look.theme import Colours, colours

ICON_SIZE = 16
STATE_SIZE = 14
STATE_SIZE_LARGE = 20
BADGE_SIZE = 16
BADGE_SIZE_LARGE = 18
MARK_RADIUS = 3
HATCH_GAP = 5.0
HATCH_LINE = 1.2

_APPLICATION_SIZES = (16, 24, 32, 48, 64, 128, 256)
_BOX = 14.0
_LINE = 1.2
_MARK_PADDING = 5
_SMOOTH = QPainter.RenderHint.Antialiasing


class IconName(StrEnum):
    """All icons; the value is the stem of the file."""

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
    """Paint an icon in the middle of ``rect``, as large as fits, on whole device pixels."""
    side = min(rect.width(), rect.height())
    # not the device's own ratio, as a widget may be rendered into a picture
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
    """An icon for an action in the palette's colours; to be made again when the palette changes."""
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
    """The program's icon, in full colour."""
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
    """An icon in the colour of its file, from which icons in other colours are made."""
    return _render((resources() / "icons" / f"{name}.svg").read_bytes(), side)


def _render(source: bytes, side: int) -> QImage:
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(source)).render(painter, QRectF(0, 0, side, side))
    painter.end()
    return image


def _lines(*lines: tuple[tuple[float, float], ...], closed: bool = False) -> QPainterPath:
    path = QPainterPath()
    for first, *others in lines:
        path.moveTo(*first)
        for place in others:
            path.lineTo(*place)
        if closed:
            path.closeSubpath()
    return path


def _discs(radius: float, *centres: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    for x, y in centres:
        path.addEllipse(QPointF(x, y), radius, radius)
    return path


# paths in a box of 14 by 14
_DISC, _RING = _discs(6.3, (7, 7)), _discs(6.2, (7, 7))
_PLATE = QPainterPath(QPointF(2.9, 0.7))  # dashes begin at the upper left
for _x, _y, _angle in ((8.9, 0.7, 90), (8.9, 8.9, 0), (0.7, 8.9, -90), (0.7, 0.7, 180)):
    _PLATE.arcTo(_x, _y, 4.4, 4.4, _angle, -90)
_PLATE.closeSubpath()
_TICK = _lines(((4.1, 7.3), (6.2, 9.3), (9.9, 5.0)))
_CROSS = _lines(((4.9, 4.9), (9.1, 9.1)), ((9.1, 4.9), (4.9, 9.1)))
_DIAMOND = _lines(((7, 0.9), (13.1, 7), (7, 13.1), (0.9, 7)), closed=True)
_LEFT_HALF = _lines(((7, 0.9), (7, 13.1), (0.9, 7)), closed=True)
_TRIANGLE = _lines(((7, 1.3), (13.2, 12.4), (0.8, 12.4)), closed=True)
_EXCLAMATION = _lines(((7, 5.2), (7, 8.2)), ((7, 10.5), (7, 10.51)))
_STROKE = _lines(((3.5, 7), (10.5, 7)))
_THREE_DOTS = _discs(0.85, (4.3, 7), (7, 7), (9.7, 7))
_DOT = _discs(1.5, (11.9, 11.9))
_ALL_BUT_DOT = QPainterPath()
_ALL_BUT_DOT.addRect(QRectF(-1, -1, _BOX + 2, _BOX + 2))
_ALL_BUT_DOT -= _discs(2.9, (11.9, 11.9))


class Shape(StrEnum):
    """The symbols of states; SO_FAR stands for a run that is still being recorded."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    PENDING = "pending"
    NOT_SCORABLE = "not_scorable"
    UNREADABLE = "unreadable"
    SKIPPED = "skipped"
    REPORT = "report"
    UNREAD = "unread"
    NOT_REACHED = "not_reached"
    ACCEPTED_SO_FAR = "accepted_so_far"
    REJECTED_SO_FAR = "rejected_so_far"
    UNDECIDED_SO_FAR = "undecided_so_far"
    ORDER = "order"


_SO_FAR = {
    Shape.ACCEPTED_SO_FAR: Shape.ACCEPTED,
    Shape.REJECTED_SO_FAR: Shape.REJECTED,
    Shape.UNDECIDED_SO_FAR: Shape.UNDECIDED,
}
_ICONS = {Shape.REPORT: IconName.FILE, Shape.ORDER: IconName.ORDER}


class BarKind(StrEnum):
    """How a bar is painted: by whether its number is known, assumed, pending, or a range."""

    SOLID = "solid"
    ASSUMED = "assumed"
    PENDING = "pending"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class BarMark:
    """A bar from ``start`` to ``end``, shares from 0 to 1 of the width that it is painted in.

    Attributes:
        colour: The colour of fill, hatch or box.
        track: The colour of the rest of the width; None if that is not painted.
    """

    colour: QColor
    end: float
    start: float = 0.0
    kind: BarKind = BarKind.SOLID
    track: QColor | None = None


def aligned(painter: QPainter, rect: QRect | QRectF) -> QRectF:
    """The rectangle with every edge on a whole device pixel, so that neighbours touch.

    The painter is only translated and scaled, never rotated, so sums replace slower matrices.
    """
    to_device = painter.deviceTransform()
    across, down, dx, dy = to_device.m11(), to_device.m22(), to_device.dx(), to_device.dy()
    x, y, width, height = rect.x(), rect.y(), rect.width(), rect.height()
    # halves are rounded up, so that lines keep their width
    left = (floor(x * across + dx + 0.5) - dx) / across
    top = (floor(y * down + dy + 0.5) - dy) / down
    right = (floor((x + width) * across + dx + 0.5) - dx) / across
    bottom = (floor((y + height) * down + dy + 0.5) - dy) / down
    return QRectF(left, top, right - left, bottom - top)


def fill(painter: QPainter, rect: QRect | QRectF, colour: QColor) -> None:
    """Fill a rectangle, with its edges rounded to device pixels."""
    smooth = painter.testRenderHint(_SMOOTH)
    if smooth:
        painter.setRenderHint(_SMOOTH, False)
    painter.fillRect(aligned(painter, rect), colour)
    if smooth:
        painter.setRenderHint(_SMOOTH, True)


def line_below(painter: QPainter, room: QRect, found: Colours) -> None:
    """Paint a line at the lower edge of a rectangle."""
    fill(painter, QRect(room.left(), room.bottom(), room.width(), 1), found.line)


def outline(painter: QPainter, rect: QRect | QRectF, colour: QColor, width: float = 1.0) -> None:
    """Paint the four sides of a box inside ``rect``."""
    box = aligned(painter, rect)
    fill(painter, QRectF(box.left(), box.top(), box.width(), width), colour)
    fill(painter, QRectF(box.left(), box.bottom() - width, box.width(), width), colour)
    fill(painter, QRectF(box.left(), box.top(), width, box.height()), colour)
    fill(painter, QRectF(box.right() - width, box.top(), width, box.height()), colour)


def paint_hatch(painter: QPainter, rect: QRect | QRectF, colour: QColor) -> None:
    """Hatch a rectangle with lines at 45 degrees."""
    box = aligned(painter, rect)
    painter.save()
    painter.setRenderHint(_SMOOTH, True)
    painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(colour, HATCH_LINE))
    rise = box.height()
    count = int((box.width() + rise) / HATCH_GAP) + 1
    painter.drawLines(
        [
            QLineF(x - rise, box.bottom(), x, box.top())
            for x in (box.left() + (i + 0.5) * HATCH_GAP for i in range(count))
        ]
    )
    painter.restore()


def paint_bar(painter: QPainter, rect: QRect | QRectF, bar: BarMark, colours: Colours) -> None:
    """Paint a bar and its track; values outside 0 to 1 end at the edge."""
    if bar.track is not None:
        fill(painter, rect, bar.track)
    part = QRectF(rect) if bar.kind is BarKind.PENDING else span(rect, bar.start, bar.end)
    match bar.kind:
        case BarKind.SOLID:
            fill(painter, part, bar.colour)
        case BarKind.PENDING:
            paint_hatch(painter, part, bar.colour)
        case _:
            fill(painter, part, colours.sheet)
            if bar.kind is BarKind.ASSUMED:
                paint_hatch(painter, part, bar.colour)
            outline(painter, part, bar.colour)


def paint_threshold(
    painter: QPainter, rect: QRect | QRectF, threshold: float, colour: QColor
) -> None:
    """Paint the threshold's line across ``rect`` and two px beyond it."""
    place = span(rect, 0.0, threshold)
    line = QRectF(place.right() - 0.5, place.top() - 2, 1, place.height() + 4)
    fill(painter, line, colour)


def span(rect: QRect | QRectF, start: float, end: float) -> QRectF:
    """The part of ``rect`` between two shares of its width, limited to 0 to 1."""
    box = QRectF(rect)
    low, high = (min(1.0, max(0.0, share)) for share in sorted((start, end)))
    return QRectF(
        box.left() + low * box.width(), box.top(), (high - low) * box.width(), box.height()
    )


def paint_badge(painter: QPainter, rect: QRect, dimension: Dimension, colours: Colours) -> None:
    """Paint a dimension's letter in a filled square."""
    painter.save()
    painter.setRenderHint(_SMOOTH, True)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.dimension(dimension))
    painter.drawRoundedRect(aligned(painter, rect), MARK_RADIUS, MARK_RADIUS)
    letter_font = QFont(painter.font())
    letter_font.setPixelSize(max(1, round(rect.height() * 0.66)))
    letter_font.setWeight(QFont.Weight.Bold)
    painter.setFont(letter_font)
    painter.setPen(colours.on_fill)
    # centred by the height of capitals: in its line's box a letter is too low
    letter, metrics = DIMENSION_LETTERS[dimension], QFontMetricsF(letter_font)
    centre = QRectF(rect).center()
    x = centre.x() - metrics.horizontalAdvance(letter) / 2
    painter.drawText(QPointF(x, centre.y() + metrics.capHeight() / 2), letter)
    painter.restore()


def mark_width(word: str, metrics: QFontMetrics, height: int = BADGE_SIZE) -> int:
    """The width in px that ``paint_mark`` needs for a word in the font of ``metrics``."""
    return height + 2 * _MARK_PADDING + metrics.horizontalAdvance(word)


def paint_mark(
    painter: QPainter, rect: QRect, dimension: Dimension, word: str, colours: Colours
) -> None:
    """Paint a badge and a word on a tint of the dimension, in the painter's font."""
    painter.save()
    painter.setRenderHint(_SMOOTH, True)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.tinted(colours.dimension(dimension)))
    painter.drawRoundedRect(aligned(painter, rect), MARK_RADIUS, MARK_RADIUS)
    side = rect.height()
    paint_badge(painter, QRect(rect.left(), rect.top(), side, side), dimension, colours)
    painter.setPen(colours.text)
    words = rect.adjusted(side + _MARK_PADDING, 0, 0, 0)
    align = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(words, align | Qt.TextFlag.TextSingleLine, word)
    painter.restore()


def paint_state(
    painter: QPainter,
    rect: QRect | QRectF,
    state: StrEnum,
    colours: Colours,
    *,
    filled: bool = False,
    assumed: bool = False,
) -> None:
    """Paint the symbol of a ``Shape``, a row's ``State`` or a ``Verdict``, as large as fits.

    ``filled`` is for the symbol beside a verdict, others are outlined over a pale ground;
    ``assumed`` ones are dashed, never filled. The symbol for undecided is half filled, without a
    hue. A run that is still being recorded has one that is never filled, with a dot below.
    """
    shape = Shape(state.value)
    side = min(rect.width(), rect.height())
    centre = aligned(painter, rect).center()
    if shape in _ICONS:
        paint_icon(painter, QRectF(rect), _ICONS[shape], colours.second)
        return
    painter.save()
    painter.setRenderHint(_SMOOTH, True)
    painter.translate(centre.x() - side / 2, centre.y() - side / 2)
    painter.scale(side / _BOX, side / _BOX)
    whole = _SO_FAR.get(shape, shape)
    if whole is not shape:
        painter.fillPath(_DOT, colours.text)
        painter.setClipPath(_ALL_BUT_DOT, Qt.ClipOperation.IntersectClip)
        filled = False
    for path, pen, ground in _strokes(whole, colours, filled=filled, assumed=assumed):
        painter.setPen(pen or Qt.PenStyle.NoPen)
        painter.setBrush(ground or Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
    painter.restore()


def _strokes(
    shape: Shape, colours: Colours, *, filled: bool, assumed: bool
) -> Iterator[tuple[QPainterPath, QPen | None, QColor | None]]:
    """The paths that make up a symbol, from bottom to top, each with its pen and its ground."""
    ink, pale = colours.text, colours.second
    match shape:
        case Shape.ACCEPTED | Shape.REJECTED:
            accepted = shape is Shape.ACCEPTED
            ink = colours.accepted if accepted else colours.rejected
            ground = colours.pale_accepted if accepted else colours.pale_rejected
            line = _dashed(ink, 2.3, 1.9) if assumed else QPen(ink, _LINE)
            yield (
                _DISC if accepted else _PLATE,
                line,
                None if assumed else ink if filled else ground,
            )
            sign = colours.on_fill if filled and not assumed else ink
            yield _TICK if accepted else _CROSS, _round_pen(sign, 1.6), None
        case Shape.UNDECIDED:
            if not assumed:
                yield _LEFT_HALF, None, ink
            yield _DIAMOND, _dashed(ink, 2.3, 1.9) if assumed else QPen(ink, _LINE), None
        case Shape.NOT_SCORABLE | Shape.UNREADABLE:
            yield _TRIANGLE, _round_pen(ink, _LINE), ink
            yield _EXCLAMATION, _round_pen(colours.on_fill, 1.5), None
        case _:
            reached = shape is not Shape.NOT_REACHED
            yield _RING, QPen(pale, _LINE) if reached else _dashed(pale, 0.9, 2.2), None
            if shape is Shape.SKIPPED:
                yield _STROKE, QPen(pale, 2.2), None
            elif shape is Shape.PENDING:
                yield _THREE_DOTS, None, pale


def _round_pen(colour: QColor, width: float) -> QPen:
    return QPen(
        colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    )


def _dashed(colour: QColor, dash: float, gap: float) -> QPen:
    """A pen for dashed lines; dash and gap are in units of the symbol's box."""
    pen = QPen(colour, _LINE)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([dash / _LINE, gap / _LINE])
    return pen
