"""The words for what would change a score, what a trace needs to pass, and what is tried."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from kpinspector.phrase import Phrase
from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import Assessment, Cause, Gate, values_of
from kpinspector.scoring.formula.measurement import Facts, Measurement
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import CUSTOM, Profile
from kpinspector.scoring.whatif.changes import Change, ChangeKind, Combination, StepCounts
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals
from kpinspector.scoring.whatif.reach import ReachKind, ReachRange, TraceReach
from kpinspector.scoring.whatif.scenario import Loss, Scenario, StepEdit
from kpinspector.trace.model import ReasoningTrace, StepType
from kpinspector.trace.printable import quoted
from kpinspector.words import figures, page, sentences
from kpinspector.words.page import Cell, Section, dimension_cell, paragraph, table
from kpinspector.words.say import (
    Names,
    capitalised,
    forms,
    in_words,
    say,
    say_all,
    say_any,
    say_count,
    say_list,
    say_number,
)
from kpinspector.words.sentences import RULE_WORDS, Sentence, kind_word, say_sentence

NOT_ADVICE = Phrase("the formula, not advice")
_SMALL_NUMBERS = Names({1: Phrase("one"), 2: Phrase("two"), 3: Phrase("three")})
_ADDED = {
    StepType.THOUGHT: forms("{number} thought", "{number} thoughts"),
    StepType.TOOL_CALL: forms("{number} tool call", "{number} tool calls"),
    StepType.OBSERVATION: forms("{number} observation", "{number} observations"),
    StepType.ERROR_RECOVERY: forms("{number} recovery", "{number} recoveries"),
}
_MIXED = forms("{number} step added or of another type", "{number} steps added or of other types")
_STEPS = {
    ChangeKind.RECOVERIES: forms("{number} more recovery step", "{number} more recovery steps"),
    ChangeKind.OBSERVATIONS: forms("{number} more observation", "{number} more observations"),
    ChangeKind.TOOLS: forms("{number} more call of a new tool", "{number} more calls of new tools"),
    ChangeKind.RENAMES: forms(
        "{number} new tool in place of one", "{number} new tools in place of repeats"
    ),
    ChangeKind.TYPES: forms("{number} step of another type", "{number} steps of other types"),
    ChangeKind.NEW_TYPES: forms(
        "{number} more step of a new type", "{number} more steps of new types"
    ),
    ChangeKind.THOUGHTS: forms("{number} more thought", "{number} more thoughts"),
    ChangeKind.REMOVALS: forms("{number} step fewer", "{number} steps fewer"),
}
REACH_NAMES = Names(
    {
        ReachKind.ACCEPTED: Phrase("as it is"),
        ReachKind.SCHEMA: Phrase("once its schema is right"),
        ReachKind.NOVELTY: Phrase("with more novelty"),
        ReachKind.OUTCOME: Phrase("with a better outcome"),
        ReachKind.BOTH: Phrase("with a better outcome and more novelty"),
        ReachKind.STRUCTURE: Phrase("not with its steps"),
        ReachKind.UNDECIDED: Phrase("undecided"),
    }
)
REACH_WORDS = Names(
    {
        ReachKind.ACCEPTED: Phrase("nothing"),
        ReachKind.SCHEMA: Phrase("schema"),
        ReachKind.NOVELTY: Phrase("novelty"),
        ReachKind.OUTCOME: Phrase("outcome"),
        ReachKind.BOTH: Phrase("outcome and novelty"),
        ReachKind.STRUCTURE: Phrase("other steps"),
        ReachKind.UNDECIDED: Phrase("a known outcome"),
    }
)
REACH_PHRASES = Names(
    {
        ReachKind.ACCEPTED: Phrase("passes"),
        ReachKind.SCHEMA: Phrase("would pass, but is refused by the schema"),
        ReachKind.NOVELTY: Phrase("passes with more novelty"),
        ReachKind.OUTCOME: Phrase("passes with a better outcome"),
        ReachKind.BOTH: Phrase("passes with a better outcome and more novelty"),
        ReachKind.STRUCTURE: Phrase("cannot pass with these steps"),
        ReachKind.UNDECIDED: Phrase("hangs on an outcome that is not known"),
    }
)
_CERTAIN = figures.shown_at_least(1.0)
_NOT_AT_ALL = figures.shown_at_most(0.0)


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """A change in words: what it is, what to know beside it, the score after it."""

    change: str
    beside: str
    score: str = ""


def change_words(found: Change | Combination, measurement: Measurement) -> ChangeWords:
    """All changes in one line, the present values beside them, and the score after them.

    Bounds are rounded to the side on which they still hold.
    """
    changes = found.changes if isinstance(found, Combination) else (found,)
    remarks = [change_remarks(one, measurement) for one in changes]
    return ChangeWords(
        change=capitalised(say_all([change_phrase(one) for one in changes])),
        beside=say_list((*remarks, *flip_words(found.after, found.flips))),
        score=figures.shown_reach(found.after.score, found.after.threshold),
    )


def change_phrase(change: Change) -> str:
    """A change as part of a sentence; a bound is rounded to the side where it still holds."""
    least = figures.shown_at_least(change.amount)
    match change.kind:
        case ChangeKind.SUCCESS:
            return say("success instead of failure")
        case ChangeKind.SIMILARITY:
            return say("similarity at most {value}", value=figures.shown_at_most(change.amount))
        case ChangeKind.OUTCOME:
            return say("success with confidence at least {value}", value=least)
        case ChangeKind.VALUE if change.dimension is not None:
            name = sentences.DIMENSION_WORDS[change.dimension]
            return say("{dimension} at least {value}", dimension=name, value=least)
        case ChangeKind.VALUE | ChangeKind.CONFIDENCE:
            return say("confidence at least {value}", value=least)
    number = int(change.amount)
    few = _SMALL_NUMBERS.get(number, figures.shown_count(number))
    mixed = change.scenario.added and change.scenario.edits
    return say_number(_MIXED if mixed else _STEPS[change.kind], number, few)


def change_remarks(change: Change, measurement: Measurement) -> str:
    """The present value of what is changed, or a remark on the change; may be empty."""
    facts, similarity = measurement.facts, measurement.novelty.max_similarity
    match change.kind:
        case ChangeKind.REMOVALS:
            steps = shown_places(sorted(change.scenario.left_out))
            return say("without {steps}, novelty held", steps=steps)
        case ChangeKind.CONFIDENCE | ChangeKind.OUTCOME:
            now = figures.shown_short(facts.confidence)
        case ChangeKind.SIMILARITY if similarity is not None:
            now = figures.shown_number(similarity)
        case ChangeKind.VALUE if change.dimension is not None:
            now = figures.shown_value(
                values_of(facts, measurement.novelty.value).of(change.dimension)
            )
        case ChangeKind.TOOLS | ChangeKind.RENAMES:
            tools = say_count("{number} tool", "{number} tools", facts.unique_tools)
            now = tools if facts.unique_tools else say("none")
        case _:
            return ""
    return say("now {value}", value=now)


def flip_words(after: Assessment, flips: Iterable[Rule]) -> list[str]:
    """A phrase for each rule that fires only after the changes, or only before."""
    fired = {override.rule for override in after.overrides if override.applied}
    return [
        say("{rule} fires", rule=RULE_WORDS[rule])
        if rule in fired
        else say("{rule} no longer fires", rule=RULE_WORDS[rule])
        for rule in flips
    ]


def shown_places(steps: Sequence[int]) -> str:
    """Steps by their numbers; consecutive ones as a range."""
    numbered = groupby(enumerate(steps), lambda one: one[1] - one[0])
    runs = ([step for _, step in group] for _, group in numbered)
    shown = [
        figures.shown_range(figures.shown_count(one[0]), figures.shown_count(one[-1]))
        for one in runs
    ]
    return say_count("step {steps}", "steps {steps}", len(steps), steps=say_list(shown))


def cause_name(cause: Cause) -> str:
    """The name of the main cause of a rejection, in a word or two."""
    return say("schema") if isinstance(cause, Gate) else sentences.TERM_WORDS[cause]


def reach_answer(reach: TraceReach, measurement: Measurement, threshold: float) -> Sentence:
    """A sentence on what a trace needs to pass; empty where it passes."""
    most = "" if reach.similarity is None else figures.shown_at_most(reach.similarity)
    match reach.kind:
        case ReachKind.ACCEPTED | ReachKind.SCHEMA:
            return ()
        case ReachKind.NOVELTY if measurement.novelty.basis is Basis.EMPTY_CACHE:
            least = figures.shown_at_least(1.0 - (reach.similarity or 0.0))
            return say_sentence("It needs a novelty of {least}.", least=least)
        case ReachKind.NOVELTY if most == _NOT_AT_ALL:
            return say_sentence("It passes where nothing is similar to it at all.")
        case ReachKind.NOVELTY:
            return say_sentence(
                "It passes where nothing is more than {similarity} similar.", similarity=most
            )
        case ReachKind.STRUCTURE:
            best = figures.shown_score(reach.at_best, threshold)
            return say_sentence("*Its own steps* allow {score} at most.", score=best)
    needed = outcome_phrase(reach, measurement.facts)
    if most:
        needed = say("{ending} and similarity {similarity} or less", ending=needed, similarity=most)
    return say_sentence("It needs {needed}.", needed=needed)


def outcome_phrase(reach: TraceReach, facts: Facts) -> str:
    """The outcome that a trace needs to pass."""
    least = reach.confidence
    if least is None or least <= facts.confidence:
        return say("success")
    confidence = say("confidence {value} or more", value=figures.shown_at_least(least))
    if figures.shown_at_least(least) == _CERTAIN:
        confidence = say("confidence 1")
    if facts.success:
        return confidence
    return say("success, {confidence}", confidence=confidence)


def _counted(counts: StepCounts) -> Iterator[str]:
    if counts.tools:
        yield say_count("one more tool", "{number} more tools", counts.tools)
    if counts.recoveries:
        yield say_count("one more recovery", "{number} more recoveries", counts.recoveries)
    if counts.types:
        yield say_count("a step of a new type", "{number} steps of new types", counts.types)
    if counts.removals:
        yield say_count("one step fewer", "{number} steps fewer", counts.removals)


def reach_section(
    reach: ReachRange, facts: Facts, needed: Sequence[StepCounts], threshold: float
) -> Section:
    """What a trace needs to pass; by the worst and the best outcome where it is not known."""
    if reach.kind is ReachKind.ACCEPTED:
        return Section(say("What it needs to pass"), ())
    known = reach.low is reach.high
    worst, best = facts.outcome_ends
    ends = ((reach.low, facts),) if known else ((reach.low, worst), (reach.high, best))
    names = (
        *(say("passes"), say("with novelty 1"), say("and the best outcome")),
        *(say("similarity at most"), say("outcome")),
    )
    cells = zip(names, *(_end(one, its, threshold) for one, its in ends), strict=True)
    rows = [(name, *row) for name, *row in cells if any(cell.text for cell in row)]
    heads = ("", "") if known else ("", say("worst outcome"), say("best outcome"))
    blocks: list[page.Block] = [table(heads, rows)]
    if needed:
        steps = say_any([say_all([*_counted(one)]) for one in needed])
        blocks.append(paragraph(say("It needs {steps}.", steps=steps)))
    return Section(say("What it needs to pass"), tuple(blocks))


def _end(reach: TraceReach, facts: Facts, threshold: float) -> tuple[Cell, ...]:
    similarity = "" if reach.similarity is None else figures.shown_at_most(reach.similarity)
    ending = "" if reach.confidence is None else outcome_phrase(reach, facts)
    return (
        Cell(REACH_NAMES[reach.kind]),
        Cell(figures.shown_score(reach.if_new, threshold), reach.if_new),
        Cell(figures.shown_score(reach.at_best, threshold), reach.at_best),
        Cell(similarity, reach.similarity),
        Cell(ending, reach.confidence),
    )


def changes_section(found: Counterfactuals, measurement: Measurement) -> Section:
    """The changes that would bring a score to the threshold."""
    blocks: list[page.Block] = []
    if not found.changes:
        blocks.append(paragraph(say("No single change reaches the threshold.")))
    heads = (say("remarks"), *page.figures(say("score")), say("then"))
    for name, listed in (
        (say("change"), found.changes),
        (say("changes together"), found.combinations),
    ):
        if listed:
            rows: list[tuple[str | Cell, ...]] = []
            for one in listed:
                words, after = change_words(one, measurement), one.after
                dimension = one.dimension if isinstance(one, Change) else None
                score, then = Cell(words.score, after.score), page.verdict_cell(after.verdict)
                rows.append((Cell(words.change, dimension=dimension), words.beside, score, then))
            blocks.append(table((name, *heads), rows))
    # the value that each dimension alone would need, or else a change of it that is enough
    alone: list[tuple[Cell, ...]] = []
    first = {one.dimension: one for one in reversed(found.changes)}
    for need in found.needed:
        if (change := first.get(need.dimension)) is not None:
            least, now = change_phrase(change), Cell(figures.shown_value(need.now), need.now)
            least = least if need.value is None else figures.shown_at_least(need.value)
            alone.append((dimension_cell(need.dimension), now, Cell(least, need.value)))
    if alone:
        names = (say("dimension alone"), *page.figures(say("now"), say("needs")))
        blocks.append(table(names, alone))
    return Section(say("What would change it"), tuple(blocks), in_words(NOT_ADVICE))


_FEWEST = 3  # adjacent steps left out that share a line
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
        """The whole line."""
        if not self.before:
            return say("{place}: {after}", place=self.place, after=self.after)
        return say(
            "{place}: {before} \N{RIGHTWARDS ARROW} {after}",
            place=self.place,
            before=self.before,
            after=self.after,
        )


def profile_word(profile: Profile) -> str:
    """The name of a profile as the window lists it; "own weights" for a custom one."""
    return say("own weights") if profile.name == CUSTOM else profile.name.replace("_", " ")


def edit_lines(scenario: Scenario, trace: ReasoningTrace) -> tuple[EditLine, ...]:
    """Every change of the steps, in their order; related changes make one line."""
    lines: list[EditLine] = []
    numbered = enumerate(scenario.edits)
    # adjacent steps that are left out become one group
    for gap, group in groupby(
        numbered, lambda one: one[1].index - one[0] if one[1].left_out else None
    ):
        edits = [edit for _, edit in group]
        if gap is not None and len(edits) >= _FEWEST:
            without = scenario
            for edit in edits:
                without = without.with_edit(StepEdit(edit.index))
            first, last = (figures.shown_count(edits[place].index) for place in (0, -1))
            place, many = say("Steps {first} to {last}", first=first, last=last), len(edits)
            lines.append(EditLine(place, sentences.steps_phrase(many), say("left out"), without))
        else:
            lines += (_edited(edit, scenario, trace) for edit in edits)
    return (*lines, *_added(scenario))


def loss_sentences(loss: Loss) -> str:
    """What of a scenario no longer fits its edited trace, one sentence each."""
    said = []
    if loss.edits:
        numbers = [figures.shown_count(edit.index) for edit in loss.edits[:_MOST_NAMED]]
        more = len(loss.edits) - len(numbers)
        numbers += [say("{number} more", number=figures.shown_count(more))] if more else []
        said.append(
            say_count(
                "Step {which} is not there any more, so what was tried of it is left out.",
                "Steps {which} are not there any more, so what was tried of them is left out.",
                len(loss.edits),
                which=say_all(numbers),
            )
        )
    if loss.novelty:
        said.append(say("The text is another, so the novelty measured again does not hold."))
    return " ".join(said)


def _edited(edit: StepEdit, scenario: Scenario, trace: ReasoningTrace) -> EditLine:
    without = scenario.with_edit(StepEdit(edit.index))
    place = say("Step {index}", index=figures.shown_count(edit.index))
    if edit.index >= len(trace.steps):
        return EditLine(place, "", say("not there any more"), without)
    step, pairs = trace.steps[edit.index], []
    if edit.left_out:
        return EditLine(place, kind_word(step.kind), say("left out"), without)
    if edit.type is not None:
        pairs.append((kind_word(step.kind), kind_word(StepType(edit.type))))
    if edit.tool is not None:
        pairs.append((_tool(step.tool_name), _tool(edit.tool)))
    before, after = (say_list(parts) for parts in zip(*pairs, strict=True))
    return EditLine(place, before, after, without)


def _tool(name: str | None) -> str:
    return quoted(name, _LONGEST)[1:-1] if name else say("no tool")


def _added(scenario: Scenario) -> Iterator[EditLine]:
    place = 0
    for (kind, has_tool), group in groupby(
        scenario.added, lambda step: (step.type, step.tool is not None)
    ):
        steps = tuple(group)
        kept = scenario.added[:place] + scenario.added[place + len(steps) :]
        place += len(steps)
        after, names = say_number(_ADDED[kind], len(steps)), {step.tool for step in steps}
        if has_tool:
            tools = say_count("{number} tool", "{number} tools", len(names))
            tools = _tool(steps[0].tool) if len(names) == 1 else tools
            after = say("{steps}, {tools}", steps=after, tools=tools)
        yield EditLine(say("Added"), "", after, replace(scenario, added=kept))
