"""The light and dark palettes, the colours of data, fonts by role, and the zoom."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Annotated, Any, get_type_hints
from weakref import WeakKeyDictionary

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QPalette,
    QPixmapCache,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from shiboken6 import isValid

from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.settings import Theme

TEXT_CONTRAST = 4.5
ROW_PADDING = 10
LEAST_ZOOM, USUAL_ZOOM, MOST_ZOOM = 50, 100, 300

_TEXT_LINE = 16
_FUSION_ACCENT = "#308cc6"
_MIDDLE_LIGHTNESS = 128
# names of properties of the application
_THEME, _ZOOM, _SYSTEM_FONT = "chosen theme", "chosen zoom", "system font"
_MOST_KNOWN = 256
_Role = QPalette.ColorRole
_ROLES = {
    _Role.Window: "desk",
    _Role.WindowText: "text",
    _Role.Base: "sheet",
    _Role.AlternateBase: "alternate",
    _Role.Text: "text",
    _Role.PlaceholderText: "second",
    _Role.ToolTipBase: "sheet",
    _Role.ToolTipText: "text",
    _Role.Button: "button",
    _Role.ButtonText: "text",
    _Role.BrightText: "rejected",
    _Role.Light: "sheet",
    _Role.Midlight: "hover",
    _Role.Mid: "line",
    _Role.Dark: "button_edge",
    _Role.Shadow: "field_edge",
    _Role.Highlight: "selection",
    _Role.HighlightedText: "text",
    _Role.Link: "accent",
    _Role.LinkVisited: "accent",
    _Role.Accent: "accent",
}
_WRITTEN = (
    *(_Role.WindowText, _Role.Text, _Role.ButtonText),
    *(_Role.PlaceholderText, _Role.HighlightedText),
)


class TextRole(Enum):
    """The purpose of a text: the ratio of its size to the application's font, and its weight."""

    SCORE = (1.9, QFont.Weight.DemiBold)
    NUMBER = (1.3, QFont.Weight.DemiBold)
    TITLE = (1.08, QFont.Weight.DemiBold)
    PANE = (1.0, QFont.Weight.DemiBold)
    BODY = (1.0, QFont.Weight.Normal)
    NAME = (1.0, QFont.Weight.Medium)
    CAPTION = (0.88, QFont.Weight.Normal)
    HEADING = (0.88, QFont.Weight.DemiBold)
    FIXED = (0.94, QFont.Weight.Normal)


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours for painting: light, then dark; ``tint`` is the opacity of a mark's ground."""

    dark: bool
    tint: float
    desk: Annotated[QColor, "#EDEEF1", "#131417"]
    sheet: Annotated[QColor, "#FFFFFF", "#1D1E22"]
    alternate: Annotated[QColor, "#F6F7F9", "#24262B"]
    hover: Annotated[QColor, "#F1F3F6", "#26282D"]
    selection: Annotated[QColor, "#DAE7FC", "#25395C"]
    selection_inactive: Annotated[QColor, "#E8EAEE", "#2F3138"]
    accent: Annotated[QColor, "#2563D9", "#79A8FF"]
    text: Annotated[QColor, "#1B1D22", "#E4E6EB"]
    second: Annotated[QColor, "#5A5F6B", "#A3A8B4"]
    disabled: Annotated[QColor, "#8B909B", "#747A86"]
    field_edge: Annotated[QColor, "#8A909C", "#747A86"]
    button: Annotated[QColor, "#FFFFFF", "#2B2D33"]
    button_edge: Annotated[QColor, "#C9CCD4", "#454851"]
    line: Annotated[QColor, "#E1E3E8", "#303238"]
    track: Annotated[QColor, "#E9EBEF", "#2F3138"]
    neutral: Annotated[QColor, "#8F95A2", "#767C88"]
    find: Annotated[QColor, "#FFE9A8", "#5C4A12"]
    on_fill: Annotated[QColor, "#FFFFFF", "#16171A"]
    complexity: Annotated[QColor, "#3A34B8", "#7D84FF"]
    novelty: Annotated[QColor, "#0C7FA2", "#62DDF5"]
    tool_diversity: Annotated[QColor, "#947010", "#EBCB4E"]
    outcome: Annotated[QColor, "#7A2350", "#CC7A98"]
    accepted: Annotated[QColor, "#1F7654", "#7FD09A"]
    rejected: Annotated[QColor, "#A8200D", "#F5602E"]
    pale_accepted: Annotated[QColor, "#E4F2EB", "#1E3529"]
    pale_rejected: Annotated[QColor, "#FBEAE6", "#42241B"]

    def dimension(self, dimension: Dimension) -> QColor:
        """The colour of a dimension, the same for bars, badges, rail and sliders."""
        match dimension:
            case Dimension.COMPLEXITY:
                return self.complexity
            case Dimension.NOVELTY:
                return self.novelty
            case Dimension.TOOL_DIVERSITY:
                return self.tool_diversity
            case Dimension.OUTCOME_CONFIDENCE:
                return self.outcome

    def tinted(self, colour: QColor) -> QColor:
        """A tint of a colour, pale enough to write on."""
        return QColor(colour.red(), colour.green(), colour.blue(), round(self.tint * 255))


COLOURS: dict[str, tuple[str, str]] = {
    name: hint.__metadata__
    for name, hint in get_type_hints(Colours, include_extras=True).items()
    if hint not in {bool, float}
}
"""The light and the dark colour by name."""

_followers: "WeakKeyDictionary[QWidget, list[Callable[[Any], object]]]" = WeakKeyDictionary()
_known: dict[int, Colours] = {}


def colours(palette: QPalette) -> Colours:
    """The colours for a palette, light or dark by its lightness; kept, for fast painting."""
    key = palette.cacheKey()  # each palette has its own key, also one that the desktop sets
    if key in _known:
        return _known[key]
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    if high_contrast():
        asked = (_Role.Window, _Role.Base, _Role.Text, _Role.Highlight)
        disabled = palette.color(QPalette.ColorGroup.Disabled, _Role.Text).rgb()
        found = _contrast_colours(*(palette.color(one).rgb() for one in asked), disabled)
    else:
        dark = palette.color(_Role.Window).lightness() < _MIDDLE_LIGHTNESS
        selection = palette.color(QPalette.ColorGroup.Active, _Role.Highlight)
        found = _plain_colours(dark, palette.color(_Role.Accent).rgb(), selection.rgb())
    _known[key] = found
    return found


@lru_cache(maxsize=16)
def _plain_colours(dark: bool, accent: int, selection: int) -> Colours:  # noqa: FBT001
    table = {name: QColor(values[dark]) for name, values in COLOURS.items()}
    table["accent"] = QColor.fromRgb(accent)
    table["selection"] = QColor.fromRgb(selection)
    return Colours(dark=dark, tint=0.20 if dark else 0.11, **table)


@lru_cache(maxsize=16)
def _contrast_colours(window: int, base: int, text: int, highlight: int, disabled: int) -> Colours:
    """The colours for high contrast: bars and states are text-coloured, and differ by shape."""
    ground, ink, accent = QColor.fromRgb(base), QColor.fromRgb(text), QColor.fromRgb(highlight)
    table = dict.fromkeys(COLOURS, ink)
    table |= dict.fromkeys(("sheet", "alternate", "button", "on_fill"), ground)
    table |= dict.fromkeys(("pale_accepted", "pale_rejected"), ground)
    table |= dict.fromkeys(("hover", "track", "selection_inactive"), _mixed(ink, ground))
    table |= dict.fromkeys(("selection", "find"), _mixed(accent, ground))
    table |= {"desk": QColor.fromRgb(window), "accent": accent}
    table |= {"disabled": QColor.fromRgb(disabled)}  # nothing else shows that a control is disabled
    return Colours(dark=table["desk"].lightness() < _MIDDLE_LIGHTNESS, tint=0.0, **table)


def _mixed(colour: QColor, ground: QColor) -> QColor:
    """One fifth of a colour on a ground, so that text stays readable on it."""
    channels = (QColor.red, QColor.green, QColor.blue)
    return QColor(*((one(colour) + 4 * one(ground)) // 5 for one in channels))


def high_contrast() -> bool:
    """Whether the desktop asks for high contrast; older versions of Qt cannot say."""
    hints = QGuiApplication.styleHints()
    if not hasattr(hints, "accessibility"):
        return False
    return bool(hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast)


def make_palette(*, dark: bool, accent: QColor | None = None) -> QPalette:
    """The light or the dark palette; an accent that is too weak to read is replaced by ours."""
    table = {name: QColor(values[dark]) for name, values in COLOURS.items()}
    if accent is not None and contrast(accent, table["sheet"]) >= TEXT_CONTRAST:
        table["accent"] = QColor(accent)
        table["selection"] = selection_tint(accent, dark=dark)
    palette = QPalette()
    for role, name in _ROLES.items():
        palette.setColor(role, table[name])
    inactive, disabled = QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled
    for group in (inactive, disabled):
        palette.setColor(group, QPalette.ColorRole.Highlight, table["selection_inactive"])
    for role in _WRITTEN:
        palette.setColor(disabled, role, table["disabled"])
    return palette


def selection_tint(accent: QColor, *, dark: bool) -> QColor:
    """The ground of a selected row: the accent's hue, light or dark enough to read on."""
    most, lightness = (0.43, 0.25) if dark else (0.85, 0.92)
    saturation = min(accent.hslSaturationF(), most)
    return QColor.fromHslF(max(accent.hslHueF(), 0.0), saturation, lightness)


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of two colours by WCAG 2.1, from 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4  # noqa: PLR2004

    red, green, blue = (linear(c) for c in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def application() -> QApplication:
    """The running application; Qt's own function may return one without windows."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise TypeError("a window needs an application")
    return app


def apply_theme(app: QApplication, choice: Theme) -> None:
    """Set the Fusion style and our palette; follow the desktop from now on if that is chosen."""
    scheme, hints = Qt.ColorScheme, app.styleHints()
    if app.property(_THEME) is None:
        app.setStyle("Fusion")
        hints.colorSchemeChanged.connect(_follow_desktop)
        if hasattr(hints, "accessibility"):
            hints.accessibility().contrastPreferenceChanged.connect(_follow_desktop)
    app.setProperty(_THEME, choice.value)
    if choice is Theme.SYSTEM:
        hints.unsetColorScheme()
    else:
        hints.setColorScheme(scheme.Dark if choice is Theme.DARK else scheme.Light)
    _follow_desktop()


def _follow_desktop() -> None:
    """Set the palette again after the desktop's contrast or colours have changed."""
    app = application()
    _known.clear()
    # an empty palette brings back the system's, whose accent is needed
    app.setPalette(QPalette())
    if high_contrast():
        _follow_palette(app)
        return
    choice = app.property(_THEME)
    dark = choice == Theme.DARK or (choice == Theme.SYSTEM and desktop_is_dark())
    accent = app.palette().color(_Role.Accent)
    chosen = accent.name() != _FUSION_ACCENT  # otherwise the user chose no accent
    set_palette(app, dark=dark, accent=accent if chosen else None)


def desktop_is_dark() -> bool:
    """Whether the desktop's colour scheme is dark."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def set_palette(app: QApplication, *, dark: bool, accent: QColor | None = None) -> None:
    """Set the light or the dark palette at once, whatever the desktop's scheme is."""
    app.setPalette(make_palette(dark=dark, accent=accent))
    _follow_palette(app)


def _follow_palette(app: QApplication) -> None:
    QToolTip.setPalette(app.palette())
    QPixmapCache.clear()
    _dress(app)


def _dress(app: QApplication) -> None:
    """Set the style sheet with the palette's colours, and lengths scaled with the font."""
    found, metrics = colours(app.palette()), QFontMetrics(app.font())

    folder = resources() / "look"
    words = {"folder": folder.as_posix(), "theme": "dark" if found.dark else "light"}

    def value(place: re.Match[str]) -> str:
        word, length, less = place.groups()
        if length:
            return f"{scale(int(length), metrics) - int(less or 0)}px"
        return words.get(word) or getattr(found, word).name()

    template = (folder / "window.qss").read_text("utf-8")
    sheet = re.sub(r"@(?:([a-z_]+)|(\d+)(?:-(\d+))?)", value, template)
    if sheet != app.styleSheet():
        app.setStyleSheet("")  # a sheet replaces another ten times as slowly as none
        app.setStyleSheet(sheet)


@contextmanager
def undressed(app: QApplication) -> Iterator[None]:
    """Make many widgets without the style sheet, which would apply to each several times."""
    app.setStyleSheet("")
    yield
    _dress(app)


def font(role: TextRole, base: QFont) -> QFont:
    """The font of a role for a base font, with tabular figures."""
    ratio, weight = role.value
    result = QFont(base)
    if role is TextRole.FIXED:
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        result.setFamilies(fixed.families())
        result.setStyleHint(QFont.StyleHint.Monospace)
        result.setFixedPitch(True)
    _resize(result, ratio)
    result.setWeight(weight)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


def _resize(font: QFont, ratio: float) -> None:
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * ratio)
    else:
        font.setPixelSize(max(1, round(font.pixelSize() * ratio)))


def row_height(metrics: QFontMetrics | QFontMetricsF) -> int:
    """The height of a row of a list or tree in px, so that no text is cut at any zoom."""
    return round(metrics.height()) + ROW_PADDING


def scale(px: float, metrics: QFontMetrics | QFontMetricsF) -> int:
    """A length for a 16 px line of text, scaled with the font; never less than given."""
    return round(px * max(1.0, metrics.height() / _TEXT_LINE))


def sized(widget: QWidget, give: Callable[[Any, int], object], px: float) -> None:
    """Set a length of a widget that is scaled with its font, now and whenever the zoom changes.

    Args:
        widget: The widget whose font counts.
        give: Called with the widget and the length; must not keep the widget alive.
        px: The length, as in ``scale``.
    """
    follow_zoom(widget, lambda one: give(one, scale(px, one.fontMetrics())))


def typed(widget: QWidget, role: TextRole) -> None:
    """Give a widget the font of a role, now and whenever the zoom changes."""
    follow_zoom(widget, lambda one: one.setFont(font(role, QApplication.font())))


def follow_zoom(widget: QWidget, follow: Callable[[Any], object]) -> None:
    """Call ``follow`` with a widget now and after each zoom; it must not hold the widget."""
    _followers.setdefault(widget, []).append(follow)
    follow(widget)


def set_zoom(app: QApplication, percent: int) -> None:
    """Set the size of all text, in per cent of the system's."""
    before = zoom_of(app)
    if percent == before:
        return
    if before == USUAL_ZOOM:  # the desktop may have changed the font since
        app.setProperty(_SYSTEM_FONT, app.font())
    app.setProperty(_ZOOM, percent)
    larger = QFont(app.property(_SYSTEM_FONT))
    _resize(larger, percent / USUAL_ZOOM)
    app.setFont(larger)
    _dress(app)
    # Qt informs the windows later, and through them only widgets that have no font of their own
    for widget in sorted(QApplication.allWidgets(), key=QWidget.isWindow, reverse=True):
        QApplication.sendEvent(widget, QEvent(QEvent.Type.ApplicationFontChange))
    for widget, calls in tuple(_followers.items()):
        if isValid(widget):
            for follow in calls:
                follow(widget)


def zoom_of(app: QApplication) -> int:
    """The zoom, in per cent of the system's font size."""
    return app.property(_ZOOM) or USUAL_ZOOM


def system_metrics(app: QApplication) -> QFontMetrics:
    """The metrics of the system's font, whatever the zoom is."""
    usual = zoom_of(app) == USUAL_ZOOM
    return QFontMetrics(app.font() if usual else app.property(_SYSTEM_FONT))


def bounded_zoom(percent: int) -> int:
    """A zoom within the limits that is nearest to ``percent``."""
    return max(LEAST_ZOOM, min(percent, MOST_ZOOM))
