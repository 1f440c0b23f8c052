"""Above two traces side by side: what each is called, its verdict and its score."""

import sys
from enum import StrEnum

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kpinspector.app.document import State
from kpinspector.ui.compare.compare_delegate import GUTTER, Halves, halves
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import BADGE_SIZE, fill
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.state_words import state_word
from kpinspector.ui.look.theme import TextRole, colours, scale, sized
from kpinspector.ui.parts.state_mark import StateMark
from kpinspector.ui.steps.step_pane import HEADER_HEIGHT
from kpinspector.words.comparison import Side, SideBySide
from kpinspector.words.figures import UNKNOWN, shown_score

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_PADDING = 16
_GAP = 8
_OBJECTIVE_LENGTH = 1000


class CompareHeader(QWidget):
    """Both sides, and between them what exchanges them."""

    swap_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._room = 0
        self.left, self.right = SideHead(self), SideHead(self)
        self._swap = FlatButton(IconName.SWAP, name=self.tr("Swap sides"), parent=self)
        self._swap.clicked.connect(self.swap_requested)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        sized(self, CompareHeader._give_height, HEADER_HEIGHT)

    def _give_height(self, height: int) -> None:
        self.setFixedHeight(max(height, self.left.sizeHint().height() + 1))

    def set_comparison(self, comparison: SideBySide) -> None:
        """Show two traces."""
        self.left.set_side(comparison.left)
        self.right.set_side(comparison.right)

    def set_room(self, width: int) -> None:
        """Share out this width as the rows below do."""
        self._room = width
        parts = self._halves()
        self.left.setGeometry(parts.left)
        self.right.setGeometry(parts.right)
        self._swap.resize(self._swap.sizeHint())
        self._swap.move(parts.gutter.center() - self._swap.rect().center())
        self.update()

    def _halves(self) -> Halves:
        room = QRect(0, 0, self._room, self.height() - 1)
        return halves(room, scale(GUTTER, self.fontMetrics()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        gutter = self._halves().gutter
        for x in (gutter.left(), gutter.right()):
            fill(painter, QRect(x, 0, 1, self.height()), found.line)
        fill(painter, self.rect().adjusted(0, self.height() - 1, 0, 0), found.line)


class SideHead(QWidget):
    """Shape, name and score, and the objective below them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._mark = StateMark(BADGE_SIZE)
        self._name = ElidedLabel("", TextRole.TITLE)
        self._score = Label("", TextRole.TITLE)
        self._objective = ElidedLabel("", second=True)
        top = QHBoxLayout()
        top.setSpacing(_GAP)
        top.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignVCenter)
        top.addWidget(self._name, 1)
        top.addWidget(self._score)
        column = QVBoxLayout(self)
        column.setContentsMargins(_PADDING, 9, _PADDING, 9)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self._objective)

    def set_side(self, side: Side) -> None:
        """Show one trace."""
        assessment = side.assessment
        state: StrEnum = State.PENDING if assessment is None else assessment.verdict
        word = state_word(self, State(state.value))
        if side.assumed:
            word = self.tr("{0}, assumed").format(word)
        self._mark.set_state(state, word, assumed=side.assumed)
        self._name.setText(one_line(side.name))
        score = shown_score(assessment.score, assessment.threshold) if assessment else UNKNOWN
        self._score.setText(score)
        objective = one_line(side.record.trace.objective, _OBJECTIVE_LENGTH)
        self._objective.setText(objective or self.tr("No objective"))
        self.setAccessibleName(self.tr("{0}, {1}, {2}").format(self._name.text(), word, score))
