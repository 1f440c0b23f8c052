"""All tokens of a text, and the mean of its windows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from kpinspector.scoring.model.bundled_model import WINDOW_TOKENS
from kpinspector.scoring.model.embedder import MiniLM
from kpinspector.scoring.novelty.whole_text import measure_whole
from tests.fakes import FakeEmbedder
from tests.known import of


def text_of(count):
    return " ".join(f"w{number}" for number in range(count))


def last(found):
    *_, whole = found
    return whole


@settings(deadline=None)
@given(st.integers(0, 4 * WINDOW_TOKENS))
def test_every_token_is_counted_once_and_every_window_weighs_the_same(count):
    embedder = FakeEmbedder()
    found = last(measure_whole(text_of(count), embedder))
    windows = list(embedder.windows(text_of(count)))
    assert (found.tokens, found.windows, found.embedded) == (count, len(windows), len(windows))
    mean = np.mean([embedder.embed(window) for window in windows], axis=0)
    wanted = mean / np.linalg.norm(mean)
    assert np.abs(found.vector - wanted).max() < 1e-6


def test_a_text_in_one_window_is_what_the_sdk_sees():
    embedder = FakeEmbedder()
    found = last(measure_whole("a b c", embedder))
    assert found.windows == 1
    assert np.abs(found.vector - embedder.embed(embedder.window("a b c"))).max() < 1e-7


def test_it_can_be_stopped_while_counting_and_between_windows():
    embedder = FakeEmbedder()
    going = measure_whole(text_of(60 * WINDOW_TOKENS), embedder)
    first = next(going)
    assert not first.counted and first.vector is None and embedder.embedded == 0
    while not (step := next(going)).counted:
        pass
    assert step.tokens == 60 * WINDOW_TOKENS and embedder.embedded == 0
    for done in range(1, step.windows):
        step = next(going)
        assert step.embedded == embedder.embedded == done
        assert step.vector is None
    assert next(going).vector is not None
    assert next(going, None) is None


def test_the_model_counts_as_its_tokenizer_does():
    minilm = MiniLM()
    text = "Potassium 5.1 mmol/l, haemolysed; spironolactone halved. " * 120
    whole = of(Tokenizer, minilm._tokenizer).encode(text).ids
    windows = list(minilm.windows(text))
    assert windows[0] == minilm.window(text)
    inner = [one for window in windows for one in window.ids[1:]]
    assert [whole[0], *inner] == whole
    assert all(len(window.ids) == WINDOW_TOKENS for window in windows[:-1])
    found = last(measure_whole(text, minilm))
    assert found.tokens == len(whole) and found.windows == len(windows) > 2
    assert np.linalg.norm(found.vector) == pytest.approx(1, abs=1e-6)
