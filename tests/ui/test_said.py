"""All that the window shows is said: nothing keeps its English in another language."""

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QLocale, QModelIndex, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QPlainTextEdit,
    QTabBar,
    QToolButton,
    QWidget,
)

from kpinspector.ui.compare.compare_view import CompareView
from kpinspector.ui.controls.slider import DimensionSlider
from kpinspector.ui.traces.trace_table import TraceTable
from kpinspector.ui.whatif.whatif_page import WhatIfPage
from tests import user
from tests.pseudo import RECORDING, spoken, unsaid, write_samples
from tests.ui.main_windows import close, finish, part, settle, show_window

ROLE = Qt.ItemDataRole
OF_CELLS = (
    ROLE.DisplayRole,
    ROLE.ToolTipRole,
    ROLE.AccessibleTextRole,
    ROLE.AccessibleDescriptionRole,
)
OF_WIDGETS = ("text", "title", "placeholderText", "toolTip", "windowTitle")
OF_ACTIONS = ("text", "toolTip", "statusTip")
# what is typed into the filter, and the rest of what has no translation here
QUERIES = """format codex gemini state accepted rejected undecided
pending problem skipped report assumed unread profile score is running"""
KEYS = """Backspace Ctrl Shift Alt Del Esc Enter Space Return Tab Home End
PgUp PgDown Up Down Left Right Ins"""
MONTHS = (QLocale().monthName(one, QLocale.FormatType.ShortFormat) for one in range(1, 13))
HERE = f"customer service tokens quot amp lt gt br {' '.join(MONTHS)}"
# of the parts that the program is made of: a name and a version
VERSION = re.compile(r"^[\w-]+ \d[\w.]*$")
NAMED_BY = {"about": ("PySide6 PySide Python Qt numpy onnxruntime pydantic tokenizers",)}


def texts(top: QWidget) -> Iterator[str]:
    """All that is read of a window and its parts, by eye or by ear."""
    for widget in (top, *top.findChildren(QWidget)):
        if isinstance(widget, QToolButton) and isinstance(widget.parentWidget(), QTabBar):
            continue  # Qt's own, which it translates
        if not isinstance(widget, QPlainTextEdit | WhatIfPage):  # a trace, and what is copied
            own = (getattr(widget, name, "") for name in OF_WIDGETS)
            yield from (one() if callable(one) else str(one) for one in own)
        yield from (widget.accessibleName(), widget.accessibleDescription())
        if isinstance(widget, QComboBox):
            yield from map(widget.itemText, range(widget.count()))
        if isinstance(widget, QTabBar):
            yield from map(widget.tabText, range(widget.count()))
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from cells(widget.model(), QModelIndex())
    for action in top.findChildren(QAction):
        yield from (getattr(action, name)() for name in OF_ACTIONS)


def cells(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    """All that stands in a table or a tree, and above it."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    found = [
        model.headerData(one, Qt.Orientation.Horizontal, role)
        for one in range(columns)
        for role in OF_CELLS
    ]
    for row in range(model.rowCount(parent)):
        indexes = [model.index(row, column, parent) for column in range(columns)]
        found += [index.data(role) for index in indexes for role in OF_CELLS]
        yield from cells(model, indexes[0])
    yield from (text for text in found if isinstance(text, str))


def faults(top: QWidget, *names: str) -> list[str]:
    """What is not said; markup and the lines of a file are left out."""
    lines = (line for text in texts(top) for line in re.sub("<[^>]*>", " ", text).split("\n"))
    return unsaid(
        (one for one in lines if '": ' not in one), RECORDING, QUERIES, KEYS, HERE, *names
    )


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    with spoken(tmp_path / "language", monkeypatch):
        shown = show_window(qtbot, tmp_path / "data", write_samples(tmp_path / "φ"))
        yield shown
        close(shown)


def rows(window):
    """Go to each row in turn."""
    table = part(window, TraceTable)
    for row in range(table.model().rowCount()):
        table.setCurrentIndex(table.model().index(row, 1))
        finish(window)
        yield row


def test_every_row_with_every_tab(window):
    seen = 0
    for _ in rows(window):
        found = set(faults(window))
        for tabs in window.findChildren(QTabBar):
            for tab in range(tabs.count()):
                tabs.setCurrentIndex(tab)
                settle()
                found.update(faults(window))
        assert found == set()
        seen += 1
    assert seen == 10


def test_a_what_if(window):
    next(rows(window))
    user.trigger(window, "what_if")
    for slider in user.seen(window, DimensionSlider):
        slider.setFocus()
        QTest.keyClick(slider, Qt.Key.Key_Right)
        finish(window)
        assert faults(window) == []
    user.trigger(window, "copy_answer")
    assert QGuiApplication.clipboard().text().count("\n") > 10
    codes = "complexity novelty tool_diversity outcome_confidence single_thought recovery_bonus"
    written = QGuiApplication.clipboard().text().splitlines()
    assert unsaid(written, codes, "tool_monotony", HERE) == []


def test_a_comparison(window):
    *_, last = rows(window)
    table = part(window, TraceTable)
    table.setCurrentIndex(table.model().index(last // 2, 1))
    finish(window)
    user.trigger(window, "compare_nearest")
    finish(window)
    assert part(window, CompareView).isVisible() and faults(window) == []


def test_the_start_page(qtbot, tmp_path, monkeypatch):
    with spoken(tmp_path / "language", monkeypatch):
        window = show_window(qtbot, tmp_path / "data")
        found = faults(window)
        close(window)
    assert found == []


@pytest.mark.parametrize("command", ["settings", "keys", "about", "manage_memory", "clear_memory"])
def test_dialogs(window, command):
    next(rows(window))
    user.trigger(window, command)
    finish(window)
    (dialog,) = (one for one in window.findChildren(QDialog) if one.isVisible())
    found = [one for one in faults(dialog, *NAMED_BY.get(command, ())) if not VERSION.search(one)]
    dialog.reject()
    assert found == []
