"""One name and one version everywhere."""

import configparser
import json
import re
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import kpinspector
from kpinspector.__main__ import main
from kpinspector.cli import SHELLS, parser_of_all
from kpinspector.files import APP_ID, resources

ROOT = Path(__file__).resolve().parents[1]
LINUX = ROOT / "packaging" / "linux"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_desktop_file_carries_the_id_and_a_command_that_exists():
    desktop = configparser.ConfigParser(interpolation=None)
    desktop.optionxform = str  # type: ignore[assignment, method-assign]
    desktop.read(LINUX / f"{APP_ID}.desktop", encoding="utf-8")
    entry = desktop["Desktop Entry"]
    assert entry["Icon"] == entry["StartupWMClass"] == APP_ID
    assert entry["Exec"].split()[0] in PROJECT["project"]["gui-scripts"]


def test_metainfo_carries_the_id_and_the_version():
    root = ET.parse(LINUX / f"{APP_ID}.metainfo.xml").getroot()
    assert root.findtext("id") == root.findtext("icon") == APP_ID
    assert root.findtext("launchable") == f"{APP_ID}.desktop"
    newest = root.find("releases/release")
    assert newest is not None and newest.get("version") == kpinspector.__version__


def test_the_changelog_begins_with_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    released = [heading.split()[1] for heading in headings if heading != "## Unreleased"]
    assert released[0] == kpinspector.__version__


def test_scripts_have_different_names():
    project = PROJECT["project"]
    assert not project["scripts"].keys() & project["gui-scripts"].keys()


def test_resources_are_found_in_a_checkout():
    assert (resources() / "icons" / "kpinspector.svg").is_file()
    manifest = json.loads((resources() / "minilm" / "manifest.json").read_bytes())
    for name, file in manifest["files"].items():
        assert (resources() / "minilm" / name).stat().st_size == file["bytes"]


MANUAL = [LINUX / "kpinspector.1", *sorted((resources() / "completions").iterdir())]


@pytest.mark.parametrize("path", MANUAL, ids=lambda path: path.name)
def test_the_manual_and_the_completions_know_every_command_and_option(path):
    shell = path.name if path.name in SHELLS else ""
    text = letters(path.read_text(encoding="utf-8"))
    actions: Any = parser_of_all(whole=True)._actions
    commands = next(one for one in actions if one.dest == "command")
    for short in commands._choices_actions:
        command = commands.choices[short.dest]
        told = [short.help] if shell else [short.help, command.description]
        for option in command._actions[1:]:
            told += [*option.option_strings[-1:], *([] if shell else [option.help or ""])]
        told = [letters(one) for one in told if shell != "bash" or one.startswith("-")]
        assert [one for one in told if one not in text] == [], "run packaging/make_manual.py"


def letters(text):
    """Without what a shell or a page writes between them."""
    return re.sub(r"\\f[IBR]|\W|_", "", text)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_completion_of_a_shell_is_printed(shell, capsysbinary):
    assert main(["completion", shell]) == 0
    assert capsysbinary.readouterr().out == (resources() / "completions" / shell).read_bytes()


def test_the_desktop_opens_traces_and_not_every_json_file():
    desktop = (LINUX / f"{APP_ID}.desktop").read_text(encoding="utf-8")
    kind = ET.parse(LINUX / f"{APP_ID}.xml").getroot()[0].get("type")
    assert f"\nMimeType={kind};\n" in desktop
