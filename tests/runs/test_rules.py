"""The rules that make a trace of a run."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpinspector.runs.read import read_bytes
from kpinspector.runs.rules import (
    RunOutcome,
    completed,
    input_of,
    is_spared,
    mapped,
    split_prompts,
    trace_id,
)
from kpinspector.runs.run import AgentRun, Block, BlockKind, BlockPlace, Chunk
from kpinspector.trace.bytes import encoded
from kpinspector.trace.javascript import DECODER, JsonValue
from kpinspector.trace.model import trace_from_json
from kpinspector.trace.schema import find_issues

PLACE = BlockPlace(Chunk(1, 0, 2))
KNOWN = RunOutcome(0.9, success=True)


def prompt(text: str = "Do it.", at: str = "") -> Block:
    return Block(kind=BlockKind.PROMPT, place=PLACE, text=text, at=at)


def said(text: str = "So.", answer: str = "", at: str = "") -> Block:
    return Block(kind=BlockKind.TEXT, place=PLACE, text=text, answer=answer, at=at)


def call(call_id: str, answer: str = "", tool: str = "Bash", given: JsonValue = None) -> Block:
    return Block(
        kind=BlockKind.CALL, place=PLACE, call_id=call_id, answer=answer, tool=tool, input=given
    )


def result(call_id: str, text: str = "", *, failed: bool = False, spared: bool = False) -> Block:
    return Block(
        kind=BlockKind.RESULT, place=PLACE, call_id=call_id, text=text, failed=failed, spared=spared
    )


def steps_of(*blocks: Block) -> list[tuple[str, str]]:
    """The type of each step, and what it says."""
    trace = mapped("claude-code", AgentRun(blocks=blocks), "s")
    assert len(trace.places) == len(trace.steps)
    assert [step.raw["step_id"] for step in trace.steps] == list(range(len(trace.steps)))
    return [(str(step.kind), step.content or f"to {step.tool_name}") for step in trace.steps]


def kinds_of(*blocks: Block) -> list[str]:
    return [kind for kind, _ in steps_of(*blocks)]


def test_a_step_for_each_block_in_the_order_recorded():
    reasoning = Block(kind=BlockKind.REASONING, place=PLACE, text=" Hm. ")
    assert steps_of(prompt(), reasoning, said(), call("1"), result("1", "x\n")) == [
        ("thought", " Hm. "),
        ("thought", "So."),
        ("tool_call", "to Bash"),
        ("observation", "x\n"),
    ]


def test_the_first_prompt_is_the_objective_and_later_ones_are_observed():
    trace = mapped("codex", AgentRun(blocks=(prompt("A"), said(), prompt("B"))), "s")
    assert trace.objective == "A"
    assert [step.kind for step in trace.steps] == ["thought", "observation"]


def test_an_empty_result_makes_a_step_and_an_empty_text_none():
    assert kinds_of(prompt(), said("\n"), call("1"), result("1", "")) == [
        "tool_call",
        "observation",
    ]


def test_the_first_step_after_a_failed_result_recovers_from_it():
    blocks = (call("1", "a"), result("1", failed=True), said(answer="b"), call("2", "b"))
    assert kinds_of(*blocks) == ["tool_call", "observation", "error_recovery", "tool_call"]


def test_a_call_that_recovers_keeps_its_tool_and_its_input():
    blocks = (call("1", "a"), result("1", failed=True), call("2", "b", given={"x": 1}))
    trace = mapped("codex", AgentRun(blocks=blocks), "s")
    step = trace.steps[2].raw
    assert (step["type"], step["tool"], step["input"]) == (
        "error_recovery",
        {"name": "Bash"},
        {"x": 1},
    )
    assert trace.derived == {2}


def test_a_call_of_the_same_answer_recovers_from_nothing():
    blocks = (
        call("1", "a"), result("1", failed=True), call("2", "a"), result("2"), call("3", "b"),
    )  # fmt: skip
    assert kinds_of(*blocks)[2:] == ["tool_call", "observation", "error_recovery"]


def test_a_batch_of_failures_has_one_recovery():
    blocks = (
        call("1", "a"), call("2", "a"), result("1", failed=True), result("2", failed=True),
        said(answer="b"), call("3", "b"),
    )  # fmt: skip
    assert kinds_of(*blocks).count("error_recovery") == 1


def test_a_prompt_does_not_recover_and_does_not_keep_the_agent_from_it():
    blocks = (prompt(), call("1", "a"), result("1", failed=True), prompt("Well?"), said())
    assert kinds_of(*blocks) == ["tool_call", "observation", "observation", "error_recovery"]


def test_nothing_recovers_from_a_refusal():
    blocks = (call("1", "a"), result("1", failed=True, spared=True), said())
    assert "error_recovery" not in kinds_of(*blocks)


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1]", {"value": [1]}),
        ("*** Begin Patch", {"value": "*** Begin Patch"}),
        ("", {}),
        ("null", {}),
        ('"text"', {"value": "text"}),
        ('{"a": NaN}', {"value": '{"a": NaN}'}),
        ('"\\ud800"', {"value": '"\\ud800"'}),
        ("[" * 200_000, {"value": "[" * 200_000}),
        (None, {}),
        ([1], {"value": [1]}),
        (3, {"value": 3}),
        ({"a": "{}"}, {"a": "{}"}),
    ],
)
def test_an_input_is_an_object(given, made):
    assert input_of(given) == made


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("deep", [196, 197, 198])
def test_an_input_is_never_deeper_than_a_trace_may_be(deep, lists, as_text):
    text = "[" * deep + "]" * deep if lists else '{"a":' * (deep - 1) + "{}" + "}" * (deep - 1)
    value = text if as_text else DECODER.decode(text)
    trace = mapped("codex", AgentRun(blocks=(prompt(), call("1", given=value))), "s")
    written = encoded(completed(trace, None, KNOWN), compact=True).encode()
    contents = read_bytes(written, "made")
    assert not contents.problems and len(contents.traces) == 1
    assert contents.traces[0].trace.steps[0].raw["input"] == trace.steps[0].raw["input"]
    kept = deep + lists <= 197
    assert (trace.steps[0].raw["input"] == {"value": text}) != kept


def test_the_time_is_the_first_in_utc_cut_to_milliseconds():
    blocks = (said(at="2026-01-02T03:04:05.678999+02:00"), said(at="2026-01-02T03:00:00Z"))
    trace = mapped("codex", AgentRun(blocks=blocks), "s")
    assert trace.created_at == "2026-01-02T01:04:05.678Z"
    assert mapped("codex", AgentRun(blocks=(said(at="soon"),)), "s").created_at is None


def test_the_id_is_a_uuid_of_format_session_and_run():
    namespace = uuid.uuid5(uuid.NAMESPACE_URL, "kp:trace")
    made = uuid.uuid5(namespace, "codex\0session\0agent")
    assert trace_id("codex", "session", "agent") == f"kp:trace:{made}"


def test_prompts_are_split_with_what_follows_them():
    run = AgentRun(blocks=(prompt("A"), said("1"), prompt("B"), said("2")), session="s")
    one, other = split_prompts(run)
    assert [block.text for block in one.blocks] == ["A", "1"]
    assert [block.text for block in other.blocks] == ["B", "2"]
    assert one.key != other.key
    blank = AgentRun(blocks=(prompt("A"), prompt(" "), prompt("B")), session="s")
    assert [part.blocks[0].text for part in split_prompts(blank)] == ["A", "B"]
    single = AgentRun(blocks=(prompt("A"), said()))
    assert split_prompts(single) == (single,)


texts = st.text(max_size=8)
blocks = st.builds(
    Block,
    kind=st.sampled_from(BlockKind),
    place=st.just(PLACE),
    text=texts,
    answer=st.sampled_from(("", "a", "b")),
    tool=texts,
    input=st.recursive(
        st.none() | st.booleans() | st.integers() | texts,
        lambda one: st.lists(one, max_size=2) | st.dictionaries(texts, one, max_size=2),
        max_leaves=4,
    ),
    call_id=st.sampled_from(("", "1", "2")),
    failed=st.booleans(),
    spared=st.booleans(),
    at=st.sampled_from(("", "2026-01-02T03:04:05Z", "never", "0001-01-01T00:00:00+23:00")),
)


@given(st.lists(blocks, max_size=12), st.none() | st.text(min_size=1, max_size=5))
def test_every_run_with_a_step_passes_the_schema_gate(found, domain):
    trace = mapped("codex", AgentRun(blocks=tuple(found)), "s")
    if trace.steps:
        whole = completed(trace, domain, KNOWN)
        assert find_issues(whole) == ()
        assert trace_from_json(whole).steps == trace.steps


@given(st.lists(blocks, max_size=12))
def test_never_a_step_that_is_not_in_the_run(found):
    trace = mapped("codex", AgentRun(blocks=tuple(found)), "s")
    said = [block.text for block in found]
    assert all(step.content in said for step in trace.steps if step.tool_key is None)
    failures = sum(block.failed and not block.spared for block in found)
    assert len(trace.derived) <= failures


def test_words_within_a_result_spare_nothing():
    assert is_spared("[Request interrupted by user for tool use]")
    assert not is_spared("grep: notes.txt: [Request interrupted by user for tool use]")
