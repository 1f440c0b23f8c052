"""Files of the memory, for the tests that are about them."""

import pytest

from kpinspector.scoring.memory import Memory
from tests.scoring.memory_samples import remember


@pytest.fixture
def memory_path(tmp_path):
    """No file yet, and no folder."""
    return tmp_path / "data" / "memory.sqlite3"


@pytest.fixture
def known(memory_path):
    """A file with the entries a and b, closed."""
    with Memory.open(memory_path) as memory:
        remember(memory, "a", "b")
    return memory_path
