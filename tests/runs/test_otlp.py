"""Traces and log records of OpenTelemetry, in the conventions that agents follow."""

import json

import pytest
from hypothesis import given

from kpinspector.runs.run import BlockKind
from tests.runs.made import assert_holds, lines, read, recovering
from tests.runs.traces import (
    CONVENTIONS,
    RUN,
    SESSION,
    SPANS,
    TRACE,
    agent,
    log_records,
    logged,
    request,
    span,
    told,
    tools,
)
from tests.runs.truth import found_in
from tests.strategies import json_values


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


def test_a_trace_of_no_model_is_said_to_be_none():
    recording = read(lines(request(span("http", 1, http__method="GET"))))
    assert recording.runs == ()
    assert recording.passed_over == (("", "no span or log record of a model"),)


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
