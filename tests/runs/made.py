"""Recordings that the tests make themselves, and what every reader owes for any of them."""

import copy
import json
from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st

from kpinspector.phrase import Phrase
from kpinspector.runs.read import NOTHING_ASKED, Asked, RunRecord, read_bytes
from kpinspector.runs.readers import formats
from kpinspector.runs.recording import Collecting, recording_of
from kpinspector.runs.rules import mapped
from kpinspector.runs.run import BlockKind, Chunk, Record, Recording
from kpinspector.trace.bytes import decode
from kpinspector.trace.records import Problem
from tests.strategies import json_values

_ODD = (None, True, 0, -1.5, "", "odd", [], {}, [[]], [{}], {"odd": 1}, ["odd"])


def lines(*records) -> bytes:
    """JSON Lines."""
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in records)


def document(value) -> bytes:
    """One JSON text."""
    return json.dumps(value, ensure_ascii=False).encode()


def read(data: bytes) -> Recording:
    """The recording that bytes are recognised as."""
    recording = recording_of(decode(data), "made")
    assert isinstance(recording, Recording), recording
    return recording


def run_records(data: bytes, asked: Asked = NOTHING_ASKED) -> list[RunRecord]:
    """The runs that bytes hold, each as a record."""
    return [
        one for one in read_bytes(data, "made", asked=asked).traces if isinstance(one, RunRecord)
    ]


def nearly(data: bytes) -> tuple[str, str] | None:
    """The format that bytes nearly are of, and what they lack; None for all other bytes."""
    found = recording_of(decode(data), "made")
    if not isinstance(found, Problem):
        return None
    named = found.message.named if isinstance(found.message, Phrase) else {}
    (form,) = (one.id for one in formats().values() if one.name == named["name"])
    return form, str(named["missing"])


def taken(form, *records) -> Recording:
    """What a reader makes of JSON texts, one a line, recognised or not."""
    return fed(Collecting(form, "made"), records)


def fed(collecting: Collecting, records, first: int = 1) -> Recording:
    """What is read once these JSON texts were taken, too."""
    for number, value in enumerate(records, first):
        collecting.take(Record(Chunk(number, number, number + 1), value))
    return collecting.recording()


def outline(run) -> list[str]:
    """The blocks of a run, a line for each."""
    return [_line(block) for block in run.blocks]


def _line(block) -> str:
    marks = ["failed"] * block.failed + ["spared"] * block.spared
    said = f"{block.tool} {json.dumps(block.input)}" if block.kind is BlockKind.CALL else block.text
    return " ".join([str(block.kind), *marks, said]).strip()


def recovering(run, form) -> list[int]:
    """The steps of a run that are recoveries."""
    return sorted(mapped(form, run, "session").derived)


def assert_holds(form, records) -> None:
    """What is true of whatever a reader is fed: nothing invented, nothing counted twice."""
    recording = taken(form, *records)
    assert recording.format == form
    assert sum(recording.dropped.values()) <= recording.total
    assert all(number > 0 for number in recording.dropped.values())
    assert all(isinstance(name, str) and name for name in recording.dropped)
    for run in recording.runs:
        for block in run.blocks:
            stands = _at(records[block.place.chunk.line - 1], block.place.path)
            if block.kind in (BlockKind.TEXT, BlockKind.REASONING) and isinstance(stands, str):
                assert block.text == stands
        mapped(form, run, "session")


def _at(value, path):
    for part in path:
        value = value[part]
    return value


def assert_grows(form, records) -> None:
    """A reader that is asked in between says at the end what one says that is asked once."""
    collecting = Collecting(form, "made")
    for number, value in enumerate(records, 1):
        assert fed(collecting, [value], number) == taken(form, *records[:number])


def paths_in(value, path=()) -> Iterator[tuple]:
    """The path of every member and element, at every depth."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield (*path, key)
        yield from paths_in(value[key], (*path, key))


def replaced(value, path, other):
    """A copy that has something else at a path; it shares the rest."""
    if not path:
        return other
    made = copy.copy(value)
    made[path[0]] = replaced(value[path[0]], path[1:], other)
    return made


def odd_ones(records) -> Iterator[list]:
    """The records with one odd value after the other in the place of every member, in turn."""
    for number, path in enumerate(paths_in(records)):
        for other in _ODD[number % 6 :: 6]:
            yield replaced(records, path, other)


@st.composite
def damaged(draw, records):
    """The records with any JSON value in the place of one member, or in another order."""
    path = draw(st.sampled_from(list(paths_in(records))))
    made = replaced(records, path, draw(json_values()))
    return draw(st.permutations(made)) if draw(st.booleans()) else made


def mutated(data: bytes, chance: Random) -> bytes:
    """Bytes that are cut, with some turned over, or with a value dropped or replaced in a text."""
    made = bytearray(data)
    match chance.choice(("cut", "turned", "dropped", "replaced")):
        case "cut":
            return data[: chance.randrange(len(data))]
        case "turned":
            for _ in range(chance.randint(1, 8)):
                made[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            return bytes(made)
        case how:
            texts = [data] if b"\n{" not in data else data.splitlines(keepends=True)
            at = chance.randrange(len(texts))
            value = json.loads(texts[at])
            *path, last = chance.choice(list(paths_in(value)) or [(None,)])
            held = value
            for part in path:
                held = held[part]
            if how == "dropped":
                del held[last]
            elif isinstance(held, dict | list):
                held[last] = chance.choice(_ODD)
            texts[at] = document(value) + b"\n"
            return b"".join(texts)
