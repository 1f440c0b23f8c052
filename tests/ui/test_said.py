"""All that the window shows is said: nothing keeps its English in another language."""

import re

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget

from kpinspector.ui.batch.map_sheet import MapSheet
from kpinspector.ui.batch.row_sheets import GroupSheet
from kpinspector.ui.batch.similarity_map import Pair, SimilarityMap
from kpinspector.ui.controls.fields import DimensionSlider
from kpinspector.ui.panes.compare_view import CompareView
from kpinspector.ui.traces.trace_query import KEYS as QUERY_KEYS
from kpinspector.ui.traces.trace_table import TraceTable
from tests import user
from tests.known import present
from tests.pseudo import RECORDING, spoken, unsaid, write_samples
from tests.ui.batch_pictures import SIX, picture_of
from tests.ui.main_windows import close, finish, go_through_tabs, part, rows, show_window
from tests.ui.window_texts import texts

# what is typed into the filter, and the rest of what has no translation here
QUERY = re.compile(rf"\b({'|'.join(QUERY_KEYS)}):[\w-]+")
QUERIES = """format codex gemini state accepted rejected undecided
pending problem skipped report assumed unread profile score is running reach novelty structure
loss rule tool_monotony recovery group alone plan chosen left out leaks yes no"""
KEYS = """Backspace Ctrl Shift Alt Del Esc Enter Space Return Tab Home End
PgUp PgDown Up Down Left Right Ins"""
# who searches and who sends, a member of every body, and how steps are received
SHARED = """KPRetrieval KPCapture MCP kp search context
THOUGHT TOOL_CALL OBSERVATION ERROR_RECOVERY"""
MONTHS = (QLocale().monthName(one, QLocale.FormatType.ShortFormat) for one in range(1, 13))
HERE = f"customer service tokens quot amp lt gt br {' '.join(MONTHS)}"
# of the parts that the program is made of: a name and a version
VERSION = re.compile(r"^[\w-]+ \d[\w.]*$")
NAMED_BY = {"about": ("PySide6 PySide Python Qt numpy onnxruntime pydantic_core tokenizers",)}


def faults(top: QWidget, *names: str) -> list[str]:
    """What is not said; markup and the lines of a file are left out."""
    plain = (QUERY.sub(" ", re.sub("<[^>]*>", " ", text)) for text in texts(top))
    lines = (line for text in plain for line in text.split("\n"))
    return unsaid(
        (one for one in lines if '": ' not in one), RECORDING, QUERIES, KEYS, SHARED, HERE, *names
    )


@pytest.fixture
def window(qtbot, tmp_path, monkeypatch):
    with spoken(tmp_path / "language", monkeypatch):
        shown = show_window(qtbot, tmp_path / "data", write_samples(tmp_path / "φ"))
        yield shown
        close(shown)


@pytest.mark.slow
def test_every_row_with_every_tab(window):
    seen = 0
    for _ in rows(window):
        go_through_tabs(window)
        assert faults(window) == []  # a page keeps its words while another is shown
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


@pytest.mark.slow
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


def test_the_sheets_of_many_traces(qtbot, tmp_path, monkeypatch):
    with spoken(tmp_path / "language", monkeypatch):
        picture = picture_of(SIX)
        sheets = (MapSheet(print), GroupSheet(print))
        for sheet in sheets:
            qtbot.addWidget(sheet)
            assert faults(sheet) == []
            sheet.show_picture(picture)
            sheet.set_group(2)  # of one trace: opens the fold
        marked = present(sheets[0].findChild(SimilarityMap))
        for pair in (Pair(0, 2), Pair(0, 1), Pair(1, 1)):
            marked.mark(pair)
            assert faults(sheets[0], "made") == []
        assert faults(sheets[1], "made tool") == []
