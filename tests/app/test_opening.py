"""Opening twice, reloading, watching, stopping a listing: rows stay, nothing is silent."""

import json
import os
import threading

import pytest

from kpinspector.app import opener, watch
from kpinspector.app.document import State
from kpinspector.runs import follow
from kpinspector.runs.read import read_file
from kpinspector.settings import Mode
from kpinspector.trace import find
from tests.app.harness import write
from tests.fakes import Gated, make_raw


def one_line(trace_id, **changes):
    return json.dumps(make_raw(id=trace_id, task={"objective": trace_id}, **changes))


def numbers(one):
    return {row.name: row.number for row in one.session.documents}


def test_a_reload_keeps_rows_and_their_numbers(harness, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    write(folder / "a.jsonl", "a1", "a2", "a3")
    write(folder / "b.json", "b")
    write(folder / "gone.json", "gone")
    one = harness(opened=[folder])
    before, removed, added = numbers(one), [], []
    one.session.store.changed.connect(lambda change: removed.extend(change.removed))
    one.session.store.changed.connect(lambda change: added.extend(change.added))
    (folder / "gone.json").unlink()
    write(folder / "new.json", "new")
    (folder / "a.jsonl").write_text(
        "\n".join((one_line("a1"), one_line("a2", outcome={"confidence": 0.1}))), encoding="utf-8"
    )
    one.reload()
    after = numbers(one)
    assert removed == [before["a 3"], before["gone"]] or removed == [before["gone"], before["a 3"]]
    assert [row.name for row in added] == ["new"]
    assert after == {name: before[name] for name in ("a 1", "a 2", "b")} | {"new": after["new"]}
    assert list(after) == ["a 1", "a 2", "b", "new"]
    rows = {row.name: row for row in one.session.documents}
    assert rows["a 1"].before is None
    assert rows["a 2"].before > rows["a 2"].assessment.score
    assert one.rows == {row.number: row for row in one.session.documents}
    assert not one.session.waits


def test_a_changed_type_is_an_edit_and_a_shifted_line_is_none(harness, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(one_line("1", extra=1) + "\n" + one_line("2"), encoding="utf-8")
    one = harness(opened=[path])
    path.write_text(one_line("1", extra=True) + "\n\n\n" + one_line("2"), encoding="utf-8")
    one.reload()
    first, second = one.session.documents
    assert first.before is not None and second.before is None
    assert second.record.source.line == 4 and second.measured.record is second.item


def test_what_was_taken_off_stays_off_until_it_is_opened(harness, tmp_path):
    write(tmp_path / "a.jsonl", "a1", "a2")
    write(tmp_path / "b.json", "b")
    one = harness(opened=[tmp_path])
    at = numbers(one)
    one.session.remove([at["a 1"], at["b"]])
    one.reload()
    assert one.names == ["a 2"]
    one.open(tmp_path)
    assert sorted(one.names) == ["a 1", "a 2", "b"]
    assert one.said == []


def test_another_spelling_a_link_and_a_folder_open_nothing_twice(harness, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    path = write(folder / "a.json", "a")
    (tmp_path / "link.json").symlink_to(path)
    (tmp_path / "other").symlink_to(folder)
    one, wanted = harness(), []
    one.session.store.row_wanted.connect(wanted.append)
    one.open(path)
    number = one.session.documents[0].number
    for again in (
        path,
        tmp_path / "link.json",
        tmp_path / "other" / "a.json",
        folder / ".." / "runs" / "a.json",
        folder,
    ):
        one.open(again)
    assert numbers(one) == {"a": number} and wanted == [number] * 6
    assert {said.key for said in one.said} == {"open already"}
    assert one.session.documents[0].path == str(path)
    assert one.session.state.open_paths == (str(path), str(folder))


def test_something_new_beside_what_is_open_is_no_news(harness, tmp_path):
    one = harness(opened=[write(tmp_path / "a.json", "a")])
    one.open(tmp_path / "a.json", write(tmp_path / "b.json", "b"))
    assert one.names == ["a", "b"] and one.said == []


@pytest.mark.slow
def test_of_two_files_that_are_gone_the_one_that_is_not_back_is_still_said(
    harness, tmp_path, qtbot
):
    paths = [write(tmp_path / f"{name}.json", name) for name in "ab"]
    one = harness()
    settled = []
    one.session.board.settled.connect(settled.append)
    one.open(*paths)
    for path in paths:
        path.unlink()
    qtbot.waitUntil(lambda: any("2 files are gone" in said.sentence for said in one.said))
    write(paths[0], "a")
    qtbot.waitUntil(lambda: one.said[-1].sentence.startswith("b.json is gone"))
    assert "gone" not in settled
    write(paths[1], "b")
    qtbot.waitUntil(lambda: "gone" in settled)


def test_a_file_that_came_back_with_its_folder_is_not_gone_once_it_is_read(
    harness, tmp_path, qtbot
):
    (tmp_path / "runs").mkdir()
    path = write(tmp_path / "runs" / "a.json", "a")
    one = harness()
    settled = []
    one.session.board.settled.connect(settled.append)
    one.open(path)
    path.unlink()
    path.parent.rmdir()
    qtbot.waitUntil(lambda: bool(one.said))
    path.parent.mkdir()
    one.open(write(path, "a"))
    assert "gone" in settled


def test_a_file_that_was_not_there_or_broken_is_watched_too(harness, tmp_path, qtbot):
    broken, missing = tmp_path / "broken.json", tmp_path / "missing.json"
    broken.write_text("{", encoding="utf-8")
    one = harness(opened=[broken, missing])
    before = numbers(one)
    assert [row.state for row in one.session.documents] == [State.UNREADABLE] * 2
    assert all(one.session.is_watched(number) for number in before.values())
    write(broken, "1")
    write(missing, "2")
    qtbot.waitUntil(lambda: all(row.assessment for row in one.session.documents))
    assert numbers(one) == before


def test_a_fresh_memory_compares_the_whole_drop_again(harness, tmp_path, qtbot):
    path = write(tmp_path / "b.json", "b")
    write(tmp_path / "a.json", "a")
    one = harness(mode=Mode.FRESH, opened=[tmp_path])
    write(path, "b", outcome={"confidence": 0.2})
    qtbot.waitUntil(lambda: one.session.documents[1].before is not None)
    one.settle()
    novelties = [row.measured.measurement.novelty for row in one.session.documents]
    assert [novelty.compared_with for novelty in novelties] == [0, 1]


def test_too_many_files_to_watch_are_said_once(harness, tmp_path, monkeypatch):
    monkeypatch.setattr(watch, "MOST_WATCHED", 2)
    for number in range(4):
        write(tmp_path / f"{number}.json", str(number))
    one = harness(opened=[tmp_path])
    watched = [one.session.is_watched(row.number) for row in one.session.documents]
    assert watched == [True, True, False, False]
    assert [said.sentence.startswith("At most 2 files") for said in one.said] == [True]


def test_a_listing_counts_and_is_stopped(harness, tmp_path, qtbot, monkeypatch):
    for number in range(3):
        write(tmp_path / f"{number}.json", str(number))
    gate, seen = threading.Event(), []
    real = find.list_files

    def slow(paths, check):
        for _ in range(1234):
            check()
        assert gate.wait(10)
        yield from real(paths, check)

    monkeypatch.setattr(opener, "list_files", slow)
    one = harness()
    one.session.progress_changed.connect(seen.append)
    one.session.opener.open([str(tmp_path)])
    assert one.session.progress.busy
    qtbot.waitUntil(lambda: any(progress.listed == 1234 for progress in seen))
    one.session.stop()
    assert not one.session.progress.busy
    gate.set()
    one.settle()
    assert len(one.session.store) == 0 and one.session.state.open_paths == ()
    assert "1,234" in one.said[0].sentence


def test_stopping_keeps_what_was_read_and_counts_the_rest(harness, tmp_path, qtbot, monkeypatch):
    gate, reading_second = threading.Event(), threading.Event()

    def slow(found, asked):
        if found.path.name != "0.json":
            reading_second.set()
            assert gate.wait(10)
        return read_file(found)

    monkeypatch.setattr(follow, "read_file", slow)
    one = harness()
    one.session.opener.open([str(write(tmp_path / f"{n}.json", str(n))) for n in range(4)])
    qtbot.waitUntil(reading_second.is_set)
    one.session.stop()
    gate.set()
    one.settle()
    assert one.names == ["0"] and one.session.waits
    assert [said.sentence for said in one.said] == ["Stopped before 3 files were read."]
    one.reload()
    assert one.names == ["0", "1", "2", "3"] and not one.session.waits


def test_a_row_that_is_read_anew_ignores_its_late_score(harness, tmp_path):
    one = harness(Gated())
    path = write(tmp_path / "a.json", "a")
    one.begin(path)
    write(path, "a", outcome={"confidence": 0.2})
    one.session.reload()
    one.go_on()
    row = one.session.documents[0]
    assert row.measured.measurement.facts.confidence == 0.2
    assert row.measured.record is row.item


def test_a_pasted_trace_survives_a_reload(harness, tmp_path):
    one = harness()
    one.session.open_text(one_line("pasted"))
    one.open(write(tmp_path / "a.json", "a"))
    one.reload()
    assert sorted(one.names) == ["(pasted)", "a"]
    assert one.session.state.open_paths == (str(tmp_path / "a.json"),)


def test_skipped_names_say_why(harness, tmp_path):
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    one = harness(opened=[tmp_path])
    reasons = {row.name: row.item.reason for row in one.session.documents}
    assert "no format that is known" in reasons["notes"] and "pipe" in reasons["pipe"]
    one.reload()
    assert len(one.session.documents) == 2
