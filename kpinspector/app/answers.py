"""Rows to the report on them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kpinspector.app.document import Document
from kpinspector.scoring.compose import Results, make_report
from kpinspector.scoring.profiles import Profile
from kpinspector.scoring.report import Report, UsedSettings
from kpinspector.trace.read import Problem, Skipped, TraceRecord


@dataclass(frozen=True, slots=True)
class Basis:
    """What a report says of how it came about.

    Attributes:
        used: The settings that hold.
        model: The sha256 of the weights, or None without an embedder.
        profile: For all traces; None takes each trace's own.
    """

    used: UsedSettings
    model: str | None
    profile: Profile | None


def report_of(documents: Sequence[Document], basis: Basis) -> Report:
    """The report on these rows, in their order."""
    return make_report(results_of(documents), basis.used, basis.model, basis.profile)


def results_of(documents: Sequence[Document]) -> Results:
    """Measurements, problems and skipped units of these rows; what is pending is counted."""
    measured = [
        replace(one.measured, scenarios=one.scenarios)
        for one in documents
        if one.measured is not None
    ]
    items = [one.item for one in documents]
    return Results(
        measured=measured,
        problems=[item for item in items if isinstance(item, Problem)],
        skipped=[item for item in items if isinstance(item, Skipped)],
        pending=sum(isinstance(item, TraceRecord) for item in items) - len(measured),
    )
