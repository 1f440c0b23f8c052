"""Traces and log records of OpenTelemetry, in the conventions that agents follow."""

import base64
import json

import pytest
from hypothesis import given

from kpinspector.runs.run import BlockKind
from tests.runs.made import assert_holds, lines, outline, read, recovering, taken
from tests.runs.traces import (
    BARN,
    CONVENTIONS,
    RUN,
    SESSION,
    SPANS,
    THOUGHT,
    TRACE,
    agent,
    calling,
    flat,
    log_records,
    logged,
    model,
    request,
    said,
    span,
    told,
    tools,
    with_messages,
)
from tests.runs.truth import found_in
from tests.strategies import json_values

FORMATS = (
    "otel-pydantic-ai",
    "otel-vercel-ai",
    "otel-openai-sdk-openai-v2",
    "otel-openai-sdk-openinference",
    "otel-openai-sdk-traceloop",
    "otel-openinference-langchain",
    "otel-openinference-openai-agents",
    "otel-openinference-smolagents",
)


@pytest.mark.parametrize(
    ("file", "prompts", "texts", "results", "failed"),
    [
        ("otel-openai-sdk-openai-v2/2.1b0_travel_chat.otlp-logs.jsonl", 3, 6, 8, []),
        ("otel-openai-sdk-openai-v2/2.1b0_travel_chat_no-content.otlp-logs.jsonl", 0, 0, 8, []),
        (
            "otel-openinference-smolagents/travel_toolcalling_two-turns.otlp.jsonl",
            2,
            2,
            9,
            ["search_flights"],
        ),
    ],
)
def test_real_recordings_show_what_truly_happened(reference, file, prompts, texts, results, failed):
    manifest = json.loads((reference / "runs/manifest.json").read_text(encoding="utf-8"))
    truth = next(one for one in manifest["runs"] if one["files"] == [file])["truth"]["main"]
    (found,) = found_in(reference / "runs" / file)
    assert found["calls"] == truth["calls"]
    assert [found[k] for k in ("prompts", "texts", "results", "failed")] == [
        prompts,
        texts,
        results,
        failed,
    ]


@pytest.mark.parametrize("made", CONVENTIONS.values(), ids=CONVENTIONS)
def test_every_convention_gives_the_same_run(made):
    recording = read(lines(request(*made(), agent())))
    (run,) = recording.runs
    assert recording.format == "otlp"
    assert told(run) == RUN
    assert recovering(run, "otlp") == [3]
    assert (run.session, run.key, run.name, run.ended) == (TRACE, "", "", True)
    assert run.content_recorded


def test_log_records_alone_make_a_run_in_which_nothing_failed():
    recording = read(lines(logged(*log_records())))
    (run,) = recording.runs
    assert told(run) == [line.replace("failed ", "") for line in RUN]
    assert recording.dropped == {"log records that say nothing new": 9}
    assert recording.total == 15


def test_log_records_say_what_their_spans_do_not():
    bare = [span(f"m{n}", n, parent="root", gen_ai__operation__name="chat") for n in range(3)]
    used = tools(gen_ai__tool__name=["count"] * 2, gen_ai__tool__call__id=["a", "b"])
    (run,) = read(lines(request(*bare, *used, agent()), logged(*log_records()))).runs
    assert told(run) == RUN
    (run,) = read(lines(request(*SPANS, agent()), logged(*log_records()))).runs
    assert told(run) == RUN


def test_children_come_before_their_parents_and_lines_part_traces():
    for records in (SESSION, SESSION[::-1]):
        (run,) = read(lines(*records)).runs
        assert told(run) == RUN


def test_one_document_is_read_as_well_as_lines():
    (run,) = read(json.dumps(request(*SPANS), indent=2).encode()).runs
    assert told(run) == RUN
    assert not run.ended


def test_what_makes_no_step_is_counted_by_name_and_adds_up():
    other = span("http", 4, http__method="POST")
    recording = read(lines(*SESSION, request(other), {"resourceSpans": []}))
    assert recording.dropped == {
        "tools that a request tells of": 2,
        "agents": 1,
        "other spans": 1,
        "lines without a span": 1,
    }
    assert recording.total - sum(recording.dropped.values()) == 3
    assert (recording.unit, recording.version) == ("spans", "made 1.0")


def test_every_block_leads_to_where_it_stands():
    (run,) = read(lines(*SESSION)).runs
    records = [one["resourceSpans"][0]["scopeSpans"][0]["spans"] for one in SESSION]
    for block in run.blocks:
        path = block.place.path
        assert path[:4] == ("resourceSpans", 0, "scopeSpans", 0)
        stands = records[block.place.chunk.line - 1][path[5]]["attributes"][path[7]]
        wanted = "output" if block.kind not in (BlockKind.PROMPT, BlockKind.RESULT) else "input"
        assert stands["key"] == f"gen_ai.{wanted}.messages"
    assert [block.at for block in run.blocks][:4] == [
        "2023-11-14T22:13:20+00:00",
        "2023-11-14T22:13:20.010000+00:00",
        "2023-11-14T22:13:20.010000+00:00",
        "2023-11-14T22:13:20.510000+00:00",
    ]


def test_ids_may_be_base64():
    def coded(found):
        keys = {"traceId", "spanId", "parentSpanId"}
        made = {k: base64.b64encode(bytes.fromhex(found[k])).decode() for k in keys if found[k]}
        return found | made

    for records in (SPANS, [coded(one) for one in SPANS]):
        (run,) = taken("otlp", request(*records, agent())).runs
        assert (run.session, run.ended) == (TRACE, True)


def test_integers_are_numbers_or_texts_and_zeros_are_no_parent():
    spans = [
        {**one, "startTimeUnixNano": int(one["startTimeUnixNano"]), "parentSpanId": "0" * 16}
        for one in SPANS
    ]
    (run,) = taken("otlp", request(*spans)).runs
    assert told(run) == RUN


def test_a_prompt_and_an_answer_may_stand_as_they_are_in_events_of_their_own():
    happened = [
        ("gen_ai.content.prompt", {"gen_ai.prompt": "Go."}),
        ("gen_ai.content.completion", {"gen_ai.completion": "7"}),
    ]
    made = span("m", 1, gen_ai__operation__name="chat", happened=happened)
    (run,) = taken("otlp", request(made)).runs
    assert outline(run) == ["prompt Go.", "text 7"]


def test_a_text_that_openinference_repeats_is_read_once():
    content = {"contents": [{"message_content": {"type": "text", "text": "7"}}], "content": "7"}
    messages = flat("llm.output_messages", [{"message": {"role": "assistant", **content}}])
    made = span("m", 1, openinference__span__kind="LLM", **messages)
    (run,) = taken("otlp", request(made)).runs
    assert outline(run) == ["text 7"]


def test_reasoning_of_langchain_stands_in_the_output():
    kwargs = {"content": [{"type": "thinking", "thinking": THOUGHT}, {"type": "text", "text": "7"}]}
    output = {"generations": [[{"message": {"kwargs": kwargs}}]]}
    part = {"contents": {"1": {"message_content": {"type": "text", "text": "7"}}}}
    messages = flat("llm.output_messages", [{"message": {"role": "assistant", **part}}])
    kind = {"openinference__span__kind": "LLM", "output__value": json.dumps(output)}
    (run,) = taken("otlp", request(span("m", 1, **kind, **messages))).runs
    assert outline(run) == [f"reasoning {THOUGHT}", "text 7"]


def test_without_content_names_and_results_stay():
    def off(message):
        parts = [
            {k: v for k, v in part.items() if k in ("type", "id", "name")}
            for part in message["parts"]
        ]
        return {**message, "parts": parts}

    made = with_messages(lambda messages: json.dumps([off(one) for one in messages]))
    (run,) = taken("otlp", request(*made, agent())).runs
    assert not run.content_recorded
    assert [line for line in outline(run) if line.startswith(("call", "result"))] == [
        "call count null",
        "result failed",
        "call count null",
        "result",
    ]


def test_redacted_texts_are_none():
    messages = flat(
        "llm.input_messages", [{"message": {"role": "user", "content": "__REDACTED__"}}]
    )
    kind = {"openinference__span__kind": "LLM"}
    (run,) = taken("otlp", request(span("m", 1, **kind, **messages))).runs
    assert outline(run) == ["prompt"]
    assert not run.content_recorded


def test_a_trace_of_no_model_is_said_to_be_none():
    recording = read(lines(request(span("http", 1, http__method="GET"))))
    assert recording.runs == ()
    assert recording.passed_over == (("", "no span or log record of a model"),)


def test_parts_of_a_prompt_are_one_and_pictures_are_none():
    asked = {"role": "user", "parts": [{"type": "text", "content": "One"}, {"type": "blob"}, "two"]}
    (run,) = taken("otlp", request(model("m", 1, [asked]))).runs
    assert outline(run) == ["prompt One\ntwo"]


@pytest.mark.parametrize(
    "key",
    [
        "gen_ai.input.messages",
        "gen_ai.output.messages",
        "events",
        "ai.prompt.messages",
        "ai.response.toolCalls",
        "output.value",
        "gen_ai.prompt",
        "gen_ai.prompt.0.content",
        "gen_ai.completion.0.tool_calls",
        "gen_ai.tool.call.arguments",
    ],
)
@given(value=json_values())
def test_any_value_may_stand_within_an_attribute(key, value):
    operations = (
        {"gen_ai.operation.name": "chat"},
        {"ai.operationId": "ai.streamText.doStream"},
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "count"},
    )
    text = json.dumps([value, {"role": "user", "content": value, "parts": value}])
    spans = [span(f"m{n}", n, **said, **{key: text}) for n, said in enumerate(operations)]
    assert_holds("otlp", [request(*spans)])


def test_what_a_message_says_twice_is_read_once():
    parts = [
        {"type": "thinking", "thinking": THOUGHT},
        {"type": "tool_use", "id": "x", "name": "count", "input": BARN},
    ]
    call = {"id": "x", "function": {"name": "count", "arguments": BARN}}
    answer = {
        "role": "assistant",
        "content": parts,
        "reasoning_content": THOUGHT,
        "tool_calls": [call],
    }
    (run,) = taken("otlp", request(model("m", 1, [], answer))).runs
    assert outline(run) == [f"reasoning {THOUGHT}", 'call count {"place": "barn"}']


def test_a_result_that_was_left_out_leaves_the_run_without_content():
    left_out = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "x"}]}
    asked = [said("user", "Go."), calling("x"), left_out]
    (run,) = taken("otlp", request(model("m", 1, asked, said("assistant", "7")))).runs
    assert not run.content_recorded
