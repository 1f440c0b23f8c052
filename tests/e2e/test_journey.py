"""The long way through the window: a folder is dropped, triaged, exported, edited, left, found."""

import gzip
import json
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from kpinspector.cli import measuring
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import FakeEmbedder, Gated, make_raw, save
from tests.user import drop, focused, idle, reads, row_names, trigger


def trace(name, confidence=0.9, **changes):
    outcome = {"result_summary": "", "confidence": confidence}
    objective = {"objective": f"Find the {name} fault"}
    return make_raw(id=f"kp:trace:{name}", task=objective, outcome=outcome, **changes)


def mixed_folder(folder):
    """Good and bad files of every kind, some of them in a folder below."""
    (folder / "below").mkdir(parents=True)
    save(folder / "a.json", trace("pump"))
    save(folder / "b.jsonl", trace("valve", 0.2), trace("gauge", 1.0))
    with (folder / "b.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"id": "kp:trace:broken", "task" 1}\n')
    (folder / "broken.json").write_text('{"id": 1,\n  "task" 2}', encoding="utf-8")
    save(folder / "not-scorable.json", trace("meter", "high"))  # not a number, for the SDK too
    (folder / "notes.txt").write_text("hello", encoding="utf-8")
    sop = {"@type": "ExpertSOP", "id": "kp:sop:1"}
    save(folder / "below" / "sop.json", sop)
    packed = json.dumps(trace("boiler", 0.6)).encode()
    (folder / "below" / "z.json.gz").write_bytes(gzip.compress(packed))
    return folder


NAMES = ["a", "b 1", "b 2", "b 3", "sop", "z.json", "broken", "not-scorable"]


def without_time(report):
    return {name: value for name, value in report.items() if name != "generated_at"}


def see_every_kind(window):
    assert sorted(row_names(window)) == sorted(NAMES)
    assert user.states(window) == {
        "a": "rejected",
        "b 1": "rejected",
        "b 2": "rejected",
        "b 3": "not readable",
        "sop": "skipped",
        "z.json": "rejected",
        "broken": "not readable",
        "not-scorable": "not scorable",
    }
    yield reads(window, "3 of 7 could not be scored. Everything else is loaded.")


def filter_and_find(window):
    trigger(window, Command.FILTER)
    user.write(focused(), "state:rejected score:<0.6 valve")
    assert row_names(window) == ["b 1"]
    yield reads(window, "1 of 9 in all")
    user.write(user.filter_field(window), "fault profile:default")
    assert row_names(window) == ["a", "b 1", "b 2", "z.json"]
    trigger(window, Command.NEXT)
    trigger(window, Command.FIND)
    user.write(focused(), "failure")
    yield reads(window, "1 of 1")
    assert user.current_step(window) == 2


def shown_columns(window):
    table, role = user.trace_list(window), Qt.ItemDataRole.AccessibleTextRole
    head = table.horizontalHeader()
    columns = filter(lambda one: not head.isSectionHidden(one), range(head.count()))
    return [table.model().headerData(one, Qt.Orientation.Horizontal, role) for one in columns]


def export(window, command, path):
    trigger(window, command)
    yield from user.save_as(window, path)


def test_a_folder_is_dropped_triaged_and_exported_as_on_the_command_line(
    tmp_path, monkeypatch, run
):
    folder = mixed_folder(tmp_path / "runs")
    whole, chosen = tmp_path / "whole.json", tmp_path / "chosen.json"
    monkeypatch.setattr(measuring, "MiniLM", FakeEmbedder)
    window = yield user.Main()
    drop(window, folder)
    yield lambda: bool(row_names(window))
    yield idle(window)
    yield from see_every_kind(window)
    yield from filter_and_find(window)
    user.select(window, "a", "z.json")
    yield from export(window, Command.EXPORT_TRACE, chosen)
    user.show_all(window)
    yield from export(window, Command.EXPORT, whole)
    yield user.CLOSED
    elsewhere = ["--data-dir", tmp_path / "empty"]
    said = run("score", "--json", *elsewhere, folder.absolute()).json
    exported = json.loads(whole.read_bytes())
    assert without_time(exported) == without_time(said)
    assert exported["pending"] == 0 and len(exported["traces"]) == 4
    part = json.loads(chosen.read_bytes())
    by_id = {one["id"]: one for one in said["traces"]}
    wanted = {"kp:trace:pump", "kp:trace:boiler"}
    assert {one["id"] for one in part["traces"]} == wanted
    assert part["traces"] == [by_id[one["id"]] for one in part["traces"]]
    assert part["problems"] == part["skipped"] == []


def test_what_is_cancelled_and_left_in_the_middle_is_found_again(tmp_path):
    folder = mixed_folder(tmp_path / "runs")
    slow = Gated(1)
    window = yield user.Main(embedder=slow)
    drop(window, folder)
    yield slow.waiting.is_set
    yield lambda: bool(user.scored_names(window))
    trigger(window, Command.STOP)
    slow.gate.set()
    yield idle(window)
    scored = user.scored_names(window)
    assert "a" in scored and len(scored) < 4
    left = [row for row in user.trace_rows(window) if re.match(r"0.*\N{EN DASH}", row["Score"])]
    assert len(left) == 4 - len(scored)  # each with the range that its score is in
    user.press(window, "More")
    menu = QApplication.activePopupWidget()
    user.choose(menu, "Columns", "Source")
    user.go_to_row(window, "b 2")
    window.resize(window.minimumWidth(), 640)
    window = yield user.Main()
    yield lambda: user.current_name(window) == "b 2"
    yield idle(window)
    assert sorted(row_names(window)) == sorted(NAMES)
    assert len(user.scored_names(window)) == 4
    assert "Source" in shown_columns(window)
    assert (window.width(), window.height()) == (window.minimumWidth(), 640)
    recent = [line for line in user.lines(user.menu_of(window, "File")) if len(line) > 1]
    assert [line[1].partition(" ")[2] for line in recent[:-1]] == [f"runs ({tmp_path})"]
    window.resize(1440, 900)
    user.go_to_row(window, "a")
    yield reads(window, "remembered since")


def test_an_edit_is_followed_to_its_score_its_problem_and_back(tmp_path):
    folder = mixed_folder(tmp_path / "runs")
    path = folder / "a.json"
    window = yield user.Main()
    drop(window, folder)
    yield lambda: bool(row_names(window))
    yield idle(window)
    user.go_to_row(window, "a")
    before = user.trace_row(window, "a")["Score"]
    save(path.with_name(".new"), trace("pump", 0.5)).replace(path)
    yield reads(window, "before the edit")
    assert user.current_name(window) == "a"
    assert user.trace_row(window, "a")["Score"] < before and reads(window, before)()
    path.write_text('{"id": "kp:trace:pump" "task": 1}', encoding="utf-8")
    yield lambda: '"task": 1' in user.copied_problem(window)
    assert user.current_name(window) == "a"
    save(path, trace("pump"))
    yield lambda: user.trace_row(window, "a")["Score"] == before
    yield idle(window)
    assert sorted(row_names(window)) == sorted(NAMES)
