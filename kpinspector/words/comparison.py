"""Two scored traces side by side: what each dimension and each override makes of the difference."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kpinspector.scoring.formula.assess import Assessment
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.align import Alignment
from kpinspector.trace.read import TraceRecord
from kpinspector.words.figures import shown_difference
from kpinspector.words.sums import ShownSum, ShownTerm, shown_sum


@dataclass(frozen=True, slots=True)
class TermDifference:
    """One dimension: ``shown`` is the difference between what stands in ``adds``."""

    dimension: Dimension
    left: ShownTerm
    right: ShownTerm
    shown: str
    exact: float


@dataclass(frozen=True, slots=True)
class OverrideDifference:
    """One rule and what it changed on each side; "" where it did not fire."""

    rule: Rule
    left: str
    right: str
    shown: str
    exact: float


@dataclass(frozen=True, slots=True)
class Differences:
    """From the score on the left to the score on the right.

    Attributes:
        terms: One for each dimension.
        overrides: Those that fired on either side.
        shown: The differences of terms and overrides add up to it, as they are shown.
    """

    left: ShownSum
    right: ShownSum
    terms: tuple[TermDifference, ...]
    overrides: tuple[OverrideDifference, ...]
    shown: str
    exact: float


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two.

    Attributes:
        name: What it is called; the two are called differently.
        assessment: None while novelty is unknown.
        assumed: The score stands on a novelty that was assumed.
    """

    name: str
    record: TraceRecord
    assessment: Assessment | None
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All that is known of two traces together.

    Attributes:
        similarity: Of the two texts, as far as novelty reads them; None while it is unknown.
        remarks: What a reader should know of how the right one was had, one sentence each.
    """

    left: Side
    right: Side
    alignment: Alignment
    similarity: float | None = None
    remarks: tuple[str, ...] = ()

    @property
    def differences(self) -> Differences | None:
        """How the scores differ; None until both are known."""
        left, right = self.left.assessment, self.right.assessment
        return None if left is None or right is None else differences(left, right)

    def swapped(self) -> "SideBySide":
        """The same with left and right exchanged."""
        alignment = self.alignment.mirrored()
        return replace(self, left=self.right, right=self.left, alignment=alignment)


def names_apart(left: str, right: str) -> tuple[str, str]:
    """Two names by which the sides can be told apart."""
    return (left, right) if left != right else (f"{left} (left)", f"{right} (right)")


def differences(left: Assessment, right: Assessment) -> Differences:
    """Take the figures of one score from those of another."""
    one, other = shown_sum(left), shown_sum(right)
    terms = tuple(
        TermDifference(
            term.dimension,
            one.term(term.dimension),
            other.term(term.dimension),
            _signed(other.term(term.dimension).adds, one.term(term.dimension).adds),
            second.part - term.part,
        )
        for term, second in zip(left.contributions, right.contributions, strict=True)
    )
    return Differences(
        left=one,
        right=other,
        terms=terms,
        overrides=tuple(_fired(left, right, one, other)),
        shown=_signed(other.score, one.score),
        exact=right.score - left.score,
    )


def _fired(
    left: Assessment, right: Assessment, one: ShownSum, other: ShownSum
) -> Iterable[OverrideDifference]:
    rules = zip(left.overrides, right.overrides, one.changes, other.changes, strict=True)
    for override, second, change, changed in rules:
        if override.applied or second.applied:
            yield OverrideDifference(
                override.rule,
                change.change if override.applied else "",
                changed.change if second.applied else "",
                _signed(changed.change, change.change),
                second.change - override.change,
            )


def _signed(figure: str, less: str) -> str:
    """A difference with its sign; nothing has none."""
    shown = shown_difference(figure, less, signed=True)
    return shown if any(digit in shown for digit in "123456789") else shown.lstrip("+")
