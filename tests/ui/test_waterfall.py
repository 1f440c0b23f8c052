"""The waterfall: its terms open what they rest on."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from kpinspector.app.answers import explanation_of
from kpinspector.scoring.findings import Neighbour
from kpinspector.ui.look.theme import TextRole
from kpinspector.ui.score.score_tables import NeighboursWish, StepWish
from kpinspector.ui.score.waterfall import Waterfall
from tests.ui.documents import pending, scored, with_neighbours

RECOVERIES = [
    {"type": "error_recovery", "content": str(number), "tool": {"name": "retry"}}
    for number in range(12)
]


@pytest.fixture
def waterfall(qtbot):
    made = Waterfall()
    tester = QAbstractItemModelTester(
        made.figures, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    qtbot.addWidget(made)
    yield made
    assert tester.model() is made.figures


def outline(waterfall):
    rows = waterfall.figures.rows
    return [" ".join(cell.text for cell in row.cells if cell.text) for row in rows]


def open_term(waterfall, name):
    row = next(row for row in waterfall.figures.rows if row.cells[1].text == name)
    waterfall.row_activated.emit(row.wish)


def opened(waterfall, closed):
    """The rows that are new."""
    return [line for line in outline(waterfall) if line not in closed]


def test_each_term_opens_what_it_rests_on(waterfall):
    near = [Neighbour(f"k{n}", None, "obj", f"/t/visit-{n}.json", 0.9 - n / 10) for n in range(4)]
    waterfall.set_explanation(explanation_of(with_neighbours(scored(1, value=0.1), near)))
    closed = outline(waterfall)
    open_term(waterfall, "Complexity")
    assert opened(waterfall, closed) == [
        "Step 0 Thought, new type",
        "Step 1 Tool call, ehr.read, new type",
        "Step 2 Observation, new type",
        "Step 3 Recovery, lab.query, new type, recovery",
    ]
    open_term(waterfall, "Tool diversity")
    assert opened(waterfall, closed) == [
        "Step 1 Tool call, ehr.read, first use",
        "Step 3 Recovery, lab.query, first use",
    ]
    open_term(waterfall, "Novelty")
    assert opened(waterfall, closed) == ["visit-0 0.9000", "visit-1 0.8000", "visit-2 0.7000"]
    open_term(waterfall, "Outcome")
    assert opened(waterfall, closed) == ["confidence 0.97, succeeded"]
    open_term(waterfall, "Outcome")
    assert outline(waterfall) == closed


def test_every_name_is_whole_beside_its_chevron(qtbot, waterfall):
    waterfall.resize(408, 300)  # what the panel has at its usual width
    waterfall.set_explanation(explanation_of(scored(1, steps=RECOVERIES)))
    waterfall.show()
    metrics = waterfall.cells.metrics[TextRole.BODY]
    names = [row.cells[1].text for row in waterfall.figures.rows[1:]]
    assert "Recovery bonus" in names
    for name in names:
        assert metrics.horizontalAdvance(name) <= waterfall.columnWidth(1), name
    assert all(row.cells[0].picture for row in waterfall.figures.rows[1:])


def test_an_override_opens_its_steps_and_says_how_many_there_are(waterfall):
    waterfall.set_explanation(explanation_of(scored(1, steps=RECOVERIES)))
    closed = outline(waterfall)
    open_term(waterfall, "Recovery bonus")
    found = opened(waterfall, closed)
    assert found[:2] == ["Step 0 Recovery, retry", "Step 1 Recovery, retry"]
    assert found[8:] == ["and 4 more"]


def test_evidence_leads_to_the_step_and_to_the_neighbours(waterfall, qtbot):
    heard = []
    waterfall.wished.connect(heard.append)
    waterfall.set_explanation(
        explanation_of(with_neighbours(scored(1), [Neighbour("k", None, "", "/a", 0.5)]))
    )
    waterfall.resize(440, waterfall.sizeHint().height())
    waterfall.show()
    waterfall.setFocus()
    qtbot.waitUntil(waterfall.hasFocus)
    for key in ("Return", "Down", "Down", "Return", "Up", "Up", "Return", "Down", "Return"):
        qtbot.keyClick(waterfall, getattr(Qt.Key, f"Key_{key}"))
    qtbot.keyClick(waterfall, Qt.Key.Key_Down)
    qtbot.keyClick(waterfall, Qt.Key.Key_Return)
    assert heard == [StepWish(1), NeighboursWish()]


def test_what_is_open_stays_open_for_the_same_trace_alone(waterfall):
    waterfall.set_explanation(explanation_of(pending(1)))
    closed = outline(waterfall)
    open_term(waterfall, "Novelty")
    assert opened(waterfall, closed) == ["not measured yet"]
    waterfall.set_explanation(explanation_of(scored(1)))
    assert "0.5500 similar to the nearest of 1" in outline(waterfall)
    other = scored(2)
    waterfall.set_explanation(explanation_of(other))
    assert "0.5500 similar to the nearest of 1" not in outline(waterfall)


def test_hostile_words_are_cut_and_shown_as_they_are(waterfall):
    steps = [{"type": "tool_call", "tool": {"name": "<b>\n" + "x" * 500}}]
    waterfall.set_explanation(explanation_of(scored(1, steps=steps)))
    open_term(waterfall, "Tool diversity")
    (line,) = (line for line in outline(waterfall) if "<b>" in line)
    assert "\n" not in line and len(line) < 150
