"""A scored trace with its what-if, computed before anything is painted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from PySide6.QtCore import QObject, QTimer, Signal

from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict, values_of
from kpinspector.scoring.formula.measurement import Measurement, Novelty
from kpinspector.scoring.formula.profiles import PROFILES, Dimension, Profile, Values
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.whatif.scenario import (
    NO_LOSS,
    Loss,
    Scenario,
    WhatIf,
    edited_trace,
    flips,
    what_if,
)
from kpinspector.trace.model import Mark, ReasoningTrace, step_marks
from kpinspector.trace.printable import on_one_line
from kpinspector.ui.steps.step_model import Tried
from kpinspector.words.changes import edit_lines
from kpinspector.words.run import stand_in_words
from kpinspector.words.say import say
from kpinspector.words.score import decided_margin, margin_phrase
from kpinspector.words.sentences import verdict_phrase

_REST_MS = 150  # counting begins so long after the last change
_AT_ONCE = 500  # verdicts that are judged in one go, which takes a few milliseconds


@dataclass(frozen=True, slots=True)
class Flips:
    """How many of the verdicts that are known now in the list other rules would change.

    Attributes:
        of: The number of those rows.
        flipped: By profile name, the changes by that profile and the threshold, without
            the row of the what-if; by "" the changes by the threshold alone.
        opened: By the same names, how many of the rows become undecided.
        tried: The number of the row of the what-if; None if there is none.
    """

    of: int = 0
    flipped: Mapping[str, int] = field(default_factory=dict)
    opened: Mapping[str, int] = field(default_factory=dict)
    tried: int | None = None

    def with_tried(self, then: ScoreRange, case: "Case") -> tuple[int, int] | None:
        """How many verdicts a profile changes, with the what-if's row as tried, of how many rows.

        Only rows whose verdict is known now and then count; None while they are not counted yet.
        """
        name, now = then.low.profile.name, case.document.verdict
        number = self.flipped.get(name)
        if number is None or case.document.number != self.tried:
            return None
        of = self.of - self.opened.get(name, 0)
        if now is None:
            return number, of  # its verdict is not known now, so it is not counted
        if then.verdict is Verdict.UNDECIDED:
            return number, of - 1
        return number + (then.verdict is not now), of


class FlipCounter(QObject):
    """Counts flips, once the rules have not changed for a moment, some rows at a time."""

    counted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work: Iterator[Flips | None] = iter(())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_turn)

    def count(
        self,
        documents: Sequence[Document],
        threshold: float,
        profile: Profile | None,
        tried: int | None = None,
    ) -> None:
        """Begin to count soon: under a threshold, for each named profile and perhaps one more.

        ``tried`` is the number of the row that is counted for the threshold alone.
        """
        self.stop()
        self._work = flips_under(documents, threshold, profile, tried)
        self._timer.start(_REST_MS)

    def stop(self) -> None:
        """Stop counting."""
        self._timer.stop()
        self._work = iter(())  # lets the documents go

    def _on_turn(self) -> None:
        self._timer.setInterval(0)
        found = next(self._work)
        if found is not None:
            self.stop()
            self.counted.emit(found)


def flips_under(
    documents: Sequence[Document], threshold: float, more: Profile | None, tried: int | None = None
) -> Iterator[Flips | None]:
    """The counts, in steps that each judge some rows: yields None after each, then the counts."""
    profiles = PROFILES if more is None or more in PROFILES else (*PROFILES, more)
    names = ("", *(profile.name for profile in profiles))
    flipped, opened = (Counter(dict.fromkeys(names, 0)) for _ in range(2))
    of, rest = 0, iter(documents)
    while part := list(islice(rest, _AT_ONCE)):
        now = part[0].rules.threshold
        for rows, under in (
            ([one for one in part if one.number != tried], profiles),
            ([one for one in part if one.number == tried], ()),
        ):
            judged = [*_judged(rows)]
            of += len(judged)
            counts = zip(names, *flips(judged, now, threshold, under), strict=False)
            for name, changed, undecided in counts:
                flipped[name] += changed
                opened[name] += undecided
        yield None
    yield Flips(of, flipped, opened, tried)


def _judged(documents: Iterable[Document]) -> Iterator[tuple[Measurement, tuple[float, float]]]:
    """For each row with a known verdict its measurement, and its lowest and highest score."""
    for one in documents:
        if one.measured is not None and one.verdict is not None:
            bounds = one.bounds if one.score is None else (one.score, one.score)
            if bounds is not None:
                yield one.measured.measurement, bounds


@dataclass(frozen=True)
class Case:
    """A scored document and a scenario that is tried on it.

    Attributes:
        measured, judged: The document's measurement and assessment, not None.
        loss: What of the scenario did not fit when the trace was edited.
    """

    document: Document
    measured: Measured
    judged: Assessment
    scenario: Scenario
    loss: Loss = NO_LOSS

    @property
    def trace(self) -> ReasoningTrace:
        """The trace as it stands in its file."""
        return self.measured.record.trace

    @property
    def novelty(self) -> Novelty:
        """The measured novelty: of the text that the what-if leaves, or else of the file's."""
        return self.scenario.measured_novelty or self.measured.measurement.novelty

    @cached_property
    def assumed(self) -> bool:
        """Whether the what-if rests on a novelty that was neither measured nor set."""
        return self.scenario.novelty is None and self.novelty.assumed

    @property
    def measured_again(self) -> bool:
        """Whether the novelty of the text that the what-if leaves was measured."""
        return self.scenario.measured_novelty is not None

    @cached_property
    def outcome(self) -> WhatIf:
        """The assessments now and in the what-if, and what follows from them."""
        return what_if(self.judged, self.trace, self.measured.measurement, self.scenario)

    @cached_property
    def now_range(self) -> ScoreRange:
        """The possible scores now; both ends are the same object where the score is known."""
        return self.document.range or ScoreRange(self.judged, self.judged)

    @cached_property
    def then_range(self) -> ScoreRange:
        """The possible scores in the what-if; both ends are the same object if it is known."""
        return self.outcome.possible or ScoreRange(self.outcome.then, self.outcome.then)

    def is_known(self, dimension: Dimension) -> bool:
        """Whether the trace itself says the value of a dimension."""
        known = self.measured.measurement.facts.outcome_known
        return known or dimension is not Dimension.OUTCOME_CONFIDENCE

    @cached_property
    def now(self) -> Values:
        """The values of the four dimensions without the scenario."""
        measurement = self.measured.measurement
        return values_of(measurement.facts, measurement.novelty.value)

    @cached_property
    def needed(self) -> Mapping[Dimension, float | None]:
        """For each dimension the value that alone would reach the threshold; None if none does."""
        return {one.dimension: one.value for one in self.outcome.needed}

    @property
    def profiles(self) -> tuple[ScoreRange, ...]:
        """The possible scores under each named profile, and under custom weights if tried."""
        outcome = self.outcome
        both = zip(outcome.profiles, outcome.ranges, strict=True)
        named = tuple(possible or ScoreRange(one, one) for one, possible in both)
        return named if outcome.then in outcome.profiles else (*named, self.then_range)

    def with_value(self, dimension: Dimension, value: float) -> Scenario:
        """The scenario with a value by hand; none if it rounds to what the edited trace gives."""
        if not self.is_known(dimension):
            return self.scenario.with_value(dimension, value)
        for exact, wanted in (
            (values_of(self.outcome.facts, self.novelty.value).of(dimension), None),
            (self.now.of(dimension),) * 2,
        ):
            if round(value, 3) == round(exact, 3):
                return self.scenario.with_value(dimension, wanted)
        return self.scenario.with_value(dimension, value)

    def with_profile(self, profile: Profile | None) -> Scenario:
        """The scenario with a profile; without one if it is the profile in force."""
        return replace(self.scenario, profile=None if profile == self.judged.profile else profile)

    def with_threshold(self, threshold: float) -> Scenario:
        """The scenario with a threshold; without one if it is the threshold in force."""
        own = threshold == round(self.judged.threshold, 4)
        return replace(self.scenario, threshold=None if own else threshold)

    @property
    def tried(self) -> tuple[Mapping[int, Tried], tuple[frozenset[Mark], ...]]:
        """The edited steps by index, and the marks of all steps as edited; empty without edits."""
        steps = self.trace.steps
        if not self.scenario.edits:
            return {}, ()
        left = iter(edited_trace(self.trace, self.scenario).steps)
        gone = self.scenario.left_out
        then = {step.index: step if step.index in gone else next(left) for step in steps}
        marks = iter(step_marks([then[step.index] for step in steps if step.index not in gone]))
        return (
            {
                edit.index: Tried(then[edit.index], edit.left_out)
                for edit in self.scenario.edits
                if edit.index in then
            },
            tuple(frozenset() if step.index in gone else next(marks) for step in steps),
        )


def margin_words(possible: ScoreRange) -> str:
    """By how much the trace passes or fails; "" if the verdict is open."""
    if possible.low is possible.high:
        return margin_phrase(possible.low)
    return decided_margin(possible)


def case_of(document: Document | None, scenario: Scenario, loss: Loss = NO_LOSS) -> Case | None:
    """The what-if of a document; None if the document has no score."""
    if document is None or document.measured is None or document.record is None:
        return None
    judged = document.assessment
    return None if judged is None else Case(document, document.measured, judged, scenario, loss)


def case_text(case: Case, flips: Flips) -> str:
    """The what-if as lines of cells divided by tabs, with floats in full."""
    rows: list[tuple[object, ...]] = [
        (say("trace"), case.document.name),
        (say("file"), case.document.path),
        *_scores(case),
        (),
        *_values(case),
        (),
        *_changes(case),
        *_profiles(case, flips),
    ]
    return "".join("\t".join(map(_whole, row)) + "\n" for row in rows)


def _scores(case: Case) -> Iterator[tuple[object, ...]]:
    now, then = case.outcome.now, case.outcome.then
    both = case.now_range, case.then_range
    lows, highs = [one.low for one in both], [one.high for one in both]
    yield ("", say("now"), say("what if"))
    yield (say("verdict"), *(verdict_phrase(one.verdict) for one in both))
    threshold = (say("threshold"), now.threshold, then.threshold)
    if all(one.low is one.high for one in both):
        yield (say("score"), now.score, then.score)
        yield threshold
        yield (say("margin"), now.margin, then.margin)
    else:
        yield (say("lowest score"), *(one.score for one in lows))
        yield (say("highest score"), *(one.score for one in highs))
        yield threshold
        yield (say("stands in"), stand_in_words(case.measured.measurement.facts, case.scenario))
    yield (say("profile"), now.profile.name, then.profile.name)
    for before, after in zip(now.overrides, then.overrides, strict=True):
        fired = (say("yes") if one.applied else say("no") for one in (before, after))
        yield (before.rule, *fired)


def _values(case: Case) -> Iterator[tuple[object, ...]]:
    yield (
        say("dimension"),
        say("now"),
        say("what if"),
        say("weight"),
        say("adds"),
        say("needed alone"),
    )
    needed = case.needed
    for term in case.outcome.then.contributions:
        alone = needed[term.dimension]
        yield (
            term.dimension,
            case.now.of(term.dimension),
            term.value,
            term.weight,
            term.part,
            say("not enough alone") if alone is None else alone,
        )
    held = say("held") if case.outcome.novelty_held else say("as measured")
    if case.scenario.value_of(Dimension.NOVELTY) is not None:
        held = say("set by hand")
    elif case.measured_again:
        held = say("measured again")
    yield (say("novelty"), say("assumed") if case.assumed else held)


def _changes(case: Case) -> Iterator[tuple[object, ...]]:
    scenario = case.scenario
    if scenario.confidence is not None:
        yield (say("confidence"), scenario.confidence)
    if scenario.success is not None:
        yield (say("success"), say("yes") if scenario.success else say("no"))
    for line in edit_lines(scenario, case.trace):
        yield (say("step"), line.text)


def _profiles(case: Case, flips: Flips) -> Iterator[tuple[object, ...]]:
    yield (say("profile"), say("verdict"), say("score"), say("margin"), say("flips"))
    for one in case.profiles:
        found, low, high = flips.with_tried(one, case), one.low, one.high
        ends = (low.score, high.score), (low.margin, high.margin)
        figures = (
            least if least == most else say("{low} to {high}", low=repr(least), high=repr(most))
            for least, most in ends
        )
        shown = "" if found is None else found[0]
        yield (low.profile.name, verdict_phrase(one.verdict), *figures, shown)


def _whole(cell: object) -> str:
    return repr(cell) if isinstance(cell, float) else on_one_line(str(cell))
