"""A session with all that it said, for tests."""

import json
import threading

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.settings import Settings
from tests.fakes import FakeEmbedder, make_raw


class Slow(FakeEmbedder):
    """Embeds nothing before it is let go."""

    def __init__(self):
        super().__init__()
        self.gate = threading.Event()
        self.waiting = threading.Event()

    def embed(self, window):
        self.waiting.set()
        assert self.gate.wait(10)
        return super().embed(window)


class Harness:
    """Keeps the rows as a window would."""

    def __init__(self, qtbot, folder, embedder, mode, state, now):
        self.qtbot = qtbot
        self.embedder = embedder
        engine = Engine(mode, folder, Settings(), embedder, now)
        self.session = Session(engine, Settings(), state=state)
        self.rows, self.said = {}, []
        self.session.store.changed.connect(self._show)
        self.session.board.raised.connect(self.said.append)

    def _show(self, change):
        self.rows.update((one.number, one) for one in (*change.added, *change.changed))
        for number in change.removed:
            del self.rows[number]

    def settle(self):
        session = self.session
        self.qtbot.waitUntil(lambda: session.runner.idle and session.store.told)

    def open(self, *paths):
        self.session.opener.open([str(path) for path in paths])
        self.settle()

    @property
    def names(self):
        return [one.name for one in self.session.documents]


def write(path, *ids, **changes):
    lines = [json.dumps(make_raw(id=one, task={"objective": one}, **changes)) for one in ids]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
