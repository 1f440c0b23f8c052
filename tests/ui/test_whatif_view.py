"""The What-if tab: what it shows of a scenario, and what its parts ask for."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from kpinspector.scoring.formula.profiles import PROFILES, Dimension
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import StepType
from kpinspector.ui.controls.fields import DimensionSlider
from kpinspector.ui.look.theme import set_palette
from kpinspector.ui.panes import Do
from kpinspector.ui.panes.whatif import WhatIfPage
from kpinspector.ui.panes.whatif_case import case_of
from kpinspector.ui.panes.whatif_fields import LockButton
from kpinspector.words.figures import plain
from tests import undecided
from tests.known import of, present
from tests.ui.documents import scored
from tests.ui.main_windows import settle
from tests.ui.reading import names
from tests.ui.windows import exposed

DASH = "\N{EN DASH}"


class Shown:
    """A page, the scenario on it, and what it asked for; wishes come true."""

    def __init__(self, page):
        self.page, self.view = page, page.view
        self.scenario, self.wishes = Scenario(), []
        self.document = scored(1)
        page.wished.connect(self._on_wished)

    def _on_wished(self, wish):
        self.wishes.append(wish)
        if wish.do is Do.TRY:
            self.show(wish.of)

    def show(self, scenario=Scenario(), document=None, *, measuring=False):  # noqa: B008
        self.scenario, self.document = scenario, document or self.document
        case = case_of(self.document, scenario)
        self.page.set_case(self.document, case, measuring=measuring)
        settle()

    @property
    def then(self):
        return present(case_of(self.document, self.scenario)).outcome.then

    def slider(self, dimension):
        return self.view.sliders.findChildren(DimensionSlider)[list(Dimension).index(dimension)]

    def part(self, kind, name):
        found = (one for one in self.page.findChildren(kind) if one.accessibleName() == name)
        return next(found)

    def lock(self, dimension):
        locks = self.view.sliders.findChildren(LockButton)
        return locks[list(Dimension).index(dimension)]


@pytest.fixture
def shown(qtbot):
    app = of(QApplication, QApplication.instance())
    usual = app.font()
    set_palette(app, dark=False)
    page = exposed(qtbot, WhatIfPage(), 440, 800)
    made = Shown(page)
    made.show()
    yield made
    app.setFont(usual)


def said(widget):
    return widget.accessibleDescription()


def test_the_cards_say_both_scores_and_their_difference(shown):
    cards = shown.view.cards
    assert said(cards.now).startswith("Accepted, 0.8495 of 0.7500.")
    assert said(cards.then) == said(cards.now)
    shown.show(Scenario(confidence=0.6, threshold=0.9))
    assert said(cards.now).startswith("Accepted, 0.8495 of 0.7500.")
    words = plain(said(cards.then)).lower()
    assert words.startswith("rejected, 0.6460 of 0.9000. ")
    assert "short by 0.2540" in words and words.endswith("-0.2035")
    assert "0.646" in cards.then.toolTip()


def test_an_assumed_novelty_is_said_now_and_then_until_it_is_set(shown):
    assumed = scored(1, assumed=True)
    shown.show(Scenario(), assumed)
    assert "assumed" in shown.view.novelty.text
    assert "Accepted, assumed" in said(shown.view.cards.then)
    shown.show(Scenario(novelty=0.9))
    assert "Accepted, assumed" in said(shown.view.cards.now)
    assert "assumed" not in said(shown.view.cards.then)
    assert shown.view.novelty.text == "Novelty is set by hand."


@pytest.mark.parametrize("dimension", list(Dimension))
def test_a_slider_moves_its_dimension_and_shows_then_now_and_needed(shown, dimension):
    shown.show(document=scored(1, value=0.2, confidence=0.5))
    slider = shown.slider(dimension)
    before = slider.value()
    slider.setValue(before + 10 if before < 990 else before - 10)
    assert shown.wishes[-1].key == dimension
    assert shown.scenario.value_of(dimension) == slider.value() / 1000
    words = said(slider)
    assert f"{slider.value() / 1000:.3f} in what-if" in words
    assert f"now {before / 1000:.3f}" in words
    assert "needed alone: " in words


def test_a_lock_holds_a_value_and_lets_it_follow_again(shown):
    lock = shown.lock(Dimension.COMPLEXITY)
    assert not lock.isChecked() and "follows the trace" in lock.accessibleName()
    lock.click()
    assert lock.isChecked() and shown.scenario.complexity == pytest.approx(0.84)
    shown.show(replace(shown.scenario, edits=(StepEdit(3, left_out=True),)))
    assert shown.then.contributions[0].value == pytest.approx(0.84)
    lock.click()
    assert not lock.isChecked() and shown.scenario.complexity is None
    assert shown.then.contributions[0].value < 0.6


def test_many_lines_are_cut_and_counted(shown):
    edits = tuple(StepEdit(n, tool=f"t{n}") for n in range(20))
    many = scored(1, steps=[{"type": "tool_call", "tool": {"name": "a"}}] * 20)
    shown.show(Scenario(edits=edits), many)
    found = names(shown.page)
    assert len([name for name in found if name.startswith("Take back")]) == 8
    assert "and 12 more, to be seen in the list of steps" in found


def test_steps_are_added_by_a_menu(shown):
    menu = shown.view.trace.add.menu()
    actions = {action.text(): action for action in menu.actions() if action.text()}
    actions["Recovery"].trigger()
    actions["Tool Call, New Tool"].trigger()
    actions["Tool Call, New Tool"].trigger()
    actions["Tool Call, Used Tool"].trigger()
    assert shown.scenario.added == (
        AddedStep(StepType.ERROR_RECOVERY),
        AddedStep(StepType.TOOL_CALL, "another tool 1"),
        AddedStep(StepType.TOOL_CALL, "another tool 2"),
        AddedStep(StepType.TOOL_CALL, "another tool 2"),
    )
    shown.show(document=scored(1, steps=[{"type": "thought"}]))
    menu.aboutToShow.emit()
    assert not actions["Tool Call, Used Tool"].isEnabled()


def test_profile_and_threshold_can_be_tried(shown):
    rules = shown.view.rules
    texts = [rules.profile.itemText(row) for row in range(rules.profile.count())]
    assert texts[0] == "medical, from the trace" and texts[-1] == "own weights"
    rules.profile.setCurrentIndex(texts.index("code"))
    rules.profile.activated.emit(texts.index("code"))
    assert shown.scenario.profile == PROFILES[2]
    rules.threshold.setValue(0.5)
    assert shown.scenario.threshold == 0.5 and shown.then.threshold == 0.5
    rules.profile.activated.emit(0)
    rules.threshold.setValue(0.75)
    assert shown.scenario == Scenario()
    rules.profile.activated.emit(texts.index("medical"))
    assert shown.scenario == Scenario() and rules.profile.currentIndex() == 0


def cards(shown):
    one = shown.view.cards
    return one.now.accessibleDescription(), one.then.accessibleDescription()


def test_a_run_that_is_undecided_begins_in_the_middle_of_its_range(shown):
    shown.show(document=undecided.run_document())
    now, then = cards(shown)
    assert now == then == f"Undecided, 0.52{DASH}0.78 of 0.7000"
    assert (
        shown.view.cards.stand_in.accessibleName()
        == "It begins at confidence 0.5, succeeded: not recorded."
    )
    slider = shown.slider(Dimension.OUTCOME_CONFIDENCE)
    assert slider.value() == 500 and "now not recorded" in slider.accessibleDescription()
    default, *_ = shown.view.profiles.figures.rows
    assert default.cells[5].text == f"0.52{DASH}0.78" and default.cells[4].said == "Undecided"
    shown.show(Scenario(threshold=0.9))
    assert cards(shown)[1].startswith(f"Rejected, 0.52{DASH}0.78 of 0.9000. Short by at least")


def test_whoever_moves_confidence_success_or_the_outcome_decides_it(shown):
    shown.show(document=undecided.run_document())
    shown.view.trace.confidence.setValue(0.9)
    assert shown.scenario == Scenario(confidence=0.9)
    assert cards(shown)[1] == "Accepted, 0.7475 of 0.7000. 0.0475 above"
    assert shown.view.cards.line.accessibleName() == "0.0475 above."
    assert shown.view.cards.stand_in.accessibleName() == "Success is not recorded and stays at yes."
    assert {row.cells[4].said for row in shown.view.profiles.figures.rows if row.wish} == {
        "Accepted"
    }
    shown.view.trace.succeeded.click()
    assert shown.scenario == Scenario(confidence=0.9, success=False)
    assert cards(shown)[1].startswith("Rejected, 0.5900")
    shown.view.trace.succeeded.click()
    assert shown.scenario == Scenario(confidence=0.9, success=True)
    shown.show(Scenario())
    shown.slider(Dimension.OUTCOME_CONFIDENCE).setValue(900)
    assert shown.scenario == Scenario(outcome_confidence=0.9)
    shown.slider(Dimension.OUTCOME_CONFIDENCE).setValue(500)
    assert shown.scenario == Scenario(outcome_confidence=0.5)
    assert cards(shown)[1].startswith("Rejected, 0.6475")


def test_a_run_without_its_content_says_why_novelty_is_assumed(shown):
    bare = undecided.without_content(undecided.record())
    shown.show(document=undecided.run_document(bare))
    assert shown.view.novelty.text == (
        "Novelty is assumed 0.5, as the recording left the content out."
    )
