"""All profiles with what is tried of a trace: figures that add up, flips, and a choice."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from kpinspector.scoring.formula.profiles import CUSTOM, PROFILES, Dimension, Profile, Weights
from kpinspector.scoring.whatif.scenario import Scenario
from kpinspector.ui.look.theme import colours
from kpinspector.ui.panes.whatif import profile_heads, profile_rows, profile_table
from kpinspector.ui.panes.whatif_case import Flips, case_of
from kpinspector.words.figures import UNKNOWN, plain
from tests.answers import document, measurement
from tests.known import present
from tests.ui.test_change_table import texts

OWN = Profile(CUSTOM, Weights(0.1, 0.2, 0.3, 0.4))
ONE_TOOL = measurement(unique_tools=1)


@pytest.fixture
def table(qtbot):
    made = profile_table()
    qtbot.addWidget(made)
    made.resize(440, 300)
    made.show()
    return made


def show(table, scenario=Scenario(), of=None, flips=Flips()):  # noqa: B008
    case = present(case_of(document(of), scenario))
    table.set_rows([*profile_rows(case, flips)], profile_heads())
    rows = [[text for text in row if text] for row in texts(table)]
    return [row for row in rows if len(row) > 1], [row[0] for row in rows if len(row) == 1]


def test_a_row_for_each_profile_and_the_sum_of_the_used_one(table):
    rows, sums = show(table, of=ONE_TOOL)
    assert [row[0] for row in rows] == [
        "default",
        "finance",
        "code",
        "medical, used in what-if",
        "customer service",
    ]
    assert [row.tinted for row in table.figures.rows] == [False] * 3 + [True] * 3 + [False]
    assert " ".join(sums) == rows[3][1]
    for row in rows:
        figures = plain(row[1])
        pattern = r"C [\d.]+ \+ N [\d.]+ \+ D [\d.]+ \+ O [\d.]+ - 0\.1000 tool monotony$"
        assert re.match(pattern, figures)
        signed = [sign + one for sign, one in re.findall(r"(-?) ?(?:[CNDO] )?([\d.]+)", figures)]
        assert sum(map(Decimal, signed)) == Decimal(row[3])


def test_the_bars_end_at_the_score(table):
    show(table, of=ONE_TOOL)
    image, found = table.viewport().grab().toImage(), colours(table.palette())
    rect = table.visualRect(table.model().index(0, 2))
    case = present(case_of(document(ONE_TOOL), Scenario()))
    one = case.profiles[0].low
    outcome = found.dimension(Dimension.OUTCOME_CONFIDENCE).name()

    def painted(start, end):
        left, right = (rect.left() + round(value * rect.width()) for value in (start, end))
        places = range(left + 2, right - 2)
        return {image.pixelColor(x, rect.center().y()).name() for x in places}

    assert painted(one.score - 0.05, one.score) == {outcome}
    taken = painted(one.score, one.composite)
    assert found.track.name() in taken and len(taken) > 1 and outcome not in taken


def test_weights_of_ones_own_have_a_row_of_their_own(table):
    rows, _ = show(table, Scenario(profile=OWN))
    assert rows[-1][0] == "own weights, used in what-if" and len(rows) == 6
    assert [row.tinted for row in table.figures.rows][-2:] == [True, True]


def test_flips_are_said_once_they_are_counted(table):
    rows, _ = show(table)
    assert {row[4] for row in rows} == {UNKNOWN}
    counts = {profile.name: number for number, profile in enumerate(PROFILES)}
    found = Flips(1035, counts, tried=document().number)
    rows, _ = show(table, flips=found)
    own = present(case_of(document(), Scenario()))
    changed = [one.verdict is not own.outcome.now.verdict for one in own.profiles]
    expected = [f"{number + more} of 1,035" for number, more in enumerate(changed)]
    assert [row[4] for row in rows] == expected
    rows, _ = show(table, flips=replace(found, tried=document().number + 1))
    assert {row[4] for row in rows} == {UNKNOWN}  # of another trace
