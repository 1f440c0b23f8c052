"""The pages in place of the steps where a row is no trace: a problem, a skipped unit, a report."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QPalette,
    QPolygonF,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.app.document import Document, Item, State
from kpinspector.scoring.report.replay import Difference
from kpinspector.scoring.report.written import FoundReport, Members
from kpinspector.trace.clear import masked_beginning
from kpinspector.trace.records import MoreProblems, Problem, ProblemKind, Skipped, dotted, name_of
from kpinspector.ui.controls.base import (
    Drawing,
    FlatButton,
    Label,
    PushButton,
    in_column,
    in_row,
    paint_box,
)
from kpinspector.ui.look.marks import STATE_SIZE, IconName, fill
from kpinspector.ui.look.painting import RIGHT, x_of
from kpinspector.ui.look.plain_text import masked_line, one_line, shown_text
from kpinspector.ui.look.theme import Colours, TextRole, follow_zoom, font, scale
from kpinspector.ui.parts.message_bar import Message, MessageBar
from kpinspector.ui.parts.sections import PADDING, SheetScroll
from kpinspector.ui.steps.step_pane import PageHeader
from kpinspector.ui.tables.figure_model import (
    COLUMN_GAP,
    CellMark,
    FigureCell,
    Head,
    Row,
    word_head,
)
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.figures import shown_count, shown_whole
from kpinspector.words.recordings import entry_score
from kpinspector.words.replay import difference_words, replay_sentence, replay_word, report_sentence
from kpinspector.words.say import capitalised, in_words, say
from kpinspector.words.sentences import text_of

LINE_LENGTH = 400

_LEAD = 30  # characters of a long line before the faulty place
_RADIUS = 8
_NARROWEST = 200
_MARGIN = 8
_NUMBER_WIDTH = 46
_GAP = 32
_SPACING = 3
_STRIP = 3
_POINTER = 5
_NOTE_LENGTH = 300
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


_PAGE_GAP = 8
_MESSAGE_LENGTH = 2000
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


class ExcerptView(Drawing):
    """Numbered lines of a file; the faulty line is tinted, with a mark and a note below it.

    Attributes:
        lines: The lines as shown, each with its number.
        mark: The row and the character above the mark, both from 0; None without a mark.
    """

    def __init__(self) -> None:
        super().__init__(QSize(_NARROWEST, 0), self._paint_lines)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(say("Lines around the place"))
        self.show_lines((), 1)
        follow_zoom(self, ExcerptView._fit)

    def show_lines(
        self,
        lines: Sequence[str],
        first: int,
        at: int | None = None,
        column: int | None = None,
        note: str = "",
    ) -> None:
        """Show lines from number ``first`` on, and the fault at a line and column, from 1."""
        self._first, self._note = first, one_line(note, _NOTE_LENGTH)
        self._texts = tuple(
            _shown(text, column if number == at else None)
            for number, text in enumerate(lines, first)
        )
        self.lines = tuple(f"{number} {text}" for number, text in enumerate(self._texts, first))
        self.mark: tuple[int, int] | None = None
        if at is not None and 0 <= at - first < len(lines):
            row, place = at - first, max(1, column or 1)
            # one more for the ellipsis in place of the beginning
            character = place - 1 if place <= _LEAD * 2 else _LEAD + 1
            self.mark = row, min(character, len(self._texts[row]))
        said = self._note
        if at:
            note = self._note
            said = say("Line {line}, column {column}: {note}", line=at, column=column, note=note)
        self.setAccessibleDescription("\n".join((said, *self.lines)))
        self._fit()
        self.update()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Set the height that the lines and the note need at the present width."""
        self.setFixedHeight(self._rows(self.width())[-1])

    def _rows(self, width: int) -> tuple[list[QRect], QRect, int]:
        """The rectangles of the lines, that of the note below one of them, and the whole height."""
        height = QFontMetrics(_font(TextRole.FIXED)).height() + self._scaled(_SPACING)
        rows, top, note = [], self._scaled(_MARGIN), QRect(0, 0, width, 0)
        for row in range(len(self._texts)):
            rows.append(QRect(0, top, width, height))
            top += height
            if self.mark is not None and self.mark[0] == row and self._note:
                note = QRect(0, top, width, self._note_size(width).height())
                top += note.height() + 3 * self._scaled(_POINTER)
        return rows, note, top + self._scaled(_MARGIN)

    def _note_size(self, width: int) -> QSize:
        gap = self._scaled(_POINTER)
        most = max(1, width - self._scaled(_NUMBER_WIDTH) - 5 * gap)
        metrics = QFontMetrics(_font(TextRole.HEADING))
        words = metrics.boundingRect(QRect(0, 0, most, 10_000), _WRAPPED, self._note)
        return QSize(words.width() + 4 * gap + 2, words.height() + 2 * gap)

    def _paint_lines(self, painter: QPainter, area: QRect, found: Colours) -> None:
        paint_box(painter, area, found.alternate, radius=_RADIUS)
        painter.setFont(_font(TextRole.FIXED))
        numbers = self._scaled(_NUMBER_WIDTH)
        left = numbers + self._scaled(_GAP)
        rows, note, _ = self._rows(self.width())
        for row, (room, text) in enumerate(zip(rows, self._texts, strict=True)):
            here = self.mark is not None and row == self.mark[0]
            if here:
                fill(painter, room, found.pale_rejected)
                fill(painter, QRect(0, room.top(), _STRIP, room.height()), found.rejected)
            painter.setPen(found.text if here else found.second)
            painter.drawText(
                room.adjusted(0, 0, numbers - room.width(), 0), RIGHT, str(self._first + row)
            )
            painter.setPen(found.text)
            layout = _laid_out(text)
            line = layout.lineAt(0)
            painter.save()
            painter.setClipRect(room.adjusted(left, 0, -self._scaled(_MARGIN), 0))
            line.draw(painter, QPointF(left, room.top() + (room.height() - line.height()) / 2))
            painter.restore()
            if here and self.mark is not None:
                # the left edge of a character is its end in right-to-left text
                start = left + min(x_of(line, self.mark[1] + end) for end in (0, 1))
                self._paint_note(painter, QPointF(start, room.bottom() + 1), note, found)

    def _paint_note(self, painter: QPainter, place: QPointF, room: QRect, found: Colours) -> None:
        """Underline the faulty character, and paint the note in a box that points to it."""
        width = QFontMetrics(_font(TextRole.FIXED)).horizontalAdvance("0")
        x = min(place.x(), self.width() - 2.0 * width)
        fill(painter, QRect(round(x), round(place.y()) - 3, width, 2), found.rejected)
        if not self._note:
            return
        gap, box = self._scaled(_POINTER), QRect(room.topLeft(), self._note_size(room.width()))
        box.translate(0, gap)
        least, most = self._scaled(_NUMBER_WIDTH), self.width() - box.width() - gap
        box.moveLeft(max(min(round(x) - 2 * gap, most), min(least, most)))
        painter.save()
        paint_box(painter, box, found.rejected)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(found.rejected)
        tip, low = x + width / 2, box.top() + 1.0
        corners = (tip, place.y()), (tip + gap, low), (tip - gap, low)
        painter.drawPolygon(QPolygonF([QPointF(*one) for one in corners]))
        painter.setFont(_font(TextRole.HEADING))
        painter.setPen(found.on_fill)
        painter.drawText(box.adjusted(2 * gap, gap, -2 * gap, -gap), _WRAPPED, self._note)
        painter.restore()

    def _scaled(self, px: float) -> int:
        return scale(px, self.fontMetrics())


def _font(role: TextRole) -> QFont:
    return font(role, QApplication.font())


def _laid_out(text: str) -> QTextLayout:
    """Lay out a line from the left, whatever its script; letters keep their own direction."""
    layout = QTextLayout(text, _font(TextRole.FIXED))
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    return layout


def _shown(text: str, column: int | None) -> str:
    """A line as shown: cut to a length, around the faulty column if that is far to the right."""
    start = 0 if column is None or column <= _LEAD * 2 else column - 1 - _LEAD
    piece = text[start : start + LINE_LENGTH].replace("\t", " ").replace("\n", " ")
    shown = shown_text(piece.rstrip("\r"), LINE_LENGTH)
    return ("…" if start else "") + shown + ("…" if len(text) > start + LINE_LENGTH else "")


class ProblemPage(QWidget):
    """Shows a problem or a skipped unit; the lines around the fault are set later."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._item: Item | None = None
        self.header = PageHeader()
        self.message = Label("")
        self.message.setWordWrap(True)
        self.excerpt = ExcerptView()
        self._where = QWidget()
        copy = FlatButton(IconName.COPY, name=say("Copy the problem and the lines"))
        copy.clicked.connect(self._on_copy_clicked)
        title = Label(say("Where reading stopped"), TextRole.HEADING)
        in_row(title, None, copy, on=self._where, spacing=None)
        icon = IconName.OPEN_EXTERNAL
        self.editor = PushButton(say("Open in Editor"), icon=icon, primary=True)
        self.reload = PushButton(say("Reload"), icon=IconName.RELOAD)
        self.remove = PushButton(say("Remove from List"))
        self._watched = Label(
            say("The file is watched: it is read again as soon as it changes."), second=True
        )
        buttons = in_row(self.editor, self.reload, self.remove, None, spacing=_PAGE_GAP)
        page = QWidget()
        for one in (self, page):
            one.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        margins = (PADDING, _PAGE_GAP, PADDING, _PAGE_GAP)
        parts = (self.message, self._where, self.excerpt, _PAGE_GAP, buttons, self._watched, None)
        in_column(*parts, on=page, margins=margins, spacing=_PAGE_GAP)
        area = SheetScroll(page)
        area.setAccessibleName(say("Problem"))
        in_column(self.header, (area, 1), on=self)
        self.set_document(None)

    def set_document(self, document: Document | None, *, watched: bool = False) -> None:
        """Show the problem of a row; ``watched``: its file is read again when it changes."""
        self._item = item = None if document is None else document.item
        title = said = ""
        self._place: tuple[int | None, int | None, str] = (None, None, "")
        facts: tuple[str, ...] = ()
        match item:
            case Problem():
                title, facts, said = _title(item), tuple(_facts(item)), _message(item)
                self._place = item.line, item.column, _note(item)
            case Skipped():
                title, facts = _title(item), (one_line(item.path),)
                said = masked_line(in_words(item.reason), _MESSAGE_LENGTH)
                if item.type:
                    kind, named = masked_line(item.type), masked_line(item.id or "")
                    said = say("{kind} {named}: {reason}", kind=kind, named=named, reason=said)
        self.header.set_words(title, facts)
        self.message.setText(said)
        self.set_excerpt((), 1)
        self._watched.setVisible(watched)

    def shows(self, document: Document) -> bool:
        """Whether the page already shows this row as it was last read."""
        return self._item is document.item

    def set_excerpt(self, lines: Sequence[str], first: int) -> None:
        """Show lines of the file; ``first`` is the number of the first one, from 1."""
        self.excerpt.show_lines(lines, first, *self._place)
        self._where.setVisible(bool(lines))
        self.excerpt.setVisible(bool(lines))
        # the note among the lines says it already
        self.message.setVisible(self.excerpt.mark is None)

    def _on_copy_clicked(self) -> None:
        """Copy the problem, with the lines."""
        labels = (self.header.title, self.header.facts, self.message)
        parts = (*(label.text() for label in labels), *self.excerpt.lines)
        QGuiApplication.clipboard().setText("\n".join(part for part in parts if part))


def _title(item: Problem | Skipped) -> str:
    name = one_line(PurePath(item.path).name or item.path, 120)
    if item.record is not None:
        name = say("{name}, record {record},", name=name, record=shown_count(item.record))
    match item:
        case Skipped():
            return say("{name} was skipped", name=name)
        case MoreProblems():
            return say("{name} has more problems", name=name)
        case Problem(kind=ProblemKind.UNREADABLE):
            return say("{name} could not be read", name=name)
    return say("{name} cannot be scored", name=name)


def _facts(item: Problem) -> Iterator[str]:
    if item.line is not None and item.column is not None:
        yield say("Line {line}, column {column}", line=item.line, column=item.column)
    elif item.line is not None:
        yield say("Line {line}", line=item.line)
    if item.json_path:
        yield masked_line(item.json_path)
    yield one_line(item.path)


def _note(item: Problem) -> str:
    if not (item.expected and item.found):
        return _message(item)
    expected, found = (masked_line(in_words(one)) for one in (item.expected, item.found))
    return say("expected {expected}, found {found}", expected=expected, found=found)


def _message(item: Problem) -> str:
    return capitalised(masked_line(in_words(item.message), _MESSAGE_LENGTH))


class ReportView(QWidget):
    """Shows the traces of a report, and whether computing them again gives the same."""

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
        """Show the report of a row."""
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
    about = shown_text(f"{masked_beginning(objective, _MESSAGE_LENGTH)}\n{path}", _MESSAGE_LENGTH)
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
