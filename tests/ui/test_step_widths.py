"""How much of a step can be read in the tree, at usual sizes of the window and in a wide font."""

import json

import pytest
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from kpinspector.files import resources
from kpinspector.ui.main_window import MainWindow
from kpinspector.ui.steps.step_model import StepColumn, StepRole
from kpinspector.ui.steps.step_row import RowKind
from tests import user
from tests.fakes import make_raw
from tests.ui.main_windows import close, open_window

pytestmark = pytest.mark.slow

SIZES = ((1366, 768), (1440, 900), (1000, 700))
LEAST = 40
USUAL_PT = 10  # a line of 16 px, which the look calls 100 %


@pytest.fixture
def wide_font(qapp):
    """The widest font that desktops come with, in other sizes by a factor."""
    if "DejaVu Sans" not in QFontDatabase.families():
        pytest.skip("there is no DejaVu Sans here")
    before = QApplication.font()

    def use(ratio: float) -> None:
        font = QFont("DejaVu Sans")
        font.setPixelSize(round(USUAL_PT * 96 / 72 * ratio))
        QApplication.setFont(font)

    yield use
    QApplication.setFont(before)


@pytest.fixture
def show(qtbot, tmp_path):
    """Gives what opens a file in a window."""
    windows = []

    def open_file(path) -> MainWindow:
        window = open_window(qtbot, tmp_path, path)
        window.setMinimumSize(1, 1)
        windows.append(window)
        return window

    yield open_file
    for window in windows:
        close(window)


def resize(window, size) -> None:
    window.setFixedSize(*size)
    for _ in range(4):
        QApplication.processEvents()


def characters(tree, index) -> int | None:
    """How many characters of tool and content are seen; None where all of them are."""
    row, fonts = index.data(StepRole.ROW), tree.itemDelegate().fonts
    room = tree.columnWidth(StepColumn.CONTENT) - 12
    seen = 0
    for text, style in ((row.tool, fonts.name), (row.text, fonts.body)):
        shown = style.metrics.elidedText(text, tree.textElideMode(), room)
        seen += len(shown)
        if shown != text:
            return seen
        room -= style.metrics.horizontalAdvance(text) + 8 if text else 0
    return None


def fewest(tree) -> int:
    """The fewest characters that are seen of a row that is cut."""
    found = []
    index = tree.model().index(0, StepColumn.KIND)
    while index.isValid():
        if index.data(StepRole.ROW).kind is not RowKind.WINDOW_END:
            found.append(characters(tree, index))
        index = tree.indexBelow(index)
    return min((one for one in found if one is not None), default=10_000)


def samples():
    folder = resources() / "samples"
    return sorted(path.name for path in folder.iterdir() if path.suffix in {".json", ".jsonl"})


@pytest.mark.parametrize("size", SIZES)
def test_forty_characters_of_every_sample_are_seen(wide_font, show, size) -> None:
    wide_font(1)
    for name in samples():
        window = show(resources() / "samples" / name)
        if user.steps(window).isVisible():
            resize(window, size)
            assert fewest(user.steps(window)) >= LEAST, name


@pytest.mark.parametrize("size", SIZES)
def test_forty_characters_of_real_runs_are_seen(wide_font, show, tmp_path, reference, size) -> None:
    wide_font(1)
    lines = (reference / "corpus" / "agent_traces.jsonl").read_text("utf-8").splitlines()
    for number in (0, len(lines) // 2, len(lines) - 1):
        path = tmp_path / f"{number}.json"
        path.write_text(lines[number], encoding="utf-8")
        window = show(path)
        resize(window, size)
        assert fewest(user.steps(window)) >= LEAST


@pytest.mark.parametrize("size", SIZES)
def test_large_text_leaves_the_content_the_most_room(wide_font, show, tmp_path, size) -> None:
    wide_font(1.5)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(steps_with(latency_ms=12_345)), encoding="utf-8")
    window = show(path)
    resize(window, size)
    tree = user.steps(window)
    others = [c for c in StepColumn if c is not StepColumn.CONTENT]
    widths = {column: tree.columnWidth(column) for column in StepColumn}
    assert widths[StepColumn.CONTENT] > max(widths[column] for column in others)
    assert sum(widths.values()) <= tree.viewport().width()
    assert fewest(tree) >= 20


def steps_with(**parts):
    steps = [
        {"step_id": n, "type": kind, "content": f"step {n} has some more words " * 9, **parts}
        for n, kind in enumerate(("thought", "tool_call", "observation", "error_recovery") * 3)
    ]
    return make_raw(steps=steps)


def test_latencies_have_a_column_only_where_there_are_any(wide_font, show, tmp_path) -> None:
    wide_font(1)
    for parts, hidden in (({}, True), ({"latency_ms": 7}, False), ({"latency_ms": "7"}, True)):
        path = tmp_path / "a.json"
        path.write_text(json.dumps(steps_with(**parts)), encoding="utf-8")
        window = show(path)
        resize(window, (1440, 900))
        assert user.steps(window).isColumnHidden(StepColumn.MS) is hidden


def test_what_gives_way_can_still_be_told(wide_font, show, tmp_path) -> None:
    """Badges lose their words first, then the kinds theirs; icons, badges and figures stay."""
    wide_font(1)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(steps_with(latency_ms=310)), encoding="utf-8")
    window = show(path)
    tree = user.steps(window)
    metrics = tree.itemDelegate().fonts.body.metrics
    for width in range(846, 1700, 130):
        resize(window, (width, 700))
        widths = {column: tree.columnWidth(column) for column in StepColumn}
        assert widths[StepColumn.COUNTS_FOR] >= 2 * 16 + 4
        assert widths[StepColumn.KIND] >= 2 * 12 + 16
        assert widths[StepColumn.NUMBER] > metrics.horizontalAdvance("11")
        if not tree.isColumnHidden(StepColumn.MS):
            assert widths[StepColumn.MS] >= metrics.horizontalAdvance("310")
        assert width < SIZES[0][0] or fewest(tree) >= LEAST
