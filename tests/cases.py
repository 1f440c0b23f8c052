"""Traces of any steps with any rules, as hypothesis draws them."""

from hypothesis import strategies as st

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import assess
from kpinspector.scoring.formula.measurement import Measurement, Novelty, facts_of
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.scoring.whatif import scenario as whatif
from kpinspector.trace.model import trace_from_json
from tests.fakes import make_raw


def novelty(similarity):
    unclamped = 0.5 if similarity is None else 1 - similarity
    return Novelty(
        value=min(1.0, max(0.0, unclamped)),
        unclamped=unclamped,
        basis=Basis.EMPTY_CACHE if similarity is None else Basis.MEASURED,
        remembered=False,
        max_similarity=similarity,
        neighbours=(),
        compared_with=0 if similarity is None else 1,
        found_at=0,
        reach=None,
    )


kinds = st.sampled_from(["thought", "tool_call", "observation", "error_recovery", "odd"])
steps = st.builds(
    lambda kind, tool: {"type": kind} | ({"tool": {"name": tool}} if tool else {}),
    kinds,
    st.sampled_from(["", "", "a", "b", "another tool 0"]),
)
cases = st.tuples(
    st.lists(steps, max_size=12),
    st.floats(0, 1),
    st.booleans(),
    st.one_of(st.none(), st.floats(-1, 1)),
    st.sampled_from(PROFILES),
    st.floats(0, 1),
)


def build(case):
    step_list, confidence, success, similarity, profile, threshold = case
    raw = make_raw(steps=step_list, outcome={"result_summary": "", "confidence": confidence})
    raw["metadata"]["success"] = success
    trace = trace_from_json(raw)
    measurement = Measurement(facts_of(trace, schema_valid=True), novelty(similarity))
    return trace, measurement, profile, threshold


def what_if(trace, measurement, scenario, profile, threshold):
    return whatif.what_if(assess(measurement, profile, threshold), trace, measurement, scenario)
