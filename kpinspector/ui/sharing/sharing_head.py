"""The head of the Sharing tab: the verdict, and by which way and at which level it is one."""

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.posting import Way
from kpinspector.ui.controls.base import ElidedLabel, Label
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.look.marks import STATE_SIZE_LARGE
from kpinspector.ui.look.plain_text import masked_line, plain_tooltip
from kpinspector.ui.look.roles import Group, announce
from kpinspector.ui.look.theme import TextRole, font, scale
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.score.why_view import BLOCK_HEIGHT
from kpinspector.words.figures import shown_number, shown_whole
from kpinspector.words.say import say
from kpinspector.words.sharing_words import (
    WAY_NAMES,
    headline,
    looked_for_line,
    looked_for_names,
    score_figure,
)

LEVELS = ("aggregated", "federated", "private")

_TOP = 8
_GAP = 8
_LONGEST_LEVEL = 40


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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, _TOP, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(_line(self._mark, self._word, self._score))
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
    line = QHBoxLayout()
    line.setSpacing(_GAP)
    for widget in widgets[:-1]:
        line.addWidget(widget)
    line.addStretch(1)
    line.addWidget(widgets[-1])
    return line


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
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_GAP)
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
