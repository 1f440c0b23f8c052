"""The words for what would change a score: what the formula does, not advice."""

from dataclasses import dataclass

from kpinspector.scoring.formula.assess import values_of
from kpinspector.scoring.formula.measurement import Measurement
from kpinspector.scoring.formula.overrides import count
from kpinspector.scoring.whatif.changes import Change, ChangeKind, Needed
from kpinspector.scoring.whatif.counterfactuals import Counterfactuals
from kpinspector.words.figures import (
    shown_at_least,
    shown_at_most,
    shown_count,
    shown_number,
    shown_reach,
    shown_score,
    shown_short,
    shown_value,
)
from kpinspector.words.sentences import DIMENSION_NAMES, RULE_NAMES

NOT_ADVICE = "the formula, not advice"

_SMALL_NUMBERS = {1: "One", 2: "Two", 3: "Three"}
_ORDINALS = {2: "A second", 3: "A third", 4: "A fourth", 5: "A fifth"}
_STEPS = {
    ChangeKind.RECOVERIES: ("more recovery step", "more recovery steps"),
    ChangeKind.OBSERVATIONS: ("more observation", "more observations"),
    ChangeKind.TOOLS: ("more call of a new tool", "more calls of new tools"),
    ChangeKind.RENAMES: ("new tool in place of one", "new tools in place of repeats"),
    ChangeKind.TYPES: ("step of another type", "steps of other types"),
    ChangeKind.THOUGHTS: ("more thought", "more thoughts"),
    ChangeKind.REMOVALS: ("step fewer", "steps fewer"),
}
_ADDED_TOO = ("step added or of another type", "steps added or of other types")


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """A change in words: what it is, what is so now or what else to know, the score after it."""

    change: str
    beside: str
    score: str


def change_words(change: Change, measurement: Measurement) -> ChangeWords:
    """Bounds are rounded to the side on which they still hold."""
    after = change.after
    remarks = [_beside(change, measurement), *_flip_words(change)]
    return ChangeWords(
        change=_phrase(change, measurement),
        beside=", ".join(remark for remark in remarks if remark),
        score=shown_reach(after.score, after.threshold),
    )


def alone_words(found: Counterfactuals, needed: Needed, measurement: Measurement) -> str:
    """What a dimension alone has to be, or else the change of it that is enough."""
    change = found.alone(needed.dimension)
    if change is None:
        return "not reachable alone"
    if needed.value is not None:
        return shown_at_least(needed.value)
    phrase = _phrase(change, measurement)
    return f"{phrase[0].lower()}{phrase[1:]}"


def unreachable(found: Counterfactuals) -> str:
    """The sentence where no single change reaches the threshold."""
    sentence = without_losses(found)
    return f"Not reachable alone: {sentence[0].lower()}{sentence[1:]}"


def without_losses(found: Counterfactuals) -> str:
    """The sentence where a dimension alone does not reach it."""
    best = found.without_losses
    score = shown_score(best.score, best.threshold)
    return f"Without its two largest losses the score would be {score}."


def _phrase(change: Change, measurement: Measurement) -> str:
    match change.kind:
        case ChangeKind.SUCCESS:
            return "Success instead of failure"
        case ChangeKind.SIMILARITY:
            return f"Similarity at most {shown_at_most(change.amount)}"
        case ChangeKind.CONFIDENCE | ChangeKind.OUTCOME | ChangeKind.VALUE:
            return f"{_raised(change)} at least {shown_at_least(change.amount)}"
        case ChangeKind.RENAMES if change.amount == 1:
            tool = _ORDINALS.get(measurement.facts.unique_tools + 1, "Another")
            return f"{tool} tool in place of one"
    number = int(change.amount)
    few = _SMALL_NUMBERS.get(number, shown_count(number))
    mixed = change.scenario.added and change.scenario.edits
    one, many = _ADDED_TOO if mixed else _STEPS[change.kind]
    return f"{few} {one if number == 1 else many}"


def _raised(change: Change) -> str:
    if change.kind is ChangeKind.OUTCOME:
        return "Success, and confidence"
    if change.kind is ChangeKind.VALUE and change.dimension is not None:
        return DIMENSION_NAMES[change.dimension]
    return "Confidence"


def _beside(change: Change, measurement: Measurement) -> str:
    match change.kind:
        case ChangeKind.REMOVALS:
            return "novelty held"
        case ChangeKind.THOUGHTS if not change.reaches:
            return "lower" if change.after.score < change.before else "not enough"
    now = _now(change, measurement)
    return f"now {now}" if now else ""


def _now(change: Change, measurement: Measurement) -> str:
    """What is changed, as it is; empty where that says nothing."""
    facts, similarity = measurement.facts, measurement.novelty.max_similarity
    match change.kind:
        case ChangeKind.CONFIDENCE | ChangeKind.OUTCOME:
            return shown_short(facts.confidence)
        case ChangeKind.SIMILARITY if similarity is not None:
            return shown_number(similarity)
        case ChangeKind.VALUE if change.dimension is not None:
            return shown_value(values_of(facts, measurement.novelty.value).of(change.dimension))
        case ChangeKind.TOOLS | ChangeKind.RENAMES:
            return count(facts.unique_tools, "tool", "tools", none="none")
    return ""


def _flip_words(change: Change) -> list[str]:
    fired = {override.rule for override in change.after.overrides if override.applied}
    return [
        f"{RULE_NAMES[rule].lower()} {'fires' if rule in fired else 'no longer fires'}"
        for rule in change.flips
    ]
