"""Traces of wrong types, as the SDK scores them, on every way out; what has no score says why."""

import json
from math import isfinite
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTabBar

from kpinspector.__main__ import main
from kpinspector.ui.actions.table import Command
from tests import user
from tests.user import idle, trigger

TRACES = Path(__file__).parents[1] / "data" / "coercion_traces.jsonl"


def no_constant(name):
    raise AssertionError(f"{name} is no JSON")


def printed(capsysbinary):
    return capsysbinary.readouterr().out


def is_odd(number, raw, row):
    """Its numbers or texts are of a kind that no other row has."""
    if row["State"] not in ("accepted", "rejected"):
        return number % 8 == 0
    confidence = raw["outcome"].get("confidence")
    finite = not isinstance(confidence, float) or isfinite(confidence)
    plain = all(isinstance(step, dict) and step for step in raw["steps"])
    return not (row["Score"][:2] in ("0.", "1.") and finite and plain) or number % 16 == 0


@pytest.mark.slow
def test_odd_rows_can_be_looked_at_under_every_tab(journey):
    def script(window):
        window.resize(1440, 900)
        yield idle(window)
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

    assert journey([TRACES], script) == 0


def look_under_every_tab(window):
    """Each is painted; gives their words."""
    for bar in user.seen(window, QTabBar):
        for tab in filter(bar.isTabVisible, range(bar.count())):
            bar.setCurrentIndex(tab)
            bar.parentWidget().parentWidget().grab()
            yield bar.tabText(tab)


@pytest.mark.slow
def test_the_window_and_the_command_line_give_the_same_scores(
    journey, capsysbinary, fake, tmp_path
):
    exported = tmp_path / "report.json"

    def script(window):
        yield idle(window)
        trigger(window, Command.EXPORT)
        user.answer_file_dialog(window, exported)
        yield exported.exists

    assert journey(["--fresh", TRACES], script, fake) == 0
    assert main(["score", "--fresh", "--json", str(TRACES)]) == 2
    reports = (printed(capsysbinary), exported.read_bytes())
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
def test_every_way_to_write_them(arguments, tmp_path, monkeypatch, capsysbinary, fake):
    monkeypatch.chdir(tmp_path)
    command, *options = arguments
    assert main([command, "--fresh", str(TRACES), *options]) == 2
    text = printed(capsysbinary).decode()
    if "--json" in options:
        json.loads(text, parse_constant=no_constant)
    assert text


def test_a_report_of_them_is_computed_again(tmp_path, capsysbinary, fake):
    assert main(["score", "--fresh", "--json", str(TRACES)]) == 2
    report = tmp_path / "report.json"
    report.write_bytes(printed(capsysbinary))
    assert main(["replay", str(report), str(TRACES)]) == 0
    assert b"Identical" in printed(capsysbinary)


def test_an_answer_says_what_the_sdk_makes_of_a_value(tmp_path, capsysbinary):
    raw = json.loads(TRACES.read_text(encoding="utf-8").split("\n")[1])
    raw["outcome"]["confidence"] = "0.8"
    path = tmp_path / "one.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    assert main(["explain", str(path)]) == 1
    said = printed(capsysbinary).decode()
    assert 'outcome.confidence is "0.8", a string; the SDK reads it as 0.8.' in said


def test_traces_with_infinities_compare(capsysbinary):
    for left, right in ((49, 2), (2, 49), (48, 49)):
        arguments = ["compare", f"{TRACES}#{left}", f"{TRACES}#{right}"]
        assert main(arguments) == 1
        assert main([*arguments, "--json"]) == 1
    printed(capsysbinary)
