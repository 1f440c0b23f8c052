"""The registry's verdict on a trace: issues with paths, and how the SDK reads what it refuses.

The rules are those of the SDK's ReasoningTrace schema: nothing is coerced, ``null`` is not
"absent", ``1.0`` is an integer, unknown keys are allowed.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, islice
from math import isfinite
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from kpinspector.phrase import Phrase
from kpinspector.trace import javascript
from kpinspector.trace.javascript import ABSENT, JsonObject, MaybeValue, member
from kpinspector.trace.model import StepType, describe, shown_value
from kpinspector.trace.printable import quoted

CONTEXT: Final = "https://openknowledgepulse.org/schema/v1"
OLD_CONTEXT: Final = "https://knowledgepulse.dev/schema/v1"

MOST_ISSUES: Final = 1000
"""The issues of one list in a trace that are given; further ones are counted."""

_DATE_TIME = re.compile(
    r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
    r"T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z",
    re.ASCII,
)
_CENTURIES: Final = 400  # years after which the calendar repeats itself


class Severity(StrEnum):
    """An error fails the schema gate; a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Issue:
    """A place where a trace departs from the schema; ``path`` as in ``steps.2.tool.name``."""

    path: str
    severity: Severity
    message: str


@dataclass(frozen=True, slots=True)
class MoreIssues(Issue):
    """The issue that stands for those of a list that are only counted."""

    count: int


class _Rule(NamedTuple):
    """A test for a value, what it expects, and a function that describes a value that fails."""

    is_kept: Callable[[Any], bool]
    expected: str
    found: Callable[[Any], str] = shown_value


_Shape: TypeAlias = tuple[_Rule, ...] | list[Any] | dict[str, Any]
"""Rules for a value, of which the first that fails is reported; or shapes of an object's members,
optional where the name has a question mark; or a list with the shape of its items, and its rules.
"""


def _is_in_calendar(text: str) -> bool:
    year, month, day = map(int, text[:10].split("-"))
    return day <= monthrange(_CENTURIES + year % _CENTURIES, month)[1]


def _one_of(*names: str) -> tuple[_Rule, ...]:
    *others, last = (f'"{name}"' for name in names)
    expected = f"{', '.join(others)} or {last}" if others else last
    return (_Rule(lambda value: isinstance(value, str) and value in names, expected),)


def _typed(expected: str, *kinds: type) -> _Rule:
    return _Rule(lambda value: type(value) in kinds, expected, describe)


_LIST: Final = _typed(Phrase("a list"), list)
_OBJECT: Final = (_typed(Phrase("an object"), dict),)
_TRUTH: Final = (_typed(Phrase("a boolean"), bool),)
_TEXT: Final = (_typed(Phrase("a string"), str),)
_FULL_TEXT: Final = (*_TEXT, _Rule(bool, Phrase("a string that is not empty")))
_POSITIVE: Final = (
    _typed(Phrase("a number"), int, float),
    _Rule(lambda number: isfinite(javascript.as_double(number)), Phrase("a finite number")),
    _Rule(lambda number: number >= 0, Phrase("a number of at least {least}", least="0")),
)
_SHARE: Final = (
    *_POSITIVE,
    _Rule(lambda number: number <= 1, Phrase("a number of at most {most}", most="1")),
)
_STEP: Final[_Shape] = {
    "step_id": (*_POSITIVE, _Rule(lambda number: number % 1 == 0, Phrase("a whole number"))),
    "type": _one_of(*StepType),
    "content?": _TEXT,
    "tool?": {"name": _TEXT, "mcp_server?": _TEXT},
    "input?": _OBJECT,
    "output_summary?": _TEXT,
    "latency_ms?": _POSITIVE,
}
_TRACE: Final[_Shape] = {
    "@context": _one_of(CONTEXT),
    "@type": _one_of("ReasoningTrace"),
    "id": (
        *_TEXT,
        _Rule(
            lambda text: text.startswith("kp:trace:"), Phrase('an id that begins with "kp:trace:"')
        ),
    ),
    "source_skill?": _TEXT,
    "metadata": {
        "created_at": (
            *_TEXT,
            _Rule(
                lambda text: _DATE_TIME.fullmatch(text) is not None,
                Phrase("a date and time such as 2026-01-31T12:00:00Z"),
            ),
            _Rule(_is_in_calendar, Phrase("a day that is in the calendar")),
        ),
        "agent_id?": _TEXT,
        "framework?": _TEXT,
        "task_domain": _FULL_TEXT,
        "success": _TRUTH,
        "quality_score": _SHARE,
        "visibility": _one_of("private", "org", "network"),
        "privacy_level": _one_of("aggregated", "federated", "private"),
        "validated_by?": [_TEXT],
    },
    "task": {"objective": _FULL_TEXT, "input_schema?": _OBJECT},
    "steps": [_STEP, _Rule(bool, Phrase("at least one step"), lambda _: Phrase("an empty list"))],
    "outcome": {"result_summary": _TEXT, "confidence": _SHARE},
    "knowledge_graph_delta?": {
        "entities": [{"name": _TEXT, "type": _TEXT}],
        "relationships": [{"fact": _TEXT, "valid_from": _TEXT}],
    },
}

# a broken rule: the path of the list that the value is in, or ""; the value's own path; the rule,
# None for a missing value; the value
_Fault: TypeAlias = tuple[str, str, _Rule | None, Any]


def _faults(value: Any, shape: _Shape, path: str = "", in_list: str = "") -> Iterator[_Fault]:
    members = shape if isinstance(shape, dict) else {}
    items = shape if isinstance(shape, list) else []
    rules = shape if isinstance(shape, tuple) else (_LIST, *items[1:]) if items else _OBJECT
    if rule := _broken(value, rules):
        yield in_list, path, rule, value
        return
    for index, item in enumerate(value if items else ()):
        yield from _faults(item, items[0], f"{path}.{index}", path)
    for key, inner in members.items():
        name = key.removesuffix("?")
        place = f"{path}.{name}" if path else name
        if name not in value:
            if name == key:
                yield in_list, place, None, None
        elif not isinstance(inner, tuple) or _broken(value[name], inner):  # the latter is rare
            yield from _faults(value[name], inner, place, in_list)


def _broken(value: Any, rules: Iterable[_Rule]) -> _Rule | None:
    for rule in rules:
        if not rule.is_kept(value):
            return rule
    return None


def _issue(path: str, rule: _Rule | None, value: Any) -> Issue:
    if path == "@context" and value == OLD_CONTEXT:
        message = Phrase(
            "the address of older documents; today's registry expects {address}", address=CONTEXT
        )
        return Issue(path, Severity.WARNING, message)
    if rule is None:
        return Issue(path, Severity.ERROR, Phrase("missing"))
    message = Phrase(
        "expected {expected}, found {found}", expected=rule.expected, found=rule.found(value)
    )
    return Issue(path, Severity.ERROR, message)


def find_issues(raw: JsonObject, most: int = MOST_ISSUES) -> tuple[Issue, ...]:
    """All that the registry's schema finds wrong with a trace, in the order of the schema.

    Each list gives at most ``most`` issues, and one more that counts the rest.
    """
    issues: list[Issue] = []
    for in_list, faults in groupby(_faults(raw, _TRACE), key=itemgetter(0)):
        issues += [_issue(*one) for _, *one in (islice(faults, most) if in_list else faults)]
        if more := sum(1 for _ in faults):
            message = Phrase("and {count} more like these", count=f"{more:,}")
            issues.append(MoreIssues(in_list, Severity.ERROR, message, more))
    return tuple(issues)


def count_issues(issues: Iterable[Issue]) -> int:
    """How many issues there are, including those that are only counted."""
    return sum(one.count if isinstance(one, MoreIssues) else 1 for one in issues)


def passes(issues: Iterable[Issue]) -> bool:
    """Whether a trace with these issues passes the schema gate."""
    return all(issue.severity is not Severity.ERROR for issue in issues)


def with_readings(issues: Iterable[Issue], raw: JsonObject) -> tuple[Issue, ...]:
    """The issues of a trace; each says how the SDK reads its value, where that matters."""
    found = []
    for issue in issues:
        reading = _reading(issue.path, _value_at(raw, issue.path))
        message = Phrase("{issue}; {reading}", issue=issue.message, reading=reading or "")
        found.append(issue if reading is None else replace(issue, message=message))
    return tuple(found)


def sdk_readings(issues: Iterable[Issue], raw: JsonObject) -> tuple[str, ...]:
    """A sentence for each issue whose value the SDK reads as something else."""
    values = [(issue.path, _value_at(raw, issue.path)) for issue in issues]
    return tuple(
        Phrase("{path} is {value}; {reading}.", path=path, value=_named(value), reading=reading)
        for path, value in values
        if (reading := _reading(path, value)) is not None
    )


def without_reading(issue: Issue) -> str:
    """The message of an issue without what the SDK makes of the value."""
    message = issue.message
    issue_alone = message.named.get("issue") if isinstance(message, Phrase) else None
    return issue_alone if isinstance(issue_alone, str) else message


def _value_at(raw: JsonObject, path: str) -> MaybeValue:
    value: MaybeValue = dict(raw)
    for part in path.split("."):
        if isinstance(value, list):
            value = value[int(part)] if part.isdigit() and int(part) < len(value) else ABSENT
        else:
            value = member(value, part)
    return value


def _named(value: MaybeValue) -> str:
    kind, shown = describe(value), shown_value(value)
    if value is ABSENT:
        return Phrase("missing")
    if kind in {"null", shown}:
        return shown
    return Phrase("{value}, {kind}", value=shown, kind=kind)


def _reading(path: str, value: MaybeValue) -> str | None:
    """How the SDK reads a value at this path; None where it reads what the schema expects."""
    read = _READINGS.get(re.sub(r"^steps\.\d+", "step", path))
    try:
        return None if read is None else read(value)
    except javascript.NoPrimitiveError:  # another sentence says why there is no score
        return None


def _read_as(value: str) -> Phrase:
    return Phrase("the SDK reads it as {value}", value=value)


def _text_reading(value: MaybeValue) -> str | None:
    return None if isinstance(value, str) else _read_as(quoted(javascript.as_text(value)))


def _number_reading(value: MaybeValue) -> str | None:
    number = javascript.as_number(value)
    own = isinstance(value, (int, float)) and not isinstance(value, bool)
    same = own and isfinite(number) and number == value
    return None if same else _read_as(javascript.number_text(number))


_READINGS: Final[dict[str, Callable[[MaybeValue], str | None]]] = {
    "task": lambda _: Phrase('the SDK reads its objective as "undefined"'),
    "task.objective": _text_reading,
    "metadata": lambda _: Phrase("the SDK reads a failure without a task domain"),
    "metadata.success": lambda value: _read_as(javascript.as_text(javascript.truthy(value))),
    "metadata.task_domain": _text_reading,
    "outcome.confidence": _number_reading,
    "step": lambda _: Phrase("the SDK counts a step without type, content and tool"),
    "step.type": lambda value: (
        None
        if value is ABSENT or isinstance(value, str)
        else Phrase("the SDK counts it as one more type")
    ),
    "step.content": lambda value: _read_as(
        quoted("" if value is None else javascript.as_text(value))
    ),
    "step.tool": lambda value: Phrase(
        "the SDK counts it as {tool}",
        tool=Phrase("a tool without a name") if javascript.truthy(value) else Phrase("no tool"),
    ),
    "step.tool.name": lambda _: Phrase("the SDK counts it as one more tool name"),
}
