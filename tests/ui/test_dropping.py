"""What a drag offers, and what covers the window and says so."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

from kpinspector.ui.commands.opening import DESK_OPACITY, DropFilter, DropOverlay, offer_of
from kpinspector.ui.look.theme import colours, set_palette
from tests.known import present
from tests.ui.windows import exposed
from tests.user import ENTERING

NO_KEY = Qt.KeyboardModifier.NoModifier


def mime(*urls, text=None):
    data = QMimeData()
    if urls:
        data.setUrls([QUrl(url) for url in urls])
    if text is not None:
        data.setText(text)
    return data


def test_files_and_folders(tmp_path):
    one = offer_of(mime(f"file://{tmp_path}/a.json"))
    assert one.paths == (f"{tmp_path}/a.json",) and one.taken and one.refused is None
    assert one.title == "Open a.json"
    assert offer_of(mime("file:///a", "file:///b")).title == "Open 2 files and folders"


def test_web_addresses_are_refused_beside_files():
    both = offer_of(mime("file:///a.json", "https://example.org/b.json"))
    assert both.paths == ("/a.json",) and "no network" in present(both.refused)
    assert "no network" in both.caption
    alone = offer_of(mime("http://example.org/b.json"))
    assert not alone.taken and "no network" in alone.caption


@pytest.mark.parametrize("text", ['{"a": 1}', "\ufeff [1]", "\r\n\t{"])
def test_json_text(text):
    assert present(offer_of(mime(text=text)).text).strip("\ufeff") == text.strip("\ufeff")


@pytest.mark.parametrize(
    ("text", "why"), [("HTTPS://example.org", "no network"), ("hello", "JSON text"), ("", "JSON")]
)
def test_other_text_is_refused(text, why):
    offer = offer_of(mime(text=text))
    assert not offer.taken and why in present(offer.refused)


@pytest.fixture
def window(qtbot):
    window = QWidget()
    QVBoxLayout(window).addWidget(QLineEdit())
    window.resize(400, 300)
    qtbot.addWidget(window)
    window.show()
    return window


def send(window, kind, data, x=5, actions=Qt.DropAction.CopyAction, keys=NO_KEY):
    buttons = Qt.MouseButton.LeftButton
    at = ENTERING(x, 50) if kind in (QDragEnterEvent, QDragMoveEvent) else QPointF(x, 50)
    event = kind(at, actions, data, buttons, keys)
    QApplication.sendEvent(window, event)
    return event


def test_a_drag_is_shown_and_a_drop_handed_over(qtbot, window):
    got = []
    DropFilter(window, got.append)
    overlay = window.findChild(DropOverlay)
    data = mime("file:///a.json")
    assert send(window, QDragEnterEvent, data).isAccepted()
    assert overlay.isVisible() and overlay.accessibleName() == "Open a.json"
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not overlay.isVisible()
    send(window, QDragEnterEvent, data)
    send(window, QDropEvent, data)
    assert not overlay.isVisible()
    assert [offer.paths for offer in got] == [("/a.json",)]


def test_what_is_dropped_stays_where_it_comes_from(window):
    DropFilter(window, lambda _: None)
    actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction | Qt.DropAction.LinkAction
    data = mime("file:///a.json")
    for kind in (QDragEnterEvent, QDragMoveEvent, QDropEvent):
        event = send(window, kind, data, 5, actions, Qt.KeyboardModifier.ShiftModifier)
        assert event.proposedAction() == Qt.DropAction.MoveAction
        assert event.isAccepted() and event.dropAction() == Qt.DropAction.CopyAction


def test_fields_do_not_swallow_a_drop(window):
    DropFilter(window, lambda _: None)
    assert not window.findChild(QLineEdit).acceptDrops()


@pytest.fixture
def covered(qtbot, qapp):
    set_palette(qapp, dark=False)
    return exposed(qtbot, QWidget(), 900, 600)


def test_it_covers_all_of_the_window_and_follows_it(covered):
    overlay = DropOverlay(covered)
    assert overlay.isHidden()
    overlay.say_of("Open a.json", "Added", refused=False)
    assert overlay.geometry() == covered.rect()
    covered.resize(1000, 700)
    assert overlay.geometry() == covered.rect()
    overlay.hide()
    assert overlay.isHidden()


def test_what_lies_below_still_gets_the_events(covered):
    button = QPushButton("x", covered)
    button.setGeometry(10, 10, 80, 30)
    button.show()
    overlay = DropOverlay(covered)
    overlay.say_of("Open a.json", "Added", refused=False)
    assert covered.childAt(QPoint(20, 20)) is button
    assert overlay.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_the_window_has_an_edge_in_the_accent(covered, qapp):
    overlay = DropOverlay(covered)
    overlay.say_of("Open a.json", "Added", refused=False)
    image = covered.grab().toImage()
    down = {image.pixelColor(1, y).name() for y in range(50, 550)}
    assert down == {colours(qapp.palette()).accent.name()}


def test_a_refusal_has_no_accent(covered, qapp):
    overlay = DropOverlay(covered)
    overlay.say_of("A picture cannot be opened", "Drop JSON files", refused=True)
    image = covered.grab().toImage()
    accent = colours(qapp.palette()).accent.name()
    assert accent not in {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    }
    assert image.pixelColor(covered.rect().center()) != image.pixelColor(5, 5)


def test_the_desk_veils_the_window(covered, qapp):
    sheet = QWidget(covered)
    sheet.setGeometry(covered.rect())
    sheet.setAutoFillBackground(True)
    black = sheet.palette()
    black.setColor(sheet.backgroundRole(), QColor("black"))
    sheet.setPalette(black)
    sheet.show()
    DropOverlay(covered).say_of("", "", refused=True)
    seen = covered.grab().toImage().pixelColor(3, 3)
    desk = colours(qapp.palette()).desk
    assert seen.red() == pytest.approx(desk.red() * DESK_OPACITY, abs=2)
