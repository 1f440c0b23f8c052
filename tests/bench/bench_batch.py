"""Many traces against the clock: all pairs, the plan, groups and map of 1,000 traces.

python tests/bench/bench_batch.py [--once]

The vectors are those of real runs, each some times with a little noise, or made up where there are
none. Solvers run in a process of their own, its start included. Nothing passes or fails.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
from real_traces import corpus

from kpinspector.batch.compared import Batch, Candidate, Embedded, compared, embedded
from kpinspector.batch.groups import FIRST_SIMILARITY, groups_at, linking
from kpinspector.batch.plan import begin_plan, make_plan
from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.profiles import Terms
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.model.vectors import as_vector
from kpinspector.scoring.novelty.sequence import Place, places_of
from kpinspector.settings import Mode
from kpinspector.trace.find import FoundFile

MANY, FEW = 1000, 40
EMBEDDED = 40
NOISE = (0.3, 0.6, 1.0)
THRESHOLDS = (0.5, 0.6, 0.7, 0.75)

T = TypeVar("T")


def seconds(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def some_traces(memory: Memory, embedder: MiniLM) -> list[Embedded]:
    path = corpus()
    records = read_file(FoundFile(path, path.name, named=True)).traces[:EMBEDDED]
    places = places_of([one.trace for one in records], embedder)
    pairs = zip(records, places, strict=True)
    return [embedded(record, place, embedder, memory) for record, place in pairs]


def many(some: list[Embedded], count: int, noise: float) -> list[Embedded]:
    """Each again and again, a little off; ``noise`` is the length of what is added."""
    rng = np.random.default_rng(0)
    made = []
    for number in range(count):
        one = some[number % len(some)]
        added = rng.normal(size=one.vector.shape) * noise / np.sqrt(one.vector.size)
        place = Place(f"{one.candidate.place.key} {number}", variant=False, flags=())
        candidate: Candidate = replace(one.candidate, place=place)
        made.append(Embedded(candidate, as_vector(one.vector + added)))
    return made


def run(batch: Batch, noise: float) -> None:
    for threshold in THRESHOLDS:
        terms = Terms(threshold)
        draft, quick = seconds(lambda terms=terms: begin_plan(batch, terms))  # type: ignore[misc]
        plan, took = seconds(lambda draft=draft: make_plan(draft))  # type: ignore[misc]
        pairs = int(draft.conflicts.apart.sum()) // 2
        found = f"{len(plan.chosen)} to {plan.at_most}"
        print(
            f"noise {noise}, threshold {threshold}: {pairs:7,} conflicts, {found:12} chosen;"
            f" bounds {quick:5.2f} s (goal 1), plan {quick + took:5.2f} s (goal 10)"
        )
    with linking(batch) as child:
        linked, took = seconds(child.result)
    if linked is None:
        print(f"noise {noise}: not linked in time")
        return
    groups, cut = seconds(lambda: groups_at(batch, linked, FIRST_SIMILARITY, Terms(0.5)).groups)
    print(
        f"noise {noise}: linked and ordered in {took:.2f} s, {len(groups)} groups in {cut:.3f} s"
        " (goal 1 together)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--once", action="store_true", help="a small batch once, for function")
    once = parser.parse_args().once
    embedder = MiniLM()
    with Memory(Mode.FRESH, None) as memory:
        some = some_traces(memory, embedder)
        for noise in NOISE[:1] if once else NOISE:
            made = many(some, FEW if once else MANY, noise)
            batch, took = seconds(lambda made=made: compared(made, embedder.model, memory, MANY))  # type: ignore[misc]
            print(f"noise {noise}: all pairs of {batch.size:,} traces in {took:.2f} s")
            run(batch, noise)


if __name__ == "__main__":
    main()
