"""Going through traces and steps in the window, from ``main`` to its exit status."""

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.ui.actions.actions import Command
from kpinspector.ui.look.theme import colours
from kpinspector.ui.score.waterfall import Waterfall
from tests.e2e.driving import trigger
from tests.fakes import make_raw, save
from tests.known import of, present


def current_step(window):
    step = window._steps.current_step()
    return None if step is None else step.index


def ready(window):
    return lambda: bool(window._session.documents) and not window._session.progress.busy


def test_steps_are_found_gone_to_and_copied(journey, tmp_path):
    def script(window):
        yield ready(window)
        clipboard = QGuiApplication.clipboard()
        trigger(window, Command.FIND)
        window._steps.find_bar.field.set_text("o")
        yield lambda: window._steps.find_bar.count_words == "1 of 3"
        trigger(window, Command.FIND_NEXT)
        assert current_step(window) == 0
        trigger(window, Command.FIND_NEXT)
        assert current_step(window) == 2
        trigger(window, Command.FIND_PREVIOUS)
        trigger(window, Command.COPY_POINTER)
        assert clipboard.text() == "/steps/0"
        trigger(window, Command.COPY_TEXT)
        assert "Look at the log" in clipboard.text()
        trigger(window, Command.COPY_JSON)
        assert json.loads(clipboard.text())["type"] == "thought"
        trigger(window, Command.COPY_PATH)
        assert clipboard.text() == str(tmp_path / "a.json")
        trigger(window, Command.GO_TO_STEP)
        window._steps.find_bar.number.set_text("2")
        window._steps.find_bar.number.edit.returnPressed.emit()
        assert current_step(window) == 2
        trigger(window, Command.COLLAPSE_ALL)
        assert current_step(window) == 1
        trigger(window, Command.EXPAND_ALL)

    assert journey([save(tmp_path / "a.json", make_raw())], script) == 0


def test_a_step_is_copied_as_json_that_can_be_read_again(journey, tmp_path):
    text = json.dumps(make_raw()).replace('"type": "thought"', '"type": "thought", "input": -1e999')
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")

    def script(window):
        yield ready(window)
        clipboard = QGuiApplication.clipboard()
        trigger(window, Command.GO_TO_STEP)
        window._steps.find_bar.number.set_text("0")
        window._steps.find_bar.number.edit.returnPressed.emit()
        assert current_step(window) == 0
        trigger(window, Command.COPY_JSON)
        assert '"input": -1e999' in clipboard.text() and "Infinity" not in clipboard.text()
        trigger(window, Command.COPY_TEXT)
        assert "-1e999" in clipboard.text() and "Infinity" not in clipboard.text()

    assert journey([path], script) == 0


def test_what_is_found_is_marked_in_the_row_and_in_the_text_of_its_step(journey, tmp_path):
    raw = make_raw()
    raw["steps"][2]["content"] = "line\n" * 200 + "the Needle is here"

    def marked(widget):
        image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        red, green, blue, _ = of(tuple, colours(widget.palette()).find.getRgb())
        return bytes((blue, green, red, 255)) in bytes(image.constBits())

    def script(window):
        yield ready(window)
        trigger(window, Command.FIND)
        QTest.keyClicks(present(QApplication.focusWidget()), "needle")
        yield lambda: window._steps.find_bar.count_words == "1 of 1"
        assert current_step(window) == 2
        yield lambda: marked(window._steps.tree)
        window._score.show_step()  # a small screen has it in a tab
        yield lambda: marked(window._detail)
        for tab in (1, 2, 0):
            window._detail.tabs.setCurrentIndex(tab)
            yield lambda: marked(window._detail)
        QTest.keyClick(window._steps.find_bar.field.edit, Qt.Key.Key_Escape)
        assert not marked(window._detail) and not marked(window._steps.tree)

    assert journey([save(tmp_path / "a.json", raw)], script) == 0


def test_the_source_of_a_step_is_shown_with_its_lines(journey, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(make_raw(), indent=2), encoding="utf-8")
    wanted = path.read_text(encoding="utf-8").split("\n")

    def script(window):
        yield ready(window)
        window._steps.select_step(window._steps._document.record.trace.steps[1])
        detail = window._detail
        yield lambda: "lines" in detail.whole_text()
        detail.tabs.setCurrentIndex(2)
        lines = detail.source.text.toPlainText().split("\n")
        first = wanted.index(lines[1])
        assert lines[:-1] == wanted[first - 1 : first + len(lines) - 2]
        detail.tabs.setCurrentIndex(0)
        assert f"/steps/1, lines {first} to {first + len(lines) - 1}" in detail.whole_text()
        path.write_text("{}", encoding="utf-8")
        window._steps.select_step(window._steps._document.record.trace.steps[2])
        yield lambda: bool(detail.source.note)

    assert journey([path], script) == 0


def test_an_edit_keeps_the_step_its_view_and_what_is_looked_for(journey, tmp_path):
    path = save(tmp_path / "a.json", make_raw())
    edited = make_raw()
    edited["steps"][2]["content"] = "Another end of the log"

    def script(window):
        yield ready(window)
        steps, detail = window._steps, window._detail
        steps.find_bar.field.set_text("log")
        yield lambda: steps.find_bar.count_words.endswith(" of 1")
        steps.go_to_step(2)
        detail.tabs.setCurrentIndex(1)
        path.write_text("{", encoding="utf-8")
        yield lambda: window._current.record is None
        save(path, edited)
        yield lambda: steps.find_bar.count_words == "2 of 2"
        assert current_step(window) == 2
        assert detail.tabs.currentIndex() == 1
        yield lambda: "Another end of the log" in detail.json.toPlainText()
        assert steps.find_bar.field.text == "log"

    assert journey([path], script) == 0


def test_the_filter_narrows_list_counts_and_histogram(journey, tmp_path):
    raws = [make_raw(id=f"kp:trace:{n}", outcome={"confidence": n / 10}) for n in range(10)]
    raws[0]["metadata"] = {**raws[0]["metadata"], "task_domain": "code"}

    def script(window):
        yield ready(window)
        traces = window._traces
        traces._field.set_text("profile:code")
        yield lambda: traces._count.text() == "1 of 10"
        assert traces._histogram.sentence().startswith("1 scored: 1 below")
        traces.clear_filter()
        yield lambda: traces._count.text() == "10"

    assert journey([save(tmp_path / "a.jsonl", *raws)], script) == 0


def test_a_term_of_the_score_opens_its_evidence_which_leads_to_the_step(journey, tmp_path):
    def script(window):
        yield ready(window)
        chart = window._score.findChild(Waterfall)
        for key in ("Return", "Down", "Down", "Return"):
            chart.setFocus()
            QTest.keyClick(chart, getattr(Qt.Key, f"Key_{key}"))
        yield lambda: current_step(window) == 1
        assert window._detail.whole_text()

    assert journey([save(tmp_path / "a.json", make_raw())], script) == 0


def test_what_gives_a_recorded_score_is_said_beside_the_recomputed_one(journey, tmp_path):
    found = {}

    def look(window):
        yield ready(window)
        measurement = window._current.measured.measurement
        found["finance"] = assess(measurement, profile_for("finance"), 0.75).score
        assert not window._score._why._remarks.isVisible()

    def read(expected):
        def script(window):
            yield ready(window)
            remarks = window._score._why._remarks
            assert remarks.isVisible() and expected in remarks.accessibleDescription()

        return script

    def recording(score):
        raw = make_raw()
        raw["metadata"]["quality_score"] = score
        return save(tmp_path / "a.json", raw)

    assert journey([recording(0)], look) == 0
    profile = (
        "0.0597 above the recomputed one. Profile finance, profile code or novelty 0.6707 gives"
    )
    assert journey([recording(found["finance"])], read(profile)) == 0
    assert journey([recording(1)], read("No novelty in 0 to 1 gives this number")) == 0
