"""The score panel: Why, What-if, Neighbours and Sharing of one trace, each in a tab."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QScrollBar, QStackedWidget, QWidget

from kpinspector.app.answers import explanation_of
from kpinspector.app.document import Document
from kpinspector.app.progress import Turn
from kpinspector.app.whatif import is_long, is_looked_for, kept_changes
from kpinspector.ui.controls.base import FlatButton, in_column, in_row
from kpinspector.ui.controls.views import PaneTabs
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.neighbours.neighbour_view import NeighbourView
from kpinspector.ui.parts.column_page import SheetScroll
from kpinspector.ui.parts.sections import Header
from kpinspector.ui.score.score_tables import NeighboursWish, StepWish, TryWish
from kpinspector.ui.score.why_view import WhyView
from kpinspector.ui.sharing.sharing_page import SharingPage
from kpinspector.ui.whatif.whatif_page import WhatIfPage
from kpinspector.words.explanation import Explanation
from kpinspector.words.say import say
from kpinspector.words.writers.explanation_text import explanation_cells

_TAB_INSET = 4
_BUTTON_INSET = 10


class ScorePanel(QWidget):
    """Why, What-if, Neighbours and Sharing of one document; it knows no session."""

    step_wanted = Signal(object)
    """The index of a step that a score rests on."""
    try_wanted = Signal(object)
    """A `Scenario` that is to be tried."""
    changes_wanted = Signal(object)
    """What would change the score of a `Document` takes long to find."""
    answer_wanted = Signal(object)
    """An `Explanation` is to be copied, and takes long to write."""
    page_changed = Signal()
    """Another tab came to be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document: Document | None = None
        self._explanation: Explanation | None = None
        self._why = WhyView()
        self._why.wished.connect(self._on_wished)
        self.what_if = WhatIfPage()
        self.neighbours = NeighbourView()
        self.sharing = SharingPage()
        self._step_page: QWidget | None = None
        self._last_page: QWidget | None = None
        self._pages = QStackedWidget()
        self._why_page = SheetScroll(self._why, steady=True)
        self._neighbour_page = SheetScroll(self.neighbours, steady=True)
        self._sharing_page = SheetScroll(self.sharing, steady=True)
        self.tabs = PaneTabs(say("Score"))
        for title, page in (
            (say("Why"), self._why_page),
            (say("What-if"), self.what_if),
            (say("Neighbours"), self._neighbour_page),
            (say("Sharing"), self._sharing_page),
        ):
            self._pages.addWidget(page)
            self.tabs.addTab(title)
            page.setAccessibleName(title)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._copy = FlatButton(IconName.COPY, name=say("Copy Answer"))
        self._copy.setEnabled(False)
        self._copy.clicked.connect(self.copy_answer)
        in_column(_Header(self.tabs, self._copy), (self._pages, 1), on=self)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)

    def set_document(self, document: Document | None, turn: Turn | None = None) -> None:
        """Show the answer for a document, as far as it is known; None for none."""
        if document is not None and document is self._document:
            self.set_turn(turn)
            return
        other = document is None or self._number() != document.number
        self._document = document
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
            self.changes_wanted.emit(document)

    def set_changes(self, document: Document) -> None:
        """What would change the score of a document is known now."""
        if self._explanation is not None and self._document is document:
            self._why.set_changes(self._explanation)

    def set_turn(self, turn: Turn | None) -> None:
        """Say when the shown document is scored, if it waits for that."""
        shown = self._explanation
        if shown is not None and shown.pending and shown.turn != turn:
            self._explanation = replace(shown, turn=turn)
            self._why.set_turn(self._explanation)

    @property
    def verdict(self) -> str:
        """The verdict within a sentence; "" without a document."""
        return "" if self._explanation is None else self._explanation.phrase

    def copy_answer(self) -> None:
        """Put the answer on the clipboard as text: what is tried or would be shared where seen."""
        text = self.what_if.text() if self.what_if_seen else ""
        text = self.sharing.answer if self.sharing_seen else text
        if self._explanation is None or self._document is None:
            return
        if not text and is_long(self._document):
            self.answer_wanted.emit(self._explanation)
        else:
            self.put_on_clipboard(text or explanation_cells(self._explanation))

    def put_on_clipboard(self, text: str) -> None:
        """Put the text that was asked for on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def set_step_page(self, page: QWidget | None) -> None:
        """Take the step's page in as the first tab, named by its title; None lets it go."""
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
        self._show_step_tab()
        self._on_tab_changed(self.tabs.currentIndex())

    def show_step(self) -> None:
        """Come to the step's tab, where there is one."""
        if self._step_page is not None and self.tabs.isTabVisible(0):
            self.tabs.setCurrentIndex(0)

    def scroll_bars(self) -> tuple[QScrollBar, ...]:
        """Those of the pages that are shown by turns."""
        sheets = (self._why_page, self._neighbour_page, self._sharing_page)
        return self.what_if.scroll_bar(), *(one.verticalScrollBar() for one in sheets)

    def show_why(self) -> None:
        """Come to the Why tab."""
        self.tabs.setCurrentIndex(self._pages.indexOf(self._why_page))

    def show_neighbours(self) -> None:
        """Come to the tab of the traces that novelty was compared with."""
        self.tabs.setCurrentIndex(self._pages.indexOf(self._neighbour_page))

    def show_sharing(self) -> None:
        """Come to the Sharing tab."""
        self.tabs.setCurrentIndex(self._pages.indexOf(self._sharing_page))

    @property
    def sharing_seen(self) -> bool:
        """The Sharing tab is the current one."""
        return self._pages.currentWidget() is self._sharing_page

    @property
    def what_if_seen(self) -> bool:
        """The What-if tab is the current one."""
        return self._pages.currentWidget() is self.what_if

    @property
    def what_if_chosen(self) -> bool:
        """It is, or was before the step's tab."""
        return self._last_page is self.what_if

    def show_what_if(self) -> None:
        """Come to the What-if tab."""
        self.tabs.setCurrentIndex(self._pages.indexOf(self.what_if))

    def leave_what_if(self) -> None:
        """Come to the Why tab, or stay with the step."""
        self._last_page = self._why_page
        if self.what_if_seen:
            self.tabs.setCurrentIndex(self._pages.indexOf(self._why_page))

    def _on_wished(self, wish: object) -> None:
        if isinstance(wish, StepWish):
            self.step_wanted.emit(wish.index)
        elif isinstance(wish, TryWish):
            self.try_wanted.emit(wish.scenario)
        elif isinstance(wish, NeighboursWish):
            self.show_neighbours()

    def _show_step_tab(self) -> None:
        """Show the step's tab unless the file holds no trace."""
        if self._step_page is not None:
            shown = self._document is not None and self._document.record is not None
            self.tabs.setTabVisible(0, shown)

    def _on_step_titled(self, title: str) -> None:
        self.tabs.setTabText(0, title)

    def _number(self) -> int | None:
        return self._document.number if self._document else None

    def _show_neighbours(self) -> None:
        """Show the neighbours if they are visible; they take half as long as all the rest."""
        if self._pages.currentWidget() is self._neighbour_page:
            self.neighbours.set_explanation(self._explanation)

    def _on_tab_changed(self, index: int) -> None:
        self._pages.setCurrentIndex(index)
        self._show_neighbours()
        page = self._pages.currentWidget()
        if page is not self._step_page:
            self._last_page = page
        self._copy.setVisible(self._pages.currentWidget() is not self._step_page)
        self.page_changed.emit()


class _Header(Header):
    """Tabs and button above one line."""

    def __init__(self, tabs: PaneTabs, button: FlatButton) -> None:
        super().__init__()
        in_row(tabs, None, button, on=self, margins=(_TAB_INSET, 0, _BUTTON_INSET, 0))
