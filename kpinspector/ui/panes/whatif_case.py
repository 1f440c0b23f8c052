"""A scored trace and what is tried of it, before any of it is drawn."""

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

_REST_MS = 150  # after the last move
_AT_ONCE = 500  # verdicts, judged in a few milliseconds


@dataclass(frozen=True, slots=True)
class Flips:
    """Counts over all traces of the list whose verdict is known now, whatever their outcome.

    Attributes:
        of: How many there are.
        flipped: What the threshold and one profile for all change, by the profile's name, but for
            the row that something is tried of; by "" what the threshold alone changes.
        opened: How many of them are undecided then.
        tried: The number of that row, where there is one.
    """

    of: int = 0
    flipped: Mapping[str, int] = field(default_factory=dict)
    opened: Mapping[str, int] = field(default_factory=dict)
    tried: int | None = None

    def with_tried(self, then: ScoreRange, case: "Case") -> tuple[int, int] | None:
        """What a profile changes in the whole list, one row as it is tried, and of how many.

        These are the rows whose verdict is known now and then; None while that is not counted.
        """
        name, now = then.low.profile.name, case.document.verdict
        number = self.flipped.get(name)
        if number is None or case.document.number != self.tried:
            return None
        of = self.of - self.opened.get(name, 0)
        if now is None:
            return number, of  # it is none of those that are counted
        if then.verdict is Verdict.UNDECIDED:
            return number, of - 1
        return number + (then.verdict is not now), of


class FlipCounter(QObject):
    """Counts after a short rest, some rows at a time."""

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
        """Count soon: under this threshold, for each named profile and perhaps one more.

        ``tried`` is the number of the row that the profiles are not counted of.
        """
        self.stop()
        self._work = flips_under(documents, threshold, profile, tried)
        self._timer.start(_REST_MS)

    def stop(self) -> None:
        """Count no more."""
        self._timer.stop()
        self._work = iter(())  # lets go of what was counted

    def _on_turn(self) -> None:
        self._timer.setInterval(0)
        found = next(self._work)
        if found is not None:
            self.stop()
            self.counted.emit(found)


def flips_under(
    documents: Sequence[Document], threshold: float, more: Profile | None, tried: int | None = None
) -> Iterator[Flips | None]:
    """Work in pieces: None after each, the counts at the end."""
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
    """What was measured of those that are decided, and their lowest and highest scores."""
    for one in documents:
        if one.measured is not None and one.verdict is not None:
            bounds = one.bounds if one.score is None else (one.score, one.score)
            if bounds is not None:
                yield one.measured.measurement, bounds


@dataclass(frozen=True)
class Case:
    """What is shown of a scenario.

    Attributes:
        measured, judged: The document's.
        loss: What of the scenario was lost when the trace was edited.
    """

    document: Document
    measured: Measured
    judged: Assessment
    scenario: Scenario
    loss: Loss = NO_LOSS

    @property
    def trace(self) -> ReasoningTrace:
        """The trace as the file has it."""
        return self.measured.record.trace

    @property
    def novelty(self) -> Novelty:
        """Novelty as it was measured, of the file's text or again of what is left of it."""
        return self.scenario.measured_novelty or self.measured.measurement.novelty

    @cached_property
    def assumed(self) -> bool:
        """The scores stand on a novelty that nobody measured or set."""
        return self.scenario.novelty is None and self.novelty.assumed

    @property
    def measured_again(self) -> bool:
        """Novelty was measured of the text that is left."""
        return self.scenario.measured_novelty is not None

    @cached_property
    def outcome(self) -> WhatIf:
        """The score now and then."""
        return what_if(self.judged, self.trace, self.measured.measurement, self.scenario)

    @cached_property
    def now_range(self) -> ScoreRange:
        """What is possible now; both ends are one where the score is known."""
        return self.document.range or ScoreRange(self.judged, self.judged)

    @cached_property
    def then_range(self) -> ScoreRange:
        """The same of what is tried."""
        return self.outcome.possible or ScoreRange(self.outcome.then, self.outcome.then)

    def is_known(self, dimension: Dimension) -> bool:
        """What the trace says decides this value."""
        known = self.measured.measurement.facts.outcome_known
        return known or dimension is not Dimension.OUTCOME_CONFIDENCE

    @cached_property
    def now(self) -> Values:
        """The four values without the scenario."""
        measurement = self.measured.measurement
        return values_of(measurement.facts, measurement.novelty.value)

    @cached_property
    def needed(self) -> Mapping[Dimension, float | None]:
        """For each dimension alone the value that reaches the threshold, if any does."""
        return {one.dimension: one.value for one in self.outcome.needed}

    @property
    def profiles(self) -> tuple[ScoreRange, ...]:
        """What is possible by the named profiles, and by one's own weights where they are tried."""
        outcome = self.outcome
        both = zip(outcome.profiles, outcome.ranges, strict=True)
        named = tuple(possible or ScoreRange(one, one) for one, possible in both)
        return named if outcome.then in outcome.profiles else (*named, self.then_range)

    def with_value(self, dimension: Dimension, value: float) -> Scenario:
        """The scenario with a value by hand; as good as what the trace gives, it is none."""
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
        """The scenario with a profile; the one that holds now is none."""
        return replace(self.scenario, profile=None if profile == self.judged.profile else profile)

    def with_threshold(self, threshold: float) -> Scenario:
        """The scenario with a threshold; the one that holds now is none."""
        own = threshold == round(self.judged.threshold, 4)
        return replace(self.scenario, threshold=None if own else threshold)

    @property
    def tried(self) -> tuple[Mapping[int, Tried], tuple[frozenset[Mark], ...]]:
        """The steps that are tried otherwise, and what every step then brings; none for none."""
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
    """By how much it passes or fails; "" where that is open."""
    if possible.low is possible.high:
        return margin_phrase(possible.low)
    return decided_margin(possible)


def case_of(document: Document | None, scenario: Scenario, loss: Loss = NO_LOSS) -> Case | None:
    """What is tried of a document; None while it has no score."""
    if document is None or document.measured is None or document.record is None:
        return None
    judged = document.assessment
    return None if judged is None else Case(document, document.measured, judged, scenario, loss)


def case_text(case: Case, flips: Flips) -> str:
    """Every term with whole doubles; one line each, cells divided by tabs."""
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
