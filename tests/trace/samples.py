"""A trace to start from, the forms that files of traces take, and what is read of them."""

import gzip
import json
from collections.abc import Callable
from time import process_time
from typing import Any

from kpinspector.trace.read import read_bytes
from kpinspector.trace.schema import CONTEXT

SHOWN = "run.json"


def trace(number=1, **changes):
    """A trace that the registry takes, with other members at its top level."""
    return {
        "@context": CONTEXT,
        "@type": "ReasoningTrace",
        "id": f"kp:trace:{number}",
        "metadata": {
            "created_at": "2026-01-31T12:00:00Z",
            "task_domain": "medical",
            "success": True,
            "quality_score": 0.5,
            "visibility": "network",
            "privacy_level": "aggregated",
        },
        "task": {"objective": f"objective {number}"},
        "steps": [
            {"step_id": 0, "type": "thought", "content": "one"},
            {"step_id": 1, "type": "tool_call", "tool": {"name": "lab"}, "content": "two"},
        ],
        "outcome": {"result_summary": "done", "confidence": 0.9},
    } | changes


def lines(traces, end="\n"):
    return "".join(json.dumps(one) + end for one in traces)


FORMS: dict[str, Callable[[Any], str]] = {
    "lines": lines,
    "lines with CRLF and blank lines": lambda traces: "\r\n" + lines(traces, "\r\n  \r\n"),
    "lines without the last end": lambda traces: lines(traces).rstrip(),
    "lines, not ASCII": lambda traces: "\n".join(
        json.dumps(one, ensure_ascii=False) for one in traces
    ),
    "list": json.dumps,
    "list over lines": lambda traces: json.dumps(traces, indent=1),
    "reply": lambda traces: json.dumps({"data": traces, "next": None}),
    "reply over lines": lambda traces: json.dumps({"total": 9, "data": traces}, indent="\t"),
    "list of replies": lambda traces: json.dumps(
        [{"data": one, "quality_score": 0.5} for one in traces]
    ),
    "lines of replies": lambda traces: lines({"data": {"unit": one}} for one in traces),
    "list of lists in replies": lambda traces: json.dumps([{"data": [one]} for one in traces]),
    "reply of wrapped units": lambda traces: json.dumps(
        {"data": [{"unit": one, "quality_score": 1} for one in traces]}
    ),
    "lines of replies of lists": lambda traces: lines([{"data": traces[:1]}, {"data": traces[1:]}]),
}
"""Texts with several traces, by name of the form."""

SINGLE: dict[str, Callable[[Any], str]] = {
    "one line": json.dumps,
    "over lines": lambda one: "\n" + json.dumps(one, indent=4) + "\n\n",
    "reply": lambda one: json.dumps({"data": one, "quality_score": 0.5}),
    "wrapped reply": lambda one: json.dumps({"data": {"unit": one}}, indent=1),
    "wrapped": lambda one: json.dumps({"unit": one, "signature": "x"}),
}
"""Texts with one trace that is not counted."""

CODINGS: dict[str, Callable[[str], bytes]] = {
    "UTF-8": str.encode,
    "UTF-8 with mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16 LE": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "gzip of UTF-16": lambda text: gzip.compress(text.encode("utf-16")),
    "gzip in members": lambda text: b"".join(
        gzip.compress(text.encode()[at : at + 97]) for at in range(0, len(text.encode()), 97)
    ),
}
"""Bytes of a text, by name of the coding."""


def takes_linear_time(work, piece, start="", length=40_000):
    """Whether eight times as many of a piece, behind a start, take not three times as long each."""
    piece *= length // len(piece)

    def seconds(text):
        before = process_time()
        work(text)
        return process_time() - before

    one, eight = (min(seconds(start + piece * n) for _ in range(3)) for n in (1, 8))
    return eight < 24 * max(one, 0.001)


def read_it(text):
    data = text if isinstance(text, bytes) else text.encode()
    return read_bytes(data, SHOWN)


def raws(contents):
    return [record.trace.raw for record in contents.traces]


def records(contents):
    return [record.source.record for record in contents.traces]


def only_problem(contents):
    (problem,) = contents.problems
    return problem
