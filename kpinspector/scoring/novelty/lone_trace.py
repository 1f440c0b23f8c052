"""The only trace in a file that is not opened, to hold it against another one."""

from typing import TYPE_CHECKING

from kpinspector.errors import TraceLostError
from kpinspector.scoring.model.embedder import Embedder
from kpinspector.scoring.novelty.measure import Origin, measure_unremembered
from kpinspector.scoring.novelty.sequence import Measured, places_of
from kpinspector.trace.find import FoundFile
from kpinspector.trace.read import read_file
from kpinspector.trace.schema import passes

if TYPE_CHECKING:
    from kpinspector.scoring.memory.memory import Memory


def measure_lone(found: FoundFile, embedder: Embedder, memory: "Memory") -> Measured:
    """Read and measure it; nothing is remembered.

    Raises:
        TraceLostError: the file cannot be read, or holds no trace or several.
    """
    contents = read_file(found)
    name = found.path.name
    if not contents.traces:
        problem = contents.problems[0].message if contents.problems else "it holds no trace"
        raise TraceLostError(f"{name} cannot be compared: {problem}.")
    if len(contents.traces) > 1:
        raise TraceLostError(
            f"{name} cannot be compared, as it holds {len(contents.traces):,} traces: open it and"
            " select one of them."
        )
    record = contents.traces[0]
    place = places_of([record.trace], embedder)[0]
    origin = Origin(str(found.path), place.variant)
    valid = passes(record.issues)
    measurement = measure_unremembered(record.trace, origin, embedder, memory, schema_valid=valid)
    return Measured(record, place, measurement)
