"""The dialog that lists the contents of the memory, and forgets entries."""

from collections.abc import Callable, Sequence
from enum import IntEnum
from time import monotonic
from typing import NamedTuple

from PySide6.QtCore import QDateTime, QItemSelectionModel, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QHeaderView,
    QStackedWidget,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from kpinspector.app.engine import MemoryListing, MemoryState
from kpinspector.scoring.findings import Entry
from kpinspector.settings import Mode
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.records import at_record
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, PushButton, in_row
from kpinspector.ui.controls.fields import SearchField
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.marks import IconName
from kpinspector.ui.look.painting import CELL_PADDING, draw_text
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip, shown_text
from kpinspector.ui.look.theme import TextRole, row_height, scale
from kpinspector.ui.parts.sections import HintPage, Rows, SectionDialog
from kpinspector.ui.tables import RowTable, TableDelegate
from kpinspector.ui.tables.figure_model import Index, RowModel, word_head
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_list

_TOOLTIP = 2000
_DATE = "yyyy-MM-dd HH:mm"
_NARROW = 108
_GAP = 8
_LEAST_ROWS = 6
_MORE_HEIGHT = 200
_AGAIN_MS = 500  # the memory changes with every scored trace
_PATIENCE = 30.0  # seconds; after this an answer is no longer expected
_UNKNOWN = "\u2013"


class MemoryColumn(IntEnum):
    """The columns, from left to right."""

    OBJECTIVE = 0
    ADDED = 1
    SOURCE = 2
    KEY = 3


class MemoryModel(RowModel):
    """The entries that contain the searched text, sorted. Each change resets the model."""

    def __init__(self, parent: QObject | None = None) -> None:
        words = (say("Objective"), say("Added"), say("Source"), say("Id"))
        super().__init__(tuple(map(word_head, words)), parent)
        self.entries: Sequence[Entry] = ()
        """All entries, whether shown or not."""
        self.rows: list[Entry] = []
        self.needle = ""
        self._column = MemoryColumn.ADDED
        self._descending = True

    @property
    def shown(self) -> Sequence[Entry]:
        """The entries that are shown, from top to bottom."""
        return self.rows

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show other entries, given in the order in which they were added."""
        self.entries = entries
        self._arrange()

    def set_search(self, text: str) -> None:
        """Show only entries that contain a text in their objective, source or id."""
        needle = text.strip().casefold()
        if needle != self.needle:
            self.needle = needle
            self._arrange()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 sorts by when entries were added."""
        self._column = MemoryColumn(column) if column >= 0 else MemoryColumn.ADDED
        self._descending = order == Qt.SortOrder.DescendingOrder
        self._arrange()

    def _arrange(self) -> None:
        rows = [one for one in self.entries if not self.needle or _matches(one, self.needle)]
        if self._descending:
            rows.reverse()  # of equal entries, the newest comes first
        self.beginResetModel()
        self.rows = sorted(rows, key=_CELLS[self._column].key, reverse=self._descending)
        self.endResetModel()

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry, cell = self.rows[index.row()], _CELLS[MemoryColumn(index.column())]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.short(entry)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(cell.whole(entry))
        return None


def shown_date(milliseconds: int) -> str:
    """A time to the minute, in the local time zone."""
    return QDateTime.fromMSecsSinceEpoch(milliseconds).toString(_DATE)


def _name_of(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _whole(text: str) -> str:
    return shown_text(masked_beginning(text, _TOOLTIP), _TOOLTIP)


class _Cell(NamedTuple):
    """Functions for a column's cells: short text, whole text, sort key."""

    short: Callable[[Entry], str]
    whole: Callable[[Entry], str]
    key: Callable[[Entry], str | int]


_CELLS = {
    MemoryColumn.OBJECTIVE: _Cell(
        lambda one: masked_line(one.objective) or _UNKNOWN,
        lambda one: _whole(one.objective),
        lambda one: one.objective.casefold(),
    ),
    MemoryColumn.ADDED: _Cell(
        lambda one: shown_date(one.added_at),
        lambda one: shown_date(one.added_at),
        lambda one: one.added_at,
    ),
    MemoryColumn.SOURCE: _Cell(
        lambda one: one_line(_name_of(at_record(one.source_path, one.record))) or _UNKNOWN,
        lambda one: shown_text(at_record(one.source_path, one.record), _TOOLTIP),
        lambda one: _name_of(one.source_path).casefold(),
    ),
    MemoryColumn.KEY: _Cell(
        lambda one: masked_line(one.key, 100),
        lambda one: _whole(one.key),
        lambda one: one.key.casefold(),
    ),
}


def _matches(entry: Entry, needle: str) -> bool:
    texts = (entry.objective, entry.key, entry.source_path)
    return any(needle in text.casefold() for text in texts)


class MemoryTable(RowTable):
    """Shows a ``MemoryModel``; the selection stays when the rows are replaced."""

    def __init__(self, model: MemoryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries = model
        self._kept: tuple[set[int], int | None, int] = (set(), None, 0)
        self.setAccessibleName(say("Remembered traces"))
        self.setModel(model)
        self.setItemDelegate(_Delegate(self, MemoryColumn.OBJECTIVE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = HeaderView(Qt.Orientation.Horizontal, self)
        self.setHorizontalHeader(header)
        header.setSectionsClickable(True)
        header.setSectionsMovable(False)
        header.setSortIndicator(MemoryColumn.ADDED, Qt.SortOrder.DescendingOrder)
        self.setSortingEnabled(True)
        self.lay_out_columns()
        model.modelAboutToBeReset.connect(self._on_about_to_be_reset)
        model.modelReset.connect(self._on_reset)

    def selected_entries(self) -> list[Entry]:
        """The selected entries, from top to bottom."""
        return [self._entries.shown[row] for row in self.selected_rows()]

    @override
    def lay_out_columns(self) -> None:
        metrics = self.delegate.fonts.body.metrics
        date = metrics.horizontalAdvance(shown_date(0)) + 2 * CELL_PADDING + scale(_GAP, metrics)
        narrow = scale(_NARROW, metrics)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(MemoryColumn.OBJECTIVE, QHeaderView.ResizeMode.Stretch)
        widths = {MemoryColumn.ADDED: date, MemoryColumn.SOURCE: narrow, MemoryColumn.KEY: narrow}
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        height = row_height(metrics)
        self.verticalHeader().setDefaultSectionSize(height)
        self.setMinimumHeight(header.sizeHint().height() + _LEAST_ROWS * height)

    @override
    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def _on_about_to_be_reset(self) -> None:
        current, chosen = self.currentIndex(), self.selected_entries()
        number = self._entries.shown[current.row()].sequence if current.isValid() else None
        self._kept = ({one.sequence for one in chosen}, number, self.verticalScrollBar().value())

    def _on_reset(self) -> None:
        chosen, number, place = self._kept
        flags, rows = QItemSelectionModel.SelectionFlag, []
        for row, entry in enumerate(self._entries.shown):
            if entry.sequence == number:
                index = self._entries.index(row, MemoryColumn.OBJECTIVE)
                self.selectionModel().setCurrentIndex(index, flags.NoUpdate)
            if entry.sequence in chosen:
                rows.append(row)
        self.select_rows(rows, flags.ClearAndSelect)
        self.verticalScrollBar().setValue(place)
        self.selection_changed.emit()


class _Delegate(TableDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        column = index.column()
        style = self.fonts.fixed if column == MemoryColumn.KEY else self.fonts.body
        ink = found.text if column == self.first_column else found.second
        room = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        draw_text(painter, room, str(index.data()), style, ink)


class MemoryDialog(SectionDialog):
    """Shows the contents of the memory; asks for newer ones, and for entries to be forgotten."""

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
        self.taller = scale(_MORE_HEIGHT, self.fontMetrics())
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_listing(self, listing: MemoryListing) -> None:
        """Show the contents of the memory."""
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
        """Ask for the contents again if the memory has changed, but not for each of many traces."""
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
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._path))
        private = say(
            "Nothing is written now: this is a private copy, and what is forgotten here is "
            "forgotten until the window closes."
        )
        self._mode = Label(private, TextRole.CAPTION, second=True)
        self._mode.setWordWrap(True)
        self._mode.hide()
        file = in_row((self._file, 1), self._copy, margins=None, spacing=None)
        rows = Rows(gap=0)
        rows.add(say("Entries"), self._entries)
        rows.add(say("Findings"), self._findings)
        rows.add(say("Size"), self._size)
        rows.add(say("File"), file)
        self.add_section(say("Memory"), (rows, self._mode))

    def _make_list(self) -> None:
        self._shown = Label("", second=True)
        self.search = SearchField(say("Search objectives, sources and ids"))
        self.search.textChanged.connect(self.model.set_search)
        self.table = MemoryTable(self.model)
        self._pages = QStackedWidget()
        self._empty = HintPage()
        no_hits = HintPage(say("No entry matches."), say("Clear search"), self.search.clear)
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
        shown, total = self.model.rowCount(), len(self.model.entries)
        page = 0 if shown else 2 if self.model.needle and total else 1
        self._pages.setCurrentIndex(page)
        self._empty.set_sentence(
            say("Nothing is remembered yet. Every trace that is scored is listed here.")
            if self._listed
            else say("The memory is being read.")
        )
        self._show_selection()

    def _show_selection(self) -> None:
        selected, shown = len(self.table.selected_rows()), self.model.rowCount()
        self._forget.setEnabled(selected > 0)
        total = shown_count(len(self.model.entries))
        words = []
        if self.model.needle:
            words.append(say("{shown} of {total}", shown=shown_count(shown), total=total))
        if selected:
            words.append(say("{selected} selected", selected=shown_count(selected)))
        self._shown.setText(say_list(words))

    def _on_forget_clicked(self) -> None:
        self.forgetting_chosen.emit(tuple(entry.key for entry in self.table.selected_entries()))
