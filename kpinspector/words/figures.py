"""How numbers are shown: sums add up as shown, and no figure contradicts another.

Figures are for people: the minus is U+2212, a range has an en dash, unknown is an en dash. JSON,
CSV and what is copied into a table hold the whole double instead, in ASCII (``repr``); tooltips
show it as ``shown_whole``. ``plain`` gives figures in ASCII, to compute with.

A double is rounded as ``format(x, ".4f")`` and JavaScript's ``toFixed`` round it, but never shown
with digits that its shortest form lacks: 0.3 stays 0.30000000000000000. From a million on figures
are shown as ``1.2346e15``. What the SDK reads as an infinity or as no number is shown as ∞ or NaN.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from functools import lru_cache
from math import isfinite, isinf, isnan
from typing import TYPE_CHECKING

from kpinspector.scoring.formula.overrides import Override, Rule, final_score
from kpinspector.scoring.formula.profiles import WEIGHT_DECIMALS, Dimension

if TYPE_CHECKING:  # not loaded before the window is painted
    from kpinspector.scoring.formula.assess import Assessment, Contribution, ScoreRange

SCORE_DECIMALS = 4
VALUE_DECIMALS = 3
INTERVAL_DECIMALS = 2
UNKNOWN = "\N{EN DASH}"
_MINUS = "\N{MINUS SIGN}"
_NO_NUMBER = "NaN"
_MOST_DECIMALS = 17
_LONGEST_MARGIN = 12
_LARGE = Decimal(10) ** 6
_INFINITE = "\N{INFINITY}"
_TO_ASCII = str.maketrans({_MINUS: "-", UNKNOWN: "-", _INFINITE: "Infinity"})
# precise enough for the exact sum of the largest and the smallest double
_EXACT = Context(prec=1500)
# numbers for which ``format`` gives the same digits as the exact way
_ORDINARY = 999_999.0
_FEW_DECIMALS = 8
_CLEAR_MARGIN = 0.001
_PLACES = {dimension: place for place, dimension in enumerate(Dimension)}


def plain(figure: str) -> str:
    """A figure in ASCII."""
    return figure.translate(_TO_ASCII)


def shown_whole(value: float) -> str:
    """All digits of a double."""
    return repr(value).replace("-", _MINUS)


def shown_number(value: float, decimals: int = SCORE_DECIMALS) -> str:
    """A number with this many decimals: scores, parts, similarities."""
    if decimals <= _FEW_DECIMALS and abs(value) < _ORDINARY:
        text = f"{abs(value):.{decimals}f}"  # fewer digits than any double keeps
        return f"{_MINUS}{text}" if value < 0 and float(text) else text
    return _text(_rounded(value, decimals), decimals) if isfinite(value) else _shortest(value)


def shown_value(value: float) -> str:
    """The value of a dimension."""
    return shown_number(value, VALUE_DECIMALS)


def shown_short(value: float) -> str:
    """A number as a person writes it: at most four decimals, and no zeros at the end."""
    text = shown_number(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def shown_count(number: int) -> str:
    """A count, with commas between thousands."""
    return f"{number:,}".replace("-", _MINUS)


def shown_pair(score: float, threshold: float) -> tuple[str, str]:
    """Score and threshold with as many decimals as it takes to compare as the doubles do."""
    decimals = decimals_for(score, threshold)
    if decimals is None:
        return _shortest(score), _shortest(threshold)
    return shown_number(score, decimals), shown_number(threshold, decimals)


def shown_score(score: float, threshold: float) -> str:
    """A score that reads as being on its side of the threshold."""
    return shown_pair(score, threshold)[0]


def shown_reach(score: float, threshold: float) -> str:
    """A score that, as shown, reaches the whole threshold if and only if the double does."""
    if isfinite(score) and isfinite(threshold):
        needed = _named(threshold)
        for decimals in range(SCORE_DECIMALS, _MOST_DECIMALS + 1):
            if (_rounded(score, decimals) >= needed) is (score >= threshold):
                return shown_number(score, decimals)
    return shown_score(score, threshold)


def shown_margin(score: float, threshold: float) -> str:
    """How far the shown score is from the shown threshold, without a sign."""
    margin = shown_difference(*shown_pair(score, threshold)).removeprefix(_MINUS)
    return margin if len(margin) <= _LONGEST_MARGIN else _tiny(Decimal(plain(margin)))


def decimals_for(score: float, threshold: float) -> int | None:
    """The decimals, 4 to 17, at which score and threshold compare as the doubles do.

    Their difference as shown is at most twice the real one, and at least half of it. All figures
    of one answer are shown with this number, so that they still add up. None where 17 are not
    enough (1e-30 against 0).
    """
    if not (isfinite(score) and isfinite(threshold)):
        return SCORE_DECIMALS
    if score == threshold or (
        abs(score - threshold) > _CLEAR_MARGIN and max(abs(score), abs(threshold)) < _ORDINARY
    ):
        return SCORE_DECIMALS
    margin = _EXACT.subtract(_named(score), _named(threshold))
    for decimals in range(SCORE_DECIMALS, _MOST_DECIMALS + 1):
        shown = _EXACT.subtract(_rounded(score, decimals), _rounded(threshold, decimals))
        low, high = sorted((margin / 2, margin * 2))
        if low <= shown <= high:
            return decimals
    return None


def shown_parts(
    parts: Sequence[float], total: float | str, decimals: int = SCORE_DECIMALS
) -> tuple[str, ...]:
    """Parts rounded so that they add up to a number or a figure: by largest remainder."""
    figure = total if isinstance(total, str) else shown_number(total, decimals)
    whole = Decimal("NaN" if figure == UNKNOWN else plain(figure))
    if not parts or not (whole.is_finite() and all(map(isfinite, parts))):
        return tuple(shown_number(part, decimals) for part in parts)
    target = whole if isinstance(total, str) else _rounded(total, decimals)
    exponent = _exponent(target, decimals)
    exact = [_EXACT.scaleb(_named(part), -exponent) for part in parts]
    units = [int(part.to_integral_value(ROUND_FLOOR, _EXACT)) for part in exact]
    missing = int(_EXACT.scaleb(target, -exponent)) - sum(units)
    each, left = divmod(missing, len(parts))
    by_remainder = sorted(range(len(parts)), key=lambda i: _EXACT.subtract(units[i], exact[i]))
    for place, index in enumerate(by_remainder):
        units[index] += each + (place < left)
    return tuple(_text(_EXACT.scaleb(Decimal(unit), exponent), decimals) for unit in units)


def shown_difference(figure: str, less: str, *, signed: bool = False) -> str:
    """The difference between two figures as shown, with as many decimals as the longer one."""
    try:
        first = Decimal(figure.translate(_TO_ASCII))
        second = Decimal(less.translate(_TO_ASCII))
    except InvalidOperation:
        return UNKNOWN
    if first.is_finite() and second.is_finite():
        exact = _EXACT.subtract(first, second)
        places, size = max(SCORE_DECIMALS, -int(exact.as_tuple().exponent)), exact.copy_abs()
        if places < _MOST_DECIMALS and size < _LARGE:
            text = f"{_MINUS if exact < 0 else ''}{size:.{places}f}"
        else:
            shown = _on_grid(exact, min(_MOST_DECIMALS, places), ROUND_HALF_EVEN)
            is_tiny = exact and not shown
            text = _tiny(exact) if is_tiny else _text(shown, min(_MOST_DECIMALS, places))
    else:
        text = shown_number(0.0 if figure == less else float(first) - float(second))
    return shown_signed(text) if signed else text


def shown_total(figures: Iterable[str]) -> str:
    """The sum of figures as they are shown."""
    total = "0"
    for figure in figures:
        negative = figure.startswith(_MINUS)
        total = shown_difference(total, f"+{figure[1:]}" if negative else f"-{figure}")
    return total


def shown_signed(figure: str) -> str:
    """A figure with a plus where it has no minus; NaN and an unknown value stay as they are."""
    return figure if figure.startswith((_MINUS, _NO_NUMBER)) or UNKNOWN in figure else f"+{figure}"


def shown_interval(
    low: float, high: float, threshold: float | None = None, decimals: int = INTERVAL_DECIMALS
) -> str:
    """A range rounded outwards, so that it holds every number of the real one.

    With a threshold it gets as many decimals as show on which side of it each end is.
    """
    if not (isfinite(low) and isfinite(high)):
        return UNKNOWN
    for places in range(decimals, _MOST_DECIMALS + 1):
        bottom = _on_grid(_named(low), places, ROUND_FLOOR)
        top = _on_grid(_named(high), places, ROUND_CEILING)
        if threshold is None or (
            (bottom >= _named(threshold)) == (low >= threshold)
            and (top >= _named(threshold)) == (high >= threshold)
        ):
            ends = [_text(end, places) if end else "0" for end in (bottom, top)]
            return shown_range(*ends)
    return shown_range(_shortest(low), _shortest(high))


def shown_at_least(bound: float, rounding: str = ROUND_CEILING) -> str:
    """A lower bound, rounded up, so that reaching the shown number reaches the real one."""
    if not isfinite(bound):
        return _shortest(bound)
    return _text(_on_grid(_named(bound), SCORE_DECIMALS, rounding), SCORE_DECIMALS)


def shown_at_most(bound: float) -> str:
    """An upper bound, rounded down."""
    return shown_at_least(bound, ROUND_FLOOR)


def shown_range(low: str, high: str) -> str:
    """Two figures as a range; equal ones as one figure."""
    return low if low == high else f"{low}\N{EN DASH}{high}"


def _named(value: float) -> Decimal:
    """The shortest decimal that stands for this double."""
    return Decimal(repr(float(value)))


def _shortest(value: float) -> str:
    if isnan(value):
        return _NO_NUMBER
    if isinf(value):
        return _INFINITE if value > 0 else f"{_MINUS}{_INFINITE}"
    return repr(float(value)).replace("e+", "e").replace("-", _MINUS)


def _tiny(value: Decimal) -> str:
    return f"{value.normalize(Context(prec=_MOST_DECIMALS)):e}".replace("-", _MINUS)


def _rounded(value: float, decimals: int) -> Decimal:
    named = _named(value)
    if _on_grid(named, decimals, ROUND_HALF_EVEN) == named:
        return named
    return _on_grid(Decimal(value), decimals, ROUND_HALF_EVEN)


def _on_grid(value: Decimal, decimals: int, rounding: str) -> Decimal:
    grid = Decimal(1).scaleb(_exponent(value, decimals), _EXACT)
    return value.quantize(grid, rounding, _EXACT)


def _exponent(value: Decimal, decimals: int) -> int:
    """The power of ten of the last digit shown."""
    return value.adjusted() - decimals if value.copy_abs() >= _LARGE else -decimals


def _text(value: Decimal, decimals: int) -> str:
    """A number that is rounded already, with all its digits."""
    if value.copy_abs() < _LARGE:
        text = f"{value.copy_abs():.{decimals}f}"
    else:
        digits = value.normalize(_EXACT).as_tuple().digits
        text = f"{value.copy_abs():.{max(decimals, len(digits) - 1)}e}".replace("e+", "e")
    return f"{_MINUS}{text}" if value < 0 else text


@dataclass(frozen=True, slots=True)
class ShownTerm:
    """One dimension: ``adds`` and ``lost`` add up to the weight."""

    dimension: Dimension
    value: str
    weight: str
    adds: str
    lost: str


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What one override did: ``before`` and ``change`` add up to ``after``."""

    before: str
    after: str
    change: str


@dataclass(frozen=True, slots=True)
class ShownSum:
    """The figures of one score; ``total``, the sum of the terms, and the changes give ``score``."""

    terms: tuple[ShownTerm, ...]
    total: str
    lost: str
    changes: tuple[ShownChange, ...]
    score: str
    threshold: str
    margin: str

    def term(self, dimension: Dimension) -> ShownTerm:
        """The figures of one dimension."""
        return self.terms[_PLACES[dimension]]


@lru_cache(maxsize=64)
def shown_sum(assessment: "Assessment") -> ShownSum:
    """All figures of an assessment, with the decimals that its score needs."""
    decimals = decimals_for(assessment.score, assessment.threshold) or SCORE_DECIMALS
    terms, lost, changes = _shown_terms(assessment.contributions, assessment.overrides, decimals)
    score, threshold = shown_pair(assessment.score, assessment.threshold)
    return ShownSum(
        terms=terms,
        total=changes[0].before,
        lost=lost,
        changes=changes,
        score=score,
        threshold=threshold,
        margin=shown_margin(assessment.score, assessment.threshold),
    )


@lru_cache(maxsize=64)
def _shown_terms(
    contributions: tuple["Contribution", ...], overrides: tuple[Override, ...], decimals: int
) -> tuple[tuple[ShownTerm, ...], str, tuple[ShownChange, ...]]:
    """The figures of dimensions and overrides, which depend on the decimals alone; cached."""
    changes: list[ShownChange] = []
    after = shown_number(overrides[-1].after, decimals)
    for override in reversed(overrides):
        before = shown_difference(after, shown_number(override.change, decimals))
        changes.insert(0, ShownChange(before, after, shown_difference(after, before, signed=True)))
        after = before
    adds = shown_parts([term.part for term in contributions], after, decimals)
    terms = []
    for term, part in zip(contributions, adds, strict=True):
        weight = shown_number(term.weight, WEIGHT_DECIMALS)
        lost = shown_difference(weight, part)
        terms.append(ShownTerm(term.dimension, shown_value(term.value), weight, part, lost))
    return tuple(terms), shown_total([term.lost for term in terms]), tuple(changes)


def shown_range_sum(possible: "ScoreRange") -> ShownSum:
    """The figures of a range of scores: ranges where novelty or the outcome is unknown."""
    low, high = possible.low, possible.high
    bottom, top = shown_sum(low), shown_sum(high)
    if low is high:
        return bottom
    terms, spans = list(bottom.terms), []
    for at, (one, other) in enumerate(zip(low.contributions, high.contributions, strict=True)):
        if one.value != other.value:
            weight = bottom.terms[at].weight
            part = shown_interval(one.part, other.part)
            lost = shown_interval(other.lost, one.lost)
            terms[at] = ShownTerm(one.dimension, UNKNOWN, weight, part, lost)
            whole = one.value == 0 and other.value == 1
            difference = shown_difference(top.terms[at].adds, bottom.terms[at].adds)
            spans.append(weight if whole else difference)
    span = shown_total(spans) if spans else "0"
    return ShownSum(
        terms=tuple(terms),
        total=f"{bottom.total}\N{EN DASH}{shown_total((bottom.total, span))}",
        lost=f"{shown_difference(bottom.lost, span)}\N{EN DASH}{bottom.lost}",
        changes=tuple(
            ShownChange("", "", change.change if change.change == other.change else "")
            for change, other in zip(bottom.changes, top.changes, strict=True)
        ),
        score=shown_interval(low.score, high.score, low.threshold),
        threshold=bottom.threshold,
        margin="",
    )


@dataclass(frozen=True, slots=True)
class Stretch:
    """One term of the waterfall, from ``start`` to ``end``, and its figures, which add up.

    ``reach`` is the farthest possible end where the end is unknown, else None.
    """

    term: Dimension | Rule
    start: float
    change: float
    end: float
    shown_start: str
    shown_change: str
    shown_end: str
    reach: float | None = None


def waterfall(possible: "ScoreRange") -> tuple[Stretch, ...]:
    """The known terms in their order from 0 on; then the unknown ones, from where these end."""
    known = tuple(_known(possible))
    return known if possible.low is possible.high else (*known, *_unknown(possible, known[-1]))


def _known(possible: "ScoreRange") -> Iterator[Stretch]:
    """The dimensions and rules that are the same at both ends of the range."""
    low, shown = possible.low, shown_range_sum(possible)
    total = shown_sum(low).total
    place, figure = 0.0, shown_difference(total, total)
    for term in low.contributions:
        if term.dimension not in possible.open_dimensions:
            adds, start, end = shown.term(term.dimension).adds, place, place + term.part
            before, figure = figure, shown_total((figure, adds))
            change = shown_signed(adds)
            yield Stretch(term.dimension, start, term.part, end, before, change, figure)
            place = end
    pairs = zip(low.overrides, possible.high.overrides, shown.changes, strict=True)
    for override, other, changed in pairs:
        if override.applied and changed.before:  # the score is known
            known = override.before, override.change, override.after
            yield Stretch(override.rule, *known, changed.before, changed.change, changed.after)
        elif override.applied and other.applied:
            start, end = place, final_score((override.rule,), place)
            adds = changed.change.lstrip("+") or shown_difference(shown_number(end), figure)
            before, figure = figure, shown_total((figure, adds))
            change = shown_signed(adds)
            yield Stretch(override.rule, start, end - start, end, before, change, figure)
            place = end


def _unknown(possible: "ScoreRange", last: Stretch) -> Iterator[Stretch]:
    """The terms that differ between the ends, each up to its farthest possible end."""
    low, high = possible.low, possible.high
    pairs = zip(low.overrides, high.overrides, shown_sum(high).changes, strict=True)
    maybe = [
        (other, change.change) for one, other, change in pairs if other.applied and not one.applied
    ]
    top = high.score - sum(override.change for override, _ in maybe)
    start, figure, shown = last.end, last.shown_end, shown_range_sum(possible)

    def stretch(term: Dimension | Rule, end: float, reach: float, adds: str) -> Stretch:
        shown_end = shown_interval(end, reach)
        return Stretch(term, start, end - start, end, figure, adds, shown_end, reach)

    for one, other in zip(low.contributions, high.contributions, strict=True):
        if one.dimension in possible.open_dimensions:
            is_first = start == last.end
            end = min(start + one.part, max(start, low.score)) if is_first else start
            reach = max(end, min(start + other.part, top))
            yield stretch(one.dimension, end, reach, shown.term(one.dimension).adds)
            start, figure = reach, shown_interval(low.score, reach)
    for override, change in maybe:
        # without this rule a later one, which is known, may have been cut off at 0
        reach = min(start + override.change, high.score)
        yield stretch(override.rule, start, reach, shown_range("0", change.lstrip("+")))
        start, figure = reach, shown_interval(low.score, reach)
