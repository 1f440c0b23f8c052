"""Journeys through ``kpinspector explain``: what is printed, written, and how it ends."""

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from kpinspector.__main__ import main
from kpinspector.cli import batches, measuring
from kpinspector.files import resources
from tests.e2e.test_convert import LINES
from tests.explained import AlikeEmbedder
from tests.fakes import NoEmbedder, make_raw, save

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = resources() / "samples"


@pytest.fixture
def explain(monkeypatch, run):
    """Run the command with a fake model."""
    embedder = AlikeEmbedder()
    monkeypatch.setattr(measuring, "MiniLM", lambda: embedder)
    return partial(run, "explain")


def test_every_sample_is_explained_in_the_order_of_the_report(explain):
    status, out, err = explain(SAMPLES, "--fresh")
    assert (status, err) == (2, "")
    lines = out.splitlines()
    names = [lines[at - 1] for at, line in enumerate(lines) if line and not line.strip("=")]
    assert names[:2] == ["billing-migration", "close-q3"] and len(names) == 20
    assert names[-4:-2] == ["weather-station", "wool-prices"]
    assert names[-2:] == ["support-desk 3", "support-desk 4"]
    assert "Not readable: No score." in out and "Skipped: No score." in out


def test_the_scores_are_those_of_the_report(explain):
    explained = explain(SAMPLES, "--fresh", "--json").json
    assert (explained["format"], explained["version"]) == ("kpinspector-explanation", 3)
    assert main(["score", str(SAMPLES), "--fresh", "--json"]) == 2
    traces = explained["report"]["traces"]
    assert [one["key"] for one in explained["explanations"]] == [one["key"] for one in traces]
    pairs = list(zip(traces, explained["explanations"], strict=True))
    known = [pair for pair in pairs if pair[0]["score"] is not None]
    assert len(known) == 15 and len(pairs) == 18  # three recordings do not say how they ended
    for trace, one in known:
        assert one["waterfall"][-1]["end"] == trace["score"]
        assert (one["changes"] is None) is trace["gates"]["score"]
        assert {name: terms[-1]["end"] for name, terms in one["profiles"].items()} == {
            name: outcome["score"] for name, outcome in trace["profiles"].items()
        }
        assert one["order"]["placed"] == {"score": trace["score"], "verdict": trace["verdict"]}
        near = trace["dimensions"]["novelty"]["neighbours"]
        assert [two["key"] for two in one["neighbours"]] == [two["key"] for two in near]


def test_values_of_a_rejected_trace(explain):
    visits = (SAMPLES / "visit-03.json", SAMPLES / "visit-08.json")
    first, second = explain(*visits, "--fresh", "--json").json["explanations"]
    assert first["changes"] is None and first["recorded"]["agrees"] is False
    assert second["changes"]["needed"][3] == {
        "dimension": "outcome_confidence", "now": 0.97, "value": None,
    }  # fmt: skip
    kinds = [one["kind"] for one in second["changes"]["changes"]]
    assert kinds == ["recoveries", "tools", "similarity"]
    assert second["counted"][0] == {
        "dimension": "complexity", "step": 0, "marks": ["new_type"], "tool": None,
    }  # fmt: skip
    assert second["neighbours"][0]["sets_novelty"] and second["recorded"] is None
    assert second["order"]["place"] == 2


def test_pages_are_written_beside_what_is_printed(explain, tmp_path):
    page, text = tmp_path / "a.html", tmp_path / "a.md"
    arguments = (SAMPLES / "visit-08.json", "--fresh", "--html", page, "--markdown", text)
    status, out, _ = explain(*arguments)
    assert status == 0 and out.startswith("visit-08\n========\nAccepted: ")
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>\n")
    assert text.read_text("utf-8").startswith("# visit-08\n")
    assert text.read_text("utf-8").rstrip().endswith("all-MiniLM-L6-v2 ffffffffffff")
    status, out, err = explain(
        SAMPLES / "visit-08.json", "--fresh", "--html", tmp_path / "no" / "x"
    )
    assert status == 2 and "could not be written" in err and out.startswith("visit-08\n")


def test_options_judge_as_for_score(explain):
    status, out, _ = explain(SAMPLES / "visit-08.json", "--fresh", "--threshold", "0.9")
    assert status == 1 and ", needs 0.9000." in out
    status, out, _ = explain(SAMPLES / "visit-08.json", "--fresh", "--profile", "code")
    assert 'profile    code, domain "medical"' in out and status == 1


def test_exit_status(explain, tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    skipped = save(tmp_path / "sop.json", {"@type": "ExpertSOP", "id": "s"})
    assert explain(broken)[0] == 2
    status, out, err = explain(skipped)
    assert status == 2 and "Skipped" in out and "No trace was found" in err


def test_without_the_model_it_says_assumed(explain, monkeypatch, tmp_path):
    monkeypatch.setattr(measuring, "MiniLM", NoEmbedder)
    page = tmp_path / "a.html"
    status, out, err = explain(save(tmp_path / "a.json", make_raw()), "--html", page)
    assert status == 1 and "assumed 0.5" in err
    assert "Rejected, assumed" in out and "without the embedding model" in page.read_text("utf-8")


def test_today_is_looked_up_on_request(explain, tmp_path):
    source = save(tmp_path / "a.json", make_raw())
    other = save(tmp_path / "b.json", make_raw(id="other", task={"objective": "Something else"}))
    (before,) = explain(source, "--json").json["explanations"]
    assert before["today"] is None
    explain(other)
    (entry,) = explain(source, "--json", "--today").json["explanations"]
    assert [one["key"] for one in entry["today"]["neighbours"]] == ["other"]
    assert entry["neighbours"] == [] and entry["today"]["neighbours"][0]["is_news"]
    out = explain(source, "--today")[1]
    assert "Today's neighbours (of 1 compared)" in out and "new since then" in out


def test_nothing_is_looked_up_without_a_model(explain, monkeypatch, tmp_path):
    monkeypatch.setattr(measuring, "MiniLM", NoEmbedder)
    status, out, _ = explain(save(tmp_path / "a.json", make_raw()), "--today")
    assert status == 1 and "Today's neighbours" not in out


def test_trace_text_cannot_act_on_a_terminal(explain, tmp_path):
    raw = make_raw(task={"objective": "\x1b[31mred\nverdict: Accepted"})
    out = explain(save(tmp_path / "a.json", raw))[1]
    assert "\x1b" not in out and not any(line.startswith("verdict") for line in out.splitlines())


def test_a_bug_has_a_status_of_its_own(monkeypatch, explain, tmp_path):
    monkeypatch.setattr(batches, "explain", lambda *_: 1 / 0)
    assert explain(save(tmp_path / "a.json", make_raw()))[0] == 3


@pytest.mark.slow
def test_it_loads_no_qt():
    code = (
        "import sys; from kpinspector.__main__ import main\n"
        "main(['explain', 'resources/samples/ping.json', '--fresh', '--json'])\n"
        "assert not [one for one in sys.modules if one.startswith(('PySide6', 'shiboken6'))]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_no_neighbour_is_called_like_the_trace_itself(explain, tmp_path, monkeypatch, form):
    """The same file name and record in two folders: why, list and today's."""
    files = []
    for folder in "ab":
        (tmp_path / folder).mkdir()
        raws = [make_raw(id=f"{folder}{n}", task={"objective": f"{folder}{n}"}) for n in "12"]
        files.append(f"{save(tmp_path / folder / 't.jsonl', *raws)}#1")
    monkeypatch.setenv("COLUMNS", "400")  # nothing is wrapped
    page = tmp_path / "page"
    option = {"markdown": ["--markdown", page], "html": ["--html", page], "json": ["--json"]}
    _, out, _ = explain(*files, "--today", *option.get(form, []))
    if form == "json":
        first, second = json.loads(out)["explanations"]
        assert [near["name"] for near in second["neighbours"]] == ["a/t.jsonl 1"]
        assert [near["name"] for near in second["today"]["neighbours"]] == ["a/t.jsonl 1"]
        assert [near["name"] for near in first["today"]["neighbours"]] == ["b/t.jsonl 1"]
        return
    told = page.read_text("utf-8") if page.exists() else out
    told = re.sub(r"</?(strong|b|a)( href=[^>]+)?>|[*\\]", "", told)
    told = re.sub(r"\[([^]]+)\]\(#[^)]+\)", r"\1", told)  # links in Markdown
    assert "0.7500 similar to a/t.jsonl 1, nearest of 1" in told
    assert not re.search("similar to t 1|t 1 is |, t 1 being", told)
    assert len(re.findall(r"\ba/t\.jsonl 1\b", told)) == 3
    assert len(re.findall(r"\bb/t\.jsonl 1\b", told)) == 1


def test_what_stood_in_the_same_place_is_told_apart_by_its_id(explain, tmp_path):
    path = save(tmp_path / "t.json", make_raw(id="kp:trace:then", task={"objective": "x"}))
    explain(path)
    save(path, make_raw(id="kp:trace:now", task={"objective": "x"}))
    explained = explain(path, "--json").json["explanations"][0]
    assert [near["name"] for near in explained["neighbours"]] == ['"x", kp:trace:then']


@pytest.mark.slow
def test_a_page_of_many_begins_with_their_summary_and_an_index(explain, tmp_path):
    page, text = tmp_path / "page.html", tmp_path / "page.md"
    path = save(tmp_path / "t.jsonl", *(make_raw(id=f"kp:trace:{n}") for n in range(3)))
    _, out, _ = explain(path, "--fresh", "--html", page, "--markdown", text)
    html = page.read_text("utf-8")
    titles = re.findall(r"<h[12]>(.*?)</h[12]>", html)
    assert titles[0] == "0 of 3 traces are accepted."
    assert titles.index("What they need to pass") < titles.index("Index") < titles.index("t 1")
    index = html[html.index("<h2>Index</h2>") :].partition("</article>")[0]
    assert re.findall(r'href="#(t\d)">(.*?)<', index) == [
        ("t1", "t 1"),
        ("t2", "t 2"),
        ("t3", "t 3"),
    ]
    third = html[html.index('id="t3"') :]
    assert '<a href="#t1">t 1</a>' in third
    told = text.read_text("utf-8")
    assert told.startswith("# 0 of 3 traces are accepted.\n") and "[t 1](#t-1)" in told
    # what helps none is not said
    assert "more thoughts" not in html + out


def test_one_trace_has_no_summary(explain, tmp_path):
    page = tmp_path / "page.html"
    explain(SAMPLES / "ping.json", "--fresh", "--html", page)
    assert "<h2>Index</h2>" not in page.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("only", ["accepted", "rejected"])
def test_only_some_are_explained_and_all_are_summed_up(explain, tmp_path, only):
    page = tmp_path / "page.html"
    status, out, _ = explain(SAMPLES, "--fresh", "--only", only, "--html", page, "--json")
    shown = json.loads(out)["explanations"]
    traces = {one["key"]: one["verdict"] for one in json.loads(out)["report"]["traces"]}
    assert {traces[one["key"]] for one in shown} == {only}
    assert status == 2  # one of the samples is broken
    html = page.read_text("utf-8")
    assert html.count('<article class="one"') == len(shown)
    assert f"of {len(traces)} traces" in html


def test_what_is_skipped_is_said_once(explain, tmp_path):
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("Look at the pumps.", encoding="utf-8")
    save(tmp_path / "trace.json", make_raw())
    _, out, _ = explain(tmp_path, "--fresh")
    assert out.count("Skipped") == 1 and "Skipped (2)" in out
    _, out, _ = explain(tmp_path / "one.txt", "--fresh")
    assert "\nNot readable: No score." in out or "\nSkipped: No score." in out


def test_what_makes_them_alike(explain, tmp_path):
    """Three texts that are 0.75 similar: none is a near-duplicate of another."""
    raws = [make_raw(id=f"kp:trace:{n}", task={"objective": f"{n} apples"}) for n in "123"]
    path = save(tmp_path / "t.jsonl", *raws)
    first, _, third = explain(path, "--json", "--alike").json["explanations"]
    assert first["alike"] is None and first["neighbours"] == []
    alike = third["alike"]
    assert alike["similarity"] == third["neighbours"][0]["similarity"]
    assert 0 < alike["shared_words"] < alike["words"]
    _, out, _ = explain(path, "--alike")  # as it is remembered
    assert "Steps that make them alike (like t 1)" in out
    save(tmp_path / "later.json", make_raw(id="kp:trace:4"))
    explain(tmp_path / "later.json")
    again = explain(path, "--json").json["explanations"]
    assert again[2]["neighbours"] == third["neighbours"]  # what came later was not compared


def test_a_recording_is_named_by_its_file(explain, tmp_path):
    """As the list names it, though its file could hold several."""
    for name in ("one", "two"):
        session = tmp_path / f"{name}.jsonl"
        lines = [{**line, "sessionId": name} for line in LINES]
        session.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")
    _, second = explain(tmp_path, "--fresh", "--json").json["explanations"]
    assert [one["name"] for one in second["neighbours"]] == ["one"]
