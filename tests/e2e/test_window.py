"""What a user does with the window, from ``main`` to its exit status."""

import json
import signal
import sys

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QGuiApplication,
)
from PySide6.QtWidgets import QApplication, QMessageBox

from kpinspector.__main__ import main
from kpinspector.app import state
from kpinspector.app.document import State
from kpinspector.files import resources
from kpinspector.kept import from_json
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.settings import Settings
from kpinspector.themes import Theme
from kpinspector.ui import application, main_window
from kpinspector.ui.actions.actions import Command
from kpinspector.ui.start.start_page import StartPage
from kpinspector.ui.tables.row_table import RowMenu
from kpinspector.ui.traces.problem_page import ProblemPage
from tests.e2e.driving import answer_file_dialog, drop, idle, says, trigger
from tests.fakes import FakeEmbedder, Gated, NoEmbedder, make_raw, save


def without_time(report):
    return report | {"generated_at": ""}


def copied_answer(window):
    trigger(window, Command.COPY_ANSWER)
    return QGuiApplication.clipboard().text()


@pytest.mark.parametrize("real", [False, True], ids=["fake model", "real model"])
def test_the_samples_are_read_scored_and_exported_as_on_the_command_line(
    journey, tmp_path, capsysbinary, monkeypatch, real
):
    embedder = MiniLM() if real else FakeEmbedder()
    target = tmp_path / "report.json"

    def script(window):
        yield idle(window)
        states = {one.name: one.state for one in window._session.documents}
        assert states["support-desk 3"] is State.UNREADABLE
        assert states["support-desk 4"] is State.SKIPPED
        assert all(one.assessment for one in window._session.documents if one.record)
        trigger(window, Command.EXPORT)
        answer_file_dialog(window, target)
        yield target.exists

    assert journey(["--fresh", resources() / "samples"], script, embedder) == 0
    monkeypatch.setattr("kpinspector.cli.measuring.MiniLM", lambda: embedder)
    main(["score", "--fresh", "--json", str((resources() / "samples").absolute())])
    printed = json.loads(capsysbinary.readouterr().out)
    exported = json.loads(target.read_bytes())
    assert without_time(exported) == without_time(printed)


def test_the_start_page_comes_and_goes(journey, tmp_path):
    def script(window):
        page = window.findChild(StartPage)
        yield idle(window)
        assert page.isVisible() and not window._score.isVisible()
        assert not window._actions[Command.EXPORT].isEnabled()
        window._start.sample_requested.emit("visit-03.json/visit-08.json")
        yield lambda: len(window._session.documents) == 2
        yield idle(window)
        assert not page.isVisible() and window._score.isVisible()
        assert window._traces.current_document().name == "visit-03"
        trigger(window, Command.CLOSE_ALL)
        assert page.isVisible() and not window._score.isVisible()

    assert journey([], script) == 0


def test_drop_paste_and_refusal(journey, tmp_path):
    path = save(tmp_path / "a.json", make_raw())

    def script(window):
        drop(window, path, "https://example.org/b.json")
        yield lambda: bool(window._session.documents)
        yield idle(window)
        assert "no network" in window._messages.messages[-1].text
        QGuiApplication.clipboard().setText(json.dumps(make_raw(id="kp:trace:pasted")))
        trigger(window, Command.PASTE)
        yield lambda: len(window._session.documents) == 2
        yield idle(window)
        assert window._session.documents[1].assessment is not None

    assert journey([], script) == 0


def test_keys_move_through_the_list_and_all_panes_follow(journey, tmp_path):
    raws = [make_raw(id=str(n), task={"objective": f"objective {n}"}) for n in range(3)]
    path = save(tmp_path / "a.jsonl", *raws)
    (tmp_path / "bad.json").write_text('{"a": 1,\n  "b" 2}', encoding="utf-8")

    def script(window):
        yield idle(window)
        assert window._traces.current_document().name == "a 1"
        trigger(window, Command.NEXT)
        assert window._current.name == "a 2"
        trigger(window, Command.NEXT)
        trigger(window, Command.NEXT)
        assert window._current.name == "bad"
        page = window.findChild(ProblemPage)
        yield lambda: page.isVisible() and '"b" 2' in page.whole_text()
        trigger(window, Command.PREVIOUS)
        assert window._current.name == "a 3" and not page.isVisible()

    assert journey([path, tmp_path / "bad.json"], script) == 0


def test_profile_and_threshold_judge_again_at_once(journey, tmp_path):
    def script(window):
        yield idle(window)
        before = window._current.assessment
        window._tools._profile.setCurrentIndex(window._tools._profile.findData("medical"))
        window._tools._profile.activated.emit(0)
        assert window._current.assessment.profile.name == "medical"
        window._tools._threshold.setValue(0.1)
        assert window._current.assessment.threshold == 0.1
        assert window._current.measured is not None and before.threshold == 0.75

    assert journey([save(tmp_path / "a.json", make_raw())], script) == 0


def test_without_the_model_everything_says_assumed(journey, tmp_path):
    def script(window):
        yield idle(window)
        assert window._current.assumed
        assert any("assumed" in message.text for message in window._messages.messages)
        assert "assumed" in window._status._model.text()
        window._score.copy_answer()
        assert "assumed" in QGuiApplication.clipboard().text()

    assert journey([save(tmp_path / "a.json", make_raw())], script, NoEmbedder()) == 0


def test_score_again_forget_and_clear(journey, tmp_path):
    one = save(tmp_path / "1.json", make_raw(id="1", task={"objective": "one"}))
    two = save(tmp_path / "2.json", make_raw(id="2", task={"objective": "two"}))

    def novelty(window):
        return window._session.documents[0].measured.measurement.novelty

    def script(window):
        yield idle(window)
        assert novelty(window).compared_with == 0
        window._traces.set_current(window._session.documents[0].number)
        trigger(window, Command.SCORE_AGAIN)
        yield idle(window)
        assert novelty(window).compared_with == 1
        yield says(window, "scored again")
        assert window._session.remembered.state.remembered == 2
        trigger(window, Command.FORGET)
        yield lambda: window._session.remembered.state.remembered == 1
        trigger(window, Command.CLEAR_MEMORY)
        buttons = window.findChild(QMessageBox).buttons()
        next(one for one in buttons if one.text() == "Clear Memory").click()
        yield lambda: window._session.remembered.state.remembered == 0

    assert journey([one, two], script) == 0


def test_what_is_selected_is_scored_again_and_forgotten_together(journey, tmp_path):
    raws = [make_raw(id=str(n), task={"objective": f"objective {n}"}) for n in range(4)]

    def script(window):
        yield idle(window)
        window._traces.set_current(window._session.documents[0].number)
        window._traces._field.set_text("a 4")
        yield lambda: window._traces.filter.rowCount() == 1
        trigger(window, Command.SCORE_AGAIN)  # the one that is shown, though its row is hidden
        yield idle(window)
        yield says(window, "a 1 scored again")
        window._traces.clear_filter()
        window._traces.table.selectAll()
        trigger(window, Command.SCORE_AGAIN)
        yield idle(window)
        compared = [d.measured.measurement.novelty.compared_with for d in window._session.documents]
        assert compared == [3, 3, 3, 3]
        trigger(window, Command.FORGET)
        yield lambda: window._session.remembered.state.remembered == 0

    assert journey([save(tmp_path / "a.jsonl", *raws)], script) == 0


def test_a_row_has_a_menu_of_its_own(journey, tmp_path, monkeypatch):
    opened, places = [], []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or False)
    monkeypatch.setattr(RowMenu, "popup", lambda _menu, place: places.append(place))
    path = save(tmp_path / "a.json", make_raw())

    def ask(window, reason):
        table = window._traces.table
        place = table.visualRect(table.currentIndex()).center()
        event = QContextMenuEvent(reason, place, table.viewport().mapToGlobal(place))
        QApplication.sendEvent(table.viewport(), event)

    def choose(window, command):
        action = window._actions[command]
        assert action in window._traces.table.menu.actions() and action.isEnabled()
        action.trigger()

    def script(window):
        yield idle(window)
        ask(window, QContextMenuEvent.Reason.Mouse)
        ask(window, QContextMenuEvent.Reason.Keyboard)
        assert len(places) == 2
        choose(window, Command.OPEN_IN_EDITOR)
        assert opened == [QUrl.fromLocalFile(str(path))]
        assert window._messages.messages[0].text == "No program on this system opens a.json."
        choose(window, Command.COPY_PATH)
        assert QGuiApplication.clipboard().text() == str(path)
        choose(window, Command.COPY_ANSWER)
        assert "verdict\tRejected" in QGuiApplication.clipboard().text()
        window._session.open_text(json.dumps(make_raw(id="kp:trace:pasted")))
        yield lambda: len(window._session.documents) == 2
        yield idle(window)
        trigger(window, Command.NEXT)
        for command in (Command.OPEN_IN_EDITOR, Command.COPY_PATH):
            assert not window._actions[command].isEnabled()
        assert not window._detail.editor.isEnabled()
        choose(window, Command.REMOVE)
        assert [one.name for one in window._session.documents] == ["a"]
        assert window._detail.editor.isEnabled()

    assert journey([path], script) == 0


def test_rows_progress_and_stop_while_it_works(journey, tmp_path):
    slow = Gated()
    path = save(tmp_path / "a.jsonl", *(make_raw(id=str(n)) for n in range(4)))

    def script(window):
        yield slow.waiting.is_set
        yield lambda: window._traces.current_document() is not None
        assert window._status._progress.isVisible()
        assert window._current.range is not None
        assert len(window._session.documents) == 4
        yield lambda: "being measured, place 1 of 4" in copied_answer(window)
        trigger(window, Command.STOP)
        assert "not measured yet" in copied_answer(window)
        slow.gate.set()
        yield idle(window)
        assert not window._status._progress.isVisible()
        trigger(window, Command.RESUME)
        yield idle(window)
        assert all(one.measured for one in window._session.documents)

    assert journey([path], script, slow) == 0


def test_closing_in_the_middle_is_clean_and_keeps_what_is_done(journey, tmp_path):
    slow = Gated()
    path = save(tmp_path / "a.jsonl", *(make_raw(id=str(n)) for n in range(40)))

    def script(window):
        yield slow.waiting.is_set
        slow.gate.set()
        yield lambda: any(one.measured for one in window._session.documents)

    assert journey([path], script, slow) == 0
    embedded = slow.embedded

    def again(window):
        yield idle(window)
        remembered = [
            one.measured.measurement.novelty.remembered for one in window._session.documents
        ]
        assert remembered[0] and sum(remembered) >= 1

    assert journey([path], again, slow) == 0
    assert slow.embedded <= 40 + embedded


def test_ctrl_c_ends_the_window_and_keeps_its_place(journey, tmp_path, data_dir):
    def script(window):
        yield idle(window)
        signal.raise_signal(signal.SIGINT)
        yield lambda: False

    assert journey([save(tmp_path / "a.json", make_raw())], script) == 130
    assert from_json(state.State, (data_dir / "state.json").read_bytes()).geometry


def test_the_theme_is_kept(journey, data_dir):
    def script(window):
        yield idle(window)
        trigger(window, Command.THEME_DARK)

    data_dir.mkdir()
    assert journey([], script) == 0
    saved = from_json(Settings, (data_dir / "settings.json").read_bytes())
    assert saved.theme == "dark"


def test_a_bug_in_the_worker_is_shown_and_the_program_goes_on(journey, tmp_path, monkeypatch):
    printed = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: printed.append(kind))

    class Broken(FakeEmbedder):
        def embed(self, window):
            return super().embed(window)[:5]

    def script(window):
        yield lambda: any(
            "crash" in type(w).__name__.lower() for w in QApplication.topLevelWidgets()
        )
        yield idle(window)
        for widget in QApplication.topLevelWidgets():
            if "crash" in type(widget).__name__.lower():
                widget.close()

    assert journey([save(tmp_path / "a.json", make_raw())], script, Broken()) == 0
    assert printed == [ValueError]


def test_settings_of_which_a_part_is_wrong_give_way_to_the_defaults(journey, tmp_path, monkeypatch):
    themes = []
    for module in (application, main_window):
        monkeypatch.setattr(module, "apply_theme", lambda _app, theme: themes.append(theme))
    (tmp_path / "settings.json").write_text('{"theme": "dark", "threshold": 7}')

    def script(window):
        yield lambda: window.furnished
        yield says(window, "default settings apply")
        assert themes == [Theme.SYSTEM]
        assert window._session.settings == Settings()

    assert journey(["--data-dir", tmp_path], script) == 0
