"""Many traces at a glance, on the command line."""

import base64
import json
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from kpinspector.__main__ import main
from tests.e2e.test_convert import LINES
from tests.fakes import NoEmbedder

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


@pytest.mark.slow
def test_the_summary_counts_what_score_says(run, data_dir):
    report = run("score", SAMPLES, "--fresh", "--json", status=2).json
    heard = run("summary", SAMPLES, "--fresh", "--json", status=2)
    summary = json.loads(heard.out)
    verdicts = [one["verdict"] for one in report["traces"]]
    assert summary["total"] == len(verdicts) == sum(summary["reach"].values())
    assert summary["verdicts"] == {one: verdicts.count(one) for one in summary["verdicts"]}
    assert sum(summary["causes"].values()) == verdicts.count("rejected")
    assert summary["problems"] == 1 and "support-desk.jsonl#3" in heard.err
    assert not data_dir.exists()


@pytest.mark.slow
def test_the_summary_as_text_and_as_a_page(tmp_path, run):
    page = tmp_path / "summary.html"
    arguments = ["summary", str(SAMPLES / "visit-03.json"), str(SAMPLES / "disk-usage.json")]
    lines = run(*arguments, "--fresh", "--html", page, status=1).out.splitlines()
    assert lines[0] == "1 of 2 traces are accepted."
    assert ["What would help (of 1 rejected)" in lines, "Values (medians)" in lines] == [True, True]
    text = page.read_text(encoding="utf-8")
    assert "<h1>1 of 2 traces are accepted.</h1>" in text and "Tool monotony" in text
    assert "script" not in text.lower()


def test_only_what_is_undecided_is_said_to_hang_on_its_outcome(tmp_path, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    session = tmp_path / "session.jsonl"
    session.write_text("".join(f"{json.dumps(one)}\n" for one in LINES), encoding="utf-8")
    for threshold, verdict, title, reach in (
        ("0.6", "undecided", "0 of 1 trace is accepted, 1 undecided.", "hangs on an outcome"),
        ("0.95", "rejected", "0 of 1 trace is accepted.", "cannot pass with these steps"),
    ):
        kind = "structure" if verdict == "rejected" else "undecided"
        needs = "other steps" if verdict == "rejected" else "a known outcome"
        words = (str(session), "--fresh", "--threshold", threshold)
        lines = run("summary", *words, status=1).out.splitlines()
        assert lines[0] == title
        assert lines[lines.index("What they need to pass") + 1].strip().startswith(reach)
        lines = run("score", *words, status=1).out.splitlines()
        assert any(one.startswith(verdict) and needs in one for one in lines)
        (trace,) = run("score", *words, "--json", status=1).json["traces"]
        assert (trace["verdict"], trace["reach"]["kind"]) == (verdict, kind)


def test_a_summary_of_nothing(tmp_path, run):
    (tmp_path / "no.json").write_text("[]", encoding="utf-8")
    heard = run("summary", tmp_path / "no.json", "--fresh", status=2)
    assert heard.out == "" and "No trace was found" in heard.err


def test_what_was_read_is_not_written_over(tmp_path, run):
    trace = tmp_path / "visit.json"
    trace.write_bytes((SAMPLES / "visit-03.json").read_bytes())
    heard = run("summary", trace, "--fresh", "--html", trace, status=2)
    assert "one of the files that were read" in heard.err


VISITS = tuple(str(SAMPLES / f"{name}.json") for name in ("visit-03", "visit-08", "ping"))


def groups_of(run, *words):
    summary = run("summary", *VISITS, "--fresh", "--json", *words).json
    return summary["similarity"], summary["groups"]


@pytest.mark.slow
def test_near_duplicates_are_named_together(run):
    similarity, (group,) = groups_of(run)
    assert similarity == 0.8 and len(group["keys"]) == 2
    assert 0.88 < group["least"] == group["greatest"] < 0.9
    assert group["objective"] is None and group["tools"] is None
    lines = run("summary", *VISITS, "--fresh").out.splitlines()
    at = lines.index("Groups (at least 0.8 similar)")
    assert [line.split()[:3] for line in lines[at + 2 :]] == [["visit-08", "2", "0.89"]]


@pytest.mark.slow
def test_the_first_of_the_plan_stands_for_a_group(run):
    _, (group,) = groups_of(run, "--similarity", "0")
    first, *_ = run("plan", *VISITS, "--fresh", "--json").json["plan"]
    assert group["keys"][0] == first["trace"]["key"]
    _, (group,) = groups_of(run, "--threshold", "1")  # nothing is planned: the best
    report = run("score", *VISITS, "--fresh", "--json").json
    keys = {one["id"]: one["key"] for one in report["traces"]}
    assert group["keys"][0] == next(key for id_, key in keys.items() if key in group["keys"])


@pytest.mark.slow
def test_the_page_has_plan_and_map_and_names_no_folder(tmp_path):
    page, pages = tmp_path / "summary.html", tmp_path / "all.html"
    main(["summary", *VISITS, "--fresh", "--html", str(page)])
    text = page.read_text(encoding="utf-8")
    assert ">most similar before it<" in text and "cannot pass: at best 0.1000" in text
    (picture,) = re.findall('src="data:image/png;base64,([^"]+)"', text)
    shown = QImage.fromData(base64.b64decode(picture))
    assert (shown.width(), shown.height()) == (3, 3)
    alphas = [[shown.pixelColor(x, y).alpha() for x in range(3)] for y in range(3)]
    assert [alphas[one][one] for one in range(3)] == [255] * 3
    assert alphas == [[*column] for column in zip(*alphas, strict=True)]
    main(["explain", *VISITS, "--fresh", "--html", str(pages), "--markdown", f"{pages}.md"])
    for one in (page, pages, tmp_path / "all.html.md"):
        assert str(SAMPLES) not in one.read_text(encoding="utf-8")
    assert "<td>visit-03.json</td>" in pages.read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_a_group_has_in_common_is_said(tmp_path, run):
    again = tmp_path / "again.json"
    text = Path(VISITS[1]).read_text(encoding="utf-8")
    again.write_text(text.replace('"kp:trace:', '"kp:trace:again-', 1), encoding="utf-8")
    heard = run("summary", VISITS[1], again, "--fresh").out.rstrip()
    assert heard.endswith("1.00  same prompt, all use ehr.read and lab.query")


@pytest.mark.slow
def test_how_similar_a_group_is_can_be_asked_for(run):
    assert groups_of(run, "--similarity", "0.95") == (0.95, [])
    heard = run("summary", *VISITS, "--fresh", "--similarity", "0.95").out
    assert "No two traces are so similar." in heard
    similarity, (group,) = groups_of(run, "--similarity", "0")
    assert similarity == 0 and len(group["keys"]) == 3


def test_without_a_model_there_are_no_groups(run, monkeypatch):
    monkeypatch.setattr("kpinspector.cli.measuring.MiniLM", NoEmbedder)
    assert groups_of(run) == (None, None)


@pytest.mark.slow
def test_what_would_leave_in_clear_is_counted_by_either_way(tmp_path, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    names = ("export-handover.json", "visit-03.json", "ping.json")
    paths = [str(SAMPLES / name) for name in names]
    page = tmp_path / "summary.html"
    counted = run("summary", *paths, "--fresh", "--json").json["sharing"]
    ways = {way: (one["posted"], one["in_clear"]) for way, one in counted.items()}
    assert ways == {"contribute": (3, 1), "capture": (2, 1)}
    for way, kinds in (("contribute", 10), ("capture", 5)):
        (answer,) = run("sharing", paths[0], "--fresh", "--as", way, "--json").json["traces"]
        assert set(counted[way]["kinds"]) == {one["kind"] for one in answer["in_clear"]}
        assert [*counted[way]["kinds"].values()] == [1] * kinds
    heard = run("summary", *paths, "--fresh", "--html", page).out
    for said in (
        "By contribute, 1 of 3 traces would leave something in clear.",
        "By capture, 1 of 2 traces that it posts would leave something in clear.",
    ):
        assert said in heard and said in page.read_text(encoding="utf-8")
    rows = [line.split("  ") for line in heard.splitlines() if "JSON web token" in line]
    assert [[cell.strip() for cell in row if cell] for row in rows] == [
        ["JSON web token", "1", "1"]
    ]


def test_a_batch_with_nothing_in_clear_has_no_table_of_kinds(run):
    heard = run("summary", SAMPLES / "visit-03.json", "--fresh").out
    assert "\nSharing\n  By contribute, 0 of 1 trace would leave something in clear." in heard
    assert "by contribute" not in heard
