"""Two traces side by side: what makes the difference, and both as text."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.scoring.formula.assess import Assessment, ScoreRange, Verdict
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.trace.align import Alignment, Likeness, StepPair
from kpinspector.trace.clear import masked_in
from kpinspector.trace.printable import on_one_line
from kpinspector.trace.records import TraceRecord
from kpinspector.words import figures
from kpinspector.words.say import Names, say, say_list
from kpinspector.words.sentences import TERM_WORDS, kind_word, verdict_phrase
from kpinspector.words.writers.columns import aligned, cut, display_width, fitted, wrapped

# a figure as shown, and the lowest and the highest value that it stands for
_Figure: TypeAlias = tuple[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class TermDifference:
    """One term on both sides, each with its value and what it adds, and how the latter differ.

    A rule has no value, and adds "" where it does not fire; ``exact`` is None for a range.
    """

    term: Dimension | Rule
    left: tuple[str, str]
    right: tuple[str, str]
    shown: str
    exact: float | None


@dataclass(frozen=True, slots=True)
class Differences:
    """The figures of both scores and their differences, which add up as shown."""

    left: figures.ShownSum
    right: figures.ShownSum
    terms: tuple[TermDifference, ...]
    overrides: tuple[TermDifference, ...]
    shown: str
    exact: float | None


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two traces; their names differ.

    ``assessment``: None while novelty is unknown. ``possible``: the possible scores where a
    recording does not say how the run ended. ``running``: still being recorded, so judged so far.
    """

    name: str
    record: TraceRecord
    assessment: Assessment | None
    assumed: bool = False
    possible: ScoreRange | None = None
    running: bool = False

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None while novelty is unknown."""
        if self.possible is not None:
            return self.possible.verdict
        return None if self.assessment is None else self.assessment.verdict

    @property
    def ends(self) -> ScoreRange | None:
        """The lowest and the highest possible score; None while novelty is unknown."""
        if self.assessment is None:
            return None
        return self.possible or ScoreRange(self.assessment, self.assessment)


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two traces side by side; ``similarity``: the cosine of the texts that novelty reads.

    ``remarks`` say where the right trace comes from, one sentence each.
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


def names_apart(left: str, right: str) -> tuple[str, str]:
    """The names of both sides, with "(left)" and "(right)" where they are equal."""
    if left != right:
        return left, right
    return say("{name} (left)", name=left), say("{name} (right)", name=right)


def differences(left: ScoreRange, right: ScoreRange) -> Differences:
    """Subtract the figures of the left score from those of the right; of ranges, the ends."""
    one, other = figures.shown_range_sum(left), figures.shown_range_sum(right)
    terms = []
    for place, dimension in enumerate(Dimension):
        ends = [
            (side.low.contributions[place].part, side.high.contributions[place].part)
            for side in (left, right)
        ]
        first, second = ((its.value, its.adds) for its in (one.terms[place], other.terms[place]))
        difference = _difference((first[1], ends[0]), (second[1], ends[1]))
        terms.append(TermDifference(dimension, first, second, *difference))
    overrides = []
    for place, rule in enumerate(Rule):
        (less, its_ends), (more, ends_of_more) = (_change(side, place) for side in (left, right))
        if less or more:
            difference = _difference((less or "0", its_ends), (more or "0", ends_of_more))
            overrides.append(TermDifference(rule, ("", less), ("", more), *difference))
    shown, exact = _difference(
        (one.score, (left.low.score, left.high.score)),
        (other.score, (right.low.score, right.high.score)),
    )
    return Differences(one, other, tuple(terms), tuple(overrides), shown, exact)


def _difference(left: _Figure, right: _Figure) -> tuple[str, float | None]:
    """The right figure minus the left one, as shown and exact; a range if one of them is."""
    (figure, (low, high)), (other, (least, most)) = left, right
    if low != high or least != most:
        return figures.shown_interval(least - high, most - low), None
    shown = figures.shown_difference(other, figure, signed=True)
    is_zero = not any(digit in shown for digit in "123456789")  # shown without a sign
    return shown.lstrip("+") if is_zero else shown, least - low


def _change(side: ScoreRange, place: int) -> _Figure:
    """The change that a rule makes, "" where it does not fire; a range where that is open."""
    ends = [
        (one.overrides[place], figures.shown_sum(one).changes[place])
        for one in (side.low, side.high)
    ]
    shown = [change.change if override.applied else "" for override, change in ends]
    low, high = sorted(override.change for override, _ in ends)
    low_figure, high_figure = shown
    if low_figure == high_figure:
        return high_figure, (high, high)
    return figures.shown_interval(low, high), (low, high)


_LIKENESS = Names(
    {
        Likeness.SAME: Phrase("the same"),
        Likeness.CHANGED: Phrase("changed"),
        Likeness.ONLY_LEFT: Phrase("only on the left"),
        Likeness.ONLY_RIGHT: Phrase("only on the right"),
    }
)
_SIGNS = dict(zip(Likeness, "=!-+", strict=True))
_LONGEST_LINE = 160
_FIGURES = range(1, 6)


def comparison_text(
    comparison: SideBySide, check: Callable[[], None] = lambda: None, width: int | None = None
) -> str:
    """Scores, dimensions, then every step with its changed words; ends in a line feed.

    Words that only the left text has stand in ``[-`` and ``-]``, those of the right in ``{+`` and
    ``+}``. ``check`` is called for each step and may raise to stop. Names and texts are cut where
    they would take more than ``width``.
    """
    lines = []
    for word, side in ((say("left"), comparison.left), (say("right"), comparison.right)):
        score = verdict_phrase(side.verdict, assumed=side.assumed, running=side.running)
        if side.assessment is None:
            score = say("not scored yet")
        begin, name = f"{word:5}  {score}  ", on_one_line(side.name)
        if width is not None:
            name = cut(name, width - len(begin), keep_end=True)
        lines.append(begin + name)
    lines.append("")
    if (found := comparison.differences) is not None:
        lines += [*_table(found, width), ""]
    times = Counter(pair.likeness for pair in comparison.alignment.pairs)
    counts = (
        f"{figures.shown_count(times[one])} {_LIKENESS[one]}" for one in Likeness if times[one]
    )
    last = say("Objective and steps: {counts}", counts=say_list(counts))
    for note in (*notes_on(comparison), f"{last}."):
        lines += wrapped(on_one_line(note), width)
    lines.append("")
    for pair in comparison.alignment.pairs:
        check()
        lines += _pair(pair) if width is None else (cut(line, width) for line in _pair(pair))
    return "\n".join(lines) + "\n"


def notes_on(comparison: SideBySide) -> Iterator[str]:
    """Sentences beside the figures: similarity, profiles, remarks, how steps were paired."""
    left, right = comparison.left, comparison.right
    if comparison.similarity is not None:
        yield say(
            "The texts are {similarity} similar, as novelty reads them.",
            similarity=figures.shown_number(comparison.similarity),
        )
    names = [one.assessment.profile.name for one in (left, right) if one.assessment]
    if len(set(names)) > 1:
        yield say(
            "{left} is judged as {profile}, {right} as {other}.",
            left=left.name,
            profile=names[0],
            right=right.name,
            other=names[1],
        )
    yield from comparison.remarks
    if not comparison.alignment.weighed:
        yield say(
            "Some steps are paired by type and tool alone: there are too many to weigh them all."
        )


def _table(found: Differences, width: int | None) -> Iterator[str]:
    left, adds, right = say("left"), say("adds"), say("right")
    rows: list[tuple[str, ...]] = [("", left, adds, right, adds, say("difference"))]
    terms = (*found.terms, *found.overrides)
    rows += ((TERM_WORDS[one.term], *one.left, *one.right, one.shown) for one in terms)
    rows.append((say("score"), "", found.left.score, "", found.right.score, found.shown))
    if width is not None and max(map(display_width, aligned(rows, _FIGURES))) > width:
        # the values of the dimensions go, as `explain` has them, too; what adds up stays
        rows = [(name, one, other, shown) for name, _, one, _, other, shown in rows]
        rows[0] = ("", left, right, say("difference"))
    return fitted(rows, width, _FIGURES)


def _pair(pair: StepPair) -> Iterator[str]:
    steps = [None if one is None else one.step for one in pair.sides]
    places = " ".join(f"{'' if one is None else one.index:>4}" for one in steps)
    named = ((kind_word(one.kind), masked_in(one.tool_name or "")) for one in steps if one)
    titles = dict.fromkeys(on_one_line(" ".join(filter(None, one))) for one in named)
    yield f"{_SIGNS[pair.likeness]} {places}  {' / '.join(titles) or say('Objective')}".rstrip()
    if pair.likeness is Likeness.SAME:
        return
    marks = (("[-", "-]"), ("{+", "+}"))
    for found, (before, after) in zip(pair.passages(masked_in), marks, strict=True):
        if found is None or not found.text.strip():
            continue
        text, said, end = found.text[:_LONGEST_LINE], "", 0
        for start, stop in found.changed:
            if start < len(text):
                said += text[end:start] + before + text[start:stop] + after
                end = stop
        early = found.ends_early or len(text) < len(found.text)
        line = on_one_line(said + text[end:])
        yield f"  {'... ' * found.starts_late}{line}{'...' * early}"
