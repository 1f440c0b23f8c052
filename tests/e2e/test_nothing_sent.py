"""Nothing is sent, and nothing is written but in the folder of everything per-user.

Seen from outside where ``strace`` can look: at every socket and at every file, whoever opens it. It
looks at the real ways in, on an environment that asks the ONNX runtime for the contrary. Without
it, an audit hook and the folders of a user who had none say the same more weakly: the hook sees
what Python does, the folders what is left of what libraries did.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from kpinspector.files import resources

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
VISITS = [str(resources() / "samples" / name) for name in ("visit-03.json", "visit-08.json")]
RECORDING = str(resources() / "samples" / "water-meter.jsonl")

WINDOW = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from kpinspector.__main__ import main
from kpinspector.ui.actions.table import Command
from tests.e2e.conftest import Driver
from tests.user import idle, scored_names, trigger

def script():
    window = yield
    yield idle(window)
    assert scored_names(window) == ["visit-03", "visit-08"]  # the recording has a range
    trigger(window, Command.EXPORT)
    yield lambda: any(one.isVisible() for one in window.findChildren(QFileDialog))
    window.findChild(QFileDialog).reject()
    yield lambda: window.findChild(QFileDialog) is None

QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
app = QApplication(["kpinspector"])
steps = script()
next(steps)
driver = Driver(steps)
status = main(sys.argv[1:])
driver.stop()
sys.exit(status)
"""
LIBRARY = """
import sys
from kpinspector.scoring.model.embedder import MiniLM
minilm = MiniLM()
minilm.embed(minilm.window("a text"))
"""
WAYS_IN = {  # and with which status they end
    "score": (["-m", "kpinspector", "score", *VISITS], 1),
    "explain": (["-m", "kpinspector", "explain", VISITS[0]], 0),
    "explain a recording": (["-m", "kpinspector", "explain", RECORDING], 1),
    "window": (["-c", WINDOW, *VISITS, RECORDING], 0),
    "library": (["-c", LIBRARY], 0),
}
AUDITED = """
import json, os, sys
seen = []

def hear(event, given):
    if event == "socket.__new__" and given[1] in (2, 10):
        seen.append([event, str(given[1:])])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        seen.append([event, str(given[0])])
    elif event == "open" and isinstance(given[0], str) and given[2] & (os.O_WRONLY | os.O_RDWR):
        seen.append([event, os.path.abspath(given[0])])

sys.addaudithook(hear)
command = sys.argv.pop(1)
try:
    if command == "-m":
        import runpy
        runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
    else:
        exec(sys.argv.pop(1), {"__name__": "__main__"})
finally:
    sys.stderr.write("\\nheard " + json.dumps(seen))
"""


class Home(NamedTuple):
    """A user who has just come: all that is theirs, and a folder for kpinspector in it."""

    folder: Path

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def environment(self) -> dict[str, str]:
        temporary = self.folder / "tmp"
        temporary.mkdir()
        return os.environ | {
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / ".config"),
            "XDG_CACHE_HOME": str(self.folder / ".cache"),
            "XDG_DATA_HOME": str(self.folder / ".local" / "share"),
            "XDG_STATE_HOME": str(self.folder / ".local" / "state"),
            "TMPDIR": str(temporary),
            "KPINSPECTOR_DATA_DIR": str(self.data),
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",  # else one is started, and outlives us
            "ORT_DISABLE_TELEMETRY": "0",
            "PYTHONDONTWRITEBYTECODE": "1",  # bytecode is the interpreter's
        }

    def allows(self, path: str) -> bool:
        """Ours, or what the system's list of fonts keeps for all programs where it is stale."""
        folders = (self.data, self.folder / ".cache" / "fontconfig", Path("/dev"))
        return any(Path(path).is_relative_to(one) for one in folders)

    @property
    def strangers(self) -> list[str]:
        found = map(str, self.folder.rglob("*"))
        return sorted(one for one in found if Path(one).is_file() and not self.allows(one))


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return Home(folder.resolve())


@pytest.fixture
def strace():
    """The tracer's path; on the machine that decides it has to be there."""
    found = shutil.which("strace")
    if found and subprocess.run([found, "-o", os.devnull, "true"], check=False).returncode == 0:
        return found
    if sys.platform.startswith("linux") and os.environ.get("CI"):
        pytest.fail("strace is missing, or may not trace")
    pytest.skip("no strace, or it may not trace")


_CALL = re.compile(r"(?P<name>\w+)\((?P<given>.*)\)\s+= (?P<result>-?\w+)")
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<path>[^"]*)"')
_OPENS = ("open", "openat", "openat2", "creat")
_CHANGES = re.compile(r"(mkdir|mknod|rename|link|symlink|unlink|rmdir|truncate|chmod|chown|utime)")


def written(trace: str) -> Iterator[str]:
    """The paths that calls changed, as far as the system let them."""
    for line in trace.splitlines():
        call = _CALL.match(line)
        if call is None or call["result"] == "-1":
            continue
        opens = call["name"] in _OPENS and re.search(r"O_WRONLY|O_RDWR|O_CREAT", call["given"])
        if opens or call["name"] == "creat" or _CHANGES.match(call["name"]):
            paths = [
                os.path.normpath(Path(found["folder"] or ROOT, found["path"]))
                for found in _PATH.finditer(call["given"])
            ]
            yield from paths[-1:] if "link" in call["name"] else paths


@pytest.mark.parametrize("way", WAYS_IN)
def test_the_system_sees_no_way_to_a_network_and_no_file_beside_ours(way, home, strace, tmp_path):
    command, status = WAYS_IN[way]
    traces = tmp_path / "trace"
    traces.mkdir()
    looking = ["-ff", "--seccomp-bpf", "-qq", "-y", "-s", "4096", "-e", "trace=%network,%file"]
    done = subprocess.run(
        [strace, *looking, "-o", traces / "of", sys.executable, *command],
        cwd=ROOT, env=home.environment, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr.decode()
    text = "\n".join(path.read_text(errors="replace") for path in traces.iterdir())
    assert "openat(" in text  # it did look
    assert [line for line in text.splitlines() if "AF_INET" in line or "AF_NETLINK" in line] == []
    paths = set(written(text))
    assert [path for path in sorted(paths) if not home.allows(path)] == []
    assert way == "library" or any(path.endswith("memory.sqlite3") for path in paths)
    assert home.strangers == []


@pytest.mark.parametrize("way", WAYS_IN)
def test_python_opens_no_socket_and_no_library_leaves_a_file(way, home):
    command, status = WAYS_IN[way]
    done = subprocess.run(
        [sys.executable, "-c", AUDITED, *command],
        cwd=ROOT, env=home.environment, capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr.decode()
    heard = json.loads(done.stderr.decode().rpartition("\nheard ")[2])
    assert [one for one in heard if one[0] != "open" or not home.allows(one[1])] == []
    assert home.strangers == []
