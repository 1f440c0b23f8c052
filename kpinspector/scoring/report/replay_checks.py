"""Checks a report for values that contradict each other, whatever was scored."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from kpinspector.errors import ModelError
from kpinspector.scoring.findings import (
    MOST_NEIGHBOURS,
    SHOWN_LENGTH,
    Basis,
    for_display,
    key_of,
    shown_key,
)
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.scoring.novelty.sequence import Flag
from kpinspector.scoring.report.report import NeighbourEntry, NoveltyEntry, Report, TraceEntry
from kpinspector.trace.clear import MASK
from kpinspector.trace.javascript import JsonPath
from kpinspector.trace.model import JsonValue, ReasoningTrace
from kpinspector.trace.printable import stands_for
from kpinspector.trace.read import TraceRecord

if TYPE_CHECKING:
    from kpinspector.scoring.model.vectors import Vector

_SAME = 1e-5  # similarities by two builds of the runtime may differ by this much


_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_SHORT_DIGEST: Final = re.compile(r"[0-9a-f]{8}")
_NOVELTY: Final = ("dimensions", "novelty")


class Similarities:
    """Similarities between the traces at hand, each embedded once, on first use.

    Args:
        traces: The traces at hand.
        embedder: The embedder of the report; None measures nothing.
    """

    def __init__(self, traces: Sequence[TraceRecord], embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._vectors: dict[str, Vector] = {}
        self._traces: defaultdict[str | None, list[ReasoningTrace]] = defaultdict(list)
        for record in traces:
            trace = record.trace
            self._traces[trace.id and shown_key(trace.id)].append(trace)

    def measure(self, record: TraceRecord, near: NeighbourEntry) -> dict[str, Any] | None:
        """The entry that a neighbour of this trace should have; None where it is not at hand.

        A similarity that differs by noise alone is returned as recorded. Where several traces may
        be meant, the one closest to the recorded similarity is taken.
        """
        if self._embedder is None:
            return None
        try:
            meant = [one for one in self._with_id(near.id) if self._is_meant(one, near)]
            found = [(self._similarity(record.trace, one), one) for one in meant]
        except ModelError:
            return None
        if not found:
            return None
        similarity, trace = min(found, key=lambda one: abs(one[0] - near.similarity))
        same = abs(similarity - near.similarity) <= _SAME
        return {
            "similarity": near.similarity if same else similarity,
            "objective": for_display(trace.objective, SHOWN_LENGTH),
        }

    def _with_id(self, shown: str | None) -> Iterable[ReasoningTrace]:
        if shown is None or MASK not in shown:
            return self._traces[shown]
        pairs = self._traces.items()
        return chain.from_iterable(found for one, found in pairs if one and stands_for(shown, one))

    def _is_meant(self, trace: ReasoningTrace, near: NeighbourEntry) -> bool:
        if trace.id is not None and near.key == near.id:
            return True
        digest = self._window(trace).digest
        return stands_for(
            near.key, shown_key(key_of(trace.id, digest, variant=trace.id is not None))
        )

    def _similarity(self, one: ReasoningTrace, other: ReasoningTrace) -> float:
        from kpinspector.scoring.model.vectors import VectorCache  # noqa: PLC0415 - with numpy

        cache = VectorCache(max_elements=1)
        cache.add(self._vector(other))
        return cache.max_cosine_similarity(self._vector(one))

    def _vector(self, trace: ReasoningTrace) -> "Vector":
        window = self._window(trace)
        if window.digest not in self._vectors and self._embedder is not None:
            self._vectors[window.digest] = self._embedder.embed(window)
        return self._vectors[window.digest]

    def _window(self, trace: ReasoningTrace) -> Window:
        if self._embedder is None:
            raise ModelError("There is no model.")
        return self._embedder.window(trace.text)


class Fit(StrEnum):
    """How a recorded value should relate to another one."""

    EQUAL = "equal"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A value that contradicts others in a report; ``wanted`` is what they allow."""

    path: JsonPath
    recorded: JsonValue
    wanted: JsonValue
    fit: Fit = Fit.EQUAL


def contradiction_in(entry: TraceEntry, window: int) -> Contradiction | None:
    """The first value of an entry that contradicts its others.

    Args:
        entry: The entry of a trace; what follows from its counts and its similarity is not checked.
        window: The most tokens that the model sees.
    """
    parts = (_name(entry), _counts(entry), _basis(entry), _neighbours(entry), _reach(entry, window))
    return next((one for part in parts for one in part), None)


def contradiction_about(report: Report) -> Contradiction | None:
    """The first value outside the traces that contradicts others."""
    embedder = report.embedder
    sha256 = embedder.sha256
    state = "missing" if sha256 is None else "ready"
    found = (
        _equal(("embedder", "state"), embedder.state, state),
        None if sha256 is None else _digest(("embedder", "sha256"), sha256),
        _at_least(("pending",), report.pending, 0),
        _at_least(("more_problems",), report.more_problems, 0),
        # counts only those beyond the list
        None if report.problems else _equal(("more_problems",), report.more_problems, 0),
    )
    return next(filter(None, found), None)


def _equal(path: JsonPath, recorded: JsonValue, wanted: JsonValue) -> Contradiction | None:
    return None if recorded == wanted else Contradiction(path, recorded, wanted)


def _at_least(path: JsonPath, recorded: float, least: float) -> Contradiction | None:
    return None if recorded >= least else Contradiction(path, recorded, least, Fit.AT_LEAST)


def _at_most(path: JsonPath, recorded: float, most: float) -> Contradiction | None:
    return None if recorded <= most else Contradiction(path, recorded, most, Fit.AT_MOST)


def _digest(path: JsonPath, recorded: str) -> Contradiction | None:
    fits = _DIGEST.fullmatch(recorded)
    return None if fits else Contradiction(path, recorded, "64 hex digits")


def _found(*all_found: Contradiction | None) -> Iterator[Contradiction]:
    return (one for one in all_found if one is not None)


def _name(entry: TraceEntry) -> Iterator[Contradiction]:
    """The key is the id, with the text's digest where other texts share the id."""
    digest = entry.dimensions.novelty.text_sha256 or ""
    variant = entry.id is not None and entry.key != entry.id and bool(digest)
    flags = {Flag.SHARED_ID: variant, Flag.NO_ID: entry.id is None}
    wrong = [flag for flag, holds in flags.items() if (flag in entry.flags) is not holds]
    yield from _found(
        _equal(("key",), entry.key, key_of(entry.id, digest, variant=variant)),
        Contradiction(("flags",), list(entry.flags), str(wrong[0])) if wrong else None,
    )


def _counts(entry: TraceEntry) -> Iterator[Contradiction]:
    """No part is greater than its whole."""
    complexity = entry.dimensions.complexity.factors
    diversity = entry.dimensions.tool_diversity.factors
    of_types = ("dimensions", "complexity", "factors")
    of_tools = ("dimensions", "tool_diversity", "factors")
    single = complexity.steps == complexity.unique_types == 1 and not complexity.error_recoveries
    thought, tool_steps = complexity.single_thought, diversity.tool_steps
    yield from _found(
        _at_least((*of_types, "steps"), complexity.steps, 0),
        _at_most((*of_types, "unique_types"), complexity.unique_types, complexity.steps),
        _at_least((*of_types, "unique_types"), complexity.unique_types, min(1, complexity.steps)),
        _at_most((*of_types, "error_recoveries"), complexity.error_recoveries, complexity.steps),
        _at_least((*of_types, "error_recoveries"), complexity.error_recoveries, 0),
        _equal((*of_types, "single_thought"), thought, thought and single),
        _at_least((*of_tools, "tool_steps"), tool_steps, 0),
        _at_most((*of_tools, "tool_steps"), tool_steps, complexity.steps),
        _at_most((*of_tools, "unique_tools"), diversity.unique_tools, tool_steps),
        _at_least((*of_tools, "unique_tools"), diversity.unique_tools, min(1, tool_steps)),
    )


def _basis(entry: TraceEntry) -> Iterator[Contradiction]:
    """There is a similarity exactly where something was compared."""
    novelty = entry.dimensions.novelty
    measured = novelty.max_similarity is not None
    assumed = novelty.basis in (Basis.NO_EMBEDDER, Basis.NOT_RECORDED)
    wanted = Basis.MEASURED if measured else Basis.EMPTY_CACHE
    compared = novelty.compared_with
    yield from _found(
        None if assumed and not measured else _equal((*_NOVELTY, "basis"), novelty.basis, wanted),
        _equal((*_NOVELTY, "remembered"), novelty.remembered, novelty.remembered and not assumed),
        _at_least((*_NOVELTY, "compared_with"), compared, max(measured, len(novelty.neighbours))),
        None if measured else _equal((*_NOVELTY, "compared_with"), compared, 0),
    )


def _neighbours(entry: TraceEntry) -> Iterator[Contradiction]:
    """The nearest come first, and the first one has the greatest similarity."""
    novelty = entry.dimensions.novelty
    number = min(MOST_NEIGHBOURS, novelty.compared_with)
    if len(novelty.neighbours) != number:
        yield Contradiction(
            (*_NOVELTY, "compared_with"), novelty.compared_with, len(novelty.neighbours)
        )
        return
    if novelty.neighbours:
        nearest = novelty.neighbours[0].similarity
        yield from _found(_equal((*_NOVELTY, "max_similarity"), novelty.max_similarity, nearest))
    known = {shown_key(entry.key)}
    most = 1.0
    for rank, near in enumerate(novelty.neighbours):
        path = (*_NOVELTY, "neighbours", rank)
        doubled = near.key in known and MASK not in near.key  # masked keys may be alike
        yield from _found(
            _at_most((*path, "similarity"), near.similarity, most),
            _at_least((*path, "similarity"), near.similarity, -1.0),
            _neighbour_key(path, near),
            Contradiction((*path, "key"), near.key, "another key") if doubled else None,
            None if near.record is None else _at_least((*path, "record"), near.record, 1),
        )
        most = near.similarity
        known.add(near.key)


def _neighbour_key(path: JsonPath, near: NeighbourEntry) -> Contradiction | None:
    """The key of a neighbour, like that of a trace; its text is unknown, and long keys are cut."""
    if len(near.key) >= SHOWN_LENGTH:
        return None
    if near.id is None:
        digest = near.key.removeprefix("text:")
        known = digest != near.key and _DIGEST.fullmatch(digest) is not None
        return None if known else Contradiction((*path, "key"), near.key, "text:…")
    variant = near.key.removeprefix(f"{near.id}#")
    is_variant = variant != near.key and _SHORT_DIGEST.fullmatch(variant) is not None
    if near.key == near.id or is_variant:
        return None
    return Contradiction((*path, "key"), near.key, near.id)


def _reach(entry: TraceEntry, window: int) -> Iterator[Contradiction]:
    """Only a full window may end before the text does."""
    novelty = entry.dimensions.novelty
    if novelty.tokens is None or novelty.text_sha256 is None:
        nothing = ("tokens", "text_sha256")
        yield from _found(
            *(_equal((*_NOVELTY, name), getattr(novelty, name), None) for name in nothing)
        )
        return
    yield from _found(
        _digest((*_NOVELTY, "text_sha256"), novelty.text_sha256),
        _at_most((*_NOVELTY, "tokens"), novelty.tokens, window),
        _at_least((*_NOVELTY, "tokens"), novelty.tokens, window if novelty.truncated else 0),
        *_window_end(novelty, entry.steps),
    )


def _window_end(novelty: NoveltyEntry, steps: int) -> Iterator[Contradiction | None]:
    path, end = (*_NOVELTY, "window_ends_at_step"), novelty.window_ends_at_step
    if end is not None:
        yield None if novelty.truncated else _equal(path, end, None)
        yield _at_least(path, end, 0)
        yield _at_most(path, end, steps - 1)
