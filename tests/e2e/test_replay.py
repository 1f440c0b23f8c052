"""Journeys of a report: written, changed or not, and computed again."""

import io
import json

import pytest

from kpinspector.cli import measuring, score
from kpinspector.files import resources
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import FakeEmbedder, make_raw
from tests.strategies import set_at
from tests.user import drop, idle, reads, trigger

RAWS = (make_raw(), make_raw(id="kp:trace:two", task={"objective": "Another one"}))


@pytest.fixture
def fake(monkeypatch):
    """A fake model for both commands."""
    for module in (measuring, score):
        monkeypatch.setattr(module, "MiniLM", FakeEmbedder)


@pytest.fixture
def run(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")  # each sentence on a line
    return run


@pytest.fixture
def written(tmp_path, fake, run):
    """A folder with two traces and the report on them."""
    (tmp_path / "run.json").write_text(json.dumps(RAWS), encoding="utf-8")
    run("score", tmp_path / "run.json", "--report", tmp_path / "report.json")
    return tmp_path


def edit(path, place, value):
    values = set_at(json.loads(path.read_bytes()), place, value)
    path.write_text(json.dumps(values, indent=1), encoding="utf-8")


def test_an_untouched_report_is_identical(written, run):
    status, out, err = run("replay", written / "report.json")
    assert (status, err) == (0, "")
    first, last = out.splitlines()
    assert first.startswith(f"{written / 'report.json'}: 2 traces, written 2")
    assert last == ("Identical. 2 traces were computed again from the report: all is as recorded.")
    status, out, err = run("replay", written / "report.json", written)
    assert (status, err) == (0, "")
    assert "from the report, and 2 scored again from the traces themselves: all is as" in out


def test_sentences_fit_the_terminal(written, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    lines = run("replay", written / "report.json")[1].splitlines()
    last = lines[[line.startswith("Identical. ") for line in lines].index(True) :]
    assert len(last) > 1 and max(map(len, last)) <= 50


@pytest.mark.slow
def test_the_real_model_and_the_samples(tmp_path, run):
    report = tmp_path / "report.json"
    run("score", "--fresh", resources() / "samples", "--report", report)
    status, out, err = run("replay", report, resources() / "samples", "--json")
    found = json.loads(out)
    assert (status, err) == (0, "")
    assert found["identical"] and found["scored"] == found["traces"] == 18 and not found["held"]
    assert found["missing"] == found["differences"] == []


def test_a_changed_number_is_named(written, run):
    report = written / "report.json"
    edit(report, "traces.1.score", 0.9)
    status, out, _ = run("replay", report)
    assert status == 1
    assert "\ndifferent  traces.1.score: 0.9 is recorded, 0." in out
    assert out.splitlines()[-1].startswith("Different. ")
    (first,) = run("replay", report, "--json", status=1).json["differences"]
    assert first["path"] == "traces.1.score"
    assert first["recorded"] == 0.9 != first["recomputed"]


def test_a_changed_trace_is_found_only_where_it_is_given(written, run):
    traces = written / "run.json"
    edit(traces, "0.outcome.confidence", 0.1)
    assert run("replay", written / "report.json")[0] == 0
    status, out, _ = run("replay", written / "report.json", traces)
    assert status == 1
    place = "traces.0.dimensions.outcome_confidence"
    assert f"{place}.value: 0.9 is recorded, 0.1 is recomputed" in out


def test_a_report_opens_no_file_that_it_names(written, run):
    edit(written / "run.json", "0.outcome.confidence", 0.1)
    report = json.loads((written / "report.json").read_bytes())
    assert report["traces"][0]["source"]["path"] == str(written / "run.json")
    assert run("replay", written / "report.json")[0] == 0


def test_missing_traces_are_named(written, run):
    (written / "other.json").write_text(json.dumps(RAWS[1]), encoding="utf-8")
    status, out, _ = run("replay", written / "report.json", written / "other.json")
    assert status == 1
    assert "missing  traces.0: kp:trace:one is not among the given traces" in out
    assert "1 scored again from the trace itself" in out
    assert "the novelty of 1 is taken from it" in out


def test_many_differences_are_cut_on_a_terminal_only(written, run):
    raws = [make_raw(id=f"kp:trace:{number}") for number in range(30)]
    (written / "run.json").write_text(json.dumps(raws), encoding="utf-8")
    report = written / "report.json"
    run("score", written / "run.json", "--report", report)
    values = json.loads(report.read_bytes())
    for trace in values["traces"]:
        trace["score"] = 0.5
    report.write_text(json.dumps(values), encoding="utf-8")
    _, out, _ = run("replay", report)
    assert len(out.splitlines()) == 24 and "and 10 more, all of them with --json" in out
    assert len(run("replay", report, "--json").json["differences"]) == 30


def test_standard_input_is_a_report_too(written, run, monkeypatch):
    data = (written / "report.json").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run("replay", "-")[0] == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON"),
        ("[]", "expected one report and nothing else"),
        (json.dumps(RAWS), "expected one report and nothing else"),
        ('{"format": "kpinspector-report", "version": 2}',
         "line 1, column 45: not a report of this version: version: expected 3, found 2"),
        ('{"format": "kpinspector-report", "version": 3}',
         "line 1, column 1: not a report of this version: generated_at: expected a value"),
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused(tmp_path, run, text, said):
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    status, out, err = run("replay", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"kpinspector: {path}") and said in err


def test_only_the_report_has_to_be_given(run):
    assert run("replay", status=2).err.endswith("required: REPORT\n")


def test_a_report_beside_a_trace_is_not_taken(written, run):
    report = json.loads((written / "report.json").read_bytes())
    (written / "both.json").write_text(json.dumps([report, RAWS[0]]), encoding="utf-8")
    status, _, err = run("replay", written / "both.json")
    assert status == 2 and "expected one report and nothing else" in err
    assert run("replay", written / "nowhere.json")[0] == 2


def test_an_unreadable_trace_is_a_problem_unless_the_report_has_it(written, run):
    (written / "bad.json").write_text("{", encoding="utf-8")
    status, out, err = run("replay", written / "report.json", written)
    assert status == 2 and "bad.json" in err and "Identical" in out
    run("score", written, "--report", written / "report.json")
    assert run("replay", written / "report.json", written)[0] == 0


def test_score_names_a_report_that_it_skips(written, run):
    status, out, _ = run("score", written / "report.json", written / "run.json")
    assert status == 1
    assert f"skipped   {written / 'report.json'}: a report: use replay" in out


def test_hostile_text_in_a_report_does_not_reach_the_terminal(written, run):
    edit(written / "report.json", "generator.version", "\x1b[2J")
    edit(written / "report.json", "traces.0.overrides.0.reason", "\x1b]0;x\x07")
    status, out, _ = run("replay", written / "report.json")
    assert status == 1 and "\x1b" not in out and "\x07" not in out


@pytest.mark.slow
def test_a_report_is_opened_replayed_changed_and_replayed_again(tmp_path):
    traces = tmp_path / "run.json"
    traces.write_text(json.dumps(RAWS), encoding="utf-8")
    report = tmp_path / "report.json"
    window = yield from user.opened("--fresh", traces, wide=True)
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, report)
    yield idle(window)
    drop(window, report)
    yield lambda: user.row_count(window) == 3
    yield idle(window)
    user.go_to_row(window, "report")
    assert user.current_name(window) == "report"
    assert len(user.table(window, "Traces of the report")) == 2
    assert reads(window, "Identical. A report on 2 traces")()
    assert reads(window, "2 scored")() and reads(window, "1 report")()
    edit(report, "traces.1.score", 0.9)
    trigger(window, Command.RELOAD)
    yield reads(window, "traces.1.score: 0.9 is recorded")
    user.go_to_row(window, "run 1")
    assert user.table(window, "Traces of the report") == []
