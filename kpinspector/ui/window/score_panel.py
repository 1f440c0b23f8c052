"""The score panel: the tabs Why, What-if, Neighbours and Sharing of one trace."""

from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QScrollBar, QStackedWidget, QWidget

from kpinspector.app.answers import explanation_of, is_long, is_looked_for, kept_changes
from kpinspector.app.document import Document
from kpinspector.app.values import Turn
from kpinspector.ui.controls.base import FlatButton, in_column, in_row
from kpinspector.ui.controls.views import PaneTabs
from kpinspector.ui.look.marks import IconName
from kpinspector.ui.panes import Do, Wish
from kpinspector.ui.panes.neighbours import NeighbourView
from kpinspector.ui.panes.sharing import SharingPage
from kpinspector.ui.panes.whatif import WhatIfPage
from kpinspector.ui.panes.why import WhyView
from kpinspector.ui.parts.sections import Header, SheetScroll
from kpinspector.words.explanation import Explanation
from kpinspector.words.say import say
from kpinspector.words.writers.explanation_text import explanation_cells

_TAB_INSET = 4
_BUTTON_INSET = 10


class Tab(StrEnum):
    """The tabs that are always there, from left to right."""

    WHY = "why"
    WHAT_IF = "what_if"
    NEIGHBOURS = "neighbours"
    SHARING = "sharing"


class ScorePanel(QWidget):
    """Why, What-if, Neighbours and Sharing of one document; it does not know the session."""

    wished = Signal(object)
    """A `Wish` to find the changes of a row, or to make the text for the clipboard."""
    page_changed = Signal()
    """Another tab is visible now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._explanation: Explanation | None = None
        self._why, self.what_if = WhyView(), WhatIfPage()
        self.neighbours, self.sharing = NeighbourView(), SharingPage()
        self.panes = (self._why, self.what_if, self.neighbours, self.sharing)
        self._step_page: QWidget | None = None
        self.last_tab: Tab | None = None
        self._pages = QStackedWidget()
        self.tabs = PaneTabs(say("Score"))
        self.tabs.setMinimumWidth(1)  # otherwise a narrow pane cuts them
        self._sheets = [
            SheetScroll(one, steady=True) for one in (self._why, self.neighbours, self.sharing)
        ]
        titles = (say("Why"), say("What-if"), say("Neighbours"), say("Sharing"))
        pages = (self._sheets[0], self.what_if, *self._sheets[1:])
        self._page_of: dict[Tab, QWidget] = dict(zip(Tab, pages, strict=True))
        for page, title in zip(pages, titles, strict=True):
            self._pages.addWidget(page)
            self.tabs.addTab(title)
            page.setAccessibleName(title)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._copy = FlatButton(IconName.COPY, name=say("Copy Answer"))
        self._copy.setEnabled(False)
        self._copy.clicked.connect(self.copy_answer)
        header = Header()
        in_row(self.tabs, None, self._copy, on=header, margins=(_TAB_INSET, 0, _BUTTON_INSET, 0))
        in_column(header, (self._pages, 1), on=self)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)

    def set_document(self, document: Document | None, turn: Turn | None = None) -> None:
        """Show a document's explanation as far as it is known; None for no document."""
        if document is not None and document is self._document:
            self.set_turn(turn)
            return
        before, self._document = self._document, document
        other = document is None or before is None or before.number != document.number
        self._explanation = (
            None if document is None else explanation_of(document, turn, kept_changes)
        )
        changes_wait = document is not None and is_looked_for(document)
        self._copy.setEnabled(document is not None)
        self._show_step_tab()
        self._why.set_explanation(self._explanation, changes_wait=changes_wait)
        self._show_neighbours()
        if other:
            for bar in self.scroll_bars():
                bar.setValue(0)
        if changes_wait:
            self.wished.emit(Wish(Do.FIND_CHANGES, document))

    def set_changes(self, document: Document) -> None:
        """Show the changes that would make a document pass, now that they are found."""
        if self._explanation is not None and self._document is document:
            self._why.set_changes(self._explanation)

    def set_turn(self, turn: Turn | None) -> None:
        """Say when the shown document will be scored, if it waits for that."""
        shown = self._explanation
        if shown is not None and shown.pending and shown.turn != turn:
            self._explanation = replace(shown, turn=turn)
            self._why.set_turn(self._explanation)

    @property
    def verdict(self) -> str:
        """The verdict as part of a sentence; "" without a document."""
        return "" if self._explanation is None else self._explanation.phrase

    def copy_answer(self) -> None:
        """Copy the explanation as text; on the tabs What-if and Sharing copy their answers."""
        text = self.what_if.text() if self.tab is Tab.WHAT_IF else ""
        text = self.sharing.answer if self.tab is Tab.SHARING else text
        if self._explanation is None or self._document is None:
            return
        if not text and is_long(self._document):
            self.wished.emit(Wish(Do.COPY, self._explanation))
        else:
            QGuiApplication.clipboard().setText(text or explanation_cells(self._explanation))

    def set_step_page(self, page: QWidget | None) -> None:
        """Add the step's page as the first tab, named by its window title; None removes it."""
        if page is self._step_page:
            return
        with QSignalBlocker(self.tabs):
            if self._step_page is not None:
                self._step_page.windowTitleChanged.disconnect(self._on_step_titled)
                self.tabs.removeTab(0)
                self._pages.removeWidget(self._step_page)
            self._step_page = page
            if page is not None:
                self.tabs.insertTab(0, page.windowTitle())
                self._pages.insertWidget(0, page)
                page.windowTitleChanged.connect(self._on_step_titled)
        self.tabs.updateGeometry()  # not done by Qt while they are hidden
        self._show_step_tab()
        self._on_tab_changed(self.tabs.currentIndex())

    def show_step(self) -> None:
        """Go to the step's tab, if it is visible."""
        if self._step_page is not None and self.tabs.isTabVisible(0):
            self.tabs.setCurrentIndex(0)

    def scroll_bars(self) -> tuple[QScrollBar, ...]:
        """The scroll bars of the tabs' pages."""
        return tuple(one.verticalScrollBar() for one in (self.what_if.sheet, *self._sheets))

    @property
    def tab(self) -> Tab | None:
        """The current tab; None if it is the step's."""
        page = self._pages.currentWidget()
        return next((one for one in Tab if self._page_of[one] is page), None)

    def show_tab(self, tab: Tab) -> None:
        """Go to a tab."""
        self.tabs.setCurrentIndex(self._pages.indexOf(self._page_of[tab]))

    def leave_what_if(self) -> None:
        """Go to the Why tab from What-if; a step's tab stays."""
        self.last_tab = Tab.WHY
        if self.tab is Tab.WHAT_IF:
            self.show_tab(Tab.WHY)

    def _show_step_tab(self) -> None:
        """Show the step's tab only if the row holds a trace."""
        shown = self._document is not None and self._document.record is not None
        if self._step_page is not None and self.tabs.isTabVisible(0) != shown:
            self.tabs.setTabVisible(0, shown)  # done twice, Qt forgets the new width
            self.tabs.updateGeometry()

    def _on_step_titled(self, title: str) -> None:
        self.tabs.setTabText(0, title)

    def _show_neighbours(self) -> None:
        """Show the neighbours only in their tab: they take half as long as all the rest."""
        if self.tab is Tab.NEIGHBOURS:
            self.neighbours.set_explanation(self._explanation)

    def _on_tab_changed(self, index: int) -> None:
        self._pages.setCurrentIndex(index)
        self._show_neighbours()
        self.last_tab = self.tab or self.last_tab
        self._copy.setVisible(self.tab is not None)
        self.page_changed.emit()
