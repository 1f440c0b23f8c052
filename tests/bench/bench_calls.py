"""How many of the package's functions run on the GUI thread for four acts of a user.

python tests/bench/bench_calls.py [--once] [--where N]

Times hang on the machine, this hardly does. A call counts from the act until nothing of the
package has run for a second. What runs inside painting is counted apart, as the platform decides
how often a window is painted. The window is that of ``main``, with an empty memory; it is found by
roles and accessible names, and moved by drops and keys. ``--where`` names the functions that are
called most.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from types import FrameType
from typing import TypeAlias

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import Qt  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QSlider, QWidget  # noqa: E402

import kpinspector  # noqa: E402
from kpinspector.__main__ import main as run_program  # noqa: E402
from kpinspector.ui.main_window import MainWindow  # noqa: E402
from tests import user  # noqa: E402
from tests.e2e.conftest import Driver  # noqa: E402

GOALS = {
    "first drop of two traces": 10_000,
    "another row": 3_000,
    "a step of the threshold": 1_500,
    "a step of a slider": 1_200,
}
DROP, ROW, THRESHOLD, SLIDER = GOALS
SAMPLES = [ROOT / "resources" / "samples" / f"visit-{number}.json" for number in ("03", "08")]
PACKAGE = str(Path(kpinspector.__file__).parent)
PAINTING = ("paint", "draw")
REST_S = 1.0
ROUNDS = 3

Condition: TypeAlias = Callable[[], bool]


class Calls:
    """Called by the interpreter for every call and return on this thread while it counts."""

    def __init__(self) -> None:
        self.functions: Counter[str] = Counter()
        self.painting = 0
        self._depth = 0  # frames from the first one that paints on

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "return":
            self._depth -= self._depth > 0
        elif event == "call":
            code = frame.f_code
            self._depth += self._depth > 0 or code.co_name.startswith(PAINTING)
            if code.co_filename.startswith(PACKAGE) and self._depth:
                self.painting += 1
            elif code.co_filename.startswith(PACKAGE):
                place = code.co_filename.removeprefix(PACKAGE).lstrip(os.sep)
                self.functions[f"{place}: {code.co_qualname}"] += 1


Conditions: TypeAlias = Generator[Condition, None, None]
Found: TypeAlias = defaultdict[str, list[Calls]]


def script(found: Found, rounds: int) -> Generator[Condition | None, MainWindow, None]:
    """What the user does; the first of several rounds is not counted."""
    window = yield None
    window.resize(1440, 900)
    yield pause(2.0)
    yield from counted(found[DROP], lambda: user.drop(window, *SAMPLES))
    traces = user.trace_list(window)
    for number in range(rounds + 1):
        key = Qt.Key.Key_Down if traces.currentIndex().row() == 0 else Qt.Key.Key_Up
        yield from press(found[ROW if number else ""], traces, key)
    threshold = user.find(window, QDoubleSpinBox, "Threshold")
    for number in range(rounds + 1):
        yield from press(found[THRESHOLD if number else ""], threshold, Qt.Key.Key_Up)
    user.go_to_tab(window, "Score", "What-if")
    yield pause(2.0)
    outcome = next(
        one for one in user.seen(window, QSlider) if one.accessibleName().startswith("Outcome")
    )
    for number in range(rounds + 1):
        yield from press(found[SLIDER if number else ""], outcome, Qt.Key.Key_Left)


def press(into: list[Calls], target: QWidget, key: Qt.Key) -> Conditions:
    target.setFocus()
    yield from counted(into, lambda: QTest.keyClick(target, key))


def counted(into: list[Calls], do: Callable[[], object]) -> Conditions:
    """Count from the act until nothing was called for a while."""
    calls, seen = Calls(), (-1, 0.0)
    into.append(calls)

    def rests() -> bool:
        nonlocal seen
        now, total = time.monotonic(), calls.functions.total()
        if total != seen[0]:
            seen = total, now
        return now - seen[1] > REST_S

    sys.setprofile(calls)
    do()
    yield rests
    sys.setprofile(None)


def pause(length: float) -> Condition:
    end = time.monotonic() + length
    return lambda: time.monotonic() > end


def show(name: str, found: list[Calls], goal: int) -> None:
    calls = statistics.median(one.functions.total() for one in found)
    painting = statistics.median(one.painting for one in found)
    beside = f"and {painting:,.0f} in painting"
    print(f"{name:<40}{calls:>10,.0f} calls   {beside:<24}   goal {goal:,}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function, not for a median")
    parser.add_argument(
        "--where", type=int, default=0, metavar="N", help="the functions called most"
    )
    given = parser.parse_args()
    app = QApplication.instance() or QApplication(["kpinspector"])
    assert isinstance(app, QApplication)
    app.setCursorFlashTime(0)
    found: Found = defaultdict(list)
    steps = script(found, 1 if given.once else ROUNDS)
    next(steps)
    driver = Driver(steps)
    with tempfile.TemporaryDirectory() as folder:
        run_program(["--data-dir", folder])
    driver.stop()
    for name, goal in GOALS.items():
        show(name, found[name], goal)
        for function, number in found[name][-1].functions.most_common(given.where):
            print(f"    {number:>6,}  {function}")


if __name__ == "__main__":
    main()
