"""What would be posted of a trace, by each of the two ways into the registry.

By *contribute* (``contributeKnowledge()``, ``kp contribute``, the MCP tool) a file goes out as it
is. *Capture* (``KPCapture``, ``packages/sdk/src/capture.ts``) scores a run, compares, notes the
score in it, cleans three fields of each step, and posts; it checks no schema.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import nan
from typing import Final

from kpinspector.trace import javascript
from kpinspector.trace.cleaning import Cleaned, PiiKind, clean
from kpinspector.trace.javascript import (
    ABSENT,
    JsonObject,
    JsonValue,
    MaybeValue,
    member,
    parse,
    stringify,
)
from kpinspector.trace.model import ReasoningTrace

CLEANED_FIELDS: Final = ("content", "output_summary", "input")
"""The fields of each step that are cleaned, in this order; nothing else is."""


class Way(StrEnum):
    """How a trace gets to the registry."""

    CONTRIBUTE = "contribute"
    CAPTURE = "capture"


class NotPosted(StrEnum):
    """Why nothing is posted; *contribute* holds back only runs that are no trace yet."""

    BELOW_THRESHOLD = "below_threshold"
    NO_SCORE = "no_score"  # the SDK throws while it scores
    NO_PLACE_FOR_SCORE = "no_place_for_score"  # the SDK throws when it notes the score
    NOT_CLEANABLE = "not_cleanable"  # the SDK throws when it cleans
    NO_OUTCOME = "no_outcome"  # a recording whose outcome is neither recorded nor stated
    NO_CONTENT = "no_content"  # a recording that left the texts out


@dataclass(frozen=True, slots=True)
class CleanedField:
    """A field of a step that was cleaned.

    ``before``: the text before cleaning; of ``input`` its JSON. ``kept``: the SDK posts the
    original ``input``, as its cleaned text is no JSON.
    """

    step: int
    name: str
    before: str
    cleaned: Cleaned
    kept: bool = False

    @property
    def path(self) -> str:
        """The path of the field, with dots between names."""
        return f"steps.{self.step}.{self.name}"


@dataclass(frozen=True, slots=True)
class Posting:
    """What one way makes of a trace.

    ``body``: exactly the request's body; None where nothing is posted. ``at``: the path at which
    the SDK throws, if it does. ``fields``: the fields that cleaning changed or would have changed,
    in order.
    """

    way: Way
    body: str | None
    reason: NotPosted | None = None
    at: str = ""
    fields: tuple[CleanedField, ...] = ()

    @property
    def redactions(self) -> Iterator[tuple[str, PiiKind, int]]:
        """Path, kind and count of all redactions."""
        for field in self.fields:
            if not field.kept:
                yield from ((field.path, kind, count) for kind, count in field.cleaned.counts)


class _SdkThrowsError(Exception):
    """JavaScript would throw while a trace is cleaned, at this path."""


def number_of_unscored(trace: ReasoningTrace) -> float | None:
    """What ``evaluateValue`` returns for a trace without a finite score; None where it throws."""
    outcome, metadata = (trace.raw.get(name, ABSENT) for name in ("outcome", "metadata"))
    if any(one is None or one is ABSENT for one in (outcome, metadata)):
        return None
    try:
        domain = javascript.as_text(member(metadata, "task_domain"))
        number = javascript.as_number(member(outcome, "confidence"))
    except javascript.NoPrimitiveError:
        return None
    return nan if domain in javascript.OBJECT_MEMBERS else number


def contributed(raw: JsonObject) -> Posting:
    """What *contribute* posts of a trace: all of it."""
    return Posting(Way.CONTRIBUTE, stringify(dict(raw)))


def captured(raw: JsonObject, score: float | None, threshold: float) -> Posting:
    """What ``KPCapture`` would post of the same run.

    ``score``: the SDK's own number, perhaps NaN; None where it throws while it scores. Nothing
    below the threshold is posted; NaN is not below it.
    """
    if score is None:
        return Posting(Way.CAPTURE, None, NotPosted.NO_SCORE)
    metadata = raw.get("metadata")
    if not isinstance(metadata, (dict, list)):
        return Posting(Way.CAPTURE, None, NotPosted.NO_PLACE_FOR_SCORE, "metadata")
    noted = dict(raw)
    if isinstance(metadata, dict):
        noted["metadata"] = {**metadata, "quality_score": score}
    reason = NotPosted.BELOW_THRESHOLD if score < threshold else None
    steps, level = raw.get("steps"), member(metadata, "privacy_level")
    fields: list[CleanedField] = []
    try:
        done = [
            _cleaned_step(index, step, level, fields)
            for index, step in enumerate(steps if isinstance(steps, list) else [])
        ]
    except _SdkThrowsError as error:
        return Posting(Way.CAPTURE, None, reason or NotPosted.NOT_CLEANABLE, str(error))
    body = stringify({**noted, "steps": done}) if reason is None else None
    return Posting(Way.CAPTURE, body, reason, fields=tuple(fields))


def _cleaned_step(
    index: int, step: JsonValue, level: MaybeValue, fields: list[CleanedField]
) -> JsonValue:
    if not isinstance(step, dict):
        return step
    done = dict(step)
    for name in CLEANED_FIELDS:
        value = step.get(name, ABSENT)
        if value is ABSENT or not javascript.truthy(value):
            continue
        is_json = name == "input"
        if not (is_json or isinstance(value, str)):
            raise _SdkThrowsError(f"steps.{index}.{name}")
        before, kept = stringify(value) if is_json else str(value), False
        cleaned = clean(before, level)
        try:
            done[name] = parse(cleaned.text) if is_json else cleaned.text
        except ValueError:
            kept = True
        if cleaned.counts:
            fields.append(CleanedField(index, name, before, cleaned, kept))
    return done
