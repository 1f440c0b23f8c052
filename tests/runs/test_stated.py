"""What the user stated of how runs ended."""

import pytest

from kpinspector.errors import WriteError
from kpinspector.runs.rules import NO_OUTCOME, Outcome
from kpinspector.runs.stated import FOLDER, state_outcome, stated_outcome

ONE, OTHER = "kp:trace:one", "kp:trace:other"
STATED = Outcome(0.25, success=False)


def test_what_is_stated_is_kept_by_run_and_can_be_taken_back(tmp_path):
    state_outcome(tmp_path, ONE, STATED)
    assert stated_outcome(tmp_path, ONE) == STATED
    assert stated_outcome(tmp_path, OTHER) == NO_OUTCOME
    state_outcome(tmp_path, ONE, NO_OUTCOME)
    assert stated_outcome(tmp_path, ONE) == NO_OUTCOME
    state_outcome(tmp_path, ONE, NO_OUTCOME)


def test_half_of_an_outcome_can_be_stated(tmp_path):
    state_outcome(tmp_path, ONE, Outcome(success=True))
    assert stated_outcome(tmp_path, ONE) == Outcome(None, success=True)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"confidence": 2}', b'{"confidence": NaN}', b'{"success": 1}', b"\xff"]
)
def test_what_cannot_be_read_states_nothing(tmp_path, data):
    state_outcome(tmp_path, ONE, STATED)
    (tmp_path / FOLDER / "one.json").write_bytes(data)
    assert stated_outcome(tmp_path, ONE) == NO_OUTCOME


def test_what_cannot_be_kept_is_said(tmp_path):
    (tmp_path / FOLDER).write_text("in the way")
    with pytest.raises(WriteError):
        state_outcome(tmp_path, ONE, STATED)
