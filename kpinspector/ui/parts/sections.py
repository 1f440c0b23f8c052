"""The parts of a pane: their titles, the lines between them, the sentences in them."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import ElidedLabel, Label
from kpinspector.ui.look.marks import fill, line_below
from kpinspector.ui.look.plain_text import shown_text
from kpinspector.ui.look.theme import Colours, TextRole, colours, follow_zoom, scale

_LONGEST = 1000
_LINE_PADDING = 5
_STRIP_HEIGHT = 38
_STRIP_PADDING = 16
_STRIP_GAP = 8


class Divider(QWidget):
    """The line between two parts of a pane."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(2 * _LINE_PADDING + 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        line = self.rect().adjusted(0, _LINE_PADDING, 0, -_LINE_PADDING)
        fill(painter, line, colours(self.palette()).line)


class Header(QWidget):
    """The head of a pane, over a line."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        line_below(QPainter(self), self.rect(), colours(self.palette()))


class Strip(QWidget):
    """A sign and what stands in ``row``, on a ground of its own over a line."""

    def __init__(self, sign_size: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign_size = sign_size
        self.row = QHBoxLayout(self)
        self.row.setSpacing(_STRIP_GAP)
        follow_zoom(self, Strip._make_room)

    def paint_sign(self, painter: QPainter, place: QRect, found: Colours) -> None:
        """Paint the sign at the left."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        painter.fillRect(self.rect(), found.alternate)
        line_below(painter, self.rect(), found)
        left, side = self._scaled(_STRIP_PADDING), self._scaled(self._sign_size)
        self.paint_sign(painter, QRect(left, 0, side, self.height() - 1), found)

    def _make_room(self) -> None:
        left = self._scaled(_STRIP_PADDING + self._sign_size + _STRIP_GAP)
        self.row.setContentsMargins(left, 5, self._scaled(_STRIP_GAP), 6)
        self.setMinimumHeight(self._scaled(_STRIP_HEIGHT))

    def _scaled(self, px: int) -> int:
        return scale(px, self.fontMetrics())


class SectionTitle(QWidget):
    """The title of a part of a pane, with a note at its right edge."""

    def __init__(self, text: str, note: str = "") -> None:
        super().__init__()
        self._note = ElidedLabel(note, TextRole.CAPTION, second=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 2)
        layout.addWidget(Label(text, TextRole.HEADING))
        layout.addStretch(1)
        layout.addWidget(self._note)

    def set_note(self, note: str) -> None:
        """Set the note at the right edge."""
        self._note.setText(note)


class WrappedLabel(Label):
    """A label that shows all of a text, on as many lines as it takes."""

    def __init__(self, text: str, role: TextRole = TextRole.BODY, *, second: bool = False) -> None:
        super().__init__(shown_text(text, _LONGEST), role, second=second)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().lineSpacing())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def clear_layout(layout: QVBoxLayout | QGridLayout) -> None:
    """Remove all widgets from a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
