"""What the commands about many traces share: the traces compared, and which of them are meant."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kpinspector.batch.compared import Batch, compared, embedded, places_in
from kpinspector.cli.measuring import Scorer
from kpinspector.cli.options import Choice
from kpinspector.cli.streams import show_progress
from kpinspector.errors import KpError
from kpinspector.scoring.memory.mode import Mode
from kpinspector.scoring.novelty.sequence import expect
from kpinspector.trace.read import TraceRecord
from kpinspector.trace.records import at_record
from kpinspector.words.plan_words import candidate_names
from kpinspector.words.say import say


def as_guest(choice: Choice) -> Choice:
    """The same without anything that is stored."""
    return choice if choice.mode is Mode.FRESH else replace(choice, mode=Mode.GUEST)


def compare_all(records: Sequence[TraceRecord], scorer: Scorer) -> Batch:
    """All pairs of these traces; embeds what is not remembered.

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
        show_progress(number + 1, len(records))
    most = scorer.choice.settings.max_elements
    return compared(found, embedder.model, memory, most)


def meant_by(names: Iterable[str], batch: Batch) -> frozenset[int]:
    """The traces that are called so: by id, key, place or name; of equal ones the first.

    Raises:
        KpError: none is.
    """
    shown = candidate_names(batch.candidates)
    found: dict[str, int] = {}
    for name in names:
        known = len(found)
        for place, one in enumerate(batch.candidates):
            source = one.record.source
            called = (one.record.trace.id, one.place.key, at_record(source.path, source.record))
            if name in (*called, shown[place]):
                found.setdefault(f"{name}\n{one.place.key}", place)
        if len(found) == known:
            raise KpError(say("{name} is none of these traces.", name=repr(name)))
    return frozenset(found.values())
