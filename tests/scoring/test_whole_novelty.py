"""Whole texts against whole texts, of the traces at hand and of no others."""

import json

import pytest

from kpinspector.scoring.memory.memory import Memory
from kpinspector.scoring.model.bundled_model import WINDOW_TOKENS
from kpinspector.scoring.novelty.sequence import measure_batch
from kpinspector.scoring.novelty.whole_text import WholeTexts
from kpinspector.trace.read import read_bytes
from tests.fakes import FakeEmbedder, make_raw

LONG = " ".join(f"w{number}" for number in range(3 * WINDOW_TOKENS))
OTHER_END = LONG.rpartition(" ")[0] + " another"


def trace(name, content, **changes):
    steps = [{"step_id": 0, "type": "thought", "content": content}]
    return make_raw(id=name, steps=steps, **changes)


@pytest.fixture
def at_hand():
    """Measured traces of these, in one memory that stays open; and the embedder."""
    with Memory.fresh() as memory:
        embedder = FakeEmbedder()

        def measured(*raws):
            data = "\n".join(map(json.dumps, raws)).encode()
            records = read_bytes(data, "runs.jsonl").traces
            return list(measure_batch(records, embedder, memory)), lambda: (embedder, memory)

        yield measured


def last(found):
    *_, one = found
    return one


def test_a_copy_is_not_novel_and_another_end_is(at_hand):
    known, tools = at_hand(trace("a", LONG), trace("copy", LONG), trace("b", OTHER_END))
    for own, other in ((0, "copy"), (1, "a")):
        text, finding = last(WholeTexts().compare(known[own], known, tools))
        assert finding.max_similarity == pytest.approx(1, abs=1e-6)
        assert finding.nearest.trace.id == other and finding.nearest.source.record is not None
        assert finding.compared_with == text.others == text.others_done == 2
    _, finding = last(WholeTexts().compare(known[2], known, tools))
    assert 0.3 < finding.max_similarity < 0.99


def test_where_nothing_is_at_hand_there_is_no_number(at_hand):
    known, tools = at_hand(trace("a", LONG), trace("b", LONG))
    for alone in ([known[0]], []):
        text, finding = last(WholeTexts().compare(known[0], alone, tools))
        assert (finding.max_similarity, finding.nearest, finding.compared_with) == (None, None, 0)
        assert text.counted and text.vector is not None


def test_a_trace_that_is_at_hand_twice_counts_once(at_hand):
    known, tools = at_hand(trace("a", LONG), trace("b", "x"), trace("b", "x"), trace("a", LONG))
    _, finding = last(WholeTexts().compare(known[0], known, tools))
    assert finding.compared_with == 1 and finding.nearest is known[1].record


def test_each_text_is_embedded_once_and_first_windows_not_at_all(at_hand):
    known, tools = at_hand(trace("a", LONG), trace("b", OTHER_END), trace("c", "short"))
    embedder = tools()[0]
    scored, texts = embedder.embedded, WholeTexts()
    parts = list(texts.compare(known[0], known, tools))
    windows = parts[-1][0].windows
    assert windows == 4 and embedder.embedded == scored + 2 * (windows - 1)
    assert [finding for _, finding in parts[:-1]] == [None] * (len(parts) - 1)
    before = embedder.embedded
    last(texts.compare(known[2], known, tools))
    assert embedder.embedded == before
    # those that are gone are forgotten
    last(texts.compare(known[2], known[2:], tools))
    last(texts.compare(known[2], known, tools))
    assert embedder.embedded == before + 2 * (windows - 1)
