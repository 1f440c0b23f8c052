"""A label for a sentence of runs, with causes and names in demibold."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from kpinspector.ui.controls.base import Label, strong
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.plain_text import set_tip, shown_text
from kpinspector.ui.look.theme import colours
from kpinspector.words.sentences import Run, Sentence, text_of

_USUAL_LINES = 2
_MOST_LINES = 5
_LONGEST = 1000
_LINE_BREAK = "\N{LINE SEPARATOR}"


class SentenceLabel(Label):
    """A sentence with its causes and names in demibold.

    It always has room for ``lines``, and is cut behind as many as ``most``.
    """

    def __init__(self, lines: int = _USUAL_LINES, *, most: int = _MOST_LINES) -> None:
        super().__init__()
        self._lines, self._most = lines, most
        self._sentence: Sentence = ()
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_sentence(self, sentence: Sentence) -> None:
        """Show a sentence; what does not fit is in the tooltip."""
        self._sentence = tuple(
            [Run(shown_text(one.text, _LONGEST).replace("\n", " "), one.strong) for one in sentence]
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
        formats: list[QTextLayout.FormatRange] = []
        start = 0
        for run in self._sentence:
            length = len(run.text.encode("utf-16-le", "replace")) // 2
            if run.strong:
                formats.append(strong(start, length))
            start += length
        return formats

    @override
    def hasHeightForWidth(self) -> bool:
        return True  # a label without word wrap takes it out of its policy with every text

    @override
    def heightForWidth(self, width: int) -> int:
        lines = min(self._most, max(self._lines, self._laid_out(width)[1]))
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
        shown = min(lines, self._most)
        top = 0.0
        if self.alignment() & Qt.AlignmentFlag.AlignVCenter:
            top = max(top, (self.height() - shown * self.fontMetrics().lineSpacing()) / 2)
        for number in range(shown):
            layout.lineAt(number).draw(painter, QPointF(0, top))
        if lines > shown:
            last = layout.lineAt(shown - 1)
            mark = "…"
            width = self.fontMetrics().horizontalAdvance(mark)
            x = min(last.naturalTextWidth() + 2, self.width() - width)
            room = QRectF(x, last.y(), self.width() - x, last.height())
            fill(painter, room, colours(self.palette()).sheet)
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, mark)

    def _show_whole(self) -> None:
        cut = self._laid_out(self.width())[1] > self._most
        set_tip(self, self.text() if cut else "")

    def _laid_out(self, width: int) -> tuple[QTextLayout, int]:
        layout = QTextLayout(self.text().replace("\n", _LINE_BREAK), self.font())
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
