"""What novelty did not see: the tokens behind the window, and novelty over the whole text.

The SDK computes none of this: its embedding is that of the first window alone.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kpinspector.scoring.model.embedder import Embedder, Window

if TYPE_CHECKING:
    from kpinspector.scoring.model.vectors import Vector

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
        others: The number of traces whose whole text it is to be compared with.
        others_done: How many of those were measured as well.
    """

    tokens: int
    counted: bool
    windows: int
    embedded: int = 0
    vector: "Vector | None" = None
    others: int = 0
    others_done: int = 0


def measure_whole(
    text: str, embedder: Embedder, embed: "Callable[[Window], Vector] | None" = None
) -> Iterator[WholeText]:
    """Count all tokens, then embed window after window; the last value has the vector.

    A value comes after some windows counted and after each one embedded; whoever had enough
    stops asking. A text of 20 MB has some ten thousand windows.

    Args:
        text: All of it is measured.
        embedder: Gives the windows.
        embed: Gives the embedding of a window; the embedder's own by default.

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
    yield from _embedded(embedder.windows(text), embed or embedder.embed, counted)


def _embedded(
    windows: Iterable[Window], embed: "Callable[[Window], Vector]", counted: WholeText
) -> Iterator[WholeText]:
    """What is known after each window."""
    from kpinspector.scoring.model.vectors import VectorSum  # noqa: PLC0415 - with numpy, on first use

    total = VectorSum()
    for number, window in enumerate(windows, start=1):
        total.add(embed(window))
        done = number == counted.windows
        yield replace(counted, embedded=number, vector=total.direction() if done else None)
