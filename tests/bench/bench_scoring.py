"""Scoring and remembering against the bare ONNX session, in one run on one machine.

python tests/bench/bench_scoring.py [--once]

Real agent runs are used when KPINSPECTOR_TEST_DATA names a folder with them, else the synthetic
sequence. Ratios and medians; nothing here passes or fails.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from real_traces import corpus

from kpinspector.files import resources
from kpinspector.runs.read import read_file
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import MiniLM, runs_at_once
from kpinspector.scoring.model.network import open_session, ort
from kpinspector.scoring.model.vectors import VectorCache
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.settings import Mode
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_bytes

ROOT = Path(__file__).resolve().parents[2]
SMALL = resources() / "samples" / "ping.json"
TYPICAL = resources() / "samples" / "visit-08.json"


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def score(path: Path, folder: str) -> None:
    command = [sys.executable, "-m", "kpinspector", "score", str(path)]
    command += ["--json", "--data-dir", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode > 1:
        sys.exit(done.stderr.decode())


def bare_runs(path: Path) -> tuple[ort.InferenceSession, list[np.ndarray]]:
    """A session with our options, and the token ids of every trace."""
    minilm = MiniLM()
    traces = read_file(FoundFile(path, str(path), named=True)).traces
    windows = [minilm.window(record.trace.text).ids for record in traces]
    session = open_session(resources() / "minilm" / "model.onnx")
    return session, [np.array([ids], dtype=np.int64) for ids in windows]


def run_all(session: ort.InferenceSession, ids: list[np.ndarray]) -> None:
    """As many runs at once as ours."""
    with ThreadPoolExecutor(runs_at_once()) as pool:
        list(pool.map(lambda one: session.run(None, {"input_ids": one}), ids))


def show(name: str, value: str, goal: str) -> None:
    print(f"{name:<58}{value:>16}   goal {goal}")


def first_of(path: Path, most: int | None, folder: str) -> Path:
    """The file, or one with as many of its traces."""
    if most is None:
        return path
    shorter = Path(folder, path.name)
    shorter.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:most]))
    return shorter


def bench_corpus(path: Path, rounds: int) -> None:
    session, ids = bare_runs(path)
    run_all(session, ids[:3])
    bare, first, again = [], [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            bare.append(seconds(lambda: run_all(session, ids)))
            first.append(seconds(lambda: score(path, folder)))
            again.append(seconds(lambda: score(path, folder)))
    over_bare = statistics.median(one / two for one, two in zip(first, bare, strict=True))
    over_first = statistics.median(one / two for one, two in zip(again, first, strict=True))
    name = f"{len(ids)} traces of {path.name}"
    show(f"{name}, process over bare session", f"{over_bare:.3f} x", "1.10 x")
    show(f"{name}, again over first time", f"{over_first:.3f} x", "0.10 x")
    medians = statistics.median(bare), statistics.median(first)
    print(f"    bare session {medians[0]:.2f} s, process {medians[1]:.2f} s")


def bench_one_trace(rounds: int) -> None:
    data, minilm, times = TYPICAL.read_bytes(), MiniLM(), []
    minilm.embed(minilm.window("load the model"))
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory(Mode.REMEMBER, Path(folder, "memory.sqlite3"))

            def work(memory: Memory = memory) -> None:
                list(measure_batch(read_bytes(data, TYPICAL.name).traces, minilm, memory))

            times.append(seconds(work))
            memory.close()
    show(
        "one typical trace, parse to finding", f"{statistics.median(times) * 1e3:.0f} ms", "100 ms"
    )


def bench_process(rounds: int) -> None:
    times = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            times.append(seconds(lambda: score(SMALL, folder)))
    show("score one small trace, whole process", f"{statistics.median(times):.2f} s", "0.5 s")
    with tempfile.TemporaryDirectory() as folder:
        code = (
            "import resource, sys; from kpinspector.__main__ import main; main(sys.argv[1:]);"
            "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
        )
        command = [sys.executable, "-c", code, "score", str(SMALL), "--json", "--data-dir", folder]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    show("    its peak memory", f"{int(done.stderr) / 1024:.0f} MB", "250 MB")


def bench_search(rounds: int) -> None:
    generator = np.random.default_rng(1)
    cache = VectorCache()
    for row in generator.normal(size=(1000, 384)):
        cache.add(row.astype(np.float32), 0, 0)
    query = generator.normal(size=384).astype(np.float32)
    times = [seconds(lambda: cache.search(query, 1)) for _ in range(rounds * 100)]
    show("search over 1,000 vectors", f"{statistics.median(times) * 1e3:.3f} ms", "0.1 ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function, not for speed")
    rounds, most = (1, 10) if parser.parse_args().once else (5, None)
    with tempfile.TemporaryDirectory() as folder:
        bench_corpus(first_of(corpus(), most, folder), rounds)
    bench_one_trace(rounds * 3)
    bench_process(rounds * 2)
    bench_search(rounds)


if __name__ == "__main__":
    main()
