"""The bundled model against the SDK's answers; what it says when it is damaged."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kpinspector.errors import ModelError
from kpinspector.files import resources
from kpinspector.scoring.model import network
from kpinspector.scoring.model.embedder import CHINESE, WINDOW_TOKENS, MiniLM, alike
from kpinspector.scoring.model.vectors import DIMENSIONS
from tests.known import golden_lines

DATA = Path(__file__).parents[1] / "data"
GOLDEN = json.loads((DATA / "embeddings.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def minilm():
    return MiniLM()


@pytest.fixture(scope="module")
def whole():
    """The tokenizer alone, over whole texts."""
    return MiniLM()._tokenizer


@pytest.mark.parametrize("golden", GOLDEN, ids=range(len(GOLDEN)))
def test_tokens_and_embeddings_are_the_sdks(minilm, golden):
    window = minilm.window(golden["text"])
    first, last = golden["first_token_ids"], golden["last_token_ids"]
    assert len(window.ids) == golden["token_count"]
    assert list(window.ids[: len(first)]) == first
    assert list(window.ids[-len(last) :]) == last
    vector = minilm.embed(window)
    assert vector.shape == (DIMENSIONS,) and vector.dtype == np.float32
    assert np.abs(vector - np.array(golden["embedding"])).max() < 3e-4


def test_the_token_ids_of_every_text_are_the_sdks(minilm):
    cases, answers = golden_lines("tokens_cases.jsonl"), golden_lines("tokens_expected.jsonl")
    assert len(cases) == len(answers) == 300
    ids = [list(minilm.window(case["text"]).ids) for case in cases]
    assert ids == [answer["ids"] for answer in answers]


hostile = st.text(
    st.one_of(
        st.sampled_from("!.、 \t\r\n\x00\u200b\ufeff\u0301\u0308Σσςİ[]SEPCLS##aé中😀\u202e\u2028"),  # noqa: RUF001
        st.sampled_from(
            "'’·\u2024Σ\x7f\ue000\ufffd\ud800\udfff𠮷𩸽\U0002f82b㐀豈\u0897\u2e52\u1c89\U0001e030"  # noqa: RUF001
        ),
        st.characters(),
    ),
    max_size=60,
)


def whole_ids(whole, text):
    return whole.encode(CHINESE.sub(r" \g<0> ", alike(text))).ids


@settings(deadline=None, max_examples=150)
@given(st.lists(hostile, max_size=5), st.integers(1, 700))
@example(["\x00\u200b "], 700)
@example(["a\u0301 "], 600)
@example(["[SEP]"], 700)
@example(["中!"], 700)
@example(["\u200b" * 2560 + "[SEP] x"], 1)
@example(["a" * 2560 + "Σ\ud800'Σ\ue000 "], 1)
@example(["x" * 2559 + "Σ.x"], 1)
@example(["x " * 1280 + "\ud800中\U0002f82by"], 1)
def test_the_pieces_give_the_tokens_of_the_whole_text(minilm, whole, parts, times):
    text = "".join(parts) * times
    ids = whole_ids(whole, text)
    window = minilm.window(text)
    assert list(window.ids) == ids[:WINDOW_TOKENS]
    assert window.truncated == (len(ids) > WINDOW_TOKENS)
    assert 0 <= window.end <= len(text)


@pytest.mark.parametrize("between", ["", " ", "\n\n", "\u0301"])
def test_the_window_ends_where_its_last_chinese_character_does(minilm, between):
    window = minilm.window(("中文" + between) * 400)
    assert window.truncated
    characters = WINDOW_TOKENS - 1
    assert window.end == characters + (characters // 2) * len(between)


def test_a_text_over_the_window_ends_without_its_separator(minilm):
    separator = minilm.window("").ids[-1]
    fits = minilm.window("word " * (WINDOW_TOKENS - 2))
    assert len(fits.ids) == WINDOW_TOKENS and fits.ids[-1] == separator and not fits.truncated
    over = minilm.window("word " * (WINDOW_TOKENS - 1))
    assert len(over.ids) == WINDOW_TOKENS and over.ids[-1] != separator and over.truncated
    assert over.end == len("word " * (WINDOW_TOKENS - 1)) - 1


@pytest.fixture
def tokenised(minilm, monkeypatch):
    """The lengths of the texts that were given to the tokenizer."""
    seen = []

    class Counting:
        def encode(self, text, **options):
            seen.append(len(text))
            return inner.encode(text, **options)

    inner = minilm._tokenizer
    monkeypatch.setitem(minilm.__dict__, "_tokenizer", Counting())
    return seen


@pytest.mark.parametrize("part", ["some words of text ", "!", "]", "中", "iVBORw0KGgo/AAAA+"])
def test_only_the_beginning_of_a_long_text_is_tokenised(minilm, tokenised, part):
    minilm.window(part * (2_000_000 // len(part)))
    assert sum(tokenised) < 10_000


@pytest.fixture
def copied(tmp_path):
    folder = tmp_path / "minilm"
    shutil.copytree(resources() / "minilm", folder)
    return folder


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["weights.bin", "model.onnx"])
@pytest.mark.parametrize("harm", ["missing", "short", "flipped"])
def test_a_damaged_model_is_refused_and_tokens_still_answer(copied, name, harm):
    path = copied / name
    match harm:
        case "missing":
            path.unlink()
        case "short":
            path.write_bytes(path.read_bytes()[:-1])
        case "flipped":
            flip(path)
    minilm = MiniLM(copied)
    window = minilm.window("a text")
    for _ in range(2):
        with pytest.raises(ModelError):
            minilm.embed(window)
    assert minilm.failure is not None
    assert minilm.model == MiniLM().model


def test_a_model_that_the_runtime_refuses_is_no_bug(copied, monkeypatch):
    def refuse(*_, **__):
        raise network.ort_state.Fail("SystemError : 13")

    monkeypatch.setattr(network.ort, "InferenceSession", refuse)
    minilm = MiniLM(copied)
    with pytest.raises(ModelError, match="could not be loaded"):
        minilm.embed(minilm.window("a text"))
    flip(copied / "weights.bin")
    minilm = MiniLM(copied)
    with pytest.raises(ModelError, match="damaged"):
        minilm.embed(minilm.window("a text"))
