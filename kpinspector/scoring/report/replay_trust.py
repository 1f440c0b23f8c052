"""The values of a report that a replay could not check."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from kpinspector.scoring.formula.profiles import profile_for
from kpinspector.scoring.novelty.sequence import Flag
from kpinspector.scoring.report.report import Report, TraceEntry

_COUNTED = (
    "id",
    "objective",
    "task_domain",
    "recorded_quality_score",
    "issues",
    "dimensions.complexity.factors",
    "dimensions.tool_diversity.factors",
    "dimensions.outcome_confidence.factors",
)
_READ = tuple(
    f"dimensions.novelty.{name}"
    for name in ("tokens", "truncated", "window_ends_at_step", "text_sha256")
)
_NEIGHBOURS = "dimensions.novelty.neighbours"
_UNCHECKED_FLAGS = frozenset({Flag.DUPLICATE, Flag.AS_GUEST})


@dataclass(frozen=True, slots=True)
class Checked:
    """How far one entry could be checked.

    Attributes:
        counted: Its trace is at hand and was counted again.
        read: Its text was tokenised again.
        measured: The ranks of the neighbours whose similarity was measured again.
    """

    counted: bool = False
    read: bool = False
    measured: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Trusted:
    """A value that could not be checked, with everything below it.

    Attributes:
        name: Its JSON path, from the trace where it belongs to one; ``*`` is any place in a list.
        traces: The indices of the traces; empty for a value of the report itself.
    """

    name: str
    traces: tuple[int, ...] = ()

    @property
    def path(self) -> str:
        """Its JSON path from the root of the report."""
        return f"traces.*.{self.name}" if self.traces else self.name


def trusted_values(
    report: Report, checked: Collection[Checked], *, same_model: bool
) -> tuple[Trusted, ...]:
    """All values that could not be checked, those of the report itself first.

    Args:
        report: The report as it was read.
        checked: How far each of its traces could be checked.
        same_model: The model that scored them is at hand.
    """
    traces: defaultdict[str, list[int]] = defaultdict(list)
    for index, (entry, how) in enumerate(zip(report.traces, checked, strict=True)):
        for name in dict.fromkeys(_of_trace(entry, how)):
            traces[name].append(index)
    of_report = map(Trusted, _of_report(report, same_model=same_model))
    return (*of_report, *(Trusted(name, tuple(found)) for name, found in traces.items()))


def _of_report(report: Report, *, same_model: bool) -> Iterator[str]:
    yield from ("generated_at", "generator")
    if not same_model:
        yield from (f"embedder.{name}" for name in ("model", "sha256", "window"))
    if not report.traces:
        yield "settings.threshold"
    yield from (f"settings.{name}" for name in ("max_elements", "ttl_ms", "mode"))
    yield "pending"
    if report.problems:
        yield "more_problems"
    yield from (name for name in ("problems", "skipped") if getattr(report, name))


def _of_trace(entry: TraceEntry, how: Checked) -> Iterator[str]:
    yield "source"
    if not how.counted:
        yield from _COUNTED
        yield from ("provenance",) if entry.provenance is not None else ()
    if profile_for(entry.task_domain).name != entry.profile:
        yield "profile"
    if not _UNCHECKED_FLAGS.isdisjoint(entry.flags):
        yield "flags"
    yield from _of_novelty(entry, how)
    if entry.what_if is not None:
        yield "what_if.changes"
        if not how.counted:
            yield from (f"what_if.{name}" for name in ("facts", "novelty_held"))


def _of_novelty(entry: TraceEntry, how: Checked) -> Iterator[str]:
    novelty = entry.dimensions.novelty
    yield from ("dimensions.novelty.basis", "dimensions.novelty.remembered")
    if novelty.tokens is not None and not how.read:
        yield from _READ
    if not novelty.neighbours:
        return
    yield "dimensions.novelty.compared_with"
    if 0 not in how.measured:
        yield "dimensions.novelty.max_similarity"
    if len(how.measured) < len(novelty.neighbours):
        yield from (f"{_NEIGHBOURS}.*.{name}" for name in ("key", "id", "objective", "similarity"))
    yield from (f"{_NEIGHBOURS}.*.{name}" for name in ("path", "record"))
