"""A scored trace and what is tried of it, before any of it is drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from kpinspector.app.document import Document
from kpinspector.scoring.formula.assess import Assessment, Values, values_of
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.scoring.novelty.measure import Measurement, Novelty
from kpinspector.scoring.novelty.sequence import Measured
from kpinspector.scoring.whatif.edited import edited_trace
from kpinspector.scoring.whatif.scenario import NO_LOSS, Loss, Scenario
from kpinspector.scoring.whatif.whatif import WhatIf, needed_values, profiles_under, what_if
from kpinspector.trace.model import ReasoningTrace
from kpinspector.trace.tree import Mark, step_marks
from kpinspector.ui.steps.step_outline import outline_of
from kpinspector.ui.steps.step_row import Tried


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

    @property
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
        return what_if(*self._asked)

    @property
    def now(self) -> Values:
        """The four values without the scenario."""
        measurement = self.measured.measurement
        return values_of(measurement.facts, measurement.novelty.value)

    @property
    def needed(self) -> Mapping[Dimension, float | None]:
        """For each dimension alone the value that reaches the threshold, if any does."""
        return {one.dimension: one.value for one in needed_values(*self._asked)}

    @property
    def profiles(self) -> tuple[Assessment, ...]:
        """The named profiles, and the one of one's own weights where that is tried."""
        named = profiles_under(*self._asked)
        then = self.outcome.then
        known = any(one.profile == then.profile for one in named)
        return named if known else (*named, then)

    def followed(self, dimension: Dimension) -> float:
        """The value that the trace gives where nothing is set by hand."""
        free = replace(self, scenario=self.scenario.with_value(dimension, None))
        return free.outcome.values.of(dimension)

    def with_value(self, dimension: Dimension, value: float) -> Scenario:
        """The scenario with a value by hand; as good as what the trace gives, it is none."""
        for exact, wanted in ((self.followed(dimension), None), (self.now.of(dimension),) * 2):
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

    @property
    def _asked(
        self,
    ) -> tuple[ReasoningTrace, Measurement, Scenario, Profile, float]:
        measurement = self.measured.measurement
        return self.trace, measurement, self.scenario, self.profile, self.threshold


def case_of(document: Document | None, scenario: Scenario, loss: Loss = NO_LOSS) -> Case | None:
    """What is tried of a document; None while it has no score."""
    if document is None or document.measured is None or document.record is None:
        return None
    return Case(document, document.measured, scenario, loss)
