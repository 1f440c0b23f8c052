"""Requests to runs: those that continue each other are one, and each block stands once."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final, TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.otlp_conventions import ToolUse, canonical
from kpinspector.runs.readers.otlp_messages import Exchange, Item
from kpinspector.runs.readers.otlp_spans import Span, SpanKind, moment
from kpinspector.runs.readers.otlp_tools import add_tools
from kpinspector.runs.readers.otlp_tree import OtlpRun, Tree
from kpinspector.runs.rules import input_of
from kpinspector.runs.run import AgentRun, Block, BlockKind

Key: TypeAlias = tuple[BlockKind, str]

_SAID: Final = (BlockKind.PROMPT, BlockKind.TEXT, BlockKind.REASONING)
_MOST_ALIKE: Final = 20
"""Runs that are looked at, of those that hold one and the same item."""


@dataclass(slots=True)
class Request:
    """A span of a model, and what it says."""

    span: Span
    exchange: Exchange


@dataclass(frozen=True, slots=True)
class Joined:
    """The runs, and the numbers of the spans and log records that their blocks are from."""

    runs: tuple[AgentRun, ...]
    units: frozenset[int]


@dataclass(slots=True)
class _Asked:
    """A request that looks for its run.

    Attributes:
        keys: Those of its items that have one.
    """

    span: Span
    scope: str
    session: str
    keys: list[tuple[Item, Key]]


@dataclass(slots=True)
class _Fit:
    """A run that a request may be of.

    Attributes:
        matches: The items of the request that the run has, and where; in the order of both.
    """

    conversation: OtlpRun
    matches: list[tuple[Item, int]]


class _Joining:
    """Puts requests together to runs."""

    def __init__(self, tree: Tree) -> None:
        self.conversations: list[OtlpRun] = []
        self._tree = tree
        self._known: list[dict[Key, list[int]]] = []
        self._numbers: dict[Key, list[int]] = {}
        self._sessions: dict[tuple[str, str], list[int]] = {}
        self._silent: dict[str, int] = {}

    def take(self, request: Request) -> None:
        """Take a request; those of a run come in their order."""
        span = request.span
        scope, session = self._tree.scope(span), span.session
        asked = request.exchange.asked
        keys = [(item, key) for item in asked if (key := _key(item)) is not None]
        number, matched = self._found(_Asked(span, scope, session, keys))
        if number is None:
            number = len(self.conversations)
            self.conversations.append(OtlpRun(scope, session, span, span))
            self._known.append({})
        conversation = self.conversations[number]
        if session and not conversation.session:
            conversation.session = session
        self._add(number, _behind(asked, matched))
        conversation.answered = len(conversation.items)
        self._add(number, request.exchange.answered)
        conversation.last = span
        self._sessions.setdefault((scope, conversation.session), []).append(number)
        if not conversation.items:
            self._silent[scope] = number

    def _add(self, number: int, items: list[Item]) -> None:
        conversation, known = self.conversations[number], self._known[number]
        for item in items:
            key = _key(item)
            if key is not None:
                known.setdefault(key, []).append(len(conversation.items))
                numbers = self._numbers.setdefault(key, [])
                if number not in numbers[-1:]:
                    numbers.append(number)
            conversation.items.append(copy(item))

    def _found(self, asked: _Asked) -> tuple[int | None, Item | None]:
        """The run of a request, and the last of its items that this run has already."""
        best: tuple[int, int] | None = None
        last: Item | None = None
        for number in sorted(self._candidates(asked), reverse=True):
            fit = self._fit(number, asked)
            if fit is not None and (best is None or len(fit.matches) > best[0]):
                best = len(fit.matches), number
                last = fit.matches[-1][0] if fit.matches else None
        return (best[1] if best else None), last

    def _candidates(self, asked: _Asked) -> set[int]:
        """The runs that it may be of: few, however many the file has."""
        found = set(
            self._sessions.get((asked.scope, asked.session), [])[-1:] if asked.session else []
        )
        for _, key in asked.keys:
            found.update(self._numbers.get(key, ())[-_MOST_ALIKE:])
        if not asked.keys and asked.scope in self._silent:
            found.add(self._silent[asked.scope])
        return found

    def _fit(self, number: int, asked: _Asked) -> _Fit | None:
        conversation = self.conversations[number]
        if conversation.scope != asked.scope:
            return None
        is_same = bool(asked.session) and conversation.session == asked.session
        if asked.session and conversation.session and not is_same:
            return None
        fit = _Fit(conversation, _matches(self._known[number], asked.keys))
        return fit if is_same or self._continues(fit, asked) else None

    def _continues(self, fit: _Fit, asked: _Asked) -> bool:
        """A request goes on from a run's last answer; or the same agent asks again within it."""
        items = fit.conversation.items
        if not items or not asked.keys:
            return not items and not asked.keys
        if not fit.matches:
            return False
        has_first = fit.matches[0][0] is asked.keys[0][0]
        has_id = any(item.call_id for item, _ in fit.matches)
        if fit.matches[-1][1] >= _goes_on(fit.conversation):
            return has_first or has_id
        agent = self._tree.nearest(asked.span, SpanKind.AGENT)
        is_agent = agent == self._tree.nearest(fit.conversation.last, SpanKind.AGENT) != ""
        return is_agent and has_first and len(fit.matches) == len(asked.keys)


def _goes_on(conversation: OtlpRun) -> int:
    """What a request has to tell to go on: anything of the last answer, else what was last."""
    items = conversation.items
    answer = range(conversation.answered, len(items))
    before = range(conversation.answered - 1, -1, -1)
    return next((at for at in (*answer, *before) if _key(items[at]) is not None), 0)


def _matches(known: dict[Key, list[int]], keys: list[tuple[Item, Key]]) -> list[tuple[Item, int]]:
    matches: list[tuple[Item, int]] = []
    position = -1
    for item, key in keys:
        places = known.get(key, [])
        at = bisect_right(places, position)
        if at < len(places):
            position = places[at]
            matches.append((item, position))
    return matches


def _behind(asked: list[Item], matched: Item | None) -> list[Item]:
    """What stands behind the last item that is known already."""
    at = next((number + 1 for number, item in enumerate(asked) if item is matched), 0)
    return [item for item in asked[at:] if not item.echo]


def _key(item: Item) -> Key | None:
    """What makes an item the same in a request and in the next; None where nothing does.

    Reasoning is often lost on the way, and so is an empty text.
    """
    match item.kind:
        case BlockKind.PROMPT:
            return (BlockKind.PROMPT, item.text.strip())
        case BlockKind.TEXT:
            text = item.text.strip()
            return (BlockKind.TEXT, text) if text else None
        case BlockKind.CALL:
            said = item.call_id or f"{item.tool} {canonical(input_of(item.input))}"
            return (BlockKind.CALL, said)
        case BlockKind.RESULT:
            return (BlockKind.RESULT, item.call_id or item.text)
    return None


def runs_of(tree: Tree, requests: Iterable[Request], uses: Iterable[ToolUse]) -> Joined:
    """The runs, in the order in which they began."""
    joining = _Joining(tree)
    for request in sorted(requests, key=_began):
        joining.take(request)
    add_tools(tree, joining.conversations, uses)
    units = {item.unit for one in joining.conversations for item in one.items}
    return Joined(_named(tree, joining.conversations), frozenset(units))


def _began(request: Request) -> tuple[int, int, int]:
    """Of those that began at once, the one with less to tell was first."""
    return request.span.start, len(request.exchange.asked), request.span.unit


def _named(tree: Tree, conversations: Sequence[OtlpRun]) -> tuple[AgentRun, ...]:
    """Each run under a key that no other of its session has: none for the first that says much."""
    names: dict[int, tuple[str, str]] = {}
    for number, one in sorted(enumerate(conversations), key=lambda found: not found[1].items):
        session = one.session or one.first.trace
        key = tree.root(one.first).id if one.scope else ""
        if (session, key) in names.values():
            key = one.first.id or f"{number + 1}"
        names[number] = session, key
    return tuple(_run(tree, one, *names[number]) for number, one in enumerate(conversations))


def _run(tree: Tree, conversation: OtlpRun, session: str, key: str) -> AgentRun:
    items = conversation.items
    agents = (span.agent for span in [conversation.first, *tree.above(conversation.first)])
    agent = next(filter(None, agents), "")
    said = any(item.text.strip() for item in items if item.kind in _SAID)
    hidden = any(item.hidden for item in items if item.kind is BlockKind.RESULT)
    return AgentRun(
        blocks=tuple(_block(item) for item in items),
        session=session,
        key=key,
        is_sub_agent=bool(conversation.scope),
        name=Phrase("sub-agent {key}", key=agent or key)
        if conversation.scope
        else agent
        if key
        else "",
        content_recorded=said and not hidden,
        ended=any(not span.parent for span in tree.above(conversation.last)),
    )


def _block(item: Item) -> Block:
    return Block(
        kind=item.kind,
        place=item.place,
        text=item.text,
        answer=item.answer,
        tool=item.tool,
        input=item.input,
        call_id=item.call_id,
        failed=item.failed,
        at=moment(item.time),
        unit=item.unit + 1,
    )
