"""A file with a problem in every item, in the window: rows, message and counts agree."""

import json

import pytest
from PySide6.QtWidgets import QLabel

from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import make_raw, save
from tests.user import drop, idle, reads, trigger

MORE = "and 1,500 more like these"


def texts(window):
    labels = [one for one in window.findChildren(QLabel) if one.isVisible()]
    return " ".join(one.text() for one in labels)


@pytest.mark.slow
def test_problems_beyond_the_first_are_one_row_and_counted_everywhere(tmp_path):
    path = tmp_path / "many.json"
    good = make_raw(id="kp:trace:good")
    path.write_text(json.dumps([0] * 2500 + [good]), encoding="utf-8")
    report = tmp_path / "report.json"
    window = yield user.Main(path)
    yield reads(window, "2,500 of 2,501 could not be scored")
    yield idle(window)
    window.resize(1440, 900)
    rows = user.trace_rows(window)
    assert len(rows) == 1002
    (last,) = (n for n, row in enumerate(rows) if MORE.capitalize() in row.values())
    yield lambda: "2,500 with problems" in texts(window)
    assert "2,501 traces" in texts(window)
    yield lambda: "2,501" in user.texts(window)
    user.go_to_row(window, last)
    yield lambda: "many.json has more problems" in texts(window)
    assert MORE.capitalize() in texts(window)
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, report)
    yield idle(window)
    written = json.loads(report.read_bytes())
    assert (len(written["problems"]), written["more_problems"]) == (1000, 1500)
    assert len(written["traces"]) == 1


def test_skipped_files_of_a_folder_stand_behind_one_count(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("# Title", encoding="utf-8")
    (folder / "numbers.json").write_text(f"[{'0,' * 9999}0]", encoding="utf-8")
    (folder / "events.jsonl").write_text('{"type": "x", "id": 1}\n' * 36, encoding="utf-8")
    save(folder / "trace.json", make_raw())
    window = yield from user.opened(folder)
    assert user.row_names(window) == ["trace"] and user.current_name(window) == "trace"
    assert not user.messages(window)
    assert "1 and 3 others" in texts(window) and "3 skipped" in texts(window)
    user.write(user.filter_field(window), "state:skipped")
    yield lambda: user.row_count(window) == 3
    assert sorted(user.row_names(window)) == ["AGENTS", "events", "numbers"]
    assert "36 lines of JSON with type, id" in user.said_rows(window)[1]
    user.show_all(window)
    (folder / "trace.json").unlink()
    trigger(window, Command.RELOAD)
    yield idle(window)
    assert user.row_names(window) == [] and "No trace here." in texts(window)
    assert "Choose a recording" not in texts(window)
    user.press(window, "Show what was skipped")
    yield lambda: user.row_count(window) == 3


def test_an_export_over_a_trace_that_is_open_is_refused(tmp_path):
    source = save(tmp_path / "x.json", make_raw())
    (tmp_path / "link.json").symlink_to(source)
    before = source.read_bytes()
    window = yield from user.opened(source)
    for name in ("x.json", "link.json"):
        trigger(window, Command.EXPORT)
        refused = f"{name} is one of the files that were read"
        yield from user.save_as(window, tmp_path / name, refused)
    assert source.read_bytes() == before
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, tmp_path / "new.json")
    yield lambda: not user.messages(window)  # it is written now
    yield user.CLOSED
    assert source.read_bytes() == before


def test_records_of_a_file_are_opened_one_by_one(tmp_path):
    path = tmp_path / "several.jsonl"
    raws = [make_raw(id=f"kp:trace:{number}") for number in (1, 2, 3)]
    path.write_text("\n".join(map(json.dumps, raws)), encoding="utf-8")

    def numbers(window):
        return [int(row["Source"].rpartition(":")[2]) for row in user.trace_rows(window)]

    window = yield user.Main(f"{path}#3", f"{path}#1")
    yield lambda: sorted(numbers(window)) == [1, 3]
    yield idle(window)
    trigger(window, Command.RELOAD)
    yield idle(window)
    assert sorted(numbers(window)) == [1, 3]
    drop(window, path)
    yield lambda: sorted(numbers(window)) == [1, 2, 3]
    yield idle(window)
