"""What is written: to files and to standard output, and nothing that a terminal acts on."""

import json
import os

import pytest

from kpinspector.__main__ import main
from tests.fakes import make_raw, save


@pytest.mark.parametrize("option", ["--report", "--csv"])
def test_a_trace_is_not_overwritten_by_any_of_its_names(option, score, fake, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = save(tmp_path / "x.json", make_raw())
    before = source.read_bytes()
    (tmp_path / "soft.json").symlink_to(source)
    (tmp_path / "hard.json").hardlink_to(source)
    (tmp_path / "sub").mkdir()
    for target in ("x.json", "./sub/../x.json", "soft.json", "hard.json", str(source)):
        for given in ("x.json", tmp_path, f"{source}#1"):
            status, out, err = score(given, option, target)
            assert (status, out) == (2, "")
            assert err.endswith("is one of the files that were read: choose another name.\n")
            assert source.read_bytes() == before
    status, _out, err = score("x.json", option, tmp_path / "new.json")
    assert (status, err) == (1, "")
    assert (tmp_path / "new.json").exists() and source.read_bytes() == before


def test_a_report_in_the_folder_that_is_scored_may_be_written_again(score, fake, tmp_path):
    save(tmp_path / "a.json", make_raw())
    for _ in range(2):
        outputs = ("--report", tmp_path / "report.json", "--csv", tmp_path / "list.csv")
        assert score(tmp_path, *outputs)[::2] == (1, "")
    status, _out, err = score(
        tmp_path / "report.json", tmp_path, "--report", tmp_path / "report.json"
    )
    assert status == 2 and "choose another name" in err


def test_explanations_overwrite_no_trace(fake, tmp_path, run):
    source = save(tmp_path / "x.json", make_raw())
    before = source.read_bytes()
    for option in ("--html", "--markdown"):
        assert "choose another name" in run("explain", source, option, source, status=2).err
        assert source.read_bytes() == before


OWN = ("settings.json", "state.json", "memory.sqlite3-wal")


@pytest.mark.parametrize("command", [("score", "--report", "--csv"),
                                     ("explain", "--html", "--markdown")])  # fmt: skip
def test_no_output_takes_the_place_of_a_file_of_the_program(command, fake, tmp_path, run):
    source = save(tmp_path / "x.json", make_raw())
    name, *options = command
    folder = tmp_path / "data"
    choice = ("--data-dir", str(folder))
    run("score", source, *choice, status=1)
    before = (folder / "memory.sqlite3").read_bytes()
    (tmp_path / "soft").symlink_to(folder / "memory.sqlite3")
    for option in options:
        for target in (tmp_path / "soft", folder / "memory.sqlite3", *(folder / n for n in OWN)):
            _, out, err = run(name, source, option, target, *choice, status=2)
            assert out == ""
            assert err.endswith("is one of the program's own files: choose another name.\n")
        assert not any((folder / one).exists() for one in OWN[:2])
    assert (folder / "memory.sqlite3").read_bytes() == before


@pytest.mark.parametrize("command", [("score", "--report", "--csv"),
                                     ("explain", "--html", "--markdown")])  # fmt: skip
def test_two_outputs_are_two_files(command, fake, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    source = save(tmp_path / "x.json", make_raw())
    name, first, second = command
    (tmp_path / "link").symlink_to("o")
    (tmp_path / "old").write_text("kept")
    (tmp_path / "hard").hardlink_to("old")
    for one, other in (("o", "./o"), ("o", "link"), ("old", "hard"), ("old", "old")):
        _, out, err = run(name, source, first, one, second, other, status=2)
        assert (out, "are the same file: choose another name." in err) == ("", True)
    assert not (tmp_path / "o").exists() and (tmp_path / "old").read_text() == "kept"
    assert main([name, str(source), first, os.devnull, second, os.devnull]) == 1


ACTING = "\x1b\x7f\x85\x9b\x9d\u202e\u2066\u2069\u200f\u061c\u2028\ufeff"


def test_no_output_holds_what_a_terminal_acts_on(fake, tmp_path, run):
    text = f"[31m{ACTING}red"
    steps = [{"step_id": 0, "type": "tool_call", "tool": {"name": text}, "content": text}]
    raw = make_raw(id=f"kp:trace:{text}", task={"objective": text}, steps=steps)
    raw["metadata"]["task_domain"] = text
    one = save(tmp_path / f"{ACTING.replace(chr(0x85), '')}a.json", raw)
    two = save(tmp_path / "b.json", raw | {"id": "kp:trace:b"})
    bad = tmp_path / "\x9bbad.json"
    bad.write_text(f'{{"a": x{ACTING}', encoding="utf-8")
    report, page = tmp_path / "report.json", tmp_path / "page"
    main(["score", str(one), str(two), "--report", str(report)])
    for words in (
        ["score", one, two, bad], ["score", one, two, bad, "--json"],
        ["explain", one, bad], ["explain", one, bad, "--json"],
        ["explain", one, bad, "--markdown", page], ["compare", one, two],
        ["compare", one, two, "--json"], ["compare", bad, two], ["memory", "list"],
        ["memory", "list", "--json"], ["memory", "info"], ["memory", "forget", text],
        ["replay", report, one, two], ["replay", report, bad, "--json"], ["replay", bad],
        ["score", tmp_path / ACTING], ["score", two, "--report", tmp_path / ACTING / "x"],
    ):  # fmt: skip
        captured = run(*words)
        files = [report, page] if page.exists() else [report]
        outputs = [captured.out, captured.err, *(file.read_text() for file in files)]
        for output in outputs:
            assert not set(output) & set(ACTING), words
    shown = json.loads(report.read_bytes())["traces"][0]
    assert shown["objective"] == text and shown["id"] == raw["id"]


@pytest.mark.slow
def test_problems_beyond_the_first_are_counted_in_every_output(
    run, score, fake, tmp_path, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "400")  # each problem on a line
    path = tmp_path / "many.json"
    path.write_text('[{"task": {}}' + ",0" * 2_999 + "]", encoding="utf-8")
    status, out, _err = score(path)
    lines = out.splitlines()
    assert status == 2 and len(lines) == 1002
    assert lines[-2:] == [
        "problem   and 2,000 more like these",
        "0 accepted, 0 rejected, 3,000 with problems, 0 skipped",
    ]
    report = score(path, "--json").json
    assert (len(report["problems"]), report["more_problems"]) == (1000, 2_000)
    page, text = tmp_path / "page.html", tmp_path / "page.md"
    assert (
        "and 2,000 more like these"
        in run("explain", path, "--html", page, "--markdown", text, status=2).out
    )
    assert "and 2,000 more like these" in page.read_text("utf-8")
    assert "and 2,000 more like these" in text.read_text("utf-8")
    written = tmp_path / "report.json"
    score(path, "--report", written)
    assert main(["replay", str(written)]) == 0


# standard output as an output


def test_a_minus_for_a_file_is_standard_output(score, fake, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "x.json", make_raw())
    status, out, err = score("x.json", "--report", "-")
    assert (status, err) == (1, "") and json.loads(out)["format"] == "kpinspector-report"
    status, out, err = score("x.json", "--csv", "-")
    assert (status, err) == (1, "") and out.startswith('\ufeff"verdict",')
    assert "rejected  " not in out and out.count("\r\n") == 2
    status, out, err = score("x.json", "--csv", "-", "--report", "r.json")
    assert (status, err) == (1, "") and out.startswith('\ufeff"verdict",')
    assert (tmp_path / "r.json").exists() and not (tmp_path / "-").exists()


def test_a_minus_for_a_page_is_standard_output(fake, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "x.json", make_raw())
    for option, begins in (("--markdown", "# "), ("--html", "<!")):
        _, out, err = run("explain", "x.json", option, "-", status=1)
        assert out.lower().startswith(begins) and err == "" and "=====" not in out
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize(
    "words",
    [("score", "--csv", "-", "--report", "-"), ("score", "--csv", "-", "--json"),
     ("explain", "--html", "-", "--markdown", "-"), ("explain", "--json", "--html", "-")],
)  # fmt: skip
def test_standard_output_takes_one_thing(words, fake, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "x.json", make_raw())
    command, *options = words
    _, out, err = run(command, "x.json", *options, status=2)
    assert out == "" and "Only one output can go to standard output" in err


def test_a_file_that_is_called_so_is_written_by_its_path(score, fake, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(tmp_path / "x.json", make_raw())
    assert score("x.json", "--report", "./-")[::2] == (1, "")
    assert json.loads((tmp_path / "-").read_bytes())["version"] == 3


def test_skipped_files_of_a_folder_are_one_line_and_listed_in_json(score, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    folder = tmp_path / "runs"
    folder.mkdir()
    save(folder / "a.json", make_raw())
    for name in ("package.json", "events.jsonl"):
        (folder / name).write_text('{"type": "x", "id": 1}\n' * 3, encoding="utf-8")
    (folder / "README.md").write_text("# Title", encoding="utf-8")
    save(folder / "sop.json", {"@type": "ExpertSOP", "id": "s"})
    status, out, _ = score(folder)
    assert status == 1
    skipped = [line for line in out.splitlines() if line.startswith("skipped")]
    assert skipped[1:] == ["skipped   3 files: score --json tells why of each"]
    assert "sop.json" in skipped[0] and "0 with problems, 4 skipped" in out
    found = score(folder, "--json").json
    assert found["problems"] == [] and len(found["skipped"]) == 4
    (reason,) = (one["reason"] for one in found["skipped"] if "events" in one["path"])
    assert reason.startswith("no format that is known; it looks like 3 lines of JSON with type, id")
