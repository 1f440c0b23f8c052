"""The controls of what-if: fields for numbers from 0 to 1, locks, cards and the bar."""

from dataclasses import replace
from math import nextafter

import pytest
from PySide6.QtGui import QFontMetrics

from kpinspector.app.document import Rules
from kpinspector.runs.rules import NO_OUTCOME, RunOutcome
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.controls.fields import ShareField
from kpinspector.ui.panes import whatif as whatif_page
from kpinspector.ui.panes.whatif import ScoreCards
from kpinspector.ui.panes.whatif_case import case_of
from kpinspector.ui.steps.step_pane import WhatIfBar
from tests import undecided
from tests.known import present
from tests.ui.documents import scored


@pytest.fixture
def field(qtbot):
    made = ShareField("Confidence")
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize(
    ("value", "text"), [(0.97, "0.97"), (0.5, "0.50"), (1.0, "1.00"), (0.1234, "0.1234")]
)
def test_as_many_decimals_as_there_are_but_two_at_least(field, value, text):
    field.show_value(value)
    assert field.text() == text


def test_a_recorded_value_outside_the_range_is_shown_and_can_be_left(field, qtbot):
    field.show_value(1.7)
    assert field.text() == "1.70" and field.maximum() == 1.7
    field.show_value(-0.5)
    assert field.text() == "\N{MINUS SIGN}0.50" and field.minimum() == -0.5
    field.show_value(0.5)
    assert (field.minimum(), field.maximum()) == (0.0, 1.0)


@pytest.fixture
def written(monkeypatch):
    """What is written on the cards: the text, its room and how much of that it took."""
    lines, write = [], whatif_page.write_line

    def spy(painter, room, text, role, *, right=False):
        taken = write(painter, room, text, role, right=right)
        lines.append((text, room, taken, QFontMetrics(painter.font()).horizontalAdvance(text)))
        return taken

    monkeypatch.setattr(whatif_page, "write_line", spy)
    return lines


def show_cards(qtbot, case, width):
    """Both cards, each of this width."""
    cards = ScoreCards()
    qtbot.addWidget(cards)
    cards.set_case(present(case))
    cards.resize(2 * width + 32, 120)
    cards.grab()
    return cards.now.accessibleDescription().partition(",")[0]


@pytest.mark.parametrize("width", [300, 180, 158, 150])
@pytest.mark.parametrize(
    ("stated", "running"), [(NO_OUTCOME, False), (RunOutcome(0.9, False), True)]
)
def test_the_word_before_a_range_or_of_what_runs_is_never_cut(
    qtbot, written, width, stated, running
):
    run = undecided.run_document(undecided.record(stated=stated))
    word = show_cards(qtbot, case_of(replace(run, running=running), Scenario()), width)
    for text, room, taken, needed in written:
        assert not text.startswith("0.") or taken <= room.width(), text
        assert text != word or taken == needed <= room.width()


@pytest.mark.parametrize("width", [300, 180, 170])
def test_what_stands_at_the_right_fits_and_what_is_left_of_it_gives_way(qtbot, written, width):
    score = present(scored(1).assessment).score
    row = scored(1, rules=Rules(threshold=nextafter(score, 0)))
    show_cards(qtbot, case_of(row, Scenario(confidence=0.9)), width)
    long = [one for one in written if one[0][-9:].isdigit()]
    assert long and all(taken <= room.width() for _, room, taken, _ in long)
    names = [one for one in written if one[0] in ("Now", "What if")]
    assert names and all(taken <= max(0, room.width()) for _, room, taken, _ in names)


@pytest.fixture
def bar(qtbot):
    made = WhatIfBar()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(("number", "words"), [(1, "1 change"), (1200, "1,200 changes")])
def test_it_counts_the_changes(bar, number, words):
    bar.set_changes(number)
    assert bar.isVisible()
    assert bar.accessibleDescription() == f"What-if is on: {words}. The file is not touched."
