"""The steps that count are exactly those without which a value would be another."""

from dataclasses import replace

import pytest
from hypothesis import given

from kpinspector.scoring.formula.facts import facts_of
from kpinspector.scoring.formula.gates import counted_steps, steps_behind
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.tree import Mark
from kpinspector.words.sentences import kind_word, mark_phrase
from tests.fakes import make_raw
from tests.strategies import traces

COMPLEXITY, DIVERSITY = Dimension.COMPLEXITY, Dimension.TOOL_DIVERSITY


def steps_of(*raws):
    return trace_from_json(make_raw(steps=[{"step_id": 0, **raw} for raw in raws])).steps


STEPS = steps_of(
    {"type": "thought"},
    {"type": "tool_call", "tool": {"name": "grep"}},
    {"type": "error_recovery", "tool": {"name": "sed"}},
    {"type": "thought"},
    {"type": "error_recovery", "tool": {"name": "grep"}},
)


def counted(dimension):
    return [(one.step.index, *one.marks) for one in counted_steps(dimension, STEPS)]


def test_the_steps_that_count():
    assert counted(COMPLEXITY) == [
        (0, Mark.NEW_TYPE),
        (1, Mark.NEW_TYPE),
        (2, Mark.NEW_TYPE, Mark.RECOVERY),
        (4, Mark.RECOVERY),
    ]
    assert counted(DIVERSITY) == [(1, Mark.FIRST_TOOL), (2, Mark.FIRST_TOOL)]
    assert counted(Dimension.NOVELTY) == counted(Dimension.OUTCOME_CONFIDENCE) == []


@given(traces())
def test_as_many_count_as_the_facts_say(raw):
    trace = trace_from_json(raw)
    facts = facts_of(trace, schema_valid=True)
    marks = [mark for one in counted_steps(COMPLEXITY, trace.steps) for mark in one.marks]
    assert marks.count(Mark.NEW_TYPE) == facts.unique_types
    assert marks.count(Mark.RECOVERY) == facts.error_recoveries
    assert len(counted_steps(DIVERSITY, trace.steps)) == facts.unique_tools


@given(traces())
def test_the_rest_changes_no_count(raw):
    trace = trace_from_json(raw)
    kept = {one.step.index for of in Dimension for one in counted_steps(of, trace.steps)}
    rest = replace(trace, steps=tuple(step for step in trace.steps if step.index in kept))
    whole, part = (facts_of(one, schema_valid=True) for one in (trace, rest))
    for name in ("unique_types", "unique_tools", "error_recoveries"):
        assert getattr(part, name) == getattr(whole, name)


@pytest.mark.parametrize(
    ("rule", "found"),
    [(Rule.SINGLE_THOUGHT, []), (Rule.RECOVERY_BONUS, [2, 4]), (Rule.TOOL_MONOTONY, [1, 2, 4])],
)
def test_the_steps_behind_an_override(rule, found):
    assert [step.index for step in steps_behind(rule, STEPS)] == found


def test_the_only_step():
    (step,) = steps_behind(Rule.SINGLE_THOUGHT, STEPS[:1])
    assert step is STEPS[0]


def test_words():
    assert [mark_phrase(mark) for mark in Mark] == [
        "complexity: new type",
        "tool diversity: first use",
        "complexity: recovery",
    ]
    assert [kind_word(step.kind) for step in STEPS[:3]] == ["Thought", "Tool call", "Recovery"]
    assert kind_word(None) == "Unknown type"
