"""No secret of a trace stands in whatever leaves the step that holds it."""

import json
from pathlib import Path

import pytest

from kpinspector.__main__ import main

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
HELD = (
    "mara.lindqvist@example.org",
    "kp_0123456789abcdef0123",
    "postgresql://export:n0t-a-real-pw@db.example.org:5432/stores",
    "555-010-4477",
    "password=Invented-Pass-42",
    "sk-ant-api03-INVENTEDinventedINVENTED0000",
    "10.20.30.40",
    "Bearer INVENTEDinventedINVENTED.0000",
    "/home/mara/exports/key.txt",
    "eyJpbnZlbnRlZCI6MX0.eyJzdWIiOiJtYXJhIn0.aW52ZW50ZWQ",
    "token=INVENTED-debug-token",
)
"""All that the sample invents."""
SECRETS = (
    *("0123456789abcdef", "n0t-a-real-pw", "4477", "Invented-Pass", "INVENTEDinvented", "20.30"),
    *("lindqvist@", "aW52ZW50ZWQ", "INVENTED-debug", "/home/mara"),
)
"""Parts of these that may not be read anywhere."""


def trace(number, held):
    """The sample with one of them in each place that a list or a page may show."""
    made = json.loads((SAMPLES / "export-handover.json").read_text(encoding="utf-8"))
    made["id"] = f"kp:trace:{number}-{held}"
    made["task"]["objective"] = f"Hand {held} over"
    made["metadata"]["task_domain"] = f"finance {held}"
    made["outcome"]["result_summary"] = f"Kept {held}"
    made[f"more {held}"] = held
    for step in made["steps"]:
        if "tool" in step:
            step["tool"]["name"] = f"use {held}"
    return made


@pytest.fixture
def folder(tmp_path):
    """A trace for each of them, one that the schema refuses, one that cannot be scored."""
    traces = [trace(number, held) for number, held in enumerate(HELD)]
    refused, unscorable = trace(90, HELD[0]), trace(91, HELD[1])
    refused["metadata"]["visibility"] = HELD[5]
    refused["steps"][0]["type"] = HELD[0]
    unscorable["outcome"] = HELD[5]
    folder = tmp_path / "traces"
    folder.mkdir()
    lines = (json.dumps(one) for one in (*traces, refused, unscorable))
    (folder / "traces.jsonl").write_text("\n".join(lines), encoding="utf-8")
    broken = json.dumps(trace(92, HELD[0])).replace('"thought"', HELD[5], 1)
    (folder / "broken.json").write_text(broken, encoding="utf-8")
    return folder


def read(text):
    """Which of them can be read in a text."""
    return [one for one in SECRETS if one in text]


@pytest.mark.parametrize(
    "command",
    [
        "score {traces} --fresh",
        "score {traces} --fresh --csv -",
        "explain {traces} --fresh --today --whole",
        "explain {traces} --fresh --markdown -",
        "explain {traces} --fresh --html -",
        "summary {traces} --fresh",
        "summary {traces} --fresh --json",
        "summary {traces} --fresh --html -",
        "plan {traces} --fresh",
        "plan {traces} --fresh --json",
        "compare {traces}/traces.jsonl#1 {traces}/traces.jsonl#6 --fresh",
        "compare {traces}/traces.jsonl#1 {traces}/traces.jsonl#6 --fresh --json",
        "sharing {traces} --fresh --as capture",
        "sharing {traces} --fresh --json",
    ],
)
def test_on_the_command_line(command, folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    main(command.format(traces=folder).split())
    heard = capsys.readouterr()
    assert len(heard.out) > 500
    assert read(heard.out + heard.err) == []


def test_what_a_replay_says(folder, tmp_path, capsys):
    traces, report = folder / "traces.jsonl", tmp_path / "report.json"
    main(["score", str(traces), "--fresh", "--json"])
    whole = json.loads(capsys.readouterr().out)
    assert whole["traces"][0]["id"].endswith(HELD[0]), "a report is exact, as it is replayed"
    for one in whole["traces"]:
        one["objective"] = f"Hand {HELD[5]} over"
    report.write_text(json.dumps(whole), encoding="utf-8")
    traces.write_text(traces.read_text(encoding="utf-8").partition("\n")[0], encoding="utf-8")
    for paths in ([], [str(traces)]):
        main(["replay", str(report), *paths])
        heard = capsys.readouterr()
        assert len(heard.out) > 100
        assert read(heard.out + heard.err) == []


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_only_the_key_of_what_is_remembered_stays_whole(form, folder, tmp_path, capsys):
    data = ["--data-dir", str(tmp_path / "data")]
    main(["score", str(folder), *data])
    capsys.readouterr()
    assert main(["memory", "list", *data, *form]) == 0
    said = capsys.readouterr().out
    assert "Hand" in said and f"Hand {HELD[0][:5]}" not in said
    assert "kp:trace:0-" + HELD[0] in said, "by this it is forgotten"
