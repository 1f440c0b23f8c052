"""The tables of the Sharing tab: gates, what is redacted or leaves in clear, what others get."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.parts import few_shot
from kpinspector.trace.clear import masked_body
from kpinspector.trace.javascript import JsonValue
from kpinspector.ui.controls.base import paint_box
from kpinspector.ui.look.icons import ICON_SIZE, IconName
from kpinspector.ui.look.marks import MARK_RADIUS, STATE_SIZE, fill, paint_state
from kpinspector.ui.look.painting import band, centred
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole, scale
from kpinspector.ui.tables.figure_model import CellMark, FigureCell, Row, heads_of
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable, Stops
from kpinspector.words.figures import shown_count
from kpinspector.words.page import Sign, Table
from kpinspector.words.say import Names, say, say_count
from kpinspector.words.sharing import (
    SharedPart,
    SharedParts,
    gates_section,
)

_PART_HEIGHT, _GATE_HEIGHT, _LINE_HEIGHT = 24, 20, 16
_TOKEN_HEIGHT, _TOKEN_PADDING = 17, 4
_STEP, _GAP, _FIELD, _MASKED, _ICON, _WORDS = 22, 12, 64, 68, 22, 144
_FIELD_COLUMN, _LAST_COLUMN = 2, 5
_DASH, _ARROW = "\N{EN DASH}", "\N{RIGHTWARDS ARROW}"
_FEW = 4
CARD_PADDING = 8
_STATE_WORDS = Names[Sign](
    {
        Sign.ACCEPTED: Phrase("passed"),
        Sign.REJECTED: Phrase("failed"),
        Sign.NOT_REACHED: Phrase("not decided here"),
    }
)


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
        said = (say("step"), "", say("field"), say("text"), "", say("what it is"))
        rows = [_part_row(one, steps=steps) for one in found.parts]
        if found.more:
            words = say_count("and {number} more", "and {number} more", found.more)
            more = FigureCell(words, second=True, span=4)
            rows.append(Row((FigureCell(), FigureCell(), more), _PART_HEIGHT))
        self.set_rows(rows, heads_of(found.title, *said, notes=found.note))
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


def _part_row(one: SharedPart, *, steps: bool) -> Row:
    step = _DASH if one.step is None else shown_count(one.step)
    said = say("the trace") if one.step is None else say("step {number}", number=step)
    if one.becomes:
        sign = FigureCell(_ARROW, second=True, said=say("becomes"))
        token = partial(_token, one.becomes)
        words = FigureCell(one.becomes, TextRole.FIXED, picture=token, tooltip=one.becomes)
    else:
        sign = FigureCell(mark=CellMark(IconName.EXPORT, ICON_SIZE), said=say("leaves in clear"))
        text = say("{kind}, {why}", kind=one.kind, why=one.why) if one.why else one.kind
        words = FigureCell(text, second=True, tooltip=text)
    cells = (
        FigureCell(step, figure=True, second=True, said=said),
        FigureCell(),
        FigureCell(one.field, tooltip=one.place, said=one.place),
        FigureCell(one.masked, TextRole.FIXED),
        sign,
        words,
    )
    return Row(cells, _PART_HEIGHT, wish=one.step if steps else None)


def _token(text: str, painter: QPainter, rect: QRect, found: Colours) -> None:
    """What the SDK puts in the place of a part, on a ground of its own."""
    metrics = painter.fontMetrics()
    padding = _TOKEN_PADDING * rect.height() // _PART_HEIGHT
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width() - 2 * padding)
    box = band(rect, _TOKEN_HEIGHT * rect.height() // _PART_HEIGHT)
    box.setWidth(min(rect.width(), metrics.horizontalAdvance(shown) + 2 * padding))
    paint_box(painter, box, found.track, found.field_edge, radius=MARK_RADIUS)
    painter.setPen(found.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, shown)


def gate_rows(sharing: Sharing) -> list[Row]:
    """How a trace fares at each gate, with a line from each to the next."""
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
    """The first lines that another agent gets of a trace, with what is secret in them masked."""
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
