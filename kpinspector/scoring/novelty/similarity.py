"""Two traces held against each other: how similar they are, and one that is not opened."""

from typing import TYPE_CHECKING

from kpinspector.errors import TraceLostError
from kpinspector.phrase import Phrase
from kpinspector.runs.read import read_file
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import Origin, measure_unremembered, subject_of
from kpinspector.scoring.novelty.sequence import Measured, places_of
from kpinspector.trace.find import FoundFile
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.schema import passes

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory
    from kpinspector.scoring.model.vectors import Vector


def similarity_of(
    left: ReasoningTrace, right: ReasoningTrace, embedder: Embedder, memory: "Memory"
) -> float | None:
    """The cosine similarity of two traces, -1 to 1, as novelty would find it.

    None where a recording left the texts out.

    Raises:
        ModelError: the embedder cannot be used.
    """
    from kpinspector.scoring.model.vectors import VectorCache  # noqa: PLC0415 - with numpy, on first use

    if not (left.text_known and right.text_known):
        return None
    cache = VectorCache(max_elements=1)
    cache.add(_vector_of(left, embedder, memory))
    return cache.max_cosine_similarity(_vector_of(right, embedder, memory))


def _vector_of(trace: ReasoningTrace, embedder: Embedder, memory: "Memory") -> "Vector":
    window = embedder.window(trace.text)
    stored = memory.own_vector(subject_of(trace, Origin(""), embedder.model, window))
    return embedder.embed(window) if stored is None else stored


def measure_lone(found: FoundFile, embedder: Embedder, memory: "Memory") -> Measured:
    """Read and measure the only trace in a file that is not opened; nothing is remembered.

    Raises:
        TraceLostError: the file cannot be read, or holds no trace or several.
    """
    contents = read_file(found)
    name = found.path.name
    if not contents.traces:
        none = Phrase("it holds no trace")
        problem = contents.problems[0].message if contents.problems else none
        message = Phrase("{name} cannot be compared: {problem}.", name=name, problem=problem)
        raise TraceLostError(message)
    if len(contents.traces) > 1:
        message = Phrase(
            "{name} cannot be compared, as it holds {number} traces: open it and select one of"
            " them.",
            name=name,
            number=f"{len(contents.traces):,}",
        )
        raise TraceLostError(message)
    record = contents.traces[0]
    place = places_of([record.trace], embedder)[0]
    origin = Origin(str(found.path), place.variant)
    valid = passes(record.issues)
    measurement = measure_unremembered(record.trace, origin, embedder, memory, schema_valid=valid)
    return Measured(record, place, measurement)
