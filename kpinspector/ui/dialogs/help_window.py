"""The help: pages in Markdown that come with the program, read without a network, and searched."""

import re

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QPalette, QTextCursor, QTextDocument
from PySide6.QtWidgets import QDialog, QFrame, QListWidget, QTextBrowser, QWidget
from typing_extensions import override

from kpinspector.files import resources
from kpinspector.ui.controls.base import in_column, in_row
from kpinspector.ui.controls.fields import SearchField
from kpinspector.ui.look.theme import colours, follow_zoom, scale
from kpinspector.ui.parts.sections import SIDE
from kpinspector.words.say import say

_SIZE = (860, 640)
_LIST_ROOM = 24
_GAP = 12
_ROW_GAP = 2
_FIRST = "index.md"
# the pages of those that have the focus, by their classes
PAGES = {
    "TracePane": "traces.md",
    "StepPane": "steps.md",
    "WhatIfPage": "what-if.md",
    "NeighbourView": "neighbours.md",
    "SharingPage": "sharing.md",
    "WhyView": "why.md",
    "ComparePane": "compare.md",
    "BatchPage": "batch.md",
    "ChosenPage": "batch.md",
    "StartPage": "first-steps.md",
}


def page_of(widget: QWidget | None) -> str:
    """The page of the pane that a widget is in; of tabs and heads, that of what they show."""
    while widget is not None and not widget.isWindow():
        for one in (widget, *widget.findChildren(QWidget)):
            if one.isVisible() and (page := PAGES.get(type(one).__name__)):
                return page
        widget = widget.parentWidget()
    return _FIRST


class _Browser(QTextBrowser):
    """Shows the pages of one folder, and opens nothing else."""

    @override
    def loadResource(self, type: int, name: QUrl | str) -> str | QImage | None:
        path = resources() / "help" / QUrl(name).fileName()
        if path.suffix == ".png":
            shade = "dark" if colours(self.palette()).dark else "light"
            picture = QImage(str(path.with_name(path.name.replace("light", shade))))
            width = min(picture.width(), self.viewport().width() - _LIST_ROOM)
            return picture.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        return path.read_text(encoding="utf-8") if path.suffix == ".md" else None


class HelpWindow(QDialog):
    """All pages beside the one that is read. Never modal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(say("Help"))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        folder = resources() / "help"
        names = (_FIRST, *re.findall(r"\((\S+\.md)\)", (folder / _FIRST).read_text("utf-8")))
        self._texts = {name: (folder / name).read_text(encoding="utf-8") for name in names}
        search = SearchField(say("Search all pages"))
        self._list, self._page = QListWidget(), _Browser()
        self._list.setAccessibleName(say("Pages"))
        self._page.setAccessibleName(say("Page"))
        for view in (self._list, self._page):
            view.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setSpacing(_ROW_GAP)
        self._list.addItems([text.split("\n", 1)[0].lstrip("# ") for text in self._texts.values()])
        views = in_row(self._list, (self._page, 1), spacing=_GAP)
        in_column(search, (views, 1), on=self, spacing=_GAP)
        search.textChanged.connect(self._on_search_changed)
        self._list.currentRowChanged.connect(self._on_row_changed)
        self._page.sourceChanged.connect(
            lambda url: self._list.setCurrentRow(names.index(url.fileName()))
        )
        follow_zoom(self, HelpWindow._make_room)

    def show_page(self, name: str) -> None:
        """Show a page of the help."""
        self._page.setSource(QUrl(name), QTextDocument.ResourceType.MarkdownResource)
        self._page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_row_changed(self, row: int) -> None:
        if (name := [*self._texts][row]) != self._page.source().fileName():
            self._page.setSource(QUrl(name), QTextDocument.ResourceType.MarkdownResource)

    def _on_search_changed(self, text: str) -> None:
        """List the pages that hold all words; show the first, at the first of them."""
        words = text.casefold().split()
        for row, page in enumerate(self._texts.values()):
            self._list.item(row).setHidden(not all(one in page.casefold() for one in words))
        shown = [row for row in range(self._list.count()) if not self._list.item(row).isHidden()]
        if words and shown:
            self._list.setCurrentRow(shown[0])
            self._page.moveCursor(QTextCursor.MoveOperation.Start)
            self._page.find(words[0])

    def _make_room(self) -> None:
        metrics = self.fontMetrics()
        self.resize(*(scale(side, metrics) for side in _SIZE))
        self._list.setFixedWidth(self._list.sizeHintForColumn(0) + scale(_LIST_ROOM, metrics))
        self.setContentsMargins(*(scale(SIDE, metrics),) * 4)
