"""Which traces to contribute, on the command line; and the proof, by scoring what it wrote."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from kpinspector.__main__ import main
from tests.e2e.test_convert import LINES
from tests.fakes import make_raw, passing, save

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "resources" / "samples"


def asked(run, *words):
    """The exit status, and what is printed as JSON."""
    printed = run(*words, "--json")
    return printed.status, printed.json


def places(report):
    return [one["trace"]["id"] for one in report["plan"]]


def texts(*names):
    """Traces that pass, each about something else."""
    topics = {
        "bread": "Knead the dough twice and let it rest in the warm kitchen overnight",
        "stars": "Point the telescope at the variable star and note its brightness",
        "ships": "Tie the old sailing boat to the pier before the storm arrives",
    }
    return [passing(f"kp:trace:{name}", topics[name.rstrip("2")]) for name in names]


@pytest.fixture
def some(tmp_path):
    """Four traces, two of them with the same text."""
    return save(tmp_path / "some.jsonl", *texts("bread", "bread2", "stars", "ships"))


@pytest.mark.slow
def test_what_is_written_is_accepted_whole_with_the_scores_of_the_plan(tmp_path, run):
    out = tmp_path / "ordered.jsonl"
    status, plan = asked(run, "plan", SAMPLES, "--fresh", "-o", out)
    assert status == 2  # one of the samples is broken
    assert len(plan["plan"]) == plan["count"] < plan["at_best"]["count"]
    status, report = asked(run, "score", out, "--fresh")
    assert status == 0
    assert [one["id"] for one in report["traces"]] == places(plan)
    assert [one["score"] for one in report["traces"]] == [one["score"] for one in plan["plan"]]


def test_a_memory_counts_but_for_the_traces_themselves_and_stays_as_it_is(
    some, tmp_path, run, data_dir
):
    other = save(tmp_path / "other.json", texts("ships")[0] | {"id": "kp:trace:other"})
    _, first = asked(run, "plan", some)
    assert first["settings"]["mode"] == "guest"
    assert not data_dir.exists()
    assert run("score", some, other).status in {0, 1}
    memory = data_dir / "memory.sqlite3"
    before = memory.read_bytes() if memory.exists() else b""
    out = tmp_path / "ordered.jsonl"
    status, plan = asked(run, "plan", some, "-o", out, "--threshold", "0.9")
    assert status == 1
    left = {one["trace"]["id"]: one for one in plan["left_out"]}
    assert left["kp:trace:ships"]["why"] == "remembered"
    assert left["kp:trace:ships"]["nearest"]["key"] == "kp:trace:other"
    assert (memory.read_bytes() if memory.exists() else b"") == before
    for name in ("bread", "bread2", "stars", "ships"):
        run("memory", "forget", f"kp:trace:{name}")
    status, report = asked(run, "score", out, "--guest", "--threshold", "0.9")
    assert status == 0
    assert [one["score"] for one in report["traces"]] == [one["score"] for one in plan["plan"]]


def test_the_plan_as_a_table(some, run):
    lines = run("plan", some, "--fresh", "--threshold", "0.9", status=1).out.splitlines()
    assert lines[0] == "3 of 4 traces, the most possible."
    assert lines[2].split() == [
        "place",
        "trace",
        "score",
        "similar",
        "most",
        "similar",
        "before",
        "it",
    ]
    assert any("more than" in line and "similar to some 1" in line for line in lines)


def test_traces_are_kept_and_left_out_by_id_place_and_name(some, run):
    strict = ("plan", some, "--fresh", "--threshold", "0.9")
    _, plan = asked(run, *strict, "--keep", "kp:trace:bread2")
    assert "kp:trace:bread2" in places(plan) and "kp:trace:bread" not in places(plan)
    _, plan = asked(run, *strict, "--leave-out", f"{some}#1", "--leave-out", "some 3")
    assert {*places(plan)} == {"kp:trace:bread2", "kp:trace:ships"}
    assert {one["why"] for one in plan["left_out"]} == {"asked"}


@pytest.fixture
def copies(tmp_path):
    """A trace twice, the copy with less confidence, and another."""
    bread, stars = texts("bread", "stars")
    weaker = {**bread, "outcome": {**bread["outcome"], "confidence": 0.5}}
    return save(tmp_path / "copies.jsonl", bread, weaker, stars)


def records(plan):
    return {one["trace"]["record"] for one in plan["plan"]}


def test_with_an_id_every_copy_is_left_out(copies, run):
    _, plan = asked(run, "plan", copies, "--fresh", "--leave-out", "kp:trace:bread")
    assert records(plan) == {3}
    assert [one["why"] for one in plan["left_out"]] == ["asked", "asked"]
    _, plan = asked(run, "plan", copies, "--fresh", "--leave-out", "copies 1")
    assert records(plan) == {2, 3}


def test_with_an_id_the_first_copy_that_is_not_left_out_is_kept(copies, run):
    kept = ("plan", copies, "--fresh", "--keep", "kp:trace:bread")
    _, plan = asked(run, *kept)
    assert records(plan) == {1, 3}
    _, plan = asked(run, *kept, "--leave-out", "copies 1")
    assert records(plan) == {2, 3}
    heard = run(*kept, "--leave-out", "kp:trace:bread", status=2)
    assert "'copies 1' cannot be both kept and left out." in heard.err


def test_of_other_traces_with_one_id_all_are_meant(tmp_path, run):
    one, other, third = texts("bread", "stars", "ships")
    shared = save(tmp_path / "shared.jsonl", one, {**other, "id": one["id"]}, third)
    _, plan = asked(run, "plan", shared, "--fresh", "--leave-out", one["id"])
    assert records(plan) == {3}
    strict = ("--threshold", "0.9", "--keep", one["id"])
    _, plan = asked(run, "plan", shared, "--fresh", *strict)
    assert {1, 2} <= records(plan) and plan["shared_ids"] == [one["id"]]


def test_a_plan_says_which_of_its_traces_share_an_id(some, tmp_path, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    one, other, third = texts("bread", "stars", "ships")
    shared = save(tmp_path / "shared.jsonl", one, {**other, "id": one["id"]}, third)
    heard = run("plan", shared, "--fresh", status=0).out
    assert (
        "shared 1 and shared 2 share the id kp:trace:bread, of which the registry keeps only"
        " the last.\n"
    ) in heard
    _, plan = asked(run, "plan", shared, "--fresh", "--leave-out", "shared 1")
    assert plan["shared_ids"] == []
    assert "share the id" not in run("plan", some, "--fresh", status=1).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--keep", "nobody"), "'nobody' is none of these traces."),
        (("--keep", "some 1", "--leave-out", "some 1"), "both kept and left out"),
        (
            ("--keep", "some 1", "--keep", "some 2"),
            "some 1 and some 2 are to be kept, but in no order are both",
        ),
        (
            ("--keep", "some 1", "--threshold", "1"),
            "some 1 is to be kept, but in no order is it accepted.",
        ),
        (("--json", "-o", "-"), "Only one output"),
    ],
)
def test_what_cannot_be_asked(some, run, words, said):
    threshold = () if "--threshold" in words else ("--threshold", "0.9")
    heard = run("plan", some, "--fresh", *threshold, *words, status=2)
    assert said in heard.err and heard.out == ""


def test_without_a_trace_there_is_no_plan(tmp_path, run):
    (tmp_path / "no.json").write_text("[]", encoding="utf-8")
    heard = run("plan", tmp_path / "no.json", "--fresh", status=2)
    assert "No trace was found" in heard.err and heard.out == ""
    (tmp_path / "cut.json").write_text('{"id": ', encoding="utf-8")
    assert run("plan", tmp_path / "cut.json", "--fresh", status=2).out.startswith("problem")


def test_what_cannot_be_kept_is_said_with_its_reason(tmp_path, run):
    (bad,) = texts("bread")
    bad["outcome"]["confidence"] = 2
    path = save(tmp_path / "bad.json", bad)
    heard = run("plan", path, "--fresh", "--keep", "kp:trace:bread", status=2)
    assert "bad is to be kept, but the schema refuses it." in heard.err


def test_help_says_what_a_place_is(run):
    assert "its place as FILE#10" in run("plan", "--help", status=0).words


def test_a_record_is_written_as_it_stands_in_its_file(tmp_path, run):
    bread, stars, ships = texts("bread", "stars", "ships")
    bread["metadata"]["note"] = "half \ud83d, line\nend\u2028"
    reply = json.dumps({"data": {"unit": bread}}, indent=2).replace("\n", "\r\n")
    (tmp_path / "a.json").write_bytes(reply.encode())
    listed = json.dumps([make_raw(id="kp:trace:weak"), stars]).replace(
        '"confidence": 1', '"confidence": 1.0e0'
    )
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(listed.encode()))
    (tmp_path / "c.json").write_text(json.dumps(ships, indent="\t"), encoding="utf-16")
    out = tmp_path / "out" / "ordered.jsonl"
    out.parent.mkdir()
    files = [tmp_path / name for name in ("a.json", "b.json.gz", "c.json")]
    run("plan", *files, "--fresh", "-o", out, "--leave-out", "kp:trace:weak", status=1)
    lines = out.read_bytes().decode().split("\n")
    assert lines.pop() == ""
    by_id = {json.loads(line)["id"]: line for line in lines}
    assert {*by_id} == {"kp:trace:bread", "kp:trace:stars", "kp:trace:ships"}
    unit = json.dumps({"data": {"unit": bread}}, indent=2).replace("\n", "  ")
    assert by_id["kp:trace:bread"] in unit
    assert json.loads(by_id["kp:trace:bread"]) == bread
    assert "1.0e0" in by_id["kp:trace:stars"]
    assert by_id["kp:trace:ships"] == json.dumps(ships, indent="\t").replace("\n", " ")


def test_standard_input_is_planned_and_written(tmp_path, run, monkeypatch):
    data = "\n".join(json.dumps(one, indent=None) for one in texts("bread", "stars"))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data.encode())))
    out = tmp_path / "ordered.jsonl"
    assert main(["plan", "-", "--fresh", "-o", str(out)]) == 0
    assert {*out.read_text(encoding="utf-8").splitlines()} == {*data.splitlines()}


def test_to_standard_output_the_traces_go_alone(some, run):
    lines = run("plan", some, "--fresh", "-o", "-", "--threshold", "0.9", status=1).out.splitlines()
    assert len(lines) == 3 and all(json.loads(line)["id"] for line in lines)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_where_its_file_cannot_be_written_the_plan_is_printed_all_the_same(
    some, tmp_path, run, form
):
    plan = run("plan", some, "--fresh", *form, status=1).out
    heard = run("plan", some, "--fresh", *form, "-o", tmp_path / "no" / "o.jsonl", status=2)
    assert heard.out == plan != "" and "could not be written" in heard.err


def test_what_was_read_is_not_written_over(some, run):
    heard = run("plan", some, "--fresh", "-o", some, status=2)
    assert "one of the files that were read" in heard.err and heard.out == ""


def test_a_recording_goes_in_converted_once_its_outcome_is_stated(tmp_path, run):
    session = tmp_path / "session.jsonl"
    session.write_text("".join(f"{json.dumps(one)}\n" for one in LINES), encoding="utf-8")
    out = tmp_path / "ordered.jsonl"
    status, plan = asked(run, "plan", session, "--fresh", "--threshold", "0.6")
    assert (status, plan["count"], plan["at_best"]["count"]) == (1, 0, 1)
    assert plan["left_out"][0]["why"] == "undecided"
    # accepted whatever the outcome, but not to be written
    sure = ["plan", str(session), "--fresh", "--threshold", "0.1"]
    heard = run(*sure, "-o", out, status=2)
    assert "--confidence" in heard.err and "The plan was not written." in heard.err
    assert heard.out.startswith("1 of 1 trace, the most possible.") and not out.exists()
    assert run(*sure, "-o", "-", status=2).out == ""
    stated = ("--confidence", "1", "--success", "yes", "--threshold", "0.6")
    status, plan = asked(run, "plan", session, "--fresh", *stated, "-o", out)
    assert (status, plan["count"], plan["at_best"]) == (0, 1, None)
    status, report = asked(run, "score", out, "--fresh", "--threshold", "0.6")
    assert status == 0
    assert report["traces"][0]["score"] == plan["plan"][0]["score"]


def test_without_its_model_there_is_no_plan(some, run, monkeypatch, tmp_path):
    monkeypatch.setattr("kpinspector.scoring.model.embedder.resources", lambda: tmp_path)
    assert "The embedding model" in run("plan", some, "--fresh", status=2).err


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [("score", str(SAMPLES / "ping.json")), ("plan", str(SAMPLES / "ping.json"))]
)
def test_no_solver_is_loaded_where_none_is_needed(words, tmp_path):
    code = (
        "import sys; from kpinspector.__main__ import main; main(sys.argv[1:]);"
        "assert not [name for name in sys.modules if name.partition('.')[0] == 'scipy']"
    )
    arguments = [sys.executable, "-c", code, *words, "--fresh", "--data-dir", str(tmp_path)]
    subprocess.run(arguments, check=True, cwd=ROOT, capture_output=True)


@pytest.mark.slow
def test_a_ring_of_five_is_not_proven_without_the_solver(own_process, monkeypatch, run):
    """Of a package that lacks it, `packaging/smoke.py` sees another plan."""
    main(["score", str(SAMPLES / "ping.json")])
    words = ("plan", ROOT / "tests/data/ring", "--threshold", "0.58")
    _, solved = asked(run, *words)
    assert (solved["count"], solved["at_most"], solved["proven"]) == (2, 2, True)
    monkeypatch.setattr("kpinspector.batch.child.Child.result", lambda _child: None)
    _, quick = asked(run, *words)
    assert (quick["count"], quick["at_most"], quick["proven"]) == (2, 3, False)


@pytest.mark.slow
def test_real_runs_are_accepted_whole_in_the_planned_order(reference, tmp_path, run):
    corpus = reference / "corpus" / "agent_traces.jsonl"
    assert main(["score", str(corpus)]) == 1
    out = tmp_path / "ordered.jsonl"
    for threshold, count in (("0.5", 40), ("0.6", 10), ("0.7", 4), ("0.75", 3)):
        status, plan = asked(run, "plan", corpus, "--threshold", threshold, "-o", out)
        assert (status, plan["count"], plan["proven"]) == (1, count, True)
        status, report = asked(run, "score", out, "--fresh", "--threshold", threshold)
        assert status == 0
        found = [(one["id"], one["score"]) for one in report["traces"]]
        assert found == [(one["trace"]["id"], one["score"]) for one in plan["plan"]]
