"""What reading traces costs: four times the file is about four times the work."""

import json
import sys

import pytest

from kpinspector.runs.read import contents_of
from kpinspector.runs.readers import formats
from tests.runs.made import taken
from tests.runs.traces import (
    TRACE,
    agent,
    calling,
    flat,
    id_of,
    log_records,
    logged,
    model,
    request,
    said,
    span,
    tool,
)

MORE = 4
MOST = 5  # times the work for MORE times the bytes
RESULT = {"role": "tool", "parts": [{"type": "tool_call_response", "result": "same"}]}


def instructions(records) -> int:
    """How many instructions the interpreter runs to read them, whatever the machine."""
    count = 0
    formats()  # imported before it is counted

    def step(frame, event, _):
        nonlocal count
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        count += event == "opcode"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        contents_of(taken("otlp", *records), "made", b"")
    finally:
        sys.settrace(before)
    return count


def trace(number):
    return f"{number + 1:032x}"


def bare(count):
    return [span(f"s{n}", n, trace=trace(n)) for n in range(count)]


def silent_requests(count):
    return [span(f"s{n}", n, trace=trace(n), gen_ai__operation__name="chat") for n in range(count)]


def silent_requests_of_one_trace(count):
    return [span(f"s{n}", n, gen_ai__operation__name="chat") for n in range(count)]


def runs_of_their_own(count):
    return [
        model(f"s{n}", n, [said("user", f"Q{n}")], said("assistant", f"A{n}"), trace=TRACE)
        for n in range(count)
    ]


def equal_runs(count):
    return [
        model(f"s{n}", n, [said("user", "Q")], said("assistant", "A"), trace=trace(n))
        for n in range(count)
    ]


def sessions_and_tools_of_others(count):
    asked = [model(f"s{n}", n, [said("user", f"Q{n}")], session__id=f"s{n}") for n in range(count)]
    return asked + [tool(f"t{n}", n, f"c{n}", session__id=f"o{n}") for n in range(count)]


def a_growing_history(count):
    history, spans = [said("user", "Q")], []
    for n in range(count):
        answer = said("assistant", f"A{n}")
        spans.append(model(f"s{n}", n, list(history), answer, trace=trace(n)))
        history += [answer, said("user", f"Q{n}")]
    return spans


def results_without_ids(count):
    calls = {
        "role": "assistant",
        "parts": [{"type": "tool_call", "name": "count"} for _ in range(count)],
    }
    return [model("m", 0, [said("user", "Q"), calls, *[RESULT] * count])]


def results_of_no_call(count):
    return [model("m", 0, [said("user", "Q"), calling("x"), *[RESULT] * count])]


def one_id_for_all(count):
    calls = [calling("x") for _ in range(count)]
    return [model("m", 0, [said("user", "Q"), *calls])] + [
        tool(f"t{n}", n + 1, "x") for n in range(count)
    ]


def tools_without_ids(count):
    use = {"openinference__span__kind": "TOOL", "tool__name": "count", "output__value": "same"}
    return [model("m", 0, [said("user", "Q")])] + [span(f"t{n}", n, **use) for n in range(count)]


def answers_that_only_think(count):
    thought = {"role": "assistant", "parts": [{"type": "reasoning", "content": "Hm."}]}
    return [model(f"s{n}", n, [said("user", "Q")], thought) for n in range(count)]


def a_request_that_tells_of_all(count):
    """Each text of it stands in runs of its own."""
    own = [
        model(f"s{n}", n, [said("user", f"Q{n}")], said("assistant", f"A{n}")) for n in range(count)
    ]
    return [*own, model("last", count, [said("user", f"Q{n}") for n in range(count)])]


def each_in_the_one_before(count):
    return [
        model(f"s{n}", n, [said("user", f"Q{n}")], parent=f"s{n - 1}" if n else "")
        for n in range(count)
    ]


def silent_ones_in_agents(count):
    around = [agent(f"r{n}", n, parent=f"r{n - 1}" if n else "") for n in range(count)]
    return around + [
        span(f"s{n}", n, parent=f"r{n}", gen_ai__operation__name="chat") for n in range(count)
    ]


def sub_agents(count):
    return [
        one
        for n in range(count)
        for one in (
            tool(f"t{n}", n, f"c{n}"),
            model(f"m{n}", n, [said("user", "Q")], parent=f"t{n}"),
        )
    ]


def numbered_attributes(count):
    messages = flat("gen_ai.prompt", [{"role": "user", "content": f"Q{n}"} for n in range(count)])
    return [span("m", 0, gen_ai__operation__name="chat", **messages)]


# each with a number of spans at which its own work outweighs what any span costs
FILES = {
    bare: 60,
    silent_requests: 60,
    silent_requests_of_one_trace: 60,
    runs_of_their_own: 60,
    equal_runs: 60,
    sessions_and_tools_of_others: 60,
    a_growing_history: 12,
    results_without_ids: 60,
    results_of_no_call: 60,
    one_id_for_all: 200,
    tools_without_ids: 60,
    answers_that_only_think: 60,
    a_request_that_tells_of_all: 60,
    each_in_the_one_before: 60,
    silent_ones_in_agents: 60,
    sub_agents: 60,
    numbered_attributes: 60,
}


@pytest.mark.parametrize(("made", "count"), FILES.items(), ids=[made.__name__ for made in FILES])
def test_four_times_the_bytes_are_about_four_times_the_work(made, count):
    small, large = ([request(one) for one in made(number)] for number in (count, MORE * count))
    bytes_more = len(json.dumps(large)) / len(json.dumps(small))
    assert instructions(large) <= instructions(small) * bytes_more * MOST / MORE


def test_log_records_are_about_as_much_work_as_they_are_bytes():
    def made(count):
        return [
            logged(*({**one, "spanId": id_of(f"{n}")} for one in log_records()))
            for n in range(count)
        ]

    assert instructions(made(MORE * 10)) <= instructions(made(10)) * MOST
