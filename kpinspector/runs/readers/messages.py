"""Lists of messages: a list, an object that holds one, or a message or such a list on each line."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import ConversationReader, is_joined, is_message, role_of
from kpinspector.runs.readers.reader import Format, Spot
from kpinspector.runs.run import AgentRun, DropName, Record
from kpinspector.runs.texts import FileHead, list_of, object_of, objects_of
from kpinspector.trace.javascript import JsonPath, JsonValue

# members that may hold the list; the last is that of a LangGraph thread's state
_HOLDERS: Final[tuple[JsonPath, ...]] = (
    ("messages",),
    ("traj",),
    ("input",),
    ("history",),
    ("values", "messages"),
)
# members of a request beside its messages, which the model reads first
_TOLD: Final = ("system", "instructions")
_LOOKED_AT: Final = 100
_NEAR: Final = 1e-6


def _lacks(head: FileHead) -> str | None:
    """What a file lacks; "" for messages in any form that is read, except Vercel's."""
    values = head.values
    lists = (list_of(value, *path) for value in values for path in _paths_in(value))
    if any(map(is_joined, chain(values, *lists))):
        return None
    alike = sum(_is_spoken(one) or any(True for _ in _paths_in(one)) for one in values)
    if alike * 2 > len(values):
        return ""
    others = {"role", "type", "kind", "source"}
    paths = ((), *(path for path in _HOLDERS if path != ("input",)))
    found = filter(None, (objects_of(value, *path) for value in values for path in paths))
    is_near = any(
        all("content" in one and others.isdisjoint(one) for one in every) for every in found
    )
    return "role" if is_near else None


def _is_spoken(value: JsonValue) -> bool:
    """Whether a message is no system message, which lists of other kinds may have as well."""
    return is_message(value) and role_of(object_of(value)) not in ("system", "developer")


def _paths_in(value: JsonValue) -> Iterator[JsonPath]:
    """Paths of lists of messages: of the value itself, of a member, or of one in each entry."""
    own = _own_path(value)
    if own is not None:
        yield own
        return
    for index, member in enumerate(list_of(value)):
        inner = _own_path(member)
        if inner is not None:
            yield (index, *inner)


def _own_path(value: JsonValue) -> JsonPath | None:
    paths: tuple[JsonPath, ...] = ((), *_HOLDERS)
    spoken = (one for one in paths if any(map(_is_spoken, list_of(value, *one)[:_LOOKED_AT])))
    return next(spoken, None)


class _Reader(ConversationReader):
    @override
    def take(self, record: Record) -> None:
        whole, paths = Spot.of(record), list(_paths_in(record.value))
        for number, path in enumerate(paths, 1):
            is_own = not path or isinstance(path[0], str)
            self._take_list(whole, path, "" if is_own else str(number))
        if not paths:
            self.conversation(AgentRun(blocks=())).add(whole)

    def _take_list(self, record: Spot, path: JsonPath, key: str) -> None:
        holder = object_of(record.get(*path[:-1]))
        for _ in filter(holder.get, _TOLD):
            self.counted((), DropName.SYSTEM)
        success = None  # tau-bench's reward beside the trajectory: 1 is success, less is failure
        reward = holder.get("reward") if path[-1:] == ("traj",) else None
        if isinstance(reward, int | float) and not isinstance(reward, bool):
            success = abs(reward - 1) <= _NEAR
        chunk, ended = record.chunk, success is not None
        run = AgentRun(blocks=(), key=key, chunk=chunk, success=success, ended=ended)
        made = self.conversation(run)
        for message in record.each(*path):
            made.add(message)


FORMAT: Final = Format(
    id="messages",
    name="Message list",
    tested=(
        "anthropic 2.12.0",
        "langchain-core 1.7.2",
        "openai-agents 0.24.0",
        "strands-agents 1.62.0",
    ),
    failure=Phrase("is_error or status"),
    lacks=_lacks,
    reader=_Reader,
    is_general=True,
)
