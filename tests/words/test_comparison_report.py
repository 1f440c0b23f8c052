import json
from dataclasses import replace

import pytest

from kpinspector.words.writers.json_answers import comparison_json
from tests.answers import assessment
from tests.words.test_comparison import side, side_by_side


def test_the_json_holds_whole_numbers_and_places():
    left = side("a", assessment(), {"type": "thought", "content": "one"}, {"type": "observation"})
    right = side("b", assessment(), {"type": "thought", "content": "two"})
    found = replace(side_by_side(left, right), similarity=0.5)
    data = comparison_json(found)
    assert data.endswith(b"}\n")
    read = json.loads(data)
    assert (read["format"], read["version"]) == ("kpinspector-comparison", 2)
    assert read["left"]["score"] == assessment().score
    assert read["left"]["source"]["path"] == "a.json"
    assert read["right"]["contributions"]["novelty"] == assessment().contributions[1].part
    assert read["differences"] == {
        "contributions": dict.fromkeys(read["left"]["contributions"], 0.0),
        "overrides": dict.fromkeys(("single_thought", "recovery_bonus", "tool_monotony"), 0.0),
        "score": 0.0,
        "score_range": None,
    }
    assert (read["similarity"], read["objective"]) == (0.5, "same")
    assert read["steps"] == [
        {"likeness": "changed", "left": 0, "right": 0},
        {"likeness": "only_left", "left": 1, "right": None},
    ]
    assert read["paired_by_content"] is True


def test_what_is_pending_has_no_json():
    with pytest.raises(ValueError, match="not scored"):
        comparison_json(side_by_side(side("a", None), side("b", assessment())))
