"""The long way through the window: a folder is dropped, triaged, exported, edited, left, found."""

import gzip
import json

from PySide6.QtCore import QItemSelectionModel

from kpinspector.__main__ import main
from kpinspector.app.document import State
from kpinspector.cli import measuring
from kpinspector.ui.actions.actions import Command
from kpinspector.ui.traces.problem_page import ProblemPage
from kpinspector.ui.traces.trace_row import TraceColumn
from tests.e2e.driving import answer_file_dialog, drop, idle, listed, names, says, trigger
from tests.fakes import FakeEmbedder, Gated, make_raw, save


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


NAMES = ["a", "b 1", "b 2", "b 3", "sop", "z.json", "broken", "not-scorable", "notes"]


def states(window):
    return {document.name: document.state for document in window._session.documents}


def printed(arguments, capsysbinary):
    main([str(one) for one in arguments])
    return json.loads(capsysbinary.readouterr().out)


def without_time(report):
    return {name: value for name, value in report.items() if name != "generated_at"}


def select(window, *wanted):
    table, filter_ = window._traces.table, window._traces.filter
    flags = QItemSelectionModel.SelectionFlag
    table.clearSelection()
    for row, name in enumerate(listed(window)):
        if name in wanted:
            index = filter_.index(row, TraceColumn.TRACE)
            table.selectionModel().select(index, flags.Select | flags.Rows)


def see_every_kind(window):
    found = states(window)
    assert sorted(found) == sorted(NAMES)
    assert {name for name in found if found[name] is State.UNREADABLE} == {"b 3", "broken"}
    assert {name for name in found if found[name] is State.NOT_SCORABLE} == {"not-scorable"}
    assert {name for name in found if found[name] is State.SKIPPED} == {"sop", "notes"}
    assert all(one.assessment for one in window._session.documents if one.record)
    yield says(window, "3 of 7 could not be scored, 2 skipped. Everything else is loaded.")


def filter_and_find(window):
    traces, steps = window._traces, window._steps
    trigger(window, Command.FILTER)
    traces._field.set_text("state:rejected score:<0.6 valve")
    assert listed(window) == ["b 1"]
    yield lambda: traces._count.text() == "1 of 9 in all"
    traces._field.set_text("fault profile:default")
    assert listed(window) == ["a", "b 1", "b 2", "z.json"]
    trigger(window, Command.NEXT)
    trigger(window, Command.FIND)
    steps.find_bar.field.set_text("failure")
    yield lambda: steps.find_bar.count_words == "1 of 1"
    assert steps.current_step().index == 2


def export(window, command, path):
    trigger(window, command)
    answer_file_dialog(window, path)
    yield path.exists


def test_a_folder_is_dropped_triaged_and_exported_as_on_the_command_line(
    journey, tmp_path, monkeypatch, capsysbinary
):
    folder = mixed_folder(tmp_path / "runs")
    whole, chosen = tmp_path / "whole.json", tmp_path / "chosen.json"
    monkeypatch.setattr(measuring, "MiniLM", FakeEmbedder)

    def script(window):
        drop(window, folder)
        yield lambda: bool(window._session.documents)
        yield idle(window)
        yield from see_every_kind(window)
        yield from filter_and_find(window)
        select(window, "a", "z.json")
        yield from export(window, Command.EXPORT_TRACE, chosen)
        window._traces.clear_filter()
        yield from export(window, Command.EXPORT, whole)

    assert journey([], script) == 0
    elsewhere = ["--data-dir", tmp_path / "empty"]
    said = printed(["score", "--json", *elsewhere, folder.absolute()], capsysbinary)
    exported = json.loads(whole.read_bytes())
    assert without_time(exported) == without_time(said)
    assert exported["pending"] == 0 and len(exported["traces"]) == 4
    part = json.loads(chosen.read_bytes())
    by_id = {one["id"]: one for one in said["traces"]}
    wanted = {"kp:trace:pump", "kp:trace:boiler"}
    assert {one["id"] for one in part["traces"]} == wanted
    assert part["traces"] == [by_id[one["id"]] for one in part["traces"]]
    assert part["problems"] == part["skipped"] == []


def test_what_is_cancelled_and_left_in_the_middle_is_found_again(journey, tmp_path):
    folder = mixed_folder(tmp_path / "runs")
    slow = Gated(1)

    def cancelled(window):
        drop(window, folder)
        yield slow.waiting.is_set
        yield lambda: any(one.measured for one in window._session.documents)
        trigger(window, Command.STOP)
        slow.gate.set()
        yield idle(window)
        measured = [one.name for one in window._session.documents if one.measured]
        assert "a" in measured and len(measured) < 4
        pending = [one for one in window._session.documents if one.record and not one.measured]
        assert all(one.range is not None for one in pending)
        window._traces.table.header.set_shown(TraceColumn.SOURCE, shown=True)
        target = next(one for one in window._session.documents if one.name == "b 2")
        window._traces.set_current(target.number)
        window.resize(796, 640)

    def reopened(window):
        yield lambda: window._current is not None and window._current.name == "b 2"
        yield idle(window)
        assert sorted(names(window)) == sorted(NAMES)
        assert all(one.measured for one in window._session.documents if one.record)
        first = next(one for one in window._session.documents if one.name == "a")
        assert first.measured.measurement.novelty.remembered
        assert TraceColumn.SOURCE in window._traces.table.header.chosen
        assert (window.width(), window.height()) == (796, 640)
        (path,) = [one.path for one in window._session.history.recent]
        assert path == str(folder)

    assert journey([], cancelled, slow) == 0
    assert journey([], reopened) == 0


def test_an_edit_is_followed_to_its_score_its_problem_and_back(journey, tmp_path):
    folder = mixed_folder(tmp_path / "runs")
    path = folder / "a.json"

    def script(window):
        drop(window, folder)
        yield lambda: bool(window._session.documents)
        yield idle(window)
        row = next(one for one in window._session.documents if one.name == "a")
        window._traces.set_current(row.number)
        before = window._current.assessment.score
        save(path.with_name(".new"), trace("pump", 0.5)).replace(path)
        yield says(window, "before the edit")
        assert window._current.number == row.number
        assert window._current.assessment.score < before == window._current.before
        path.write_text('{"id": "kp:trace:pump" "task": 1}', encoding="utf-8")
        page = window.findChild(ProblemPage)
        yield lambda: page.isVisible() and '"task": 1' in page.whole_text()
        assert window._current.number == row.number
        save(path, trace("pump"))
        yield lambda: window._current.assessment and window._current.assessment.score == before
        yield idle(window)
        assert sorted(names(window)) == sorted(NAMES)

    assert journey([], script) == 0
