"""What takes the place of the steps for a report: a message what came of it, and its traces."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from kpinspector.app.document import Document, State
from kpinspector.scoring.report.replay import Difference
from kpinspector.scoring.report.written import FoundReport, Members
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.records import dotted, name_of
from kpinspector.ui.controls.base import in_column
from kpinspector.ui.look.marks import STATE_SIZE
from kpinspector.ui.look.plain_text import masked_line, one_line, shown_text
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.column_page import PADDING, SheetScroll
from kpinspector.ui.parts.message_bar import Message, MessageBar
from kpinspector.ui.tables.figure_model import CellMark, FigureCell, Head, Row, word_head
from kpinspector.ui.tables.figure_table import COLUMN_GAP, ColumnWidth, FigureTable
from kpinspector.words.figures import shown_whole
from kpinspector.words.recordings import entry_score
from kpinspector.words.replay import difference_words, replay_sentence, replay_word, report_sentence
from kpinspector.words.say import say
from kpinspector.words.sentences import text_of

_TOOLTIP = 2000
_ROW_HEIGHT = 26
_SIDE = FigureCell()
_COLUMNS = (
    ColumnWidth(PADDING),
    ColumnWidth(STATE_SIZE + COLUMN_GAP),
    ColumnWidth(0, fits=True, texts=("0.00\N{EN DASH}0.00",)),
    ColumnWidth(COLUMN_GAP),
    ColumnWidth(0, fits=True, elides=True),
    ColumnWidth(COLUMN_GAP, stretch=True),
    ColumnWidth(COLUMN_GAP),
    ColumnWidth(0, fits=True),
    ColumnWidth(0, fits=True),
)


class ReportView(QWidget):
    """Shows the report of a row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.messages = MessageBar()
        self.table = FigureTable(_COLUMNS, name=say("Traces of the report"))
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        page = QWidget()
        page.setBackgroundRole(QPalette.ColorRole.Base)
        in_column(self.table, None, on=page)
        in_column(self.messages, (SheetScroll(page), 1), on=self)

    def set_document(self, document: Document) -> None:
        """Show a report's traces, each with what came of computing it again."""
        item, replay = document.item, document.replay
        entries = item.values["traces"] if isinstance(item, FoundReport) else ()
        differences = {} if replay is None else {one.trace: one for one in replay.differences}
        heads = (
            Head(""),
            Head(say("State")),
            word_head(say("Score"), figure=True),
            Head(""),
            word_head(say("Trace")),
            Head(say("Objective")),
            Head(""),
            word_head(say("Profile")),
            word_head(say("Computed again")),
        )
        rows = [_row(one, differences.get(number)) for number, one in enumerate(entries)]
        self.table.set_rows(rows, heads)
        if replay is not None and isinstance(item, FoundReport):
            lead = f"{replay_word(replay)}."
            about = text_of(report_sentence(item))
            differs = [f"{difference_words(one)}." for one in replay.differences[:1]]
            text = " ".join((lead, about, replay_sentence(replay), *differs))
            message = Message(text, lead=lead, key="replay", fault=not replay.identical)
            self.messages.show_message(message)


def _row(entry: Members, difference: Difference | None) -> Row:
    path, objective, state = entry["source"]["path"], entry["objective"], State(entry["verdict"])
    score = "" if entry["score"] is None else shown_whole(float(entry["score"]))
    name = one_line(name_of(path, entry["source"]["record"]))
    about = shown_text(f"{masked_beginning(objective, _TOOLTIP)}\n{path}", _TOOLTIP)
    again, told = say("identical"), ""
    if difference is not None:
        again = say("differs: {path}", path=masked_line(dotted(difference.path[2:])))
        told = difference_words(difference)
    middle = Qt.TextElideMode.ElideMiddle
    return Row(
        (
            _SIDE,
            FigureCell(mark=CellMark(state), said=state.word),
            FigureCell(entry_score(entry)[0], figure=True, tooltip=score),
            _SIDE,
            FigureCell(name, TextRole.NAME, tooltip=about, elided_at=middle),
            FigureCell(masked_line(objective), second=True, tooltip=about),
            _SIDE,
            FigureCell(masked_line(entry["profile"], 40), second=True),
            FigureCell(again, second=True, tooltip=told),
        ),
        _ROW_HEIGHT,
    )
