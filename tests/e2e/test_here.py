"""The recordings that other agents keep on this computer: counted, offered, opened."""

import os
import shutil
import time

import pytest
from PySide6.QtWidgets import QPushButton

from tests import user
from tests.goldens import DATA

WHEN = 1_700_000_000


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home in which Claude Code keeps two sessions, and Gemini none."""
    home = tmp_path / "home"
    for name in ("one", "two"):
        folder = home / ".claude" / "projects" / f"-work-{name}"
        folder.mkdir(parents=True)
        file = shutil.copy(DATA / "recordings" / "claude-code.jsonl", folder / f"{name}.jsonl")
        os.utime(file, (WHEN, WHEN))
        (folder / "notes.txt").write_text("no recording")
    (home / ".gemini" / "tmp" / "ab" / "chats").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return home


def test_the_folders_with_recordings_are_listed(home, run):
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(WHEN))
    expected = f"claude-code  2 files in ~/.claude/projects, the newest written {when}\n"
    assert run("formats", "--here", status=0).out == expected
    shutil.rmtree(home / ".claude")
    assert run("formats", "--here", status=0)[1:] == (
        "",
        "kpinspector: No agent keeps recordings where the formats say.\n",
    )


def test_the_start_page_offers_them_and_opens_their_folder(home):
    window = yield user.Main()
    yield lambda: user.is_seen(window, QPushButton, "Claude Code")
    row = next(
        one for one in window.findChildren(QPushButton) if one.accessibleName() == "Claude Code"
    )
    assert row.accessibleDescription().startswith("2 sessions in ~/.claude/projects")
    user.press(window, "Claude Code")
    yield lambda: user.row_count(window) == 2
    yield user.idle(window)
    assert all(row["State"] == "rejected" for row in user.trace_rows(window))
