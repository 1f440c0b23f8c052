"""What the user stated of how runs ended."""

import pytest

from kpinspector.errors import WriteError
from kpinspector.runs.rules import RunOutcome, SuccessScore
from kpinspector.runs.stated import FOLDER, NOTHING_STATED, Stated, keep, kept_of

ONE, OTHER = "kp:trace:one", "kp:trace:other"
STATED = Stated(RunOutcome(0.25, success=False), "code")
HALF = Stated(RunOutcome(success=True))


def test_what_is_stated_is_kept_by_run_and_can_be_taken_back(tmp_path):
    keep(tmp_path, ONE, STATED)
    assert kept_of(tmp_path, ONE) == STATED
    assert kept_of(tmp_path, OTHER) == NOTHING_STATED
    keep(tmp_path, ONE, NOTHING_STATED)
    assert kept_of(tmp_path, ONE) == NOTHING_STATED
    keep(tmp_path, ONE, NOTHING_STATED)


def test_which_score_means_success_is_kept(tmp_path):
    stated = Stated(success_score=SuccessScore("match", "C"))
    keep(tmp_path, ONE, stated)
    assert kept_of(tmp_path, ONE) == stated


@pytest.mark.parametrize(
    ("recorded", "wanted", "success"),
    [
        ("C", "C", True),
        ("I", "C", False),
        ("c", "C", False),
        ("1.0", "1", True),
        ("0.5", "1", False),
        ("true", "true", True),
        ("nan", "1", False),
    ],
)
def test_a_score_means_success_by_its_text_or_its_number(recorded, wanted, success):
    score = SuccessScore("match", wanted)
    assert score.success({"other": "x", "match": recorded}) is success
    assert score.success({"other": wanted}) is None


def test_half_of_an_outcome_can_be_stated(tmp_path):
    keep(tmp_path, ONE, HALF)
    assert kept_of(tmp_path, ONE) == HALF


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b'{"confidence": 2}',
        b'{"confidence": NaN}',
        b'{"success": 1}',
        b'{"domain": 1}',
        b"\xff",
    ],
)
def test_what_cannot_be_read_states_nothing(tmp_path, data):
    keep(tmp_path, ONE, STATED)
    (tmp_path / FOLDER / "one.json").write_bytes(data)
    assert kept_of(tmp_path, ONE) == NOTHING_STATED


def test_what_cannot_be_kept_is_said(tmp_path):
    (tmp_path / FOLDER).write_text("in the way")
    with pytest.raises(WriteError):
        keep(tmp_path, ONE, STATED)
