"""VectorCache: the vectors that a trace is compared with, as one matrix, and its search."""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

DIMENSIONS: Final = 384

# A float32 product of unit vectors is off by far less than this; whatever lies within it of the
# k-th best is compared again in double.
_COARSE_ERROR: Final = 5e-5
_BLOCK: Final = 2048

Vector = npt.NDArray[np.float32]
Vectors = npt.NDArray[np.float32]
Similarities = npt.NDArray[np.float64]
Positions = npt.NDArray[np.intp]


class Match(NamedTuple):
    """A row of the cache and its cosine similarity to the vector asked for."""

    key: int
    similarity: float


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def as_vector(values: npt.ArrayLike, dimensions: int = DIMENSIONS) -> Vector:
    """One float32 vector of shape (dimensions,).

    Raises:
        ValueError: another shape, or a number that is not finite in float32.
    """
    with np.errstate(over="ignore"):
        vector = np.ascontiguousarray(values, dtype=np.float32)
    if vector.shape != (dimensions,):
        found = vector.size if vector.ndim == 1 else f"shape {vector.shape}"
        raise ValueError(f"Expected {dimensions} dimensions, got {found}")
    if not np.isfinite(vector).all():
        raise ValueError("A vector holds a number that is not finite")
    return vector


def stacked(vectors: Sequence[Vector]) -> Vectors:
    """Vectors as the rows of one matrix, shape (n, 384)."""
    return np.stack(vectors) if vectors else np.empty((0, DIMENSIONS), np.float32)


def similarities_between(rows: Vectors, others: Vectors) -> Similarities:
    """The cosine of each row to each of the others, shape (n, m), as ``VectorCache`` finds it."""
    wide, lengths = _measured(rows)
    every = np.zeros((len(rows), len(others)))
    for place, other in enumerate(others.astype(np.float64)):
        every[:, place] = _cosines(wide, lengths, other)
    return every


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two vectors, as ``VectorCache`` finds it."""
    return float(similarities_between(one[np.newaxis], other[np.newaxis])[0, 0])


def similarities_among(rows: Vectors) -> Similarities:
    """The cosine of each row to each row, shape (n, n), as ``VectorCache`` finds it; symmetric."""
    wide, lengths = _measured(rows)
    every = np.zeros((len(rows), len(rows)))
    for place, row in enumerate(wide):
        every[place, place:] = every[place:, place] = _cosines(wide[place:], lengths[place:], row)
    return every


def _measured(rows: Vectors) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    wide = rows.astype(np.float64)
    return wide, np.sqrt((wide * wide).sum(axis=1))


def _cosines(
    rows: npt.NDArray[np.float64], lengths: npt.NDArray[np.float64], query: npt.NDArray[np.float64]
) -> Similarities:
    """Cosines in double. Sums run along each row: equal rows give equal numbers anywhere."""
    norms = lengths * np.sqrt((query * query).sum())
    dots = (rows * query).sum(axis=1)
    found = np.zeros(len(rows))
    np.divide(dots, norms, out=found, where=norms > 0)
    return found.clip(-1.0, 1.0)


class VectorCache:
    """The SDK's cache of vectors: it compares with the live rows, and drops the oldest when full.

    Rows are in the order in which they were added; ``kept`` of them are held after an ``add``, live
    or not. Live are the rows with ``added_at > now - ttl_ms``, and of those the newest
    ``max_elements``; this is decided anew at each search, so a clock set back brings expired rows
    back. Times are in milliseconds since the epoch; a ``ttl_ms`` of None means never. Similarities
    are the SDK's: cosines in double of float32 vectors, 0.0 where one of the two is the zero
    vector. They depend neither on the row's position nor on the linear algebra library: the float32
    product only picks the candidates.
    """

    def __init__(
        self,
        max_elements: int = 1000,
        dimensions: int = DIMENSIONS,
        ttl_ms: int | None = None,
        clock: Callable[[], int] = now_ms,
        *,
        kept: int | None = None,
    ) -> None:
        self.max_elements = max_elements
        self.dimensions = dimensions
        self.ttl_ms = ttl_ms
        self._clock = clock
        self._kept = max_elements if kept is None else kept
        # rows start..end of each array are in use
        self._start = self._end = 0
        self._rows = np.empty((0, dimensions), np.float32)
        self._scales = np.empty(0, np.float32)
        self._keys = np.empty(0, np.int64)
        self._added_at = np.empty(0, np.int64)

    @property
    def keys(self) -> tuple[int, ...]:
        """The keys of all rows held, live or not, oldest first."""
        return tuple(self._keys[self._start : self._end].tolist())

    def add(self, vector: npt.ArrayLike, key: int, added_at: int) -> None:
        """Append a row, then drop the oldest rows beyond ``kept``.

        Raises:
            ValueError: another number of dimensions, or a number that is not finite.
        """
        row = as_vector(vector, self.dimensions)
        self.extend(row[np.newaxis], [key], [added_at])
        self._start = max(self._start, self._end - self._kept)

    def extend(
        self, rows: npt.NDArray[np.float32], keys: Sequence[int], added_at: Sequence[int]
    ) -> None:
        """Append rows of shape (n, dimensions) as they are, dropping none."""
        if self._end + len(rows) > len(self._keys):
            held = np.arange(self._start, self._end)
            self._settle(held, max(64, 2 * (len(held) + len(rows))))
        new = slice(self._end, self._end + len(rows))
        self._rows[new] = rows
        norms = np.linalg.norm(rows.astype(np.float64), axis=1)
        with np.errstate(over="ignore"):
            self._scales[new] = np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)
        self._keys[new] = keys
        self._added_at[new] = added_at
        self._end = new.stop

    def remove(self, keys: Collection[int]) -> None:
        """Drop the rows with these keys; the order of the others stays."""
        held = slice(self._start, self._end)
        stay = self._start + np.flatnonzero(~np.isin(self._keys[held], list(keys)))
        if len(stay) < self._end - self._start:
            self._settle(stay, len(self._keys))

    def search(
        self, vector: npt.ArrayLike, k: int, without: Collection[int] = ()
    ) -> tuple[tuple[Match, ...], int]:
        """Compare with the live rows except those with the keys in ``without``.

        Returns the ``k`` most similar ones, best first, of equal ones the older first; and the
        number of rows compared with.
        """
        wanted = as_vector(vector, self.dimensions)
        live = self._live()
        if without:
            live = live[~np.isin(self._keys[live], list(without))]
        if not len(live) or k < 1:
            return (), len(live)
        candidates = self._candidates(wanted, live, k)
        query = wanted.astype(np.float64)
        blocks = (candidates[at : at + _BLOCK] for at in range(0, len(candidates), _BLOCK))
        found = [_cosines(*_measured(self._rows[block]), query) for block in blocks]
        similarities = np.concatenate(found)
        best = np.argsort(-similarities, kind="stable")[:k]
        keys = self._keys[candidates[best]].tolist()
        return tuple(map(Match, keys, similarities[best].tolist())), len(live)

    def live(self, gone: Collection[int] = ()) -> tuple[tuple[int, ...], Vectors]:
        """Keys and rows, oldest first, that would be live without those whose keys are in ``gone``.

        An older row may become live in place of a row that is gone.
        """
        stay = np.flatnonzero(~np.isin(self._keys[self._start : self._end], list(gone)))
        live = self._live(self._start + stay)
        return tuple(self._keys[live].tolist()), self._rows[live]

    def _live(self, among: Positions | None = None) -> Positions:
        """Positions of the live rows, oldest first; all rows, or ``among`` these."""
        live = np.arange(self._start, self._end) if among is None else among
        if self.ttl_ms is not None:
            live = live[self._added_at[live] > self._clock() - self.ttl_ms]
        return live[max(0, len(live) - self.max_elements) :]

    def _candidates(self, wanted: Vector, live: Positions, k: int) -> Positions:
        """Positions, oldest first, that surely include the ``k`` nearest; one matrix product."""
        if k >= len(live):
            return live
        norm = np.linalg.norm(wanted.astype(np.float64))
        unit = (wanted / (norm or 1.0)).astype(np.float32)
        span = slice(live[0], live[-1] + 1)
        with np.errstate(over="ignore", invalid="ignore"):
            coarse = (self._rows[span] @ unit) * self._scales[span]
        coarse = coarse[live - live[0]]
        if not np.isfinite(coarse).all():
            return live
        kth_best = np.partition(coarse, len(coarse) - k)[len(coarse) - k]
        near: Positions = live[coarse >= kth_best - _COARSE_ERROR]
        return near

    def _settle(self, positions: Positions, capacity: int) -> None:
        """Move the rows at these positions to the front of arrays with this capacity."""
        for name in ("_rows", "_scales", "_keys", "_added_at"):
            old = getattr(self, name)
            new = np.empty((capacity, *old.shape[1:]), old.dtype)
            new[: len(positions)] = old[positions]
            setattr(self, name, new)
        self._start, self._end = 0, len(positions)
