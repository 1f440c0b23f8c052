"""Scenarios as values: what is put in, taken back and counted."""

from dataclasses import replace

import pytest

from kpinspector.scoring.formula.profiles import PROFILES, Dimension
from kpinspector.scoring.whatif.scenario import (
    AddedStep,
    Draft,
    Loss,
    Scenario,
    StepEdit,
    draft_of,
    fitted,
)
from kpinspector.trace.model import StepType, trace_from_json
from tests.cases import novelty
from tests.fakes import make_raw

RECOVERY = AddedStep(StepType.ERROR_RECOVERY)


def test_nothing_changed_is_empty():
    assert Scenario().is_empty and Scenario().changes == 0
    assert not Scenario(success=False).is_empty and not Scenario(novelty=0.0).is_empty
    assert not Scenario(measured_novelty=novelty(0.4)).is_empty


def test_one_edit_a_step_in_the_order_of_the_file():
    scenario = Scenario().with_edit(StepEdit(4, tool="x")).with_edit(StepEdit(1, left_out=True))
    scenario = scenario.with_edit(StepEdit(4, type="thought"))
    assert scenario.edits == (StepEdit(1, left_out=True), StepEdit(4, type="thought"))
    assert scenario.edit_of(4).type == "thought" and scenario.edit_of(2) == StepEdit(2)
    assert scenario.left_out == {1}
    assert scenario.with_edit(StepEdit(4)).with_edit(StepEdit(1)).is_empty
    assert scenario.with_edit(StepEdit(7)) == scenario


def test_a_step_counts_once_however_much_of_it_is_changed():
    scenario = Scenario(
        novelty=0.5,
        success=False,
        confidence=0.0,
        edits=(StepEdit(0, type="odd", tool="x"), StepEdit(1, tool="")),
        added=(RECOVERY,),
        profile=PROFILES[1],
        threshold=0.5,
    )
    assert scenario.changes == 8


def test_a_novelty_measured_again_is_dropped_with_the_text_it_was_measured_of():
    scenario = Scenario(edits=(StepEdit(0, left_out=True),), measured_novelty=novelty(0.4))
    assert scenario.with_edit(StepEdit(1, left_out=True)).measured_novelty is None
    assert scenario.with_edit(StepEdit(0)).measured_novelty is None
    # none of these is read by the embedder
    assert scenario.with_edit(StepEdit(1, tool="x", type="odd")).measured_novelty is not None
    assert replace(scenario, added=(RECOVERY,)).measured_novelty is not None
    assert scenario.with_value(Dimension.COMPLEXITY, 1.0).measured_novelty is not None


def trace(letters, **changes):
    """A trace with a step for each letter."""
    steps = [{"step_id": n, "type": "thought", "content": one} for n, one in enumerate(letters)]
    return trace_from_json(make_raw(steps=steps, **changes))


def scenario(*indexes, **changes):
    return Scenario(edits=tuple(StepEdit(n, left_out=True) for n in indexes), **changes)


@pytest.mark.parametrize(
    ("before", "edited", "now", "expected", "lost"),
    [
        ("abc", (1,), "abc", (1,), ()),
        ("abc", (1,), "xabc", (2,), ()),
        ("abc", (0, 2), "cab", (0, 1), ()),
        ("abc", (1,), "aBc", (1,), ()),  # changed in its place
        ("abc", (1,), "aBcd", (), (1,)),  # nobody knows where it is
        ("abc", (0, 2), "ab", (0,), (2,)),
        ("abc", (0, 1), "", (), (0, 1)),
        ("aaa", (1,), "aaaa", (1,), ()),
        ("bxa", (2,), "axxa", (3,), ()),  # the nearest of those that are alike
        ("bxa", (2,), "axxxxxa", (0,), ()),
        ("ab", (0, 1), "bX", (0,), (0,)),  # one step is never changed twice
    ],
)
def test_an_edit_follows_its_step(before, edited, now, expected, lost):
    draft = draft_of(scenario(*edited, threshold=0.5), trace(before))
    found, loss = fitted(draft, trace(now))
    assert [edit.index for edit in found.edits] == list(expected)
    assert [edit.index for edit in loss.edits] == list(lost)
    assert found.threshold == 0.5 and all(edit.left_out for edit in found.edits)
    assert bool(loss) is bool(lost)


def test_novelty_holds_for_the_text_that_it_was_measured_of():
    measured = scenario(0, measured_novelty=novelty(0.4))
    draft = draft_of(measured, trace("abc"))
    assert fitted(draft, trace("abc", id="other")) == (measured, Loss())
    assert fitted(draft, trace("Xbc")) == (measured, Loss())  # left out, whatever it says
    found, loss = fitted(draft, trace("abX"))
    assert found == replace(measured, measured_novelty=None) and loss == Loss(novelty=True)


def test_an_edit_of_a_step_that_was_never_there_is_not_kept():
    assert draft_of(scenario(1, 7), trace("ab")).scenario == scenario(1)
    assert draft_of(scenario(), trace("ab")) == Draft(scenario(), steps=2)
