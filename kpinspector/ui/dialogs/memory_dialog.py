"""The dialog that lists the memory and forgets entries."""

from time import monotonic

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialogButtonBox, QStackedWidget, QWidget
from typing_extensions import override

from kpinspector.app.engine import MemoryListing, MemoryState
from kpinspector.settings import Mode
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, PushButton, in_row
from kpinspector.ui.controls.fields import SearchField
from kpinspector.ui.dialogs.memory_table import MemoryModel, MemoryTable
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import TextRole, scale
from kpinspector.ui.parts.column_page import HintPage
from kpinspector.ui.parts.section_dialog import Rows, SectionDialog
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_list

_MORE_HEIGHT = 200
_AGAIN_MS = 500  # the memory changes with every trace that is scored
_PATIENCE = 30.0  # seconds after which no listing is expected any more
_UNKNOWN = "\u2013"


class MemoryDialog(SectionDialog):
    """Shows a listing of the memory; asks for newer ones, and tells what to forget."""

    listing_wanted = Signal()
    forgetting_chosen = Signal(object)
    clearing_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("Memory"))
        self._path = ""
        self._listed = False
        self._remembered: int | None = None
        self._asked_at: float | None = None
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again.timeout.connect(self._ask)
        self.model = MemoryModel(self)
        self._make_facts()
        self._make_list()
        self._add_buttons()
        self.model.modelReset.connect(self._show_hits)
        self.table.selection_changed.connect(self._show_selection)
        self._show_hits()
        self.make_taller(scale(_MORE_HEIGHT, self.fontMetrics()))
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_listing(self, listing: MemoryListing) -> None:
        """Show what is remembered now."""
        self._asked_at = None
        self._listed = True
        self._path = listing.path
        self._entries.setText(shown_count(len(listing.entries)))
        self._findings.setText(shown_count(listing.findings))
        size = self.locale().formattedDataSize(
            listing.bytes_on_disk, 1, self.locale().DataSizeFormat.DataSizeSIFormat
        )
        self._size.setText(size if listing.bytes_on_disk else say("nothing on disk"))
        self._file.setText(listing.path)
        self._copy.setEnabled(True)
        self._clear.setEnabled(bool(listing.entries or listing.findings))
        self.model.set_entries(listing.entries)
        self._show_hits()

    def set_state(self, state: MemoryState) -> None:
        """The memory may have changed: ask for a listing, but not for each trace of many."""
        self._mode.setVisible(state.mode is not Mode.REMEMBER)
        changed = state.remembered != self._remembered
        self._remembered = state.remembered
        if changed and not self._again.isActive():
            self._again.start()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    def _ask(self) -> None:
        now = monotonic()
        if self._asked_at is not None and now - self._asked_at < _PATIENCE:
            self._again.start()
            return
        self._asked_at = now
        self.listing_wanted.emit()

    def _make_facts(self) -> None:
        self._entries, self._findings, self._size = (Label(_UNKNOWN) for _ in range(3))
        self._file = ElidedLabel(_UNKNOWN)
        self._copy = FlatButton(IconName.COPY, name=say("Copy the path of the file"))
        self._copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._copy.setEnabled(False)
        self._copy.clicked.connect(self._on_copy_clicked)
        self._mode = Label(
            say(
                "Nothing is written now: this is a private copy, and what is forgotten here is "
                "forgotten until the window closes."
            ),
            TextRole.CAPTION,
            second=True,
        )
        self._mode.setWordWrap(True)
        self._mode.hide()
        file = in_row((self._file, 1), self._copy, margins=None, spacing=None)
        rows = Rows(gap=0)
        for name, widget in (
            (say("Entries"), self._entries),
            (say("Findings"), self._findings),
            (say("Size"), self._size),
            (say("File"), file),
        ):
            rows.add(name, widget)
        self.add_section(say("Memory"), (rows, self._mode))

    def _make_list(self) -> None:
        self._shown = Label("", second=True)
        self.search = SearchField(say("Search objectives, sources and ids"))
        self.search.text_changed.connect(self.model.set_search)
        self.table = MemoryTable(self.model)
        self._pages = QStackedWidget()
        self._empty = HintPage()
        no_hits = HintPage(say("No entry matches."), say("Clear search"))
        no_hits.link_chosen.connect(lambda: self.search.set_text(""))
        for page in (self.table, self._empty, no_hits):
            self._pages.addWidget(page)
        self.add_section(say("Entries"), (self.search, self._pages), note=self._shown, grows=True)

    def _add_buttons(self) -> None:
        role = QDialogButtonBox.ButtonRole
        self._clear = self.add_button(PushButton(say("C&lear\u2026")), role.ResetRole)
        self._forget = self.add_button(PushButton(say("&Forget Selected")), role.ActionRole)
        self._clear.setToolTip(say("Forget every trace"))
        self._forget.setToolTip(say("Take the selected traces out of the memory"))
        self._clear.setEnabled(False)
        self._clear.clicked.connect(self.clearing_wanted)
        self._forget.clicked.connect(self._on_forget_clicked)
        self.add_close(say("Close"))

    def _show_hits(self) -> None:
        shown, total = self.model.rowCount(), self.model.total
        searching = self.model.searching and total > 0
        page = 0 if shown or self.model.busy else 2 if searching else 1
        self._pages.setCurrentIndex(page)
        self._empty.set_sentence(
            say("Nothing is remembered yet. Every trace that is scored is listed here.")
            if self._listed
            else say("The memory is being read.")
        )
        self._show_selection()

    def _show_selection(self) -> None:
        selected, shown = self.table.selected_count, self.model.rowCount()
        self._forget.setEnabled(selected > 0)
        total = shown_count(self.model.total)
        words = []
        if self.model.searching:
            words.append(say("{shown} of {total}", shown=shown_count(shown), total=total))
        if selected:
            words.append(say("{selected} selected", selected=shown_count(selected)))
        self._shown.setText(say_list(words))

    def _on_forget_clicked(self) -> None:
        keys = tuple(entry.key for entry in self.table.selected_entries())
        if keys:
            self.forgetting_chosen.emit(keys)

    def _on_copy_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._path)
