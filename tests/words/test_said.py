"""All that the command line writes is said: nothing keeps its English in another language."""

import csv
import io
import re
from contextlib import suppress

import pytest

from kpinspector.__main__ import main
from kpinspector.cli import measuring
from kpinspector.cli.commands import COMMANDS
from kpinspector.words.say import say
from tests.explained import AlikeEmbedder
from tests.fakes import NoEmbedder
from tests.pseudo import RECORDING, greek, pseudo, spoken, unsaid, write_samples

# argparse has a catalogue of its own
ARGPARSE = """usage options positional arguments show this help message and exit version number s
program error argument threshold the following are required expected one argument
invalid value not allowed with"""
ACTS = "list forget clear info"
METAVARS = """PATH FILE FORMAT DIR REPORT OUT COMMAND ID yes no WAY contribute capture NAME VALUE
VERDICT accepted rejected undecided SHELL bash zsh fish"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    with spoken(tmp_path / "language", monkeypatch):
        yield


@pytest.fixture
def folder(tmp_path):
    return write_samples(tmp_path / "φ")


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the program with a fake model; returns the lines that it writes anywhere."""
    embedder = AlikeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)
    monkeypatch.setenv("COLUMNS", "1000")

    def run(*arguments):
        with suppress(SystemExit):  # argparse ends what it answers itself
            main([*map(str, arguments)])
        written = "".join(capsys.readouterr()).replace("\\", "")  # which Markdown escapes by
        return written.replace(str(tmp_path), "").splitlines()

    return run


def test_what_is_not_said_is_told():
    assert say("Steps") == pseudo("Steps") == "⟦Śťéþś⟧"
    assert say("{margin} above", margin="0.1").startswith("⟦0.1 áƀ")
    names = ("default", "kp:trace:one", "steps.1.content", "/a/b.json")
    assert unsaid([say("Steps"), greek("Read the log"), "0.75 C", *names]) == []
    found = [f"Not {say('Steps')}", say("{margin} above", margin="much")]
    assert unsaid(found) == sorted(found)


@pytest.mark.parametrize(
    "options",
    [
        ("score",), ("score", "--guest"), ("explain",), ("explain", "--today"),
        ("explain", "--markdown", "-"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_scores(run, folder, options):
    lines = run(*options, folder)
    assert len(lines) > 10 and unsaid(lines, RECORDING, "UTC") == []


@pytest.mark.parametrize("command", ["score", "explain"])
def test_scores_without_the_model(run, folder, monkeypatch, command):
    monkeypatch.setattr(measuring, "MiniLM", NoEmbedder)
    lines = run(command, folder)
    reason = "The embedding model was not found"  # as the fake has it
    assert len(lines) > 10 and unsaid(lines, RECORDING, reason) == []


def test_a_page(run, folder):
    page = "\n".join(run("explain", folder, "--html", "-"))
    shown = re.sub(r"<style>.*</style>|<[^>]*>", "\n", page, flags=re.DOTALL)
    assert len(shown) > 10_000 and page.startswith('<!DOCTYPE html>\n<html lang="vo">\n')
    assert unsaid(shown.splitlines(), RECORDING, "quot", "UTC") == []


def test_a_list_keeps_its_names_and_says_its_messages(run, folder):
    rows = [
        *csv.DictReader(io.StringIO("\n".join(run("score", folder, "--csv", "-")).lstrip("\ufeff")))
    ]
    messages = [row["message"] for row in rows if row["message"]]
    assert len(messages) == 4 and unsaid(messages) == []
    assert {row["verdict"] for row in rows} >= {"accepted", "rejected", "skipped", "unreadable"}


def test_a_comparison(run, folder):
    traces = [f"{folder}/δ.jsonl#{record}" for record in (1, 5)]
    lines = run("compare", "--fresh", *traces)
    assert len(lines) > 20 and unsaid(lines) == []


def test_a_report_is_replayed(run, folder, tmp_path):
    report = tmp_path / "π.json"
    run("score", folder, "--fresh", "--report", report)
    members = "generator problems more_problems pending skipped generated_at"
    lines = run("replay", report, folder / "δ.jsonl")
    assert len(lines) > 2 and unsaid(lines, members) == []


def test_recordings_are_converted(run, folder):
    lines = [line for line in run("convert", folder, "-o", "-") if not line.startswith("{")]
    options = ("success score", "confidence")
    assert len(lines) > 5 and unsaid(lines, *options) == []


def test_the_memory(run, folder):
    run("score", folder)
    for act in ("list", "forget δ", "clear", "info", "clear --yes"):
        assert unsaid(run("memory", *act.split()), "UTC") == []


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(run, command):
    lines = [
        re.sub(r"-{1,2}[a-z-]+|\{[\w,-]+\}|\[.*\]", "", one) for one in run(*command.split(), "-h")
    ]
    assert len(lines) > 5 and unsaid(lines, ARGPARSE, METAVARS, ACTS, *COMMANDS) == []


@pytest.mark.parametrize(
    "arguments", ["χ", "score /χ", "replay /χ", "score / --threshold 2", "compare /χ /ψ"]
)
def test_what_cannot_be_done(run, arguments):
    system = "No such file or directory"
    lines = run(*arguments.split())
    found = unsaid(lines, ARGPARSE, METAVARS, ACTS, *COMMANDS, system)
    assert lines and [line for line in found if "[-" not in line] == []
