"""The session: drops in order, groups of rows, stopping, rules, the report."""

import pytest

from kpinspector.app.document import Rules, State
from kpinspector.app.engine import Engine
from kpinspector.errors import KpError
from kpinspector.settings import Mode, Settings
from tests.app.harness import write
from tests.fakes import Gated


def test_a_folder_fills_in_and_scores_in_order(harness, tmp_path):
    write(tmp_path / "b.jsonl", "kp:trace:b1", "kp:trace:b2")
    write(tmp_path / "a.json", "kp:trace:a")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    one = harness(opened=[tmp_path])
    by_name = {row.name: row for row in one.session.documents}
    assert {name: row.state for name, row in by_name.items()} == {
        "a": by_name["a"].state,
        "b 1": by_name["b 1"].state,
        "b 2": by_name["b 2"].state,
        "bad": State.UNREADABLE,
        "notes": State.SKIPPED,
    }
    compared = [
        by_name[name].measured.measurement.novelty.compared_with for name in ("a", "b 1", "b 2")
    ]
    assert compared == [0, 1, 2]
    assert one.rows == {row.number: row for row in one.session.documents}
    assert not one.session.progress.busy
    assert one.session.memory.state.remembered == 3


def test_opening_again_reads_again_and_moves_nothing(harness, tmp_path):
    path = write(tmp_path / "a.jsonl", "kp:trace:1", "kp:trace:2")
    one = harness(opened=[path])
    scores = [row.assessment.score for row in one.session.documents]
    one.open(path)
    one.reload()
    assert [row.assessment.score for row in one.session.documents] == scores
    assert one.embedder.embedded == 2


def test_a_pending_row_has_its_turn_until_nothing_is_done_about_it(harness, tmp_path, qtbot):
    slow = Gated()
    one = harness(slow)
    first = write(tmp_path / "a.jsonl", *(f"kp:trace:{n}" for n in range(3)))
    one.session.opener.open([str(first)])
    one.session.opener.open([str(write(tmp_path / "b.jsonl", "kp:trace:b"))])
    qtbot.waitUntil(lambda: len(one.rows) == 4 and slow.waiting.is_set())
    turns = [one.session.pipeline.turn_of(row.number) for row in one.session.documents]
    assert turns == [(1, 3), (2, 3), (3, 3), (1, 1)]
    assert one.session.pipeline.turn_of(99) is None
    one.session.stop()
    assert [one.session.pipeline.turn_of(row.number) for row in one.session.documents] == [None] * 4
    slow.gate.set()


def test_a_row_that_lost_its_trace_while_it_waited_is_passed_over(harness, tmp_path):
    one = harness(Gated())
    path = write(tmp_path / "a.jsonl", "kp:trace:1", "kp:trace:2", "kp:trace:3")
    one.begin(path)
    first, _, third = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join((first, "7", third)), encoding="utf-8")
    one.session.opener.open([str(path)])
    one.go_on()
    assert [row.record is not None for row in one.session.documents] == [True, False, True]
    assert [row.measured is not None for row in one.session.documents] == [True, False, True]
    assert not one.session.progress.busy and not one.session.waits


def test_stop_keeps_what_is_done_and_resume_scores_the_rest(harness, tmp_path):
    one = harness(Gated())
    path = write(tmp_path / "a.jsonl", *(f"kp:trace:{n}" for n in range(5)))
    one.begin(path)
    one.session.stop()
    assert not one.session.progress.busy
    one.go_on()
    # what is stored is shown: the trace that was being measured came to its end
    measured = [row.measured is not None for row in one.session.documents]
    assert measured == [True, False, False, False, False]
    assert one.session.memory.state.remembered == 1
    one.session.resume()
    one.settle()
    assert all(row.measured for row in one.session.documents)
    novelties = [row.measured.measurement.novelty for row in one.session.documents]
    assert [novelty.compared_with for novelty in novelties] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("step", ["read", "places", "measure"])
def test_what_fails_is_counted_as_done(harness, tmp_path, monkeypatch, step):
    one = harness(Gated())
    whole = getattr(Engine, step)

    def fail_once(*args, **options):
        monkeypatch.setattr(Engine, step, whole)
        raise KpError("The disk is full.")

    monkeypatch.setattr(Engine, step, fail_once)
    write(tmp_path / "a.json", "kp:trace:a")
    one.session.opener.open([str(tmp_path / "a.json")])
    one.begin(write(tmp_path / "b.json", "kp:trace:b"))
    done = one.session.progress
    assert (done.read, done.to_read) == (2, 2)
    assert done.to_score - done.scored == 1
    one.go_on()
    assert not one.session.progress.busy
    assert [notice.sentence for notice in one.said] == ["The disk is full."]


def test_removing_a_row_that_waits_is_no_trouble(harness, tmp_path):
    one = harness(Gated())
    one.begin(write(tmp_path / "a.jsonl", "kp:trace:1", "kp:trace:2", "kp:trace:3"))
    one.session.remove([row.number for row in one.session.documents[:2]])
    seen = []
    one.session.progress_changed.connect(seen.append)
    one.go_on()
    assert max(progress.scored for progress in seen) == 3
    assert one.names == ["a 3"]
    assert one.session.documents[0].measured is not None
    assert one.rows.keys() == {one.session.documents[0].number}


def test_fresh_begins_every_drop_with_an_empty_memory(harness, tmp_path):
    one = harness(mode=Mode.FRESH)
    for name in ("kp:trace:1", "kp:trace:2"):
        one.open(write(tmp_path / f"{name[-1]}.json", name))
    novelties = [row.measured.measurement.novelty for row in one.session.documents]
    assert [novelty.compared_with for novelty in novelties] == [0, 0]


def test_the_mode_of_the_command_line_wins_over_settings(harness):
    one = harness(mode=Mode.FRESH)
    one.session.apply_settings(Settings(guest=True))
    one.settle()
    assert one.session.memory.state.mode is Mode.FRESH
    assert one.said == []


def test_a_threshold_chosen_for_now_survives_other_settings(harness):
    one = harness()
    one.session.store.judge(Rules(threshold=0.5))
    one.session.apply_settings(Settings(max_elements=5))
    one.settle()
    assert one.session.store.rules.threshold == 0.5


def test_settings_that_cannot_be_saved_apply_and_are_said(harness):
    harness.folder.write_text("no folder", encoding="utf-8")
    one = harness(mode=Mode.FRESH)
    one.session.apply_settings(Settings(threshold=0.2))
    one.settle()
    assert one.session.store.rules.threshold == 0.2
    assert "per-user" in one.said[0].sentence


@pytest.mark.parametrize("stopped", [True, False])
def test_what_comes_back_is_scored_only_where_that_was_going_on(harness, tmp_path, stopped):
    path = write(tmp_path / "a.jsonl", "kp:trace:1", "kp:trace:2", "kp:trace:3")
    one = harness(Gated())
    one.begin(path)
    if stopped:
        one.session.stop()
    removed = one.session.close_all()
    one.go_on()
    one.session.put_back(removed)
    assert one.session.progress.busy is not stopped
    one.settle()
    assert [row.measured is None for row in one.session.documents] == [stopped] * 3
    assert one.session.waits is stopped
