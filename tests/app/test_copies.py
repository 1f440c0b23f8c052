"""Two open copies of one session: the same run, of which one thing is stated."""

import shutil
from pathlib import Path

import pytest

from kpinspector.app.engine import TAKEN_BACK, Said, Statement
from kpinspector.runs.rules import RunOutcome
from kpinspector.runs.stated import NOTHING_STATED, Stated
from tests.runs.growing import GrowingSession

STATED = Stated(RunOutcome(0.9, success=True), "code")


@pytest.fixture
def copies(harness, tmp_path):
    """A session that has a recording, its copy, and the recording of another run open."""
    one = harness()
    for name in ("one", "other"):
        made = GrowingSession(tmp_path / f"{name}.jsonl", name)
        made.prompt("Mend the pump")
        made.thought(f"I look at {name}.")
    shutil.copy(tmp_path / "one.jsonl", tmp_path / "copy.jsonl")
    one.open(tmp_path)
    assert [Path(row.path).stem for row in one.session.documents] == ["copy", "one", "other"]
    return one


def stated(one):
    return [row.run.imported.stated for row in one.session.documents]


def state(one, place, statement):
    one.session.outcomes.state([one.session.documents[place].number], statement)
    one.settle()


def test_what_is_stated_of_a_run_is_seen_in_all_its_open_copies(copies):
    state(copies, 1, Statement(STATED))
    assert stated(copies) == [STATED, STATED, NOTHING_STATED]
    assert copies.session.documents[0].score == copies.session.documents[1].score
    copies.reload()
    assert stated(copies) == [STATED, STATED, NOTHING_STATED]


def test_it_is_taken_back_from_all_of_them(copies):
    state(copies, 0, Statement(STATED))
    state(copies, 1, Statement(Stated(domain="finance"), (Said.DOMAIN,)))
    assert {one.domain for one in stated(copies)[:2]} == {"finance"}
    state(copies, 1, TAKEN_BACK)
    assert stated(copies) == [NOTHING_STATED] * 3
