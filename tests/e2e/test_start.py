"""How the program starts: what is loaded before the window is seen, and before the first trace."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kpinspector.__main__ import main
from kpinspector.files import resources

ROOT = Path(__file__).resolve().parents[2]

STARTED = """
import json, sys
from PySide6.QtCore import QTimer
from kpinspector.__main__ import main
from kpinspector.ui import application

HEAVY = "kpinspector.app.session", "numpy", "onnxruntime", "tokenizers", "sqlite3"
loaded = {}

def note(moment):
    loaded[moment] = [name for name in HEAVY if name in sys.modules]

class Window(application.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        if "painted" not in loaded:
            note("painted")
            self.timer = QTimer(self, interval=5)
            self.timer.timeout.connect(self.look)
            self.timer.start()

    def look(self):
        if not self.furnished:
            return
        session = self._session
        known = session.memory.state is not None
        if "ready" not in loaded and known and not len(session.store):
            note("ready")
            session.opener.open(sys.argv[1:])
        elif any(one.measured for one in session.documents):
            note("scored")
            self.close()

application.MainWindow = Window
status = main([])
print(json.dumps(loaded))
sys.exit(status)
"""


def test_a_frozen_program_may_be_a_solvers_process(monkeypatch, capsys):
    """On Windows such a process is the program again, which must not read its arguments."""
    began = []
    monkeypatch.setattr("multiprocessing.freeze_support", lambda: began.append(sys.argv))
    assert main(["frobnicate"]) == 2
    assert began == []
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert main(["frobnicate"]) == 2
    assert began == [sys.argv]


def test_a_program_that_is_not_frozen_loads_nothing_for_other_processes():
    code = (
        "import sys; from kpinspector.__main__ import main; main(['frobnicate']);"
        "assert 'multiprocessing' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True)


@pytest.mark.slow
def test_what_scores_is_loaded_neither_before_the_window_is_seen_nor_before_a_trace_comes():
    sample = resources() / "samples" / "ping.json"
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(sample)],
        cwd=ROOT, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and done.stderr == b""
    assert json.loads(done.stdout) == {
        "painted": [],
        "ready": ["kpinspector.app.session", "numpy", "sqlite3"],
        "scored": ["kpinspector.app.session", "numpy", "onnxruntime", "tokenizers", "sqlite3"],
    }
