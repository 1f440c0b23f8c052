"""How much of each row leaves in clear: counted when asked, a few rows at a time."""

import json
from functools import partial

import pytest

from kpinspector.app import sharing
from tests.fakes import make_raw


@pytest.fixture
def session(harness, tmp_path):
    """Four rows: with nothing, with one and two addresses, and what is no trace."""
    one = harness()
    paths = []
    for number in range(3):
        content = " ".join(f"a{place}@example.org" for place in range(number)) or "so"
        steps = [{"step_id": 0, "type": "thought", "content": content}]
        paths.append(tmp_path / f"{number}.json")
        raw = make_raw(id=str(number), steps=steps)
        paths[-1].write_text(json.dumps(raw), encoding="utf-8")
    paths.append(tmp_path / "none.json")
    paths[-1].write_text("{", encoding="utf-8")
    one.open(*paths)
    return one.session


@pytest.fixture
def told():
    return []


@pytest.fixture
def count(session, told):
    return partial(sharing.count_in_clear, session.questions, told.append)


def test_nothing_is_counted_before_somebody_asks(session, monkeypatch):
    monkeypatch.setattr(sharing, "ways_of", lambda *_: pytest.fail("nobody asks"))
    assert len(session.documents) == 4


def test_every_trace_is_counted(session, count, told, qtbot):
    count(session.documents)
    qtbot.waitUntil(lambda: bool(told))
    numbers = [one.number for one in session.documents]
    assert told == [{numbers[0]: 0, numbers[1]: 1, numbers[2]: 2}]


def test_a_few_rows_in_each_job(session, count, told, qtbot, monkeypatch):
    monkeypatch.setattr(sharing, "_LONGEST", -1.0)
    count(session.documents)
    qtbot.waitUntil(lambda: len(told) == 3)
    assert [len(one) for one in told] == [1, 1, 1]


def test_of_a_row_that_is_no_longer_asked_for_nothing_is_told(
    session, count, told, qtbot, monkeypatch
):
    monkeypatch.setattr(sharing, "_LONGEST", -1.0)
    first, second, *_ = session.documents
    count([first])
    count([second])
    qtbot.waitUntil(lambda: bool(told) and bool(told[-1]))
    assert [*filter(None, told)] == [{second.number: 1}]
