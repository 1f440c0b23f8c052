"""Sessions that are closed when their test ends."""

from time import time

import pytest

from kpinspector.settings import Mode
from tests.app.harness import Harness
from tests.fakes import FakeEmbedder


class Make:
    """Makes sessions on one folder, and opens paths in them."""

    def __init__(self, qtbot, folder):
        self.qtbot, self.folder, self.made = qtbot, folder, []

    def __call__(self, embedder=None, mode=Mode.REMEMBER, state=None, now=time, opened=()):
        embedder = embedder or FakeEmbedder()
        self.made.append(Harness(self.qtbot, self.folder, embedder, mode, state, now))
        if opened:
            self.made[-1].open(*opened)
        return self.made[-1]


@pytest.fixture
def harness(qtbot, tmp_path_factory):
    make = Make(qtbot, tmp_path_factory.mktemp("data") / "per-user")
    yield make
    for one in make.made:
        assert one.session.close()
