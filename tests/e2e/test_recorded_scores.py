"""Scores that a recording has: named where its runs are, and mapped to success by the user."""

import json

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from kpinspector.__main__ import main
from tests import user
from tests.fakes import FakeEmbedder
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


def successes(capsys, *arguments):
    main(["score", "--fresh", "--json", *arguments])
    traces = json.loads(capsys.readouterr().out)["traces"]
    return [
        (
            one["dimensions"]["outcome_confidence"]["factors"]["success"],
            one["provenance"]["fields"]["success"],
            one["provenance"]["success_score"],
        )
        for one in traces
    ]


def test_a_value_of_a_score_means_success_and_every_other_failure(log, capsys):
    assert successes(capsys, str(log), *CONFIDENCE, *MAPPED) == [
        (True, "recorded", ["match", "C"]),
        (False, "recorded", ["match", "C"]),
        (None, "absent", None),
    ]
    mapped = ("--success-score", "words=1", "--success", "no")
    assert successes(capsys, str(log), *CONFIDENCE, *mapped) == [
        (True, "recorded", ["words", "1"]),
        (True, "recorded", ["words", "1"]),
        (False, "stated", None),
    ]


def test_an_explanation_says_which_score_it_was(log, capsys):
    main(["explain", "--fresh", str(log), *CONFIDENCE, *MAPPED])
    said = " ".join(capsys.readouterr().out.split())
    assert "success yes (score match = C, as you mapped it)" in said
    assert "success no (score match = I, and C is success, as you mapped it)" in said
    main(["explain", "--fresh", str(log)])
    said = " ".join(capsys.readouterr().out.split())
    assert "scores match = C, words = 1" in said and "mapped" not in said


def test_runs_with_the_score_are_converted(log, tmp_path, capsys):
    out = tmp_path / "out.jsonl"
    assert main(["convert", str(log), "-o", str(out), *CONFIDENCE]) == 2
    assert "state this with --success, or --success-score" in capsys.readouterr().err
    assert main(["convert", str(log), "-o", str(out), *CONFIDENCE, *MAPPED]) == 2  # one has none
    traces = [json.loads(one) for one in out.read_text("utf-8").splitlines()]
    assert [one["metadata"]["success"] for one in traces] == [True, False]


def test_a_comparison_takes_the_score_as_well(log, capsys):
    both = (f"{log}#1", f"{log}#2")
    main(["compare", "--fresh", "--json", *both, *CONFIDENCE, *MAPPED])
    read = json.loads(capsys.readouterr().out)
    assert read["left"]["score"] > read["right"]["score"]


def test_a_report_with_a_mapped_score_replays(log, tmp_path, capsys):
    report = tmp_path / "report.json"
    main(["score", "--fresh", str(log), "--report", str(report), *CONFIDENCE, *MAPPED])
    for beside in ((), (str(log),)):
        assert main(["replay", str(report), *beside]) == 0, capsys.readouterr()


def test_a_score_that_no_run_has_is_said_with_those_there_are(log, capsys):
    main(["score", "--fresh", str(log), "--success-score", "mach=C"])
    assert "No run has a score 'mach'; there are match, words." in capsys.readouterr().err


@pytest.mark.parametrize("text", ["match", "=C", "match="])
def test_a_mapping_has_a_name_and_a_value(log, capsys, text):
    with pytest.raises(SystemExit):
        main(["score", "--fresh", str(log), "--success-score", text])
    assert "is not the name of a score, = and a value" in capsys.readouterr().err


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
def test_the_window_maps_the_scores_of_all_that_are_selected(journey, log):
    seen = {}

    def first(window):
        window.resize(1440, 900)
        yield idle(window)
        user.go_to_row(window, "Count the pears")
        assert reads(window, "scores match = C, words = 1")()
        user.select(window, "Count the pears", "Count the plums", "Count the figs")
        trigger(window, "set_outcome")
        seen["choices"] = map_first_score(user.dialog(window, "Set Outcome"))
        yield lambda: "\N{EN DASH}" not in user.trace_row(window, "Count the plums")["Score"]
        yield idle(window)
        seen["rows"] = [row["Score"] for row in user.trace_rows(window)]
        user.go_to_row(window, "Count the plums")
        yield idle(window)
        assert "success no (score match = I, and C is success, as you mapped it)" in description(
            window, "Recorded"
        )
        assert reads(window, "success by the score match")()

    embedder = FakeEmbedder()
    assert journey([log], first, embedder) == 0
    values = ["match = C: 1 run", "match = I: 1 run", "words = 1: 1 run", "words = 1.0: 1 run"]
    nothing = "Says nothing of success"
    assert seen["choices"] == ([nothing, *values], nothing)
    assert ["\N{EN DASH}" in score for score in seen["rows"]] == [False, False, True]

    def second(window):
        window.resize(1440, 900)
        yield idle(window)
        assert [row["Score"] for row in user.trace_rows(window)] == seen["rows"]
        user.go_to_row(window, "Count the pears")
        trigger(window, "set_outcome")
        asking = user.dialog(window, "Set Outcome")
        assert choices(asking)[1] == "match = C: 1 run"
        user.press(asking, "Take Back")
        yield lambda: "\N{EN DASH}" in user.trace_row(window, "Count the pears")["Score"]
        assert "mapped" not in description(window, "Recorded")

    assert journey([log], second, embedder) == 0
