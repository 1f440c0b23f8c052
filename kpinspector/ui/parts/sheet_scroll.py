"""A page that scrolls vertically, also by keys, with two columns where it is wide."""

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QFocusEvent, QPalette
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QWidget
from typing_extensions import override

from kpinspector.ui.controls.views import ScrollBar

_BELOW = QBoxLayout.Direction.TopToBottom
_BESIDE = QBoxLayout.Direction.LeftToRight


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

    It takes the focus only if there is something to scroll; its thumb is accented then.

    Args:
        content: What is scrolled; None when it is set later.
        steady: The bar's place is kept, so that nothing moves when it is needed.
        ground: What lies below the content.
    """

    def __init__(
        self,
        content: QWidget | None = None,
        *,
        steady: bool = False,
        ground: QPalette.ColorRole = QPalette.ColorRole.Base,
    ) -> None:
        super().__init__()
        if steady:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._bar = ScrollBar(Qt.Orientation.Vertical)
        self._bar.setBackgroundRole(ground)
        self.setVerticalScrollBar(self._bar)
        self.setBackgroundRole(ground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._bar.rangeChanged.connect(self._on_range_changed)
        if content is not None:
            self.setWidget(content)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._bar.set_focused(focused=True)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._bar.set_focused(focused=False)

    @Slot(int, int)
    def _on_range_changed(self, least: int, most: int) -> None:
        policy = Qt.FocusPolicy.StrongFocus if most > least else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(policy)
