"""Novelty over the whole text of a trace, beyond the model's window.

The SDK computes nothing of the kind: it embeds the first window alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kpinspector.scoring.findings import Subject, neighbour_names
from kpinspector.scoring.model.embedder import Embedder, Window
from kpinspector.scoring.novelty.measure import subject_of
from kpinspector.scoring.novelty.sequence import Measured, origin_of
from kpinspector.trace.read import TraceRecord

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector

    Tools = Callable[[], tuple[Embedder, Memory]]

_COUNTED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class WholeText:
    """The progress of measuring a whole text.

    Attributes:
        tokens: The number of tokens counted so far, as if the text were tokenised in one piece.
        counted: All tokens have been counted.
        windows: The number of windows that hold these tokens.
        embedded: The number of windows embedded so far.
        vector: The mean of the embeddings, normalised to length 1, shape (384,); None until all
            windows are embedded.
        others: The number of traces whose whole text it is compared with.
        others_done: The number of those measured so far.
    """

    tokens: int
    counted: bool
    windows: int
    embedded: int = 0
    vector: "Vector | None" = None
    others: int = 0
    others_done: int = 0


def measure_whole(
    text: str, embedder: Embedder, embed: "Callable[[Window], Vector] | None" = None
) -> Iterator[WholeText]:
    """Count all tokens, then embed window after window; the last value has the vector.

    Yields the progress every few windows while counting, then after each embedding; the caller may
    stop at any time. A text of 20 MB has some ten thousand windows.

    Args:
        text: The whole text.
        embedder: Cuts the text into windows.
        embed: Embeds a window; by default the embedder does.

    Raises:
        ModelError: the embedder cannot be used.
    """
    tokens = windows = 0
    for window in embedder.windows(text):
        tokens += len(window.ids) - (windows > 0)  # the opening token stands in each
        windows += 1
        if windows % _COUNTED_AT_ONCE == 0:
            yield WholeText(tokens, counted=False, windows=windows)
    counted = WholeText(tokens, counted=True, windows=windows)
    yield counted
    yield from _embedded(embedder.windows(text), embed or embedder.embed, counted)


def _embedded(
    windows: Iterable[Window], embed: "Callable[[Window], Vector]", counted: WholeText
) -> Iterator[WholeText]:
    """The progress after each window that is embedded."""
    from kpinspector.scoring.model.vectors import VectorSum  # noqa: PLC0415 - with numpy, on first use

    total = VectorSum()
    for number, window in enumerate(windows, start=1):
        total.add(embed(window))
        done = number == counted.windows
        yield replace(counted, embedded=number, vector=total.direction() if done else None)


@dataclass(frozen=True, slots=True)
class WholeFinding:
    """The result of comparing a whole text with others.

    Attributes:
        max_similarity: The cosine similarity to the nearest whole text; None without any other.
        nearest: The trace with that text.
        compared_with: The number of whole texts it was compared with.
        own: The trace itself.
    """

    max_similarity: float | None
    nearest: TraceRecord | None
    compared_with: int
    own: TraceRecord | None = None

    @property
    def name(self) -> str:
        """A name for the nearest trace that tells it from the trace itself; "" without one."""
        if self.nearest is None:
            return ""
        own = None if self.own is None else _named(self.own)
        return neighbour_names((_named(self.nearest),), own)[0]


class WholeTexts:
    """Vectors of whole texts, each measured once for as long as its trace is available."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[TraceRecord, Vector]] = {}

    def compare(
        self,
        measured: Measured,
        at_hand: Sequence[Measured],
        tools: "Tools",
    ) -> Iterator[tuple[WholeText, WholeFinding | None]]:
        """Measure the whole text of a trace, then those of the others, and compare.

        Yields the progress after each embedding, and the finding with the last value; the caller
        may stop at any time. Of several traces with one key only the first is compared, and traces
        with the key of the trace itself are not.

        Args:
            measured: The trace.
            at_hand: All traces whose text is available.
            tools: Gives the embedder and the memory; called anew before each embedding.

        Raises:
            ModelError: the embedder cannot be used.
        """
        others = {one.place.key: one for one in reversed(at_hand)}
        others.pop(measured.place.key, None)
        kept = {id(one.record) for one in (measured, *at_hand)}
        self._known = {key: one for key, one in self._known.items() if key in kept}
        own = None
        for own in self._measured(measured, tools):
            yield replace(own, others=len(others)), None
        if own is None or own.vector is None:
            raise AssertionError("the last value has the vector")
        for done, one in enumerate(others.values(), start=1):
            if id(one.record) not in self._known:
                for _ in self._measured(one, tools):
                    yield replace(own, others=len(others), others_done=done - 1), None
        whole = replace(own, others=len(others), others_done=len(others))
        found = self._nearest(own.vector, [one.record for one in others.values()])
        yield whole, replace(found, own=measured.record)

    def _measured(self, measured: Measured, tools: "Tools") -> Iterator[WholeText]:
        trace, origin = measured.record.trace, origin_of(measured.record, measured.place)

        def embed(window: Window) -> "Vector":
            embedder, memory = tools()
            subject = subject_of(trace, origin, embedder.model, window)
            stored = memory.own_vector(subject)  # of the first window
            return embedder.embed(window) if stored is None else stored

        for whole in measure_whole(trace.text, tools()[0], embed):
            if whole.vector is not None:
                self._known[id(measured.record)] = measured.record, whole.vector
            yield whole

    def _nearest(self, vector: "Vector", records: Sequence[TraceRecord]) -> WholeFinding:
        from kpinspector.scoring.model.vectors import VectorCache  # noqa: PLC0415 - with numpy

        cache = VectorCache(max_elements=len(records))
        for record in records:
            cache.add(self._known[id(record)][1])
        found = cache.nearest(vector, 1)
        if not found:
            return WholeFinding(None, None, 0)
        return WholeFinding(found[0].similarity, records[found[0].key], len(records))


def _named(record: TraceRecord) -> Subject:
    trace, source = record.trace, record.source
    return Subject(trace.id, "", "", False, trace.objective, source.path, source.record)
