"""Asks for a name that is not taken."""

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from kpinspector.ui.controls.base import Label, PushButton
from kpinspector.ui.controls.fields import TextField
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.parts.section_dialog import Rows, SectionDialog

_LONGEST = 120


class NameDialog(SectionDialog):
    """One field; an empty name cannot be given, and one that is taken says what becomes of it."""

    name_chosen = Signal(str)

    def __init__(self, title: str, name: str, taken: Collection[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._taken = frozenset(taken)
        self.setWindowTitle(title)
        self.field = TextField(self.tr("Name"))
        self.field.edit.setMaxLength(_LONGEST)
        self._hint = Label(" ", TextRole.CAPTION, second=True)
        rows = Rows()
        rows.add(self.tr("&Name"), self.field, below=self._hint, buddy=self.field)
        self.add_section("", [rows])
        role = QDialogButtonBox.ButtonRole
        cancel = self.add_button(PushButton(self.tr("Cancel")), role.RejectRole)
        self.save = self.add_button(PushButton(self.tr("Save"), primary=True), role.AcceptRole)
        cancel.clicked.connect(self.close)
        self.save.clicked.connect(self._on_saved)
        self.save.setDefault(True)
        self.field.text_changed.connect(self._on_text_changed)
        self.field.set_text(name)
        self.field.edit.selectAll()
        self.field.setFocus()

    def _on_text_changed(self, text: str) -> None:
        name = text.strip()
        self.save.setEnabled(bool(name))
        words = (
            self.tr("Another one has this name; it is replaced.") if name in self._taken else " "
        )
        self._hint.setText(words)

    def _on_saved(self) -> None:
        name = self.field.text.strip()
        if name:
            self.name_chosen.emit(name)
            self.close()
