"""Rows go out in groups: the first soon, the next ones some way apart."""

import pytest

from kpinspector.app.document import Rules
from kpinspector.app.groups import Groups
from kpinspector.app.rows import Rows
from tests.ui.documents import pending, score


@pytest.fixture
def groups(qapp):
    made = Groups(Rows())
    yield made
    made.timer.stop()


def test_the_first_group_goes_soon_and_the_next_ones_apart(qtbot, groups):
    groups.put(pending(0))
    assert groups.timer.interval() <= 10
    with qtbot.waitSignal(groups.added):
        pass
    groups.put(pending(1))
    assert 60 <= groups.timer.interval() <= 100


def test_a_group_without_rows_holds_nothing_up(qtbot, groups):
    with qtbot.waitSignal(groups.due):
        groups.wait()
    groups.put(pending(0))
    assert groups.timer.interval() <= 10


def test_a_group_after_a_rest_goes_soon_again(qtbot, groups):
    groups.put(pending(0))
    groups.flush()
    groups.timer.stop()
    qtbot.waitUntil(lambda: groups._since_last.elapsed() > 100)
    groups.put(pending(1))
    assert groups.timer.interval() <= 10


def test_a_group_holds_each_row_once_as_it_is_by_then(qtbot, groups):
    groups.put(pending(0))
    scored = score(pending(0), 0.5)
    assert groups.put_scored(scored, Rules()) is False  # another reading of the item
    groups.put(pending(1))
    with qtbot.waitSignal(groups.added) as added:
        pass
    assert [one.number for one in added.args[0]] == [0, 1]
    groups.put(score(pending(1), 0.5))
    groups.put(score(pending(1), 0.7))
    with qtbot.waitSignal(groups.changed) as changed:
        pass
    (row,) = changed.args[0]
    assert row.measured.measurement.novelty.value == 0.7
