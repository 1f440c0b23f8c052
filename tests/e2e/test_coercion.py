"""Traces of wrong types, as the SDK scores them, on every way out; what has no score says why."""

import json
from math import isfinite
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTabBar

from kpinspector.ui.actions.table import Command
from tests import user
from tests.user import trigger

TRACES = Path(__file__).parents[1] / "data" / "coercion_traces.jsonl"


def no_constant(name):
    raise AssertionError(f"{name} is no JSON")


def is_odd(number, raw, row):
    """Its numbers or texts are of a kind that no other row has."""
    if row["State"] not in ("accepted", "rejected"):
        return number % 8 == 0
    confidence = raw["outcome"].get("confidence")
    finite = not isinstance(confidence, float) or isfinite(confidence)
    plain = all(isinstance(step, dict) and step for step in raw["steps"])
    return not (row["Score"][:2] in ("0.", "1.") and finite and plain) or number % 16 == 0


@pytest.mark.slow
def test_odd_rows_can_be_looked_at_under_every_tab():
    window = yield from user.opened(TRACES, wide=True)
    rows = user.trace_rows(window)
    raws = [json.loads(line) for line in TRACES.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 250 == len(raws)
    numbered = enumerate(zip(raws, rows, strict=True))
    chosen = [number for number, (raw, row) in numbered if is_odd(number, raw, row)]
    assert len(chosen) > 40
    seen = set()
    for row in chosen:
        user.go_to_row(window, row)
        seen.update(look_under_every_tab(window))
        yield user.quiet(window)
    assert {"Why", "What-if", "Neighbours", "JSON"} <= seen


def look_under_every_tab(window):
    """Each is painted; gives their words."""
    for bar in user.seen(window, QTabBar):
        for tab in filter(bar.isTabVisible, range(bar.count())):
            bar.setCurrentIndex(tab)
            bar.parentWidget().parentWidget().grab()
            yield bar.tabText(tab)


@pytest.mark.slow
def test_the_window_and_the_command_line_give_the_same_scores(run, fake, tmp_path):
    exported = tmp_path / "report.json"
    window = yield from user.opened("--fresh", TRACES, embedder=fake)
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, exported)
    yield user.CLOSED
    reports = (run("score", "--fresh", "--json", TRACES, status=2).out, exported.read_bytes())
    one, other = (
        {trace["source"]["record"]: trace["score"] for trace in json.loads(text)["traces"]}
        for text in reports
    )
    assert one == other and len(one) > 40
    json.loads(reports[0], parse_constant=no_constant)


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["explain"],
        ["explain", "--json"],
        ["explain", "--threshold", "0", "--html", "page.html", "--markdown", "page.md"],
        ["score", "--profile", "medical", "--csv", "list.csv"],
    ],
    ids=" ".join,
)
def test_every_way_to_write_them(arguments, tmp_path, monkeypatch, run, fake):
    monkeypatch.chdir(tmp_path)
    command, *options = arguments
    text = run(command, "--fresh", TRACES, *options, status=2).out
    if "--json" in options:
        json.loads(text, parse_constant=no_constant)
    assert text


def test_a_report_of_them_is_computed_again(tmp_path, run, fake):
    report = tmp_path / "report.json"
    report.write_text(run("score", "--fresh", "--json", TRACES, status=2).out, encoding="utf-8")
    assert "Identical" in run("replay", report, TRACES, status=0).out


def test_an_answer_says_what_the_sdk_makes_of_a_value(tmp_path, run):
    raw = json.loads(TRACES.read_text(encoding="utf-8").split("\n")[1])
    raw["outcome"]["confidence"] = "0.8"
    path = tmp_path / "one.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    said = run("explain", path, status=1).out
    assert 'outcome.confidence is "0.8", a string; the SDK reads it as 0.8.' in said


def test_traces_with_infinities_compare(run):
    for left, right in ((49, 2), (2, 49), (48, 49)):
        for form in ((), ("--json",)):
            run("compare", f"{TRACES}#{left}", f"{TRACES}#{right}", *form, status=1)
