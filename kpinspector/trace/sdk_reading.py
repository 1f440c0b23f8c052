"""Says how the SDK reads values whose type is not the one that the schema wants."""

from collections.abc import Iterable
from dataclasses import replace

from kpinspector.phrase import Phrase
from kpinspector.trace.javascript import (
    ABSENT,
    JsonObject,
    MaybeValue,
    NoPrimitiveError,
    as_number,
    as_text,
    member,
    number_text,
    truthy,
)
from kpinspector.trace.model import describe, shown_value
from kpinspector.trace.printable import quoted
from kpinspector.trace.schema import Issue


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
    """A value, with its type where the value alone does not show it."""
    kind, shown = describe(value), shown_value(value)
    if value is ABSENT:
        return Phrase("missing")
    if kind in {"null", shown}:
        return shown
    return Phrase("{value}, {kind}", value=shown, kind=kind)


def _reading(path: str, value: MaybeValue) -> str | None:
    """How the SDK reads a value at this path; None where it reads what the schema expects."""
    try:
        match path.split("."):
            case ["task", *rest]:
                return _of_task(rest, value)
            case ["metadata", *rest]:
                return _of_metadata(rest, value)
            case ["outcome", "confidence"]:
                return _of_confidence(value)
            case ["steps", _, *rest]:
                return _of_step(rest, value)
    except NoPrimitiveError:
        pass  # there is no score, and another sentence says so
    return None


def _of_task(path: list[str], value: MaybeValue) -> str | None:
    match path:
        case []:
            return Phrase('the SDK reads its objective as "undefined"')
        case ["objective"] if not isinstance(value, str):
            return _read_as(quoted(as_text(value)))
    return None


def _of_metadata(path: list[str], value: MaybeValue) -> str | None:
    match path:
        case []:
            return Phrase("the SDK reads a failure without a task domain")
        case ["success"]:
            return _read_as(as_text(truthy(value)))
        case ["task_domain"] if not isinstance(value, str):
            return _read_as(quoted(as_text(value)))
    return None


def _of_confidence(value: MaybeValue) -> str | None:
    number = as_number(value)
    own = isinstance(value, (int, float)) and not isinstance(value, bool)
    same = own and number == value and abs(number) < float("inf")
    return None if same else _read_as(number_text(number))


def _read_as(value: str) -> Phrase:
    return Phrase("the SDK reads it as {value}", value=value)


def _of_step(path: list[str], value: MaybeValue) -> str | None:
    match path:
        case []:
            return Phrase("the SDK counts a step without type, content and tool")
        case ["type"] if value is not ABSENT and not isinstance(value, str):
            return Phrase("the SDK counts it as one more type")
        case ["content"]:
            return _read_as(quoted("" if value is None else as_text(value)))
        case ["tool"]:
            tool = Phrase("a tool without a name") if truthy(value) else Phrase("no tool")
            return Phrase("the SDK counts it as {tool}", tool=tool)
        case ["tool", "name"]:
            return Phrase("the SDK counts it as one more tool name")
    return None
