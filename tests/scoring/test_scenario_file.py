"""What-ifs in a file of their own: found again, bounded, private for guests, forgotten."""

import sqlite3
from dataclasses import replace

import pytest

from kpinspector.errors import KpError
from kpinspector.scoring.formula.profiles import Profile, Weights
from kpinspector.scoring.memory.file import Mode
from kpinspector.scoring.whatif import scenario_file
from kpinspector.scoring.whatif.scenario import AddedStep, Draft, Scenario, StepEdit
from kpinspector.scoring.whatif.scenario_file import (
    FILE_NAME,
    NOTHING_KEPT,
    ScenarioFile,
    WhatIfs,
    Whose,
)
from kpinspector.trace.model import StepType
from tests.answers import novelty

ALL = Scenario(
    complexity=0.1,
    confidence=2.5,
    success=False,
    edits=(StepEdit(0, left_out=True), StepEdit(3, type="thought", tool="find \ud800")),
    added=(AddedStep(StepType.TOOL_CALL, "x"),),
    measured_novelty=novelty(0.4),
    profile=Profile("custom", Weights(0.1, 0.2, 0.3, 0.4)),
    threshold=0.5,
)
WHOSE = Whose("kp:trace:1", "c1", "/runs/a.jsonl", 3, "kp:trace:1#12345678")
LOWER = WhatIfs(Draft(Scenario(threshold=0.5)))


@pytest.fixture
def opened(tmp_path):
    made = []

    def open_file(mode=Mode.REMEMBER, folder=tmp_path):
        made.append(ScenarioFile.open(mode, folder))
        return made[-1]

    yield open_file
    for one in made:
        one.close()


def test_everything_comes_back(opened):
    kept = WhatIfs(
        Draft(ALL, 7, ("a", "b"), "c"), (("<i>one</i>", Draft(ALL)), ("two", Draft(ALL)))
    )
    one = opened()
    assert one.is_empty and one.find(WHOSE) == NOTHING_KEPT
    one.keep(WHOSE, kept)
    one.close()
    assert opened().find(WHOSE) == kept and not opened().is_empty


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({}, True),
        ({"path": "/elsewhere.json", "record": 0}, True),
        ({"content": "c2"}, True),
        ({"content": "c2", "record": 4}, False),
        ({"content": "c2", "path": "/elsewhere.json"}, False),
        ({"trace_id": "kp:trace:2"}, False),
        ({"trace_id": None}, False),
    ],
)
def test_found_by_content_or_at_its_place(opened, changes, found):
    one = opened()
    one.keep(WHOSE, LOWER)
    assert (one.find(replace(WHOSE, **changes)) == LOWER) is found


def test_what_is_no_file_has_no_place(opened):
    one, pasted = opened(), Whose(None, "c1", "(pasted)", 0)
    one.keep(pasted, LOWER)
    assert one.find(pasted) == LOWER
    assert one.find(replace(pasted, content="c2")) == NOTHING_KEPT


def test_the_same_content_goes_before_the_same_place(opened):
    one, higher = opened(), WhatIfs(Draft(Scenario(threshold=0.9)))
    one.keep(WHOSE, LOWER)
    one.keep(replace(WHOSE, content="c2", record=4), higher)
    assert one.find(replace(WHOSE, content="c2")) == higher
    one.keep(replace(WHOSE, content="c2"), LOWER)  # in place of both
    assert one.find(replace(WHOSE, record=4)) == NOTHING_KEPT


def test_nothing_is_kept_of_a_trace_of_which_nothing_is_tried(opened):
    one = opened()
    one.keep(WHOSE, LOWER)
    one.keep(WHOSE, NOTHING_KEPT)
    assert one.is_empty


@pytest.mark.parametrize("name", ["kp:trace:1", "kp:trace:1#12345678"])
def test_forgotten_by_id_and_by_key(opened, name, tmp_path):
    one, other = opened(), replace(WHOSE, trace_id="b", key="b")
    for whose in (WHOSE, other):
        one.keep(whose, WhatIfs(Draft(Scenario(edits=(StepEdit(0, tool="grep-me"),)))))
    assert one.forget(name) and not one.forget(name)
    assert one.find(WHOSE) == NOTHING_KEPT != one.find(other)
    one.clear()
    assert one.is_empty
    one.close()
    assert b"grep-me" not in (tmp_path / FILE_NAME).read_bytes()


def test_bounded_by_number_and_by_size(opened, monkeypatch):
    monkeypatch.setattr(scenario_file, "MOST_TRACES", 3)
    one = opened()
    many = [replace(WHOSE, trace_id=str(n), key=str(n)) for n in range(5)]
    for whose in many:
        one.keep(whose, LOWER)
    assert [one.find(whose) == LOWER for whose in many] == [False, False, True, True, True]
    monkeypatch.setattr(scenario_file, "MOST_CHARACTERS", 10)
    one.keep(many[0], LOWER)
    assert [one.find(whose) == LOWER for whose in many] == [True, False, False, False, False]


def test_a_guest_reads_and_leaves_nothing_and_fresh_does_not_even_read(opened, tmp_path):
    guest = opened(Mode.GUEST)
    guest.keep(WHOSE, LOWER)
    assert guest.find(WHOSE) == LOWER and list(tmp_path.iterdir()) == []
    opened().keep(WHOSE, LOWER)
    guest = opened(Mode.GUEST)
    assert guest.find(WHOSE) == LOWER
    guest.clear()
    assert opened().find(WHOSE) == LOWER
    assert opened(Mode.FRESH).is_empty


def test_two_windows_keep_what_the_other_kept(opened):
    one, other = opened(), opened()
    one.keep(WHOSE, LOWER)
    other.keep(replace(WHOSE, trace_id="b"), LOWER)
    assert one.find(replace(WHOSE, trace_id="b")) == LOWER == other.find(WHOSE)


def test_for_its_owner_alone(opened, tmp_path):
    opened()
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["{", "[]", '{"saved": 3}', "[" * 5000, '{"draft": {}}'])
def test_what_is_not_understood_stands_for_nothing(opened, tmp_path, text):
    one = opened()
    one.keep(WHOSE, LOWER)
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("UPDATE kept SET what_ifs = ?", (text,))
    connection.close()
    assert one.find(WHOSE) == NOTHING_KEPT


@pytest.mark.parametrize("mode", [Mode.REMEMBER, Mode.GUEST])
def test_a_file_that_cannot_be_used_is_left_alone_and_said(opened, tmp_path, mode):
    path = tmp_path / FILE_NAME
    path.write_bytes(b"no database, whatever its name is" * 50)
    with pytest.raises(KpError) as said:
        opened(mode)
    assert str(path) in said.value.message and path.read_bytes().startswith(b"no database")
    path.unlink()
    path.mkdir()
    with pytest.raises(KpError):
        opened(mode)


def test_a_file_of_a_newer_program_is_left_alone(opened, tmp_path):
    opened().close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with pytest.raises(KpError) as said:
        opened()
    assert "newer" in said.value.detail
