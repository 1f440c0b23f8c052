"""What a user does with the window, from ``main`` to its exit status."""

import json
import os
import shutil
import signal
import sys

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QWidget

from kpinspector.__main__ import main
from kpinspector.files import resources
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.settings import Settings, Theme, from_json
from kpinspector.ui import application, main_window
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import FakeEmbedder, Gated, NoEmbedder, make_raw, save
from tests.user import drop, idle, reads, row_names, trigger


def without_time(report):
    return report | {"generated_at": ""}


def copied_answer(window):
    return user.copied(window, Command.COPY_ANSWER)


def start_is_seen(window):
    return user.is_seen(window, QWidget, "Start")


def score_is_seen(window):
    return user.is_seen(window, QTabBar, "Score")


@pytest.mark.parametrize("real", [False, True], ids=["fake model", "real model"])
def test_the_samples_are_read_scored_and_exported_as_on_the_command_line(
    tmp_path, run, monkeypatch, real
):
    embedder = MiniLM() if real else FakeEmbedder()
    target = tmp_path / "report.json"
    samples = shutil.copytree(resources() / "samples", tmp_path / "samples")
    for one in samples.iterdir():
        os.utime(one, (0, 0))  # a recording that was written just now is still running
    window = yield from user.opened("--fresh", samples, embedder=embedder)
    states = user.states(window)
    assert states.pop("support-desk 3") == "not readable"
    assert states.pop("support-desk 4") == "skipped"
    assert set(states.values()) == {"accepted", "rejected", "undecided"}
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, target)
    yield user.CLOSED
    monkeypatch.setattr("kpinspector.cli.measuring.MiniLM", lambda: embedder)
    printed = run("score", "--fresh", "--json", samples).json
    exported = json.loads(target.read_bytes())
    assert without_time(exported) == without_time(printed)


def test_the_start_page_comes_and_goes():
    window = yield from user.opened(wide=True)
    assert start_is_seen(window) and not score_is_seen(window)
    assert not user.action(window, Command.EXPORT).isEnabled()
    user.press(window, "A trace that is rejected")
    yield lambda: user.row_count(window) == 1
    yield idle(window)
    assert not start_is_seen(window) and score_is_seen(window)
    trigger(window, Command.CLOSE_ALL)
    assert start_is_seen(window) and not score_is_seen(window)


@pytest.mark.parametrize("memory", [(), ("visit-08", "water-meter", "billing-migration"), ("",)])
def test_the_samples_of_the_start_page_are_what_they_are_called(memory):
    """Whatever is remembered: nothing, what is like them, or all that is bundled."""
    samples = resources() / "samples"
    paths = [one for name in memory for one in sorted(samples.glob(f"{name}*.json*"))]
    if paths:
        main(["score", *map(str, paths)])

    def opened(window, title):
        user.press(window, title)
        yield lambda: user.row_count(window) > 0
        yield idle(window)
        found = user.states(window)
        trigger(window, Command.CLOSE_ALL)
        return [found.pop(name) for name in list(found)]

    window = yield from user.opened(embedder=MiniLM())
    assert (yield from opened(window, "A trace that passes")) == ["accepted"]
    assert (yield from opened(window, "A trace that is rejected")) == ["rejected"]
    states = yield from opened(window, "A record that cannot be read")
    assert len(states) == 6 and states.count("not readable") == 1
    user.set_number(window, "Threshold", 0)
    assert (yield from opened(window, "A trace that is rejected")) == ["rejected"]


def test_drop_paste_and_refusal(tmp_path):
    path = save(tmp_path / "a.json", make_raw())
    window = yield user.Main()
    drop(window, path, "https://example.org/b.json")
    yield lambda: user.row_count(window) == 1
    yield idle(window)
    assert "no network" in user.messages(window)[-1]
    QGuiApplication.clipboard().setText(json.dumps(make_raw(id="kp:trace:pasted")))
    trigger(window, Command.PASTE)
    yield lambda: user.row_count(window) == 2
    yield idle(window)
    assert user.all_scored(window)


def test_keys_move_through_the_list_and_all_panes_follow(tmp_path):
    raws = [make_raw(id=str(n), task={"objective": f"objective {n}"}) for n in range(3)]
    path = save(tmp_path / "a.jsonl", *raws)
    (tmp_path / "bad.json").write_text('{"a": 1,\n  "b" 2}', encoding="utf-8")
    window = yield from user.opened(path, tmp_path / "bad.json")
    assert user.current_name(window) == "a 1"
    trigger(window, Command.NEXT)
    assert user.current_name(window) == "a 2"
    trigger(window, Command.NEXT)
    trigger(window, Command.NEXT)
    assert user.current_name(window) == "bad"
    yield lambda: '"b" 2' in user.copied_problem(window)
    trigger(window, Command.PREVIOUS)
    assert user.current_name(window) == "a 3" and not user.is_seen(window, QWidget, "Problem")


def test_profile_and_threshold_judge_again_at_once(tmp_path):
    window = yield from user.opened(save(tmp_path / "a.json", make_raw()))
    assert "0.75" in copied_answer(window)
    before = user.trace_row(window, "a")
    user.choose_in(window, "Profile", "medical")
    row = user.trace_row(window, "a")
    assert row["Profile"] == "medical" and row["Score"] != before["Score"]
    user.set_number(window, "Threshold", 0.1)
    assert user.trace_row(window, "a")["State"] == "accepted" != before["State"]
    assert "0.1000" in user.description(window, "Verdict")


def test_without_the_model_everything_says_assumed(tmp_path):
    window = yield from user.opened(
        save(tmp_path / "a.json", make_raw()), embedder=NoEmbedder(), wide=True
    )
    assert "assumed" in user.said_rows(window)[0]
    assert any("assumed" in message for message in user.messages(window))
    assert reads(window, "no embedding model: novelty is assumed 0.5")()
    assert "assumed" in copied_answer(window)


def test_score_again_forget_and_clear(tmp_path):
    one = save(tmp_path / "1.json", make_raw(id="1", task={"objective": "one"}))
    two = save(tmp_path / "2.json", make_raw(id="2", task={"objective": "two"}))
    window = yield from user.opened(one, two, wide=True)
    user.go_to_row(window, "1")
    assert "nothing to compare with" in copied_answer(window)
    trigger(window, Command.SCORE_AGAIN)
    yield reads(window, "scored again")
    yield idle(window)
    assert "compared\twith 1 entry" in copied_answer(window)
    assert reads(window, "2 remembered")()
    trigger(window, Command.FORGET)
    yield reads(window, "1 remembered")
    trigger(window, Command.CLEAR_MEMORY)
    user.press(user.dialog(window, "Clear Memory"), "Clear Memory")
    yield reads(window, "0 remembered")


def test_what_is_selected_is_scored_again_and_forgotten_together(tmp_path):
    raws = [make_raw(id=str(n), task={"objective": f"objective {n}"}) for n in range(4)]
    target = tmp_path / "report.json"
    window = yield from user.opened(save(tmp_path / "a.jsonl", *raws), wide=True)
    user.go_to_row(window, "a 1")
    user.write(user.filter_field(window), "a 4")
    yield lambda: user.row_names(window) == ["a 4"]
    trigger(window, Command.SCORE_AGAIN)  # the one that is shown, though its row is hidden
    yield reads(window, "a 1 scored again")
    assert user.can_choose(window, "Edit", "Remove from List")
    user.show_all(window)
    user.select(window, "a 1", "a 2", "a 3", "a 4")
    trigger(window, Command.SCORE_AGAIN)
    yield idle(window)
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, target)
    trigger(window, Command.FORGET)
    yield reads(window, "0 remembered")
    traces = json.loads(target.read_bytes())["traces"]
    assert [one["dimensions"]["novelty"]["compared_with"] for one in traces] == [3, 3, 3, 3]


def test_a_row_has_a_menu_of_its_own(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or False)
    path = save(tmp_path / "a.json", make_raw())

    def by_keys(window):
        table = user.trace_list(window)
        table.setFocus()
        QTest.keyClick(table, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
        menu = QApplication.activePopupWidget()
        assert list(user.lines(menu))
        user.escape(menu)

    def choose(window, line):
        user.choose(user.context_menu(user.trace_list(window)), line)

    window = yield from user.opened(path, wide=True)
    by_keys(window)
    choose(window, "Open in Editor")
    assert opened == [QUrl.fromLocalFile(str(path))]
    assert user.messages(window)[0] == "No program on this system opens a.json."
    choose(window, "Copy File Path")
    assert QGuiApplication.clipboard().text() == str(path)
    choose(window, "Copy Answer")
    assert "verdict\tRejected" in QGuiApplication.clipboard().text()
    QGuiApplication.clipboard().setText(json.dumps(make_raw(id="kp:trace:pasted")))
    trigger(window, Command.PASTE)
    yield lambda: user.row_count(window) == 2
    yield idle(window)
    user.go_to_row(window, 1)
    for command in (Command.OPEN_IN_EDITOR, Command.COPY_PATH):
        assert not user.action(window, command).isEnabled()
    assert not editor(window).isEnabled()
    choose(window, "Remove from List")
    assert row_names(window) == ["a"]
    assert editor(window).isEnabled()


def editor(window):
    return user.find(window, QAbstractButton, "Open the file in an editor")


def test_rows_progress_and_stop_while_it_works(tmp_path):
    slow = Gated()
    path = save(tmp_path / "a.jsonl", *(make_raw(id=str(n)) for n in range(4)))
    window = yield user.Main(path, embedder=slow)
    yield slow.waiting.is_set
    yield reads(window, "Scoring 0 of 4")
    assert user.current_name(window) == "a 1" and user.row_count(window) == 4
    assert "\N{EN DASH}" in user.trace_row(window, "a 1")["Score"]
    yield lambda: "being measured, place 1 of 4" in copied_answer(window)
    trigger(window, Command.STOP)
    assert "not measured yet" in copied_answer(window)
    slow.gate.set()
    yield idle(window)
    assert not reads(window, "Scoring")() and not user.all_scored(window)
    trigger(window, Command.RESUME)
    yield idle(window)
    assert user.all_scored(window)


def test_closing_in_the_middle_is_clean_and_keeps_what_is_done(tmp_path):
    slow = Gated()
    path = save(tmp_path / "a.jsonl", *(make_raw(id=str(n)) for n in range(40)))
    target = tmp_path / "report.json"
    window = yield user.Main(path, embedder=slow)
    yield slow.waiting.is_set
    slow.gate.set()
    yield lambda: bool(user.scored_names(window))
    yield user.CLOSED
    embedded = slow.embedded
    window = yield from user.opened(path, embedder=slow)
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, target)
    traces = json.loads(target.read_bytes())["traces"]
    assert len(traces) == 40 and traces[0]["dimensions"]["novelty"]["remembered"]
    assert slow.embedded <= 40 + embedded


@pytest.mark.usefixtures("signals_heard")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_window_and_keeps_its_place(tmp_path, data_dir, capfd, name):
    number = getattr(signal, name)
    path = save(tmp_path / "a.json", make_raw())
    window = yield user.Main(path, status=128 + number)
    yield idle(window)
    signal.raise_signal(number)
    yield lambda: False
    state = json.loads((data_dir / "state.json").read_bytes())
    assert state["geometry"] and state["open_paths"] == [str(path)]
    assert capfd.readouterr().err == ""


def test_the_theme_is_kept(data_dir):
    data_dir.mkdir()
    window = yield from user.opened()
    trigger(window, Command.THEME_DARK)
    yield user.CLOSED
    saved = from_json(Settings, (data_dir / "settings.json").read_bytes())
    assert saved.theme == "dark"


def test_a_bug_in_the_worker_is_shown_and_the_program_goes_on(tmp_path, monkeypatch):
    printed = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: printed.append(kind))

    class Broken(FakeEmbedder):
        def embed(self, window):
            return super().embed(window)[:5]

    window = yield user.Main(save(tmp_path / "a.json", make_raw()), embedder=Broken())
    yield lambda: [one.windowTitle() for one in user.over(window)] == ["Something Went Wrong"]
    yield idle(window)
    user.escape(user.over(window)[0])
    yield user.CLOSED
    assert printed == [ValueError]


def test_settings_of_which_a_part_is_wrong_give_way_to_the_defaults(tmp_path, monkeypatch):
    themes = []
    for module in (application, main_window):
        monkeypatch.setattr(module, "apply_theme", lambda _app, theme: themes.append(theme))
    (tmp_path / "settings.json").write_text('{"theme": "dark", "threshold": 7}')
    window = yield user.Main("--data-dir", tmp_path)
    yield lambda: window.furnished
    yield reads(window, "default settings apply")
    assert themes == [Theme.SYSTEM]
    assert user.number_in(window, "Threshold") == Settings().threshold
