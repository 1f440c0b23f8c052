"""The language of the list's filter: plain words and ``name:value`` terms."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import inf, nextafter

from kpinspector.app.document import Document, State
from kpinspector.batch.summary import LEVERS
from kpinspector.runs.readers import formats
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, PROFILES, Dimension
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.ui.traces.row_counts import BINS
from kpinspector.ui.traces.trace_row import (
    ALONE,
    NOWHERE,
    BatchPlace,
    dimension_value,
    fired_rules,
    greatest_loss,
    lever_term,
    profile_name,
)
from kpinspector.words.figures import SCORE_DECIMALS, VALUE_DECIMALS

_ASSUMED = "assumed"
_STATES = {
    **{str(state): frozenset({str(state)}) for state in State},
    _ASSUMED: frozenset({_ASSUMED}),
    "problems": frozenset({str(State.NOT_SCORABLE), str(State.UNREADABLE)}),
}
_LETTERS = {letter.casefold(): one for one, letter in DIMENSION_LETTERS.items()}
_RUNNING, _ALONE = "running", "alone"
_CHOSEN, _LEFT_OUT = "chosen", "left_out"
_YES, _NO = "yes", "no"
LEAKS = "leaks"
"""The name of what asks for rows of which something would leave in clear."""


def _themselves(names: Iterable[str]) -> dict[str, frozenset[str]]:
    return {str(name): frozenset({str(name)}) for name in names}


def _formats() -> Mapping[str, frozenset[str]]:
    """The names of formats, with those of packages as soon as these are loaded."""
    return {
        re.sub("[- ]", "_", name.casefold()): frozenset({form})
        for form, info in formats().items()
        for name in (form, info.name)
    }


# for each name before a colon, its possible values and what they match
_VALUES: Mapping[str, Mapping[str, frozenset[str]]] = {
    "state": _STATES,
    "profile": _themselves(profile.name for profile in PROFILES),
    "format": {},  # see ``_formats``
    "is": _themselves((_RUNNING,)),
    "reach": _themselves(ReachKind),
    "loss": _themselves((*Dimension, *Rule))
    | {letter: frozenset({str(one)}) for letter, one in _LETTERS.items()},
    "rule": _themselves(Rule),
    "lever": _themselves(lever_term(*one) for one in LEVERS),
    "plan": _themselves((_CHOSEN, _LEFT_OUT)),
    LEAKS: _themselves((_YES, _NO)),
}
_SCORE, _GROUP = "score", "group"
OF_BATCH = (_GROUP, "plan", "lever")
"""The names of what is known of all open traces together."""
KEYS = (*_VALUES, _GROUP, _SCORE, *_LETTERS)
_NAMES = "|".join((*_VALUES, _GROUP, _SCORE))
_TERM = re.compile(
    rf"""
    (?P<bare> (?:{_NAMES}|[{"".join(_LETTERS)}]) : (?=\s|$))  # still being written
    | (?:(?P<name> {_NAMES} | [{"".join(_LETTERS)}] (?=:[-<>=.\d])) :)?  # c:\ is a drive
      (?: "(?P<quoted> [^"]*)"? | (?P<plain> \S+))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMPARED = re.compile(
    rf"(?<!\S)({_SCORE}|[{''.join(_LETTERS)}])\s*:?\s*(?:=|([<>]=?))\s*(?=-?\.?\d)", re.IGNORECASE
)  # "score > 0.7" is "score:>0.7"
_KEY = re.compile(r"([a-z_-]{2,}):.", re.IGNORECASE)  # a drive has one letter
_NO_NUMBER = re.compile(rf"{_SCORE}[<>=]", re.IGNORECASE)
_NUMBER = r"(-?\d+\.?\d*|-?\.\d+)"
_RANGE = re.compile(rf"{_NUMBER}?\.\.{_NUMBER}?")
_BOUND = re.compile(rf"(>=|<=|>|<|){_NUMBER}?")
_BEFORE = 0.0001
_SHOWN_STEP = 5e-5  # scores nearer to the threshold than this are shown with more decimals
_ANY = (-inf, inf)


@dataclass(frozen=True, slots=True)
class Query:
    """What a row has to match; empty parts match everything.

    Attributes:
        words: All of them have to occur in the searched text.
        values: For each name used, the values of which a row has to have one.
        ranges: For the score and for letters of dimensions, the least and the greatest value; a
            score that is still a range matches if the two ranges meet.
        wrong: The first term that makes no sense; it is ignored.
        unknown: The first unknown name before a colon; the term counts as a word, since ids and
            addresses contain colons as well.
        unfinished: The last name that is still without a value.
    """

    words: tuple[str, ...] = ()
    values: Mapping[str, frozenset[str]] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    wrong: str = ""
    unknown: str = ""
    unfinished: str = ""

    @property
    def active(self) -> bool:
        """Whether it may hide any row."""
        return bool(self.words or self.values or self.ranges)

    def keeps(self, document: Document, searched: str, place: BatchPlace = NOWHERE) -> bool:
        """Whether a row matches; ``searched`` is its text in lower case."""
        return (
            all(word in searched for word in self.words)
            and all(
                not wanted.isdisjoint(_HELD[name](document, place))
                for name, wanted in self.values.items()
            )
            and all(
                _reaches(document, name, low, high) for name, (low, high) in self.ranges.items()
            )
        )


def parse_query(text: str) -> Query:
    """Parse the filter's text; terms that make no sense are reported and ignored."""
    query = Query()
    for match in _terms(text):
        name = (match["name"] or "").casefold()
        value = (match["quoted"] or match["plain"] or "").casefold()
        if match["bare"]:
            query = replace(query, unfinished=match["bare"].casefold())
        if not value:
            continue
        extended = _with_term(query, name, value)
        query = extended or replace(query, wrong=query.wrong or match[0])
        key = _KEY.match(match["plain"] or "") if not name else None
        if key is not None:
            query = replace(query, unknown=query.unknown or key[1])
    return query


def _terms(text: str) -> Iterator[re.Match[str]]:
    return _TERM.finditer(_COMPARED.sub(r"\1:\2", text))


def bin_in(text: str) -> int | None:
    """The histogram column whose scores, and no others, the filter asks for."""
    terms = [match[0] for match in _terms(text) if _is_score(match)]
    found = (number for number in range(BINS) if terms == [_bin_term(number)])
    return next(found, None)


def with_bin(text: str, number: int | None) -> str:
    """The filter with its score terms replaced by a histogram column's; None for any score."""
    terms = [match[0] for match in _terms(text) if not _is_score(match)]
    return " ".join([*terms, *([] if number is None else [_bin_term(number)])])


def group_in(text: str) -> int | None:
    """The one group, from 1, or ``ALONE``, that the filter asks for."""
    terms = [match[0] for match in _terms(text) if _is_group(match)]
    found = _groups(terms[0].partition(":")[2].casefold()) if len(terms) == 1 else ()
    if len(found) != 1:
        return None
    (group,) = found
    return ALONE if group == _ALONE else int(group)


def with_group(text: str, group: int | None) -> str:
    """The filter with its group terms replaced by a group's; None for any group."""
    terms = [match[0] for match in _terms(text) if not _is_group(match)]
    asked = [] if group is None else [f"{_GROUP}:{group if group != ALONE else _ALONE}"]
    return " ".join([*terms, *asked])


def completions(text: str) -> list[str]:
    """The text with its last term completed: each key that begins so, or value of that key."""
    start = text.rfind(" ") + 1
    last = text[start:].casefold()
    name, colon, value = last.partition(":")
    options = [f"{key}:" for key in (*_VALUES, _GROUP, _SCORE)]
    if colon:
        earlier = value[: value.rfind(",") + 1]
        options = [f"{name}:{earlier}{one}" for one in values_of(name)]
    fitting = (one for one in options if last and one.startswith(last) and one != last)
    return [text[:start] + one for one in fitting]


def example_like(term: str) -> str:
    """A term that makes sense, with the same name before its colon."""
    name = re.split("[:<>=]", term)[0].casefold()
    return f"{name}:{next(iter(values_of(name)))}"


def values_of(name: str) -> Iterable[str]:
    """The values that a key is known to have; those of letters are ranges of numbers."""
    match name:
        case "format":
            return _formats()
        case "group":
            return ("1", _ALONE)
        case "score":
            return ("0.5..0.8",)
    return (">=0.6",) if name in _LETTERS else _VALUES.get(name, ())


def _is_score(term: re.Match[str]) -> bool:
    return term[0].casefold().startswith("score:")


def _is_group(term: re.Match[str]) -> bool:
    return term[0].casefold().startswith("group:")


def _bin_term(number: int) -> str:
    """The term for a column's scores, short of the next column's first; the ends are open."""
    low = "" if number == 0 else f"{number / BINS:.2f}"
    high = "" if number == BINS - 1 else f"{(number + 1) / BINS - _BEFORE:.4f}"
    return f"score:{low}..{high}"


def _with_term(query: Query, name: str, value: str) -> Query | None:
    """Add a term to a query; None if it makes no sense."""
    if not name and _NO_NUMBER.match(value):
        return None
    if not name:
        return replace(query, words=(*query.words, value))
    if name == _SCORE or name in _LETTERS:
        bounds = _bounds(value)
        return None if bounds is None else _with_range(query, name, *bounds)
    values = _groups(value) if name == _GROUP else _named(value, _VALUES[name] or _formats())
    if not values:
        return None
    return replace(
        query, values={**query.values, name: values | query.values.get(name, frozenset())}
    )


def _with_range(query: Query, name: str, low: float, high: float) -> Query:
    if (low, high) == _ANY:
        return query
    least, most = query.ranges.get(name, _ANY)
    return replace(query, ranges={**query.ranges, name: (max(low, least), min(high, most))})


def _named(value: str, table: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What comma-separated values stand for; the first few letters are enough."""
    found: frozenset[str] = frozenset()
    for part in filter(None, value.split(",")):
        begin = re.sub("[- ]", "_", part)
        exact = [table[begin]] if begin in table else []
        meant = exact or [members for name, members in table.items() if name.startswith(begin)]
        if not meant:
            return frozenset()
        found = found.union(*meant)
    return found


def _groups(value: str) -> frozenset[str]:
    """Comma-separated numbers of groups; ``alone`` stands for traces in no group."""
    parts = [part for part in value.split(",") if part]
    known = all(part.isdecimal() or _ALONE.startswith(part) for part in parts)
    named = (str(int(part)) if part.isdecimal() else _ALONE for part in parts)
    return frozenset(named) if known else frozenset()


def _bounds(value: str) -> tuple[float, float] | None:
    """The bounds a term means: ``0.5..0.8``, ``>0.7``, or ``0.7`` for all that begin so."""
    if match := _RANGE.fullmatch(value):
        low, high = float(match[1] or -inf), float(match[2] or inf)
        return (low, high) if low <= high else None
    match = _BOUND.fullmatch(value)
    if match is None:
        return None
    if match[2] is None:
        return -inf, inf
    number, decimals = float(match[2]), len(match[2].partition(".")[2])
    behind = round(number + 10.0**-decimals, decimals)
    return {
        ">=": (number, inf),
        ">": (nextafter(number, inf), inf),
        "<=": (-inf, number),
        "<": (-inf, nextafter(number, -inf)),
        "": (number, nextafter(behind, -inf)),
    }[match[1]]


def _states_of(document: Document, _place: BatchPlace) -> Collection[str]:
    return (document.state, _ASSUMED) if document.assumed else (document.state,)


def _group_of(_document: Document, place: BatchPlace) -> Collection[str]:
    return () if place.group is None else (str(place.group) if place.group else _ALONE,)


def _planned(_document: Document, place: BatchPlace) -> Collection[str]:
    return () if place.place is None else (_CHOSEN if place.place else _LEFT_OUT,)


def _leaks(_document: Document, place: BatchPlace) -> Collection[str]:
    return () if place.in_clear is None else (_YES if place.in_clear else _NO,)


# for each name before a colon, what a row has of it
_HELD: Mapping[str, Callable[[Document, BatchPlace], Collection[str | None]]] = {
    "state": _states_of,
    "profile": lambda document, _: (profile_name(document),),
    "format": lambda document, _: (document.format,),
    "is": lambda document, _: (_RUNNING,) if document.running else (),
    "reach": lambda document, _: (document.reach,),
    "loss": lambda document, _: (greatest_loss(document),),
    "rule": lambda document, _: fired_rules(document),
    "lever": lambda _, place: place.levers,
    "plan": _planned,
    LEAKS: _leaks,
    _GROUP: _group_of,
}


def _reaches(document: Document, name: str, low: float, high: float) -> bool:
    """Whether a value, as shown, lies in a range; for a score still open, whether it may."""
    if name != _SCORE:
        value = dimension_value(document, _LETTERS[name])
        return value is not None and low <= round(value, VALUE_DECIMALS) <= high
    if document.score is not None:
        return low <= _as_shown(document.score, document.rules.threshold) <= high
    if document.bounds is None:
        return False
    least, most = document.bounds
    return least <= high and most >= low


def _as_shown(score: float, threshold: float) -> float:
    """The score as shown: rounded, but never across the threshold."""
    return score if abs(score - threshold) < _SHOWN_STEP else round(score, SCORE_DECIMALS)
