"""The plan: which traces to contribute, in which order, and which not."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpinspector.app.batches import BatchPicture
from kpinspector.ui.batch.plan_table import ChosenTable, LeftOutTable
from kpinspector.ui.batch.sheet import BESIDE_BAR, SIDE, Sheet
from kpinspector.ui.controls.chips import ChipBar, ChipSpec
from kpinspector.ui.parts.hint_page import HintPage
from kpinspector.ui.parts.sections import Divider, SectionTitle
from kpinspector.ui.parts.sheet_scroll import SheetScroll
from kpinspector.words.batch import left_out_note, plan_note
from kpinspector.words.say import say

_BOTH, _CHOSEN, _LEFT_OUT = "both", "chosen", "left_out"


class PlanSheet(Sheet):
    """The chosen traces, then those left out, or one kind of them."""

    trace_chosen = Signal(object)
    """An index in the documents of the picture."""
    keep_wanted = Signal(object, bool)
    """An index, and whether it is to be in the plan."""
    leave_out_wanted = Signal(object, bool)
    """An index, and whether it may not be in the plan."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("Plan"), parent)
        self._chips = ChipBar(
            (
                ChipSpec(_BOTH, say("Both")),
                ChipSpec(_CHOSEN, say("Chosen")),
                ChipSpec(_LEFT_OUT, say("Left out")),
            )
        )
        self._chips.chip_chosen.connect(self._on_chip_chosen)
        self.header.addWidget(self._chips)
        self._chosen, self._left_out = ChosenTable(), LeftOutTable()
        for table in (self._chosen, self._left_out):
            table.trace_chosen.connect(self.trace_chosen)
            table.keep_wanted.connect(self.keep_wanted)
            table.leave_out_wanted.connect(self.leave_out_wanted)
        self._divider, self._title = Divider(), SectionTitle(say("Left out"))
        content = QWidget()
        parts = QVBoxLayout(content)
        parts.setContentsMargins(SIDE, 0, BESIDE_BAR, 0)
        parts.setSpacing(0)
        for part in (self._chosen, self._divider, self._title, self._left_out):
            parts.addWidget(part)
        parts.addStretch(1)
        hint = say("The plan is shown once all open traces are compared with each other.")
        self._pages = self.stack(HintPage(hint, padding=SIDE), SheetScroll(content, steady=True))
        self.set_picture(None)

    def set_picture(
        self,
        picture: BatchPicture | None,
        kept: frozenset[int] = frozenset(),
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        """Show the plan of a picture; ``kept`` and ``left_out`` are numbers of rows."""
        plan = None if picture is None else picture.plan
        self.note.setText(
            "" if picture is None or plan is None else plan_note(plan, picture.at_best)
        )
        self._title.set_note("" if plan is None else left_out_note(plan.left_out))
        counts = {} if plan is None else {_CHOSEN: len(plan.chosen), _LEFT_OUT: len(plan.left_out)}
        self._chips.set_counts(counts)
        self._chips.setEnabled(plan is not None)
        self._pages.setCurrentIndex(int(plan is not None))
        for table in (self._chosen, self._left_out):
            table.set_picture(picture, kept, left_out)
        self._show_parts()

    def _on_chip_chosen(self, key: str) -> None:
        self._chosen.set_all_shown(shown=key == _CHOSEN)
        self._left_out.set_all_shown(shown=key == _LEFT_OUT)
        self._show_parts()

    def _show_parts(self) -> None:
        chosen = self._chips.chosen
        has_left = self._left_out.figures.rowCount() > 0
        self._chosen.setVisible(chosen != _LEFT_OUT)
        self._left_out.setVisible(chosen != _CHOSEN)
        self._title.setVisible(chosen != _CHOSEN and has_left)
        self._divider.setVisible(chosen == _BOTH and has_left)
