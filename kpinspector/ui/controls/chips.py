"""Chips that filter a list: one of them is chosen, and each shows a count."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QSizePolicy,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from kpinspector.ui.controls.base import Ringed, in_row, paint_box
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.look.marks import STATE_SIZE, paint_state
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import colours, scale
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

CHIP_HEIGHT = 24

_TEXT = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


class ChipSpec(NamedTuple):
    """What a chip stands for: a key, a word, and a state's shape in the word's place."""

    key: str
    word: str
    state: StrEnum | None = None


class ChipDistances(NamedTuple):
    """Distances: inside a chip on both sides and from shape or word to count, and between chips."""

    padding: int
    gap: int
    between: int


_ROOMS = (
    ChipDistances(8, 6, 4),
    ChipDistances(6, 5, 3),
    ChipDistances(5, 4, 2),
    ChipDistances(3, 2, 1),
)  # the widest first


class Chip(Ringed, QToolButton):
    """A word or a shape, and a count; with a shape the word is in the tooltip."""

    def __init__(self, spec: ChipSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec = spec
        self._count: int | None = None
        self._figure = ""
        self._room = _ROOMS[0]
        self.setText(spec.word)
        self.setCheckable(True)
        self.setAccessibleName(spec.word)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        if spec.state is not None:
            set_tip(self, spec.word)

    @property
    def key(self) -> str:
        """What the chip is known by."""
        return self._spec.key

    @property
    def word(self) -> str:
        """What it stands for."""
        return self._spec.word

    def set_word(self, word: str) -> None:
        """Set another word for the same key."""
        if word != self._spec.word:
            self._spec = self._spec._replace(word=word)
            self.setText(word.replace("&", "&&"))  # a name from outside has no mnemonic
            self._say()

    def set_state(self, state: StrEnum) -> None:
        """Show the shape of another state; all shapes have one size."""
        if state is not self._spec.state:
            self._spec = self._spec._replace(state=state)
            self.update()

    def set_count(self, count: int | None) -> None:
        """Set the count; None shows none."""
        if count != self._count:
            self._count = count
            self._figure = "" if count is None else shown_count(count)
            self._say()

    def set_room(self, room: ChipDistances) -> None:
        """Take so much room: words and counts are never cut."""
        if room != self._room:
            self._room = room
            self.updateGeometry()
            self.update()

    def width_in(self, room: ChipDistances) -> int:
        """The width that word or shape and count take in a room."""
        metrics = self.fontMetrics()
        words = self._head() + metrics.horizontalAdvance(self._figure)
        gap = scale(room.gap, metrics) if self._figure else 0
        return words + gap + 2 * scale(room.padding, metrics)

    def _say(self) -> None:
        word, count = self._spec.word, self._count
        name = word if count is None else say("{word}, {figure}", word=word, figure=self._figure)
        self.setAccessibleName(name)
        if self._spec.state is not None:
            set_tip(self, name)
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.width_in(self._room), scale(CHIP_HEIGHT, self.fontMetrics()))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        found = colours(self.palette())
        if self.isChecked() or self.isDown() or self.underMouse():
            pressed = found.line if self.isDown() else found.hover
            paint_box(painter, self.rect(), found.selection if self.isChecked() else pressed)
        metrics = self.fontMetrics()
        room = self.rect().adjusted(scale(self._room.padding, metrics), 0, 0, 0)
        lit = self.isChecked() or self.underMouse()
        if self._spec.state is not None:
            side = scale(STATE_SIZE, metrics)
            paint_state(
                painter, QRect(room.left(), 0, side, self.height()), self._spec.state, found
            )
            ink = found.text
        else:
            ink = found.text if lit else found.second
            painter.setPen(ink)
            painter.drawText(room, _TEXT, self._spec.word)
        painter.setPen(ink)
        room.setLeft(room.left() + self._head() + scale(self._room.gap, metrics))
        painter.drawText(room, _TEXT, self._figure)

    def _head(self) -> int:
        """The width of the shape or the word."""
        metrics = self.fontMetrics()
        if self._spec.state is not None:
            return scale(STATE_SIZE, metrics)
        return metrics.horizontalAdvance(self._spec.word)


class ChipBar(QWidget):
    """Chips in a row, of which exactly one is chosen; the arrow keys go from one to the next."""

    chip_chosen = Signal(str)

    def __init__(
        self,
        specs: tuple[ChipSpec, ...],
        parent: QWidget | None = None,
        *,
        moves_together: bool = False,
    ) -> None:
        super().__init__(parent)
        self._moves_together = moves_together
        self._group = QButtonGroup(self)
        self._chips = {spec.key: Chip(spec, self) for spec in specs}
        self._row = in_row(*self._chips.values(), None, on=self, spacing=_ROOMS[0].between)
        for chip in self._chips.values():
            self._group.addButton(chip)
        if specs:
            self._chips[specs[0].key].setChecked(True)
        self._group.buttonToggled.connect(self._on_toggled)

    @property
    def chosen(self) -> str:
        """The key of the chosen chip; empty where there are none."""
        button = self._group.checkedButton()
        return button.key if isinstance(button, Chip) else ""

    def choose(self, key: str) -> None:
        """Choose a chip, as a click would."""
        self._chips[key].setChecked(True)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """All of them, from left to right."""
        return tuple(self._chips.values())

    def chip(self, key: str) -> Chip:
        """The chip of a key."""
        return self._chips[key]

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Set the counts by key; a chip whose key is missing shows none."""
        for key, chip in self._chips.items():
            chip.set_count(counts.get(key))
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if not self._moves_together:
            return
        shown = [chip for chip in self._chips.values() if not chip.isHidden()]
        found = _ROOMS[-1]
        for room in _ROOMS:
            between = room.between * (len(shown) - 1)
            if sum(one.width_in(room) for one in shown) + between <= self.width():
                found = room
                break
        self._row.setSpacing(found.between)
        for chip in self._chips.values():
            chip.set_room(found)

    def _on_toggled(self, button: QAbstractButton, checked: bool) -> None:  # noqa: FBT001
        if checked and isinstance(button, Chip):
            self.chip_chosen.emit(button.key)


class ChipsOrList(ChipBar):
    """Chips while there is room for them; else ``list``, which offers the same choices."""

    def __init__(self, specs: tuple[ChipSpec, ...], name: str) -> None:
        super().__init__(specs)
        self.list = ComboBox(name)
        self.list.activated.connect(lambda row: self.choose(self.list.itemData(row)))

    def fill_list(self, counts: Mapping[str, int]) -> None:
        """Show the counts in the list."""
        self.list.clear()
        for key, chip in self._chips.items():
            count = shown_count(counts[key])
            self.list.addItem(say("{word} {count}", word=chip.word, count=count), key)

    def fit(self, room: int) -> None:
        """Show the chips if this width is enough for them."""
        fits = room >= self.sizeHint().width()
        self.setVisible(fits)
        self.list.setVisible(not fits)
        self.list.setCurrentIndex(max(0, self.list.findData(self.chosen)))
