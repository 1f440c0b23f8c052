"""The heads of a small table of figures."""

import sys
from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHeaderView, QWidget

from kpinspector.ui.look.theme import TextRole, colours, scale
from kpinspector.ui.tables.figure_model import FigureModel

if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override

HEAD_HEIGHT = 26

_LINE = Qt.TextFlag.TextSingleLine | Qt.AlignmentFlag.AlignVCenter


class FigureHeader(QHeaderView):
    """The heads on one line; a title reaches over the columns beside it.

    Args:
        figures: The model whose heads are shown.
        font_of: Gives the font of a role.
        parent: The table.
    """

    def __init__(
        self, figures: FigureModel, font_of: Callable[[TextRole], QFont], parent: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._figures = figures
        self._font_of = font_of
        self.setMinimumSectionSize(0)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Base)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @override
    def sizeHint(self) -> QSize:
        body = QFontMetrics(self._font_of(TextRole.BODY))
        return QSize(super().sizeHint().width(), scale(HEAD_HEIGHT, body))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        found = colours(self.palette())
        for number, head in enumerate(self._figures.heads):
            if not head.text or (self.isSectionHidden(number) and not head.note):
                continue
            painter.setFont(self._font_of(head.role))
            painter.setPen(found.second if head.second else found.text)
            left, width = self.sectionViewportPosition(number), self.sectionSize(number)
            if head.figure:
                right = self.width() if self.isSectionHidden(number) else left + width
                room = QRect(0, 0, right, self.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignRight | _LINE, head.text)
            else:
                room = QRect(left, 0, self.width() - left, self.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | _LINE, head.text)
