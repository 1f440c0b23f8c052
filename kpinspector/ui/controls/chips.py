"""Chips that filter a list: one is chosen, and each shows a count."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QWidget
from typing_extensions import override

from kpinspector.ui.controls.base import FlatButton, Look, Parts, in_row
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.look.marks import STATE_SIZE
from kpinspector.ui.look.plain_text import set_tip
from kpinspector.ui.look.theme import Colours, follow_zoom, scale
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say

CHIP_HEIGHT = 24


class ChipSpec(NamedTuple):
    """A chip's key and word; with a state, its symbol is shown in place of the word."""

    key: str
    word: str
    state: StrEnum | None = None


class ChipDistances(NamedTuple):
    """Distances in px: chip's edge to content, sign or word to count, between chips."""

    padding: int
    gap: int
    between: int


_ROOMS = (
    ChipDistances(8, 6, 4),
    ChipDistances(6, 5, 3),
    ChipDistances(5, 4, 2),
    ChipDistances(3, 2, 1),
)  # the widest first


class Chip(FlatButton):
    """A button with a word or a symbol, and a count; with a symbol the tooltip has the word."""

    _height = CHIP_HEIGHT

    def __init__(self, spec: ChipSpec, parent: QWidget) -> None:
        self.key, self.word, self._state = spec
        self._count: int | None = None
        self._room = _ROOMS[0]
        super().__init__(text=spec.word, name=spec.word if spec.state else "", parent=parent)
        self.setCheckable(True)
        self.setAccessibleName(spec.word)

    def set_word(self, word: str) -> None:
        """Set the word for the chip's key."""
        if word != self.word:
            self.word = word
            self.setText(word.replace("&", "&&"))  # a name from a file has no mnemonic
            self._say()

    def set_state(self, state: StrEnum) -> None:
        """Set the state whose symbol is shown; all symbols have one size."""
        if state is not self._state:
            self._state = state
            self.fit()

    def set_count(self, count: int | None) -> None:
        """Set the count; None for no count."""
        if count != self._count:
            self._count = count
            self.fit()
            self._say()

    def set_room(self, room: ChipDistances) -> None:
        """Set the distances in the chip; words and counts are never cut."""
        if room != self._room:
            self._room = room
            self.fit()

    def width_in(self, room: ChipDistances) -> int:
        """The width of the whole chip with these distances."""
        metrics, gaps = self.fontMetrics(), len(self._places) - 1
        wider = gaps * (scale(room.gap, metrics) - scale(self._room.gap, metrics))
        return self._taken + wider + 2 * scale(room.padding, metrics)

    def _say(self) -> None:
        name = self.word
        if self._count is not None:
            name = say("{word}, {figure}", word=self.word, figure=shown_count(self._count))
        self.setAccessibleName(name)
        if self._state is not None:
            set_tip(self, name)

    @override
    def _parts(self, metrics: QFontMetrics) -> Parts:
        head = self._state or self.text()
        parts: Parts = [(0, head, scale(STATE_SIZE, metrics))]
        if self._count is not None:
            parts.append((scale(self._room.gap, metrics), shown_count(self._count), 0))
        return parts

    @override
    def _padding(self, metrics: QFontMetrics) -> int:
        return scale(self._room.padding, metrics)

    @override
    def _colours(self, found: Colours) -> Look:
        ground, edge, ink, pale = super()._colours(found)
        return ground, edge, ink if self._state else pale, pale


class ChipBar(QWidget):
    """Chips in a row, of which exactly one is chosen; arrow keys choose the next one."""

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
        self._row = in_row(*self.chips, None, on=self, spacing=_ROOMS[0].between)
        for chip in self.chips:
            self._group.addButton(chip)
        follow_zoom(self, ChipBar._fit)
        if specs:
            self._chips[specs[0].key].setChecked(True)
        self._group.buttonToggled.connect(self._on_toggled)

    @property
    def chosen(self) -> str:
        """The key of the chosen chip; "" if there are no chips."""
        button = self._group.checkedButton()
        return button.key if isinstance(button, Chip) else ""

    def choose(self, key: str) -> None:
        """Choose a chip, as a click would."""
        self._chips[key].setChecked(True)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """All chips, from left to right."""
        return tuple(self._chips.values())

    def chip(self, key: str) -> Chip:
        """The chip that has this key."""
        return self._chips[key]

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Set the counts by key; a chip whose key is missing shows no count."""
        for key, chip in self._chips.items():
            chip.set_count(counts.get(key))
        self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Use the widest distances at which all chips fit; only if they move together."""
        if self._moves_together:
            shown = [chip for chip in self.chips if not chip.isHidden()]
            for room in _ROOMS:
                widths = [one.width_in(room) for one in shown]
                if sum(widths) + room.between * (len(shown) - 1) <= self.width():
                    break
            self._row.setSpacing(room.between)
            for chip in self.chips:
                chip.set_room(room)

    def _on_toggled(self, button: QAbstractButton, checked: bool) -> None:  # noqa: FBT001
        if checked and isinstance(button, Chip):
            self.chip_chosen.emit(button.key)


class ChipsOrList(ChipBar):
    """Chips if there is room for them, else ``list``, which offers the same choices."""

    def __init__(self, specs: tuple[ChipSpec, ...], name: str) -> None:
        super().__init__(specs)
        self.list = ComboBox(name)
        self.list.activated.connect(lambda row: self.choose(self.list.itemData(row)))

    def fill_list(self, counts: Mapping[str, int]) -> None:
        """Fill the list with the chips' words and these counts."""
        self.list.clear()
        for key, chip in self._chips.items():
            count = shown_count(counts[key])
            self.list.addItem(say("{word} {count}", word=chip.word, count=count), key)
        self.list.updateGeometry()

    def fit(self, room: int) -> None:
        """Show the chips if ``room`` px are enough for them, else the list."""
        fits = room >= self.sizeHint().width()
        self.setVisible(fits)
        self.list.setVisible(not fits)
        self.list.setCurrentIndex(max(0, self.list.findData(self.chosen)))
