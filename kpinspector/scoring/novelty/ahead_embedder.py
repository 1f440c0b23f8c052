"""Embeds waiting texts ahead of their turn, several at once, in the order of their turns."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from kpinspector.errors import ModelError
from kpinspector.scoring.model.embedder import Embedder, Window

if TYPE_CHECKING:
    from kpinspector.scoring.model.vectors import Vector

_MOST_RUNS = 16  # each takes some 25 MB for a text that fills the window
_TEXTS_A_RUN = 4  # so that no run waits while something is stored, shown, or read


def runs_at_once() -> int:
    """The number of embeddings at a time: one for each core that the process may use."""
    return min(_MOST_RUNS, _cores())


def _cores() -> int:
    usable = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return len(usable(0)) if usable else os.cpu_count() or 1


class _Tokenised(NamedTuple):
    window: Window
    seconds: float


class _Embedded(NamedTuple):
    vector: "Vector"
    seconds: float


class Ahead:
    """An embedder that is told which texts come next. One thread uses it; embeddings have theirs.

    The caller decides what is embedded and in which order it is compared and stored: the answer
    is the same whether a text was expected or not.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._tokenised: dict[str, _Tokenised] = {}
        self._runs: dict[tuple[int, ...], Future[_Embedded] | None] = {}  # None: is known
        self._pool: ThreadPoolExecutor | None = None
        self._beforehand = 0.0
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
                held = tokenised.get(text) or self._tokenise(text)
            except ModelError:
                break  # its turn says so
            self._tokenised[text] = held
            ids = held.window.ids
            if ids in runs:
                self._runs[ids] = runs.pop(ids)
            elif ids not in self._runs:
                known = is_known(place, held.window)
                self._runs[ids] = None if known else self._begin(held.window)
        for run in filter(None, runs.values()):
            run.cancel()

    def window(self, text: str) -> Window:
        """Tokenise what the model sees of a text."""
        held = self._tokenised.get(text)
        if held is None:
            return self._embedder.window(text)
        self._beforehand += held.seconds
        return held.window

    def embed(self, window: Window) -> "Vector":
        """The embedding; waits for the run that was begun, else embeds now."""
        run = self._runs.pop(window.ids, None)
        if run is None:
            return self._embedder.embed(window)
        start = perf_counter()
        embedded = run.result()
        self._beforehand += embedded.seconds - (perf_counter() - start)
        return embedded.vector

    def take_beforehand_ms(self) -> float:
        """Milliseconds of work done ahead since the last call, minus the time waited for it."""
        seconds, self._beforehand = self._beforehand, 0.0
        return seconds * 1000

    def close(self) -> None:
        """Drop what is expected; waits for the runs that go on."""
        self._tokenised, self._runs = {}, {}
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _tokenise(self, text: str) -> _Tokenised:
        start = perf_counter()
        return _Tokenised(self._embedder.window(text), perf_counter() - start)

    def _begin(self, window: Window) -> Future[_Embedded]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(runs_at_once(), thread_name_prefix="embedding")
        return self._pool.submit(self._run, window)

    def _run(self, window: Window) -> _Embedded:
        start = perf_counter()
        return _Embedded(self._embedder.embed(window), perf_counter() - start)
