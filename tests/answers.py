"""Documents and assessments made by hand, for tests of what is said about them."""

from dataclasses import replace
from typing import Any

from kpinspector.app.document import Document, Rules
from kpinspector.scoring.findings import Basis, Neighbour
from kpinspector.scoring.formula.assess import Assessment, assess
from kpinspector.scoring.formula.measurement import Facts, Measurement, Novelty
from kpinspector.scoring.formula.profiles import Profile, profile_for
from kpinspector.scoring.novelty.sequence import Flag, Measured, Place
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.records import Problem, ProblemKind, Skipped, Source, TraceRecord
from kpinspector.trace.schema import Issue

MEDICAL = profile_for("medical")


def facts(**changes: Any) -> Facts:
    """Those of the worked example: 12 steps, 3 types, 2 tools, confidence 0.97."""
    usual = Facts(
        steps=12,
        unique_types=3,
        error_recoveries=0,
        tool_steps=3,
        unique_tools=2,
        single_thought=False,
        confidence=0.97,
        success=True,
        task_domain="medical",
        schema_valid=True,
    )
    return replace(usual, **changes)


def neighbour(
    path: str = "/runs/visit-08.json", similarity: float = 0.55, **rest: Any
) -> Neighbour:
    return Neighbour(
        key="kp:trace:visit-08",
        trace_id="kp:trace:visit-08",
        objective=rest.get("objective", "Review the potassium trend"),
        source_path=path,
        similarity=similarity,
    )


def novelty(
    similarity: float | None = 0.55, basis: Basis = Basis.MEASURED, **changes: Any
) -> Novelty:
    """Measured against 412 by default; without a similarity on the basis given."""
    unclamped = 0.5 if similarity is None else 1.0 - similarity
    measured = Novelty(
        value=min(1.0, unclamped),
        unclamped=unclamped,
        basis=basis,
        remembered=False,
        max_similarity=similarity,
        neighbours=() if similarity is None else (neighbour(similarity=similarity),),
        compared_with=0 if similarity is None else 412,
        found_at=1_767_225_600_000,
        reach=None,
    )
    return replace(measured, **changes)


def measurement(measured_novelty: Novelty | None = None, **changes: Any) -> Measurement:
    return Measurement(facts(**changes), measured_novelty or novelty())


def assessment(
    of: Measurement | None = None, profile: Profile = MEDICAL, threshold: float = 0.75
) -> Assessment:
    return assess(of or measurement(), profile, threshold)


def raw_trace(domain: str = "medical") -> dict[str, Any]:
    return {
        "id": "kp:trace:visit-03",
        "metadata": {"task_domain": domain, "success": True},
        "task": {"objective": "Review the potassium trend of a patient"},
        "steps": [
            {"step_id": 0, "type": "thought", "content": "think"},
            {"step_id": 1, "type": "tool_call", "tool": {"name": "ehr.read"}},
            {"step_id": 2, "type": "observation", "content": "K 5.1"},
        ],
        "outcome": {"result_summary": "done", "confidence": 0.97},
    }


def record(issues: tuple[Issue, ...] = ()) -> TraceRecord:
    return TraceRecord(Source("/runs/visit-03.json", None, 1), trace_from_json(raw_trace()), issues)


def document(
    of: Measurement | None = None,
    *,
    issues: tuple[Issue, ...] = (),
    flags: tuple[Flag, ...] = (),
    rules: Rules | None = None,
) -> Document:
    """A scored row."""
    place = Place("kp:trace:visit-03", variant=False, flags=flags)
    one = record(issues)
    measured = Measured(one, place, of or measurement())
    return Document(1, one, rules or Rules(), measured)


def pending_document(known: Facts | None = None, issues: tuple[Issue, ...] = ()) -> Document:
    """A row whose novelty is unknown."""
    waiting = Document(2, record(issues), Rules())
    waiting.__dict__["facts"] = known or facts()
    return waiting


def problem_document(kind: ProblemKind = ProblemKind.UNREADABLE, **changes: Any) -> Document:
    problem = Problem(
        path="/runs/broken.json",
        record=None,
        kind=kind,
        line=61,
        column=7,
        json_path=None,
        expected='"," or "}"',
        found="a quotation mark",
        message='Not JSON: expected "," or "}", found a quotation mark',
    )
    return Document(3, replace(problem, **changes), Rules())


def skipped_document() -> Document:
    skipped = Skipped("/runs/sop.json", 2, "ExpertSOP", "kp:sop:1", "an ExpertSOP is not scored")
    return Document(4, skipped, Rules())
