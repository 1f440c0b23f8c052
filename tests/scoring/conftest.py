"""Files of the memory, and the schema of the report, for the tests that are about them."""

import json
import sqlite3

import jsonschema
import pytest

from kpinspector.files import resources
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.report.written import SCHEMA_FILE
from kpinspector.settings import Mode
from tests.scoring.memory_samples import remember


@pytest.fixture
def memory_path(tmp_path):
    """No file yet, and no folder."""
    return tmp_path / "data" / "memory.sqlite3"


@pytest.fixture
def known(memory_path):
    """A file with the entries a and b, closed."""
    with Memory(Mode.REMEMBER, memory_path) as memory:
        remember(memory, "a", "b")
    return memory_path


@pytest.fixture
def connections(monkeypatch):
    """Every connection that is opened, and whether it is open still; Python 3.13 warns of those."""
    opened = []
    connect = sqlite3.connect

    class Counted(sqlite3.Connection):
        is_open = True

        def close(self):
            super().close()
            self.is_open = False

    def counted(*arguments, **options):
        opened.append(connect(*arguments, **options, factory=Counted))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", counted)
    return opened


@pytest.fixture
def validator():
    schema = json.loads((resources() / SCHEMA_FILE).read_bytes())
    return jsonschema.Draft202012Validator(schema)
