"""The Sharing tab: what would be sent of a trace; in two columns where there is room."""

import json
import re
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from kpinspector.app.document import Document
from kpinspector.app.sharing import is_pending, record_of
from kpinspector.phrase import Phrase
from kpinspector.sharing.answer import Sharing, Ways, place_of
from kpinspector.sharing.parts import few_shot
from kpinspector.sharing.posting import Way
from kpinspector.trace.clear import masked_body
from kpinspector.trace.javascript import JsonValue
from kpinspector.ui.controls.base import (
    ElidedLabel,
    FlatButton,
    Label,
    fill_box,
    in_column,
    in_row,
    paint_box,
)
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.look.marks import (
    ICON_SIZE,
    MARK_RADIUS,
    STATE_SIZE,
    IconName,
    fill,
    paint_state,
)
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import masked_line, one_line, plain_tooltip, set_tip
from kpinspector.ui.look.theme import Colours, TextRole, scale, sized
from kpinspector.ui.panes import Do, Wish
from kpinspector.ui.panes.why import VerdictBlock
from kpinspector.ui.parts.plain_value import PlainValue
from kpinspector.ui.parts.sections import ColumnPage, WrappedLabel
from kpinspector.ui.steps.step_detail import cut_words
from kpinspector.ui.steps.step_fields import json_head
from kpinspector.ui.tables.figure_model import CellMark, FigureCell, Head, Row, heads_of
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, Stops
from kpinspector.words.figures import shown_count, shown_number, shown_whole
from kpinspector.words.page import Sign, Table
from kpinspector.words.say import Names, say, say_count
from kpinspector.words.sharing import (
    WAY_NAMES,
    SharedPart,
    SharedParts,
    both_ways,
    gates_section,
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

_PART_HEIGHT, _REASON_HEIGHT, _GATE_HEIGHT, _LINE_HEIGHT = 24, 38, 20, 16
_TOKEN_HEIGHT, _TOKEN_PADDING = 17, 4
_STEP, _BETWEEN, _FIELD, _MASKED, _ICON, _WORDS = 22, 12, 64, 68, 22, 144
_GAP = 8
_DASH, _ARROW = "\N{EN DASH}", "\N{RIGHTWARDS ARROW}"
_FEW = 4
_CARD_PADDING = 8
_MOST_PARTS = 100
_LONGEST_LEVEL = 40
_FOLD_HEIGHT, _BODY_HEIGHT = 22, 260
_CHEVRON, _INDENT = 12, 18
_MOST_SHOWN = 100_000
_UNSEEN = re.compile(r"[^\n -~]")
_LEVELS = ("aggregated", "federated", "private")
_STATE_WORDS = Names[Sign](
    {
        Sign.ACCEPTED: Phrase("passed"),
        Sign.REJECTED: Phrase("failed"),
        Sign.NOT_REACHED: Phrase("not decided here"),
    }
)


class PartTable(FigureTable):
    """Parts of the trace that are found, by their steps; those of the current step are highlighted.

    Where room is short, the field is cut first, then the kind; the masked text never is.
    """

    def __init__(self, name: str, tip: str, inset: int = 0) -> None:
        columns = (
            ColumnWidth(_STEP - inset, fits=True, gap=0),
            ColumnWidth(_BETWEEN),
            ColumnWidth(_FIELD, stretch=True),
            ColumnWidth(_MASKED, fits=True),
            ColumnWidth(_ICON),
            ColumnWidth(_WORDS - inset, fits=True, elides=True),
        )
        self._inset, self._tip = inset, tip
        self._least = 0
        super().__init__(columns, name=name, stops=Stops.ROWS)

    def set_parts(self, found: SharedParts, *, steps: bool) -> None:
        """Show the parts; with ``steps``, activating a row goes to its step."""
        said = (say("step"), "", say("field"), say("text"), "", say("what it is"))
        rows = [_part_row(one, steps=steps) for one in found.parts]
        if found.more:
            words = say_count("and {number} more", "and {number} more", found.more)
            more = FigureCell(words, second=True, span=4)
            rows.append(Row((FigureCell(), FigureCell(), more), _PART_HEIGHT))
        self.set_rows(rows, heads_of(found.title, *said, notes=found.note, tip=self._tip))
        self.setVisible(bool(found.parts))

    @property
    def words_width(self) -> int:
        """The natural width of the last column, as if the table stood outside a card."""
        return super()._natural_widths()[-1] + scale(self._inset, self.cells.metrics[TextRole.BODY])

    def align(self, width: int) -> None:
        """Make the last column at least so wide, as wide as that of the other tables."""
        if width != self._least:
            self._least = width
            self.lay_out_columns()

    @override
    def _natural_widths(self) -> list[int]:
        widths = super()._natural_widths()
        inset = scale(self._inset, self.cells.metrics[TextRole.BODY])
        return [*widths[:-1], max(widths[-1], self._least - inset)]


def _part_row(part: SharedPart, *, steps: bool) -> Row:
    step = _DASH if part.step is None else shown_count(part.step)
    said = say("the trace") if part.step is None else say("step {number}", number=step)
    text = say("{kind}, {why}", kind=part.kind, why=part.why) if part.why else part.kind
    below = FigureCell() if part.why else None  # the reason has a line of its own, and is never cut
    if part.becomes:
        sign = FigureCell(_ARROW, second=True, said=say("becomes"))
        token = partial(_token, part.becomes)
        words = FigureCell(part.becomes, TextRole.FIXED, picture=token, tooltip=part.becomes)
    else:
        icon = CellMark(IconName.EXPORT, ICON_SIZE)
        sign = FigureCell(mark=icon, below=below, said=say("leaves in clear"))
        why = below and FigureCell(part.why, TextRole.CAPTION, second=True)
        words = FigureCell(part.kind, second=True, below=why, said=text, tooltip=text)
    cells = (
        FigureCell(step, figure=True, second=True, below=below, said=said),
        FigureCell(),
        FigureCell(part.field, below=below, tooltip=part.place, said=part.place),
        FigureCell(part.masked, TextRole.FIXED, below=below),
        sign,
        words,
    )
    height = _REASON_HEIGHT if part.why else _PART_HEIGHT
    return Row(cells, height, wish=part.step if steps else None)


def _token(text: str, painter: QPainter, rect: QRect, found: Colours) -> None:
    """Paint the token that the SDK puts in place of a part, in a box."""
    metrics = painter.fontMetrics()
    padding = _TOKEN_PADDING * rect.height() // _PART_HEIGHT
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - 2 * padding)
    box = band(rect, _TOKEN_HEIGHT * rect.height() // _PART_HEIGHT)
    box.setWidth(min(rect.width(), metrics.horizontalAdvance(shown) + 2 * padding))
    paint_box(painter, box, found.track, found.field_edge, radius=MARK_RADIUS)
    painter.setPen(found.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, shown)


def gate_rows(sharing: Sharing) -> list[Row]:
    """A row for each gate with its state; lines join the symbols of neighbouring rows."""
    (table,) = gates_section(sharing).blocks
    rows = table.rows if isinstance(table, Table) else ()
    found = []
    for place, (name, words) in enumerate(rows):
        sign = name.sign or Sign.NOT_REACHED
        shape = partial(_shape, sign, (place == 0, place == len(rows) - 1))
        cells = (
            FigureCell(picture=shape, said=_STATE_WORDS[sign]),
            FigureCell(name.text),
            FigureCell(words.text, second=True, tooltip=words.text),
        )
        found.append(Row(cells, _GATE_HEIGHT))
    return found


def received_rows(sharing: Sharing, steps: Sequence[JsonValue]) -> list[Row]:
    """The first lines that another agent receives of a trace, with secrets masked."""
    first = masked_body(list(steps[:_FEW]), sharing.in_clear, ("steps",))
    text = few_shot(first) if isinstance(first, list) else ""
    tip = say("The text of the unit that the registry sends; KPRetrieval hands on more than that.")
    lines = text.split("\n")[: min(_FEW, len(steps))]
    cells = (
        FigureCell(one_line(line), TextRole.FIXED, second=True, span=2, tooltip=tip)
        for line in lines
    )
    return [Row((cell,), _LINE_HEIGHT) for cell in cells]


def _shape(
    sign: Sign, ends: tuple[bool, bool], painter: QPainter, rect: QRect, found: Colours
) -> None:
    side = STATE_SIZE * rect.height() // _GATE_HEIGHT
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


class PartCard(QWidget):
    """A card that holds a table of parts."""

    def __init__(self, table: PartTable) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        in_column(table, on=self, spacing=None)
        sized(self, lambda card, px: card.layout().setContentsMargins(px, 2, px, px), _CARD_PADDING)
        for part in (table.viewport(), table.horizontalHeader().viewport()):
            part.setBackgroundRole(QPalette.ColorRole.AlternateBase)


class BodyPart(QWidget):
    """The body as JSON; only what is shown is masked, not what is copied or saved."""

    def __init__(self) -> None:
        super().__init__()
        self._sharing: Sharing | None = None
        self._size = ElidedLabel(role=TextRole.CAPTION, second=True)
        self.copy = FlatButton(text=say("Copy"), name=say("Copy Body"), link=True)
        self.save = FlatButton(text=say("Save…"), name=say("Save Body…"), link=True)
        columns = (ColumnWidth(_INDENT), ColumnWidth(1, stretch=True))
        self._fold = FigureTable(columns, name=say("Members of the body"), head_height=0)
        self._unfolded = False
        self._text = PlainValue(say("Body that would be posted"), TextRole.FIXED)
        self._text.set_wrapped(wrapped=True)
        sized(self._text, QWidget.setFixedHeight, _BODY_HEIGHT)
        self._text.hide()
        title = Label(say("Body that would be posted"), TextRole.HEADING)
        set_tip(title, say("The JSON that would leave this machine"))
        first = in_row(title, None, self._size, self.copy, self.save, margins=None)
        in_column(first, self._fold, self._text, on=self)
        self.copy.clicked.connect(self._on_copied)
        self._fold.row_activated.connect(self._unfold)

    def set_sharing(self, sharing: Sharing) -> None:
        """Show the body that this way of sharing posts; hide if it posts none."""
        body = sharing.body
        self.setVisible(body is not None)
        self._sharing = sharing
        if body is not None:
            self._size.setText(size_words(sharing))
            self._unfold(self._unfolded)

    def _on_copied(self) -> None:
        if self._sharing is not None and self._sharing.posting.body is not None:
            QGuiApplication.clipboard().setText(self._sharing.posting.body)

    def _unfold(self, unfolded: bool) -> None:  # noqa: FBT001 - a slot
        """Show a line with the names of the members, and below it the whole body if unfolded."""
        if self._sharing is None:
            return
        self._unfolded = unfolded
        icon = IconName.CHEVRON_DOWN if unfolded else IconName.CHEVRON_RIGHT
        cells = (
            FigureCell(mark=CellMark(icon, _CHEVRON), second=True),
            FigureCell(_folded(self._sharing), TextRole.FIXED),
        )
        row = Row(cells, _FOLD_HEIGHT, wish=not unfolded, opened=unfolded)
        self._fold.set_rows([row])
        self._text.setVisible(unfolded)
        text = _indented(self._sharing.masked_body) if unfolded else ""
        if text != self._text.toPlainText():
            self._text.setPlainText(text)


def _indented(body: JsonValue) -> str:
    """The body as JSON with a line for each value, cut after the most characters that are shown."""
    text = json_head(body, _MOST_SHOWN)
    shown = _UNSEEN.sub(_escape, text[:_MOST_SHOWN])
    return shown if len(text) <= _MOST_SHOWN else f"{shown}\n{cut_words(_MOST_SHOWN, None)}"


def _escape(found: re.Match[str]) -> str:
    """A printable character as it is, any other as JSON escapes it."""
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]


def _folded(sharing: Sharing) -> str:
    """The names of the body's members, with the sizes of lists and objects."""
    members = (sharing.body or {}).items()
    shown = (f"{one_line(place_of((name,)))}{_size(value)}" for name, value in members)
    return f"{{ {', '.join(shown)} }}"


def _size(value: JsonValue) -> str:
    match value:
        case dict():
            return f" {{{shown_count(len(value))}}}"
        case list():
            return f" [{shown_count(len(value))}]"
    return ""


class SharingPage(ColumnPage):
    """What the chosen way of sharing makes of a trace, and the other way in one line."""

    wished = Signal(object)
    """A `Wish`."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[str, Ways, Way] | None = None
        self._verdict = VerdictBlock(ElidedLabel(second=True))
        self._verdict.setToolTip(plain_tooltip(f"{looked_for_line()}\n{looked_for_names()}"))
        self._both, self._remark = (WrappedLabel("", second=True) for _ in range(2))
        self._way, self._level = ComboBox(say("Sent by")), ComboBox(say("Level"))
        state, rest = ColumnWidth(26), ColumnWidth(1, stretch=True)
        columns = (state, ColumnWidth(78, fits=True), rest)
        self._gates = FigureTable(columns, name=say("Gates"), head_height=0)
        self._redacted = PartTable(say("Redacted"), say("What the SDK takes out before it posts"))
        self._clear = PartTable(say("Leaves in clear"), say("What would be posted as it stands"))
        tip = say("What looks secret, though the SDK knows no such kind")
        self._warnings = PartTable(say("Warnings of kpinspector"), tip, _CARD_PADDING)
        self._part_tables = (self._redacted, self._clear, self._warnings)
        self._card = PartCard(self._warnings)
        self.body = BodyPart()
        name = say("As another agent receives it")
        self._received = FigureTable((rest, ColumnWidth(1)), name=name)
        self._fill()
        self.body.save.clicked.connect(lambda: self._wish(Do.SAVE_BODY))
        # Qt keeps an enum member as a plain string
        way, level = self._way, self._level
        way.activated.connect(lambda _: self._wish(Do.TAKE_WAY, Way(way.currentData())))
        level.activated.connect(lambda _: self._wish(Do.TAKE_LEVEL, level.currentData()))
        for table in self._part_tables:
            table.row_activated.connect(partial(self._wish, Do.GO_TO_STEP))
        self.show_hint(_why_nothing(None))

    def _fill(self) -> None:
        for way in Way:
            self._way.addItem(WAY_NAMES[way], way)
        self._level.addItem("", None)
        for name in _LEVELS:
            self._level.addItem(name, name)
        fields = in_row(spacing=_GAP)
        for field, stretch in ((self._way, 1), (self._level, 0)):
            label = Label(field.accessibleName(), second=True, buddy=field)
            fill_box(fields, label, (field, stretch))
        # the combo box of the level shrinks first
        self._way.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._level.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        parts = self.first.parts
        fill_box(parts, self._verdict, self._both, self._remark, _GAP, fields, _GAP, self._gates)
        self.add(self.first, self._redacted, self._clear)
        self.add(self.second, self._card, self.body, self._received)
        for column in (self.first, self.second):
            column.parts.addStretch(1)

    def set_sharing(
        self,
        document: Document | None,
        ways: Ways | None,
        way: Way = Way.CONTRIBUTE,
        levels: tuple[str | None, str | None] = (None, None),
    ) -> None:
        """Show what would be sent of a row, or say why nothing is shown.

        ``levels``: the chosen one, None for the trace's own; then the one that the trace names.
        """
        if document is None or ways is None:
            self._shown = None
            self.show_hint(_why_nothing(document))
            return
        self._shown, sharing = (document.name, ways, way), ways.by(way)
        self._show_verdict(sharing, document.number)
        self._both.setText(both_ways(ways))
        self._remark.show_words(" ".join(filter(None, (wrap_line(ways), private_line(sharing)))))
        self._show_fields(ways, way, *levels)
        heads = tuple(map(Head, (say("state"), say("gate"), say("finding"))))
        self._gates.set_rows(gate_rows(sharing), heads)
        found = [*shared_parts(sharing, _MOST_PARTS)]
        for table, parts in zip(self._part_tables, found, strict=True):
            table.set_parts(parts, steps=document.record is not None)
        self._card.setVisible(bool(found[-1].parts))
        self._align()
        self.body.set_sharing(sharing)
        steps = received_steps(sharing)
        self._received.setVisible(steps is not None)
        if steps is not None:
            title = say("As another agent receives it")
            tip = say("How the text begins that the registry sends on")
            heads = heads_of(title, say("line"), "", notes=received_note(steps), tip=tip)
            self._received.set_rows(received_rows(sharing, steps), heads)
        self.show_hint("")
        self.show_lines()

    def _show_fields(self, ways: Ways, way: Way, level: str | None, own_level: str | None) -> None:
        """Show the chosen way and level, and the level that the trace itself names."""
        own = say("no privacy level")
        if own_level is not None:
            own = masked_line(own_level, _LONGEST_LEVEL)
        with QSignalBlocker(self._way), QSignalBlocker(self._level):
            self._way.setCurrentIndex(self._way.findData(way))
            self._level.setItemText(0, say("From trace: {level}", level=own))
            self._level.setCurrentIndex(max(0, self._level.findData(level)))
        self._level.updateGeometry()
        usable = ways.contributed.is_posted
        why = "" if usable else say("It goes by neither way, as it is no trace yet.")
        for field in (self._way, self._level):
            field.setEnabled(usable)
            set_tip(field, why)

    def _show_verdict(self, sharing: Sharing, row: int) -> None:
        """Show how much leaves in clear, or whether anything would be posted; and the scores."""
        block, (sign, word, second), cleaned = self._verdict, headline(sharing), ""
        if sharing.score_of_cleaned is not None:
            shown = shown_number(sharing.score_of_cleaned)
            cleaned = say("{score} for the cleaned text", score=shown)
        block.set_verdict(sign, word, row)
        block.score.setText(score_figure(sharing))
        whole = "" if sharing.score is None else shown_whole(sharing.score)
        set_tip(block.score, whole)
        # a reason may be cut, counts may not
        policy = QSizePolicy.Policy.Minimum if sharing.is_posted else QSizePolicy.Policy.Preferred
        block.second.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
        block.second.setText(second)
        block.last.setText(cleaned)
        block.set_said(word, block.score.text(), cleaned, second)

    def _align(self) -> None:
        """Give the tables of parts the same columns while they stand below each other."""
        widths = [table.words_width for table in self._part_tables]
        for table in self._part_tables:
            table.align(0 if self.wide else max(widths))

    def set_step(self, index: int | None) -> None:
        """Highlight the parts of the current step; None for no step."""
        for table in self._part_tables:
            table.set_lit(index)

    @property
    def answer(self) -> str:
        """The answer as text; "" if nothing is shown."""
        return "" if self._shown is None else answer_text(sharing_answer(*self._shown))

    def _wish(self, do: Do, of: object = None) -> None:
        self.wished.emit(Wish(do, of))

    @override
    def rearrange(self) -> None:
        self._align()
        super().rearrange()


def _why_nothing(document: Document | None) -> str:
    """Why the tab shows nothing for a row."""
    if document is None:
        return say("Choose a trace to see what would leave the machine.")
    if record_of(document) is None:
        return say("This is no trace: nothing of it could be shared.")
    if is_pending(document):
        return say("What would leave the machine is said once the score is known.")
    return say("in a moment")
