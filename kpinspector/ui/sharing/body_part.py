"""Parts of the Sharing tab: what is redacted or leaves in clear, and the body that is posted."""

import json
import re
from functools import partial

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.sharing.answer import Sharing
from kpinspector.trace.javascript import JsonValue
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, Ringed, paint_box
from kpinspector.ui.look.icons import ICON_SIZE, IconName, paint_icon
from kpinspector.ui.look.marks import MARK_RADIUS
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole, colours, scale, sized, typed
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.steps.step_detail import cut_words
from kpinspector.ui.steps.step_fields import json_head
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, Stops
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_count
from kpinspector.words.sharing import SharedPart, SharedParts, size_words

CARD_PADDING = 8
_ROW_HEIGHT = 24
_TOKEN_HEIGHT, _TOKEN_PADDING = 17, 4
_STEP, _GAP, _FIELD, _MASKED, _ICON, _WORDS = 22, 12, 64, 68, 22, 144
_FIELD_COLUMN, _LAST_COLUMN = 2, 5
_DASH, _ARROW = "\N{EN DASH}", "\N{RIGHTWARDS ARROW}"
_FOLD_HEIGHT, _BODY_HEIGHT = 22, 260
_CHEVRON, _INDENT = 12, 18
_MOST_SHOWN = 100_000
_UNSEEN = re.compile(r"[^\n -~]")


class PartTable(FigureTable):
    """Parts by the step in which they stand; those of one step stay lit while it is shown.

    Without room the place in the step gives way, then what it is; the masked text never does.
    """

    def __init__(self, name: str, inset: int = 0) -> None:
        columns = (
            ColumnWidth(_STEP - inset, fits=True, gap=0),
            ColumnWidth(_GAP),
            ColumnWidth(_FIELD, stretch=True),
            ColumnWidth(_MASKED, fits=True),
            ColumnWidth(_ICON),
            ColumnWidth(_WORDS - inset, fits=True, elides=True),
        )
        self._inset = inset
        self._least = 0
        super().__init__(columns, name=name, stops=Stops.ROWS)

    def set_parts(self, found: SharedParts, *, steps: bool) -> None:
        """Show other parts; ``steps``: there are steps to go to."""
        heads = (
            heading(say("step"), found.title),
            Head(""),
            Head(say("field")),
            Head(say("text")),
            Head(""),
            Head(say("what it is"), found.note, note=True),
        )
        rows = [_row(one, steps=steps) for one in found.parts]
        self.set_rows([*rows, _more(found.more)] if found.more else rows, heads)
        self.setVisible(bool(found.parts))

    @property
    def words_width(self) -> int:
        """What the last column would take by itself, outside of a card."""
        return super()._natural_widths()[-1] + scale(self._inset, self.cells.metrics[TextRole.BODY])

    def align(self, width: int) -> None:
        """Give the last column the width that it has in other tables as well."""
        if width != self._least:
            self._least = width
            self._lay_out()

    @override
    def _natural_widths(self) -> list[int]:
        widths = super()._natural_widths()
        inset = scale(self._inset, self.cells.metrics[TextRole.BODY])
        return [*widths[:-1], max(widths[-1], self._least - inset)]

    @override
    def _fit_columns(self) -> None:
        super()._fit_columns()
        least = scale(_FIELD, self.cells.metrics[TextRole.BODY])
        short = least - self.columnWidth(_FIELD_COLUMN)
        if short > 0:
            self.setColumnWidth(_FIELD_COLUMN, least)
            self.setColumnWidth(_LAST_COLUMN, max(1, self.columnWidth(_LAST_COLUMN) - short))


class PartCard(QWidget):
    """A table of parts on a card of its own."""

    def __init__(self, table: PartTable) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        sized(self, _pad, CARD_PADDING)
        layout.addWidget(table)
        for part in (table.viewport(), table.horizontalHeader().viewport()):
            part.setBackgroundRole(QPalette.ColorRole.AlternateBase)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        found = colours(self.palette())
        paint_box(QPainter(self), self.rect(), found.alternate, radius=CARD_PADDING)


def _pad(card: QWidget, px: int) -> None:
    card.layout().setContentsMargins(px, 2, px, px)  # type: ignore[union-attr]


def _row(one: SharedPart, *, steps: bool) -> Row:
    step = _DASH if one.step is None else shown_count(one.step)
    said = say("the trace") if one.step is None else say("step {number}", number=step)
    if one.becomes:
        sign = FigureCell(_ARROW, second=True, said=say("becomes"))
        token = partial(_token, one.becomes)
        words = FigureCell(one.becomes, TextRole.FIXED, picture=token, tooltip=one.becomes)
    else:
        sign = FigureCell(picture=_export, said=say("leaves in clear"))
        words = FigureCell(_words(one), second=True, tooltip=_words(one))
    return Row(
        (
            FigureCell(step, figure=True, second=True, said=said),
            FigureCell(),
            FigureCell(one.field, tooltip=one.place, said=one.place),
            FigureCell(one.masked, TextRole.FIXED),
            sign,
            words,
        ),
        _ROW_HEIGHT,
        wish=one.step if steps else None,
    )


def _more(number: int) -> Row:
    words = say_count("and {number} more", "and {number} more", number)
    return Row((FigureCell(), FigureCell(), FigureCell(words, second=True, span=4)), _ROW_HEIGHT)


def _words(one: SharedPart) -> str:
    return say("{kind}, {why}", kind=one.kind, why=one.why) if one.why else one.kind


def _export(painter: QPainter, rect: QRect, found: Colours) -> None:
    side = ICON_SIZE * rect.height() // _ROW_HEIGHT
    paint_icon(painter, centred(rect, rect.left(), side), IconName.EXPORT, found.text)


def _token(text: str, painter: QPainter, rect: QRect, found: Colours) -> None:
    """What the SDK puts in the place of a part, on a ground of its own."""
    metrics = painter.fontMetrics()
    padding = _TOKEN_PADDING * rect.height() // _ROW_HEIGHT
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - 2 * padding)
    box = band(rect, _TOKEN_HEIGHT * rect.height() // _ROW_HEIGHT)
    box.setWidth(min(rect.width(), metrics.horizontalAdvance(shown) + 2 * padding))
    paint_box(painter, box, found.track, found.field_edge, radius=MARK_RADIUS)
    painter.setPen(found.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, shown)


class BodyPart(QWidget):
    """A body as JSON; all that is found in it is masked here, and only here."""

    save_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sharing: Sharing | None = None
        self._size = ElidedLabel(role=TextRole.CAPTION, second=True)
        self.copy = FlatButton(text=say("Copy"), name=say("Copy Body"), link=True)
        self.save = FlatButton(text=say("Save…"), name=say("Save Body…"), link=True)
        self._fold = _FoldLine()
        self._text = PlainValue(say("Body that would be posted"), TextRole.FIXED)
        self._text.set_wrapped(wrapped=True)
        sized(self._text, QWidget.setFixedHeight, _BODY_HEIGHT)
        self._text.hide()
        title = QHBoxLayout()
        title.setSpacing(0)
        title.addWidget(Label(say("Body that would be posted"), TextRole.HEADING))
        title.addStretch(1)
        for widget in (self._size, self.copy, self.save):
            title.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(title)
        layout.addWidget(self._fold)
        layout.addWidget(self._text)
        self.copy.clicked.connect(self._on_copied)
        self.save.clicked.connect(self.save_wanted)
        self._fold.toggled.connect(self._on_unfolded)

    def set_sharing(self, sharing: Sharing) -> None:
        """Show the body that one way posts; nothing where it posts none."""
        body = sharing.body
        self.setVisible(body is not None)
        self._sharing = sharing
        if body is not None:
            self._size.setText(size_words(sharing))
            self._fold.setText(_folded(sharing))
            self._on_unfolded(self._fold.isChecked())

    @property
    def shown(self) -> str:
        """What stands there unfolded."""
        return self._text.toPlainText()

    def _on_copied(self) -> None:
        if self._sharing is not None and self._sharing.posting.body is not None:
            QGuiApplication.clipboard().setText(self._sharing.posting.body)

    def _on_unfolded(self, unfolded: bool) -> None:  # noqa: FBT001 - a slot
        self._text.setVisible(unfolded)
        text = _indented(self._sharing.masked_body) if unfolded and self._sharing else ""
        if text != self.shown:
            self._text.setPlainText(text)


class _FoldLine(Ringed, QToolButton):
    """A line of folded JSON behind a chevron that unfolds it."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        typed(self, TextRole.FIXED)

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, scale(_FOLD_HEIGHT, self.fontMetrics()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found, metrics = QPainter(self), colours(self.palette()), self.fontMetrics()
        icon = IconName.CHEVRON_DOWN if self.isChecked() else IconName.CHEVRON_RIGHT
        side, indent = scale(_CHEVRON, metrics), scale(_INDENT, metrics)
        paint_icon(painter, QRect(0, 0, side, self.height()), icon, found.second)
        room = self.rect().adjusted(indent, 0, 0, 0)
        shown = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(found.text)
        align = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        painter.drawText(room, align, shown)


def _indented(body: JsonValue) -> str:
    """The JSON with a line for each value, or the beginning of it; the rest is not written."""
    text = json_head(body, _MOST_SHOWN)
    shown = _UNSEEN.sub(_escape, text[:_MOST_SHOWN])
    return shown if len(text) <= _MOST_SHOWN else f"{shown}\n{cut_words(_MOST_SHOWN, None)}"


def _escape(found: re.Match[str]) -> str:
    """A character as it stands, or as JSON escapes it where nothing of it would be seen."""
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def _folded(sharing: Sharing) -> str:
    """The names of all members, with the sizes of those that hold others."""
    members = (sharing.body or {}).items()
    shown = (f"{one_line(sharing.place((name,)))}{_size(value)}" for name, value in members)
    return f"{{ {', '.join(shown)} }}"


def _size(value: JsonValue) -> str:
    match value:
        case dict():
            return f" {{{shown_count(len(value))}}}"
        case list():
            return f" [{shown_count(len(value))}]"
    return ""
