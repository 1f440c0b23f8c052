"""The words for a scenario's changes; each change of the steps comes with a way to undo it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from kpinspector.scoring.formula.profiles import CUSTOM, Profile
from kpinspector.scoring.whatif.scenario import AddedStep, Loss, Scenario, StepEdit
from kpinspector.trace.model import ReasoningTrace, Step, StepType
from kpinspector.trace.printable import quoted
from kpinspector.words.figures import shown_count
from kpinspector.words.say import say, say_all, say_count, say_list
from kpinspector.words.sentences import kind_word, steps_phrase

_FEWEST = 3  # adjacent steps that are left out and named together
_LONGEST = 60
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class EditLine:
    """A change of the steps in words, and the scenario without it."""

    place: str
    before: str
    after: str
    without: Scenario

    @property
    def text(self) -> str:
        """All of it."""
        if not self.before:
            return say("{place}: {after}", place=self.place, after=self.after)
        return say(
            "{place}: {before} \N{RIGHTWARDS ARROW} {after}",
            place=self.place,
            before=self.before,
            after=self.after,
        )


def profile_word(profile: Profile) -> str:
    """The name of a profile where it is chosen."""
    return say("own weights") if profile.name == CUSTOM else profile.name.replace("_", " ")


def edit_lines(scenario: Scenario, trace: ReasoningTrace) -> tuple[EditLine, ...]:
    """Every change of the steps, in their order; related changes make one line."""
    return (*_edited(scenario, trace), *_added(scenario))


def loss_sentences(loss: Loss) -> str:
    """What of a scenario no longer fits its edited trace, one sentence each."""
    sentences = []
    if loss.edits:
        numbers = [shown_count(edit.index) for edit in loss.edits[:_MOST_NAMED]]
        more = len(loss.edits) - len(numbers)
        numbers += [say("{number} more", number=shown_count(more))] if more else []
        sentences.append(
            say_count(
                "Step {which} is not there any more, so what was tried of it is left out.",
                "Steps {which} are not there any more, so what was tried of them is left out.",
                len(loss.edits),
                which=say_all(numbers),
            )
        )
    if loss.novelty:
        sentences.append(say("The text is another, so the novelty measured again does not hold."))
    return " ".join(sentences)


def _edited(scenario: Scenario, trace: ReasoningTrace) -> Iterator[EditLine]:
    waiting: list[StepEdit] = []
    for edit in (*scenario.edits, None):
        follows = edit is not None and edit.left_out and _follows(waiting, edit)
        if not follows:
            yield from _lines_of(waiting, scenario, trace)
            waiting.clear()
        if edit is not None:
            waiting.append(edit)


def _follows(waiting: list[StepEdit], edit: StepEdit) -> bool:
    return bool(waiting) and waiting[-1].left_out and waiting[-1].index + 1 == edit.index


def _lines_of(
    edits: list[StepEdit], scenario: Scenario, trace: ReasoningTrace
) -> Iterator[EditLine]:
    if len(edits) >= _FEWEST:
        first, last = edits[0].index, edits[-1].index
        without = scenario
        for edit in edits:
            without = without.with_edit(StepEdit(edit.index))
        yield EditLine(
            place=say("Steps {first} to {last}", first=shown_count(first), last=shown_count(last)),
            before=steps_phrase(len(edits)),
            after=say("left out"),
            without=without,
        )
        return
    for edit in edits:
        step = trace.steps[edit.index] if edit.index < len(trace.steps) else None
        without = scenario.with_edit(StepEdit(edit.index))
        place = say("Step {index}", index=shown_count(edit.index))
        if step is None:
            yield EditLine(place, "", say("not there any more"), without)
        else:
            yield EditLine(place, *_difference(edit, step), without)


def _difference(edit: StepEdit, step: Step) -> tuple[str, str]:
    """The values of the file, and those that are tried."""
    if edit.left_out:
        return kind_word(step.kind), say("left out")
    pairs = []
    if edit.type is not None:
        pairs.append((kind_word(step.kind), kind_word(StepType(edit.type))))
    if edit.tool is not None:
        pairs.append((_tool(step.tool_name), _tool(edit.tool)))
    before, after = (say_list(parts) for parts in zip(*pairs, strict=True))
    return before, after


def _tool(name: str | None) -> str:
    return quoted(name, _LONGEST)[1:-1] if name else say("no tool")


def _added(scenario: Scenario) -> Iterator[EditLine]:
    place = 0
    for (kind, has_tool), group in groupby(scenario.added, key=_sort_of):
        steps = tuple(group)
        kept = scenario.added[:place] + scenario.added[place + len(steps) :]
        place += len(steps)
        after = _so_many(kind, len(steps))
        if has_tool:
            after = say("{steps}, {tools}", steps=after, tools=_tools(steps))
        yield EditLine(say("Added"), "", after, replace(scenario, added=kept))


def _sort_of(step: AddedStep) -> tuple[StepType, bool]:
    return step.type, step.tool is not None


def _tools(steps: tuple[AddedStep, ...]) -> str:
    names = {step.tool for step in steps}
    if len(names) == 1:
        return _tool(steps[0].tool)
    return say_count("{number} tool", "{number} tools", len(names))


def _so_many(kind: StepType, number: int) -> str:
    return {
        StepType.THOUGHT: say_count("{number} thought", "{number} thoughts", number),
        StepType.TOOL_CALL: say_count("{number} tool call", "{number} tool calls", number),
        StepType.OBSERVATION: say_count("{number} observation", "{number} observations", number),
        StepType.ERROR_RECOVERY: say_count("{number} recovery", "{number} recoveries", number),
    }[kind]
