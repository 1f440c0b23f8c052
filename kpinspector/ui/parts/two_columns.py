"""Two parts of a page: below each other, or beside each other where there is room."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QWidget

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
        """The parts stand beside each other."""
        return self.direction() == _BESIDE

    def set_wide(self, *, wide: bool) -> bool:
        """Put them beside or below each other; whether that is another place than before."""
        if wide == self.wide:
            return False
        self.setDirection(_BESIDE if wide else _BELOW)
        self.setSpacing(self._gap if wide else 0)
        for place in range(self.count()):
            self.setStretch(place, int(wide))
        return True
