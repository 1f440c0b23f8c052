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
from tests.known import doubled, golden_lines

DATA = Path(__file__).parents[1] / "data"
THRESHOLD = 0.75
TRACES = DATA / "sharing_traces.jsonl"


@pytest.mark.slow
def test_capture_posts_the_bodies_of_the_sdk(tmp_path, capsys):
    expected = golden_lines("sharing_expected.jsonl")
    out = tmp_path / "bodies.jsonl"
    asked = ["--fresh", "--as", "capture", "--threshold", "0"]
    assert main(["sharing", str(TRACES), *asked, "--json", "-o", str(out)]) == 1
    answers = json.loads(capsys.readouterr().out)["traces"]
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
def test_contribute_posts_every_trace_as_it_is(tmp_path, capsys):
    out = tmp_path / "bodies.jsonl"
    assert main(["sharing", *first(8), "--fresh", "-o", str(out)]) == 1
    given = golden_lines(TRACES.name)[:8]
    assert doubled(golden_lines(out)) == doubled(given)
    assert "masked" in capsys.readouterr().err


def test_capture_posts_nothing_below_its_threshold(tmp_path, capsys):
    out = tmp_path / "bodies.jsonl"
    asked = ["--fresh", "--as", "capture", "--threshold", "1"]
    assert main(["sharing", *first(2), *asked, "-o", str(out)]) == 0
    assert out.read_bytes() == b""
    said = capsys.readouterr().out
    assert said.count("Would not be posted: its score is below the threshold.") == 2
    assert "Leaves in clear" not in said


def test_a_level_is_taken_as_if_the_trace_named_it(tmp_path, capsys):
    trace = json.loads((DATA / "sequence_traces.jsonl").read_text(encoding="utf-8").split("\n")[0])
    trace["steps"][0] = {"type": "thought", "content": "ask ann@example.org, token=abcdef"}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(trace), encoding="utf-8")
    kept = {}
    for level in ("private", "aggregated"):
        asked = ["--fresh", "--as", "capture", "--threshold", "0", "--level", level, "-o", "-"]
        main(["sharing", str(path), *asked])
        body = json.loads(capsys.readouterr().out)
        assert body["metadata"]["privacy_level"] == level
        kept[level] = body["steps"][0]["content"]
    assert kept["private"] == "ask ann@example.org, token=[REDACTED:password]"
    assert kept["aggregated"] == "ask [REDACTED:email], token=[REDACTED:password]"


@pytest.mark.parametrize("way", ["contribute", "capture"])
def test_of_half_a_character_nothing_breaks(way, tmp_path, capsys):
    trace = json.loads((DATA / "sequence_traces.jsonl").read_text(encoding="utf-8").split("\n")[0])
    secrets = ("password=\ud83dabcdefgh", 'token="\udc00\ud83dabcdefgh"')
    changed = {f"password=\udfff{number}abcdefgh": one for number, one in enumerate(secrets)}
    trace["id"] = trace["task"]["objective"] = secrets[0]
    trace["steps"][0] |= {"content": secrets[0], "input": changed, "password": secrets[1]}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(trace), encoding="utf-8")
    asked = ["sharing", str(path), "--fresh", "--as", way, "--threshold", "0"]
    assert main([*asked, "--json"]) == 1
    (answer,) = json.loads(capsys.readouterr().out)["traces"]
    assert "\ufffda••••" in {one["masked"] for one in answer["in_clear"]}
    assert main(asked) == 1
    capsys.readouterr()
    path.write_text(
        json.dumps({"@type": "ReasoningTrace", "id": "\ud83d", "steps": []}), encoding="utf-8"
    )
    assert main([*asked, "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["traces"]
    assert answer["id"] == "\ufffd"


def test_nothing_is_remembered(tmp_path, capsys):
    folder = ["--data-dir", str(tmp_path)]
    main(["sharing", *first(2), *folder])
    capsys.readouterr()
    assert main(["memory", "list", *folder]) == 0
    assert "kp:trace" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "status"),
    [("{", 2), ("[]", 2), ('{"@type": "ReasoningTrace", "steps": []}', 0)],
)
def test_the_status_of_what_is_no_trace(text, status, tmp_path, capsys):
    path = tmp_path / "trace.json"
    path.write_text(text, encoding="utf-8")
    assert main(["sharing", str(path), "--fresh"]) == status
    if status == 0:  # the SDK throws: an answer, and contribute posts it all the same
        assert "the registry refuses it" in capsys.readouterr().out


def test_a_recording_has_a_body_once_its_outcome_is_stated(capsys):
    sample = SAMPLES / "wool-prices.json"
    assert main(["sharing", str(sample), "--fresh"]) == 0
    assert "does not say how the run ended" in capsys.readouterr().out
    stated = ["--confidence", "0.9", "--success", "yes"]
    main(["sharing", str(sample), "--fresh", *stated])
    assert "Would be posted" in capsys.readouterr().out


SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
SECRETS = (
    *("0123456789abcdef", "n0t-a-real-pw", "4477", "Invented-Pass", "INVENTEDinvented", "20.30"),
    *("lindqvist@", "aW52ZW50ZWQ", "INVENTED-debug", "/home/mara"),
)


@pytest.mark.parametrize(("way", "clear"), [("contribute", 15), ("capture", 7)])
def test_what_leaves_in_clear_is_said_first(way, clear, capsys):
    sample = SAMPLES / "export-handover.json"
    main(["sharing", str(sample), "--fresh", "--as", way])
    out = capsys.readouterr().out
    assert out.splitlines()[2] == f"Warning: {clear} leave in clear. Would be posted."
    assert "Found again" not in out


@pytest.mark.parametrize("way", ["contribute", "capture"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_secret_of_the_sample_stands_in_the_answer(way, form, capsys):
    sample = SAMPLES / "export-handover.json"
    text = sample.read_text(encoding="utf-8")
    assert all(one in text for one in SECRETS)
    assert main(["sharing", str(sample), "--fresh", "--as", way, *form]) == 1
    said = capsys.readouterr()
    assert not [one for one in SECRETS if one in said.out + said.err]


def test_every_secret_of_the_sample_is_named(capsys):
    sample = SAMPLES / "export-handover.json"
    main(["sharing", str(sample), "--fresh", "--as", "capture", "--json"])
    (answer,) = json.loads(capsys.readouterr().out)["traces"]
    assert len(answer["redactions"]) == 8
    assert [one["by"] for one in answer["in_clear"]].count("kpinspector") == 3
    assert len(answer["in_clear"]) == 7
    assert "found_by" not in answer
    assert 0 < answer["score_of_cleaned"] < 1


def test_where_nothing_is_in_clear_the_answer_says_what_was_looked_for(tmp_path, capsys):
    path = str(written(tmp_path))
    assert main(["sharing", path, "--fresh"]) == 0
    assert f"Looked for {len(LOOKED_FOR)} kinds of secrets" in capsys.readouterr().out
    assert main(["sharing", path, "--fresh", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["looked_for"] == [*LOOKED_FOR]


KEY = "sk-" + "INVENTED0" * 3


def written(tmp_path, **changes):
    """The first trace of the goldens, changed, as a file."""
    trace = json.loads((DATA / "sequence_traces.jsonl").read_text(encoding="utf-8").split("\n")[0])
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({**trace, **changes}), encoding="utf-8")
    return path


@pytest.mark.parametrize("way", ["contribute", "capture"])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_secret_of_a_name_or_an_id_stands_in_the_answer(way, form, tmp_path, capsys):
    held = {KEY: [{"ann@example.org": "bob@example.org"}], "a.b": {"password": "Tr0ub4dor"}}
    path = written(tmp_path, id=f"kp:trace:{KEY}", further=held)
    asked = ["--fresh", "--as", way, "--threshold", "0"]
    assert main(["sharing", str(path), *asked, *form]) == 1
    said = capsys.readouterr()
    assert "further.sk-I" in said.out
    secrets = (KEY[:8], "n@example", "b@example", "Tr0u")
    assert not [one for one in secrets if one in said.out + said.err]


def test_an_id_is_masked_only_where_something_is_found_in_it(tmp_path, capsys):
    for given, shown in (
        (f"kp:trace:a-{KEY}", "kp:trace:a-sk-I••••"),
        ("kp:trace:b", "kp:trace:b"),
    ):
        main(["sharing", str(written(tmp_path, id=given)), "--fresh", "--json"])
        (answer,) = json.loads(capsys.readouterr().out)["traces"]
        assert answer["id"] == shown


def test_only_the_input_that_was_kept_is_said_to_be_kept(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    # the redaction takes the backslash of the quote
    kept = {"url": 'redis://host/x"y'}
    step = {"type": "thought", "content": "ask ann@example.org", "input": kept}
    path = written(tmp_path, steps=[step, {"type": "thought", "content": "then"}])
    asked = ["--fresh", "--as", "capture", "--threshold", "0", "--level", "private"]
    main(["sharing", str(path), *asked])
    said = capsys.readouterr().out.split("\n")
    why = {line.split()[0]: line.rsplit("  ", 1)[1] for line in said if "steps.0." in line}
    assert why["steps.0.input.url"] == "kept: cleaned, it would be no JSON"
    assert why["steps.0.content"] == "kept at this level"


def test_a_recording_that_is_no_trace_yet_goes_by_neither_way(capsys):
    main(["sharing", str(SAMPLES / "wool-prices.json"), "--fresh"])
    said = capsys.readouterr().out
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
def test_a_run_that_was_wrapped_is_told_what_it_can_score_at_best(domain, best, tmp_path, capsys):
    metadata = {"task_domain": domain, "success": True}
    path = written(tmp_path, steps=WRAPPED, metadata=metadata, outcome={"confidence": 0.8})
    main(["sharing", str(path), "--fresh"])
    assert f"KPCapture.wrap() records: at best {best} of 0.7500" in " ".join(said_words(capsys))
    main(["sharing", str(written(tmp_path, metadata=metadata)), "--fresh"])
    assert "KPCapture.wrap()" not in " ".join(said_words(capsys))


def said_words(capsys):
    return capsys.readouterr().out.split()


@pytest.mark.parametrize(
    ("domain", "confidence", "gate"),
    [
        ("constructor", 0.8, "NaN: no threshold holds that back"),
        ("x", 1e400, "∞: no threshold holds that back"),
        ("x", -1e400, "\N{MINUS SIGN}∞, needs 0.7500"),
    ],
)
def test_a_score_that_is_no_number_is_said_as_one(domain, confidence, gate, tmp_path, capsys):
    path = written(tmp_path, metadata={"task_domain": domain}, outcome={"confidence": 0.125})
    text = path.read_text(encoding="utf-8")
    number = {1e400: "1e400", -1e400: "-1e400"}.get(confidence, "0.8")
    path.write_text(text.replace("0.125", number), encoding="utf-8")
    main(["sharing", str(path), "--fresh", "--as", "capture"])
    assert gate in " ".join(said_words(capsys))


@pytest.mark.slow
def test_the_json_is_that_of_the_shipped_schema(capsys):
    schema = json.loads((resources() / "sharing.schema.json").read_bytes())
    paths = [str(SAMPLES / "export-handover.json"), str(SAMPLES / "wool-prices.json"), *first(4)]
    for way in ("contribute", "capture"):
        main(["sharing", *paths, "--fresh", "--as", way, "--threshold", "0", "--json"])
        jsonschema.Draft202012Validator(schema).validate(json.loads(capsys.readouterr().out))


@pytest.mark.slow
def test_the_mask_is_ascii_where_the_terminal_is_none_of_unicode(tmp_path):
    path = written(tmp_path, further="ann@example.org")
    command = [sys.executable, "-m", "kpinspector", "sharing", str(path), "--fresh"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "COLUMNS": "200"}
    said = subprocess.run(command, capture_output=True, env=environment, check=False).stdout
    assert b"ann****" in said
    assert b"\\u2022" not in said
