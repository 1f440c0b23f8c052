"""No number in the window is ever cut, whatever its size and that of the text."""

import json
import re
from math import nextafter

import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTabBar

from kpinspector.ui.controls.chips import Chip
from tests import user
from tests.fakes import Gated, make_raw, save

FIGURE = re.compile(r"[+\N{MINUS SIGN}]?\d[\d.,]*(e\N{MINUS SIGN}?\d+)?(\N{EN DASH}[\d.,e]+)?")
CUT = re.compile(r"[+\N{MINUS SIGN}\d.,\N{EN DASH}]+…")
SLACK = 1.0  # text is laid out in whole pixels


@pytest.fixture
def cut(monkeypatch):
    """What was drawn of a figure that did not fit where it was drawn; labels and fields too."""
    found, draw = set(), QPainter.drawText

    def watched(painter, *args):
        rect = args[0]
        text = next(one for one in args[1:] if isinstance(one, str))
        if isinstance(rect, QRect | QRectF):
            needed = QFontMetricsF(painter.font()).horizontalAdvance(text)
            too_wide = FIGURE.fullmatch(text) and needed > rect.width() + SLACK
            where = painter.device()
            if (too_wide or CUT.fullmatch(text)) and not isinstance(where, Chip):
                found.add((type(where).__name__, text, needed, rect.width()))
        return draw(painter, *args)

    monkeypatch.setattr(QPainter, "drawText", watched)
    return found


def cut_in_widgets(window):
    """Labels and fields that are too narrow for their figures, or stand partly outside."""
    for label in user.seen(window, QLabel):
        text = label.text()
        needed = label.fontMetrics().horizontalAdvance(text)
        seen = label.visibleRegion().boundingRect()
        room = seen.width() if seen.height() else label.width()
        if FIGURE.fullmatch(text) and needed > room + SLACK:
            yield "QLabel", text, needed, room
    for field in user.seen(window, QLineEdit):
        needed = field.fontMetrics().horizontalAdvance(field.text())
        # what has an exponent can be scrolled there
        if (
            FIGURE.fullmatch(field.text())
            and "e" not in field.text()
            and needed > field.width() + SLACK
        ):
            yield "QLineEdit", field.text(), needed, field.width()


@pytest.fixture
def text_size(request, qapp):
    """The text of the system is so large."""
    usual = QApplication.font()
    larger = QFont("DejaVu Sans")
    larger.setPointSizeF(usual.pointSizeF() * request.param)
    QApplication.setFont(larger)
    yield request.param
    QApplication.setFont(usual)


def traces():
    """A usual one; one whose highest score is just below the threshold; long ones; odd ones."""
    thought = {"step_id": 0, "type": "thought", "content": "x"}
    yield make_raw(id="kp:trace:1")
    for n in range(20):
        outcome = {"result_summary": "", "confidence": 0.5 + n / 40}
        yield make_raw(id=f"kp:trace:near-{n}", outcome=outcome, task={"objective": f"near {n}"})
    for n, confidence in enumerate((1e300, -0.5, 1.5, 3.25, 12.5)):
        outcome = {"result_summary": "", "confidence": confidence}
        yield make_raw(id=f"kp:trace:odd-{n}", outcome=outcome, task={"objective": f"odd {n}"})
    yield make_raw(id="kp:trace:long", steps=[thought | {"step_id": n} for n in range(120)])


def score_tabs(window):
    return next(one for one in user.seen(window, QTabBar) if one.accessibleName() == "Score")


def views(window):
    """Go through all that is said of the current row."""
    tabs = score_tabs(window)
    for tab in range(tabs.count()):
        QTest.mouseClick(tabs, user.LEFT, pos=tabs.tabRect(tab).center())
        yield tabs.tabText(tab)


def all_columns(window):
    """Show every column of the list."""
    header = user.trace_list(window).horizontalHeader()
    for line in ("Margin", "Steps"):
        user.choose(user.context_menu(header), line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text_size", "size"),
    [(1.0, (1440, 900)), (1.0, (1000, 700)), (1.5, (1440, 900)), (2.0, (1000, 700))],
    indirect=["text_size"],
    ids=["wide", "narrow", "larger", "largest and narrow"],
)
def test_no_figure_is_cut(tmp_path, cut, faults, text_size, size):
    embedder = Gated()
    path = save(tmp_path / "a.jsonl", *traces())
    # the first of them scores just below: as many decimals as there are
    score = 0.73125
    (tmp_path / "settings.json").write_text(json.dumps({"threshold": nextafter(score, 1)}))
    missing = []

    def look(window, where):
        window.grab()
        missing.extend((where, *one) for one in (*cut, *cut_in_widgets(window)))
        cut.clear()
        assert faults == [], where

    window = yield user.Main("--data-dir", tmp_path, path, embedder=embedder)
    window.resize(*(round(side * text_size) for side in size))
    yield lambda: user.row_count(window) == 27
    all_columns(window)
    names = user.row_names(window)
    for name in (names[0], names[10], names[-2], names[-1]):
        user.go_to_row(window, name)
        for view in views(window):
            yield lambda: True  # what is to be laid out anew comes first
            look(window, f"pending {name} {view}")
    embedder.gate.set()
    yield user.idle(window)
    yield user.quiet(window)
    cut.clear()  # a column widens after the cell that needs it was painted once
    for name in (names[0], names[10], *names[-6:-2]):
        user.go_to_row(window, name)
        for view in views(window):
            yield lambda: True  # what is to be laid out anew comes first
            look(window, f"scored {name} {view}")
    yield user.CLOSED
    assert sorted(set(missing)) == []
    assert faults == []
