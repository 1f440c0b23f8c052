"""Putting two traces side by side in the window, from ``main`` to its exit status."""

import json

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.ui.actions.actions import Command
from tests.e2e.driving import drop, idle, names, says, trigger
from tests.fakes import make_raw


def raw(name, *thoughts, **changes):
    steps = [{"step_id": n, "type": "thought", "content": one} for n, one in enumerate(thoughts)]
    return make_raw(id=f"kp:trace:{name}", task={"objective": name}, steps=steps, **changes)


def save(folder, **raws):
    paths = []
    for name, one in raws.items():
        paths.append(folder / f"{name}.json")
        paths[-1].write_text(json.dumps(one), encoding="utf-8")
    return paths


def three(folder):
    return save(
        folder,
        a=raw("a", "look at the log", "the pump fails at night", "same"),
        b=raw("b", "look at the log", "the pump fails at noon", "same", "order a part"),
        c=raw("c", "nothing of the kind"),
    )


def ready(window):
    documents = window._session.documents
    return bool(documents) and all(one.measured for one in documents)


def choose(window, *names):
    """Select rows by name; the last one is the current row."""
    table = window._traces.table
    numbers = {one.name: one.number for one in window._session.documents}
    window._traces.set_current(numbers[names[-1]])
    for name in names[:-1]:
        row = window._traces.model.row_of(numbers[name])
        index = window._traces.filter.mapFromSource(window._traces.model.index(row, 0))
        flags = QItemSelectionModel.SelectionFlag
        table.selectionModel().select(index, flags.Select | flags.Rows)
    assert {one.name for one in table.selected_documents()} == set(names)


def sides(window):
    shown = window._comparing._shown
    return None if shown is None else (shown.left.name, shown.right.name)


def is_open(window):
    return window._compare.isVisible() and not window._steps.isVisible()


def test_two_rows_are_compared_walked_through_and_closed(journey, tmp_path):
    def script(window):
        yield lambda: ready(window)
        choose(window, "a", "b")
        assert "Compare a with b" in window._actions[Command.COMPARE].toolTip()
        trigger(window, Command.COMPARE)
        yield lambda: is_open(window) and window._comparing._shown.similarity is not None
        pane = window._compare
        assert sides(window) == ("a", "b")
        assert pane.view.hasFocus()
        assert pane.place_words == "1 of 3"
        for words in ("2 of 3", "3 of 3", "1 of 3"):
            trigger(window, Command.NEXT_DIFFERENCE)
            assert pane.place_words == words
        trigger(window, Command.PREVIOUS_DIFFERENCE)
        assert pane.place_words == "3 of 3"
        QGuiApplication.clipboard().clear()
        trigger(window, Command.COPY_COMPARISON)
        yield lambda: bool(QGuiApplication.clipboard().text())
        copied = QGuiApplication.clipboard().text()
        assert "the pump fails at [-night-]" in copied and "the pump fails at {+noon+}" in copied
        trigger(window, Command.SWAP_SIDES)
        assert sides(window) == ("b", "a")
        QTest.keyClick(pane.view, Qt.Key.Key_Escape)
        assert not is_open(window) and window._steps.isVisible()
        assert window._steps.tree.hasFocus()
        assert not window._actions[Command.NEXT_DIFFERENCE].isEnabled()
        assert not window._actions[Command.CLOSE_COMPARISON].isEnabled()

    assert journey(three(tmp_path), script) == 0


def test_the_tool_says_what_to_select(journey, tmp_path):
    def script(window):
        yield lambda: ready(window)
        compare, nearest = (
            window._actions[one] for one in (Command.COMPARE, Command.COMPARE_NEAREST)
        )
        choose(window, "a")  # the first one was compared with nothing
        assert not compare.isEnabled() and not nearest.isEnabled()
        assert "Select two traces to compare" in compare.toolTip()
        choose(window, "a", "b", "c")
        assert not compare.isEnabled() and nearest.isEnabled()
        assert "Select two traces to compare" in compare.toolTip()
        choose(window, "b")
        assert compare.isEnabled() and nearest.isEnabled()
        assert "Compare with a, which set the novelty of this trace" in compare.toolTip()
        window._session.remove([one.number for one in window._session.documents])
        assert not compare.isEnabled() and not nearest.isEnabled()

    assert journey(three(tmp_path), script) == 0


def test_a_row_is_compared_with_the_trace_that_set_its_novelty(journey, tmp_path):
    paths = three(tmp_path)

    def script(window):
        yield lambda: ready(window)
        choose(window, "b")
        trigger(window, Command.COMPARE)
        yield lambda: is_open(window) and window._comparing._shown.similarity is not None
        shown = window._comparing._shown
        assert sides(window) == ("b", "a")
        near = window._current.measured.measurement.novelty.neighbours[0]
        assert abs(shown.similarity - near.similarity) < 1e-6
        assert shown.remarks == ()
        assert shown.differences is not None
        window._session.set_rules(window._session.rules.__class__(PROFILES[2], 0.5))
        assert window._comparing._shown.right.assessment.profile is PROFILES[2]
        choose(window, "c")
        assert not is_open(window) and window._steps.isVisible()

    assert journey(paths, script) == 0


def test_a_neighbour_whose_file_was_changed_is_told(journey, tmp_path):
    paths = three(tmp_path)

    def script(window):
        yield lambda: ready(window)
        remembered = window._session.remembered.state.remembered
        number = next(one.number for one in window._session.documents if one.name == "a")
        window._session.remove([number])
        save(tmp_path, a=raw("a", "all is different now"))
        choose(window, "b")
        trigger(window, Command.COMPARE_NEAREST)
        yield lambda: is_open(window)
        said = window._compare.notes.accessibleDescription()
        assert "a has changed since it was remembered; this is its text now." in said
        assert "measured against today's memory, and not remembered" in said
        assert window._session.remembered.state.remembered == remembered

    assert journey(paths, script) == 0


def test_a_neighbour_whose_file_is_gone_is_said_and_nothing_opens(journey, tmp_path):
    paths = three(tmp_path)

    def script(window):
        yield lambda: ready(window)
        number = next(one.number for one in window._session.documents if one.name == "a")
        window._session.remove([number])
        paths[0].unlink()
        choose(window, "b")
        trigger(window, Command.COMPARE)
        wanted = f"a cannot be compared: its file is gone, {paths[0]}."
        yield says(window, wanted)
        assert not is_open(window) and window._steps.isVisible()

    assert journey(paths, script) == 0


def test_a_step_is_gone_to_from_the_comparison(journey, tmp_path):
    def script(window):
        yield lambda: ready(window)
        choose(window, "a", "b")
        trigger(window, Command.COMPARE)
        yield lambda: is_open(window)
        view = window._compare.view
        view.go_to_row(4)  # only in b
        QTest.keyClick(view, Qt.Key.Key_Return)
        assert not is_open(window)
        assert window._current.name == "b"
        assert window._steps.current_step().index == 3
        choose(window, "a", "b")
        trigger(window, Command.COMPARE)
        yield lambda: is_open(window)
        view.go_to_row(2)
        QTest.keyClick(view, Qt.Key.Key_Return)
        assert window._current.name == "a"
        assert window._steps.current_step().index == 1

    assert journey(three(tmp_path), script) == 0


def test_a_step_of_a_trace_that_is_not_open_opens_its_file(journey, tmp_path):
    paths = three(tmp_path)

    def script(window):
        yield lambda: ready(window)
        number = next(one.number for one in window._session.documents if one.name == "a")
        window._session.remove([number])
        choose(window, "b")
        trigger(window, Command.COMPARE)
        yield lambda: is_open(window)
        trigger(window, Command.SWAP_SIDES)
        QTest.keyClick(window._compare.view, Qt.Key.Key_Return)
        yield lambda: window._current.name == "a"
        assert not is_open(window)

    assert journey(paths, script) == 0


def test_a_comparison_goes_on_in_a_narrow_window(journey, tmp_path):
    def script(window):
        yield lambda: ready(window)
        choose(window, "a", "b")
        window.resize(1000, 700)
        trigger(window, Command.COMPARE)
        yield lambda: is_open(window)
        assert not window._score.isVisible()
        trigger(window, Command.CLOSE_COMPARISON)
        assert window._score.isVisible() and window._steps.isVisible()

    assert journey(three(tmp_path), script) == 0


def test_an_edit_is_followed_while_two_traces_stand_side_by_side(journey, tmp_path):
    paths = three(tmp_path)

    def script(window):
        yield lambda: ready(window)
        choose(window, "a", "b")
        trigger(window, Command.COMPARE)
        yield lambda: is_open(window)
        save(tmp_path, b=raw("a", "look at the log", "the pump fails at night", "same"))
        trigger(window, Command.RELOAD)
        yield lambda: window._compare.place_words == "0 differences"
        assert is_open(window)
        yield idle(window)
        assert is_open(window)

    assert journey(paths, script) == 0


def test_the_menu_of_a_row_compares(journey, tmp_path):
    def script(window):
        yield lambda: ready(window)
        choose(window, "b")
        compare = window._actions[Command.COMPARE]
        assert compare in window._traces.table.menu.actions()
        compare.trigger()
        yield lambda: is_open(window)

    assert journey(three(tmp_path), script) == 0


def test_a_file_that_is_dropped_beside_a_trace_is_compared_with_it_and_not_opened(
    journey, tmp_path
):
    first, second, _ = three(tmp_path)

    def script(window):
        window.resize(1440, 900)
        yield lambda: ready(window) and window._layout.beside() is not None
        place = window._layout.beside()
        drop(window, second, at=(place.center().x(), place.center().y()))
        yield lambda: sides(window) == ("a", "b")
        assert is_open(window) and names(window) == ["a"]
        window._session.comparisons.close()
        drop(window, second)
        yield lambda: names(window) == ["a", "b"]
        yield idle(window)

    assert journey([first], script) == 0
