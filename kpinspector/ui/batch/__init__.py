"""The sheets of the Batch page, which shows all open traces together, and what they share."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from kpinspector.ui.controls.base import ElidedLabel, Label, Part, in_column, in_row
from kpinspector.ui.controls.views import PANE_HEADER_HEIGHT, SCROLL_BAR_WIDTH
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import TextRole, sized
from kpinspector.ui.parts.sections import PADDING, SheetScroll
from kpinspector.ui.tables.figure_model import CellMark, FigureCell
from kpinspector.ui.traces.trace_row import TraceRow
from kpinspector.words.say import say_list

_GAP = 8


class Sheet(QWidget):
    """A flat sheet: a title and a note in its header, and what is put in ``column`` below."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.note = ElidedLabel("", second=True)
        header = QWidget()
        sized(header, QWidget.setFixedHeight, PANE_HEADER_HEIGHT)
        margins, words = (PADDING, 0, PADDING, 0), Label(title, TextRole.PANE)
        self.header = in_row(words, (self.note, 1), on=header, margins=margins, spacing=_GAP)
        self.column = in_column(header, on=self)


def scrolled(*parts: Part, top: int = 0, spacing: int = 0) -> SheetScroll:
    """Parts below each other between the sides of a sheet; they scroll where it is too low."""
    content = QWidget()
    margins = (PADDING, top, PADDING - SCROLL_BAR_WIDTH, 0)
    in_column(*parts, None, on=content, margins=margins, spacing=spacing)
    return SheetScroll(content, steady=True)


def trace_cells(trace: TraceRow, below: str = "") -> tuple[FigureCell, FigureCell]:
    """The state and the name of a trace, perhaps with words below them along the row."""
    mark = FigureCell(mark=CellMark(trace.shape, assumed=trace.document.assumed))
    said = say_list(filter(None, (trace.name, trace.state_words, below)))
    name = replace(name_cell(trace.name, below), said=said)
    return (replace(mark, below=FigureCell()) if below else mark), name


def name_cell(name: str, below: str = "") -> FigureCell:
    """The name of a trace; its middle gives way, as names of one file end differently."""
    return FigureCell(
        one_line(name),
        TextRole.NAME,
        below=FigureCell(below, TextRole.CAPTION, second=True, span=2) if below else None,
        tooltip="\n".join(filter(None, (name, below))),
        elided_at=Qt.TextElideMode.ElideMiddle,
    )
