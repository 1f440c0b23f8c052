"""What is said of steps: where their rows stand in the tree, what those say, and every field."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import compress
from operator import is_
from typing import NamedTuple

from kpinspector.app.answers import Shelf
from kpinspector.app.document import Document
from kpinspector.runs.read import RunRecord
from kpinspector.runs.rules import Mapped
from kpinspector.scoring.formula.profiles import Dimension
from kpinspector.sharing.parts import (
    OBJECTIVE_PATH,
    Fate,
    LeavingSteps,
    Piece,
    kinds_taken,
    tokens_in,
)
from kpinspector.trace.bytes import encoded, encoded_head
from kpinspector.trace.javascript import JsonPath, JsonValue, whole_characters
from kpinspector.trace.model import Mark, ReasoningTrace, Step, StepType, hanging, step_marks
from kpinspector.trace.records import TraceRecord
from kpinspector.ui.look.icons import IconName
from kpinspector.ui.look.plain_text import brief_value, flat_text, one_line
from kpinspector.words.figures import shown_count
from kpinspector.words.recordings import (
    failed_phrase,
    recorded_place,
    recovery_phrase,
    without_recovery_phrase,
)
from kpinspector.words.say import say, say_list
from kpinspector.words.sentences import MARK_WORDS, kind_word, mark_phrase
from kpinspector.words.sharing import kind_name

OBJECTIVE = -1  # the objective's number among those of the steps
WINDOW_END = -2  # that of the line at which the embedding window ends
FATE_ICONS = {Fate.REDACTED: IconName.REDACT, Fate.IN_CLEAR: IconName.EXPORT}
"""The icon for what becomes of a part."""
FIELD_LENGTH = 10_000  # characters of a text that are shown
JSON_FIELD_LENGTH = 10_000  # characters of JSON that are written where a field is shown

FATE_ORDER = (Fate.IN_CLEAR, Fate.REDACTED)  # the gravest first
_LARGE = 1e9  # milliseconds; eleven days
_LEAD = 26  # characters before the first mark of a row
_MOST_SHARED = 400
_LONGEST_TOOL = 80
_NAME_LENGTH = 14
_ONE_LINE = 120  # characters of JSON that stay on one line
_MOST_INDENTED = 1000  # and those that they can have at most when they are indented


def number_of(step: Step | None) -> int:
    """The number of a step, and that of the objective for None."""
    return OBJECTIVE if step is None else step.index


# what the tree is built from


@dataclass(frozen=True, slots=True)
class Outline:
    """What the tree of a trace is built from.

    Attributes:
        hanging: The numbers of the steps that hang under the one before.
        marks: What each step brings.
        widest_ms: The longest latency that is shown; "" where no step has one.
    """

    hanging: frozenset[int]
    marks: tuple[frozenset[Mark], ...]
    kinds: Counter[StepType | None]
    widest_ms: str
    types: frozenset[Hashable] = frozenset()
    tools: frozenset[Hashable] = frozenset()


NO_OUTLINE = Outline(frozenset(), (), Counter(), "")
_SHELF: Shelf[ReasoningTrace, Outline] = Shelf()


def outline_of(trace: ReasoningTrace) -> Outline:
    """The outline of a trace; made only if it is not at hand."""
    return _SHELF.get(trace, _make_outline)


def _make_outline(trace: ReasoningTrace) -> Outline:
    """Look through the steps of a trace, but for those of the last one where it goes on."""
    held, known = _SHELF.last or (None, NO_OUTLINE)
    if held is None or not goes_on(held.steps, trace.steps):
        known = NO_OUTLINE
    first = len(known.marks)
    above, new = max(0, first - 1), trace.steps[first:]
    values = (step.raw.get("latency_ms") for step in new)
    latencies = {value for value in values if type(value) in {int, float}}
    return Outline(
        hanging=known.hanging | {above + number for number in hanging(trace.steps[above:])},
        marks=known.marks + step_marks(new, known.types, known.tools),
        kinds=known.kinds + Counter([step.kind for step in new]),
        widest_ms=max((known.widest_ms, *map(milliseconds, latencies)), key=len),
        types=known.types | {step.type_key for step in new},
        tools=known.tools | {step.tool_key for step in new},
    )


def goes_on(before: Sequence[Step], now: Sequence[Step]) -> bool:
    """Whether all steps are there still, perhaps with others behind them."""
    return len(before) <= len(now) and all(map(is_, before, now))


class Places(NamedTuple):
    """Where the rows of a tree stand.

    Attributes:
        top: What stands in the rows that hang under none, in order.
        under: The steps that hang under the one before.
        line: The step in which the window ends, and whether the line hangs under it.
    """

    top: list[int]
    under: set[int]
    line: tuple[int, bool] | None


def places_of(
    trace: ReasoningTrace, run: Mapped | None, kind: StepType | None, window_end: int | None
) -> Places:
    """Where all rows stand, or those of a kind with the calls above them and without the line."""
    # results of parallel calls come as they finish, perhaps below a call that is not theirs
    answered = {} if run is None else run.answered
    hanging_ones = outline_of(trace).hanging
    under = {one for one in hanging_ones if answered.get(one, one - 1) >= one - 1}
    if kind is not None:
        kept = {step.index for step in trace.steps if step.kind is kind}
        return Places(sorted(kept - under | {one - 1 for one in under & kept}), under & kept, None)
    top = [OBJECTIVE, *[one for one in range(len(trace.steps)) if one not in under]]
    if window_end is None:
        return Places(top, under, None)
    hangs = window_end + 1 in under
    if not hangs:  # below a last child it is seen while the parent is closed
        top.insert(bisect_left(top, window_end + 1), WINDOW_END)
    return Places(top, under, (window_end, hangs))


# the rows of the tree


class StepColumn(IntEnum):
    """The columns of the tree."""

    NUMBER = 0
    KIND = 1
    CONTENT = 2
    MS = 3
    COUNTS_FOR = 4


@dataclass(frozen=True, slots=True)
class Tried:
    """A step as it is tried in what-if: ``step`` as it would be."""

    step: Step
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class SharedLine:
    """What a row shows while it is shown what leaves the machine.

    Attributes:
        pieces: From shortly before the first that is marked.
        fates: Of all that is marked in the step, the gravest first.
    """

    pieces: tuple[Piece, ...]
    fates: tuple[Fate, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    """What one row shows.

    Attributes:
        number: Of the step, or what stands for the objective or the window's end.
        text: The content's first line, else the input's fields.
        seen: Novelty sees this row, or its beginning.
        tool: The tool's name in one line, "" without one, as it is tried.
        file_tool: As it is in the file.
        is_input: ``text`` is the input.
        tried: What is tried of the step; None where it is as in the file.
        derived: Its kind was derived, and is as in the file.
        failed: The recording marks it as a failed result.
        shared: What of it is marked as redacted or in clear; None where nothing is.
    """

    number: int
    step: Step | None
    text: str
    seen: bool = False
    tool: str = ""
    file_tool: str = ""
    is_input: bool = False
    marks: tuple[Mark, ...] = ()
    tried: Tried | None = None
    derived: bool = False
    failed: bool = False
    shared: SharedLine | None = None

    @property
    def left_out(self) -> bool:
        """Whether what-if leaves this step out."""
        return self.tried is not None and self.tried.left_out

    @property
    def step_kind(self) -> StepType | None:
        """The kind of the step as it is tried."""
        step = self.step if self.tried is None else self.tried.step
        return None if step is None else step.kind

    @property
    def kind_tried(self) -> bool:
        """Another kind than in the file is tried."""
        return self.step is not None and self.step_kind is not self.step.kind


def step_row(
    step: Step, marks: Collection[Mark], tried: Tried | None, run: Mapped | None, *, seen: bool
) -> StepRow:
    """All that is shown of a step: the content's first line, else its input."""
    text = one_line(step.content)
    shows_input = not text and "input" in step.raw
    then = step if tried is None else tried.step
    recovered = run is not None and step.index in run.recovered
    return StepRow(
        number=step.index,
        step=step,
        text=brief_value(step.raw["input"]) if shows_input else text,
        seen=seen,
        tool=one_line(then.tool_name or "", _LONGEST_TOOL),
        file_tool=one_line(step.tool_name or "", _LONGEST_TOOL),
        is_input=shows_input,
        marks=tuple(mark for mark in Mark if mark in marks),
        tried=tried,
        derived=recovered and then.kind is step.kind,
        failed=run is not None and step.index in run.failed,
    )


def with_leaving(row: StepRow, leaving: LeavingSteps, objective: str) -> StepRow:
    """The row with what of it leaves the machine, and what is taken out of it."""
    step = row.step
    if step is None:
        fields = [("", leaving.objective(objective))]
    else:
        fields = [*leaving.fields(step.index, step.raw)]
    marked = [pieces for _, pieces in fields if pieces]
    if not marked:
        return row
    first = next(place for place, one in enumerate(marked[0]) if one.fate is not None)
    before = "".join(piece.text for piece in marked[0][:first])
    if len(before) > _LEAD:  # from the beginning of a word on
        end = before[-_LEAD:]
        before = f"… {end.partition(' ')[2] or end}"
    parts, left = [Piece(flat_text(before)[0])], _MOST_SHARED
    for one in marked[0][first:]:
        parts.append(replace(one, text=flat_text(one.text[: max(0, left)])[0]))
        left -= len(one.text)
    pieces = tuple(one for one in parts if one.text)
    found = {piece.fate for pieces in marked for piece in pieces}
    shared = SharedLine(pieces, tuple(one for one in FATE_ORDER if one in found))
    text = "".join(piece.text for piece in pieces)
    return replace(row, text=text, is_input=fields[0][0] == "input", shared=shared)


def cell_text(row: StepRow, column: StepColumn) -> str:
    """What a cell of a row shows, in words."""
    match column:
        case StepColumn.NUMBER:
            return "" if row.step is None else str(row.number)
        case StepColumn.KIND if row.step is None:
            return say("Objective") if row.number == OBJECTIVE else ""
        case StepColumn.KIND:
            return kind_word(row.step_kind)
        case StepColumn.CONTENT:
            return "  ".join(part for part in (row.tool, row.text) if part)
        case StepColumn.MS:
            return "" if row.step is None else milliseconds(row.step.raw.get("latency_ms"))
    failed = [say("failed in the source")] if row.failed else []
    return say_list([*map(mark_phrase, row.marks), *failed])


def cell_said(row: StepRow, column: StepColumn) -> str:
    """What is read out of a cell."""
    text = cell_text(row, column)
    match column:
        case _ if row.number == WINDOW_END:
            return row.text
        case StepColumn.KIND if row.kind_tried and row.step is not None:
            return say("{text}, in the file {kind}", text=text, kind=kind_word(row.step.kind))
        case StepColumn.KIND if row.derived:
            return say("{text}, derived", text=text)
        case StepColumn.CONTENT:
            if row.shared is not None:
                text = say_list((text, *map(fate_words, row.shared.fates)))
            if row.left_out:
                return say("left out: {text}", text=text)
            if row.file_tool and row.file_tool != row.tool:
                tool = row.file_tool
                return say("{text}, in the file the tool is {tool}", text=text, tool=tool)
    return text


def fate_words(fate: Fate) -> str:
    """What becomes of a part, in words."""
    if fate is Fate.REDACTED:
        return say("redacted before it is posted")
    return say("would leave in clear")


def milliseconds(value: JsonValue) -> str:
    """Whole milliseconds with commas; what is no number is not shown as one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return ""
    try:
        number = float(value)
    except OverflowError:  # an integer beyond the largest double
        return ""
    text = f"{number:.3g}" if abs(number) >= _LARGE else f"{number:,.0f}"
    return text.replace("-", "\N{MINUS SIGN}")


# the fields of a step


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
    return whole_characters(encoded_head(value, limit))


def value_of(record: TraceRecord, step: Step | None) -> JsonValue:
    """The step as it was read; without a step the task."""
    return record.trace.raw.get("task") if step is None else step.value


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
            yield _value_field(one_line(name, _NAME_LENGTH), step.raw[name])
            yield leaves


def _value_field(label: str, value: JsonValue) -> Field:
    text, is_text = _written(value), isinstance(value, str)
    rest = value if not is_text and len(text) > JSON_FIELD_LENGTH else None
    return Field(label, text, say("not scored"), fixed=not is_text, value=rest)


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
        fates=tuple(compress(FATE_ORDER, (clear, taken))),
    )


def _places_in(text: str, parts: Collection[JsonValue]) -> tuple[tuple[int, int], ...]:
    """Where parts stand in JSON."""
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
        _written(one.raw["type"]) if "type" in one.raw else say("(none)")
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
    number = number_of(step)
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
