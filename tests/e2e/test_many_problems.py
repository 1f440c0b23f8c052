"""A file with a problem in every item, in the window: rows, message and counts agree."""

import json

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from kpinspector.ui.actions.actions import Command
from tests.e2e.driving import answer_file_dialog, idle, says, trigger
from tests.fakes import make_raw, save

MORE = "and 1,500 more like these"


def texts(window):
    labels = [one for one in window.findChildren(QLabel) if one.isVisible()]
    return " ".join(one.text() for one in labels)


def test_problems_beyond_the_first_are_one_row_and_counted_everywhere(journey, tmp_path):
    path = tmp_path / "many.json"
    good = make_raw(id="kp:trace:good")
    path.write_text(json.dumps([0] * 2500 + [good]), encoding="utf-8")
    report = tmp_path / "report.json"

    def script(window):
        yield says(window, "2,500 of 2,501 could not be scored")
        yield idle(window)
        traces = window._traces
        rows = tuple(traces.filter.documents())
        assert len(rows) == 1002
        assert sum(one.count for one in rows) == 2501
        model = traces.filter
        shown = [
            model.index(row, column).data(Qt.ItemDataRole.DisplayRole)
            for row in range(model.rowCount())
            for column in range(model.columnCount())
        ]
        assert MORE.capitalize() in shown
        yield lambda: "2,500 with problems" in texts(window)
        assert "2,501 traces" in texts(window)
        yield lambda: traces._count.text() == "2,501"
        last = next(one for one in rows if one.count > 1)
        traces.show_row(last.number)
        yield lambda: "many.json has more problems" in texts(window)
        assert MORE.capitalize() in texts(window)
        trigger(window, Command.EXPORT)
        answer_file_dialog(window, report)
        yield report.exists
        yield idle(window)

    assert journey([path], script) == 0
    written = json.loads(report.read_bytes())
    assert (len(written["problems"]), written["more_problems"]) == (1000, 1500)
    assert len(written["traces"]) == 1


def test_numbers_in_a_dropped_folder_are_one_row(journey, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "numbers.json").write_text(f"[{'0,' * 9999}0]", encoding="utf-8")

    def script(window):
        yield says(window, "1 of 1 could not be scored")
        (row,) = window._session.documents
        assert "10,000 records" in row.item.message

    assert journey([tmp_path / "data"], script) == 0


def test_an_export_over_a_trace_that_is_open_is_refused(journey, tmp_path):
    source = save(tmp_path / "x.json", make_raw())
    (tmp_path / "link.json").symlink_to(source)
    before = source.read_bytes()

    def script(window):
        yield idle(window)
        for name in ("x.json", "link.json"):
            trigger(window, Command.EXPORT)
            answer_file_dialog(window, tmp_path / name)
            yield says(window, f"{name} is one of the files that were read")
        assert source.read_bytes() == before
        trigger(window, Command.EXPORT)
        answer_file_dialog(window, tmp_path / "new.json")
        yield (tmp_path / "new.json").exists
        yield lambda: not window._messages.messages  # it is written now

    assert journey([source], script) == 0
    assert source.read_bytes() == before


def test_records_of_a_file_are_opened_one_by_one(journey, tmp_path):
    path = tmp_path / "several.jsonl"
    raws = [make_raw(id=f"kp:trace:{number}") for number in (1, 2, 3)]
    path.write_text("\n".join(map(json.dumps, raws)), encoding="utf-8")

    def numbers(window):
        return [one.record.source.record for one in window._session.documents]

    def script(window):
        yield lambda: sorted(numbers(window)) == [1, 3]
        yield idle(window)
        trigger(window, Command.RELOAD)
        yield idle(window)
        assert sorted(numbers(window)) == [1, 3]
        window._session.open([str(path)])
        yield lambda: sorted(numbers(window)) == [1, 2, 3]
        yield idle(window)

    assert journey([f"{path}#3", f"{path}#1"], script) == 0
