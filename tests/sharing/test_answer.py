"""What becomes of a trace: the registry's verdict, what is found, and the shape of ``wrap()``."""

import json
from pathlib import Path

import pytest

from kpinspector.runs.read import read_file
from kpinspector.sharing.answer import Sharing, has_wrap_shape, ways_of
from kpinspector.sharing.posting import captured
from kpinspector.trace.find import FoundFile
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.schema import OLD_CONTEXT, passes
from kpinspector.words.page import Sign, Table
from kpinspector.words.sharing import gates_section
from tests.known import of

DATA = Path(__file__).parents[1] / "data"


def records(path):
    return read_file(FoundFile(path, str(path), named=True)).traces


def gate(sharing, name):
    rows = of(Table, gates_section(sharing).blocks[0]).rows
    return next((cell.sign, said.text) for cell, said in rows if cell.text == name)


def verdict(record):
    return gate(ways_of(record, 0.5, 0.75, None).contributed, "Schema")[0]


@pytest.mark.parametrize("name", ["sharing_traces.jsonl", "sequence_traces.jsonl"])
def test_the_registry_refuses_what_the_schema_gate_refuses(name):
    for record in records(DATA / name):
        refused = not passes(record.issues) or record.trace.raw.get("@context") == OLD_CONTEXT
        assert (verdict(record) is Sign.REJECTED) is refused, record.trace.id


@pytest.mark.parametrize(
    "change",
    [
        {"task": {"objective": "half \ud800"}},
        {"id": "kp:trace:\udfff"},
        {"x\ud800": {"\udc00": ["\ud800"]}},
        {"steps": [{"step_id": 0, "type": "thought", "content": "\ud83d", "y": "\ude00"}]},
    ],
    ids=ascii,
)
def test_half_a_character_is_no_reason_to_refuse(change, tmp_path):
    trace = json.loads((DATA / "sequence_traces.jsonl").read_text(encoding="utf-8").split("\n")[0])
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({**trace, **change}), encoding="utf-8")
    (record,) = records(path)
    assert passes(record.issues)
    assert verdict(record) is Sign.ACCEPTED


def test_a_score_that_cannot_be_noted_stops_at_its_gate():
    posting = captured({"metadata": "none", "steps": []}, 0.5, 0.75)
    sharing = Sharing(posting, 0.5, 0.75)
    assert gate(sharing, "Score") == (Sign.REJECTED, "the SDK throws an error at metadata")
    assert gate(sharing, "Cleaned") == (Sign.NOT_REACHED, "not asked")


THOUGHT = {"type": "thought", "content": "Executing with args: {}"}
DONE = {"type": "observation", "content": "Execution completed successfully"}
ERROR = {"type": "error_recovery", "content": "Error: no"}


@pytest.mark.parametrize(
    ("steps", "is_one"),
    [
        ([THOUGHT, DONE], True),
        ([THOUGHT, ERROR], True),
        ([THOUGHT, {**DONE, "tool": {"name": "x"}}], False),
        ([THOUGHT, {**DONE, "content": "Execution completed"}], False),
        ([THOUGHT, {**ERROR, "content": "no"}], False),
        ([{**THOUGHT, "content": "so"}, DONE], False),
        ([{**THOUGHT, "type": "observation"}, DONE], False),
        ([THOUGHT, THOUGHT], False),
        ([THOUGHT], False),
        ([THOUGHT, DONE, DONE], False),
    ],
)
def test_the_shape_of_what_wrap_records(steps, is_one):
    raw = {"task": {"objective": "x"}, "steps": steps, "outcome": {"confidence": 0.8}}
    assert has_wrap_shape(trace_from_json({**raw, "metadata": {"success": True}})) is is_one
