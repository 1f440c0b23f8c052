"""Hypothesis strategies: traces, near-traces that must fail, hostile text, damaged bytes.

To make a strategy takes longer than to draw from it, so each is made once.
"""

import copy
from datetime import date, timedelta
from functools import cache

from hypothesis import strategies as st

from kpinspector.trace.schema import CONTEXT

STEP_TYPES = ("thought", "tool_call", "observation", "error_recovery")

_CONTROL = "\x00\x01\t\n\r\x1b\x7f\x85"
_FORMAT = "\u200b\u200d\u200e\u202e\u2066\u2028\u2029\ufeff\u00ad"
_COMBINING = "\u0301\u0308\u20dd\u0e49\ufe0f"
_ASTRAL = "😀🇨🇭\U0001d54f\U00020000\U0010ffff"
_ODD = "ΣςİıßẞÅå中文確\ufffd\ufdd0'\"\\{}[]<b>&"


@cache
def hostile_texts(max_size=40):
    """Unicode without lone surrogates, rich in what breaks tokenizers, terminals and views."""
    odd = st.sampled_from(_CONTROL + _FORMAT + _COMBINING + _ASTRAL + _ODD)
    ordinary = st.characters(exclude_categories=["Cs"])
    return st.text(st.one_of(odd, ordinary), max_size=max_size)


@cache
def json_values():
    """Any JSON value of moderate size."""
    numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**70), 2**70)
    scalars = st.none() | st.booleans() | numbers | hostile_texts(12)
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(hostile_texts(6), inner, max_size=3)
        ),
        max_leaves=8,
    )


@st.composite
def date_times(draw):
    """All forms of ``created_at`` that the registry takes."""
    day = date(2000, 1, 1) + timedelta(days=draw(st.integers(0, 400 * 365)))
    year = draw(st.sampled_from((day.year, day.year - 2000)))
    clock = draw(st.times())
    seconds = draw(st.sampled_from(("", f":{clock.second:02}", f":{clock.second:02}.123456789")))
    return f"{year:04}-{day.month:02}-{day.day:02}T{clock.hour:02}:{clock.minute:02}{seconds}Z"


def _objects(required, optional):
    """Objects with these members and, sometimes, unknown ones."""
    known = st.fixed_dictionaries(required, optional=optional)
    unknown = st.dictionaries(st.sampled_from(("extra", "@id", "ünknown")), json_values())
    return st.builds(lambda more, main: more | main, st.just({}) | unknown, known)


@cache
def steps():
    """One step that the schema takes."""
    tools = _objects({"name": hostile_texts(8)}, {"mcp_server": hostile_texts(8)})
    return _objects(
        {"step_id": step_ids(), "type": st.sampled_from(STEP_TYPES)},
        {
            "content": hostile_texts(),
            "tool": tools,
            "input": st.dictionaries(hostile_texts(6), json_values(), max_size=2),
            "output_summary": hostile_texts(),
            "latency_ms": st.floats(0, 1e9) | st.integers(0, 10**6),
        },
    )


@cache
def step_ids():
    """Whole numbers from 0, as JSON may write them."""
    whole = st.integers(0, 2**64)
    return whole | whole.map(float) | st.sampled_from((-0.0, 1e21, 5e300))


def _graph_deltas():
    return _objects(
        {
            "entities": st.lists(
                _objects({"name": hostile_texts(8), "type": hostile_texts(8)}, {}), max_size=2
            ),
            "relationships": st.lists(
                _objects({"fact": hostile_texts(8), "valid_from": hostile_texts(8)}, {}), max_size=2
            ),
        },
        {},
    )


@cache
def traces(max_steps=6):
    """Trace objects that the registry's schema takes."""
    text = hostile_texts()
    shares = st.floats(0, 1) | st.sampled_from((0, 1))
    metadata = _objects(
        {
            "created_at": date_times(),
            "task_domain": hostile_texts(8).filter(bool) | st.sampled_from(("code", "finance")),
            "success": st.booleans(),
            "quality_score": shares,
            "visibility": st.sampled_from(("private", "org", "network")),
            "privacy_level": st.sampled_from(("aggregated", "federated", "private")),
        },
        {"agent_id": text, "framework": text, "validated_by": st.lists(text, max_size=2)},
    )
    return _objects(
        {
            "@context": st.just(CONTEXT),
            "@type": st.just("ReasoningTrace"),
            "id": hostile_texts(12).map("kp:trace:".__add__),
            "metadata": metadata,
            "task": _objects(
                {"objective": text.filter(bool)},
                {"input_schema": st.dictionaries(hostile_texts(6), json_values(), max_size=2)},
            ),
            "steps": st.lists(steps(), min_size=1, max_size=max_steps),
            "outcome": _objects({"result_summary": text, "confidence": shares}, {}),
        },
        {"source_skill": text, "knowledge_graph_delta": _graph_deltas()},
    )


WRONG = {
    "@context": ("http://openknowledgepulse.org/schema/v1", None, 1, CONTEXT + "/"),
    "@type": ("Reasoningtrace", None, ["ReasoningTrace"]),
    "id": ("", "kp:trace", "KP:trace:1", None, 7),
    "source_skill": (None, 1, []),
    "metadata": (None, [], "x"),
    "metadata.created_at": (
        "2023-02-29T00:00:00Z",
        "2024-02-30T00:00Z",
        "2024-04-31T00:00Z",
        "1900-02-29T00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:60Z",
        "2024-01-01T00:00:00.Z",
        "2024-01-01T00:00:00z",
        "2024-01-01t00:00:00Z",
        "2024-01-01T00:00:00Z\n",
        "2024-01-01T00:00:00+00:00",
        "2024-01-01 00:00:00Z",
        "02024-01-01T00:00:00Z",
        "2024-1-01T00:00:00Z",
        "\uff12024-01-01T00:00:00Z",
        "2024-00-01T00:00Z",
        "2024-01-00T00:00Z",
        0,
        None,
    ),
    "metadata.agent_id": (None, 1),
    "metadata.framework": (None, {}),
    "metadata.task_domain": ("", None, 1),
    "metadata.success": (None, 0, 1, "true"),
    "metadata.quality_score": (-0.1, 1.1, "0", None, True),
    "metadata.visibility": ("public", "Network", None, ["network"]),
    "metadata.privacy_level": ("open", None, {}),
    "metadata.validated_by": (None, "x", {}),
    "task": (None, [], 0),
    "task.objective": ("", None, 1),
    "task.input_schema": (None, [], "x"),
    "steps": ([], {}, None, "x"),
    "steps.0": (None, [], "x", 1),
    "steps.0.step_id": (-1, 0.5, "0", None, True, -1e-300),
    "steps.0.type": ("Thought", "", None, 1),
    "steps.0.content": (None, 1, []),
    "steps.0.tool": (None, "x", []),
    "steps.0.tool.name": (None, 1),
    "steps.0.tool.mcp_server": (None, True),
    "steps.0.input": (None, [], "x"),
    "steps.0.output_summary": (None, 1),
    "steps.0.latency_ms": (-1, "1", None, False),
    "outcome": (None, []),
    "outcome.result_summary": (None, 1),
    "outcome.confidence": (-0.1, 1.0000001, "1", None, False),
    "knowledge_graph_delta": (None, []),
    "knowledge_graph_delta.entities": (None, {}),
    "knowledge_graph_delta.relationships": (None, "x"),
}
"""Values that the schema refuses, by path; the issue stands at that very path."""

REQUIRED = (
    "@context",
    "@type",
    "id",
    "metadata",
    "metadata.created_at",
    "metadata.task_domain",
    "metadata.success",
    "metadata.quality_score",
    "metadata.visibility",
    "metadata.privacy_level",
    "task",
    "task.objective",
    "steps",
    "steps.0.step_id",
    "steps.0.type",
    "outcome",
    "outcome.result_summary",
    "outcome.confidence",
)


def set_at(trace, path, value):
    """A copy of a trace with another value at a path; what is missing on the way is made."""
    trace = copy.deepcopy(trace)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = trace
    for part in way:
        place = place[part] if isinstance(part, int) else place.setdefault(part, {})
    place[last] = copy.deepcopy(value)
    return trace


def remove_at(trace, path):
    """A copy of a trace without what is at a path."""
    trace = copy.deepcopy(trace)
    *way, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    place = trace
    for part in way:
        place = place[part]
    del place[last]
    return trace


@st.composite
def near_traces(draw):
    """Pairs of a trace object that the schema refuses, and the path at which it does."""
    trace = draw(traces())
    if draw(st.booleans()):
        path = draw(st.sampled_from(REQUIRED))
        return remove_at(trace, path), path
    path = draw(st.sampled_from(sorted(WRONG)))
    return set_at(trace, path, draw(st.sampled_from(WRONG[path]))), path


@st.composite
def damaged(draw, data):
    """Bytes after one to three damages: cut off, overwritten, inserted, taken out."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 8)))
        odd = (
            b"",
            b"\x00",
            b"\xff\xfe",
            b"\xe9",
            b'"',
            b"{",
            b"]",
            b",",
            b"\n",
            b"\\ud800",
            b"1e999",
        )
        data = data[:start] + draw(st.sampled_from(odd)) + data[stop:]
        if draw(st.integers(0, 9)) == 0:
            data = data[:start]
    return data
