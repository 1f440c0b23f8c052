"""What is typed and cannot be meant, and the help."""

import subprocess
import sys

import pytest

from kpinspector.cli import COMMANDS, as_command


@pytest.mark.parametrize(
    ("words", "command"),
    [(["scroe", "x.json"], "score"), (["explian"], "explain"), (["--fresh", "reply"], "replay"),
     (["--data-dir", "score", "memry", "list"], "memory"), (["Compare", "a", "b"], "compare")],
)  # fmt: skip
def test_a_mistyped_command_is_refused_and_the_nearest_is_named(words, command, run):
    word = next(one for one in words if one.lower()[:2] == command[:2] and one != "score")
    expected = f"kpinspector: {word!r} is no command; did you mean {command!r}?\n"
    assert run(*words, status=2).err == expected


def test_help_is_shown_where_the_word_stands_for_it(run):
    for words, begins in ((["help"], "usage: kpinspector [PATH"),
                          (["help", "score"], "usage: kpinspector score ")):  # fmt: skip
        assert run(*words, status=0).out.startswith(begins)


def test_a_threshold_that_is_no_number_is_named_so(run):
    heard = run("score", "x.json", "--threshold", "abc", status=2)
    assert "invalid threshold value: 'abc'" in heard.err


def test_a_word_like_no_command_is_refused_with_all_of_them(run):
    error = run("\x1b[31mxyzzy", status=2).err
    assert "score, explain, compare, plan, summary, convert" in error and "\x1b" not in error


@pytest.mark.parametrize("word", ["there", "there#3", "a.json", "a/b", ".", "-"])
def test_a_path_is_what_exists_or_holds_a_separator_or_a_dot(word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("{}", encoding="utf-8")
    assert as_command([word]) is None


def test_arguments_that_are_no_option_are_told_without_escapes(run):
    error = run("score", "x.json", "--\x1b[31m\x9b", status=2).err
    assert "\x1b" not in error and "\x9b" not in error


HELPS = [["--help"], ["-h"], *([name, "--help"] for name in COMMANDS), ["memory", "list", "-h"]]


def test_help_loads_nothing_that_scores():
    heavy = ("numpy", "pydantic_core", "onnxruntime", "tokenizers", "sqlite3", "PySide6", "scipy")
    code = (
        "import sys\nfrom kpinspector.__main__ import main\n"
        f"for words in {HELPS!r}:\n"
        "    try: main(words)\n"
        "    except SystemExit as end: assert end.code == 0, words\n"
        f"    loaded = [one for one in {heavy!r} if one in sys.modules]\n"
        "    assert not loaded, (words, loaded)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("usage: kpinspector") >= len(HELPS)


def test_help_shows_the_options_of_the_window(run):
    out = run("--help", status=0).out
    assert all(word in out for word in ("[PATH ...]", "--guest", "--fresh", "--data-dir", "FILE#3"))
    assert run("score", "--help", status=0).out.startswith("usage: kpinspector score [-h]")
