"""Going through traces and steps in the window, from ``main`` to its exit status."""

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTableView

from kpinspector.ui.actions.table import Command
from kpinspector.ui.look.theme import colours
from tests import user
from tests.fakes import make_raw, save
from tests.known import of
from tests.user import current_step, focused, reads, trigger

VIEWS = "View of the step"


def look_for(window, text):
    """Type a text where steps are searched."""
    trigger(window, Command.FIND)
    user.write(focused(), text)


def detail(window):
    """The pane with the step."""
    return user.tab_bar(window, VIEWS).parentWidget().parentWidget()


def whole_step(window):
    user.press(window, "Copy the whole step")
    return QGuiApplication.clipboard().text()


def text_in(window, name):
    return user.find(window, QPlainTextEdit, name).toPlainText()


def test_steps_are_found_copied_and_come_to_from_what_they_add(tmp_path):
    window = yield from user.opened(save(tmp_path / "a.json", make_raw()), wide=True)
    look_for(window, "o")
    yield reads(window, "1 of 3")
    trigger(window, Command.FIND_NEXT)
    assert current_step(window) == 0
    trigger(window, Command.FIND_NEXT)
    assert current_step(window) == 2
    trigger(window, Command.FIND_PREVIOUS)
    assert user.copied(window, Command.COPY_POINTER) == "/steps/0"
    assert "Look at the log" in user.copied(window, Command.COPY_TEXT)
    assert json.loads(user.copied(window, Command.COPY_JSON))["type"] == "thought"
    assert user.copied(window, Command.COPY_PATH) == str(tmp_path / "a.json")
    user.go_to_step(window, 2)
    trigger(window, Command.COLLAPSE_ALL)
    assert current_step(window) == 1
    trigger(window, Command.EXPAND_ALL)
    user.go_to_step(window, 2)
    chart = user.find(window, QTableView, "How it adds up")
    for key in ("Return", "Down", "Down", "Return"):
        chart.setFocus()
        QTest.keyClick(chart, getattr(Qt.Key, f"Key_{key}"))
    yield lambda: current_step(window) == 1
    assert "grep" in whole_step(window)


def test_a_step_is_copied_as_json_that_can_be_read_again(tmp_path):
    text = json.dumps(make_raw()).replace('"type": "thought"', '"type": "thought", "input": -1e999')
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    window = yield from user.opened(path)
    user.go_to_step(window, 0)
    as_json = user.copied(window, Command.COPY_JSON)
    assert '"input": -1e999' in as_json and "Infinity" not in as_json
    as_text = user.copied(window, Command.COPY_TEXT)
    assert "-1e999" in as_text and "Infinity" not in as_text


def test_what_is_found_is_marked_in_the_row_and_in_the_text_of_its_step(tmp_path):
    raw = make_raw()
    raw["steps"][2]["content"] = "line\n" * 200 + "the Needle is here"

    def marked(widget):
        image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        red, green, blue, _ = of(tuple, colours(widget.palette()).find.getRgb())
        return bytes((blue, green, red, 255)) in bytes(image.constBits())

    window = yield from user.opened(save(tmp_path / "a.json", raw), wide=True)
    look_for(window, "needle")
    yield reads(window, "1 of 1")
    assert current_step(window) == 2
    yield lambda: marked(user.steps(window))
    yield lambda: marked(detail(window))
    first, *others = user.tabs(window, VIEWS)
    for view in (*others, first):
        user.go_to_tab(window, VIEWS, view)
        yield lambda: marked(detail(window))
    QTest.keyClick(user.find(window, QLineEdit, "Find in steps"), Qt.Key.Key_Escape)
    assert not marked(detail(window)) and not marked(user.steps(window))


def test_the_source_of_a_step_is_shown_with_its_lines(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(make_raw(), indent=2), encoding="utf-8")
    wanted = path.read_text(encoding="utf-8").split("\n")
    window = yield from user.opened(path, wide=True)
    user.go_to_step(window, 1)
    yield lambda: "lines" in whole_step(window)
    fields, _, source = user.tabs(window, VIEWS)
    user.go_to_tab(window, VIEWS, source)
    lines = text_in(window, "Source").split("\n")
    first = wanted.index(lines[1])
    assert lines[:-1] == wanted[first - 1 : first + len(lines) - 2]
    user.go_to_tab(window, VIEWS, fields)
    assert f"/steps/1, lines {first} to {first + len(lines) - 1}" in whole_step(window)
    path.write_text("{}", encoding="utf-8")
    user.go_to_step(window, 2)
    user.go_to_tab(window, VIEWS, source)
    yield reads(window, "No lines to show")


def test_an_edit_keeps_the_step_its_view_and_what_is_looked_for(tmp_path):
    path = save(tmp_path / "a.json", make_raw())
    edited = make_raw()
    edited["steps"][2]["content"] = "Another end of the log"
    window = yield from user.opened(path, wide=True)
    look_for(window, "log")
    yield reads(window, " of 1")
    user.go_to_step(window, 2)
    _, as_json, _ = user.tabs(window, VIEWS)
    user.go_to_tab(window, VIEWS, as_json)
    path.write_text("{", encoding="utf-8")
    yield lambda: user.states(window)["a"] == "not readable"
    save(path, edited)
    yield reads(window, "2 of 2")
    assert current_step(window) == 2
    assert user.tab(window, VIEWS) == as_json
    yield lambda: "Another end of the log" in text_in(window, "JSON")
    assert user.find(window, QLineEdit, "Find in steps").text() == "log"


def test_the_filter_narrows_list_counts_and_histogram(tmp_path):
    raws = [make_raw(id=f"kp:trace:{n}", outcome={"confidence": n / 10}) for n in range(10)]
    raws[0]["metadata"] = {**raws[0]["metadata"], "task_domain": "code"}
    window = yield from user.opened(save(tmp_path / "a.jsonl", *raws), wide=True)
    user.write(user.filter_field(window), "profile:code")
    yield reads(window, "1 of 10")
    yield lambda: user.description(window, "Scores").startswith("1 scored: 1 below")
    user.show_all(window)
    yield lambda: user.row_count(window) == 10 and not reads(window, "1 of 10")()


@pytest.mark.slow
def test_what_gives_a_recorded_score_is_said_beside_the_recomputed_one(tmp_path):
    def recording(score):
        raw = make_raw()
        raw["metadata"]["quality_score"] = score
        return save(tmp_path / "a.json", raw)

    window = yield from user.opened(recording(0))
    lines = user.copied(window, Command.COPY_ANSWER).splitlines()
    (finance,) = (line.split("\t") for line in lines if line.startswith("finance\t"))
    assert user.description(window, "Remarks") == ""
    profile = (
        "0.0597 above the recomputed one. Profile finance, profile code or novelty 0.6707 gives"
    )
    for score, said in (
        (float(finance[-2]), profile),
        (1, "No novelty in 0 to 1 gives this number"),
    ):
        window = yield from user.opened(recording(score))
        assert said in user.description(window, "Remarks")
