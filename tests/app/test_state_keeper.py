"""The state is written soon after it changed, once for changes that come together."""

import pytest

from kpinspector.app.jobs import JobRunner
from kpinspector.app.progress import NoticeBoard
from kpinspector.app.state import SavedState, StateKeeper, load_state
from kpinspector.errors import WriteError


class Kept:
    def __init__(self, folder):
        self.runner = JobRunner()
        self.state, self.gathered = SavedState(), 0
        self.board = NoticeBoard()
        self.keeper = StateKeeper(folder, SavedState(), self._gather, self.runner, self.board)
        self.written, self.said = [], []
        self.keeper.written.connect(lambda _ours, kept: self.written.append(kept))
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
