"""Messages stay, one at a time, the newest first; trace text is never markup."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from kpinspector.ui.parts.message_bar import Message, MessageAction, MessageBar


@pytest.fixture
def bar(qtbot):
    made = MessageBar()
    qtbot.addWidget(made)
    made.resize(700, 200)
    return made


def rows(bar):
    """The messages that are shown, from top to bottom."""
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    found = [one for one in bar.findChildren(QWidget, options=direct) if one.isVisibleTo(bar)]
    return sorted((one for one in found if one.accessibleName()), key=QWidget.y)


def row_of(bar, text):
    return next(row for row in rows(bar) if row.accessibleName() == text)


def sentence(row):
    """The label in a row that says what there is to say."""
    return next(one for one in row.findChildren(QLabel) if row.accessibleName() in one.text())


def seen(bar):
    """The sentences from top to bottom, as shown."""
    return [row.accessibleName() for row in rows(bar)]


def counted(bar):
    """Which of how many messages is shown, as the button to the next says it."""
    found = [one.text() for one in bar.findChildren(QToolButton) if one.isVisibleTo(bar)]
    return [text for text in found if " of " in text]


def button(bar, row, name):
    found = row_of(bar, row).findChildren(QToolButton)
    return next(one for one in found if name in {one.text(), one.accessibleName()})


def test_without_messages_it_takes_no_room(bar):
    assert bar.isHidden()
    bar.show_message(Message("one"))
    assert not bar.isHidden()
    bar.close_message(bar.messages[0])
    assert bar.isHidden()


def test_one_is_shown_and_the_others_are_counted_and_not_lost(bar):
    for number in range(1_235):
        bar.show_message(Message(f"message {number}"))
    bar.show()
    assert seen(bar) == ["message 1234"] and counted(bar) == ["1 of 1,235"]
    assert bar.sizeHint().height() == rows(bar)[0].minimumHeight()
    button(bar, "message 1234", "1 of 1,235").click()
    assert seen(bar) == ["message 1233"] and counted(bar) == ["2 of 1,235"]
    bar.show_message(Message("the newest"))
    assert seen(bar) == ["the newest"] and counted(bar) == ["1 of 1,236"]


def test_behind_the_last_comes_the_first(bar):
    for text in ("one", "two"):
        bar.show_message(Message(text))
    button(bar, "two", "1 of 2").click()
    button(bar, "one", "2 of 2").click()
    assert seen(bar) == ["two"] and counted(bar) == ["1 of 2"]


def test_details_are_shown_when_they_are_asked_for(bar, qtbot):
    detail = "\n".join(f"/runs/{number}.json" for number in range(3)) + "\x07"
    bar.show_message(Message("3 paths are gone.", detail=detail))
    bar.show()
    row = row_of(bar, "3 paths are gone.")
    height = row.sizeHint().height()
    details = button(bar, "3 paths are gone.", "Details")
    qtbot.keyClick(details, Qt.Key.Key_Space)
    assert details.isChecked()
    lines = sentence(row).text().split("\n")
    assert lines[:2] == ["3 paths are gone.", "/runs/0.json"] and len(lines) == 4
    assert "\x07" not in lines[-1]
    assert sentence(row).heightForWidth(500) == pytest.approx(
        4 * sentence(row).fontMetrics().height(), abs=4
    )
    assert "/runs/2.json" in row.accessibleDescription()
    qtbot.waitUntil(lambda: row.height() > height)
    qtbot.keyClick(details, Qt.Key.Key_Space)
    assert sentence(row).text() == "3 paths are gone."
    bar.show_message(Message("All is well."))
    assert "Details" not in [one.text() for one in rows(bar)[0].findChildren(QToolButton)]


def test_closing_one_brings_back_the_next(bar, qtbot):
    messages = [Message(text) for text in ("one", "two", "three", "four")]
    for message in messages:
        bar.show_message(message)
    for text in ("four", "three", "two"):
        close = button(bar, text, "Close This Message")
        qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert seen(bar) == ["one"] and counted(bar) == []


def test_an_action_is_done_and_the_message_stays(bar, qtbot):
    done = []
    message = Message("2 of 40 files", (MessageAction("Show Them", lambda: done.append(1)),))
    bar.show_message(message)
    qtbot.keyClick(button(bar, "2 of 40 files", "Show Them"), Qt.Key.Key_Space)
    assert done == [1]
    assert bar.messages == (message,)


def test_a_key_replaces_and_no_key_does_not(bar):
    bar.show_message(Message("1 file", key="problems"))
    bar.show_message(Message("other"))
    bar.show_message(Message("other"))
    bar.show_message(Message("2 files", key="problems"))
    assert seen(bar) == ["2 files"] and counted(bar) == ["1 of 3"]


def test_markup_is_shown_as_it_stands(bar):
    bar.show_message(Message("<b>x</b> could not be read"))
    label = sentence(rows(bar)[0])
    assert label.textFormat() == Qt.TextFormat.PlainText
    interface = QAccessible.queryAccessibleInterface(label)
    assert interface.text(QAccessible.Text.Name) == "<b>x</b> could not be read"


def test_a_long_sentence_is_broken_and_not_cut(bar, qtbot):
    bar.resize(320, 400)
    bar.show_message(Message("a sentence that goes on and on " * 6))
    bar.show()
    label = sentence(rows(bar)[0])
    assert label.heightForWidth(label.width()) > 3 * label.fontMetrics().height()
    qtbot.waitUntil(lambda: label.height() >= label.heightForWidth(label.width()))
