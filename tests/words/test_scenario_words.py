"""What a scenario changes in the steps: lines in words, each with the scenario without it."""

from kpinspector.scoring.whatif.scenario import AddedStep, Scenario, StepEdit
from kpinspector.trace.model import StepType
from kpinspector.words.changes import edit_lines
from tests.ui.documents import trace

TRACE = trace()


def lines(*edits, added=(), of=TRACE, **more):
    scenario = Scenario(edits=edits, added=added, **more)
    return edit_lines(scenario, of)


def test_each_edit_says_what_the_file_has_and_what_is_tried():
    found = lines(
        StepEdit(0, type=StepType.OBSERVATION),
        StepEdit(1, tool="lab.query"),
        StepEdit(2, left_out=True),
        StepEdit(3, type=StepType.THOUGHT, tool=""),
    )
    assert [(line.place, line.before, line.after) for line in found] == [
        ("Step 0", "Thought", "Observation"),
        ("Step 1", "ehr.read", "lab.query"),
        ("Step 2", "Observation", "left out"),
        ("Step 3", "Recovery, lab.query", "Thought, no tool"),
    ]
    assert found[1].text == "Step 1: ehr.read \N{RIGHTWARDS ARROW} lab.query"


def test_each_line_is_taken_back_alone():
    first, second = StepEdit(0, left_out=True), StepEdit(1, tool="x")
    added = (AddedStep(StepType.THOUGHT), AddedStep(StepType.ERROR_RECOVERY))
    found = lines(first, second, added=added, threshold=0.5)
    rest = [line.without for line in found]
    assert rest[0] == Scenario(edits=(second,), added=added, threshold=0.5)
    assert rest[1] == Scenario(edits=(first,), added=added, threshold=0.5)
    assert rest[2] == Scenario(edits=(first, second), added=added[1:], threshold=0.5)
    assert rest[3] == Scenario(edits=(first, second), added=added[:1], threshold=0.5)


def test_steps_left_out_one_after_another_are_one_line():
    of = trace([{"type": "thought", "content": str(n)} for n in range(2000)])
    gone = tuple(StepEdit(n, left_out=True) for n in (2, 3, *range(5, 1200), 1300))
    found = lines(*gone, of=of)
    assert [line.text for line in found] == [
        "Step 2: Thought \N{RIGHTWARDS ARROW} left out",
        "Step 3: Thought \N{RIGHTWARDS ARROW} left out",
        "Steps 5 to 1,199: 1,195 steps \N{RIGHTWARDS ARROW} left out",
        "Step 1,300: Thought \N{RIGHTWARDS ARROW} left out",
    ]
    assert found[2].without.left_out == {2, 3, 1300}


def test_an_edit_between_them_keeps_its_own_line():
    of = trace([{"type": "thought"}] * 9)
    edits = [StepEdit(n, left_out=True) for n in (0, 1, 2, 4, 5, 6)]
    edits.insert(3, StepEdit(3, type=StepType.OBSERVATION))
    assert [line.place for line in lines(*edits, of=of)] == [
        "Steps 0 to 2",
        "Step 3",
        "Steps 4 to 6",
    ]


def test_added_steps_are_counted_by_what_they_are():
    calls = tuple(AddedStep(StepType.TOOL_CALL, f"another tool {n}") for n in range(3))
    recoveries = (AddedStep(StepType.ERROR_RECOVERY),) * 2
    found = lines(added=(*recoveries, *calls, AddedStep(StepType.TOOL_CALL, "grep")))
    assert [line.after for line in found] == ["2 recoveries", "4 tool calls, 4 tools"]
    (alone,) = lines(added=(AddedStep(StepType.TOOL_CALL, "grep"),))
    assert alone.text == "Added: 1 tool call, grep"


def test_a_step_that_the_file_has_no_more_says_so():
    (line,) = lines(StepEdit(99, tool="x"))
    assert line.text == "Step 99: not there any more"


def test_names_of_tools_are_shown_short_and_without_controls():
    of = trace([{"type": "tool_call", "tool": {"name": "a\nb\x00" + "c" * 500}}])
    (line,) = lines(StepEdit(0, tool="d\te" * 99), of=of)
    assert len(line.text) < 160 and line.text.isprintable()
