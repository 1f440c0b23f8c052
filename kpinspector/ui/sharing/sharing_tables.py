"""The small tables of the Sharing tab: its gates, and what others receive."""

from functools import partial

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from kpinspector.phrase import Phrase
from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.parts import few_shot
from kpinspector.trace.clear import masked_body
from kpinspector.ui.look.marks import STATE_SIZE, fill, paint_state
from kpinspector.ui.look.painting import centred
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.theme import Colours, TextRole
from kpinspector.ui.tables.figure_model import FigureCell, Head, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.page import Cell, Sign, Table
from kpinspector.words.say import Names, say
from kpinspector.words.sharing import gates_section, received_note, received_steps

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


class GateTable(FigureTable):
    """The gates in their order, one below the other, with a line from each to the next."""

    head_height = 0

    def __init__(self) -> None:
        super().__init__((_SIGN, ColumnWidth(78, fits=True), ColumnWidth(1, stretch=True)))
        self.setAccessibleName(say("Gates"))

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
        self.set_rows([_line(one) for one in text.split("\n")[: min(_FEW, len(steps))]], heads)


def _line(text: str) -> Row:
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
