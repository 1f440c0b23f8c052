"""What this is, in which versions, and under which licences."""

import platform

import PySide6
from PySide6.QtCore import Qt, Slot, qVersion
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QWidget,
)

from kpinspector import __version__
from kpinspector.ui.controls.base import Label, PushButton
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.controls.views import ScrollBar
from kpinspector.ui.dialogs.components import components, licence_text, version_of
from kpinspector.ui.look.theme import TextRole, font, scale
from kpinspector.ui.parts.section_dialog import Rows, SectionDialog

_TEXT_HEIGHT = 190
_SELECTABLE = (
    Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
)
_SHOWN_VERSIONS = ("onnxruntime", "tokenizers", "numpy", "pydantic")


def versions() -> tuple[tuple[str, str], ...]:
    """What a report of a fault should name."""
    return (
        ("kpinspector", __version__),
        ("Python", platform.python_version()),
        ("PySide6", PySide6.__version__),
        ("Qt", qVersion()),
        *((name, version_of(name) or "\u2013") for name in _SHOWN_VERSIONS),
        ("System", platform.platform()),
    )


class AboutDialog(SectionDialog):
    """Versions and licences, all of which can be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About kpinspector"))
        self._components = components(qVersion())
        self._choice = ComboBox(self.tr("Component"))
        self._licence = _selectable("")
        self._text = _text_view(self.tr("Licence text"))
        self._add_sections()
        role = QDialogButtonBox.ButtonRole
        copy = self.add_button(PushButton(self.tr("&Copy Versions")), role.ActionRole)
        copy.clicked.connect(self._on_copy_clicked)
        self.add_close(self.tr("Close"))
        self._choice.currentIndexChanged.connect(self._show_licence)
        self._show_licence()

    def _add_sections(self) -> None:
        sentence = Label(
            self.tr("Shows why a KnowledgePulse reasoning trace scores what it scores.")
        )
        sentence.setWordWrap(True)
        title = Label(f"kpinspector {__version__}", TextRole.TITLE)
        self.add_section("", (title, sentence))
        rows = Rows(gap=0)
        for name, version in versions()[1:]:
            rows.add(name, _selectable(version))
        self.add_section(self.tr("Versions"), (rows,))
        for one in self._components:
            self._choice.addItem(f"{one.name} {one.version}".rstrip())
        rows = Rows(gap=0)
        line = QHBoxLayout()
        line.addWidget(self._choice)
        line.addStretch(1)
        rows.add(self.tr("C&omponent"), line, buddy=self._choice)
        rows.add(self.tr("Licence"), self._licence)
        self.add_section(self.tr("Licences"), (rows, self._text), grows=True)

    @Slot()
    def _show_licence(self) -> None:
        component = self._components[self._choice.currentIndex()]
        self._licence.setText(component.licence)
        self._text.setPlainText(licence_text(component))

    @Slot()
    def _on_copy_clicked(self) -> None:
        lines = (f"{name} {version}" for name, version in versions())
        QGuiApplication.clipboard().setText("\n".join(lines) + "\n")


def _selectable(text: str) -> Label:
    label = Label(text)
    label.setWordWrap(True)
    label.setTextInteractionFlags(_SELECTABLE)
    return label


def _text_view(name: str) -> QPlainTextEdit:
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setTextInteractionFlags(_SELECTABLE)
    view.setFrameShape(QPlainTextEdit.Shape.NoFrame)
    view.viewport().setBackgroundRole(QPalette.ColorRole.AlternateBase)
    view.setTabChangesFocus(True)
    view.setAccessibleName(name)
    view.setFont(font(TextRole.FIXED, QApplication.font()))
    view.setVerticalScrollBar(ScrollBar(Qt.Orientation.Vertical))
    view.setHorizontalScrollBar(ScrollBar(Qt.Orientation.Horizontal))
    view.setMinimumHeight(scale(_TEXT_HEIGHT, view.fontMetrics()))
    return view
