"""Whatever takes its time is done by the one worker, never by the thread of the window."""

import gc
import json
import threading
from collections import defaultdict

import pytest

from kpinspector.app import opener, pipeline, watch
from kpinspector.app.engine import Engine
from kpinspector.scoring.memory.memory import Memory
from kpinspector.ui.actions.table import Command
from tests import user
from tests.fakes import FakeEmbedder, make_raw, save
from tests.user import drop, idle, reads, trigger

pytestmark = pytest.mark.slow


def note_thread(monkeypatch, seen, holder, name):
    """Have every call of a function say on which thread it runs."""
    before = getattr(holder, name)

    def noting(*given, **named):
        seen[f"{holder.__name__}.{name}"].add(threading.get_ident())
        return before(*given, **named)

    monkeypatch.setattr(holder, name, noting)


def test_files_embeddings_and_memory_are_not_touched_by_the_window(tmp_path, monkeypatch):
    seen = defaultdict(set)
    for holder, name in (
        (opener, "list_openings"),
        (pipeline, "read_opening"),
        (watch, "changed_files"),
        (FakeEmbedder, "window"),
        (FakeEmbedder, "embed"),
        (Memory, "__init__"),
        (Memory, "remember"),
        (Memory, "entries"),
        (Memory, "forget"),
        (Memory, "clear"),
        (Memory, "close"),
    ):
        note_thread(monkeypatch, seen, holder, name)
    path = save(tmp_path / "a.jsonl", *(make_raw(id=str(n)) for n in range(3)))
    target = tmp_path / "report.json"
    window = yield from user.opened(path)
    trigger(window, Command.SCORE_AGAIN)
    trigger(window, Command.MANAGE_MEMORY)
    yield idle(window)
    save(path, *(make_raw(id=str(n), task={"objective": str(n)}) for n in range(3)))
    yield reads(window, "edited trace")
    yield idle(window)
    trigger(window, Command.EXPORT)
    yield from user.save_as(window, target)
    trigger(window, Command.FORGET)
    trigger(window, Command.CLEAR_MEMORY)
    user.press(user.dialog(window, "Clear Memory"), "Clear Memory")
    yield reads(window, "0 remembered")
    yield user.CLOSED
    assert len(seen) == 11, sorted(seen)
    assert threading.get_ident() not in seen.pop("FakeEmbedder.embed")  # it has threads of its own
    (worker,) = set.union(*seen.values())
    assert worker != threading.get_ident()
    assert json.loads(target.read_bytes())["traces"]


def test_what_work_gave_is_passed_over_by_the_collector(tmp_path):
    raws = [make_raw(id=str(n)) for n in range(60)]
    first, second = save(tmp_path / "a.json", raws[0]), save(tmp_path / "b.jsonl", *raws)
    window = yield from user.opened(first)
    before = gc.get_freeze_count()
    drop(window, second)
    yield lambda: user.row_count(window) == 61
    yield idle(window)
    assert gc.get_freeze_count() > before + 60


def test_the_worker_collects_nothing_to_its_very_end(tmp_path, monkeypatch):
    path, collects, before = save(tmp_path / "a.json", make_raw()), [], Engine.close

    def close(engine):
        collects.append(gc.isenabled())
        before(engine)

    monkeypatch.setattr(Engine, "close", close)
    yield from user.opened(path)
    yield user.CLOSED
    assert collects == [False] and gc.isenabled()
