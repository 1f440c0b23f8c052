"""What takes the place of the steps for a report: a message what came of it, and its traces."""

from enum import IntEnum
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionViewItem, QWidget
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.app.judging import State
from kpinspector.scoring.report.replay import Difference
from kpinspector.scoring.report.written import FoundReport, Members
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.records import dotted, name_of
from kpinspector.ui.controls.base import in_column
from kpinspector.ui.controls.views import HeaderView
from kpinspector.ui.look.marks import STATE_SIZE, paint_state
from kpinspector.ui.look.painting import CELL_PADDING, centred, draw_figure, draw_name, draw_text
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip, shown_text
from kpinspector.ui.look.state_words import state_word
from kpinspector.ui.look.theme import row_height
from kpinspector.ui.parts.message_bar import Message, MessageBar
from kpinspector.ui.tables.figure_model import Head, Index, RowModel, word_head
from kpinspector.ui.tables.row_table import RowTable, TableDelegate
from kpinspector.words.figures import shown_whole
from kpinspector.words.recordings import entry_score
from kpinspector.words.replay import difference_words, replay_sentence, replay_word, report_sentence
from kpinspector.words.say import say
from kpinspector.words.sentences import text_of

_TOOLTIP = 2000
ENTRY_ROLE = Qt.ItemDataRole.UserRole
"""What the delegate asks of the model: the entry of the row."""
_SIDE_PADDING = 16
_WIDEST_SCORE = "0.00\N{EN DASH}0.00"
_WIDEST_PROFILE = "customer_service"
_AGAIN_WIDTH = 132
_GAP = 8


class ReportColumn(IntEnum):
    """The columns from left to right."""

    STATE = 0
    SCORE = 1
    TRACE = 2
    PROFILE = 3
    AGAIN = 4


class _Cell(NamedTuple):
    text: str = ""
    said: str = ""
    tip: str = ""


class ReportModel(RowModel):
    """The entries of one report, in their order; any change is a reset."""

    def __init__(self, parent: QObject | None = None) -> None:
        heads = (
            Head(say("State"), figure=False),
            word_head(say("Score"), figure=True),
            word_head(say("Trace")),
            word_head(say("Profile")),
            word_head(say("Computed again")),
        )
        super().__init__(heads, parent)

    def set_document(self, document: Document) -> None:
        """Show a report's traces, each with what came of computing it again."""
        self.beginResetModel()
        item, replay = document.item, document.replay
        entries = item.values["traces"] if isinstance(item, FoundReport) else ()
        differences = {} if replay is None else {one.trace: one for one in replay.differences}
        self._rows = [(one, _cells(one, differences.get(n))) for n, one in enumerate(entries)]
        self.endResetModel()

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        entry, cells = self._rows[index.row()]
        cell: _Cell = cells[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return cell.said or cell.text
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(cell.tip)
        return entry if role == ENTRY_ROLE else None


def _cells(entry: Members, difference: Difference | None) -> tuple[_Cell, ...]:
    """What stands in a row, in the order of `ReportColumn`."""
    path, objective = entry["source"]["path"], entry["objective"]
    score = "" if entry["score"] is None else shown_whole(float(entry["score"]))
    name = one_line(name_of(path, entry["source"]["record"]))
    about = shown_text(f"{masked_beginning(objective, _TOOLTIP)}\n{path}", _TOOLTIP)
    again = _Cell(say("identical"))
    if difference is not None:
        where = say("differs: {path}", path=masked_line(dotted(difference.path[2:])))
        again = _Cell(where, tip=difference_words(difference))
    return (
        _Cell(said=state_word(State(entry["verdict"]))),
        _Cell(entry_score(entry)[0], tip=score),
        _Cell(name, f"{name}, {masked_line(objective)}", about),
        _Cell(masked_line(entry["profile"], 40)),
        again,
    )


class ReportView(QWidget):
    """Shows the report of a row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.messages = MessageBar()
        self.model = ReportModel(self)
        self.table = ReportTable(self.model)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        in_column(self.messages, (self.table, 1), on=self)

    def set_document(self, document: Document) -> None:
        """Show a report and what came of computing it again."""
        replay = document.replay
        self.model.set_document(document)
        if replay is not None and isinstance(document.item, FoundReport):
            lead = f"{replay_word(replay)}."
            about = text_of(report_sentence(document.item))
            differs = [f"{difference_words(one)}." for one in replay.differences[:1]]
            text = " ".join((lead, about, replay_sentence(replay), *differs))
            message = Message(text, lead=lead, key="replay", fault=not replay.identical)
            self.messages.show_message(message)


class ReportTable(RowTable):
    """Shows a ``ReportModel``."""

    def __init__(self, model: ReportModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(say("Traces of the report"))
        self.setModel(model)
        self.setItemDelegate(_Delegate(self, ReportColumn.STATE))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = HeaderView(Qt.Orientation.Horizontal, self)
        self.setHorizontalHeader(header)
        header.setSectionsClickable(False)
        header.setSectionsMovable(False)
        self.lay_out_columns()

    @override
    def lay_out_columns(self) -> None:
        delegate = self.delegate
        metrics, header = delegate.fonts.body.metrics, self.horizontalHeader()
        around = 2 * CELL_PADDING + 1
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(ReportColumn.TRACE, QHeaderView.ResizeMode.Stretch)
        for column, width in {
            ReportColumn.STATE: delegate.scaled(_SIDE_PADDING + STATE_SIZE) + CELL_PADDING,
            ReportColumn.SCORE: metrics.horizontalAdvance(_WIDEST_SCORE) + around,
            ReportColumn.PROFILE: metrics.horizontalAdvance(_WIDEST_PROFILE) + around,
            ReportColumn.AGAIN: delegate.scaled(_AGAIN_WIDTH),
        }.items():
            self.setColumnWidth(column, width)
        self.verticalHeader().setDefaultSectionSize(row_height(metrics))


class _Delegate(TableDelegate):
    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found = self.paint_ground(painter, option, index)
        room = option.rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        text = str(index.data())
        match index.column():
            case ReportColumn.STATE:
                side = self.scaled(STATE_SIZE)
                box = centred(option.rect, option.rect.left() + self.scaled(_SIDE_PADDING), side)
                paint_state(painter, box, State(index.data(ENTRY_ROLE)["verdict"]), found)
            case ReportColumn.SCORE:
                draw_figure(painter, room, text, self.fonts.body, found.text)
            case ReportColumn.TRACE:
                fonts, gap = self.fonts, self.scaled(_GAP)
                taken = draw_name(painter, room, text, fonts.name, found.text)
                room.setLeft(room.left() + taken + gap)
                if room.width() > gap:
                    objective = index.data(ENTRY_ROLE)["objective"]
                    draw_text(painter, room, masked_line(objective), fonts.body, found.second)
            case _:
                draw_text(painter, room, text, self.fonts.body, found.second)
