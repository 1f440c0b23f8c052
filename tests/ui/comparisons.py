"""Comparisons for the tests of what shows them."""

from typing import Any

from kpinspector.app.document import Document
from kpinspector.trace.align import align
from kpinspector.words.writers.comparison import Side, SideBySide
from tests.ui.documents import scored

LEFT: list[dict[str, Any]] = [
    {"type": "thought", "content": "Take 50 mg of ramipril a day"},
    {"type": "tool_call", "tool": {"name": "ehr.read"}, "input": {"patient": "p-1"}},
    {"type": "observation", "content": "K 5.1"},
    {"type": "thought", "content": "Stop it"},
]
RIGHT: list[dict[str, Any]] = [
    {"type": "thought", "content": "Take 25 mg of lisinopril a day"},
    {"type": "tool_call", "tool": {"name": "lab.query"}, "input": {"patient": "p-1"}},
    {"type": "error_recovery", "content": "Ask again"},
    {"type": "observation", "content": "K 5.1"},
]


def side(document: Document, name: str | None = None) -> Side:
    assert document.record is not None
    return Side(
        name or document.name, document.record, document.assessment, assumed=document.assumed
    )


def comparison(
    left: Document | None = None, right: Document | None = None, **rest: Any
) -> SideBySide:
    """By default rows: objective the same, changed, another tool, recovery, the same, only left."""
    left = left or scored(0, "/traces/visit-03.json", steps=LEFT)
    right = right or scored(1, "/traces/visit-08.json", value=0.8, steps=RIGHT)
    one, other = side(left), side(right)
    return SideBySide(one, other, align(one.record.trace, other.record.trace), **rest)
