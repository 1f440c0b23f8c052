"""Two scored traces side by side: what each dimension and each override makes of the difference."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.align import Alignment
from kpinspector.trace.read import TraceRecord
from kpinspector.words.figures import shown_difference, shown_interval
from kpinspector.words.say import say
from kpinspector.words.sums import ShownSum, ShownTerm, shown_range_sum, shown_sum

# the figure as shown, and the lowest and the highest value that it stands for
_Figure: TypeAlias = tuple[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class TermDifference:
    """The difference in one dimension; ``shown`` is the difference of both ``adds``.

    ``exact`` is None where a side's is a range.
    """

    dimension: Dimension
    left: ShownTerm
    right: ShownTerm
    shown: str
    exact: float | None


@dataclass(frozen=True, slots=True)
class OverrideDifference:
    """One rule and what it changed on each side; "" where it did not fire.

    ``exact`` is None where it is not known whether it fired.
    """

    rule: Rule
    left: str
    right: str
    shown: str
    exact: float | None


@dataclass(frozen=True, slots=True)
class Differences:
    """From the score on the left to the score on the right.

    Attributes:
        terms: One for each dimension.
        overrides: Those that fired on either side.
        shown: The differences of terms and overrides add up to it, as they are shown.
        exact: None where a side has a range.
    """

    left: ShownSum
    right: ShownSum
    terms: tuple[TermDifference, ...]
    overrides: tuple[OverrideDifference, ...]
    shown: str
    exact: float | None


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two.

    Attributes:
        name: What it is called; the two are called differently.
        assessment: None while novelty is unknown.
        assumed: The score stands on a novelty that was assumed.
        possible: What is possible where a recording does not say how the run ended.
        running: It goes on being recorded: it is judged so far.
    """

    name: str
    record: TraceRecord
    assessment: Assessment | None
    assumed: bool = False
    possible: ScoreRange | None = None
    running: bool = False

    @property
    def verdict(self) -> Verdict | None:
        """None while novelty is unknown."""
        if self.possible is not None:
            return self.possible.verdict or Verdict.UNDECIDED
        return None if self.assessment is None else self.assessment.verdict

    @property
    def ends(self) -> ScoreRange | None:
        """The lowest and the highest possible score, which may be one."""
        if self.assessment is None:
            return None
        return self.possible or ScoreRange(self.assessment, self.assessment)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All that is known of two traces together.

    Attributes:
        similarity: Of the two texts, as far as novelty reads them; None while it is unknown.
        remarks: What a reader should know of where the right trace comes from, one sentence each.
    """

    left: Side
    right: Side
    alignment: Alignment
    similarity: float | None = None
    remarks: tuple[str, ...] = ()

    @property
    def differences(self) -> Differences | None:
        """How the scores differ; None until both are known."""
        left, right = self.left.ends, self.right.ends
        return None if left is None or right is None else differences(left, right)

    def swapped(self) -> "SideBySide":
        """The same with left and right exchanged."""
        alignment = self.alignment.mirrored()
        return replace(self, left=self.right, right=self.left, alignment=alignment)


def names_apart(left: str, right: str) -> tuple[str, str]:
    """Two names by which the sides can be told apart."""
    if left != right:
        return left, right
    return say("{name} (left)", name=left), say("{name} (right)", name=right)


def differences(left: ScoreRange, right: ScoreRange) -> Differences:
    """Subtract the figures of the left score from those of the right one; ranges by their ends."""
    one, other = shown_range_sum(left), shown_range_sum(right)
    terms = []
    for place, dimension in enumerate(Dimension):
        ends = [
            (side.low.contributions[place].part, side.high.contributions[place].part)
            for side in (left, right)
        ]
        first, second = one.term(dimension), other.term(dimension)
        shown, exact = _difference((first.adds, ends[0]), (second.adds, ends[1]))
        terms.append(TermDifference(dimension, first, second, shown, exact))
    overrides = []
    for place, rule in enumerate(Rule):
        changes = [_change(side, place) for side in (left, right)]
        if any(figure for figure, _ in changes):
            (less, ends_of_less), (figure, its_ends) = changes
            shown, exact = _difference((less or "0", ends_of_less), (figure or "0", its_ends))
            overrides.append(OverrideDifference(rule, less, figure, shown, exact))
    shown, exact = _difference(
        (one.score, (left.low.score, left.high.score)),
        (other.score, (right.low.score, right.high.score)),
    )
    return Differences(one, other, tuple(terms), tuple(overrides), shown, exact)


def _difference(left: _Figure, right: _Figure) -> tuple[str, float | None]:
    """The right figure minus the left one, shown and exact; a range where one of them is."""
    (figure, (low, high)), (other, (least, most)) = left, right
    if low != high or least != most:
        return shown_interval(least - high, most - low), None
    shown = shown_difference(other, figure, signed=True)
    is_zero = not any(digit in shown for digit in "123456789")  # which has no sign
    return shown.lstrip("+") if is_zero else shown, least - low


def _change(side: ScoreRange, place: int) -> _Figure:
    """The change that a rule makes, "" where it does not fire; a range where that is open."""
    ends = [(one.overrides[place], shown_sum(one).changes[place]) for one in (side.low, side.high)]
    figures = [change.change if override.applied else "" for override, change in ends]
    low, high = sorted(override.change for override, _ in ends)
    low_figure, high_figure = figures
    if low_figure == high_figure:
        return high_figure, (high, high)
    return shown_interval(low, high), (low, high)
