"""Large folders: listed by the beginnings of their files, read and remembered when asked for."""

import json
import threading
from collections import Counter
from pathlib import Path

import pytest

from kpinspector import files
from kpinspector.app import opener, pipeline, watch
from kpinspector.app.answers import REPORT
from kpinspector.app.document import State
from kpinspector.app.reading import read_opening
from kpinspector.files import ReadyFile
from kpinspector.scoring.novelty.sequence import Flag
from kpinspector.settings import Mode
from tests.app.harness import write
from tests.fakes import Gated
from tests.sessions import START, path_of, write_session, write_sessions, write_trace

COUNT = 12


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(opener, "MOST_READ", 10)


@pytest.fixture
def folder(tmp_path):
    return write_sessions(tmp_path / "projects", COUNT)


@pytest.fixture
def one(harness, folder):
    return harness(opened=[folder])


@pytest.fixture
def sizes(monkeypatch):
    """How many bytes were read of every file that was opened."""
    found = Counter()

    class Counted(ReadyFile):
        def readinto(self, buffer):
            count = super().readinto(buffer)
            found[str(self.name)] += count
            return count

    monkeypatch.setattr(files, "ReadyFile", Counted)
    return found


def states(one):
    return {row.state for row in one.session.documents}


def choose(one, number):
    one.session.store.choose(one.session.store[number])
    one.qtbot.waitUntil(lambda: one.session.store[number].unread is None)
    one.settle()
    return one.session.store[number]


def scored_in(one):
    """The names of the rows, in the order in which they come to be scored from now on."""
    scored = {}
    take = one.session.memory.take

    def take_and_note(state):
        take(state)
        scored.update((row.name, None) for row in one.session.documents if row.measured)

    one.session.memory.take = take_and_note
    return scored


def row_of(one, path):
    return next(row for row in one.session.documents if row.path == str(path))


def stems(one):
    return [Path(row.path).stem for row in one.session.documents]


def remembered(one):
    state = one.session.memory.state
    return 0 if state is None else state.remembered


def test_a_large_folder_is_listed_and_no_file_read(harness, folder, sizes):
    long = write_session(folder, COUNT, long=True)
    one = harness(opened=[folder])
    assert states(one) == {State.UNREAD} and len(one.names) == COUNT + 1
    paths = sorted(str(path) for path in folder.rglob("*.jsonl"))
    assert [row.path for row in one.session.documents] == paths
    assert one.names[0] == "Count the pumps of house 10"
    assert {row.format for row in one.session.documents} == {"claude-code"}
    assert row_of(one, long).changed_at == (START + COUNT) * 10**9
    assert one.embedder.embedded == 0 and remembered(one) == 0
    read = {path: size for path, size in sizes.items() if path.startswith(str(folder))}
    assert len(read) == COUNT + 1 and max(read.values()) <= 2**15 + 2**10 < long.stat().st_size
    assert not one.session.store.unscored and not one.session.waits


def test_what_is_no_recording_is_read_and_scored_as_ever(harness, folder):
    write_trace(folder, "a-trace")
    write_trace(folder, "z-trace")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    (folder / "notes.txt").write_text("Look at the pumps.", encoding="utf-8")
    one = harness()
    wanted = []
    one.session.store.row_wanted.connect(wanted.append)
    one.open(folder)
    found = Counter(row.state for row in one.session.documents)
    assert found[State.UNREAD] == COUNT and remembered(one) == 2
    assert (found[State.UNREADABLE], found[State.SKIPPED]) == (1, 1)
    order = [row.path for row in sorted(one.session.documents, key=lambda row: row.number)]
    assert order == sorted(order)
    assert [one.session.store[number].name for number in wanted] == ["a-trace"]


def test_a_description_without_a_run_is_no_recording_to_read(harness, folder):
    beside = folder / "agent-1.meta.json"
    beside.write_text('{"agentType": "reviewer", "toolUseId": "t1"}', encoding="utf-8")
    one = harness(opened=[folder])
    assert str(beside) not in [row.path for row in one.session.documents if row.unread]
    (row,) = [row for row in one.session.documents if row.path == str(beside)]
    assert row.state is State.SKIPPED


def test_the_last_row_that_was_wanted_comes_before_all_that_waits(
    harness, folder, tmp_path, monkeypatch
):
    one = harness(Gated(), opened=[folder])
    first, second = one.session.documents[3], one.session.documents[4]
    own = write(tmp_path / "own.jsonl", "a", "b", "c")
    one.begin(own)
    asked, scored = [], scored_in(one)
    opens = one.session.pipeline.open
    monkeypatch.setattr(
        one.session.pipeline,
        "open",
        lambda files, **how: asked.append(files[0].real) or opens(files, **how),
    )
    for row in (first, second):
        one.session.store.choose(row)
        one.qtbot.waitUntil(lambda path=row.path: path in asked)
    one.go_on()
    assert one.session.store[first.number].unread is not None
    assert list(scored) == ["own 1", second.name, "own 2", "own 3"]


def test_what_is_asked_for_is_scored_in_path_order_and_not_remembered(one):
    rows = one.session.documents
    scored = scored_in(one)
    one.session.unread.read([rows[one_].number for one_ in (5, 2, 9)])
    one.settle()
    assert list(scored) == [rows[at].name for at in (2, 5, 9)]
    assert remembered(one) == 0


def test_what_came_later_has_its_place_in_the_path_order(one, folder):
    first = folder / "-a" / "first.jsonl"
    first.parent.mkdir()
    first.write_text(path_of(folder, 1).read_text("utf-8"), encoding="utf-8")
    one.reload()
    read = []
    one.session.pipeline.read.connect(lambda reading: read.append(reading.opening.real))
    one.session.unread.read([row.number for row in one.session.documents])
    one.settle()
    assert read == sorted(read) and read[0] == str(first) and len(read) == COUNT + 1


def test_what_is_to_be_remembered_is_scored_in_the_ordinary_way(one):
    rows = one.session.documents
    choose(one, rows[4].number)
    assert one.session.unread.is_on_request(rows[4].number)
    one.session.unread.remember([rows[at].number for at in (6, 4)])
    one.settle()
    assert remembered(one) == 2
    for at in (4, 6):
        row = one.session.store[rows[at].number]
        assert Flag.AS_GUEST not in row.measured.place.flags and not row.as_guest
        assert not one.session.unread.is_on_request(row.number)
    assert not one.session.waits
    one.reload()
    assert remembered(one) == 2 and not one.session.store[rows[4].number].as_guest


@pytest.mark.parametrize("mode", [Mode.GUEST, Mode.FRESH])
def test_who_remembers_nothing_is_asked_for_nothing(harness, folder, mode):
    one = harness(mode=mode, opened=[folder])
    row = choose(one, one.session.documents[2].number)
    assert row.measured is not None and not one.session.unread.is_on_request(row.number)
    assert "remembered" not in one.said[0].sentence


def test_a_reload_reads_again_what_was_read_and_nothing_else(harness, folder, sizes):
    one = harness(opened=[folder])
    row = choose(one, one.session.documents[7].number)
    sizes.clear()
    write_session(folder, COUNT)
    path_of(folder, 1).unlink()
    one.reload()
    there = {path for path in sizes if path.startswith(str(folder))}
    assert there == {row.path, str(path_of(folder, COUNT))}
    assert len(one.names) == COUNT and one.session.store[row.number].as_guest
    assert remembered(one) == 0


def test_nothing_is_opened_again_behind_the_users_back(harness, folder, monkeypatch):
    monkeypatch.setattr(watch, "EVERY_MS", 20)
    looks = []
    one = harness()
    look = one.session.opener.open
    one.open(folder)
    monkeypatch.setattr(one.session.opener, "open", lambda *how: looks.append(how) or look(*how))
    number = one.session.documents[0].number
    one.session.remove([number])
    one.qtbot.waitUntil(lambda: len(looks) > 1)
    (folder / "more.jsonl").write_text(path_of(folder, 1).read_text("utf-8"), encoding="utf-8")
    one.qtbot.waitUntil(lambda: "more" in stems(one))
    assert number not in one.session.store and len(one.names) == COUNT
    one.session.close_all()
    assert one.session.state.open_paths == ()
    one.settle()
    assert one.names == []


def test_what_was_stopped_while_it_was_listed_comes_back_unread(harness, folder, monkeypatch):
    gate = threading.Event()

    def slow(*args):
        assert gate.wait(10)
        return read_opening(*args)

    monkeypatch.setattr(pipeline, "read_opening", slow)
    one = harness()
    one.session.opener.open([str(folder)])
    one.qtbot.waitUntil(lambda: one.session.progress.to_read == COUNT)
    one.session.put_back(one.session.close_all())
    gate.set()
    one.settle()
    assert states(one) == {State.UNREAD} and len(one.names) == COUNT


def test_stop_leaves_unread_what_was_not_read(harness, folder):
    one = harness(Gated(), opened=[folder])
    numbers = [row.number for row in one.session.documents]
    one.session.unread.read(numbers)
    one.session.stop()
    one.go_on()
    assert one.session.progress.busy is False
    assert Counter(row.unread is None for row in one.session.documents)[False] >= COUNT - 1


def test_what_a_file_holds_may_be_several_runs(harness, folder):
    path = path_of(folder, 2)
    side = json.dumps(
        {
            "type": "assistant",
            "isSidechain": True,
            "agentId": "a1",
            "sessionId": "s2",
            "uuid": "u20",
            "message": {"id": "m9", "role": "assistant", "content": "A sub-agent looks."},
        }
    )
    with path.open("a", encoding="utf-8") as file:
        file.write(side + "\n")
    one = harness(opened=[folder])
    before = row_of(one, path)
    choose(one, before.number)
    rows = [row for row in one.session.documents if row.path == str(path)]
    assert [row.record.source.record for row in rows] == [1, 2]
    assert rows[0].number == before.number and all(row.as_guest for row in rows)
    assert remembered(one) == 0


def test_exports_say_what_is_not_read(one, tmp_path):
    choose(one, one.session.documents[0].number)
    for form, name in (("csv", "list.csv"), (REPORT, "report.json")):
        one.session.exports.write(form, tmp_path / name, one.session.documents)
    one.settle()
    table = (tmp_path / "list.csv").read_text(encoding="utf-8-sig")
    assert table.count("a recording that is not read yet") == COUNT - 1
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert len(report["skipped"]) == COUNT - 1 and len(report["traces"]) == 1


def test_a_file_that_is_named_is_opened_as_ever(one, folder):
    one.open(path_of(folder, 5))
    row = row_of(one, path_of(folder, 5))
    assert row.measured is not None and not row.as_guest and remembered(one) == 1
