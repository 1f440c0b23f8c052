"""The report as a list for spreadsheets: one row a trace, problem and skipped unit.

It begins with a byte order mark, as the most common spreadsheet does not recognise UTF-8 without
one; programs read the JSON report. Numbers are unrounded and stay numbers. A text that a
spreadsheet would run as a formula gets an apostrophe in front of it, also where the sign is
full-width or follows invisible characters, and where a spreadsheet divides cells at semicolons.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from math import isfinite
from unicodedata import category, normalize

from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.report.report import Report
from kpinspector.scoring.report.written import Members
from kpinspector.trace.clear import masked_in
from kpinspector.trace.javascript import number_text
from kpinspector.trace.printable import on_one_line
from kpinspector.trace.records import Problem, Skipped
from kpinspector.trace.schema import Severity
from kpinspector.words.figures import shown_count
from kpinspector.words.say import in_words, say

COLUMNS = (
    *("verdict", "score", "threshold", "margin"),
    *("complexity", "novelty", "tool_diversity", "outcome_confidence"),
    *("profile", "overrides", "schema", "flags"),
    *("max_similarity", "nearest", "compared_with", "steps"),
    *("objective", "task_domain", "id", "path", "record", "line"),
    *("recorded_quality_score", "message", "score_low", "score_high", "format", "cause"),
    *("reach", "reach_similarity", "reach_confidence", "at_best"),
)
_SCHEMA = {True: "passed", False: "failed", None: "undecided"}
_SIGNS = frozenset("=+-@\N{MINUS SIGN}")
_UNSEEN = frozenset(("Cc", "Cf", "Zs", "Zl", "Zp", "Mn", "Me"))
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that look like spaces

Value = str | int | float | None


def report_csv(report: Report, order: Iterable[type] = ()) -> bytes:
    """The list as UTF-8 with a byte order mark; commas, quotes and line ends follow RFC 4180.

    ``order``: the types of the first rows, in order; the other rows follow type by type.
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, restval="", quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    for row in _rows(report, order):
        writer.writerow({name: _cell(name, value) for name, value in row.items()})
    return text.getvalue().encode("utf-8-sig")


def harmless(text: str) -> str:
    """A text on one line, with an apostrophe wherever a spreadsheet would begin a formula."""
    return ";".join(f"'{one}" if _runs(one) else one for one in on_one_line(text).split(";"))


def _runs(cell: str) -> bool:
    """Whether the first visible character begins a formula, in any of its forms."""
    every = (one for char in cell for one in normalize("NFKC", char) if one not in _BLANK)
    return next((one for one in every if category(one) not in _UNSEEN), "") in _SIGNS


def _cell(name: str, value: Value) -> Value:
    """The value of a cell: texts are masked, except paths of files."""
    if value is None:
        return ""
    if isinstance(value, float) and not isfinite(value):
        value = number_text(value)
    if not isinstance(value, str):
        return value
    return harmless(value if name == "path" else masked_in(value))


def _rows(report: Report, order: Iterable[type]) -> Iterator[dict[str, Value]]:
    def row(one: Problem | Skipped, verdict: str, why: str, **more: Value) -> dict[str, Value]:
        place: dict[str, Value] = {"path": one.path, "record": one.record}
        return {"verdict": verdict, "message": in_words(why)} | place | more

    traces = map(_trace, report.traces)
    problems = (row(one, one.kind, one.message, line=one.line) for one in report.problems)
    skipped = (row(one, "skipped", one.reason, id=one.id) for one in report.skipped)
    rows = {Measured: traces, Problem: problems, Skipped: skipped}
    for kind in order:
        yield next(rows[kind])
    yield from traces
    yield from problems
    if report.more_problems:
        message = say("and {count} more like these", count=shown_count(report.more_problems))
        yield {"verdict": "more_problems", "message": message}
    yield from skipped


def _trace(trace: Members) -> dict[str, Value]:
    dimensions, possible = trace["dimensions"], trace["score_range"]
    novelty, source = dimensions["novelty"], trace["source"]
    errors = (issue.path for issue in trace["issues"] if issue.severity is Severity.ERROR)
    reach, end, is_known = trace["reach"], trace["reach"]["low"], trace["reach"]["high"] is None
    return {
        **{name: value for name, value in trace.items() if name in COLUMNS},
        **{name: one["value"] for name, one in dimensions.items()},
        "overrides": ", ".join(one.rule for one in trace["overrides"] if one.applied),
        "schema": _SCHEMA[trace["gates"]["schema"]],
        "flags": ", ".join(trace["flags"]),
        "max_similarity": novelty["max_similarity"],
        "nearest": novelty["neighbours"][0].key if novelty["neighbours"] else None,
        "compared_with": novelty["compared_with"],
        "path": source.path,
        "record": source.record,
        "line": source.line,
        "message": ", ".join(path or say("the record") for path in errors),
        "score_low": possible and possible["low"]["score"],
        "score_high": possible and possible["high"]["score"],
        "format": source.format,
        "reach": reach["kind"],
        "reach_similarity": end.similarity if is_known else None,
        "reach_confidence": end.confidence if is_known else None,
        "at_best": end.at_best if is_known else None,
    }
