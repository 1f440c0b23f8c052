from dataclasses import replace

import pytest
from hypothesis import given

from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.profiles import DEFAULT
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.printable import printable
from kpinspector.words.writers.comparison import comparison_text, counts_phrase, notes_on
from tests.answers import MEDICAL, assessment, measurement, novelty
from tests.strategies import hostile_texts, traces
from tests.words.test_comparison import side, side_by_side

CALL = {"type": "tool_call", "tool": {"name": "ehr.read"}, "input": {"patient": "p-1"}}


def test_scores_dimensions_and_words_stand_in_lines():
    left = side("visit-03", assessment(), {"type": "thought", "content": "Take 50 mg"}, CALL)
    right = side(
        "visit-08",
        assess(measurement(novelty(0.2), unique_tools=1), MEDICAL, 0.75),
        {"type": "thought", "content": "Take 25 mg"},
        {"type": "observation", "content": "K 5.1"},
    )
    found = replace(side_by_side(left, right), similarity=0.55, remarks=("It has changed.",))
    assert comparison_text(found) == (
        "left   rejected  visit-03\n"
        "right  rejected  visit-08\n"
        "\n"
        "                 left    adds  right     adds  difference\n"
        "complexity      0.495  0.0742  0.495   0.0743     +0.0001\n"
        "novelty         0.450  0.0900  0.800   0.1600     +0.0700\n"
        "tool diversity  0.500  0.0500  0.250   0.0250     \u22120.0250\n"
        "outcome         0.970  0.5335  0.970   0.5335      0.0000\n"
        "tool monotony                         \u22120.1000     \u22120.1000\n"
        "score                  0.7477          0.6928     \u22120.0549\n"
        "\n"
        "The texts are 0.5500 similar, as novelty reads them.\n"
        "It has changed.\n"
        "Objective and steps: 1 the same, 1 changed, 1 only on the left, 1 only on the right.\n"
        "\n"
        "=            Objective\n"
        "!    0    0  Thought\n"
        "  Take [-50-] mg\n"
        "  Take {+25+} mg\n"
        "-    1       Tool call ehr.read\n"
        "  patient: p-1\n"
        "+         1  Observation\n"
        "  K 5.1\n"
    )


def test_what_is_pending_is_said():
    text = comparison_text(side_by_side(side("a", None), side("b", assessment())))
    assert text.startswith("left   not scored yet  a\nright  rejected  b\n\nObjective")


def test_different_profiles_are_said():
    other = side("b", assess(measurement(), DEFAULT, 0.75))
    notes = list(notes_on(side_by_side(side("a", assessment()), other)))
    assert notes == ["a is judged as medical, b as default."]


def test_bounded_work_is_said():
    found = side_by_side(side("a", None), side("b", None))
    rough = replace(found, alignment=replace(found.alignment, weighed=False))
    assert list(notes_on(found)) == []
    assert "type and tool alone" in next(iter(notes_on(rough)))
    assert counts_phrase(found.alignment) == "Objective and steps: 1 the same"


def test_the_steps_are_written_for_as_long_as_they_are_wanted():
    calls = iter((None, TimeoutError))

    def check():
        if error := next(calls):
            raise error

    one = side("a", assessment(), CALL, CALL, CALL)
    with pytest.raises(TimeoutError):
        comparison_text(side_by_side(one, one), check)


def test_a_long_passage_is_cut_without_open_marks():
    long = "word " * 60
    left = side("a", None, {"type": "thought", "content": long + "x"})
    right = side("b", None, {"type": "thought", "content": "other " * 60})
    lines = comparison_text(side_by_side(left, right)).splitlines()[-2:]
    assert lines[0] == f"  [-{'word ' * 32}-]..."
    assert lines[1].endswith("-]...") or lines[1].endswith("+}...")


@given(traces(), traces(), hostile_texts())
def test_hostile_text_stays_on_its_line(one, other, name):
    left, right = side(name, None), side("b", None)
    left, right = (
        replace(each, record=replace(each.record, trace=trace_from_json(raw)))
        for each, raw in ((left, one), (right, other))
    )
    found = replace(side_by_side(left, right), remarks=(f"{name} has changed.",))
    text = comparison_text(found)
    assert text.endswith("\n")
    lines = text.removesuffix("\n").split("\n")
    assert all(printable(line) == line for line in lines)
    rows = lines[len(lines) - lines[::-1].index("") :]
    signs = [line[0] for line in rows if not line.startswith("  ")]
    assert len(signs) == len(found.alignment.pairs)
    assert set(signs) <= set("=!-+")
