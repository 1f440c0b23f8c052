"""How similar the texts of two traces are."""

from typing import TYPE_CHECKING

from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import Origin, subject_of
from kpinspector.trace.model import ReasoningTrace

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector


def similarity_of(
    left: ReasoningTrace, right: ReasoningTrace, embedder: Embedder, memory: "Memory"
) -> float:
    """The cosine similarity of two traces, -1 to 1, as novelty would find it.

    Raises:
        ModelError: the embedder cannot be used.
    """
    from kpinspector.scoring.model.vectors import VectorCache  # noqa: PLC0415 - with numpy, on first use

    cache = VectorCache(max_elements=1)
    cache.add(_vector_of(left, embedder, memory))
    return cache.max_cosine_similarity(_vector_of(right, embedder, memory))


def _vector_of(trace: ReasoningTrace, embedder: Embedder, memory: "Memory") -> "Vector":
    window = embedder.window(trace.text)
    stored = memory.own_vector(subject_of(trace, Origin(""), embedder.model, window))
    return embedder.embed(window) if stored is None else stored
