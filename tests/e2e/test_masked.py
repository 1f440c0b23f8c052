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
def test_on_the_command_line(command, folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    main(command.format(traces=folder).split())
    heard = capsys.readouterr()
    assert len(heard.out) > 500
    assert read(heard.out + heard.err) == []


def test_a_report_is_replayed_exactly_from_what_it_masks(folder, tmp_path, capsys):
    traces, report = folder / "traces.jsonl", tmp_path / "report.json"
    main(["score", str(traces), "--fresh", "--report", str(report)])
    first = json.loads(report.read_text(encoding="utf-8"))["traces"][0]
    assert first["id"] == first["key"] == "kp:trace:0-ma••••"
    assert first["source"]["path"] == str(traces) and first["source"]["record"] == 1
    for paths in ([], [str(traces)]):
        capsys.readouterr()
        main(["replay", str(report), *paths])
        assert f"Identical. {len(HELD) + 1} traces" in capsys.readouterr().out


def test_what_a_replay_says(folder, tmp_path, capsys):
    traces, report = folder / "traces.jsonl", tmp_path / "report.json"
    main(["score", str(traces), "--fresh", "--json"])
    whole = json.loads(capsys.readouterr().out)
    for one in whole["traces"]:
        one["objective"] = f"Hand {HELD[5]} over"
    report.write_text(json.dumps(whole), encoding="utf-8")
    traces.write_text(traces.read_text(encoding="utf-8").partition("\n")[0], encoding="utf-8")
    for paths in ([], [str(traces)], ["--json"], [str(traces), "--json"]):
        main(["replay", str(report), *paths])
        heard = capsys.readouterr()
        assert len(heard.out) > 100
        assert read(heard.out + heard.err) == []


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize("named", ["kp:trace:0-ma••••", f"kp:trace:0-{HELD[0]}"])
def test_what_is_remembered_is_listed_masked_and_forgotten_either_way(
    form, named, folder, tmp_path, capsys, fake
):
    data = ["--data-dir", str(tmp_path / "data")]
    main(["score", str(folder), *data])
    capsys.readouterr()
    assert main(["memory", "list", *data, *form]) == 0
    said = capsys.readouterr().out
    assert read(said) == [] and "kp:trace:0-ma••••" in said
    assert main(["memory", "forget", named, *data]) == 0
    assert main(["memory", "list", *data, *form]) == 0
    assert "kp:trace:0-ma••••" not in capsys.readouterr().out
    assert main(["memory", "forget", named, *data]) == 2
    assert read(capsys.readouterr().err) == []


def test_a_mask_that_several_traces_share_forgets_none_of_them(tmp_path, capsys, fake):
    raws = [make_raw(id="run-ghp_" + letters * 12) for letters in ("Ab1", "Ab2")]
    path, data = save(tmp_path / "t.jsonl", *raws), ["--data-dir", str(tmp_path / "data")]
    main(["score", str(path), *data])
    capsys.readouterr()
    assert main(["memory", "forget", "run-ghp_••••", *data]) == 2
    assert "stands for 2 traces" in capsys.readouterr().err
    assert main(["memory", "forget", raws[0]["id"], *data]) == 0
    assert main(["memory", "forget", "run-ghp_••••", *data]) == 0
