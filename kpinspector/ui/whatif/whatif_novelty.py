"""What the novelty of a what-if rests on, and a way to measure it again."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.ui.whatif.whatif_case import Case
from kpinspector.ui.whatif.whatif_fields import EdgeButton
from kpinspector.words.sentences import evidence

_GAP = 8


class NoveltyNote(QWidget):
    """A sentence that is always there, for no step that is edited moves novelty by itself."""

    measuring_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._sentence = WrappedLabel("", TextRole.CAPTION, second=True)
        self.measure = EdgeButton(text=self.tr("Measure Again"), link=True)
        self.stop = EdgeButton(text=self.tr("Stop"), link=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(self._sentence, 1)
        row.addWidget(self.measure)
        row.addWidget(self.stop)
        self.measure.clicked.connect(self.measuring_wanted)
        self.stop.clicked.connect(self.stop_wanted)

    def set_case(self, case: Case, *, measuring: bool) -> None:
        """Say what holds."""
        held = case.outcome.novelty_held
        words = self._words(case, measuring=measuring)
        if words != self._sentence.text():
            self._sentence.setText(words)
        self.measure.setVisible(held and not measuring)
        self.stop.setVisible(measuring)

    @property
    def text(self) -> str:
        """What it says."""
        return self._sentence.text()

    def _words(self, case: Case, *, measuring: bool) -> str:
        if measuring:
            return self.tr("Novelty is being measured of the text that is left.")
        if case.scenario.novelty is not None:
            return self.tr("Novelty is set by hand.")
        if case.assumed:
            return self.tr("Novelty is assumed 0.5, as there is no embedding model.")
        if case.measured_again:
            found = evidence(Dimension.NOVELTY, case.outcome.facts, case.novelty)
            return self.tr("Novelty was measured again: {0}.").format(found)
        if case.outcome.novelty_held:
            return self.tr("Novelty is held, though it was measured of another text.")
        return self.tr("Novelty is held as it was measured, whatever is tried of the steps.")
