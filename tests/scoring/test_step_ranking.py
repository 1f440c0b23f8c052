"""Steps left out in turn: against the plain reading of what that means, and with the model."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpinspector.scoring.model.embedder import WINDOW_TOKENS
from kpinspector.scoring.novelty.neighbours import rank_steps
from kpinspector.trace.model import trace_from_json
from tests.fakes import FakeEmbedder, make_raw, unit_vector


class BagEmbedder(FakeEmbedder):
    """Texts with the same words are alike."""

    def embed(self, window):
        self._embedded.append(window.digest)
        total = sum((unit_vector(one) for one in window.ids), np.zeros(384))
        length = np.linalg.norm(total)
        return (total / length if length else total).astype(np.float32)


def trace_of(contents, objective="go"):
    steps = [{"type": "thought", "content": content} for content in contents]
    return trace_from_json(make_raw(steps=steps, task={"objective": objective}))


def last(ranking):
    *_, whole = ranking
    return whole


words = st.lists(st.sampled_from("abcdef"), max_size=4).map(" ".join)


@settings(deadline=None, max_examples=40)
@given(st.lists(words, max_size=6), words)
def test_each_fall_is_the_similarity_lost_without_the_step(contents, other_text):
    embedder = BagEmbedder()
    trace = trace_of(contents)
    other = embedder.embed(embedder.window(other_text + " x"))
    found = last(rank_steps(trace, embedder, other))

    def similarity(text):
        return float(embedder.embed(embedder.window(text)).astype(float) @ other.astype(float))

    assert found.complete
    assert found.similarity == pytest.approx(similarity(trace.text), abs=1e-6)
    assert {one.step for one in found.falls} == {n for n, text in enumerate(contents) if text}
    for one in found.falls:
        rest = [text for number, text in enumerate(contents) if number != one.step]
        wanted = similarity(" ".join(["go", *rest]))
        assert one.similarity == pytest.approx(wanted, abs=1e-6)
        assert one.fall == found.similarity - one.similarity
    falls = [one.fall for one in found.falls]
    assert falls == sorted(falls, reverse=True)


def test_only_steps_that_the_window_reaches_are_left_out():
    long = " ".join(f"w{number}" for number in range(WINDOW_TOKENS - 3))
    trace = trace_of(["a", "", long, "b c d", "e"])
    embedder = BagEmbedder()
    found = last(rank_steps(trace, embedder, unit_vector(1)))
    # objective, a and long leave one word to the step after them
    assert sorted(one.step for one in found.falls) == [0, 2, 3]
    assert embedder.embedded == 1 + 3


def test_leaving_a_step_out_draws_later_text_into_the_window():
    filler = " ".join(f"w{number}" for number in range(WINDOW_TOKENS))
    trace = trace_of(["a b", filler, "z"])
    embedder = BagEmbedder()
    other = embedder.embed(embedder.window("z"))
    found = last(rank_steps(trace, embedder, other))
    by_step = {one.step: one for one in found.falls}
    assert set(by_step) == {0, 1}
    assert by_step[1].similarity > 0.4 and by_step[1].fall < -0.3
