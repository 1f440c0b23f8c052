"""Any JSON object gives a trace, or a located problem; nothing else, and nothing is raised."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.trace.read import read_bytes
from kpinspector.trace.records import ProblemKind, UnscoredRecord
from kpinspector.trace.schema import passes
from tests.known import present
from tests.trace.samples import trace

_texts = st.text(st.sampled_from("a1 \ud800\udfff\x00é😀.-e"), max_size=5)
_names = st.sampled_from(
    ("objective", "content", "type", "tool", "name", "confidence", "success", "task_domain")
)
_keys = _names | st.sampled_from(("toString", "__proto__", "valueOf", "k\ud800"))
_scalars = (
    st.none()
    | st.booleans()
    | st.sampled_from((0, -0.0, 1e308, 2**53 + 1, 10**30, 10**400, "0.5", "thought", "code"))
    | st.floats(allow_nan=False)
    | _texts
)
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3),
    max_leaves=6,
)
_steps = st.lists(_values | st.dictionaries(_names, _values, max_size=4), max_size=4)
_PLACES = ("id", "metadata", "task", "steps", "outcome", "@context")


def written(value):
    """JSON with infinities as JavaScript would have to read them."""
    return json.dumps(value).replace("Infinity", "1e999")


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(_PLACES), _values, max_size=4), st.none() | _steps)
def test_any_object_gives_a_trace_or_a_located_problem(changes, steps):
    raw = trace() | changes | ({} if steps is None else {"steps": steps})
    contents = read_bytes(written(raw).encode(), "any.json")
    assert len(contents.traces) + len(contents.problems) == 1
    assert not contents.skipped and not contents.reports
    for record in contents.traces:
        record.trace.text.encode()
        json.dumps([[issue.path, issue.message] for issue in record.issues]).encode()
        " ".join(issue.message for issue in record.issues).encode()
        odd = {key for key in changes if key in ("metadata", "task", "outcome")}
        assert (
            not odd or all(isinstance(raw[key], dict) for key in odd) or not passes(record.issues)
        )
    for problem in contents.problems:
        assert problem.kind is ProblemKind.NOT_SCORABLE
        assert problem.line == 1 and present(problem.column) >= 1
        assert problem.json_path and problem.expected and problem.found
        problem.message.encode()
        assert isinstance(problem, UnscoredRecord) == (
            problem.json_path.partition(".")[0] in {"metadata", "outcome"}
        )
    assert contents.texts in (contents.traces, contents.problems, ())
