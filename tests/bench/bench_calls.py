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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TypeAlias, TypeVar

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl  # noqa: E402
from PySide6.QtGui import QDragEnterEvent, QDropEvent  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractItemView,
    QApplication,
    QDoubleSpinBox,
    QMainWindow,
    QSlider,
    QTabBar,
    QWidget,
)

import kpinspector  # noqa: E402
from kpinspector.__main__ import main as run_program  # noqa: E402

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
PATIENCE_S = 60.0
POLL_MS = 20
ROUNDS = 3

Kind = TypeVar("Kind", bound=QWidget)
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


@dataclass
class Act:
    """Something that a user does, and what it took; it has ended when it rests."""

    name: str
    do: Callable[[], object]
    calls: Calls
    last: int = -1
    since: float = 0.0

    def begin(self) -> None:
        self.since = time.monotonic()
        sys.setprofile(self.calls)
        self.do()
        sys.setprofile(None)

    def rests(self) -> bool:
        now, total = time.monotonic(), self.calls.functions.total()
        if total != self.last:
            self.last, self.since = total, now
        return now - self.since > REST_S


class Player:
    """Plays the script of a user while the event loop of ``main`` runs."""

    def __init__(self, script: Iterator[Act | Condition]) -> None:
        self.found: defaultdict[str, list[Calls]] = defaultdict(list)
        self.error: BaseException | None = None
        self._script = script
        self._act: Act | None = None
        self._waits: Condition = lambda: True
        self._begun = time.monotonic()
        self._timer = QTimer(interval=POLL_MS)
        self._timer.timeout.connect(self._on_poll)
        self._timer.start()

    def _on_poll(self) -> None:
        sys.setprofile(None)
        try:
            if self._waits():
                self._go_on()
            elif time.monotonic() - self._begun > PATIENCE_S:
                raise TimeoutError("waits in vain")
        except StopIteration:
            self._end()
        except Exception as error:  # noqa: BLE001 - raised again after the event loop
            self.error = error
            self._end()
        if self._act is not None:
            sys.setprofile(self._act.calls)

    def _go_on(self) -> None:
        self._act = None
        step = next(self._script)
        self._begun = time.monotonic()
        if isinstance(step, Act):
            self.found[step.name].append(step.calls)
            self._waits = step.rests
            step.begin()
            self._act = step
        else:
            self._waits = step

    def _end(self) -> None:
        self._act = None
        self._timer.stop()
        for window in QApplication.topLevelWidgets():
            window.close()


def script(rounds: int) -> Iterator[Act | Condition]:
    """What the user does; the first of several rounds is not counted."""
    yield lambda: any(isinstance(one, QMainWindow) for one in shown(QWidget))
    (window,) = shown(QMainWindow)
    window.resize(1440, 900)
    yield pause(2.0)
    yield Act(DROP, lambda: drop(window, SAMPLES), Calls())
    traces = named(QAbstractItemView, "Traces")
    for number in range(rounds + 1):
        key = Qt.Key.Key_Down if traces.currentIndex().row() == 0 else Qt.Key.Key_Up
        yield press(ROW, traces, key, counts=number > 0)
    for number in range(rounds + 1):
        yield press(THRESHOLD, named(QDoubleSpinBox, "Threshold"), Qt.Key.Key_Up, counts=number > 0)
    for bar in shown(QTabBar):
        for tab in range(bar.count()):
            if bar.tabText(tab) == "What-if":
                bar.setCurrentIndex(tab)
    yield pause(2.0)
    for number in range(rounds + 1):
        yield press(SLIDER, named(QSlider, "Outcome"), Qt.Key.Key_Left, counts=number > 0)


def press(name: str, target: QWidget, key: Qt.Key, *, counts: bool) -> Act:
    def do() -> None:
        target.setFocus()
        QTest.keyClick(target, key)

    return Act(name if counts else "", do, Calls())


def drop(window: QWidget, paths: list[Path]) -> None:
    """Drop files on whatever takes them in the middle of the window."""
    data, place = QMimeData(), window.rect().center()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    target: QWidget | None = window.childAt(place)
    while target is not None and not target.acceptDrops():
        target = target.parentWidget()
    rest = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for event in (QDragEnterEvent(place, *rest), QDropEvent(QPointF(place), *rest)):
        QApplication.sendEvent(target or window, event)


def pause(length: float) -> Condition:
    end = time.monotonic() + length
    return lambda: time.monotonic() > end


def shown(kind: type[Kind]) -> list[Kind]:
    return [one for one in QApplication.allWidgets() if isinstance(one, kind) and one.isVisible()]


def named(kind: type[Kind], name: str) -> Kind:
    """The visible widget whose accessible name begins so."""
    (found, *_) = (one for one in shown(kind) if one.accessibleName().startswith(name))
    return found


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
    player = Player(script(1 if given.once else ROUNDS))
    with tempfile.TemporaryDirectory() as folder:
        run_program(["--data-dir", folder])
    if player.error is not None:
        raise player.error
    for name, goal in GOALS.items():
        show(name, player.found[name], goal)
        for function, number in player.found[name][-1].functions.most_common(given.where):
            print(f"    {number:>6,}  {function}")


if __name__ == "__main__":
    main()
