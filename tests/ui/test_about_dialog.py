"""Versions and licences, as they are installed, all to be copied."""

import platform
from importlib import metadata

import numpy as np
import pydantic_core
import PySide6
import pytest
import tokenizers
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton

from kpinspector import __version__
from kpinspector.scoring.model.network import ort
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.dialogs.help_dialogs import (
    AboutDialog,
    components,
    licence_text,
    version_of,
    versions,
)
from tests import user


@pytest.fixture
def dialog(qtbot):
    dialog = AboutDialog()
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    return dialog


def button(dialog, text):
    found = dialog.findChildren(QPushButton)
    return next(one for one in found if one.text().replace("&", "") == text)


def test_the_versions_are_those_that_run():
    found = dict(versions())
    assert (
        found
        | {
            "kpinspector": __version__,
            "Python": platform.python_version(),
            "PySide6": PySide6.__version__,
            "Qt": qVersion(),
            "onnxruntime": ort.__version__,
            "tokenizers": tokenizers.__version__,
            "numpy": np.__version__,
            "pydantic_core": pydantic_core.__version__,
        }
        == found
    )


def test_they_are_copied_as_lines(dialog):
    button(dialog, "Copy Versions").click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == f"kpinspector {__version__}"
    assert f"numpy {np.__version__}" in lines


def test_the_program_the_model_and_qt_come_first():
    first = [(one.name, one.licence) for one in components("6.0")[:3]]
    assert first == [
        ("kpinspector", "Apache-2.0"),
        ("all-MiniLM-L6-v2", "Apache-2.0"),
        ("Qt", "LGPL-3.0-only"),
    ]


def test_every_package_that_is_needed_is_there_and_none_for_tests_only():
    names = {one.name.casefold().replace("_", "-") for one in components("6.0")}
    needed = {"numpy", "onnxruntime", "pydantic-core", "scipy", "tokenizers"}
    assert {*needed, "shiboken6"} <= names
    assert names.isdisjoint({"pytest", "hypothesis", "ruff", "mypy", "sphinx"})


def test_every_licence_has_a_text_or_says_that_there_is_none():
    found = {one.name: licence_text(one) for one in components("6.0")}
    for name in ("kpinspector", "all-MiniLM-L6-v2"):
        assert "Apache License" in found[name]
    assert "Lesser General Public License" in found["Qt"]
    assert "MIT" in found["onnxruntime"]
    assert all(text.strip() for text in found.values())


def test_a_program_without_metadata_still_says_what_it_can(monkeypatch):
    def nothing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", nothing)
    monkeypatch.setattr(metadata, "version", nothing)
    found = components("6.0")
    assert [one.name for one in found] == ["kpinspector", "all-MiniLM-L6-v2", "Qt"]
    assert "Apache License" in licence_text(found[0])
    assert version_of("numpy") == ""
    assert dict(versions())["numpy"] == "\u2013"


def test_choosing_a_component_shows_its_licence_as_plain_text(dialog):
    choice, view = dialog.findChild(ComboBox), dialog.findChild(QPlainTextEdit)
    choice.setCurrentIndex(choice.findText(f"numpy {np.__version__}"))
    assert user.reads(dialog, "BSD")()
    assert "numpy" in view.toPlainText().lower()
    assert view.isReadOnly()
    keys = Qt.TextInteractionFlag.TextSelectableByKeyboard
    assert view.textInteractionFlags() & keys


def test_names_for_assistive_technology(dialog):
    text = QAccessible.Text.Name
    choice, view = dialog.findChild(ComboBox), dialog.findChild(QPlainTextEdit)
    found = {one: QAccessible.queryAccessibleInterface(one) for one in (choice, view)}
    assert found[choice].role() == QAccessible.Role.ComboBox
    labels = [one for one, _relation in found[choice].relations(QAccessible.RelationFlag.Label)]
    assert [one.text(text) for one in labels] == ["Component"]
    assert found[view].text(text) == "Licence text"
