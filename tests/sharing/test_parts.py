"""What of a step is marked, and whether all pieces together are the step."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.sharing import parts
from kpinspector.sharing.answer import Sharing
from kpinspector.sharing.parts import OBJECTIVE_PATH, Fate, few_shot, kinds_taken, tokens_in
from kpinspector.sharing.posting import captured, contributed
from kpinspector.trace.cleaning import PiiKind
from kpinspector.trace.javascript import JsonValue

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
RAW = json.loads((SAMPLES / "export-handover.json").read_text(encoding="utf-8"))


def by_capture(raw, threshold=0.5):
    return Sharing(captured(raw, 0.9, threshold), 0.9, threshold).leaving


def by_contribute(raw):
    return Sharing(contributed(raw), 0.9, 0.5).leaving


def of_content(content, make=by_capture, **metadata):
    step = {"type": "thought", "content": content}
    fields = dict(make({"metadata": metadata, "steps": [step]}).fields(0, step))
    return [(one.text, one.fate) for one in fields.get("content", ()) if one.text]


def fates(leaving, index):
    fields = leaving.fields(index, RAW["steps"][index])
    return {name: {one.fate for one in pieces} - {None} for name, pieces in fields}


def test_a_redaction_and_what_stays_stand_where_they_are():
    key = "sk-" + "ant-api03-" + "INVENTED" * 4
    assert of_content(f"ask ann@example.org for {key} now") == [
        ("ask ", None),
        ("ann••••", Fate.REDACTED),
        (" for ", None),
        ("sk-a••••", Fate.IN_CLEAR),
        (" now", None),
    ]


def test_the_space_before_a_token_is_no_part_of_it():
    text = "Authorization: Bearer " + "INVENTED" * 3
    for make in (by_capture, by_contribute):
        assert [one for one, _ in of_content(text, make)][:2] == ["Authorization: Bearer", " "]


def test_at_the_private_level_an_address_stays():
    assert of_content("ann@example.org", privacy_level="private") == [("ann••••", Fate.IN_CLEAR)]
    assert of_content("ann@example.org", privacy_level="org") == [("ann••••", Fate.REDACTED)]


def test_every_field_of_the_sample_by_either_way():
    capture, contribute = by_capture(RAW), by_contribute(RAW)
    both = {Fate.REDACTED, Fate.IN_CLEAR}
    assert fates(capture, 1) == {"input": {Fate.REDACTED}}
    assert fates(capture, 4) == {"input": {Fate.IN_CLEAR}, "output_summary": both}
    assert fates(capture, 8) == {"content": {Fate.IN_CLEAR}, "debug": {Fate.IN_CLEAR}}
    assert fates(capture, 0) == {}
    assert all(
        found <= {Fate.IN_CLEAR} for n in range(12) for found in fates(contribute, n).values()
    )
    assert contribute.kinds(("steps", 5)) == (PiiKind.BEARER_TOKEN, PiiKind.FILEPATH)


def test_the_objective_is_never_cleaned():
    objective = RAW["task"]["objective"]
    for make in (by_capture, by_contribute):
        pieces = make(RAW).objective(objective)
        assert [one.text for one in pieces if one.fate is Fate.IN_CLEAR] == ["mara••••"]
        assert make(RAW).posted(OBJECTIVE_PATH) == objective


def test_of_what_is_not_posted_nothing_is_marked():
    leaving = by_capture(RAW, threshold=0.95)
    assert [fates(leaving, n) for n in range(12)] == [{}] * 12
    assert leaving.objective(RAW["task"]["objective"]) == ()


def test_a_number_that_is_a_secret_is_marked():
    step = {"input": {"pwd": 1234, "n": 5}}
    ((name, pieces),) = by_capture({"metadata": {}, "steps": [step]}).fields(0, step)
    assert name == "input"
    assert "".join(one.text for one in pieces) == "pwd: 1••••, n: 5"


def test_numbers_and_truth_stand_beside_what_is_marked_as_they_are():
    step = {"type": "thought", "input": {"pwd": 12345678, "n": 1, "m": 0, "yes": True, "no": None}}
    ((_, pieces),) = by_capture({"metadata": {}, "steps": [step]}).fields(0, step)
    assert "".join(one.text for one in pieces) == "pwd: 12••••, n: 1, m: 0, yes: true, no: null"


def test_what_is_in_clear_below_a_field_as_it_stands_there():
    step = {"input": {"pwd": 1234, "n": 5, "to ann@example.org": ["ask bob@example.org"]}}
    leaving = by_contribute({"metadata": {}, "steps": [step]})
    parts = leaving.parts(("steps", 0, "input"))
    assert sorted(map(str, parts)) == ["1234", "ann@example.org", "bob@example.org"]


def test_tokens_are_where_the_sdk_put_them():
    posted = by_capture(RAW).posted(("steps", 5, "content"))
    assert [posted[start:end] for start, end in tokens_in(posted)] == [
        "[REDACTED:bearer_token]",
        "[REDACTED:filepath]",
    ]


PARTS = st.sampled_from(
    (
        "a ",
        "\n",
        "ann@example.org",
        "555-010-4477 ",
        "token=abcdef ",
        "/home/ann/x ",
        "10.20.30.40 ",
    )
)


@pytest.mark.parametrize("make", [by_capture, by_contribute])
@given(parts=st.lists(PARTS, max_size=8))
def test_what_is_not_marked_stands_in_the_text_in_its_order(make, parts):
    text, at = "".join(parts), 0
    for one, fate in of_content(text, make):
        if fate is None:
            at = text.index(one, at) + len(one)


LONG = "so it went on and on, " * 20


def test_a_step_is_looked_through_once(monkeypatch):
    step = {"type": "thought", "content": "ask ann@example.org", "input": {"to": "ann@example.org"}}
    leaving = by_capture({"metadata": {}, "steps": [step]})
    first = leaving.fields(0, step)
    assert [name for name, _ in first] == ["content", "input"]
    monkeypatch.setattr(parts, "clean", lambda *_: pytest.fail("cleaned again"))
    assert leaving.fields(0, step) is first


def test_what_the_cleaning_found_is_not_looked_for_again(monkeypatch):
    monkeypatch.setattr(parts, "clean", lambda *_: pytest.fail("cleaned again"))
    assert of_content(f"{LONG}ann@example.org")[-1] == ("ann••••", Fate.REDACTED)


def test_where_something_is_in_clear_ends_with_what_is_shown():
    step = {"content": "ann@example.org bob@example.org eve@example.org"}
    leaving, path = by_contribute({"metadata": {}, "steps": [step]}), ("steps", 0, "content")
    assert leaving.spans(path, 99) == ((0, 15), (16, 31), (32, 47))
    assert leaving.spans(path, 20) == ((0, 15), (16, 20))
    assert leaving.spans(path, 16) == ((0, 15),)


def test_each_kind_that_was_taken_is_said_once():
    text = "[REDACTED:ip] [REDACTED:email] [REDACTED:ip] [REDACTED"
    assert kinds_taken(text) == ("ip", "email")


def test_an_input_that_is_a_text_is_marked_where_it_stands():
    step = {"input": 'say "hi" to ann@example.org now'}
    ((_, pieces),) = by_capture({"metadata": {}, "steps": [step]}).fields(0, step)
    assert [one.text for one in pieces if one.text] == ['say "hi" to ', "ann••••", " now"]


def test_an_empty_content_stays_empty_for_others():
    steps: list[JsonValue] = [
        {"type": "thought", "content": "Look."},
        {"type": "tool_call", "output_summary": "Found."},
        {"type": "observation", "content": None, "output_summary": "Read."},
        {"type": "observation", "content": "", "output_summary": "never received"},
        {"type": "error_recovery"},
    ]
    assert few_shot(steps).split("\n") == [
        *("[THOUGHT] Look.", "[TOOL_CALL] Found.", "[OBSERVATION] Read.", "[OBSERVATION] "),
        "[ERROR_RECOVERY] ",
    ]
