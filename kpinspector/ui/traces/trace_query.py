"""The language of the filter: plain words and ``name:value`` terms."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, nextafter

from kpinspector.app.document import Document, State
from kpinspector.batch.summary import LEVERS
from kpinspector.runs.readers import formats
from kpinspector.scoring.formula.overrides import Rule
from kpinspector.scoring.formula.profiles import DIMENSION_LETTERS, PROFILES, Dimension
from kpinspector.scoring.whatif.reach import ReachKind
from kpinspector.ui.traces import BINS
from kpinspector.ui.traces.trace_row import (
    ALONE,
    TraceRow,
    dimension_value,
    fired_rules,
    greatest_loss,
    lever_term,
    profile_name,
)
from kpinspector.words.figures import SCORE_DECIMALS, VALUE_DECIMALS

_LETTERS = {letter.casefold(): one for one, letter in DIMENSION_LETTERS.items()}
LEAKS, GROUP, SCORE = "leaks", "group", "score"
"""The names of terms for what leaves in clear, the group and the score."""
OF_BATCH = (GROUP, "plan", "helps")
"""The names of terms that need the Batch page's results."""
_Values = Mapping[str, frozenset[str]]
_Held = Callable[[TraceRow], Collection[str | None]]


def _themselves(names: Iterable[str]) -> _Values:
    return {str(name): frozenset({str(name)}) for name in names}


def _formats() -> _Values:
    """The names of formats; those of packages are included once these are loaded."""
    return {
        re.sub("[- ]", "_", name.casefold()): frozenset({form})
        for form, info in formats().items()
        for name in (form, info.name)
    }


def _one_of(value: int | None, yes: str, no: str) -> Collection[str]:
    """One word for a number from 1 on, another for 0, none for None."""
    return () if value is None else (yes if value else no,)


# by the name before the colon: its possible values with what they match; what a row has of it
_TERMS: Mapping[str, tuple[_Values, _Held]] = {
    "state": (
        {
            **_themselves((*State, "assumed")),
            "problems": frozenset({str(State.NOT_SCORABLE), str(State.UNREADABLE)}),
        },
        lambda row: (row.state, "assumed") if row.document.assumed else (row.state,),
    ),
    "profile": (
        _themselves(profile.name for profile in PROFILES),
        lambda row: (profile_name(row.document),),
    ),
    "format": ({}, lambda row: (row.document.format,)),  # see ``_formats``
    "is": (_themselves(["running"]), lambda row: ("running",) if row.document.running else ()),
    "needs": (_themselves(ReachKind), lambda row: (row.document.reach,)),
    "loss": (
        {
            **_themselves((*Dimension, *Rule)),
            **{letter: frozenset({str(one)}) for letter, one in _LETTERS.items()},
        },
        lambda row: (greatest_loss(row.document),),
    ),
    "rule": (_themselves(Rule), lambda row: fired_rules(row.document)),
    "helps": (_themselves(lever_term(*one) for one in LEVERS), lambda row: row.place.levers),
    "plan": (
        _themselves(("chosen", "left_out")),
        lambda row: _one_of(row.place.place, "chosen", "left_out"),
    ),
    LEAKS: (_themselves(("yes", "no")), lambda row: _one_of(row.place.in_clear, "yes", "no")),
    GROUP: (  # or its number
        _themselves(["alone"]),
        lambda row: _one_of(row.place.group, str(row.place.group), "alone"),
    ),
}
_NAMES = (*_TERMS, SCORE)
_RANGED = (SCORE, *_LETTERS)
KEYS = (*_NAMES, *_LETTERS)
_NAME = "|".join(_NAMES)
_TERM = re.compile(
    rf"""
    (?P<bare> (?:{_NAME}|[{"".join(_LETTERS)}]) : (?=\s|$))  # still being written
    | (?:(?P<name> {_NAME} | [{"".join(_LETTERS)}] (?=:[-<>=.\d])) :)?  # c:\ is a drive
      (?: "(?P<quoted> [^"]*)"? | (?P<plain> \S+))
    """,
    re.IGNORECASE | re.VERBOSE,
)
_COMPARED = re.compile(
    rf"(?<!\S)({SCORE}|[{''.join(_LETTERS)}])\s*:?\s*(?:=|([<>]=?))\s*(?=-?\.?\d)", re.IGNORECASE
)  # "score > 0.7" is "score:>0.7"
_KEY = re.compile(r"([a-z_-]{2,})(?::|[<>=]+(?=[.\d])).", re.IGNORECASE)  # a drive has one letter
_NO_NUMBER = re.compile(rf"{SCORE}[<>=]", re.IGNORECASE)
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
        unknown: The first unknown name before a colon or a comparison; the term counts as a word,
            since ids and addresses contain colons as well.
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

    def keeps(self, row: TraceRow) -> bool:
        """Whether a row matches."""
        return (
            all(word in row.searched for word in self.words)
            and not any(
                wanted.isdisjoint(_TERMS[name][1](row)) for name, wanted in self.values.items()
            )
            and all(
                _reaches(row.document, name, low, high) for name, (low, high) in self.ranges.items()
            )
        )

    @property
    def bin(self) -> int | None:
        """The histogram column whose scores, and no others, are asked for; None without one."""
        asked = self.ranges.get(SCORE)
        return _BINS.index(asked) if asked in _BINS else None

    @property
    def group(self) -> int | None:
        """The only group that is asked for, from 1, or ``ALONE``; None without one."""
        groups = self.values.get(GROUP, ())
        if len(groups) != 1:
            return None
        (group,) = groups
        return int(group) if group.isdecimal() else ALONE


def parse_query(text: str) -> Query:
    """Parse the filter's text; terms that are not understood are reported and ignored."""
    words: list[str] = []
    values: dict[str, frozenset[str]] = {}
    ranges: dict[str, tuple[float, float]] = {}
    wrong = unknown = unfinished = ""
    for match in _terms(text):
        name, plain = (match["name"] or "").casefold(), match["plain"] or ""
        value = (match["quoted"] or plain).casefold()
        unfinished = (match["bare"] or unfinished).casefold()
        if not value:
            continue
        if not name and not _NO_NUMBER.match(value):
            words.append(value)
            key = _KEY.match(plain)
            unknown = unknown or (key[1] if key else "")
        elif name in _RANGED and (bounds := _bounds(value)):
            low, high = ranges.get(name, _ANY)
            ranges[name] = max(low, bounds[0]), min(high, bounds[1])
        elif name in _TERMS and (meant := _named(value, name)):
            values[name] = meant | values.get(name, frozenset())
        else:
            wrong = wrong or match[0]
    asked = {name: both for name, both in ranges.items() if both != _ANY}
    return Query(tuple(words), values, asked, wrong, unknown, unfinished)


def _terms(text: str) -> Iterator[re.Match[str]]:
    return _TERM.finditer(_COMPARED.sub(r"\1:\2", text))


def bin_term(number: int) -> str:
    """The term's value for a column's scores, up to the next column's first; ends are open."""
    low = "" if number == 0 else f"{number / BINS:.2f}"
    high = "" if number == BINS - 1 else f"{(number + 1) / BINS - _BEFORE:.4f}"
    return f"{low}..{high}"


def group_term(group: int) -> str:
    """The value of the term for a group."""
    return "alone" if group == ALONE else str(group)


def with_term(text: str, name: str, value: str | None) -> str:
    """The filter's text with its terms of one name replaced by one term; None removes them."""
    terms = (match[0] for match in _terms(text))
    others = [one for one in terms if not one.casefold().startswith(f"{name}:")]
    return " ".join([*others, *([] if value is None else [f"{name}:{value}"])])


def completions(text: str) -> list[str]:
    """The text with its last term completed, once for each key or value that begins like it."""
    start = text.rfind(" ") + 1
    last = text[start:].casefold()
    name, colon, value = last.partition(":")
    options = [f"{key}:" for key in _NAMES]
    if colon:
        earlier = value[: value.rfind(",") + 1]
        options = [f"{name}:{earlier}{one}" for one in values_of(name)]
    fitting = (one for one in options if last and one.startswith(last) and one != last)
    return [text[:start] + one for one in fitting]


def example_like(term: str) -> str:
    """A valid term with the same name as a wrong one."""
    name = re.split("[:<>=]", term)[0].casefold()
    return f"{name}:{next(iter(values_of(name)))}"


def values_of(name: str) -> Iterable[str]:
    """The possible values of a key; for the letter of a dimension a range of numbers."""
    match name:
        case "format":
            return _formats()
        case "group":
            return ("1", "alone")
        case "score":
            return ("0.5..0.8",)
    return (">=0.6",) if name in _LETTERS else _TERMS[name][0] if name in _TERMS else ()


def _named(value: str, key: str) -> frozenset[str]:
    """What comma-separated values match; each may be abbreviated. Empty if one is unknown."""
    found: frozenset[str] = frozenset()
    table = _TERMS[key][0] or _formats()
    for part in filter(None, value.split(",")):
        begin = re.sub("[- ]", "_", part)
        if key == GROUP and part.isdecimal():
            meant = [frozenset({str(int(part))})]
        elif begin in table:
            meant = [table[begin]]
        else:
            meant = [members for name, members in table.items() if name.startswith(begin)]
        if not meant:
            return frozenset()
        found = found.union(*meant)
    return found


def _bounds(value: str) -> tuple[float, float] | None:
    """The bounds of a term: ``0.5..0.8``, ``>0.7``, or ``0.7`` for all scores that begin so."""
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


def _reaches(document: Document, name: str, low: float, high: float) -> bool:
    """Whether a value, as shown, lies in a range; whether a score that is still open may."""
    if name != SCORE:
        value = dimension_value(document, _LETTERS[name])
        return value is not None and low <= round(value, VALUE_DECIMALS) <= high
    if document.score is not None:
        near = abs(document.score - document.rules.threshold) < _SHOWN_STEP
        # as shown: rounded, but never across the threshold
        return low <= (document.score if near else round(document.score, SCORE_DECIMALS)) <= high
    if document.bounds is None:
        return False
    least, most = document.bounds
    return least <= high and most >= low


_BINS = [_bounds(bin_term(number)) for number in range(BINS)]
