"""Runs whose recordings do not say how they ended, made by hand."""

import json
from dataclasses import replace
from typing import Any

from kpinspector.app.document import Document, Rules
from kpinspector.runs.read import Asked, RunRecord, read_bytes, run_record
from kpinspector.runs.rules import NO_OUTCOME, RunOutcome
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.measurement import Measurement, Novelty, facts_of
from kpinspector.scoring.novelty.sequence import Measured, Place
from kpinspector.trace.schema import passes
from tests.answers import novelty
from tests.known import of


def _line(kind: str, content: object, answer: str = "") -> dict[str, Any]:
    message = {"role": kind, "content": content, "id": answer}
    named = {"sessionId": "5e55", "uuid": "u", "timestamp": "2026-05-04T03:02:01.5Z"}
    return {"type": kind, "message": message, "version": "2.1.0", **named}


def session(failures: int = 1, calls: int = 2) -> bytes:
    """A session of Claude Code: so many calls of other tools, and failures that it recovers from.

    It has a thought, a call, a result, and no word on how it ended.
    """
    lines = [_line("user", "Find out why the greenhouse is cold.")]
    lines.append(_line("assistant", [{"type": "text", "text": "Read the log."}], "first"))
    for number in range(calls):
        tool = {"type": "tool_use", "id": f"t{number}", "name": f"Tool{number}", "input": {}}
        found = {"type": "tool_result", "tool_use_id": f"t{number}", "content": f"line {number}"}
        lines.append(_line("assistant", [tool], f"call {number}"))
        lines.append(_line("user", [{**found, "is_error": number < failures}]))
    lines.append(_line("assistant", [{"type": "text", "text": "The heater is off."}], "last"))
    return "".join(f"{json.dumps(one)}\n" for one in lines).encode()


def record(failures: int = 1, calls: int = 2, stated: RunOutcome = NO_OUTCOME) -> RunRecord:
    """Such a run, read; of its outcome is known what is stated."""
    contents = read_bytes(session(failures, calls), "/runs/5e55.jsonl", asked=Asked(outcome=stated))
    (found,) = contents.traces
    return of(RunRecord, found)


def without_content(run: RunRecord) -> RunRecord:
    """The same, had its texts been left out."""
    return run_record(
        run.source, replace(run.imported, run=replace(run.imported.run, content_recorded=False))
    )


def measured(run: RunRecord, near: Novelty | None = None) -> Measured:
    """A run with its novelty, by default 0.45; assumed where its content is not recorded."""
    if not run.imported.run.content_recorded:
        near = novelty(None, Basis.NOT_RECORDED)
    facts = facts_of(run.trace, schema_valid=passes(run.issues))
    place = Place(run.trace.id or "", variant=False, flags=())
    return Measured(run, place, Measurement(facts, near or novelty()))


def run_document(
    run: RunRecord | None = None, rules: Rules | None = None, near: Novelty | None = None
) -> Document:
    """A row whose score is a range."""
    one = run or record()
    return Document(7, one, rules or Rules(threshold=0.7), measured(one, near))
