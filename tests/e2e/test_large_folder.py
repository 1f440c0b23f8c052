"""A large folder of recordings: a live view, of which nothing is read but what is chosen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton

from kpinspector.app import watch
from kpinspector.files import MEMORY_FILE
from tests import user
from tests.fakes import FakeEmbedder
from tests.sessions import LINE, path_of, write_session, write_sessions, write_trace

COUNT = 250
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def short(number):
    return f"Count the pumps of house {number}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_sessions(tmp_path_factory.mktemp("home") / "projects", COUNT)


def memory_of(data_dir):
    path = data_dir / MEMORY_FILE
    return path.read_bytes() if path.exists() else None


def listed(window, count=COUNT):
    """So many rows are there, and nothing is left to do."""
    yield lambda: user.row_count(window) == count and user.quiet(window)()
    yield user.idle(window)


def is_read(window, name):
    return lambda: user.states(window)[name] not in ("not read", "pending")


def test_what_is_said_of_a_folder_is_closed_with_it(folder):
    window = yield user.Main(folder)
    yield from listed(window)
    assert len(user.messages(window)) == 1
    user.choose_menu(window, "File", "Close All")
    yield lambda: user.is_seen(window, QAbstractButton, "Open Folder…")
    assert user.messages(window) == []


@pytest.mark.slow
def test_the_newest_are_listed_first_and_the_chosen_one_is_read(folder, data_dir):
    embedder = FakeEmbedder()
    window = yield user.Main(folder, embedder=embedder)
    yield from listed(window)
    assert user.row_names(window)[:3] == [short(249), short(248), short(247)]
    assert set(user.states(window).values()) == {"not read"}
    assert embedder.embedded == 0
    before = memory_of(data_dir)
    assert user.current_name(window) == "" and "250 not read" in user.texts(window)
    assert "Choose a recording: it is read and scored then." in user.texts(window)
    (said,) = user.messages(window)
    assert said.startswith("250 recordings in projects: each is read and scored when you")
    user.go_to_row(window, short(247))
    yield is_read(window, short(247))
    yield user.idle(window)
    assert window.windowTitle().startswith(f"{short(247)}, ")
    assert user.row_names(window)[:3] == [short(249), short(248), short(247)]
    assert "249 not read" in user.texts(window) and "0 remembered" in user.texts(window)
    assert embedder.embedded == 1 and memory_of(data_dir) == before
    user.choose_menu(window, "Score", "Remember")
    yield lambda: "1 remembered" in user.texts(window)
    yield user.idle(window)
    assert not user.can_choose(window, "Score", "Remember")
    window = yield user.Main(embedder=embedder)
    yield from listed(window)
    yield is_read(window, short(247))
    yield user.idle(window)
    assert user.current_name(window) == short(247)
    assert "249 not read" in user.texts(window) and "1 remembered" in user.texts(window)
    assert user.messages(window) == []


@pytest.mark.slow
def test_keys_that_pass_rows_read_none_but_the_last(folder):
    embedder = FakeEmbedder()
    window = yield user.Main(folder, embedder=embedder)
    yield from listed(window)
    table = user.trace_list(window)
    assert table.hasFocus() or not window.isActiveWindow()
    for _ in range(51):
        QTest.keyClick(table, Qt.Key.Key_Down)
    assert user.current_name(window) == short(COUNT - 51)
    yield is_read(window, short(COUNT - 51))
    yield user.idle(window)
    found = [name for name, state in user.states(window).items() if state != "not read"]
    assert found == [short(COUNT - 51)] and embedder.embedded == 1


@pytest.mark.slow
def test_several_are_read_and_scored_and_others_found(folder):
    window = yield user.Main(folder)
    yield from listed(window)
    user.go_to_row(window, short(249))
    user.go_to_row(window, short(240), SHIFT)
    assert len(user.selected_names(window)) == 10
    QTest.keyClick(user.trace_list(window), user.RETURN, CTRL)
    yield lambda: "240 not read" in user.texts(window)
    yield user.idle(window)
    assert "10 undecided" in user.texts(window) or "10 scored" in user.texts(window)
    assert "0 remembered" in user.texts(window)
    user.filter_field(window).setText("state:unread -me-7")
    assert len(user.row_names(window)) == 24
    user.filter_field(window).setText("state:unread")
    assert len(user.row_names(window)) == 240


def test_what_grows_moves_to_the_top_and_what_is_new_is_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "EVERY_MS", 50)
    folder = write_sessions(tmp_path / "projects", 205)
    embedder = FakeEmbedder()
    window = yield user.Main(folder, embedder=embedder)
    yield from listed(window, 205)
    with path_of(folder, 3).open("a", encoding="utf-8") as file:
        file.write(LINE)
    yield lambda: user.row_names(window)[0] == short(3)
    write_session(folder, 300)
    yield lambda: short(300) in user.row_names(window)
    assert user.row_names(window)[:2] == [short(3), short(300)]
    assert set(user.states(window).values()) == {"not read"} and embedder.embedded == 0
    user.choose_menu(window, "Edit", "Filter Traces")


@pytest.mark.slow
def test_a_trace_among_them_is_scored_and_shown_and_removing_is_taken_back(tmp_path):
    folder = write_sessions(tmp_path / "projects", 204)
    write_trace(folder, "own")
    window = yield user.Main(folder)
    yield from listed(window, 205)
    assert user.current_name(window) == "own"
    assert user.row_names(window)[-2:] == [short(0), "own"]
    assert user.states(window)["own"] in ("accepted", "rejected")
    assert "1 remembered" in user.texts(window)
    user.go_to_row(window, short(203))
    user.go_to_row(window, short(200), SHIFT)
    user.choose_menu(window, "Edit", "Remove from List")
    yield from listed(window, 201)
    user.trigger(window, "undo")
    yield from listed(window, 205)
    assert user.row_names(window)[:4] == [short(203), short(202), short(201), short(200)]
    user.choose_menu(window, "File", "Close All")
    yield from listed(window, 0)
    assert user.is_seen(window, QAbstractButton, "Open…")
    user.trigger(window, "undo")
    yield from listed(window, 205)
    assert user.row_names(window)[0] == short(203)


@pytest.mark.slow
def test_the_row_that_comes_back_is_in_view(folder):
    """After the next start, and after what took it off the list is undone."""
    name = short(100)

    def is_shown(window):
        assert user.current_name(window) == name and user.is_in_view(window, name)

    window = yield user.Main(folder)
    window.resize(1440, 900)
    yield from listed(window)
    user.go_to_row(window, name)
    yield is_read(window, name)
    window = yield user.Main()
    yield from listed(window)
    is_shown(window)
    for way in (("Edit", "Remove from List"), ("File", "Close All")):
        user.choose_menu(window, *way)
        user.trace_list(window).scrollToTop()
        user.trigger(window, "undo")
        yield from listed(window)
        is_shown(window)
