"""The report as text for a terminal: a table, then what could not be scored and why."""

from collections.abc import Iterator, Sequence

from kpinspector.scoring.report import Report, TraceEntry
from kpinspector.trace.read import Problem, Skipped
from kpinspector.trace.schema import Severity, count_issues
from kpinspector.words.columns import aligned, display_width, fitting_cut, wrapped
from kpinspector.words.figures import shown_pair, shown_value
from kpinspector.words.printable import printable

_HEAD = ("verdict", "score", "needs", "C", "N", "D", "O", "profile", "trace", "remarks")
_RIGHT_ALIGNED = range(1, 7)
_NAMES = range(7, 9)
_PATHS = range(8, 9)
_BELOW = " " * 10
_MOST_PATHS = 3


def report_table(report: Report, width: int | None = None) -> str:
    """One line for each trace, problem and skipped unit, and a summary; ends in a line feed.

    Where the table is wider than ``width``, names are cut and remarks stand below their row.
    """
    lines = [*_table([_HEAD, *map(_row, report.traces)], width)] if report.traces else []
    lines += [f"problem   {printable(located(one))}" for one in report.problems]
    if report.more_problems:
        lines.append(f"problem   and {report.more_problems:,} more like these")
    lines += [f"skipped   {printable(_skipped(one))}" for one in report.skipped]
    return "\n".join([*lines, _summary(report)]) + "\n"


def _table(rows: Sequence[Sequence[str]], width: int | None) -> Iterator[str]:
    lines = [*aligned(rows, _RIGHT_ALIGNED)]
    if width is None or max(map(display_width, lines)) <= width:
        yield from lines
        return
    remarks = ["", *(row[-1] for row in rows[1:])]
    names = fitting_cut([row[:-1] for row in rows], width, _NAMES, _PATHS)
    for line, remark in zip(aligned(names, _RIGHT_ALIGNED), remarks, strict=True):
        yield line
        if remark:
            yield from (f"{_BELOW}{one}" for one in wrapped(remark, width - len(_BELOW)))


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
        *figures,
        trace.profile,
        printable(_place(trace.source.path, trace.source.record)),
        ", ".join(_remarks(trace)),
    )


def _remarks(trace: TraceEntry) -> Iterator[str]:
    fired = (override.rule for override in trace.overrides if override.applied)
    yield from (name.replace("_", " ") for name in (*trace.flags, *fired))
    errors = [one for one in trace.issues if one.severity is Severity.ERROR]
    if errors:
        paths = [one.path or "the record" for one in errors[:_MOST_PATHS]]
        further = count_issues(errors) - len(paths)
        ending = f" and {further:,} more" if further > 0 else ""
        yield f"schema: {', '.join(paths)}{ending}"


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
