"""The window against the clock: its start, its longest pause, long lists and long traces.

python tests/bench/bench_window.py [--once] [--fake] [--show-pauses]

The traces are generated: mixed sizes, some files of 5 MB, some traces of 10,000 steps. The real
model scores them unless ``--fake`` says otherwise. Medians and ratios; nothing passes or fails.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QEvent, QObject, Qt, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication, QMainWindow  # noqa: E402

from kpinspector.app.document import Document, Rules, State  # noqa: E402
from kpinspector.app.jobs import JobRunner  # noqa: E402
from kpinspector.app.session import Session  # noqa: E402
from kpinspector.app.workshop import Workshop  # noqa: E402
from kpinspector.files import resources  # noqa: E402
from kpinspector.scoring.assess import assess  # noqa: E402
from kpinspector.scoring.embedder import Embedder, MiniLM  # noqa: E402
from kpinspector.scoring.mode import Mode  # noqa: E402
from kpinspector.scoring.whatif import Scenario, StepEdit  # noqa: E402
from kpinspector.settings import Settings, Theme  # noqa: E402
from kpinspector.ui.controls_slider import DimensionSlider  # noqa: E402
from kpinspector.ui.main_window import MainWindow  # noqa: E402
from kpinspector.ui.theme import apply_theme  # noqa: E402
from kpinspector.ui.whatif_flips import flips_under  # noqa: E402
from tests.fakes import FakeEmbedder, make_raw  # noqa: E402

BEAT_MS = 2
LONG_PAUSE_MS = 20
BIG_STEPS, LONG_STEPS = 10_000, 30_000
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

PAINTED = """
import time
def painted():
    print(time.time(), flush=True)
"""
BARE = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
class Window(QMainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, lambda: (painted(), app.exit()))
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
        QTimer.singleShot(0, lambda: (painted(), self.close()))
application.MainWindow = Window
from kpinspector.__main__ import main
sys.exit(main(["--data-dir", sys.argv[1]]))
"""


class Bench:
    """One window on one session, driven by the event loop as a user's would be."""

    def __init__(self, app: QApplication, folder: Path, embedder: Embedder) -> None:
        settings = Settings(theme=Theme.LIGHT)
        self.app = app
        self.runner = JobRunner()
        workshop = Workshop(Mode.FRESH, folder, settings, embedder)
        self.session = Session(workshop, settings, self.runner)
        self.window = MainWindow(settings, self.session.history.state)
        self.window.furnish(self.session)
        self.window.resize(1440, 900)
        self.window.show()
        self.until(lambda: self.window.windowHandle().isExposed())

    @property
    def idle(self) -> bool:
        return self.runner.idle and not self.session.progress.busy

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the event loop run until something holds."""
        timer = QTimer(interval=BEAT_MS)
        timer.timeout.connect(lambda: condition() and self.app.exit())
        timer.start()
        self.app.exec()
        timer.stop()

    def close(self) -> None:
        self.session.close()
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
        self._last, self._worked = 0.0, 0.0
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)

    @contextmanager
    def listening(self) -> Iterator[None]:
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer.start()
        yield
        self._timer.stop()

    def _on_beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.pauses.append(max(0.0, (now - self._last) * 1000 - BEAT_MS))
        self.busy.append((worked - self._worked) * 1000)
        self._last, self._worked = now, worked


def show(name: str, value: str, goal: str) -> None:
    print(f"{name:<62}{value:>16}   goal {goal}", flush=True)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def sentence(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(WORDS, k=words))


def trace(dice: random.Random, number: int, steps: int) -> dict[str, object]:
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


def first_paint(code: str) -> float:
    """From the start of a process to the end of its first painting; compiled, as installed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.time()
        done = subprocess.run(
            [sys.executable, "-c", PAINTED + code, folder],
            check=True,
            env=environment,
            capture_output=True,
            text=True,
        )
    return float(done.stdout.split()[0]) - begun


def bench_start(app: QApplication, rounds: int) -> None:
    first_paint(BARE), first_paint(OURS)  # the first run may have to compile
    pairs = [(first_paint(BARE), first_paint(OURS)) for _ in range(rounds)]
    show_pairs("empty window, from the process's start to its first paint", pairs)
    pairs = [(in_process(app, QMainWindow), in_process(app, None)) for _ in range(rounds)]
    show_pairs("    a further window in the same process", pairs)


def show_pairs(name: str, pairs: list[tuple[float, float]]) -> None:
    ratio = statistics.median(ours / bare for bare, ours in pairs)
    show(name, f"{ratio:.2f} x", "2.5 x")
    bare, ours = (statistics.median(column) * 1e3 for column in zip(*pairs, strict=True))
    print(f"    bare {bare:.0f} ms, ours {ours:.0f} ms")


def in_process(app: QApplication, kind: type[QMainWindow] | None) -> float:
    """Make and paint a bare window, or ours."""
    with tempfile.TemporaryDirectory() as name:
        begun = time.perf_counter()
        if kind is None:
            bench = Bench(app, Path(name), FakeEmbedder())
            app.processEvents()
            took = time.perf_counter() - begun
            bench.close()
            return took
        window = kind()
        window.resize(1440, 900)
        window.show()
        app.processEvents()
        took = time.perf_counter() - begun
        window.close()
        return took


def bench_pauses(app: QApplication, count: int, *, fake: bool, all_pauses: bool) -> None:
    embedder = FakeEmbedder() if fake else MiniLM()
    with tempfile.TemporaryDirectory() as name:
        folder, data = Path(name, "traces"), Path(name, "data")
        folder.mkdir()
        data.mkdir()
        write_mixed(folder, count)
        bench, heart = Bench(app, data, embedder), Heart()
        begun = time.perf_counter()
        read = 0
        with heart.listening():
            bench.session.open([str(folder)])
            bench.until(lambda: bench.session.progress.to_score > 0)
            bench.until(lambda: bench.session.progress.read >= bench.session.progress.to_read)
            read = len(heart.pauses)
            bench.until(lambda: bench.idle)
        took = time.perf_counter() - begun
        scored = sum(one.measured is not None for one in bench.session.documents)
        assert scored == count, f"{scored} of {count} were scored"
        kind = "a fake embedder" if fake else "the real model"
        print(f"{scored} traces loaded and scored by {kind} in {took:.1f} s:")
        show_pauses("reading", heart.pauses[:read], heart.busy[:read], all_pauses=all_pauses)
        show_pauses("scoring", heart.pauses[read:], heart.busy[read:], all_pauses=all_pauses)
        bench.close()


def show_pauses(part: str, pauses: list[float], busy: list[float], *, all_pauses: bool) -> None:
    order = sorted(range(len(pauses)), key=lambda one: -pauses[one])
    longest, most = pauses[order[0]], statistics.quantiles(pauses, n=100)[98]
    show(f"    {part}: longest pause of the event loop", f"{longest:.0f} ms", "50 ms")
    print(f"        in it the GUI thread worked {busy[order[0]]:.0f} ms and waited for the rest")
    show(f"    {part}: 99th percentile", f"{most:.0f} ms", "-")
    long = [one for one in order if pauses[one] > LONG_PAUSE_MS]
    show(f"    {part}: longest that the GUI thread worked", f"{max(busy):.0f} ms", "50 ms")
    print(f"        {len(long)} of {len(pauses):,} pauses are over {LONG_PAUSE_MS} ms")
    if all_pauses:
        print("        " + " ".join(f"{pauses[one]:.0f}/{busy[one]:.0f}" for one in long[:60]))


def bench_list(app: QApplication, count: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path, data = Path(name, "many.jsonl"), Path(name, "data")
        data.mkdir()
        write_lines(path, count)
        bench = Bench(app, data, FakeEmbedder())
        model = bench.window._traces.model

        def listed() -> None:
            bench.session.open([str(path)])
            bench.until(lambda: model.rowCount() == count)

        show(f"{count:,} small traces listed", f"{seconds(listed):.2f} s", "3 s")
        bench.until(lambda: bench.idle)
        bench_rules(bench, rounds)
        bench.close()


def bench_rules(bench: Bench, rounds: int) -> None:
    documents = bench.session.documents
    one = documents[0].measured.measurement
    profile = documents[0].assessment.profile
    times = [seconds(lambda n=n: assess(one, profile, 0.5 + n / 1000)) for n in range(100)]
    show("one trace under another threshold", f"{statistics.median(times) * 1e3:.3f} ms", "5 ms")

    def counts(threshold: float) -> Counter[State]:
        rules = Rules(threshold=threshold)
        return Counter(document.with_rules(rules).state for document in documents)

    times = [seconds(lambda n=n: counts(0.5 + n / 100)) for n in range(rounds)]
    name = f"verdict counts over {len(documents):,} under another threshold"
    show(name, f"{statistics.median(times) * 1e3:.0f} ms", "100 ms")

    def judged(threshold: float) -> None:
        bench.session.set_rules(Rules(threshold=threshold))

    times = [seconds(lambda n=n: judged(0.4 + n / 100)) for n in range(rounds)]
    show("    with list, score and every pane", f"{statistics.median(times) * 1e3:.0f} ms", "-")
    pieces = list(pieces_of(flips_under(documents, 0.6, None)))
    show("    flips under all profiles, in pieces", f"{sum(pieces) * 1e3:.0f} ms", "-")
    print(f"        the longest of {len(pieces)} pieces took {max(pieces) * 1e3:.1f} ms")


def pieces_of(work: Iterator[object]) -> Iterator[float]:
    """How long each part of the work takes."""
    while True:
        begun = time.perf_counter()
        if next(work, work) is work:
            return
        yield time.perf_counter() - begun


def bench_what_if(app: QApplication, moves: int) -> None:
    """Slider moves with everything that follows them, and edits of a step."""
    for name, steps in (("of 12 steps", 12), (f"of {LONG_STEPS:,} steps", LONG_STEPS)):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "one.json")
            path.write_text(json.dumps(trace(random.Random(9), 0, steps)), encoding="utf-8")
            bench = Bench(app, Path(folder), FakeEmbedder())
            bench.session.open([str(path)])
            bench.until(lambda bench=bench: bench.session.count > 0 and bench.idle)
            bench.window._score.show_what_if()
            app.processEvents()
            bench_moves(app, bench.window, name, moves)
            bench.close()


def bench_moves(app: QApplication, window: MainWindow, name: str, moves: int) -> None:
    page = window._score.what_if
    slider = page.findChildren(DimensionSlider)[1]

    def move(value: int) -> None:
        slider.setValue(value)
        app.processEvents()

    def edit(number: int) -> None:
        scenario = Scenario(edits=(StepEdit(number, tool="another"),))
        page.view.scenario_wanted.emit(scenario, "", "")
        app.processEvents()

    move(1)
    judged = [seconds(lambda n=n: slider.setValue(100 + n)) for n in range(moves)]
    app.processEvents()
    show(f"a what-if move, a trace {name}: all figures", milliseconds(judged), "5 ms")
    times = [seconds(lambda n=n: move(400 + n)) for n in range(moves)]
    show("    with every pane painted", milliseconds(times), "-")
    edits = [seconds(lambda n=n: edit(n)) for n in range(min(moves, 10))]
    show("    another tool in a step", milliseconds(edits), "-")


def milliseconds(times: list[float]) -> str:
    return f"{statistics.median(times) * 1e3:.1f} ms"


def bench_long_trace(app: QApplication) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "long.json")
        text = json.dumps(trace(random.Random(9), 0, LONG_STEPS))
        path.write_text(text, encoding="utf-8")
        bench = Bench(app, Path(name), FakeEmbedder())
        tree = bench.window._steps.tree

        def opened() -> None:
            bench.session.open([str(path)])
            bench.until(lambda: tree.steps.step_count == LONG_STEPS)

        megabytes = len(text) / 1e6
        took = seconds(opened)
        show(f"a trace of 30,000 steps ({megabytes:.0f} MB), from the drop", f"{took:.2f} s", "-")
        bench.until(lambda: bench.idle)
        document: Document = bench.session.documents[0]

        def shown() -> None:
            bench.window._steps.set_document(document)
            bench.window._detail.set_document(document)
            app.processEvents()

        bench.window._steps.set_document(None)
        show("    read already, shown in tree and detail", f"{seconds(shown):.2f} s", "1 s")
        bench.close()


def bench_early_verdict(app: QApplication, rounds: int) -> None:
    times = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            bench = Bench(app, Path(name), MiniLM())
            model = bench.window._traces.model

            def decided(bench: Bench = bench, model: object = model) -> None:
                bench.session.open([str(resources() / "samples" / "ping.json")])
                bench.until(lambda: model.count({State.REJECTED, State.ACCEPTED}) == 1)

            times.append(seconds(decided))
            bench.close()
    show(
        "a verdict that needs no embedding, from the drop",
        f"{statistics.median(times) * 1e3:.0f} ms",
        "100 ms",
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function, not for speed")
    parser.add_argument("--fake", action="store_true", help="score by a fake embedder")
    parser.add_argument("--show-pauses", action="store_true", help="list the long ones")
    parser.add_argument("--only", choices=("start", "pauses", "list", "what-if", "long", "early"))
    given = parser.parse_args()
    app = QApplication.instance() or QApplication([])
    apply_theme(app, Theme.LIGHT)
    rounds, count = (1, 40) if given.once else (7, 1000)
    parts: dict[str, Callable[[], None]] = {
        "start": lambda: bench_start(app, rounds),
        "early": lambda: bench_early_verdict(app, rounds),
        "list": lambda: bench_list(app, 500 if given.once else 10_000, rounds),
        "what-if": lambda: bench_what_if(app, 5 if given.once else 200),
        "long": lambda: bench_long_trace(app),
        "pauses": lambda: bench_pauses(app, count, fake=given.fake, all_pauses=given.show_pauses),
    }
    for name, part in parts.items():
        if given.only in {None, name}:
            part()


if __name__ == "__main__":
    main()
