"""Answers on a terminal: as wide as it is, its signs, no colours."""

import io
import json
import re
import sys

import pytest

from kpinspector.__main__ import main
from kpinspector.cli import COMMANDS, score
from kpinspector.files import resources
from kpinspector.words.writers.columns import display_width
from tests.fakes import high_raw, make_raw, save


@pytest.fixture
def run_all(fake, monkeypatch, run):
    """Run a command as typed; its standard output."""
    monkeypatch.setattr(score, "MiniLM", lambda: fake)
    return lambda *words: run(*words).out


def narrow(folder):
    """Traces with long names, wide characters and negative figures."""
    kept = folder / ("a rather long folder name " * 3) / "漢字かな交じり文の名前"
    kept.mkdir(parents=True)
    text = "漢字かな交じり文 and a long objective that goes on and on " * 3
    raw = make_raw(id=f"kp:trace:{'long-' * 20}", task={"objective": text})
    raw["outcome"]["confidence"] = -2.5
    raw["metadata"] |= {"quality_score": 0.9, "task_domain": "customer_service"}
    other = high_raw(f"kp:trace:{'長い' * 30}")
    return save(kept / "one.json", raw), save(kept / "two.json", other)


def commands(folder):
    """Every command with what makes its answer long; the traces are remembered by the first."""
    one, two = narrow(folder)
    broken = folder / "broken.json"
    broken.write_text('{"steps": [1, 2', encoding="utf-8")
    unit = save(folder / "unit.json", {"@type": "ExpertSOP", "id": "kp:sop:" + "long-" * 20})
    report, edited = folder / "report.json", folder / "edited.json"
    yield "score", one, two, broken, unit
    yield "score", one, two, "--report", report
    values = json.loads(report.read_bytes())
    values["traces"][0]["score"] = 0.123456789
    values["traces"][1]["dimensions"]["novelty"]["value"] = 0.987654321
    edited.write_text(json.dumps(values), encoding="utf-8")
    yield "explain", one, two, broken, unit, "--today"
    yield "explain", resources() / "samples" / "visit-03.json"  # with a recorded score
    yield "compare", one, two
    yield "compare", two, two
    yield "replay", report
    yield "replay", edited
    yield "replay", report, one
    yield "memory", "list"
    yield "memory", "info"
    yield from (words for words in HELPS)


HELPS = (
    ("--help",),
    *((name, "--help") for name in COMMANDS),
    *(("memory", act, "--help") for act in ("list", "forget", "clear", "info")),
)


@pytest.mark.parametrize("columns", [None, 40, 50, 60, 80, 120])
def test_every_answer_fits_the_terminal(columns, run_all, tmp_path, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", str(columns))
    for words in commands(tmp_path):
        lines = run_all(*words).splitlines()
        assert lines, words
        for line in lines:
            alone = len(line.split()) == 1
            assert alone or display_width(line) <= (columns or 80), (words, line)


@pytest.mark.parametrize("columns", [40, 50, 60, 80, 120])
def test_all_figures_of_a_score_are_there_at_any_width(columns, run_all, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    one, two = narrow(tmp_path)
    text = run_all("score", one, two)
    report = json.loads(run_all("score", one, two, "--json"))
    for trace in report["traces"]:
        for dimension in trace["dimensions"].values():
            figure = f"{dimension['value']:.3f}".replace("-", "\N{MINUS SIGN}")
            assert re.search(rf"(?<!\S){re.escape(figure)}(?![\d.])", text), figure
        assert trace["source"]["path"][-6:] in text and trace["profile"] in text
        assert trace["verdict"] in text


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_an_id_or_a_path_is_whole_at_any_width(columns, run_all, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    one = save(tmp_path / "one.json", make_raw(id="kp:trace:" + "long-" * 20))
    two = save(tmp_path / f"{'name' * 20}.json", high_raw(f"kp:trace:{'長い' * 30}"))
    text = run_all("explain", one, two)
    listed = run_all("memory", "list")
    for key in ("kp:trace:" + "long-" * 20, f"kp:trace:{'長い' * 30}"):
        assert key in text and key in listed
    assert str(two) in text and str(two) in listed


def test_neighbours_are_read_row_by_row(run_all, tmp_path, monkeypatch):
    """The figures stay in columns; what is long stands below, each with its name."""
    task = {"objective": "A long objective that goes on and on until it has no room beside"}
    raws = {name: high_raw(f"kp:trace:{name * 5}") | {"task": task} for name in ("one", "two")}
    sources = [save(tmp_path / f"{name}.json", raw) for name, raw in raws.items()]
    monkeypatch.setenv("COLUMNS", "80")
    lines = run_all("explain", *sources).splitlines()
    start = max(at for at, line in enumerate(lines) if line.startswith("Neighbours"))
    head, first, *below = lines[start + 1 : start + 7]
    heads = ["entry", "similarity", "without", "it", "then"]
    assert head.split() == heads
    assert first.split()[0] == "one," and head.index("then") == first.index("accepted")
    words = [line.split() for line in below]
    assert [one[0] for one in words if one[0] in {"objective", "id", "file"}] == [
        "objective",
        "id",
        "file",
    ]
    assert ["id", "kp:trace:oneoneoneoneone"] in words
    assert any(one[-1] == str(sources[0]) for one in words)


def test_a_minus_is_the_same_in_all_texts_and_ascii_in_json_and_csv(fake, tmp_path, run):
    raw = make_raw()
    raw["outcome"]["confidence"] = -2.5
    one, two = save(tmp_path / "one.json", raw), save(tmp_path / "two.json", high_raw())
    for words in (["score", one, two], ["explain", one], ["compare", one, two]):
        out = run(*words).out
        said = out.split("Schema is")[0].replace("found -2.5", "")  # JSON, as it was read
        assert "\N{MINUS SIGN}" in out and not re.search(r"(?<![\w.])-\d", said)
    assert '"confidence": -2.5' in run("score", one, "--json").out
    main(["score", str(one), "--csv", str(tmp_path / "list.csv")])
    assert ",-2.5," in (tmp_path / "list.csv").read_text("utf-8")


def test_a_terminal_that_knows_no_minus_is_given_that_of_ascii(fake, tmp_path, monkeypatch):
    raw = make_raw()
    raw["outcome"]["confidence"] = -2.5
    written = io.BytesIO()
    with io.TextIOWrapper(written, encoding="cp1252") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(["score", str(save(tmp_path / "one.json", raw))]) == 1
        text = written.getvalue().decode("ascii")
    assert "-2.500" in text and "\\u2212" not in text


def test_no_output_has_colours(fake, tmp_path, monkeypatch, run):
    monkeypatch.setenv("FORCE_COLOR", "1")
    for words in (["score", str(save(tmp_path / "a.json", make_raw()))], ["explain", "x.json"]):
        captured = run(*words)
        assert "\x1b" not in captured.out + captured.err
