"""From text to a vector: the bundled all-MiniLM-L6-v2, loaded on first use.

The libraries that it needs are loaded then, too: the window appears before any of them. Texts that
wait for their turn are embedded ahead of it, several at once.
"""

import hashlib
import json
import os
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from kpinspector.errors import ModelError
from kpinspector.files import resources
from kpinspector.loading import loading
from kpinspector.phrase import Phrase
from kpinspector.scoring.model.characters import alike, has_sigma, offset_before, set_apart

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from kpinspector.scoring.model.network import Network
    from kpinspector.scoring.model.vectors import Vector

MODEL_NAME = "all-MiniLM-L6-v2"
WINDOW_TOKENS = 512
_MOST_RUNS = 16  # each takes some 25 MB for a text that fills the window
_TEXTS_A_RUN = 4  # so that no run waits while something is stored, shown, or read
_WEIGHTS, _GRAPH, _TOKENIZER = "weights.bin", "model.onnx", "tokenizer.json"
_FIRST_PIECE, _LONGEST_PIECE = 2560, 2**16  # characters; most texts have a token in five of them
# No token reaches from before such a character to behind it, nor from "]" to what follows: white
# space, punctuation, Chinese. "[SEP]" and its like are one token even inside a text.
_TOKEN_ENDS = re.compile(
    r"[\t\n\r -/:-@\[\\^-`{-~\u2010-\u2027\u3001-\u3003\u3400-\u4dbf\u4e00-\u9fff]|(?<=\])"
)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a text that the model sees.

    Attributes:
        ids: The token ids, at most 512, special ones included.
        truncated: The whole text has more than 512.
        end: The window covers the text up to this character.
    """

    ids: tuple[int, ...]
    truncated: bool
    end: int

    @property
    def digest(self) -> str:
        """Sha256 (hex) of the token ids as little-endian 32-bit numbers."""
        return hashlib.sha256(struct.pack(f"<{len(self.ids)}I", *self.ids)).hexdigest()


class Embedder(Protocol):
    """The model as measuring needs it; everything but ``failure`` may raise ModelError."""

    @property
    def model(self) -> str:
        """The model's id: the sha256 (hex) of its weights."""

    @property
    def failure(self) -> ModelError | None:
        """Why the model cannot be used, as far as that is known without loading it."""

    def window(self, text: str) -> Window:
        """Tokenise what the model sees of a text."""

    def embed(self, window: Window) -> "Vector":
        """The embedding, shape (384,), of length 1."""


class _File(NamedTuple):
    bytes: int
    sha256: str


class MiniLM:
    """The bundled model. It is read when first needed; a failure is remembered."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or resources() / "minilm"
        self._loading = Lock()  # of the network, which is wanted by several runs at once

    @property
    def model(self) -> str:
        """The sha256 (hex) of the weights, as the manifest says; checked before the first use."""
        return _need(self._manifest)[_WEIGHTS].sha256

    @property
    def failure(self) -> ModelError | None:
        """Why the model cannot be used, as far as that is known without loading it."""
        made = self.__dict__  # a cached property stands here once it was needed
        for part in (self._manifest, made.get("_tokenizer"), made.get("_network")):
            if isinstance(part, ModelError):
                return part
        try:
            for name in _need(self._manifest):
                self._check_size(name)
        except ModelError as error:
            return error
        return None

    def window(self, text: str) -> Window:
        """Tokenise no more of the text than the window needs, piece by piece.

        The number of pieces is not known beforehand, as some characters give no token at all.
        """
        tokenizer = _need(self._tokenizer)
        first, last = tokenizer.encode("").ids
        ids = [first]
        # only a sigma asks for more of the text than the piece that it stands in
        for start, piece in _pieces(alike(text) if has_sigma(text) else text):
            spaced = set_apart(alike(piece))
            encoding = tokenizer.encode(spaced, add_special_tokens=False)
            found, room = encoding.ids, WINDOW_TOKENS - len(ids)
            if len(found) >= room:
                end = start + offset_before(spaced, encoding.offsets[room - 1][1])
                return Window((*ids, *found[:room]), truncated=True, end=end)
            ids += found
        return Window((*ids, last), truncated=False, end=len(text))

    def embed(self, window: Window) -> "Vector":
        """The embedding, shape (384,), of length 1."""
        with self._loading:
            network = _need(self._network)
        return network.embed(window.ids)

    @cached_property
    def _manifest(self) -> dict[str, _File] | ModelError:
        try:
            manifest = json.loads((self._folder / "manifest.json").read_bytes())
            files = {name: _File(**file) for name, file in manifest["files"].items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            return ModelError(Phrase("The embedding model was not found."), str(error))
        if {_WEIGHTS, _GRAPH, _TOKENIZER} <= files.keys():
            return files
        return ModelError(
            Phrase("The embedding model is incomplete."), f"{self._folder}: manifest.json"
        )

    @cached_property
    def _tokenizer(self) -> "Tokenizer | ModelError":
        with loading():
            from tokenizers import Tokenizer  # noqa: PLC0415 - on first use
            from tokenizers.normalizers import BertNormalizer  # noqa: PLC0415

        try:
            tokenizer = Tokenizer.from_file(str(self.verify(_TOKENIZER)))
        except ModelError as error:
            return error
        # as the file says, but for Chinese, which is set apart as the SDK does it
        tokenizer.normalizer = BertNormalizer(handle_chinese_chars=False)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _network(self) -> "Network | ModelError":
        """The network, loaded while a second thread checks the weights that it maps."""
        with loading():
            from kpinspector.scoring.model.network import Network  # noqa: PLC0415 - on first use

        try:
            self._check_size(_WEIGHTS)
            graph = self.verify(_GRAPH)
            with ThreadPoolExecutor(1, thread_name_prefix="checksum") as pool:
                checked = pool.submit(self.verify, _WEIGHTS)
                try:
                    return Network(graph)
                finally:
                    checked.result()
        except ModelError as error:
            return error

    def verify(self, name: str) -> Path:
        """The path of a file whose size and checksum are those of the manifest."""
        self._check_size(name)
        path = self._folder / name
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ModelError(
                Phrase("The embedding model could not be read."), str(error)
            ) from error
        if digest != _need(self._manifest)[name].sha256:
            raise ModelError(Phrase("The embedding model is damaged."), f"{path}: another checksum")
        return path

    def _check_size(self, name: str) -> None:
        path = self._folder / name
        try:
            size = path.stat().st_size
        except OSError as error:
            raise ModelError(Phrase("The embedding model is incomplete."), str(error)) from error
        if size != _need(self._manifest)[name].bytes:
            raise ModelError(Phrase("The embedding model is damaged."), f"{path}: another size")


def _need(part: _T | ModelError) -> _T:
    if isinstance(part, ModelError):
        raise ModelError(part.message, part.detail)
    return part


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Pieces of growing length, with their offsets, whose tokens are those of the whole text."""
    start, length = 0, _FIRST_PIECE
    while start < len(text):
        cut = _TOKEN_ENDS.search(text, start + length)
        end = cut.start() if cut else len(text)
        yield start, text[start:end]
        start, length = end, min(2 * length, _LONGEST_PIECE)


def runs_at_once() -> int:
    """The number of embeddings at a time: one for each core that the process may use."""
    usable = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return min(_MOST_RUNS, len(usable(0)) if usable else os.cpu_count() or 1)


class Ahead:
    """An embedder that is told which texts come next. One thread uses it; embeddings have theirs.

    The caller decides what is embedded and in which order it is compared and stored: the answer
    is the same whether a text was expected or not.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._tokenised: dict[str, Window] = {}
        self._runs: dict[tuple[int, ...], Future[Vector] | None] = {}  # None: known
        self._pool: ThreadPoolExecutor | None = None
        self.depth = _TEXTS_A_RUN * runs_at_once()

    @property
    def model(self) -> str:
        """As the embedder's."""
        return self._embedder.model

    @property
    def failure(self) -> ModelError | None:
        """As the embedder's."""
        return self._embedder.failure

    def expect(self, texts: Sequence[str], is_known: Callable[[int, Window], bool]) -> None:
        """Say which texts come next; texts that were expected and no longer are get dropped.

        A single text has nothing to run beside, so it is left to ``embed``.

        Args:
            texts: In the order of their turns; no more than ``depth`` are looked at.
            is_known: Whether the text with that place in ``texts`` need not be embedded.
        """
        wanted = texts[: self.depth]
        if len(wanted) < 2 and not self._runs:  # noqa: PLR2004 - two run side by side
            return
        tokenised, runs = self._tokenised, self._runs
        self._tokenised, self._runs = {}, {}
        for place, text in enumerate(wanted):
            try:
                window = tokenised.get(text) or self._embedder.window(text)
            except ModelError:
                break  # its turn says so
            self._tokenised[text] = window
            if window.ids in runs:
                self._runs[window.ids] = runs.pop(window.ids)
            elif window.ids not in self._runs:
                known = is_known(place, window)
                self._runs[window.ids] = None if known else self._begin(window)
        for run in filter(None, runs.values()):
            run.cancel()

    def window(self, text: str) -> Window:
        """Tokenise what the model sees of a text."""
        return self._tokenised.get(text) or self._embedder.window(text)

    def embed(self, window: Window) -> "Vector":
        """The embedding; waits for the run that was begun, else embeds now."""
        run = self._runs.pop(window.ids, None)
        return self._embedder.embed(window) if run is None else run.result()

    def close(self) -> None:
        """Drop what is expected; waits for the runs that go on."""
        self._tokenised, self._runs = {}, {}
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _begin(self, window: Window) -> "Future[Vector]":
        if self._pool is None:
            self._pool = ThreadPoolExecutor(runs_at_once(), thread_name_prefix="embedding")
        return self._pool.submit(self._embedder.embed, window)
