"""Rows to what a report is made of."""

from collections.abc import Sequence

from kpinspector.app.document import Document
from kpinspector.scoring.compose import Results
from kpinspector.trace.read import Problem, Skipped, TraceRecord


def results_of(documents: Sequence[Document]) -> Results:
    """Measurements, problems and skipped units of these rows; what is pending is counted."""
    measured = [one.measured for one in documents if one.measured is not None]
    items = [one.item for one in documents]
    return Results(
        measured=measured,
        problems=[item for item in items if isinstance(item, Problem)],
        skipped=[item for item in items if isinstance(item, Skipped)],
        pending=sum(isinstance(item, TraceRecord) for item in items) - len(measured),
    )
