"""What a drag or the clipboard offers: files, JSON text, or nothing that can be taken."""

import sys
from dataclasses import dataclass
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from kpinspector.ui.drop_overlay import DropOverlay, DropTarget

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_TR = QCoreApplication.translate
_JSON_STARTS = ("{", "[")


@dataclass(frozen=True, slots=True)
class Offer:
    """What would be opened, and what would not.

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
        """There is something to open."""
        return bool(self.paths) or self.text is not None

    @property
    def title(self) -> str:
        """What a drop does, in a few words."""
        if self.text is not None:
            return _TR("Dropping", "Open JSON text")
        if len(self.paths) == 1:
            return _TR("Dropping", "Open {0}").format(PurePath(self.paths[0]).name)
        return _TR("Dropping", "Open {0} files and folders").format(len(self.paths))

    @property
    def caption(self) -> str:
        """What follows from a drop."""
        if not self.taken:
            return self.refused or ""
        taken = _TR("Dropping", "Added to the list and scored")
        return f"{taken}. {self.refused}" if self.refused else taken


def offer_of(mime: QMimeData) -> Offer:
    """Look at what is dragged or pasted; nothing is opened and nothing is fetched."""
    if mime.hasUrls():
        urls = mime.urls()
        paths = tuple(url.toLocalFile() for url in urls if url.isLocalFile())
        remote = _TR("Dropping", "kpinspector uses no network: save web addresses as files first")
        return Offer(paths, refused=None if len(paths) == len(urls) else remote)
    text = mime.text() if mime.hasText() else ""
    start = text[:4096].lstrip("\ufeff \t\r\n")
    if start.startswith(_JSON_STARTS):
        return Offer(text=text)
    if start.lower().startswith(("http://", "https://")):
        return Offer(refused=_TR("Dropping", "kpinspector uses no network: save the page first"))
    return Offer(refused=_TR("Dropping", "Only files, folders and JSON text can be opened"))


class DropFilter(QObject):
    """Takes drags anywhere on a window: says what a drop would do, then what was dropped."""

    dropped = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._overlay = DropOverlay(window)
        window.setAcceptDrops(True)
        window.installEventFilter(self)
        for field in window.findChildren(QLineEdit):
            field.setAcceptDrops(False)  # or it would take the drop as text

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragEnterEvent():
                self._show(offer_of(event.mimeData()))
                event.acceptProposedAction()  # a refusal is shown, so the drag goes on
            case QDragMoveEvent():
                event.setAccepted(offer_of(event.mimeData()).taken)
            case QDragLeaveEvent():
                self._overlay.clear()
            case QDropEvent():
                self._overlay.clear()
                event.acceptProposedAction()
                self.dropped.emit(offer_of(event.mimeData()))
            case _:
                return False
        return True

    def _show(self, offer: Offer) -> None:
        if offer.taken:
            target = DropTarget(self._window.rect(), offer.title, offer.caption)
            self._overlay.show_targets((target,), 0)
        else:
            self._overlay.show_refusal(self.tr("This cannot be opened"), offer.caption)
