"""From text to a vector: the bundled all-MiniLM-L6-v2, loaded on first use.

The libraries that the model needs are loaded then, too, so that the window appears before. Texts
whose turn comes later are embedded ahead of it, several at once.
"""

import hashlib
import json
import os
import re
import struct
from bisect import bisect_right
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

from kpinspector.errors import ModelError
from kpinspector.files import resources
from kpinspector.loading import loading
from kpinspector.phrase import Phrase

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from kpinspector.scoring.model.vectors import Vector

WINDOW_TOKENS = 512
_MOST_RUNS = 16  # each takes some 25 MB for a text that fills the window
_TEXTS_A_RUN = 4  # so that no run waits while something is stored, shown, or read
_WEIGHTS, _GRAPH, _TOKENIZER = "weights.bin", "model.onnx", "tokenizer.json"
_FIRST_PIECE, _LONGEST_PIECE = 2560, 2**16  # characters; most texts have a token in five of them
# Where a text can be cut: no token spans such a character (white space, punctuation, Chinese), nor
# the end of a "]". "[SEP]" and the other special tokens are one token even inside a text.
_TOKEN_ENDS = re.compile(
    r"[\t\n\r -/:-@\[\\^-`{-~\u2010-\u2027\u3001-\u3003\u3400-\u4dbf\u4e00-\u9fff]|(?<=\])"
)

_INCOMPLETE: Final = Phrase("The embedding model is incomplete.")
_UNREAD: Final = Phrase("The embedding model could not be read.")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Window:
    """The part of a text that the model sees, up to the character ``end``; ``ids`` of its tokens.

    There are at most 512, special ones included; ``truncated`` where the whole text has more.
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


@dataclass(eq=False)
class MiniLM:
    """The bundled model. It is read when first needed; a failure is remembered."""

    _folder: Path = field(default_factory=lambda: resources() / "minilm")
    _loading: Lock = field(default_factory=Lock)  # several runs want the network at once

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
                self.verify(name, whole=False)
        except ModelError as error:
            return error
        return None

    def window(self, text: str) -> Window:
        """Tokenise no more of the text than the window needs; some characters give no token."""
        tokenizer = _need(self._tokenizer)
        first, last = tokenizer.encode("").ids
        ids = [first]
        # only a capital sigma depends on text outside the piece that it stands in
        source = alike(text) if _SIGMA in text else text
        start, length = 0, _FIRST_PIECE
        while start < len(source):  # the tokens of pieces are those of the whole text
            cut = _TOKEN_ENDS.search(source, start + length)
            behind = cut.start() if cut else len(source)
            spaced = CHINESE.sub(r" \g<0> ", alike(source[start:behind]))
            encoding = tokenizer.encode(spaced, add_special_tokens=False)
            found, room = encoding.ids, WINDOW_TOKENS - len(ids)
            if len(found) >= room:
                offset = encoding.offsets[room - 1][1]
                ends = offset + 1, max(0, offset - 1)  # spaces before and after Chinese
                spaces = sum(len(CHINESE.findall(spaced, 0, one)) for one in ends)
                return Window((*ids, *found[:room]), truncated=True, end=start + offset - spaces)
            ids += found
            start, length = behind, min(2 * length, _LONGEST_PIECE)
        return Window((*ids, last), truncated=False, end=len(text))

    def embed(self, window: Window) -> "Vector":
        """The embedding, shape (384,), of length 1."""
        with self._loading:
            network = _need(self._network)
        return network(window.ids)

    @cached_property
    def _manifest(self) -> dict[str, _File] | ModelError:
        try:
            manifest = json.loads((self._folder / "manifest.json").read_bytes())
            files = {name: _File(**file) for name, file in manifest["files"].items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            return ModelError(Phrase("The embedding model was not found."), str(error))
        if {_WEIGHTS, _GRAPH, _TOKENIZER} <= files.keys():
            return files
        return ModelError(_INCOMPLETE, f"{self._folder}: manifest.json")

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
    def _network(self) -> "Callable[[Sequence[int]], Vector] | ModelError":
        """The network, loaded while a second thread checks the weights that it maps."""
        with loading():
            from kpinspector.scoring.model import network  # noqa: PLC0415 - on first use

        try:
            self.verify(_WEIGHTS, whole=False)
            graph = self.verify(_GRAPH)
            with ThreadPoolExecutor(1, thread_name_prefix="checksum") as pool:
                checked = pool.submit(self.verify, _WEIGHTS)
                try:
                    return partial(network.embedding, network.open_session(graph))
                finally:
                    checked.result()
        except ModelError as error:
            return error

    def verify(self, name: str, *, whole: bool = True) -> Path:
        """The path of a file whose size, and checksum if ``whole``, are those of the manifest."""
        path, wanted = self._folder / name, _need(self._manifest)[name]
        refusal, fault = _INCOMPLETE, ""
        try:
            if path.stat().st_size != wanted.bytes:
                fault = "another size"
            elif whole:
                refusal = _UNREAD
                with path.open("rb") as file:
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
                fault = "" if digest == wanted.sha256 else "another checksum"
        except OSError as error:
            raise ModelError(refusal, str(error)) from error
        if fault:
            raise ModelError(Phrase("The embedding model is damaged."), f"{path}: {fault}")
        return path


def _need(part: _T | ModelError) -> _T:
    if isinstance(part, ModelError):
        raise ModelError(part.message, part.detail)
    return part


def runs_at_once() -> int:
    """The number of embeddings at a time: one for each core that the process may use."""
    usable = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return min(_MOST_RUNS, len(usable(0)) if usable else os.cpu_count() or 1)


@dataclass(eq=False)
class Ahead:
    """An embedder that is told which texts come next. One thread uses it; a pool of threads embeds.

    The caller decides what is embedded and in which order it is compared and stored: the answer
    is the same whether a text was expected or not.
    """

    _embedder: Embedder
    _tokenised: dict[str, Window] = field(default_factory=dict)
    # embeddings by the token ids of a window; None where none is needed
    _runs: "dict[tuple[int, ...], Future[Vector] | None]" = field(default_factory=dict)
    _pool: ThreadPoolExecutor | None = None
    depth: int = field(default_factory=lambda: _TEXTS_A_RUN * runs_at_once())

    @property
    def model(self) -> str:
        """As the embedder's."""
        return self._embedder.model

    @property
    def failure(self) -> ModelError | None:
        """As the embedder's."""
        return self._embedder.failure

    def expect(self, texts: Sequence[str], is_known: Callable[[int, Window], bool]) -> None:
        """Say which texts come next, in this order; no more than ``depth`` are looked at.

        Texts that are expected no longer are dropped. A single text is left to ``embed``, as
        nothing can run beside it. ``is_known``: whether the text at that place need not be
        embedded.
        """
        wanted = texts[: self.depth]
        if len(wanted) < 2 and not self._runs:  # noqa: PLR2004 - two run side by side
            return
        tokenised, runs = self._tokenised, self._runs
        self._tokenised, self._runs = {}, {}
        pool = self._pool or ThreadPoolExecutor(runs_at_once(), thread_name_prefix="embedding")
        self._pool = pool
        for place, text in enumerate(wanted):
            try:
                window = tokenised.get(text) or self._embedder.window(text)
            except ModelError:
                break  # raised again at its turn
            self._tokenised[text] = window
            if window.ids in runs:
                self._runs[window.ids] = runs.pop(window.ids)
            elif window.ids not in self._runs:
                known, embed = is_known(place, window), self._embedder.embed
                self._runs[window.ids] = None if known else pool.submit(embed, window)
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
        """Drop the expected texts; waits for the embeddings that have begun."""
        self._tokenised, self._runs = {}, {}
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


# The SDK normalises a text as BERT does, but on UTF-16 units, perhaps halves of characters, and by
# Node's Unicode tables; the bundled tokenizer on whole characters, by older tables. A character
# that they treat differently becomes one that both treat alike; Chinese is set apart here.
#
# Where the figures come from: the SDK's tokenizer (transformers.js 3.8.1) on Node 20.20.2, thus
# Unicode 17, was held against the ``tokenizers`` library, version 0.23.3, code point by code point.
# Ranges of code points are hexadecimal.

_LETTER: Final = 0x10380  # a letter that no vocabulary has: the word around it becomes unknown
_MARK: Final = 0x0301  # an accent; both drop it
_PUNCTUATION: Final = 0x2E2A  # a token of its own, and unknown
_NOTHING: Final = 0x200B  # both drop it, and a sigma looks past it
_UNCASED: Final = ord("中")
_CASED: Final = ord("a")

# A symbol and two spacing marks: parts of a word, but not by older tables.
_LETTERS: Final = "166D 1734 1171E"
# Marks of Unicode 17 that older tables do not know as such.
_MARKS: Final = """
07FD 0890-0891 0897-089F 08CA-08E2 09FE 0AFA-0AFF 0B55 0C04 0C3C 0D00 0D3B-0D3C 0D81 0EBA 0ECE 180F
1885-1886 1ABF-1ADD 1AE0-1AEB 1DF6-1DFB A82C A8C5 A8FF A9BD 10D24-10D27 10D69-10D6D 10EAB-10EAC
10EFA-10EFF 10F46-10F50 10F82-10F85 11070 11073-11074 110C2 110CD 111C9 111CF 1123E 11241 1133B
113BB-113C0 113CE 113D0 113D2 113E1-113E2 11438-1143F 11442-11444 11446 1145E 1182F-11837
11839-1183A 1193B-1193C 1193E 11943 119D4-119D7 119DA-119DB 119E0 11A01-11A0A 11A33-11A38
11A3B-11A3E 11A47 11A51-11A56 11A59-11A5B 11A8A-11A96 11A98-11A99 11B60 11B62-11B64 11B66
11C30-11C36 11C38-11C3D 11C3F 11C92-11CA7 11CAA-11CB0 11CB2-11CB3 11CB5-11CB6 11D31-11D36 11D3A
11D3C-11D3D 11D3F-11D45 11D47 11D90-11D91 11D95 11D97 11EF3-11EF4 11F00-11F01 11F36-11F3A 11F40
11F42 11F5A 13430-13440 13447-13455 1611E-16129 1612D-1612F 16F4F 16FE4 1CF00-1CF2D 1CF30-1CF46
1E000-1E006 1E008-1E018 1E01B-1E021 1E023-1E024 1E026-1E02A 1E08F 1E130-1E136 1E2AE 1E2EC-1E2EF
1E4EC-1E4EF 1E5EE-1E5EF 1E6E3 1E6E6 1E6EE-1E6EF 1E6F5 1E944-1E94A
"""
# Punctuation of Unicode 17 that older tables do not know as such; the vocabulary has none of it.
_PUNCTUATIONS: Final = """
061D 09FD 0A76 0C77 0C84 1B4E-1B4F 1B7D-1B7F 2E43-2E4F 2E52-2E5D 10D6E 10EAD 10ED0 10F55-10F59
10F86-10F89 113D4-113D5 113D7-113D8 1144B-1144F 1145A-1145B 1145D 11660-1166C 116B9 1183B
11944-11946 119E2 11A3F-11A46 11A9A-11A9C 11A9E-11AA2 11B00-11B09 11BE1 11C41-11C45 11C70-11C71
11EF7-11EF8 11F43-11F4F 11FFF 12FF1-12FF2 16D6D-16D6F 16E97-16E9A 16FE2 1E5FF 1E95E-1E95F
"""
# Control, private-use and replacement characters and lone halves, which the SDK drops at once.
_NOTHINGS: Final = (
    "0000-0008 000B 000C 000E-001F 007F-009F D800-DFFF E000-F8FF FFFD F0000-FFFFD 100000-10FFFD"
)

# How Unicode 17 sees characters beside a sigma: uncased, cased, skipped; Python may be older.
_SEEN_UNCASED: Final = "0295 1171E"
_SEEN_CASED: Final = """
1C89-1C8A A7CB-A7CF A7D2 A7D4 A7DA-A7DC 10D50-10D65 10D70-10D85 16EA0-16EB8 16EBB-16ED3 1DF25-1DF2A
"""
_NOT_SEEN: Final = """
A7F1 10D4E 10D6F 10EC5 11DD9 16D40-16D42 16D6B-16D6C 16FF2-16FF3 1E030-1E06D 1E4EB 1E6FF
"""

_SIGMA: Final = "\u03a3"
# The SDK knows no Chinese beyond 16 bits, as it sees halves: such an ideograph stays in its word.
CHINESE: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


class _Translation(dict[int, int]):
    """A table for ``str.translate`` made from ranges; it holds the code points looked up so far."""

    def __init__(self, rows: dict[str, int]) -> None:
        super().__init__()
        bounds = []
        for ranges, meant in rows.items():
            for one in ranges.split():
                first, _, last = one.partition("-")
                bounds.append((int(first, 16), int(last or first, 16), meant))
        self._bounds = sorted(bounds)
        self._firsts = [first for first, _, _ in self._bounds]

    def __missing__(self, code: int) -> int:
        _, last, meant = self._bounds[bisect_right(self._firsts, code) - 1]
        found = self[code] = meant if code <= last else code
        return found


_ALIKE: Final = _Translation(
    {_LETTERS: _LETTER, _MARKS: _MARK, _PUNCTUATIONS: _PUNCTUATION, _NOTHINGS: _NOTHING}
)
_AROUND_A_SIGMA: Final = _Translation(
    {"0000": 0, "0130": ord("i"), _SEEN_UNCASED: _UNCASED, _SEEN_CASED: _CASED, _NOT_SEEN: _MARK}
)


def alike(text: str) -> str:
    """The text with each character replaced by one that both tokenizers treat alike.

    A text may be given in pieces, unless it holds a capital sigma.
    """
    if text.isascii():
        return text
    text = text.translate(_ALIKE)
    if _SIGMA not in text:
        return text
    # each capital sigma becomes the small sigma for the end of a word or for elsewhere: the SDK
    # lower-cases whole strings, which follows that rule, the tokenizer single characters
    lowered = text.translate(_AROUND_A_SIGMA).lower()
    return "".join(
        small if letter == _SIGMA else letter for letter, small in zip(text, lowered, strict=True)
    )
