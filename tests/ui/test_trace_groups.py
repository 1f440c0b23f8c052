"""The list under headings: what stands where, what folds, and what headings never are."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from kpinspector.app.document import Document, State
from kpinspector.ui.traces.list_rows import Grouping
from kpinspector.ui.traces.trace_model import TraceModel, TraceRole
from kpinspector.ui.traces.trace_pane import TracePane
from kpinspector.ui.traces.trace_row import TraceColumn
from tests import user
from tests.known import present
from tests.ui.batches import picture_of
from tests.ui.documents import pending, problem, score, scored
from tests.ui.windows import shown_documents

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal
LEFT, RIGHT, DOWN, RETURN = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def five() -> tuple[Document, ...]:
    """Accepted, rejected, pending, accepted, and no trace."""
    return (
        scored(0, "/t/a.json", value=0.5),
        scored(1, "/t/b.json", value=0.0, confidence=0.4),
        pending(2, "/t/c.json", confidence=0.7),
        scored(3, "/t/d.json", value=0.9),
        problem(4, "/t/e.json"),
    )


@pytest.fixture
def pane(qtbot) -> TracePane:
    pane = TracePane()
    qtbot.addWidget(pane)
    QAbstractItemModelTester(pane.model, FATAL, pane)
    pane.resize(352, 800)
    with qtbot.waitExposed(pane):
        pane.show()
    pane.add_documents(five())
    pane.table.setFocus()
    return pane


def lines(model: TraceModel) -> list[str]:
    """What is read out for headings, and the names of documents."""

    def line(row: int) -> str:
        index = model.index(row, TraceColumn.TRACE)
        spoken = Qt.ItemDataRole.AccessibleTextRole
        selectable = index.flags() & Qt.ItemFlag.ItemIsSelectable
        return f"- {index.data()}" if selectable else str(index.data(spoken))

    return [line(row) for row in range(model.rowCount())]


def press(qtbot, pane: TracePane, *keys: Qt.Key) -> None:
    for key in keys:
        qtbot.keyClick(pane.table, key)


def selected(pane: TracePane) -> list[str]:
    return [one.name for one in pane.selected_documents()]


def test_rows_stand_under_their_verdicts(pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    assert lines(pane.model) == [
        "Accepted, 2 rows", "- a", "- d",
        "Rejected, 1 row", "- b",
        "Pending, 1 row", "- c",
        "Not readable, 1 row", "- e",
    ]  # fmt: skip
    pane.group_by(Grouping.NONE)
    assert lines(pane.model) == ["- a", "- b", "- c", "- d", "- e"]


def test_rows_stand_under_what_they_can_reach(pane: TracePane) -> None:
    pane.group_by(Grouping.REACH)
    assert lines(pane.model) == [
        "Passes, 2 rows", "- a", "- d",
        "Passes with a better outcome, 1 row", "- b",
        "Not scored yet, 1 row", "- c",
        "No trace, 1 row", "- e",
    ]  # fmt: skip


def test_without_groups_it_is_said_what_is_missing(pane: TracePane) -> None:
    pane.group_by(Grouping.GROUP)
    missing = "Not compared yet: groups are found on the Batch page"
    assert lines(pane.model)[0] == f"{missing}, 4 rows"
    pane.set_batch(picture_of([*five()[:2], five()[3]], groups=((0, 2),)))
    assert lines(pane.model) == [
        "Group 1, 2 rows", "- a", "- d",
        "Alone: like no other, 1 row", "- b",
        f"{missing}, 1 row", "- c",
        "No trace, 1 row", "- e",
    ]  # fmt: skip
    pane.set_batch(None)
    assert lines(pane.model)[0] == f"{missing}, 4 rows"


def test_a_column_sorts_within_each_section(pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.table.sortByColumn(TraceColumn.SCORE, Qt.SortOrder.DescendingOrder)
    assert lines(pane.model)[:5] == ["Accepted, 2 rows", "- d", "- a", "Rejected, 1 row", "- b"]


def test_a_row_moves_to_its_section_and_the_filter_empties_others(pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.update_documents([score(five()[2], 1.0)])
    assert lines(pane.model)[:4] == ["Accepted, 3 rows", "- a", "- c", "- d"]
    user.filter_field(pane).setText("state:rejected")
    assert lines(pane.model) == ["Rejected, 1 row", "- b"]
    pane.remove([1])
    assert lines(pane.model) == [] and user.reads(pane, "No trace matches")()


def test_keys_fold_and_unfold_and_what_is_shown_stays(qtbot, pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.set_current(3)
    with qtbot.assertNotEmitted(pane.current_changed):
        press(qtbot, pane, LEFT)
    assert lines(pane.model)[:2] == ["Accepted, 2 rows, folded", "Rejected, 1 row"]
    assert present(pane.table.current_document()).name == "d" and selected(pane) == []
    press(qtbot, pane, RIGHT)
    assert lines(pane.model)[:3] == ["Accepted, 2 rows", "- a", "- d"] and selected(pane) == ["d"]
    press(qtbot, pane, RETURN, RETURN, Qt.Key.Key_Space)
    assert lines(pane.model)[0] == "Accepted, 2 rows, folded"
    press(qtbot, pane, DOWN, DOWN)
    assert selected(pane) == ["b"]


def test_going_over_a_heading_leaves_the_selection(qtbot, pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.set_current(3)
    heard: list[Document] = []
    pane.current_changed.connect(heard.append)
    press(qtbot, pane, DOWN)
    assert pane.table.currentIndex().data() == "Rejected" and selected(pane) == ["d"]
    press(qtbot, pane, DOWN)
    assert [one.name for one in heard] == ["b"] and selected(pane) == ["b"]


def test_next_and_previous_pass_over_headings(pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.set_current(0)
    found = []
    for by in (1, 1, 1, 1, 1, -1, -1, -1, -1, -1):
        found.append(present(pane.table.current_document()).name)
        pane.go(by)
    assert found == ["a", "d", "b", "c", "e", "e", "c", "b", "d", "a"]


def test_all_that_is_selected_is_documents(qtbot, pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.set_current(0)
    pane.table.selectAll()
    assert selected(pane) == ["a", "d", "b", "c", "e"]
    pane.set_current(0)
    shift = Qt.KeyboardModifier.ShiftModifier
    for _ in range(3):
        qtbot.keyClick(pane.table, DOWN, shift)
    assert selected(pane) == ["a", "d", "b"]
    pane.group_by(Grouping.REACH)
    assert selected(pane) == ["a", "d", "b"]


def test_a_click_on_a_heading_folds_it_and_it_has_no_menu(qtbot, pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.set_current(1)
    table = pane.table
    place = table.visualRect(pane.model.index(0, TraceColumn.SCORE)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert lines(pane.model)[:2] == ["Accepted, 2 rows, folded", "Rejected, 1 row"]
    assert selected(pane) == ["b"]
    table.menu.addAction("Remove")
    for reason in (QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard):
        QApplication.sendEvent(table.viewport(), QContextMenuEvent(reason, place, QPoint()))
        assert not table.menu.isVisible()


def test_a_row_that_is_asked_for_is_unfolded(qtbot, pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.set_current(0)
    press(qtbot, pane, LEFT)
    pane.show_row(3)
    assert selected(pane) == ["d"]
    pane.set_current(1)
    press(qtbot, pane, LEFT)
    user.filter_field(pane).setText("state:accepted")
    pane.show_row(1)
    assert selected(pane) == ["b"] and user.filter_field(pane).text() == ""


def test_removing_what_is_folded_goes_to_a_row_that_is_shown(qtbot, pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    pane.set_current(1)
    press(qtbot, pane, LEFT)
    pane.remove([1])
    assert present(pane.table.current_document()).name == "c" and selected(pane) == ["c"]
    press(qtbot, pane, Qt.Key.Key_Home)
    pane.remove([2])
    assert present(pane.table.current_document()).name == "a"


def test_what_it_is_grouped_by_is_kept_and_chosen_in_a_menu(qtbot, pane: TracePane) -> None:
    with qtbot.waitSignal(pane.columns_changed):
        user.choose(pane.grouping_menu, "Reach")
    state = pane.columns_state()
    other = TracePane()
    qtbot.addWidget(other)
    other.restore_columns(state)
    assert other.model.grouping == "reach"
    assert [one.text() for one in other.grouping_menu.actions() if one.isChecked()] == ["&Reach"]
    other.restore_columns("state,trace,by:nonsense")
    assert other.model.grouping == ""


def test_headings_are_painted_in_every_state(qtbot, pane: TracePane) -> None:
    pane.group_by(Grouping.VERDICT)
    unfolded = pane.table.viewport().grab().toImage()
    pane.set_current(0)
    press(qtbot, pane, LEFT)
    assert pane.table.viewport().grab().toImage() != unfolded


ACTS = st.one_of(
    st.tuples(st.just("put"), st.tuples(st.integers(0, 9), st.floats(0, 1))),
    st.tuples(st.just("remove"), st.integers(0, 9)),
    st.tuples(st.just("sort"), st.sampled_from([-1, TraceColumn.SCORE, TraceColumn.TRACE])),
    st.tuples(st.just("text"), st.sampled_from(["", "state:accepted", "reach:outcome,novelty"])),
    st.tuples(st.just("group"), st.sampled_from(Grouping)),
    st.tuples(st.just("batch"), st.lists(st.integers(0, 9), unique=True)),
    st.tuples(st.just("fold"), st.integers(0, 20)),
)


def put(model: TraceModel, value) -> None:
    number, novelty = value
    row = scored(number, f"/t/{number}.json", value=novelty, confidence=0.6)
    known = model.document(number) is not None
    (model.update_documents if known else model.add_documents)([row])


def batch(model: TraceModel, numbers) -> None:
    rows = [row for row in map(model.document, numbers) if row is not None]
    model.set_batch(picture_of(rows, groups=(tuple(range(len(rows))),) if rows else ()))


def fold(model: TraceModel, place: int) -> None:
    for heading in headings(model)[place : place + 1]:
        model.fold(heading, folded=not heading.folded)


ACT: dict[str, Callable[[TraceModel, Any], None]] = {
    "put": put,
    "remove": lambda model, number: model.remove([number]),
    "sort": TraceModel.sort,
    "text": TraceModel.set_text,
    "group": TraceModel.set_grouping,
    "batch": batch,
    "fold": fold,
}


def headings(model: TraceModel) -> list:
    rows = (model.heading_row(row) for row in range(model.rowCount()))
    numbers = dict.fromkeys(row for row in rows if row >= 0)
    return [model.index(row, 0).data(TraceRole.HEADING) for row in numbers]


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(st.lists(ACTS, max_size=14))
def test_whatever_happens_every_row_stands_once_under_its_own_heading(done) -> None:
    model = TraceModel()
    QAbstractItemModelTester(model, FATAL, model)
    for name, value in done:
        ACT[name](model, value)
    for heading in headings(model):
        if heading.folded:
            model.fold(heading, folded=False)
    shown = shown_documents(model)
    numbers = [one.number for one in shown]
    assert len(set(numbers)) == len(numbers) == sum(model.counts.states().values())
    if model.grouping is Grouping.NONE:
        assert not headings(model)
        return
    assert sum(one.count for one in headings(model)) == len(shown)
    assert all(one.count for one in headings(model))
    if model.grouping is Grouping.VERDICT:
        places = [[*State].index(one.state) for one in shown]
        assert places == sorted(places)
