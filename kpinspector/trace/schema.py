"""The registry's verdict on a trace: issues with paths.

The models follow the SDK's ReasoningTrace schema: nothing is coerced, ``null`` is not "absent",
``1.0`` is an integer, unknown keys are allowed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby
from math import isfinite
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from kpinspector.phrase import Phrase
from kpinspector.trace.javascript import JsonObject, as_double, number_text
from kpinspector.trace.model import describe
from kpinspector.trace.printable import quoted

CONTEXT: Final = "https://openknowledgepulse.org/schema/v1"
OLD_CONTEXT: Final = "https://knowledgepulse.dev/schema/v1"

MOST_ISSUES: Final = 1000
"""Of one list of a trace that are given; the rest is counted."""


_DATE_TIME = re.compile(
    r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
    r"T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z",
    re.ASCII,
)
_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


_Text = Annotated[str, Field(min_length=1)]
_Number = Annotated[float, Field(allow_inf_nan=False)]
_Share = Annotated[_Number, Field(ge=0, le=1)]
_ABSENT: Any = None
_TYPES: Final[dict[str, str]] = {
    "string_type": Phrase("a string"),
    "float_type": Phrase("a number"),
    "bool_type": Phrase("a boolean"),
    "list_type": Phrase("a list"),
    "dict_type": Phrase("an object"),
    "model_type": Phrase("an object"),
}
_RULES: Final = {
    "date_time": Phrase("a date and time such as 2026-01-31T12:00:00Z"),
    "date": Phrase("a day that is in the calendar"),
    "trace_id": Phrase('an id that begins with "kp:trace:"'),
    "whole": Phrase("a whole number"),
    "finite_number": Phrase("a finite number"),
    "string_too_short": Phrase("a string that is not empty"),
    "too_short": Phrase("at least one step"),
}


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


def count_issues(issues: Iterable[Issue]) -> int:
    """How many issues there are, including those that are only counted."""
    return sum(one.count if isinstance(one, MoreIssues) else 1 for one in issues)


def find_issues(raw: JsonObject, most: int = MOST_ISSUES) -> tuple[Issue, ...]:
    """All that the registry's schema finds wrong with a trace, in the order of the schema.

    Each list gives at most ``most`` issues, and one more that counts the rest. Its items are
    checked in portions of that size, as an issue takes far more memory than the item does.
    """
    begin, uncounted = raw, {}
    further: list[Issue] = []
    for path in _ITEMS:
        begin, items = _cut(begin, path, most)
        issues, uncounted[path] = _issues_behind(path, items, most)
        further += issues
    try:
        _Trace.model_validate(begin)
        found = further
    except ValidationError as error:
        found = [*map(_issue, error.errors(include_url=False)), *further]
    kept: list[Issue] = []
    for (_, listed), group in groupby(sorted(found, key=_place), key=_place):
        own = list(group)
        more = len(own) - most + uncounted[_LISTS[listed]] if listed >= 0 else 0
        if more > 0:
            message = Phrase("and {count} more like these", count=f"{more:,}")
            own[most:] = [MoreIssues(_LISTS[listed], Severity.ERROR, message, more)]
        kept += own
    return tuple(kept)


def _place(issue: Issue) -> tuple[int, int]:
    """Where an issue belongs in the order of the schema, and which of the lists it is of, or -1."""
    path = f"{issue.path}."
    lists = (number for number, one in enumerate(_LISTS) if path.startswith(f"{one}."))
    return _ORDER.index(issue.path.partition(".")[0]), next(lists, -1)


def _cut(raw: JsonObject, path: str, most: int) -> tuple[JsonObject, list[Any]]:
    """A trace with the first items of a list only, and that list; else the trace as it is."""
    name, _, inner = path.partition(".")
    value = raw.get(name)
    if inner and isinstance(value, dict):
        shorter, items = _cut(value, inner, most)
        return ({**raw, name: dict(shorter)}, items) if items else (raw, items)
    if inner or not isinstance(value, list) or len(value) <= most:
        return raw, []
    return {**raw, name: value[:most]}, value


def _issues_behind(path: str, items: list[Any], most: int) -> tuple[list[Issue], int]:
    """The issues of the later items of a list, and how many there are beyond the limit."""
    issues: list[Issue] = []
    more = 0
    for start in range(most, len(items), most):
        try:
            _adapter(path).validate_python(items[start : start + most], strict=True)
        except ValidationError as error:
            if len(issues) >= most:
                more += error.error_count()
                continue
            for one in error.errors(include_url=False):
                index, *inner = one["loc"]
                one["loc"] = (path, start + int(index), *inner)
                issues.append(_issue(one))
    return issues, more


def passes(issues: Iterable[Issue]) -> bool:
    """Whether a trace with these issues passes the schema gate."""
    return all(issue.severity is not Severity.ERROR for issue in issues)


def errors_first(issues: Iterable[Issue]) -> tuple[Issue, ...]:
    """The errors, which fail the schema gate, then the warnings, each in their order."""
    return tuple(sorted(issues, key=lambda issue: issue.severity is not Severity.ERROR))


def _real_date_time(text: str) -> str:
    match = _DATE_TIME.fullmatch(text)
    if match is None:
        raise PydanticCustomError("date_time", "form")
    year, month, day = (int(match[name]) for name in ("year", "month", "day"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if day > _DAYS[month - 1] + (leap and month == 2):  # noqa: PLR2004
        raise PydanticCustomError("date", "calendar")
    return text


def _trace_id(text: str) -> str:
    if not text.startswith("kp:trace:"):
        raise PydanticCustomError("trace_id", "prefix")
    return text


def _whole(number: float) -> float:
    if not number.is_integer():
        raise PydanticCustomError("whole", "fraction")
    return number


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", defer_build=True)


class _Metadata(_Part):
    created_at: Annotated[str, AfterValidator(_real_date_time)]
    agent_id: str = _ABSENT
    framework: str = _ABSENT
    task_domain: _Text
    success: bool
    quality_score: _Share
    visibility: Literal["private", "org", "network"]
    privacy_level: Literal["aggregated", "federated", "private"]
    validated_by: list[str] = _ABSENT


class _Task(_Part):
    objective: _Text
    input_schema: dict[Any, Any] = _ABSENT


class _Tool(_Part):
    name: str
    mcp_server: str = _ABSENT


class _Step(_Part):
    step_id: Annotated[_Number, Field(ge=0), AfterValidator(_whole)]
    type: Literal["thought", "tool_call", "observation", "error_recovery"]
    content: str = _ABSENT
    tool: _Tool = _ABSENT
    input: dict[Any, Any] = _ABSENT
    output_summary: str = _ABSENT
    latency_ms: Annotated[_Number, Field(ge=0)] = _ABSENT


class _Outcome(_Part):
    result_summary: str
    confidence: _Share


class _Entity(_Part):
    name: str
    type: str


class _Relationship(_Part):
    fact: str
    valid_from: str


class _GraphDelta(_Part):
    entities: list[_Entity]
    relationships: list[_Relationship]


class _Trace(_Part):
    context: Annotated[Literal[CONTEXT], Field(alias="@context")]  # type: ignore[valid-type]
    kind: Annotated[Literal["ReasoningTrace"], Field(alias="@type")]
    id: Annotated[str, AfterValidator(_trace_id)]
    source_skill: str = _ABSENT
    metadata: _Metadata
    task: _Task
    steps: Annotated[list[_Step], Field(min_length=1)]
    outcome: _Outcome
    knowledge_graph_delta: _GraphDelta = _ABSENT


_ORDER: Final = [field.alias or name for name, field in _Trace.model_fields.items()]
_ITEMS: Final[dict[str, Any]] = {
    "metadata.validated_by": list[str],
    "steps": list[_Step],
    "knowledge_graph_delta.entities": list[_Entity],
    "knowledge_graph_delta.relationships": list[_Relationship],
}

_LISTS: Final = tuple(_ITEMS)


@cache
def _adapter(path: str) -> TypeAdapter[list[Any]]:
    return TypeAdapter(_ITEMS[path])


def _issue(error: ErrorDetails) -> Issue:
    path = ".".join(map(str, error["loc"]))
    value = error["input"]
    if path == "@context" and value == OLD_CONTEXT:
        message = Phrase(
            "the address of older documents; today's registry expects {address}", address=CONTEXT
        )
        return Issue(path, Severity.WARNING, message)
    return Issue(path, Severity.ERROR, _message(error, value))


def _message(error: ErrorDetails, value: Any) -> str:
    kind = error["type"]
    if kind == "missing":
        return Phrase("missing")
    if kind in _TYPES:
        expected, found = _TYPES[kind], describe(value)
    else:
        expected, found = _rule(kind, error.get("ctx", {})), _shown(value)
    return Phrase("expected {expected}, found {found}", expected=expected, found=found)


def _rule(kind: str, limits: dict[str, Any]) -> str:
    match kind:
        case "literal_error":
            return str(limits["expected"]).replace("'", '"')
        case "greater_than_equal":
            return Phrase("a number of at least {least}", least=f"{limits['ge']:g}")
        case "less_than_equal":
            return Phrase("a number of at most {most}", most=f"{limits['le']:g}")
    return _RULES.get(kind, Phrase("valid text"))


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = as_double(value)
        return f"{number:.17g}" if isfinite(number) else number_text(number)
    return describe(value) if value != [] else Phrase("an empty list")
