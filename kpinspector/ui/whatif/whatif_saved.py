"""The saved scenarios of a trace, each with its verdict and what can be done with it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from kpinspector.scoring.whatif.scenario import NamedScenario
from kpinspector.ui.controls.base import ElidedLabel, Label
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import one_line, plain_tooltip
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.sections import SectionTitle, clear_layout
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.whatif.whatif_case import Case, case_of
from kpinspector.ui.whatif.whatif_fields import EdgeButton
from kpinspector.words.run import ShownOutcome, shown_outcome, stand_in_words
from kpinspector.words.say import say
from kpinspector.words.scenario_words import loss_sentences

_LONGEST_NAME = 120
_GAP = 8


class SavedScenarios(QWidget):
    """A line each; there only where something was saved. Tab comes to them from ``before``."""

    apply_wanted = Signal(object)
    rename_wanted = Signal(str)
    delete_wanted = Signal(str)

    def __init__(self, before: QWidget) -> None:
        super().__init__()
        self._before = before
        self._shown: object = None
        self._title = SectionTitle(say("Scenarios"))
        self.set_kept(kept=True)
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._title)
        layout.addLayout(self._list)
        self.hide()

    def set_kept(self, *, kept: bool) -> None:
        """Say whether they outlast the window: a guest leaves nothing behind."""
        words = say("kept, and in the report"), say("in the report; not kept as a guest")
        self._title.set_note(words[0 if kept else 1])

    def set_case(self, case: Case) -> None:
        """List what was saved of a trace."""
        saved = case.document.scenarios
        key = saved, case.measured, case.profile, case.threshold
        if key == self._shown:
            return
        self._shown = key
        clear_layout(self._list)
        before = self._before
        for named in saved:
            of_it = case_of(case.document, named.scenario)
            if of_it is not None:
                line = self._make_line(named, of_it)
                self._list.addWidget(line)
                for button in (line.apply, line.more):
                    QWidget.setTabOrder(before, button)
                    before = button
        self.setVisible(bool(saved))

    def _make_line(self, named: NamedScenario, case: Case) -> "ScenarioLine":
        recorded = case.measured.measurement.facts
        tried = stand_in_words(recorded, named.scenario) if named.scenario.tries_outcome else ""
        lost = loss_sentences(named.loss)
        outcome, running = case.outcome, case.document.running
        shown = shown_outcome(outcome.then, outcome.possible, assumed=case.assumed, running=running)
        line = ScenarioLine(named.name, shown, assumed=case.assumed, lost=lost, tried=tried)
        line.apply.clicked.connect(lambda: self.apply_wanted.emit(named))
        line.rename.triggered.connect(lambda: self.rename_wanted.emit(named.name))
        line.delete.triggered.connect(lambda: self.delete_wanted.emit(named.name))
        return line


class ScenarioLine(QWidget):
    """Shape, name and score; apply, rename, delete."""

    def __init__(
        self, name: str, then: ShownOutcome, *, assumed: bool, lost: str = "", tried: str = ""
    ) -> None:
        super().__init__()
        shown = one_line(name, _LONGEST_NAME)
        self.setAccessibleName(shown)
        said = say("{word}, {score}", word=then.word, score=then.score)
        self.setAccessibleDescription(". ".join(filter(None, (said, tried, lost))))
        mark, figure = StateMark(), Label(then.score)
        mark.set_state(then.sign, then.word, assumed=assumed)
        figure.setToolTip(plain_tooltip("\n".join(filter(None, (then.whole, tried)))))
        self.apply = EdgeButton(text=say("Apply"), link=True)
        self.apply.setAccessibleName(say("Apply: {scenario}", scenario=shown))
        self.more = EdgeButton(IconName.MORE, name=say("More on {scenario}", scenario=shown))
        menu = QMenu(self.more)
        self.rename = menu.addAction(say("&Rename…"))
        self.delete = menu.addAction(say("&Delete"))
        self.more.setMenu(menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(mark)
        row.addWidget(ElidedLabel(shown, TextRole.NAME), 1)
        if lost:
            partly = Label(say("in part"), TextRole.CAPTION, second=True)
            partly.setToolTip(plain_tooltip(lost))
            row.addWidget(partly)
        for part in (figure, self.apply, self.more):
            row.addWidget(part)
