"""Sessions that are closed when their test ends."""

import pytest

from kpinspector.scoring.mode import Mode
from tests.app.harness import Harness
from tests.fakes import FakeEmbedder


@pytest.fixture
def harness(qtbot, tmp_path_factory):
    made, folder = [], tmp_path_factory.mktemp("data") / "per-user"

    def make(embedder=None, mode=Mode.REMEMBER, state=None):
        made.append(Harness(qtbot, folder, embedder or FakeEmbedder(), mode, state))
        return made[-1]

    make.folder = folder
    yield make
    for one in made:
        assert one.session.close()
