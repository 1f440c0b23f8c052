"""The Sharing tab: what would leave the machine of a trace; in two columns where there is room."""

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Signal
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.sharing.answer import Sharing, Ways
from kpinspector.sharing.parts import few_shot
from kpinspector.sharing.posting import Way
from kpinspector.trace.clear import masked_body
from kpinspector.ui.controls.base import ElidedLabel, Label, in_column, in_row
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.look.marks import STATE_SIZE, STATE_SIZE_LARGE, fill, paint_state
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip
from kpinspector.ui.look.roles import Group, announce
from kpinspector.ui.look.theme import Colours, TextRole, font, scale
from kpinspector.ui.parts.column_page import ColumnPage
from kpinspector.ui.parts.sections import Divider
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.score.why_view import BLOCK_HEIGHT
from kpinspector.ui.sharing.body_part import CARD_PADDING, BodyPart, PartCard, PartTable
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.figures import shown_number, shown_whole
from kpinspector.words.page import Cell, Sign, Table
from kpinspector.words.say import Names, say
from kpinspector.words.sharing import (
    WAY_NAMES,
    both_ways,
    clear_parts,
    gates_section,
    headline,
    looked_for_line,
    looked_for_names,
    private_line,
    received_note,
    received_steps,
    redacted_parts,
    score_figure,
    sharing_answer,
    warning_parts,
    wrap_line,
)
from kpinspector.words.writers.explanation_text import answer_text

LEVELS = ("aggregated", "federated", "private")
_TOP = 8
_GAP = 8
_LONGEST_LEVEL = 40
_ROW_HEIGHT, _LINE_HEIGHT = 20, 16
_SIGN = ColumnWidth(26)
_FEW = 4
_STATE_WORDS = Names[Sign](
    {
        Sign.ACCEPTED: Phrase("passed"),
        Sign.REJECTED: Phrase("failed"),
        Sign.NOT_REACHED: Phrase("not decided here"),
    }
)
_MOST_PARTS = 100


class SharingVerdict(Group):
    """What leaves in clear, else whether anything would be posted; and the scores."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[int, str] | None = None
        self._mark = StateMark(STATE_SIZE_LARGE, filled=True)
        self._word = ElidedLabel(role=TextRole.NUMBER)
        self._score = Label(role=TextRole.SCORE)
        self._second = ElidedLabel(second=True)
        self._cleaned = ElidedLabel(second=True)
        layout = in_column(
            _line(self._mark, self._word, self._score), on=self, margins=(0, _TOP, 0, 0)
        )
        below = _line(self._second, self._cleaned)
        below.setContentsMargins(scale(STATE_SIZE_LARGE, self.fontMetrics()) + _GAP, 0, 0, 0)
        layout.addLayout(below)
        layout.addStretch(1)
        self.setAccessibleName(say("Verdict"))
        self.setToolTip(plain_tooltip(f"{looked_for_line()}\n{looked_for_names()}"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_sharing(self, sharing: Sharing, row: int) -> None:
        """Show what is read first; something new of the same row is announced."""
        (sign, word, second), cleaned = headline(sharing), ""
        if sharing.score_of_cleaned is not None:
            shown = shown_number(sharing.score_of_cleaned)
            cleaned = say("{score} for the cleaned text", score=shown)
        self._mark.set_state(sign, word)
        self._word.setText(word)
        self._score.setText(score_figure(sharing))
        whole = "" if sharing.score is None else shown_whole(sharing.score)
        self._score.setToolTip(plain_tooltip(whole))
        # a reason may be cut, counts are not
        is_count = sharing.is_posted
        policy = QSizePolicy.Policy.Minimum if is_count else QSizePolicy.Policy.Preferred
        self._second.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
        self._second.setText(second)
        self._cleaned.setText(cleaned)
        said = (word, self._score.text(), cleaned, second)
        self.setAccessibleDescription(". ".join(filter(None, said)) + ".")
        before, self._shown = self._shown, (row, word)
        if before is not None and before != self._shown and before[0] == row:
            announce(self, self.accessibleDescription())

    @override
    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(font(TextRole.BODY, QApplication.font()))
        hint = super().sizeHint()
        return QSize(hint.width(), max(scale(BLOCK_HEIGHT, metrics), hint.height()))


def _line(*widgets: QWidget) -> QHBoxLayout:
    """A line of words, then a figure at the right edge."""
    return in_row(*widgets[:-1], None, widgets[-1], margins=None, spacing=_GAP)


class SharingFields(QWidget):
    """By which way a trace is sent, and at which privacy level."""

    way_chosen = Signal(object)
    level_chosen = Signal(object)
    """A level's name; None for the trace's own."""

    def __init__(self) -> None:
        super().__init__()
        self.way, self.level = ComboBox(say("Sent by")), ComboBox(say("Level"))
        for way in Way:
            self.way.addItem(WAY_NAMES[way], way)
        self.level.addItem("", None)
        for name in LEVELS:
            self.level.addItem(name, name)
        # Qt keeps a name as a plain text
        self.way.activated.connect(lambda _: self.way_chosen.emit(Way(self.way.currentData())))
        self.level.activated.connect(lambda _: self.level_chosen.emit(self.level.currentData()))
        layout = in_row(on=self, spacing=_GAP)
        for field in (self.way, self.level):
            label = Label(field.accessibleName(), second=True)
            label.setBuddy(field)
            layout.addWidget(label)
            layout.addWidget(field)
        layout.setStretchFactor(self.way, 1)
        # without room the level gives way
        self.way.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.level.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_chosen(self, way: Way, level: str | None, own: str | None) -> None:
        """Show what is chosen, and the level that the trace itself names."""
        with QSignalBlocker(self.way), QSignalBlocker(self.level):
            self.way.setCurrentIndex(self.way.findData(way))
            named = say("no privacy level") if own is None else masked_line(own, _LONGEST_LEVEL)
            self.level.setItemText(0, say("From trace: {level}", level=named))
            self.level.setCurrentIndex(max(0, self.level.findData(level)))
        self.level.updateGeometry()

    def set_usable(self, *, usable: bool) -> None:
        """Whether there is anything to choose for."""
        why = "" if usable else say("It goes by neither way, as it is no trace yet.")
        for field in (self.way, self.level):
            field.setEnabled(usable)
            field.setToolTip(plain_tooltip(why))


class GateTable(FigureTable):
    """The gates in their order, one below the other, with a line from each to the next."""

    def __init__(self) -> None:
        columns = (_SIGN, ColumnWidth(78, fits=True), ColumnWidth(1, stretch=True))
        super().__init__(columns, name=say("Gates"), head_height=0)

    def set_sharing(self, sharing: Sharing) -> None:
        """Show how a trace fares at each gate."""
        found = gates_section(sharing)
        (table,) = found.blocks
        rows = table.rows if isinstance(table, Table) else ()
        last = len(rows) - 1
        heads = (Head(say("state")), Head(say("gate")), Head(say("finding")))
        self.set_rows(
            [
                Row(
                    (
                        _sign(name, _STATE_WORDS, (place == 0, place == last)),
                        FigureCell(name.text),
                        FigureCell(words.text, second=True, tooltip=words.text),
                    ),
                    _ROW_HEIGHT,
                )
                for place, (name, words) in enumerate(rows)
            ],
            heads,
        )


class ReceivedTable(FigureTable):
    """The first lines that another agent gets of a trace, with what is secret in them masked."""

    def __init__(self) -> None:
        super().__init__((ColumnWidth(1, stretch=True), ColumnWidth(1)))
        self.setAccessibleName(say("As another agent receives it"))

    def set_sharing(self, sharing: Sharing) -> None:
        """Show the lines; nothing where nothing is stored."""
        steps = received_steps(sharing)
        self.setVisible(steps is not None)
        if steps is None:
            return
        first = masked_body(list(steps[:_FEW]), sharing.in_clear, ("steps",))
        text = few_shot(first) if isinstance(first, list) else ""
        heads = (
            heading(say("line"), say("As another agent receives it")),
            Head("", received_note(steps), note=True),
        )
        self.set_rows(
            [_tables_line(one) for one in text.split("\n")[: min(_FEW, len(steps))]], heads
        )


def _tables_line(text: str) -> Row:
    note = say("The text of the unit that the registry sends; KPRetrieval hands on more than that.")
    cell = FigureCell(one_line(text), TextRole.FIXED, second=True, span=2, tooltip=note)
    return Row((cell,), _LINE_HEIGHT)


def _sign(cell: Cell, words: Names[Sign], ends: tuple[bool, bool] = (True, True)) -> FigureCell:
    """The shape of a state; ``ends``: no line comes from above it, none goes on below."""
    sign = cell.sign or Sign.NOT_REACHED
    return FigureCell(picture=partial(_shape, sign, ends), said=words[sign])


def _shape(
    sign: Sign, ends: tuple[bool, bool], painter: QPainter, rect: QRect, found: Colours
) -> None:
    side = STATE_SIZE * rect.height() // _ROW_HEIGHT
    box = centred(rect, rect.left(), side)
    paint_state(painter, box, sign, found)
    middle = box.center().x()
    first, last = ends
    if not first:
        top = QRect(middle, rect.top(), 1, box.top() - rect.top())
        fill(painter, top, found.button_edge)
    if not last:
        below = QRect(middle, box.bottom() + 1, 1, rect.bottom() - box.bottom())
        fill(painter, below, found.button_edge)


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

    step_wanted = Signal(object)
    """The position of the step in which a part stands."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: ShownSharing | None = None
        self._verdict = SharingVerdict()
        self._both, self._remark = _sentence(), _sentence()
        self.fields = SharingFields()
        self._gates = GateTable()
        self._redacted = PartTable(say("Redacted"))
        self._clear = PartTable(say("Leaves in clear"))
        self._warnings = PartTable(say("Warnings of kpinspector"), CARD_PADDING)
        self._card = PartCard(self._warnings)
        self.body = BodyPart()
        self._received = ReceivedTable()
        self._dividers: list[tuple[Divider, QWidget]] = []
        self._fill()
        for table in self._part_tables:
            table.row_activated.connect(self._on_activated)
        self.set_hint("")

    @property
    def _part_tables(self) -> tuple[PartTable, ...]:
        return self._redacted, self._clear, self._warnings

    def _fill(self) -> None:
        parts = self.first.parts
        parts.addWidget(self._verdict)
        parts.addWidget(self._both)
        parts.addWidget(self._remark)
        parts.addSpacing(_GAP)
        parts.addWidget(self.fields)
        parts.addSpacing(_GAP)
        parts.addWidget(self._gates)
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
        self.hint.set_sentence(sentence)
        self._show_columns(shown=False)

    def set_sharing(self, shown: ShownSharing) -> None:
        """Show what would leave of a row."""
        self._shown = shown
        ways, sharing = shown.ways, shown.ways.by(shown.way)
        self._verdict.set_sharing(sharing, shown.row)
        self._both.setText(both_ways(ways))
        remarks = " ".join(filter(None, (wrap_line(ways), private_line(sharing))))
        self._remark.setText(remarks)
        self._remark.setVisible(bool(remarks))
        self.fields.set_chosen(shown.way, shown.level, shown.own_level)
        self.fields.set_usable(usable=ways.contributed.is_posted)
        self._gates.set_sharing(sharing)
        found = [
            parts(sharing, _MOST_PARTS) for parts in (redacted_parts, clear_parts, warning_parts)
        ]
        for table, parts in zip(self._part_tables, found, strict=True):
            table.set_parts(parts, steps=shown.steps)
        self._card.setVisible(bool(found[-1].parts))
        self._align()
        for part in (self.body, self._received):
            part.set_sharing(sharing)
        self._show_columns(shown=True)

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

    def _show_columns(self, *, shown: bool) -> None:
        self.hint.setVisible(not shown)
        for column in (self.first, self.second):
            column.setVisible(shown)
        beside = self.second if self.wide else None
        for divider, part in self._dividers:
            seen = not part.isHidden()
            divider.setVisible(seen and part.parentWidget() is not beside)
            if seen and part.parentWidget() is beside:
                beside = None  # nothing stands above the first part of the second column

    def _on_activated(self, wish: object) -> None:
        if isinstance(wish, int):
            self.step_wanted.emit(wish)

    @override
    def rearrange(self) -> None:
        self._align()
        self._show_columns(shown=self._shown is not None)


def _sentence() -> Label:
    """A sentence on as many lines as it takes."""
    label = Label(second=True)
    label.setWordWrap(True)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)
    return label
