"""Where a run came from: what its recording says, what it does not, and what the user stated."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from kpinspector.runs.read import RunRecord
from kpinspector.runs.stated import NOTHING_STATED
from kpinspector.ui.controls.base import ElidedLabel, FlatButton, Label, PushButton
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.marks import line_below
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.look.roles import Group
from kpinspector.ui.look.theme import TextRole, colours, follow_zoom, scale, sized, typed
from kpinspector.words.recordings import ImportedWords, imported_words
from kpinspector.words.say import capitalised, say

HEIGHT, NARROW_HEIGHT, FOLDED_HEIGHT = 104, 144, 36

_PADDING = 16
_LABEL_WIDTH, _LABEL_GAP = 68, 8
_COLUMN_GAP = 16
_TITLE_INSET = 8  # what a flat button has at its left


class _Value(Group):
    """What it is called, at the left, and what it is."""

    def __init__(self, name: str, role: TextRole = TextRole.BODY) -> None:
        super().__init__()
        self.setAccessibleName(name)
        label = Label(name, role if role is TextRole.CAPTION else TextRole.BODY, second=True)
        sized(label, QWidget.setMinimumWidth, _LABEL_WIDTH - _LABEL_GAP)
        self._label = label
        self._value = ElidedLabel("", role, second=role is TextRole.CAPTION)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_LABEL_GAP)
        row.addWidget(label)
        row.addWidget(self._value, 1)

    def set_words(self, value: str, name: str = "") -> None:
        """Show a value, perhaps under another name."""
        if name:
            self._label.setText(name)
            self.setAccessibleName(name)
        self._value.setText(one_line(value))
        self.setAccessibleDescription(value)


class ImportedStrip(Group):
    """Shows what a run's trace is made of; a click on it folds it to its title.

    Where there is little height it folds itself, until the user unfolds it.
    """

    outcome_wanted = Signal()
    """To state how the run ended; ``taking_back_wanted`` is to state nothing any more."""
    taking_back_wanted = Signal()
    fold_chosen = Signal()
    """The user folded or unfolded it."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(say("Imported"))
        self._chosen: bool | None = None  # what the user wants, folded or not; None leaves it
        self._low = False
        self._narrow = False
        self._pressed = False
        self.fold = FlatButton(IconName.CHEVRON_DOWN, say("Imported"))
        self.fold.setAccessibleName(say("Fold or unfold what is said of the import"))
        typed(self.fold, TextRole.PANE)
        self._source = ElidedLabel("", second=True)
        self.take_back = FlatButton(text=say("Take Back"), link=True)
        self.take_back.setToolTip(say("State nothing of this run any more"))
        self.set_outcome = PushButton(say("Set Outcome…"))
        self._recorded, self._derived = _Value(say("Recorded")), _Value(say("Derived"))
        self._absent, self._stated = _Value(say("Absent"), TextRole.NAME), _Value(say("Stated"))
        self._lines = _Value(say("Lines"), TextRole.CAPTION)
        self._values = QWidget()
        self._lay_out()
        self.fold.clicked.connect(self._on_folded)
        self.set_outcome.clicked.connect(self.outcome_wanted)
        self.take_back.clicked.connect(self.taking_back_wanted)
        self.hide()

    @property
    def folded(self) -> bool:
        """Only the title is seen."""
        return self._low if self._chosen is None else self._chosen

    @property
    def kept_folded(self) -> bool:
        """The user folded it."""
        return self._chosen is True

    def keep_folded(self, *, folded: bool) -> None:
        """Have it as the user had it when the program was last used."""
        self._chosen = True if folded else None
        self._show_fold()

    def set_low(self, *, low: bool) -> None:
        """Whether there is little height; what the user unfolded there folds with the next one."""
        if low != self._low:
            self._low = low
            self._chosen = self._chosen or None
            self._show_fold()

    def set_record(self, record: RunRecord | None, *, running: bool = False) -> None:
        """Show what is known of a run, perhaps one that is still being written; None hides all."""
        self.setVisible(record is not None)
        if record is not None:
            self.take_back.setVisible(record.imported.stated != NOTHING_STATED)
            self._show(imported_words(record, running=running))

    def set_narrow(self, *, narrow: bool) -> None:
        """One column where there is little room, else two."""
        if narrow != self._narrow:
            self._narrow = narrow
            self._place()

    def _show(self, said: ImportedWords) -> None:
        self._source.setText(one_line(said.source))
        self._recorded.set_words(said.recorded)
        self._absent.set_words(said.absent)
        self._derived.set_words(said.derived)
        self._stated.set_words(said.stated)
        self._lines.set_words(said.lines, capitalised(said.unit))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(_PADDING // 2)
        head.addWidget(self.fold)
        head.addWidget(self._source, 1)
        head.addWidget(self.take_back)
        head.addWidget(self.set_outcome)
        self._grid = QGridLayout(self._values)
        self._grid.setContentsMargins(_PADDING, 0, _PADDING, 0)
        self._grid.setVerticalSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 5, 0, 6)
        column.setSpacing(2)
        head.setContentsMargins(_PADDING - _TITLE_INSET, 0, _PADDING, 0)
        column.addLayout(head)
        column.addWidget(self._values, 1)
        self._place()
        follow_zoom(self, ImportedStrip._fit)

    def _place(self) -> None:
        """The order of reading is the same in one column and in two."""
        parts = (self._recorded, self._absent, self._derived, self._stated)
        columns = 1 if self._narrow else 2
        for number, part in enumerate(parts):
            self._grid.addWidget(part, number // columns, number % columns)
        self._grid.addWidget(self._lines, len(parts) // columns, 0, 1, columns)
        self._grid.setHorizontalSpacing(scale(_COLUMN_GAP, self.fontMetrics()))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 0 if self._narrow else 1)
        self._fit()

    def _fit(self) -> None:
        height = NARROW_HEIGHT if self._narrow else HEIGHT
        self.setFixedHeight(scale(FOLDED_HEIGHT if self.folded else height, self.fontMetrics()))

    def _on_folded(self) -> None:
        if self.folded:
            self._chosen = False if self._low else None
        else:
            self._chosen = True
        self._show_fold()
        self.fold_chosen.emit()

    def _show_fold(self) -> None:
        self._values.setVisible(not self.folded)
        self.fold.setAccessibleDescription(say("folded") if self.folded else "")
        self.fold.set_icon(IconName.CHEVRON_RIGHT if self.folded else IconName.CHEVRON_DOWN)
        self._fit()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = event.button() == Qt.MouseButton.LeftButton
        event.accept()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed and self.rect().contains(event.position().toPoint()):
            self._on_folded()
        self._pressed = False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, found = QPainter(self), colours(self.palette())
        painter.fillRect(self.rect(), found.alternate)
        line_below(painter, self.rect(), found)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
