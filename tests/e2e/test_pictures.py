"""Pictures of every page, menu and dialog, in both themes and two sizes, compared pixel by pixel.

``KPINSPECTOR_PICTURES=FOLDER python -m pytest tests/e2e/test_pictures.py`` makes the pictures that
the folder lacks, and compares those that it has; what differs is written beside as
``NAME.now.png``. So the code as it was makes them, on the same machine, and the code as it is is
held against them.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from kpinspector.files import resources
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.ui.actions.table import Command
from tests import user

FOLDER = os.environ.get("KPINSPECTOR_PICTURES")
pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="KPINSPECTOR_PICTURES names no folder"),
    pytest.mark.timeout(600),
]
CLOCK_NS = 1_900_000_000 * 10**9  # long after the samples were copied, so that none is running
SIZES = {"large": QSize(1440, 900), "small": QSize(1000, 700)}
ROWS = (
    "visit-03",
    "visit-08",
    "expense-audit",
    "export-handover",
    "leap-day",
    "ping",
    "support-desk 3",
    "support-desk 4",
    "refund-loop",
    "water-meter",
    "wool-prices",
)
TABS = ("What-if", "Neighbours", "Sharing", "Why")
DIALOGS = {
    "Settings": ("Edit", "Settings…"),
    "Memory": ("Score", "Manage Memory…"),
    "Clear Memory": ("Score", "Clear Memory…"),
    "Keyboard Shortcuts": ("Help", "Keyboard Shortcuts"),
    "About kpinspector": ("Help", "About kpinspector"),
}


class Album:
    """The pictures of one journey."""

    def __init__(self, kind: str) -> None:
        self._folder, self._kind = Path(FOLDER or ""), kind
        self._folder.mkdir(parents=True, exist_ok=True)
        self.differ: list[str] = []

    def take(self, widget, name):
        """Compare a part of the window with its picture, or make the picture."""
        path = self._folder / f"{self._kind}-{name}.png"
        now = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        if not path.exists():
            assert now.save(str(path))
        elif QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32) != now:
            now.save(str(path.with_suffix(".now.png")))
            self.differ.append(path.name)


@pytest.fixture
def samples(monkeypatch):
    """The samples, and the memory, in a folder whose name is the same each time."""
    folder = Path(tempfile.gettempdir()) / "kpinspector-pictures"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(resources() / "samples", folder / "samples")
    monkeypatch.setenv("KPINSPECTOR_DATA_DIR", str(folder / "data"))
    yield folder / "samples"
    shutil.rmtree(folder)


def pages(window, album):
    """Everything that rows lead to."""
    for name in ROWS:
        user.go_to_row(window, name)
        yield user.idle(window)
        album.take(window, f"row-{name}")
    user.go_to_row(window, "visit-08")
    for text in TABS:
        user.go_to_tab(window, "Score", text)
        yield user.idle(window)
        album.take(window, f"tab-{text}")
    user.go_to_step(window, 4)
    yield user.idle(window)
    album.take(window, "step")
    user.choose_menu(window, "Compare", "Compare with Nearest")
    yield user.idle(window)
    album.take(window, "compare")
    user.choose_menu(window, "Compare", "Close Comparison")
    user.select(window, "visit-03", "visit-08", "ping")
    yield user.idle(window)
    album.take(window, "several-rows")
    user.go_to_row(window, "visit-08")
    user.choose_menu(window, "View", "Batch")
    yield lambda: user.can_choose(window, "File", "Save the Plan…")
    yield user.idle(window)
    album.take(window, "batch")
    user.choose_menu(window, "View", "Batch")
    for wanted in ("state:rejected", "zebra"):
        user.write(user.filter_field(window), wanted)
        yield user.idle(window)
        album.take(window, f"filter-{wanted.replace(':', '-')}")
    user.write(user.filter_field(window), "")


def menus_and_dialogs(window, album):
    for menu in user.menus(window):
        menu.popup(window.mapToGlobal(window.rect().center()))
        album.take(menu, f"menu-{user.words(menu.title())}")
        menu.close()
    for title, path in DIALOGS.items():
        user.choose_menu(window, *path)
        dialog = user.dialog(window, title)
        yield user.idle(window)
        album.take(dialog, f"dialog-{title}")
        user.escape(dialog)
        yield lambda dialog=dialog: not user.is_there(dialog) or not dialog.isVisible()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [Command.THEME_LIGHT, Command.THEME_DARK])
def test_every_picture_is_as_it_was(qapp, samples, monkeypatch, theme, size):
    monkeypatch.setattr("time.time_ns", lambda: CLOCK_NS)
    qapp.setCursorFlashTime(0)
    album = Album(f"{theme}-{size}")
    window = yield user.Main(embedder=MiniLM())
    window.setFixedSize(SIZES[size])
    user.trigger(window, theme)
    yield user.idle(window)
    album.take(window, "start")
    user.drop(window, samples)
    yield lambda: user.row_count(window) >= len(ROWS)
    yield user.idle(window)
    album.take(window, "dropped")
    yield from pages(window, album)
    yield from menus_and_dialogs(window, album)
    assert album.differ == []
