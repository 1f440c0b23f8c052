"""Traces and log records that the tests make themselves, in each of the conventions."""

import json

from kpinspector.runs.rules import input_of
from kpinspector.runs.run import BlockKind
from tests.runs.made import outline

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
        if block.kind is BlockKind.CALL
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
    if not isinstance(value, dict | list):
        return {prefix: value}
    members = value.items() if isinstance(value, dict) else enumerate(value)
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


def two_counts():
    """The spans of the two calls of one tool."""
    return tools(gen_ai__tool__name=["count"] * 2, gen_ai__tool__call__id=["a", "b"])


def chatted(n, happened):
    """The span of a request, with what happened in it."""
    return span(f"m{n}", n, parent="root", happened=happened, gen_ai__operation__name="chat")


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
    def say(n):
        asked, answered = chat()[n]
        events = [{**one, "event.name": f"gen_ai.{one['role']}.message"} for one in asked]
        events += [{"message": one, "event.name": "gen_ai.choice"} for one in answered]
        return {"gen_ai__operation__name": "chat", "events": json.dumps(events)}

    return [*models(say), *two_counts()]


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


def events_of_chat():
    """The events of each request: what was asked, and the answer."""
    for asked, answered in chat():
        yield [event_of(m, False) for m in asked] + [event_of(m, True) for m in answered]


def with_span_events():
    spans = []
    for n, told in enumerate(events_of_chat()):
        events = [(name, {"gen_ai.event.content": json.dumps(body)}) for name, body in told]
        spans.append(chatted(n, events))
    return [*spans, *two_counts()]


def log_records():
    records = []
    for n, told in enumerate(events_of_chat()):
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
        told = {"gen_ai__prompt": asked, "gen_ai__completion": answered}
        return {"gen_ai__operation__name": "chat", **told}

    return [*models(say), *two_counts()]


def converse():
    """The whole run as messages of Amazon's Converse."""

    def used(call_id, given_input):
        return {"toolUse": {"toolUseId": call_id, "name": "count", "input": given_input}}

    def answered(call_id, status, part):
        return {"toolResult": {"toolUseId": call_id, "status": status, "content": [part]}}

    reasoned = {"reasoningContent": {"reasoningText": {"text": THOUGHT}}}
    return [
        {"role": "user", "content": [{"text": ASKED}]},
        {"role": "assistant", "content": [{"text": CALLED}, used("a", BARN)]},
        {"role": "user", "content": [answered("a", "error", {"text": "locked"})]},
        {"role": "assistant", "content": [reasoned, used("b", CELLAR)]},
        {"role": "user", "content": [answered("b", "success", {"json": {"pears": 7}})]},
        {"role": "assistant", "content": [{"text": SEVEN}]},
    ]


def with_converse():
    """Events with a JSON text of parts, of requests and of tools."""
    whole, names = converse(), ("user", "assistant", "tool", "assistant", "tool")
    spans = []
    for n, at in enumerate((1, 3, 5)):
        asked = [
            (f"gen_ai.{name}.message", {"content": json.dumps(one["content"])})
            for name, one in zip(names, whole[:at], strict=False)
        ]
        system = ("gen_ai.system.message", {"content": json.dumps([{"text": "Count fruit."}])})
        choice = ("gen_ai.choice", {"message": json.dumps(whole[at]["content"])})
        events = [system, *asked, choice]
        spans.append(chatted(n, events))
    for number, (name, failed) in enumerate((("a", True), ("b", False))):
        part = whole[2 * number + 2]["content"][0]["toolResult"]["content"]
        choice = ("gen_ai.choice", {"id": name, "message": json.dumps(part)})
        happened = {"parent": "root", "failed": failed, "happened": [choice]}
        spans.append(tool(f"t{number}", number + 0.5, name, **happened))
    return spans


def with_details():
    """What was asked and what was answered, each in an event of its own."""

    def reasoned(messages):
        # as they are written by Strands Agents
        return json.dumps(
            [{**one, "parts": [_reasoned(part) for part in one["parts"]]} for one in messages]
        )

    spans = []
    for n, (asked, answered) in enumerate(newest()):
        name = "gen_ai.client.inference.operation.details"
        events = [
            (name, {"gen_ai.system_instructions": "[]"}),
            (name, {"gen_ai.input.messages": reasoned(asked)}),
            (name, {"gen_ai.output.messages": reasoned(answered)}),
        ]
        spans.append(chatted(n, events))
    return [*spans, *two_counts()]


def _reasoned(part):
    if part["type"] != "reasoning":
        return part
    return {"type": "reasoningContent", "content": {"reasoningText": {"text": part["content"]}}}


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
    "events with parts of Converse": with_converse,
    "an event for what was asked and one for the answer": with_details,
}


def said(role, *texts):
    return {"role": role, "parts": [{"type": "text", "content": text} for text in texts]}


def calling(name, tool="count"):
    return {"role": "assistant", "parts": [{"type": "tool_call", "id": name, "name": tool}]}


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


SPANS = with_messages(json.dumps)
SESSION = [request(*SPANS[2:]), request(*SPANS[:2], agent(gen_ai__agent__name="counter"))]
