"""The sheets of the Batch page, which is about all open traces together, and shared parts."""

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
    """A flat sheet: a header with title and note; the contents go into ``column`` below."""

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
    """A scroll area with parts below each other, between the side margins of a sheet."""
    content = QWidget()
    margins = (PADDING, top, PADDING - SCROLL_BAR_WIDTH, 0)
    in_column(*parts, None, on=content, margins=margins, spacing=spacing)
    return SheetScroll(content, steady=True)


def trace_cells(trace: TraceRow, below: str = "") -> tuple[FigureCell, FigureCell]:
    """The cells for a trace's state and name; ``below`` is a second line along the row."""
    mark = FigureCell(mark=CellMark(trace.shape, assumed=trace.document.assumed))
    said = say_list(filter(None, (trace.name, trace.state_words, below)))
    name = replace(name_cell(trace.name, below), said=said)
    return (replace(mark, below=FigureCell()) if below else mark), name


def name_cell(name: str, below: str = "") -> FigureCell:
    """A cell with a trace's name, cut in its middle, as the ends tell names of one file apart."""
    return FigureCell(
        one_line(name),
        TextRole.NAME,
        below=FigureCell(below, TextRole.CAPTION, second=True, span=2) if below else None,
        tooltip="\n".join(filter(None, (name, below))),
        elided_at=Qt.TextElideMode.ElideMiddle,
    )
