"""What is kept from one run to the next: recent paths with notes, open paths, the current row."""

import pytest

from kpinspector.app.document import Document, Rules
from kpinspector.app.jobs import JobRunner
from kpinspector.app.notices import note_on
from kpinspector.app.state import (
    MOST_RECENT,
    History,
    RecentPath,
    RowPlace,
    SavedState,
    StateKeeper,
    load_state,
    merged,
    save_state,
)
from kpinspector.app.values import NoticeBoard
from kpinspector.errors import WriteError
from kpinspector.runs.rules import RunOutcome
from tests import undecided
from tests.app.harness import write


def test_a_state_is_kept(tmp_path):
    state = SavedState(
        recent=(RecentPath(path="/a", is_folder=True, note="6 of 40 pass"),),
        open_paths=("/a",),
        current=RowPlace("/a/b.json", 3),
        geometry="AAA=",
        columns={"traces": "BBB="},
    )
    save_state(tmp_path / "new", state)
    assert load_state(tmp_path / "new") == state


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2}', '{"recent": 3}', "\udcff"])
def test_a_broken_state_stands_for_nothing(tmp_path, text):
    (tmp_path / "state.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert load_state(tmp_path) == SavedState()
    assert load_state(tmp_path / "missing") == SavedState()


def test_a_path_that_is_no_text_is_left_out(tmp_path):
    bad = "/a\udcff.json"
    recent = (RecentPath(path=bad), RecentPath(path="/b"))
    state = SavedState(recent=recent, open_paths=(bad, "/b"), current=RowPlace(bad, 0))
    save_state(tmp_path, state)
    kept = load_state(tmp_path)
    assert [one.path for one in kept.recent] == ["/b"]
    assert kept.open_paths == ("/b",) and kept.current is None


def test_a_state_that_cannot_be_written_is_an_expected_failure(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(WriteError):
        save_state(tmp_path / "file", SavedState())


def test_bundled_samples_do_not_push_the_users_own_paths_out(harness, tmp_path):
    one = harness(opened=[write(tmp_path / "b.json", "b")])
    one.session.open_samples()
    one.settle()
    one.session.open_samples("ping.json")
    one.settle()
    assert len(one.names) > 5
    assert [row.path for row in one.session.history.recent] == [str(tmp_path / "b.json")]


def test_at_most_ten_recent_paths_and_none_that_was_missing(harness, tmp_path):
    paths = [write(tmp_path / f"{n:02}.json", str(n)) for n in range(12)]
    one = harness(opened=[*paths, tmp_path / "missing.json"])
    assert [row.path for row in one.session.history.recent] == [str(p) for p in paths[:MOST_RECENT]]


def test_what_is_missing_at_a_restore_is_said_in_one_sentence(harness, tmp_path):
    path = write(tmp_path / "a.json", "a")
    gone = [str(tmp_path / name) for name in ("x.json", "y")]
    one = harness(state=SavedState(open_paths=(gone[0], str(path), gone[1])))
    one.session.restore()
    one.settle()
    assert one.names == ["a"] and one.session.state.open_paths == (str(path),)
    assert len(one.said) == 1 and one.said[0].sentence.startswith("2 paths")
    assert one.said[0].detail.splitlines() == sorted(gone)


def test_stopping_a_restore_keeps_what_is_to_be_restored(harness, tmp_path):
    path = write(tmp_path / "a.json", "a")
    one = harness(state=SavedState(open_paths=(str(path),)))
    one.session.restore()
    one.session.stop()
    assert one.session.state.open_paths == (str(path),)


def test_a_row_of_the_last_time_that_is_gone_is_not_waited_for(harness, tmp_path):
    path = write(tmp_path / "a.json", "a")
    state = SavedState(open_paths=(str(path),), current=RowPlace(str(path), 9))
    one, wanted = harness(state=state), []
    one.session.store.row_wanted.connect(wanted.append)
    one.session.restore()
    assert one.session.state.current == state.current
    one.settle()
    assert wanted == [] and one.session.state.current is None


def paths(*names):
    return tuple(RecentPath(path=name) for name in names)


@pytest.mark.parametrize(
    ("ours", "theirs", "base", "expected"),
    [
        ("ab", "ab", "ab", "ab"),
        ("cab", "ab", "ab", "cab"),
        ("ab", "dab", "ab", "dab"),
        ("cab", "dab", "ab", "cabd"),
        ("ba", "dab", "ab", "bad"),  # opened again
        ("", "dab", "ab", "d"),  # cleared here
        ("cab", "", "ab", "c"),  # cleared there
    ],
)
def test_recent_paths_of_two_windows_are_merged(ours, theirs, base, expected):
    found = merged(*(SavedState(recent=paths(*names)) for names in (ours, theirs, base)))
    assert [one.path for one in found.recent] == list(expected)


def test_of_the_rest_what_changed_last_holds(tmp_path):
    base = SavedState(open_paths=("/a",), geometry="AAA=")
    save_state(tmp_path, SavedState(open_paths=("/b",), geometry="AAA="), base)
    kept = save_state(tmp_path, SavedState(open_paths=("/a",), geometry="BBB="), base)
    assert (kept.open_paths, kept.geometry) == (("/b",), "BBB=")
    assert load_state(tmp_path) == kept
    assert [one.name for one in tmp_path.iterdir()] == ["state.json"]


def test_a_file_that_is_gone_or_broken_is_written_whole(tmp_path):
    base = SavedState(open_paths=("/a",), geometry="AAA=")
    assert save_state(tmp_path, base, base) == base
    (tmp_path / "state.json").write_text("{", encoding="utf-8")
    assert save_state(tmp_path, base, base) == base == load_state(tmp_path)


def test_what_other_windows_opened_is_shown_and_what_was_opened_meanwhile_stays(harness):
    one = harness(state=SavedState(recent=paths("a")))
    history, ours = one.session.history, SavedState(recent=paths("b", "a"))
    history.add(paths("b"))
    history.mark_missing(frozenset({"a"}))
    history.add(paths("c"))
    history.take_over(ours, SavedState(recent=paths("b", "d", "a")))
    assert [(row.path, row.is_missing) for row in history.recent] == [
        ("c", False),
        ("b", False),
        ("a", True),
        ("d", False),
    ]


DASH = "\N{EN DASH}"
OPEN, REJECTED = Rules(threshold=0.7), Rules(threshold=0.99)


def test_a_run_whose_score_is_a_range_is_scored():
    rows = [undecided.run_document(rules=rules) for rules in (OPEN, REJECTED, Rules(threshold=0.1))]
    pending = Document(8, undecided.record(), OPEN)
    assert note_on([*rows, pending]) == "3 of 4 scored"
    assert note_on(rows) == "1 of 3 pass, 1 undecided"
    assert note_on(rows[1:]) == "1 of 2 pass"
    assert note_on(rows[:1]) == f"undecided, 0.52{DASH}0.78"
    assert note_on(rows[1:2]) == f"rejected, 0.52{DASH}0.78"
    assert note_on(rows[2:]) == f"accepted, 0.52{DASH}0.78"
    known = undecided.run_document(undecided.record(stated=RunOutcome(0.9, True)), OPEN)
    assert note_on([known]) == "accepted, 0.7475"


class Noting(History):
    def __init__(self, written):
        super().__init__(SavedState())
        self._written = written

    def take_over(self, ours, kept):
        self._written.append(kept)


class Kept:
    def __init__(self, folder):
        self.runner = JobRunner()
        self.state, self.gathered = SavedState(), 0
        self.board = NoticeBoard()
        self.written, self.said = [], []
        history = Noting(self.written)
        self.keeper = StateKeeper(folder, history, self._gather, self.runner, self.board)
        self.board.raised.connect(self.said.append)

    def _gather(self):
        self.gathered += 1
        return self.state

    def change(self, geometry):
        self.state = SavedState(geometry=geometry)
        self.keeper.touch()


@pytest.fixture
def kept(qapp, tmp_path):
    made = []

    def make(folder=tmp_path):
        made.append(Kept(folder))
        return made[-1]

    yield make
    for one in made:
        one.runner.close()


def test_changes_that_come_together_are_written_together(kept, qtbot, tmp_path):
    one = kept()
    for geometry in "abc":
        one.change(geometry)
    qtbot.waitUntil(lambda: one.written != [])
    assert one.written == [SavedState(geometry="c")] == [load_state(tmp_path)]
    assert one.gathered == 1
    one.change("d")
    qtbot.waitUntil(lambda: one.written[-1].geometry == "d")


def test_what_did_not_change_is_not_written(kept, qtbot, tmp_path):
    one = kept()
    one.keeper.touch()
    qtbot.waitUntil(lambda: one.gathered == 1)
    assert one.runner.idle and list(tmp_path.iterdir()) == []


def test_the_end_waits_for_nothing(kept, tmp_path):
    one = kept()
    one.change("a")
    one.keeper.end()
    assert load_state(tmp_path).geometry == "a" and one.written == []


def test_a_folder_that_cannot_be_written_to_is_said_once(kept, qtbot, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    one = kept(tmp_path / "file")
    one.change("a")
    qtbot.waitUntil(lambda: one.said != [])
    one.change("b")
    qtbot.waitUntil(lambda: one.gathered == 2 and one.runner.idle)
    assert len(one.said) == 1 and "file" in one.said[0].sentence
    with pytest.raises(WriteError):
        one.keeper.end()
