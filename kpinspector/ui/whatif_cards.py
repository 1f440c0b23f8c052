"""The score as it is and as it would be, side by side."""

import sys

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kpinspector.scoring.assess import Assessment
from kpinspector.scoring.figures import shown_difference
from kpinspector.scoring.sentences import margin_phrase, verdict_word
from kpinspector.scoring.sums import shown_sum
from kpinspector.ui.controls import ElidedLabel, Label, paint_box, plain_tooltip
from kpinspector.ui.icons import IconName, paint_icon
from kpinspector.ui.theme import TextRole, colours, scale
from kpinspector.ui.verdict_block import StateMark, words_and_figure

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

_RADIUS = 8
_PADDING = 12
_GAP = 8
_ARROW = 16
_HEIGHT = 64
_ACCENT_EDGE = 2.0


class ScoreCard(QWidget):
    """One of the two: its name, the verdict and the score; the second has an accent edge."""

    def __init__(self, name: str, *, accent: bool = False) -> None:
        super().__init__()
        self._accent = accent
        self._name = name
        self._note = Label(role=TextRole.CAPTION, second=True)
        self._mark = StateMark()
        self._word = ElidedLabel(role=TextRole.NAME)
        self._score = Label(role=TextRole.NUMBER)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        padding = scale(_PADDING, self.fontMetrics())
        layout.setContentsMargins(padding, _GAP, padding, _GAP)
        layout.setSpacing(2)
        title = ElidedLabel(name, TextRole.CAPTION, second=True)
        layout.addLayout(words_and_figure(title, self._note))
        layout.addLayout(words_and_figure(self._mark, self._word, self._score))

    def set_assessment(self, one: Assessment, *, assumed: bool, note: str = "") -> None:
        """Show a score; ``note`` stands in the corner."""
        word, figures = verdict_word(one.verdict, assumed=assumed), shown_sum(one)
        self._mark.set_state(one.verdict, word, assumed=assumed)
        self._word.setText(word)
        self._score.setText(figures.score)
        self._score.setToolTip(plain_tooltip(repr(one.score)))
        self._note.setText(note)
        said = self.tr("{0}, {1} of {2}").format(word, figures.score, figures.threshold)
        self.setAccessibleDescription(". ".join(filter(None, (said, margin_phrase(one), note))))

    @override
    def sizeHint(self) -> QSize:
        height = max(scale(_HEIGHT, self.fontMetrics()), super().sizeHint().height())
        return QSize(super().sizeHint().width(), height)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        if self._accent:
            paint_box(
                painter,
                self.rect(),
                found.alternate,
                found.accent,
                width=_ACCENT_EDGE,
                radius=_RADIUS,
            )
        else:
            paint_box(painter, self.rect(), found.alternate, radius=_RADIUS)


class ScoreCards(QWidget):
    """Now, an arrow, and what if."""

    def __init__(self) -> None:
        super().__init__()
        self.now = ScoreCard(self.tr("Now"))
        self.then = ScoreCard(self.tr("What if"), accent=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_GAP)
        layout.addWidget(self.now, 1)
        layout.addWidget(_Arrow())
        layout.addWidget(self.then, 1)

    def set_assessments(self, now: Assessment, then: Assessment, *, assumed: bool) -> None:
        """Show both; the difference is that of the scores as they are shown."""
        shown = shown_sum(then).score, shown_sum(now).score
        self.now.set_assessment(now, assumed=assumed)
        difference = "" if shown[0] == shown[1] else shown_difference(*shown, signed=True)
        self.then.set_assessment(then, assumed=assumed, note=difference)


class _Arrow(QWidget):
    """From the one to the other."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    @override
    def sizeHint(self) -> QSize:
        return QSize(scale(_ARROW, self.fontMetrics()), 1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        side = self.width()
        place = QRect(0, (self.height() - side) // 2, side, side)
        found = colours(self.palette())
        paint_icon(QPainter(self), place, IconName.CHEVRON_RIGHT, found.second)
