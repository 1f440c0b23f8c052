"""What can be written into the filter of the list: plain words and ``name:value`` terms."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf, nextafter

from kpinspector.app.document import Document, State
from kpinspector.runs.formats import FORMATS
from kpinspector.scoring.formula.profiles import PROFILES
from kpinspector.ui.traces.row_counts import BINS
from kpinspector.ui.traces.trace_row import profile_name

_ASSUMED = "assumed"
_PROBLEM = "problem"
_STATES: dict[str, frozenset[str]] = {
    **{str(state): frozenset({str(state)}) for state in State},
    _ASSUMED: frozenset({_ASSUMED}),
    _PROBLEM: frozenset({str(State.NOT_SCORABLE), str(State.UNREADABLE)}),
}
_FORMATS = {
    re.sub("[- ]", "_", name.casefold()): frozenset({str(form)})
    for form, info in FORMATS.items()
    for name in (form, info.name)
}
_RUNNING = "running"
_PROFILES = {profile.name: frozenset({profile.name}) for profile in PROFILES}

_TERM = re.compile(
    r"""
    (?P<bare> (?:state|profile|score|format|is) : (?=\s|$))  # still being written
    | (?:(?P<name> state|profile|score|format|is) :)? (?: "(?P<quoted> [^"]*)"? | (?P<plain> \S+))
    """,
    re.IGNORECASE | re.VERBOSE,
)
KEYS = ("state", "profile", "score", "format", "is")
_KEY = re.compile(r"([a-z_-]{2,}):.", re.IGNORECASE)  # a drive has one letter
_NUMBER = r"(-?\d+\.?\d*|-?\.\d+)"
_RANGE = re.compile(rf"{_NUMBER}?\.\.{_NUMBER}?")
_BOUND = re.compile(rf"(>=|<=|>|<|){_NUMBER}?")
_SHOWN_DECIMALS = 4
_BEFORE = 0.0001
_SHOWN_STEP = 5e-5  # scores that are nearer to the threshold are shown with more decimals


@dataclass(frozen=True, slots=True)
class Query:
    """What rows have to be; empty parts ask for nothing.

    Attributes:
        words: All of them have to be in the searched text.
        running: They are still being written.
        low: The lowest score; with ``high`` it also keeps ranges that reach into it.
        wrong: The first term that makes no sense; it asks for nothing.
        unknown: The first name before a colon that is not known; the term is taken as a word,
            since ids and addresses have colons too.
    """

    words: tuple[str, ...] = ()
    states: frozenset[str] = frozenset()
    profiles: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    running: bool = False
    low: float = -inf
    high: float = inf
    wrong: str = ""
    unknown: str = ""

    @property
    def active(self) -> bool:
        """Some rows may not be kept."""
        terms = (self.words, self.states, self.profiles, self.formats)
        return any(terms) or self.running or self._has_range

    @property
    def _has_range(self) -> bool:
        return self.low > -inf or self.high < inf

    def keeps(self, document: Document, searched: str) -> bool:
        """Whether a row is what is asked for; ``searched`` is its text, case aside."""
        return (
            all(word in searched for word in self.words)
            and (not self.states or _is_one_of(document, self.states))
            and (not self.profiles or profile_name(document) in self.profiles)
            and (not self.formats or _format_of(document) in self.formats)
            and (document.running or not self.running)
            and (not self._has_range or self._reaches(document))
        )

    def _reaches(self, document: Document) -> bool:
        if document.score is not None:
            score = _as_shown(document.score, document.rules.threshold)
            return self.low <= score <= self.high
        if document.bounds is None:
            return False
        low, high = document.bounds
        return low <= self.high and high >= self.low


def parse_query(text: str) -> Query:
    """Read what stands in the filter; what is not understood is named, and left out."""
    query = Query()
    for match in _TERM.finditer(text):
        name = (match["name"] or "").casefold()
        value = (match["quoted"] or match["plain"] or "").casefold()
        if not value:
            continue
        extended = _with_term(query, name, value)
        query = extended or replace(query, wrong=query.wrong or match[0])
        key = _KEY.match(match["plain"] or "") if not name else None
        if key is not None:
            query = replace(query, unknown=query.unknown or key[1])
    return query


def bin_in(text: str) -> int | None:
    """The column of the histogram whose scores, and no others, a filter asks for."""
    terms = [match[0] for match in _TERM.finditer(text) if _is_score(match)]
    found = (number for number in range(BINS) if terms == [_bin_term(number)])
    return next(found, None)


def with_bin(text: str, number: int | None) -> str:
    """A filter that asks for the scores of this column of the histogram; None for any score."""
    terms = [match[0] for match in _TERM.finditer(text) if not _is_score(match)]
    return " ".join([*terms, *([] if number is None else [_bin_term(number)])])


def _is_score(term: re.Match[str]) -> bool:
    return term[0].casefold().startswith("score:")


def _bin_term(number: int) -> str:
    """The scores of a column, without the first one of the next; the ends are open."""
    low = "" if number == 0 else f"{number / BINS:.2f}"
    high = "" if number == BINS - 1 else f"{(number + 1) / BINS - _BEFORE:.4f}"
    return f"score:{low}..{high}"


def _with_term(query: Query, name: str, value: str) -> Query | None:
    """The query with one more term; None where that makes no sense."""
    match name:
        case "state":
            states = _named(value, _STATES)
            return replace(query, states=states | query.states) if states else None
        case "profile":
            profiles = _named(value, _PROFILES)
            return replace(query, profiles=profiles | query.profiles) if profiles else None
        case "format":
            formats = _named(value, _FORMATS)
            return replace(query, formats=formats | query.formats) if formats else None
        case "is":
            return replace(query, running=True) if _RUNNING.startswith(value) else None
        case "score":
            bounds = _bounds(value)
            return replace(query, low=bounds[0], high=bounds[1]) if bounds else None
    return replace(query, words=(*query.words, value))


def _named(value: str, table: dict[str, frozenset[str]]) -> frozenset[str]:
    """What values with commas between them stand for, each given by how it begins."""
    found: frozenset[str] = frozenset()
    for part in filter(None, value.split(",")):
        begin = re.sub("[- ]", "_", part)
        exact = [table[begin]] if begin in table else []
        meant = exact or [members for name, members in table.items() if name.startswith(begin)]
        if not meant and not begin.startswith(_PROBLEM):
            return frozenset()
        found = found.union(*meant, _STATES[_PROBLEM] if begin == "problems" else ())
    return found


def _bounds(value: str) -> tuple[float, float] | None:
    """The lowest and the highest score meant: ``0.5..0.8``, ``>0.7``, or how it is written."""
    if match := _RANGE.fullmatch(value):
        return _number(match[1], -inf), _number(match[2], inf)
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


def _number(text: str | None, otherwise: float) -> float:
    return float(text) if text else otherwise


def _is_one_of(document: Document, states: Iterable[str]) -> bool:
    return document.state in states or (document.assumed and _ASSUMED in states)


def _format_of(document: Document) -> str:
    """The id of the format of a recording; "" for what is none."""
    return document.format or ""


def _as_shown(score: float, threshold: float) -> float:
    """The score as it reads: rounded, but never to the other side of the threshold."""
    return score if abs(score - threshold) < _SHOWN_STEP else round(score, _SHOWN_DECIMALS)
