"""Bodies exactly as the SDK posts them."""

import json
from math import inf, isnan, nan

import pytest

from kpinspector.sharing.posting import NotPosted, captured, number_of_unscored
from kpinspector.trace.model import read_trace
from tests.fakes import make_raw
from tests.known import doubled, golden_lines


def test_the_goldens_at_threshold_0():
    kept = 0
    traces, answers = golden_lines("sharing_traces.jsonl"), golden_lines("sharing_expected.jsonl")
    for raw, expected in zip(traces, answers, strict=True):
        body = expected["posted_body"]
        error = expected.get("error", "")
        score = None if "Cannot read" in error else 0.5
        if body is not None:
            score = body["metadata"]["quality_score"] if isinstance(body["metadata"], dict) else 0.5
            score = nan if score is None else score
        posting = captured(raw, score, 0.0)
        kept += sum(field.kept for field in posting.fields)
        if body is None:
            assert posting.body is None
            assert posting.reason is (
                NotPosted.NO_SCORE if score is None else NotPosted.NOT_CLEANABLE
            )
        else:
            assert doubled(json.loads(str(posting.body))) == doubled(body), raw["id"]
            metadata = json.loads(str(posting.body))["metadata"]
            assert not isinstance(metadata, dict) or list(metadata) == list(body["metadata"])
    assert kept == 35


def test_metadata_that_is_a_list_is_posted_without_a_score():
    posting = captured({"metadata": [1], "steps": []}, 0.9, 0.75)
    assert posting.body == '{"metadata":[1],"steps":[]}'


@pytest.mark.parametrize("metadata", ["text", 3, True, False])
def test_metadata_that_takes_no_member_is_not_posted(metadata):
    posting = captured({"metadata": metadata, "steps": []}, 0.9, 0.75)
    assert (posting.body, posting.reason) == (None, NotPosted.NO_PLACE_FOR_SCORE)


@pytest.mark.parametrize(
    ("score", "posted"), [(0.75, True), (0.7499, False), (inf, True), (-inf, False), (nan, True)]
)
def test_the_threshold_holds_back_only_what_is_below_it(score, posted):
    assert (captured({"metadata": {}, "steps": []}, score, 0.75).body is not None) is posted


OUTCOMES = ({"confidence": "high"}, {"confidence": 1e400})


@pytest.mark.parametrize("domain", ["constructor", "__proto__", "valueOf"])
@pytest.mark.parametrize("outcome", OUTCOMES, ids=str)
def test_a_domain_that_every_object_has_gives_no_number(domain, outcome):
    raw = make_raw(outcome=outcome)
    raw["metadata"]["task_domain"] = domain
    trace, failure = read_trace(raw)
    assert failure is not None
    found = number_of_unscored(trace)
    assert found is not None and isnan(found)
