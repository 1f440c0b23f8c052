"""All commands that have a key, with their keys, as they stand in the menus."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from kpinspector.ui.actions.table import Command, menus
from kpinspector.ui.controls.base import without_mnemonic
from kpinspector.ui.parts.section_dialog import SectionDialog
from kpinspector.ui.tables.figure_model import FigureCell, Row, heading
from kpinspector.ui.tables.figure_table import ColumnWidth, FigureTable
from kpinspector.words.say import say, say_list

_KEYS_WIDTH = 200


_NAMES_WIDTH = 240


_ROW_HEIGHT = 22


_MOST_KEYS = 2


_FIRST_RARE = Qt.Key.Key_F13  # behind it come the keys of media, browsers and other machines


class KeysDialog(SectionDialog):
    """A table of keys for each menu."""

    def __init__(self, actions: Mapping[Command, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("Keyboard Shortcuts"))
        for title, rows in shortcuts(actions):
            self.add_section("", (self._table(title, rows),))
        self.end_sections()
        self.add_close(say("Close"))
        self.scroll_by_keys()

    def _table(self, title: str, rows: Sequence[tuple[str, str]]) -> FigureTable:
        columns = (ColumnWidth(_NAMES_WIDTH, stretch=True), ColumnWidth(_KEYS_WIDTH))
        table = FigureTable(columns)
        table.setAccessibleName(say("{title}: keys", title=title))
        table.set_rows(
            [
                Row((FigureCell(words), FigureCell(keys, second=True)), _ROW_HEIGHT)
                for words, keys in rows
            ],
            (heading(say("Command"), title), heading(say("Keys"), "")),
        )
        return table


def shortcuts(actions: Mapping[Command, QAction]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Each menu with those of its commands that have a key."""
    found = []
    for menu in menus():
        entries = (line for line in menu.lines if line is not None)
        named = (
            (_words(one.text), shown_keys(actions[one.command].shortcuts())) for one in entries
        )
        rows = [(words, keys) for words, keys in named if keys]
        if rows:
            found.append((_words(menu.text), rows))
    return found


def shown_keys(keys: Sequence[QKeySequence]) -> str:
    """The first keys of an action that every keyboard has."""
    # the stubs do not know that keys can be taken one by one
    common = [key for key in keys if key[0].key() < _FIRST_RARE]  # type: ignore[index]
    native = QKeySequence.SequenceFormat.NativeText
    return say_list(key.toString(native) for key in common[:_MOST_KEYS])


def _words(text: str) -> str:
    return without_mnemonic(text).removesuffix("\u2026")
