"""How long the event loop pauses while traces are read and scored.

python tests/bench/bench_pauses.py [--once] [--fake] [--traces N]

The traces are generated: mixed sizes, some files of 5 MB, some traces of 10,000 steps. The real
model scores them unless ``--fake`` says otherwise.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication
from stage import BIG_STEPS, Heart, Stage, application, seconds, show, trace, write_mixed

from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.trace.bytes import parse
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.schema import find_issues
from tests.fakes import FakeEmbedder

LONG_PAUSE_MS = 20


def bench_pauses(app: QApplication, count: int, *, fake: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, data = Path(name, "traces"), Path(name, "data")
        folder.mkdir()
        data.mkdir()
        write_mixed(folder, count)
        stage, heart = Stage(app, data, FakeEmbedder() if fake else MiniLM()), Heart()
        session = stage.session
        begun = time.perf_counter()
        with heart.listening():
            session.opener.open([str(folder)])
            stage.until(lambda: session.progress.to_score > 0)
            stage.until(lambda: session.progress.read >= session.progress.to_read)
            read = len(heart.pauses)
            stage.until(lambda: stage.idle)
        took = time.perf_counter() - begun
        scored = sum(one.measured is not None for one in session.documents)
        assert scored == count, f"{scored} of {count} were scored"
        kind = "a fake embedder" if fake else "the real model"
        print(f"{scored} traces loaded and scored by {kind} in {took:.1f} s:")
        show_pauses("reading", heart.pauses[:read], heart.busy[:read])
        show_pauses("scoring", heart.pauses[read:], heart.busy[read:])
        stage.close()


def show_pauses(part: str, pauses: list[float], busy: list[float]) -> None:
    longest = max(range(len(pauses)), key=pauses.__getitem__)
    show(f"    {part}: longest pause of the event loop", f"{pauses[longest]:.0f} ms", "50 ms")
    show("        of which the GUI thread worked", f"{busy[longest]:.0f} ms")
    show("        99th percentile", f"{statistics.quantiles(pauses, n=100)[98]:.0f} ms")
    long = sum(one > LONG_PAUSE_MS for one in pauses)
    show(f"        over {LONG_PAUSE_MS} ms", f"{long} of {len(pauses):,}")


def bench_record(rounds: int) -> None:
    """The longest calls that one record takes: nobody else runs Python meanwhile."""
    raw = trace(random.Random(1), 1, BIG_STEPS)
    data = json.dumps(raw).encode()
    print(f"one record of {BIG_STEPS:,} steps, {len(data) / 1e6:.1f} MB:")
    for name, work in (
        ("parsed, in one call", lambda: parse(data)),
        ("compared with the schema, in one call", lambda: find_issues(raw)),
        ("read as a trace, in many", lambda: trace_from_json(raw)),
    ):
        best = min(seconds(work) for _ in range(rounds))
        show(f"    {name}", f"{best * 1e3:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function, not for speed")
    parser.add_argument("--fake", action="store_true", help="score by a fake embedder")
    parser.add_argument("--traces", type=int, help="how many, 1,000 by default")
    given = parser.parse_args()
    count = given.traces or (40 if given.once else 1000)
    bench_record(1 if given.once else 7)
    bench_pauses(application(), count, fake=given.fake)


if __name__ == "__main__":
    main()
