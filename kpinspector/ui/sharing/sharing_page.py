"""The Sharing tab: what would leave the machine of a trace; in two columns where there is room."""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.sharing.answer import Sharing, Ways
from kpinspector.sharing.posting import Way
from kpinspector.trace.javascript import JsonValue
from kpinspector.ui.controls.base import (
    ElidedLabel,
    FlatButton,
    Label,
    Ringed,
    fill_box,
    in_column,
    in_row,
    paint_box,
)
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.look.icons import IconName, paint_icon
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip, set_tip
from kpinspector.ui.look.theme import TextRole, colours, scale, sized, typed
from kpinspector.ui.parts.column_page import ColumnPage
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.parts.sections import Divider
from kpinspector.ui.score.why_view import VerdictBlock
from kpinspector.ui.sharing.sharing_tables import CARD_PADDING, PartTable, gate_rows, received_rows
from kpinspector.ui.steps.step_detail import cut_words
from kpinspector.ui.steps.step_words import json_head
from kpinspector.ui.tables.figure_model import Head, heads_of
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.figures import shown_count, shown_number, shown_whole
from kpinspector.words.say import say
from kpinspector.words.sharing import (
    WAY_NAMES,
    both_ways,
    headline,
    looked_for_line,
    looked_for_names,
    private_line,
    received_note,
    received_steps,
    score_figure,
    shared_parts,
    sharing_answer,
    size_words,
    wrap_line,
)
from kpinspector.words.writers.explanation_text import answer_text

LEVELS = ("aggregated", "federated", "private")
_GAP = 8
_LONGEST_LEVEL = 40
_MOST_PARTS = 100
_FOLD_HEIGHT, _BODY_HEIGHT = 22, 260
_CHEVRON, _INDENT = 12, 18
_MOST_SHOWN = 100_000
_UNSEEN = re.compile(r"[^\n -~]")


class SharingDo(StrEnum):
    """What can be wished in the Sharing tab."""

    TAKE_WAY = "take way"
    TAKE_LEVEL = "take level"
    GO_TO_STEP = "go to step"
    SAVE_BODY = "save body"


@dataclass(frozen=True, slots=True)
class SharingWish:
    """A wish, and of what: a way, a level or None for the trace's own, the index of a step."""

    do: SharingDo
    of: Any = None


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


class BodyPart(QWidget):
    """A body as JSON; all that is found in it is masked here, and only here."""

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
        title = Label(say("Body that would be posted"), TextRole.HEADING)
        first = in_row(title, None, self._size, self.copy, self.save, margins=None)
        in_column(first, self._fold, self._text, on=self)
        self.copy.clicked.connect(self._on_copied)
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

    def _on_copied(self) -> None:
        if self._sharing is not None and self._sharing.posting.body is not None:
            QGuiApplication.clipboard().setText(self._sharing.posting.body)

    def _on_unfolded(self, unfolded: bool) -> None:  # noqa: FBT001 - a slot
        self._text.setVisible(unfolded)
        text = _indented(self._sharing.masked_body) if unfolded and self._sharing else ""
        if text != self._text.toPlainText():
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


@dataclass(frozen=True, slots=True)
class ShownSharing:
    """What the tab shows of a row.

    Attributes:
        row: Its number.
        name: As the list calls it.
        steps: Whether there are steps to go to.
        level: Taken in place of the trace's own; None for its own.
        own_level: The trace's.
    """

    row: int
    name: str
    ways: Ways
    way: Way
    steps: bool = True
    level: str | None = None
    own_level: str | None = None


class SharingPage(ColumnPage):
    """What one way makes of a trace, and what the other does in a line."""

    wished = Signal(object)
    """A `SharingWish`."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: ShownSharing | None = None
        self._verdict = VerdictBlock(ElidedLabel(second=True))
        self._verdict.setToolTip(plain_tooltip(f"{looked_for_line()}\n{looked_for_names()}"))
        self._both, self._remark = _sentence(), _sentence()
        self._way, self._level = ComboBox(say("Sent by")), ComboBox(say("Level"))
        state, rest = ColumnWidth(26), ColumnWidth(1, stretch=True)
        columns = (state, ColumnWidth(78, fits=True), rest)
        self._gates = FigureTable(columns, name=say("Gates"), head_height=0)
        self._redacted = PartTable(say("Redacted"))
        self._clear = PartTable(say("Leaves in clear"))
        self._warnings = PartTable(say("Warnings of kpinspector"), CARD_PADDING)
        self._card = PartCard(self._warnings)
        self.body = BodyPart()
        name = say("As another agent receives it")
        self._received = FigureTable((rest, ColumnWidth(1)), name=name)
        self._dividers: list[tuple[Divider, QWidget]] = []
        self._fill()
        self.body.save.clicked.connect(lambda: self._wish(SharingDo.SAVE_BODY))
        # Qt keeps a name as a plain text
        way, level = self._way, self._level
        way.activated.connect(lambda _: self._wish(SharingDo.TAKE_WAY, Way(way.currentData())))
        level.activated.connect(lambda _: self._wish(SharingDo.TAKE_LEVEL, level.currentData()))
        for table in self._part_tables:
            table.row_activated.connect(partial(self._wish, SharingDo.GO_TO_STEP))
        self.set_hint("")

    @property
    def _part_tables(self) -> tuple[PartTable, ...]:
        return self._redacted, self._clear, self._warnings

    def _fill(self) -> None:
        for way in Way:
            self._way.addItem(WAY_NAMES[way], way)
        self._level.addItem("", None)
        for name in LEVELS:
            self._level.addItem(name, name)
        fields = in_row(spacing=_GAP)
        for field, stretch in ((self._way, 1), (self._level, 0)):
            label = Label(field.accessibleName(), second=True, buddy=field)
            fill_box(fields, label, (field, stretch))
        # without room the level gives way
        self._way.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._level.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        parts = self.first.parts
        fill_box(parts, self._verdict, self._both, self._remark, _GAP, fields, _GAP, self._gates)
        self._add(parts, self._redacted, self._clear)
        self._add(self.second.parts, self._card, self.body, self._received)

    def _add(self, column: QVBoxLayout, *parts: QWidget) -> None:
        """Add parts, each behind a line that goes where the part goes."""
        for part in parts:
            self._dividers.append((Divider(), part))
            column.addWidget(self._dividers[-1][0])
            column.addWidget(part)
        column.addStretch(1)

    def set_hint(self, sentence: str) -> None:
        """Say why nothing is shown."""
        self._shown = None
        self.show_hint(sentence)
        self.hint.show()
        for column in (self.first, self.second):
            column.hide()

    def set_sharing(self, shown: ShownSharing) -> None:
        """Show what would leave of a row."""
        self._shown = shown
        ways, sharing = shown.ways, shown.ways.by(shown.way)
        self._show_verdict(sharing, shown.row)
        self._both.setText(both_ways(ways))
        remarks = " ".join(filter(None, (wrap_line(ways), private_line(sharing))))
        self._remark.setText(remarks)
        self._remark.setVisible(bool(remarks))
        self._show_fields(shown)
        heads = tuple(map(Head, (say("state"), say("gate"), say("finding"))))
        self._gates.set_rows(gate_rows(sharing), heads)
        found = [*shared_parts(sharing, _MOST_PARTS)]
        for table, parts in zip(self._part_tables, found, strict=True):
            table.set_parts(parts, steps=shown.steps)
        self._card.setVisible(bool(found[-1].parts))
        self._align()
        self.body.set_sharing(sharing)
        steps = received_steps(sharing)
        self._received.setVisible(steps is not None)
        if steps is not None:
            title = say("As another agent receives it")
            heads = heads_of(title, say("line"), "", notes=received_note(steps))
            self._received.set_rows(received_rows(sharing, steps), heads)
        self.show_hint("")
        self._show_dividers()

    def _show_fields(self, shown: ShownSharing) -> None:
        """Show what is chosen, and the level that the trace itself names."""
        with QSignalBlocker(self._way), QSignalBlocker(self._level):
            self._way.setCurrentIndex(self._way.findData(shown.way))
            own = say("no privacy level")
            if shown.own_level is not None:
                own = masked_line(shown.own_level, _LONGEST_LEVEL)
            self._level.setItemText(0, say("From trace: {level}", level=own))
            self._level.setCurrentIndex(max(0, self._level.findData(shown.level)))
        self._level.updateGeometry()
        usable = shown.ways.contributed.is_posted
        why = "" if usable else say("It goes by neither way, as it is no trace yet.")
        for field in (self._way, self._level):
            field.setEnabled(usable)
            set_tip(field, why)

    def _show_verdict(self, sharing: Sharing, row: int) -> None:
        """Show what leaves in clear, else whether anything would be posted; and the scores."""
        block, (sign, word, second), cleaned = self._verdict, headline(sharing), ""
        if sharing.score_of_cleaned is not None:
            shown = shown_number(sharing.score_of_cleaned)
            cleaned = say("{score} for the cleaned text", score=shown)
        block.set_verdict(sign, word, row)
        block.score.setText(score_figure(sharing))
        whole = "" if sharing.score is None else shown_whole(sharing.score)
        set_tip(block.score, whole)
        # a reason may be cut, counts are not
        policy = QSizePolicy.Policy.Minimum if sharing.is_posted else QSizePolicy.Policy.Preferred
        block.second.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
        block.second.setText(second)
        block.last.setText(cleaned)
        block.set_said(word, block.score.text(), cleaned, second)

    def _align(self) -> None:
        """Let the tables of parts share their columns while they stand below each other."""
        widths = [table.words_width for table in self._part_tables]
        for table in self._part_tables:
            table.align(0 if self.wide else max(widths))

    def set_step(self, index: int | None) -> None:
        """Light the parts of the current step."""
        for table in self._part_tables:
            table.set_lit(index)

    @property
    def answer(self) -> str:
        """The answer as text; "" where there is none."""
        one = self._shown
        return "" if one is None else answer_text(sharing_answer(one.name, one.ways, one.way))

    def _show_dividers(self) -> None:
        beside = self.second if self.wide else None
        for divider, part in self._dividers:
            seen = not part.isHidden()
            divider.setVisible(seen and part.parentWidget() is not beside)
            if seen and part.parentWidget() is beside:
                beside = None  # nothing stands above the first part of the second column

    def _wish(self, do: SharingDo, of: object = None) -> None:
        self.wished.emit(SharingWish(do, of))

    @override
    def rearrange(self) -> None:
        self._align()
        self._show_dividers()


def _sentence() -> Label:
    """A sentence on as many lines as it takes."""
    label = Label(second=True)
    label.setWordWrap(True)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)
    return label
