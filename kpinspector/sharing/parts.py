"""A step piece by piece as it leaves: the redacted pieces, and those that stay in clear."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kpinspector.sharing.posting import CleanedField
from kpinspector.trace.cleaning import PiiKind, Redaction, clean
from kpinspector.trace.clear import InClear, masked, masked_parts
from kpinspector.trace.further import FurtherKind
from kpinspector.trace.javascript import JsonObject, JsonPath, JsonValue

OBJECTIVE_PATH: Final[JsonPath] = ("task", "objective")
_AS_JSON: Final = "input"
"""The only field that is cleaned as JSON text, so that texts within it have own paths."""
_FIRST: Final = ("content", _AS_JSON, "output_summary")
_TOKEN: Final = re.compile(r"\[REDACTED:([a-z_]+)\]")


class Fate(StrEnum):
    """What happens to a secret or an identifier."""

    REDACTED = "redacted"
    IN_CLEAR = "in_clear"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text; a piece with a fate is masked."""

    text: str
    fate: Fate | None = None


@dataclass(frozen=True, slots=True)
class Redacted:
    """A part that is redacted from a field; ``masked``: the only form in which it is listed."""

    field: CleanedField
    redaction: Redaction
    masked: str


class LeavingSteps:
    """What leaves of each step by one way."""

    def __init__(
        self, body: JsonObject, in_clear: Sequence[InClear], redacted: Sequence[Redacted]
    ) -> None:
        self._body = body
        posted, metadata = body.get("steps"), body.get("metadata")
        self._posted = posted if isinstance(posted, list) else []
        self._level = metadata.get("privacy_level") if isinstance(metadata, dict) else None
        self._clear: defaultdict[tuple[JsonPath, bool], list[InClear]] = defaultdict(list)
        for found in in_clear:
            self._clear[found.path, found.in_name].append(found)
        self._touched = {path[1] for path, _ in self._clear if path[0] == "steps" and path[1:]}
        self._taken: defaultdict[JsonPath, list[tuple[Redaction, str]]] = defaultdict(list)
        for one in redacted:
            field = one.field
            self._touched.add(field.step)
            if field.name != _AS_JSON:
                path = ("steps", field.step, field.name)
                self._taken[path].append((one.redaction, one.masked))
        self._fields: dict[int, tuple[tuple[str, tuple[Piece, ...]], ...]] = {}

    def objective(self, text: str) -> tuple[Piece, ...]:
        """The pieces of the objective, which is never cleaned; empty if nothing is to be marked."""
        pieces = tuple(self._text(text, text, OBJECTIVE_PATH))
        return pieces if _is_marked(pieces) else ()

    def step(self, index: int, raw: JsonObject) -> tuple[Piece, ...]:
        """The pieces of a step's first field with something to mark; empty if there is none."""
        return next((pieces for _, pieces in self.fields(index, raw)), ())

    def fields(self, index: int, raw: JsonObject) -> tuple[tuple[str, tuple[Piece, ...]], ...]:
        """The fields of a step with something to mark, in the order of the row; cached."""
        if index not in self._fields:
            posted = self._posted[index] if index < len(self._posted) else None
            found = {}
            if index in self._touched and isinstance(posted, dict):
                for name in (one for one in dict.fromkeys((*_FIRST, *raw)) if one in raw):
                    path = ("steps", index, name)
                    found[name] = tuple(self._value(raw[name], posted.get(name), path))
            marked = ((name, pieces) for name, pieces in found.items() if _is_marked(pieces))
            self._fields[index] = tuple(marked)
        return self._fields[index]

    def posted(self, path: JsonPath) -> JsonValue:
        """The value at a path in the posted body; None if there is none."""
        value: JsonValue = dict(self._body)
        for part in path:
            match value, part:
                case dict(), str():
                    value = value.get(part)
                case list(), int() if part < len(value):
                    value = value[part]
                case _:
                    return None
        return value

    def kinds(self, path: JsonPath) -> tuple[PiiKind | FurtherKind, ...]:
        """The kinds of what leaves in clear at a path or below it."""
        below = (at for (where, _), at in self._clear.items() if where[: len(path)] == path)
        return tuple(dict.fromkeys(one.kind for at in below for one in at))

    def spans(self, path: JsonPath, length: int) -> tuple[tuple[int, int], ...]:
        """The spans in the beginning of a posted text that are in clear."""
        found = self._clear.get((path, False), ())
        return tuple((one.start, min(one.end, length)) for one in found if one.start < length)

    def parts(self, path: JsonPath) -> tuple[JsonValue, ...]:
        """The parts in clear below a path, unmasked; of a number, the whole number."""
        return tuple(
            value[one.start : one.end] if isinstance(value, str) else value
            for (where, in_name), found in self._clear.items()
            if where[: len(path)] == path
            for value in (where[-1] if in_name else self.posted(where),)
            for one in found
        )

    def _value(self, value: JsonValue, posted: JsonValue, path: JsonPath) -> Iterator[Piece]:
        match value:
            case str():
                yield from self._text(value, posted, path)
            case list():
                others = posted if isinstance(posted, list) else []
                for place, item in enumerate(value):
                    yield Piece(", " if place else "")
                    other = others[place] if place < len(others) else None
                    yield from self._value(item, other, (*path, place))
            case dict():
                members = posted if isinstance(posted, dict) else {}
                for place, (name, member) in enumerate(value.items()):
                    yield Piece(", " if place else "")
                    yield from _in_clear(name, self._clear.get(((*path, name), True), ()))
                    yield Piece(": ")
                    yield from self._value(member, members.get(name), (*path, name))
            case _:
                found = self._clear.get((path, False), ())
                word = "null" if value is None else str(value)
                word = word.lower() if isinstance(value, bool) else word
                yield Piece(found[0].masked, Fate.IN_CLEAR) if found else Piece(word)

    def _text(self, text: str, posted: JsonValue, path: JsonPath) -> Iterator[Piece]:
        clear = self._clear.get((path, False), ())
        if text == posted:
            yield from _in_clear(text, clear)
            return
        taken = self._taken.get(path)
        if taken is None:
            cleaned = clean(text, self._level)
            if cleaned.text != posted:  # redacted together with its neighbour
                yield Piece(masked(text), Fate.REDACTED)
                return
            parts = cleaned.redactions
            taken = list(zip(parts, masked_parts(text, parts), strict=True))
        at, moved = 0, 0  # length of the posted text minus that of the field up to here
        for one, mask in taken:
            yield from _in_clear(text[at : one.start], clear, at + moved)
            yield from _masked(text[one.start : one.end], mask, Fate.REDACTED)
            at = one.end
            moved += len(one.replacement) - (one.end - one.start)
        yield from _in_clear(text[at:], clear, at + moved)


def _in_clear(text: str, found: Sequence[InClear], start: int = 0) -> Iterator[Piece]:
    """The pieces of a posted text; ``start``: its offset in the text in which parts were found."""
    at = 0
    for one in sorted(found, key=lambda one: one.start):
        first, last = max(one.start - start, at), one.end - start
        if one.start >= start and at <= first < last <= len(text):
            yield Piece(text[at:first])
            yield from _masked(text[first:last], one.masked, Fate.IN_CLEAR)
            at = last
    yield Piece(text[at:])


def _masked(part: str, mask: str, fate: Fate) -> Iterator[Piece]:
    """The pieces of a masked part; white space before it is kept."""
    yield Piece(part[: len(part) - len(part.lstrip())])
    yield Piece(mask, fate)


def tokens_in(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of the SDK's replacements, such as ``[REDACTED:email]``, in a text."""
    return tuple(found.span() for found in _TOKEN.finditer(text))


def kinds_taken(text: str) -> tuple[str, ...]:
    """The kinds that the SDK's replacements in a text name, each once."""
    return tuple(dict.fromkeys(_TOKEN.findall(text)))


def _is_marked(pieces: Sequence[Piece]) -> bool:
    return any(piece.fate is not None for piece in pieces)


def few_shot(steps: Sequence[JsonValue]) -> str:
    """The text that an agent gets of a trace (``toFewShot``, ``packages/sdk/src/retrieve.ts``)."""
    lines = []
    for step in steps:
        if isinstance(step, dict):
            texts = (step.get(name) for name in ("content", "output_summary"))
            text = next((one for one in texts if one is not None), "")
            lines.append(f"[{str(step.get('type')).upper()}] {text}")
    return "\n".join(lines)
