"""Getting traces in: the command line, recent paths, reload, watched files, the next start."""

import json

import pytest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QListView, QWidget

from kpinspector.app.state import load_state
from kpinspector.settings import Settings, save_settings
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import make_raw, save
from tests.user import drop, idle, reads, row_names, trigger


def trace(name, **changes):
    return make_raw(id=f"kp:trace:{name}", task={"objective": f"Objective-{name};"}, **changes)


def save_atomically(path, *raws):
    return save(path.with_name(".new"), *raws).replace(path)


def recent(window):
    """The lines of the menu of what was open before."""
    lines = user.lines(user.menu_of(window, "File"))
    return [line[1] for line in lines if line[0] == "Open Recent" and len(line) > 1]


def objective(window):
    return user.trace_row(window, user.current_name(window))["Objective"]


def test_several_arguments_and_folders(tmp_path, monkeypatch):
    runs = tmp_path / "runs"
    (runs / "deep").mkdir(parents=True)
    save(runs / "b.json", trace("b"))
    save(runs / "deep" / "c.json", trace("c"))
    (runs / "notes.txt").write_text("hello", encoding="utf-8")
    save(tmp_path / "a.jsonl", trace("a1"), trace("a2"))
    monkeypatch.chdir(tmp_path)
    window = yield from user.opened("a.jsonl", runs, "missing.json")
    assert row_names(window) == ["a 1", "a 2", "b", "c", "missing"]
    assert user.trace_rows(window)[0]["Source"] == f"{tmp_path / 'a.jsonl'}:1"
    assert user.current_name(window) == "a 1"


def shown_in(dialog):
    """The names of files and folders that a dialog lists."""
    view = dialog.findChild(QListView, "listView")
    root = view.rootIndex()
    return {root.model().index(row, 0, root).data() for row in range(root.model().rowCount(root))}


def test_the_dialog_shows_what_agents_write_and_where_they_keep_it(tmp_path):
    # agents keep their sessions in hidden folders
    folder = tmp_path / "home" / ".agent"
    folder.mkdir(parents=True)
    names = {"a.eval", "b.traj", "c.json", "d.jsonl", "e.ndjson", "f.jsonl.gz"}
    for name in names | {"notes.txt"}:
        (folder / name).write_text("", encoding="utf-8")
    window = yield from user.opened()
    trigger(window, Command.OPEN)
    dialog = user.file_dialog(window)
    dialog.setDirectory(str(folder.parent))
    yield lambda: shown_in(dialog) == {".agent"}
    dialog.setDirectory(str(folder))
    yield lambda: shown_in(dialog) == names
    dialog.reject()
    trigger(window, Command.OPEN_FOLDER)
    dialog = user.file_dialog(window)
    dialog.setDirectory(str(folder.parent))
    yield lambda: shown_in(dialog) == {".agent"}
    dialog.reject()


def test_an_edit_of_a_watched_file_is_shown(tmp_path):
    path = save(tmp_path / "a.json", trace("a"))
    save(tmp_path / "b.json", trace("b"))
    window = yield from user.opened(path, tmp_path / "b.json")
    trigger(window, Command.NEXT)
    trigger(window, Command.PREVIOUS)
    before = user.trace_row(window, "a")["Score"]
    for saved in (save, save_atomically):
        saved(path, trace("a", outcome={"result_summary": "", "confidence": 0.5}))
        yield lambda: user.trace_row(window, "a")["Score"] < before
        yield reads(window, "before the edit")
        assert user.current_name(window) == "a" and reads(window, before)()
        saved(path, trace("a"))
        yield lambda: user.trace_row(window, "a")["Score"] == before
        yield idle(window)
        assert sum("before the edit" in text for text in user.texts(window)) == 1
        assert row_names(window) == ["a", "b"]


def test_a_broken_file_is_mended_while_its_page_is_open(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": 1,\n "b" 2}', encoding="utf-8")
    window = yield from user.opened(path)
    assert reads(window, "The file is watched")()
    path.write_text('{"a": 1,\n\n "c" 2}', encoding="utf-8")
    yield lambda: '"c" 2' in user.copied_problem(window)
    save_atomically(path, trace("a"))
    yield lambda: user.states(window)["a"] == "rejected"
    assert not user.is_seen(window, QWidget, "Problem")


def test_a_reload_keeps_the_current_row_and_the_filter(tmp_path):
    path = save(tmp_path / "a.jsonl", *(trace(str(n)) for n in range(5)))
    window = yield from user.opened(path)
    user.go_to_row(window, "a 3")
    user.write(user.filter_field(window), "Objective-2;")
    yield lambda: user.row_count(window) == 1
    save(path, *(trace(str(n)) for n in range(1, 8)))
    trigger(window, Command.RELOAD)
    yield lambda: user.row_names(window) == ["a 2"]
    yield idle(window)
    assert user.current_name(window) == "a 3"
    user.show_all(window)
    assert user.selected_names(window) == ["a 3"] and user.row_count(window) == 7
    assert objective(window) == "Objective-3;"
    (tmp_path / "a.jsonl").unlink()
    yield reads(window, "a.jsonl is gone")
    assert user.row_count(window) == 7
    save(path, *(trace(str(n)) for n in range(1, 8)))
    yield lambda: not user.messages(window)


def test_a_link_to_an_open_file_shows_its_row(tmp_path):
    runs = tmp_path / "runs"
    runs.mkdir()
    path = save(runs / "a.json", trace("a"))
    link = tmp_path / "link.json"
    link.symlink_to(path)
    window = yield from user.opened(path, save(runs / "b.json", trace("b")))
    user.go_to_row(window, "b")
    user.write(user.filter_field(window), "Objective-b;")
    yield lambda: user.row_count(window) == 1
    drop(window, link)
    yield reads(window, "link.json is open already")
    yield idle(window)
    assert row_names(window) == ["a", "b"] and user.current_name(window) == "a"
    drop(window, runs)
    yield reads(window, "All 2 files are open already")
    yield idle(window)
    assert row_names(window) == ["a", "b"]


@pytest.mark.slow
def test_recent_paths_in_menu_and_on_the_start_page(tmp_path):
    runs = tmp_path / "r&d"
    runs.mkdir()
    save(runs / "a.json", trace("a"))
    save(runs / "b.json", trace("b"))
    one = save(tmp_path / "one.json", trace("one"))
    gone = save(tmp_path / "gone.json", trace("gone"))
    window = yield user.Main()
    assert not user.action(window, Command.OPEN_RECENT).isEnabled()
    for path in (runs, gone, one):
        drop(window, path)
        yield idle(window)
    trigger(window, Command.CLOSE_ALL)
    yield user.CLOSED
    gone.unlink()
    window = yield from user.opened("--fresh")
    lines = [line.split(" (")[0] for line in recent(window)]
    assert lines == ["1 one.json", "2 gone.json", "3 r&d", "Clear"]
    menu = user.menu_of(window, "File")
    enabled = [("Open Recent", line) for line in recent(window)[:3]]
    yield lambda: [user.is_enabled(menu, *line) for line in enabled] == [True, False, True]
    buttons = user.seen(user.find(window, QWidget, "Start"), QAbstractButton)
    said = {one.accessibleName(): one.accessibleDescription() for one in buttons}
    shown = [name for name in said if name in ("one.json", "gone.json", "r&d")]
    assert shown == ["one.json", "gone.json", "r&d"]
    assert said["one.json"].startswith(str(tmp_path))
    assert said["r&d"].endswith("0 of 2 pass")
    user.press(window, "r&d")
    yield lambda: row_names(window) == ["a", "b"]
    yield idle(window)
    assert recent(window)[0].startswith("1 r&d")
    user.line_of(menu, "Open Recent", "Clear")[1].trigger()
    assert not user.action(window, Command.OPEN_RECENT).isEnabled()


@pytest.mark.slow
def test_what_was_open_is_open_again(tmp_path, data_dir):
    many = save(tmp_path / "many.jsonl", *(trace(str(n)) for n in range(4)))
    gone = save(tmp_path / "gone.json", trace("gone"))
    window = yield from user.opened(many, gone)
    user.go_to_row(window, "many 3")
    yield user.CLOSED
    gone.unlink()
    window = yield user.Main("--guest")
    yield lambda: user.current_name(window) == "many 3"
    yield idle(window)
    assert row_names(window) == ["many 1", "many 2", "many 3", "many 4"]
    assert user.selected_names(window) == ["many 3"]
    yield reads(window, "gone.json was open the last time")
    yield user.CLOSED
    assert load_state(data_dir).open_paths == (str(many),)
    for arguments in ([save(tmp_path / "other.json", trace("other"))], []):
        window = yield from user.opened(*arguments)
        assert row_names(window) == ["other"]


def test_nothing_is_restored_when_it_is_not_wanted(tmp_path, data_dir):
    save_settings(data_dir, Settings(restore_files=False))
    window = yield from user.opened(save(tmp_path / "a.json", trace("a")))
    window = yield from user.opened()
    assert row_names(window) == [] and user.is_seen(window, QWidget, "Start")


def test_a_broken_state_does_not_hold_up_the_start(data_dir):
    data_dir.mkdir()
    (data_dir / "state.json").write_text("{", encoding="utf-8")
    window = yield from user.opened()
    assert user.messages(window) == []
    yield user.CLOSED
    assert load_state(data_dir).open_paths == ()


def test_settings_can_be_kept_in_a_folder_that_is_not_there_yet(tmp_path):
    folder = tmp_path / "not" / "yet"
    window = yield from user.opened("--data-dir", folder)
    trigger(window, Command.SETTINGS)
    dialog = user.dialog(window, "Settings")
    user.write(user.find(dialog, QLineEdit, "Threshold"), "0.5")
    user.press(dialog, "OK")
    yield user.CLOSED
    assert json.loads((folder / "settings.json").read_bytes())["threshold"] == 0.5
