"""The contents of a row of the tree of steps, in words and figures."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kpinspector.sharing.parts import Fate, Piece
from kpinspector.trace.javascript import JsonValue
from kpinspector.trace.model import Mark, Step, StepType
from kpinspector.ui.look.plain_text import brief_value, flat_text, one_line

OBJECTIVE = -1  # the objective's number among those of the steps

_LARGE = 1e9  # milliseconds; eleven days
_LEAD = 26  # characters before the first mark of a row
_MOST_SHARED = 400


class RowKind(StrEnum):
    """What a row of the tree stands for."""

    OBJECTIVE = "objective"
    STEP = "step"
    WINDOW_END = "window_end"


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

    @property
    def text(self) -> str:
        """The line."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class StepRow:
    """What one row shows.

    Attributes:
        seen: Novelty sees this row, or its beginning.
        tool: The tool's name in one line, "" without one.
        text: The content's first line, else the input's fields.
        is_input: ``text`` is the input.
        tried: What is tried of the step; None where it is as in the file.
        old_tool: The tool in the file, where another one or none is tried.
        tool_tried: ``tool`` is not the one in the file.
        derived: Its kind was derived, and is as in the file.
        failed: The recording marks it as a failed result.
        shared: What of it is marked as redacted or in clear; None where nothing is.
    """

    kind: RowKind
    step: Step | None
    seen: bool
    text: str
    tool: str = ""
    is_input: bool = False
    ms: str = ""
    marks: tuple[Mark, ...] = ()
    tried: Tried | None = None
    old_tool: str = ""
    tool_tried: bool = False
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


def make_row(
    step: Step, marks: Collection[Mark], *, seen: bool, tried: Tried | None = None
) -> StepRow:
    """All that is shown of a step: the content's first line, else its input."""
    text = one_line(step.content)
    old, new = _tool(step), _tool(step if tried is None else tried.step)
    shows_input = not text and "input" in step.raw
    return StepRow(
        kind=RowKind.STEP,
        step=step,
        seen=seen,
        tool=new,
        text=brief_value(step.raw["input"]) if shows_input else text,
        is_input=shows_input,
        ms=milliseconds(step.raw.get("latency_ms")),
        marks=tuple(mark for mark in Mark if mark in marks),
        tried=tried,
        old_tool="" if old == new else old,
        tool_tried=old != new,
    )


def shared_line(fields: Sequence[tuple[Piece, ...]]) -> SharedLine | None:
    """The line for the fields of a step with something to mark; None where there are none."""
    if not fields:
        return None
    first = next(place for place, one in enumerate(fields[0]) if one.fate is not None)
    before = "".join(piece.text for piece in fields[0][:first])
    if len(before) > _LEAD:  # from the beginning of a word on
        end = before[-_LEAD:]
        before = f"… {end.partition(' ')[2] or end}"
    lead = Piece(flat_text(before)[0])
    flat = (replace(one, text=flat_text(one.text)[0]) for one in _beginning(fields[0][first:]))
    found = {piece.fate for pieces in fields for piece in pieces}
    fates = (one for one in (Fate.IN_CLEAR, Fate.REDACTED) if one in found)
    return SharedLine(tuple(one for one in (lead, *flat) if one.text), tuple(fates))


def _beginning(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """As much of some pieces as a row shows."""
    left = _MOST_SHARED
    for one in pieces:
        if left <= 0:
            return
        yield replace(one, text=one.text[:left])
        left -= len(one.text)


def _tool(step: Step) -> str:
    return one_line(step.tool_name or "", 80)


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
