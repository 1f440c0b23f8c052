"""The changes of a what-if: values set by hand, steps, rules. The file stays as it is."""

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Self

from kpinspector.scoring.formula.measurement import Novelty
from kpinspector.scoring.formula.profiles import Dimension, Profile
from kpinspector.trace.model import StepType

_NAMES = tuple(map(str, Dimension))
_by_name = attrgetter(*_NAMES)


@dataclass(frozen=True, slots=True)
class StepEdit:
    """What is changed in one step.

    Attributes:
        index: The step's index in the file.
        left_out: The trace is judged without it.
        type: Another step type; None leaves it as it is.
        tool: Another tool name; None leaves it as it is, "" takes the tool away.
    """

    index: int
    left_out: bool = False
    type: str | None = None
    tool: str | None = None

    @property
    def is_empty(self) -> bool:
        """Nothing is changed."""
        return not self.left_out and self.type is None and self.tool is None


@dataclass(frozen=True, slots=True)
class AddedStep:
    """A step without content at the end."""

    type: StepType
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """All changes of one what-if; without arguments there are none.

    Attributes:
        complexity: Set by hand, it wins over what the other changes give; so do the three below.
        confidence: Another ``outcome.confidence``.
        success: Another ``metadata.success``.
        edits: By index, at most one for each step.
        measured_novelty: Novelty measured again, on the text with these edits.
        profile: A named profile, or one called ``CUSTOM`` with other weights.
    """

    complexity: float | None = None
    novelty: float | None = None
    tool_diversity: float | None = None
    outcome_confidence: float | None = None
    confidence: float | None = None
    success: bool | None = None
    edits: tuple[StepEdit, ...] = ()
    added: tuple[AddedStep, ...] = ()
    measured_novelty: Novelty | None = None
    profile: Profile | None = None
    threshold: float | None = None

    @property
    def is_empty(self) -> bool:
        """Nothing is changed."""
        return self == _EMPTY

    @property
    def changes(self) -> int:
        """The number of changes; a step counts once, however much of it is changed."""
        single = (self.confidence, self.success, self.profile, self.threshold)
        unchanged = single.count(None)
        return len(single) - unchanged + sum(map(len, (self.by_hand, self.edits, self.added)))

    @property
    def by_hand(self) -> dict[str, float]:
        """The values set by hand, by the names of their dimensions."""
        values = zip(_NAMES, _by_name(self), strict=True)
        return {name: value for name, value in values if value is not None}

    @property
    def tries_outcome(self) -> bool:
        """It sets an outcome."""
        return not (self.confidence is self.success is self.outcome_confidence is None)

    @property
    def edited(self) -> bool:
        """A step is changed, left out or added."""
        return bool(self.edits or self.added)

    @property
    def left_out(self) -> frozenset[int]:
        """Indices of the steps that are left out; no other change affects the text."""
        return frozenset(edit.index for edit in self.edits if edit.left_out)

    def edit_of(self, index: int) -> StepEdit:
        """The edit of that step; an empty one where it has none."""
        found = (edit for edit in self.edits if edit.index == index)
        return next(found, StepEdit(index))

    def with_edit(self, edit: StepEdit) -> Self:
        """With this edit of its step; an empty one undoes the edit."""
        others = [one for one in self.edits if one.index != edit.index]
        kept = others if edit.is_empty else [*others, edit]
        return self._with_edits(tuple(sorted(kept, key=lambda one: one.index)))

    def without_edit(self, index: int) -> Self:
        """With that step as it is in the file."""
        return self.with_edit(StepEdit(index))

    def with_added(self, step: AddedStep) -> Self:
        """With one more step at the end."""
        return replace(self, added=(*self.added, step))

    def value_of(self, dimension: Dimension) -> float | None:
        """The value of the dimension set by hand, or None."""
        value: float | None = getattr(self, dimension)
        return value

    def with_value(self, dimension: Dimension, value: float | None) -> Self:
        """With this value of the dimension set by hand; None undoes that."""
        return replace(self, **{str(dimension): value})  # type: ignore[arg-type]

    def _with_edits(self, edits: tuple[StepEdit, ...]) -> Self:
        """With these edits; a novelty measured on another text is dropped."""
        changed = replace(self, edits=edits)
        if changed.left_out == self.left_out:
            return changed
        return replace(changed, measured_novelty=None)


_EMPTY = Scenario()


@dataclass(frozen=True, slots=True)
class Draft:
    """A scenario, with what is needed to find its steps again in an edited trace.

    Attributes:
        steps: How many steps the trace had.
        edited: For each edit, a digest of the step that it changes.
        text: A digest of the text on which novelty was measured again; "" if it was not.
    """

    scenario: Scenario
    steps: int = 0
    edited: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Loss:
    """The parts of a draft that no longer fit its trace.

    Attributes:
        edits: The edits of steps that are gone, as they were made.
        novelty: Novelty was measured again, but on another text.
    """

    edits: tuple[StepEdit, ...] = ()
    novelty: bool = False

    def __bool__(self) -> bool:
        return bool(self.edits) or self.novelty


NO_LOSS = Loss()
