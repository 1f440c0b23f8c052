"""Versions and licences, as they are installed, all to be copied."""

import platform
from importlib import metadata

import numpy as np
import pydantic_core
import PySide6
import pytest
import tokenizers
from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QPlainTextEdit

from kpinspector import __version__
from kpinspector.scoring.model.network import ort
from kpinspector.ui.controls.fields import ComboBox
from kpinspector.ui.dialogs.help import AboutDialog, components, licence_text, version_of, versions
from tests import user
from tests.ui.windows import exposed


@pytest.fixture
def dialog(qtbot):
    dialog = AboutDialog()
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    return exposed(qtbot, dialog)


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
