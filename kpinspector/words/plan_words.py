"""The words for a plan: how many it has, why a trace is not in it, and what traces are called."""

from collections.abc import Iterator, Sequence
from typing import Final

from kpinspector.batch.compared import Batch, Candidate
from kpinspector.batch.plan import LeftOut, Nearest, Obstacle, Plan, shared_ids
from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import Entry, Subject, neighbour_names
from kpinspector.trace.clear import masked_in
from kpinspector.trace.read import TraceRecord
from kpinspector.trace.records import name_of
from kpinspector.words.figures import shown_at_most, shown_count, shown_score
from kpinspector.words.say import Names, say, say_all, say_count

_REASONS: Final = Names(
    {
        Obstacle.SCHEMA: Phrase("refused by the schema"),
        Obstacle.NO_CONTENT: Phrase("its content was not recorded"),
        Obstacle.ASKED: Phrase("left out as asked"),
        Obstacle.NO_FIRST: Phrase("no trace passes with 0.5, the novelty of the first one"),
    }
)


def candidate_names(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """What the command line calls the traces of a batch, no two alike."""
    sources = [one.record.source for one in candidates]
    names = tuple(name_of(one.path, one.record) for one in sources)
    return distinct_names(names, [one.record for one in candidates])


def distinct_names(names: tuple[str, ...], records: Sequence[TraceRecord]) -> tuple[str, ...]:
    """The names of these traces; longer ones where two are alike."""
    if len({*names}) == len(names):
        return names
    return tuple(map(masked_in, neighbour_names(tuple(map(_named, records)))))


def _named(record: TraceRecord) -> Subject:
    source, trace = record.source, record.trace
    return Subject(trace.id, "", "", False, trace.objective, source.path, source.record)


class BatchNames:
    """The names of all that a batch is compared with.

    Args:
        batch: The traces.
        names: What they are called; None for their usual names.
    """

    def __init__(self, batch: Batch, names: tuple[str, ...] | None = None) -> None:
        self.candidates = candidate_names(batch.candidates) if names is None else names
        self._remembered = batch.remembered

    def of(self, nearest: Nearest) -> str:
        """What a trace is most similar to."""
        if nearest.candidate is not None:
            return self.candidates[nearest.candidate]
        if nearest.entry is None:
            raise ValueError("nearest to nothing")
        return say("{name}, remembered", name=_entry_name(self._remembered[nearest.entry]))


def _entry_name(entry: Entry) -> str:
    return name_of(entry.source_path, entry.record)


def plan_title(plan: Plan, at_best: Plan | None = None) -> str:
    """How many traces can be accepted, and what is proven of that.

    ``at_best``: the plan where every unknown outcome is the best, if any is unknown.
    """
    total = len(plan.chosen) + len(plan.left_out)
    least, most = len(plan.chosen), plan.at_most
    if at_best is not None and len(at_best.chosen) != least:
        return say_count(
            "{least} to {most} of {number} trace: how it ended is not always known.",
            "{least} to {most} of {number} traces: how they ended is not always known.",
            total,
            least=shown_count(least),
            most=shown_count(len(at_best.chosen)),
        )
    count = shown_count(least)
    if plan.conservative and least == most:
        return say_count(
            "{count} of {number} trace.", "{count} of {number} traces.", total, count=count
        )
    if least == most:
        return say_count(
            "{count} of {number} trace, the most possible.",
            "{count} of {number} traces, the most possible.",
            total,
            count=count,
        )
    return say_count(
        "At least {least}, at most {most} of {number} trace.",
        "At least {least}, at most {most} of {number} traces.",
        total,
        least=shown_count(least),
        most=shown_count(most),
    )


def plan_remarks(plan: Plan, batch: Batch) -> tuple[str, ...]:
    """What else is to be known of a plan."""
    return (*_of_the_count(plan, batch), *_of_shared_ids(plan, batch))


def _of_the_count(plan: Plan, batch: Batch) -> Iterator[str]:
    if plan.conservative:
        yield say(
            "Only the newest {most} are compared with, so the oldest drop out on the way and more"
            " may be possible.",
            most=shown_count(batch.max_elements),
        )


def _of_shared_ids(plan: Plan, batch: Batch) -> Iterator[str]:
    names = candidate_names(batch.candidates)
    for trace_id, places in shared_ids(plan, batch).items():
        yield say(
            "{names} share the id {id}, of which the registry keeps only the last.",
            names=say_all([names[one] for one in places]),
            id=masked_in(trace_id),
        )


def why_left_out(left: LeftOut, names: BatchNames, threshold: float) -> str:
    """The one reason for which a trace is not in a plan."""
    if left.nearest is not None and left.bound is not None:
        name = names.of(left.nearest)
        if left.why is Obstacle.SAME:
            return say("the same trace as {name}", name=name)
        bound = shown_at_most(left.bound)
        if bound == shown_at_most(0.0):
            return say("similar to {name}, and may not be at all", name=name)
        return say("more than {bound} similar to {name}", bound=bound, name=name)
    best = shown_score(left.best, threshold)
    if left.why is Obstacle.OUT_OF_REACH:
        return say("cannot pass: at best {best}", best=best)
    if left.why is Obstacle.UNDECIDED:
        return say("its outcome is not known: at best {best}", best=best)
    return _REASONS[left.why]
