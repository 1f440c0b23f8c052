"""Bodies exactly as the SDK posts them."""

import json
from math import nan
from pathlib import Path

from kpinspector.sharing.posting import NotPosted, captured
from kpinspector.trace.javascript import DECODER
from tests.sharing.bodies import doubled

DATA = Path(__file__).parents[1] / "data"


def lines(name):
    text = (DATA / name).read_bytes().decode("utf-8", "surrogatepass")
    return [DECODER.decode(line) for line in text.split("\n") if line]


PAIRS = list(zip(lines("sharing_traces.jsonl"), lines("sharing_expected.jsonl"), strict=True))


def test_the_goldens_at_threshold_0():
    kept = 0
    for raw, expected in PAIRS:
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
            metadata = posting.value["metadata"]
            assert not isinstance(metadata, dict) or list(metadata) == list(body["metadata"])
    assert kept == 35
