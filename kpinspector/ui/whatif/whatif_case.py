"""A scored trace and what is tried of it, before any of it is drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from PySide6.QtCore import QObject, QTimer, Signal

from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Assessment, ScoreRange, assess, values_of
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
from kpinspector.ui.steps.step_words import Tried, outline_of
from kpinspector.words.score import decided_margin, margin_phrase

_REST_MS = 150  # after the last move
_AT_ONCE = 500  # verdicts, judged in a few milliseconds


@dataclass(frozen=True, slots=True)
class Flips:
    """Counts over all traces of the list whose verdict is known now, whatever their outcome.

    Attributes:
        of: How many there are.
        by_threshold: What the threshold alone changes; None while it is not known.
        by_profile: What the threshold and one profile for all change, by the profile's name; but
            for the row that something is tried of.
        tried: The number of that row, where there is one.
        open_by_threshold: How many of them are undecided then.
        open_by_profile: The same for each profile.
    """

    of: int = 0
    by_threshold: int | None = None
    by_profile: Mapping[str, int] = field(default_factory=dict)
    tried: int | None = None
    open_by_threshold: int = 0
    open_by_profile: Mapping[str, int] = field(default_factory=dict)

    def with_tried(
        self, then: Assessment, possible: ScoreRange | None, case: "Case"
    ) -> tuple[int, int] | None:
        """What a profile changes in the whole list, one row as it is tried, and of how many.

        These are the rows whose verdict is known now and then; None while that is not counted.
        """
        number = self.by_profile.get(then.profile.name)
        if number is None or case.document.number != self.tried:
            return None
        of = self.of - self.open_by_profile.get(then.profile.name, 0)
        now = case.document.verdict
        verdict = then.verdict if possible is None else possible.verdict
        if now is None:
            return number, of  # it is none of those that are counted
        return (number, of - 1) if verdict is None else (number + (verdict is not now), of)


class FlipCounter(QObject):
    """Counts after a short rest, some rows at a time."""

    counted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work: Iterator[Flips | None] = iter(())
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._turn = QTimer(self, interval=0)
        self._rest.timeout.connect(self._turn.start)
        self._turn.timeout.connect(self._on_turn)

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
        self._rest.start()

    def stop(self) -> None:
        """Count no more."""
        self._rest.stop()
        self._turn.stop()
        self._work = iter(())  # lets go of what was counted

    def _on_turn(self) -> None:
        found = next(self._work)
        if found is not None:
            self.stop()
            self.counted.emit(found)


def flips_under(
    documents: Sequence[Document], threshold: float, more: Profile | None, tried: int | None = None
) -> Iterator[Flips | None]:
    """Work in pieces: None after each, the counts at the end."""
    profiles = PROFILES if more is None or more in PROFILES else (*PROFILES, more)
    numbers, still_open = [0] * (1 + len(profiles)), [0] * (1 + len(profiles))
    of, rest = 0, iter(documents)
    while part := list(islice(rest, _AT_ONCE)):
        now = part[0].rules.threshold
        for rows, under in (
            ([one for one in part if one.number != tried], profiles),
            ([one for one in part if one.number == tried], ()),
        ):
            judged = [*_judged(rows)]
            of += len(judged)
            flipped, opened = flips(judged, now, threshold, under)
            _add(numbers, flipped)
            _add(still_open, opened)
        yield None
    names = tuple(profile.name for profile in profiles)
    yield Flips(
        of,
        numbers[0],
        dict(zip(names, numbers[1:], strict=True)),
        tried,
        still_open[0],
        dict(zip(names, still_open[1:], strict=True)),
    )


def _add(numbers: list[int], more: tuple[int, ...]) -> None:
    """Add to the first of the numbers, or to all."""
    for place, number in enumerate(more):
        numbers[place] += number


def _judged(documents: Iterable[Document]) -> Iterator[tuple[Measurement, tuple[float, float]]]:
    """What was measured of those that are decided, and their lowest and highest scores."""
    for one in documents:
        if one.measured is not None and one.verdict is not None:
            bounds = one.bounds if one.score is None else (one.score, one.score)
            if bounds is not None:
                yield one.measured.measurement, bounds


@dataclass(frozen=True)
class Case:
    """What is shown of a scenario; ``measured`` is the document's.

    Attributes:
        loss: What of it was lost when the trace was edited.
    """

    document: Document
    measured: Measured
    scenario: Scenario
    loss: Loss = NO_LOSS

    @property
    def trace(self) -> ReasoningTrace:
        """The trace as the file has it."""
        return self.measured.record.trace

    @property
    def profile(self) -> Profile:
        """The profile that it is judged by now."""
        return self.document.rules.profile_for(self.measured.measurement.facts)

    @property
    def threshold(self) -> float:
        """The threshold that holds now."""
        return self.document.rules.threshold

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
        measurement, now = self.measured.measurement, self.document.assessment
        if now is None:
            now = assess(measurement, self.profile, self.threshold)
        return what_if(now, self.trace, measurement, self.scenario)

    @property
    def margin_now(self) -> str:
        """By how much it passes or fails; "" where that is open."""
        return _margin(self.outcome.now, self.document.range)

    @property
    def margin_then(self) -> str:
        """The same of what is tried."""
        return _margin(self.outcome.then, self.outcome.possible)

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
    def profiles(self) -> tuple[tuple[Assessment, ScoreRange | None], ...]:
        """The named profiles, and the one of one's own weights where that is tried.

        Each with what is possible, where nothing says how a run ended.
        """
        outcome = self.outcome
        named, then = tuple(zip(outcome.profiles, outcome.ranges, strict=True)), outcome.then
        return named if then in outcome.profiles else (*named, (then, outcome.possible))

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
        return replace(self.scenario, profile=None if profile == self.profile else profile)

    def with_threshold(self, threshold: float) -> Scenario:
        """The scenario with a threshold; the one that holds now is none."""
        own = threshold == round(self.threshold, 4)
        return replace(self.scenario, threshold=None if own else threshold)

    @property
    def tried(self) -> tuple[Mapping[int, Tried], tuple[frozenset[Mark], ...]]:
        """The steps of the file that are tried otherwise, and what every step then brings."""
        steps = self.trace.steps
        if not self.scenario.edits:
            return {}, outline_of(self.trace).marks
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


def _margin(judged: Assessment, possible: ScoreRange | None) -> str:
    if possible is None:
        return margin_phrase(judged)
    return "" if possible.verdict is None else decided_margin(possible)


def case_of(document: Document | None, scenario: Scenario, loss: Loss = NO_LOSS) -> Case | None:
    """What is tried of a document; None while it has no score."""
    if document is None or document.measured is None or document.record is None:
        return None
    return Case(document, document.measured, scenario, loss)
