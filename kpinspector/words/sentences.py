"""Sentences with strong runs, and the words that all answers share: verdicts, steps, marks.

Nothing here is markup. A sentence is a tuple of runs, and a strong run is a cause or a name. A run
may hold text from a trace, which is shown as it stands.
"""

from dataclasses import dataclass
from itertools import chain
from string import Formatter
from typing import TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import MARK_DIMENSIONS, Verdict
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.model import Mark, StepType
from kpinspector.words.say import Names, capitalised, in_words, say, say_count, template

_DIMENSIONS = {
    Dimension.COMPLEXITY: Phrase("complexity"),
    Dimension.NOVELTY: Phrase("novelty"),
    Dimension.TOOL_DIVERSITY: Phrase("tool diversity"),
    Dimension.OUTCOME_CONFIDENCE: Phrase("outcome"),
}
_RULES = {
    Rule.SINGLE_THOUGHT: Phrase("single thought"),
    Rule.RECOVERY_BONUS: Phrase("recovery bonus"),
    Rule.TOOL_MONOTONY: Phrase("tool monotony"),
}
_DIMENSION_TIPS = {
    Dimension.COMPLEXITY: Phrase("From the number of step types, recoveries and steps"),
    Dimension.NOVELTY: Phrase("1 less the similarity to the nearest remembered trace"),
    Dimension.TOOL_DIVERSITY: Phrase("How many different tools there are for its steps"),
    Dimension.OUTCOME_CONFIDENCE: Phrase("Its confidence, of which 0.3 counts where it failed"),
}
DIMENSION_NAMES, DIMENSION_WORDS = Names(_DIMENSIONS, capital=True), Names(_DIMENSIONS)
RULE_NAMES, RULE_WORDS = Names(_RULES, capital=True), Names(_RULES)
TERM_WORDS: Names[Dimension | Rule] = Names(dict(chain(_DIMENSIONS.items(), _RULES.items())))
MARK_WORDS = Names(
    {
        Mark.NEW_TYPE: Phrase("new type"),
        Mark.FIRST_TOOL: Phrase("first use"),
        Mark.RECOVERY: Phrase("recovery"),
    }
)
_KIND_WORDS = Names(
    {
        StepType.THOUGHT: Phrase("Thought"),
        StepType.TOOL_CALL: Phrase("Tool call"),
        StepType.OBSERVATION: Phrase("Observation"),
        StepType.ERROR_RECOVERY: Phrase("Recovery"),
    }
)


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a sentence; ``strong``: a cause or a name; ``key``: that of the trace it names."""

    text: str
    strong: bool = False
    key: str = ""


Sentence: TypeAlias = tuple[Run, ...]


def say_sentence(message: str, /, **named: "str | Sentence") -> Sentence:
    """The message as runs: text between asterisks is strong, and so are strong runs in a place."""
    runs: list[Run] = []
    for number, part in enumerate(template(message).split("*")):
        strong = number % 2 == 1
        for text, name, _form, _kind in Formatter().parse(part):
            filling = named[name] if name else ()
            runs += [Run(text, strong)] if text else []
            runs += (Run(in_words(filling), strong),) if isinstance(filling, str) else filling
    return tuple(runs)


def joined(*sentences: Sentence) -> Sentence:
    """The sentences that are not empty as one, with spaces between them."""
    runs = [run for sentence in sentences if sentence for run in (Run(" "), *sentence)]
    return tuple(runs[1:])


def text_of(sentence: Sentence) -> str:
    """A sentence without its emphasis."""
    return "".join([run.text for run in sentence])


def verdict_word(verdict: Verdict | None, *, assumed: bool = False, running: bool = False) -> str:
    """The verdict with a capital, to begin an answer."""
    return capitalised(verdict_phrase(verdict, assumed=assumed, running=running))


def verdict_phrase(verdict: Verdict | None, *, assumed: bool = False, running: bool = False) -> str:
    """The verdict within a sentence or a table; with "so far" for a ``running`` recording."""
    if verdict is None:
        return say("pending")
    words = {
        Verdict.ACCEPTED: say("accepted"),
        Verdict.REJECTED: say("rejected"),
        Verdict.UNDECIDED: say("undecided"),
    }[verdict]
    words = say("{verdict} so far", verdict=words) if running else words
    return say("{words}, assumed", words=words) if assumed else words


def steps_phrase(number: int) -> str:
    """The number of steps in words."""
    return say_count("{number} step", "{number} steps", number) if number else say("no steps")


def kind_word(kind: StepType | None) -> str:
    """The word for a kind of step."""
    return say("Unknown type") if kind is None else _KIND_WORDS[kind]


def mark_phrase(mark: Mark) -> str:
    """The words for a mark, for readers who do not see its badge."""
    dimension = DIMENSION_WORDS[MARK_DIMENSIONS[mark]]
    return say("{dimension}: {note}", dimension=dimension, note=MARK_WORDS[mark])


def head_tip(head: str) -> str:
    """The tool tip for the head of a column or a section; "" if there is none."""
    tips = {
        **{DIMENSION_NAMES[one]: in_words(tip) for one, tip in _DIMENSION_TIPS.items()},
        say("Trace"): say("Its file, and its place in it"),
        say("Steps"): say("How many there are"),
        say("Objective"): say("What the run was asked to do"),
        say("Source"): say("Where it was read from"),
        say("Changed"): say("When its file was last written"),
        say("Score"): say("From the four dimensions, their weights and three overrides"),
        say("Margin"): say("By how much the score passes the threshold, or is short of it"),
        say("Needs"): say("What would have to be better for the trace to pass"),
        say("Greatest loss"): say("The dimension, rule or gate that costs most"),
        say("Fired rules"): say("The overrides that changed the weighted sum"),
        say("Group"): say("Traces of nearly the same text have the same number"),
        say("Place in the plan"): say("When to contribute it, so that the most traces pass"),
        say("Leaves in clear"): say("How much would be posted as it stands"),
        say("Profile"): say("The weights of the four dimensions, chosen by the task domain"),
        say("value"): say("From 0 to 1, by the formula of the dimension"),
        say("weight"): say("How much of the value counts in this profile"),
        say("adds"): say("Value times weight: the part of the weighted sum"),
        say("lost"): say("What is missing to the full weight"),
        say("similarity"): say("Cosine of both texts: 1 for the same, 0 for nothing alike"),
        say("verdicts changed in the list"): say("How many traces of the list it would turn"),
        say("score at its place"): say("When all before it in the plan are contributed"),
        say("most similar before it"): say("The earlier trace that sets its novelty"),
        say("Computed again"): say("Whether the files still give what the report says"),
        "#": say("The place in the order"),
        say("Kind"): say("What the step is, and the tool it used"),
        say("Content"): say("What was thought, done or seen"),
        say("ms"): say("How long the step took, in milliseconds"),
        say("Counts for"): say("A new type, a first tool or a recovery raises the score"),
        say("Dimensions"): say("Four values; each times its weight is a part of the score"),
        say("Overrides"): say("Three rules that change the weighted sum"),
        say("How it adds up"): say("From 0 to the score, a part a line"),
        say("What would change it"): say(
            "Each line reaches the threshold, and was run through the formula"
        ),
        say("Order"): say("The score had it come at another place"),
        say("What they need to pass"): say("How many traces lack what; choose one to see them"),
        say("What would help most"): say("How many would pass with that one change"),
        say("Accepted against rejected"): say("Where the values of both lie"),
    }
    return tips.get(head) or tips.get(capitalised(head), "")
