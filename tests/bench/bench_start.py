"""How long the window takes to come up, beside a bare one.

python tests/bench/bench_start.py [--once]

Every figure is that of a new process whose modules are compiled, as after an installation. The
bare window and ours take turns, so that both meet the same machine.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

from stage import ROOT, show

PRELUDE = """
import time
def seen(what):
    print(what, time.time(), flush=True)
"""
BARE = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
class Window(QMainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, lambda: (seen("painted"), app.exit()))
window = Window()
window.resize(1440, 900)
window.show()
app.exec()
"""
OURS = """
import sys
from kpinspector.loading import loading
with loading():
    from PySide6.QtCore import QTimer
    import kpinspector.ui.application as application
class Window(application.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        if not self.furnished:
            QTimer.singleShot(0, lambda: seen("painted"))
    def furnish(self, session):
        super().furnish(session)
        QTimer.singleShot(0, lambda: (seen("furnished"), self.close()))
application.MainWindow = Window
from kpinspector.__main__ import main
sys.exit(main(["--data-dir", sys.argv[1]]))
"""


def moments(code: str) -> dict[str, float]:
    """Seconds from the start of a process to what it says."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.time()
        done = subprocess.run(
            [sys.executable, "-c", PRELUDE + code, folder],
            check=True,
            env=environment,
            capture_output=True,
            text=True,
        )
    said = (line.split() for line in done.stdout.splitlines())
    return {what: float(when) - begun for what, when in said}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function, not for speed")
    rounds = 1 if parser.parse_args().once else 15
    codes = (BARE, OURS)
    for code in codes:
        moments(code)  # the first run may have to compile
    found = [tuple(moments(code) for code in codes) for _ in range(rounds)]
    bare = [one[0]["painted"] for one in found]
    ours = [one[1]["painted"] for one in found]
    furnished = [one[1]["furnished"] for one in found]
    ratio = statistics.median(mine / other for mine, other in zip(ours, bare, strict=True))
    show("empty window on screen, over a bare QMainWindow", f"{ratio:.2f} x", "2.5 x")
    for name, times in (
        ("    bare", bare),
        ("    ours", ours),
        ("    ours, with everything in it and ready for a click", furnished),
    ):
        show(name, f"{statistics.median(times) * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
