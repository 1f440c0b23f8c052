"""What the formula does to a corpus: verdicts, their causes, and what would change them.

python tests/bench/bench_corpus.py [--once]

Real agent runs are used when KPINSPECTOR_TEST_DATA names a folder with them, else the synthetic
sequence. Every trace is scored in file order from an empty memory, under its own profile and the
default threshold. Counts, not times; with ``--once`` the first 30 traces are enough.
"""

import argparse
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

from real_traces import corpus

from kpinspector.runs.read import read_file
from kpinspector.scoring.formula.assess import assess, main_cause, score_range
from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.novelty.sequence import Measured, measure_batch
from kpinspector.scoring.whatif.changes import ChangeKind
from kpinspector.scoring.whatif.counterfactuals import counterfactuals
from kpinspector.settings import Mode, Settings
from kpinspector.trace.find import FoundFile

THRESHOLD = Settings().threshold
SOME = 30


def measured_corpus(most: int | None) -> list[Measured]:
    path = corpus()
    traces = read_file(FoundFile(path, str(path), named=True)).traces[:most]
    with Memory(Mode.FRESH, None) as memory:
        return list(measure_batch(traces, MiniLM(), memory))


def is_decided_before(measured: Measured) -> bool:
    facts = measured.measurement.facts
    possible = score_range(facts, profile_for(facts.task_domain), THRESHOLD)
    return possible.verdict is not None


def single_changes(measured: Measured) -> set[ChangeKind]:
    measurement = measured.measurement
    profile = profile_for(measurement.facts.task_domain)
    found = counterfactuals(measured.record.trace, measurement, profile, THRESHOLD)
    return {change.kind for change in found.changes if change.reaches}


def show(name: str, count: int, of: int) -> None:
    share = f"{count / of:.0%}" if of else "-"
    print(f"{name:<58}{count:>6} of {of:<6}{share:>5}")


def show_counts(title: str, counts: Counter[str], of: int) -> None:
    print(f"\n{title}")
    for name, count in counts.most_common():
        show(f"  {name.replace('_', ' ')}", count, of)


def counted(groups: Iterable[Iterable[str]]) -> Counter[str]:
    return Counter(itertools.chain.from_iterable(groups))


def report(corpus: Sequence[Measured]) -> None:
    profiles = [profile_for(one.measurement.facts.task_domain) for one in corpus]
    assessed = [
        assess(one.measurement, profile, THRESHOLD)
        for one, profile in zip(corpus, profiles, strict=True)
    ]
    pairs = list(zip(corpus, assessed, strict=True))
    rejected = [pair for pair in pairs if pair[1].verdict == "rejected"]
    below = [one for one, assessment in rejected if not assessment.score_passes]
    changes = [single_changes(one) for one in below]
    show("rejected", len(rejected), len(corpus))
    show("verdict decided before any embedding", sum(map(is_decided_before, corpus)), len(corpus))
    show(
        "below the threshold with a single change that reaches it",
        sum(map(bool, changes)),
        len(below),
    )
    show_counts("Single changes that reach the threshold", counted(changes), len(below))
    causes = Counter(str(main_cause(assessment)) for _, assessment in rejected)
    show_counts("Main cause of a rejection", causes, len(rejected))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--once", action="store_true", help=f"only the first {SOME} traces")
    once = parser.parse_args().once
    print(f"{corpus().name}, threshold {THRESHOLD}, profile of each trace\n")
    report(measured_corpus(SOME if once else None))


if __name__ == "__main__":
    main()
