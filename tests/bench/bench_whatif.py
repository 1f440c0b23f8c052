"""What-if against the clock: one move on one trace, and the verdicts of a long list.

python tests/bench/bench_whatif.py [--once]

A move is all that the window asks for: the score now and then, all profiles, and what each
dimension needs. Nothing is embedded and no window is shown. Medians; nothing passes or fails.
"""

import argparse
import itertools
import random
import statistics
import time
from collections.abc import Callable
from functools import partial

from kpinspector.files import resources
from kpinspector.runs.read import read_file
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import assess, measured_score
from kpinspector.scoring.formula.measurement import (
    Facts,
    Measurement,
    Novelty,
    facts_of,
    novelty_of,
)
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, profile_for
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit, flips, what_if
from kpinspector.trace.find import FoundFile
from kpinspector.trace.model import ReasoningTrace, StepType, trace_from_json
from kpinspector.trace.schema import find_issues, passes

TYPICAL = resources() / "samples" / "visit-08.json"
LONG = 30_000
MANY = 10_000
THRESHOLD = 0.75
MOVES = 50
EDITS = Scenario(
    edits=(StepEdit(1, left_out=True), StepEdit(2, tool="another")),
    added=(AddedStep(StepType.ERROR_RECOVERY),),
)


def novelty(similarity: float) -> Novelty:
    return Novelty(
        value=novelty_of(similarity),
        unclamped=1.0 - similarity,
        basis=Basis.MEASURED,
        remembered=True,
        max_similarity=similarity,
        neighbours=(),
        compared_with=1000,
        found_at=0,
        reach=None,
    )


def typical_trace() -> ReasoningTrace:
    (record,) = read_file(FoundFile(TYPICAL, TYPICAL.name, named=True)).traces
    return record.trace


def long_trace(short: ReasoningTrace) -> ReasoningTrace:
    steps = itertools.islice(itertools.cycle(step.raw for step in short.steps), LONG)
    return trace_from_json({**short.raw, "steps": [dict(raw) for raw in steps]})


def measured(trace: ReasoningTrace) -> Measurement:
    valid = passes(find_issues(trace.raw))
    return Measurement(facts_of(trace, schema_valid=valid), novelty(0.55))


def many() -> list[Measurement]:
    generator = random.Random(1)

    def facts() -> Facts:
        steps = generator.randint(1, 60)
        tools = generator.randint(0, min(steps, 8))
        return Facts(
            steps=steps,
            unique_types=generator.randint(1, 4),
            error_recoveries=generator.randint(0, 4),
            tool_steps=tools,
            unique_tools=generator.randint(min(1, tools), tools),
            single_thought=False,
            confidence=generator.random(),
            success=generator.random() < 0.8,
            task_domain=generator.choice(PROFILES).name,
            schema_valid=generator.random() < 0.9,
        )

    return [Measurement(facts(), novelty(generator.random())) for _ in range(MANY)]


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def show(name: str, times: list[float], goal: str) -> None:
    print(f"{name:<58}{statistics.median(times):>10.2f} ms   goal {goal}")


def bench_move(name: str, trace: ReasoningTrace, rounds: int) -> None:
    measurement, profile = measured(trace), PROFILES[0]
    moves = [EDITS.with_value(Dimension.COMPLEXITY, move / MOVES) for move in range(MOVES)]

    def move(scenario: Scenario) -> None:
        now = assess(measurement, profile, THRESHOLD)
        found = what_if(now, trace, measurement, scenario)
        _ = found.profiles, found.needed, found.flips

    edits = [Scenario(edits=(StepEdit(index, tool="x"),)) for index in range(3, 8)]
    first = [milliseconds(partial(move, one)) for one in edits]
    times = [milliseconds(partial(move, one)) for one in moves * rounds]
    show(f"what-if move, {name}", times, "5 ms")
    show("    the first one after another edit", first, "-")
    found = [
        milliseconds(lambda: counterfactuals(trace, measurement, profile, 0.99))
        for _ in range(rounds)
    ]
    show("    what would change it", found, "-")


def bench_list(rounds: int) -> None:
    scores = (
        (one, measured_score(one.facts, one.novelty.value, profile_for(one.facts.task_domain)))
        for one in many()
    )
    judged = [(one, (score, score)) for one, score in scores]

    def count(*profiles: Profile) -> list[float]:
        return [
            milliseconds(lambda: flips(judged, 0.6, THRESHOLD, profiles)) for _ in range(rounds)
        ]

    show(f"flips by threshold over {MANY:,}", count(), "100 ms")
    show(f"flips by threshold and all profiles over {MANY:,}", count(*PROFILES), "100 ms")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--once", action="store_true", help="for function, not for speed")
    rounds = 1 if parser.parse_args().once else 5
    short = typical_trace()
    bench_move(f"{len(short.steps)} steps", short, rounds)
    bench_move(f"{LONG:,} steps", long_trace(short), rounds)
    bench_list(rounds)


if __name__ == "__main__":
    main()
