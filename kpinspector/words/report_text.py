"""The report as text for a terminal: a table, then what could not be scored and why."""

from collections.abc import Container, Iterator, Sequence

from kpinspector.scoring.report import Report, TraceEntry
from kpinspector.trace.read import Problem, Skipped
from kpinspector.trace.schema import Severity
from kpinspector.words.figures import plain, shown_pair, shown_value
from kpinspector.words.printable import printable

_HEAD = ("verdict", "score", "needs", "C", "N", "D", "O", "profile", "trace", "remarks")
_RIGHT_ALIGNED = range(1, 7)
_MOST_PATHS = 3


def report_table(report: Report) -> str:
    """One line for each trace, problem and skipped unit, and a summary; ends in a line feed."""
    lines: list[str] = []
    if report.traces:
        lines += aligned([_HEAD, *map(_row, report.traces)], _RIGHT_ALIGNED)
    lines += [f"problem   {printable(located(one))}" for one in report.problems]
    if report.more_problems:
        lines.append(f"problem   and {report.more_problems:,} more like these")
    lines += [f"skipped   {printable(_skipped(one))}" for one in report.skipped]
    return "\n".join([*lines, _summary(report)]) + "\n"


def aligned(rows: Sequence[Sequence[str]], right: Container[int]) -> Iterator[str]:
    """Rows of equally many cells as lines, in columns; those in ``right`` end together."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def _row(trace: TraceEntry) -> tuple[str, ...]:
    dimensions = trace.dimensions
    figures = (
        *shown_pair(trace.score, trace.threshold),
        shown_value(dimensions.complexity.value),
        shown_value(dimensions.novelty.value),
        shown_value(dimensions.tool_diversity.value),
        shown_value(dimensions.outcome_confidence.value),
    )
    return (
        trace.verdict,
        *map(plain, figures),
        trace.profile,
        printable(_place(trace.source.path, trace.source.record)),
        ", ".join(_remarks(trace)),
    )


def _remarks(trace: TraceEntry) -> Iterator[str]:
    fired = (override.rule for override in trace.overrides if override.applied)
    yield from (name.replace("_", " ") for name in (*trace.flags, *fired))
    paths = [one.path or "the record" for one in trace.issues if one.severity is Severity.ERROR]
    if paths:
        further = len(paths) - _MOST_PATHS
        ending = f" and {further:,} more" if further > 0 else ""
        yield f"schema: {', '.join(paths[:_MOST_PATHS])}{ending}"


def located(problem: Problem) -> str:
    """Where a problem is, and what it is."""
    place = _place(problem.path, problem.record)
    if problem.line is not None:
        place += f", line {problem.line}, column {problem.column}"
    return f"{place}: {problem.message}"


def _skipped(unit: Skipped) -> str:
    return f"{_place(unit.path, unit.record)}: {unit.reason}"


def _place(path: str, record: int | None) -> str:
    return path if record is None else f"{path}#{record}"


def _summary(report: Report) -> str:
    accepted = sum(trace.verdict == "accepted" for trace in report.traces)
    parts = [
        f"{accepted:,} accepted",
        f"{len(report.traces) - accepted:,} rejected",
        f"{len(report.problems) + report.more_problems:,} with problems",
        f"{len(report.skipped):,} skipped",
    ]
    return ", ".join(parts)
