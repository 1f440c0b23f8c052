"""A report that fits its checksum and its formula, and contradicts itself all the same."""

import json

import pytest

from kpinspector.scoring.report.replay import Why, replay
from kpinspector.scoring.report.replay_checks import Fit
from kpinspector.scoring.report.report import checksum_of, report_json
from tests.fakes import make_raw
from tests.scoring.replays import read_back
from tests.scoring.test_report import report_of
from tests.strategies import set_at

RAWS = [
    *(make_raw(id=f"kp:trace:{n}", task={"objective": f"Find {n}"}) for n in range(4)),
    make_raw(id="kp:trace:long", task={"objective": "word " * 600}),
    make_raw(id=None),
]
NOVELTY = "dimensions.novelty"


def replayed(**edits):
    values = json.loads(report_json(report_of(*RAWS)))
    for path, value in edits.items():
        values = set_at(values, path, value)
    values["checksum"] = checksum_of(values)
    return replay(read_back(json.dumps(values).encode()))


@pytest.mark.parametrize(
    ("path", "value", "wanted", "fit"),
    [
        ("traces.3.dimensions.novelty.neighbours.1.similarity", 0.99, None, Fit.AT_MOST),
        ("traces.3.dimensions.novelty.neighbours.2.similarity", -1.5, -1.0, Fit.AT_LEAST),
        ("traces.3.dimensions.novelty.neighbours.2.key", "kp:trace:3", None, Fit.EQUAL),
        ("traces.3.dimensions.novelty.neighbours.2.id", "kp:trace:x", "kp:trace:x", Fit.EQUAL),
        ("traces.3.dimensions.novelty.neighbours.2.record", 0, 1, Fit.AT_LEAST),
        ("traces.3.dimensions.novelty.compared_with", 2, 3, Fit.AT_LEAST),
        ("traces.3.dimensions.novelty.compared_with", 4, 3, Fit.EQUAL),
        ("traces.0.dimensions.novelty.compared_with", 3, 0, Fit.EQUAL),
        ("traces.0.dimensions.novelty.basis", "measured", "empty_cache", Fit.EQUAL),
        ("traces.1.dimensions.novelty.basis", "empty_cache", "measured", Fit.EQUAL),
        ("traces.1.dimensions.novelty.tokens", 513, 512, Fit.AT_MOST),
        ("traces.1.dimensions.novelty.tokens", -1, 0, Fit.AT_LEAST),
        ("traces.4.dimensions.novelty.tokens", 511, 512, Fit.AT_LEAST),
        ("traces.1.dimensions.novelty.window_ends_at_step", 1, None, Fit.EQUAL),
        ("traces.4.dimensions.novelty.window_ends_at_step", 3, 2, Fit.AT_MOST),
        ("traces.4.dimensions.novelty.window_ends_at_step", -1, 0, Fit.AT_LEAST),
        ("traces.1.dimensions.novelty.text_sha256", "f", "64 hex digits", Fit.EQUAL),
        ("traces.1.dimensions.novelty.text_sha256", None, None, None),
        ("traces.1.id", "kp:trace:other", None, Fit.EQUAL),
        ("traces.5.key", "text:", None, Fit.EQUAL),
        ("traces.1.dimensions.tool_diversity.factors.tool_steps", 4, None, None),
        ("embedder.state", "missing", "ready", Fit.EQUAL),
        ("embedder.sha256", "0", "64 hex digits", Fit.EQUAL),
        ("pending", -1, 0, Fit.AT_LEAST),
        ("more_problems", -1, 0, Fit.AT_LEAST),
        ("more_problems", 5, 0, Fit.EQUAL),
    ],
)
def test_what_the_others_rule_out_is_found(path, value, wanted, fit):
    found = replayed(**{path: value})
    first = found.first
    assert not found.identical and first.why in {Why.CONTRADICTION, Why.UNEXPLAINED}
    if fit is not None:
        assert first.why is Why.CONTRADICTION and first.fit is fit
        assert first.recorded == value or path.endswith((".id", "tokens", "text_sha256"))
    if wanted is not None:
        assert first.recomputed == wanted


@pytest.mark.parametrize(
    ("name", "value"),
    [("unique_types", 9), ("unique_types", 0), ("error_recoveries", 9), ("error_recoveries", -1)],
)
def test_no_count_is_above_that_of_the_steps(name, value):
    path = f"traces.1.dimensions.complexity.factors.{name}"
    assert not replayed(**{path: value}).identical


def test_flags_follow_from_id_and_key():
    assert replayed(**{"traces.5.flags": []}).first.path == ("traces", 5, "flags")
    assert replayed(**{"traces.1.flags": ["no_id"]}).first.path == ("traces", 1, "flags")
    shared = replayed(**{"traces.1.flags": ["shared_id"]}).first
    assert (shared.path, shared.recomputed) == (("traces", 1, "flags"), "shared_id")


def test_an_untouched_one_contradicts_nothing():
    assert replayed().identical
