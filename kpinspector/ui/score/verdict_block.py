"""The verdict: shape, word and margin; score and what it needs; why, in a sentence; the gates."""

import sys
from enum import StrEnum

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from kpinspector.scoring.gates import GateResult, GateState
from kpinspector.ui.parts.controls import ElidedLabel, Label
from kpinspector.ui.parts.marks import STATE_SIZE, STATE_SIZE_LARGE, Shape, fill, paint_state
from kpinspector.ui.parts.plain_text import plain_tooltip, shown_text
from kpinspector.ui.score.answer import Answer
from kpinspector.ui.theme import TextRole, colours, font, scale
from kpinspector.words.sentences import Run, Sentence, text_of

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

BLOCK_HEIGHT = 62

_BLOCK_TOP = 8
_ICON_GAP = 8
_CONNECTOR = 19
_USUAL_LINES = 2
_MOST_LINES = 3
_LONGEST = 1000
_GATE_SHAPES = {
    GateState.PASSED: Shape.ACCEPTED,
    GateState.FAILED: Shape.REJECTED,
    GateState.WAITS: Shape.PENDING,
    GateState.UNREADABLE: Shape.UNREADABLE,
    GateState.SKIPPED: Shape.SKIPPED,
    GateState.NOT_REACHED: Shape.NOT_REACHED,
}


class StateMark(QWidget):
    """The shape of a state, with its word for those who do not see it."""

    def __init__(self, size: int = STATE_SIZE, *, filled: bool = False) -> None:
        super().__init__()
        self._size = size
        self._filled = filled
        self._shape: StrEnum = Shape.NOT_REACHED
        self._assumed = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_state(self, shape: StrEnum, word: str, *, assumed: bool = False) -> None:
        """Show a state."""
        self._shape = shape
        self._assumed = assumed
        self.setAccessibleName(word)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        side = scale(self._size, QFontMetrics(QApplication.font()))
        return QSize(side, side)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        found = colours(self.palette())
        paint_state(
            painter, self.rect(), self._shape, found, filled=self._filled, assumed=self._assumed
        )


class SentenceLabel(Label):
    """A sentence with its causes and names in demibold; room for ``lines`` is always kept."""

    def __init__(self, lines: int = _USUAL_LINES) -> None:
        super().__init__()
        self._lines = lines
        self._sentence: Sentence = ()
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_sentence(self, sentence: Sentence) -> None:
        """Show a sentence; what does not fit is in the tooltip."""
        self._sentence = tuple(
            Run(shown_text(run.text, _LONGEST).replace("\n", " "), run.strong) for run in sentence
        )
        self.setText(text_of(self._sentence))
        self._show_whole()
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, self._lines * self.fontMetrics().lineSpacing())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def emphasis(self) -> list[QTextLayout.FormatRange]:
        """The parts in demibold, counted in UTF-16 units as a text layout does."""
        return _formats(self._sentence)

    @override
    def hasHeightForWidth(self) -> bool:
        return True  # a label without word wrap takes it out of its policy with every text

    @override
    def heightForWidth(self, width: int) -> int:
        lines = min(_MOST_LINES, max(self._lines, self._laid_out(width)[1]))
        return lines * self.fontMetrics().lineSpacing()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_whole()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout, lines = self._laid_out(self.width())
        for number in range(min(lines, _MOST_LINES) - 1):
            layout.lineAt(number).draw(painter, QPointF(0, 0))
        if not lines:
            return
        last = layout.lineAt(min(lines, _MOST_LINES) - 1)
        last.draw(painter, QPointF(0, 0))
        if lines > _MOST_LINES:
            mark = "…"
            width = self.fontMetrics().horizontalAdvance(mark)
            x = min(last.naturalTextWidth() + 2, self.width() - width)
            room = QRectF(x, last.y(), self.width() - x, last.height())
            fill(painter, room, colours(self.palette()).sheet)
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, mark)

    def _show_whole(self) -> None:
        cut = self._laid_out(self.width())[1] > _MOST_LINES
        self.setToolTip(plain_tooltip(self.text()) if cut else "")

    def _laid_out(self, width: int) -> tuple[QTextLayout, int]:
        layout = QTextLayout(self.text(), self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(self.emphasis())
        layout.beginLayout()
        count, height = 0, self.fontMetrics().lineSpacing()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(1, width))
            line.setPosition(QPointF(0, count * height))
            count += 1
        layout.endLayout()
        return layout, count


def _formats(sentence: Sentence) -> list[QTextLayout.FormatRange]:
    formats: list[QTextLayout.FormatRange] = []
    start = 0
    for run in sentence:
        length = len(run.text.encode("utf-16-le", "replace")) // 2
        if run.strong:
            part, strong = QTextLayout.FormatRange(), QTextCharFormat()
            strong.setFontWeight(QFont.Weight.DemiBold)
            part.start, part.length, part.format = start, length, strong
            formats.append(part)
        start += length
    return formats


class _Connector(QWidget):
    """The short line between two gates."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    @override
    def sizeHint(self) -> QSize:
        return QSize(scale(_CONNECTOR, self.fontMetrics()), 1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        line = QRect(0, self.height() // 2, self.width(), 1)
        fill(painter, line, colours(self.palette()).button_edge)


class GateRow(QWidget):
    """Readable, schema, score: each with the shape of how the trace passed it."""

    def __init__(self) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(6)
        self._gates: list[tuple[StateMark, Label]] = []
        for number in range(3):
            if number:
                layout.addSpacing(2)
                layout.addWidget(_Connector())
                layout.addSpacing(2)
            mark, label = StateMark(), Label()
            layout.addWidget(mark)
            layout.addWidget(label)
            self._gates.append((mark, label))
        layout.addStretch(1)
        self.setAccessibleName(self.tr("Gates"))

    def set_gates(self, gates: tuple[GateResult, ...], *, assumed: bool = False) -> None:
        """Show how far the trace came."""
        for (mark, label), gate in zip(self._gates, gates, strict=True):
            scored = gate.state in {GateState.PASSED, GateState.FAILED}
            is_score = gate is gates[-1]
            shape = _GATE_SHAPES[gate.state]
            mark.set_state(shape, gate.state.word, assumed=assumed and is_score and scored)
            label.setText(gate.name)
            reached = gate.state is not GateState.NOT_REACHED
            role = QPalette.ColorRole.WindowText if reached else QPalette.ColorRole.PlaceholderText
            label.setForegroundRole(role)
        said = (f"{gate.name}: {gate.state.word}" for gate in gates)
        self.setAccessibleDescription(", ".join(said))


class VerdictBlock(QWidget):
    """The first thing read; it is as high while the score is pending."""

    def __init__(self) -> None:
        super().__init__()
        self._mark = StateMark(STATE_SIZE_LARGE, filled=True)
        self._word = ElidedLabel(role=TextRole.NUMBER)
        self._margin = ElidedLabel(second=True)
        self._score = Label(role=TextRole.SCORE)
        self._needs = Label(second=True)
        indent = scale(STATE_SIZE_LARGE, self.fontMetrics()) + _ICON_GAP
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, _BLOCK_TOP, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(_line(self._mark, self._word, self._score))
        below = _line(self._margin, self._needs)
        below.setContentsMargins(indent, 0, 0, 0)
        layout.addLayout(below)
        layout.addStretch(1)
        self.setAccessibleName(self.tr("Verdict"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_answer(self, answer: Answer) -> None:
        """Show a verdict, or what stands in its place."""
        document = answer.document
        self._mark.set_state(document.state, answer.word, assumed=document.assumed)
        self._word.setText(answer.word)
        self._margin.setText(answer.margin)
        known = answer.shown is not None
        self._score.setText(answer.score if known else "")
        self._needs.setText(answer.needs)
        whole = answer.assessment
        self._score.setToolTip(plain_tooltip(repr(whole.score)) if whole else "")
        self._needs.setToolTip(plain_tooltip(repr(whole.threshold)) if whole else "")
        said = [answer.word, answer.margin]
        if known:
            said[1:1] = [f"{answer.score}, {answer.needs}"]
        self.setAccessibleDescription(". ".join(said) + ".")

    @override
    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(font(TextRole.BODY, QApplication.font()))
        height = max(scale(BLOCK_HEIGHT, metrics), super().sizeHint().height())
        return QSize(super().sizeHint().width(), height)


def _line(*widgets: QWidget) -> QHBoxLayout:
    """Words that give way, then a figure at the right edge."""
    line = QHBoxLayout()
    line.setSpacing(_ICON_GAP)
    for widget in widgets:
        line.addWidget(widget, int(isinstance(widget, ElidedLabel)))
    return line
