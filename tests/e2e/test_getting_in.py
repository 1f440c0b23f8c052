"""Getting traces in: the command line, recent paths, reload, watched files, the next start."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu

from kpinspector.app.state import load_state
from kpinspector.kept import from_json
from kpinspector.settings import Settings, save_settings
from kpinspector.ui.actions.table import Command
from kpinspector.ui.controls.rows import TwoLineButton
from kpinspector.ui.start.start_page import StartPage
from kpinspector.ui.traces.problem_page import ProblemPage
from tests.e2e.driving import idle, names, says, trigger
from tests.e2e.user import texts
from tests.fakes import make_raw, save


def trace(name, **changes):
    return make_raw(id=f"kp:trace:{name}", task={"objective": f"Objective-{name};"}, **changes)


def save_atomically(path, *raws):
    return save(path.with_name(".new"), *raws).replace(path)


def recent_menu(window):
    menu = window._actions[Command.OPEN_RECENT].menu()
    assert isinstance(menu, QMenu)
    return menu


def test_several_arguments_and_folders(journey, tmp_path, monkeypatch):
    runs = tmp_path / "runs"
    (runs / "deep").mkdir(parents=True)
    save(runs / "b.json", trace("b"))
    save(runs / "deep" / "c.json", trace("c"))
    (runs / "notes.txt").write_text("hello", encoding="utf-8")
    save(tmp_path / "a.jsonl", trace("a1"), trace("a2"))
    monkeypatch.chdir(tmp_path)

    def script(window):
        yield idle(window)
        assert names(window) == ["a 1", "a 2", "b", "c", "notes", "missing"]
        assert window._session.documents[0].path == str(tmp_path / "a.jsonl")
        assert window._current.name == "a 1"

    assert journey(["a.jsonl", runs, "missing.json"], script) == 0


@pytest.mark.parametrize("saved", [save, save_atomically], ids=["in place", "atomically"])
def test_an_edit_of_a_watched_file_is_shown(journey, tmp_path, saved):
    path = save(tmp_path / "a.json", trace("a"))
    save(tmp_path / "b.json", trace("b"))

    def script(window):
        yield idle(window)
        window._traces.go(1)
        window._traces.go(-1)
        before = window._current
        saved(path, trace("a", outcome={"result_summary": "", "confidence": 0.5}))
        yield lambda: window._current.before is not None and window._current.assessment
        assert window._current.number == before.number
        assert window._current.before == before.assessment.score
        yield says(window, "before the edit")
        saved(path, trace("a"))
        yield (
            lambda: (
                window._current.assessment
                and window._current.assessment.score == before.assessment.score
            )
        )
        yield idle(window)
        assert sum("before the edit" in text for text in texts(window)) == 1
        assert names(window) == ["a", "b"]

    assert journey([path, tmp_path / "b.json"], script) == 0


def test_a_broken_file_is_mended_while_its_page_is_open(journey, tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": 1,\n "b" 2}', encoding="utf-8")

    def script(window):
        yield idle(window)
        page = window.findChild(ProblemPage)
        assert page.isVisible() and page._watched.isVisible()
        path.write_text('{"a": 1,\n\n "c" 2}', encoding="utf-8")
        yield lambda: '"c" 2' in page.whole_text()
        save_atomically(path, trace("a"))
        yield lambda: not page.isVisible() and window._current.assessment is not None

    assert journey([path], script) == 0


def test_a_reload_keeps_the_current_row_and_the_filter(journey, tmp_path):
    path = save(tmp_path / "a.jsonl", *(trace(str(n)) for n in range(5)))

    def script(window):
        yield idle(window)
        third = window._session.documents[2].number
        window._traces.set_current(third)
        window._traces._field.edit.setText("Objective-2;")
        yield lambda: window._traces.filter.rowCount() == 1
        save(path, *(trace(str(n)) for n in range(1, 8)))
        trigger(window, Command.RELOAD)
        yield lambda: len(window._session.documents) == 7
        yield idle(window)
        assert window._current.number == third
        assert window._current.record.trace.objective == "Objective-3;"
        window._traces.clear_filter()
        assert window._traces.current_document().number == third
        (tmp_path / "a.jsonl").unlink()
        yield says(window, "a.jsonl is gone")
        assert len(window._session.documents) == 7

    assert journey([path], script) == 0


def test_a_link_to_an_open_file_shows_its_row(journey, tmp_path):
    runs = tmp_path / "runs"
    runs.mkdir()
    path = save(runs / "a.json", trace("a"))
    link = tmp_path / "link.json"
    link.symlink_to(path)

    def script(window):
        yield idle(window)
        window._traces.set_current(window._session.documents[1].number)
        window._traces._field.edit.setText("Objective-b;")
        yield lambda: window._traces.filter.rowCount() == 1
        window._session.open([str(link)])
        yield says(window, "link.json is open already")
        yield idle(window)
        assert names(window) == ["a", "b"] and window._current.name == "a"
        window._session.open([str(runs)])
        yield says(window, "All 2 files are open already")
        yield idle(window)
        assert names(window) == ["a", "b"]

    assert journey([path, save(runs / "b.json", trace("b"))], script) == 0


def test_recent_paths_in_menu_and_on_the_start_page(journey, tmp_path):
    runs = tmp_path / "r&d"
    runs.mkdir()
    save(runs / "a.json", trace("a"))
    save(runs / "b.json", trace("b"))
    one = save(tmp_path / "one.json", trace("one"))
    gone = save(tmp_path / "gone.json", trace("gone"))

    def first(window):
        assert not window._actions[Command.OPEN_RECENT].isEnabled()
        window._session.open([str(runs)])
        yield idle(window)
        for path in (gone, one):
            window._session.open([str(path)])
            yield idle(window)
        trigger(window, Command.CLOSE_ALL)

    def second(window):
        yield idle(window)
        menu = recent_menu(window)
        words = [action.text() for action in menu.actions() if not action.isSeparator()]
        assert [text.split(" (")[0] for text in words] == [
            "&1 one.json",
            "&2 gone.json",
            "&3 r&&d",
            "&Clear",
        ]
        menu.aboutToShow.emit()
        yield lambda: [action.isEnabled() for action in menu.actions()[:3]] == [True, False, True]
        page = window.findChild(StartPage)
        buttons = [button for button in page.findChildren(TwoLineButton) if button.property("path")]
        shown = [button for button in buttons if not button.isHidden()]
        assert [button.property("path") for button in shown] == [str(one), str(gone), str(runs)]
        assert [row.note for row in window._session.history.recent][2] == "0 of 2 pass"
        menu.actions()[2].trigger()
        yield lambda: names(window) == ["a", "b"]
        yield idle(window)
        assert recent_menu(window).actions()[0].text().startswith("&1 r&&d")
        recent_menu(window).actions()[-1].trigger()
        assert not window._actions[Command.OPEN_RECENT].isEnabled()

    assert journey([], first) == 0
    gone.unlink()
    assert journey(["--fresh"], second) == 0


def test_what_was_open_is_open_again(journey, tmp_path, data_dir):
    many = save(tmp_path / "many.jsonl", *(trace(str(n)) for n in range(4)))
    gone = save(tmp_path / "gone.json", trace("gone"))

    def first(window):
        yield idle(window)
        window._traces.set_current(window._session.documents[2].number)

    def second(window):
        yield lambda: window._current is not None and window._current.name == "many 3"
        yield idle(window)
        assert names(window) == ["many 1", "many 2", "many 3", "many 4"]
        assert window._traces.current_document().name == "many 3"
        yield says(window, "gone.json was open the last time")

    def other(window):
        yield idle(window)
        assert names(window) == ["other"]

    assert journey([many, gone], first) == 0
    gone.unlink()
    assert journey(["--guest"], second) == 0
    assert load_state(data_dir).open_paths == (str(many),)
    assert journey([save(tmp_path / "other.json", trace("other"))], other) == 0
    assert journey([], other) == 0


def test_nothing_is_restored_when_it_is_not_wanted(journey, tmp_path, data_dir):
    save_settings(data_dir, Settings(restore_files=False))

    def script(window):
        yield idle(window)

    def nothing(window):
        yield idle(window)
        assert names(window) == [] and window.findChild(StartPage).isVisible()

    assert journey([save(tmp_path / "a.json", trace("a"))], script) == 0
    assert journey([], nothing) == 0


def test_a_broken_state_does_not_hold_up_the_start(journey, data_dir):
    data_dir.mkdir()
    (data_dir / "state.json").write_text("{", encoding="utf-8")

    def script(window):
        yield idle(window)
        assert window._messages.messages == ()

    assert journey([], script) == 0
    assert load_state(data_dir).open_paths == ()


def test_settings_can_be_kept_in_a_folder_that_is_not_there_yet(journey, tmp_path):
    def script(window):
        yield idle(window)
        session = window._session
        session.apply_settings(replace(session.settings, threshold=0.5))

    folder = tmp_path / "not" / "yet"
    assert journey(["--data-dir", folder], script) == 0
    saved = from_json(Settings, Path(folder / "settings.json").read_bytes())
    assert saved.threshold == 0.5
