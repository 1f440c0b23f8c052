"""The words of the answer: verdict, margin, main cause, evidence, remarks.

Nothing here is markup. A sentence is a tuple of runs, and a strong run is a cause or a name; it
may hold text from a trace, which is shown as it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kpinspector.scoring.findings import Basis
from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.gates import Gate, main_cause
from kpinspector.scoring.formula.facts import FAILURE_FACTOR, KNOWN_STEP_TYPES, Facts
from kpinspector.scoring.formula.measurement import Measurement, Novelty
from kpinspector.scoring.formula.overrides import Override, Rule, count
from kpinspector.scoring.formula.profiles import DEFAULT, Dimension, profile_for
from kpinspector.scoring.novelty.order import scored_first, verdict_depends_on_order
from kpinspector.scoring.novelty.sequence import Flag, Measured
from kpinspector.scoring.whatif.changes import novelty_needed
from kpinspector.trace.model import quoted, shortened
from kpinspector.trace.schema import Issue, Severity, count_issues
from kpinspector.trace.sdk_reading import sdk_readings
from kpinspector.words.figures import (
    plain,
    shown_at_least,
    shown_count,
    shown_difference,
    shown_number,
    shown_score,
    shown_short,
)
from kpinspector.words.sums import ShownChange, ShownSum, shown_sum

DIMENSION_NAMES = {
    Dimension.COMPLEXITY: "Complexity",
    Dimension.NOVELTY: "Novelty",
    Dimension.TOOL_DIVERSITY: "Tool diversity",
    Dimension.OUTCOME_CONFIDENCE: "Outcome",
}
RULE_NAMES = {
    Rule.SINGLE_THOUGHT: "Single thought",
    Rule.RECOVERY_BONUS: "Recovery bonus",
    Rule.TOOL_MONOTONY: "Tool monotony",
}

_LONGEST_MESSAGE = 80
_MOST_DECIMALS = 6
_MOST_READINGS = 3


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a sentence; ``strong`` for a cause or a name."""

    text: str
    strong: bool = False


Sentence: TypeAlias = tuple[Run, ...]


def text_of(sentence: Sentence) -> str:
    """A sentence without its emphasis."""
    return "".join(run.text for run in sentence)


def capitalised(text: str) -> str:
    """A phrase as the beginning of a sentence; the rest keeps its letters."""
    return text[:1].upper() + text[1:]


def verdict_word(verdict: Verdict | None, *, assumed: bool = False) -> str:
    """The first word of the answer."""
    if verdict is None:
        return "Undecided"
    word = "Accepted" if verdict is Verdict.ACCEPTED else "Rejected"
    return f"{word}, assumed" if assumed else word


def margin_phrase(assessment: Assessment) -> str:
    """By how much, or by which gate."""
    shown = shown_sum(assessment)
    if not assessment.schema_passes:
        if assessment.score_passes:
            return f"Schema fails, {shown.margin} above"
        return f"Schema fails, short by {shown.margin}"
    if assessment.score == assessment.threshold:
        phrase = "Exactly the threshold"
    elif assessment.score_passes:
        phrase = f"{shown.margin} above"
    else:
        phrase = f"Short by {shown.margin}"
    return f"{phrase}, too close to call" if assessment.too_close_to_call else phrase


def range_margin_phrase(possible: ScoreRange) -> str:
    """What can be said of the margin while novelty is unknown."""
    low, high = possible.low, possible.high
    if not low.schema_passes:
        return "Schema fails, waits for novelty"
    if low.score_passes:
        return f"At least {shown_sum(low).margin} above"
    if not high.score_passes:
        return f"Short by at least {shown_sum(high).margin}"
    return "Waits for novelty"


def answer(assessment: Assessment, measurement: Measurement, issues: Sequence[Issue]) -> Sentence:
    """The main cause of the verdict and its number, then the fact that changes the picture."""
    match main_cause(assessment):
        case Gate.SCHEMA:
            return (*_schema_cause(issues), *_score_beside_schema(assessment))
        case Rule.SINGLE_THOUGHT:
            return _single_thought(assessment)
        case Rule.TOOL_MONOTONY:
            return _monotony(assessment)
    if assessment.score_passes:
        return _accepted(assessment, measurement)
    return _rejected(assessment, measurement)


def range_answer(possible: ScoreRange, issues: Sequence[Issue]) -> Sentence:
    """What novelty decides, or that it decides nothing any more."""
    low, high = possible.low, possible.high
    novelty = Run("novelty", strong=True)
    if not low.schema_passes:
        return _schema_cause(issues)
    if low.score_passes:
        figure = shown_score(low.score, low.threshold)
        return (
            Run("It passes whatever its "),
            novelty,
            Run(f" is: the score is {figure} or more."),
        )
    if not high.score_passes:
        figure = shown_score(high.score, high.threshold)
        return (Run("It fails whatever its "), novelty, Run(f" is: the score is {figure} or less."))
    needed = shown_at_least(novelty_needed(possible))
    return (
        Run("It passes if "),
        novelty,
        Run(f" is at least {needed}: no remembered trace may be more than "),
        Run(f"{shown_difference('1', needed)} similar."),
    )


def evidence(dimension: Dimension, facts: Facts, novelty: Novelty | None) -> str:
    """What the value of a dimension rests on; ``novelty`` is None while it is unknown."""
    match dimension:
        case Dimension.COMPLEXITY:
            return _complexity_evidence(facts)
        case Dimension.NOVELTY:
            return waiting_phrase() if novelty is None else _novelty_evidence(novelty)
        case Dimension.TOOL_DIVERSITY:
            return _diversity_evidence(facts)
        case Dimension.OUTCOME_CONFIDENCE:
            return _outcome_evidence(facts)


def waiting_phrase(turn: tuple[int, int] | None = None) -> str:
    """What novelty waits for; ``turn`` is the trace's place among those that are measured."""
    if turn is None:
        return "not measured yet"
    place, total = map(shown_count, turn)
    return f"being measured, place {place} of {total}"


def fired_phrase(overrides: Sequence[Override], *, pending: bool = False) -> str:
    """How many overrides fired, or will."""
    fired = sum(override.applied for override in overrides)
    return f"{fired or 'none'} {'will fire' if pending else 'fired'}"


def remarks(assessment: Assessment, measured: Measured) -> tuple[str, ...]:
    """What a reader of the score should know beside it, one sentence each."""
    measurement, record = measured.measurement, measured.record
    novelty = measurement.novelty
    found = [_FLAG_REMARKS[flag] for flag in measured.place.flags]
    if novelty.assumed:
        found.insert(0, "Novelty is assumed 0.5, as the embedding model could not be loaded.")
    if novelty.clamped:
        as_sdk = assessment.score if assessment.sdk_score is None else assessment.sdk_score
        found.append(
            f"Novelty is clamped to {shown_short(novelty.value)}: the SDK has"
            f" {shown_number(novelty.unclamped)}, and a score of"
            f" {shown_score(as_sdk, assessment.threshold)}."
        )
    if assessment.too_close_to_call:
        found.append("Too close to call: the SDK's own score may be on the other side.")
    found += _readings(sdk_readings(record.issues, record.trace.raw))
    return (*found, *_domain_remark(assessment, measurement.facts))


def _readings(sentences: Sequence[str]) -> Iterator[str]:
    """What the SDK makes of values of other types, of the first of many."""
    more = len(sentences) - _MOST_READINGS
    yield from sentences[:_MOST_READINGS]
    if more > 0:
        places = count(more, "more place", "more places")
        yield f"The SDK reads {places} otherwise than the schema has it."


def edited_remark(before: float, threshold: float) -> str:
    """The score before the file was edited."""
    return f"Before the edit the score was {shown_score(before, threshold)}."


_FLAG_REMARKS = {
    Flag.DUPLICATE: "The same trace stands earlier in this drop, and has the same novelty.",
    Flag.SHARED_ID: "Another text in this drop has the same id; each counts as its own trace.",
    Flag.NO_ID: "It has no usable id and is remembered by its text.",
}


def _domain_remark(assessment: Assessment, facts: Facts) -> tuple[str, ...]:
    domain = facts.task_domain
    falls_back = profile_for(domain) is DEFAULT and domain != DEFAULT.name
    if not falls_back or assessment.profile is not DEFAULT:
        return ()
    name = "It names no task domain" if domain is None else f"No profile is named {quoted(domain)}"
    return (f"{name}: the weights are those of default.",)


def _schema_cause(issues: Sequence[Issue]) -> Sentence:
    errors = [issue for issue in issues if issue.severity is Severity.ERROR]
    if not errors:
        return (Run("The registry refuses it by its "), Run("schema", strong=True), Run("."))
    first, more = errors[0], count_issues(errors) - 1
    rest = f", and {count(more, 'more issue', 'more issues')}" if more else ""
    place = Run(first.path or "the record", strong=True)
    said = first.message.partition("; ")[0]
    message = shortened(said, _LONGEST_MESSAGE)
    return (Run("The registry refuses it: "), place, Run(f" {message}{rest}."))


def _score_beside_schema(assessment: Assessment) -> Sentence:
    shown = shown_sum(assessment)
    if assessment.score_passes:
        return (Run(f" Its score would pass, {shown.score}."),)
    return (Run(f" Its score is short as well, by {shown.margin}."),)


def _single_thought(assessment: Assessment) -> Sentence:
    shown = shown_sum(assessment)
    cause = Run("only step is a thought", strong=True)
    start = (Run("The "), cause, Run(f", which sets the score to {shown.changes[0].after}"))
    tail = f" in place of the weighted sum of {shown.total}"
    return (*start, Run(f"{tail}{_monotony_tail(assessment, shown)}."))


def _monotony_tail(assessment: Assessment, shown: ShownSum) -> str:
    if not assessment.overrides[2].applied:
        return ""
    return f"; tool monotony takes {_size(shown.changes[2])}"


def _size(change: ShownChange) -> str:
    return _brief(change.change.lstrip("+\N{MINUS SIGN}"))


def _accepted(assessment: Assessment, measurement: Measurement) -> Sentence:
    shown = shown_sum(assessment)
    bonus = assessment.overrides[1]
    without = assessment.score - bonus.change
    if bonus.applied and without < assessment.threshold:
        change = shown.changes[1]
        start = (Run("The "), Run("recovery bonus", strong=True), Run(" carries it over the "))
        found = f"threshold: {bonus.reason} add {_size(change)} to {change.before}."
        return (*start, Run(found))
    most = max(assessment.contributions, key=lambda term: term.part).dimension
    name = Run(DIMENSION_NAMES[most], strong=True)
    return (
        name,
        Run(f" adds most, {_brief(shown.term(most).adds)}. "),
        *(_order_fact(assessment, measurement) or _loss(assessment, measurement)),
    )


def _monotony(assessment: Assessment) -> Sentence:
    change, reason = shown_sum(assessment).changes[2], assessment.overrides[2].reason
    name = Run(RULE_NAMES[Rule.TOOL_MONOTONY], strong=True)
    return (name, Run(f" takes {_size(change)} from {change.before}: {reason}."))


def _rejected(assessment: Assessment, measurement: Measurement) -> Sentence:
    loss = _loss(assessment, measurement)
    if order := _order_fact(assessment, measurement):
        return (*loss, Run(" "), *order)
    if not assessment.overrides[2].applied:
        return loss
    change = shown_sum(assessment).changes[2]
    return (*loss, Run(f" Tool monotony takes {_size(change)} more."))


def _order_fact(assessment: Assessment, measurement: Measurement) -> Sentence:
    """What the trace would have got before all others, where that is the other verdict."""
    if not verdict_depends_on_order(measurement, assessment):
        return ()
    first = scored_first(measurement, assessment)
    word = "pass" if first.score_passes else "fail"
    score = shown_score(first.score, first.threshold)
    return (Run(f"Scored first, this trace would {word} with {score}."),)


def _loss(assessment: Assessment, measurement: Measurement) -> Sentence:
    most = max(assessment.contributions, key=lambda term: term.lost)
    if most.lost <= 0.0:
        return (Run("No dimension loses anything."),)
    name = Run(DIMENSION_NAMES[most.dimension].lower(), strong=True)
    lost = _brief(shown_sum(assessment).term(most.dimension).lost)
    cause = _cause(most.dimension, measurement)
    return (Run("Most is lost to "), name, Run(f", {lost}: "), *cause, Run("."))


def _brief(figure: str) -> str:
    """A figure in a sentence: without the many decimals that a close score asks for."""
    places = len(figure.partition(".")[2])
    return figure if places <= _MOST_DECIMALS else shown_number(float(plain(figure)))


def _cause(dimension: Dimension, measurement: Measurement) -> Sentence:
    facts, novelty = measurement.facts, measurement.novelty
    match dimension:
        case Dimension.NOVELTY:
            return _novelty_cause(novelty)
        case Dimension.OUTCOME_CONFIDENCE if not facts.success:
            confidence = shown_short(facts.confidence)
            return (Run(f"it failed, so {FAILURE_FACTOR} of its confidence {confidence} counts"),)
        case _:
            return (Run(evidence(dimension, facts, novelty)),)


def _novelty_cause(novelty: Novelty) -> Sentence:
    if novelty.basis is Basis.NO_EMBEDDER:
        return (Run("assumed 0.5 without the embedding model"),)
    if novelty.max_similarity is None:
        return (Run("with nothing to compare with it counts as 0.5"),)
    similar = f"{shown_number(novelty.max_similarity)} similar"
    if not novelty.neighbours:
        return (Run(f"another trace is {similar}"),)
    return (Run(novelty.names[0], strong=True), Run(f" is {similar}"))


def _complexity_evidence(facts: Facts) -> str:
    if facts.unique_types <= KNOWN_STEP_TYPES:
        types = f"{facts.unique_types} of {KNOWN_STEP_TYPES} step types"
    else:
        types = f"{shown_count(facts.unique_types)} step types"
    recoveries = count(facts.error_recoveries, "recovery", "recoveries", none="no recovery")
    return f"{types}, {recoveries}, {count(facts.steps, 'step', 'steps', none='no steps')}"


def _novelty_evidence(novelty: Novelty) -> str:
    if novelty.basis is Basis.NO_EMBEDDER:
        return "assumed 0.5: no embedding model"
    if novelty.max_similarity is None:
        return "0.5: nothing to compare with"
    similar = f"{shown_number(novelty.max_similarity)} similar to "
    of = f"nearest of {shown_count(novelty.compared_with)}"
    if not novelty.neighbours:
        return f"{similar}the {of}"
    return f"{similar}{novelty.names[0]}, {of}"


def _diversity_evidence(facts: Facts) -> str:
    steps = count(facts.steps, "step", "steps", none="no steps")
    return f"{count(facts.unique_tools, 'tool', 'different tools', none='no tools')} in {steps}"


def _outcome_evidence(facts: Facts) -> str:
    outside = "" if 0.0 <= facts.confidence <= 1.0 else ", outside 0 to 1"
    ending = "succeeded" if facts.success else f"failed: counts {FAILURE_FACTOR}"
    return f"confidence {shown_short(facts.confidence)}{outside}, {ending}"
