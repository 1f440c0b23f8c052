"""The Sharing tab in the window: what would leave the machine, by either way, before it does."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QPlainTextEdit, QTableView, QWidget

from kpinspector.__main__ import main
from tests import user
from tests.e2e.test_outcomes import state
from tests.fakes import make_raw
from tests.user import description, idle, trigger

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
SAMPLE = SAMPLES / "export-handover.json"
SECRETS = (
    *("0123456789abcdef", "n0t-a-real-pw", "4477", "Invented-Pass", "INVENTEDinvented", "20.30"),
    *("lindqvist@", "aW52ZW50ZWQ", "INVENTED-debug", "/home/mara"),
)
CAPTURE, CONTRIBUTE = "KPCapture", "contribute"


def verdict(window):
    """What is read of the verdict at the head of the tab."""
    return description(user.find(window, QWidget, "Sharing"), "Verdict")


def choose(window, name, text):
    """Go down a list to something; typing would take two choices in a row for one word."""
    box = user.find(window, QComboBox, name)
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.count()):
        if box.currentText() != text:
            QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text


def send_by(window, way):
    choose(window, "Sent by", way)


def body_of_the_command_line(folder, way, *more):
    """What ``kpinspector sharing -o`` writes of the sample."""
    out = folder / "bodies.jsonl"
    main(["sharing", str(SAMPLE), "--fresh", "--as", way, *more, "-o", str(out)])
    return out.read_bytes()


def unfold(window):
    view = user.find(window, QTableView, "Members of the body")
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Space):
        QTest.keyClick(view, key)


def unfolded(window):
    """The body as it stands in the tab."""
    return user.find(window, QPlainTextEdit, "Body that would be posted").toPlainText()


def test_the_tab_is_come_to_by_keys_and_tells_what_is_contributed_and_captured():
    window = yield from user.opened(SAMPLE, "--fresh")
    assert user.tabs(window, "Score")[-1] == "Sharing"
    user.press_key(Qt.Key.Key_5, Qt.KeyboardModifier.AltModifier)
    assert user.tab(window) == "Sharing"
    user.go_to_tab(window, "Score", "Why")
    user.go_to_tab(window, "Score", "Sharing")
    trigger(window, "why")
    user.choose_menu(window, "View", "Sharing")
    assert user.tab(window) == "Sharing"
    assert user.find(window, QComboBox, "Sent by").currentText() == CONTRIBUTE
    assert verdict(window).startswith("15 leave in clear. ")
    assert "Would be posted, 0 redacted" in verdict(window)
    clear = user.find(window, QTableView, "Leaves in clear")
    clear.setFocus()
    for _ in range(3):
        QTest.keyClick(clear, Qt.Key.Key_Down)
    QTest.keyClick(clear, Qt.Key.Key_Return)
    assert user.current_step(window) == 3
    assert user.tab(window) == "Sharing"
    send_by(window, CAPTURE)
    yield lambda: "for the cleaned text" in verdict(window)
    assert verdict(window).startswith("7 leave in clear. ")
    assert "Would be posted, 8 redacted" in verdict(window)
    assert len(user.table(window, "Redacted")) == 8
    choose(window, "Level", "private")
    assert verdict(window).startswith("12 leave in clear. ")
    assert user.reads(window, "A private trace is uploaded like any other")()
    choose(window, "Level", "aggregated")
    user.set_number(window, "Threshold", 0.99)
    yield lambda: verdict(window).startswith("Would not be posted")
    assert not user.is_seen(window, QAbstractButton, "Copy Body")
    assert user.reads(window, "By capture: not posted")()
    send_by(window, CONTRIBUTE)
    assert "Would be posted" in verdict(window)
    user.set_number(window, "Threshold", 0.5)
    send_by(window, CAPTURE)
    yield lambda: "Would be posted" in verdict(window)


@pytest.mark.parametrize(
    ("way", "shown", "level"),
    [
        ("contribute", CONTRIBUTE, ()),
        ("capture", CAPTURE, ()),
        ("capture", CAPTURE, ("--level", "private")),
    ],
)
def test_the_body_is_copied_and_saved_as_the_command_line_writes_it(
    fake, tmp_path, way, shown, level
):
    path = tmp_path / "saved.json"
    whole = body_of_the_command_line(tmp_path, way, *level)
    window = yield from user.opened(SAMPLE, "--fresh", embedder=fake)
    trigger(window, "sharing")
    send_by(window, shown)
    if level:
        choose(window, "Level", level[-1])
    yield idle(window)
    user.press(window, "Copy Body")
    assert f"{QGuiApplication.clipboard().text()}\n".encode() == whole
    user.press(window, "Save Body…")
    yield from user.name_file(window, path)
    yield path.is_file
    yield user.reads(window, "saved.json was written; nothing in it is masked.")
    assert path.read_bytes() == whole
    unfold(window)
    assert list(json.loads(unfolded(window))) == list(json.loads(whole))


def test_nothing_is_saved_over_what_is_open(tmp_path):
    path = tmp_path / "trace.json"
    path.write_bytes(SAMPLE.read_bytes())
    window = yield from user.opened(path, "--fresh")
    trigger(window, "sharing")
    user.press(window, "Save Body…")
    yield from user.save_as(window, path, "trace.json is one of the files that were read")
    assert path.read_bytes() == SAMPLE.read_bytes()


def test_a_recording_has_no_body_before_its_outcome_is_stated():
    window = yield from user.opened(SAMPLES / "wool-prices.json", "--fresh", wide=True)
    trigger(window, "sharing")
    assert "Would not be posted" in verdict(window)
    assert user.reads(window, "does not say how the run ended; state it")()
    assert user.reads(window, "By neither way, as it is no trace yet.")()
    user.press(window, "Set Outcome…")
    state(window, "Yes", "0.9")
    yield lambda: "Would be posted" in verdict(window)
    assert user.is_seen(window, QAbstractButton, "Copy Body")


def test_copy_answer_gives_the_answer_of_the_tab(fake, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")  # what is copied is as wide as it is
    said = run("sharing", SAMPLE, "--fresh", "--as", "capture").out
    window = yield from user.opened(SAMPLE, "--fresh", embedder=fake)
    trigger(window, "sharing")
    send_by(window, CAPTURE)
    yield lambda: "for the cleaned text" in verdict(window)
    assert user.copied(window, "copy_answer") == said
    trigger(window, "why")
    assert user.copied(window, "copy_answer") != said


def test_no_secret_stands_whole_in_the_tab():
    window = yield from user.opened(SAMPLE, "--fresh")
    trigger(window, "sharing")
    tab = user.find(window, QWidget, "Sharing")
    unfold(window)
    for way in (CONTRIBUTE, CAPTURE):
        send_by(window, way)
        yield idle(window)
        said = [*user.texts(tab), unfolded(window), user.copied(window, "copy_answer")]
        tables = [one.accessibleName() for one in user.seen(tab, QTableView)]
        for name in tables:
            said += [cell for row in user.table(tab, name) for cell in row]
        assert len(tables) >= 4
        assert not [one for one in SECRETS if any(one in text for text in said)]


def test_what_is_no_trace_is_said_to_be_none_and_what_has_no_score_goes_out(tmp_path):
    (tmp_path / "a.json").write_text("{", encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(make_raw(outcome=None)), encoding="utf-8")
    window = yield from user.opened(tmp_path, "--fresh")
    trigger(window, "sharing")
    user.go_to_row(window, "a")
    assert user.reads(window, "This is no trace: nothing of it could be shared.")()
    user.go_to_row(window, "b")
    assert "Would be posted" in verdict(window)
    send_by(window, CAPTURE)
    assert user.reads(window, "the SDK throws an error while it scores")()
