"""Traces and log records of OpenTelemetry, in the conventions that agents follow."""

import base64
import json

import pytest
from hypothesis import given

from kpinspector.runs.recognise import Nearly, recognise
from kpinspector.runs.rules import input_of
from kpinspector.runs.run import Format, Kind
from kpinspector.runs.texts import head_of
from tests.runs.made import (
    assert_grows,
    assert_holds,
    assert_takes_no_other,
    damaged,
    document,
    lines,
    odd_ones,
    outline,
    read,
    recovering,
    taken,
)
from tests.runs.truth import assert_as_expected, found_in, truths
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
TRACE = "0af7651916cd43dd8448eb211c80319c"
ASKED = "How many pears are in the barn?"
CALLED = "I look."
BARN = {"place": "barn"}
CELLAR = {"place": "cellar"}
THOUGHT = "The barn is locked."
SEVEN = "Seven, in the cellar."

RUN = [
    f"prompt {ASKED}",
    f"text {CALLED}",
    'call count {"place": "barn"}',
    "result failed locked",
    f"reasoning {THOUGHT}",
    'call count {"place": "cellar"}',
    'result {"pears":7}',
    f"text {SEVEN}",
]


def told(run):
    """The blocks of a run, a line for each; calls with what they were called with as an object."""
    return [
        f"call {block.tool} {json.dumps(input_of(block.input))}"
        if block.kind is Kind.CALL
        else line
        for block, line in zip(run.blocks, outline(run), strict=True)
    ]


def any_value(value):
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case list():
            return {"arrayValue": {"values": [any_value(one) for one in value]}}
        case dict():
            members = [{"key": key, "value": any_value(one)} for key, one in value.items()]
            return {"kvlistValue": {"values": members}}
        case None:
            return {}
    return {"stringValue": value}


def attributes(members):
    return [{"key": key, "value": any_value(value)} for key, value in members.items()]


def id_of(name):
    return name.encode().hex().rjust(16, "0")[-16:]


def span(name, start, parent="", trace=TRACE, failed=False, happened=(), **members):
    """A span of 10 ms that begins at a second; names of attributes have ``__`` for a dot."""
    return {
        "traceId": trace,
        "spanId": id_of(name),
        "parentSpanId": id_of(parent) if parent else "",
        "name": name,
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + int(start * 10**9)),
        "endTimeUnixNano": str(1_700_000_000_010_000_000 + int(start * 10**9)),
        "attributes": attributes({key.replace("__", "."): v for key, v in members.items()}),
        "status": {"code": 2, "message": "locked"} if failed else {},
        "events": [{"name": event, "attributes": attributes(a)} for event, a in happened],
    }


def request(*spans, scope="made", version="1.0"):
    said = {"name": scope, "version": version}
    return {"resourceSpans": [{"scopeSpans": [{"scope": said, "spans": list(spans)}]}]}


def logged(*records):
    return {
        "resourceLogs": [{"scopeLogs": [{"scope": {"name": "made"}, "logRecords": list(records)}]}]
    }


def flat(prefix, value):
    """Nested members as attributes with dotted names."""
    members = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else None
    )
    if members is None:
        return {prefix: value}
    return {name: one for key, v in members for name, one in flat(f"{prefix}.{key}", v).items()}


# the messages of one run, in the words of each convention: those of three requests and answers
def newest():
    asked = [{"role": "user", "parts": [{"type": "text", "content": ASKED}]}]
    call = {"type": "tool_call", "id": "a", "name": "count", "arguments": BARN}
    first = {"role": "assistant", "parts": [{"type": "text", "content": CALLED}, call]}
    locked = {"type": "tool_call_response", "id": "a", "response": "locked"}
    call = {"type": "tool_call", "id": "b", "name": "count", "arguments": CELLAR}
    reasoning = {"type": "reasoning", "content": THOUGHT}
    second = {"role": "assistant", "parts": [reasoning, call]}
    counted = {"type": "tool_call_response", "id": "b", "result": {"pears": 7}}
    third = {"role": "assistant", "parts": [{"type": "text", "content": SEVEN}]}
    return [
        (asked, [first]),
        ([*asked, first, {"role": "tool", "parts": [locked]}], [second]),
        (
            [
                *asked,
                first,
                {"role": "tool", "parts": [locked]},
                {"role": "assistant", "parts": [call]},
                {"role": "user", "parts": [counted]},
            ],
            [third],
        ),
    ]


def chat():
    """Messages with ``content`` and ``tool_calls``; reasoning is lost in the history."""

    def call(name, arguments):
        function = {"name": "count", "arguments": arguments}
        return [{"id": name, "type": "function", "function": function}]

    system = {"role": "system", "content": "Count fruit."}
    asked = [system, {"role": "user", "content": ASKED}]
    first = {"role": "assistant", "content": CALLED, "tool_calls": call("a", json.dumps(BARN))}
    locked = {"role": "tool", "tool_call_id": "a", "content": "locked"}
    second = {"role": "assistant", "content": None, "tool_calls": call("b", json.dumps(CELLAR))}
    counted = {"role": "tool", "tool_call_id": "b", "content": '{"pears":7}'}
    third = {"role": "assistant", "content": SEVEN}
    return [
        (asked, [first]),
        ([*asked, first, locked], [{**second, "reasoning_content": THOUGHT}]),
        ([*asked, first, locked, second, counted], [third]),
    ]


def models(say, **members):
    """The spans of the three requests, within one of an agent."""
    return [span(f"m{n}", n, parent="root", **members, **say(n)) for n in range(3)]


def tools(**members):
    """The spans of the two calls, the first of which fails."""
    return [
        span("t0", 0.5, parent="root", failed=True, **{k: v[0] for k, v in members.items()}),
        span("t1", 1.5, parent="root", **{k: v[1] for k, v in members.items()}),
    ]


def with_messages(read_messages):
    spoken = newest()

    def say(n):
        asked, answered = spoken[n]
        return {
            "gen_ai__operation__name": "chat",
            "gen_ai__input__messages": read_messages(asked),
            "gen_ai__output__messages": read_messages(answered),
        }

    ids = {"gen_ai__operation__name": ["execute_tool"] * 2, "gen_ai__tool__call__id": ["a", "b"]}
    return [*models(say), *tools(**ids, gen_ai__tool__name=["count"] * 2)]


def with_event_list():
    def event(message, answered):
        role = "choice" if answered else f"{message['role']}.message"
        said = {"message": message} if answered else message
        return {**said, "event.name": f"gen_ai.{role}".replace("choice.message", "choice")}

    def say(n):
        asked, answered = chat()[n]
        events = [event(m, False) for m in asked] + [event(m, True) for m in answered]
        return {"gen_ai__operation__name": "chat", "events": json.dumps(events)}

    return [
        *models(say),
        *tools(gen_ai__tool__name=["count"] * 2, gen_ai__tool__call__id=["a", "b"]),
    ]


def with_vercel():
    def call(name, arguments):
        return {"type": "tool-call", "toolCallId": name, "toolName": "count", "input": arguments}

    def result(name, output):
        part = {"type": "tool-result", "toolCallId": name, "toolName": "count", "output": output}
        return {"role": "tool", "content": [part]}

    asked = [
        {"role": "system", "content": "Count fruit."},
        {"role": "user", "content": [{"type": "text", "text": ASKED}]},
    ]
    first = {"role": "assistant", "content": [{"type": "text", "text": CALLED}, call("a", BARN)]}
    locked = result("a", {"type": "error-text", "value": "locked"})
    thought = {"type": "reasoning", "text": THOUGHT}
    second = {"role": "assistant", "content": [thought, call("b", CELLAR)]}
    counted = result("b", {"type": "json", "value": {"pears": 7}})
    prompts = [asked, [*asked, first, locked], [*asked, first, locked, second, counted]]
    answers = [
        {"text": CALLED, "toolCalls": json.dumps([call("a", BARN)])},
        {"reasoning": THOUGHT, "toolCalls": json.dumps([call("b", CELLAR)])},
        {"text": SEVEN},
    ]

    def say(n):
        answer = {f"ai__response__{key}": value for key, value in answers[n].items()}
        messages = json.dumps(prompts[n])
        return {
            "ai__operationId": "ai.generateText.doGenerate",
            "ai__prompt__messages": messages,
            **answer,
        }

    operation = {"ai__operationId": ["ai.toolCall"] * 2, "ai__toolCall__id": ["a", "b"]}
    return [*models(say), *tools(**operation, ai__toolCall__name=["count"] * 2)]


def with_openinference():
    def message(value):
        calls = [{"tool_call": call} for call in value.get("tool_calls", [])]
        kept = {k: v for k, v in value.items() if k not in ("tool_calls", "reasoning_content")}
        return {"message": {**kept, **({"tool_calls": calls} if calls else {})}}

    def say(n):
        asked, answered = chat()[n]
        return {
            "openinference__span__kind": "LLM",
            "output__value": json.dumps({"choices": [{"message": answered[0]}]}),
            **flat("llm.input_messages", [message(one) for one in asked]),
            **flat("llm.output_messages", [message(one) for one in answered]),
        }

    inputs = [json.dumps(BARN), json.dumps(CELLAR)]
    kind = {"openinference__span__kind": ["TOOL"] * 2, "tool__name": ["count"] * 2}
    return [*models(say), *tools(**kind, input__value=inputs)]


def with_traceloop():
    def message(value):
        calls = [{"id": c["id"], **c["function"]} for c in value.get("tool_calls", [])]
        return {**value, "tool_calls": calls} if calls else value

    def say(n):
        asked, answered = chat()[n]
        answered = [{**m, "reasoning": m.get("reasoning_content")} for m in answered]
        return {
            "llm__request__type": "chat",
            **flat("gen_ai.prompt", [message(one) for one in asked]),
            **flat("gen_ai.completion", [message(one) for one in answered]),
        }

    kind = {"traceloop__span__kind": ["tool"] * 2, "traceloop__entity__name": ["count"] * 2}
    inputs = [json.dumps(BARN), json.dumps(CELLAR)]
    return [*models(say), *tools(**kind, traceloop__entity__input=inputs)]


def event_of(message, answered):
    said = {**message, "tool_calls": message.get("tool_calls", [])}
    if message["role"] == "tool":
        said["id"] = said.pop("tool_call_id")
    name = "gen_ai.choice" if answered else f"gen_ai.{message['role']}.message"
    return name, ({"index": 0, "message": said} if answered else said)


def with_span_events():
    spans = []
    for n, (asked, answered) in enumerate(chat()):
        told = [event_of(m, False) for m in asked] + [event_of(m, True) for m in answered]
        events = [(name, {"gen_ai.event.content": json.dumps(body)}) for name, body in told]
        spans.append(
            span(f"m{n}", n, parent="root", happened=events, gen_ai__operation__name="chat")
        )
    return [*spans, *tools(gen_ai__tool__name=["count"] * 2, gen_ai__tool__call__id=["a", "b"])]


def log_records():
    records = []
    for n, (asked, answered) in enumerate(chat()):
        told = [event_of(m, False) for m in asked] + [event_of(m, True) for m in answered]
        records += [
            {
                "timeUnixNano": str(1_700_000_000_000_000_000 + n * 10**9 + number),
                "traceId": TRACE,
                "spanId": id_of(f"m{n}"),
                "body": any_value(body),
                "attributes": attributes({"event.name": name}),
            }
            for number, (name, body) in enumerate(told)
        ]
    return records


def with_whole_lists():
    def say(n):
        asked, answered = (json.dumps(messages) for messages in chat()[n])
        return {"gen_ai__operation__name": "chat", **whole(asked, answered)}

    def whole(asked, answered):
        return {"gen_ai__prompt": asked, "gen_ai__completion": answered}

    return [
        *models(say),
        *tools(gen_ai__tool__name=["count"] * 2, gen_ai__tool__call__id=["a", "b"]),
    ]


def agent(name="root", start=-1.0, **members):
    operation = {"gen_ai__operation__name": "invoke_agent", **members}
    return span(name, start, **operation)


CONVENTIONS = {
    "messages as JSON texts": lambda: with_messages(json.dumps),
    "messages as values": lambda: with_messages(lambda value: value),
    "a list of events": with_event_list,
    "Vercel": with_vercel,
    "OpenInference": with_openinference,
    "Traceloop": with_traceloop,
    "events of spans": with_span_events,
    "lists in one attribute": with_whole_lists,
}
SPANS = with_messages(json.dumps)
SESSION = [request(*SPANS[2:]), request(*SPANS[:2], agent(gen_ai__agent__name="counter"))]


def test_real_traces_are_read_as_what_happened_in_them(reference):
    for path, expected in truths(reference, *FORMATS).items():
        assert_as_expected(found_in(path), expected)


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


def test_files_of_other_agents_are_left_alone(reference):
    assert_takes_no_other(Format.OTLP, reference, *FORMATS)


@pytest.mark.parametrize("made", CONVENTIONS.values(), ids=CONVENTIONS)
def test_every_convention_gives_the_same_run(made):
    recording = read(lines(request(*made(), agent())))
    (run,) = recording.runs
    assert recording.format is Format.OTLP
    assert told(run) == RUN
    assert recovering(run, Format.OTLP) == [3]
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
        wanted = "output" if block.kind not in (Kind.PROMPT, Kind.RESULT) else "input"
        assert stands["key"] == f"gen_ai.{wanted}.messages"
    assert [block.at for block in run.blocks][:4] == [
        "2023-11-14T22:13:20+00:00",
        "2023-11-14T22:13:20.010000+00:00",
        "2023-11-14T22:13:20.010000+00:00",
        "2023-11-14T22:13:20.510000+00:00",
    ]


def said(role, *texts):
    return {"role": role, "parts": [{"type": "text", "content": text} for text in texts]}


def calling(name, tool="count"):
    return {"role": "assistant", "parts": [{"type": "tool_call", "id": name, "name": tool}]}


def answering(name, value):
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": name, "result": value}]}


def model(name, start, asked, *answered, **members):
    spoken = {
        "gen_ai__operation__name": "chat",
        "gen_ai__input__messages": json.dumps(asked),
        "gen_ai__output__messages": json.dumps(answered),
    }
    return span(name, start, **spoken, **members)


def tool(name, start, call_id, **members):
    members = {"gen_ai__tool__name": "count", "gen_ai__tool__call__id": call_id, **members}
    return span(name, start, gen_ai__operation__name="execute_tool", **members)


def other_trace(number):
    return TRACE[:-1] + f"{number:x}"


def test_requests_that_continue_a_history_are_one_run_across_traces():
    one, two = said("user", "One?"), said("user", "Two?")
    first = model("a", 1, [one], said("assistant", "1"), trace=other_trace(1))
    second = model("b", 2, [one, said("assistant", "1"), two], said("assistant", "2"))
    (run,) = taken(Format.OTLP, request(second, first)).runs
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
    runs = taken(Format.OTLP, request(*spans)).runs
    assert [outline(run)[1::2] for run in runs] == [["text 1", "text 2"], ["text uno", "text due"]]
    assert [run.key for run in runs] == ["", id_of("b")]


def test_a_history_whose_beginning_was_left_out_goes_on_by_its_calls():
    spans = [
        model("a", 1, [said("user", "Go.")], calling("x")),
        model("b", 2, [calling("x"), answering("x", 1)], said("assistant", "Done.")),
        model("c", 3, [said("user", "Hm."), said("assistant", "Done.")], said("assistant", "No.")),
    ]
    first, second = taken(Format.OTLP, request(*spans)).runs
    assert outline(first) == ["prompt Go.", "call count null", "result 1", "text Done."]
    assert outline(second)[-1] == "text No."


def test_an_agent_that_asks_again_within_its_history_goes_on():
    one = said("user", "One?")
    spans = [
        model("a", 1, [one], said("assistant", "1"), parent="root"),
        model("b", 2, [one], said("assistant", "uno"), parent="root"),
    ]
    (run,) = taken(Format.OTLP, request(*spans, agent())).runs
    assert outline(run) == ["prompt One?", "text 1", "text uno"]


@pytest.mark.parametrize("key", ["gen_ai__conversation__id", "session__id"])
def test_spans_of_one_session_are_one_run(key):
    spans = [
        model("a", 1, [said("user", "One?")], said("assistant", "1"), **{key: "s"}),
        model("b", 2, [said("user", "Two?")], said("assistant", "2"), **{key: "s"}),
        model("c", 3, [said("user", "One?")], said("assistant", "3"), **{key: "t"}),
        model("d", 4, [said("user", "One?"), said("assistant", "1")], **{key: "t"}),
    ]
    first, second = taken(Format.OTLP, request(*spans)).runs
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
    main, inner = taken(Format.OTLP, request(*spans, agent())).runs
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
    (run,) = taken(Format.OTLP, request(*spans)).runs
    assert outline(run) == ["prompt One?", "text 1", "prompt Two?", "text 2"]


def test_a_result_that_no_request_tells_stands_where_its_span_ends():
    failing = [("exception", {"exception.message": "the gate is shut"})]
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x"), calling("y"), parent="root"),
        tool("u", 3, "y", parent="root", gen_ai__tool__call__result="[1]"),
        tool("t", 4, "x", parent="root", failed=True, happened=failing),
        model("o", 5, [said("user", "Go."), calling("x"), said("user", "So?")], parent="root"),
    ]
    recording = taken(Format.OTLP, request(*spans, agent()))
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
    (run,) = taken(Format.OTLP, request(*spans)).runs
    assert [block.failed for block in run.blocks if block.kind is Kind.RESULT] == [
        True,
        True,
        False,
    ]


def test_ids_may_be_base64():
    def coded(found):
        keys = {"traceId", "spanId", "parentSpanId"}
        made = {k: base64.b64encode(bytes.fromhex(found[k])).decode() for k in keys if found[k]}
        return found | made

    for records in (SPANS, [coded(one) for one in SPANS]):
        (run,) = taken(Format.OTLP, request(*records, agent())).runs
        assert (run.session, run.ended) == (TRACE, True)


def test_integers_are_numbers_or_texts_and_zeros_are_no_parent():
    spans = [
        {**one, "startTimeUnixNano": int(one["startTimeUnixNano"]), "parentSpanId": "0" * 16}
        for one in SPANS
    ]
    (run,) = taken(Format.OTLP, request(*spans)).runs
    assert told(run) == RUN


def test_results_are_of_the_calls_in_their_order_where_ids_differ():
    def call(name):
        return {"type": "tool_call", "id": name, "name": name}

    answer = {"role": "assistant", "parts": [call("fc_1"), call("fc_2")]}
    results = [answering("call_1", "one"), answering("call_2", "two")]
    spans = [
        model("a", 1, [said("user", "Go.")], answer),
        model("b", 2, [said("user", "Go."), answer, *results], said("assistant", "Done.")),
    ]
    (run,) = taken(Format.OTLP, request(*spans)).runs
    ids = {b.text: b.call_id for b in run.blocks if b.kind is Kind.RESULT}
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
    (run,) = taken(Format.OTLP, request(*spans)).runs
    calls = {b.call_id: b.input for b in run.blocks if b.kind is Kind.CALL}
    results = [b for b in run.blocks if b.kind is Kind.RESULT]
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
    (run,) = taken(Format.OTLP, request(*spans)).runs
    assert outline(run) == ["prompt Go.", "call count null", "result failed 1"]


def test_a_prompt_and_an_answer_may_stand_as_they_are_in_events_of_their_own():
    happened = [
        ("gen_ai.content.prompt", {"gen_ai.prompt": "Go."}),
        ("gen_ai.content.completion", {"gen_ai.completion": "7"}),
    ]
    made = span("m", 1, gen_ai__operation__name="chat", happened=happened)
    (run,) = taken(Format.OTLP, request(made)).runs
    assert outline(run) == ["prompt Go.", "text 7"]


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
    (run,) = taken(Format.OTLP, request(*spans)).runs
    assert outline(run) == ["prompt Go.", "call transfer_to_pears null", "result {}", "text 7"]


def test_a_text_that_openinference_repeats_is_read_once():
    content = {"contents": [{"message_content": {"type": "text", "text": "7"}}], "content": "7"}
    messages = flat("llm.output_messages", [{"message": {"role": "assistant", **content}}])
    made = span("m", 1, openinference__span__kind="LLM", **messages)
    (run,) = taken(Format.OTLP, request(made)).runs
    assert outline(run) == ["text 7"]


def test_reasoning_of_langchain_stands_in_the_output():
    kwargs = {"content": [{"type": "thinking", "thinking": THOUGHT}, {"type": "text", "text": "7"}]}
    output = {"generations": [[{"message": {"kwargs": kwargs}}]]}
    part = {"contents": {"1": {"message_content": {"type": "text", "text": "7"}}}}
    messages = flat("llm.output_messages", [{"message": {"role": "assistant", **part}}])
    kind = {"openinference__span__kind": "LLM", "output__value": json.dumps(output)}
    (run,) = taken(Format.OTLP, request(span("m", 1, **kind, **messages))).runs
    assert outline(run) == [f"reasoning {THOUGHT}", "text 7"]


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
    (run,) = taken(Format.OTLP, request(*spans, scope="made.smolagents")).runs
    assert outline(run) == [
        "prompt Count.",
        "text I count.",
        'call count "{\\"n\\": 1}"',
        "result 7",
        "text 7",
    ]


def test_without_content_names_and_results_stay():
    def off(message):
        parts = [
            {k: v for k, v in part.items() if k in ("type", "id", "name")}
            for part in message["parts"]
        ]
        return {**message, "parts": parts}

    made = with_messages(lambda messages: json.dumps([off(one) for one in messages]))
    (run,) = taken(Format.OTLP, request(*made, agent())).runs
    assert not run.content_recorded
    assert [line for line in outline(run) if line.startswith(("call", "result"))] == [
        "call count null",
        "result failed",
        "call count null",
        "result",
    ]


def test_without_messages_the_spans_of_tools_are_the_calls():
    made = [span(f"m{n}", n, parent="root", gen_ai__operation__name="chat") for n in range(3)]
    made += [
        tool("t", 0.5, "x", failed=True),
        tool("u", 1.5, "y", gen_ai__tool__call__arguments="{}"),
    ]
    (run,) = taken(Format.OTLP, request(*made, agent())).runs
    assert outline(run) == ["call count null", "result failed locked", 'call count "{}"', "result"]
    assert not run.content_recorded
    assert recovering(run, Format.OTLP) == [2]


def test_redacted_texts_are_none():
    messages = flat(
        "llm.input_messages", [{"message": {"role": "user", "content": "__REDACTED__"}}]
    )
    kind = {"openinference__span__kind": "LLM"}
    (run,) = taken(Format.OTLP, request(span("m", 1, **kind, **messages))).runs
    assert outline(run) == ["prompt"]
    assert not run.content_recorded


def test_an_agent_within_which_no_model_is_recorded_speaks_for_itself():
    spoken = {
        "gen_ai__input__messages": json.dumps([said("user", "Go.")]),
        "gen_ai__output__messages": json.dumps([said("assistant", "7")]),
    }
    alone = agent("alone", 5, gen_ai__agent__name="pears", **spoken)
    (run,) = taken(Format.OTLP, request(alone)).runs
    assert outline(run) == ["prompt Go.", "text 7"]
    around = agent("root", -1, **spoken)
    (run,) = taken(Format.OTLP, request(*SPANS, around)).runs
    assert told(run) == RUN


def test_a_trace_of_no_model_is_said_to_be_none():
    recording = read(lines(request(span("http", 1, http__method="GET"))))
    assert recording.runs == ()
    assert recording.passed_over == (("", "no span or log record of a model"),)


def test_parts_of_a_prompt_are_one_and_pictures_are_none():
    asked = {"role": "user", "parts": [{"type": "text", "content": "One"}, {"type": "blob"}, "two"]}
    (run,) = taken(Format.OTLP, request(model("m", 1, [asked]))).runs
    assert outline(run) == ["prompt One\ntwo"]


@pytest.mark.parametrize(
    ("data", "missing"),
    [
        (lines({"scopeSpans": []}), "resourceSpans"),
        (
            document(
                {"name": "chat", "context": {"trace_id": "0x1"}, "start_time": "", "attributes": {}}
            ),
            "resourceSpans: these are spans as the console shows them",
        ),
    ],
)
def test_spans_without_a_request_around_them_are_nearly_one(data, missing):
    assert recognise(head_of(data)) == Nearly(Format.OTLP, missing)


def test_resource_spans_that_are_no_list_are_none():
    assert recognise(head_of(document({"resourceSpans": {}}))) is None


SMALL = [
    request(
        model("m", 1, [said("user", "Go.")], calling("x")),
        tool("t", 2, "x", failed=True, happened=[("exception", {"exception.message": "shut"})]),
        span("v", 3, ai__operationId="ai.generateText.doGenerate", ai__response__text="7"),
    ),
    request(
        span(
            "o",
            4,
            openinference__span__kind="LLM",
            output__value='{"content": [{"type": "thinking", "thinking": "so"}]}',
            **flat("llm.output_messages", [{"message": {"role": "assistant", "content": "7"}}]),
        )
    ),
    logged(*log_records()[:3]),
]


def test_no_member_of_any_kind_makes_it_fail():
    for records in odd_ones(SMALL):
        assert_holds(Format.OTLP, records)


@given(damaged(SMALL))
def test_damaged_requests_give_what_can_be_saved(records):
    assert_holds(Format.OTLP, records)


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
    assert_holds(Format.OTLP, [request(*spans)])


def test_a_growing_file_gives_the_same_as_one_that_is_read_at_once():
    assert_grows(Format.OTLP, SESSION + SMALL)


def test_a_sub_agent_that_is_told_the_history_is_a_run_of_its_own_all_the_same():
    told_all = [said("user", "Go."), calling("x"), said("user", "Count pears.")]
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x")),
        tool("t", 2, "x"),
        model("n", 3, told_all, said("assistant", "7"), parent="t"),
    ]
    main, inner = taken(Format.OTLP, request(*spans)).runs
    assert outline(main) == ["prompt Go.", "call count null", "result"]
    assert outline(inner)[-2:] == ["prompt Count pears.", "text 7"]


def test_a_result_stands_behind_all_calls_of_its_answer():
    spans = [
        model("m", 1, [said("user", "Go.")], calling("x"), calling("y")),
        tool("t", 1, "x", gen_ai__tool__call__result="1"),
    ]
    (run,) = taken(Format.OTLP, request(*spans)).runs
    assert outline(run)[1:] == ["call count null", "call count null", "result 1"]


def test_vercels_outer_span_is_no_request_though_no_tree_leads_to_it():
    operation = {"ai__operationId": "ai.streamText", "ai__response__text": SEVEN}
    outer = span("outer", 0, trace=other_trace(1), **operation)
    (run,) = taken(Format.OTLP, request(*with_vercel(), outer)).runs
    assert told(run) == RUN


def test_vercels_answers_without_content_are_continued_by_nothing():
    operation = {"ai__operationId": "ai.generateText.doGenerate"}
    made = [span("a", 1, **operation), span("b", 2, **operation)]
    use = span("t", 1.5, ai__operationId="ai.toolCall", ai__toolCall__name="count")
    first, second = taken(Format.OTLP, request(*made, use)).runs
    assert outline(first) == ["text", "call count null", "result"]
    assert outline(second) == ["text"]


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
    (run,) = taken(Format.OTLP, request(model("m", 1, [], answer))).runs
    assert outline(run) == [f"reasoning {THOUGHT}", 'call count {"place": "barn"}']


def test_a_result_that_was_left_out_leaves_the_run_without_content():
    left_out = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "x"}]}
    asked = [said("user", "Go."), calling("x"), left_out]
    (run,) = taken(Format.OTLP, request(model("m", 1, asked, said("assistant", "7")))).runs
    assert not run.content_recorded


def test_a_request_that_says_nothing_takes_no_name_from_one_that_does():
    silent = span("chat of my own", 0)
    first, second = taken(Format.OTLP, request(*SPANS, silent)).runs
    assert (first.blocks, first.key) == ((), id_of("chat of my own"))
    assert (told(second), second.key) == (RUN, "")
