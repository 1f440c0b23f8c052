"""Documents for the tests of the panels, made from small traces."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kpinspector.app import answers
from kpinspector.app.document import Document, Rules
from kpinspector.runs.read import Imported, run_record
from kpinspector.runs.rules import NO_OUTCOME, RunOutcome, mapped
from kpinspector.runs.run import AgentRun, Block, BlockKind, Chunk, Recording
from kpinspector.runs.run import BlockPlace as RunPlace
from kpinspector.runs.stated import NOTHING_STATED
from kpinspector.scoring.findings import Basis, Neighbour
from kpinspector.scoring.formula.measurement import Measurement, Novelty, Reach, facts_of
from kpinspector.scoring.novelty.sequence import Measured, Place
from kpinspector.scoring.report.report import UsedSettings
from kpinspector.scoring.report.written import FoundReport, json_values
from kpinspector.settings import Mode
from kpinspector.trace.model import ReasoningTrace, trace_from_json
from kpinspector.trace.records import Problem, ProblemKind, Skipped, Source, TraceRecord
from kpinspector.trace.schema import Issue

STEPS: list[Any] = [
    {"type": "thought", "content": "Read the chart."},
    {
        "type": "tool_call",
        "tool": {"name": "ehr.read"},
        "input": {"patient": "p-1", "hours": 72},
        "latency_ms": 310,
    },
    {"type": "observation", "content": "K 5.1"},
    {"type": "error_recovery", "content": "Ask again.", "tool": {"name": "lab.query"}},
]


def trace(
    steps: list[Any] | None = None,
    *,
    objective: str = "Review the potassium trend",
    trace_id: str = "kp:trace:1",
    domain: str = "medical",
    confidence: float = 0.97,
) -> ReasoningTrace:
    """A trace that can be scored."""
    return trace_from_json(
        {
            "id": trace_id,
            "metadata": {
                "task_domain": domain,
                "success": True,
                "visibility": "network",
                "privacy_level": "aggregated",
            },
            "task": {"objective": objective},
            "steps": STEPS if steps is None else steps,
            "outcome": {"result_summary": "", "confidence": confidence},
        }
    )


def pending(
    number: int,
    path: str = "/traces/visit-03.json",
    *,
    record: int | None = None,
    rules: Rules = Rules(),  # noqa: B008
    issues: tuple[Issue, ...] = (),
    **parts: Any,
) -> Document:
    """A row whose novelty is not known yet."""
    item = TraceRecord(Source(path, record, 1), trace(**parts), issues)
    return Document(number, item, rules)


def recording(  # noqa: PLR0913 - what differs between recordings
    number: int,
    path: str = "/runs/0b1c2d3e-4f50-4617-8a9b-0c1d2e3f4051.jsonl",
    *,
    name: str = "",
    form: str = "claude-code",
    outcome: RunOutcome = NO_OUTCOME,
    record: int | None = None,
    prompt: str = "Mend it.",
) -> Document:
    """A row of a run of another agent; how it ended is not recorded unless it is given."""
    place = RunPlace(Chunk(1, 0, 10))
    run = AgentRun(
        blocks=(
            *([Block(kind=BlockKind.PROMPT, place=place, text=prompt)] if prompt else []),
            Block(kind=BlockKind.CALL, place=place, tool="Read", input={}, call_id="1"),
            Block(kind=BlockKind.RESULT, place=place, text="It was off by one.", call_id="1"),
            Block(kind=BlockKind.TEXT, place=place, text="Done."),
        ),
        name=name,
        confidence=outcome.confidence,
        success=outcome.success,
    )
    recording = Recording(runs=(), format=form, version="1.0", total=2)
    imported = Imported(recording, run, mapped(form, run, path), NOTHING_STATED)
    return Document(number, run_record(Source(path, record, 1), imported), Rules())


def novelty(value: float, *, assumed: bool = False, reach: Reach | None = None) -> Novelty:
    """A novelty that was measured, or assumed for want of a model."""
    return Novelty(
        value=value,
        unclamped=value,
        basis=Basis.NO_EMBEDDER if assumed else Basis.MEASURED,
        remembered=False,
        max_similarity=None if assumed else 1.0 - value,
        neighbours=(),
        compared_with=0 if assumed else 1,
        found_at=None,
        reach=reach,
    )


def scored(
    number: int,
    path: str = "/traces/visit-03.json",
    *,
    value: float = 1.0 - 0.55,
    assumed: bool = False,
    reach: Reach | None = None,
    **parts: Any,
) -> Document:
    """A row with a score."""
    return score(pending(number, path, **parts), value, assumed=assumed, reach=reach)


def score(
    document: Document, value: float, *, assumed: bool = False, reach: Reach | None = None
) -> Document:
    """The same row once its novelty is known."""
    record = document.record
    assert record is not None
    measurement = Measurement(
        facts_of(record.trace, schema_valid=not record.issues),
        novelty(value, assumed=assumed, reach=reach),
    )
    measured = Measured(record, Place(record.trace.id or "", variant=False, flags=()), measurement)
    return Document(document.number, record, document.rules, measured)


def with_neighbours(document: Document, neighbours: Sequence[Neighbour]) -> Document:
    """The same row with what it was compared with."""
    assert document.measured is not None
    measurement = document.measured.measurement
    novelty = replace(measurement.novelty, neighbours=tuple(neighbours))
    measured = replace(document.measured, measurement=replace(measurement, novelty=novelty))
    return replace(document, measured=measured)


def problem(
    number: int,
    path: str = "/traces/broken.json",
    kind: ProblemKind = ProblemKind.UNREADABLE,
    **parts: Any,
) -> Document:
    """A row that cannot be scored."""
    fields: dict[str, Any] = {
        "record": None,
        "line": 61,
        "column": 7,
        "json_path": None,
        "expected": 'a comma or "}"',
        "found": "a quotation mark",
        "message": 'expected a comma or "}", found a quotation mark',
    }
    return Document(number, Problem(path=path, kind=kind, **(fields | parts)), Rules())


def skipped(number: int, path: str = "/traces/units.jsonl") -> Document:
    """A row that was passed over."""
    unit = Skipped(path, record=2, type="ExpertSOP", id="kp:sop:1", reason="no reasoning trace")
    return Document(number, unit, Rules())


def report(number: int, *rows: Document, path: str = "/traces/old.json") -> Document:
    """A row of a report on other rows, as it would be read from its file."""
    used = UsedSettings(threshold=0.75, max_elements=1000, ttl_ms=None, mode=Mode.REMEMBER)
    made = answers.report_of(rows, answers.ReportBasis(used, "f" * 64, None))
    return Document(
        number, FoundReport(Source(path, None, 1), json_values(made)), Rules()
    ).prepared()
