"""How fast recordings of other agents are read, beside parsing their JSON alone.

python tests/bench/bench_runs.py [--once]

A session of 20,000 lines and about 50 MB; a line appended to it, read and shown in the window; a
folder of 5,000 sessions, also shown in a window. Times are of the process, so that they hardly hang
on what else the machine does. With ``--once`` a tenth of it is enough; with ``--folder`` the window
shows that one.
"""

import argparse
import json
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic_core import from_json
from PySide6.QtWidgets import QApplication
from stage import Stage, application

from kpinspector.app.jobs import Token
from kpinspector.app.watch import look_at
from kpinspector.runs.follow import Follower
from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.measurement import facts_of
from kpinspector.trace.find import FoundFile, list_files
from kpinspector.trace.model import ReasoningTrace
from kpinspector.ui.steps.step_tree import StepView
from kpinspector.ui.traces.trace_model import TraceModel
from kpinspector.ui.traces.trace_table import TraceTable
from tests.fakes import FakeEmbedder

LINES, SESSIONS, TIMES = 20_000, 5_000, 5
TOGETHER, SESSION_LINES = 60, 24  # sessions of a project, and lines of each: about 50 KB
WORDS = ("pump", "log", "greenhouse", "before", "every", "reads", "stops", "when", "it", "was")


def words(count: int, chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=count))


def line(number: int, chance: random.Random) -> bytes:
    """A line of a session of Claude Code: a text, a call or its result."""
    kind: str = "assistant"
    content: dict[str, Any] = {"type": "text", "text": words(40, chance)}
    if number % 3 == 1:
        given = {"command": words(80, chance)}
        content = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": given}
    elif number % 3 == 2:
        kind, text = "user", words(1_300, chance)
        content = {"type": "tool_result", "tool_use_id": f"t{number - 1}", "content": text}
    message = {"role": kind, "id": f"m{number // 3}", "content": [content]}
    beside = {"sessionId": "s", "uuid": f"u{number}", "timestamp": "2026-05-04T03:02:01.5Z"}
    return json.dumps({"type": kind, "message": message, **beside}).encode() + b"\n"


def seconds(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def median(act: Callable[[], object]) -> float:
    return statistics.median(seconds(act) for _ in range(TIMES))


def show(name: str, took: float, beside: str) -> None:
    print(f"{name:<52}{took * 1000:>9.1f} ms   {beside}")


def bench_session(path: Path, lines: int) -> None:
    chance = random.Random(1)
    path.write_bytes(b"".join(line(number, chance) for number in range(lines)))
    data, found = path.read_bytes(), FoundFile(path, str(path), named=True)
    parsed = median(lambda: [from_json(one) for one in data.splitlines()])
    took = median(lambda: read_file(found))
    size = f"{lines:,} lines, {len(data) / 2**20:.0f} MiB"
    show(f"read {size}", took, f"{took / parsed:.1f} x its JSON alone; goal shown in 2 s")
    follower = Follower(str(path))
    follower.read(path)

    def append(number: int) -> float:
        with path.open("ab") as file:
            file.write(line(number, chance))
        return seconds(lambda: facts_of(_trace(follower, path), schema_valid=True))

    took = statistics.median(append(lines + number) for number in range(TIMES))
    show("one appended line, to facts", took, "goal 50 ms")


def _trace(follower: Follower, path: Path) -> ReasoningTrace:
    contents = follower.read(path)
    assert contents is not None
    return contents.traces[0].trace


def bench_growing(app: QApplication, path: Path, lines: int) -> None:
    """A line that is appended while the window shows the end of the session."""
    chance, data = random.Random(3), path.parent / "growing"
    data.mkdir()
    stage = Stage(app, data, FakeEmbedder())
    tree = stage.part(StepView)

    def shown(steps: int) -> bool:
        return stage.idle and len(tree.steps.shown.steps) == steps

    def opened() -> None:
        stage.session.opener.open([str(path)])
        stage.until(lambda: shown(lines))

    show(f"show {lines:,} lines in the window", seconds(opened), "goal 2 s")
    tree.scrollToBottom()

    def append(number: int) -> float:
        with path.open("ab") as file:
            file.write(line(number, chance))
        took = seconds(lambda: stage.until(lambda: shown(number + 1)))
        assert tree.verticalScrollBar().value() == tree.verticalScrollBar().maximum()
        return took

    took = statistics.median(append(lines + number) for number in range(TIMES))
    show("one appended line, shown in the window", took, "goal 50 ms")
    stage.close()


def bench_folder(folder: Path, sessions: int) -> None:
    chance = random.Random(2)
    data = b"".join(line(one, chance) for one in range(SESSION_LINES))
    for number in range(sessions):
        project = folder / f"-home-me-{number // TOGETHER}"
        project.mkdir(parents=True, exist_ok=True)
        (project / f"{number:05}.jsonl").write_bytes(data)
    listed = seconds(lambda: list(list_files([str(folder)])))
    show(f"list a folder of {sessions:,} sessions", listed, "goal 2 s")
    read = seconds(
        lambda: [read_file(one) for one in list_files([str(folder)]) if isinstance(one, FoundFile)]
    )
    show(f"read all {sessions:,} of them", read, f"{read / sessions * 1000:.2f} ms each")


def stats(folder: Path) -> list[os.stat_result]:
    """All files of a folder, looked at as barely as can be."""
    found = []
    for path, _folders, names in os.walk(folder):
        with os.scandir(path) as entries:
            found += [entry.stat() for entry in entries if entry.is_file()]
        assert names is not None
    return found


def bench_window(app: QApplication, folder: Path, data: Path) -> None:
    """From opening a folder to all of its rows in the window."""
    barely = median(lambda: stats(folder))
    files = len(stats(folder))
    stage = Stage(app, data, FakeEmbedder())
    model = stage.part(TraceTable).model()
    assert isinstance(model, TraceModel)
    before, start, worked = most_memory(), time.perf_counter(), time.process_time()
    stage.session.opener.open([str(folder)])
    stage.until(lambda: model.total >= files and stage.idle)
    wall, took = time.perf_counter() - start, time.process_time() - worked
    show(f"show a folder of {files:,} sessions", took, f"{took / barely:.0f} x their stat alone")
    show("the same by the clock", wall, "goal 2 s")
    print(f"{'memory of it':<52}{(most_memory() - before) / 1024:>9.1f} MiB")
    known = {real: file.signature for real, file in stage.session.store.files.items()}
    folders = {str(Path(path).parent) for path in known}
    took = median(lambda: look_at(known, folders, Token()))
    show("look at all of them again", took, "every 5 s, or rarer")
    stage.close()


def most_memory() -> int:
    """The most memory that the process had so far, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", action="store_true", help="a tenth of it")
    parser.add_argument("--folder", type=Path, help="only this one, in a window")
    given = parser.parse_args()
    part = 10 if given.once else 1
    app = application()
    with tempfile.TemporaryDirectory() as folder:
        data, sessions = Path(folder) / "data", Path(folder) / "sessions"
        if given.folder is not None:
            bench_window(app, given.folder, data)
            return
        bench_session(Path(folder) / "session.jsonl", LINES // part)
        bench_growing(app, Path(folder) / "session.jsonl", LINES // part + TIMES)
        bench_folder(sessions, SESSIONS // part)
        bench_window(app, sessions, data)


if __name__ == "__main__":
    main()
