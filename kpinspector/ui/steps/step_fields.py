"""The fields of one step, and what each counts for."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from kpinspector.app.document import Document
from kpinspector.runs.read import RunRecord
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.sharing.parts import OBJECTIVE_PATH, Fate, LeavingSteps, kinds_taken, tokens_in
from kpinspector.trace.bytes import encoded
from kpinspector.trace.javascript import JsonPath, JsonValue, whole_characters
from kpinspector.trace.model import Mark, Step
from kpinspector.trace.records import TraceRecord
from kpinspector.ui.look.plain_text import one_line
from kpinspector.ui.steps.step_row import OBJECTIVE, Tried, milliseconds
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
_ONE_LINE = 120  # characters of JSON that stay on one line
_MOST_INDENTED = 1000  # and those that they can have at most when they are indented


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a step.

    Attributes:
        text: The whole of it, as long as it may be; of long JSON the beginning.
        fixed: It is JSON, or a place in it.
        dimension: What it counts for; None where it does not count.
        tokens: Where the SDK's own words stand for what it took out, as far as it is shown.
        clear: Where something leaves in clear, as far.
        fates: What becomes of parts of it, the gravest first.
        note: What it counts for in words, "" where there is nothing to say.
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
        """The whole value; long JSON is written only when needed."""
        return self.text if self.value is None else json_of(self.value)


def title_of(step: Step | None, *, derived: bool = False) -> tuple[str, str]:
    """The title of the step: its number and its kind, which may be derived."""
    if step is None:
        return say("Objective"), ""
    kind = kind_word(step.kind)
    tool = one_line(step.tool_name or "", 80)
    if derived:
        kind = say("{text}, derived", text=kind)
    about = say("{kind}, {tool}", kind=kind, tool=tool) if tool else kind
    return say("Step {index}", index=shown_count(step.index)), about


def pointer_of(step: Step | None) -> str:
    """The step's place in its trace, by RFC 6901."""
    return "/task/objective" if step is None else f"/steps/{step.index}"


def json_of(value: JsonValue) -> str:
    """A value as indented JSON."""
    return whole_characters(encoded(value, indent=2))


def json_head(value: JsonValue, limit: int) -> str:
    """The beginning of the same text, without writing the rest."""
    parts: list[str] = []
    length = 0
    for part in _json_parts(value, "\n", limit):
        parts.append(part)
        length += len(part)
        if length > limit:
            break
    return whole_characters("".join(parts)[: limit + 1])


def _json_parts(value: JsonValue, line: str, limit: int) -> Iterator[str]:
    """Indented JSON in pieces; a text is cut before it is written."""
    inner = line + "  "
    if isinstance(value, dict) and value:
        for number, (name, member) in enumerate(value.items()):
            start = "," if number else "{"
            yield f"{start}{inner}{encoded(name[:limit])}: "
            yield from _json_parts(member, inner, limit)
        yield f"{line}}}"
    elif isinstance(value, list) and value:
        for number, member in enumerate(value):
            yield f"{',' if number else '['}{inner}"
            yield from _json_parts(member, inner, limit)
        yield f"{line}]"
    elif isinstance(value, str) and len(value) > limit:
        yield encoded(value[: limit + 1])[:-1]
    else:
        yield encoded(value)


def step_json_head(record: TraceRecord, step: Step | None, limit: int) -> str:
    """The beginning of `step_json`."""
    return json_head(step.value if step else record.trace.raw.get("task"), limit)


def step_json(record: TraceRecord, step: Step | None) -> str:
    """The step as it was read; without a step the task."""
    return json_of(step.value if step is not None else record.trace.raw.get("task"))


def fields_of(
    document: Document,
    step: Step | None,
    marks: Collection[Mark],
    tried: Tried | None = None,
    leaving: LeavingSteps | None = None,
) -> tuple[Field, ...]:
    """The fields of a step that are there; without a step those of the objective.

    ``tried`` is what is tried of the step; the marks are those that it then has. ``leaving`` says
    how the fields leave the machine, where that is shown.
    """
    record = document.record
    if record is None:
        return ()
    content = record.trace.objective if step is None else step.content
    dimension, note = _seen(document, step)
    fields = [Field(say("Content"), content, note, dimension)] if content else []
    if step is not None:
        fields += _fields_of_step(step, tried or Tried(step), marks)
        if isinstance(record, RunRecord):
            fields = [*_with_origin(fields, document, record, step, tried)]
    if leaving is not None:
        fields = [*_with_leaving(fields, leaving, step)]
    fields.append(_place(record, step))
    return tuple(fields)


def _fields_of_step(step: Step, tried: Tried, marks: Collection[Mark]) -> Iterator[Field]:
    unscored = say("not scored")
    if step.tool_key is not None or tried.step.tool_key is not None:
        yield _tool_field(step, tried, marks)
    for key, label in (("input", say("Input")), ("output_summary", say("Output"))):
        if key in step.raw:
            value = step.raw[key]
            is_text = isinstance(value, str)
            text = _written(value)
            rest = value if not is_text and len(text) > JSON_FIELD_LENGTH else None
            yield Field(label, text, unscored, fixed=not is_text, value=rest)
    if "latency_ms" in step.raw:
        value = step.raw["latency_ms"]
        figure = milliseconds(value)
        text = say("{figure} ms", figure=figure) if figure else _short_json(value)
        yield Field(say("Latency"), text, unscored)
    yield _type_field(step, tried, marks)


def _with_leaving(
    fields: Sequence[Field], leaving: LeavingSteps, step: Step | None
) -> Iterator[Field]:
    """The fields, and how each of which something is marked leaves; further ones come last."""
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
            label, text = one_line(name, _NAME_LENGTH), _written(step.raw[name])
            yield Field(label, text, say("not scored"), fixed=not isinstance(step.raw[name], str))
            yield leaves


def _leaving_field(leaving: LeavingSteps, path: JsonPath) -> Field | None:
    """A field as it leaves, with what is taken out of it or stays in clear."""
    posted = leaving.posted(path)
    is_text = isinstance(posted, str)
    text = _written(posted)
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
        fates=(*([Fate.IN_CLEAR] if clear else []), *([Fate.REDACTED] if taken else [])),
    )


def _places_in(text: str, parts: Collection[JsonValue]) -> tuple[tuple[int, int], ...]:
    """Where parts stand in JSON."""
    written = [encoded(one)[1:-1] if isinstance(one, str) else encoded(one) for one in parts]
    pattern = "|".join(map(re.escape, sorted(filter(None, written), key=len, reverse=True)))
    return tuple(found.span() for found in re.finditer(pattern, text)) if pattern else ()


def _tool_field(step: Step, tried: Tried, marks: Collection[Mark]) -> Field:
    text = _tool_words(tried.step)
    if tried.step.tool_key != step.tool_key:
        text = say("{text}, in the file {tool}", text=text, tool=_tool_words(step))
    if tried.left_out or tried.step.tool_key is None:
        return Field(say("Tool"), text, say("not counted"))
    if Mark.FIRST_TOOL in marks:
        note = MARK_WORDS[Mark.FIRST_TOOL]
        return Field(say("Tool"), text, note, Dimension.TOOL_DIVERSITY)
    return Field(say("Tool"), text, say("used before"))


def _tool_words(step: Step) -> str:
    if step.tool_key is None:
        return say("no tool")
    return step.tool_name or say("(no name)")


def _type_field(step: Step, tried: Tried, marks: Collection[Mark]) -> Field:
    text = _type_words(tried.step)
    if tried.step.type_key != step.type_key:
        text = say("{text}, in the file {type}", text=text, type=_type_words(step))
    if tried.left_out:
        return Field(say("Type"), text, say("not counted"))
    words = [MARK_WORDS[one] for one in (Mark.NEW_TYPE, Mark.RECOVERY) if one in marks]
    if not words:
        return Field(say("Type"), text, say("seen before"))
    return Field(say("Type"), text, say_list(words), Dimension.COMPLEXITY)


def _type_words(step: Step) -> str:
    return _written(step.raw["type"]) if "type" in step.raw else say("(none)")


def _written(value: JsonValue) -> str:
    """A text as it stands, or JSON."""
    return whole_characters(value) if isinstance(value, str) else _short_json(value)


def _short_json(value: JsonValue) -> str:
    text = json_head(value, JSON_FIELD_LENGTH)
    if len(text) > _MOST_INDENTED:
        return text
    in_one_line = encoded(value)
    return in_one_line if len(in_one_line) <= _ONE_LINE else text


def _seen(document: Document, step: Step | None) -> tuple[Dimension | None, str]:
    """Says how much of a content novelty sees."""
    if document.measured is None:
        return Dimension.NOVELTY, say("not known yet")
    reach = document.measured.measurement.novelty.reach
    if reach is None:
        return None, say("novelty is assumed")
    end = OBJECTIVE if reach.ends_at_step is None else reach.ends_at_step
    number = OBJECTIVE if step is None else step.index
    if not reach.truncated or number < end:
        return Dimension.NOVELTY, say("in the window")
    if number == end:
        return Dimension.NOVELTY, say("partly in the window")
    return None, say("after the window")


def _with_origin(
    fields: Sequence[Field], document: Document, record: RunRecord, step: Step, tried: Tried | None
) -> Iterator[Field]:
    """The fields of a step of a run, which say what was derived and what the source marks."""
    mapped = record.imported.mapped
    *others, kind = fields
    yield from others
    call = mapped.answered.get(step.index, step.index - 1)
    if call != step.index - 1:  # else it stands above
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


def _place(record: TraceRecord, step: Step | None) -> Field:
    if isinstance(record, RunRecord):
        return Field(say("Place"), recorded_place(record, step), "")
    pointer = pointer_of(step)
    if record.source.record is not None:
        number = shown_count(record.source.record)
        pointer = say("record {number}, {pointer}", number=number, pointer=pointer)
    return Field(say("Place"), pointer, "", fixed=True)
