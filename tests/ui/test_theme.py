"""The figures of the two palettes are computed, not believed."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPalette

from kpinspector.files import resources
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.settings import Theme
from kpinspector.ui.controls.base import Label
from kpinspector.ui.look import theme
from kpinspector.ui.look.theme import (
    TextRole,
    apply_theme,
    colours,
    contrast,
    font,
    make_palette,
    row_height,
    scale,
    selection_tint,
    set_palette,
    set_zoom,
)
from kpinspector.words.writers.explanation_html import STYLE_FILE

# name, contrast to the sheet, contrast to the selection; light and dark
FIGURES = {
    "complexity": ((8.9, 7.1), (5.2, 3.6)),
    "novelty": ((4.6, 3.7), (10.5, 7.2)),
    "tool_diversity": ((4.6, 3.7), (10.5, 7.3)),
    "outcome": ((9.6, 7.7), (5.4, 3.7)),
    "accepted": ((5.6, 4.5), (9.0, 6.3)),
    "rejected": ((7.3, 5.8), (5.2, 3.6)),
    "second": ((6.4, 5.1), (7.0, 4.8)),
}


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def dark(request):
    return request.param


@pytest.fixture
def found(dark, qapp):
    return colours(make_palette(dark=dark))


def test_data_colours_have_the_contrast_that_is_promised(found, dark):
    for name, figures in FIGURES.items():
        grounds = (found.sheet, found.selection)
        reached = [contrast(getattr(found, name), ground) for ground in grounds]
        assert reached == pytest.approx(figures[dark], abs=0.06), name


def test_text_reaches_four_and_a_half_on_every_ground(found):
    for ground in (found.desk, found.sheet, found.alternate, found.hover, found.selection):
        assert contrast(found.text, ground) >= 4.5
        assert contrast(found.second, ground) >= 4.5


def test_edges_and_bars_reach_three_on_a_sheet(found):
    for name in ("field_edge", "disabled", "neutral", "accent"):
        assert contrast(getattr(found, name), found.sheet) >= 2.95, name


def test_writing_on_a_fill_can_be_read(found):
    fills = [found.dimension(dimension) for dimension in Dimension]
    for ground in (*fills, found.accepted, found.rejected, found.accent):
        assert contrast(found.on_fill, ground) >= 4.5


def test_writing_on_a_tint_can_be_read(found):
    for dimension in Dimension:
        tint = found.tinted(found.dimension(dimension))
        share = tint.alphaF()
        mixed = QColor.fromRgbF(
            *(
                share * one + (1 - share) * other
                for one, other in zip(tint.getRgbF()[:3], found.sheet.getRgbF()[:3], strict=True)
            )
        )
        assert contrast(found.text, mixed) >= 4.5


def test_the_palette_carries_chrome_and_keeps_selected_text_readable(dark, found):
    palette = make_palette(dark=dark)
    active, inactive = QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive
    assert palette.color(QPalette.ColorRole.HighlightedText) == found.text
    assert palette.color(active, QPalette.ColorRole.Highlight) == found.selection
    assert palette.color(inactive, QPalette.ColorRole.Highlight) == found.selection_inactive
    assert found.dark is dark


def test_a_strong_accent_is_taken_and_tints_the_selection(dark):
    violet = QColor("#B9A0FF") if dark else QColor("#6A2BC9")
    palette = make_palette(dark=dark, accent=violet)
    assert palette.color(QPalette.ColorRole.Accent) == violet
    tint = palette.color(QPalette.ColorRole.Highlight)
    assert tint == selection_tint(violet, dark=dark)
    assert tint.hslHueF() == pytest.approx(violet.hslHueF(), abs=0.02)
    assert tint.lightnessF() == pytest.approx(0.25 if dark else 0.92, abs=0.01)
    assert contrast(palette.color(QPalette.ColorRole.Text), tint) >= 4.5


def test_a_weak_accent_gives_way_to_ours(dark):
    weak = QColor("#404858") if dark else QColor("#E8C33C")
    palette = make_palette(dark=dark, accent=weak)
    ours = make_palette(dark=dark).color(QPalette.ColorRole.Accent)
    assert palette.color(QPalette.ColorRole.Accent) == ours


def test_the_choice_holds_and_a_label_follows(qapp, qtbot):
    label = Label("x", second=True)
    qtbot.addWidget(label)
    label.show()
    for choice, is_dark in ((Theme.DARK, True), (Theme.LIGHT, False)):
        apply_theme(qapp, choice)
        assert colours(qapp.palette()).dark is is_dark
        qtbot.waitUntil(lambda wanted=is_dark: colours(label.palette()).dark is wanted)
    apply_theme(qapp, Theme.SYSTEM)
    assert not colours(qapp.palette()).dark


def test_the_desktop_going_dark_is_followed_only_where_the_user_chose_so(qapp, monkeypatch):
    apply_theme(qapp, Theme.SYSTEM)
    monkeypatch.setattr(theme, "desktop_is_dark", lambda: True)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert colours(qapp.palette()).dark
    apply_theme(qapp, Theme.LIGHT)
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not colours(qapp.palette()).dark
    apply_theme(qapp, Theme.LIGHT)


def test_high_contrast_keeps_the_system_palette_and_one_ink(qapp, monkeypatch):
    monkeypatch.setattr(theme, "high_contrast", lambda: True)
    apply_theme(qapp, Theme.SYSTEM)
    palette = qapp.palette()
    assert palette.color(QPalette.ColorRole.Window) != QColor("#EDEEF1")
    found = colours(palette)
    ink = palette.color(QPalette.ColorRole.Text)
    for name in ("complexity", "novelty", "accepted", "rejected", "neutral", "second"):
        assert getattr(found, name) == ink
    assert found.disabled == palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert contrast(found.text, found.selection) >= 4.5
    assert contrast(found.text, found.sheet) >= 4.5
    monkeypatch.undo()
    apply_theme(qapp, Theme.LIGHT)


@pytest.mark.parametrize(
    ("role", "ratio", "weight"),
    [
        (TextRole.SCORE, 1.9, QFont.Weight.DemiBold),
        (TextRole.NUMBER, 1.3, QFont.Weight.DemiBold),
        (TextRole.TITLE, 1.08, QFont.Weight.DemiBold),
        (TextRole.BODY, 1.0, QFont.Weight.Normal),
        (TextRole.NAME, 1.0, QFont.Weight.Medium),
        (TextRole.CAPTION, 0.88, QFont.Weight.Normal),
        (TextRole.FIXED, 0.94, QFont.Weight.Normal),
    ],
)
def test_type_is_a_ratio_of_the_base(qapp, role, ratio, weight):
    base = QFont()
    base.setPointSizeF(11.0)
    made = font(role, base)
    assert made.pointSizeF() == pytest.approx(11.0 * ratio)
    assert made.weight() == weight
    assert not made.italic()
    assert made.featureValue(QFont.Tag("tnum")) == 1


def test_lengths_grow_with_the_font_and_never_shrink(qapp):
    small, large = QFont(), QFont()
    small.setPixelSize(8)
    large.setPixelSize(32)
    assert scale(26, QFontMetrics(small)) == 26
    metrics = QFontMetrics(large)
    assert scale(26, metrics) == round(26 * metrics.height() / 16)
    assert row_height(metrics) == metrics.height() + 10


def test_an_exported_page_has_the_colours_of_the_window():
    style = (resources() / STYLE_FILE).read_text("utf-8")
    light, dark = (
        dict(re.findall(r"--([a-z-]+): (#[0-9A-F]{6});", part))
        for part in style.split("@media (prefers-color-scheme: dark)")
    )
    assert set(light) == set(dark)
    for name, colour in light.items():
        assert (colour, dark[name]) == theme.COLOURS[name.replace("-", "_")], name


@pytest.mark.parametrize(("picture", "colour"), [("chevron", "second"), ("tick", "on_fill")])
def test_pictures_of_the_style_sheet_have_the_colours_of_the_theme(picture, colour):
    for name, shown in zip(("light", "dark"), theme.COLOURS[colour], strict=True):
        source = (resources() / "look" / f"{picture}-{name}.svg").read_text("utf-8")
        assert f'stroke="{shown}"' in source


def test_the_style_sheet_follows_theme_and_zoom(qapp):
    set_palette(qapp, dark=True)
    assert theme.COLOURS["field_edge"][True].lower() in qapp.styleSheet()
    set_palette(qapp, dark=False)
    usual = qapp.styleSheet()
    assert "@" not in usual.partition("*/")[2]
    try:
        set_zoom(qapp, 200)
        assert qapp.styleSheet() != usual
    finally:
        set_zoom(qapp, 100)
    assert qapp.styleSheet() == usual
