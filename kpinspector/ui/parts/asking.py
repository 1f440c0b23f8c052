"""A question that takes a while: a button, then how far the answer has come, with a stop."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from kpinspector.ui.controls.base import FlatButton, Label, PushButton
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.progress_bar import ProgressBar
from kpinspector.ui.parts.sections import WrappedLabel
from kpinspector.words.say import say

_GAP = 8


class Asking(QWidget):
    """Says what will be done, lets it begin, and shows how far it has come."""

    asked = Signal()
    stop_requested = Signal()

    def __init__(self, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = WrappedLabel("", TextRole.CAPTION, second=True)
        self._button = PushButton(word)
        self._button.clicked.connect(self.asked)
        self._words = Label(role=TextRole.CAPTION)
        self._bar = ProgressBar(self)
        self._bar.setAccessibleName(say("{word}, progress", word=word))
        self._stop = FlatButton(IconName.STOP, say("Stop"))
        self._stop.setAccessibleName(say("{word}, stop", word=word))
        self._stop.clicked.connect(self._on_stopped)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        for part in (self._button, self._words, self._bar, self._stop):
            row.addWidget(part)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 4)
        layout.setSpacing(_GAP // 2)
        layout.addWidget(self._about)
        layout.addLayout(row)
        self.set_idle("")

    def set_idle(self, about: str) -> None:
        """Offer the question, with a sentence on it; none takes no room."""
        self._show(running=False)
        self._about.setText(about)
        self._about.setVisible(bool(about))

    def set_progress(self, words: str, done: int, total: int) -> None:
        """Show how far it has come; a total of 0 for what is not known."""
        self._words.setText(words)
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done)
        self._show(running=True)
        self._about.hide()

    def _show(self, *, running: bool) -> None:
        held = self._button.hasFocus() or self._stop.hasFocus()
        self._button.setVisible(not running)
        for part in (self._words, self._bar, self._stop):
            part.setVisible(running)
        if held:
            (self._stop if running else self._button).setFocus()

    @Slot()
    def _on_stopped(self) -> None:
        self.stop_requested.emit()
