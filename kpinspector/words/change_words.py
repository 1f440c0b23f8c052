"""The words for what would change a score: what the formula does, not advice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Assessment, values_of
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.whatif.changes import Change, ChangeKind
from kpinspector.words.figures import (
    shown_at_least,
    shown_at_most,
    shown_count,
    shown_number,
    shown_range,
    shown_reach,
    shown_short,
    shown_value,
)
from kpinspector.words.say import Names, say, say_count, say_list
from kpinspector.words.sentences import DIMENSION_WORDS, RULE_WORDS, capitalised

NOT_ADVICE = Phrase("the formula, not advice")

_SMALL_NUMBERS = Names({1: Phrase("one"), 2: Phrase("two"), 3: Phrase("three")})
_RENAMES = Names(
    {
        2: Phrase("a second tool in place of one"),
        3: Phrase("a third tool in place of one"),
        4: Phrase("a fourth tool in place of one"),
        5: Phrase("a fifth tool in place of one"),
    }
)


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """A change in words: what it is, what to know beside it, the score after it."""

    change: str
    beside: str
    score: str


def change_words(change: Change, measurement: Measurement) -> ChangeWords:
    """The words for a change; its bounds are rounded to the side on which they still hold."""
    after = change.after
    remarks = (change_remarks(change, measurement), *flip_words(after, change.flips))
    return ChangeWords(
        change=capitalised(change_phrase(change, measurement)),
        beside=say_list(remarks),
        score=shown_reach(after.score, after.threshold),
    )


def change_phrase(change: Change, measurement: Measurement) -> str:
    """The change as within a sentence; a bound is rounded to the side where it still holds."""
    match change.kind:
        case ChangeKind.SUCCESS:
            return say("success instead of failure")
        case ChangeKind.RENAMES if change.amount == 1:
            another = say("another tool in place of one")
            return _RENAMES.get(measurement.facts.unique_tools + 1, another)
        case ChangeKind.SIMILARITY | ChangeKind.OUTCOME | ChangeKind.CONFIDENCE | ChangeKind.VALUE:
            return _bound(change)
    if change.scenario.added and change.scenario.edits:
        number = int(change.amount)
        return say_count(
            "{few} step added or of another type",
            "{few} steps added or of other types",
            number,
            few=_few(number),
        )
    return _steps(change.kind, int(change.amount))


def _bound(change: Change) -> str:
    least = shown_at_least(change.amount)
    match change.kind:
        case ChangeKind.SIMILARITY:
            return say("similarity at most {value}", value=shown_at_most(change.amount))
        case ChangeKind.OUTCOME:
            return say("success, and confidence at least {value}", value=least)
        case ChangeKind.VALUE if change.dimension is not None:
            name = DIMENSION_WORDS[change.dimension]
            return say("{dimension} at least {value}", dimension=name, value=least)
    return say("confidence at least {value}", value=least)


def _steps(kind: ChangeKind, number: int) -> str:
    """A change of some number of steps."""
    few = _few(number)
    return {
        ChangeKind.RECOVERIES: say_count(
            "{few} more recovery step", "{few} more recovery steps", number, few=few
        ),
        ChangeKind.OBSERVATIONS: say_count(
            "{few} more observation", "{few} more observations", number, few=few
        ),
        ChangeKind.TOOLS: say_count(
            "{few} more call of a new tool", "{few} more calls of new tools", number, few=few
        ),
        ChangeKind.RENAMES: say_count(
            "{few} new tool in place of one", "{few} new tools in place of repeats", number, few=few
        ),
        ChangeKind.TYPES: say_count(
            "{few} step of another type", "{few} steps of other types", number, few=few
        ),
        ChangeKind.NEW_TYPES: say_count(
            "{few} more step of a new type", "{few} more steps of new types", number, few=few
        ),
        ChangeKind.THOUGHTS: say_count(
            "{few} more thought", "{few} more thoughts", number, few=few
        ),
        ChangeKind.REMOVALS: say_count("{few} step fewer", "{few} steps fewer", number, few=few),
    }[kind]


def _few(number: int) -> str:
    return _SMALL_NUMBERS.get(number, shown_count(number))


def change_remarks(change: Change, measurement: Measurement) -> str:
    """What is so now of what is changed, or what else to know of the change."""
    match change.kind:
        case ChangeKind.REMOVALS:
            steps = shown_places(sorted(change.scenario.left_out))
            return say("without {steps}, novelty held", steps=steps)
        case ChangeKind.THOUGHTS if not change.reaches:
            return say("lower") if change.after.score < change.before else say("not enough")
    now = _now(change, measurement)
    return say("now {value}", value=now) if now else ""


def _now(change: Change, measurement: Measurement) -> str:
    """The present value of what is changed; empty where it says nothing."""
    facts, similarity = measurement.facts, measurement.novelty.max_similarity
    match change.kind:
        case ChangeKind.CONFIDENCE | ChangeKind.OUTCOME:
            return shown_short(facts.confidence)
        case ChangeKind.SIMILARITY if similarity is not None:
            return shown_number(similarity)
        case ChangeKind.VALUE if change.dimension is not None:
            return shown_value(values_of(facts, measurement.novelty.value).of(change.dimension))
        case ChangeKind.TOOLS | ChangeKind.RENAMES:
            tools = say_count("{number} tool", "{number} tools", facts.unique_tools)
            return tools if facts.unique_tools else say("none")
    return ""


def flip_words(after: Assessment, flips: Iterable[Rule]) -> list[str]:
    """The rules that fire then and do not now, or the other way round."""
    fired = {override.rule for override in after.overrides if override.applied}
    return [
        say("{rule} fires", rule=RULE_WORDS[rule])
        if rule in fired
        else say("{rule} no longer fires", rule=RULE_WORDS[rule])
        for rule in flips
    ]


def shown_places(steps: Sequence[int]) -> str:
    """Steps by their numbers, those that follow each other as a range."""
    runs: list[list[int]] = []
    for step in steps:
        if runs and step == runs[-1][-1] + 1:
            runs[-1].append(step)
        else:
            runs.append([step])
    shown = [shown_range(shown_count(one[0]), shown_count(one[-1])) for one in runs]
    return say_count("step {steps}", "steps {steps}", len(steps), steps=say_list(shown))
