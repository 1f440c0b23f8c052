"""``kpinspector sharing``, as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from kpinspector.__main__ import main
from kpinspector.files import resources
from kpinspector.trace.clear import LOOKED_FOR
from tests.fakes import save
from tests.known import doubled, golden_lines

DATA = Path(__file__).parents[1] / "data"
THRESHOLD = 0.75
TRACES = DATA / "sharing_traces.jsonl"


@pytest.mark.slow
def test_capture_posts_the_bodies_of_the_sdk(tmp_path, run):
    expected = golden_lines("sharing_expected.jsonl")
    out = tmp_path / "bodies.jsonl"
    asked = ["--fresh", "--as", "capture", "--threshold", "0"]
    answers = run("sharing", TRACES, *asked, "--json", "-o", out, status=1).json["traces"]
    assert [one["id"] for one in answers] == [one["id"] for one in expected]
    bodies = iter(golden_lines(out))
    for answer, there in zip(answers, expected, strict=True):
        assert answer["posted"] is (there["posted_body"] is not None)
        score = answer["score"]
        passes = score is not None and (score == "NaN" or score >= THRESHOLD)
        assert (answer["posted"] and passes) is there["posts_at_0.75"]
        if answer["posted"]:
            mine, theirs = doubled(next(bodies)), doubled(there["posted_body"])
            scores = [one["metadata"].pop("quality_score", None) for one in (mine, theirs)]
            assert mine == theirs
            assert scores[0] == scores[1] or abs(scores[0] - scores[1]) < 5e-5
    assert next(bodies, None) is None


def first(number):
    return [f"{TRACES}#{one}" for one in range(1, number + 1)]


@pytest.mark.slow
def test_contribute_posts_every_trace_as_it_is(tmp_path, run):
    out = tmp_path / "bodies.jsonl"
    heard = run("sharing", *first(8), "--fresh", "-o", out, status=1)
    given = golden_lines(TRACES.name)[:8]
    assert doubled(golden_lines(out)) == doubled(given)
    assert "masked" in heard.err


def test_capture_posts_nothing_below_its_threshold(tmp_path, run):
    out = tmp_path / "bodies.jsonl"
    asked = ["--fresh", "--as", "capture", "--threshold", "1"]
    said = run("sharing", *first(2), *asked, "-o", out, status=0).out
    assert out.read_bytes() == b""
    assert said.count("Would not be posted: its score is below the threshold.") == 2
    assert "Leaves in clear" not in said


def test_a_level_is_taken_as_if_the_trace_named_it(tmp_path, run):
    asking = {"type": "thought", "content": "ask ann@example.org, token=abcdef"}
    path, kept = written(tmp_path, steps=[asking]), {}
    for level in ("private", "aggregated"):
        asked = ["--fresh", "--as", "capture", "--threshold", "0", "--level", level, "-o", "-"]
        body = run("sharing", path, *asked).json
        assert body["metadata"]["privacy_level"] == level
        kept[level] = body["steps"][0]["content"]
    assert kept["private"] == "ask ann@example.org, token=[REDACTED:password]"
    assert kept["aggregated"] == "ask [REDACTED:email], token=[REDACTED:password]"


@pytest.mark.parametrize("way", ["contribute", "capture"])
def test_of_half_a_character_nothing_breaks(way, tmp_path, run):
    trace = golden_lines("sequence_traces.jsonl")[0]
    secrets = ("password=\ud83dabcdefgh", 'token="\udc00\ud83dabcdefgh"')
    changed = {f"password=\udfff{number}abcdefgh": one for number, one in enumerate(secrets)}
    trace["id"] = trace["task"]["objective"] = secrets[0]
    trace["steps"][0] |= {"content": secrets[0], "input": changed, "password": secrets[1]}
    asked = ["sharing", str(written(tmp_path, **trace)), "--fresh", "--as", way, "--threshold", "0"]
    (answer,) = run(*asked, "--json", status=1).json["traces"]
    assert "\ufffda••••" in {one["masked"] for one in answer["in_clear"]}
    assert main(asked) == 1
    save(tmp_path / "trace.json", {"@type": "ReasoningTrace", "id": "\ud83d", "steps": []})
    (answer,) = run(*asked, "--json", status=0).json["traces"]
    assert answer["id"] == "\ufffd"


def test_nothing_is_remembered(tmp_path, run):
    folder = ["--data-dir", str(tmp_path)]
    main(["sharing", *first(2), *folder])
    assert "kp:trace" not in run("memory", "list", *folder, status=0).out


@pytest.mark.parametrize(
    ("text", "status"), [("{", 2), ("[]", 2), ('{"@type": "ReasoningTrace", "steps": []}', 0)]
)
def test_the_status_of_what_is_no_trace(text, status, tmp_path, run):
    path = tmp_path / "trace.json"
    path.write_text(text, encoding="utf-8")
    heard = run("sharing", path, "--fresh", status=status)
    # the SDK throws: an answer, and contribute posts it all the same
    assert ("the registry refuses it" in heard.out) is (status == 0)


def test_a_recording_has_a_body_once_its_outcome_is_stated(run):
    sample = SAMPLES / "wool-prices.json"
    assert "does not say how the run ended" in run("sharing", sample, "--fresh", status=0).out
    stated = ["--confidence", "0.9", "--success", "yes"]
    assert "Would be posted" in run("sharing", sample, "--fresh", *stated).out


SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
SECRETS = (
    *("0123456789abcdef", "n0t-a-real-pw", "4477", "Invented-Pass", "INVENTEDinvented", "20.30"),
    *("lindqvist@", "aW52ZW50ZWQ", "INVENTED-debug", "/home/mara"),
)


@pytest.mark.parametrize(("way", "clear"), [("contribute", 15), ("capture", 7)])
def test_what_leaves_in_clear_is_said_first(way, clear, run):
    sample = SAMPLES / "export-handover.json"
    out = run("sharing", sample, "--fresh", "--as", way).out
    assert out.splitlines()[2] == f"Warning: {clear} leave in clear. Would be posted."
    assert "Found again" not in out


@pytest.mark.parametrize("way", ["contribute", "capture"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_secret_of_the_sample_stands_in_the_answer(way, form, run):
    sample = SAMPLES / "export-handover.json"
    text = sample.read_text(encoding="utf-8")
    assert all(one in text for one in SECRETS)
    said = run("sharing", sample, "--fresh", "--as", way, *form, status=1)
    assert not [one for one in SECRETS if one in said.out + said.err]


def test_every_secret_of_the_sample_is_named(run):
    sample = SAMPLES / "export-handover.json"
    (answer,) = run("sharing", sample, "--fresh", "--as", "capture", "--json").json["traces"]
    assert len(answer["redactions"]) == 8
    assert [one["by"] for one in answer["in_clear"]].count("kpinspector") == 3
    assert len(answer["in_clear"]) == 7
    assert "found_by" not in answer
    assert 0 < answer["score_of_cleaned"] < 1


def test_where_nothing_is_in_clear_the_answer_says_what_was_looked_for(tmp_path, run):
    path = str(written(tmp_path))
    said = run("sharing", path, "--fresh", status=0).out
    assert f"Looked for {len(LOOKED_FOR)} kinds of secrets" in said
    assert run("sharing", path, "--fresh", "--json", status=0).json["looked_for"] == [*LOOKED_FOR]


KEY = "sk-" + "INVENTED0" * 3


def written(tmp_path, **changes):
    """The first trace of the goldens, changed, as a file."""
    trace = golden_lines("sequence_traces.jsonl")[0]
    return save(tmp_path / "trace.json", trace | changes)


@pytest.mark.parametrize("way", ["contribute", "capture"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_secret_of_a_name_or_an_id_stands_in_the_answer(way, form, tmp_path, run):
    held = {KEY: [{"ann@example.org": "bob@example.org"}], "a.b": {"password": "Tr0ub4dor"}}
    path = written(tmp_path, id=f"kp:trace:{KEY}", further=held)
    asked = ["--fresh", "--as", way, "--threshold", "0"]
    said = run("sharing", path, *asked, *form, status=1)
    assert "further.sk-I" in said.out
    secrets = (KEY[:8], "n@example", "b@example", "Tr0u")
    assert not [one for one in secrets if one in said.out + said.err]


def test_an_id_is_masked_only_where_something_is_found_in_it(tmp_path, run):
    for given, shown in (
        (f"kp:trace:a-{KEY}", "kp:trace:a-sk-I••••"),
        ("kp:trace:b", "kp:trace:b"),
    ):
        (answer,) = run("sharing", written(tmp_path, id=given), "--fresh", "--json").json["traces"]
        assert answer["id"] == shown


def test_only_the_input_that_was_kept_is_said_to_be_kept(tmp_path, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    # the redaction takes the backslash of the quote
    kept = {"url": 'redis://host/x"y'}
    step = {"type": "thought", "content": "ask ann@example.org", "input": kept}
    path = written(tmp_path, steps=[step, {"type": "thought", "content": "then"}])
    asked = ["--fresh", "--as", "capture", "--threshold", "0", "--level", "private"]
    said = run("sharing", path, *asked).out.split("\n")
    why = {line.split()[0]: line.rsplit("  ", 1)[1] for line in said if "steps.0." in line}
    assert why["steps.0.input.url"] == "kept: cleaned, it would be no JSON"
    assert why["steps.0.content"] == "kept at this level"


def test_a_recording_that_is_no_trace_yet_goes_by_neither_way(run):
    said = run("sharing", SAMPLES / "wool-prices.json", "--fresh").out
    assert "By neither way, as it is no trace yet." in said
    assert "as it is, whatever" not in said


WRAPPED = [
    {"type": "thought", "content": 'Executing with args: {"x": 1}'},
    {"type": "observation", "content": "Execution completed successfully"},
]


@pytest.mark.parametrize(
    ("domain", "best"),
    [("medical", "0.6805"), ("coding", "0.6175"), ("customer_service", "0.5940")],
)
def test_a_run_that_was_wrapped_is_told_what_it_can_score_at_best(domain, best, tmp_path, run):
    metadata = {"task_domain": domain, "success": True}
    path = written(tmp_path, steps=WRAPPED, metadata=metadata, outcome={"confidence": 0.8})
    said = run("sharing", path, "--fresh").words
    assert f"KPCapture.wrap() records: at best {best} of 0.7500" in said
    heard = run("sharing", written(tmp_path, metadata=metadata), "--fresh")
    assert "KPCapture.wrap()" not in heard.words


@pytest.mark.parametrize(
    ("domain", "confidence", "gate"),
    [
        ("constructor", 0.8, "NaN: no threshold holds that back"),
        ("x", 1e400, "∞: no threshold holds that back"),
        ("x", -1e400, "\N{MINUS SIGN}∞, needs 0.7500"),
    ],
)
def test_a_score_that_is_no_number_is_said_as_one(domain, confidence, gate, tmp_path, run):
    path = written(tmp_path, metadata={"task_domain": domain}, outcome={"confidence": 0.125})
    text = path.read_text(encoding="utf-8")
    number = {1e400: "1e400", -1e400: "-1e400"}.get(confidence, "0.8")
    path.write_text(text.replace("0.125", number), encoding="utf-8")
    assert gate in run("sharing", path, "--fresh", "--as", "capture").words


@pytest.mark.slow
def test_the_json_is_that_of_the_shipped_schema(run):
    schema = json.loads((resources() / "sharing.schema.json").read_bytes())
    paths = [str(SAMPLES / "export-handover.json"), str(SAMPLES / "wool-prices.json"), *first(4)]
    asked = ("--fresh", "--threshold", "0", "--json")
    for way in ("contribute", "capture"):
        answer = run("sharing", *paths, *asked, "--as", way).json
        jsonschema.Draft202012Validator(schema).validate(answer)


@pytest.mark.slow
def test_the_mask_is_ascii_where_the_terminal_is_none_of_unicode(tmp_path):
    path = written(tmp_path, further="ann@example.org")
    command = [sys.executable, "-m", "kpinspector", "sharing", str(path), "--fresh"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "COLUMNS": "200"}
    said = subprocess.run(command, capture_output=True, env=environment, check=False).stdout
    assert b"ann****" in said
    assert b"\\u2022" not in said
