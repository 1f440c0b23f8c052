"""No secret of a trace stands in whatever leaves the step that holds it."""

import json

import pytest

from kpinspector.__main__ import main
from tests.fakes import make_raw, save
from tests.secrets_held import HELD, read, write_traces

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path):
    return write_traces(tmp_path / "traces")


@pytest.mark.parametrize(
    "command",
    [
        "score {traces} --fresh",
        "score {traces} --fresh --json",
        "score {traces} --fresh --report -",
        "explain {traces} --fresh --json",
        "score {traces} --fresh --csv -",
        "explain {traces} --fresh --today",
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
def test_on_the_command_line(command, folder, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    heard = run(*command.format(traces=folder).split())
    assert len(heard.out) > 500
    assert read(heard.out + heard.err) == []


def test_a_report_is_replayed_exactly_from_what_it_masks(folder, tmp_path, run):
    traces, report = folder / "traces.jsonl", tmp_path / "report.json"
    run("score", traces, "--fresh", "--report", report)
    first = json.loads(report.read_text(encoding="utf-8"))["traces"][0]
    assert first["id"] == first["key"] == "kp:trace:0-ma••••"
    assert first["source"]["path"] == str(traces) and first["source"]["record"] == 1
    for paths in ([], [str(traces)]):
        assert f"Identical. {len(HELD) + 1} traces" in run("replay", report, *paths).out


def test_what_a_replay_says(folder, tmp_path, run):
    traces, report = folder / "traces.jsonl", tmp_path / "report.json"
    whole = run("score", traces, "--fresh", "--json").json
    for one in whole["traces"]:
        one["objective"] = f"Hand {HELD[5]} over"
    report.write_text(json.dumps(whole), encoding="utf-8")
    traces.write_text(traces.read_text(encoding="utf-8").partition("\n")[0], encoding="utf-8")
    for paths in ([], [str(traces)], ["--json"], [str(traces), "--json"]):
        heard = run("replay", report, *paths)
        assert len(heard.out) > 100
        assert read(heard.out + heard.err) == []


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("named", ["kp:trace:0-ma••••", f"kp:trace:0-{HELD[0]}"])
def test_what_is_remembered_is_listed_masked_and_forgotten_either_way(
    form, named, folder, tmp_path, run, fake
):
    data = ["--data-dir", str(tmp_path / "data")]
    main(["score", str(folder), *data])
    said = run("memory", "list", *data, *form, status=0).out
    assert read(said) == [] and "kp:trace:0-ma••••" in said
    assert main(["memory", "forget", named, *data]) == 0
    assert "kp:trace:0-ma••••" not in run("memory", "list", *data, *form, status=0).out
    assert read(run("memory", "forget", named, *data, status=2).err) == []


def test_a_mask_that_several_traces_share_forgets_none_of_them(tmp_path, run, fake):
    raws = [make_raw(id="run-ghp_" + letters * 12) for letters in ("Ab1", "Ab2")]
    path, data = save(tmp_path / "t.jsonl", *raws), ["--data-dir", str(tmp_path / "data")]
    main(["score", str(path), *data])
    assert "stands for 2 traces" in run("memory", "forget", "run-ghp_••••", *data, status=2).err
    assert main(["memory", "forget", raws[0]["id"], *data]) == 0
    assert main(["memory", "forget", "run-ghp_••••", *data]) == 0
