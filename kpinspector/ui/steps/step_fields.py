"""The fields of a step: what they say, what they count for, and where the step stands."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from kpinspector.app.document import Document
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.sharing.parts import OBJECTIVE_PATH, Fate, LeavingSteps, kinds_taken, tokens_in
from kpinspector.trace.bytes import encoded, encoded_head
from kpinspector.trace.javascript import JsonPath, JsonValue, whole_characters
from kpinspector.trace.model import Mark, Step
from kpinspector.trace.records import TraceRecord
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.steps.step_model import FATE_ORDER, Shown, Tried, milliseconds, number_of
from kpinspector.words.figures import shown_count
from kpinspector.words.recordings import (
    failed_phrase,
    recorded_place,
    recovery_phrase,
    without_recovery_phrase,
)
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import MARK_WORDS, kind_word
from kpinspector.words.sharing import kind_name

FIELD_LENGTH = 10_000  # characters of a text that are shown
JSON_FIELD_LENGTH = 10_000  # characters of JSON that are written where a field is shown
_NAME_LENGTH = 14
_ONE_LINE = 120  # JSON of so many characters stays on one line
_MOST_INDENTED = 1000  # longer JSON is not indented


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a step.

    Attributes:
        text: The whole value, however long; of long JSON the beginning.
        fixed: Whether the value is JSON, or a place in it, shown in the fixed font.
        dimension: The dimension that it counts for; None if it does not count.
        tokens: Spans where the SDK's own words replace what it redacted, in the visible text.
        clear: Spans that leave in clear, in the visible text.
        fates: What happens to parts of it when it is shared, the gravest first.
        note: What it counts for, in words; "" if there is nothing to say.
    """

    label: str
    text: str
    note: str
    dimension: Dimension | None = None
    fixed: bool = False
    value: JsonValue = None
    tokens: tuple[tuple[int, int], ...] = ()
    clear: tuple[tuple[int, int], ...] = ()
    fates: tuple[Fate, ...] = ()

    @property
    def whole(self) -> str:
        """The whole value; long JSON is written only when this is called."""
        return self.text if self.value is None else json_of(self.value)


def title_of(shown: Shown, step: Step | None) -> tuple[str, str]:
    """The title of a step, and its kind and tool; the kind may be marked as derived."""
    if step is None:
        return say("Objective"), ""
    kind, tool = kind_word(step.kind), one_line(step.tool_name or "", 80)
    recovered = () if shown.run is None else shown.run.recovered
    if step.index in recovered and step.index not in shown.tried:
        kind = say("{text}, derived", text=kind)
    about = say("{kind}, {tool}", kind=kind, tool=tool) if tool else kind
    return say("Step {index}", index=shown_count(step.index)), about


def step_text(shown: Shown, step: Step | None) -> str:
    """A step as text, whole and as in the file: its title and its fields."""
    as_read = Shown(shown.document)
    lines = (f"{field.label}: {field.whole}" for field in fields_of(as_read, step))
    return "\n".join((say_list(title_of(as_read, step)), *lines))


def step_pointer(_shown: Shown, step: Step | None) -> str:
    """The JSON pointer to the step in its trace (RFC 6901)."""
    return "/task/objective" if step is None else f"/steps/{step.index}"


def json_of(value: JsonValue) -> str:
    """A value as indented JSON."""
    return whole_characters(encoded(value, indent=2))


def json_head(value: JsonValue, limit: int) -> str:
    """The beginning of a value as indented JSON, without writing the rest."""
    return whole_characters(encoded_head(value, limit))


def value_of(record: TraceRecord, step: Step | None) -> JsonValue:
    """The JSON of the step as it was read; for None that of the task."""
    return record.trace.raw.get("task") if step is None else step.value


def step_json(shown: Shown, step: Step | None) -> str:
    """The whole step as indented JSON; "" without a trace."""
    return "" if shown.record is None else json_of(value_of(shown.record, step))


def fields_of(shown: Shown, step: Step | None) -> tuple[Field, ...]:
    """The fields that a step has; for None those of the objective."""
    document, record = shown.document, shown.record
    if document is None or record is None:
        return ()
    tried = None if step is None else shown.tried.get(step.index)
    content = record.trace.objective if step is None else step.content
    dimension, note = _seen_by_novelty(shown, step)
    fields = [Field(say("Content"), content, note, dimension)] if content else []
    if step is not None:
        fields += _fields_of_step(step, tried or Tried(step), shown.marks_of(step))
        if isinstance(record, RunRecord):
            fields = [*_with_origin(fields, document, record, step, tried)]
    if shown.leaving is not None:
        fields = [*_with_leaves(fields, shown.leaving, step)]
    fields.append(_place(shown, record, step))
    return tuple(fields)


def _fields_of_step(step: Step, tried: Tried, marks: Collection[Mark]) -> Iterator[Field]:
    if step.tool_key is not None or tried.step.tool_key is not None:
        yield _tool_field(step, tried, marks)
    for key, label in (("input", say("Input")), ("output_summary", say("Output"))):
        if key in step.raw:
            yield _value_field(label, step.raw[key])
    if "latency_ms" in step.raw:
        value = step.raw["latency_ms"]
        figure = milliseconds(value)
        text = say("{figure} ms", figure=figure) if figure else _short_json(value)
        yield Field(say("Latency"), text, say("not scored"))
    yield _type_field(step, tried, marks)


def _with_leaves(
    fields: Sequence[Field], leaving: LeavingSteps, step: Step | None
) -> Iterator[Field]:
    """The fields, each followed by how it leaves if anything in it is marked; others come last."""
    if step is None:
        found = {say("Content"): _leaving_field(leaving, OBJECTIVE_PATH)}
    else:
        names = {"content": say("Content"), "input": say("Input"), "output_summary": say("Output")}
        found = {
            names.get(name, name): _leaving_field(leaving, ("steps", step.index, name))
            for name, _ in leaving.fields(step.index, step.raw)
        }
    for field in fields:
        yield field
        if leaves := found.pop(field.label, None):
            yield leaves
    for name, leaves in found.items():
        if leaves is not None and step is not None:
            yield _value_field(one_line(name, _NAME_LENGTH), step.raw[name])
            yield leaves


def _value_field(label: str, value: JsonValue) -> Field:
    text, is_text = _text_or_json(value), isinstance(value, str)
    rest = value if not is_text and len(text) > JSON_FIELD_LENGTH else None
    return Field(label, text, say("not scored"), fixed=not is_text, value=rest)


def _leaving_field(leaving: LeavingSteps, path: JsonPath) -> Field | None:
    """A field that shows how another leaves; None if nothing is redacted or in clear in it."""
    posted = leaving.posted(path)
    is_text = isinstance(posted, str)
    text = _text_or_json(posted)
    taken = kinds_taken(text)
    clear = [say("in clear: {kind}", kind=kind_name(one)) for one in leaving.kinds(path)]
    if not (taken or clear):
        return None
    return Field(
        say("Leaves as"),
        text,
        say_list([*taken, *clear]),
        fixed=not is_text,
        tokens=tokens_in(text[:FIELD_LENGTH]),
        clear=leaving.spans(path, FIELD_LENGTH)
        if is_text
        else _places_in(text, leaving.parts(path)),
        fates=tuple(compress(FATE_ORDER, (clear, taken))),
    )


def _places_in(text: str, parts: Collection[JsonValue]) -> tuple[tuple[int, int], ...]:
    """The spans where these values stand in JSON."""
    written = [encoded(one)[1:-1] if isinstance(one, str) else encoded(one) for one in parts]
    pattern = "|".join(map(re.escape, sorted(filter(None, written), key=len, reverse=True)))
    return tuple(found.span() for found in re.finditer(pattern, text)) if pattern else ()


def _tool_field(step: Step, tried: Tried, marks: Collection[Mark]) -> Field:
    text, own = (
        (one.tool_name or say("(no name)")) if one.tool_key is not None else say("no tool")
        for one in (tried.step, step)
    )
    if tried.step.tool_key != step.tool_key:
        text = say("{text}, in the file {tool}", text=text, tool=own)
    if tried.left_out or tried.step.tool_key is None:
        return Field(say("Tool"), text, say("not counted"))
    if Mark.FIRST_TOOL in marks:
        note = MARK_WORDS[Mark.FIRST_TOOL]
        return Field(say("Tool"), text, note, Dimension.TOOL_DIVERSITY)
    return Field(say("Tool"), text, say("used before"))


def _type_field(step: Step, tried: Tried, marks: Collection[Mark]) -> Field:
    text, own = (
        _text_or_json(one.raw["type"]) if "type" in one.raw else say("(none)")
        for one in (tried.step, step)
    )
    if tried.step.type_key != step.type_key:
        text = say("{text}, in the file {type}", text=text, type=own)
    if tried.left_out:
        return Field(say("Type"), text, say("not counted"))
    words = [MARK_WORDS[one] for one in (Mark.NEW_TYPE, Mark.RECOVERY) if one in marks]
    if not words:
        return Field(say("Type"), text, say("seen before"))
    return Field(say("Type"), text, say_list(words), Dimension.COMPLEXITY)


def _text_or_json(value: JsonValue) -> str:
    """A text as it is, any other value as JSON."""
    return whole_characters(value) if isinstance(value, str) else _short_json(value)


def _short_json(value: JsonValue) -> str:
    text = json_head(value, JSON_FIELD_LENGTH)
    if len(text) > _MOST_INDENTED:
        return text
    in_one_line = encoded(value)
    return in_one_line if len(in_one_line) <= _ONE_LINE else text


def _seen_by_novelty(shown: Shown, step: Step | None) -> tuple[Dimension | None, str]:
    """How much of a content novelty sees, in words; the dimension is None if it sees nothing."""
    number, end = number_of(step), shown.window_end
    if shown.document is None or shown.document.measured is None:
        return Dimension.NOVELTY, say("not known yet")
    if shown.reach is None:
        return None, say("novelty is assumed")
    if end is None or number < end:
        return Dimension.NOVELTY, say("in the window")
    if number == end:
        return Dimension.NOVELTY, say("partly in the window")
    return None, say("after the window")


def _with_origin(
    fields: Sequence[Field], document: Document, record: RunRecord, step: Step, tried: Tried | None
) -> Iterator[Field]:
    """The fields of a step of a run, with what was derived and what the recording marks."""
    mapped = record.imported.mapped
    *others, kind = fields
    yield from others
    call = mapped.answered.get(step.index, step.index - 1)
    if call != step.index - 1:  # otherwise the call is the step before
        yield Field(say("Result of"), say("Step {index}", index=shown_count(call)), "")
    if step.index in mapped.failed:
        yield Field(say("Result"), failed_phrase(record.imported.recording.format), "")
    if step.index not in mapped.recovered or tried is not None:
        yield kind
        return
    yield replace(kind, label=say("Kind"), text=recovery_phrase(record.imported, step))
    bounds = document.without_recovery(step.index)
    said = without_recovery_phrase(step, bounds, document.rules.threshold)
    yield Field(say("Without it"), said, "")


def _place(shown: Shown, record: TraceRecord, step: Step | None) -> Field:
    if isinstance(record, RunRecord):
        return Field(say("Place"), recorded_place(record, step), "")
    pointer = step_pointer(shown, step)
    if record.source.record is not None:
        number = shown_count(record.source.record)
        pointer = say("record {number}, {pointer}", number=number, pointer=pointer)
    return Field(say("Place"), pointer, "", fixed=True)
