"""Lists of messages: a list, an object that holds one, or a message or such a list on each line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from kpinspector.phrase import Phrase
from kpinspector.runs.readers.message import Conversation, is_joined, is_message, role_of
from kpinspector.runs.readers.reader import Format, Reader, Spot
from kpinspector.runs.run import AgentRun, Chunk, DropName, Record, Recording, list_of, object_of
from kpinspector.runs.texts import FileHead
from kpinspector.trace.javascript import JsonObject, JsonPath, JsonValue

_HOLDERS: Final = ("messages", "traj", "input", "history")
# what a request has beside its messages; the model reads it before them
_TOLD: Final = ("system", "instructions")
_LOOKED_AT: Final = 100
_NEAR: Final = 1e-6


@dataclass(frozen=True, slots=True)
class _Found:
    """A list of messages, its path in the record, and the object around it."""

    path: JsonPath
    messages: list[JsonValue]
    holder: JsonObject


def _recognise(head: FileHead) -> bool:
    """Whether a file has messages in any of the forms that are read; Vercel's are its own."""
    values = head.values
    alike = sum(_is_spoken(one) or any(True for _ in _found_in(one)) for one in values)
    return alike * 2 > len(values) and not _has_joined_parts(head)


def _missing(head: FileHead) -> str:
    lists = [one for value in head.values for one in _lists_of(value)]
    return "role" if any(map(_all_say, lists)) and not _has_joined_parts(head) else ""


def _has_joined_parts(head: FileHead) -> bool:
    """Whether the messages of a file are Vercel's."""
    found = [one for value in head.values for one in _found_in(value)]
    return any(is_joined(one) for list_ in found for one in list_.messages) or any(
        is_joined(one) for one in head.values
    )


def _is_spoken(value: JsonValue) -> bool:
    """Whether a message is not the system's, which other lists have as well."""
    return is_message(value) and role_of(object_of(value)) not in ("system", "developer")


def _lists_of(value: JsonValue) -> list[list[JsonValue]]:
    held = [value, *(object_of(value).get(name) for name in _HOLDERS if name != "input")]
    return [one for one in held if isinstance(one, list) and one]


def _all_say(values: list[JsonValue]) -> bool:
    """Whether all are objects with a content but no role."""
    objects = [object_of(one) for one in values]
    return all(
        "content" in one and not {"role", "type", "kind", "source"} & one.keys() for one in objects
    )


def _found_in(value: JsonValue) -> Iterator[_Found]:
    """The lists of messages in a value: itself, one that it holds, or one of each entry."""
    own = _own_list(value, ())
    if own is not None:
        yield own
        return
    for index, member in enumerate(list_of(value)):
        found = _own_list(member, (index,))
        if found is not None:
            yield found


def _own_list(value: JsonValue, path: JsonPath) -> _Found | None:
    if isinstance(value, list):
        return _Found(path, value, {}) if _are_messages(value) else None
    holder = object_of(value)
    for name in _HOLDERS:
        messages = list_of(holder.get(name))
        if _are_messages(messages):
            return _Found((*path, name), messages, holder)
    return None


def _are_messages(values: list[JsonValue]) -> bool:
    return any(_is_spoken(one) for one in values[:_LOOKED_AT])


class _Reader(Reader):
    """Reads records that are messages or hold them."""

    unit = "messages"

    def __init__(self) -> None:
        super().__init__()
        self._lines = Conversation()
        self._held: list[tuple[Conversation, AgentRun]] = []
        self._first = Chunk(1, 0, 0)

    @override
    def take(self, record: Record) -> None:
        found = list(_found_in(record.value))
        for number, one in enumerate(found, 1):
            is_own = not one.path or isinstance(one.path[0], str)
            self._take_list(one, Spot.of(record), "" if is_own else str(number))
        if not found:
            self._first = self._first if self._lines.total else record.chunk
            self._lines.add(Spot.of(record))

    @override
    def recording(self) -> Recording:
        made = list(self._held)
        if self._lines.blocks:
            made.insert(0, (self._lines, AgentRun(blocks=tuple(self._lines.blocks))))
        conversations = [self._lines, *(conversation for conversation, _ in self._held)]
        return Recording(
            runs=tuple(run for conversation, run in made if not conversation.unread),
            refused=tuple(
                (
                    run.chunk or self._first,
                    Phrase(
                        "a list of messages whose parts are not known: {parts}",
                        parts=conversation.unread,
                    ),
                )
                for conversation, run in made
                if conversation.unread
            ),
            unit=self.unit,
            total=sum(one.total for one in conversations),
            dropped=dict(sum((one.dropped for one in conversations), start=self.dropped)),
        )

    def _take_list(self, found: _Found, record: Spot, key: str) -> None:
        made = Conversation()
        for name in _TOLD:
            if found.holder.get(name):
                made.pass_over(DropName.SYSTEM)
        for message in record.each(*found.path):
            made.add(message)
        blocks, success = tuple(made.blocks), _success(found)
        ended = success is not None
        run = AgentRun(blocks=blocks, key=key, chunk=record.chunk, success=success, ended=ended)
        self._held.append((made, run))


def _success(found: _Found) -> bool | None:
    """Success by tau-bench's reward beside the trajectory: 1 is success, less is failure."""
    reward = found.holder.get("reward")
    if found.path[-1:] != ("traj",) or isinstance(reward, bool):
        return None
    return abs(reward - 1) <= _NEAR if isinstance(reward, int | float) else None


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
    recognise=_recognise,
    missing=_missing,
    reader=_Reader,
)
