"""What the commands about many traces share: the traces compared, and which of them are meant."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from kpinspector.batch.compared import Batch, compared, embedded, places_in
from kpinspector.batch.groups import GroupedBatch, groups_at, linking, why_not_linked
from kpinspector.batch.limits import Terms
from kpinspector.cli.measuring import Scorer
from kpinspector.cli.streams import show_progress, tell
from kpinspector.errors import KpError
from kpinspector.scoring.novelty.sequence import expect
from kpinspector.trace.read import TraceRecord
from kpinspector.trace.records import at_record
from kpinspector.words.figures import shown_count
from kpinspector.words.plan_words import candidate_names
from kpinspector.words.say import say

_FEWEST: Final = 2  # that can be a group
_MOST: Final = 4000  # all pairs are in memory, twice


def compare_all(
    records: Sequence[TraceRecord], scorer: Scorer, came: Callable[[int, int], None] = show_progress
) -> Batch:
    """All pairs of these traces; embeds what is not remembered.

    Args:
        records: The traces.
        scorer: The model and the memory.
        came: Told how many of how many are embedded.

    Raises:
        ModelError: the embedder cannot be used.
    """
    embedder, memory = scorer.embedder, scorer.memory
    found = []
    for number, (record, place) in enumerate(
        zip(records, places_in(records, embedder), strict=True)
    ):
        expect(records[number : number + embedder.depth], embedder, memory)
        found.append(embedded(record, place, embedder, memory))
        came(number + 1, len(records))
    most = scorer.choice.settings.max_elements
    return compared(found, embedder.model, memory, most)


def grouped_at(
    similarity: float, records: Sequence[TraceRecord], scorer: Scorer, terms: Terms
) -> GroupedBatch | None:
    """The groups of near-duplicates among traces that are embedded already.

    None without a model, with too many traces, or where linking takes too long.
    """
    if len(records) < _FEWEST or scorer.embedder.failure is not None:
        return None
    if len(records) > _MOST:
        tell(say("More than {number} traces are not grouped.", number=shown_count(_MOST)))
        return None
    batch = compare_all(records, scorer, lambda _done, _total: None)
    with linking(batch) as child:
        linked = child.result()
    if linked is None:
        tell(why_not_linked(child))
        return None
    return GroupedBatch(batch, similarity, groups_at(batch, linked, similarity, terms))


def meant_by(names: Iterable[str], batch: Batch) -> frozenset[int]:
    """All traces that are called so: by id, key, place or name.

    Raises:
        KpError: none is.
    """
    return frozenset(place for places in _called(names, batch) for place in places)


def kept_by(names: Iterable[str], batch: Batch, left_out: frozenset[int]) -> frozenset[int]:
    """The traces that are called so; of copies, which share a key, the first that is not left out.

    Raises:
        KpError: none is, or all that are so called are left out.
    """
    kept: set[int] = set()
    for places in _called(names, batch):
        first: dict[str, int] = {}
        for place in places:
            if place not in left_out:
                first.setdefault(batch.candidates[place].place.key, place)
        if not first:
            name = candidate_names(batch.candidates)[places[0]]
            raise KpError(say("{name} cannot be both kept and left out.", name=repr(name)))
        kept.update(first.values())
    return frozenset(kept)


def _called(names: Iterable[str], batch: Batch) -> Iterator[list[int]]:
    """The traces of each name, in the order of the batch.

    Raises:
        KpError: none is called so.
    """
    shown = candidate_names(batch.candidates)
    for name in names:
        found = []
        for place, one in enumerate(batch.candidates):
            source = one.record.source
            called = (one.record.trace.id, one.place.key, at_record(source.path, source.record))
            if name in (*called, shown[place]):
                found.append(place)
        if not found:
            raise KpError(say("{name} is none of these traces.", name=repr(name)))
        yield found
