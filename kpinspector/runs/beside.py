"""What of a recording went into other runs than the one that is looked at."""

from collections import Counter
from collections.abc import Mapping, Sequence

from kpinspector.runs.run import AgentRun, DropName, Recording, units_of


def dropped_of(recording: Recording, runs: Sequence[AgentRun]) -> list[Mapping[str, int]]:
    """For each run what made no step of it, by name: with the steps of the run it adds up.

    Args:
        recording: What was read.
        runs: All runs that were made of it.
    """
    if len(runs) == 1:
        return [recording.dropped]
    made = recording.total - sum(recording.dropped.values())
    units = [units_of(run.blocks) for run in runs]
    return [
        {**_others(runs, units, made, number), **recording.dropped} for number in range(len(runs))
    ]


def _others(
    runs: Sequence[AgentRun], units: Sequence[int], made: int, number: int
) -> Mapping[str, int]:
    """How much made steps of other runs; what two runs share is the one's that is looked at."""
    left = made - units[number]
    found: Counter[str] = Counter()
    names = Counter(_kind(runs[number], run) for at, run in enumerate(runs) if at != number)
    for at, run in enumerate(runs):
        if at == number or left <= 0:
            continue
        kind = _kind(runs[number], run)
        share = min(units[at], left)
        left -= share
        found[_MANY.get(kind, kind) if names[kind] > 1 else kind] += share
    return +found


_MANY = {DropName.SUB_AGENT: DropName.SUB_AGENTS, DropName.OTHER_RUN: DropName.OTHER_RUNS}


def _kind(shown: AgentRun, other: AgentRun) -> DropName:
    if other.is_sub_agent:
        return DropName.OTHER_RUN if shown.is_sub_agent else DropName.SUB_AGENT
    return DropName.OTHER_RUN if other.key or not shown.is_sub_agent else DropName.MAIN_RUN
