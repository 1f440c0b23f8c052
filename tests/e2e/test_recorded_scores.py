"""Scores that a recording has: named where its runs are, and mapped to success by the user."""

import json

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from kpinspector.__main__ import main
from tests import user
from tests.user import description, idle, reads, trigger

CONFIDENCE = ("--confidence", "0.9")
MAPPED = ("--success-score", "match=C")


def sample(name, said, scores):
    call = {"id": f"{name}1", "function": "grep", "arguments": {"for": name}}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": f"Count the {name}."},
        {"role": "assistant", "content": "I look.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"{name}1", "content": "7"},
        {"role": "assistant", "content": said},
    ]
    return {
        "id": name,
        "epoch": 1,
        "messages": messages,
        "scores": {name: {"value": value} for name, value in scores.items()},
    }


LOG = {
    "version": 2,
    "status": "success",
    "eval": {"task": "count", "eval_id": "e", "packages": {"inspect_ai": "0.3.285"}},
    "samples": [
        sample("pears", "Seven.", {"match": "C", "words": 1}),
        sample("plums", "Nine.", {"match": "I", "words": 1.0}),
        sample("figs", "None.", {}),
    ],
}


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(LOG), encoding="utf-8")
    return path


def successes(run, *arguments):
    traces = run("score", "--fresh", "--json", *arguments).json["traces"]
    return [
        (
            one["dimensions"]["outcome_confidence"]["factors"]["success"],
            one["provenance"]["fields"]["success"],
            one["provenance"]["success_score"],
        )
        for one in traces
    ]


def test_a_value_of_a_score_means_success_and_every_other_failure(log, run):
    assert successes(run, log, *CONFIDENCE, *MAPPED) == [
        (True, "recorded", ["match", "C"]),
        (False, "recorded", ["match", "C"]),
        (None, "absent", None),
    ]
    mapped = ("--success-score", "words=1", "--success", "no")
    assert successes(run, log, *CONFIDENCE, *mapped) == [
        (True, "recorded", ["words", "1"]),
        (True, "recorded", ["words", "1"]),
        (False, "stated", None),
    ]


def test_an_explanation_says_which_score_it_was(log, run):
    said = run("explain", "--fresh", log, *CONFIDENCE, *MAPPED).words
    assert "success yes (score match = C, as you mapped it)" in said
    assert "success no (score match = I, and C is success, as you mapped it)" in said
    said = run("explain", "--fresh", log).words
    assert "scores match = C, words = 1" in said and "mapped" not in said


def test_runs_with_the_score_are_converted(log, tmp_path, run):
    out = tmp_path / "out.jsonl"
    heard = run("convert", log, "-o", out, *CONFIDENCE, status=2)
    assert "state this with --success, or --success-score" in heard.err
    assert main(["convert", str(log), "-o", str(out), *CONFIDENCE, *MAPPED]) == 2  # one has none
    traces = [json.loads(one) for one in out.read_text("utf-8").splitlines()]
    assert [one["metadata"]["success"] for one in traces] == [True, False]


def test_a_comparison_takes_the_score_as_well(log, run):
    both = (f"{log}#1", f"{log}#2")
    read = run("compare", "--fresh", "--json", *both, *CONFIDENCE, *MAPPED).json
    assert read["left"]["score"] > read["right"]["score"]


def test_a_report_with_a_mapped_score_replays(log, tmp_path, run):
    report = tmp_path / "report.json"
    run("score", "--fresh", log, "--report", report, *CONFIDENCE, *MAPPED)
    for beside in ((), (log,)):
        run("replay", report, *beside, status=0)


def test_a_score_that_no_run_has_is_said_with_those_there_are(log, run):
    heard = run("score", "--fresh", log, "--success-score", "mach=C")
    assert "No run has a score 'mach'; there are match, words." in heard.err


@pytest.mark.parametrize("text", ["match", "=C", "match="])
def test_a_mapping_has_a_name_and_a_value(log, run, text):
    heard = run("score", "--fresh", log, "--success-score", text, status=2)
    assert "is not the name of a score, = and a value" in heard.err


def choices(asking):
    combo = user.find(asking, QComboBox, "Score")
    return [combo.itemText(one) for one in range(combo.count())], combo.currentText()


def map_first_score(asking):
    """Say that the first value of the first score means success; gives what could be chosen."""
    found, score = choices(asking), user.find(asking, QComboBox, "Score")
    score.setFocus()
    QTest.keyClicks(score, "match")
    assert score.currentText() == "match = C: 1 run"
    user.write(user.find(asking, QLineEdit, "Confidence"), "0.9")
    user.press(asking, "Set Outcome")
    return found


@pytest.mark.slow
def test_the_window_maps_the_scores_of_all_that_are_selected(log):
    window = yield from user.opened(log, wide=True)
    user.go_to_row(window, "Count the pears")
    assert reads(window, "scores match = C, words = 1")()
    user.select(window, "Count the pears", "Count the plums", "Count the figs")
    trigger(window, "set_outcome")
    offered = map_first_score(user.dialog(window, "Set Outcome"))
    yield lambda: "\N{EN DASH}" not in user.trace_row(window, "Count the plums")["Score"]
    yield idle(window)
    scores = [row["Score"] for row in user.trace_rows(window)]
    user.go_to_row(window, "Count the plums")
    yield idle(window)
    assert "success no (score match = I, and C is success, as you mapped it)" in description(
        window, "Recorded"
    )
    assert reads(window, "success by the score match")()
    values = ["match = C: 1 run", "match = I: 1 run", "words = 1: 1 run", "words = 1.0: 1 run"]
    nothing = "Says nothing of success"
    assert offered == ([nothing, *values], nothing)
    assert ["\N{EN DASH}" in score for score in scores] == [False, False, True]
    window = yield from user.opened(log, wide=True)
    assert [row["Score"] for row in user.trace_rows(window)] == scores
    user.go_to_row(window, "Count the pears")
    trigger(window, "set_outcome")
    asking = user.dialog(window, "Set Outcome")
    assert choices(asking)[1] == "match = C: 1 run"
    user.press(asking, "Take Back")
    yield lambda: "\N{EN DASH}" in user.trace_row(window, "Count the pears")["Score"]
    assert "mapped" not in description(window, "Recorded")
