"""Small folders that are open: what comes into them is opened as well."""

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QFileSystemWatcher

from kpinspector.app import watch
from tests.app.harness import write


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(watch, "FOLDER_REST_MS", 20)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "work"
    made.mkdir()
    return made


def come(one, count):
    """Wait until so many rows are listed."""
    one.qtbot.waitUntil(lambda: len(one.session.documents) == count)
    one.settle()


def watched(one):
    """The folders of which the system tells what comes into them."""
    return one.session.watcher.findChild(QFileSystemWatcher).directories()


def files(one):
    return [Path(row.path).stem for row in one.session.documents]


def test_an_empty_folder_is_watched(harness, folder):
    one = harness(opened=[folder])
    write(folder / "a.json", "a")
    come(one, 1)
    assert one.session.opener.paths == (str(folder),)


def test_a_folder_that_comes_empty_is_watched(harness, folder):
    one = harness()
    write(folder / "a.json", "a")
    one.open(folder)
    (folder / "new").mkdir()
    one.qtbot.waitUntil(lambda: str(folder / "new") in watched(one))
    write(folder / "new" / "b.json", "b")
    come(one, 2)
    assert files(one) == ["a", "b"]


def test_what_was_taken_off_the_list_does_not_come_back(harness, folder):
    one = harness()
    write(folder / "a.json", "a")
    write(folder / "b.json", "b")
    one.open(folder)
    one.session.remove([one.session.documents[0].number])
    write(folder / "c.json", "c")
    come(one, 2)
    assert one.names == ["b", "c"]


def test_a_folder_that_was_closed_is_not_looked_through(harness, folder):
    one = harness()
    write(folder / "a.json", "a")
    one.open(folder)
    one.session.close_all()
    write(folder / "b.json", "b")
    other = write(folder.parent / "other.json", "other")
    one.open(other)
    one.qtbot.waitUntil(lambda: str(folder) not in watched(one))
    one.settle()
    assert one.names == ["other"]


def test_a_folder_that_goes_leaves_its_rows_and_is_followed_once_it_is_back(
    harness, folder, monkeypatch
):
    monkeypatch.setattr(watch, "EVERY_MS", 20)
    one, settled, inside = harness(), [], folder / "in"
    one.session.board.settled.connect(settled.append)
    inside.mkdir()
    write(inside / "a.json", "a")
    one.open(folder)
    shutil.rmtree(folder)
    one.qtbot.waitUntil(lambda: bool(one.said))
    one.settle()
    assert files(one) == ["a"]
    inside.mkdir(parents=True)
    write(inside / "b.json", "b")
    come(one, 2)
    assert not settled
    write(inside / "a.json", "again")
    one.qtbot.waitUntil(lambda: "gone" in settled)


def test_a_file_alone_does_not_open_its_neighbours(harness, folder):
    one = harness()
    path = write(folder / "a.json", "a")
    one.open(path)
    write(folder / "b.json", "b")
    path.write_text(json.dumps([]), encoding="utf-8")
    one.qtbot.waitUntil(lambda: one.session.documents[0].record is None)
    one.settle()
    assert len(one.session.documents) == 1
