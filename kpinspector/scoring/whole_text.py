"""What novelty did not see: the tokens behind the window, and novelty over the whole text.

The SDK computes none of this: its embedding is that of the first window alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kpinspector.scoring.embedder import Embedder

if TYPE_CHECKING:
    from kpinspector.scoring.vectors import Vector

_COUNTED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class WholeText:
    """How far the measuring of a whole text has come.

    Attributes:
        tokens: Counted so far, as the model would be given them in one piece.
        counted: That are all.
        windows: The number of windows that hold the tokens.
        embedded: How many of them were embedded.
        vector: The mean of their embeddings, of length 1, once that is known.
    """

    tokens: int
    counted: bool
    windows: int
    embedded: int = 0
    vector: "Vector | None" = None


def measure_whole(text: str, embedder: Embedder) -> Iterator[WholeText]:
    """Count all tokens, then embed window after window; the last value has the vector.

    A value comes after some windows counted and after each one embedded; whoever had enough
    stops asking. A text of 20 MB has some ten thousand windows.

    Raises:
        ModelError: the embedder cannot be used.
    """
    tokens = windows = 0
    for window in embedder.windows(text):
        tokens += len(window.ids) - (windows > 0)  # the opening token stands in each
        windows += 1
        if windows % _COUNTED_AT_ONCE == 0:
            yield WholeText(tokens, counted=False, windows=windows)
    counted = WholeText(tokens, counted=True, windows=windows)
    yield counted
    yield from _embedded(text, embedder, counted)


def _embedded(text: str, embedder: Embedder, counted: WholeText) -> Iterator[WholeText]:
    """What is known after each window."""
    from kpinspector.scoring.vectors import VectorSum  # noqa: PLC0415 - with numpy, on first use

    total = VectorSum()
    for number, window in enumerate(embedder.windows(text), start=1):
        total.add(embedder.embed(window))
        done = number == counted.windows
        yield replace(counted, embedded=number, vector=total.direction() if done else None)
