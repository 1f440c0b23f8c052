"""The words for what would change a score: what the formula does, not advice."""

from dataclasses import dataclass

from kpinspector.scoring.counterfactuals import Change, ChangeKind, Counterfactuals
from kpinspector.scoring.figures import (
    shown_at_least,
    shown_at_most,
    shown_count,
    shown_number,
    shown_score,
    shown_short,
)
from kpinspector.scoring.measure import Measurement
from kpinspector.scoring.overrides import count
from kpinspector.scoring.sentences import RULE_NAMES

NOT_ADVICE = "the formula, not advice"

_SMALL_NUMBERS = {1: "One", 2: "Two", 3: "Three"}
_STEPS = {
    ChangeKind.RECOVERIES: ("more recovery step", "more recovery steps"),
    ChangeKind.TOOLS: ("more call of a new tool", "more calls of new tools"),
    ChangeKind.THOUGHTS: ("more thought", "more thoughts"),
    ChangeKind.REMOVALS: ("step fewer", "steps fewer"),
    ChangeKind.RENAMES: (
        "other tool in place of a repeated one",
        "other tools in place of repeats",
    ),
}


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
        change=_phrase(change),
        beside=", ".join(remark for remark in remarks if remark),
        score=shown_score(after.score, after.threshold),
    )


def unreachable(found: Counterfactuals) -> str:
    """The sentence where no single change reaches the threshold."""
    best = found.without_losses
    score = shown_score(best.score, best.threshold)
    return f"Not reachable alone: without its two largest losses the score would be {score}."


def _phrase(change: Change) -> str:
    match change.kind:
        case ChangeKind.CONFIDENCE:
            return f"Confidence at least {shown_at_least(change.amount)}"
        case ChangeKind.SUCCESS:
            return "Success instead of failure"
        case ChangeKind.SIMILARITY:
            return f"Similarity at most {shown_at_most(change.amount)}"
    number = int(change.amount)
    few = _SMALL_NUMBERS.get(number, shown_count(number))
    one, many = _STEPS[change.kind]
    return f"{few} {one if number == 1 else many}"


def _beside(change: Change, measurement: Measurement) -> str:
    similarity = measurement.novelty.max_similarity
    match change.kind:
        case ChangeKind.CONFIDENCE:
            return f"now {shown_short(measurement.facts.confidence)}"
        case ChangeKind.SIMILARITY if similarity is not None:
            return f"now {shown_number(similarity)}"
        case ChangeKind.REMOVALS:
            return "novelty held"
        case ChangeKind.THOUGHTS if not change.reaches:
            return "lower" if change.after.score < change.before else "not enough"
        case ChangeKind.TOOLS:
            return f"now {count(measurement.facts.unique_tools, 'tool', 'tools', none='none')}"
        case _:
            return ""


def _flip_words(change: Change) -> list[str]:
    fired = {override.rule for override in change.after.overrides if override.applied}
    return [
        f"{RULE_NAMES[rule].lower()} {'fires' if rule in fired else 'no longer fires'}"
        for rule in change.flips
    ]
