"""Requests of a trace to runs."""

import json

import pytest

from kpinspector.runs.run import BlockKind
from tests.runs.made import outline, recovering, taken
from tests.runs.traces import (
    RUN,
    SEVEN,
    SPANS,
    agent,
    answering,
    calling,
    flat,
    id_of,
    model,
    other_trace,
    request,
    said,
    span,
    told,
    tool,
    with_vercel,
)


def test_requests_that_continue_a_history_are_one_run_across_traces():
    one, two = said("user", "One?"), said("user", "Two?")
    first = model("a", 1, [one], said("assistant", "1"), trace=other_trace(1))
    second = model("b", 2, [one, said("assistant", "1"), two], said("assistant", "2"))
    (run,) = taken("otlp", request(second, first)).runs
    assert outline(run) == ["prompt One?", "text 1", "prompt Two?", "text 2"]
    assert run.session == other_trace(1)


def test_requests_that_continue_none_are_runs_of_their_own():
    one, two = said("user", "One?"), said("user", "Two?")
    spans = [
        model("a", 1, [one], said("assistant", "1")),
        model("b", 2, [one], said("assistant", "uno")),
        model("c", 3, [one, said("assistant", "1"), two], said("assistant", "2")),
        model("d", 4, [one, said("assistant", "uno"), two], said("assistant", "due")),
    ]
    runs = taken("otlp", request(*spans)).runs
    assert [outline(run)[1::2] for run in runs] == [["text 1", "text 2"], ["text uno", "text due"]]
    assert [run.key for run in runs] == ["", id_of("b")]


def test_a_history_whose_beginning_was_left_out_goes_on_by_its_calls():
    spans = [
        model("a", 1, [said("user", "Go.")], calling("x")),
        model("b", 2, [calling("x"), answering("x", 1)], said("assistant", "Done.")),
        model("c", 3, [said("user", "Hm."), said("assistant", "Done.")], said("assistant", "No.")),
    ]
    first, second = taken("otlp", request(*spans)).runs
    assert outline(first) == ["prompt Go.", "call count null", "result 1", "text Done."]
    assert outline(second)[-1] == "text No."


def test_an_agent_that_asks_again_within_its_history_goes_on():
    one = said("user", "One?")
    spans = [
        model("a", 1, [one], said("assistant", "1"), parent="root"),
        model("b", 2, [one], said("assistant", "uno"), parent="root"),
    ]
    (run,) = taken("otlp", request(*spans, agent())).runs
    assert outline(run) == ["prompt One?", "text 1", "text uno"]


@pytest.mark.parametrize("key", ["gen_ai__conversation__id", "session__id"])
def test_spans_of_one_session_are_one_run(key):
    spans = [
        model("a", 1, [said("user", "One?")], said("assistant", "1"), **{key: "s"}),
        model("b", 2, [said("user", "Two?")], said("assistant", "2"), **{key: "s"}),
        model("c", 3, [said("user", "One?")], said("assistant", "3"), **{key: "t"}),
        model("d", 4, [said("user", "One?"), said("assistant", "1")], **{key: "t"}),
    ]
    first, second = taken("otlp", request(*spans)).runs
    assert outline(first) == ["prompt One?", "text 1", "prompt Two?", "text 2"]
    assert (first.session, second.session) == ("s", "t")


def test_what_runs_within_a_tool_is_a_sub_agents():
    task = [said("user", "Count pears.")]
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x"), parent="root", session__id="s"),
        model("n", 3, task, said("assistant", "7"), parent="inner", session__id="s"),
        agent("inner", 2.5, gen_ai__agent__name="pears", parent="t"),
        tool("t", 2, "x", parent="root"),
        model("o", 5, [said("user", "Go."), calling("x"), answering("x", 7)], parent="root"),
    ]
    main, inner = taken("otlp", request(*spans, agent())).runs
    assert outline(main) == ["prompt Go.", "call count null", "result 7"]
    assert outline(inner) == ["prompt Count pears.", "text 7"]
    assert (main.key, main.name) == ("", "")
    assert (inner.key, inner.name) == (id_of("inner"), "sub-agent pears")


def test_among_spans_that_begin_at_once_the_shorter_history_is_first():
    one = said("user", "One?")
    spans = [
        model("b", 1, [one, said("assistant", "1"), said("user", "Two?")], said("assistant", "2")),
        model("a", 1, [one], said("assistant", "1")),
    ]
    (run,) = taken("otlp", request(*spans)).runs
    assert outline(run) == ["prompt One?", "text 1", "prompt Two?", "text 2"]


def test_a_result_that_no_request_tells_stands_where_its_span_ends():
    failing = [("exception", {"exception.message": "the gate is shut"})]
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x"), calling("y"), parent="root"),
        tool("u", 3, "y", parent="root", gen_ai__tool__call__result="[1]"),
        tool("t", 4, "x", parent="root", failed=True, happened=failing),
        model("o", 5, [said("user", "Go."), calling("x"), said("user", "So?")], parent="root"),
    ]
    recording = taken("otlp", request(*spans, agent()))
    assert outline(recording.runs[0]) == [
        "prompt Go.",
        "call count null",
        "call count null",
        "result [1]",
        "result failed the gate is shut",
        "prompt So?",
    ]
    assert recording.dropped == {"agents": 1}


def test_failure_is_a_status_or_the_type_of_an_error():
    spans = [model("m", 1, [said("user", "Go.")], calling("x"), calling("y"), calling("z"))]
    bad = tool("t", 2, "x") | {"status": {"code": "STATUS_CODE_ERROR"}}
    spans += [bad, tool("u", 3, "y", error__type="Timeout"), tool("v", 4, "z")]
    (run,) = taken("otlp", request(*spans)).runs
    assert [block.failed for block in run.blocks if block.kind is BlockKind.RESULT] == [
        True,
        True,
        False,
    ]


def test_results_are_of_the_calls_in_their_order_where_ids_differ():
    def call(name):
        return {"type": "tool_call", "id": name, "name": name}

    answer = {"role": "assistant", "parts": [call("fc_1"), call("fc_2")]}
    results = [answering("call_1", "one"), answering("call_2", "two")]
    spans = [
        model("a", 1, [said("user", "Go.")], answer),
        model("b", 2, [said("user", "Go."), answer, *results], said("assistant", "Done.")),
    ]
    (run,) = taken("otlp", request(*spans)).runs
    ids = {b.text: b.call_id for b in run.blocks if b.kind is BlockKind.RESULT}
    assert ids == {"one": "fc_1", "two": "fc_2"}


def test_calls_without_ids_are_found_by_name_and_input():
    def use(name, start, value, told, **members):
        kind = {"openinference__span__kind": "TOOL", "tool__name": "count"}
        values = {"input__value": value, "output__value": told}
        return span(name, start, **kind, **values, **members)

    def call(value):
        return {"type": "tool_call", "name": "count", "arguments": value}

    answer = {"role": "assistant", "parts": [call({"n": 1}), call({"n": 2.0})]}
    spans = [
        model("a", 1, [said("user", "Go.")], answer),
        use("t", 2, '{"args": [], "kwargs": {"n": 2}}', "two", failed=True),
        use("u", 3, '{"n": 1}', '{"type": "tool", "data": {"content": "one"}}'),
    ]
    (run,) = taken("otlp", request(*spans)).runs
    calls = {b.call_id: b.input for b in run.blocks if b.kind is BlockKind.CALL}
    results = [b for b in run.blocks if b.kind is BlockKind.RESULT]
    assert [(calls[b.call_id], b.text, b.failed) for b in results] == [
        ({"n": 2.0}, "two", True),
        ({"n": 1}, "one", False),
    ]


def test_what_two_instruments_wrote_stands_once():
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x")),
        model("inner", 1, [said("user", "Go.")], calling("x"), parent="m"),
        tool("t", 2, "x", gen_ai__tool__call__result="1"),
        tool("u", 2, "x", gen_ai__tool__call__result="1", failed=True),
    ]
    (run,) = taken("otlp", request(*spans)).runs
    assert outline(run) == ["prompt Go.", "call count null", "result failed 1"]


def test_a_handoff_is_no_call():
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x", "transfer_to_pears")),
        span("handoff to pears", 2, openinference__span__kind="TOOL"),
        model(
            "n",
            3,
            [said("user", "Go."), calling("x"), answering("x", "{}")],
            said("assistant", "7"),
        ),
    ]
    (run,) = taken("otlp", request(*spans)).runs
    assert outline(run) == ["prompt Go.", "call transfer_to_pears null", "result {}", "text 7"]


def test_a_history_in_other_words_is_told_by_answers_and_tools():
    def message(role, text="", calls=()):
        content = [{"message_content": {"type": "text", "text": text}}] if text else []
        made = [
            {"tool_call": {"id": c, "function": {"name": "count", "arguments": '{"n": 1}'}}}
            for c in calls
        ]
        return {"message": {"role": role, "contents": content, "tool_calls": made}}

    def say(name, start, asked, answered):
        messages = flat("llm.input_messages", asked) | flat("llm.output_messages", [answered])
        return span(name, start, openinference__span__kind="LLM", parent="root", **messages)

    task = message("user", "New task:\nCount.")
    told = message("tool-call", "Calling tools:\n[{'id': 'x', 'type': 'function'}]")
    result = message("tool-response", "Observation:\n7")
    use = {"openinference__span__kind": "TOOL", "tool__name": "count", "output__value": "7"}
    spans = [
        say("a", 1, [task], message("assistant", "I count.", ["x"])),
        span("t", 2, parent="root", input__value='{"args": [], "kwargs": {"n": 1}}', **use),
        say(
            "b",
            3,
            [task, message("assistant", "I count."), told, result],
            message("assistant", "7"),
        ),
        span("root", 0, openinference__span__kind="AGENT"),
    ]
    (run,) = taken("otlp", request(*spans, scope="made.smolagents")).runs
    assert outline(run) == [
        "prompt Count.",
        "text I count.",
        'call count "{\\"n\\": 1}"',
        "result 7",
        "text 7",
    ]


def test_without_messages_the_spans_of_tools_are_the_calls():
    made = [span(f"m{n}", n, parent="root", gen_ai__operation__name="chat") for n in range(3)]
    made += [
        tool("t", 0.5, "x", failed=True),
        tool("u", 1.5, "y", gen_ai__tool__call__arguments="{}"),
    ]
    (run,) = taken("otlp", request(*made, agent())).runs
    assert outline(run) == ["call count null", "result failed locked", 'call count "{}"', "result"]
    assert not run.content_recorded
    assert recovering(run, "otlp") == [2]


def test_an_agent_within_which_no_model_is_recorded_speaks_for_itself():
    spoken = {
        "gen_ai__input__messages": json.dumps([said("user", "Go.")]),
        "gen_ai__output__messages": json.dumps([said("assistant", "7")]),
    }
    alone = agent("alone", 5, gen_ai__agent__name="pears", **spoken)
    (run,) = taken("otlp", request(alone)).runs
    assert outline(run) == ["prompt Go.", "text 7"]
    around = agent("root", -1, **spoken)
    (run,) = taken("otlp", request(*SPANS, around)).runs
    assert told(run) == RUN


def test_a_sub_agent_that_is_told_the_history_is_a_run_of_its_own_all_the_same():
    told_all = [said("user", "Go."), calling("x"), said("user", "Count pears.")]
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x")),
        tool("t", 2, "x"),
        model("n", 3, told_all, said("assistant", "7"), parent="t"),
    ]
    main, inner = taken("otlp", request(*spans)).runs
    assert outline(main) == ["prompt Go.", "call count null", "result"]
    assert outline(inner)[-2:] == ["prompt Count pears.", "text 7"]


def test_a_result_stands_behind_all_calls_of_its_answer():
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x"), calling("y")),
        tool("t", 1, "x", gen_ai__tool__call__result="1"),
    ]
    (run,) = taken("otlp", request(*spans)).runs
    assert outline(run)[1:] == ["call count null", "call count null", "result 1"]


def test_vercels_outer_span_is_no_request_though_no_tree_leads_to_it():
    operation = {"ai__operationId": "ai.streamText", "ai__response__text": SEVEN}
    outer = span("outer", 0, trace=other_trace(1), **operation)
    (run,) = taken("otlp", request(*with_vercel(), outer)).runs
    assert told(run) == RUN


def test_vercels_answers_without_content_are_continued_by_nothing():
    operation = {"ai__operationId": "ai.generateText.doGenerate"}
    made = [span("a", 1, **operation), span("b", 2, **operation)]
    use = span("t", 1.5, ai__operationId="ai.toolCall", ai__toolCall__name="count")
    first, second = taken("otlp", request(*made, use)).runs
    assert outline(first) == ["text", "call count null", "result"]
    assert outline(second) == ["text"]


def test_a_request_that_says_nothing_takes_no_name_from_one_that_does():
    silent = span("chat of my own", 0)
    first, second = taken("otlp", request(*SPANS, silent)).runs
    assert (first.blocks, first.key) == ((), id_of("chat of my own"))
    assert (told(second), second.key) == (RUN, "")
