"""A bug reaches a dialog from any thread, and its report holds no trace text."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget

from kpinspector import __version__
from kpinspector.batch.child import Child, ChildError
from kpinspector.files import read_own
from kpinspector.ui.dialogs.help import CrashDialog, Crashes, report_of
from tests import user
from tests.batch.test_child import failing
from tests.known import present

SECRET = "the patient is called"


def raised():
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise ValueError(f"{SECRET} {error}") from error
    except ValueError as error:
        return error


@pytest.fixture
def heard(monkeypatch):
    """What came to the hook before."""
    found = []
    monkeypatch.setattr(sys, "excepthook", lambda *args: found.append(args))
    return found


@pytest.fixture
def crashes(qtbot, heard):
    window = QWidget()
    qtbot.addWidget(window)
    made = Crashes(window)
    yield made
    made.uninstall()


def dialog_of(crashes, qtbot):
    qtbot.waitUntil(lambda: len(dialogs(crashes)) == 1)
    return dialogs(crashes)[0]


def dialogs(crashes):
    """The reports that are seen over the window."""
    return user.seen(crashes.parent(), CrashDialog)


def test_a_report_has_versions_frames_and_types_but_no_values():
    report = report_of(raised())
    assert f"kpinspector {__version__}" in report
    assert "PySide6" in report
    assert "tests/ui/test_crash.py" in report
    assert "in raised" in report
    assert report.index("KeyError") < report.index("ValueError")
    assert SECRET not in report


def test_the_cause_in_another_process_is_told_without_its_values():
    with Child(failing, limit=100.0) as child, pytest.raises(ChildError) as caught:
        child.result()
    report = report_of(caught.value)
    assert report.index("in failing") < report.index("ValueError") < report.index("ChildError")
    assert "tests/batch/test_child.py, line" in report and "no such number" in str(caught.value)
    assert "no such number" not in report.replace('raise ValueError("no such number")', "")


def test_files_are_named_without_the_users_folders():
    with pytest.raises(FileNotFoundError) as caught:
        read_own(Path("/home/someone/gone"))
    assert "  kpinspector/files.py, line" in report_of(caught.value)
    code = compile("1 / 0", "/home/someone/venv/lib/site-packages/x/y.py", "exec")
    with pytest.raises(ZeroDivisionError) as installed:
        exec(code)
    assert "  site-packages/x/y.py, line" in report_of(installed.value)


def test_a_bug_opens_a_dialog_and_the_hook_before_hears_it_too(crashes, heard, qtbot):
    error = raised()
    sys.excepthook(type(error), error, error.__traceback__)
    dialog = dialog_of(crashes, qtbot)
    assert "ValueError" in dialog.report
    assert len(heard) == 1


def test_a_bug_on_another_thread_is_shown_on_the_gui_thread(crashes, qtbot, monkeypatch):
    shown_on = []
    show = CrashDialog.showEvent
    monkeypatch.setattr(
        CrashDialog,
        "showEvent",
        lambda self, event: (shown_on.append(QThread.currentThread()), show(self, event)),
        raising=False,
    )
    error = raised()
    worker = threading.Thread(target=lambda: sys.excepthook(type(error), error, None))
    worker.start()
    worker.join()
    dialog = dialog_of(crashes, qtbot)
    assert shown_on == [dialog.thread()]


def test_after_closing_the_next_bug_is_shown_again(crashes, qtbot):
    error = raised()
    sys.excepthook(type(error), error, error.__traceback__)
    dialog = dialog_of(crashes, qtbot)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialogs(crashes) == []
    sys.excepthook(type(error), error, error.__traceback__)
    assert dialog_of(crashes, qtbot) is not dialog


def test_of_many_bugs_the_last_are_kept_and_the_rest_is_counted(qtbot):
    dialog = CrashDialog("bug 1\n")
    qtbot.addWidget(dialog)
    for number in range(2, 21):
        dialog.add_report(f"bug {number}\n")
    assert dialog.report.startswith("bug 1\n") and "left out" not in dialog.report
    for number in range(21, 1501):
        dialog.add_report(f"bug {number}\n")
    lines = dialog.report.split()
    assert [lines[at + 1] for at, word in enumerate(lines) if word == "bug"] == [
        str(number) for number in range(1481, 1501)
    ]
    assert "left out before them: 1,480." in dialog.report
    assert any("1,500 things went wrong" in one.text() for one in dialog.findChildren(QLabel))
    assert len(dialog.report) < 1000


def test_a_report_of_endless_recursion_is_bounded():
    def deeper(number):
        try:
            raise ValueError(number)
        except ValueError:
            deeper(number + 1)

    with pytest.raises(RecursionError) as caught:
        deeper(0)
    assert len(report_of(caught.value)) < 500_000


def test_control_c_is_no_bug(crashes, heard, qtbot):
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    qtbot.wait(0)
    assert dialogs(crashes) == []
    assert len(heard) == 1


def test_the_report_is_copied_whole_and_cannot_be_changed(qtbot):
    dialog = CrashDialog(report_of(raised()))
    qtbot.addWidget(dialog)
    dialog.show()
    assert present(dialog.findChild(QPlainTextEdit)).isReadOnly()
    copy = next(b for b in dialog.findChildren(QPushButton) if "Copy" in b.text())
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == dialog.report
    assert dialog.isVisible()
