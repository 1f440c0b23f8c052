"""Joins requests into runs: each request continues the history of a run, and repeats it."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Final

from kpinspector.runs.readers.otlp_messages import Exchange, Item, ItemKey
from kpinspector.runs.readers.otlp_spans import Around, Span, Tree

_MOST_ALIKE: Final = 20
"""Runs that are looked at for one request, and of those that hold one and the same item."""


@dataclass(slots=True)
class Request:
    """The span of a request to a model, and its messages."""

    span: Span
    exchange: Exchange


@dataclass(slots=True)
class OtlpRun:
    """A run that is being put together.

    Attributes:
        session: "" where none is recorded.
        first: The span of its first request.
        around: The spans around that one.
        last: The spans around its last request.
        keyed: The places of the items that have a key.
        goes_on: A request continues the run if it repeats an item from here on.
    """

    session: str
    first: Span
    around: Around
    last: Around
    items: list[Item] = field(default_factory=list)
    keyed: list[int] = field(default_factory=list)
    goes_on: int = 0

    @property
    def scope(self) -> str:
        """The tool within which it ran, as a sub-agent's does; "" if none."""
        return self.around.tool


@dataclass(slots=True)
class _Asked:
    """A request whose run is being looked for.

    Attributes:
        keys: Its items that have a key, each with it.
    """

    session: str
    around: Around
    keys: list[tuple[Item, ItemKey]]


class _Joining:
    """Joins requests into runs."""

    def __init__(self, tree: Tree) -> None:
        self.runs: list[OtlpRun] = []
        self._tree = tree
        self._known: list[dict[ItemKey, list[int]]] = []
        self._numbers: dict[ItemKey, list[int]] = {}
        self._sessions: dict[tuple[str, str], int] = {}
        self._silent: dict[str, int] = {}

    def take(self, request: Request) -> None:
        """Take a request; the requests of a run come in order."""
        span, around = request.span, self._tree.around(request.span)
        history = request.exchange.asked
        keys = [(item, item.key) for item in history if item.key is not None]
        number, matched = self._found(_Asked(span.session, around, keys))
        if number is None:
            number = len(self.runs)
            self.runs.append(OtlpRun(span.session, span, around, around))
            self._known.append({})
        run = self.runs[number]
        run.session = run.session or span.session
        run.last = around
        self._add(number, _behind(history, matched))
        told = len(run.keyed)
        self._add(number, request.exchange.answered)
        run.goes_on = next(iter(run.keyed[told:] or run.keyed[-1:]), 0)
        self._sessions[around.tool, run.session] = number
        if not run.items:
            self._silent[around.tool] = number

    def _add(self, number: int, items: Iterable[Item]) -> None:
        run, known = self.runs[number], self._known[number]
        for item in items:
            if item.key is not None:
                known.setdefault(item.key, []).append(len(run.items))
                run.keyed.append(len(run.items))
                numbers = self._numbers.setdefault(item.key, [])
                if number not in numbers[-1:]:
                    numbers.append(number)
            run.items.append(copy(item))

    def _found(self, asked: _Asked) -> tuple[int | None, Item | None]:
        """The run of a request, and the last of its items that the run has already."""
        best: tuple[int, int] | None = None
        last: Item | None = None
        for number in sorted(self._candidates(asked), reverse=True):
            matches = self._matches(number, asked)
            if matches is not None and (best is None or len(matches) > best[0]):
                best = len(matches), number
                last = matches[-1][0] if matches else None
        return (best[1] if best else None), last

    def _candidates(self, asked: _Asked) -> set[int]:
        """The runs that a request may belong to: few, however long the file or the request is."""
        scope = asked.around.tool
        shared = Counter(
            number for _, key in asked.keys for number in self._numbers.get(key, ())[-_MOST_ALIKE:]
        )
        found = set(nlargest(_MOST_ALIKE, shared, key=lambda number: (shared[number], number)))
        if asked.session and (scope, asked.session) in self._sessions:
            found.add(self._sessions[scope, asked.session])
        if not asked.keys and scope in self._silent:
            found.add(self._silent[scope])
        return found

    def _matches(self, number: int, asked: _Asked) -> list[tuple[Item, int]] | None:
        """Where a run has the items of a request; None if the request is not of the run."""
        run = self.runs[number]
        if run.scope != asked.around.tool:
            return None
        is_same = bool(asked.session) and run.session == asked.session
        if asked.session and run.session and not is_same:
            return None
        matches = _in_order(self._known[number], asked.keys)
        return matches if is_same or _continues(run, asked, matches) else None


def _in_order(
    known: dict[ItemKey, list[int]], keys: list[tuple[Item, ItemKey]]
) -> list[tuple[Item, int]]:
    """The known items that follow each other in the run."""
    matches: list[tuple[Item, int]] = []
    position = -1
    for item, key in keys:
        places = known.get(key, [])
        at = bisect_right(places, position)
        if at < len(places):
            position = places[at]
            matches.append((item, position))
    return matches


def _continues(run: OtlpRun, asked: _Asked, matches: list[tuple[Item, int]]) -> bool:
    """Whether a request continues a run's last answer, or is the same agent asking again."""
    if not run.items or not asked.keys:
        return not run.items and not asked.keys
    if not matches:
        return False
    has_first = matches[0][0] is asked.keys[0][0]
    if matches[-1][1] >= run.goes_on:
        return has_first or any(item.call_id for item, _ in matches)
    is_agent = asked.around.agent == run.last.agent != ""
    return is_agent and has_first and len(matches) == len(asked.keys)


def _behind(history: list[Item], matched: Item | None) -> list[Item]:
    """The items after the last one that the run has already."""
    at = next((number + 1 for number, item in enumerate(history) if item is matched), 0)
    return [item for item in history[at:] if not item.echo]


def joined_runs(tree: Tree, requests: Iterable[Request]) -> list[OtlpRun]:
    """The runs, in the order in which they began."""
    joining = _Joining(tree)
    for request in sorted(requests, key=_began):
        joining.take(request)
    return joining.runs


def _began(request: Request) -> tuple[int, int, int]:
    """When a request began; of those that began at once, the shorter history comes first."""
    return request.span.start, len(request.exchange.asked), request.span.unit
