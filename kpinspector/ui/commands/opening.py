"""What can be opened: dropped, on the clipboard, or opened lately."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
)
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget
from typing_extensions import override

from kpinspector.app.documents import ListChange
from kpinspector.app.session import Session
from kpinspector.app.state import RecentPath
from kpinspector.app.values import Notice
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands import Desk, Part
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.parts.drop_overlay import DropOverlay
from kpinspector.ui.window.start_page import name_and_folder
from kpinspector.words.say import say

_JSON_STARTS = ("{", "[")
_TAKING = "taking"  # the key of what was not taken


@dataclass(frozen=True, slots=True)
class Offer:
    """What a drop would open, and what it would not.

    Attributes:
        paths: Files and folders on this computer.
        text: JSON text, when there are no paths.
        refused: Why something is not taken; None when all of it is.
    """

    paths: tuple[str, ...] = ()
    text: str | None = None
    refused: str | None = None

    @property
    def taken(self) -> bool:
        """Whether there is something to open."""
        return bool(self.paths) or self.text is not None

    @property
    def title(self) -> str:
        """What a drop does, in a few words."""
        if not self.taken:
            return say("This cannot be opened")
        if self.text is not None:
            return say("Open JSON text")
        if len(self.paths) == 1:
            return say("Open {name}", name=PurePath(self.paths[0]).name)
        return say("Open {number} files and folders", number=len(self.paths))

    @property
    def caption(self) -> str:
        """What follows a drop."""
        taken = say("Added to the list and scored") if self.taken else None
        return ". ".join(filter(None, (taken, self.refused)))


def offer_of(mime: QMimeData | None) -> Offer:
    """The offer in dragged or pasted data; nothing is opened and nothing is fetched.

    A clipboard that nobody has filled has no contents at all.
    """
    if mime is None or not mime.formats():
        return Offer(refused=say("There is nothing on the clipboard"))
    if mime.hasUrls():
        urls = mime.urls()
        paths = tuple(url.toLocalFile() for url in urls if url.isLocalFile())
        remote = say("kpinspector uses no network: save web addresses as files first")
        return Offer(paths, refused=None if len(paths) == len(urls) else remote)
    text = mime.text() if mime.hasText() else ""
    start = text[:4096].lstrip("\ufeff \t\r\n")
    if start.startswith(_JSON_STARTS):
        return Offer(text=text)
    if start.lower().startswith(("http://", "https://")):
        return Offer(refused=say("kpinspector uses no network: save the page first"))
    return Offer(refused=say("Only files, folders and JSON text can be opened"))


def take(session: Session, offer: Offer) -> None:
    """Open what was dropped or pasted; tell what is not taken."""
    if offer.paths:
        session.opener.open(offer.paths)
    if offer.text is not None:
        session.open_text(offer.text)
    if offer.refused:
        session.board.raised.emit(Notice(offer.refused, key=_TAKING))
    elif offer.taken:
        session.board.settled.emit(_TAKING)


def paste(session: Session) -> None:
    """Open what is on the clipboard."""
    take(session, offer_of(QGuiApplication.clipboard().mimeData()))


class DropFilter(QObject):
    """Takes drags anywhere on a window: says what a drop would do, then what was dropped."""

    def __init__(self, window: QWidget, take: Callable[[Offer], object]) -> None:
        super().__init__(window)
        self._take = take
        self._overlay = DropOverlay(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        for field in window.findChildren(QLineEdit):
            field.setAcceptDrops(False)  # or it would take the drop as text

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragMoveEvent():
                offer = offer_of(event.mimeData())
                self._overlay.say_of(offer.title, offer.caption, refused=not offer.taken)
                # a refusal is shown, so a drag that comes in goes on
                _accept(event, taken=offer.taken or isinstance(event, QDragEnterEvent))
            case QDragLeaveEvent():
                self._overlay.hide()
            case QDropEvent():
                self._overlay.hide()
                _accept(event)
                self._take(offer_of(event.mimeData()))
            case _:
                return False
        return True


def _accept(event: QDropEvent, *, taken: bool = True) -> None:
    """Take a copy, whatever is offered: a move would delete it where it comes from."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.setAccepted(taken)


class RecentMenu(Part):
    """Shows the session's recent paths in both places, and opens the chosen one."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        session, self._start = desk.session, desk.frame.start
        self._menu = QMenu(desk.window)
        self._menu.setToolTipsVisible(True)
        self._actions[Command.OPEN_RECENT].setMenu(self._menu)
        self._menu.aboutToShow.connect(session.look_up_recent)
        self._start.clear.clicked.connect(session.history.clear)
        session.history.recent_changed.connect(self._show)
        session.store.changed.connect(self._on_list_changed)
        self._show(session.history.recent)
        self._look_up()

    def _show(self, recent: Sequence[RecentPath]) -> None:
        self._start.set_recent(recent)
        before = [one.data() for one in self._menu.actions() if one.data()]
        if before != [one.path for one in recent]:  # else it may be open
            self._fill(recent)
        for entry, one in zip(self._menu.actions(), recent, strict=False):
            entry.setEnabled(not one.is_missing)
        self._actions[Command.OPEN_RECENT].setEnabled(bool(recent))

    def _fill(self, recent: Sequence[RecentPath]) -> None:
        self._menu.clear()
        for number, one in enumerate(recent, 1):
            words = "{} ({})".format(*name_and_folder(one.path)).replace("&", "&&")
            key = f"{str(number)[:-1]}&{number % 10}"  # its last digit chooses it
            entry = self._menu.addAction(f"{key} {words}")
            entry.setToolTip(plain_tooltip(one.path))
            entry.setData(one.path)
            entry.triggered.connect(lambda _, path=one.path: self._session.opener.open([path]))
        self._menu.addSeparator()
        self._menu.addAction(say("&Clear")).triggered.connect(self._session.history.clear)

    def _on_list_changed(self, change: ListChange) -> None:
        if change.removed and not len(self._session.store):
            self._look_up()

    def _look_up(self) -> None:
        self._session.look_up_recent()
        self._session.look_here(self._start.set_here)
