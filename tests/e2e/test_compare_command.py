"""``kpinspector compare``: what a user types, what comes out, with which exit status."""

import io
import json
from functools import partial

import pytest

from kpinspector.cli import measuring
from kpinspector.files import MEMORY_FILE, resources
from kpinspector.scoring.memory.memory import Memory
from kpinspector.settings import Mode
from tests.fakes import FakeEmbedder, NoEmbedder, high_raw, make_raw, save

SAMPLES = resources() / "samples"


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setattr(measuring, "MiniLM", FakeEmbedder)


@pytest.fixture
def compare(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")  # wide enough for any folder of tests
    return partial(run, "compare")


def test_two_samples_with_the_real_model(compare):
    status, out, err = compare(SAMPLES / "visit-03.json", SAMPLES / "visit-08.json")
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == f"left   accepted  {SAMPLES / 'visit-03.json'}"
    assert any(line.startswith("score") for line in lines)
    assert any(line.startswith("The texts are 0.8") for line in lines)
    assert "Objective and steps: 2 the same, 11 changed, 2 only on the left." in lines
    assert "  ... trend of a patient on [-eplerenone-] and [-lisinopril-] and" in out
    assert "!   11    9  Tool call guideline.search / Tool call ehr.read" in lines


@pytest.mark.slow
def test_the_json_agrees_with_score(run, compare):
    paths = [str(SAMPLES / "visit-03.json"), str(SAMPLES / "visit-08.json")]
    found = compare(*paths, "--fresh", "--json").json
    report = run("score", *paths, "--fresh", "--json").json
    for side, trace in zip(("left", "right"), report["traces"], strict=True):
        assert found[side]["score"] == trace["score"]
        assert found[side]["verdict"] == trace["verdict"]
        assert found[side]["source"] == trace["source"]
    near = report["traces"][1]["dimensions"]["novelty"]["max_similarity"]
    assert found["similarity"] == pytest.approx(near, abs=1e-6)
    assert found["differences"]["score"] == found["right"]["score"] - found["left"]["score"]


def test_records_are_named_by_their_number(compare, fake, tmp_path):
    many = save(tmp_path / "many.jsonl", *(make_raw(id=f"kp:trace:{n}") for n in range(3)))
    status, out, err = compare(f"{many}#1", f"{many}#3")
    assert (status, err) == (1, "")
    assert out.splitlines()[1].endswith(f"{many}#3")
    status, out, err = compare(f"{many}#2", many)
    assert (status, out) == (2, "")
    assert err == f"kpinspector: {many} holds 3 traces; name one, such as {many}#1.\n"
    assert compare(f"{many}#2", f"{many}#4")[2] == f"kpinspector: {many} has no trace 4.\n"
    assert compare(tmp_path, f"{many}#1")[0] == 2


def test_one_trace_against_itself(compare, fake, tmp_path):
    one = save(tmp_path / "one.json", high_raw())
    status, out, _ = compare(one, f"{one}#1")
    assert status == 0
    assert f"{one} (left)" in out and f"{one} (right)" in out
    assert "Objective and steps: 13 the same." in out


def test_standard_input(compare, fake, tmp_path, monkeypatch):
    one = save(tmp_path / "one.json", make_raw())
    given = json.dumps(make_raw(id="kp:trace:two")).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
    status, out, _ = compare(one, "-")
    assert status == 1 and out.splitlines()[1] == "right  rejected  -"
    monkeypatch.setattr("sys.stdin", two := io.TextIOWrapper(io.BytesIO(given + b"\n" + given)))
    advice = compare(one, "-")[2].split("such as ")[1].removesuffix(".\n")
    two.seek(0)
    assert compare(one, *advice.split())[0] == 1


def test_exit_status_and_problems(compare, fake, tmp_path):
    good, bad = save(tmp_path / "good.json", high_raw()), tmp_path / "bad.json"
    bad.write_text('{"id": \n 1', encoding="utf-8")
    units = save(tmp_path / "sop.json", {"@type": "ExpertSOP", "id": "s"})
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(f"{json.dumps(high_raw('kp:trace:x'))}\nnonsense\n", encoding="utf-8")
    assert compare(good, good)[0] == 0
    assert compare(good, bad)[0] == 2
    assert f"{bad}, line 2, column 3" in compare(good, bad)[2]
    assert compare(good, tmp_path / "none.json")[0] == 2
    assert compare(good, units)[2] == f"kpinspector: {units} holds no trace.\n"
    status, out, _ = compare(good, mixed)
    assert status == 2 and "0.0000" in out
    assert compare(good, f"{mixed}#1", "--threshold", "0")[0] == 0
    assert "mixed.jsonl#2, line 2" in compare(good, f"{mixed}#2")[2]


def test_options_hold(compare, fake, tmp_path, data_dir):
    left, right = save(tmp_path / "a.json", make_raw()), save(tmp_path / "b.json", high_raw())
    out = compare(left, right, "--profile", "code", "--threshold", "0.1", "--guest", "--json")
    found = json.loads(out[1])
    assert out[0] == 0
    assert (found["left"]["profile"], found["left"]["threshold"]) == ("code", 0.1)
    with Memory(Mode.GUEST, data_dir / MEMORY_FILE) as memory:
        assert memory.size == 0
    compare(left, right)
    with Memory(Mode.GUEST, data_dir / MEMORY_FILE) as memory:
        assert memory.size == 2


def test_without_a_model_there_is_no_similarity(compare, monkeypatch, tmp_path):
    monkeypatch.setattr(measuring, "MiniLM", NoEmbedder)
    left, right = save(tmp_path / "a.json", make_raw()), save(tmp_path / "b.json", high_raw())
    status, out, err = compare(left, right, "--json")
    found = json.loads(out)
    assert (status, found["similarity"], found["left"]["assumed"]) == (1, None, True)
    assert "Novelty is assumed 0.5." in err
    assert "rejected, assumed" in compare(left, right)[1]


def test_hostile_text_is_harmless_on_a_terminal(compare, fake, tmp_path):
    evil = "\x1b]0;owned\x07\u202e\r\nfake line"
    steps = [{"type": "tool_call", "content": evil, "tool": {"name": evil}}]
    left = save(tmp_path / "a.json", make_raw(steps=steps, task={"objective": evil}))
    out = compare(left, save(tmp_path / "b.json", make_raw(id="kp:trace:b")))[1]
    assert "\x1b" not in out and "\u202e" not in out and "\r" not in out
    assert "\nfake line" not in out
