import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.measure import Reach
from kpinspector.trace.model import StepType
from kpinspector.ui.step_model import StepColumn, StepRole
from kpinspector.ui.step_pane import StepPane
from kpinspector.ui.theme import colours
from tests.ui.documents import STEPS, pending, problem, score, scored

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


@pytest.fixture
def pane(qtbot) -> StepPane:
    pane = StepPane()
    qtbot.addWidget(pane)
    pane.testers = [QAbstractItemModelTester(m, FATAL) for m in (pane.tree.steps, pane.tree.filter)]
    pane.resize(636, 500)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


def reach(step: int | None) -> Reach:
    return Reach(tokens=512, truncated=True, ends_at_step=step)


def visible(pane: StepPane) -> list[str]:
    """The rows that can be seen, by step number; "-" is the window's end, "o" the objective."""
    tree, found = pane.tree, []
    index = tree.model().index(0, StepColumn.KIND)
    while index.isValid():
        row = index.data(StepRole.ROW)
        found.append(str(row.step.index) if row.step else {"objective": "o"}.get(row.kind, "-"))
        index = tree.indexBelow(index)
    return found


def heard(pane: StepPane) -> list[int | None]:
    found: list[int | None] = []
    pane.step_selected.connect(lambda step: found.append(step and step.index))
    return found


def test_a_trace_is_shown_from_its_objective(pane: StepPane) -> None:
    said = heard(pane)
    pane.set_document(scored(0, reach=reach(1)))
    assert visible(pane) == ["o", "0", "1", "-", "2", "3"]
    assert said == [None]
    assert pane.header.title == "Review the potassium trend"
    facts = "visit-03.json, medical, succeeded, confidence 0.97, network, aggregated"
    assert pane.header.facts.replace("  ·  ", ", ") == facts


def test_keys_pass_over_the_window_line(qtbot, pane: StepPane) -> None:
    pane.set_document(scored(0, reach=reach(1)))
    said = heard(pane)
    for _ in range(4):
        qtbot.keyClick(pane.tree, Qt.Key.Key_Down)
    assert said == [0, 1, 2, 3]
    qtbot.keyClick(pane.tree, Qt.Key.Key_Home)
    assert said[-1] is None


def test_branches_close_by_key(qtbot, pane: StepPane) -> None:
    pane.set_document(scored(0, reach=reach(2)))
    pane.select_step(pane.tree.steps._trace.steps[1])
    qtbot.keyClick(pane.tree, Qt.Key.Key_Minus)
    assert visible(pane) == ["o", "0", "1", "-", "3"]
    qtbot.keyClick(pane.tree, Qt.Key.Key_Plus)
    assert visible(pane) == ["o", "0", "1", "2", "-", "3"]


def test_a_measurement_moves_nothing(pane: StepPane) -> None:
    before = pending(0, steps=STEPS * 40)
    pane.set_document(before)
    steps = before.record.trace.steps
    pane.tree.collapse(pane.tree._index_of(steps[5]).siblingAtColumn(0))
    pane.select_step(steps[60])
    place = pane.tree.verticalScrollBar().value()
    said = heard(pane)
    after = score(before, 0.5, reach=reach(100))
    pane.set_document(after)
    assert said == []
    assert pane.current_step() is steps[60]
    assert pane.tree.verticalScrollBar().value() == place
    assert "6" not in visible(pane) and "-" in visible(pane)
    pane.set_document(after)
    assert "-" in visible(pane)


def test_another_trace_starts_anew(pane: StepPane) -> None:
    pane.set_document(scored(0))
    pane._field.set_text("no such text")
    pane._chips.choose(StepType.THOUGHT)
    pane.set_document(scored(1))
    assert visible(pane) == ["o", "0", "1", "2", "3"]
    assert pane._chips.chosen == "all"
    assert pane._field.text == ""
    pane.set_document(problem(2))
    assert visible(pane) == []
    assert pane.current_step() is None
    pane.set_document(None)
    pane.grab()


def test_chips_filter_by_kind_and_count(pane: StepPane) -> None:
    pane.set_document(scored(0))
    assert pane._chips.chip(StepType.TOOL_CALL).accessibleName() == "Tool call, 1"
    pane._chips.choose(StepType.OBSERVATION)
    assert visible(pane) == ["1", "2"]
    pane._chips.choose("all")
    assert visible(pane) == ["o", "0", "1", "2", "3"]


def test_find_follows_the_typing(qtbot, pane: StepPane) -> None:
    document = scored(0)
    pane.set_document(document)
    pane.select_step(document.record.trace.steps[2])
    said = heard(pane)
    pane.focus_find()
    qtbot.keyClicks(pane._field.edit, "K 5")
    qtbot.waitUntil(lambda: visible(pane) == ["1", "2"])
    assert pane.current_step() is document.record.trace.steps[2]
    qtbot.keyClicks(pane._field.edit, " no")
    qtbot.waitUntil(lambda: pane._stack.currentIndex() == 1)
    pane.clear_filter()
    assert visible(pane) == ["o", "0", "1", "2", "3"]
    assert said == []


def test_return_goes_from_the_search_to_the_tree(qtbot, pane: StepPane) -> None:
    pane.set_document(scored(0))
    pane.activateWindow()
    pane.focus_find()
    qtbot.keyClicks(pane._field.edit, "lab")
    qtbot.keyClick(pane._field.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(pane.tree.hasFocus)
    assert visible(pane) == ["3"]
    assert pane.current_step().index == 3


def test_narrow_gives_a_list_of_kinds(qtbot, pane: StepPane) -> None:
    pane.set_document(scored(0))
    assert pane._kinds.isHidden()
    pane.resize(420, 500)
    assert pane.width() == 420
    assert pane._chips.isHidden() and not pane._kinds.isHidden()
    row = pane._kinds.findData(StepType.OBSERVATION)
    assert pane._kinds.itemText(row) == "Observation 1"
    pane._kinds.activated.emit(row)
    assert visible(pane) == ["1", "2"]
    pane.grab()


def test_rail_and_line_are_painted(pane: StepPane) -> None:
    pane.set_document(scored(0, reach=reach(1)))
    novelty = colours(pane.palette()).novelty
    image = pane.tree.viewport().grab().toImage()
    height = pane.tree.visualRect(pane.tree.model().index(0, 0)).height()

    def rail(row: int) -> QColor:
        return image.pixelColor(1, row * height + height // 4)

    assert [rail(row) == novelty for row in range(6)] == [True, True, True, True, False, False]
    line = [image.pixelColor(x, 3 * height + (height - 1) // 2) for x in range(400, 600)]
    assert novelty in line and line.count(novelty) < len(line)


def test_no_rail_while_the_window_is_not_known(pane: StepPane) -> None:
    pane.set_document(pending(0))
    image = pane.tree.viewport().grab().toImage()
    novelty = colours(pane.palette()).novelty
    assert all(image.pixelColor(1, y) != novelty for y in range(image.height()))


def test_the_tree_is_read_out(pane: StepPane) -> None:
    pane.set_document(scored(0, reach=reach(1)))
    tree = QAccessible.queryAccessibleInterface(pane.tree)
    assert tree.role() == QAccessible.Role.Tree
    assert tree.text(QAccessible.Text.Name) == "Steps"
    described = tree.text(QAccessible.Text.Description)
    assert described == "Embedding window ends here, token 512: novelty sees nothing below"
    for control in (pane._field.edit, pane._kinds):
        assert QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name)


def test_hostile_steps_are_painted_as_text(pane: StepPane) -> None:
    nasty = "<table><img src='http://example.invalid/x.png'>\x00\u202e\u05d0\r\x1b\ufdd0" * 20
    steps = [
        {"type": nasty, "content": nasty, "tool": {"name": nasty}},
        {"type": "tool_call", "tool": {}, "input": {nasty: [nasty]}, "latency_ms": 10**400},
        {"type": ["thought"], "tool": True, "latency_ms": -1},
        {"content": "x" * 20_000_000},
        {},
    ]
    pane.set_document(scored(0, steps=steps, objective=nasty, domain=nasty))
    pane.grab()
    assert "\x00" not in pane.header.title
    assert "\n" not in pane.header.facts


def test_empty_parts_have_words(pane: StepPane) -> None:
    document = scored(0, steps=[], objective="", domain="")
    pane.set_document(document)
    assert pane.header.title == "No objective"
    assert "no domain" in pane.header.facts
    assert visible(pane) == ["o"]


def test_another_font_gives_higher_rows(pane: StepPane) -> None:
    pane.set_document(scored(0))
    index = pane.tree.model().index(1, 1)
    before = pane.tree.visualRect(index).height()
    font = pane.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    pane.setFont(font)
    pane.grab()
    assert pane.tree.visualRect(index).height() > before


def test_the_longest_word_fits_at_any_size(pane: StepPane) -> None:
    pane.set_document(scored(0))
    for ratio in (1, 1.5, 2):
        font = QApplication.font()
        font.setPointSizeF(font.pointSizeF() * ratio)
        pane.setFont(font)
        column = pane.tree.columnWidth(StepColumn.KIND)
        assert column > pane.tree.fontMetrics().horizontalAdvance("Observation") + 2 * 18 * ratio


def test_thirty_thousand_steps_are_shown(qtbot) -> None:
    pane = StepPane()  # the tester would take minutes over so many
    qtbot.addWidget(pane)
    pane.resize(636, 500)
    pane.set_document(scored(0, steps=STEPS * 7500, reach=reach(15_000)))
    pane.grab()
    last = pane.tree.steps._trace.steps[-1]
    pane.select_step(last)
    assert pane.tree.visualRect(pane.tree.currentIndex()).isValid()
    assert pane.tree.columnWidth(StepColumn.NUMBER) > 38
