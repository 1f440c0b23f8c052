"""Recordings of other agents on the command line: convert, formats, score, explain, replay."""

import json
from typing import Any

import pytest

from kpinspector.__main__ import main
from kpinspector.trace.schema import find_issues
from tests.runs.traces import flat, request, span

STATED = ("--confidence", "0.9", "--success", "yes")


def line(kind: str, content: object, **beside: object) -> dict[str, Any]:
    message = {"role": kind, "content": content, "id": beside.pop("answer", "")}
    named = {"sessionId": "5e55", "uuid": "u", "timestamp": "2026-05-04T03:02:01.5Z"}
    return {"type": kind, "message": message, "version": "2.1.0", **named, **beside}


def call(name: str, number: int) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"t{number}", "name": name, "input": {"n": number}}


def result(number: int, text: str, *, failed: bool = False) -> dict[str, Any]:
    return {
        "type": "tool_result", "tool_use_id": f"t{number}", "content": text, "is_error": failed,
    }  # fmt: skip


LINES = (
    {"type": "summary", "summary": "Greenhouse", "leafUuid": "u"},
    line("user", "Find out why the greenhouse is cold at night."),
    line("assistant", [{"type": "thinking", "thinking": "Read the log."}], answer="a"),
    line("assistant", [call("Read", 1)], answer="a"),
    line("user", [result(1, "no such file", failed=True)]),
    line("assistant", [{"type": "text", "text": "The log has moved."}], answer="b"),
    line("assistant", [call("Glob", 2)], answer="b"),
    line("user", [result(2, "logs/heater.log")]),
    line("assistant", [{"type": "text", "text": "The heater is off at night."}], answer="c"),
)
DATA = "".join(f"{json.dumps(one)}\n" for one in LINES).encode()


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "session.jsonl"
    path.write_bytes(DATA)
    return path


def converted(path) -> list[dict[str, Any]]:
    return [json.loads(one) for one in path.read_text(encoding="utf-8").splitlines()]


def test_a_session_is_converted_once_its_outcome_is_stated(session, tmp_path, run):
    out = tmp_path / "out.jsonl"
    assert "confidence" in run("convert", session, "-o", out, status=2).err
    assert not out.exists()
    assert "nothing in them is masked" in run("convert", session, "-o", out, *STATED, status=0).err
    (trace,) = converted(out)
    assert find_issues(trace) == ()
    assert trace["task"] == {"objective": "Find out why the greenhouse is cold at night."}
    assert [step["type"] for step in trace["steps"]] == [
        "thought", "tool_call", "observation", "error_recovery", "tool_call", "observation",
        "thought",
    ]  # fmt: skip
    assert trace["outcome"] == {
        "result_summary": "The heater is off at night.", "confidence": 0.9,
    }  # fmt: skip
    assert trace["metadata"] == {
        "created_at": "2026-05-04T03:02:01.500Z", "task_domain": "general", "success": True,
        "quality_score": 0, "visibility": "private", "privacy_level": "aggregated",
    }  # fmt: skip


def test_what_is_chosen_stands_in_the_conversion(session, tmp_path):
    out = tmp_path / "out.jsonl"
    chosen = ("--domain", "code", "--visibility", "org", "--privacy", "private")
    assert main(["convert", str(session), "-o", str(out), *STATED, *chosen]) == 0
    (trace,) = converted(out)
    metadata = trace["metadata"]
    assert (metadata["task_domain"], metadata["visibility"], metadata["privacy_level"]) == (
        "code", "org", "private",
    )  # fmt: skip


def scores(run, *arguments):
    return run("score", "--fresh", "--json", *arguments).json["traces"]


def test_a_conversion_scores_as_its_recording(session, tmp_path, run):
    out = tmp_path / "out.jsonl"
    assert main(["convert", str(session), "-o", str(out), *STATED]) == 0
    (recording,) = scores(run, session, *STATED)
    (trace,) = scores(run, out)
    assert recording["score"] == trace["score"] and recording["id"] == trace["id"]
    assert recording["source"]["format"] == "claude-code" and trace["source"]["format"] is None


def test_without_an_outcome_there_is_a_range_and_no_score(session, run):
    (entry,) = scores(run, session, "--threshold", "0.6")
    assert entry["score"] is None and entry["verdict"] == "undecided"
    assert entry["gates"] == {"schema": None, "score": None}  # the schema asks for it as well
    low, high = entry["score_range"]["low"], entry["score_range"]["high"]
    assert low["score"] < 0.6 < high["score"]
    assert (low["confidence"], low["success"]) == (0, False)
    assert entry["provenance"]["fields"]["confidence"] == "absent"
    assert entry["provenance"]["dropped"] == {"summary": 1}
    assert entry["cause"] is None
    (entry,) = scores(run, session, "--threshold", "1")
    assert (entry["verdict"], entry["cause"]) == ("rejected", "novelty")


def test_undecided_is_not_accepted(session, run):
    assert "1 undecided" in run("score", "--fresh", "--threshold", "0.6", session, status=1).out
    said = run("explain", "--fresh", "--threshold", "0.6", session, status=1).words
    assert "Undecided" in said and "Accepted from confidence 0." in said


@pytest.mark.parametrize("stated", [(), STATED, ("--success", "yes")])
def test_a_report_on_a_recording_replays(session, tmp_path, run, stated):
    report = tmp_path / "report.json"
    run("score", "--fresh", session, "--report", report, *stated)
    for beside in ((), (session,)):
        run("replay", report, *beside, status=0)
    raw = json.loads(report.read_bytes())
    raw["traces"][0]["dimensions"]["complexity"]["value"] = 0.123
    report.write_text(json.dumps(raw), encoding="utf-8")
    assert main(["replay", str(report)]) == 1


def test_a_run_whose_last_line_is_being_written_has_no_problem(session, tmp_path):
    with session.open("a", encoding="utf-8") as file:
        file.write('{"type": "assistant", "mess')
    assert main(["convert", str(session), "-o", str(tmp_path / "o.jsonl"), *STATED]) == 0


def test_a_damaged_line_is_located_and_the_rest_kept(session, tmp_path, run):
    lines = session.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[4] = lines[4][:40] + "\n"
    session.write_text("".join(lines), encoding="utf-8")
    out = tmp_path / "out.jsonl"
    assert "line 5" in run("convert", session, "-o", out, *STATED, status=2).err
    assert len(converted(out)) == 1


def test_a_session_split_by_prompt(session, tmp_path):
    with session.open("a", encoding="utf-8") as file:
        for one in (line("user", "And the pump?"), line("assistant", "It runs.", answer="d")):
            file.write(f"{json.dumps(one)}\n")
    out = tmp_path / "out.jsonl"
    assert main(["convert", str(session), "-o", str(out), "--split-prompts", *STATED]) == 0
    first, second = converted(out)
    assert second["task"] == {"objective": "And the pump?"} and first["id"] != second["id"]


def test_an_unknown_format_is_named_with_those_there_are(session, tmp_path, run):
    heard = run("convert", session, "-o", tmp_path / "o", "--as", "fortran", status=2)
    assert "claude-code" in heard.err


def test_what_is_none_of_the_format_that_is_named_is_said_to_be(session, run):
    (skipped,) = run("score", "--fresh", "--as", "codex", "--json", session).json["skipped"]
    assert skipped["reason"] == "no recording of Codex"


def test_the_formats_are_listed(run):
    assert "claude-code" in run("formats", status=0).out


def test_an_explanation_as_json_says_what_is_possible(session, run):
    explained = run("explain", "--fresh", "--json", "--threshold", "0.6", session, status=1).json
    (one,), (trace,) = explained["explanations"], explained["report"]["traces"]
    assert one["possible"]["verdict"] == "undecided" == trace["verdict"]
    assert one["possible"]["low"]["score"] < 0.6 < one["possible"]["high"]["score"]
    assert one["provenance"] == trace["provenance"]
    kinds = [(way["kind"], way["success"], way["verdict"]) for way in one["deciding"]]
    assert ("bound", True, "accepted") in kinds and ("best", False, "rejected") in kinds
    assert kinds[-1][0] == "not derived"
    (one,) = run("explain", "--fresh", "--json", session, *STATED).json["explanations"]
    assert one["possible"] is one["deciding"] is None
    assert one["provenance"]["fields"]["confidence"] == "stated"


def test_a_comparison_with_a_run_that_is_undecided(session, tmp_path, run):
    out = tmp_path / "out.jsonl"
    assert main(["convert", str(session), "-o", str(out), *STATED]) == 0
    both = (str(session), str(out))
    said = run("compare", "--fresh", "--threshold", "0.6", *both, status=1).out
    assert "undecided" in said.splitlines()[0]
    read = run("compare", "--fresh", "--threshold", "0.6", "--json", *both, status=1).json
    left, right = read["left"], read["right"]
    assert left["score"] is left["values"]["outcome_confidence"] is None
    assert left["verdict"] == "undecided" and right["score_range"] is None
    low, high = left["score_range"]
    assert low < 0.6 < high
    assert read["differences"]["score"] is None
    assert read["differences"]["score_range"] == [right["score"] - high, right["score"] - low]


def test_what_is_written_can_be_read_again(tmp_path):
    path, out = tmp_path / "m.json", tmp_path / "o.jsonl"
    given = {"id": "1", "function": {"name": "f", "arguments": '{"a": 1e400}'}}
    messages = [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [given]}]
    path.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    assert main(["convert", str(path), "-o", str(out), *STATED]) == 0
    assert main(["score", "--fresh", str(out)]) == 1


@pytest.mark.parametrize("domain", ["", " ", "a\udcff"])
def test_a_domain_is_a_name(session, tmp_path, run, domain):
    run("convert", session, "-o", tmp_path / "o", "--domain", domain, *STATED, status=2)


@pytest.fixture
def without_content(tmp_path):
    path = tmp_path / "spans.otlp.jsonl"
    spans = (
        span("chat", 1, **{"gen_ai.operation.name": "chat"}),
        span("execute_tool count", 2, **{
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "count",
            "gen_ai.tool.call.id": "c1",
        }),
    )  # fmt: skip
    path.write_text(f"{json.dumps(request(*spans))}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["score", "--fresh"],
        ["explain", "--fresh"],
        ["compare", "--fresh", "THE_SAME"],
        ["plan"],
        ["summary"],
        ["sharing"],
        ["convert", *STATED, "-o", "o.jsonl"],
    ],
    ids=lambda command: command[0],
)
def test_every_command_says_that_content_was_not_recorded(
    without_content, tmp_path, monkeypatch, run, command
):
    monkeypatch.chdir(tmp_path)
    path = str(without_content)
    told = run(*(path if one == "THE_SAME" else one for one in command), path)
    assert "content was not recorded" in told.err or "content of 1 run was not" in told.err
    assert "similar, as novelty reads them" not in told.out


def test_a_run_without_a_step_for_want_of_content_says_so(tmp_path, run):
    texts = flat("llm.input_messages", [{"message": {"role": "user", "content": "__REDACTED__"}}])
    path = tmp_path / "spans.json"
    asked = span("m", 1, openinference__span__kind="LLM", **texts)
    path.write_text(json.dumps(request(asked)), encoding="utf-8")
    assert "its content was not recorded" in run("score", "--fresh", path, status=2).words


def test_a_second_format_in_a_file_is_said(session, tmp_path, run):
    with session.open("a", encoding="utf-8") as file:
        file.write('{"timestamp":"2026-05-04T03:02:01Z","type":"session_meta","payload":{}}\n')
        file.write('{"timestamp":"2026-05-04T03:02:01Z","type":"response_item","payload":{}}\n')
    out = tmp_path / "out.jsonl"
    said = run("convert", session, "-o", out, *STATED, status=2).err.splitlines()
    (said,) = (one for one in said if "Codex" in one)
    assert "line 10" in said and "Claude Code" in said
    assert len(converted(out)) == 1
    assert "Codex" in run("score", "--fresh", session, status=2).out


def test_a_run_whose_content_was_not_recorded_is_shown_assumed_and_not_converted(
    without_content, tmp_path, run
):
    path, out = without_content, tmp_path / "o.jsonl"
    (entry,) = scores(run, path, *STATED)
    novelty = entry["dimensions"]["novelty"]
    assert (novelty["value"], novelty["basis"]) == (0.5, "not_recorded")
    assert "assumed" in entry["flags"]
    assert "content" in run("convert", path, "-o", out, *STATED, status=2).err and not out.exists()
