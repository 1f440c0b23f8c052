"""Pages: one that scrolls, in two columns where it is wide, and one that only says a sentence."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import FlatButton, Label, in_column, repolish
from kpinspector.ui.controls.views import SCROLL_BAR_WIDTH
from kpinspector.ui.look.marks import fill
from kpinspector.ui.look.theme import colours, scale

_BELOW = QBoxLayout.Direction.TopToBottom
_BESIDE = QBoxLayout.Direction.LeftToRight
PADDING = 16
TWO_COLUMNS_FROM = 730
_GAP = 32
_PAGE_GAP = 8
_RING_ROOM = 4


class TwoColumns(QBoxLayout):
    """One column at first; as two both parts are equally wide, with a gap between them."""

    def __init__(self, first: QWidget, second: QWidget, gap: int = 0) -> None:
        super().__init__(_BELOW)
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(0)
        for part in (first, second):
            self.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def wide(self) -> bool:
        """Whether the parts are side by side."""
        return self.direction() == _BESIDE

    def set_wide(self, *, wide: bool) -> bool:
        """Put the parts side by side or below each other; returns whether that changed."""
        if wide == self.wide:
            return False
        self.setDirection(_BESIDE if wide else _BELOW)
        self.setSpacing(self._gap if wide else 0)
        for place in range(self.count()):
            self.setStretch(place, int(wide))
        return True


class SheetScroll(QScrollArea):
    """A sheet that scrolls when it is too small, and only up and down.

    It takes the focus only if there is something to scroll; its thumb is accented then. ``reached``
    says by what.
    """

    def __init__(
        self,
        content: QWidget | None = None,
        *,
        steady: bool = False,
        ground: QPalette.ColorRole = QPalette.ColorRole.Base,
        reached: Qt.FocusPolicy = Qt.FocusPolicy.StrongFocus,
    ) -> None:
        super().__init__()
        if steady:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setBackgroundRole(ground)
        self.verticalScrollBar().setProperty("desk", ground == QPalette.ColorRole.Window)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(
            lambda least, most: self.setFocusPolicy(
                reached if most > least else Qt.FocusPolicy.NoFocus
            )
        )
        if content is not None:
            self.setWidget(content)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focused(focused=True)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focused(focused=False)

    def _show_focused(self, *, focused: bool) -> None:
        """Show that keys scroll the sheet, where nothing else in it shows it."""
        bar = self.verticalScrollBar()
        bar.setProperty("focused", focused)
        repolish(bar)


class _Column(QWidget):
    """What stands below each other; ``parts`` takes it."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = in_column(on=self)


class ColumnPage(QWidget):
    """Two columns with a line between them where they are side by side, or a sentence instead."""

    def __init__(
        self, head: QWidget | None = None, *, gap: int = _GAP, wide_from: int = TWO_COLUMNS_FROM
    ) -> None:
        """Make an empty page; without a gap the columns have their own padding.

        ``head`` stands above both columns; they are side by side from ``wide_from`` px.
        """
        super().__init__()
        self._gap, self._wide_from = gap, wide_from
        self.hint = HintPage(padding=0 if gap else PADDING)
        self.first, self.second = _Column(), _Column()
        self._columns = TwoColumns(self.first, self.second, gap)
        left, right = (PADDING, PADDING - SCROLL_BAR_WIDTH) if gap else (0, 0)
        parts = (self.hint, self._columns) if head is None else (self.hint, head, self._columns)
        in_column(*parts, None, on=self, margins=(left, 0, right, PADDING // 2))
        self.setBackgroundRole(QPalette.ColorRole.Base)

    def show_hint(self, sentence: str) -> None:
        """Say why nothing is shown; "" shows the columns."""
        self.hint.set_sentence(sentence)
        self.hint.setVisible(bool(sentence))
        for column in (self.first, self.second):
            column.setVisible(not sentence)

    @property
    def wide(self) -> bool:
        """Whether the columns are side by side."""
        return self._columns.wide

    def rearrange(self) -> None:
        """Called when the columns have come side by side, or below each other."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.wide and self.second.isVisible():
            place = self.second.geometry()
            left, top = place.left() - self._gap // 2, place.top()
            fill(QPainter(self), QRect(left, top, 1, self.height()), colours(self.palette()).line)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= scale(self._wide_from, self.fontMetrics())
        if self._columns.set_wide(wide=wide):
            self.rearrange()


class HintPage(QWidget):
    """A sentence at the top, followed by a link that brings the rows back."""

    def __init__(
        self,
        sentence: str = "",
        link: str = "",
        act: Callable[[], object] | None = None,
        *,
        padding: int = 0,
    ) -> None:
        """Make a page with a sentence, and perhaps a link that does something."""
        super().__init__()
        self._sentence = Label(sentence, second=True)
        row = QHBoxLayout()
        row.setSpacing(_RING_ROOM)
        if act is not None:
            button = FlatButton(text=link, link=True)
            button.clicked.connect(act)
            row.addWidget(self._sentence)
            row.addWidget(button)
            row.addStretch(1)
        else:
            self._sentence.setWordWrap(True)
            row.addWidget(self._sentence, 1)
        in_column(
            row, None, on=self, margins=(padding, _PAGE_GAP, padding, _PAGE_GAP), spacing=None
        )

    def set_sentence(self, sentence: str) -> None:
        """Say something else."""
        self._sentence.setText(sentence)
