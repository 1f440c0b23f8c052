"""Exports from the window, held against those of the command line."""

import csv
import re
from itertools import chain
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QToolButton

from kpinspector.__main__ import main
from kpinspector.files import resources
from kpinspector.ui.actions.table import Command, export_of
from kpinspector.words.writers import EXPLANATIONS, LISTS
from tests import user
from tests.fakes import FakeEmbedder, make_raw, save
from tests.user import idle, reads, trigger

COMMANDS = {
    **{export_of(name): f"list{one.suffix}" for name, one in LISTS.items()},
    **{export_of(name): f"why{one.suffix}" for name, one in EXPLANATIONS.items()},
}
WHEN = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC")


def test_list_and_explanations_are_those_of_the_command_line(tmp_path, capsysbinary, monkeypatch):
    embedder = FakeEmbedder()
    hostile = {"objective": "=1+1 <b>&amp;</b> [x](https://example.org)"}
    source = save(tmp_path / "a.json", make_raw(task=hostile))
    exported, printed = tmp_path / "exported", tmp_path / "printed"
    exported.mkdir()
    printed.mkdir()
    window = yield from user.opened("--fresh", source, embedder=embedder)
    for command, name in COMMANDS.items():
        trigger(window, command)
        yield from user.save_as(window, exported / name)
    yield reads(window, f"{name} was written")
    yield user.CLOSED
    monkeypatch.setattr("kpinspector.cli.measuring.MiniLM", lambda: embedder)
    main(["score", "--fresh", "--csv", str(printed / "list.csv"), str(source)])
    pages = ((f"--{name}", str(printed / f"why{one.suffix}")) for name, one in EXPLANATIONS.items())
    main(["explain", "--fresh", *chain(*pages), str(source)])
    for name in COMMANDS.values():
        texts = [(folder / name).read_text("utf-8") for folder in (exported, printed)]
        assert len({WHEN.sub("", text) for text in texts}) == 1
    assert "'=1+1 <b>" in (exported / "list.csv").read_text("utf-8-sig")
    assert "<b>" not in (exported / "why.html").read_text("utf-8")
    assert r"\[x\](https" in (exported / "why.md").read_text("utf-8")


def test_a_fault_goes_once_the_same_thing_succeeds(tmp_path):
    nowhere, there = tmp_path / "nowhere" / "a.json", tmp_path / "a.json"
    window = yield from user.opened("--fresh", resources() / "samples" / "ping.json")
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, nowhere, str(nowhere))
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, there)
    yield lambda: not user.reads(window, str(nowhere))()


def test_explanations_are_of_the_selected_rows_and_the_list_of_all(tmp_path):
    window = yield user.Main("--fresh", resources() / "samples")
    assert not user.action(window, export_of("html")).isEnabled()
    yield idle(window)
    (tool,) = [one for one in user.seen(window, QToolButton) if one.text() == "Export"]
    assert set(COMMANDS) <= {Command(one.objectName()) for one in tool.menu().actions()}
    user.trace_list(window).selectAll()
    trigger(window, export_of("markdown"))
    dialog = window.findChild(QFileDialog)
    assert Path(dialog.selectedFiles()[0]).name == "selected-explanation.md"
    yield from user.save_as(window, tmp_path / "all.md")
    count = user.row_count(window)
    headings = re.findall("^# (.+)", (tmp_path / "all.md").read_text("utf-8"), re.M)
    assert len(headings) == 1 + count and "traces are accepted" in headings[0]
    trigger(window, Command.NEXT)
    trigger(window, export_of("html"))
    dialog = window.findChild(QFileDialog)
    name = user.current_name(window)
    assert Path(dialog.selectedFiles()[0]).name == f"{name}-explanation.html"
    yield from user.save_as(window, tmp_path / "one.html")
    assert (tmp_path / "one.html").read_text("utf-8").count("<article>") == 1


def test_a_list_is_exported_as_it_is_shown(tmp_path):
    """Its rows and no others, in its order, those without a score among them."""
    for name in ("north", "q-east", "south", "q-west"):
        save(tmp_path / f"{name}.json", make_raw(id=name))
    (tmp_path / "q-centre.json").write_text("{", encoding="utf-8")

    def exported(window, name, title):
        user.choose_menu(window, "File", "Export List as CSV…")
        assert user.file_dialog(window).windowTitle() == title
        yield from user.name_file(window, tmp_path / name)
        yield reads(window, f"{name} was written")
        with (tmp_path / name).open(encoding="utf-8-sig", newline="") as file:
            rows = [Path(row["path"]).stem for row in csv.DictReader(file)]
        assert rows == user.row_names(window)
        return rows

    window = yield from user.opened("--fresh", *sorted(tmp_path.glob("*.json")))
    came = yield from exported(window, "came.csv", "Export List")
    assert came == ["north", "q-centre", "q-east", "q-west", "south"]
    user.sort_by(window, "Trace")
    yield from exported(window, "sorted.csv", "Export List")
    user.write(user.filter_field(window), "q-")
    yield from exported(window, "kept.csv", "Export List, 3 of 5 Rows")
    user.sort_by(window, "Trace")
    down = yield from exported(window, "down.csv", "Export List, 3 of 5 Rows")
    assert down == ["q-west", "q-east", "q-centre"]
