"""Drag and drop, and what the clipboard offers: files, JSON text, or nothing to open."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.parts.drop_overlay import DropOverlay, DropTarget
from kpinspector.words.say import say

_JSON_STARTS = ("{", "[")
_GAP = 6  # the gutter between panes
_LONGEST_NAME = 40


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
    def is_file(self) -> bool:
        """Whether it is one file, and nothing else."""
        return len(self.paths) == 1 and self.refused is None and not Path(self.paths[0]).is_dir()

    @property
    def title(self) -> str:
        """What a drop does, in a few words."""
        if self.text is not None:
            return say("Open JSON text")
        if len(self.paths) == 1:
            return say("Open {name}", name=PurePath(self.paths[0]).name)
        return say("Open {number} files and folders", number=len(self.paths))

    @property
    def caption(self) -> str:
        """What follows a drop."""
        if not self.taken:
            return self.refused or ""
        taken = say("Added to the list and scored")
        return f"{taken}. {self.refused}" if self.refused else taken


@dataclass(frozen=True, slots=True)
class Beside:
    """A trace that a file can be compared with, and the part of the window where that is done."""

    name: str
    place: QRect


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


class DropFilter(QObject):
    """Takes drags anywhere on a window: says what a drop would do, then what was dropped.

    While a trace is shown, a single file has a second place: beside it, to be compared.

    Args:
        window: All of it is watched.
        beside: Gives what a file can be compared with now; None for nothing.
    """

    dropped = Signal(object)
    compare_dropped = Signal(str)
    """The path of the file that was dropped beside the trace."""

    def __init__(self, window: QWidget, beside: Callable[[], Beside | None]) -> None:
        super().__init__(window)
        self._window = window
        self._beside = beside
        self._overlay = DropOverlay(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        for field in window.findChildren(QLineEdit):
            field.setAcceptDrops(False)  # or it would take the drop as text

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragEnterEvent():
                self._show(offer_of(event.mimeData()), event)
                _accept(event)  # a refusal is shown, so the drag goes on
            case QDragMoveEvent():
                offer = offer_of(event.mimeData())
                self._show(offer, event)
                _accept(event, taken=offer.taken)
            case QDragLeaveEvent():
                self._overlay.clear()
            case QDropEvent():
                self._overlay.clear()
                _accept(event)
                offer = offer_of(event.mimeData())
                if self._compares(offer, event):
                    self.compare_dropped.emit(offer.paths[0])
                else:
                    self.dropped.emit(offer)
            case _:
                return False
        return True

    def _show(self, offer: Offer, event: QDropEvent) -> None:
        beside = self._beside() if offer.is_file else None
        if not offer.taken:
            self._overlay.show_refusal(say("This cannot be opened"), offer.caption)
        elif beside is None:
            target = DropTarget(self._window.rect(), offer.title, offer.caption)
            self._overlay.show_targets((target,), 0)
        else:
            place = beside.place
            room = QRect(0, place.top(), place.left() - _GAP, place.height())
            title = say("Compare with {beside}", beside=one_line(beside.name, _LONGEST_NAME))
            caption = say("Side by side, nothing is added")
            targets = (
                DropTarget(room, offer.title, offer.caption),
                DropTarget(place, title, caption, IconName.COMPARE),
            )
            self._overlay.show_targets(targets, int(self._compares(offer, event)))

    def _compares(self, offer: Offer, event: QDropEvent) -> bool:
        beside = self._beside() if offer.is_file else None
        return beside is not None and beside.place.contains(event.position().toPoint())


def _accept(event: QDropEvent | QDragEnterEvent | QDragMoveEvent, *, taken: bool = True) -> None:
    """Take a copy, whatever is offered: a move would delete it where it comes from."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.setAccepted(taken)
