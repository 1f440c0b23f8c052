"""What can be opened: dropped files and text, the clipboard, recent paths."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget
from typing_extensions import override

from kpinspector.app.documents import ListChange
from kpinspector.app.session import Session
from kpinspector.app.state import RecentPath
from kpinspector.app.values import Notice
from kpinspector.ui.actions.table import Command
from kpinspector.ui.commands import Desk, Part
from kpinspector.ui.controls.base import Drawing, Label, in_column, in_row, paint_box
from kpinspector.ui.look.marks import IconName, Shape, paint_icon, paint_state
from kpinspector.ui.look.plain_text import plain_tooltip
from kpinspector.ui.look.theme import Colours, TextRole, colours, scale
from kpinspector.ui.window.start_page import name_and_folder
from kpinspector.words.say import say

DESK_OPACITY = 0.64

_CARD_WIDTH, _CARD_PADDING, _GAP = 360, 24, 16
_ICON = 28
_EDGE = 2
_TARGET_TINT = 0.07
_JSON_STARTS = ("{", "[")
_TAKING = "taking"  # key of the notice that something cannot be opened


class DropCard(QWidget):
    """The card in the middle that says what a drop will do; style sheets know the class by name."""


class DropOverlay(QWidget):
    """A veil over the window during a drag; it takes no events, so the window gets the drop."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = parent
        self._refused = False
        self._card = DropCard(self)
        self._card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title, self._caption = Label(role=TextRole.NUMBER), Label(second=True)
        for label in (self._title, self._caption):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        sign = Drawing(QSize(_ICON, _ICON), self._paint_sign)
        signs = in_row(None, sign, None)
        self._column = in_column(signs, self._title, self._caption, on=self._card)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        parent.installEventFilter(self)
        self.hide()

    def say_of(self, title: str, caption: str, *, refused: bool) -> None:
        """Show what a drop would do; ``refused``: that nothing of it can be opened, and why."""
        self._refused = refused
        self._title.setText(title)
        self._caption.setText(caption)
        self.setAccessibleName(title)
        self.setAccessibleDescription(caption)
        self._cover()
        self.raise_()
        self.show()
        self.update()

    def _cover(self) -> None:
        metrics = self.fontMetrics()
        padding, gap = scale(_CARD_PADDING, metrics), scale(_GAP, metrics)
        self._column.setContentsMargins(padding, padding, padding, padding)
        self._title.setContentsMargins(0, gap, 0, gap // 2)
        self.setGeometry(self._covered.rect())
        width = min(scale(_CARD_WIDTH, metrics), max(0, self.width() - padding))
        card = QRect(0, 0, width, self._column.heightForWidth(width))
        card.moveCenter(self.rect().center())
        self._card.setGeometry(card)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._cover()
        return super().eventFilter(watched, event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        painter.fillRect(self.rect(), _veil(found.desk, DESK_OPACITY))
        if not self._refused:
            ground = _veil(found.accent, _TARGET_TINT)
            paint_box(painter, self.rect(), ground, found.accent, width=_EDGE)

    def _paint_sign(self, painter: QPainter, place: QRect, found: Colours) -> None:
        if self._refused:
            paint_state(painter, place, Shape.NOT_SCORABLE, found)
        else:
            paint_icon(painter, place, IconName.DOWNLOAD, found.accent)


def _veil(colour: QColor, opacity: float) -> QColor:
    veil = QColor(colour)
    veil.setAlphaF(opacity)
    return veil


@dataclass(frozen=True, slots=True)
class Offer:
    """What a drop or the clipboard offers to open, and why something is refused.

    Attributes:
        paths: Files and folders on this computer.
        text: JSON text, where there are no paths.
        refused: Why something cannot be opened; None if all can.
    """

    paths: tuple[str, ...] = ()
    text: str | None = None
    refused: str | None = None

    @property
    def taken(self) -> bool:
        """Whether there is anything to open."""
        return bool(self.paths) or self.text is not None

    @property
    def title(self) -> str:
        """The overlay's title: what a drop opens, in a few words."""
        if not self.taken:
            return say("This cannot be opened")
        if self.text is not None:
            return say("Open JSON text")
        if len(self.paths) == 1:
            return say("Open {name}", name=PurePath(self.paths[0]).name)
        return say("Open {number} files and folders", number=len(self.paths))

    @property
    def caption(self) -> str:
        """The overlay's caption: what happens after a drop, and why something is refused."""
        taken = say("Added to the list and scored") if self.taken else None
        return ". ".join(filter(None, (taken, self.refused)))


def offer_of(mime: QMimeData | None) -> Offer:
    """What dragged or pasted data offers; nothing is opened and nothing is fetched.

    A clipboard that nobody has filled has no formats at all.
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
    """Open what an offer holds; raise a notice about what is refused."""
    if offer.paths:
        session.opener.open(offer.paths)
    if offer.text is not None:
        session.open_text(offer.text)
    if offer.refused:
        session.board.raised.emit(Notice(offer.refused, key=_TAKING))
    elif offer.taken:
        session.board.settled.emit(_TAKING)


def paste(session: Session) -> None:
    """Open the contents of the clipboard."""
    take(session, offer_of(QGuiApplication.clipboard().mimeData()))


class DropFilter(QObject):
    """Handles drags anywhere over a window: shows what a drop would do, then calls ``take``."""

    def __init__(self, window: QWidget, take: Callable[[Offer], object]) -> None:
        super().__init__(window)
        self._take = take
        self._overlay = DropOverlay(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        for field in window.findChildren(QLineEdit):
            field.setAcceptDrops(False)  # else the field would insert the drop as text

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragMoveEvent():
                offer = offer_of(event.mimeData())
                self._overlay.say_of(offer.title, offer.caption, refused=not offer.taken)
                # a refused drag is accepted as it enters, so that its moves arrive here
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
    """Accept a drag as a copy: a move would delete the file at its source."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.setAccepted(taken)


class RecentMenu(Part):
    """Shows the recent paths in the menu and on the start page, and opens the chosen one."""

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
        if before != [one.path for one in recent]:  # else the menu may be open
            self._fill(recent)
        for entry, one in zip(self._menu.actions(), recent, strict=False):
            entry.setEnabled(not one.is_missing)
        self._actions[Command.OPEN_RECENT].setEnabled(bool(recent))

    def _fill(self, recent: Sequence[RecentPath]) -> None:
        self._menu.clear()
        for number, one in enumerate(recent, 1):
            words = "{} ({})".format(*name_and_folder(one.path)).replace("&", "&&")
            key = f"{str(number)[:-1]}&{number % 10}"  # the key is the number's last digit
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
