"""The store says what changed in groups: the first soon, the next ones some way apart."""

import pytest
from PySide6.QtCore import QElapsedTimer, QTimer

from kpinspector.app.document import Rules
from kpinspector.app.documents import DocumentStore, ListChange
from tests.known import present
from tests.ui.documents import pending, score


@pytest.fixture
def store(qapp):
    made = DocumentStore(Rules())
    yield made
    made.close()


@pytest.fixture
def heard(store):
    changes = []
    store.changed.connect(changes.append)
    return changes


def pause(store):
    """How long it is till the next group, in milliseconds."""
    return present(store.findChild(QTimer)).interval()


def numbers(documents):
    return [one.number for one in documents]


def test_the_first_group_goes_soon_and_the_next_ones_apart(qtbot, store):
    store.put(pending(0))
    assert pause(store) <= 10
    with qtbot.waitSignal(store.changed):
        pass
    store.put(pending(1))
    assert 60 <= pause(store) <= 100


def test_a_group_without_rows_holds_nothing_up(qtbot, store):
    with qtbot.waitSignal(store.rested):
        store.wait()
    store.put(pending(0))
    assert pause(store) <= 10


def test_a_group_after_a_rest_goes_soon_again(qtbot, store):
    store.put(pending(0))
    store.flush()
    store.close()
    clock = QElapsedTimer()
    clock.start()
    qtbot.waitUntil(lambda: clock.elapsed() > 100)
    store.put(pending(1))
    assert pause(store) <= 10


def test_a_group_holds_each_row_once_as_it_is_by_then(qtbot, store):
    store.put(pending(0))
    scored = score(pending(0), 0.5)
    assert store.put_scored(scored) is False  # another reading of the item
    store.put(pending(1))
    with qtbot.waitSignal(store.changed) as first:
        pass
    assert numbers(first.args[0].added) == [0, 1]
    store.put(score(pending(1), 0.5))
    store.put(score(pending(1), 0.7))
    with qtbot.waitSignal(store.changed) as second:
        pass
    (row,) = second.args[0].changed
    assert row.measured.measurement.novelty.value == 0.7


def test_what_came_changed_and_went_is_said_at_once(store, heard):
    for number in range(3):
        store.put(pending(number))
    store.flush()
    store.put(score(pending(0), 0.5))
    store.put(pending(3))
    store.put(pending(4))
    store.take_off([1, 4])
    first, second = heard
    assert numbers(first.added) == [0, 1, 2]
    assert (numbers(second.added), numbers(second.changed), second.removed) == ([3], [0], (1,))
    assert store.told is False and numbers(store.documents) == [0, 2, 3]


def test_what_came_and_went_meanwhile_is_not_spoken_of(store, heard):
    store.put(pending(0))
    store.take_off([0])
    store.flush()
    assert heard == []


def test_other_rules_judge_all_rows_once(store, heard):
    store.put(score(pending(0), 0.5))
    store.put(pending(1))
    rules = Rules(threshold=0.1)
    store.judge(rules)
    store.judge(rules)
    added, judged = heard
    assert added.rules is None and judged == ListChange(changed=store.documents, rules=rules)
    assert [one.rules for one in store.documents] == [rules, rules]
    store.put(pending(2))  # was read before the rules were changed
    assert store[2].rules == rules


def test_the_current_row_is_told_once_and_known_as_it_is_now(store):
    told = []
    store.current_changed.connect(told.append)
    store.put(pending(0))
    store.choose(store[0])
    store.choose(store[0])
    assert told == [store[0]]
    store.put(score(pending(0), 0.5))
    assert store.current is store[0] and store.current.measured is not None
    store.take_off([0])
    assert store.current is None
    store.choose(None)
    assert told[1:] == [None]


def test_removed_rows_come_back_where_they_were(store, heard):
    for number in range(3):
        store.put(pending(number))
    removed = store.remove([1, 0])
    store.judge(Rules(threshold=0.2))
    back = store.put_back(removed)
    assert numbers(back) == [0, 1] and numbers(store.documents) == [0, 1, 2]
    assert {one.rules.threshold for one in store.documents} == {0.2}
    assert numbers(heard[-1].added) == [0, 1]
    assert store.put_back(removed) == []


def test_what_waits_is_known(store):
    store.put(pending(1))
    store.put(pending(0))
    assert store.waiting and store.unscored == [0, 1]
    store.put(score(pending(0), 0.5))
    store.take_off([1])
    assert not store.waiting and store.unscored == []
