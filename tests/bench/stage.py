"""What the benches of the window share: generated traces, a window to drive, its heartbeat."""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QEvent, QObject, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from kpinspector.app.engine import Engine  # noqa: E402
from kpinspector.app.session import Session  # noqa: E402
from kpinspector.app.state import SavedState  # noqa: E402
from kpinspector.scoring.model.embedder import Embedder  # noqa: E402
from kpinspector.settings import Mode, Settings, Theme  # noqa: E402
from kpinspector.ui.application import Interpreter  # noqa: E402
from kpinspector.ui.look.theme import apply_theme  # noqa: E402
from kpinspector.ui.main_window import MainWindow  # noqa: E402
from tests.fakes import make_raw  # noqa: E402
from tests.known import present  # noqa: E402

BEAT_MS = 2
BIG_STEPS = 10_000
STEP_WORDS = 85  # about 500 bytes to a step: 10,000 of them make 5 MB
KINDS = ("thought", "tool_call", "observation", "error_recovery")
WORDS = (
    "check",
    "the",
    "log",
    "of",
    "every",
    "node",
    "before",
    "a",
    "change",
    "is",
    "made",
    "again",
)


Part = TypeVar("Part", bound=QObject)


class Stage:
    """One window on one session, driven by the event loop as a user's would be."""

    def __init__(self, app: QApplication, folder: Path, embedder: Embedder) -> None:
        settings = Settings(theme=Theme.LIGHT)
        self.app = app
        engine = Engine(Mode.FRESH, folder, settings, embedder)
        self.session = Session(engine, settings)
        self.runner = self.session.runner
        self.window = MainWindow(Settings(theme=Theme.LIGHT), SavedState())
        self.window.furnish(self.session)
        self.interpreter = Interpreter()
        self.session.progress_changed.connect(self.interpreter.follow)
        self.window.resize(1440, 900)
        self.window.show()
        self.until(lambda: self.window.windowHandle().isExposed())

    @property
    def idle(self) -> bool:
        return self.runner.idle and not self.session.progress.busy

    def part(self, kind: type[Part]) -> Part:
        """The one part of the window that is of a kind."""
        return present(self.window.findChild(kind))

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the event loop run until something holds."""
        timer = QTimer(interval=BEAT_MS)
        timer.timeout.connect(lambda: condition() and self.app.exit())
        timer.start()
        self.app.exec()
        timer.stop()

    def close(self) -> None:
        self.session.close()
        self.interpreter.stop()
        self.window.close()
        for one in (self.window, self.session, self.runner):
            one.deleteLater()
        self.app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class Heart(QObject):
    """A timer that beats as often as the event loop lets it; its gaps are the pauses.

    ``busy`` is how much of each the GUI thread worked; the rest it waited for the interpreter's
    lock or for a processor.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []
        self.busy: list[float] = []
        self.last, self._worked = 0.0, 0.0
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)

    @contextmanager
    def listening(self) -> Iterator[None]:
        self.last, self._worked = time.perf_counter(), time.thread_time()
        self._timer.start()
        yield
        self._timer.stop()

    def _on_beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.pauses.append(max(0.0, (now - self.last) * 1000 - BEAT_MS))
        self.busy.append((worked - self._worked) * 1000)
        self.last, self._worked = now, worked


def application() -> QApplication:
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    apply_theme(app, Theme.LIGHT)
    return app


def show(name: str, value: str, goal: str = "-") -> None:
    print(f"{name:<66}{value:>12}   goal {goal}", flush=True)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def sentence(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(WORDS, k=words))


def trace(dice: random.Random, number: int, steps: int) -> dict[str, Any]:
    made = []
    for place in range(steps):
        kind = dice.choice(KINDS)
        step = {"step_id": place, "type": kind, "content": sentence(dice, STEP_WORDS)}
        if kind == "tool_call":
            step["tool"] = {"name": f"tool{dice.randrange(5)}"}
        made.append(step)
    outcome = {"result_summary": "done", "confidence": round(dice.random(), 3)}
    task = {"objective": f"Job {number}: {sentence(dice, 9)}"}
    return make_raw(id=f"kp:trace:{number}", task=task, steps=made, outcome=outcome)


def write_mixed(folder: Path, count: int) -> None:
    """Half in files of lines, half in files of their own, one in a hundred long."""
    dice = random.Random(7)
    long = max(1, count // 100)
    sizes = [BIG_STEPS] * long + [dice.choice((3, 8, 20, 60)) for _ in range(count - long)]
    dice.shuffle(sizes)
    lines: list[str] = []
    for number, steps in enumerate(sizes):
        text = json.dumps(trace(dice, number, steps))
        if number % 2 and steps < BIG_STEPS:
            lines.append(text)
        else:
            (folder / f"trace-{number:04}.json").write_text(text, encoding="utf-8")
    for first in range(0, len(lines), 50):
        text = "\n".join(lines[first : first + 50])
        (folder / f"lines-{first:04}.jsonl").write_text(text, encoding="utf-8")


def write_lines(path: Path, count: int) -> None:
    dice = random.Random(8)
    text = "\n".join(json.dumps(trace(dice, number, 3)) for number in range(count))
    path.write_text(text, encoding="utf-8")
