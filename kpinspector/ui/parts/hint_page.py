"""The page in place of missing rows: a sentence that says why there are none."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kpinspector.ui.controls.base import FlatButton, Label

_GAP = 8
_RING_ROOM = 4


class HintPage(QWidget):
    """A sentence at the top, followed by a link that brings the rows back."""

    link_chosen = Signal()

    def __init__(self, sentence: str = "", link: str = "", *, padding: int = 0) -> None:
        super().__init__()
        self._sentence = Label(sentence, second=True)
        row = QHBoxLayout()
        row.setSpacing(_RING_ROOM)
        if link:
            button = FlatButton(text=link, link=True)
            button.clicked.connect(self.link_chosen)
            row.addWidget(self._sentence)
            row.addWidget(button)
            row.addStretch(1)
        else:
            self._sentence.setWordWrap(True)
            row.addWidget(self._sentence, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(padding, _GAP, padding, _GAP)
        column.addLayout(row)
        column.addStretch(1)

    def set_sentence(self, sentence: str) -> None:
        """Say something else."""
        self._sentence.setText(sentence)
