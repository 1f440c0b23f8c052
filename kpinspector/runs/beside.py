"""Counts what of a recording makes no step of the run that is shown."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kpinspector.runs.run import AgentRun, BlockKind, DropName, Recording, unit_of, units_of

_MANY = {DropName.SUB_AGENT: DropName.SUB_AGENTS, DropName.OTHER_RUN: DropName.OTHER_RUNS}


@dataclass(slots=True)
class _Alike:
    """The runs of a recording that are counted under the same name.

    Attributes:
        count: How many they are.
        units: How many lines, messages or spans they have.
    """

    is_sub_agent: bool
    has_key: bool
    count: int = 0
    units: int = 0


def with_parts_counted(recording: Recording) -> Recording:
    """The recording with the parts that make no step counted, and no longer among the blocks.

    A line or message that has only such parts is dropped, under the name of the last.
    """
    runs, dropped = [], Counter(recording.dropped)
    for run in recording.runs:
        others = [block for block in run.blocks if block.kind is BlockKind.OTHER]
        if others:
            blocks = tuple(block for block in run.blocks if block.kind is not BlockKind.OTHER)
            made = set(map(unit_of, blocks))
            alone = {unit_of(one): one.text for one in others if unit_of(one) not in made}
            dropped.update(alone.values())
            parts = Counter(one.text for one in others if unit_of(one) in made)
            runs.append(replace(run, blocks=blocks, parts=dict(parts)))
        else:
            runs.append(run)
    return replace(recording, runs=tuple(runs), dropped=dict(dropped))


def dropped_of(recording: Recording, runs: Sequence[AgentRun]) -> list[Mapping[str, int]]:
    """For each run, the units that made no step of it, by name; with the others they add up.

    Args:
        recording: What was read.
        runs: All runs that were made of it.
    """
    if len(runs) == 1:
        return [recording.dropped]
    made = recording.total - sum(recording.dropped.values())
    found: dict[tuple[bool, bool], _Alike] = {}
    own: list[tuple[_Alike, int]] = []
    for run in runs:
        kind = run.is_sub_agent, bool(run.key)
        alike = found.setdefault(kind, _Alike(*kind))
        units = units_of(run.blocks)
        alike.count += 1
        alike.units += units
        own.append((alike, units))
    return [{**_others(found.values(), *one, made), **recording.dropped} for one in own]


def _others(all_runs: Iterable[_Alike], shown: _Alike, units: int, made: int) -> Mapping[str, int]:
    """The units of other runs by name; those that two runs share count for the run shown."""
    left = max(0, made - units)
    found: Counter[DropName] = Counter()
    count: Counter[DropName] = Counter()
    for alike in all_runs:
        is_own = alike is shown
        name = _name(shown, alike)
        share = min(alike.units - is_own * units, left)
        left -= share
        found[name] += share
        count[name] += alike.count - is_own
    return {
        _MANY.get(name, name) if count[name] > 1 else name: number
        for name, number in found.items()
        if number
    }


def _name(shown: _Alike, other: _Alike) -> DropName:
    if other.is_sub_agent:
        return DropName.OTHER_RUN if shown.is_sub_agent else DropName.SUB_AGENT
    return DropName.OTHER_RUN if other.has_key or not shown.is_sub_agent else DropName.MAIN_RUN
