"""The Sharing tab: what would leave the machine of a trace; in two columns where there is room."""

from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.sharing.answer import Ways
from kpinspector.sharing.posting import Way
from kpinspector.ui.controls.base import Label
from kpinspector.ui.parts.column_page import ColumnPage
from kpinspector.ui.parts.sections import Divider
from kpinspector.ui.sharing.body_part import BodyPart
from kpinspector.ui.sharing.part_table import CARD_PADDING, PartCard, PartTable
from kpinspector.ui.sharing.sharing_head import SharingFields, SharingVerdict
from kpinspector.ui.sharing.sharing_tables import GateTable, ReceivedTable
from kpinspector.words.say import say
from kpinspector.words.sharing_words import (
    both_ways,
    clear_parts,
    private_line,
    redacted_parts,
    warning_parts,
    wrap_line,
)
from kpinspector.words.writers.sharing_text import sharing_text

_MOST_PARTS = 100
_GAP = 8


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
            table.set_step(index)

    @property
    def answer(self) -> str:
        """The answer as text; "" where there is none."""
        one = self._shown
        return "" if one is None else sharing_text(one.name, one.ways, one.way)

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

    @Slot(object)
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
