"""Putting two traces side by side in the window, from ``main`` to its exit status."""

import json
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QTabBar

from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import make_raw
from tests.user import idle, reads, trigger


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


def view(window):
    return user.find(window, QListView, "Steps side by side")


def sides(window):
    """The names of both sides, from what the comparison says of itself, if it is seen."""
    if not is_open(window):
        return None
    heads = [one for one in user.texts(window) if re.fullmatch(r".+, (accepted|rejected), .+", one)]
    return tuple(one.partition(",")[0] for one in heads[:2])


def is_open(window):
    steps = user.steps(window)
    return user.is_seen(window, QListView, "Steps side by side") and not steps.isVisible()


def compare(window):
    trigger(window, Command.COMPARE)
    yield lambda: is_open(window)


def comparison(window):
    """What is copied of it."""
    user.copied(window, Command.COPY_COMPARISON)
    yield lambda: bool(QGuiApplication.clipboard().text())
    return QGuiApplication.clipboard().text()


def take_off(window, name):
    user.go_to_row(window, name)
    trigger(window, Command.REMOVE)


@pytest.mark.slow
def test_two_rows_are_compared_walked_through_and_closed(tmp_path):
    window = yield from user.opened(*three(tmp_path), wide=True)
    user.select(window, "a", "b")
    assert "Compare a with b" in user.action(window, Command.COMPARE).toolTip()
    trigger(window, Command.COMPARE)
    yield lambda: is_open(window) and reads(window, "similar, as novelty")()
    assert sides(window) == ("a", "b")
    assert view(window).hasFocus()
    assert reads(window, "1 of 3")()
    for words in ("2 of 3", "3 of 3", "1 of 3"):
        trigger(window, Command.NEXT_DIFFERENCE)
        assert reads(window, words)()
    trigger(window, Command.PREVIOUS_DIFFERENCE)
    assert reads(window, "3 of 3")()
    copied = yield from comparison(window)
    assert "the pump fails at [-night-]" in copied and "the pump fails at {+noon+}" in copied
    trigger(window, Command.SWAP_SIDES)
    assert sides(window) == ("b", "a")
    QTest.keyClick(view(window), Qt.Key.Key_Escape)
    assert not is_open(window) and user.steps(window).hasFocus()
    assert not user.action(window, Command.NEXT_DIFFERENCE).isEnabled()
    assert not user.action(window, Command.CLOSE_COMPARISON).isEnabled()


@pytest.mark.slow
def test_the_tool_says_what_to_select(tmp_path):
    window = yield from user.opened(*three(tmp_path))
    compare, nearest = (
        user.action(window, one) for one in (Command.COMPARE, Command.COMPARE_NEAREST)
    )
    user.select(window, "a")  # the first one was compared with nothing
    assert not compare.isEnabled() and not nearest.isEnabled()
    assert "Select two traces to compare" in compare.toolTip()
    user.select(window, "a", "b", "c")
    assert not compare.isEnabled() and nearest.isEnabled()
    assert "Select two traces to compare" in compare.toolTip()
    user.select(window, "b")
    assert compare.isEnabled() and nearest.isEnabled()
    assert "Compare with a, which set the novelty of this trace" in compare.toolTip()
    trigger(window, Command.CLOSE_ALL)
    assert not compare.isEnabled() and not nearest.isEnabled()


@pytest.mark.slow
def test_a_row_is_compared_with_the_trace_that_set_its_novelty(tmp_path):
    window = yield from user.opened(*three(tmp_path), wide=True)
    user.go_to_row(window, "b")
    trigger(window, Command.NEIGHBOURS)
    (set_by,) = user.table(window, "Nearest remembered traces")
    yield from compare(window)
    assert sides(window) == ("b", "a")
    yield reads(window, "similar, as novelty")
    similarity = set_by[-1].partition(",")[0]
    assert user.description(window, "Remarks") == (
        f"The texts are {similarity} similar, as novelty reads them."
    )
    assert user.table(window, "Dimensions of both traces")
    user.choose_in(window, "Profile", "medical")
    yield lambda: user.trace_row(window, "a")["Profile"] == "medical"
    assert sides(window) == ("b", "a")
    score = user.trace_row(window, "a")["Score"]
    assert user.table(window, "Dimensions of both traces")[-1][2] == score
    user.go_to_row(window, "c")
    assert not is_open(window) and user.steps(window).isVisible()


@pytest.mark.slow
def test_a_neighbour_whose_file_was_changed_is_told(tmp_path):
    paths = three(tmp_path)
    window = yield from user.opened(*paths, wide=True)
    take_off(window, "a")
    save(tmp_path, a=raw("a", "all is different now"))
    user.go_to_row(window, "b")
    trigger(window, Command.COMPARE_NEAREST)
    yield lambda: is_open(window)
    compare = view(window).parentWidget().parentWidget()
    said = user.description(compare, "Remarks")
    assert "a has changed since it was remembered; this is its text now." in said
    assert "measured against today's memory, and not remembered" in said
    assert reads(window, "3 remembered")()


@pytest.mark.slow
def test_a_neighbour_that_is_not_open_is_opened_or_said_to_be_gone(tmp_path):
    paths = three(tmp_path)
    window = yield from user.opened(*paths)
    take_off(window, "a")
    user.go_to_row(window, "b")
    yield from compare(window)
    trigger(window, Command.SWAP_SIDES)
    QTest.keyClick(view(window), user.RETURN)  # a step of it
    yield lambda: user.current_name(window) == "a"
    assert not is_open(window)
    yield idle(window)
    take_off(window, "a")
    paths[0].unlink()
    user.go_to_row(window, "b")
    trigger(window, Command.COMPARE)
    yield reads(window, f"a cannot be compared: its file is gone, {paths[0]}.")
    assert not is_open(window) and user.steps(window).isVisible()


@pytest.mark.slow
def test_a_step_is_gone_to_from_the_comparison(tmp_path):
    window = yield from user.opened(*three(tmp_path))
    user.select(window, "a", "b")
    for row, name, step in ((4, "b", 3), (2, "a", 1)):  # the former is only in b
        user.select(window, "a", "b")
        yield from compare(window)
        QTest.keyClick(view(window), Qt.Key.Key_Home)
        for _ in range(row):
            QTest.keyClick(view(window), Qt.Key.Key_Down)
        QTest.keyClick(view(window), user.RETURN)
        assert not is_open(window)
        assert (user.current_name(window), user.current_step(window)) == (name, step)


def test_a_search_of_the_steps_ends_the_comparison(tmp_path):
    window = yield from user.opened(*three(tmp_path))
    for rows in ("a", "b"), ("b",):
        user.select(window, *rows)
        yield from compare(window)
        trigger(window, Command.FIND)
        assert user.steps(window).isVisible() and user.focused().isVisible()
        assert isinstance(user.focused(), QLineEdit)


@pytest.mark.slow
def test_a_comparison_goes_on_in_a_narrow_window_and_begins_by_the_menu_of_a_row(tmp_path):
    window = yield from user.opened(*three(tmp_path))
    user.select(window, "a", "b")
    window.resize(1000, 700)
    for command in (Command.WHY, Command.CLOSE_COMPARISON):
        yield from compare(window)
        assert not user.is_seen(window, QTabBar, "Score")
        trigger(window, command)
        assert user.is_seen(window, QTabBar, "Score") and user.steps(window).isVisible()
    user.go_to_row(window, "b")
    user.choose(user.context_menu(user.trace_list(window)), "Compare Selected")
    yield lambda: is_open(window)


@pytest.mark.slow
def test_an_edit_is_followed_while_two_traces_stand_side_by_side(tmp_path):
    paths = three(tmp_path)
    window = yield from user.opened(*paths, wide=True)
    user.select(window, "a", "b")
    yield from compare(window)
    save(tmp_path, b=raw("a", "look at the log", "the pump fails at night", "same"))
    trigger(window, Command.RELOAD)
    yield reads(window, "0 differences")
    assert is_open(window)
    yield idle(window)
    assert is_open(window)
