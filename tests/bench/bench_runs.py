"""How fast recordings of other agents are read, beside parsing their JSON alone.

python tests/bench/bench_runs.py [--once]

A session of 20,000 lines and about 50 MB; a line appended to it, read and shown in the window; a
folder of 5,000 sessions. Times are of the process, so that they hardly hang on what else the
machine does. With ``--once`` a tenth of it is enough.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic_core import from_json
from PySide6.QtWidgets import QApplication
from stage import Stage, application

from kpinspector.runs.follow import Follower
from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.facts import facts_of
from kpinspector.trace.find import FoundFile, list_files
from kpinspector.trace.model import ReasoningTrace
from kpinspector.ui.steps.step_view import StepView
from tests.fakes import FakeEmbedder

LINES, SESSIONS, TIMES = 20_000, 5_000, 5
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


def bench_window(app: QApplication, path: Path, lines: int) -> None:
    """A line that is appended while the window shows the end of the session."""
    chance, data = random.Random(3), path.parent / "data"
    data.mkdir()
    stage = Stage(app, data, FakeEmbedder())
    tree = stage.part(StepView)

    def shown(steps: int) -> bool:
        return stage.idle and tree.steps.step_count == steps

    def opened() -> None:
        stage.session.open([str(path)])
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
    folder.mkdir()
    for number in range(sessions):
        data = b"".join(line(one, chance) for one in range(3))
        (folder / f"{number:05}.jsonl").write_bytes(data)
    listed = seconds(lambda: list(list_files([str(folder)])))
    show(f"list a folder of {sessions:,} sessions", listed, "goal 2 s")
    read = seconds(
        lambda: [read_file(one) for one in list_files([str(folder)]) if isinstance(one, FoundFile)]
    )
    show(f"read all {sessions:,} of them", read, f"{read / sessions * 1000:.2f} ms each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", action="store_true", help="a tenth of it")
    part = 10 if parser.parse_args().once else 1
    app = application()
    with tempfile.TemporaryDirectory() as folder:
        bench_session(Path(folder) / "session.jsonl", LINES // part)
        grown = LINES // part + TIMES
        bench_window(app, Path(folder) / "session.jsonl", grown)
        bench_folder(Path(folder) / "sessions", SESSIONS // part)


if __name__ == "__main__":
    main()
