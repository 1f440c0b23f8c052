"""A session of the program without a window, for tests."""

import json

from kpinspector.app.engine import Engine
from kpinspector.app.session import Session
from kpinspector.settings import Settings
from tests.fakes import make_raw


class Harness:
    """A session; ``rows``: by number, as a window would keep them; ``said``: messages raised."""

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

    def begin(self, *paths):
        """Open files; waits until one of their texts waits at the gate of the ``Gated`` model."""
        self.session.opener.open([str(path) for path in paths])
        self.qtbot.waitUntil(self.embedder.waiting.is_set)

    def go_on(self):
        """Open the gate of the model; waits until all is scored."""
        self.embedder.gate.set()
        self.settle()

    def reload(self):
        self.session.reload()
        self.settle()

    @property
    def names(self):
        return [one.name for one in self.session.documents]


def write(path, *ids, **changes):
    lines = [json.dumps(make_raw(id=one, task={"objective": one}, **changes)) for one in ids]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
